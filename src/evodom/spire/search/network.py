"""A network that judges positions of a fight: which moves are likely, what the fight will cost, how likely it is lost.

Two hidden layers and one layer of outputs, as one vector of float32; a layer is its rows, one for each input, and then
its biases. The first two outputs are the gain, in units of the payoff, on what would be paid if the fight were won as
it stands, and the logit of the chance to lose; the others are the logits of the moves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from evodom.errors import UsageError
from evodom.jit.kernel import kernel
from evodom.spire.engine.combat import PLAYER
from evodom.spire.search.rollout import coming
from evodom.spire.search.sight import AMOUNT, CATEGORY, INCOMING, UNBLOCKED, Sight

if TYPE_CHECKING:
    from evodom.spire.engine.game import SpireFight

GAIN_OUTPUT, DEATH_OUTPUT, FIRST_MOVE_OUTPUT = range(3)

WIDTHS = range(8, 1025)

LARGEST = 1e4
"""No number of a network is larger: what is summed up of them stays finite."""

Vector = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Network:
    """A network: what it is told and weighs, how wide its hidden layers are, and its numbers, (n_weights,) float32."""

    sight: Sight
    width: int
    weights: Vector
    trust: float = 1.0
    """Its share in what a position is worth. The rest is what playouts come to; with 1 there are none."""
    trust_moves: float = 1.0
    """Its share in which moves are likely, where there are playouts; the rest is their habits'."""
    exploration: float = 0.15
    """How curious a search with it is."""
    of_hp: bool = False
    """Whether its gain is in HP, as shares of the most there can be, whatever a fight pays; else in what it pays."""

    def __post_init__(self) -> None:
        """Check the numbers; UsageError for what no kernel may be given."""
        n = n_weights(self.sight, self.width)
        if self.weights.shape != (n,) or self.weights.dtype != np.float32:
            raise UsageError(f"a network of {n} numbers is needed, got {self.weights.shape} {self.weights.dtype}.")
        if not (np.abs(self.weights) <= LARGEST).all():
            raise UsageError(f"a network has numbers beyond {LARGEST:g}, or none at all.")

    def of_fight(self, game: SpireFight) -> Network:
        """Return the network itself: it is for the fights that it was trained for."""
        return self


class Judge(Protocol):
    """What judges positions of fights: a network, or what makes one for a fight."""

    @property
    def exploration(self) -> float:
        """How curious a search with it is."""

    @property
    def trust(self) -> float:
        """Its share in what a position is worth."""

    def of_fight(self, game: SpireFight) -> Network:
        """Return the network of a fight."""


def n_weights(sight: Sight, width: int) -> int:
    """Return how many numbers a network has; UsageError for a width that is not allowed."""
    if width not in WIDTHS:
        raise UsageError(f"a network is {WIDTHS.start} to {WIDTHS.stop - 1} wide, got {width}.")
    n_inputs, n_outputs = len(sight.inputs), FIRST_MOVE_OUTPUT + len(sight.outputs)
    return (n_inputs + 1) * width + (width + 1) * width + (width + 1) * n_outputs


def new_network(sight: Sight, width: int, rng: np.random.Generator) -> Network:
    """Return a network that was never trained: all moves are about as likely (He et al. 2015, "Delving deep")."""
    n_weights(sight, width)
    n_inputs, n_outputs = len(sight.inputs), FIRST_MOVE_OUTPUT + len(sight.outputs)
    layers = [
        (n_inputs, width, np.sqrt(6.0 / n_inputs)),  # about a third of the inputs are not 0
        (width, width, np.sqrt(2.0 / width)),
        (width, n_outputs, 0.1 * np.sqrt(2.0 / width)),
    ]
    parts = [np.vstack([spread * rng.standard_normal((n, m)), np.zeros((1, m))]) for n, m, spread in layers]
    return Network(sight, width, np.concatenate([part.ravel() for part in parts]).astype(np.float32))


@kernel
def look(fight: Any, numbers: Any, place: Any, inputs: Any, habits: Any, seen: Any) -> None:
    """Write what a network is told of the position at a place of `numbers` into `seen`."""
    incoming = coming(fight, habits)
    for n in range(len(inputs)):
        what = inputs[n]
        value = 0
        if what.kind == AMOUNT:
            value = numbers[place, what.word]
        elif what.kind == CATEGORY:
            value = 1 if numbers[place, what.word] == what.value else 0
        elif what.kind == INCOMING:
            value = incoming
        elif what.kind == UNBLOCKED:
            value = max(incoming - fight.block[PLAYER], 0)
        seen[n] = np.float32(value) * what.scale


@kernel
def layer(weights: Any, first: Any, given: Any, sums: Any) -> Any:
    """Compute a layer whose numbers begin at `first`; return where those of the next one begin."""
    width, n = len(sums), len(given)
    biases = weights[first + n * width : first + (n + 1) * width]
    for column in range(width):
        sums[column] = biases[column]
    for number in range(n):
        value = given[number]
        if value != 0.0:
            row = weights[first + number * width : first + (number + 1) * width]
            for column in range(width):
                sums[column] += value * row[column]
    return first + (n + 1) * width


@kernel
def rectify(values: Any) -> None:
    """Make all that is negative 0."""
    for place in range(len(values)):
        values[place] = max(values[place], np.float32(0.0))


@kernel
def forward(weights: Any, seen: Any, first: Any, second: Any, outputs: Any) -> None:
    """Compute the outputs of a network; `first` and `second` (width,) are left with the hidden layers."""
    at = layer(weights, 0, seen, first)
    rectify(first)
    at = layer(weights, at, first, second)
    rectify(second)
    layer(weights, at, second, outputs)
