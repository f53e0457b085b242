"""`ActionEstimate`: the estimate of one action by tree search, by playouts or by an exact solution."""

from dataclasses import dataclass, field
from typing import Generic

from evodom.games.contract import A

MIN_VISITS = 10
"""Minimum number of visits of an action whose value is shown to people."""


@dataclass(frozen=True)
class ActionEstimate(Generic[A]):
    """The estimate of one action by a search."""

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

    @property
    def is_measured(self) -> bool:
        """True if `value` is exact or rests on at least MIN_VISITS visits. Other values are not shown."""
        return self.exact or self.visits >= MIN_VISITS
