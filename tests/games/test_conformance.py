"""The conformance check passes games that keep the contract and finds each fault."""

import numpy as np
import pytest

from evodom.distribution import Distribution, certain, uniform, weighted
from evodom.games import ListedGame
from tests.games.checker import RULES, ConformanceError
from tests.games.conformance import check
from tests.games.strangers import HighCard, Pig


def test_games_that_keep_the_contract_pass():
    listed = check(Pig(), np.random.default_rng(1), n_games=5, n_samples=200)
    hidden = check(HighCard(), np.random.default_rng(1), n_games=5)

    assert (listed.n_games, listed.n_redeals) == (5, 0)
    assert listed.n_states > 30
    assert listed.n_distributions > 5
    assert hidden.n_redeals == 5 * 3 * 2  # games, states of a game, seats
    assert hidden.n_distributions == 0


class Board:
    """A state that its game can change by mistake."""

    def __init__(self, left):
        self.left = left

    def __eq__(self, other):
        return self.left == other.left

    __hash__ = None


class Countdown:
    """Take one or two from ten; the state is a `Board`."""

    n_players = 1
    all_actions = (1, 2)

    def start(self, rng):
        return Board(10)

    def player(self, state):
        return 0

    def actions(self, state):
        return tuple(n for n in (1, 2) if n <= state.left)

    def sample(self, state, action, rng):
        return Board(state.left - action)

    def returns(self, state):
        return (1,)

    def action_name(self, action):
        return str(action)


class ActionsInChangingOrder(Countdown):
    n_calls = 0

    def actions(self, state):
        self.n_calls += 1
        return tuple(sorted(super().actions(state), reverse=bool(self.n_calls % 2)))


class NumbersInChangingOrder(Countdown):
    n_calls = 0

    @property
    def all_actions(self):
        self.n_calls += 1
        return (1, 2) if self.n_calls % 2 else (2, 1)


class ChangesTheState(Countdown):
    def sample(self, state, action, rng):
        state.left -= action
        return Board(state.left)


class ChangesTheStateInReturns(Countdown):
    def returns(self, state):
        state.left -= 1
        return (1,)


class ChangesAnEarlierState(Countdown):
    def sample(self, state, action, rng):
        self.shared = Board(state.left - action) if state.left == 10 else self.shared
        old, self.shared = self.shared, Board(state.left - action)
        old.left = 0
        return self.shared


class LoadedDie(Pig):
    def sample(self, state, action, rng):
        likely = weighted((after, 2 if after[2] else 1) for after, _ in self.outcomes(state, action))
        return likely.sample(rng)


class SeventhSide(Pig):
    def sample(self, state, action, rng):
        after = super().sample(state, action, rng)
        return (*after[:2], after[2] + 6 * (after[2] == 12), after[3])


class LosesACard(HighCard):
    def redeal(self, state, seat, rng):
        hands, deck, played = super().redeal(state, seat, rng)
        return hands, deck[1:], played


class KeepsTheHand(HighCard):
    """Redeals the deck's order, which makes states differ, but not the other hand."""

    def redeal(self, state, seat, rng):
        hands, deck, played = state
        return hands, tuple(int(card) for card in rng.permutation(deck)), played


OWN_RNG = np.random.default_rng(5)


def listing(change):
    """Return `outcomes` of Pig with changed pairs or total."""

    def outcomes(self, state, action):
        pairs, total = change(Pig.outcomes(self, state, action), state)
        return Distribution(pairs, total, merged=True)

    return outcomes


class Unhashable(Pig):
    outcomes = listing(lambda d, state: ([*d.pairs, ([], 1)], d.total + 1))

    def sample(self, state, action, rng):
        return Pig.outcomes(self, state, action).sample(rng)


class SamplesFromOwnRng(Countdown):
    def sample(self, state, action, rng):
        return Board(state.left - int(OWN_RNG.integers(1, action + 1)))


class LoadedStart(Pig):
    def starts(self):
        return uniform([(0, (0, 0), 0, 8), (1, (0, 0), 0, 8)])

    def start(self, rng):
        return int(rng.random() < 0.3), (0, 0), 0, 8


class HiddenInJson(HighCard):
    def observe(self, state, seat):
        return super().observe(state, seat) | {"deck": list(state[1])}


class ActionsDependOnHiddenCards(HighCard):
    def actions(self, state):
        return super().actions(state)[-1 if 6 in state[1] else 0 :]


def broken(rule, game, name="", **methods):
    """Return a rule and a game that breaks it: this one, or one of this name with other methods."""
    return rule, type(name, (game,), methods) if name else game


