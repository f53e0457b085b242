"""Build the document of a run of evolution: champion, win rates, games by turn, progress, lineage and settings.

`evolved_figures` has its charts and the tables of its CSV files.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from evodom.dominion.engine.rules import PASS_NAME
from evodom.evolution.cells import AMOUNT_LABELS, TREASURE_LABELS
from evodom.evolution.mixtures import MIXTURE
from evodom.evolution.ranking import HELD_OUT_WINS
from evodom.matches.probe import BuyProbabilities, Buys
from evodom.matches.results import Spread
from evodom.presentation import document as doc
from evodom.presentation.documents import common
from evodom.presentation.documents.evolved_figures import EvolvedCharts, evolved_tables
from evodom.presentation.format import counted, decimal, joined, percent
from evodom.reports.evolved import BaselineResult, Report, SearchGains
from evodom.reports.lineage import Lineage
from evodom.reports.measure import N_SAMPLES, STAGES, ByTurn, SampleGame, TableOfBest
from evodom.reports.mixture import MixedLine
from evodom.statistics import Share

MIN_PROBABILITY = 0.01
"""Minimum probability of a buy that is shown."""

MIN_COPIES = 0.05
"""Minimum mean number of copies of a card that is shown for a deck."""

MIN_PURCHASES = 0.05
"""Minimum mean number of purchases per game of a card that is shown."""

MIN_BUYS = 0.05
"""Minimum mean number of buys per turn of a card that is shown for a turn."""

N_LAST_CHANGES = 3
"""Number of the latest changes of a lineage that text shows."""

MIN_NAMED_COPIES = 0.5
"""Minimum mean number of copies of a card in the title's description of a deck."""

MAX_NAMED = 4
"""Maximum number of cards in the title's description of a deck."""

UNNAMED_CARDS = ("Copper", "Estate", "Curse", "Province", "Duchy")
"""Cards of nearly every deck. They do not characterise a deck."""

STEP_KINDS = {
    "elite": "unchanged",
    "improved": "changed by local search",
    "clone": "mutated copy",
    "child": "of two parents",
    "new": "random, of the grammar, or an imitation",
}
"""Descriptions of a lineage's steps, by kind."""

STARTS = {
    "random": "random strategies",
    "mixed": "decks of a grammar, imitations of the shipped network and of training baselines, random strategies",
}
"""Descriptions of the values of `--start`."""

RANKS = ("champion", "2nd", "3rd", "4th", "5th", "6th")


def evolved_document(report: Report) -> doc.Document:
    """Return the document of a run of evolution. Without a sample game it has no parts for pages and CSV files."""
    options, key = report.run["options"], report.run["key"]
    players: int = options["players"]
    charts, in_full = EvolvedCharts(report), report.sample is not None
    deck = _named_deck(report.champions[-1].deck)
    return doc.Document(
        f"{deck}: the best strategy of run {key}" if deck else f"The best strategy of run {key}",
        [
            doc.Section("", [doc.Paragraph(_method(report, players))]),
            doc.Section("How it plays", _champion(report), "plays"),
            doc.Section("Turn by turn", _turns(report, charts), "turns"),
            doc.Section("Against others", _others(report, charts, players), "others"),
            doc.Section(
                "Costliest mistakes", common.mistake_blocks(report.mistakes, "the champion", common.SHIPPED), "mistakes"
            ),
            doc.Section("Progress", _progress(report, charts, players), "progress"),
            doc.Section("Hall of fame", _hall_of_fame(report, charts, players), "hall"),
            doc.Section("Lineage", _lineage(report.lineage, charts) if report.lineage else [], "lineage"),
            doc.Section("A game to read", _game(report.sample) if report.sample else [], "game", doc.Media.PAGE),
            doc.Section("The strategies as files", _strategies(report.strategies), "strategies", doc.Media.PAGE),
            doc.Section("Settings", [doc.Facts(_settings(report))], "settings"),
            doc.Section("", [doc.Command("Repeat", report.command)]),
            doc.Section("", evolved_tables(report) if in_full else [], media=doc.Media.CSV),
        ],
        common.subtitle_of(options["kingdom_name"] or "", players),
        [
            doc.Paragraph(common.playing_sentence(report.turns[0], {}), "lede"),
            doc.Paragraph(" ".join(_sentences(report, players))),
            doc.Tiles(_tiles(report, players)),
            charts.win_rates(),
        ],
    )


