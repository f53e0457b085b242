"""What a game must offer so that evodom can play, solve or search it: a family of small protocols.

The contract is functional. A *game* object is the rules and never changes; a *state* is a value. No method of a game
changes a state it is given: what may come of an action is a new state.

    Game                    players, turns, numbered actions, one sampled outcome, what the end pays; can be played
    Solvable                actions with all their outcomes and chances, in hashable states; can be solved
    ExplicitGame            both, and the first states with their chances
    HiddenInformationGame   a Game that says what a seat can see, and can redeal what it cannot

Two more protocols are options that any of these may add: `ListsStarts` (the first states with their chances) and
`RewardingGame` (pays on the way). Code that can use an option asks for it with `starts_of` and `rewards_of` below.

Players and seats are the same numbers, 0 to `n_players` - 1; a game of one player has player 0 alone. Random numbers
are passed in. A game draws from the generator it is given and from nothing else, so that equal seeds give equal games;
players that choose at random draw from a generator of their own, so that two players can be compared with equal luck.

A class keeps a protocol by having its methods; it need not inherit from it. `evodom.games.conformance.check` proves by
playing that it does.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, runtime_checkable

from evodom.distribution import Distribution, Number
from evodom.errors import UsageError

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
"""What a player does: one of the legal actions of a state in which it is that player's turn."""


@runtime_checkable
class Game(Protocol[S, A]):
    """A game that can be played: any number of players, choices and chance."""

    @property
    def n_players(self) -> int:
        """The number of players, at least 1."""

    @property
    def all_actions(self) -> Sequence[A]:
        """Every action there can be in any state; an action's *number* is its place here.

        The numbers stay the same for as long as the game object lives, and two game objects made from the same
        arguments have the same numbers, in every process.
        """

    def start(self, rng: Rng) -> S:
        """Return a first state; what chance decides about it is drawn from `rng`."""

    def player(self, state: S) -> int:
        """Return whose turn it is in a state that is not over."""

    def actions(self, state: S) -> Sequence[A]:
        """Return the legal actions, each once, in an order that never changes; none if the game is over."""

    def sample(self, state: S, action: A, rng: Rng) -> S:
        """Return one outcome of a legal action, drawn from `rng`."""

    def returns(self, state: S) -> Sequence[Number]:
        """Return what a state that is over pays, one finite number for each player."""

    def action_name(self, action: A) -> str:
        """Return a short name of an action for people; no two actions have the same."""


@runtime_checkable
class Solvable(Protocol[H, A]):
    """A game that lists its outcomes: what exact solving needs.

    It has no numbered actions, so that an action may be anything, for example a plan for a whole turn.
    """

    @property
    def n_players(self) -> int:
        """The number of players, at least 1."""

    def player(self, state: H) -> int:
        """Return whose turn it is in a state that is not over."""

    def actions(self, state: H) -> Sequence[A]:
        """Return the legal actions, each once, in an order that never changes; none if the game is over."""

    def outcomes(self, state: H, action: A) -> Distribution[H]:
        """Return the states that a legal action may lead to, with their chances."""

    def returns(self, state: H) -> Sequence[Number]:
        """Return what a state that is over pays, one number for each player: int or Fraction for exact answers."""


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
    """A game that pays on the way, besides what `returns` pays at the end."""

    def rewards(self, state: S_in, action: A_in) -> Sequence[Number]:
        """Return what taking an action pays at once, one finite number for each player."""


@runtime_checkable
class HiddenInformationGame(Game[S, A], Protocol[S, A]):
    """A game whose state holds what some seats cannot know, such as the cards in other hands."""

    @property
    def observation_layout(self) -> Sequence[str]:
        """A name for each entry of `observe`'s array, in order, such as "hand: Copper"; all different."""

    def observe(self, state: S, seat: int) -> NDArray[np.float32] | NDArray[np.integer[Any]]:
        """Return all that a seat can know as an array of shape (len(observation_layout),), of float32 or integers."""

    def observe_json(self, state: S, seat: int) -> dict[str, Any]:
        """Return all that a seat can know as a dict that JSON can hold: str keys, lists, numbers, text, bool, None."""

    def redeal(self, state: S, seat: int, rng: Rng) -> S:
        """Return a state in which all that a seat cannot know is drawn anew from `rng`.

        The draw is true to what the seat does know: its observation, the actions it may take and the `material` stay
        the same.
        """

    def material(self, state: S) -> Hashable:
        """Return what no redeal may change, such as how many of each card every player owns."""


class ListedGame(ABC, Generic[H, A]):
    """A base class for games that list their outcomes: with it a game needs five definitions.

    They are `all_actions`, `starts`, `actions`, `outcomes` and `returns`. Drawing is done from the lists, an action is
    named by its text, and there is one player; override `n_players` and `player` for more.
    """

    n_players: int = 1

    @abstractmethod
    def starts(self) -> Distribution[H]:
        """Return the first states with their chances."""

    @abstractmethod
    def outcomes(self, state: H, action: A) -> Distribution[H]:
        """Return the states that a legal action may lead to, with their chances."""

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
    """Tell whether a state is over: it has no legal action."""
    return not game.actions(state)


def action_number(game: Game[S, A], action: A) -> int:
    """Return the number of an action: its place in `all_actions`. Raises UsageError if it is none of them."""
    try:
        return game.all_actions.index(action)
    except ValueError:
        raise UsageError(
            f"this game has no action {action!r}; its {len(game.all_actions)} actions are listed in all_actions"
        ) from None


def legal_mask(game: Game[S, A], state: S) -> NDArray[np.bool_]:
    """Return which actions are legal, as a bool array of shape (len(all_actions),) in the order of their numbers."""
    import numpy as np

    legal = set(game.actions(state))
    return np.array([action in legal for action in game.all_actions], np.bool_)


def starts_of(game: object) -> Distribution[Any]:
    """Return the first states of a game that lists them. Raises UsageError for any other game."""
    if isinstance(game, ListsStarts):
        return game.starts()
    raise UsageError(f"{type(game).__name__} does not list its first states: say from which state to start")


def rewards_of(game: object) -> Callable[[Any, Any], Sequence[Number]] | None:
    """Return the game's `rewards`, or None for a game that pays at its end only."""
    return game.rewards if isinstance(game, RewardingGame) else None
