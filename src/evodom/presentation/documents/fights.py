"""The document of a training for fights."""

from collections.abc import Iterator

from evodom.learning.fights import ACT
from evodom.presentation.charts import LineChart, Series
from evodom.presentation.document import (
    Block,
    Chart,
    Command,
    DataColumn,
    DataTable,
    Document,
    Paragraph,
    Section,
    Tile,
    Tiles,
    shares,
    words,
)
from evodom.presentation.format import counted, percent, with_interval
from evodom.reports.fights import JUDGED, FightReport, FirstTurn, Judged
from evodom.statistics import IntervalEstimate

_HP = DataColumn("HP", 2)


def fights_document(report: FightReport) -> Document:
    """Return the document of a training for fights."""
    begun = "It began as the network of act 1." if report.options.begin == ACT else "It began with nothing."
    lede = (
        f"Run {report.key} is a network that learned from {len(report.iterations):,} iterations of "
        f"{report.options.games:,} games, {counted(report.options.simulations, 'simulation')} a move, seed "
        f"{report.seed}. {begun}"
    )
    return Document(
        f"What run {report.key} learned",
        [
            Section("How well it plays", [Paragraph(" ".join(_sentences(one))) for one in report.judged]),
            Section("How it learned", [_iterations(report), *_charts(report)] if report.iterations else []),
            Section("First turns", [block for turn in report.first_turns for block in _first_turn(turn)]),
            Section("", [Command("Repeat", report.command)]),
        ],
        f"evodom report · {report.judged[0].name}",
        [Paragraph(lede, "lede"), Tiles(list(_tiles(report.judged[0])))],
    )


def _sentences(one: Judged) -> Iterator[str]:
    """Yield the results of a fight, and what is lost against its exact value."""
    yield f"{one.name}: {_HP.format(one.hp)} HP left, {with_interval(one.death)} % lost."
    if one.optimum is None:
        yield "Optimal value unknown: this fight is too large to solve for a report."
        return
    yield f"The optimal value is {one.optimum:.3f}; it reached {_HP.format(one.value)}."
    if one.away is not None and one.optimum:
        away = IntervalEstimate(one.away.value, max(one.away.low, 0), one.away.high)
        share = percent(1 - away.value / one.optimum)
        yield (
            f"By exact values, its moves lose {DataColumn('', 3).format(away)} a fight, in {JUDGED} fights: it reaches "
            f"{share} %."
        )


def _tiles(first: Judged) -> Iterator[Tile]:
    yield Tile("HP left", DataColumn("HP"), first.hp)
    yield Tile("of the fights lost", shares("lost"), first.death)
    if first.optimum and first.away is not None:
        reached = (1 - lost / first.optimum for lost in (first.away.value, first.away.high, max(first.away.low, 0)))
        yield Tile("of the optimal value", shares("reached"), IntervalEstimate(*reached))


def _iterations(report: FightReport) -> DataTable:
    columns = [
        DataColumn("games"),
        DataColumn("paid without noise", 2),
        DataColumn("paid in all", 2),
        shares("lost, %"),
        *(DataColumn(name, 4) for name in ("loss: moves", "gain", "death")),
    ]
    rows = [
        (
            one.games,
            None if one.straight is None else one.straight[0],
            one.value,
            one.deaths,
            *(one.loss_moves, one.loss_gain, one.loss_death),
        )
        for one in report.iterations
    ]
    return DataTable(columns, rows, name="iterations")


def _charts(report: FightReport) -> Iterator[Block]:
    """Yield the charts of all iterations: what the games paid, how many were lost, and the losses of learning."""
    games = [one.games / 1000 for one in report.iterations]
    axis = "thousand games"
    known = [(x, one.straight) for x, one in zip(games, report.iterations, strict=True) if one.straight is not None]
    best = report.judged[0].optimum if len(report.judged) == 1 else None
    if known:
        values, low, high = zip(*(straight for _, straight in known), strict=True)
        course = Series("without noise", "c0", values, low, high)
        dashed = " Dashed: the optimal value." if best is not None else ""
        note = f"Games without noise, with intervals of 95 %.{dashed}"
        yield Chart("What games paid", note, LineChart([x for x, _ in known], [course], (axis, "paid"), best))
    deaths = Series("lost", "c1", [100 * one.deaths for one in report.iterations])
    yield Chart("Fights lost", "All games, those with noise too.", LineChart(games, [deaths], (axis, "% lost")))
    losses = Series("moves", "c2", [one.loss_moves for one in report.iterations])
    note = "Cross-entropy of the moves that the search tried."
    yield Chart("How well it predicts the search", note, LineChart(games, [losses], (axis, "nats")))


def _first_turn(turn: FirstTurn) -> Iterator[Block]:
    columns = [shares("visits, %"), DataColumn("worth", 2), shares("lost, %"), words("move")]
    rows = [(share, value, death, name) for name, share, value, death in turn.moves]
    yield Paragraph(f"{turn.enemies}. Hand: {turn.hand}. What 1,000 simulations with the network find:")
    yield DataTable(columns, rows)
