"""Solve games exactly: the value of every state and the best policy, for games that list their outcomes.

`solve` computes exact values if no state can recur. `evaluate` returns the value of a given policy.
"""

from typing import TYPE_CHECKING

from evodom._lazy import attach

if TYPE_CHECKING:
    from evodom.solving.limits import Limits as Limits, TooLarge as TooLarge, no_progress as no_progress
    from evodom.solving.solution import ActionValue as ActionValue, Cyclic as Cyclic, FixedPolicyGame as FixedPolicyGame
    from evodom.solving.solution import Solution as Solution, evaluate as evaluate, solve as solve


__getattr__, __dir__ = attach(__name__)
