"""A report as text, at most 80 columns wide, for somebody who plays Dominion."""

import shlex
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from evodom.dominion.engine.rules import PASS_NAME
from evodom.dominion.strategies.probe import Answer, Buys
from evodom.matches.results import Spread
from evodom.presentation.documents.common import said_of_attack
from evodom.presentation.format import counted, decimal, joined, percent, with_interval
from evodom.presentation.text import WIDTH, columns, listing, paragraph, sparkline
from evodom.report.findings import MET, sentences, told_of_met
from evodom.reports.census import STAGES, ByTurn, Purchases
from evodom.reports.evolved import Fitness, HallOfFame, Portrait, Report
from evodom.reports.lineage import Lineage
from evodom.reports.measure import TableOfBest

SHOWN = 0.01
"""Probabilities and weights below this are left out."""

SHOWN_CARDS = 0.05
"""Mean numbers of cards in a deck below this are left out."""

SHOWN_PURCHASES = 0.05
"""Cards of which fewer are bought in a game are left out."""

SHOWN_BUYS = 0.05
"""Buys rarer than this in a turn are left out."""

SHOWN_STEPS = 3
"""How many changes of a lineage are told, the last ones."""

ASKED = (
    "What it would buy with so many coins was found by asking it, in positions of games against copies of itself. "
    "Shares below 1 % are left out."
)
"""What is said above the answers of a champion, in the text and on the page."""

RANKS = ("champion", "2nd", "3rd", "4th", "5th", "6th")
SEATS = ("first", "second", "third", "fourth", "fifth", "sixth")


def render(report: Report, *, blocks: bool = True) -> str:
    """Return the report as text; ``blocks`` says that the block characters of sparklines can be printed."""
    players = report.run["options"]["players"]
    sections = (
        _title(f"Report on run '{report.run['key']}'", "="),
        paragraph(" ".join(sentences(report))),
        _reading(report, players),
        _progress(report.fitness, players, blocks=blocks),
        _champion(report.champion, report.purchases),
        _baselines(report, players),
        _table(report.table),
        _turns(report.turns[0]),
        _hall_of_fame(report.hall_of_fame, players),
        *([_lineage(report.lineage)] if report.lineage else []),
        _run(report.run),
        _command(report.command),
    )
    return "\n\n".join(sections)


def _turns(champion: ByTurn) -> str:
    numbers = range(1, champion.n_turns + 1)
    shown = [turn for turn in numbers if turn <= 4 or turn % 4 == 0 or turn == champion.n_turns]
    rows: list[tuple[str, ...]] = [("turn", "games, %", "coins", "cards", "VP", "buys")]
    for turn in shown:
        at = turn - 1
        buys = sorted(((n[at], name) for name, n in champion.bought.items() if n[at] >= SHOWN_BUYS), reverse=True)
        bought = ", ".join(f"{percent(n, 0)} {name}" for n, name in buys[:3])
        numbers_at = (champion.coins[at], champion.cards[at], champion.vp[at])
        rows.append((str(turn), percent(champion.reached[at], 0), *(decimal(n, 1) for n in numbers_at), bought))
    note = "Cards: in hand and in play. Buys: in a hundred such turns; --html and --csv tell all."
    return "\n".join(
        [_title("The champion turn by turn, in those games"), *columns(rows, left=(0, 5)), "", paragraph(note)]
    )


def _hall_of_fame(hall: HallOfFame, players: int) -> str:
    header = ("champion of", *(f"{generation}" for generation in hall.generations))
    rows = [
        (f"generation {generation}", *(percent(win, 0) for win in line))
        for generation, line in zip(hall.generations, hall.wins, strict=True)
    ]
    title = f"Champions against {players - 1} of another generation's (%, par {percent(1 / players)})"
    return "\n".join([_title(title), *columns([header, *rows])])


def _lineage(lineage: Lineage) -> str:
    """Tell where the champion comes from: its first ancestor, and the last steps that changed it."""
    steps = [one for one in lineage.line if one.changed]
    rows = {
        f"{lineage.unit} {one.generation}": f"{one.kind}, ranked {one.rank}; other {', '.join(one.changed)}"
        for one in steps[:SHOWN_STEPS]
    }
    first = (
        f"Its line goes back {counted(len(lineage.line) - 1, lineage.unit)}, to {lineage.beginning}, "
        f"and was changed {'in ' if lineage.stays else ''}{counted(len(steps), 'round' if lineage.stays else 'time')}. "
        f"{lineage.told_of_islands}"
    )
    last = ["Last:", *listing(rows, indent=2)] if rows else []
    return "\n".join([_title("The champion's lineage"), paragraph(first), *last])


