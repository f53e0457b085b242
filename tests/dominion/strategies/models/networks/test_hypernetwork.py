"""The hypernetwork: a linear map from the general network to a kingdom's network, and its gradient."""

import numpy as np

from benchmarks.general_training import TrainableHypernetwork, new_general
from evodom.dominion.cards import KINGDOM_CARDS
from evodom.dominion.engine.observation import IN_HAND, N_PILE_PARTS, ONE, OWNED, SCALAR_SCALES
from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.dominion.strategies.models.networks import layers
from evodom.dominion.strategies.models.networks.hypernetwork import (
    GENERAL,
    N_GENERAL,
    SIZES,
    CardHypernetwork,
    Sizes,
    extended,
    layout,
)
from evodom.dominion.strategies.models.networks.traits import CARD_COLUMNS, PASSING, SHARED_COLUMNS

OTHER = Kingdom(("Chapel", "Witch", "Laboratory"))
WITH_OPTIONS = Kingdom(("Nobles", "Pawn", "Platinum"))


def drawn(n: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).normal(0.0, 0.1, n).astype(np.float32)


def blank() -> tuple[np.ndarray, np.ndarray]:
    """Return a general network of zeros, and the same numbers by name."""
    general = np.zeros(N_GENERAL, np.float32)
    return general, general.view(GENERAL)[0]


def test_the_gradient_is_the_adjoint_of_the_weights():
    for kingdom in (FIRST_GAME, OTHER, WITH_OPTIONS):
        hypernetwork, general, weights = TrainableHypernetwork(kingdom), drawn(N_GENERAL, 7), drawn(layers.N_WEIGHTS, 2)

        there = hypernetwork.weights(general).astype(float) @ weights.astype(float)
        back = general.astype(float) @ hypernetwork.gradient(weights).astype(float)

        assert abs(there) > 0.1
        np.testing.assert_allclose(there, back, rtol=1e-4)


def test_weights_are_linear_and_do_not_depend_on_the_order_of_cards():
    hypernetwork, one, other = CardHypernetwork(OTHER), drawn(N_GENERAL, 3), drawn(N_GENERAL, 4)
    names = [card.name for card in KINGDOM_CARDS[:10]]
    forward, backward = (CardHypernetwork(Kingdom(tuple(order))) for order in (names, names[::-1]))

    total = hypernetwork.weights(one) + hypernetwork.weights(other)
    np.testing.assert_allclose(hypernetwork.weights(one + other), total, atol=1e-5)
    assert (forward.weights(one) == backward.weights(one)).all()


def test_the_weight_of_a_trait_applies_to_all_cards_with_it():
    general, network = blank()
    network["worths"][layers.GAIN, list(SCALAR_SCALES).index("one"), SHARED_COLUMNS.index("Attack")] = 2.0

    worth = layers.network_arrays(CardHypernetwork(OTHER).weights(general))["inputs"][
        layers.GAIN, ONE, layers.FIRST_OUTPUT : layers.FIRST_OUTPUT + layers.PASS_OUTPUT + 1
    ]

    assert worth.nonzero()[0].tolist() == [OTHER.pile("Witch")]
    assert worth.max() == 2.0


