"""The report of a training for fights: how it learned, how it plays now, and what it thinks of first turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from evodom.learning.fights import FightOptions
from evodom.learning.fights.run import fights_of, network_of, options_of, summaries_of
from evodom.runs import Run, seed_of
from evodom.spire.engine.game import SpireFight
from evodom.spire.engine.layout import HAND, N_FIGHTERS
from evodom.spire.fights import Fight, state_of
from evodom.spire.fights.states import enemy_to_text, move_to_text, pile_to_text
from evodom.spire.play.estimates import estimate, regret
from evodom.spire.play.network import Network
from evodom.spire.play.searcher import FightSearchOptions, Searcher
from evodom.spire.solver.answer import SolverLimits
from evodom.spire.solver.graph import FightTooLarge
from evodom.spire.solver.solve import solve_fight
from evodom.statistics import IntervalEstimate, Share, mean_interval

SOLVED_ROWS = 60_000
"""Fights of more positions in which chance decides are not solved for a report: those take some seconds."""

JUDGED = 100
"""Fights whose moves are judged by exact values."""

FIRST_TURNS = 3
"""So many first turns are shown."""


@dataclass(frozen=True)
class Iteration:
    """What is told of the games of an iteration: what they paid on average, and without noise; losses of learning."""

    games: int
    value: float
    straight: tuple[float, float, float] | None
    deaths: float
    loss_moves: float
    loss_gain: float
    loss_death: float


@dataclass(frozen=True)
class Judged:
    """How a fight goes now: what is paid, HP left, the share lost; what is proven to be the best, and what is given
    away of it (None where that is not known)."""

    name: str
    value: IntervalEstimate
    hp: IntervalEstimate
    death: Share
    optimum: float | None
    away: IntervalEstimate | None


@dataclass(frozen=True)
class FirstTurn:
    """The beginning of a fight: enemies, hand, and for each move the share of visits, its worth, the chance to die."""

    enemies: str
    hand: str
    moves: tuple[tuple[str, float, float, float], ...]


@dataclass(frozen=True)
class FightReport:
    """What is told of a training for fights."""

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
        tuple(_first_turn(fights[0], network, seed, number) for number in range(FIRST_TURNS)),
        command,
    )


def _iteration(summary: dict[str, Any], n: int) -> Iteration:
    straight = summary["straight"]
    losses = (float(summary[name]) for name in ("loss_moves", "loss_gain", "loss_death"))
    shown = None if straight is None else (straight[0], straight[1], straight[2])
    return Iteration(summary["games"], summary["value"], shown, summary["deaths"] / n, *losses)


def _judged(name: str, fight: Fight, budget: FightSearchOptions, games: int, seed: int, n_threads: int) -> Judged:
    """Play a fight, and compare it with what is proven where that is quickly found."""
    found = estimate(fight, games, budget, seed + 1, n_threads)
    limits = SolverLimits(rows=SOLVED_ROWS)
    optimum = away = None
    try:
        optimum = solve_fight(fight, limits).value
        if fight.state is None and len(fight.named()) == 1:
            ((_, _, setup),) = fight.parts()
            given, _ = regret(SpireFight(setup), fight.payoff, budget, JUDGED, seed + 1, n_threads, limits)
            away = mean_interval(given)
    except FightTooLarge:
        pass
    return Judged(name, found.value, found.hp, found.death, optimum, away)


def _first_turn(fight: Fight, network: Network, seed: int, number: int) -> FirstTurn:
    """Search a first turn at length."""
    rng = np.random.default_rng((seed, number))
    *_, setup = next(iter(fight.parts()))
    game = SpireFight(setup)
    state = state_of(fight, game) if fight.state is not None else game.start(rng)
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
