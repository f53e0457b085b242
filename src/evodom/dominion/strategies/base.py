"""The interface of all models of strategies: `StrategyModel`, its genetics, the fields of a record, the registry.

A model is one kind of strategy. The registry lists the models by name and imports a model's module on first use. Each
module defines MODEL. This module imports neither NumPy nor Numba.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self, TypeAlias, cast

from evodom.errors import UsageError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from evodom.dominion.kingdom import Kingdom
    from evodom.dominion.strategies.breeding import Breeding
    from evodom.dominion.strategies.describe import BuyOrders, StrategyDescription
    from evodom.dominion.strategies.gains import GainStatistics


IntArray: TypeAlias = "npt.NDArray[np.integer[Any]]"
FloatArray: TypeAlias = "npt.NDArray[np.floating[Any]]"


class Strategy(Protocol):
    """A record of STRATEGY (`numpy.record`); `record` describes its columns."""

    kind: int
    kingdom: int
    switch: int
    switch_on: int
    switch_left: int
    uses_card_values: int
    deck_value: IntArray
    hand_value: IntArray
    trash_below: IntArray
    coin_floor: int
    n_rules: int
    rules: IntArray
    conditions: IntArray
    terms: IntArray
    endgame_check: int
    play: IntArray
    deck_value_if_wanted: IntArray
    discard_to: int
    play_values: int
    computed: IntArray
    weights: FloatArray
    pass_weights: FloatArray
    class_weights: FloatArray
    cellar_victory_only: int
    graded: int
    limits: IntArray
    max_gains_to_end: IntArray
    province_coins: int
    terminals: int
    terminal_per: int
    network: int

    def copy(self) -> Self:
        """Return a copy of the record."""

    def tobytes(self) -> bytes:
        """Return the record as bytes."""

    def __getitem__(self, column: str) -> Any: ...

    def __setitem__(self, column: str, value: object) -> None: ...


class Network(Protocol):
    """A record of WEIGHTS (`networks.layers`)."""

    weights: FloatArray


Strategies: TypeAlias = "npt.NDArray[np.void]"
"""An array of STRATEGY records."""

Genomes: TypeAlias = "npt.NDArray[np.void]"
"""An array of genomes. Each model has its own record type."""

IsAsGood: TypeAlias = Callable[[Strategy], bool]
"""Return whether a changed strategy is as good as the original."""

EVOLVED_CHOICES, SIMPLE_CHOICES = "evolved", "simple"
"""The values of ``--choices``: choices among cards by evolved card values, or by the weights of preferences."""

SWITCH_EVOLVED = (6, 25)
"""Default range of the evolved turn at which a strategy changes from its early to its late weights."""


@dataclass(frozen=True, slots=True)
class ModelPreset:
    """A value of ``--model``: the model to evolve, and the defaults that it sets for other options.

    ``choices`` is EVOLVED_CHOICES or SIMPLE_CHOICES. ``switch`` is the range of the turn of the switch. If
    ``meets_rivals``, the better half of each generation also plays against training opponents and past champions.
    """

    name: str
    model: str
    help: str
    choices: str = EVOLVED_CHOICES
    switch: tuple[int, int] = SWITCH_EVOLVED
    meets_rivals: bool = True


class Genetics(Protocol):
    """Genetic operators of a model, and the encoding of its genomes. Modules implement it.

    All functions take whole arrays of genomes.
    """

    def first_genomes(self, n: int, breeding: "Breeding", rng: "np.random.Generator", /) -> Genomes:
        """Draw the ``n`` genomes of a first generation."""

    def random_genomes(self, n: int, breeding: "Breeding", rng: "np.random.Generator", /) -> Genomes:
        """Draw ``n`` genomes."""

    def cross(self, fitter: Genomes, other: Genomes, breeding: "Breeding", rng: "np.random.Generator", /) -> Genomes:
        """Return one child of each pair; the first parent is the fitter."""

    def mutate(self, genomes: Genomes, breeding: "Breeding", rng: "np.random.Generator", /) -> Genomes:
        """Mutate genomes in place and return them."""

    def vary(self, genomes: Genomes, breeding: "Breeding", rng: "np.random.Generator", /) -> Genomes:
        """Make one small change to each genome in place and return them. Some changes have no effect on play."""

    def without_one_part(self, genome: Genomes, breeding: "Breeding", /) -> Genomes:
        """Return all genomes with one part less than ``genome``, an array of one: a rule, a limit, a condition."""

    def imitate(self, stats: "GainStatistics", n: int, breeding: "Breeding", rng: "np.random.Generator", /) -> Genomes:
        """Return ``n`` genomes that imitate gains: the first follows the means, the others vary at random."""

    def check_genomes(self, genomes: Genomes, breeding: "Breeding", /) -> None:
        """Raise UsageError unless each gene of saved genomes is valid."""

    def encode(self, genomes: Genomes, breeding: "Breeding", strategies: Strategies, /) -> None:
        """Write the strategies of genomes into blank records."""

    def diversity(self, genomes: Genomes, /) -> float:
        """Return the mean difference of two random genomes, from 0 to 1."""

    def early_victory_weight(self, strategies: Strategies, /) -> "npt.NDArray[np.float64]":
        """Return the total weight of each strategy for Curses and early Victory cards, (n,); at least 0."""


class FileContent(Protocol):
    """The content of a strategy file, as read by its model."""

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards named in the file."""

    def encode(self, kingdom: "Kingdom", strategy: Strategy) -> None:
        """Write the strategy into a blank record."""


