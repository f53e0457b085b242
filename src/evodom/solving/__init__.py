"""Solve games exactly: the value of every state and the best policy, for games that list their outcomes.

`solve` computes exact values if no state can recur. `evaluate` returns the value of a given policy.
"""

from evodom.solving.limits import Limits, TooLarge, no_progress
from evodom.solving.solution import ActionValue, Cyclic, FixedPolicyGame, Solution, evaluate, solve

__all__ = [
    "ActionValue",
    "Cyclic",
    "FixedPolicyGame",
    "Limits",
    "Solution",
    "TooLarge",
    "evaluate",
    "no_progress",
    "solve",
]