# The first lines.


def _wins(report: Report) -> dict[str, Share]:
    """Return the champion's win rate by baseline."""
    return {result.baseline: result.win for result in report.baselines if result.rank == 1}


def _named_deck(deck: Mapping[str, float]) -> str:
    """Return the cards that characterise a deck: "7 Silver, 4 Gold, 2 Militia"."""
    held = [(count, name) for name, count in deck.items() if count >= MIN_NAMED_COPIES and name not in UNNAMED_CARDS]
    held.sort(key=lambda item: -item[0])
    return ", ".join(f"{count:.0f} {name}" for count, name in held[:MAX_NAMED])


def _sentences(report: Report, players: int) -> Iterator[str]:
    """Yield the champion's win rates, its deck, and the length of games of the best."""
    games, after = report.best_games, counted(report.run["n_generations"], "generation")
    yield from common.strength_sentences(_wins(report), players, report.best_response, f"After {after} the champion")
    deck = _named_deck(report.champions[-1].deck)
    if deck:
        yield f"Its final deck has about {deck}."
    yield (
        f"Games of the best strategies against each other last {games.rounds.mean:.1f} rounds. The winner has "
        f"{games.winner_vp.mean:z.0f} VP on average."
    )


def _tiles(report: Report, players: int) -> list[doc.Tile]:
    games, wins = report.best_games, _wins(report)
    strongest, least = common.strongest_of(wins)
    return [
        common.win_tile(common.copies(players - 1, common.BIG_MONEY_NAME), wins[common.BIG_MONEY]),
        common.win_tile(f"{strongest}, the strongest baseline", least),
        *common.best_response_tiles(report.best_response),
        doc.Tile("rounds per game", doc.DataColumn("rounds"), games.rounds.mean, f"90 %: {_range(games.rounds)}"),
        doc.Tile("VP of the winner", doc.DataColumn("VP", 0), games.winner_vp.mean, f"90 %: {_range(games.winner_vp)}"),
    ]


def _method(report: Report, players: int) -> str:
    length = report.run["round_length"]
    rounds = f" With islands, generation numbers count rounds of {length} generations." if length > 1 else ""
    return (
        f"A win rate is the share of wins in {report.games} new games with rotated seats, with its 95 % interval "
        "(Wilson). A win shared by k players counts 1/k. Win rates of the second and third best, of earlier "
        "generations and of the hall of fame are measured in a quarter of the games. The chance level is "
        f"{percent(1 / players)} %.{rounds}"
    )


# How it plays.


def _champion(report: Report) -> Iterator[doc.Block]:
    """Yield the champion's purchases, its rules, and its buys with each number of coins."""
    traits, bought = report.champion.traits, report.purchases
    total = sorted(((n, card) for card, n in bought.in_all.items() if n >= MIN_PURCHASES), reverse=True)
    columns = doc.columns("buys", *(doc.DataColumn(stage.when) for stage in STAGES), doc.DataColumn("total"))
    rows: list[Sequence[doc.Cell]] = [
        (card, *(bought.by_stage[stage.name][card] for stage in STAGES), n) for n, card in total
    ]
    title = f"Cards bought per game: means of {bought.n_games} games of the best strategies against each other"
    yield doc.Paragraph(traits.buying)
    if traits.rules:
        yield doc.OrderedLists([("", [("", rule) for rule in traits.rules])])
    yield doc.Beside([doc.DataTable(columns, rows, title), *([doc.Facts(traits.facts)] if traits.facts else [])])
    yield doc.Paragraph(
        "The next tables show its buys by coins, in positions of games against copies of itself. Shares below 1 % are "
        "left out."
    )
    yield doc.Beside([_answer(answer) for answer in report.champion.answers])


