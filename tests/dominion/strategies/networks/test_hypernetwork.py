"""The network of all kingdoms: what it makes of a kingdom, and the way back."""

import numpy as np

from evodom.dominion.cards import KINGDOM_CARDS
from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.dominion.strategies.networks.features import IN_HAND, N_BLOCKS, ONE, OWNED, SINGLES
from evodom.dominion.strategies.networks.hypernetwork import GENERAL, N_GENERAL, NAMES, PASSING, Cast, new_general
from evodom.dominion.strategies.networks.layers import FIRST_OUTPUT, GAIN, GUESS, N_WEIGHTS, PASS_OUTPUT, TRASH, parts

OTHER = Kingdom(("Chapel", "Witch", "Laboratory"))


def drawn(n: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).normal(0.0, 0.1, n).astype(np.float32)


def blank() -> tuple[np.ndarray, np.ndarray]:
    """Return a general network of zeros, and the same numbers by name."""
    general = np.zeros(N_GENERAL, np.float32)
    return general, general.view(GENERAL)[0]


def test_the_gradient_is_the_adjoint_of_the_weights():
    for kingdom in (FIRST_GAME, OTHER):
        cast, general, weights = Cast(kingdom), drawn(N_GENERAL), drawn(N_WEIGHTS, 2)

        there = cast.weights(general).astype(float) @ weights.astype(float)
        back = general.astype(float) @ cast.gradient(weights).astype(float)

        assert abs(there) > 0.1
        np.testing.assert_allclose(there, back, rtol=1e-4)


def test_weights_are_linear_in_the_general_network():
    cast, one, other = Cast(OTHER), drawn(N_GENERAL, 3), drawn(N_GENERAL, 4)

    np.testing.assert_allclose(cast.weights(one + other), cast.weights(one) + cast.weights(other), atol=1e-5)


def test_what_is_learned_of_a_trait_is_known_of_all_cards_that_have_it():
    general, network = blank()
    network["worths"][GAIN, list(SINGLES).index("one"), NAMES.index("Attack")] = 2.0

    worth = parts(Cast(OTHER).weights(general))["inputs"][GAIN, ONE, FIRST_OUTPUT : FIRST_OUTPUT + PASS_OUTPUT + 1]

    assert worth.nonzero()[0].tolist() == [OTHER.pile("Witch")]
    assert worth.max() == 2.0


def test_pairs_and_the_own_pile_and_passing():
    general, network = blank()
    network["pairs"][TRASH, OWNED // 17, NAMES.index("Attack"), NAMES.index(PASSING)] = 3.0
    network["same"][TRASH, IN_HAND // 17, NAMES.index("trashes from hand")] = 5.0

    inputs = parts(Cast(OTHER).weights(general))["inputs"]

    witch, chapel = OTHER.pile("Witch"), OTHER.pile("Chapel")
    assert inputs[TRASH, OWNED + witch, FIRST_OUTPUT + PASS_OUTPUT] == 3.0
    assert inputs[TRASH, IN_HAND + chapel, FIRST_OUTPUT + chapel] == 5.0
    assert np.count_nonzero(inputs) == 2


def test_units_outputs_and_the_critic_go_where_they_belong():
    general, network = blank()
    network["cards"][GAIN, :, NAMES.index("Attack"), 0] = 1.0
    network["singles"][GAIN, list(SINGLES).index("one"), -1] = 4.0
    network["outputs"][GAIN, 7, NAMES.index(PASSING)] = 6.0
    network["critic"][GAIN, 3] = 8.0

    made = parts(Cast(OTHER).weights(general))

    assert made["inputs"][GAIN, :, 0].sum() == N_BLOCKS
    assert made["inputs"][GAIN, ONE, GUESS] == 4.0
    assert made["outputs"][GAIN, PASS_OUTPUT, 7] == 6.0
    assert made["critic"][GAIN, 3] == 8.0
    assert np.count_nonzero(made["outputs"]) == np.count_nonzero(made["critic"]) == 1


def test_the_order_in_which_cards_are_named_does_not_matter():
    general = drawn(N_GENERAL)
    names = [card.name for card in KINGDOM_CARDS[:10]]

    assert (Cast(Kingdom(tuple(names))).weights(general) == Cast(Kingdom(tuple(names[::-1]))).weights(general)).all()


def test_a_new_one_thinks_all_choices_worth_the_same():
    made = parts(Cast(FIRST_GAME).weights(new_general(np.random.default_rng(1))))

    assert not made["outputs"].any()
    assert not made["inputs"][..., FIRST_OUTPUT : FIRST_OUTPUT + PASS_OUTPUT + 1].any()
    assert not made["inputs"][..., GUESS].any()
    assert made["inputs"][..., 0].any()


def test_it_can_be_shipped_in_two_megabytes():
    assert 2 * N_GENERAL <= 2_000_000
