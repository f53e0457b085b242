"""What all models of strategies have in common: the class `StrategyModel`, its genetics, and the record's fields.

A model is one kind of strategy. `registry` lists the models and imports them when they are used. This module imports
neither NumPy nor Numba.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from evodom.dominion.kingdom import Kingdom
    from evodom.dominion.strategies.breeding import Breeding
    from evodom.dominion.strategies.describe import Traits, Wording

IntArray: TypeAlias = "npt.NDArray[np.integer[Any]]"
FloatArray: TypeAlias = "npt.NDArray[np.floating[Any]]"


class Strategy(Protocol):
    """A record of STRATEGY (`numpy.record`); `record` describes its columns."""

    kind: int
    kingdom: int
    switch: int
    switch_on: int
    switch_left: int
    ranks_cards: int
    worth_owning: IntArray
    worth_in_hand: IntArray
    trash_below: IntArray
    coin_floor: int
    n_rules: int
    rules: IntArray
    conditions: IntArray
    terms: IntArray
    endgame_check: int
    play: IntArray
    worth_while_wanted: IntArray
    discard_to: int
    weights: FloatArray
    pass_weights: FloatArray
    class_weights: FloatArray
    cellar_victory_only: int
    graded: int
    limits: IntArray
    from_left: IntArray
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


Strategies: TypeAlias = "npt.NDArray[np.void]"
"""An array of STRATEGY records."""

Genomes: TypeAlias = "npt.NDArray[np.void]"
"""An array of genomes, records of a type of the model's own."""

IsAsGood: TypeAlias = Callable[[Strategy], bool]
"""Return whether a changed strategy is as good as the one it was made from."""

EVOLVED_CHOICES, SIMPLE_CHOICES = "evolved", "simple"
"""How choices among cards are made: by evolved values, or by the lowest preference."""

SWITCH_EVOLVED = (6, 25)
"""The turns between which the switch from the early to the late preference evolves."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One value of ``--model``: the model that is evolved, and the defaults of its options.

    ``choices`` is how choices among cards are made, ``switch`` the turns between which the switch evolves.
    ``meets_rivals`` is True if the better half of a generation also plays against baselines and earlier champions.
    """

    name: str
    model: str
    help: str
    choices: str = EVOLVED_CHOICES
    switch: tuple[int, int] = SWITCH_EVOLVED
    meets_rivals: bool = True


class Genetics(Protocol):
    """How genomes of a model are bred and which strategies they encode; a module with these functions.

    All functions take whole arrays of genomes.
    """

    def first_genomes(self, n: int, breeding: "Breeding", rng: "np.random.Generator", /) -> Genomes:
        """Draw the ``n`` genomes of a first generation."""

    def random_genomes(self, n: int, breeding: "Breeding", rng: "np.random.Generator", /) -> Genomes:
        """Draw ``n`` genomes."""

    def cross(self, fitter: Genomes, other: Genomes, breeding: "Breeding", rng: "np.random.Generator", /) -> Genomes:
        """Return one child of each pair, the fitter parent given first."""

    def mutate(self, genomes: Genomes, breeding: "Breeding", rng: "np.random.Generator", /) -> Genomes:
        """Mutate genomes in place and return them."""

    def upgrade(self, genomes: Genomes, breeding: "Breeding", /) -> Genomes:
        """Return genomes of a file in the present format, each gene checked; raise UsageError for others."""

    def encode(self, genomes: Genomes, breeding: "Breeding", strategies: Strategies, /) -> None:
        """Write the strategies of genomes into blank records."""

    def diversity(self, genomes: Genomes, /) -> float:
        """Return how much two random genomes differ, from 0 to 1."""

    def early_green(self, strategies: Strategies, /) -> "npt.NDArray[np.float64]":
        """Return how strongly strategies prefer Curses, and other victory points too early, from 0."""


class WrittenStrategy(Protocol):
    """The content of a strategy file, as its model has read it."""

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards that it names."""

    def encode(self, kingdom: "Kingdom", strategy: Strategy) -> None:
        """Write it into a blank record."""


class StrategyModel(ABC):
    """One kind of strategy and everything that depends on it.

    ``is_stochastic`` is True if it can answer the same question differently, ``is_learned`` if it can learn from games.
    Strategies of a model that is not ``is_editable`` have nothing to change or to write as rules.
    ``defaults`` are the columns of a blank record that are not 0. Strategies that buy differently differ in one of the
    ``identity_columns``. ``keys`` are the fields of its strategy files; without any it has no files. A file with the
    key ``implied_by`` need not name the model.
    """

    name: ClassVar[str]
    is_stochastic: ClassVar[bool] = True
    is_learned: ClassVar[bool] = False
    is_editable: ClassVar[bool] = True
    defaults: ClassVar[Mapping[str, int]] = {}
    identity_columns: ClassVar[tuple[str, ...]] = ()
    genetics: ClassVar[Genetics | None] = None
    keys: ClassVar[tuple[str, ...]] = ()
    implied_by: ClassVar[str] = ""

    @property
    @abstractmethod
    def select(self) -> Callable[..., int]:
        """The kernel that chooses for the pending Decision."""

    @abstractmethod
    def traits(self, strategy: Strategy, kingdom: "Kingdom", owned: Collection[str]) -> "Traits":
        """Return how a strategy plays, as far as the cards in ``owned`` are concerned."""

    @abstractmethod
    def in_words(self, strategy: Strategy, kingdom: "Kingdom") -> "Wording":
        """Return what a strategy buys, in words."""

    def is_sound(self, strategy: Strategy) -> bool:
        """Return whether a kernel may trust the model's columns of a record that was read from a file."""
        return True

    def read(self, fields: Mapping[str, object]) -> WrittenStrategy:
        """Return what the fields of a file say, checked; raise UsageError for a wrong value."""
        raise NotImplementedError

    def dump(self, strategy: Strategy, kingdom: "Kingdom") -> list[str]:
        """Return the lines of a strategy file."""
        raise NotImplementedError

    def without(self, strategy: Strategy, card: str, kingdom: "Kingdom") -> Strategy:
        """Return a copy that does not gain a card."""
        raise NotImplementedError

    def with_more(self, strategy: Strategy, card: str, n: int, kingdom: "Kingdom") -> Strategy:
        """Return a copy that buys up to ``n`` of a card before all that costs no more, Victory cards excepted."""
        raise NotImplementedError

    def simplified(self, strategy: Strategy, kingdom: "Kingdom", is_as_good: IsAsGood) -> Strategy:
        """Return the strategy without all that can be left out while it stays as good."""
        return strategy

    def as_rules(self, strategy: Strategy, kingdom: "Kingdom") -> tuple[str, ...] | None:
        """Return the rules of a buy list near to the strategy, as text; None if no list is near."""
        return None