def _answer(answer: BuyProbabilities) -> doc.DataTable:
    """Return the buys of a situation. Neighbouring numbers of coins with equal buys share a row."""
    alike = groupby(answer.buys, lambda buys: _odds(buys.probabilities))
    rows = [(_coins(list(group)), odds) for odds, group in alike]
    title = f"{answer.when.capitalize()} (%, {answer.n_tries} tries each)"
    return doc.DataTable(doc.columns("coins", "buys"), rows, title)


def _coins(group: Sequence[Buys]) -> str:
    low, high = group[0].coins_from, group[-1].coins_to
    if high is None:
        return f"${low}+"
    return f"${low}" if low == high else f"${low}-{high}"


def _odds(odds: Mapping[str, float]) -> str:
    """Return the likely buys, the likeliest first and passing last."""
    likely = [(name, odd) for name, odd in odds.items() if odd >= MIN_PROBABILITY]
    likely.sort(key=lambda item: (item[0] == PASS_NAME, -item[1]))
    return joined(f"{name} {percent(odd, 0)}" for name, odd in likely)


# Turn by turn.


def _turns(report: Report, charts: EvolvedCharts) -> Iterator[doc.Block]:
    champion = report.turns[0]
    numbers = range(1, champion.n_turns + 1)
    shown = [turn for turn in numbers if turn <= 4 or turn % 4 == 0 or turn == champion.n_turns]
    yield doc.Paragraph(
        f"Games of the {len(report.turns)} best strategies of the last generation at one table: means of "
        f"{champion.n_games} games. The means of a turn are those of the games that reach it. Turns that fewer than "
        "10 % of the games reach are left out. Cards are those in hand and in play. Buys are per hundred turns."
    )
    yield _turn_table(champion, shown, doc.Media.TEXT)
    yield from charts.turns()
    yield doc.Folded("The champion by turn", [_turn_table(champion, numbers, doc.Media.PAGE)], media=doc.Media.PAGE)


def _turn_table(champion: ByTurn, turns: Sequence[int], media: doc.Media) -> doc.DataTable:
    figures = map(doc.DataColumn, ("coins", "cards", "VP"))
    columns = doc.columns(doc.DataColumn("turn"), doc.percent_column("games, %", 0), *figures, "buys")
    rows: list[Sequence[doc.Cell]] = []
    for turn in turns:
        at = turn - 1
        buys = sorted(((n[at], name) for name, n in champion.bought.items() if n[at] >= MIN_BUYS), reverse=True)
        bought = joined(f"{percent(n, 0)} {name}" for n, name in buys[:3])
        rows.append((turn, champion.reached[at], champion.coins[at], champion.cards[at], champion.vp[at], bought))
    return doc.DataTable(columns, rows, media=media)


# Against others.


def _others(report: Report, charts: EvolvedCharts, players: int) -> Iterator[doc.Block]:
    options = report.run["options"]
    rivals = (options.get("rivals") or ()) if options["race"] else ()
    note = common.training_note(rivals, is_any_met=any(result.met for result in report.baselines))
    yield _by_rank(report.baselines, players)
    yield doc.Paragraph(f"{note} All strategies play the same opponents with the same shuffles.")
    yield from charts.others(note)
    yield _baselines(report.baselines)
    if report.mixture:
        yield from _mixture(report.mixture, report.run["key"])
    yield from _best_games(report.best_games)


def _mixture(lines: Sequence[MixedLine], key: str) -> Iterator[doc.Block]:
    """Yield the mixture of lines, and how to play it."""
    weight, win_rate = map(doc.percent_column, ("weight, %", "win rate, %"))
    columns = doc.columns("strategy", weight, "Actions", "Treasures", win_rate)
    rows = [(f"{key}:{line.rank}", line.weight, line.actions, line.treasures, line.win_rate) for line in lines]
    yield doc.DataTable(columns, rows, f"The mixture {key}:{MIXTURE}")
    yield doc.Paragraph(
        "Strategies can beat each other in turn. The mixture draws one of these for each game, so that its win rate "
        "against the hardest training opponent is maximal. Actions and Treasures are those of the final deck, without "
        "Coppers. Win rates are estimates against the training opponents."
    )


