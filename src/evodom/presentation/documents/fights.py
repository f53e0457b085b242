"""Build the document of a network that was trained for fights."""

from collections.abc import Iterator

from evodom.learning.fights import ACT
from evodom.presentation import document as doc
from evodom.presentation.charts import LineChart, Series
from evodom.presentation.format import counted, percent, with_interval
from evodom.reports.fights import FIRST_TURN_SIMULATIONS, N_REGRET_FIGHTS, FightReport, FightResult, FirstTurn
from evodom.statistics import IntervalEstimate

_HP = doc.DataColumn("HP", 2)


def fights_document(report: FightReport) -> doc.Document:
    """Return the document of a training for fights."""
    start = "with the network of act 1" if report.options.begin == ACT else "from scratch"
    lede = (
        f"Run {report.key} is a network trained for {len(report.iterations):,} iterations of "
        f"{report.options.games:,} games, {counted(report.options.simulations, 'simulation')} per move, seed "
        f"{report.seed}. Training began {start}."
    )
    return doc.Document(
        f"The network of run {report.key}",
        [
            doc.Section("How well it plays", [doc.Paragraph(" ".join(_sentences(result))) for result in report.judged]),
            doc.Section("How it learned", [_iterations(report), *_charts(report)] if report.iterations else []),
            doc.Section("First turns", [block for turn in report.first_turns for block in _first_turn(turn)]),
            doc.Section("", [doc.Command("Repeat", report.command)]),
        ],
        f"evodom report · {report.judged[0].name}",
        [doc.Paragraph(lede, "lede"), doc.Tiles(list(_tiles(report.judged[0])))],
    )


def _sentences(fight: FightResult) -> Iterator[str]:
    """Yield sentences on the results of a fight and their loss against its exact value."""
    yield f"{fight.name}: {_HP.format(fight.hp)} HP left, {with_interval(fight.death)} % of the fights lost."
    if fight.optimum is None:
        yield "Optimal value unknown: this fight is too large to solve for a report."
        return
    yield f"The optimal value is {fight.optimum:.3f}. The network reaches {_HP.format(fight.value)}."
    if fight.away is not None and fight.optimum:
        away = IntervalEstimate(fight.away.value, max(fight.away.low, 0), fight.away.high)
        share = percent(1 - away.value / fight.optimum)
        yield (
            f"Its moves lose {doc.DataColumn('', 3).format(away)} per fight against the exact values of "
            f"{N_REGRET_FIGHTS} fights: it reaches {share} % of the optimum."
        )


def _tiles(first: FightResult) -> Iterator[doc.Tile]:
    yield doc.Tile("HP left", doc.DataColumn("HP"), first.hp)
    yield doc.Tile("fights lost", doc.percent_column("lost"), first.death)
    if first.optimum and first.away is not None:
        reached = (1 - lost / first.optimum for lost in (first.away.value, first.away.high, max(first.away.low, 0)))
        yield doc.Tile("share of the optimal value", doc.percent_column("reached"), IntervalEstimate(*reached))


def _iterations(report: FightReport) -> doc.DataTable:
    return doc.table_of(
        report.iterations,
        [
            (doc.DataColumn("games"), lambda one: one.games),
            (doc.DataColumn("payoff", 2, key="paid without noise"), lambda one: one.straight and one.straight[0]),
            (doc.DataColumn("with noise", 2, key="paid in all"), lambda one: one.value),
            (doc.percent_column("lost, %"), lambda one: one.deaths),
            (doc.DataColumn("policy loss", 4, key="loss: moves"), lambda one: one.loss_moves),
            (doc.DataColumn("gain loss", 4, key="gain"), lambda one: one.loss_gain),
            (doc.DataColumn("death loss", 4, key="death"), lambda one: one.loss_death),
        ],
        name="iterations",
    )


def _charts(report: FightReport) -> Iterator[doc.Block]:
    """Yield the charts over all iterations: mean payoff, lost fights and policy loss."""
    games = [iteration.games / 1000 for iteration in report.iterations]
    axis = "thousand games"
    known = [
        (x, iteration.straight)
        for x, iteration in zip(games, report.iterations, strict=True)
        if iteration.straight is not None
    ]
    best = report.judged[0].optimum if len(report.judged) == 1 else None
    if known:
        values, low, high = zip(*(straight for _, straight in known), strict=True)
        payoff = Series("without noise", "c0", values, low, high)
        dashed = " Dashed: the optimal value." if best is not None else ""
        note = f"Games without exploration noise, with 95 % intervals.{dashed}"
        yield doc.Chart("Payoff by games", note, LineChart([x for x, _ in known], [payoff], (axis, "payoff"), best))
    deaths = Series("lost", "c1", [100 * iteration.deaths for iteration in report.iterations])
    yield doc.Chart("Fights lost by games", "All games.", LineChart(games, [deaths], (axis, "% lost")))
    losses = Series("moves", "c2", [iteration.loss_moves for iteration in report.iterations])
    note = "Cross-entropy of the network's policy with the visit shares of the search."
    yield doc.Chart("Policy loss", note, LineChart(games, [losses], (axis, "nats")))


def _first_turn(turn: FirstTurn) -> Iterator[doc.Block]:
    visits, lost = map(doc.percent_column, ("visits, %", "lost, %"))
    columns = doc.columns(visits, doc.DataColumn("value", 2), lost, "move")
    rows = [(share, value, death, name) for name, share, value, death in turn.moves]
    searched = f"Moves by {FIRST_TURN_SIMULATIONS:,} simulations with the network:"
    yield doc.Paragraph(f"{turn.enemies}. Hand: {turn.hand}. {searched}")
    yield doc.DataTable(columns, rows)
