"""Kernels of the effect queue and of piles of cards.

Open it to change how cards are drawn, moved or exhausted. A pile is a number of cards of each kind. A card of the draw
pile is sampled when it is drawn: until then its place is unknown. Cards that the player has put on top are known, and
are drawn first.
"""

from typing import Any

from evodom.jit.kernel import cold_kernel, kernel, random_below
from evodom.spire.content import effects as e
from evodom.spire.content.cards import HAND_LIMIT
from evodom.spire.content.relics import AT_EXHAUST, AT_EXHAUST_BACK, AT_SHUFFLE
from evodom.spire.engine import layout as at
from evodom.spire.engine.chance import COST, DRAWN_CARD, PLACE, draw_outcome, draw_uniform
from evodom.spire.engine.layout import CompiledRules, Dice, FightRecord, Numbers, QueuedEffect


@kernel
def push(fight: FightRecord, op: int, n: int, times: int, to: int, item: int, more: int, aim: int) -> None:
    """Append an effect to the queue."""
    place = fight.n_queue
    if place == at.N_QUEUE:
        fight.n_overflows += 1
    else:
        fight.n_queue = place + 1
        write_effect(fight, place, QueuedEffect(op, n, times, to, item, more, aim))


@kernel
def push_front(fight: FightRecord, op: int, n: int, times: int, to: int, item: int, more: int, aim: int) -> None:
    """Insert an effect at the front of the queue."""
    if fight.n_queue == at.N_QUEUE:
        fight.n_overflows += 1
    else:
        for place in range(fight.n_queue, 0, -1):
            for column in range(at.N_COLUMNS):
                fight.queue[place, column] = fight.queue[place - 1, column]
        fight.n_queue += 1
        write_effect(fight, 0, QueuedEffect(op, n, times, to, item, more, aim))


@kernel
def write_effect(fight: FightRecord, place: int, effect: QueuedEffect) -> None:
    """Write an effect into a row of the queue."""
    fight.queue[place, at.OP] = effect.op
    fight.queue[place, at.N] = effect.n
    fight.queue[place, at.TIMES] = effect.times
    fight.queue[place, at.TO] = effect.to
    fight.queue[place, at.ITEM] = effect.item
    fight.queue[place, at.MORE] = effect.more
    fight.queue[place, at.AIM] = effect.aim


@kernel
def pop_effect(fight: FightRecord) -> None:
    """Remove the first effect of the queue."""
    fight.n_queue -= 1
    for place in range(fight.n_queue):
        for column in range(at.N_COLUMNS):
            fight.queue[place, column] = fight.queue[place + 1, column]
    for column in range(at.N_COLUMNS):
        fight.queue[fight.n_queue, column] = 0


@kernel
def clear_pending(fight: FightRecord) -> None:
    """Clear all pending effects, cards of the autoplay queue and choices."""
    fight.queue.fill(0)
    fight.autoplays.fill(0)
    fight.n_queue = fight.n_autoplays = fight.choosing = 0


@kernel
def push_effects(rules: CompiledRules, fight: FightRecord, first: int, n: int, aim: int, front: int) -> None:
    """Push `n` effects of the compiled rules onto the queue, from index `first`. Keep their order."""
    for place in range(n):
        index = first + (n - 1 - place if front else place)
        op, amount, times = rules.effects[index, at.OP], rules.effects[index, at.N], rules.effects[index, at.TIMES]
        to, item, more = rules.effects[index, at.TO], rules.effects[index, at.ITEM], rules.effects[index, at.MORE]
        if front:
            push_front(fight, op, amount, times, to, item, more, aim)
        else:
            push(fight, op, amount, times, to, item, more, aim)


@kernel
def trigger(rules: CompiledRules, fight: FightRecord, when: int, front: int) -> None:
    """Push the effects of all relics with the trigger `when`, in the order of their acquisition."""
    trigger_some(rules, fight, when, 0, rules.n_relics, front)


