"""The document of a run of evolution: its champion, win rates, games turn by turn, progress, lineage and settings."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from evodom.dominion.engine.rules import PASS_NAME
from evodom.dominion.strategies.probe import BuyProbabilities, Buys
from evodom.matches.results import Spread
from evodom.presentation import document as doc
from evodom.presentation.documents.common import (
    BIG_MONEY,
    MET_MARK,
    best_response_sentence,
    copies,
    subtitle_of,
    training_note,
)
from evodom.presentation.documents.evolved_figures import EvolvedCharts, evolved_tables
from evodom.presentation.format import counted, decimal, joined, percent
from evodom.reports.evolved import Against, Fitness, Report
from evodom.reports.lineage import Lineage
from evodom.reports.measure import N_SAMPLES, STAGES, ByTurn, SampleGame, TableOfBest

SHOWN = 0.01
"""Probabilities below this are left out."""

SHOWN_CARDS = 0.05
"""Mean numbers of cards in a deck below this are left out."""

SHOWN_PURCHASES = 0.05
"""Minimum mean number of purchases in a game. Cards below it are left out."""

SHOWN_BUYS = 0.05
"""Buys rarer than this in a turn are left out."""

SHOWN_STEPS = 3
"""The number of changes of a lineage in text, the last ones."""

KEPT = 0.5
"""Cards a deck holds fewer of on average are not named in one line."""

NAMED = 4
"""The most cards of a deck that are named in one line."""

STARTERS = ("Copper", "Estate", "Curse", "Province", "Duchy")
"""Cards of every deck, which are not named in one line."""

RANKS = ("champion", "2nd", "3rd", "4th", "5th", "6th")

N_WORDS = ("no", "one", "two", "three", "four", "five")


def evolved_document(report: Report) -> doc.Document:
    """Return the document of a run of evolution; a report in short lacks the parts that only pages and CSV show."""
    options, key = report.run["options"], report.run["key"]
    players: int = options["players"]
    charts, in_full = EvolvedCharts(report), report.sample is not None
    deck = _named_deck(report.fitness[-1].deck)
    return doc.Document(
        f"{deck}: the strategy that run {key} found" if deck else f"What run {key} found",
        [
            doc.Section("", [doc.Paragraph(_reading(report, players))]),
            doc.Section("How it plays", _champion(report), "plays"),
            doc.Section("Turn by turn", _turns(report, charts), "turns"),
            doc.Section("Against others", _others(report, charts, players), "others"),
            doc.Section("How it came about", _progress(report, charts, players), "progress"),
            doc.Section("Hall of fame", _hall_of_fame(report, charts, players), "hall"),
            doc.Section("Lineage", _lineage(report.lineage, charts) if report.lineage else [], "lineage"),
            doc.Section("A game to read", _game(report.sample) if report.sample else [], "game", doc.Media.PAGE),
            doc.Section("The strategies as files", _strategies(report.strategies), "strategies", doc.Media.PAGE),
            doc.Section("Settings", [doc.Facts(_settings(report))], "settings"),
            doc.Section("", [doc.Command("Reproduce this with", report.command)]),
            doc.Section("", evolved_tables(report) if in_full else [], media=doc.Media.CSV),
        ],
        subtitle_of(options["kingdom_name"] or "", players),
        [
            doc.Paragraph(" ".join(_sentences(report, players)), "lede"),
            doc.Tiles(_tiles(report, players)),
            charts.fitness(),
        ],
    )


# The first lines.


def _hardest(report: Report) -> Against:
    """Return the champion's result against the baseline with its lowest win rate."""
    return min((result for result in report.baselines if result.rank == 1), key=lambda result: result.win.share)


def _big_money(report: Report) -> Against:
    return next(result for result in report.baselines if (result.baseline, result.rank) == (BIG_MONEY, 1))


def _named_deck(deck: Mapping[str, float]) -> str:
    """Return the cards that characterise a deck: "7 Silver, 4 Gold, 2 Militia"."""
    held = [(count, name) for name, count in deck.items() if count >= KEPT and name not in STARTERS]
    held.sort(key=lambda item: -item[0])
    return ", ".join(f"{count:.0f} {name}" for count, name in held[:NAMED])


