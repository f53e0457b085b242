"""Why a line cannot be obeyed, in words."""

from evodom.dominion.cards import CARDS
from evodom.dominion.engine.ops import Op, Zone
from evodom.dominion.game import PASS_NAME, Decision, View, act

_PHASES = {Op.PLAY_ACTION: "action", Op.PLAY_TREASURE: "Treasure", Op.BUY: "buy"}


def wrong_verb(decision: Decision, verb: str) -> str:
    """Return why a typed verb ("" if none was typed) is not what a Decision asks for; "" if it is."""
    asked = decision.effect.verb.split()[0]
    if verb in ("", asked) or (asked == "put" and verb == "topdeck"):
        return ""
    where = f"{decision.card.name} asks" if decision.card else f"This is the {_PHASES[decision.effect.op]} phase"
    return f"{where}: you can {asked}, not {verb}."


def why_not(view: View, decision: Decision, name: str) -> str:
    """Return the reason why ``name`` ("pass" or a card) is no answer to a Decision."""
    effect = decision.effect
    if name == PASS_NAME:
        return f"{decision.title}: you have to choose a card."
    if effect.source == Zone.SUPPLY and not view.supply[name]:
        return f"The {name} pile is empty."
    if effect.op == Op.BUY:
        return f"{name} costs ${CARDS[name].cost}, and you have ${view.coins}."
    if effect.op == Op.PLAY_ACTION:
        return f"{name} is no Action in your hand. 0 goes on to the buy phase."
    if effect.source == Zone.HAND and not view.hand[name]:
        return f"There is no {name} in your hand."
    allowed = ", ".join(answer.name for answer in decision.consequences)
    return f"You cannot {act(effect.verb, name)} here. Allowed: {allowed}."
