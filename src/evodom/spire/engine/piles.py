"""Cards and their piles: drawing, shuffling, making, exhausting.

A pile is a count of each kind: the order of cards that nobody has seen does not matter, and is decided when they are
drawn. Cards that the player has put onto the draw pile are known, and are drawn first.
"""

from typing import Any

from evodom.jit.kernel import kernel, random_below
from evodom.spire.engine.chance import DRAWN_CARD, PLACE, pick, pick_one
from evodom.spire.engine.layout import (
    CURSE,
    DISCARD,
    DRAW,
    EXHAUST,
    HAND,
    N_TOP,
    NONE,
    STATUS,
    CompiledRules,
    Dice,
    FightRecord,
)
from evodom.spire.engine.queue import push, trigger
from evodom.spire.engine.statuses import DARK_EMBRACE, EVOLVE, FEEL_NO_PAIN, FIRE_BREATHING, NO_DRAW
from evodom.spire.rows.cards import HAND_LIMIT
from evodom.spire.rows.effects import ENEMIES, OP_DAMAGE, OP_DRAW, OP_PLAIN_BLOCK, SELF
from evodom.spire.rows.relics import AT_EXHAUST, AT_SHUFFLE


@kernel
def move(fight: FightRecord, kind: int, source: int, target: int) -> None:
    """Move a card from a pile to another."""
    take(fight, kind, source)
    put(fight, kind, target)


@kernel
def take(fight: FightRecord, kind: int, pile: int) -> None:
    """Take a card out of a pile."""
    fight.piles[pile, kind] -= 1
    fight.n_cards[pile] -= 1


@kernel
def turn_into(fight: FightRecord, kind: int, other: int, first: int) -> None:
    """Turn every card of a kind in the piles from `first` to the discard pile into another."""
    for pile in range(first, DISCARD + 1):
        fight.piles[pile, other] += fight.piles[pile, kind]
        fight.piles[pile, kind] = 0
    fight.buried[other] += fight.buried[kind]
    fight.buried[kind] = 0
    for place in range(fight.n_top):
        if fight.top[place] == kind:
            fight.top[place] = other


@kernel
def put(fight: FightRecord, kind: int, pile: int) -> None:
    """Put a card into a pile; beyond ten cards in hand it goes to the discard pile."""
    if pile == HAND and fight.n_cards[HAND] >= HAND_LIMIT:
        pile = DISCARD
    fight.piles[pile, kind] += 1
    fight.n_cards[pile] += 1


@kernel
def put_on_top(fight: FightRecord, kind: int) -> None:
    """Put a card onto the draw pile, where the player knows it to be."""
    put(fight, kind, DRAW)
    _know(fight, kind, fight.n_top)


@kernel
def _know(fight: FightRecord, kind: int, place: int) -> None:
    """Note that a card lies at a place among the known ones on the draw pile, 0 for the lowest."""
    if fight.n_top == N_TOP:
        fight.spilled += 1
        return
    for known in range(fight.n_top, place, -1):
        fight.top[known] = fight.top[known - 1]
    fight.top[place] = kind
    fight.n_top += 1


@kernel
def shuffle_in(fight: FightRecord, dice: Dice, kind: int) -> None:
    """Put a card at a random place of the draw pile, but not on top of it.

    Below the known cards nothing is known of the order, but that none of the buried cards is the first of them.
    """
    n, n_top = fight.n_cards[DRAW], fight.n_top
    if n == 0:
        put_on_top(fight, kind)
        return
    put(fight, kind, DRAW)
    below = 0  # how many cards lie above it
    if n_top > 1 or (n_top == 1 and fight.n_buried > 0):
        below = 1 + pick_one(dice, n, PLACE, 0)
    if 0 < below < n_top:
        _know(fight, kind, n_top - below)
    elif below == n_top and fight.n_buried > 0:
        _know(fight, kind, 0)
    elif n_top == 0 or fight.n_buried > 0:
        fight.buried[kind] += 1
        fight.n_buried += 1