@kernel
def trigger_some(rules: CompiledRules, fight: FightRecord, when: int, first: int, end: int, front: int) -> None:
    """Push the effects of the relics from number `first` to before `end` with the trigger `when`."""
    for relic in range(first, end):
        if rules.relic_when[relic] != when or (rules.relic_turn[relic] and rules.relic_turn[relic] != fight.turn):
            continue
        every = rules.relic_every[relic]
        if every != 1:
            if every == 0 and fight.counters[relic]:
                continue
            fight.counters[relic] += 1
            if fight.counters[relic] < every:
                continue
            fight.counters[relic] = 0 if every else 1
        push_effects(rules, fight, rules.relic_effect[relic], rules.relic_n_effects[relic], 0, front)


@kernel
def n_of_type(rules: CompiledRules, fight: FightRecord, pile: int, card_type: int) -> Any:
    """Return the number of cards of a type in a pile."""
    n = 0
    for kind in range(rules.n_kinds):
        if rules.type[kind] == card_type:
            n += fight.piles[pile, kind]
    return n


@kernel
def move(fight: FightRecord, kind: int, source: int, target: int) -> None:
    """Move a card from one pile to another."""
    take(fight, kind, source)
    put(fight, kind, target)


@kernel
def take(fight: FightRecord, kind: int, pile: int) -> None:
    """Remove a card from a pile."""
    fight.piles[pile, kind] -= 1
    fight.n_cards[pile] -= 1


@kernel
def transform_cards(fight: FightRecord, kind: int, other: int, first: int) -> None:
    """Replace every card of a kind by another kind, in the piles from number `first` to the discard pile."""
    for pile in range(first, at.DISCARD + 1):
        fight.piles[pile, other] += fight.piles[pile, kind]
        fight.piles[pile, kind] = 0
    fight.buried[other] += fight.buried[kind]
    fight.buried[kind] = 0
    for place in range(fight.n_top):
        if fight.top[place] == kind:
            fight.top[place] = other
    for place in range(fight.n_bottom):
        if fight.bottom[place] == kind:
            fight.bottom[place] = other


@kernel
def revert_costs(rules: CompiledRules, fight: FightRecord) -> None:
    """End the costs of this turn of all cards outside the exhaust pile."""
    for kind in range(rules.n_kinds if rules.any_reverts else 0):
        if rules.reverts[kind] != at.NONE:
            transform_cards(fight, kind, rules.reverts[kind], at.HAND)


@cold_kernel
def has_wrapped_counts(fight: FightRecord) -> Any:
    """Return whether a pile has had more than MAX_COUNT cards of a kind: its count is negative then."""
    n_wrapped = 0
    for pile in range(at.EXHAUST + 1):
        for kind in range(at.N_KINDS):
            n_wrapped += fight.piles[pile, kind] < 0
    return n_wrapped > 0


@kernel
def put(fight: FightRecord, kind: int, pile: int) -> None:
    """Add a card to a pile; to the discard pile if the hand already has ten cards."""
    if pile == at.HAND and fight.n_cards[at.HAND] >= HAND_LIMIT:
        pile = at.DISCARD
    fight.piles[pile, kind] += 1
    fight.n_cards[pile] += 1


@kernel
def discard(rules: CompiledRules, fight: FightRecord, kind: int) -> None:
    """Add a card to the discard pile. If its cost differs in this turn only, it has its other cost again."""
    put(fight, rules.discarded[kind], at.DISCARD)


@kernel
def put_on_top(fight: FightRecord, kind: int) -> None:
    """Put a card on top of the draw pile. Its place is known."""
    put(fight, kind, at.DRAW)
    fight.n_top = _insert(fight, fight.top, fight.n_top, kind, fight.n_top)


@kernel
def put_at_bottom(fight: FightRecord, kind: int) -> None:
    """Put a card at the bottom of the draw pile. Its place is known."""
    put(fight, kind, at.DRAW)
    fight.n_bottom = _insert(fight, fight.bottom, fight.n_bottom, kind, 0)


@kernel
def _insert(fight: FightRecord, known: Numbers, n: int, kind: int, place: int) -> Any:
    """Insert a card into the known cards `top` or `bottom`, at `place` (0 is the lowest). Return their new number."""
    if n == at.N_TOP:
        fight.n_overflows += 1
        return n
    for other in range(n, place, -1):
        known[other] = known[other - 1]
    known[place] = kind
    return n + 1


