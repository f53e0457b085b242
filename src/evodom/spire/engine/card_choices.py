"""Choose cards, make random cards and change costs: kernels.

Open it to change which cards can be chosen, what a choice does, or how cards leave the draw pile. The pending choice is
in the fields `choosing` to `choose_from` of the record.
"""

from typing import Any

from evodom.jit.kernel import kernel
from evodom.spire.content import effects as e
from evodom.spire.content.cards import HAND_LIMIT
from evodom.spire.content.relics import AT_SHUFFLE
from evodom.spire.engine import layout as at
from evodom.spire.engine import piles
from evodom.spire.engine.chance import FREED, MADE, OFFERED, TAKEN_CARD, draw_outcome
from evodom.spire.engine.layout import CompiledRules, Dice, FightRecord, QueuedEffect


@kernel
def is_choosable(rules: CompiledRules, fight: FightRecord, purpose: int, pile: int, kind: int) -> Any:
    """Return whether a card of a pile can be chosen for a purpose."""
    if purpose in (e.TO_ADD, e.TO_ADD_OR_SKIP):
        is_here = False
        for place in range(at.N_OFFERED):
            is_here |= fight.offered[place] == kind + 1
        return is_here
    if fight.piles[pile, kind] <= 0:
        return False
    if purpose == e.TO_UPGRADE:
        return rules.upgraded[kind] != at.NONE
    if purpose == e.TO_COPY:
        return rules.type[kind] == at.ATTACK or rules.type[kind] == at.POWER
    if purpose == e.TO_HAND:
        return not rules.exhume[kind]
    if purpose == e.TO_TAKE_ATTACK:
        return rules.type[kind] == at.ATTACK
    if purpose == e.TO_TAKE_SKILL:
        return rules.type[kind] == at.SKILL
    return True


@kernel
def start_choice(rules: CompiledRules, fight: FightRecord, dice: Dice, n: int, purpose: int, pile: int) -> None:
    """Start a choice of `n` cards. If only one kind is possible and `n` is at most UP_TO, choose it."""
    if purpose in (e.TO_HAND, e.TO_HAND_FREE) and fight.n_cards[at.HAND] >= HAND_LIMIT:
        return
    n_kinds, last = 0, 0
    for kind in range(rules.n_kinds):
        if is_choosable(rules, fight, purpose, pile, kind):
            n_kinds += 1
            last = kind
    if n_kinds == 0:
        return
    fight.choose_pile = pile
    fight.choose_n = n
    fight.choosing = 1 + purpose
    if n_kinds == 1 and n <= e.UP_TO:
        choose(rules, fight, dice, last)


@kernel
def choose(rules: CompiledRules, fight: FightRecord, dice: Dice, kind: int) -> None:
    """Apply a choice to the chosen card."""
    purpose, pile = fight.choosing - 1, fight.choose_pile
    if purpose == e.TO_EXHAUST:
        piles.take(fight, kind, pile)
        piles.exhaust(rules, fight, kind)
    elif purpose == e.TO_DRAW_TOP:
        piles.take(fight, kind, pile)
        piles.put_on_top(fight, kind)
    elif purpose == e.TO_DRAW_BOTTOM:
        piles.take(fight, kind, pile)
        piles.put_at_bottom(fight, kind if rules.free_once[kind] == at.NONE else rules.free_once[kind])
    elif purpose in (e.TO_HAND, e.TO_HAND_FREE):
        piles.take(fight, kind, pile)
        free = piles.with_cost(rules, kind, 0, e.THIS_TURN if purpose == e.TO_HAND_FREE else 0)
        piles.put(fight, free, at.HAND)
        if fight.choose_n > 1:
            piles.push_front(fight, e.OP_CHOOSE, fight.choose_n - 1, 1, purpose, 0, pile, 0)
    elif purpose == e.TO_UPGRADE:
        piles.upgrade(rules, fight, kind)
    elif purpose in (e.TO_COPY, e.TO_ADD, e.TO_ADD_OR_SKIP):
        for _ in range(fight.choose_n):
            piles.put(fight, kind, at.HAND)
    elif purpose == e.TO_DISCARD_AND_DRAW:
        piles.take(fight, kind, at.HAND)
        piles.discard(rules, fight, kind)
        fight.chosen += 1
    elif purpose in (e.TO_TAKE_ATTACK, e.TO_TAKE_SKILL):
        piles.take_from_draw_pile(fight, dice, kind)
        piles.put(fight, kind, at.HAND)
    if purpose != e.TO_DRAW_BOTTOM:  # here the order matters
        fight.choose_from = kind
    if e.UP_TO < fight.choose_n < e.ANY_NUMBER:
        fight.choose_n -= 1
    if fight.choose_n <= e.UP_TO or fight.n_cards[pile] == 0:
        end_choice(fight)


@kernel
def end_choice(fight: FightRecord) -> None:
    """End a choice. After TO_DISCARD_AND_DRAW, push the draw of the same number of cards."""
    if fight.chosen > 0:
        piles.push_front(fight, e.OP_DRAW, fight.chosen, 1, e.SELF, 0, 0, 0)
    fight.choosing = 0
    fight.choose_pile = 0
    fight.choose_n = 0
    fight.chosen = 0
    fight.choose_from = 0
    fight.offered.fill(0)


# Random cards and costs.


