"""Network of a fight: its input features, its outputs for moves, and its forward pass.

Open it to change the features. `discover_features` plays random fights and keeps each number of the state
that changes. Features and moves have names, such as "piles hand Strike" and "Bash at enemy 1". By these names a network
applies to fights that number their cards and enemies differently.

The network has two hidden layers and is stored as one float32 vector: per layer a row for each input, then the biases.
Its outputs, in this order:

- the payoff minus that of winning now, in units of `EvaluatorRecord.gain_unit`
- the logit of losing
- the logits of moves
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Protocol

import numpy as np
import numpy.typing as npt
from msgspec import Meta, Struct

from evodom.errors import UsageError
from evodom.jit.kernel import kernel
from evodom.spire.content.effects import PILES
from evodom.spire.content.statuses import STATUSES
from evodom.spire.engine.game import SpireFight, State
from evodom.spire.engine.layout import FIGHT, N_FIGHTERS, N_SHARED, PLAYER, FightRecord
from evodom.spire.engine.moves import END, N_MOVES
from evodom.spire.play import WIDTHS
from evodom.spire.play.playouts import PlayoutPolicy, incoming_damage

ABSENT, AMOUNT, CATEGORY, INCOMING, UNBLOCKED, COUNT = range(6)
"""Kinds of inputs.

ABSENT     an input that this fight does not have; always 0
AMOUNT     a number of the record
CATEGORY   1 if a number of the record has a certain value, else 0
INCOMING   the incoming damage
UNBLOCKED  the incoming damage minus block
COUNT      a number of one byte of the record
"""

INPUT = np.dtype((np.record, [("kind", "<i4"), ("word", "<i4"), ("value", "<i4"), ("scale", "<f4")]))
"""An input: its kind, its index `word` in the record as int16, the value of its category, and its scale factor.

