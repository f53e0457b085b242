"""The interface of all models of strategies: `StrategyModel`, its genetics, its entry in the registry.

A model is one kind of strategy. `registry` lists the entries. This module imports neither NumPy nor Numba.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, TypeAlias, cast

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from evodom.dominion.kingdom import Kingdom
    from evodom.dominion.strategies.breeding import Breeding
    from evodom.dominion.strategies.describe import BuyOrders, StrategyDescription
    from evodom.dominion.strategies.plans import BuyPlan
    from evodom.dominion.strategies.record import Strategy


IntArray: TypeAlias = "npt.NDArray[np.integer[Any]]"
FloatArray: TypeAlias = "npt.NDArray[np.floating[Any]]"


class NetworkRecord(Protocol):
    """A record of WEIGHTS (`networks.layers`)."""

    weights: FloatArray


Strategies: TypeAlias = "npt.NDArray[np.void]"
"""An array of STRATEGY records."""

Genomes: TypeAlias = "npt.NDArray[np.void]"
"""An array of genomes. Each model has its own record type."""


class Change(NamedTuple):
    """A change of local search, and its initial weight."""

    apply: "Callable[[Genomes, Breeding, np.random.Generator], object]"
    """A function that changes each genome of an array in place."""
    weight: float

    @property
    def name(self) -> str:
        """The name of the function in words."""
        return self.apply.__name__.replace("_", " ")


IsAsGood: TypeAlias = "Callable[[Strategy], bool]"
"""Return whether a changed strategy is as good as the original."""

EVOLVED_CHOICES, SIMPLE_CHOICES = "evolved", "simple"
"""Values of ``--choices``. EVOLVED_CHOICES compare evolved card values, SIMPLE_CHOICES the weights of preferences."""

SWITCH_EVOLVED = (6, 25)
"""Default range of the evolved turn at which a strategy changes from its early to its late weights."""


RANDOM, BUY_LIST, PREFERENCES, NETWORK = "random", "buy-list", "preferences", "network"
"""Names of models that other packages refer to."""


@dataclass(frozen=True, slots=True)
class ModelPreset:
    """A value of ``--model``: the model to evolve, words for users, and the defaults that it sets for other options.

    ``choices`` is EVOLVED_CHOICES or SIMPLE_CHOICES. ``switch`` is the range of turns for the change from early to late
    weights. If ``meets_rivals``, the better half of each generation also plays against training opponents and past
    champions.
    """

    name: str
    model: str
    noun: str
    """The strategies in the words of reports: "preferences"."""
    help: str
    in_advice: bool = False
    """True if ``evodom advise`` evolves strategies of this preset for its answer."""
    choices: str = EVOLVED_CHOICES
    switch: tuple[int, int] = SWITCH_EVOLVED
    meets_rivals: bool = True


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """A model in the registry. The registry imports ``package``. The package's modules are imported on first use.

    The module ``model`` of the package has the model as MODEL. A model with columns has the module ``columns`` with
    their Protocol. The columns are a block of a strategy's record, named after the folder.
    """

    name: str
    package: str
    presets: tuple[ModelPreset, ...] = ()
    class_of_columns: str = ""

    @property
    def block(self) -> str:
        """The name of the model's block in the record: that of its folder."""
        return self.package.rpartition(".")[2]

    @property
    def columns(self) -> type:
        """The Protocol of the model's block."""
        return cast(type, getattr(import_module(f"{self.package}.columns"), self.class_of_columns))

    @property
    def model(self) -> "StrategyModel":
        """The model."""
        return cast(StrategyModel, import_module(f"{self.package}.model").MODEL)


class Genetics(Protocol):
    """Genetic operators of a model, and the encoding of its genomes. Modules implement it.

    All functions take whole arrays of genomes.
    """

    def first_genomes(self, n: int, breeding: "Breeding", rng: "np.random.Generator", /) -> Genomes:
        """Draw the ``n`` genomes of a first generation."""

    def random_genomes(self, n: int, breeding: "Breeding", rng: "np.random.Generator", /) -> Genomes:
        """Draw ``n`` genomes."""

    def cross(self, fitter: Genomes, other: Genomes, breeding: "Breeding", rng: "np.random.Generator", /) -> Genomes:
        """Return one child of each pair; the first parent is the fitter. A child has cards of both parents."""

    def mutate(self, genomes: Genomes, breeding: "Breeding", rng: "np.random.Generator", /) -> Genomes:
        """Mutate genomes in place and return them."""

    def without_one_part(self, genome: Genomes, breeding: "Breeding", /) -> Genomes:
        """Return copies of the only genome of an array, each without one part: a rule, a limit or a condition."""

    def from_plans(self, plans: "Sequence[BuyPlan]", breeding: "Breeding", rng: "np.random.Generator", /) -> Genomes:
        """Return a genome for each plan of purchases. Genes that the plan does not determine are drawn."""

    def merge(self, genome: Genomes, changed: Genomes, /) -> Genomes:
        """Return ``genome``, an array of length 1, with the differences of each of ``changed``."""

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

    def encode(self, kingdom: "Kingdom", strategy: "Strategy") -> None:
        """Write the strategy into a blank record."""


class StrategyModel(ABC):
    """One kind of strategy and everything that depends on it.

    Attributes:
        is_stochastic: equal states can lead to different choices.
        is_learned: the strategy can learn from games.
        is_editable: the strategy can be changed and written as rules.
        changes: the changes of local search; empty for a model without genetics.
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
    changes: ClassVar[Sequence[Change]] = ()
    keys: ClassVar[tuple[str, ...]] = ()
    identifying_key: ClassVar[str] = ""

    @abstractmethod
    def describe(self, strategy: "Strategy", kingdom: "Kingdom", owned: Collection[str]) -> "StrategyDescription":
        """Return a description of a strategy, limited to the cards in ``owned``."""

    @abstractmethod
    def describe_buys(self, strategy: "Strategy", kingdom: "Kingdom") -> "BuyOrders":
        """Return the buys of a strategy in words."""

    def is_sound(self, strategy: "Strategy") -> bool:
        """Return whether the model's columns of a record from a file are safe for kernels."""
        return True

    def read(self, fields: Mapping[str, object]) -> FileContent:
        """Return the checked content of a file's fields. Raise UsageError for a wrong value."""
        raise NotImplementedError

    def dump(self, strategy: "Strategy", kingdom: "Kingdom") -> list[str]:
        """Return the lines of a strategy file."""
        raise NotImplementedError

    def without_card(self, strategy: "Strategy", card: str, kingdom: "Kingdom") -> "Strategy":
        """Return a copy that does not gain a card."""
        raise NotImplementedError

    def with_card(self, strategy: "Strategy", card: str, n: int, kingdom: "Kingdom") -> "Strategy":
        """Return a copy that first buys up to ``n`` of a card. More expensive and Victory cards keep their place."""
        raise NotImplementedError

    def reachable(self, strategy: "Strategy", kingdom: "Kingdom") -> "Strategy":
        """Return a strategy that plays in the same way, without rules that never apply."""
        return strategy

    def simplified(self, strategy: "Strategy", kingdom: "Kingdom", is_as_good: IsAsGood) -> "Strategy":
        """Return a simpler strategy. Parts are removed one by one while ``is_as_good`` accepts the result."""
        return strategy

    def as_rules(self, strategy: "Strategy", kingdom: "Kingdom") -> tuple[str, ...] | None:
        """Return the rules of a buy list similar to the strategy, as text. Return None if there is none."""
        return None