def _by_rank(baselines: Sequence[BaselineResult], players: int) -> doc.DataTable:
    """Return the win rates of the best strategies for text, one column per strategy."""
    ranks = sorted({result.rank for result in baselines})
    wins = {(result.baseline, result.rank): result.win for result in baselines}
    names = {result.baseline: result.baseline + common.MET_MARK * result.met for result in baselines}
    columns = doc.columns(counted(players - 1, "opponent"), *(doc.percent_column(RANKS[rank - 1]) for rank in ranks))
    rows: list[Sequence[doc.Cell]] = [(shown, *(wins[name, rank] for rank in ranks)) for name, shown in names.items()]
    title = f"Win rates of the best strategies against baselines (%, chance level {percent(1 / players)})"
    return doc.DataTable(columns, rows, title, media=doc.Media.TEXT)


def _baselines(baselines: Sequence[BaselineResult]) -> doc.Block:
    """Return all results against baselines, for pages."""
    table = doc.table_of(
        baselines,
        [
            (doc.text_column("baseline"), lambda result: result.baseline + common.MET_MARK * result.met),
            (doc.DataColumn("rank"), lambda result: result.rank),
            (doc.percent_column("win rate, %"), lambda result: result.win),
            (doc.percent_column("alone, %"), lambda result: result.alone),
            (doc.percent_column("shared, %"), lambda result: result.tied),
            (doc.DataColumn("place", 2), lambda result: result.place),
            (doc.DataColumn("VP"), lambda result: result.vp),
            (doc.DataColumn("their VP"), lambda result: result.others_vp),
        ],
    )
    return doc.Folded("All numbers", [table], media=doc.Media.PAGE)


def _best_games(games: TableOfBest) -> Iterator[doc.Block]:
    ended = games.ended
    yield doc.Facts(
        {
            "rounds": _spread(games.rounds),
            "winner's VP": _spread(games.winner_vp),
            "ended by": common.end_shares(ended),
            "champion's deck": _deck(games.champion_deck),
            "winner's deck": _deck(games.winner_deck),
        },
        f"Games of the {len(games.entrants)} best strategies against each other",
    )
    entrants = doc.table_of(
        games.entrants,
        [
            (doc.DataColumn("rank"), lambda entrant: entrant.rank),
            (doc.percent_column("win rate, %", key="win"), lambda entrant: entrant.win),
            (doc.DataColumn("mean VP", key="vp_mean"), lambda entrant: entrant.vp.mean),
            (doc.DataColumn("5 %", key="vp_p5"), lambda entrant: entrant.vp.p5),
            (doc.DataColumn("median", key="vp_p50"), lambda entrant: entrant.vp.p50),
            (doc.DataColumn("95 %", key="vp_p95"), lambda entrant: entrant.vp.p95),
        ],
        name="table",
    )
    seats = list(enumerate(games.seats, 1))
    by_seat = [doc.DataColumn("seat"), doc.percent_column("win rate, %", key="win")]
    yield doc.Beside([entrants, doc.DataTable(by_seat, seats, name="seats")])


def _spread(values: Spread) -> str:
    return f"{decimal(values.mean, 1)} on average; median {values.p50}, 90 % from {_range(values)}"


def _range(spread: Spread) -> str:
    return f"{spread.p5} to {spread.p95}"


def _deck(deck: Mapping[str, float]) -> str:
    """Return the cards of a deck, the most numerous first."""
    held = sorted(((count, name) for name, count in deck.items() if count >= MIN_COPIES), reverse=True)
    return joined(f"{decimal(count, 1)} {name}" for count, name in held)


# How it came about.


