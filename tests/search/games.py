"""Small games to search: some by the contract's protocols alone, without its base class."""

from itertools import combinations

from evodom.distribution import certain
from evodom.games import ListedGame
from tests.games.strangers import Pig

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class ShortPig(Pig):
    """Pig in which who has enough to win stops, so that it has few enough states to be solved."""

    def actions(self, state):
        player, points, turn, _ = state
        legal = super().actions(state)
        return ("stop",) if legal and turn and points[player] + turn >= 12 else legal


class TicTacToe:
    """A game that lists nothing. A state is nine of X, O and dot, from the upper left."""

    n_players = 2
    all_actions = tuple(range(9))

    def start(self, rng):
        return "." * 9

    def player(self, state):
        return (state.count("X") - state.count("O")) % 2

    def actions(self, state):
        return () if _winner(state) else tuple(i for i, mark in enumerate(state) if mark == ".")

    def sample(self, state, action, rng):
        return state[:action] + "XO"[self.player(state)] + state[action + 1 :]

    def returns(self, state):
        return {"X": (1, 0), "O": (0, 1), None: (0.5, 0.5)}[_winner(state)]

    def action_name(self, action):
        return str(action)


class Shared(ListedGame):
    """Three players: the first chooses which of the others is to divide, who then chooses who gets what."""

    n_players = 3
    all_actions = ("ask 1", "ask 2", "fair", "greedy")
    pays = {  # noqa: RUF012  # a table that nobody changes
        ("ask 1", "fair"): (9, 1, 1),
        ("ask 1", "greedy"): (0, 5, 0),
        ("ask 2", "fair"): (3, 3, 3),
        ("ask 2", "greedy"): (9, 9, 2),
    }

    def starts(self):
        return certain(())

    def player(self, state):
        return 0 if not state else int(state[0][-1])

    def actions(self, state):
        return (self.all_actions[:2], self.all_actions[2:], ())[len(state)]

    def outcomes(self, state, action):
        return certain((*state, action))

    def returns(self, state):
        return self.pays[state]


class Corridor(ListedGame):
    """Five rooms in a row, in which one may go round in circles: each step costs 1, the way out is beyond the last."""

    all_actions = ("left", "right")

    def starts(self):
        return certain(2)

    def actions(self, state):
        return () if state == 5 else self.all_actions

    def outcomes(self, state, action):
        return certain(max(state - 1, 0) if action == "left" else state + 1)

    def rewards(self, state, action):
        return (-1,)

    def returns(self, state):
        return (10,)


class Picking:
    """Pick three of five numbers, in any order: the sum is paid, and 10 more for 1, 2 and 4.

    `kind` makes a state of the numbers picked: a frozenset (equal states are equal), a list (which cannot be hashed) or
    `Box` (which is equal to itself only).
    """

    n_players = 1
    all_actions = (1, 2, 3, 4, 5)

    def __init__(self, kind):
        self.kind = kind

    def start(self, rng):
        return self.kind(())

    def player(self, state):
        return 0

    def actions(self, state):
        picked = tuple(state)
        return tuple(n for n in self.all_actions if n not in picked) if len(picked) < 3 else ()

    def sample(self, state, action, rng):
        return self.kind((*state, action))

    def returns(self, state):
        return (sum(state) + 10 * (set(state) == {1, 2, 4}),)

    def action_name(self, action):
        return str(action)


N_PICKED = sum(len(list(combinations(range(5), n))) for n in range(4))
"""How many different states there are in `Picking`."""


class Box:
    """Holds numbers, and compares by identity."""

    def __init__(self, numbers):
        self.numbers = numbers

    def __iter__(self):
        return iter(self.numbers)


def _winner(state):
    return next((state[a] for a, b, c in LINES if state[a] == state[b] == state[c] != "."), None)