def _run(facts: dict[str, Any]) -> str:
    options = facts["options"]
    low, high = options["switch_low"], options["switch_high"]
    switch = f"after turn {low}" if low == high else f"evolved, between turns {low} and {high}"
    asked, saved = options["n_generations"], facts["n_generations"]
    generations = counted(saved, "generation") if saved == asked else f"{saved} of {asked} generations"
    islands = f"{options['islands']} islands of " if options["islands"] > 1 else ""
    population = f"{islands}{options['n_strategies']} strategies"
    evolved = f"{generations} of {population}, {counted(options['games'], 'game')} a match"
    rows = {
        "kingdom": f"{options['kingdom_name'] or 'custom'}: {joined(options['kingdom'])}",
        "players": str(options["players"]),
        "evolved": evolved,
        "switch": f"from early to late preferences {switch}",
        "penalty": f"strength {float(options['vp_penalty']):g}, for wanting Curses, or Estates and Duchies early",
        "seed": str(facts["seed"]),
        "created": facts["created"] or "unknown",
        "versions": joined(f"{name} {version}" for name, version in facts["versions"].items()) or "unknown",
    }
    return "\n".join([_title("Settings"), *listing(rows)])


def _reading(report: Report, players: int) -> str:
    length = report.run["round_length"]
    rounds = f" Generations are told by the number of their round, which is {length} of them." if length > 1 else ""
    return paragraph(
        f"Every win rate is the share of the victories in {report.games} new games (the second and third best, "
        "earlier generations, champions against each other: a quarter of that), everybody in each seat equally often; a"
        f" victory shared by k players counts 1/k. With {players} players, par is {percent(1 / players)} %. In "
        f"brackets: 95 % intervals (Wilson).{rounds}"
    )


def _progress(fitness: Sequence[Fitness], players: int, *, blocks: bool) -> str:
    raced = any(one.summary.get("race_wins") is not None for one in fitness)
    header = ("gen", "Big Money", "gen 0", "race" if raced else "points", "rounds", "VP", "piles", "cut", "diversity")
    rows = [header, *(_fitness_row(one, raced=raced) for one in fitness)]
    key = {
        "Big Money": f"win rate of the generation's champion against {players - 1} Big Money, %",
        "gen 0": f"the same against the {f'{players - 1} best' if players > 2 else 'best'} of generation 0, %",
        **(_RACE if raced else {"points": f"opponents beaten per game in its own tournament, of {players - 1}"}),
        "rounds, VP": "mean length of that tournament's games, and score of the winner",
        "piles, cut": "those games ended by empty piles, or cut for their length, %",
        "diversity": "how far strategies differ in what they prefer, 0 to 1",
    }
    lines = [_title("Progress by generation"), *columns(rows), ""]
    if blocks and len(fitness) > 1:
        lines += [*_sparklines(fitness), ""]
    return "\n".join([*lines, *listing(key)])


_RACE = {"race": "wins in the race that ranked it, against the same rivals in every generation, %"}


def _fitness_row(fitness: Fitness, *, raced: bool) -> tuple[str, ...]:
    summary = fitness.summary
    return (
        str(fitness.generation),
        percent(fitness.against_big_money.share),
        percent(fitness.against_first_generation.share),
        percent(summary.get("race_wins")) if raced else decimal(summary.get("best_points"), 2),
        decimal(summary.get("rounds"), 1),
        decimal(summary.get("winner_vp"), 1),
        percent(summary.get("ended_on_piles")),
        percent(summary.get("cut")),
        decimal(summary.get("diversity"), 2),
    )


def _sparklines(fitness: Sequence[Fitness]) -> list[str]:
    lines = {
        "Big Money": [one.against_big_money.share for one in fitness],
        "gen 0": [one.against_first_generation.share for one in fitness],
    }
    return listing(
        {
            name: f"{sparkline(shares)}  {percent(min(shares))} to {percent(max(shares))} %"
            for name, shares in lines.items()
        }
    )


def _champion(champion: Portrait, bought: Purchases) -> str:
    traits = champion.traits
    rules = {f"{place}.": rule for place, rule in enumerate(traits.rules, 1)}
    return "\n".join(
        [
            _title("The champion"),
            *_purchases(bought),
            "",
            paragraph(traits.buying),
            *(["", *listing(rules, indent=2)] if rules else []),
            *(["", *listing(traits.facts)] if traits.facts else []),
            "",
            paragraph(ASKED),
            *(line for answer in champion.answers for line in ("", *_answer(answer))),
        ]
    )


