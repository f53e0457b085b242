"""Write the fields of the rules that describe cards for strategies: the gains, trades and risks of each card.

The engine does not read them. `Kingdom.rules` calls `write_card_facts` after the compiler of cards.
"""

from evodom.dominion.cards import Card
from evodom.dominion.effects.effect import Effect, Type, with_inner
from evodom.dominion.effects.ops import GAINS_NOTHING, Among, ChoiceSize, Column, Count, Op, Zone
from evodom.dominion.engine.rules import MAX_COINS, Rules


def write_card_facts(rules: Rules, piles: tuple[Card, ...]) -> None:
    """Write the last fields of `Rules`, from ``gains`` on. The other fields have been compiled."""
    rules.gain_cost[:] = GAINS_NOTHING
    for pile, card in enumerate(piles):
        _write_gains(rules, pile, card)
        first = card.effects[0] if card.effects else None
        if first and (first.source, first.target) == (Zone.HAND, Zone.TRASH):
            rules.begins_with_trash |= 1 << pile
        if Type.ACTION in card.types and any(_is_risky(effect, card) for effect in _certain_effects(card.effects)):
            rules.risky |= 1 << pile
        # A fixed cost is in this range. GAINS_NOTHING and MAX_COINS (not fixed) are outside of it.
        if (first and first.op == Op.CHOOSE) or rules.gain_cost[pile] in range(MAX_COINS):
            rules.may_do_nothing |= 1 << pile


def _write_gains(rules: Rules, pile: int, card: Card) -> None:
    """Write which cards a played card can gain. Naming a card (target SUPPLY) is no gain."""
    row, previous = int(rules.first_effect[pile]), None
    for effect in card.program:
        if effect.op in (Op.CHOOSE, Op.GAIN) and effect.source == Zone.SUPPLY and effect.target != Zone.SUPPLY:
            rules.gains[pile] = rules.effects[row, Column.MASK]
            rules.gain_cost[pile] = MAX_COINS if effect.max_cost is None else effect.max_cost
            rules.gain_effect[pile] = row
            if previous is not None and effect.extra_cost is not None:
                rules.trashed_for_gain[pile] = rules.effects[previous, Column.MASK]
        row, previous = row + 1 + len(with_inner(effect.inner)), row


def _certain_effects(program: tuple[Effect, ...]) -> list[Effect]:
    """Return the Effects of a program and of its groups. Leave out options, and Effects of other players and turns."""
    return [
        each
        for effect in program
        for each in (effect, *(_certain_effects(effect.inner) if effect.op == Op.GROUP else ()))
    ]


def _is_risky(effect: Effect, card: Card) -> bool:
    """Return whether an Effect of an Action may harm its player or do nothing.

    Such an Effect has one of these properties:

    - It takes an extra turn, discards the hand, or trashes an unseen card of the deck.
    - It exchanges one card, or all chosen cards, for a reward.
    - It needs certain cards in hand, or depends on the cost of a chosen card.
    """
    zones = effect.source, effect.target
    if effect.op == Op.CARDS:
        return effect.size == ChoiceSize.DOWN_TO or (effect.per is not None and effect.per.count == Count.HAND)
    if effect.op == Op.MOVE_ALL:
        return zones == (Zone.HAND, Zone.DISCARD)
    if effect.op == Op.GAIN:
        return effect.condition is not None
    if effect.op != Op.CHOOSE:
        return effect.op == Op.EXTRA_TURN or (effect.per is not None and effect.per.count == Count.CHOSEN_COST)
    is_own_copy = zones == (Zone.HAND, Zone.TRASH) and effect.name == card.name
    is_traded = zones == (Zone.HAND, Zone.ISLAND_MAT) or effect.of_all_chosen
    is_limited = effect.source == Zone.SUPPLY and effect.among in (Among.CHOSEN, Among.GAINED_BY_RIGHT)
    is_unseen = zones == (Zone.REVEALED, Zone.TRASH) and not effect.optional
    return is_own_copy or is_traded or is_limited or is_unseen