def _progress(report: Report, charts: EvolvedCharts, players: int) -> Iterator[doc.Block]:
    is_judged = any(champion.summary.get(HELD_OUT_WINS) is not None for champion in report.champions)
    judged = doc.percent_column("held-out") if is_judged else doc.DataColumn("points", 2)
    saved = {
        judged: HELD_OUT_WINS if is_judged else "best_points",
        doc.DataColumn("rounds"): "rounds",
        doc.DataColumn("VP"): "winner_vp",
        doc.percent_column("piles"): "ended_on_piles",
        doc.percent_column("cut"): "cut",
        doc.DataColumn("diversity", 2): "diversity",
    }
    columns = [doc.DataColumn("gen"), doc.percent_column("Big Money"), doc.percent_column("gen 0"), *saved]
    rows = [
        (
            *(one.generation, one.against_big_money.share, one.against_first_generation.share),
            *map(one.summary.get, saved.values()),
        )
        for one in report.champions
    ]
    table = doc.DataTable(columns, rows, "Progress by generation")
    held_out = "win rate of the champion against the strongest held-out baselines, %"
    points = f"opponents beaten per game in the generation's tournament, of {players - 1}"
    best = f"{players - 1} best" if players > 2 else "best"
    legend = doc.Facts(
        {
            "Big Money": f"win rate of the champion against {common.copies(players - 1, common.BIG_MONEY_NAME)}, %",
            "gen 0": f"win rate of the champion against the {best} of generation 0, %",
            "held-out" if is_judged else "points": held_out if is_judged else points,
            "rounds, VP": "mean length of games within the generation, and mean score of the winner",
            "piles, cut": "share of these games that end by empty piles, or at the limit of turns, %",
            "diversity": "mean difference between the preferences of two strategies, 0 to 1",
        }
    )
    yield doc.Beside([table, legend])
    if report.search is not None:
        yield doc.Paragraph(_search_sentences(report.search))
        if report.search.accepted:
            columns = doc.columns("change", doc.percent_column("trials"), doc.percent_column("gain", 2))
            rows = [(each.change, each.trials, each.gain) for each in report.search.changes]
            yield doc.DataTable(
                columns, rows, "Recent changes of local search: share of trials, wins by 100 trials (%)"
            )
    if any(share is not None for row in report.archive for share in row):
        yield from _archive(report, charts)
    if report.sample is not None:
        yield from charts.progress()


def _archive(report: Report, charts: EvolvedCharts) -> Iterator[doc.Block]:
    """Yield the kinds of decks that were tried, with the win rate that each reached."""
    columns = doc.columns("Actions", *(doc.percent_column(deck, 0) for deck in TREASURE_LABELS))
    rows = [(amount, *shares) for amount, shares in zip(AMOUNT_LABELS, report.archive, strict=True)]
    yield doc.DataTable(columns, rows, "Kinds of decks by Actions and Treasures (% of wins)", media=doc.Media.TEXT)
    yield doc.Paragraph(
        "The kinds of decks that evolution tried: the number of Actions, the number of Treasures without Coppers, and "
        "thin if at most 3 Coppers are left. Win rates are the highest of a generation against its training opponents. "
        "The opponents change, so these are no results."
    )
    if report.sample is not None:
        yield charts.archive()


def _search_sentences(search: SearchGains) -> str:
    played = f"Local search played {counted(search.rounds, 'round')} in {counted(search.games, 'game')}"
    if search.mean_gain is None:
        return f"{played} and accepted no change."
    return (
        f"{played} and accepted {counted(search.accepted, 'change')}. An accepted change gained "
        f"{percent(search.mean_gain)} % of the wins on average. This mean is biased upwards: it is measured in the "
        "games that selected the changes."
    )


def _hall_of_fame(report: Report, charts: EvolvedCharts, players: int) -> Iterator[doc.Block]:
    hall = report.hall_of_fame
    generations = (doc.percent_column(str(generation), 0) for generation in hall.generations)
    columns = doc.columns("champion of", *generations)
    rows = [(f"generation {mine}", *line) for mine, line in zip(hall.generations, hall.wins, strict=True)]
    others = "a champion" if players == 2 else f"{common.N_WORDS[players - 1]} copies of a champion"
    title = f"Win rate against {others} of another generation (%, chance level {percent(1 / players)})"
    yield doc.DataTable(columns, rows, title, media=doc.Media.TEXT)
    if len(hall.generations) > 1:
        yield doc.Paragraph(
            f"Win rate of each row's champion against copies of each column's champion, % of {hall.n_games} games. The "
            f"chance level is {percent(1 / players)} %.",
            media=doc.Media.PAGE,
        )
        yield charts.hall_of_fame()


# Lineage.


