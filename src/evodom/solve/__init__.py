"""What a game is worth and how to play it: exact answers for any game that lists its outcomes.

`solve` is for games in which no state comes back, `evodom.solve.cycles.enclose` for those in which some do, and
`solve_or_enclose` for those of which you do not know. `evaluate` says what a policy of your own is worth.
"""

from evodom.solve.arithmetic import Interval, as_point
from evodom.solve.limits import Limits, TooLarge, silent
from evodom.solve.solution import ActionValue, Cyclic, FixedPolicyGame, Solution, evaluate, solve, solve_or_enclose

__all__ = [
    "ActionValue",
    "Cyclic",
    "FixedPolicyGame",
    "Interval",
    "Limits",
    "Solution",
    "TooLarge",
    "as_point",
    "evaluate",
    "silent",
    "solve",
    "solve_or_enclose",
]
