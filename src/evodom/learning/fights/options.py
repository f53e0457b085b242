"""The settings of a training for fights, and how it learns."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Self

from evodom.errors import UsageError
from evodom.spire.search.network import WIDTHS

KIND = "fights"
"""Marks a run of this kind."""

_ALLOWED = {
    "iterations": range(1, 10_001),
    "games": range(2, 100_001),
    "simulations": range(2, 100_001),
    "width": WIDTHS,
}


@dataclass(frozen=True)
class Recipe:
    """How a network learns. The exploration was found by measuring (docs/fights.md)."""

    exploration: float = 0.3
    noise: float = 0.25
    """The share of noise in the priors of the root, in games that are varied."""
    varied: float = 0.8
    """The share of the games in which moves are played in proportion to their visits."""
    played_out: int = 1
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


@dataclass(frozen=True)
class FightOptions:
    """What a training was asked for: the fights as TOML, iterations, games of each, simulations a move, the width."""

    fights: tuple[str, ...]
    iterations: int = 20
    games: int = 200
    simulations: int = 100
    width: int = 128
    recipe: Recipe = field(default_factory=Recipe)

    def __post_init__(self) -> None:
        """Check the numbers; UsageError for one that is not allowed."""
        for name, allowed in _ALLOWED.items():
            if (got := getattr(self, name)) not in allowed:
                raise UsageError(f"--{name} is {allowed.start} to {allowed.stop - 1:,}, got {got}.")

    def to_json(self) -> dict[str, Any]:
        """Return the settings as plain JSON types."""
        return asdict(self)

    @classmethod
    def from_json(cls, saved: dict[str, Any]) -> Self:
        """Read saved settings."""
        numbers = {name: int(saved[name]) for name in _ALLOWED}
        recipe: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in saved["recipe"].items()
        }
        return cls(tuple(map(str, saved["fights"])), **numbers, recipe=Recipe(**recipe))
