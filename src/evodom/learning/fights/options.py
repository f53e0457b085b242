"""The settings of a training for fights, and how it learns."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Self

from evodom.errors import UsageError, short
from evodom.learning.fights import ACT, WITHOUT
from evodom.runs import checked_settings
from evodom.spire.embedding.hypernetwork import WIDTH
from evodom.spire.play.network import WIDTHS

_ALLOWED = {
    "iterations": range(1, 10_001),
    "games": range(2, 100_001),
    "simulations": range(2, 100_001),
    "width": WIDTHS,
}

_WITHIN: dict[str, tuple[float, float]] = {
    "exploration": (0, 1e6),
    "noise": (0, 1),
    "varied": (0, 1),
    "played_out": (0, 10_000),
    "window": (1, 10_000),
    "epochs": (1, 1000),
    "batch": (1, 1_000_000),
    "rate": (0, 1),
    "shares": (0, 1e6),
    "trace": (0, 1),
}
"""What the numbers of a saved recipe may be."""


@dataclass(frozen=True)
class Recipe:
    """How a network learns. The exploration was found by measuring (docs/fights.md)."""

    exploration: float = 0.3
    noise: float = 0.25
    """The share of noise in the priors of the root, in games that are varied."""
    varied: float = 0.8
    """The share of the games in which moves are played in proportion to their visits."""
    played_out: int = 4
    """So many iterations begin without a network: positions are played out."""
    window: int = 8
    """Learn from the games of so many iterations."""
    epochs: int = 1
    batch: int = 128
    rate: tuple[float, float] = (0.002, 0.0002)
    """The learning rate falls from the first to the last."""
    shares: tuple[float, float, float] = (1.0, 20.0, 0.2)
    """The weights of the losses: moves, gain, death."""
    trace: float = 0.5
    """How much the value of a position is what came later, and not what the search found of it."""

    @classmethod
    def from_json(cls, saved: Any) -> Self:
        """Read a saved recipe; raises ValueError for what is unknown, missing, or of the wrong kind or size."""
        usual = asdict(cls())
        rows = {name: len(value) for name, value in usual.items() if isinstance(value, tuple)}
        scalars = {name: value for name, value in saved.items() if name not in rows}
        checked_settings(scalars, {name: (type(value),) for name, value in usual.items() if name not in rows})
        values: dict[str, Any] = {name: [scalars[name]] for name in scalars} | {name: saved.get(name) for name in rows}
        for name, row in values.items():
            low, high = _WITHIN[name]
            fits = isinstance(row, list) and len(row) == rows.get(name, 1)
            if not fits or not all(type(one) in (int, float) and low <= one <= high for one in row):
                raise ValueError(f"{name} is {short(saved.get(name))}")
        found: dict[str, Any] = {name: tuple(row) if name in rows else row[0] for name, row in values.items()}
        return cls(**found)


RECIPES = {WITHOUT: Recipe(), ACT: Recipe(played_out=0)}
"""How a network learns as a rule, by what it begins as."""


@dataclass(frozen=True)
class FightOptions:
    """What a training was asked for: the fights as TOML, iterations, games of each, simulations a move, the width.

    `begin` is what the network begins as: ACT, or WITHOUT, which knows nothing.
    """

    fights: tuple[str, ...]
    iterations: int = 20
    games: int = 200
    simulations: int = 100
    width: int = WIDTH
    recipe: Recipe = field(default_factory=Recipe)
    begin: str = WITHOUT

    def __post_init__(self) -> None:
        """Check the numbers; UsageError for one that is not allowed."""
        if not self.fights:
            raise UsageError("a training needs a fight.")
        for name, allowed in _ALLOWED.items():
            if (got := getattr(self, name)) not in allowed:
                raise UsageError(f"--{name} is {allowed.start} to {allowed.stop - 1:,}, got {got}.")
        if self.begin not in RECIPES:
            raise UsageError(f"a training begins as one of {', '.join(RECIPES)}, got {short(self.begin)}.")
        if self.begin == ACT and self.width != WIDTH:
            raise UsageError(
                f"--width is {WIDTH} for a training that begins as the network of act 1, got {self.width}. "
                f"Begin with nothing: --network {WITHOUT}"
            )

    def to_json(self) -> dict[str, Any]:
        """Return the settings as plain JSON types."""
        return asdict(self)

    @classmethod
    def from_json(cls, saved: Any) -> Self:
        """Read saved settings; raises ValueError for what is unknown, missing, or of the wrong kind or size."""
        kinds = {"fights": (list,), "recipe": (dict,), "begin": (str,)} | dict.fromkeys(_ALLOWED, (int,))
        values = checked_settings(saved, kinds, ("begin",))
        numbers = {name: values[name] for name in _ALLOWED}
        begin = values.get("begin", WITHOUT)
        return cls(tuple(values["fights"]), **numbers, recipe=Recipe.from_json(values["recipe"]), begin=begin)
