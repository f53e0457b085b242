"""A fight of Slay the Spire at the table: moves are played, taken back and weighed; a prompt or a page shows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from evodom.errors import UsageError
from evodom.search.options import ActionEstimate
from evodom.spire.engine.game import SpireFight, State
from evodom.spire.engine.layout import FIGHT, N_FIGHTERS, PLAYING
from evodom.spire.engine.moves import END
from evodom.spire.fights import Fight, state_of
from evodom.spire.fights.text import enemy_to_text, move_to_text
from evodom.spire.play.manual_chance import Ask, ManualChance
from evodom.spire.play.searcher import FightSearchOptions, Searcher
from evodom.spire.solver.solve import solve_moves

MOST_ROWS = 300_000
"""The rows of the graph that the solver may take: some seconds."""

_TRIES = 4
"""A move whose outcome is the same so many times is taken to be one without chance."""


@dataclass(frozen=True)
class Step:
    """A move of a line, in words, and what the search expects of it."""

    move: int
    text: str
    value: float


class FightTable:
    """A fight that is being played, from its start to the position of now.

    ``ask`` is who decides what is left to chance, a person beside the running game; None leaves it to chance, which
    draws from ``rng``, as searches do, or for moves from ``luck`` of how many were made before. Whatever cannot be
    done raises UsageError, in one line.
    """

    def __init__(
        self,
        fight: Fight,
        rng: np.random.Generator,
        budget: FightSearchOptions,
        ask: Ask | None = None,
        luck: Callable[[int], np.random.Generator] | None = None,
    ) -> None:
        self._rng, self.budget, self.ask = rng, budget, ask
        self._luck = luck or (lambda n_played: rng)
        self.begin(fight)

    def begin(self, fight: Fight) -> None:
        """Sit down to a fight; of several encounters one is drawn."""
        names = fight.named()
        if len(names) > 1:
            name = names.sample(self._rng)
            chosen = next(setup for other, _, setup in fight.parts() if other == name)
            fight = replace(fight, setup=chosen, encounters=None)
        self.fight = fight
        self.game = SpireFight(fight.setup)
        self._searcher = Searcher(self.game, fight.payoff, self.budget)
        start = state_of(fight, self.game) if fight.state is not None else self.game.start(self._rng)
        self._states = [start]
        self._line: list[int] = []

    @property
    def state(self) -> State:
        """The position of now."""
        return self._states[-1]

    @property
    def view(self) -> Any:
        """The position of now as a record that can be read."""
        return self.game.view(self.state)

    @property
    def over(self) -> bool:
        """Whether the fight has ended."""
        return bool(self.view.over != PLAYING)

    @property
    def n_played(self) -> int:
        """How many steps can be taken back."""
        return len(self._states) - 1

    def moves(self) -> Sequence[int]:
        """Return the legal moves but for ending the turn, which stands by itself."""
        return [move for move in self.game.actions(self.state) if move != END or self.view.choosing]

    def can_end(self) -> bool:
        """Tell whether the turn can be ended."""
        return not self.over and not self.view.choosing

    def text(self, move: int) -> str:
        """Return a move of this position in words."""
        return move_to_text(self.game, self.state, move)

    def check_running(self) -> None:
        """Raise UsageError if the fight is over."""
        if self.over:
            raise UsageError("the fight is over. b takes a move back, reset begins again, q stops.")

    def play(self, move: int) -> None:
        """Make a move."""
        self.check_running()
        if move not in self.game.actions(self.state):
            raise UsageError("that cannot be played now. i shows the position.")
        before = self.state
        if self.ask is None:
            after = self.game.sample(before, move, self._luck(self.n_played))
        else:
            after = ManualChance(self.game, self._rng, self.ask).outcome(before, move)
        self._states.append(after)
        self._line = self._line[1:] if self._line[:1] == [move] else []

    def back(self, n: int = 1) -> None:
        """Take steps back."""
        if self.n_played < n or n == 0:
            raise UsageError("there is no move to take back.")
        del self._states[-n:]
        self._line = []

    def reset(self) -> None:
        """Go back to the start; there, if a person decides what chance does, ask how it was."""
        if self.n_played or self.ask is None or self.fight.state is not None:
            self.back(self.n_played)
        else:
            self._states = [ManualChance(self.game, self._rng, self.ask).start()]
            self._line = []

    # Advice.

    def figures(self, simulations: int | None = None) -> list[ActionEstimate[int]]:
        """Return what was found of every move, the best first: exactly where the budget lets it be solved.

        With a number of simulations it is searched, that often more.
        """
        self.check_running()
        return self._searcher.search(self.state, self._rng, simulations)

    def proven(self, most_rows: int | None = None) -> list[ActionEstimate[int]]:
        """Return every move with what it is proven to be worth, the best first; UsageError where that is too much.

        ``most_rows`` are those that the solver's graph may have, MOST_ROWS by default.
        """
        self.check_running()
        found = solve_moves(self.game, self.state, self.fight.payoff, max_states=most_rows or MOST_ROWS)
        if found is None:
            raise UsageError("this position is too large for the solver. n searches it.")
        return found

    def find_line(self, simulations: int | None = None) -> list[Step]:
        """Return the best line up to the next random event; `play_line` plays it."""
        self.check_running()
        self._line, steps, at = [], [], self._states[-1:]
        while at and not self.game.view(at[0]).over:
            best = self._searcher.search(at[0], self._rng, simulations)[0]
            self._line.append(best.action)
            steps.append(Step(best.action, move_to_text(self.game, at[0], best.action), best.value))
            at = self._certain(at[0], best.action)
        return steps

    def play_line(self) -> list[str]:
        """Play the best line that was found, and return its moves in words."""
        if not self._line:
            raise UsageError("there is no line to play. nn finds one.")
        said = []
        for move in list(self._line):
            said.append(self.text(move))
            self.play(move)
        return said

    def _certain(self, state: State, move: int) -> list[State]:
        """Return the position that a move leads to, if chance has no part in it."""
        if move == END and not self.game.view(state).choosing:
            return []
        found = {self.game.sample(state, move, np.random.default_rng(seed)) for seed in range(_TRIES)}
        return list(found) if len(found) == 1 else []

    # Changes.

    def change(self, change: Callable[[Any], None]) -> None:
        """Change the position by hand, so that it can be taken back."""
        record = np.frombuffer(bytearray(self.state), FIGHT)[0]
        change(record)
        self._states.append(record.tobytes())
        self._line = []

    def enemies(self) -> str:
        """Return the enemies that are there, in words."""
        fight = self.view
        return "; ".join(
            enemy_to_text(self.game, fight, enemy) for enemy in range(1, N_FIGHTERS) if fight.hp[enemy] > 0
        )