def _purchases(bought: Purchases) -> list[str]:
    """Return what a player buys in a game, the card bought most often first."""
    total = sorted(((n, card) for card, n in bought.in_all.items() if n >= SHOWN_PURCHASES), reverse=True)
    rows = [
        (card, *(decimal(bought.by_stage[stage.name][card], 1) for stage in STAGES), decimal(n, 1)) for n, card in total
    ]
    note = f"Cards bought in a game, means of {bought.n_games} games of the best against each other."
    return [*columns([("buys", *(stage.when for stage in STAGES), "in all"), *rows]), "", paragraph(note)]


def _answer(answer: Answer) -> list[str]:
    rows = {_coins(group): odds for odds, group in _alike(answer.buys)}
    return [f"{answer.when.capitalize()} (%, {answer.n_tries} times each)", *listing(rows, indent=2)]


def _alike(buys: Sequence[Buys]) -> list[tuple[str, list[Buys]]]:
    """Group numbers of coins that follow each other and buy the same."""
    return [(odds, list(group)) for odds, group in groupby(buys, lambda one: _odds(one.probabilities))]


def _coins(group: Sequence[Buys]) -> str:
    low, high = group[0].coins_from, group[-1].coins_to
    if high is None:
        return f"with ${low}+"
    return f"with ${low}" if low == high else f"with ${low}-{high}"


def _odds(odds: dict[str, float]) -> str:
    """List what is likely enough, the likeliest first and passing last."""
    likely = [(name, odd) for name, odd in odds.items() if odd >= SHOWN]
    likely.sort(key=lambda item: (item[0] == PASS_NAME, -item[1]))
    return joined(f"{name} {percent(odd, 0)}" for name, odd in likely)


def _baselines(report: Report, players: int) -> str:
    baselines = report.baselines
    ranks = sorted({one.rank for one in baselines})
    found = {(one.baseline, one.rank): with_interval(one.win) for one in baselines}
    names = {one.baseline: one.baseline + MET * one.met for one in baselines}
    rows = [(told, *(found[name, rank] for rank in ranks)) for name, told in names.items()]
    header = (counted(players - 1, "opponent"), *(RANKS[rank - 1] for rank in ranks))
    title = f"Win rates of the last generation's best against baselines (%, par {percent(1 / players)})"
    note = (
        f"{told_of_met(report)} Strategies that buy alike have like numbers: they meet the same opponents and shuffles."
    )
    attacked = ["", paragraph(said_of_attack(report.attack, players))] if report.attack else []
    return "\n".join([_title(title), *columns([header, *rows]), "", paragraph(note), *attacked])


def _table(table: TableOfBest) -> str:
    ended = table.ended
    facts = {
        "rounds": _spread(table.rounds),
        "winner's VP": _spread(table.winner_vp),
        "ended by": f"Provinces {percent(ended['provinces'])} %, empty piles {percent(ended['empty_piles'])} %, "
        f"cut {percent(ended['cut'])} %",
        "champion's deck": _deck(table.champion_deck),
        "winner's deck": _deck(table.winner_deck),
    }
    entrants = [
        ("strategy", "win rate, %", "mean VP"),
        *((RANKS[one.rank - 1], with_interval(one.win), decimal(one.vp.mean, 1)) for one in table.entrants),
    ]
    seats = [("seat", "win rate, %"), *zip(SEATS, map(with_interval, table.seats), strict=False)]
    title = f"The best {len(table.entrants)} of the last generation against each other"
    return "\n".join([_title(title), *listing(facts), "", *columns(entrants), "", *columns(seats)])


def _spread(values: Spread) -> str:
    return f"{decimal(values.mean, 1)} on average; median {values.p50}, nine in ten {values.p5} to {values.p95}"


def _deck(deck: dict[str, float]) -> str:
    """List the cards of a deck, the most numerous first."""
    held = sorted(((count, name) for name, count in deck.items() if count >= SHOWN_CARDS), reverse=True)
    return joined(f"{decimal(count, 1)} {name}" for count, name in held)


def _command(command: str) -> str:
    line = f"Reproduce this with: {command}"
    return line if len(line) <= WIDTH else "Reproduce this with:\n" + _folded(command)


def _folded(command: str) -> str:
    """Break a command between its words so that it can still be pasted into a shell."""
    first, *words = map(shlex.quote, shlex.split(command))
    lines = [first]
    for word in words:
        if len(lines[-1]) + 1 + len(word) > WIDTH - 4:
            lines.append(word)
        else:
            lines[-1] += f" {word}"
    return " \\\n  ".join(lines)


def _title(text: str, line: str = "-") -> str:
    return f"{text}\n{line * len(text)}"