def _lineage(lineage: Lineage, charts: EvolvedCharts) -> Iterator[doc.Block]:
    """Yield the champion's origin, and the steps that changed it: pages have all steps, text has the last."""
    changed = [ancestor for ancestor in lineage.line if ancestor.changed]
    times = counted(len(changed), "round" if lineage.island_stays else "time")
    yield doc.Paragraph(
        f"The champion's line of ancestors goes back {counted(len(lineage.line) - 1, lineage.unit)}, to "
        f"{lineage.beginning}. It was changed {'in ' * bool(lineage.island_stays)}{times}. Of two parents, the line "
        f"follows the fitter. {islands_text(lineage)}".rstrip()
    )
    yield doc.Facts({kind: f"{n} ({STEP_KINDS[kind]})" for kind, n in lineage.steps.items()}, "Steps by kind")
    columns = doc.columns(doc.DataColumn(lineage.unit), "how", doc.DataColumn("rank"), "changed fields")
    rows = [(ancestor.generation, ancestor.kind, ancestor.rank, ", ".join(ancestor.changed)) for ancestor in changed]
    if rows:
        yield doc.DataTable(columns, rows[:N_LAST_CHANGES], "Last changes", media=doc.Media.TEXT)
    if len(lineage.line) > 1:
        yield from charts.lineage(lineage)
        yield doc.Folded("Every change", [doc.DataTable(columns, rows)], media=doc.Media.PAGE)


def islands_text(lineage: Lineage) -> str:
    """Return the islands of a lineage as text; "" for one population."""
    if not lineage.island_stays:
        return ""
    stays = [
        f"on island {island} in round{f' {first}' if first == last else f's {first} to {last}'}"
        for island, first, last in lineage.island_stays
    ]
    return f"It was {', '.join(stays)}. Islands are numbered from 0."


# The end of a page.


def _game(sample: SampleGame) -> Iterator[doc.Block]:
    standing = sorted(zip(sample.places, sample.names, sample.scores, strict=True))
    scores = ", ".join(f"{name} with {vp} VP" for _, name, vp in standing)
    yield doc.Paragraph(
        f"A game of the best strategies; #1 is the champion. Of {N_SAMPLES} games it is the first of median length. It "
        f"ended by {sample.end}: {scores}."
    )
    rounds = {f"Round {number}": "\n".join(lines) for number, lines in enumerate(sample.rounds, 1)}
    yield doc.Folded(f"All {len(sample.rounds)} rounds", [doc.Facts(rounds)])


def _strategies(files: Sequence[str]) -> list[doc.Block]:
    shown = [doc.Folded(f"#{rank}", [doc.Code(text)]) for rank, text in enumerate(files, 1)]
    how = doc.Paragraph("Save a strategy as a file, change it, and play against it: evodom play --opponent FILE.")
    return [how, *shown] if shown else []


def _settings(report: Report) -> dict[str, str]:
    facts = report.run
    options = facts["options"]
    low, high = options["switch_low"], options["switch_high"]
    asked, saved = options["n_generations"], facts["n_generations"]
    generations = counted(saved, "generation") if saved == asked else f"{saved} of {asked} generations"
    islands = f"{options['islands']} islands of " if options["islands"] > 1 else ""
    named = {"kingdom", "kingdom_name", "players", "n_generations", "n_strategies", "start"}
    named |= {"switch_low", "switch_high"}
    others = (f"{name.replace('_', ' ')} {_plain(value)}" for name, value in options.items() if name not in named)
    return {
        "kingdom": f"{options['kingdom_name'] or 'custom'}: {joined(options['kingdom'])}",
        "players": str(options["players"]),
        "evolved": f"{generations} of {islands}{options['n_strategies']} strategies, "
        f"{counted(options['games'], 'game')} a match",
        "start": STARTS[options["start"]],
        "switch": "from early to late preferences "
        + (f"after turn {low}" if low == high else f"after an evolved turn from {low} to {high}"),
        "penalty": f"{float(options['vp_penalty']):g}, on preferences for Curses, early Estates and early Duchies",
        "options": joined(others),
        "seed": str(facts["seed"]),
        "created": facts["created"],
        "versions": joined(f"{name} {version}" for name, version in facts["versions"].items()) or "unknown",
        "report": f"{report.games} games a win rate, seed {report.seed}",
    }


def _plain(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