@kernel
def _remove(known: Numbers, n: int, place: int) -> Any:
    """Remove the card at `place` of the known cards `top` or `bottom`. Return their new number."""
    for other in range(place, n - 1):
        known[other] = known[other + 1]
    known[n - 1] = 0
    return n - 1


@kernel
def shuffle_in(fight: FightRecord, dice: Dice, kind: int) -> None:
    """Put a card at a random place of the draw pile, but not on top.

    The order below the known cards is unknown, except that the first card there is not a buried card.
    """
    n, n_top, n_bottom = fight.n_cards[at.DRAW], fight.n_top, fight.n_bottom
    if n == 0:
        put_on_top(fight, kind)
        return
    put(fight, kind, at.DRAW)
    n_above = 0
    if n_top > 1 or (n_top == 1 and fight.n_buried > 0) or n_bottom > 0:
        n_above = 1 + draw_uniform(dice, n, PLACE, 0)
    if n_bottom > 0 and n_above >= n - n_bottom:
        fight.n_bottom = _insert(fight, fight.bottom, n_bottom, kind, n - n_above)
    elif 0 < n_above < n_top:
        fight.n_top = _insert(fight, fight.top, n_top, kind, n_top - n_above)
    elif n_above == n_top and fight.n_buried > 0:
        fight.n_top = _insert(fight, fight.top, n_top, kind, 0)
    elif n_top == 0 or fight.n_buried > 0:
        fight.buried[kind] += 1
        fight.n_buried += 1


@kernel
def shuffle(rules: CompiledRules, fight: FightRecord) -> None:
    """Shuffle the discard pile into the draw pile. The caller clears the known order of the draw pile."""
    for kind in range(rules.n_kinds):
        fight.piles[at.DRAW, kind] += fight.piles[at.DISCARD, kind]
        fight.piles[at.DISCARD, kind] = 0
    fight.n_cards[at.DRAW] += fight.n_cards[at.DISCARD]
    fight.n_cards[at.DISCARD] = 0


@kernel
def pop_draw_pile(rules: CompiledRules, fight: FightRecord, dice: Dice, event: int) -> Any:
    """Remove and return the next card of the draw pile, which must not be empty.

    `event` is the type of the chance event: DRAWN_CARD or TOP_CARD.
    """
    if fight.n_bottom == fight.n_cards[at.DRAW] and fight.n_top == 0:
        for place in range(fight.n_bottom):  # no other card is left above them
            fight.top[place] = fight.bottom[place]
            fight.bottom[place] = 0
        fight.n_top, fight.n_bottom = fight.n_bottom, 0
    if fight.n_top > 0:
        fight.n_top -= 1
        found = fight.top[fight.n_top]
        fight.top[fight.n_top] = 0
        if dice.lists_certain:
            for kind in range(rules.n_kinds):
                dice.scratch[kind] = kind == found
            draw_outcome(dice, rules.n_kinds, event, 0)
    elif dice.mode or fight.n_buried or fight.n_bottom:
        for kind in range(rules.n_kinds):
            dice.scratch[kind] = fight.piles[at.DRAW, kind] - fight.buried[kind]
            fight.buried[kind] = 0
        fight.n_buried = 0
        for place in range(fight.n_bottom):
            dice.scratch[fight.bottom[place]] -= 1
        found = draw_outcome(dice, rules.n_kinds, event, 0)
    else:
        found = _sample_card(rules, fight, dice)
    take(fight, found, at.DRAW)
    return found


