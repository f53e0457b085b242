"""Test that a game keeps the contract of `evodom.games`, by playing it. Open it to test a new game.

    check(MyGame(), np.random.default_rng(1))

`check` plays random games and checks every state. It raises `ConformanceError`, whose message names the broken rule, or
returns counts of the checks made. `RULES` lists the rules. Listed outcomes, rewards and hidden information are checked
if the game has them.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from math import fsum, isclose
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from evodom.distribution import Distribution
from evodom.games.contract import A, Game, HiddenInformationGame, ListsStarts, S, Solvable
from evodom.games.play import Transition
from tests.chi_square import SIGNIFICANCE, fit_p_value, same_p_value
from tests.games.checker import ConformanceError, GameChecker, Snapshot, take_snapshot

if TYPE_CHECKING:
    from numpy.random import Generator as Rng


N_REDEALT = 500
"""Maximum number of pairs of state and seat that are redealt, chosen at random."""

N_STARTS = 50
"""Number of first states drawn to find states with equal observations of a seat."""

N_COMPARED = 6
"""Number of pairs of states that are compared: of redealt pairs, and of pairs from different games."""

REDEAL_SIGNIFICANCE = 1e-9
"""Significance level of differences between redeals. It is small because thousands of entries are compared."""


def check_hidden(checker: GameChecker, steps: list[Transition[Any, Any]], rng: Rng, n_draws: int) -> int:
    """Check observations and redeals for every seat, in the states of `steps`. Return the number of redeals."""
    states = [step.state for step in steps] + [step.after for step in steps if not checker.game.actions(step.after)]
    places = _some([(state, seat) for state in states for seat in _seats(checker)], rng, N_REDEALT)
    redrawn = [_check_redeal(checker, state, seat, rng) for state, seat in places]
    checker.require(any(redrawn) or not places, "redrawn", f"none of {len(places):,} redeals changed anything")
    changing = [place for place, changed in zip(places, redrawn, strict=True) if changed]
    redealt = [(state, checker.game.redeal(state, seat, rng), seat) for state, seat in _some(changing, rng)]
    for pair in [*redealt, *_some(_lookalikes(checker, places, rng), rng)]:
        _check_not_peeking(checker, *pair, rng, n_draws)
    return len(places)


def _check_redeal(checker: GameChecker, state: Any, seat: int, rng: Rng) -> bool:
    """Check one redeal. Return True if it changed the state."""
    game, seed = checker.game, int(rng.integers(2**63))
    observed = _observed(checker, state, seat)
    redealt = checker.call(checker.game.redeal, state, seat, np.random.default_rng(seed))
    again = game.redeal(state, seat, np.random.default_rng(seed))
    checker.require(
        checker.snapshot_of(redealt) == checker.snapshot_of(again), "repeatable", f"redeal for seat {seat}, seed {seed}"
    )
    same = _observed(checker, redealt, seat) == observed
    checker.require(same, "redealt", lambda: f"the observation of seat {seat} changes in {state!r}")
    kept = checker.call(checker.game.material, redealt) == checker.call(checker.game.material, state)
    checker.require(
        kept, "conserved", lambda: f"for seat {seat}: {game.material(state)!r} became {game.material(redealt)!r}"
    )
    before, after = checker.check_state(state), checker.check_state(redealt)
    checker.require(bool(before) == bool(after), "redealt", lambda: f"one is over and the other is not: {state!r}")
    if before:
        player = game.player(state)
        checker.require(game.player(redealt) == player, "redealt", lambda: f"the player to move differs from {state!r}")
        if player == seat:
            checker.require(list(before) == list(after), "redealt", f"{list(before)!r} became {list(after)!r}")
    return checker.snapshot_of(redealt) != checker.snapshot_of(state)


def _lookalikes(checker: GameChecker, places: list[tuple[Any, int]], rng: Rng) -> list[tuple[Any, Any, int]]:
    """Return (state, state, seat) for different states with equal observations of the seat, mostly first states."""
    starts = [checker.game.start(rng) for _ in range(N_STARTS)]
    groups: dict[tuple[int, str], Any] = {}
    pairs = []
    for state, seat in [*((state, seat) for state in starts for seat in _seats(checker)), *places]:
        seen = seat, json.dumps(checker.game.observe(state, seat))
        other = groups.setdefault(seen, state)
        if checker.snapshot_of(other) != checker.snapshot_of(state):
            pairs.append((other, state, seat))
    return pairs


def _check_not_peeking(checker: GameChecker, state: Any, alike: Any, seat: int, rng: Rng, n_draws: int) -> None:
    """Redeal two states with equal observations of a seat. Check that no seat's observations differ in distribution."""
    game = checker.game
    sides = [[game.redeal(given, seat, rng) for _ in range(n_draws)] for given in (state, alike)]
    for other in _seats(checker):
        one, two = ([_entries(game.observe(drawn, other)) for drawn in side] for side in sides)
        for entry in {entry for seen in (*one, *two) for entry in seen}:
            values = [[seen.get(entry) for seen in side] for side in (one, two)]
            checker.require(
                same_p_value(*values) > REDEAL_SIGNIFICANCE,
                "redrawn",
                f"after redeals for seat {seat}, the entry {entry!r} of seat {other} depends on the hidden state",
            )


