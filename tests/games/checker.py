"""Check one game against the rules of the contract (`GameChecker`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from math import isfinite
from typing import Any, cast

from evodom.distribution import Number
from evodom.errors import EvodomError
from evodom.games.contract import Game, HiddenInformationGame, RewardingGame, legal_mask
from evodom.games.play import Transition

RULES = {
    "methods": "a game has all methods of `Game`, and all or none of those about hidden information",
    "numbered": "all_actions lists every action once, always in the same order",
    "named": "every action has a unique name",
    "legal": "legal actions are among all_actions, each once, in the same order each time, and equal to the legal mask",
    "turn": "the player to move is one of 0 to n_players - 1",
    "ends": "a game of random actions ends",
    "unchanged": "no method changes a state",
    "repeatable": "equal seeds give equal games",
    "pays": "returns and rewards are one finite number for each player",
    "listed": "listed outcomes are hashable, have positive weights, and these sum to the total",
    "sampled": "sampled outcomes are distributed as the listed ones",
    "observed": "an observation is a dict for JSON, with finite numbers",
    "redealt": "a redeal keeps the observation of its seat, the player to move, and that player's legal actions",
    "conserved": "a redeal keeps the material",
    "redrawn": "a redeal resamples the information hidden from its seat, and does not depend on it",
}
"""The rules, by the value of `ConformanceError.rule`."""

Snapshot = Callable[[Any], object]


class ConformanceError(EvodomError):
    """A game breaks a rule of the contract. `rule` is the key of the rule in `RULES`."""

    def __init__(self, game: object, rule: str, found: str) -> None:
        super().__init__(f"{type(game).__name__} breaks the rule that {RULES[rule]}: {found}")
        self.rule = rule


@dataclass(frozen=True)
class GameChecker:
    """A game under test, and the function that copies its states for comparison."""

    game: Any
    snapshot: Snapshot

    def fail(self, rule: str, found: str) -> None:
        """Raise the error for a broken rule."""
        raise ConformanceError(self.game, rule, found)

    def require(self, holds: object, rule: str, found: str | Callable[[], str]) -> None:
        """Raise the error for a broken rule unless `holds`. `found` may be a function that returns the text."""
        if not holds:
            self.fail(rule, found() if callable(found) else found)

    def call(self, method: Callable[..., Any], state: Any, *args: Any) -> Any:
        """Call a method of the game with a state, and check that the state has not changed."""
        before = self.snapshot_of(state)
        answer = method(state, *args)
        same = self.snapshot_of(state) == before
        self.require(same, "unchanged", lambda: f"{method.__name__}() changed the state it was given, {state!r}")
        return answer

    def snapshot_of(self, state: Any) -> object:
        """Return a copy of a state that can be compared later."""
        try:
            return self.snapshot(state)
        except TypeError as error:
            raise ConformanceError(self.game, "unchanged", f"states cannot be compared: {error}") from error

    @cached_property
    def _known_actions(self) -> frozenset[Any]:
        return frozenset(self.game.all_actions)

    def check_methods(self) -> None:
        """Check that the game has all methods of `Game`, and all or none for hidden information."""
        if missing := [name for name in _names(Game) if not hasattr(self.game, name)]:
            self.fail("methods", f"{', '.join(missing)} is missing")
        hidden = _names(HiddenInformationGame)
        missing = [name for name in hidden if not hasattr(self.game, name)]
        partly = len(missing) < len(set(hidden) - set(_names(Game)))
        self.require(not (missing and partly), "methods", f"{', '.join(missing)} is missing for hidden information")

    def check_all_actions(self) -> None:
        """Check the numbers and names of all actions."""
        actions = list(self.game.all_actions)
        self.require(len(set(actions)) == len(actions) > 0, "numbered", f"got {actions!r}")
        self.require(actions == list(self.game.all_actions), "numbered", "the order has changed")
        names = [self.game.action_name(action) for action in actions]
        self.require(all(isinstance(name, str) and name for name in names), "named", f"got {names!r}")
        twice = next((name for name in names if names.count(name) > 1), None)
        self.require(twice is None, "named", f"{twice!r} is the name of two actions")

    def check_game(self, seed: int, max_actions: int) -> list[Transition[Any, Any]]:
        """Play a random game twice with the same seed, check its states, and return its steps."""
        first, again = self._play(seed, max_actions), self._play(seed, max_actions)
        same = [self.snapshot_of(step.after) for step in first] == [self.snapshot_of(step.after) for step in again]
        self.require(same and [a.action for a in first] == [a.action for a in again], "repeatable", f"seed {seed}")
        self._check_payments(first)
        return first

    def check_state(self, state: Any) -> Sequence[Any]:
        """Check the player to move and the legal actions. Return the legal actions."""
        actions = self.call(self.game.actions, state)
        listed = list(actions)
        self.require(len(set(listed)) == len(listed), "legal", f"twice the same among {listed!r}")
        unknown = [action for action in listed if action not in self._known_actions]
        self.require(not unknown, "legal", f"{unknown!r} not among all_actions")
        self.require(
            list(self.call(self.game.actions, state)) == listed, "legal", lambda: f"the order has changed in {state!r}"
        )
        mask = legal_mask(self.game, state)
        self.require(int(mask.sum()) == len(listed), "legal", f"{mask.sum()} in the mask, {len(listed)} listed")
        if listed:
            player = self.call(self.game.player, state)
            self.require(player in range(self.game.n_players), "turn", lambda: f"got player {player!r} in {state!r}")
        return cast("Sequence[Any]", actions)

    def numbers(self, given: Any, rule: str, where: str) -> list[Number]:
        """Return payoffs as a list. Check that each player has one finite number."""
        paid = list(given)
        ok = len(paid) == self.game.n_players and all(isfinite(number) for number in paid)
        self.require(ok, rule, f"got {given!r} of {where} for {self.game.n_players} players")
        return paid

    def _play(self, seed: int, max_actions: int) -> list[Transition[Any, Any]]:
        """Play a game with random actions. Chance and choices have separate random generators."""
        from numpy.random import SeedSequence, default_rng

        chance, choice = (default_rng(stream) for stream in SeedSequence(seed).spawn(2))
        state = self.game.start(chance)
        kept = [(state, self.snapshot_of(state))]
        played: list[Transition[Any, Any]] = []
        while actions := self.check_state(state):
            self.require(len(played) < max_actions, "ends", f"it goes on after {max_actions:,} actions")
            action = actions[int(choice.integers(len(actions)))]
            after = self.call(self.game.sample, state, action, chance)
            played.append(Transition(state, action, after))
            state = after
            kept.append((state, self.snapshot_of(state)))
        changed = next((i for i, (earlier, before) in enumerate(kept) if self.snapshot_of(earlier) != before), None)
        self.require(changed is None, "unchanged", f"state {changed} of a game had changed when the game was over")
        if not played:
            self._check_payments([], state)
        return played

    def _check_payments(self, played: list[Transition[Any, Any]], last: Any = None) -> None:
        """Check that the returns of a game, and its rewards if it has any, are finite."""
        end = played[-1].after if played else last
        if end is None:
            return
        self.numbers(self.call(self.game.returns, end), "pays", f"returns in {end!r}")
        if isinstance(self.game, RewardingGame):
            for state, action, _ in reversed(played):
                self.numbers(self.call(self.game.rewards, state, action), "pays", f"rewards in {state!r}")


def _names(protocol: type) -> list[str]:
    return [name for name in dir(protocol) if not name.startswith("_")]


def take_snapshot(state: Any) -> object:
    """Return a copy that compares equal to later copies while the state is unchanged.

    Raises TypeError for objects that are equal only to themselves.
    """
    import numpy as np

    if isinstance(state, np.ndarray | np.generic):
        return str(state.dtype), state.shape, state.tobytes()
    if isinstance(state, tuple | list):
        return type(state), [take_snapshot(part) for part in state]
    if isinstance(state, dict):
        return [(key, take_snapshot(part)) for key, part in state.items()]
    if is_dataclass(state) and not isinstance(state, type):
        return type(state), [take_snapshot(getattr(state, field.name)) for field in fields(state)]
    copy = deepcopy(state)
    if copy is not state and copy != state:
        raise TypeError(f"a {type(state).__name__} is equal only to itself: give it an __eq__, or pass snapshot=")
    return copy