def _sentences(report: Report, players: int) -> Iterator[str]:
    """Yield the champion's win rate, its deck, its hardest opponent, and the length of games of the best."""
    wins, hardest, table = _big_money(report).win, _hardest(report), report.table
    yield (
        f"After {counted(report.run['n_generations'], 'generation')} the champion wins {percent(wins.share)} % of its "
        f"games against {N_WORDS[players - 1]} Big Money (95 % interval {percent(wins.low)} to {percent(wins.high)}; "
        f"chance level {percent(1 / players, 0)} %)."
    )
    deck = _named_deck(report.fitness[-1].deck)
    if deck:
        yield f"Its decks end with about {deck}."
    if hardest.baseline != BIG_MONEY:
        opponents = f"{N_WORDS[players - 1]} {hardest.baseline}"
        yield f"Its lowest win rate is {percent(hardest.win.share)} %, against {opponents}."
    yield (
        f"Games of the best against each other last {table.rounds.mean:.1f} rounds and are won with "
        f"{table.winner_vp.mean:.0f} VP."
    )


def _tiles(report: Report, players: int) -> list[doc.Tile]:
    hardest, table = _hardest(report), report.table
    return [
        doc.Tile(f"against {copies(players - 1, 'Big Money')}", doc.percent_column("wins"), _big_money(report).win),
        doc.Tile(f"against {hardest.baseline}, its hardest", doc.percent_column("wins"), hardest.win),
        doc.Tile("rounds a game", doc.DataColumn("rounds"), table.rounds.mean, f"nine in ten {_range(table.rounds)}"),
        doc.Tile(
            "VP to win with", doc.DataColumn("VP", 0), table.winner_vp.mean, f"nine in ten {_range(table.winner_vp)}"
        ),
    ]


def _reading(report: Report, players: int) -> str:
    length = report.run["round_length"]
    rounds = f" Generations have the number of their round, which is {length} of them." if length > 1 else ""
    return (
        f"Win rates: {report.games} new games, seats rotated, a victory shared by k players counts 1/k. The second and "
        "third best, earlier generations and champions against each other have a quarter of the games. With "
        f"{players} players, par is {percent(1 / players)} %. In brackets: 95 % intervals (Wilson).{rounds}"
    )


# How it plays.


def _champion(report: Report) -> Iterator[doc.Block]:
    """Yield the champion's purchases, its rules, and its buys with each number of coins."""
    traits, bought = report.champion.traits, report.purchases
    total = sorted(((n, card) for card, n in bought.in_all.items() if n >= SHOWN_PURCHASES), reverse=True)
    columns = [doc.text_column("buys"), *(doc.DataColumn(stage.when) for stage in STAGES), doc.DataColumn("in all")]
    rows: list[Sequence[doc.Cell]] = [
        (card, *(bought.by_stage[stage.name][card] for stage in STAGES), n) for n, card in total
    ]
    title = f"Cards bought in a game, means of {bought.n_games} games of the best against each other"
    yield doc.DataTable(columns, rows, title)
    yield doc.Paragraph(traits.buying)
    if traits.rules:
        yield doc.OrderedLists([("", [("", rule) for rule in traits.rules])])
    if traits.facts:
        yield doc.Facts(traits.facts)
    yield doc.Paragraph(
        "What it would buy with each number of coins was found by asking it, in positions of games against copies of "
        "itself. Shares below 1 % are left out."
    )
    yield doc.Beside([_answer(answer) for answer in report.champion.answers])


def _answer(answer: BuyProbabilities) -> doc.DataTable:
    """Return the buys of a situation, neighbouring numbers of coins that buy the same in one row."""
    alike = groupby(answer.buys, lambda buys: _odds(buys.probabilities))
    rows = [(_coins(list(group)), odds) for odds, group in alike]
    title = f"{answer.when.capitalize()} (%, {answer.n_tries} times each)"
    return doc.DataTable([doc.text_column("coins"), doc.text_column("buys")], rows, title)


def _coins(group: Sequence[Buys]) -> str:
    low, high = group[0].coins_from, group[-1].coins_to
    if high is None:
        return f"${low}+"
    return f"${low}" if low == high else f"${low}-{high}"


def _odds(odds: Mapping[str, float]) -> str:
    """Return the likely buys, the likeliest first and passing last."""
    likely = [(name, odd) for name, odd in odds.items() if odd >= SHOWN]
    likely.sort(key=lambda item: (item[0] == PASS_NAME, -item[1]))
    return joined(f"{name} {percent(odd, 0)}" for name, odd in likely)


