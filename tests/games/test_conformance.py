"""The conformance kit passes games that keep the contract, and catches each way of breaking it.

Chi-square tests, against SciPy and on samples drawn on purpose.
"""

import numpy as np
import pytest
from scipy.stats import chi2, chi2_contingency, chisquare

from evodom.distribution import Distribution, certain, uniform, weighted
from evodom.games import ListedGame
from evodom.games.checker import chi_square_tail, fit_p_value, same_p_value
from evodom.games.conformance import RULES, ConformanceError, check
from tests.games.strangers import HighCard, Pig


def test_a_game_that_lists_its_outcomes_passes():
    looked_at = check(Pig(), np.random.default_rng(1), n_games=5, n_samples=200)

    assert looked_at.n_games == 5
    assert looked_at.n_states > 30
    assert looked_at.n_distributions > 5
    assert looked_at.n_redeals == 0


def test_a_game_with_hidden_cards_passes():
    looked_at = check(HighCard(), np.random.default_rng(1), n_games=5)

    assert looked_at.n_redeals == 5 * 3 * 2  # games, states of a game, seats
    assert looked_at.n_distributions == 0


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


class WithoutNames:
    n_players, all_actions = 1, (1,)
    start = player = actions = sample = returns = None


class WithoutMaterial(HighCard):
    material = property()  # as good as missing: asking for it raises AttributeError


class NumberedTwice(Countdown):
    all_actions = (1, 2, 2)


class NumberedAnew(Countdown):
    n_asked = 0

    @property
    def all_actions(self):
        self.n_asked += 1
        return (1, 2) if self.n_asked % 2 else (2, 1)


class NamedAlike(Countdown):
    def action_name(self, action):
        return "take"


class NamedNothing(Countdown):
    def action_name(self, action):
        return ""


class ActsUnknown(Countdown):
    def actions(self, state):
        return (1, 2, 3) if state.left > 2 else super().actions(state)


class ActsTwice(Countdown):
    def actions(self, state):
        return (1, 1) if state.left else ()


class ActsInAnyOrder(Countdown):
    n_asked = 0

    def actions(self, state):
        self.n_asked += 1
        return tuple(sorted(super().actions(state), reverse=bool(self.n_asked % 2)))


class TurnOfNobody(Countdown):
    def player(self, state):
        return 1


class GoesOn(Countdown):
    def sample(self, state, action, rng):
        return Board(state.left)


class ChangesTheState(Countdown):
    def sample(self, state, action, rng):
        state.left -= action
        return Board(state.left)


class ChangesItWhenAsked(Countdown):
    def returns(self, state):
        state.left -= 1
        return (1,)


class SharesItsState(Countdown):
    """Changes the state that it returned last whenever it returns a new one."""

    def sample(self, state, action, rng):
        self.shared = Board(state.left - action) if state.left == 10 else self.shared
        old, self.shared = self.shared, Board(state.left - action)
        old.left = 0
        return self.shared


class Incomparable(Countdown):
    def start(self, rng):
        return object.__new__(type("State", (), {"left": 10}))


class DrawsFromElsewhere(Countdown):
    elsewhere = np.random.default_rng(5)

    def sample(self, state, action, rng):
        return Board(state.left - int(self.elsewhere.integers(1, action + 1)))


class PaysTooMany(Countdown):
    def returns(self, state):
        return (1, 2)


class PaysInfinity(Countdown):
    def returns(self, state):
        return (float("inf"),)


class RewardsNobody(Countdown):
    def rewards(self, state, action):
        return ()


class WeightlessDie(Pig):
    def outcomes(self, state, action):
        listed = super().outcomes(state, action)
        return Distribution([*listed.pairs, (state, 0)], listed.total, merged=True)


class WrongTotal(Pig):
    def outcomes(self, state, action):
        listed = super().outcomes(state, action)
        return Distribution(listed.pairs, listed.total + 1, merged=True)


class Unhashable(ListedGame):
    all_actions = ("go",)

    def starts(self):
        return Distribution([([2], 1)], 1, merged=True)

    def actions(self, state):
        return ("go",) if state[0] else ()

    def outcomes(self, state, action):
        return Distribution([([state[0] - 1], 1)], 1, merged=True)

    def returns(self, state):
        return (0,)

    def start(self, rng):
        return [2]

    def sample(self, state, action, rng):
        return [state[0] - 1]


class LoadedDie(Pig):
    def sample(self, state, action, rng):
        likely = weighted((after, 2 if after[2] else 1) for after, _ in self.outcomes(state, action))
        return likely.sample(rng)


class SeventhSide(Pig):
    def sample(self, state, action, rng):
        after = super().sample(state, action, rng)
        return (*after[:2], after[2] + 6 * (after[2] == 12), after[3])


class LoadedStart(Pig):
    def starts(self):
        return uniform([(0, (0, 0), 0, 8), (1, (0, 0), 0, 8)])

    def start(self, rng):
        return (int(rng.random() < 0.3), (0, 0), 0, 8)


class ShortLayout(HighCard):
    observation_layout = HighCard.observation_layout[1:]


class LayoutTwice(HighCard):
    observation_layout = ("hand",) * 12


class InDoubles(HighCard):
    def observe(self, state, seat):
        return super().observe(state, seat).astype(float)


class NotFinite(HighCard):
    def observe(self, state, seat):
        return np.full(12, np.nan, np.float32)


class TellsTuples(HighCard):
    def observe_json(self, state, seat):
        return {"hand": state[0][seat]}