@kernel
def resolve_random_cards(rules: CompiledRules, fight: FightRecord, dice: Dice, effect: QueuedEffect) -> None:
    """Resolve an effect that makes or offers random cards, or changes costs."""
    op, n, scope, to, item, more = effect.op, effect.n, effect.times, effect.to, effect.item, effect.more
    if op == e.OP_MAKE:
        for _ in range(n):
            _make(rules, fight, dice, item, scope, more)
    elif op == e.OP_OFFER:
        if _offer(rules, fight, dice, item, scope):
            fight.choosing, fight.choose_n = 1 + to, n
    elif op == e.OP_FREE_RANDOM:
        _free_random_card(rules, fight, dice, scope)
    elif op == e.OP_LIMIT_COSTS:
        for kind in range(rules.n_kinds):
            dice.scratch[kind] = fight.piles[at.HAND, kind] if rules.cost[kind] > n else 0
        for kind in range(rules.n_kinds):
            for _ in range(dice.scratch[kind]):
                piles.take(fight, kind, at.HAND)
                piles.put(fight, piles.with_cost(rules, kind, n, scope), at.HAND)
    elif op == e.OP_RANDOM_COSTS and n:
        piles.randomise_cost(rules, fight, dice, item)
    elif op == e.OP_RANDOM_COSTS:
        for kind in range(rules.n_kinds):
            for _ in range(fight.piles[at.HAND, kind]):
                piles.push_front(fight, e.OP_RANDOM_COSTS, 1, 1, e.SELF, kind, 0, 0)


@kernel
def _make(rules: CompiledRules, fight: FightRecord, dice: Dice, pool: int, scope: int, pile: int) -> None:
    """Put a random card of a pool into a pile. If `scope` is not 0, it costs 0."""
    n = 0
    for kind in range(rules.n_kinds):
        dice.scratch[kind] = rules.pools[kind] >> pool & 1
        n += dice.scratch[kind]
    if n == 0:
        return
    made = piles.with_cost(rules, draw_outcome(dice, rules.n_kinds, MADE, 0), 0, scope)
    if pile == at.DRAW:
        piles.shuffle_in(fight, dice, made)
    else:
        piles.put(fight, made, pile)


@kernel
def _offer(rules: CompiledRules, fight: FightRecord, dice: Dice, pool: int, scope: int) -> Any:
    """Offer three different random cards of a pool, or all if it has fewer. Return their number.

    They are drawn in ascending order, so that each set is one outcome.
    """
    last, n_offered = -1, 0
    for kind in range(rules.n_kinds):
        n_offered = min(n_offered + (rules.pools[kind] >> pool & 1), at.N_OFFERED)
    for place in range(n_offered):
        n_after = 0
        for kind in range(rules.n_kinds - 1, -1, -1):
            dice.scratch[kind] = 0
            if kind > last and rules.pools[kind] >> pool & 1:
                n_sets = 1
                for more in range(n_offered - 1 - place):
                    n_sets = n_sets * (n_after - more) // (more + 1)
                dice.scratch[kind] = n_sets
                n_after += 1
        last = draw_outcome(dice, rules.n_kinds, OFFERED, 0)
        fight.offered[place] = 1 + piles.with_cost(rules, last, 0, scope)
    return n_offered


@kernel
def _free_random_card(rules: CompiledRules, fight: FightRecord, dice: Dice, scope: int) -> None:
    """Set the cost of a random card of the hand to 0. The card costs more than 0 now; with Corruption, Skills cost 0.

    If there is none, Madness (THIS_FIGHT) takes a card that costs 0 only in this turn, or only by Corruption.
    """
    n = 0
    for kind in range(rules.n_kinds):
        is_free = rules.cost[kind] <= 0 or (rules.type[kind] == at.SKILL and fight.powers[at.CORRUPTION] > 0)
        dice.scratch[kind] = 0 if is_free else fight.piles[at.HAND, kind]
        n += dice.scratch[kind]
    for kind in range(rules.n_kinds if n == 0 and scope == e.THIS_FIGHT else 0):
        later = rules.reverts[kind]
        is_free = rules.cost[kind] <= 0 and (later == at.NONE or rules.cost[later] <= 0)
        dice.scratch[kind] = 0 if is_free else fight.piles[at.HAND, kind]
        n += dice.scratch[kind]
    if n > 0:
        kind = draw_outcome(dice, rules.n_kinds, FREED, 0)
        piles.take(fight, kind, at.HAND)
        piles.put(fight, piles.with_cost(rules, kind, 0, scope), at.HAND)


@kernel
def resolve_draw_pile_effect(rules: CompiledRules, fight: FightRecord, dice: Dice, op: int, n: int) -> None:
    """Resolve an effect on the draw pile."""
    if op == e.OP_DRAW_WITHOUT_ATTACKS:
        if piles.n_of_type(rules, fight, at.HAND, at.ATTACK) == 0:
            piles.push_front(fight, e.OP_DRAW, n, 1, e.SELF, 0, 0, 0)
    elif op == e.OP_SHUFFLE_ALL:
        if fight.n_cards[at.DISCARD] > 0:
            piles.trigger(rules, fight, AT_SHUFFLE, False)
            fight.top.fill(0)
            fight.buried.fill(0)
            fight.bottom.fill(0)
            fight.n_top = fight.n_bottom = fight.n_buried = 0
            piles.shuffle(rules, fight)
    elif op == e.OP_TAKE_ATTACKS:
        for _ in range(min(n, piles.n_of_type(rules, fight, at.DRAW, at.ATTACK))):
            for kind in range(rules.n_kinds):
                dice.scratch[kind] = fight.piles[at.DRAW, kind] if rules.type[kind] == at.ATTACK else 0
            kind = draw_outcome(dice, rules.n_kinds, TAKEN_CARD, 0)
            piles.take_from_draw_pile(fight, dice, kind)
            piles.put(fight, kind, at.HAND)