# Turn by turn.


def _turns(report: Report, charts: EvolvedCharts) -> Iterator[doc.Block]:
    champion = report.turns[0]
    numbers = range(1, champion.n_turns + 1)
    shown = [turn for turn in numbers if turn <= 4 or turn % 4 == 0 or turn == champion.n_turns]
    yield doc.Paragraph(
        f"The {len(report.turns)} best of the last generation at one table. Means of {champion.n_games} games, of "
        "those that reach a turn; turns that fewer than one in ten reach are left out. Cards: in hand and in play. "
        "Buys: in a hundred such turns."
    )
    yield _turn_table(champion, shown, doc.Media.TEXT)
    yield from charts.turns()
    yield doc.Folded("The champion's numbers", [_turn_table(champion, numbers, doc.Media.PAGE)], media=doc.Media.PAGE)


def _turn_table(champion: ByTurn, turns: Sequence[int], media: doc.Media) -> doc.DataTable:
    columns = [
        doc.DataColumn("turn"),
        doc.percent_column("games, %", 0),
        doc.DataColumn("coins"),
        doc.DataColumn("cards"),
        doc.DataColumn("VP"),
        doc.text_column("buys"),
    ]
    rows: list[Sequence[doc.Cell]] = []
    for turn in turns:
        at = turn - 1
        buys = sorted(((n[at], name) for name, n in champion.bought.items() if n[at] >= SHOWN_BUYS), reverse=True)
        bought = joined(f"{percent(n, 0)} {name}" for n, name in buys[:3])
        rows.append((turn, champion.reached[at], champion.coins[at], champion.cards[at], champion.vp[at], bought))
    return doc.DataTable(columns, rows, media=media)


# Against others.


def _others(report: Report, charts: EvolvedCharts, players: int) -> Iterator[doc.Block]:
    options, table = report.run["options"], report.table
    rivals = (options.get("rivals") or ()) if options["race"] else ()
    met = training_note("evolution", rivals, is_any=any(result.met for result in report.baselines))
    yield _by_rank(report.baselines, players)
    yield doc.Paragraph(
        f"{met} Strategies that buy alike have like numbers: they meet the same opponents and shuffles."
    )
    if report.attack:
        yield doc.Paragraph(best_response_sentence(report.attack, players))
    yield from charts.others(met)
    yield _baselines(report.baselines)
    yield from _table_of_best(table)


def _by_rank(baselines: Sequence[Against], players: int) -> doc.DataTable:
    """Return the win rates of the best, a column each, for text."""
    ranks = sorted({result.rank for result in baselines})
    wins = {(result.baseline, result.rank): result.win for result in baselines}
    names = {result.baseline: result.baseline + MET_MARK * result.met for result in baselines}
    columns = [
        doc.text_column(counted(players - 1, "opponent")),
        *(doc.percent_column(RANKS[rank - 1]) for rank in ranks),
    ]
    rows: list[Sequence[doc.Cell]] = [(shown, *(wins[name, rank] for rank in ranks)) for name, shown in names.items()]
    title = f"Win rates of the last generation's best against baselines (%, par {percent(1 / players)})"
    return doc.DataTable(columns, rows, title, media=doc.Media.TEXT)


def _baselines(baselines: Sequence[Against]) -> doc.Block:
    """Return all results against baselines, for pages."""
    columns = [
        doc.text_column("baseline"),
        doc.DataColumn("rank"),
        doc.percent_column("win rate, %"),
        doc.percent_column("alone, %"),
        doc.percent_column("shared, %"),
        doc.DataColumn("place", 2),
        doc.DataColumn("VP"),
        doc.DataColumn("their VP"),
    ]
    rows = [
        (
            result.baseline + MET_MARK * result.met,
            result.rank,
            result.win,
            result.alone,
            result.tied,
            result.place,
            result.vp,
            result.others_vp,
        )
        for result in baselines
    ]
    return doc.Folded("All numbers, of the best three", [doc.DataTable(columns, rows)], media=doc.Media.PAGE)