class StrategyModel(ABC):
    """One kind of strategy and everything that depends on it.

    Attributes:
        is_stochastic: equal states can lead to different choices.
        is_learned: the strategy can learn from games.
        is_editable: the strategy can be changed and written as rules.
        defaults: columns of a blank record that are not 0.
        identity_columns: the columns that determine the buys. Strategies that agree in them have equal buys.
        keys: fields of strategy files; empty for a model without files.
        identifying_key: a key of this model alone. A file with it may omit ``model``.
    """

    name: ClassVar[str]
    select: ClassVar[Callable[..., int]]
    """Kernel that chooses for the pending Decision, given the rules, the state, the record and its network."""
    is_stochastic: ClassVar[bool] = True
    is_learned: ClassVar[bool] = False
    is_editable: ClassVar[bool] = True
    defaults: ClassVar[Mapping[str, int]] = {}
    identity_columns: ClassVar[tuple[str, ...]] = ()
    genetics: ClassVar[Genetics | None] = None
    keys: ClassVar[tuple[str, ...]] = ()
    identifying_key: ClassVar[str] = ""

    @abstractmethod
    def describe(self, strategy: Strategy, kingdom: "Kingdom", owned: Collection[str]) -> "StrategyDescription":
        """Return a description of a strategy, limited to the cards in ``owned``."""

    @abstractmethod
    def describe_buys(self, strategy: Strategy, kingdom: "Kingdom") -> "BuyOrders":
        """Return the buys of a strategy in words."""

    def is_sound(self, strategy: Strategy) -> bool:
        """Return whether the model's columns of a record from a file are safe for kernels."""
        return True

    def read(self, fields: Mapping[str, object]) -> FileContent:
        """Return the checked content of a file's fields. Raise UsageError for a wrong value."""
        raise NotImplementedError

    def dump(self, strategy: Strategy, kingdom: "Kingdom") -> list[str]:
        """Return the lines of a strategy file."""
        raise NotImplementedError

    def without_card(self, strategy: Strategy, card: str, kingdom: "Kingdom") -> Strategy:
        """Return a copy that does not gain a card."""
        raise NotImplementedError

    def with_card(self, strategy: Strategy, card: str, n: int, kingdom: "Kingdom") -> Strategy:
        """Return a copy that prefers up to ``n`` of a card to all cards of at most its cost, except Victory cards."""
        raise NotImplementedError

    def reachable(self, strategy: Strategy, kingdom: "Kingdom") -> Strategy:
        """Return a strategy that plays in the same way, without rules that never apply."""
        return strategy

    def simplified(self, strategy: Strategy, kingdom: "Kingdom", is_as_good: IsAsGood) -> Strategy:
        """Return a simpler strategy. Parts are removed one by one while ``is_as_good`` accepts the result."""
        return strategy

    def as_rules(self, strategy: Strategy, kingdom: "Kingdom") -> tuple[str, ...] | None:
        """Return the rules of a buy list similar to the strategy, as text. Return None if there is none."""
        return None