@kernel
def take_from_draw_pile(fight: FightRecord, dice: Dice, kind: int) -> None:
    """Remove one of the cards of a kind from the draw pile, each with equal probability."""
    if fight.n_top > 0 or fight.n_bottom > 0 or fight.n_buried > 0:
        n_unknown = fight.n_cards[at.DRAW] - fight.n_top - fight.n_bottom
        copy = draw_uniform(dice, fight.piles[at.DRAW, kind], PLACE, 0)
        for place in range(fight.n_top - 1, -1, -1):
            if fight.top[place] == kind:
                if copy == 0:
                    fight.n_top = _remove(fight.top, fight.n_top, place)
                copy -= 1
        for place in range(fight.n_bottom - 1, -1, -1):
            if fight.bottom[place] == kind:
                if copy == 0:
                    fight.n_bottom = _remove(fight.bottom, fight.n_bottom, place)
                copy -= 1
        if 0 <= copy < fight.buried[kind]:
            fight.buried[kind] -= 1
            fight.n_buried -= 1
        elif copy >= 0 and fight.n_buried > 0 and draw_uniform(dice, n_unknown - fight.n_buried, PLACE, 0) == 0:
            fight.buried.fill(0)  # it was the first of the unknown cards: any card may come next
            fight.n_buried = 0
    take(fight, kind, at.DRAW)


@kernel
def _sample_card(rules: CompiledRules, fight: FightRecord, dice: Dice) -> Any:
    """Sample a card of the draw pile, which must not be empty. The result is that of `draw_outcome`.

    If all cards have the same kind, do not use the stream. For speed the loop does not branch on the drawn card: the
    processor would mispredict such a branch.
    """
    total, most = fight.n_cards[at.DRAW], 0
    for kind in range(rules.n_kinds):
        most = max(most, fight.piles[at.DRAW, kind])
    left = random_below(dice.stream, 0, total) if most < total else 0
    found, seen = 0, 0
    for kind in range(rules.n_kinds):
        seen += fight.piles[at.DRAW, kind]
        found += seen <= left
    return found


@kernel
def draw(rules: CompiledRules, fight: FightRecord, dice: Dice, n: int) -> None:
    """Draw `n` cards into the hand, up to ten."""
    for _ in range(begin_draw(rules, fight, n)):
        draw_card(rules, fight, dice)


@kernel
def begin_draw(rules: CompiledRules, fight: FightRecord, n: int) -> Any:
    """Begin to draw `n` cards. Return the number of cards to take from the draw pile now.

    If the draw pile has fewer cards, relics react to a shuffle. The shuffle and the rest of the draw are pushed to the
    front. As in the original game, relics also react if only the discard pile is empty.
    """
    n = min(n, HAND_LIMIT - fight.n_cards[at.HAND])
    n_here = fight.n_cards[at.DRAW]
    if fight.powers[at.NO_DRAW] > 0 or n_here + fight.n_cards[at.DISCARD] == 0:
        return 0
    if n > n_here:
        trigger(rules, fight, AT_SHUFFLE, False)
        push_front(fight, e.OP_DRAW, n - n_here, 1, e.SELF, 0, 0, 0)
        push_front(fight, e.OP_SHUFFLE, 0, 1, e.SELF, 0, 0, 0)
    return min(n, n_here)


@kernel
def draw_card(rules: CompiledRules, fight: FightRecord, dice: Dice) -> None:
    """Draw a card of the draw pile into the hand, which has room for it."""
    kind = pop_draw_pile(rules, fight, dice, DRAWN_CARD)
    put(fight, kind, at.HAND)
    push_draw_reactions(rules, fight, kind)
    if fight.powers[at.CONFUSED] > 0:
        randomise_cost(rules, fight, dice, kind)


@kernel
def with_cost(rules: CompiledRules, kind: int, cost: int, scope: int) -> Any:
    """Return the kind of a card after its cost is set in this turn (THIS_TURN) or in this fight (THIS_FIGHT).

    Return the same kind for scope 0, if that is its cost, and if it has no cost.
    """
    if scope == 0 or rules.recost[kind, scope - 1, cost] == at.NONE:
        return kind
    return rules.recost[kind, scope - 1, cost]


@kernel
def randomise_cost(rules: CompiledRules, fight: FightRecord, dice: Dice, kind: int) -> None:
    """Give a card of the hand a random cost in this fight, if it has a cost."""
    if rules.cost[kind] >= 0:
        after = with_cost(rules, kind, draw_uniform(dice, at.N_COSTS, COST, kind), e.THIS_FIGHT)
        take(fight, kind, at.HAND)
        put(fight, after, at.HAND)