def _table_of_best(table: TableOfBest) -> Iterator[doc.Block]:
    ended = table.ended
    yield doc.Facts(
        {
            "rounds": _spread(table.rounds),
            "winner's VP": _spread(table.winner_vp),
            "ended by": f"Provinces {percent(ended['provinces'])} %, empty piles {percent(ended['empty_piles'])} %, "
            f"cut {percent(ended['cut'])} %",
            "champion's deck": _deck(table.champion_deck),
            "winner's deck": _deck(table.winner_deck),
        },
        f"The best {len(table.entrants)} of the last generation against each other",
    )
    columns = [
        doc.DataColumn("rank"),
        doc.percent_column("win rate, %", key="win"),
        doc.DataColumn("mean VP", key="vp_mean"),
        *(doc.DataColumn(name, key=key) for name, key in (("5 %", "vp_p5"), ("median", "vp_p50"), ("95 %", "vp_p95"))),
    ]
    rows = [
        (entrant.rank, entrant.win, entrant.vp.mean, entrant.vp.p5, entrant.vp.p50, entrant.vp.p95)
        for entrant in table.entrants
    ]
    yield doc.DataTable(columns, rows, name="table")
    seats = list(enumerate(table.seats, 1))
    yield doc.DataTable([doc.DataColumn("seat"), doc.percent_column("win rate, %", key="win")], seats, name="seats")


def _spread(values: Spread) -> str:
    return f"{decimal(values.mean, 1)} on average; median {values.p50}, nine in ten {_range(values)}"


def _range(spread: Spread) -> str:
    return f"{spread.p5} to {spread.p95}"


def _deck(deck: Mapping[str, float]) -> str:
    """Return the cards of a deck, the most numerous first."""
    held = sorted(((count, name) for name, count in deck.items() if count >= SHOWN_CARDS), reverse=True)
    return joined(f"{decimal(count, 1)} {name}" for count, name in held)


# How it came about.


def _progress(report: Report, charts: EvolvedCharts, players: int) -> Iterator[doc.Block]:
    raced = any(fitness.summary.get("race_wins") is not None for fitness in report.fitness)
    columns = [
        doc.DataColumn("gen"),
        doc.percent_column("Big Money"),
        doc.percent_column("gen 0"),
        doc.percent_column("race") if raced else doc.DataColumn("points", 2),
        doc.DataColumn("rounds"),
        doc.DataColumn("VP"),
        doc.percent_column("piles"),
        doc.percent_column("cut"),
        doc.DataColumn("diversity", 2),
    ]
    yield doc.DataTable(
        columns, [_fitness_row(fitness, raced=raced) for fitness in report.fitness], "Progress by generation"
    )
    race = "wins in the race that ranked it, against the same rivals in every generation, %"
    points = f"opponents beaten per game in its own tournament, of {players - 1}"
    best = f"{players - 1} best" if players > 2 else "best"
    yield doc.Facts(
        {
            "Big Money": f"win rate of the generation's champion against {players - 1} Big Money, %",
            "gen 0": f"the same against the {best} of generation 0, %",
            "race" if raced else "points": race if raced else points,
            "rounds, VP": "mean length of that tournament's games, and score of the winner",
            "piles, cut": "those games ended by empty piles, or cut for their length, %",
            "diversity": "how far strategies differ in what they prefer, 0 to 1",
        }
    )
    if report.sample is not None:
        yield from charts.progress()


def _fitness_row(fitness: Fitness, *, raced: bool) -> Sequence[doc.Cell]:
    summary = fitness.summary
    return (
        fitness.generation,
        fitness.against_big_money.share,
        fitness.against_first_generation.share,
        summary.get("race_wins" if raced else "best_points"),
        *(summary.get(name) for name in ("rounds", "winner_vp", "ended_on_piles", "cut", "diversity")),
    )


def _hall_of_fame(report: Report, charts: EvolvedCharts, players: int) -> Iterator[doc.Block]:
    hall = report.hall_of_fame
    columns = [
        doc.text_column("champion of"),
        *(doc.percent_column(str(generation), 0) for generation in hall.generations),
    ]
    rows = [(f"generation {mine}", *line) for mine, line in zip(hall.generations, hall.wins, strict=True)]
    title = f"Champions against {players - 1} of another generation's (%, par {percent(1 / players)})"
    yield doc.DataTable(columns, rows, title, media=doc.Media.TEXT)
    if len(hall.generations) > 1:
        yield doc.Paragraph(
            "Each row's champion meets copies of each column's in all other seats: its share of the wins in "
            f"{hall.n_games} games, in per cent. Par is {percent(1 / players)}.",
            media=doc.Media.PAGE,
        )
        yield charts.hall_of_fame()