For COUNT, `word` is the number of the byte.
"""

OTHER = "another move"
"""Name of the first output for moves. All moves that `discover_features` did not meet share it."""

_FIGHTER_NAMES = tuple(map(str, range(N_FIGHTERS)))
_STATUS_NAMES = tuple(STATUSES)
_DAMAGE_INPUTS = {"incoming damage": INCOMING, "unblocked damage": UNBLOCKED}
_DAMAGE_SCALE = 1 / 20

_CATEGORIES = ("row", "intent", "types", "choosing", "choose_pile", "choose_from", "offered", "top")
"""Fields whose numbers are categories."""

_REDUNDANT = frozenset(("over", "is_player_turn", "is_enemy_turn", "new_statuses", "n_overflows"))
_REDUNDANT |= {"queue", "n_queue", "autoplays", "n_autoplays", "padding"}
"""Fields that are redundant at a decision."""

_COUNTS = ("piles ", "buried ")
"""Beginnings of the names of numbers of one byte. All other numbers of the record have two bytes."""

_MAX_PLAIN_VALUES = 256
"""Upper bound of the values of categories without names, such as `types`. Numbers replace the names."""

_END_CHANCE = 0.15
"""Probability that random play ends a turn while cards can be played."""


class FeatureSpec(Struct, frozen=True):
    """Observation spec: names of the inputs, their scales, and names of the moves with outputs.

    Names of inputs:

    piles hand Strike      a number of the record: its field, and the name of the number
    row 1 = Jaw Worm       a category: a number of the record, and the name of its value
    incoming damage        damage of all intents
    unblocked damage       damage of all intents minus the block
    """

    inputs: tuple[str, ...]
    scales: tuple[Annotated[float, Meta(gt=0, le=1)], ...]
    outputs: Annotated[tuple[str, ...], Meta(min_length=1)]

    def __post_init__(self) -> None:
        if len(self.inputs) != len(self.scales):
            raise ValueError("its inputs and their scales do not fit")

    def to_json(self) -> dict[str, Any]:
        """Return the spec as JSON types."""
        return {name: list(getattr(self, name)) for name in self.__struct_fields__}

    def bind(self, game: SpireFight) -> tuple[npt.NDArray[Any], npt.NDArray[np.int32]]:
        """Bind the spec to a fight: return the inputs, (n,) of INPUT, and the output of each move, (N_MOVES,)."""
        inputs = np.zeros(len(self.inputs), INPUT)  # inputs that the fight lacks stay ABSENT
        words = {name: word for name, (_, word) in _observable_words(game).items()}
        values = {field: {name: n for n, name in enumerate(_values(game, field))} for field in _CATEGORIES}
        for place, (name, scale) in enumerate(zip(self.inputs, self.scales, strict=True)):
            word, _, value = name.partition(" = ")
            if name in _DAMAGE_INPUTS:
                inputs[place] = _DAMAGE_INPUTS[name], 0, 0, scale
            elif word in words and not value:
                inputs[place] = COUNT if word.startswith(_COUNTS) else AMOUNT, words[word], 0, scale
            elif word in words:
                field = word.split()[0]
                if value in values.get(field, {}):
                    inputs[place] = CATEGORY, words[word], values[field][value], scale
        outputs = {name: place for place, name in enumerate(self.outputs)}
        return inputs, np.array([outputs.get(name, 0) for name in _move_names(game)], np.int32)

    def first_unknown(self, game: SpireFight) -> str:
        """Return the first card or enemy of a fight without features in this spec; "" if all have features."""
        known = set(self.inputs)
        cards = [name for name in game.rules.deck if not any(f"piles {pile} {name}" in known for pile in PILES)]
        met = {name.partition(" = ")[2] for name in known if name.startswith("row ")}
        enemies = {name: None for group, _ in game.setup.enemies for name in group if name not in met}
        return next(iter([*cards, *enemies]), "")


def discover_features(
    games: Sequence[SpireFight], starts: Sequence[Sequence[State]], rng: np.random.Generator
) -> FeatureSpec:
    """Return the features of the given fights that change in random play from their starts.

    A category has a feature for each value that occurs, except 0. The dictionaries serve as ordered sets.
    """
    scales: dict[str, float] = dict.fromkeys(_DAMAGE_INPUTS, _DAMAGE_SCALE)
    moves: dict[str, None] = {OTHER: None}
    first: dict[str, int] = {}
    for game, begin in zip(games, starts, strict=True):
        positions, played = _play_randomly(game, begin, rng)
        names = _move_names(game)
        moves |= dict.fromkeys(names[move] for move in sorted(played))
        for name, (field, word) in _observable_words(game).items():
            numbers = positions.view(np.int8) if name.startswith(_COUNTS) else positions
            column = numbers[:, word].astype(np.int64)
            if field in _CATEGORIES:
                values = _values(game, field)
                scales |= {f"{name} = {values[value]}": 1.0 for value in np.unique(column) if value > 0}
                continue
            first_value = first.setdefault(name, int(column[0]))
            if (column != first_value).any() or name in scales:
                scales[name] = min(scales.get(name, 1.0), 1.0 / max(int(np.abs(column).max()), 1))
    return FeatureSpec(tuple(scales), tuple(scales.values()), tuple(moves))


def _play_randomly(
    game: SpireFight, starts: Iterable[State], rng: np.random.Generator
) -> tuple[npt.NDArray[np.int16], set[int]]:
    """Play at random. Return all positions, (n, words) int16, and the set of legal moves met."""
    positions: list[State] = []
    legal: set[int] = set()
    for start in starts:
        state = start
        while moves := game.actions(state):
            positions.append(state)
            legal.update(moves)
            others = [move for move in moves if move != END]
            move = END if not others or rng.random() < _END_CHANCE * (END in moves) else int(rng.choice(others))
            state = game.sample(state, move, rng)
    return np.frombuffer(b"".join(positions), np.int16).reshape(len(positions), -1), legal


def _observable_words(game: SpireFight) -> dict[str, tuple[str, int]]:
    """Return the field and the `word` (see INPUT) of each observable number of a fight, by its name."""
    found = {}
    fields: Any = FIGHT.fields
    for field, (dtype, offset, *_) in fields.items():
        if field not in _REDUNDANT:
            for place, name in enumerate(_names_of_field(game, field, dtype.shape)):
                if name is not None:
                    found[f"{field} {name}".rstrip()] = field, offset // dtype.base.itemsize + place
    return found


def _names_of_field(game: SpireFight, field: str, shape: tuple[int, ...]) -> Iterator[str | None]:
    """Yield the name of each number of a field, in the order of the record; None for an unused number."""
    rules = game.rules
    kinds = [card.name for card in rules.kinds]
    known: dict[str, Sequence[str]] = {
        "powers": _STATUS_NAMES[N_SHARED:],
        "buried": kinds,
        "counters": [f"{name} {place}" for place, name in enumerate(rules.triggered_relics)],
        "potions": [f"{name} {place}" for place, name in enumerate(rules.potions)],
    }
    if field == "status":
        yield from (f"{who} {name}" for who in _FIGHTER_NAMES for name in _STATUS_NAMES[:N_SHARED])
    elif field == "piles":
        for pile in PILES:
            yield from ([*(f"{pile} {kind}" for kind in kinds), *[None] * shape[1]][: shape[1]])
    elif field in known:
        yield from ([*known[field], *[None] * shape[0]][: shape[0]])
    elif shape:
        yield from map(str, range(shape[0]))
    else:
        yield ""


def _values(game: SpireFight, field: str) -> list[str]:
    """Return the names of a category's values, by value.

    An intent is named after its enemy, move and history. "opening N" is the start of a move pattern, before its first
    move.
    """
    rules = game.rules
    if field == "row":
        return list(rules.enemy_names)
    if field == "intent":
        names = [f"opening {place}" for place in range(len(rules.intents))]
        for row, chain in rules.chains.items():
            for (move, history), place in chain.items():
                names[place] = f"{rules.enemy_names[row]} {move} {history}"
        return names
    if field == "offered":
        return ["", *(card.name for card in rules.kinds)]
    if field in ("choose_from", "top"):
        return [card.name for card in rules.kinds]
    return list(map(str, range(_MAX_PLAIN_VALUES)))


def _move_names(game: SpireFight) -> list[str]:
    """Return the names of all moves."""
    return [game.action_name(move) for move in range(N_MOVES)]


GAIN_OUTPUT, DEATH_OUTPUT, FIRST_MOVE_OUTPUT = range(3)

MAX_WEIGHT = 1e4
"""Maximum absolute weight of a network. It keeps sums finite."""

Vector = npt.NDArray[np.float32]
Inputs = npt.NDArray[np.void]
Words16 = npt.NDArray[np.int16]


def check_weights(weights: Vector, n: int, what: str) -> None:
    """Raise `UsageError` unless weights are `n` bounded float32 numbers. `what` begins the message for their shape."""
    if weights.shape != (n,) or weights.dtype != np.float32:
        raise UsageError(f"{what} {n} numbers is needed, got {weights.shape} {weights.dtype}.")
    if not (np.abs(weights) <= MAX_WEIGHT).all():
        raise UsageError(f"a network has numbers beyond {MAX_WEIGHT:g}, or NaN.")


@dataclass(frozen=True, eq=False)
class Network:
    """A network: its observation spec, the width of its hidden layers, and its weights, (n_weights,) float32."""

    features: FeatureSpec
    width: int
    weights: Vector
    value_weight: float = 1.0
    """Weight of the network's value in a leaf's value, 0 to 1. Playouts have the rest. At 1 no playouts run."""
    prior_weight: float = 1.0
    """Weight of the network's priors if there are playouts, 0 to 1. The playout policy has the rest."""
    exploration: float = 0.15
    """Default of `c_puct` in a search with this network."""
    gain_is_hp: bool = False
    """Whether the predicted gain is a share of the maximum HP. Otherwise it is a share of the best payoff."""

    def __post_init__(self) -> None:
        """Check the weights. Raise `UsageError` for a wrong shape, dtype or range."""
        check_weights(self.weights, n_weights(self.features, self.width), "a network of")

    def for_fight(self, game: SpireFight) -> "Network":
        """Return the network itself. It suits only fights like those of its training."""
        return self


