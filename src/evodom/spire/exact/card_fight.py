"""A fight played card by card, with numbered actions: the form that any player, search or learner can use.

`Fight` is for solving: its actions are plans, which hold what they come to and have no finite numbering. Here an action
is a card to play, at whom, and which card of the hand it exhausts; or the end of the turn; or, at the start of a turn,
drawing the hand. The rules, the states and the values are those of `Fight` in the mode `CARD_BY_CARD`.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from evodom.distribution import Distribution
from evodom.games import ListedGame
from evodom.spire.exact.fight import Fight, FightSetup, FightState, NewTurn
from evodom.spire.exact.known import PICKING
from evodom.spire.exact.plans import CARD_BY_CARD, Plan, Play

if TYPE_CHECKING:
    from numpy.random import Generator as Rng


class TurnAction(Enum):
    """What can be done besides playing a card."""

    DRAW = "draw the hand"
    END = "end the turn"


FightAction = Play | TurnAction
"""An action of a fight played card by card."""


class CardFight(ListedGame[FightState, FightAction]):
    """A fight in which every card is a decision of its own.

    Actions are numbered in this order: drawing the hand, ending the turn, and every card that can come into the fight
    with every enemy it can be aimed at (by its place among those alive, left to right) and every card it can exhaust.
    Of two plays that come to the same state only the first is legal.
    """

    def __init__(self, setup: FightSetup) -> None:
        """Prepare the fight; UsageError for one that cannot be fought (see `Fight`)."""
        self.fight = Fight(setup, mode=CARD_BY_CARD)
        self._n_enemies = len(setup.enemies)
        cards = self.fight.kinds.cards
        plays = [
            Play(card, target, exhausted)
            for card in cards
            if card.cost is not None
            for target in range(self._n_enemies if card.targeted else 1)
            for exhausted in (None, *(cards if card.name in PICKING else ()))
        ]
        self.all_actions: tuple[FightAction, ...] = (*TurnAction, *plays)

    def starts(self) -> Distribution[FightState]:
        """Return the first states: enemies are rolled and the first hand is drawn."""
        return self.fight.starts()

    def start(self, rng: Rng) -> FightState:
        """Return one of the first states, drawn from `rng`."""
        return self.fight.start(rng)

    def actions(self, state: FightState) -> tuple[FightAction, ...]:
        """Return the end of the turn and the cards that can be played, or the drawing of the hand."""
        return tuple(_action(state, plan) for plan in self.fight.actions(state))

    def outcomes(self, state: FightState, action: FightAction) -> Distribution[FightState]:
        """Return the states that an action may lead to."""
        plan = next(plan for plan in self.fight.actions(state) if _action(state, plan) == action)
        return self.fight.outcomes(state, plan)

    def returns(self, state: FightState) -> tuple[int]:
        """Return the HP that are left, 0 if the fight was lost."""
        return self.fight.returns(state)

    def bounds(self, state: FightState) -> tuple[int, int]:
        """Return the fewest and the most HP that can be left."""
        return self.fight.bounds(state)

    def action_name(self, action: FightAction) -> str:
        """Return the card, its target and what it exhausts, such as "Bash at enemy 2"."""
        if isinstance(action, TurnAction):
            return action.value
        at = f" at enemy {action.target + 1}" if action.card.targeted and self._n_enemies > 1 else ""
        exhausting = f", exhausting {action.exhausted.name}" if action.exhausted else ""
        return f"{action.card.name}{at}{exhausting}"


def _action(state: FightState, plan: Plan) -> FightAction:
    """Return the action that a plan of one card stands for."""
    if isinstance(state, NewTurn):
        return TurnAction.DRAW
    return plan.plays[0] if plan.plays else TurnAction.END
