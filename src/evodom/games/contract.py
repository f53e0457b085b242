"""Protocols that a game implements so that evodom can play, solve or search it.

The contract is functional. A *game* object holds the rules and never changes; a *state* is a value. No method changes a
state that it is given. An action results in a new state.

    Game                    can be played: has numbered actions, and samples one outcome of an action
    Solvable                can be solved: has hashable states, and lists all outcomes of an action with their chances
    ExplicitGame            is a Game and Solvable, and lists its first states with their chances
    HiddenInformationGame   is a Game with an observation of each seat, and redeals of its hidden information
    ListedGame              no protocol: a base class with which an ExplicitGame is short to write

Two further protocols are optional for all of these: `ListsStarts` (first states with their chances) and `RewardingGame`
(rewards before the end). Code that uses them calls `starts_of`, `returns_of` and `rewards_of` below.

Players and seats have the same numbers, 0 to `n_players` - 1; the player of a one-player game is player 0. Random
numbers are passed in. A game draws only from the generator that it is given, so that equal seeds give equal games.
Players that choose at random draw from another generator, so that two players can be compared with equal luck.

A class implements a protocol by having its methods, without inheriting from it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, runtime_checkable

from evodom.distribution import Distribution, Number
from evodom.errors import UsageError, short

if TYPE_CHECKING:
    import numpy as np
    from numpy.random import Generator as Rng
    from numpy.typing import NDArray

S = TypeVar("S")
"""A state of any game."""

H = TypeVar("H", bound=Hashable)
"""A state that is immutable and hashable."""

A = TypeVar("A")
"""An action: immutable and hashable."""

S_in = TypeVar("S_in", contravariant=True)
A_in = TypeVar("A_in", contravariant=True)

Policy = Callable[[S], A]
"""A function that maps a state to one of the legal actions of the player to move."""


@runtime_checkable
class Game(Protocol[S, A]):
    """A game that can be played: any number of players, choices and chance."""

    @property
    def n_players(self) -> int:
        """The number of players, at least 1."""

    @property
    def all_actions(self) -> Sequence[A]:
        """All actions of all states. An action's *number* is its index here.

        The numbers never change during the lifetime of the game object. Two game objects made from the same arguments
        have the same numbers, in every process.
        """

    def start(self, rng: Rng) -> S:
        """Return a first state. Its chance events are drawn from `rng`."""

    def player(self, state: S) -> int:
        """Return the player to move in a state that is not over."""

    def actions(self, state: S) -> Sequence[A]:
        """Return the legal actions in a constant order, each once; an empty sequence if the game is over."""

    def sample(self, state: S, action: A, rng: Rng) -> S:
        """Return one outcome of a legal action, drawn from `rng`."""

    def returns(self, state: S) -> Sequence[Number]:
        """Return the payoffs of a state that is over, one finite number for each player."""

    def action_name(self, action: A) -> str:
        """Return a short, readable name of an action. Names are unique."""


@runtime_checkable
class Solvable(Protocol[H, A]):
    """A game that lists its outcomes, for exact solving.

    Its actions have no numbers, so that an action may be any hashable value, such as a plan for a whole turn.
    """

    @property
    def n_players(self) -> int:
        """The number of players, at least 1."""

    def player(self, state: H) -> int:
        """Return the player to move in a state that is not over."""

    def actions(self, state: H) -> Sequence[A]:
        """Return the legal actions in a constant order, each once; an empty sequence if the game is over."""

    def outcomes(self, state: H, action: A) -> Distribution[H]:
        """Return the distribution of the next state after a legal action."""

    def returns(self, state: H) -> Sequence[Number]:
        """Return the payoffs of a state that is over, one for each player: int or Fraction for exact solving."""


@runtime_checkable
class ListsStarts(Protocol[H]):
    """A game that lists its first states."""

    def starts(self) -> Distribution[H]:
        """Return the first states with their chances."""


@runtime_checkable
class ExplicitGame(Game[H, A], Solvable[H, A], ListsStarts[H], Protocol[H, A]):
    """A game that can be played and solved. `ListedGame` below is the short way to write one."""


@runtime_checkable
class RewardingGame(Protocol[S_in, A_in]):
    """A game with rewards before its end, in addition to its `returns`."""

    def rewards(self, state: S_in, action: A_in) -> Sequence[Number]:
        """Return the rewards of an action, one finite number for each player."""


@runtime_checkable
class HiddenInformationGame(Game[S, A], Protocol[S, A]):
    """A game whose state contains information hidden from some seats, such as the cards in other hands."""

    def observe(self, state: S, seat: int) -> dict[str, Any]:
        """Return a seat's observation as a dict for JSON: str keys, lists, numbers, text, bool, None."""

    def redeal(self, state: S, seat: int, rng: Rng) -> S:
        """Return the state with the information hidden from a seat redrawn from `rng`.

        The draw is consistent with the seat's information: its observation, its legal actions and the `material` stay
        the same.
        """

    def material(self, state: S) -> Hashable:
        """Return the facts that no redeal may change, such as the cards that each player owns."""


