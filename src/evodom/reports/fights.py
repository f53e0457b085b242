"""Measure a network that was trained for fights: results of its fights, regret of its moves, first turns."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from evodom.learning.fights import FightOptions
from evodom.learning.fights.run import fights_of, network_of, options_of, summaries_of
from evodom.runs import Run
from evodom.spire.engine.game import SpireFight
from evodom.spire.engine.layout import HAND, N_FIGHTERS
from evodom.spire.fights import Fight, state_from_fight
from evodom.spire.fights.display import enemy_to_text, move_to_text, pile_to_text
from evodom.spire.play.estimates import estimate, regret
from evodom.spire.play.network import Network
from evodom.spire.play.searcher import FightSearchOptions, Searcher
from evodom.spire.solver.answer import FightTooLarge, SolverLimits
from evodom.spire.solver.solve import solve_fight
from evodom.statistics import IntervalEstimate, Share, mean_interval

MAX_CHANCE_NODES = 60_000
"""Maximum number of chance nodes of a fight that a report solves exactly. This takes some seconds."""

N_REGRET_FIGHTS = 100
"""Number of fights whose moves are compared with exact values."""

N_FIRST_TURNS = 3
"""Number of first turns in a report."""

FIRST_TURN_SIMULATIONS = FightSearchOptions().simulations
"""Number of simulations in the search of a first turn."""


@dataclass(frozen=True)
class Iteration:
    """Figures of the games of a training iteration.

    `value` is the mean payoff, `straight` the payoff without exploration noise (mean, low, high), `deaths` the share of
    lost fights. The losses are those of the network's outputs: moves, gain (payoff above that of winning now)
    and death.
    """

    games: int
    value: float
    straight: tuple[float, float, float] | None
    deaths: float
    loss_moves: float
    loss_gain: float
    loss_death: float


@dataclass(frozen=True)
class FightResult:
    """Results of a fight with the trained network: payoff, HP left and share of deaths.

    ``optimum`` is the exact value. ``away`` is the regret of the moves, in value per fight. Both are None if unknown.
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
    judged: tuple[FightResult, ...]
    first_turns: tuple[FirstTurn, ...]
    command: str

    def to_json(self) -> dict[str, Any]:
        """Return the report as plain JSON types."""
        return asdict(self) | {"options": self.options.to_json()}


def make_fight_report(
    run: Run, names: Sequence[str], *, command: str, games: int, seed: int, n_threads: int
) -> FightReport:
    """Return the report of a training. Each of its fights is played `games` times; `names` are the fights' names."""
    options, network, fights = options_of(run), network_of(run), fights_of(run)
    budget = FightSearchOptions(options.simulations, network=network)
    return FightReport(
        run.key,
        run.provenance().seed,
        options,
        games,
        tuple(_iteration(summary, options.games) for summary in summaries_of(run)[1:]),
        tuple(_judged(name, fight, budget, games, seed, n_threads) for name, fight in zip(names, fights, strict=True)),
        tuple(_search_first_turn(fights[0], network, seed, number) for number in range(N_FIRST_TURNS)),
        command,
    )


def _iteration(summary: dict[str, Any], n: int) -> Iteration:
    straight = summary["straight"]
    losses = (float(summary[name]) for name in ("loss_moves", "loss_gain", "loss_death"))
    shown = None if straight is None else (straight[0], straight[1], straight[2])
    return Iteration(summary["games"], summary["value"], shown, summary["deaths"] / n, *losses)


def _judged(name: str, fight: Fight, budget: FightSearchOptions, games: int, seed: int, n_threads: int) -> FightResult:
    """Play a fight, and compare it with its exact value if the solver finds it within MAX_CHANCE_NODES."""
    found = estimate(fight, games, budget, seed + 1, n_threads)
    limits = SolverLimits(chance_nodes=MAX_CHANCE_NODES)
    optimum = away = None
    try:
        optimum = solve_fight(fight, limits).value
        # `regret` plays fights of one encounter from their start.
        if fight.state is None and len(fight.encounter_names()) == 1:
            ((_, _, setup),) = fight.encounter_setups()
            regrets, _ = regret(SpireFight(setup), fight.payoff, budget, N_REGRET_FIGHTS, seed + 1, n_threads, limits)
            away = mean_interval(regrets)
    except FightTooLarge:
        pass
    return FightResult(name, found.value, found.hp, found.death, optimum, away)


def _search_first_turn(fight: Fight, network: Network, seed: int, number: int) -> FirstTurn:
    """Search the first turn of a fight with the default number of simulations."""
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
            (move_to_text(game, state, move.action), move.visits / total, move.value, move.loss_probability)
            for move in moves
            if move.visits
        ),
    )
