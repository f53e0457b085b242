"""The part of the conformance kit that is about hidden information: observations and redeals."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from evodom.games.chi_square import same_probability
from evodom.games.play import Step
from evodom.games.trial import Trial

if TYPE_CHECKING:
    from numpy.random import Generator as Rng

T = TypeVar("T")

N_STARTS = 50
"""So many more first states are drawn, to find some that look alike to a seat."""

N_COMPARED = 6
"""So many pairs of states that look alike are compared, of either sort."""

N_DRAWS = 100
"""So many redeals are drawn from both states of a pair."""

SIGNIFICANCE = 1e-9
"""Redeals that differ as much as this break the rule: a few thousand entries of observations are compared."""


def check_hidden(trial: Trial, steps: list[Step[Any, Any]], rng: Rng) -> int:
    """Check observations and redeals in all states of some games, for every seat; return the number of redeals."""
    layout = list(trial.game.observation_layout)
    named = all(isinstance(name, str) and name for name in layout) and len(set(layout)) == len(layout)
    trial.demand(named, "observed", f"the names of the entries are {layout!r}")
    places = [(state, seat) for step in steps for state in (step.state, step.after) for seat in _seats(trial)]
    redrawn = [_check_redeal(trial, state, seat, rng) for state, seat in places]
    trial.demand(any(redrawn) or not places, "redrawn", f"none of {len(places):,} redeals changed anything")
    changing = [place for place, changed in zip(places, redrawn, strict=True) if changed]
    redealt = [(state, trial.game.redeal(state, seat, rng), seat) for state, seat in _some(changing, rng)]
    for pair in [*redealt, *_some(_lookalikes(trial, places, rng), rng)]:
        _check_not_peeking(trial, *pair, rng)
    return len(places)


def _check_redeal(trial: Trial, state: Any, seat: int, rng: Rng) -> bool:
    """Check one redeal; return whether it has changed the state."""
    game, seed = trial.game, int(rng.integers(2**63))
    observed, told = _observed(trial, state, seat), _told(trial, state, seat)
    redealt = trial.ask(trial.game.redeal, state, seat, np.random.default_rng(seed))
    again = game.redeal(state, seat, np.random.default_rng(seed))
    trial.demand(trial.keep(redealt) == trial.keep(again), "repeatable", f"redeal for seat {seat}, seed {seed}")
    wrong = np.flatnonzero(_observed(trial, redealt, seat) != observed)
    entries = ", ".join(game.observation_layout[i] for i in wrong[:3])
    trial.demand(not wrong.size, "redealt", f"seat {seat} sees a change of {entries} in {state!r}")
    trial.demand(_told(trial, redealt, seat) == told, "redealt", f"observe_json of seat {seat} changes in {state!r}")
    kept = trial.ask(trial.game.material, redealt) == trial.ask(trial.game.material, state)
    trial.demand(kept, "conserved", f"for seat {seat}: {game.material(state)!r} became {game.material(redealt)!r}")
    before, after = trial.check_state(state), trial.check_state(redealt)
    trial.demand(bool(before) == bool(after), "redealt", f"one is over and the other is not: {state!r}")
    if before:
        player = game.player(state)
        trial.demand(game.player(redealt) == player, "redealt", f"it is another player's turn than in {state!r}")
        if player == seat:
            trial.demand(list(before) == list(after), "redealt", f"{list(before)!r} became {list(after)!r}")
    return trial.keep(redealt) != trial.keep(state)


def _lookalikes(trial: Trial, places: list[tuple[Any, int]], rng: Rng) -> list[tuple[Any, Any, int]]:
    """Return pairs of states from different games that look alike to a seat, with that seat; most are first states."""
    starts = [trial.game.start(rng) for _ in range(N_STARTS)]
    groups: dict[tuple[int, bytes, str], Any] = {}
    pairs = []
    for state, seat in [*((state, seat) for state in starts for seat in _seats(trial)), *places]:
        seen = seat, trial.game.observe(state, seat).tobytes(), json.dumps(trial.game.observe_json(state, seat))
        other = groups.setdefault(seen, state)
        if trial.keep(other) != trial.keep(state):
            pairs.append((other, state, seat))
    return pairs


def _check_not_peeking(trial: Trial, state: Any, alike: Any, seat: int, rng: Rng) -> None:
    """Redeal two states that look alike to a seat: what the other seats then see must not tell them apart."""
    game = trial.game
    sides = [[game.redeal(given, seat, rng) for _ in range(N_DRAWS)] for given in (state, alike)]
    for other in _seats(trial):
        one, two = (np.array([game.observe(drawn, other) for drawn in side]) for side in sides)
        for entry in np.flatnonzero((one != one[0]).any(axis=0) | (two != one[0]).any(axis=0)):
            chance = same_probability(one[:, entry].tolist(), two[:, entry].tolist())
            name = game.observation_layout[entry]
            trial.demand(
                chance > SIGNIFICANCE,
                "redrawn",
                f"after redeals for seat {seat}, what seat {other} sees of {name!r} depends on the hidden state",
            )


def _some(items: list[T], rng: Rng) -> list[T]:
    return [items[int(i)] for i in rng.permutation(len(items))[:N_COMPARED]]


def _observed(trial: Trial, state: Any, seat: int) -> np.ndarray:
    """Return what a seat observes, checked against the layout."""
    seen = trial.ask(trial.game.observe, state, seat)
    size = len(trial.game.observation_layout)
    right = isinstance(seen, np.ndarray) and (seen.dtype == np.float32 or np.issubdtype(seen.dtype, np.integer))
    trial.demand(right, "observed", f"got {getattr(seen, 'dtype', type(seen))} for seat {seat}")
    trial.demand(seen.shape == (size,), "observed", f"shape {seen.shape} for {size} names")
    trial.demand(np.isfinite(seen).all(), "observed", f"an entry is not finite for seat {seat} in {state!r}")
    return np.asarray(seen)


def _told(trial: Trial, state: Any, seat: int) -> Any:
    """Return what a seat observes as JSON, checked to survive being written and read."""
    told = trial.ask(trial.game.observe_json, state, seat)
    try:
        read = json.loads(json.dumps(told, allow_nan=False))
    except (TypeError, ValueError) as error:
        read = error
    trial.demand(isinstance(told, dict) and read == told, "observed", f"JSON makes {read!r} of {told!r}")
    return told


def _seats(trial: Trial) -> range:
    return range(trial.game.n_players)
