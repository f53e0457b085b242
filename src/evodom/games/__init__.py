"""Define the contract that every game keeps, and play games.

Start with `Game` and `ListedGame` in `evodom.games.contract`. `evodom.solving.solve(game)` computes the value and the
best policy of a game that lists its outcomes. docs/guide/solve.md has an example.
"""

from evodom.games.contract import (
    ExplicitGame,
    Game,
    HiddenInformationGame,
    ListedGame,
    ListsStarts,
    Policy,
    RewardingGame,
    Solvable,
    action_number,
    is_over,
    legal_mask,
    returns_of,
    rewards_of,
    starts_of,
)
from evodom.games.play import Transition, play, random_policy, steps

__all__ = [
    "ExplicitGame",
    "Game",
    "HiddenInformationGame",
    "ListedGame",
    "ListsStarts",
    "Policy",
    "RewardingGame",
    "Solvable",
    "Transition",
    "action_number",
    "is_over",
    "legal_mask",
    "play",
    "random_policy",
    "returns_of",
    "rewards_of",
    "starts_of",
    "steps",
]
