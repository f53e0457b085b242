"""What a game is worth, and how to play it: exact answers for any `Game` that lists its outcomes.

`solve` is for games in which no state comes back; `evodom.solve.cycles.enclose` for those in which some may.
"""

from evodom.solve.exact import Choice, Cyclic, Following, Solution, evaluate, solve
from evodom.solve.limits import Limits, TooLarge

__all__ = ["Choice", "Cyclic", "Following", "Limits", "Solution", "TooLarge", "evaluate", "solve"]
