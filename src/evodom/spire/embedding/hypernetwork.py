"""Hypernetwork: one network for all fights of act 1, which generates the network of a fight.

Open it to load or bind the packaged network; benchmarks/act_training.py trains it. The hypernetwork has a row of
weights for each column of `columns`. The row of a feature or a move is the weighted sum of the rows of its columns.
Constant properties of a fight are added to the biases. All fights share the second layer.
"""

from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b

import numpy as np

from evodom.errors import UsageError
from evodom.files import Unusable, shipped_numbers
from evodom.nn.hypernetwork import RowSums, Traits, Vector
from evodom.spire.content.cards import CARDS
from evodom.spire.content.enemies import ENEMIES, MAX_ASCENSION, enemy_row
from evodom.spire.embedding import WIDTH, columns
from evodom.spire.engine.game import SpireFight
from evodom.spire.play.network import MAX_WEIGHT, OTHER, FeatureSpec, Network, check_weights

VALUE_WEIGHT = 0.5
"""Weight of the network in leaf values. Playouts have the rest."""

PRIOR_WEIGHT = 0.5
"""Weight of the network in priors. The playout policy has the rest."""

EXPLORATION = 0.5
"""Default of `c_puct` in a search with this network."""


def n_act_weights() -> int:
    """Return the number of weights of the act's network."""
    return len(columns.input_columns()) * WIDTH + (WIDTH + 1) * WIDTH + len(columns.output_columns()) * (WIDTH + 1)


def split_layers(weights: Vector) -> tuple[Vector, Vector, Vector]:
    """Return the layers of the network of act 1 as views, biases last.

    Their shapes are (input columns, WIDTH), (WIDTH + 1, WIDTH) and (output columns, WIDTH + 1).
    """
    second = len(columns.input_columns()) * WIDTH
    third = second + (WIDTH + 1) * WIDTH
    first = weights[:second].reshape(-1, WIDTH)
    return first, weights[second:third].reshape(-1, WIDTH), weights[third:].reshape(-1, WIDTH + 1)


class Hypernetwork:
    """Generator of the network of one or several fights: its observation spec and the sums of its rows.

    The network of several fights has the features of all of them. Constant properties count with their mean.
    """

    def __init__(self, *games: SpireFight) -> None:
        described: dict[str, columns.InputSpec] = {}
        moves: dict[str, Traits] = {OTHER: {}}
        self.static: Traits = {}
        for game in games:
            for one in columns.inputs_of(game):
                described.setdefault(one[0], one)
            for move, traits in columns.moves_of(game):
                moves.setdefault(game.action_name(move), traits)
            for name, amount in columns.static_columns(game).items():
                self.static[name] = self.static.get(name, 0.0) + amount / len(games)
        scales = tuple(scale for _, scale, _ in described.values())
        self.features = FeatureSpec(tuple(described), scales, tuple(moves))
        self.inputs: list[Traits] = [traits for *_, traits in described.values()]
        self.moves: list[Traits] = list(moves.values())

    def network(self, weights: Vector) -> Network:
        """Generate the fights' network from the weights of the act's network."""
        first, second, third = split_layers(weights)
        rows = RowSums.of([*self.inputs, self.static], columns.input_columns()).rows(first)
        outputs_and_moves = [{columns.GAIN: 1.0}, {columns.DEATH: 1.0}, *self.moves]
        outputs = RowSums.of(outputs_and_moves, columns.output_columns()).rows(third).T
        generated = np.concatenate([part.ravel() for part in (rows, second, outputs)]).astype(np.float32)
        np.clip(generated, -MAX_WEIGHT, MAX_WEIGHT, out=generated)
        return Network(self.features, WIDTH, generated, VALUE_WEIGHT, PRIOR_WEIGHT, EXPLORATION, gain_is_hp=True)


@dataclass(frozen=True, eq=False)
class ActNetwork:
    """The network of act 1: generates a network for each fight. `weights` is (n_act_weights,) float32."""

    weights: Vector
    exploration: float = EXPLORATION
    value_weight: float = VALUE_WEIGHT

    def __post_init__(self) -> None:
        """Check the weights. Raise `UsageError` for a wrong shape, dtype or range."""
        check_weights(self.weights, n_act_weights(), "a network of act 1 with")

    def for_fight(self, game: SpireFight) -> Network:
        """Return the network of a fight."""
        return Hypernetwork(game).network(self.weights)


FILE = "act1.npz"


def fingerprint() -> str:
    """Return a hash of everything the network depends on: rules, columns, scales, traits of cards and moves."""
    moves = {
        (enemy, at, move): columns.move_traits(enemy, move, at)
        for enemy in ENEMIES
        for at in (0, MAX_ASCENSION)
        for move in enemy_row(enemy, at).moves
    }
    cards = {name: columns.card_traits(CARDS[name]) for name in columns.TRAINED_CARDS}
    known = (WIDTH, tuple(columns.input_columns()), tuple(columns.output_columns()), columns.SCALES, cards, moves)
    return blake2b(repr(known).encode(), digest_size=12).hexdigest()


@lru_cache(1)
def shipped() -> ActNetwork | None:
    """Return the packaged network. Return None if it is missing or its fingerprint differs."""
    try:
        return ActNetwork(shipped_numbers("evodom.spire.embedding", FILE, fingerprint()))
    except (Unusable, UsageError):
        return None