def test_weights_of_pairs_of_the_same_pile_and_of_passing():
    general, network = blank()
    network["pairs"][layers.TRASH, OWNED // 17, SHARED_COLUMNS.index("Attack"), SHARED_COLUMNS.index(PASSING)] = 3.0
    network["same"][layers.TRASH, IN_HAND // 17, SHARED_COLUMNS.index("trashes from hand")] = 5.0

    inputs = layers.network_arrays(CardHypernetwork(OTHER).weights(general))["inputs"]

    witch, chapel = OTHER.pile("Witch"), OTHER.pile("Chapel")
    assert inputs[layers.TRASH, OWNED + witch, layers.FIRST_OUTPUT + layers.PASS_OUTPUT] == 3.0
    assert inputs[layers.TRASH, IN_HAND + chapel, layers.FIRST_OUTPUT + chapel] == 5.0
    assert np.count_nonzero(inputs) == 2


def test_an_option_has_the_weights_of_its_effects():
    general, network = blank()
    network["worths"][:, list(SCALAR_SCALES).index("one"), SHARED_COLUMNS.index("Actions")] = 2.0
    network["pairs"][
        layers.OPTION, IN_HAND // 20, SHARED_COLUMNS.index("terminal"), SHARED_COLUMNS.index("Actions")
    ] = 3.0
    kingdom = Kingdom(("Nobles", "Pawn", "Smithy"))

    options = layers.network_arrays(CardHypernetwork(kingdom).weights(general))["inputs"][
        layers.OPTION, :, layers.FIRST_OUTPUT :
    ]

    assert options[ONE].nonzero()[0].tolist() == [1, 5], "+1 Action of Pawn, +2 Actions of Nobles"
    assert options[ONE, [1, 5]].tolist() == [1.0, 2.0]
    assert options[IN_HAND + kingdom.pile("Smithy"), [1, 5]].tolist() == [1.5, 3.0]


def test_a_grown_network_has_the_same_policy_without_the_new_columns():
    sizes = Sizes(SHARED_COLUMNS.index(PASSING) + 1, 32, len(SCALAR_SCALES) - 3, layers.OPTION)
    smaller = drawn(layout(sizes).itemsize // 4, 5)
    kingdom = Kingdom(CARD_COLUMNS[:10])
    general = extended(smaller, sizes)

    assert (extended(general, SIZES) == general).all()
    network, source = general.view(GENERAL)[0], smaller.view(layout(sizes))[0]
    made = layers.network_arrays(CardHypernetwork(kingdom).weights(general))
    assert not made["inputs"][layers.OPTION].any()
    assert not made["inputs"][:, -3:].any()
    assert (made["critic"][: layers.OPTION] == source["critic"]).all()
    # The columns of cards follow all shared columns.
    own = len(SHARED_COLUMNS) + 1
    assert (network["cards"][: layers.OPTION, :, own] == source["cards"][:, :, sizes.shared + 1]).all()
    assert (network["pairs"][: layers.OPTION, :, : sizes.shared, : sizes.shared] == source["pairs"]).all()
    assert np.count_nonzero(network["worths"]) == np.count_nonzero(source["worths"])


def test_weights_of_units_outputs_and_the_critic():
    general, network = blank()
    network["cards"][layers.GAIN, :, SHARED_COLUMNS.index("Attack"), 0] = 1.0
    network["singles"][layers.GAIN, list(SCALAR_SCALES).index("one"), -1] = 4.0
    network["outputs"][layers.GAIN, 7, SHARED_COLUMNS.index(PASSING)] = 6.0
    network["critic"][layers.GAIN, 3] = 8.0

    made = layers.network_arrays(CardHypernetwork(OTHER).weights(general))

    assert made["inputs"][layers.GAIN, :, 0].sum() == N_PILE_PARTS
    assert made["inputs"][layers.GAIN, ONE, layers.VALUE_COLUMN] == 4.0
    assert made["outputs"][layers.GAIN, layers.PASS_OUTPUT, 7] == 6.0
    assert made["critic"][layers.GAIN, 3] == 8.0
    assert np.count_nonzero(made["outputs"]) == np.count_nonzero(made["critic"]) == 1


def test_a_new_network_has_a_uniform_policy():
    made = layers.network_arrays(CardHypernetwork(FIRST_GAME).weights(new_general(np.random.default_rng(1))))

    assert not made["outputs"].any()
    assert not made["inputs"][..., layers.FIRST_OUTPUT : layers.FIRST_OUTPUT + layers.PASS_OUTPUT + 1].any()
    assert not made["inputs"][..., layers.VALUE_COLUMN].any()
    assert made["inputs"][..., 0].any()
    assert 2 * N_GENERAL <= 2_000_000  # bytes of the shipped file, in half precision
