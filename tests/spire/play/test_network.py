"""Networks in the search: their features, and the use of their outputs."""

import numpy as np
import pytest

from evodom.distribution import certain
from evodom.errors import UsageError
from evodom.spire.engine.compiler import Setup
from evodom.spire.engine.game import SpireFight
from evodom.spire.engine.layout import LATE
from evodom.spire.engine.moves import FIRST_CARD
from evodom.spire.fights import Payoff
from evodom.spire.play.estimates import MAX_RECORDED, SelfPlay, play_fights, play_trajectories
from evodom.spire.play.network import ABSENT, OTHER, FeatureSpec, Network, discover_features, n_weights, new_network
from evodom.spire.play.searcher import FightSearchOptions, FightTree, Searcher
from evodom.spire.play.tree_search import run_task
from tests.spire.engine.helpers import Table

GAME = SpireFight(Setup(enemies=certain(("Cultist",)), relics=()))


def features_of(game, n=6):
    rng = np.random.default_rng(1)
    return discover_features([game], [[game.start(rng) for _ in range(n)]], rng)


@pytest.fixture(scope="module")
def features():
    return features_of(GAME)


@pytest.fixture(scope="module")
def network(features):
    return new_network(features, 16, np.random.default_rng(2))


def test_discovered_features_are_those_that_change(features):
    inputs = set(features.inputs)

    assert {"hp 0", "hp 1", "energy", "block 0", "piles hand Bash", "piles draw Strike", "status 1 Ritual"} <= inputs
    assert {"intent 1 = Cultist Incantation 0", "row 1 = Cultist"} & inputs
    assert not {"status 2 Ritual", "powers Barricade", "turn"} & inputs
    assert features.outputs == (OTHER, "end", "Bash at enemy 1", "Strike at enemy 1", "Defend")


def test_inputs_are_scaled_to_one():
    game = SpireFight(Setup(enemies=certain(("Gremlin Nob",))))
    features = features_of(game)
    network = new_network(features, 8, np.random.default_rng(1))
    rng = np.random.default_rng(7)
    starts = [game.start(rng) for _ in range(4)]
    luck = rng.integers(2**64, size=(4, 2), dtype=np.uint64)
    budget, varied = FightSearchOptions(4, network=network), np.ones(4, np.bool_)
    _, notes = play_trajectories(game, starts, luck, Payoff(), budget, SelfPlay(features, varied, 0.25))
    seen = np.concatenate([one.features for one in notes])

    assert 0.9 < np.abs(seen).max() < 3.0
    assert (seen != 0).any(axis=0).mean() > 0.7


def test_features_are_bound_by_name(features):
    other = SpireFight(Setup(enemies=certain(("Cultist",)), relics=(), deck={"Anger": 1, "Bash": 1, "Strike": 9}))
    inputs, outputs = features.bind(other)

    assert inputs["kind"][features.inputs.index("piles hand Defend")] == ABSENT
    strike = FIRST_CARD + 6 * other.rules.kind("Strike") + 1
    assert features.outputs[outputs[strike]] == "Strike at enemy 1"
    anger = FIRST_CARD + 6 * other.rules.kind("Anger") + 1
    assert features.outputs[outputs[anger]] == OTHER
    assert features.first_unknown(other) == "Anger"
    assert features.first_unknown(GAME) == ""
    assert features.first_unknown(SpireFight(Setup(enemies=certain(("Jaw Worm",))))) == "Jaw Worm"


def biased(features, name, amount):
    """Return a network of zeros except for the bias of an output."""
    weights = np.zeros(n_weights(features, 8), np.float32)
    places = ["gain", "death", *features.outputs]
    weights[len(weights) - len(places) + places.index(name)] = amount
    return Network(features, 8, weights)


def test_visits_follow_the_priors_of_the_network(features):
    state = GAME.start(np.random.default_rng(5))

    def best_move(name):
        budget = FightSearchOptions(20, exploration=50.0, network=biased(features, name, 3.0))
        found = Searcher(GAME, options=budget).search(state, np.random.default_rng(1))
        return GAME.action_name(found[0].action), found

    assert best_move("Defend")[0] == "Defend"
    assert best_move("end")[0] == "end"
    assert len(best_move("Defend")[1]) == len(GAME.actions(state))


def test_values_are_the_payoff_of_a_win_now_plus_the_gain(features):
    searcher = Searcher(GAME, options=FightSearchOptions(2, network=biased(features, "gain", -0.2)))
    found = searcher.search(GAME.start(np.random.default_rng(5)), np.random.default_rng(1))

    assert found[0].value == pytest.approx(68 - 0.2 * 75)
    assert found[0].loss_probability == pytest.approx(0.5)