@kernel
def push_draw_reactions(rules: CompiledRules, fight: FightRecord, kind: int) -> None:
    """Push the effects of a drawn card and of powers that react to it."""
    if rules.energy_when_drawn[kind]:
        push(fight, e.OP_ENERGY, rules.energy_when_drawn[kind], 1, e.SELF, 0, 0, 0)
    if rules.type[kind] == at.STATUS and fight.powers[at.EVOLVE] > 0:
        push(fight, e.OP_DRAW, fight.powers[at.EVOLVE], 1, e.SELF, 0, 0, 0)
    if (rules.type[kind] == at.STATUS or rules.type[kind] == at.CURSE) and fight.powers[at.FIRE_BREATHING] > 0:
        push(fight, e.OP_DAMAGE, fight.powers[at.FIRE_BREATHING], 1, e.ENEMIES, 0, 0, 0)


@kernel
def exhaust(rules: CompiledRules, fight: FightRecord, kind: int) -> None:
    """Put a card that has left its pile into the exhaust pile. Relics and powers react."""
    put(fight, kind, at.EXHAUST)
    trigger(rules, fight, AT_EXHAUST, True)
    trigger(rules, fight, AT_EXHAUST_BACK, False)
    if fight.powers[at.DARK_EMBRACE] > 0:
        push(fight, e.OP_DRAW, fight.powers[at.DARK_EMBRACE], 1, e.SELF, 0, 0, 0)
    if fight.powers[at.FEEL_NO_PAIN] > 0:
        push(fight, e.OP_PLAIN_BLOCK, fight.powers[at.FEEL_NO_PAIN], 1, e.SELF, 0, 0, 0)
    fight.energy += rules.energy_when_exhausted[kind]
    if rules.returns[kind]:
        push(fight, e.OP_CREATE, 1, 1, e.SELF, kind, at.HAND, 0)


@kernel
def discard_hand(rules: CompiledRules, fight: FightRecord) -> None:
    """Exhaust the ethereal cards of the hand and discard the others. Runic Pyramid keeps the others."""
    for kind in range(rules.n_kinds if rules.any_ethereal else 0):
        while rules.ethereal[kind] and fight.piles[at.HAND, kind] > 0:
            take(fight, kind, at.HAND)
            exhaust(rules, fight, kind)
    if not rules.change[at.C_RUNIC_PYRAMID]:
        for kind in range(rules.n_kinds):
            n = fight.piles[at.HAND, kind]
            fight.piles[at.HAND, kind] = 0
            fight.piles[at.DISCARD, kind] += n
            fight.n_cards[at.DISCARD] += n
            fight.n_cards[at.HAND] -= n


@kernel
def upgrade(rules: CompiledRules, fight: FightRecord, kind: int) -> None:
    """Upgrade one card of a kind in hand."""
    take(fight, kind, at.HAND)
    put(fight, rules.upgraded[kind], at.HAND)


@kernel
def upgrade_cards(rules: CompiledRules, fight: FightRecord, dice: Dice, everywhere: int) -> None:
    """Upgrade every upgradable card of the hand once, or of all piles."""
    for pile in range(at.EXHAUST + 1 if everywhere else 1):
        for kind in range(rules.n_kinds):
            dice.scratch[kind] = fight.piles[pile, kind] if rules.upgraded[kind] != at.NONE else 0
            fight.piles[pile, kind] -= dice.scratch[kind]
        for kind in range(rules.n_kinds):
            if dice.scratch[kind] > 0:
                fight.piles[pile, rules.upgraded[kind]] += dice.scratch[kind]
    if everywhere:
        for kind in range(rules.n_kinds):
            dice.scratch[kind] = fight.buried[kind] if rules.upgraded[kind] != at.NONE else 0
            fight.buried[kind] -= dice.scratch[kind]
        for kind in range(rules.n_kinds):
            if dice.scratch[kind] > 0:
                fight.buried[rules.upgraded[kind]] += dice.scratch[kind]
        for place in range(fight.n_top):
            if rules.upgraded[fight.top[place]] != at.NONE:
                fight.top[place] = rules.upgraded[fight.top[place]]
        for place in range(fight.n_bottom):
            if rules.upgraded[fight.bottom[place]] != at.NONE:
                fight.bottom[place] = rules.upgraded[fight.bottom[place]]
