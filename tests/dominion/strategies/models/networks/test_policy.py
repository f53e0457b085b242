"""Choices of a network: by kind of decision, after the look-ahead."""

import numpy as np
import pytest

from evodom.dominion.cards import ACTION, Card, find_card
from evodom.dominion.cards import CARDS as ALL_CARDS
from evodom.dominion.effects.ops import Zone
from evodom.dominion.engine.state import bit, lowest_pile
from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.dominion.strategies.lineup import NO_NETWORKS
from evodom.dominion.strategies.models.networks import layers
from evodom.dominion.strategies.models.networks import model as networks
from evodom.dominion.strategies.record import blank_strategies
from evodom.dominion.strategies.registry import is_sound
from evodom.jit.kernel import COMPILED, kernel
from tests.dominion.helpers import after, as_kingdom, the_choice, tries
from tests.dominion.strategies.models.networks.helpers import seen, wanting
from tests.learning.reference import DECISION, answers, random_weights

pytestmark = pytest.mark.uncompiled

CARDS_OF = ("Throne Room", "Chapel", "Militia", "Workshop", "Cellar", "Remodel", "Moat", "Artisan", "Village", "Smithy")
KINGDOM = as_kingdom(CARDS_OF)

ASKED = [
    ("P1: hand 4 Copper, Silver", (), layers.GAIN),
    ("P1: hand Smithy, Village, 3 Copper", (), layers.PLAY),
    ("P1: hand Throne Room, Smithy, Village", ("Throne Room",), layers.PLAY),
    ("P1: hand Chapel, Estate, Copper", ("Chapel",), layers.TRASH),
    ("P1: hand Remodel, Estate, Copper", ("Remodel",), layers.TRASH),
    ("P1: hand Workshop, Copper", ("Workshop",), layers.GAIN),
    ("P1: hand Artisan, Copper, Estate; deck Gold", ("Artisan",), layers.GAIN),
    ("P1: hand Artisan, Copper, Estate; deck Gold", ("Artisan", "Silver"), layers.CARDS),
    ("P1: hand Cellar, Copper, Estate; deck Gold", ("Cellar",), layers.CARDS),
    ("P1: hand Militia | P2: hand 3 Copper, Silver, Gold", ("Militia",), layers.CARDS),
]


@pytest.mark.parametrize(
    ("position", "choices", "kind"),
    ASKED,
    ids=["-".join((layers.KIND_NAMES[kind], *cards)) for _, cards, kind in ASKED],
)
def test_each_kind_of_decision_uses_its_network(position, choices, kind):
    # given what is asked, with Treasures out of the way
    game = after(position, *choices, kingdom=KINGDOM)
    game.play_treasures_automatically(game.decision.seat)
    assert networks.decision_kind(game.rules, game.state) == kind
    # when each answer in turn is what the network of this kind wants
    for chosen in game.decision.consequences[:: 1 if COMPILED else 4]:
        output = layers.PASS_OUTPUT if chosen.name == "pass" else KINGDOM.pile(chosen.name)
        # then it is given, and by no network of another kind
        assert the_choice(game, wanting(kind, output, KINGDOM), 3) == chosen.name
    other = (kind + 1) % len(layers.KIND_NAMES)
    if len(game.decision.consequences) > 1:
        assert len(tries(game, wanting(other, output, KINGDOM), 60)) > 1


MENUS = as_kingdom(("Pawn", "Lurker", "Steward", "Minion", "Torturer", "Nobles", "Courtier", "Smithy"))


@pytest.mark.parametrize(
    ("position", "before", "first"),
    [
        ("P1: hand Lurker | trash: Nobles", ("Lurker",), 0), ("P1: hand Pawn; deck 4 Copper", ("Pawn",), 2),
        ("P1: hand Pawn; deck 4 Copper", ("Pawn", "cards"), 2),
        ("P1: hand Torturer | P2: hand 5 Copper", ("Torturer",), 15), ("P1: hand Nobles, Smithy", ("Nobles",), 17),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, tuple) else None,
)  # fmt: skip
def test_the_network_chooses_among_options(position, before, first):
    game = after(position, *before, kingdom=MENUS)
    game.play_treasures_automatically(game.decision.seat)

    assert networks.decision_kind(game.rules, game.state) == layers.OPTION
    assert networks.menu_output(game.rules, game.state) == first
    for chosen in game.decision.consequences:
        output = lowest_pile(networks.outputs_of(game.rules, game.state, bit(chosen.pile)))
        assert networks.choice_of(game.rules, game.state, output) == chosen.pile
        assert the_choice(game, wanting(layers.OPTION, output, MENUS), 3) == chosen.name


def test_a_menu_may_be_passed():
    kingdom = Kingdom(("Watchtower",))
    game = after("P1: hand Watchtower | turn: P1, 0 actions, 1 buy, 3 coins, buy phase", "Silver", kingdom=kingdom)

    for output, chosen in ((0, "trash"), (1, "topdeck"), (layers.PASS_OUTPUT, "pass")):
        assert the_choice(game, wanting(layers.OPTION, output, kingdom), 3) == chosen


