"""The part of the conformance kit that is about hidden information: observations and redeals."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from evodom.games.checker import GameChecker
from evodom.games.chi_square import same_probability
from evodom.games.play import Transition

if TYPE_CHECKING:
    from numpy.random import Generator as Rng

T = TypeVar("T")

N_REDEALT = 500
"""At most so many of the states and seats are redealt, chosen at random."""

N_STARTS = 50
"""So many more first states are drawn, to find some that look alike to a seat."""

N_COMPARED = 6
"""So many pairs of states that look alike are compared, of either sort."""

N_DRAWS = 100
"""So many redeals are drawn from both states of a pair."""

SIGNIFICANCE = 1e-9
"""Redeals that differ as much as this break the rule: a few thousand entries of observations are compared."""


def check_hidden(checker: GameChecker, steps: list[Transition[Any, Any]], rng: Rng) -> int:
    """Check observations and redeals in the states of some games, for every seat; return the number of redeals."""
    layout = list(checker.game.observation_layout)
    named = all(isinstance(name, str) and name for name in layout) and len(set(layout)) == len(layout)
    checker.demand(named, "observed", f"the names of the entries are {layout!r}")
    states = [step.state for step in steps] + [step.after for step in steps if not checker.game.actions(step.after)]
    places = _some([(state, seat) for state in states for seat in _seats(checker)], rng, N_REDEALT)
    redrawn = [_check_redeal(checker, state, seat, rng) for state, seat in places]
    checker.demand(any(redrawn) or not places, "redrawn", f"none of {len(places):,} redeals changed anything")
    changing = [place for place, changed in zip(places, redrawn, strict=True) if changed]
    redealt = [(state, checker.game.redeal(state, seat, rng), seat) for state, seat in _some(changing, rng)]
    for pair in [*redealt, *_some(_lookalikes(checker, places, rng), rng)]:
        _check_not_peeking(checker, *pair, rng)
    return len(places)


def _check_redeal(checker: GameChecker, state: Any, seat: int, rng: Rng) -> bool:
    """Check one redeal; return whether it has changed the state."""
    game, seed = checker.game, int(rng.integers(2**63))
    observed, seen_json = _observed(checker, state, seat), _as_json(checker, state, seat)
    redealt = checker.ask(checker.game.redeal, state, seat, np.random.default_rng(seed))
    again = game.redeal(state, seat, np.random.default_rng(seed))
    checker.demand(checker.keep(redealt) == checker.keep(again), "repeatable", f"redeal for seat {seat}, seed {seed}")
    wrong = np.flatnonzero(_observed(checker, redealt, seat) != observed)
    entries = ", ".join(game.observation_layout[i] for i in wrong[:3])
    checker.demand(not wrong.size, "redealt", lambda: f"seat {seat} sees a change of {entries} in {state!r}")
    same = _as_json(checker, redealt, seat) == seen_json
    checker.demand(same, "redealt", lambda: f"observe_json of seat {seat} changes in {state!r}")
    kept = checker.ask(checker.game.material, redealt) == checker.ask(checker.game.material, state)
    checker.demand(
        kept, "conserved", lambda: f"for seat {seat}: {game.material(state)!r} became {game.material(redealt)!r}"
    )
    before, after = checker.check_state(state), checker.check_state(redealt)
    checker.demand(bool(before) == bool(after), "redealt", lambda: f"one is over and the other is not: {state!r}")
    if before:
        player = game.player(state)
        checker.demand(
            game.player(redealt) == player, "redealt", lambda: f"it is another player's turn than in {state!r}"
        )
        if player == seat:
            checker.demand(list(before) == list(after), "redealt", f"{list(before)!r} became {list(after)!r}")
    return checker.keep(redealt) != checker.keep(state)


def _lookalikes(checker: GameChecker, places: list[tuple[Any, int]], rng: Rng) -> list[tuple[Any, Any, int]]:
    """Return pairs of states from different games that look alike to a seat, with that seat; most are first states."""
    starts = [checker.game.start(rng) for _ in range(N_STARTS)]
    groups: dict[tuple[int, bytes, str], Any] = {}
    pairs = []
    for state, seat in [*((state, seat) for state in starts for seat in _seats(checker)), *places]:
        seen = seat, checker.game.observe(state, seat).tobytes(), json.dumps(checker.game.observe_json(state, seat))
        other = groups.setdefault(seen, state)
        if checker.keep(other) != checker.keep(state):
            pairs.append((other, state, seat))
    return pairs


def _check_not_peeking(checker: GameChecker, state: Any, alike: Any, seat: int, rng: Rng) -> None:
    """Redeal two states that look alike to a seat: what the other seats then see must not tell them apart."""
    game = checker.game
    sides = [[game.redeal(given, seat, rng) for _ in range(N_DRAWS)] for given in (state, alike)]
    for other in _seats(checker):
        one, two = (np.array([game.observe(drawn, other) for drawn in side]) for side in sides)
        for entry in np.flatnonzero((one != one[0]).any(axis=0) | (two != one[0]).any(axis=0)):
            chance = same_probability(one[:, entry].tolist(), two[:, entry].tolist())
            name = game.observation_layout[entry]
            checker.demand(
                chance > SIGNIFICANCE,
                "redrawn",
                f"after redeals for seat {seat}, what seat {other} sees of {name!r} depends on the hidden state",
            )


def _some(items: list[T], rng: Rng, n: int = N_COMPARED) -> list[T]:
    return [items[int(i)] for i in rng.permutation(len(items))[:n]]


def _observed(checker: GameChecker, state: Any, seat: int) -> np.ndarray:
    """Return what a seat observes, checked against the layout."""
    seen = checker.ask(checker.game.observe, state, seat)
    size = len(checker.game.observation_layout)
    right = isinstance(seen, np.ndarray) and (seen.dtype == np.float32 or np.issubdtype(seen.dtype, np.integer))
    checker.demand(right, "observed", f"got {getattr(seen, 'dtype', type(seen))} for seat {seat}")
    checker.demand(seen.shape == (size,), "observed", f"shape {seen.shape} for {size} names")
    checker.demand(np.isfinite(seen).all(), "observed", lambda: f"an entry is not finite for seat {seat} in {state!r}")
    return np.asarray(seen)


def _as_json(checker: GameChecker, state: Any, seat: int) -> Any:
    """Return what a seat observes as JSON, checked to survive being written and read."""
    seen_json = checker.ask(checker.game.observe_json, state, seat)
    try:
        read = json.loads(json.dumps(seen_json, allow_nan=False))
    except (TypeError, ValueError) as error:
        read = error
    checker.demand(
        isinstance(seen_json, dict) and read == seen_json, "observed", f"JSON makes {read!r} of {seen_json!r}"
    )
    return seen_json


def _seats(checker: GameChecker) -> range:
    return range(checker.game.n_players)
