"""What a model is: one kind of strategy, and everything that depends on it.

Each model has a folder of its own, whose `Model` stands in `registry.MODELS`. Whoever handles strategies asks there for
what depends on their kind: nobody else knows which kinds there are. A new model is one folder and one line of MODELS.

A `Model` can be listed without NumPy or Numba; `Model.parts` loads the rest when it is first asked for. The modules
that it loads work on records they are given, and do not import `record`, which is composed of their columns.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from evodom.dominion.kingdom import Kingdom

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from evodom.dominion.strategies.breeding import Breeding
    from evodom.dominion.strategies.traits import Traits
    from evodom.dominion.strategies.wording import Wording

Strategy: TypeAlias = Any
"""A record of STRATEGY (`numpy.record`)."""

Strategies: TypeAlias = "npt.NDArray[Any]"
"""An array of STRATEGY records."""

Genomes: TypeAlias = "npt.NDArray[Any]"
"""An array of genomes, records of a type of the model's own."""

Column: TypeAlias = tuple[str, str] | tuple[str, str, tuple[int, ...]]
"""A column of a record: its name, its type, and its shape unless it holds one number."""

IsAsGood: TypeAlias = Callable[[Strategy], bool]
"""Tells whether a changed strategy is as good as the one it was made from."""

EVOLVED_CHOICES, SIMPLE_CHOICES = "evolved", "simple"
"""How choices among cards are made: by evolved worths, or by what is preferred least."""

SWITCH_EVOLVED = (6, 25)
"""The turns between which the switch from the early to the late preference evolves."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One value of ``--model``: which model is evolved, and what holds unless something else is asked for.

    ``choices`` is how choices among cards are made, ``switch`` the turns between which the switch evolves,
    ``meets_rivals`` whether the better half of a generation also plays against baselines and earlier champions.
    """

    name: str
    help: str
    choices: str = EVOLVED_CHOICES
    switch: tuple[int, int] = SWITCH_EVOLVED
    meets_rivals: bool = True


@dataclass(frozen=True, slots=True)
class Genetics:
    """How genomes of a model are bred and what they play as; all functions take whole arrays of genomes.

    ``first`` and ``random`` draw so many genomes, those of a first generation and any; ``cross`` returns one child of
    each pair, the fitter parent given first; ``mutate`` changes genomes in place and returns them. ``upgrade`` returns
    genomes that were read from a file as they are now, each gene checked, or raises UsageError: all that is made of
    genomes trusts them. ``encode`` writes genomes into blank records.
    ``diversity`` says how much two random genomes differ, from 0 to 1, and ``early_green`` how strongly strategies
    prefer Curses, and other victory points too early, from 0 (`evolution.algorithm.penalise`).
    """

    first: Callable[[int, "Breeding", "np.random.Generator"], Genomes]
    random: Callable[[int, "Breeding", "np.random.Generator"], Genomes]
    cross: Callable[[Genomes, Genomes, "Breeding", "np.random.Generator"], Genomes]
    mutate: Callable[[Genomes, "Breeding", "np.random.Generator"], Genomes]
    upgrade: Callable[[Genomes, "Breeding"], Genomes]
    encode: Callable[[Genomes, "Breeding", Strategies], None]
    diversity: Callable[[Genomes], float]
    early_green: Callable[[Strategies], "npt.NDArray[np.float64]"]


@dataclass(frozen=True, slots=True)
class FileForm:
    """How a strategy file says a strategy of a model.

    ``read`` checks the fields of a file (those in ``keys``) and returns what they say; ``cards`` returns the cards that
    are named there; ``encode`` writes it into a blank record; ``dump`` returns the lines of a file for a record.
    A file that has the key ``implied_by`` need not name the model.
    """

    keys: tuple[str, ...]
    read: Callable[[Mapping[str, Any]], Any]
    cards: Callable[[Any], Sequence[str]]
    encode: Callable[[Any, Kingdom, Strategy], None]
    dump: Callable[[Strategy, Kingdom], list[str]]
    implied_by: str = ""


@dataclass(frozen=True, slots=True)
class Edits:
    """How a strategy of a model is changed; each function but the last returns a changed copy.

    ``without`` a card; ``with_more``, up to n of a card bought before all that costs no more, Victory cards excepted;
    ``simplified`` leaves out all that can be left out while the strategy stays as good. ``as_rules`` returns the rules
    of a buy list that comes near to the strategy, as text; None if no list does.
    """

    without: Callable[[Strategy, str, Kingdom], Strategy]
    with_more: Callable[[Strategy, str, int, Kingdom], Strategy]
    simplified: Callable[[Strategy, Kingdom, IsAsGood], Strategy]
    as_rules: Callable[[Strategy, Kingdom], tuple[str, ...] | None]


@dataclass(frozen=True, slots=True)
class Parts:
    """All that depends on a model; None where it has no such thing: nobody writes or breeds the random player.

    ``columns`` are those it adds to the record, ``defaults`` what stands in them unless it is 0; ``select`` is the
    kernel that answers a Decision. ``is_sound`` tells whether a kernel may trust a record that was read from a file.
    ``traits`` is given the names of the cards that a strategy ever owns, and says nothing about others.
    ``draws`` says that it can answer the same question differently, ``learned`` that it can learn from games.
    Strategies that buy differently differ in one of the columns of ``told_apart_by``.
    """

    columns: Sequence[Column]
    select: Callable[..., Any]
    traits: Callable[[Strategy, Kingdom, Collection[str]], "Traits"]
    in_words: Callable[[Strategy, Kingdom], "Wording"]
    draws: bool
    learned: bool = False
    defaults: Mapping[str, int] = field(default_factory=dict)
    is_sound: Callable[[Strategy], bool] = lambda strategy: True
    told_apart_by: tuple[str, ...] = ()
    genetics: Genetics | None = None
    file: FileForm | None = None
    edits: Edits | None = None


@dataclass(frozen=True)
class Model:
    """A kind of strategy by name; ``settings`` are the values of ``--model`` that evolve it."""

    name: str
    settings: tuple[Setting, ...]
    load: Callable[[], Parts]

    @cached_property
    def parts(self) -> Parts:
        """All that depends on the model, loaded on first use."""
        return self.load()
