"""Network of a fight: the features it reads, the moves it has outputs for, and its forward pass.

`discover_features` plays random fights and keeps each number of the state that changes. Features and moves have names,
such as "piles hand Strike" and "Bash at enemy 1", so that a network can be used in fights whose cards have other
numbers. The network has two hidden layers and is stored as one vector of float32: per layer a row for each input, then
the biases. Outputs are the gain, in units of the payoff, over winning as the fight stands; the logit of losing; logits
of moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Protocol, Self

import numpy as np
import numpy.typing as npt
from msgspec import Meta, Struct

from evodom.errors import UsageError
from evodom.jit.kernel import kernel
from evodom.reading import convert
from evodom.spire.engine.game import SpireFight, State
from evodom.spire.engine.layout import FIGHT, N_FIGHTERS, N_SHARED, PLAYER, FightRecord
from evodom.spire.engine.moves import END, N_MOVES
from evodom.spire.play import WIDTHS
from evodom.spire.play.playouts import PlayoutPolicy, incoming_damage
from evodom.spire.rows.effects import PILES
from evodom.spire.rows.statuses import STATUSES

ABSENT, AMOUNT, CATEGORY, INCOMING, UNBLOCKED = range(5)
"""Kinds of inputs: not in this fight, a number of the record, whether it has a value, the damage that enemies are about
to do, and that beyond the block there is."""

INPUT = np.dtype(
    (np.record, [("kind", "<i4"), ("word", "<i4"), ("value", "<i4"), ("scale", "<f4")]),
)
"""An input: its kind, its place in a fight as int16, the value it is compared with, and the factor it is scaled by."""

OTHER = "another move"
"""The first of the outputs: all moves that were never seen."""

_FIGHTERS = tuple(map(str, range(N_FIGHTERS)))
_NAMES = tuple(STATUSES)
_DAMAGE = {"incoming damage": INCOMING, "unblocked damage": UNBLOCKED}
_DAMAGE_SCALE = 1 / 20

_CATEGORIES = ("row", "intent", "types", "choosing", "choose_pile", "choose_from", "top")
"""Fields whose numbers are names of something."""

_UNTOLD = frozenset(("over", "ours", "theirs", "fresh", "queue", "n_queue", "waiting", "n_waiting", "spilled"))
"""Fields that say nothing at a decision that others do not say."""

_END_CHANCE = 0.15
"""How often random play ends a turn although cards can be played."""


class FeatureSpec(Struct, frozen=True):
    """The names of the inputs, their scales, and the names of the moves that are weighed."""

    inputs: tuple[str, ...]
    scales: tuple[Annotated[float, Meta(gt=0, le=1)], ...]
    outputs: Annotated[tuple[str, ...], Meta(min_length=1)]

    def __post_init__(self) -> None:
        if len(self.inputs) != len(self.scales):
            raise ValueError("its inputs and their scales do not fit")

    def to_json(self) -> dict[str, Any]:
        """Return it as plain JSON types."""
        return {name: list(getattr(self, name)) for name in self.__struct_fields__}

    @classmethod
    def from_json(cls, saved: object) -> Self:
        """Read what `to_json` returned; raises UsageError for what is none."""
        return convert(saved, cls)

    def bound(self, game: SpireFight) -> tuple[npt.NDArray[Any], npt.NDArray[np.int32]]:
        """Return what it means in a fight: the inputs, (n,) of INPUT, and the output of each move, (N_MOVES,)."""
        inputs = np.zeros(len(self.inputs), INPUT)
        words = {name: word for word, (_, name) in _words(game).items()}
        values = {field: {name: n for n, name in enumerate(_values(game, field))} for field in _CATEGORIES}
        for place, (name, scale) in enumerate(zip(self.inputs, self.scales, strict=True)):
            word, _, value = name.partition(" = ")
            if name in _DAMAGE:
                inputs[place] = _DAMAGE[name], 0, 0, scale
            elif word in words and not value:
                inputs[place] = AMOUNT, words[word], 0, scale
            elif word in words and value in (known := values.get(word.split()[0], {})):
                inputs[place] = CATEGORY, words[word], known[value], scale
        outputs = {name: place for place, name in enumerate(self.outputs)}
        return inputs, np.array([outputs.get(name, 0) for name in _move_names(game)], np.int32)

    def unknown(self, game: SpireFight) -> str:
        """Return a card or an enemy of a fight that was in none of those it was found for; "" if there is none."""
        told = set(self.inputs)
        cards = [name for name in game.rules.deck if not any(f"piles {pile} {name}" in told for pile in PILES)]
        met = {name.partition(" = ")[2] for name in told if name.startswith("row ")}
        enemies = {name: None for group, _ in game.setup.enemies for name in group if name not in met}
        return next(iter([*cards, *enemies]), "")


def discover_features(
    games: Sequence[SpireFight], starts: Sequence[Sequence[State]], rng: np.random.Generator
) -> FeatureSpec:
    """Return what can change in some fights, found by playing them at random from their starts."""
    scales: dict[str, float] = dict.fromkeys(_DAMAGE, _DAMAGE_SCALE)
    moves: dict[str, None] = {OTHER: None}
    first: dict[str, int] = {}
    for game, begin in zip(games, starts, strict=True):
        seen, played = _wander(game, begin, rng)
        names = _move_names(game)
        moves |= dict.fromkeys(names[move] for move in sorted(played))
        for word, (field, name) in _words(game).items():
            column = seen[:, word].astype(np.int64)
            if field in _CATEGORIES:
                values = _values(game, field)
                scales |= {f"{name} = {values[value]}": 1.0 for value in np.unique(column) if value > 0}
            elif (column != first.setdefault(name, int(column[0]))).any() or name in scales:
                scales[name] = min(scales.get(name, 1.0), 1.0 / max(int(np.abs(column).max()), 1))
    return FeatureSpec(tuple(scales), tuple(scales.values()), tuple(moves))


def _wander(
    game: SpireFight, starts: Iterable[State], rng: np.random.Generator
) -> tuple[npt.NDArray[np.int16], set[int]]:
    """Play at random; return all positions, (n, words) int16, and the moves that could be made."""
    seen: list[State] = []
    legal: set[int] = set()
    for start in starts:
        state = start
        while moves := game.actions(state):
            seen.append(state)
            legal.update(moves)
            some = [move for move in moves if move != END]
            move = END if not some or rng.random() < _END_CHANCE * (END in moves) else int(rng.choice(some))
            state = game.sample(state, move, rng)
    return np.frombuffer(b"".join(seen), np.int16).reshape(len(seen), -1), legal


def _words(game: SpireFight) -> dict[int, tuple[str, str]]:
    """Return the field and the name of each number of a fight that may be told, by its place."""
    found = {}
    fields: Any = FIGHT.fields
    for field, (dtype, offset, *_) in fields.items():
        if field not in _UNTOLD:
            for place, name in enumerate(_places(game, field, dtype.shape)):
                if name is not None:
                    found[offset // 2 + place] = field, f"{field} {name}".rstrip()
    return found


def _places(game: SpireFight, field: str, shape: tuple[int, ...]) -> Iterator[str | None]:
    """Give the name of each place of a field, None for one that is not used in this fight."""
    rules = game.rules
    kinds = [card.name for card in rules.kinds]
    known: dict[str, Sequence[str]] = {
        "powers": _NAMES[N_SHARED:],
        "buried": kinds,
        "counters": [f"{name} {place}" for place, name in enumerate(rules.counted)],
        "potions": [f"{name} {place}" for place, name in enumerate(rules.potions)],
    }
    if field == "status":
        yield from (f"{who} {name}" for who in _FIGHTERS for name in _NAMES[:N_SHARED])
    elif field == "piles":
        for pile in PILES:
            yield from (f"{pile} {kinds[kind]}" if kind < len(kinds) else None for kind in range(shape[1]))
    elif field in known:
        yield from (_at(known[field], place) for place in range(shape[0]))
    elif shape:
        yield from map(str, range(shape[0]))
    else:
        yield ""


def _at(names: Sequence[str], place: int) -> str | None:
    return names[place] if place < len(names) else None


def _values(game: SpireFight, field: str) -> list[str]:
    """Return what the values of a category are called, by value."""
    rules = game.rules
    if field == "row":
        return list(rules.rows)
    if field == "intent":
        names = [f"opening {place}" for place in range(len(rules.intents))]
        for row, chain in rules.chains.items():
            for (move, run), place in chain.items():
                names[place] = f"{rules.rows[row]} {move} {run}"
        return names
    if field in ("choose_from", "top"):
        return [card.name for card in rules.kinds]
    return list(map(str, range(1 << 8)))


def _move_names(game: SpireFight) -> list[str]:
    """Return the names of all moves."""
    return [game.action_name(move) for move in range(N_MOVES)]


GAIN_OUTPUT, DEATH_OUTPUT, FIRST_MOVE_OUTPUT = range(3)

LARGEST = 1e4
"""No number of a network is larger: what is summed up of them stays finite."""

Vector = npt.NDArray[np.float32]
Inputs = npt.NDArray[np.void]
Words16 = npt.NDArray[np.int16]


@dataclass(frozen=True, eq=False)
class Network:
    """A network: what it is told and weighs, how wide its hidden layers are, and its numbers, (n_weights,) float32."""

    sight: FeatureSpec
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


class NetworkEvaluator(Protocol):
    """What judges positions of fights: a network, or what makes one for a fight."""

    @property
    def exploration(self) -> float:
        """How curious a search with it is."""

    @property
    def trust(self) -> float:
        """Its share in what a position is worth."""

    def of_fight(self, game: SpireFight) -> Network:
        """Return the network of a fight."""


def n_weights(sight: FeatureSpec, width: int) -> int:
    """Return how many numbers a network has; UsageError for a width that is not allowed."""
    if width not in WIDTHS:
        raise UsageError(f"a network is {WIDTHS.start} to {WIDTHS.stop - 1} wide, got {width}.")
    n_inputs, n_outputs = len(sight.inputs), FIRST_MOVE_OUTPUT + len(sight.outputs)
    return (n_inputs + 1) * width + (width + 1) * width + (width + 1) * n_outputs


def new_network(sight: FeatureSpec, width: int, rng: np.random.Generator) -> Network:
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
def observe(
    fight: FightRecord, numbers: Words16, place: int, inputs: Inputs, policy: PlayoutPolicy, seen: Vector
) -> None:
    """Write the features of a fight into `seen`; its numbers are row `place` of `numbers`."""
    incoming = incoming_damage(fight, policy)
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
def layer(weights: Vector, first: int, given: Vector, sums: Vector) -> int:
    """Compute a layer whose weights begin at `first`; return where those of the next one begin."""
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
def rectify(values: Vector) -> None:
    """Set negative values to 0."""
    for place in range(len(values)):
        values[place] = max(values[place], np.float32(0.0))


@kernel
def forward(weights: Vector, seen: Vector, first: Vector, second: Vector, outputs: Vector) -> None:
    """Compute the outputs of a network, and its hidden layers `first` and `second` (width,)."""
    at = layer(weights, 0, seen, first)
    rectify(first)
    at = layer(weights, at, first, second)
    rectify(second)
    layer(weights, at, second, outputs)
