"""Effects on the Supply and the trash: "Gain a Silver", "Gain a card costing up to $4", "cards cost $1 less".

Open this module to write a card that gains cards, changes costs or names a card of the Supply. The functions describe
Effects. Kernels of the same names execute them.
"""

from dataclasses import replace
from functools import reduce
from operator import or_

from evodom.dominion.effects.effect import IF_CHOSEN, Counted, Effect, Requirement, Type, noun, with_article
from evodom.dominion.effects.ops import Among, Count, Decider, Op, Zone


def gain(name: str, target: Zone = Zone.DISCARD) -> Effect:
    """Gain the named card."""
    text = f"Gain {with_article(name)}{_where(target)}"
    return Effect(Op.GAIN, text, n=1, source=Zone.SUPPLY, target=target, name=name)


def gain_costing_up_to(
    max_cost: int, *, target: Zone = Zone.DISCARD, types: Type | None = None, among: Among = Among.ALL
) -> Effect:
    """Choose a card of the Supply costing up to ``max_cost`` and gain it."""
    text = f"Gain a {noun(types)}{_AMONG[among]}{_where(target)} costing up to ${max_cost}"
    gained = Effect(Op.CHOOSE, text, "gain" + _where(target), "gain", n=1, source=Zone.SUPPLY, target=target)
    return replace(gained, max_cost=max_cost, types=types, among=among)


_AMONG = {
    Among.ALL: "",
    Among.NOT_NAMED: " that was not named for War Chests this turn,",
    Among.GAINED_BY_RIGHT: " that the player to your right gained in their last turn,",
}


def gain_costing_up_to_trashed(
    *, plus: int, types: Type | None = None, target: Zone = Zone.DISCARD, exact: bool = False
) -> Effect:
    """Choose a card of the Supply costing up to, or exactly, ``plus`` more than the card just trashed, and gain it."""
    gained = gain_costing_up_to(0, target=target)
    text = f"Gain a {noun(types)}{_where(target)} costing {'exactly' if exact else 'up to'} ${plus} more than it"
    return replace(gained, text=text, types=types, max_cost=None, extra_cost=plus, exact=exact, condition=IF_CHOSEN)


def gain_costing_sum() -> Effect:
    """Choose a card of the Supply that costs exactly the total of the chosen cards, and gain it."""
    text = "Gain a card costing exactly the total of the trashed cards"
    gained = Effect(Op.CHOOSE, text, "gain", "gain", n=1, source=Zone.SUPPLY)
    return replace(gained, extra_cost=0, exact=True, of_all_chosen=True)


def gain_copy() -> Effect:
    """Gain a copy of the chosen card from the Supply."""
    gained = Effect(Op.CHOOSE, "If you do, gain a copy of it", "gain", "gain", n=1, source=Zone.SUPPLY)
    return replace(gained, among=Among.CHOSEN, condition=IF_CHOSEN)


def gain_from_trash(types: Type) -> Effect:
    """Choose a card of a type from the trash and gain it."""
    text = f"gain {with_article(noun(types))} from the trash"
    return Effect(Op.CHOOSE, text, "gain", "gain", n=1, source=Zone.TRASH, types=types)


def gain_trashed() -> Effect:
    """Let the active player choose whether to gain the card just trashed."""
    gained = Effect(Op.CHOOSE, "which you may gain", "gain", "thief_gain", n=1, source=Zone.TRASH, optional=True)
    return replace(gained, among=Among.CHOSEN, condition=IF_CHOSEN, decider=Decider.PLAYER)


def topdeck_gained(*types: Type, text: str) -> Effect:
    """Put the card just gained onto the deck if it has one of the types, and is still in the discard pile."""
    topdecked = Effect(Op.CHOOSE, text, "topdeck", "topdeck_gained", n=1, source=Zone.DISCARD, target=Zone.DECK_TOP)
    is_one = Requirement(Counted(Count.CHOSEN_OF, reduce(or_, types)), least=1)
    return replace(topdecked, among=Among.CHOSEN, condition=is_one)


def trash_from_supply(types: Type) -> Effect:
    """Choose a card of a type from the Supply and trash it."""
    text = f"trash {with_article(noun(types))} from the Supply"
    return Effect(Op.CHOOSE, text, "trash", "trash", n=1, source=Zone.SUPPLY, target=Zone.TRASH, types=types)


def cheaper(n: int, types: Type | None = None) -> Effect:
    """Reduce the cost of all cards, or of all cards of a type, by ``n`` this turn. No cost falls below 0."""
    what = f"{noun(types)}s" if types else "cards"
    return Effect(Op.CHEAPER, f"This turn, {what} cost ${n} less, but not less than $0", n=n, types=types)


def left_player_names_card() -> tuple[Effect, ...]:
    """Let the player to the left name a card. Choices with Among.NOT_NAMED exclude the named card this turn."""
    text = "The player to your left names a card"
    named = Effect(Op.CHOOSE, text, "name", "name", n=1, source=Zone.SUPPLY, target=Zone.SUPPLY, decider=Decider.LEFT)
    return named, Effect(Op.NOTE_NAME)


def _where(target: Zone) -> str:
    return {Zone.HAND: " to your hand", Zone.DECK_TOP: " onto your deck"}.get(target, "")