BROKEN = [
    broken("methods", object, "NoMethods", n_players=1, all_actions=(1,), start=None, actions=None),
    broken("methods", HighCard, "NoMaterial", material=property()),  # raises AttributeError
    broken("numbered", Countdown, "NumberedTwice", all_actions=(1, 2, 2)),
    broken("numbered", NumbersInChangingOrder),
    broken("named", Countdown, "EqualNames", action_name=lambda self, action: "take"),
    broken("named", Countdown, "EmptyNames", action_name=lambda self, action: ""),
    broken("legal", Countdown, "UnknownAction", actions=lambda self, state: (1, 2, 3) if state.left else ()),
    broken("legal", Countdown, "ActionTwice", actions=lambda self, state: (1, 1) if state.left else ()),
    broken("legal", ActionsInChangingOrder),
    broken("turn", Countdown, "UnknownPlayer", player=lambda self, state: 1),
    broken("ends", Countdown, "NeverEnds", sample=lambda self, state, action, rng: Board(state.left)),
    *(broken("unchanged", game) for game in (ChangesTheState, ChangesTheStateInReturns, ChangesAnEarlierState)),
    broken("unchanged", Countdown, "Incomparable", start=lambda self, rng: type("State", (), {"left": 10})()),
    broken("repeatable", SamplesFromOwnRng),
    broken("repeatable", HighCard, "RedealsFromOwnRng", redeal=lambda *given: HighCard.redeal(*given[:3], OWN_RNG)),
    broken("pays", Countdown, "PaysTooMany", returns=lambda self, state: (1, 2)),
    broken("pays", Countdown, "PaysInfinity", returns=lambda self, state: (float("inf"),)),
    broken("pays", Countdown, "NoRewards", rewards=lambda self, state, action: ()),
    broken("listed", Pig, "ZeroWeight", outcomes=listing(lambda d, state: ([*d.pairs, (state, 0)], d.total))),
    broken("listed", Pig, "WrongTotal", outcomes=listing(lambda d, state: (d.pairs, d.total + 1))),
    broken("listed", Unhashable),
    *(broken("sampled", game) for game in (LoadedDie, SeventhSide, LoadedStart)),
    broken("observed", HighCard, "TuplesInJson", observe=lambda self, state, seat: {"hand": state[0][seat]}),
    broken("observed", HighCard, "ArraysInJson", observe=lambda self, state, seat: {"hand": np.array([1])}),
    broken("redealt", HiddenInJson),
    broken("redealt", ActionsDependOnHiddenCards),
    broken("conserved", LosesACard),
    broken("redrawn", HighCard, "RedealsNothing", redeal=lambda self, state, seat, rng: state),
    broken("redrawn", KeepsTheHand),
]
GAMES = {game.__name__: (rule, game) for rule, game in BROKEN}


@pytest.mark.parametrize("name", GAMES)
def test_the_broken_rule_is_named(name):
    rule, game = GAMES[name]

    with pytest.raises(ConformanceError, match=name) as caught:
        check(game(), np.random.default_rng(1), max_actions=200)

    assert caught.value.rule == rule
    assert RULES[rule] in str(caught.value)


def test_every_rule_has_a_game_that_breaks_it():
    assert {rule for rule, _ in GAMES.values()} == set(RULES)


def test_states_may_be_compared_by_a_given_snapshot():
    class Plain:
        def __init__(self, left):
            self.left = left

    class OnPlainStates(Countdown):
        def start(self, rng):
            return Plain(10)

        def sample(self, state, action, rng):
            return Plain(state.left - action)

    assert check(OnPlainStates(), np.random.default_rng(1), snapshot=lambda state: state.left).n_games == 20


def test_numpy_records_are_compared_by_their_bytes():
    record = np.dtype([("left", np.int32)])

    class OnRecords(Countdown):
        def start(self, rng):
            return np.array((10,), record)[()]

        def actions(self, state):
            return tuple(n for n in (1, 2) if n <= state["left"])

        def sample(self, state, action, rng):
            after = state.copy()
            after["left"] -= action
            return after

    class InPlace(OnRecords):
        def sample(self, state, action, rng):
            state["left"] -= action
            return state.copy()

    assert check(OnRecords(), np.random.default_rng(1)).n_games == 20
    with pytest.raises(ConformanceError, match="changed the state it was given"):
        check(InPlace(), np.random.default_rng(1))


def test_a_game_that_is_over_at_the_start_passes():
    class Nothing(ListedGame):
        all_actions = ("wait",)

        def starts(self):
            return certain("over")

        def actions(self, state):
            return ()

        def outcomes(self, state, action):
            return certain(state)

        def returns(self, state):
            return (0,)

    assert check(Nothing(), np.random.default_rng(1)).n_states == 20