class TellsObjects(HighCard):
    def observe_json(self, state, seat):
        return {"hand": np.array(state[0][seat])}


class PeeksInArray(HighCard):
    def observe(self, state, seat):
        return super().observe(state, 1 - seat)


class PeeksInJson(HighCard):
    def observe_json(self, state, seat):
        return super().observe_json(state, seat) | {"deck": list(state[1])}


class ForcedByHiddenCards(HighCard):
    """Only the higher card of the hand may be played if the six is in the deck, which nobody can know."""

    def actions(self, state):
        allowed = super().actions(state)
        return allowed[-1:] if 6 in state[1] else allowed


class LosesACard(HighCard):
    def redeal(self, state, seat, rng):
        hands, deck, played = super().redeal(state, seat, rng)
        return hands, deck[1:], played


class RedealsNothing(HighCard):
    def redeal(self, state, seat, rng):
        return state


class KeepsTheHand(HighCard):
    """Redeals the deck's order but leaves the other hand as it is: the order is what makes states differ."""

    def redeal(self, state, seat, rng):
        hands, deck, played = state
        return hands, tuple(int(card) for card in rng.permutation(deck)), played


class RedealsFromElsewhere(HighCard):
    elsewhere = np.random.default_rng(5)

    def redeal(self, state, seat, rng):
        return super().redeal(state, seat, self.elsewhere)


BROKEN = {
    WithoutNames: "methods",
    WithoutMaterial: "methods",
    NumberedTwice: "numbered",
    NumberedAnew: "numbered",
    NamedAlike: "named",
    NamedNothing: "named",
    ActsUnknown: "legal",
    ActsTwice: "legal",
    ActsInAnyOrder: "legal",
    TurnOfNobody: "turn",
    GoesOn: "ends",
    ChangesTheState: "unchanged",
    ChangesItWhenAsked: "unchanged",
    SharesItsState: "unchanged",
    Incomparable: "unchanged",
    DrawsFromElsewhere: "repeatable",
    PaysTooMany: "pays",
    PaysInfinity: "pays",
    RewardsNobody: "pays",
    WeightlessDie: "listed",
    WrongTotal: "listed",
    Unhashable: "listed",
    LoadedDie: "sampled",
    SeventhSide: "sampled",
    LoadedStart: "sampled",
    ShortLayout: "observed",
    LayoutTwice: "observed",
    InDoubles: "observed",
    NotFinite: "observed",
    TellsTuples: "observed",
    TellsObjects: "observed",
    PeeksInArray: "redealt",
    PeeksInJson: "redealt",
    ForcedByHiddenCards: "redealt",
    LosesACard: "conserved",
    RedealsNothing: "redrawn",
    KeepsTheHand: "redrawn",
    RedealsFromElsewhere: "repeatable",
}


@pytest.mark.parametrize("game", BROKEN, ids=lambda game: game.__name__)
def test_a_broken_rule_is_named(game):
    with pytest.raises(ConformanceError, match=game.__name__) as caught:
        check(game(), np.random.default_rng(1), max_actions=200)

    assert caught.value.rule == BROKEN[game]
    assert RULES[BROKEN[game]] in str(caught.value)


def test_every_rule_has_a_game_that_breaks_it():
    assert set(BROKEN.values()) == set(RULES)


def test_states_of_one_kind_may_be_compared_by_a_snapshot_of_ones_own():
    class Plain:
        def __init__(self, left):
            self.left = left

    class OnPlainStates(Countdown):
        def start(self, rng):
            return Plain(10)

        def sample(self, state, action, rng):
            return Plain(state.left - action)

    assert check(OnPlainStates(), np.random.default_rng(1), snapshot=lambda state: state.left).n_games == 20


def test_records_of_numpy_are_compared_by_their_bytes():
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


def test_a_game_that_is_over_at_once_passes():
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


@pytest.mark.parametrize("degrees", [1, 2, 3, 6, 31, 400])
@pytest.mark.parametrize("share", [0.1, 0.9, 1.0, 1.6, 3.0])
def test_the_tail_is_that_of_scipy(degrees, share):
    assert chi_square_tail(share * degrees, degrees) == pytest.approx(chi2.sf(share * degrees, degrees), rel=1e-9)


def test_a_fit_is_that_of_scipy_where_nothing_needs_to_be_pooled():
    samples = ["a"] * 30 + ["b"] * 45 + ["c"] * 25

    found = fit_p_value(samples, [("a", 0.25), ("b", 0.5), ("c", 0.25)])

    assert found == pytest.approx(chisquare([30, 45, 25], [25, 50, 25]).pvalue, rel=1e-9)


def test_two_samples_are_compared_as_scipy_does():
    found = same_p_value(["a"] * 30 + ["b"] * 70, ["a"] * 50 + ["b"] * 50)

    expected = chi2_contingency([[30, 70], [50, 50]], correction=False).pvalue
    assert found == pytest.approx(expected, rel=1e-9)


def test_rare_outcomes_are_pooled():
    chances = [(i, 1 / 1000) for i in range(1000)]
    rng = np.random.default_rng(1)

    fair = fit_p_value(rng.integers(0, 1000, 2000).tolist(), chances)
    unfair = fit_p_value(rng.integers(0, 800, 2000).tolist(), chances)

    assert fair > 1e-3
    assert unfair < 1e-6


def test_a_single_outcome_fits():
    assert fit_p_value(["a"] * 10, [("a", 1.0)]) == 1
    assert same_p_value(["a"] * 10, ["a"] * 10) == 1