@kernel
def next_card(rules: CompiledRules, fight: FightRecord, dice: Dice, what: int) -> Any:
    """Take the next card off the draw pile, after a shuffle if that is needed; NONE if there is no card.

    `what` is asked for: a card that is drawn, or one that is only turned up.
    """
    if fight.n_cards[DRAW] == 0:
        if fight.n_cards[DISCARD] == 0:
            return NONE
        for kind in range(rules.n_kinds):
            fight.piles[DRAW, kind] = fight.piles[DISCARD, kind]
            fight.piles[DISCARD, kind] = 0
        fight.n_cards[DRAW] = fight.n_cards[DISCARD]
        fight.n_cards[DISCARD] = 0
        trigger(rules, fight, AT_SHUFFLE, False)
    if fight.n_top > 0:
        fight.n_top -= 1
        found = fight.top[fight.n_top]
        fight.top[fight.n_top] = 0
        if dice.asking:
            for kind in range(rules.n_kinds):
                dice.scratch[kind] = kind == found
            pick(dice, rules.n_kinds, what, 0)
    elif dice.listing or fight.n_buried:
        for kind in range(rules.n_kinds):
            dice.scratch[kind] = fight.piles[DRAW, kind] - fight.buried[kind]
            fight.buried[kind] = 0
        fight.n_buried = 0
        found = pick(dice, rules.n_kinds, what, 0)
    else:
        found = _any_card(rules, fight, dice)
    take(fight, found, DRAW)
    return found


@kernel
def _any_card(rules: CompiledRules, fight: FightRecord, dice: Dice) -> Any:
    """Return a card drawn from the random stream, of a draw pile with cards: what `pick` does, but faster.

    Like there, nothing is drawn from the stream if all cards are of one kind. Nothing is jumped over by what was drawn,
    which a processor cannot foresee.
    """
    total, most = fight.n_cards[DRAW], 0
    for kind in range(rules.n_kinds):
        most = max(most, fight.piles[DRAW, kind])
    left = random_below(dice.stream, 0, total) if most < total else 0
    found, seen = 0, 0
    for kind in range(rules.n_kinds):
        seen += fight.piles[DRAW, kind]
        found += seen <= left
    return found


@kernel
def draw(rules: CompiledRules, fight: FightRecord, dice: Dice, n: int) -> None:
    """Draw cards into the hand, up to ten."""
    for _ in range(n):
        if fight.powers[NO_DRAW] > 0 or fight.n_cards[HAND] >= HAND_LIMIT:
            return
        kind = next_card(rules, fight, dice, DRAWN_CARD)
        if kind == NONE:
            return
        put(fight, kind, HAND)
        fight.energy = max(fight.energy + rules.drawn_energy[kind], 0)
        if rules.type[kind] == STATUS and fight.powers[EVOLVE] > 0:
            push(fight, OP_DRAW, fight.powers[EVOLVE], 1, SELF, 0, 0, 0)
        if (rules.type[kind] == STATUS or rules.type[kind] == CURSE) and fight.powers[FIRE_BREATHING] > 0:
            push(fight, OP_DAMAGE, fight.powers[FIRE_BREATHING], 1, ENEMIES, 0, 0, 0)


@kernel
def exhaust(rules: CompiledRules, fight: FightRecord, kind: int) -> None:
    """Put a card, which is in no pile now, into the exhaust pile, with all that follows."""
    put(fight, kind, EXHAUST)
    trigger(rules, fight, AT_EXHAUST, True)
    if fight.powers[DARK_EMBRACE] > 0:
        push(fight, OP_DRAW, fight.powers[DARK_EMBRACE], 1, SELF, 0, 0, 0)
    if fight.powers[FEEL_NO_PAIN] > 0:
        push(fight, OP_PLAIN_BLOCK, fight.powers[FEEL_NO_PAIN], 1, SELF, 0, 0, 0)
    fight.energy += rules.exhaust_energy[kind]


@kernel
def upgrade(rules: CompiledRules, fight: FightRecord, kind: int) -> None:
    """Upgrade one card of a kind in hand."""
    take(fight, kind, HAND)
    put(fight, rules.upgraded[kind], HAND)


@kernel
def upgrade_hand(rules: CompiledRules, fight: FightRecord) -> None:
    """Upgrade every card of the hand that can be upgraded, once: an upgraded card has a higher number."""
    for kind in range(rules.n_kinds - 1, -1, -1):
        if rules.upgraded[kind] != NONE:
            while fight.piles[HAND, kind] > 0:
                upgrade(rules, fight, kind)