def test_finished_fights_have_exact_values():
    table = Table("Cultist 6, Dark Strike", hand="Strike, 2 Defend")
    network = new_network(features_of(table.game), 8, np.random.default_rng(1))
    searcher = Searcher(table.game, options=FightSearchOptions(60, network=network))
    found = searcher.search(table.state, np.random.default_rng(1))
    strike = FIRST_CARD + 6 * table.game.rules.kind("Strike") + 1

    assert {one.action: (one.value, one.loss_probability) for one in found}[strike] == (50, 0)


def test_trajectories_do_not_depend_on_the_number_of_threads(features, network):
    rng = np.random.default_rng(3)
    starts = [GAME.start(rng) for _ in range(5)]
    luck = rng.integers(2**64, size=(5, 2), dtype=np.uint64)
    varied = np.array([True, False, True, True, False])
    budget = FightSearchOptions(10, network=network)
    how = SelfPlay(features, varied, 0.25)
    one, three = (play_trajectories(GAME, starts, luck, Payoff(), budget, how, n) for n in (1, 3))

    assert one[0].tobytes() == three[0].tobytes()
    for mine, theirs in zip(one[1], three[1], strict=True):
        assert mine.features.tobytes() == theirs.features.tobytes()
        assert mine.visit_shares.tobytes() == theirs.visit_shares.tobytes()
        assert mine.steps.tobytes() == theirs.steps.tobytes()
    straight = play_fights(GAME, starts, luck, Payoff(), budget)
    assert one[0][~varied].tobytes() == straight[~varied].tobytes()
    assert one[0].tobytes() != straight.tobytes()


def test_trajectories_record_visit_shares_of_legal_moves(features, network):
    rng = np.random.default_rng(3)
    luck = rng.integers(2**64, size=(1, 2), dtype=np.uint64)
    how = SelfPlay(features, np.zeros(1, np.bool_), 0.0)
    results, (notes,) = play_trajectories(GAME, [GAME.start(rng)], luck, Payoff(), FightSearchOptions(), how)

    assert len(notes.steps) == results[0]["n_moves"]
    legal = notes.visit_shares >= 0
    assert legal[:, features.outputs.index("end")].all()
    assert np.where(legal, notes.visit_shares, 0).sum(axis=1) == pytest.approx(1.0)
    assert not legal[:, 0].any()
    assert notes.steps["best"].all()
    assert (notes.steps["value_if_won"] <= 68).all()


def test_long_fights_are_recorded_up_to_the_capacity_and_lost():
    game = SpireFight(Setup(enemies=certain(("Shield Gremlin",)), deck={"Defend": 12}, relics=()))
    rng = np.random.default_rng(1)
    budget, how = FightSearchOptions(4, playouts=1), SelfPlay(features_of(game), np.zeros(1, bool), 0.0)
    starts, luck = [game.start(rng)], np.ones((1, 2), np.uint64)
    (result,), (notes,) = play_trajectories(game, starts, luck, Payoff(), budget, how)

    assert result["over"] == LATE
    assert len(notes.steps) == result["n_moves"] <= MAX_RECORDED


def test_one_kernel_searches_with_and_without_a_network(network):
    state = GAME.start(np.random.default_rng(5))
    for budget in (FightSearchOptions(3), FightSearchOptions(3, network=network)):
        Searcher(GAME, options=budget).search(state, np.random.default_rng(1))

    assert len(getattr(run_task, "overloads", [0])) == 1


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda weights: weights[1:], "numbers is needed"),
        (lambda weights: weights.astype(np.float64), "numbers is needed"),
        (lambda weights: np.where(np.arange(len(weights)) == 3, np.nan, weights).astype(np.float32), "beyond"),
        (lambda weights: weights + np.float32(1e6), "beyond"),
    ],
)
def test_invalid_weights_are_refused(network, change, what):
    with pytest.raises(UsageError, match=what):
        Network(network.features, network.width, change(network.weights))


def test_invalid_widths_are_refused(features):
    with pytest.raises(UsageError, match="8 to 1024 wide, got 4"):
        new_network(features, 4, np.random.default_rng(1))


def test_trajectories_without_features_are_empty():
    assert FightTree().buffers.steps.shape == (0,)
    assert FeatureSpec((), (), (OTHER,)).bind(GAME)[1].sum() == 0
