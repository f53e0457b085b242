"""Options and results of a search, the same for the compiled tree, the Python tree and playouts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Generic

from evodom.errors import UsageError
from evodom.games.contract import A

Values = tuple[float, ...]
"""A value for each player."""


@dataclass(frozen=True)
class SearchOptions:
    """Options of a tree search. Raises UsageError for a number that is out of bounds."""

    simulations: int = 1000
    """Simulations of a search, at least 1: each selects a path, evaluates a leaf and backs its value up."""
    exploration: float | None = None
    """The constant `c_puct` of PUCT, at least 0; None: that of the evaluator."""
    gumbel: int = 0
    """Number of actions of the root to consider, by sequential halving (for small budgets); 0: all, by PUCT."""
    solve_below: int = 0
    """Solve a position with at most this many states (in fights: rows of the solver's graph) instead; 0: none."""

    min_values: ClassVar[dict[str, float]] = {"simulations": 1, "exploration": 0, "gumbel": 0, "solve_below": 0}
    """The least value of each option."""

    def __post_init__(self) -> None:
        """Check the bounds."""
        for name, minimum in self.min_values.items():
            value = getattr(self, name)
            if value is not None and not value >= minimum:
                raise UsageError(f"{name} must be at least {minimum}, got {value}")


MIN_VISITS = 10
"""Least visits of an action whose value is shown to people."""


@dataclass(frozen=True)
class ActionEstimate(Generic[A]):
    """The result of a search for one action."""

    action: A
    visits: int
    """Simulations or playouts of the action, including those of earlier searches; 0 if the position was solved."""
    value: float
    """Expected payoff to the player whose turn it is; the value of the position if the action was not tried."""
    prior: float = 0.0
    """Probability of the action before the search; 0 if nothing was searched."""
    loss_probability: float = field(default=0.0, kw_only=True)
    """Probability of losing after the action, if the game reports it."""
    error: float = field(default=0.0, kw_only=True)
    """Standard error of `value`, if it is a mean of playouts."""
    exact: bool = field(default=False, kw_only=True)
    """True if the position was solved, so that `value` is no estimate."""
    values: Values = field(default=(), kw_only=True)
    """Expected payoff to every player, if the game has several."""
    probability: float = field(default=0.0, kw_only=True)
    """Probability of the action in the improved policy: its share of the visits, or by Gumbel its completed logit."""

    @property
    def is_measured(self) -> bool:
        """True if `value` is exact or rests on at least MIN_VISITS visits. Other values are not shown."""
        return self.exact or self.visits >= MIN_VISITS
