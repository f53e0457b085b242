"""Move patterns of enemies: scripts and rolls, each a Markov chain of intents (move, history).

Open it to add a pattern. `history` is a number that summarizes the earlier moves: an index in a script, or a count of
repetitions. The next move depends on the intent alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from evodom.distribution import Distribution, certain, weighted

Intent = tuple[str, int]
"""A chosen move and its history."""


class Pattern(Protocol):
    """Protocol of a move pattern: the distributions of the first and of the next intent."""

    def first(self) -> Distribution[Intent]:
        """Return the distribution of the first intent."""

    def following(self, move: str, history: int) -> Distribution[Intent]:
        """Return the distribution of the next intent."""

    def at(self, move: str) -> Intent:
        """Return the intent of a move that was set from outside the pattern."""


@dataclass(frozen=True)
class Script:
    """Moves in a fixed order; after the last continue at place `loop_start`. `history` is the place in the order.

    A move outside the order, such as being stunned, is followed by the move at `loop_start`.
    """

    moves: tuple[str, ...]
    loop_start: int = 0

    def first(self) -> Distribution[Intent]:
        """Return the first move of the order."""
        return certain((self.moves[0], 0))

    def following(self, move: str, history: int) -> Distribution[Intent]:
        """Return the next move of the order."""
        place = history + 1 if 0 <= history < len(self.moves) - 1 else self.loop_start
        return certain((self.moves[place], place))

    def at(self, move: str) -> Intent:
        """Return the intent of a move outside the order."""
        return move, -1


@dataclass(frozen=True)
class Chain:
    """Moves by place, each with the weights of its successors. `history` is the place."""

    places: tuple[tuple[str, Mapping[int, int]], ...]

    def first(self) -> Distribution[Intent]:
        """Return the move at place 0."""
        return certain((self.places[0][0], 0))

    def following(self, move: str, history: int) -> Distribution[Intent]:
        """Return the distribution of the successors."""
        return weighted({(self.places[place][0], place): weight for place, weight in self.places[history][1].items()})

    def at(self, move: str) -> Intent:
        """Return the first place with this move."""
        return move, [name for name, _ in self.places].index(move)


class MoveOption(NamedTuple):
    """A move that an enemy may roll: its weight, its maximum repetitions, and the roll that replaces it beyond them."""

    weight: int
    max_repeats: int | None = None
    replacement: Mapping[str, int] = {}


@dataclass(frozen=True)
class Roll:
    """Random moves. `history` counts the repetitions of a move, up to its limit."""

    opening: Mapping[str, int]
    options: Mapping[str, MoveOption]

    def first(self) -> Distribution[Intent]:
        """Roll the opening."""
        return weighted({(move, self._history(move, 1)): weight for move, weight in self.opening.items()})

    def following(self, move: str, history: int) -> Distribution[Intent]:
        """Roll a move; roll its replacement if the move has reached its limit of repetitions."""
        chosen = weighted({name: option.weight for name, option in self.options.items()})
        return chosen.bind(lambda name: self._allowed(name, move, history)).map(
            lambda name: (name, self._history(name, history + 1 if name == move else 1))
        )

    def at(self, move: str) -> Intent:
        """Return the intent of a move that is not an option."""
        return move, 0

    def _allowed(self, name: str, move: str, history: int) -> Distribution[str]:
        option = self.options[name]
        if name != move or option.max_repeats is None or history < option.max_repeats:
            return certain(name)
        return weighted(option.replacement)

    def _history(self, move: str, history: int) -> int:
        option = self.options.get(move)
        return min(history, option.max_repeats) if option and option.max_repeats else 0


def rolled(options: Mapping[str, MoveOption]) -> Roll:
    """Return a `Roll` whose first move has the weights of all others."""
    return Roll({name: option.weight for name, option in options.items()}, options)


@dataclass(frozen=True)
class RedSlaver:
    """Stab, Scrape, and once a fight Entangle. `history` counts repetitions of the move, plus 10 after Entangle.

    Source: r is uniform in 0 to 99. Entangle if it is unused and r >= 75. Otherwise Stab if Entangle is used, r >= 55,
    and the last two moves were not both Stab. Otherwise Scrape, up to `scrapes` times in a row, otherwise Stab.
    """

    scrapes: int
    """Maximum number of consecutive Scrapes."""

    def first(self) -> Distribution[Intent]:
        """Return Stab."""
        return certain(("Stab", 1))

    def following(self, move: str, history: int) -> Distribution[Intent]:
        """Roll the next move."""
        used, history = history >= 10, history % 10
        scrape = "Scrape" if move != "Scrape" or history < self.scrapes else "Stab"
        if used:
            stab = "Stab" if move != "Stab" or history < 2 else scrape
            rolled = weighted({stab: 45, scrape: 55}) if stab != scrape else certain(stab)
        else:
            rolled = weighted({"Entangle": 25, scrape: 75})
        return rolled.map(lambda name: self._intent(name, used, history + 1 if name == move else 1))

    def at(self, move: str) -> Intent:
        """Return the intent of a move; no other rule sets one."""
        return move, 0

    @staticmethod
    def _intent(name: str, used: bool, history: int) -> Intent:
        return name, min(history, 2) + 10 * (used or name == "Entangle")