def test_options_without_an_output_are_chosen_by_the_fixed_rule(monkeypatch):
    many = [Card(f"Menu {n}", 2, ACTION, find_card("Pawn").effects) for n in range(6)]
    for card in many:
        monkeypatch.setitem(ALL_CARDS, card.name, card)
    kingdom = Kingdom(tuple(card.name for card in many))
    uniform = networks.network_strategy(layers.zero_weights(), kingdom)

    assert len(tries(after("P1: hand Menu 4; deck Gold, 4 Copper", "Menu 4", kingdom=kingdom), uniform, 60)) == 4
    assert the_choice(after("P1: hand Menu 5; deck Gold, 4 Copper", "Menu 5", kingdom=kingdom), uniform) == "cards"


def test_a_reaction_is_always_revealed():
    game = after("P1: hand Militia | P2: hand Moat, 4 Copper", "Militia", kingdom=KINGDOM)

    assert the_choice(game, wanting(layers.CARDS, layers.PASS_OUTPUT, KINGDOM)) == "Moat"


def test_the_look_ahead_decides_gains_that_end_the_game():
    wins, loses, ties = (
        ending(own, other) for own, other in (("Province",) * 2, ("Copper", "5 Province"), ("Copper", "Province"))
    )
    wants_province, passes = (
        wanting(layers.GAIN, output, KINGDOM) for output in (KINGDOM.pile("Province"), layers.PASS_OUTPUT)
    )

    assert set(tries(wins, passes, 30)) == set(tries(ties, passes, 30)) == {"Province"}
    assert "Province" not in tries(loses, wants_province, 30)


def ending(own, other):
    game = after(f"P1: hand 3 Gold; deck {own} | P2: hand 5 Copper; deck {other}", kingdom=KINGDOM)
    game.play_treasures_automatically(0)
    game.state.turns[1] = game.state.turns[0]
    game.state.cards[Zone.SUPPLY, KINGDOM.pile("Province")] = 1
    return game


@kernel
def to_probabilities(sums, choices, sharpness):
    """Call what only kernels can call."""
    layers.softmax(sums, choices, sharpness)


def test_choices_are_drawn_with_the_probabilities_of_the_network():
    # given a network of drawn numbers at a buy
    game = after("P1: hand 3 Copper, Smithy, Village", "pass", kingdom=FIRST_GAME)
    game.play_treasures_automatically(0)
    weights = random_weights(np.random.default_rng(3), 0.02)
    # when probabilities are computed, by kernels and by their definition
    decision = np.zeros(1, DECISION)
    decision["features"], decision["kind"] = seen(game), layers.GAIN
    legal = [
        layers.PASS_OUTPUT if one.name == "pass" else FIRST_GAME.pile(one.name) for one in game.decision.consequences
    ]
    decision["legal"] = sum(1 << pile for pile in legal)
    logs, guesses = answers(weights, decision)
    sums = np.zeros(layers.WIDTH, np.float32)
    layers.forward(weights, layers.GAIN, int(decision["legal"][0]), decision["features"][0], sums)
    expected_share = layers.predicted_value(weights, layers.GAIN, sums)
    to_probabilities(sums, int(decision["legal"][0]), layers.TRAINING_SHARPNESS)
    # then they agree, and what is drawn does too
    found = sums[layers.FIRST_OUTPUT : layers.FIRST_OUTPUT + layers.N_OUTPUTS]
    np.testing.assert_allclose(found, np.exp(logs[0]), rtol=1e-4, atol=1e-7)
    assert expected_share == pytest.approx(guesses[0], abs=1e-5)
    # and in play it chooses more sharply
    sharp = found**layers.PLAY_SHARPNESS / (found**layers.PLAY_SHARPNESS).sum()
    n_tries = 400 if COMPILED else 40
    counts = tries(game, networks.network_strategy(weights, FIRST_GAME), n_tries)
    expected = {one.name: sharp[pile] for one, pile in zip(game.decision.consequences, legal, strict=True)}
    assert set(counts) <= set(expected)
    for name, probability in expected.items():
        assert counts[name] / n_tries == pytest.approx(probability, abs=4.5 * np.sqrt(0.25 / n_tries))


def test_a_record_with_an_index_is_not_sound_and_a_single_choice_reads_no_network():
    from_file = blank_strategies(1, "network", FIRST_GAME)[0]
    from_file.network = 1
    assert not is_sound(from_file)

    game = after("P1: hand Militia | P2: hand Moat, 4 Copper", "Militia", kingdom=KINGDOM)
    record = blank_strategies(1, "network", KINGDOM)[0]
    assert networks.select_by_network(game.rules, game.state, record, NO_NETWORKS[0]) == KINGDOM.pile("Moat")
