"""What a game is worth and how to play it: exact answers for any game that lists its outcomes.

`solve` is for games in which no state comes back, `evodom.solve.cycles.enclose` for those in which some do, and
`solve_or_enclose` for those of which you do not know. `evaluate` says what a policy of your own is worth.
"""

from evodom.solve.answer import solve_or_enclose
from evodom.solve.arithmetic import Interval, as_point
from evodom.solve.exact import ActionValue, Cyclic, Solution, evaluate, solve
from evodom.solve.fixed_policy import FixedPolicyGame
from evodom.solve.limits import Limits, TooLarge, silent

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