class ListedGame(ABC, Generic[H, A]):
    """A base class for games that list their outcomes.

    A subclass defines `all_actions`, `starts`, `actions`, `outcomes` and `returns`. Samples are drawn from the listed
    outcomes. The name of an action is its text. There is one player; override `n_players` and `player` for more.
    """

    n_players: int = 1

    @abstractmethod
    def starts(self) -> Distribution[H]:
        """Return the first states with their chances."""

    @abstractmethod
    def outcomes(self, state: H, action: A) -> Distribution[H]:
        """Return the distribution of the next state after a legal action."""

    def start(self, rng: Rng) -> H:
        """Return a first state drawn from `starts`."""
        return self.starts().sample(rng)

    def sample(self, state: H, action: A, rng: Rng) -> H:
        """Return one of the `outcomes`, drawn from `rng`."""
        return self.outcomes(state, action).sample(rng)

    def player(self, state: H) -> int:
        """Return 0, the only player."""
        return 0

    def action_name(self, action: A) -> str:
        """Return the action as text."""
        return str(action)


def is_over(game: Game[S, A] | Solvable[Any, A], state: S) -> bool:
    """Return True if a state is over: it has no legal action."""
    return not game.actions(state)


def action_number(game: Game[S, A], action: A) -> int:
    """Return the number of an action: its index in `all_actions`. Raise UsageError for an unknown action."""
    try:
        return game.all_actions.index(action)
    except ValueError:
        raise UsageError(
            f"this game has no action {action!r}; its {len(game.all_actions)} actions are listed in all_actions"
        ) from None


def legal_mask(game: Game[S, A], state: S) -> NDArray[np.bool_]:
    """Return the mask of legal actions: a bool array of shape (len(all_actions),), indexed by action number."""
    import numpy as np

    legal = set(game.actions(state))
    return np.array([action in legal for action in game.all_actions], np.bool_)


def starts_of(game: object) -> Distribution[Any]:
    """Return the first states of a game that lists them. Raises UsageError for any other game."""
    if isinstance(game, ListsStarts):
        return game.starts()
    raise UsageError(f"{type(game).__name__} does not list its first states: give the state to start from")


def returns_of(game: Game[Any, Any] | Solvable[Any, Any]) -> Callable[[Any], Sequence[Number]]:
    """Return the game's `returns` method, checked: UsageError unless a result has one number for each player."""
    returns = game.returns
    return lambda state: _checked(game, "returns", returns(state))


def rewards_of(game: Game[Any, Any] | Solvable[Any, Any]) -> Callable[[Any, Any], Sequence[Number]] | None:
    """Return the game's `rewards` method, checked like `returns_of`, or None for a game without rewards."""
    if not isinstance(game, RewardingGame):
        return None
    rewards = game.rewards
    return lambda state, action: _checked(game, "rewards", rewards(state, action))


def _checked(game: Any, method: str, paid: Sequence[Number]) -> Sequence[Number]:
    """Return the result of a game's method. Raise UsageError unless it has one number for each player."""
    n = game.n_players
    if not hasattr(paid, "__len__") or len(paid) != n:
        example = "(1,)" if n == 1 else f"({', '.join(map(str, range(1, n + 1)))})"
        raise UsageError(
            f"{type(game).__name__}.{method} gives {short(paid)}. Expected: a sequence with one number for each of "
            f"{n} player{'s' * (n > 1)}, such as {example}."
        )
    return paid