RANDOM, BUY_LIST, PREFERENCES, NETWORK = "random", "buy-list", "preferences", "network"

_MODULES = {RANDOM: "random", BUY_LIST: "buy_lists.model", PREFERENCES: "preferences.model", NETWORK: "networks.model"}

MODELS = tuple(_MODULES)
"""The names of all models. The column ``kind`` of a strategy's record is an index into this table."""

_MODEL_PRESETS = (
    ModelPreset(
        "graded",
        PREFERENCES,
        "preferences near a strict order among what can be had, and conditions under which cards are wanted",
    ),
    ModelPreset(
        "classic",
        PREFERENCES,
        "three draws from flat preferences, as the original did, and simple choices",
        choices=SIMPLE_CHOICES,
        switch=(12, 12),
        meets_rivals=False,
    ),
    ModelPreset("buy-list", BUY_LIST, "an ordered list of what to buy, how many and when"),
)

MODEL_PRESETS: dict[str, ModelPreset] = {preset.name: preset for preset in _MODEL_PRESETS}
"""The values of ``--model`` by name."""


@cache
def model_named(name: str) -> StrategyModel:
    """Return a model by name; raise KeyError for an unknown name."""
    return cast(StrategyModel, import_module(f"evodom.dominion.strategies.{_MODULES[name]}").MODEL)


def all_models() -> tuple[StrategyModel, ...]:
    """Return all models, in the order of MODELS."""
    return tuple(map(model_named, MODELS))


def model_of(strategy: Strategy) -> StrategyModel:
    """Return the model of a strategy."""
    return model_named(MODELS[int(strategy["kind"])])


def editable_model(strategy: Strategy) -> StrategyModel:
    """Return the model of a strategy. Raise UsageError for a model that is not editable."""
    model = model_of(strategy)
    if not model.is_editable:
        raise UsageError(f"a {model.name} strategy cannot be changed. Take one with rules or preferences.")
    return model


def model_index(name: str) -> int:
    """Return the index of a model in MODELS. Raise KeyError for an unknown name."""
    if name not in _MODULES:
        raise KeyError(name)
    return MODELS.index(name)


def was_learned(strategy: Strategy) -> bool:
    """Return whether a strategy's model learns from games, so that it can be trained further."""
    return model_of(strategy).is_learned


def genetics_of(preset: str) -> Genetics:
    """Return the genetics of a value of ``--model``."""
    genetics = model_named(MODEL_PRESETS[preset].model).genetics
    assert genetics is not None, f"{preset} is the setting of a model without genomes"
    return genetics


def models_with_files() -> tuple[str, ...]:
    """Return the names of the models that have strategy files."""
    return tuple(model.name for model in all_models() if model.keys)


def model_with_files(name: str) -> StrategyModel:
    """Return a model with strategy files by name. Raise UsageError for a model without them."""
    model = model_named(name)
    if not model.keys:
        raise UsageError(f"a {name} strategy cannot be written as a file. Allowed: {', '.join(models_with_files())}.")
    return model


def is_sound(strategy: Strategy) -> bool:
    """Return whether a record from a file is safe for kernels, by the checks of all models."""
    return 0 <= strategy["kind"] < len(MODELS) and all(model.is_sound(strategy) for model in all_models())
