"""The report of a training for fights: its measured results, and their document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from evodom.learning.fights import ACT, FightOptions
from evodom.learning.fights.run import fights_of, network_of, options_of, summaries_of
from evodom.presentation import document as doc
from evodom.presentation.charts import LineChart, Series
from evodom.presentation.format import counted, percent, with_interval
from evodom.runs import Run, seed_of
from evodom.spire.engine.game import SpireFight
from evodom.spire.engine.layout import HAND, N_FIGHTERS
from evodom.spire.fights import Fight, state_from_fight
from evodom.spire.fights.states import enemy_to_text, move_to_text, pile_to_text
from evodom.spire.play.estimates import estimate, regret
from evodom.spire.play.network import Network
from evodom.spire.play.searcher import FightSearchOptions, Searcher
from evodom.spire.solver.answer import SolverLimits
from evodom.spire.solver.graph import FightTooLarge
from evodom.spire.solver.solve import solve_fight
from evodom.statistics import IntervalEstimate, Share, mean_interval

SOLVED_ROWS = 60_000
"""Maximum number of chance positions of a fight that a report solves. This takes some seconds."""

JUDGED = 100
"""Fights whose moves are judged by exact values."""

FIRST_TURNS = 3
"""Maximum number of first turns in a report."""


@dataclass(frozen=True)
class Iteration:
    """Figures of the games of an iteration: mean payoff, payoff without noise, deaths, and the losses of learning."""

    games: int
    value: float
    straight: tuple[float, float, float] | None
    deaths: float
    loss_moves: float
    loss_gain: float
    loss_death: float


@dataclass(frozen=True)
class Judged:
    """Results of a fight with the trained network: payoff, HP left and share of deaths.

    ``optimum`` is the exact value, ``away`` the loss against it; both are None if unknown.
    """

    name: str
    value: IntervalEstimate
    hp: IntervalEstimate
    death: Share
    optimum: float | None
    away: IntervalEstimate | None


@dataclass(frozen=True)
class FirstTurn:
    """The first turn of a fight: enemies, hand, and for each move its share of visits, value and chance of death."""

    enemies: str
    hand: str
    moves: tuple[tuple[str, float, float, float], ...]


@dataclass(frozen=True)
class FightReport:
    """Data of the report on a training for fights."""

    key: str
    seed: int
    options: FightOptions
    games: int
    iterations: tuple[Iteration, ...]
    judged: tuple[Judged, ...]
    first_turns: tuple[FirstTurn, ...]
    command: str

    def to_json(self) -> dict[str, Any]:
        """Return the report as plain JSON types."""
        return asdict(self) | {"options": self.options.to_json()}


def make_fight_report(
    run: Run, names: Sequence[str], *, command: str, games: int, seed: int, n_threads: int
) -> FightReport:
    """Return the report of a training; `games` are played of each of its fights, which are called `names`."""
    options, network, fights = options_of(run), network_of(run), fights_of(run)
    budget = FightSearchOptions(options.simulations, network=network)
    return FightReport(
        run.key,
        seed_of(run),
        options,
        games,
        tuple(_iteration(summary, options.games) for summary in summaries_of(run)[1:]),
        tuple(_judged(name, fight, budget, games, seed, n_threads) for name, fight in zip(names, fights, strict=True)),
        tuple(_search_first_turn(fights[0], network, seed, number) for number in range(FIRST_TURNS)),
        command,
    )


def _iteration(summary: dict[str, Any], n: int) -> Iteration:
    straight = summary["straight"]
    losses = (float(summary[name]) for name in ("loss_moves", "loss_gain", "loss_death"))
    shown = None if straight is None else (straight[0], straight[1], straight[2])
    return Iteration(summary["games"], summary["value"], shown, summary["deaths"] / n, *losses)


def _judged(name: str, fight: Fight, budget: FightSearchOptions, games: int, seed: int, n_threads: int) -> Judged:
    """Play a fight, and compare it with its exact value if the solver finds it within SOLVED_ROWS."""
    found = estimate(fight, games, budget, seed + 1, n_threads)
    limits = SolverLimits(chance_nodes=SOLVED_ROWS)
    optimum = away = None
    try:
        optimum = solve_fight(fight, limits).value
        if fight.state is None and len(fight.encounter_names()) == 1:
            ((_, _, setup),) = fight.encounter_setups()
            given, _ = regret(SpireFight(setup), fight.payoff, budget, JUDGED, seed + 1, n_threads, limits)
            away = mean_interval(given)
    except FightTooLarge:
        pass
    return Judged(name, found.value, found.hp, found.death, optimum, away)


def _search_first_turn(fight: Fight, network: Network, seed: int, number: int) -> FirstTurn:
    """Search a first turn at length."""
    rng = np.random.default_rng((seed, number))
    *_, setup = next(iter(fight.encounter_setups()))
    game = SpireFight(setup)
    state = state_from_fight(fight, game) if fight.state is not None else game.start(rng)
    moves = Searcher(game, fight.payoff, FightSearchOptions(network=network)).search(state, rng)
    total = max(sum(move.visits for move in moves), 1)
    view = game.view(state)
    return FirstTurn(
        "; ".join(enemy_to_text(game, view, enemy) for enemy in range(1, N_FIGHTERS) if view.hp[enemy] > 0),
        pile_to_text(game, view, HAND),
        tuple(
            (move_to_text(game, state, move.action), move.visits / total, move.value, move.loss)
            for move in moves
            if move.visits
        ),
    )


_HP = doc.DataColumn("HP", 2)


def fights_document(report: FightReport) -> doc.Document:
    """Return the document of a training for fights."""
    begun = "It began as the network of act 1." if report.options.begin == ACT else "It began with nothing."
    lede = (
        f"Run {report.key} is a network that learned from {len(report.iterations):,} iterations of "
        f"{report.options.games:,} games, {counted(report.options.simulations, 'simulation')} a move, seed "
        f"{report.seed}. {begun}"
    )
    return doc.Document(
        f"What run {report.key} learned",
        [
            doc.Section("How well it plays", [doc.Paragraph(" ".join(_sentences(result))) for result in report.judged]),
            doc.Section("How it learned", [_iterations(report), *_charts(report)] if report.iterations else []),
            doc.Section("First turns", [block for turn in report.first_turns for block in _first_turn(turn)]),
            doc.Section("", [doc.Command("Repeat", report.command)]),
        ],
        f"evodom report · {report.judged[0].name}",
        [doc.Paragraph(lede, "lede"), doc.Tiles(list(_tiles(report.judged[0])))],
    )


def _sentences(one: Judged) -> Iterator[str]:
    """Yield the results of a fight, and the loss against its exact value."""
    yield f"{one.name}: {_HP.format(one.hp)} HP left, {with_interval(one.death)} % lost."
    if one.optimum is None:
        yield "Optimal value unknown: this fight is too large to solve for a report."
        return
    yield f"The optimal value is {one.optimum:.3f}; it reached {_HP.format(one.value)}."
    if one.away is not None and one.optimum:
        away = IntervalEstimate(one.away.value, max(one.away.low, 0), one.away.high)
        share = percent(1 - away.value / one.optimum)
        yield (
            f"By exact values, its moves lose {doc.DataColumn('', 3).format(away)} a fight, in {JUDGED} fights: it "
            f"reaches {share} %."
        )


def _tiles(first: Judged) -> Iterator[doc.Tile]:
    yield doc.Tile("HP left", doc.DataColumn("HP"), first.hp)
    yield doc.Tile("of the fights lost", doc.percent_column("lost"), first.death)
    if first.optimum and first.away is not None:
        reached = (1 - lost / first.optimum for lost in (first.away.value, first.away.high, max(first.away.low, 0)))
        yield doc.Tile("of the optimal value", doc.percent_column("reached"), IntervalEstimate(*reached))


def _iterations(report: FightReport) -> doc.DataTable:
    columns = [
        doc.DataColumn("games"),
        doc.DataColumn("paid without noise", 2),
        doc.DataColumn("paid in all", 2),
        doc.percent_column("lost, %"),
        *(doc.DataColumn(name, 4) for name in ("loss: moves", "gain", "death")),
    ]
    rows = [
        (
            iteration.games,
            None if iteration.straight is None else iteration.straight[0],
            iteration.value,
            iteration.deaths,
            *(iteration.loss_moves, iteration.loss_gain, iteration.loss_death),
        )
        for iteration in report.iterations
    ]
    return doc.DataTable(columns, rows, name="iterations")


def _charts(report: FightReport) -> Iterator[doc.Block]:
    """Yield the charts of all iterations: mean payoffs, deaths and the losses of learning."""
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
        course = Series("without noise", "c0", values, low, high)
        dashed = " Dashed: the optimal value." if best is not None else ""
        note = f"Games without noise, with intervals of 95 %.{dashed}"
        yield doc.Chart("What games paid", note, LineChart([x for x, _ in known], [course], (axis, "paid"), best))
    deaths = Series("lost", "c1", [100 * iteration.deaths for iteration in report.iterations])
    yield doc.Chart("Fights lost", "All games, those with noise too.", LineChart(games, [deaths], (axis, "% lost")))
    losses = Series("moves", "c2", [iteration.loss_moves for iteration in report.iterations])
    note = "Cross-entropy of the moves that the search tried."
    yield doc.Chart("How well it predicts the search", note, LineChart(games, [losses], (axis, "nats")))


def _first_turn(turn: FirstTurn) -> Iterator[doc.Block]:
    columns = [
        doc.percent_column("visits, %"),
        doc.DataColumn("worth", 2),
        doc.percent_column("lost, %"),
        doc.text_column("move"),
    ]
    rows = [(share, value, death, name) for name, share, value, death in turn.moves]
    yield doc.Paragraph(f"{turn.enemies}. Hand: {turn.hand}. What 1,000 simulations with the network find:")
    yield doc.DataTable(columns, rows)