def _entries(seen: Any, place: str = "") -> dict[str, Any]:
    """Return the values of an observation by their places in it."""
    if not isinstance(seen, dict | list):
        return {place: seen}
    parts = seen.items() if isinstance(seen, dict) else enumerate(seen)
    return {name: value for key, part in parts for name, value in _entries(part, f"{place}.{key}").items()}


def _some(items: list[S], rng: Rng, n: int = N_COMPARED) -> list[S]:
    return [items[int(i)] for i in rng.permutation(len(items))[:n]]


def _observed(checker: GameChecker, state: Any, seat: int) -> Any:
    """Return the observation of a seat. Check that it is equal after it is written as JSON and read."""
    seen = checker.call(checker.game.observe, state, seat)
    try:
        read = json.loads(json.dumps(seen, allow_nan=False))
    except (TypeError, ValueError) as error:
        read = error
    checker.require(isinstance(seen, dict) and read == seen, "observed", f"JSON makes {read!r} of {seen!r}")
    return seen


def _seats(checker: GameChecker) -> range:
    return range(checker.game.n_players)


N_FITTED = 20
"""Maximum number of listed distributions of outcomes that are compared with samples."""

T = TypeVar("T")


@dataclass(frozen=True)
class Conformity:
    """Counts of the games, states, distributions and redeals that a successful check covered."""

    n_games: int
    n_states: int
    n_distributions: int
    n_redeals: int


def check(
    game: Game[S, A],
    rng: Rng,
    *,
    n_games: int = 20,
    n_samples: int = 1000,
    n_draws: int = 100,
    max_actions: int = 10_000,
    snapshot: Snapshot | None = None,
) -> Conformity:
    """Test that `game` keeps the contract. Raise `ConformanceError` for the first broken rule.

    Args:
        game: the game to test.
        rng: generator of all random numbers.
        n_games: number of games played with random actions.
        n_samples: samples drawn from each of at most N_FITTED listed distributions, and from the listed starts.
        n_draws: redeals drawn from each state of a compared pair.
        max_actions: maximum length of a game.
        snapshot: function that copies a state, such that copies compare equal while the state is unchanged. The
            default, `take_snapshot`, supports NumPy arrays and records, tuples, lists, dicts, dataclasses, and other
            classes that define `__eq__`.
    """
    checker = GameChecker(game, snapshot or take_snapshot)
    checker.check_methods()
    checker.check_all_actions()
    played = [checker.check_game(int(rng.integers(2**63)), max_actions) for _ in range(n_games)]
    steps = [step for one in played for step in one]
    n_fitted = _check_listed(checker, steps, n_samples, rng) if isinstance(game, Solvable) else 0
    n_redeals = check_hidden(checker, steps, rng, n_draws) if isinstance(game, HiddenInformationGame) else 0
    return Conformity(n_games, sum(len(one) + 1 for one in played), n_fitted, n_redeals)


def _check_listed(checker: GameChecker, steps: list[Transition[Any, Any]], n_samples: int, rng: Rng) -> int:
    """Check the listed outcomes and compare some with samples. Return the number of compared distributions."""
    game = checker.game
    branching: dict[tuple[Any, Any], Distribution[Any]] = {}
    for state, action, after in steps:
        outcomes = _checked_distribution(checker, checker.call(game.outcomes, state, action), f"outcomes of {action!r}")
        if not outcomes.probability(after):
            checker.fail("sampled", f"{after!r} was drawn, which {action!r} does not list")
        if len(outcomes) > 1:
            branching[state, action] = outcomes
    if isinstance(game, ListsStarts):
        starts = _checked_distribution(checker, game.starts(), "starts()")
        _fit(checker, starts, [checker.game.start(rng) for _ in range(n_samples)], "starts")
    pairs = list(branching)
    chosen = [pairs[i] for i in rng.permutation(len(pairs))[:N_FITTED]]
    for state, action in chosen:
        samples = [game.sample(state, action, rng) for _ in range(n_samples)]
        _fit(checker, branching[state, action], samples, f"{action!r} in {state!r}")
    return isinstance(game, ListsStarts) + len(chosen)


def _checked_distribution(checker: GameChecker, listed: Distribution[T], where: str) -> Distribution[T]:
    weights = [weight for _, weight in listed.pairs]
    checker.require(weights and min(weights) > 0, "listed", f"weights {weights!r} in {where}")
    total = sum(weights) if listed.exact else fsum(weights)
    checker.require(isclose(total, listed.total, rel_tol=1e-9), "listed", f"{total} is not {listed.total} in {where}")
    try:
        for outcome, _ in listed.pairs:
            hash(outcome)
    except TypeError as error:
        raise ConformanceError(checker.game, "listed", f"{error} in {where}") from error
    return listed


def _fit(checker: GameChecker, listed: Distribution[T], samples: list[T], where: str) -> None:
    """Check that samples fit a listed distribution."""
    chances = {outcome: float(share) for outcome, share in listed}
    strange = next((sample for sample in samples if sample not in chances), None)
    checker.require(strange is None, "sampled", f"{strange!r} was drawn, which is not listed: {where}")
    chance = fit_p_value(Counter(samples), chances)
    checker.require(chance > SIGNIFICANCE, "sampled", f"chi-square has a probability of {chance:.1g}: {where}")
