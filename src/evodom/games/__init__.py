"""Define the contract that every game keeps, and play games.

Start with `Game` and `ListedGame` in `evodom.games.contract`. `evodom.solving.solve(game)` computes the value and the
best policy of a game that lists its outcomes. docs/guide/solve.md has an example.
"""

from evodom.games.contract import ExplicitGame as ExplicitGame, Game as Game, ListedGame as ListedGame
from evodom.games.contract import HiddenInformationGame as HiddenInformationGame, ListsStarts as ListsStarts
from evodom.games.contract import Policy as Policy, RewardingGame as RewardingGame, Solvable as Solvable
from evodom.games.contract import action_number as action_number, is_over as is_over, legal_mask as legal_mask
from evodom.games.contract import returns_of as returns_of, rewards_of as rewards_of, starts_of as starts_of
from evodom.games.play import Transition as Transition, play as play, random_policy as random_policy, steps as steps