class NetworkEvaluator(Protocol):
    """Protocol of evaluators: a network, or a generator of networks for fights."""

    @property
    def exploration(self) -> float:
        """Default of `c_puct` in a search with this network."""

    @property
    def value_weight(self) -> float:
        """Weight of the network's value in a leaf's value."""

    def for_fight(self, game: SpireFight) -> "Network":
        """Return the network of a fight."""


def n_weights(features: FeatureSpec, width: int) -> int:
    """Return the number of weights. Raise `UsageError` for a width outside WIDTHS."""
    if width not in WIDTHS:
        raise UsageError(f"a network is {WIDTHS.start} to {WIDTHS.stop - 1} wide, got {width}.")
    n_inputs, n_outputs = len(features.inputs), FIRST_MOVE_OUTPUT + len(features.outputs)
    return (n_inputs + 1) * width + (width + 1) * width + (width + 1) * n_outputs


def new_network(features: FeatureSpec, width: int, rng: np.random.Generator) -> Network:
    """Return an untrained network with nearly uniform priors (He et al. 2015, "Delving deep")."""
    n_weights(features, width)
    n_inputs, n_outputs = len(features.inputs), FIRST_MOVE_OUTPUT + len(features.outputs)
    layers = [
        (n_inputs, width, np.sqrt(6.0 / n_inputs)),  # about a third of the inputs are not 0
        (width, width, np.sqrt(2.0 / width)),
        (width, n_outputs, 0.1 * np.sqrt(2.0 / width)),
    ]
    parts = [np.vstack([spread * rng.standard_normal((n, m)), np.zeros((1, m))]) for n, m, spread in layers]
    return Network(features, width, np.concatenate([part.ravel() for part in parts]).astype(np.float32))


@kernel
def observe(
    fight: FightRecord, numbers: Words16, place: int, inputs: Inputs, policy: PlayoutPolicy, features: Vector
) -> None:
    """Write the features of a fight into `features`. The numbers of its record are row `place` of `numbers`."""
    incoming = incoming_damage(fight, policy)
    for n in range(len(inputs)):
        feature = inputs[n]
        value = 0
        if feature.kind == AMOUNT:
            value = numbers[place, feature.word]
        elif feature.kind == CATEGORY:
            value = 1 if numbers[place, feature.word] == feature.value else 0
        elif feature.kind == COUNT:
            value = numbers[place, feature.word >> 1] >> 8 * (feature.word & 1) & 127
        elif feature.kind == INCOMING:
            value = incoming
        elif feature.kind == UNBLOCKED:
            value = max(incoming - fight.block[PLAYER], 0)
        features[n] = np.float32(value) * feature.scale
