"""The hypernetwork: the network generated for a fight has the outputs of the network of act 1."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.act_training import new_act_weights
from evodom.distribution import certain
from evodom.errors import UsageError
from evodom.nn.dense import forward
from evodom.spire.content.cards import CARDS
from evodom.spire.content.encounters import encounters, groups_of
from evodom.spire.content.enemies import ENEMIES, enemy_row
from evodom.spire.content.potions import POTIONS
from evodom.spire.content.relics import RELICS
from evodom.spire.embedding import WIDTH
from evodom.spire.embedding.columns import (
    DEATH,
    GAIN,
    WITHOUT_COLUMN,
    card_traits,
    input_columns,
    inputs_of,
    move_traits,
    output_columns,
    static_columns,
)
from evodom.spire.embedding.hypernetwork import ActNetwork, Hypernetwork, n_act_weights, split_layers
from evodom.spire.engine.compiler import Setup
from evodom.spire.engine.game import SpireFight
from evodom.spire.engine.layout import FIGHT
from evodom.spire.fights.fight import BOTH, HP, WIN, Payoff
from evodom.spire.play.network import ABSENT, FIRST_MOVE_OUTPUT, OTHER, observe
from evodom.spire.play.searcher import FightSearchOptions, FightTree, Searcher
from tests.spire.engine.helpers import cards

DECK = cards("4 Strike, 3 Defend, Bash+, Warcry, Rampage, Flex, Headbutt, Searing Blow+5, Blood for Blood")
"""The network of act 1 was trained without the last two cards."""


@pytest.fixture(scope="module")
def weights():
    return new_act_weights(np.random.default_rng(1))


def a_fight(name="Three Sentries", **more):
    group = groups_of(name).pairs[0][0]
    given = {"deck": DECK, "potions": ("Fire Potion", "Elixir"), "relics": ("Burning Blood", "Nunchaku")}
    return SpireFight(Setup(enemies=certain(group), **(given | more)))


def positions_of(game, n, rng):
    """Yield positions of a random fight with their legal moves."""
    state = game.start(rng)
    for _ in range(n):
        if not (moves := game.actions(state)):
            state = game.start(rng)
            continue
        yield state, moves
        state = game.sample(state, int(rng.choice(moves)), rng)


def expected_outputs(weights, hypernetwork, seen):
    """Compute the outputs of the network of act 1 from its columns, in float64."""
    first, second, third = (part.astype(np.float64) for part in split_layers(weights))
    inputs, outputs = input_columns(), output_columns()
    hidden = np.zeros(WIDTH)
    for traits, value in zip([*hypernetwork.inputs, hypernetwork.static], [*seen, 1.0], strict=True):
        for name, amount in traits.items():
            hidden += value * amount * first[inputs[name]]
    upper = np.maximum(np.append(np.maximum(hidden, 0.0), 1.0) @ second, 0.0)
    rows = [{GAIN: 1.0}, {DEATH: 1.0}, *hypernetwork.moves]
    return [
        sum(amount * (third[outputs[name]] @ np.append(upper, 1.0)) for name, amount in row.items()) for row in rows
    ]


def run_network(network, game, state):
    """Return the features of a position, and the outputs of a network."""
    inputs, _ = network.features.bind(game)
    tree = FightTree(8)
    tree.prepare(game, Payoff(), FightSearchOptions(1, network=network))
    words = np.frombuffer(bytearray(state), np.uint64).reshape(1, -1)
    n_outputs = FIRST_MOVE_OUTPUT + len(network.features.outputs)
    seen, outputs = np.zeros(len(inputs), np.float32), np.zeros(n_outputs, np.float32)
    observe(words.view(FIGHT)[0, 0], words.view(np.int16), 0, inputs, tree.options.policy, seen)
    forward(network.weights, seen, np.zeros(WIDTH, np.float32), np.zeros(WIDTH, np.float32), outputs)
    return seen, outputs


def outputs_of(network, game, state, moves):
    """Return the outputs of a network for the gain, the death and some moves."""
    _, places = network.features.bind(game)
    _, outputs = run_network(network, game, state)
    return [*outputs[:FIRST_MOVE_OUTPUT], *outputs[FIRST_MOVE_OUTPUT + places[list(moves)]]]


def test_a_generated_network_has_the_outputs_of_the_general_network(weights):
    game, rng = a_fight(burning="Metallicize", ascension=17), np.random.default_rng(2)
    hypernetwork = Hypernetwork(game)
    network = hypernetwork.network(weights)
    for state, _ in positions_of(game, 12, rng):
        seen, outputs = run_network(network, game, state)

        assert seen.any()
        assert outputs == pytest.approx(expected_outputs(weights, hypernetwork, seen), rel=1e-3, abs=1e-3)


def test_a_network_of_several_fights_agrees_with_those_of_each_fight(weights):
    games = [a_fight(name) for name in ("Three Sentries", "Cultist")]
    both, rng = Hypernetwork(*games).network(weights), np.random.default_rng(4)
    for game in games:
        own = Hypernetwork(game).network(weights)
        for state, moves in positions_of(game, 5, rng):
            expected = pytest.approx(outputs_of(own, game, state, moves), rel=1e-3, abs=1e-3)
            assert outputs_of(both, game, state, moves) == expected


@pytest.mark.parametrize("name", encounters())
def test_every_encounter_has_all_features_and_outputs(weights, name):
    game, rng = a_fight(name), np.random.default_rng(3)
    network = ActNetwork(weights).for_fight(game)
    inputs, outputs = network.features.bind(game)

    assert (inputs["kind"] != ABSENT).all()
    assert network.features.outputs[0] == OTHER
    for _, moves in positions_of(game, 60, rng):
        assert (outputs[moves] > 0).all()
        assert len(set(outputs[moves])) == len(moves)


def test_every_card_enemy_potion_and_relic_has_columns():
    inputs, outputs = input_columns(), output_columns()

    for card in CARDS.values():
        for name in card_traits(card):
            assert {f"hand {name}", f"exhaust {name}"} <= set(inputs)
            assert {f"play {name}", f"choose {name}"} <= set(outputs)
    assert len({str(card_traits(card)) for card in CARDS.values()}) == len(CARDS)
    for enemy in ENEMIES:
        assert f"enemy 5 is {enemy}" in inputs
        for move in enemy_row(enemy, 20).moves:
            assert {f"3 intends {name}" for name in move_traits(enemy, move, 20)} <= set(inputs)
    assert {f"relic {name}" for name in RELICS if name not in WITHOUT_COLUMN} <= set(inputs)
    # Inputs of fights with the other relics refer to existing columns only.
    game = SpireFight(Setup(relics=WITHOUT_COLUMN))
    assert {column for _, _, columns in inputs_of(game) for column in columns} | set(static_columns(game)) <= set(
        inputs
    )
    assert {f"use {name}" for name in POTIONS} <= set(outputs)


@pytest.mark.parametrize("kind", [HP, WIN, BOTH])
def test_values_are_in_units_of_the_payoff(weights, kind):
    # The network predicts no gain and a certain death.
    silent = np.zeros_like(weights)
    split_layers(silent)[2][output_columns()[DEATH], -1] = 100.0
    game, rng = a_fight("Cultist", hp=50, max_hp=100), np.random.default_rng(1)
    network = replace(Hypernetwork(game).network(silent), value_weight=1.0)
    found = Searcher(game, Payoff(kind), FightSearchOptions(1, network=network))
    found.search(game.start(rng), rng)
    root = found._tree.nodes[1]

    assert root["value"] == pytest.approx({HP: 50.0, WIN: 0.0, BOTH: 0.25}[kind])
    assert root["loss"] == pytest.approx(1.0)


def test_leaf_values_mix_network_and_playouts(weights):
    # The network predicts a gain of a fifth of the HP.
    hopeful = np.zeros_like(weights)
    split_layers(hopeful)[2][output_columns()[GAIN], -1] = 0.2
    game = a_fight("Cultist", hp=50, max_hp=100)
    state = game.start(np.random.default_rng(1))

    def value(budget):
        searcher = Searcher(game, Payoff(), budget)
        searcher.search(state, np.random.default_rng(2))
        return searcher._tree.nodes[1]["value"]

    mixed = replace(Hypernetwork(game).network(hopeful), value_weight=0.25)
    alone, together = value(FightSearchOptions(1)), value(FightSearchOptions(1, playouts=4, network=mixed))

    assert alone != pytest.approx(70.0)
    assert together == pytest.approx(0.75 * alone + 0.25 * 70.0, rel=1e-6)


def test_invalid_weights_are_refused():
    for weights in (np.zeros(5, np.float32), np.zeros(n_act_weights()), np.full(n_act_weights(), np.nan, np.float32)):
        with pytest.raises(UsageError):
            ActNetwork(weights)