# Lineage.


def _lineage(lineage: Lineage, charts: EvolvedCharts) -> Iterator[doc.Block]:
    """Yield the champion's origin, and the steps that changed it: all on pages, the last in text."""
    changed = [ancestor for ancestor in lineage.line if ancestor.changed]
    times = counted(len(changed), "round" if lineage.stays else "time")
    yield doc.Paragraph(
        f"Its line goes back {counted(len(lineage.line) - 1, lineage.unit)}, to {lineage.beginning}, and was changed "
        f"{'in ' * bool(lineage.stays)}{times}. Of two parents, the line follows the one that ranked better. "
        f"{islands_text(lineage)}".rstrip()
    )
    columns = [
        doc.DataColumn(lineage.unit),
        doc.text_column("how"),
        doc.DataColumn("rank"),
        doc.text_column("differs from its parent in"),
    ]
    rows = [(ancestor.generation, ancestor.kind, ancestor.rank, ", ".join(ancestor.changed)) for ancestor in changed]
    if rows:
        yield doc.DataTable(columns, rows[:SHOWN_STEPS], "Last changes", media=doc.Media.TEXT)
    if len(lineage.line) > 1:
        yield from charts.lineage(lineage)
        yield doc.Folded("Every change", [doc.DataTable(columns, rows)], media=doc.Media.PAGE)


def islands_text(lineage: Lineage) -> str:
    """Return the islands of a line, in words; "" for one population."""
    if not lineage.stays:
        return ""
    stays = [
        f"on island {island} in round{f' {first}' if first == last else f's {first} to {last}'}"
        for island, first, last in lineage.stays
    ]
    n = len(stays) - 1
    moved = "never left its island" if n == 0 else f"moved on to the next island {counted(n, 'time')}"
    return f"It {moved}: it was {', '.join(stays)}. Islands are numbered from 0."


# The end of a page.


def _game(sample: SampleGame) -> Iterator[doc.Block]:
    standing = sorted(zip(sample.places, sample.names, sample.scores, strict=True))
    scores = ", ".join(f"{name} with {vp} VP" for _, name, vp in standing)
    yield doc.Paragraph(
        f"One game of the best, #1 being the champion: the first of median length of {N_SAMPLES}. It ended by "
        f"{sample.end}: {scores}."
    )
    rounds = {f"Round {number}": "\n".join(lines) for number, lines in enumerate(sample.rounds, 1)}
    yield doc.Folded(f"Read it, {len(sample.rounds)} rounds", [doc.Facts(rounds)])


def _strategies(files: Sequence[str]) -> list[doc.Block]:
    shown = [doc.Folded(f"#{rank}", [doc.Code(text)]) for rank, text in enumerate(files, 1)]
    return [doc.Paragraph("As strategy files: save one, change it, and let it play."), *shown] if shown else []


def _settings(report: Report) -> dict[str, str]:
    facts = report.run
    options = facts["options"]
    low, high = options["switch_low"], options["switch_high"]
    asked, saved = options["n_generations"], facts["n_generations"]
    generations = counted(saved, "generation") if saved == asked else f"{saved} of {asked} generations"
    islands = f"{options['islands']} islands of " if options["islands"] > 1 else ""
    named = {"kingdom", "kingdom_name", "players", "n_generations", "n_strategies", "switch_low", "switch_high"}
    others = (f"{name.replace('_', ' ')} {_plain(value)}" for name, value in options.items() if name not in named)
    return {
        "kingdom": f"{options['kingdom_name'] or 'custom'}: {joined(options['kingdom'])}",
        "players": str(options["players"]),
        "evolved": f"{generations} of {islands}{options['n_strategies']} strategies, "
        f"{counted(options['games'], 'game')} a match",
        "switch": "from early to late preferences "
        + (f"after turn {low}" if low == high else f"evolved, between turns {low} and {high}"),
        "penalty": f"strength {float(options['vp_penalty']):g}, for wanting Curses, or Estates and Duchies early",
        "options": joined(others),
        "seed": str(facts["seed"]),
        "created": facts["created"] or "unknown",
        "versions": joined(f"{name} {version}" for name, version in facts["versions"].items()) or "unknown",
        "report": f"{report.games} games a win rate, seed {report.seed}",
    }


def _plain(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
