"""Move patterns of enemies: `Script`, `Roll` and others, each a Markov chain of intents.

Open it to add a pattern. An intent is a pair (move, history). `history` is a number that summarizes the earlier moves,
such as an index in a script or a count of repetitions. The distribution of the next move depends on the intent alone.
"""

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

    def intent_of(self, move: str) -> Intent:
        """Return the intent of a move that an event sets, such as a stun."""


@dataclass(frozen=True)
class Script:
    """Moves in a fixed order. `history` is the index of the move, or -1 for a move that an event sets.

    The move at index `loop_start` follows the last move. It also follows a move that an event sets.
    """

    moves: tuple[str, ...]
    loop_start: int = 0

    def first(self) -> Distribution[Intent]:
        """Return the first move of the order."""
        return certain((self.moves[0], 0))

    def following(self, move: str, history: int) -> Distribution[Intent]:
        """Return the next move of the order."""
        index = history + 1 if 0 <= history < len(self.moves) - 1 else self.loop_start
        return certain((self.moves[index], index))

    def intent_of(self, move: str) -> Intent:
        """Return the intent of a move that an event sets."""
        return move, -1


@dataclass(frozen=True)
class Chain:
    """Moves as nodes of a graph. Node 0 is the first move. `history` is the index of the node.

    Each node has the name of the move, and the weights of the next nodes by index.
    """

    nodes: tuple[tuple[str, Mapping[int, int]], ...]

    def first(self) -> Distribution[Intent]:
        """Return the move of node 0."""
        return certain((self.nodes[0][0], 0))

    def following(self, move: str, history: int) -> Distribution[Intent]:
        """Return the distribution of the successors."""
        _, weights = self.nodes[history]
        return weighted({(self.nodes[index][0], index): weight for index, weight in weights.items()})

    def intent_of(self, move: str) -> Intent:
        """Return the intent of the first node with this move."""
        return move, [name for name, _ in self.nodes].index(move)


class MoveOption(NamedTuple):
    """A move that an enemy may roll."""

    weight: int
    max_repeats: int | None = None
    """Maximum number of consecutive uses; None for no limit."""
    replacement: Mapping[str, int] = {}
    """Weights of the moves that replace this move if it is rolled after `max_repeats` consecutive uses."""


@dataclass(frozen=True)
class Roll:
    """Random moves. `history` counts the consecutive uses of a move, up to its limit."""

    opening: Mapping[str, int]
    """Weights of the first move."""
    options: Mapping[str, MoveOption]

    @classmethod
    def from_options(cls, options: Mapping[str, MoveOption]) -> "Roll":
        """Return a `Roll` whose first move has the same weights as the later moves."""
        return cls({name: option.weight for name, option in options.items()}, options)

    def first(self) -> Distribution[Intent]:
        """Return the distribution of the first move, rolled by the weights of `opening`."""
        return weighted({(move, self._history(move, 1)): weight for move, weight in self.opening.items()})

    def following(self, move: str, history: int) -> Distribution[Intent]:
        """Roll a move; roll its replacement if the move has reached its limit of repetitions."""
        rolled = weighted({name: option.weight for name, option in self.options.items()})
        allowed = rolled.bind(lambda name: self._allowed(name, move, history))
        return allowed.map(lambda name: (name, self._history(name, history + 1 if name == move else 1)))

    def intent_of(self, move: str) -> Intent:
        """Return the intent of a move that an event sets."""
        return move, 0

    def _allowed(self, name: str, move: str, history: int) -> Distribution[str]:
        """Return the rolled move `name`, or its replacement, after the intent (`move`, `history`)."""
        option = self.options[name]
        if name != move or option.max_repeats is None or history < option.max_repeats:
            return certain(name)
        return weighted(option.replacement)

    def _history(self, move: str, history: int) -> int:
        option = self.options.get(move)
        return min(history, option.max_repeats) if option and option.max_repeats else 0


@dataclass(frozen=True)
class RedSlaver:
    """Stab and Scrape, and Entangle once a fight.

    `history` is the number of consecutive uses of the move, plus 10 once Entangle has been used. The game rolls r,
    uniform in 0 to 99, and takes the first move whose conditions hold:

        Entangle  if r >= 75 and it is unused
        Stab      if r >= 55 and Entangle is used; at most twice in a row
        Scrape    at most `max_scrapes` times in a row
        Stab
    """

    max_scrapes: int

    def first(self) -> Distribution[Intent]:
        """Return Stab."""
        return certain(("Stab", 1))

    def following(self, move: str, history: int) -> Distribution[Intent]:
        """Roll the next move."""
        entangle_used, uses = history >= 10, history % 10
        low = "Stab" if move == "Scrape" and uses >= self.max_scrapes else "Scrape"
        if entangle_used:
            high = low if move == "Stab" and uses >= 2 else "Stab"
            moves = weighted({high: 45, low: 55}) if high != low else certain(high)
        else:
            moves = weighted({"Entangle": 25, low: 75})
        return moves.map(lambda name: self._intent(name, entangle_used, uses + 1 if name == move else 1))

    def intent_of(self, move: str) -> Intent:
        """Return the intent of a move that an event sets. No event does."""
        return move, 0

    @staticmethod
    def _intent(name: str, entangle_used: bool, uses: int) -> Intent:
        return name, min(uses, 2) + 10 * (entangle_used or name == "Entangle")
