"""Three games that use only the contract: Pig and Nim with listed outcomes, High Card with hidden hands."""

from evodom.distribution import certain, uniform
from evodom.games import ListedGame


class Pig(ListedGame):
    """Two players throw a die until they stop. A 1 loses the points of the turn. The first with 12 points wins.

    A state is (whose turn, points of both, points of this turn, turns left).
    """

    n_players = 2
    all_actions = ("throw", "stop")

    def starts(self):
        return certain((0, (0, 0), 0, 8))

    def player(self, state):
        return state[0]

    def actions(self, state):
        _, points, turn, left = state
        if max(points) >= 12 or not left:
            return ()
        return ("throw", "stop") if turn else ("throw",)

    def outcomes(self, state, action):
        player, points, turn, left = state
        if action == "throw":
            lost = (1 - player, points, 0, left - 1)
            return uniform(range(1, 7)).map(lambda die: lost if die == 1 else (player, points, turn + die, left))
        mine = tuple(n + turn * (seat == player) for seat, n in enumerate(points))
        return certain((1 - player, mine, 0, left - 1))

    def returns(self, state):
        _, (one, other), _, _ = state
        return (1, 0) if one > other else (0, 1) if one < other else (0.5, 0.5)


class Nim(ListedGame):
    """Take one to three matches. The player of the last match wins. A state is (matches left, player)."""

    n_players = 2
    all_actions = (1, 2, 3)

    def starts(self):
        return certain((10, 0))

    def player(self, state):
        return state[1]

    def actions(self, state):
        return tuple(range(1, min(3, state[0]) + 1))

    def outcomes(self, state, action):
        return certain((state[0] - action, 1 - state[1]))

    def returns(self, state):
        return (state[1], 1 - state[1])


class HighCard:
    """Two players with two of six cards each: both play one, the higher card wins. Two cards stay in the deck.

    A state is (hands of both, deck, cards played).
    """

    n_players = 2
    all_actions = (1, 2, 3, 4, 5, 6)

    def start(self, rng):
        cards = [int(card) for card in rng.permutation(6) + 1]
        return (tuple(sorted(cards[:2])), tuple(sorted(cards[2:4]))), tuple(sorted(cards[4:])), ()

    def player(self, state):
        return len(state[2])

    def actions(self, state):
        return state[0][self.player(state)] if self.player(state) < 2 else ()

    def sample(self, state, action, rng):
        hands, deck, played = state
        player = self.player(state)
        left = tuple(card for card in hands[player] if card != action)
        return ((left, hands[1]) if player == 0 else (hands[0], left)), deck, (*played, action)

    def returns(self, state):
        one, other = state[2]
        return (1, 0) if one > other else (0, 1)

    def action_name(self, action):
        return f"card {action}"

    def observe(self, state, seat):
        return {"hand": list(state[0][seat]), "played": list(state[2])}

    def redeal(self, state, seat, rng):
        hands, deck, played = state
        unseen = sorted((*hands[1 - seat], *deck))
        drawn = [unseen[i] for i in rng.permutation(len(unseen))]
        n = len(hands[1 - seat])
        dealt, rest = tuple(sorted(drawn[:n])), tuple(sorted(drawn[n:]))
        return ((hands[0], dealt) if seat == 0 else (dealt, hands[1])), rest, played

    def material(self, state):
        hands, deck, played = state
        return tuple(map(len, hands)), tuple(sorted((*hands[0], *hands[1], *deck, *played)))
