"""Games played one step at a time, with the record checked on the way: compiled, so that thousands can be."""

from typing import Any

import numpy as np

from evodom.dominion.effects.ops import Column, Ending, Frame, Later, Op, Trigger, Zone
from evodom.dominion.engine.batch import restart
from evodom.dominion.engine.choices import PASS_BIT
from evodom.dominion.engine.durations import start_candidates
from evodom.dominion.engine.moves import affordable
from evodom.dominion.engine.rules import MAX_SEATS, N_PILES, NONE, PASS, Rules
from evodom.dominion.engine.state import N_ROWS, State, bit, lowest_pile, row_of, seed_streams
from evodom.dominion.engine.turn import apply_choice, step
from evodom.dominion.strategies.play.pick import sample_uniform
from evodom.dominion.strategies.select import select
from evodom.jit.kernel import allocating_kernel, kernel

FAULTS = (
    "", "a count below 0", "n_cards or mask do not follow cards", "cards have come or gone",
    "the seats do not own what is outside Supply and trash", "a seat does not own what is in its zones",
    "n_empty does not follow the Supply", "cards lie revealed, set aside or in play where they should not",
    "a Decision without a legal answer, or of nobody", "a Decision offers what it cannot",
    "a turn with less than nothing, or beyond the limit", "more discards that nobody has seen than discards",
    "runs of unseen cards that the deck does not have",
    "an effect of the next turn without its Duration in play, or without the card that it set aside",
)  # fmt: skip
"""What `first_fault` finds, by number."""

DEPTH, KNOWN, DECISIONS, LATER = 0, 1, 2, 3
"""What `play_checked` notes: the greatest depth of the stack, the most known cards on a deck, the Decisions asked, and
the most effects of a next turn."""


@allocating_kernel
def first_fault(rules: Rules, state: State, total: Any) -> Any:
    """Return the number of the first thing wrong with a record, 0 if nothing is; ``total`` counts all cards by pile."""
    everywhere = np.zeros(N_PILES, np.int64)
    for row in range(N_ROWS):
        n = 0
        mask = 0
        fewest = 0
        for pile in range(N_PILES):
            count = state.cards[row, pile]
            everywhere[pile] += count
            n += count
            mask |= (count > 0) << pile
            fewest = min(fewest, count)
        if fewest < 0:
            return 1
        if n != state.n_cards[row] or mask != state.piles_in[row]:
            return 2
    at_rest = state.n_cards[Zone.REVEALED] == 0
    kept = n_kept(state)
    for seat in range(MAX_SEATS):
        at_rest = at_rest and state.n_cards[Zone.SET_ASIDE + seat] == kept[seat].sum()
    if state.depth == 0 and not at_rest:
        return 7
    on_top = np.zeros((MAX_SEATS, N_PILES), np.int64)
    for seat in range(rules.n_seats):
        n_between = 0
        for index in range(state.n_known[seat]):
            pile = state.known[seat, index]
            on_top[seat, pile] += 1
            everywhere[pile] += 1
            if state.unseen_above[seat, index] < 0:
                return 12
            n_between += state.unseen_above[seat, index]
        if n_between > state.n_cards[Zone.DECK + seat]:
            return 12
    n_empty = 0
    for pile in range(N_PILES):
        owned = state.cards[Zone.SUPPLY, pile] + state.cards[Zone.TRASH, pile]
        for seat in range(rules.n_seats):
            n = state.owned[seat, pile]
            owned += n
            held = (
                state.cards[Zone.HAND + seat, pile]
                + state.cards[Zone.DECK + seat, pile]
                + state.cards[Zone.DISCARD + seat, pile]
                + state.cards[Zone.IN_PLAY + seat, pile]
                + state.cards[Zone.SET_ASIDE + seat, pile]
                + state.cards[Zone.ISLAND_MAT + seat, pile]
                + state.cards[Zone.VILLAGE_MAT + seat, pile]
            )
            n_staying = state.staying[seat, pile]
            if state.depth == 0 and seat != state.active and state.cards[Zone.IN_PLAY + seat, pile] != n_staying:
                return 7
            if state.depth == 0 and kept[seat, pile] > state.cards[Zone.SET_ASIDE + seat, pile]:
                return 13
            if not 0 <= state.unseen_discards[seat, pile] <= state.cards[Zone.DISCARD + seat, pile]:
                return 11
            if at_rest and held + on_top[seat, pile] != n:
                return 5
        if everywhere[pile] != total[pile]:
            return 3
        if owned != total[pile]:
            return 4
        n_empty += pile < rules.n_piles and state.cards[Zone.SUPPLY, pile] == 0
    if n_empty != state.n_empty:
        return 6
    for index in range(state.n_later):
        seat, pile = state.later[index, Later.SEAT], state.later[index, Later.PILE]
        if state.cards[Zone.IN_PLAY + seat, pile] == 0 or state.later[index, Later.TIMES] <= 0:
            return 13
    return fault_of_turn(rules, state)


@allocating_kernel
def n_kept(state: State) -> Any:
    """Return the number of cards of each pile that each seat keeps set aside for its next turn."""
    kept = np.zeros((MAX_SEATS, N_PILES), np.int64)
    for index in range(state.n_later):
        if state.later[index, Later.CARD] != NONE:
            kept[state.later[index, Later.SEAT], state.later[index, Later.CARD]] += 1
    return kept


@kernel
def fault_of_turn(rules: Rules, state: State) -> Any:
    """Return the number of what is wrong with the turn and the pending Decision, or 0."""
    if state.actions < 0 or state.buys < 0 or state.coins < 0 or state.depth < 0:
        return 10
    for seat in range(rules.n_seats):
        behind = state.turns[0] - state.turns[seat]
        if state.turns[seat] > rules.max_turns or behind < 0 or behind > 1:
            return 10
    if state.ended != Ending.PLAYING or state.decider == NONE:
        return 0
    if state.decider < 0 or state.decider >= rules.n_seats or state.legal == 0:
        return 8
    return 0 if state.legal & ~offered(rules, state) == 0 else 9


@kernel
def offered(rules: Rules, state: State) -> Any:
    """Return the mask of all that the pending Decision could offer, by where its cards come from."""
    op = rules.effects[state.asked_effect, Column.OP]
    hand = state.piles_in[Zone.HAND + state.decider]
    if op == Op.PLAY_ACTION:
        return hand & rules.actions | PASS_BIT
    if op == Op.PLAY_TREASURE:
        return hand & rules.treasures | PASS_BIT
    if op == Op.OFFER_REACTION:
        return hand & (rules.reactions | rules.triggers[Trigger.ATTACK]) | PASS_BIT
    if op == Op.BUY:
        return state.piles_in[Zone.SUPPLY] & affordable(rules, state, int(state.coins)) | PASS_BIT
    if op == Op.START:
        return start_candidates(rules, state) | PASS_BIT
    if op in (Op.OPTIONS, Op.PLACE):
        return ~(PASS_BIT - 1)
    if op == Op.CHOOSE:
        seat = state.stack[state.depth - 1, Frame.SEAT]
        if rules.effects[state.asked_effect, Column.TARGET] == Zone.SUPPLY:
            return PASS_BIT - 1
        if rules.effects[state.asked_effect, Column.SOURCE] == Zone.THIS:
            return bit(state.stack[state.stack[state.depth - 1, Frame.ROOT], Frame.PILE]) | PASS_BIT
        return state.piles_in[row_of(rules.effects[state.asked_effect, Column.SOURCE], seat)] | PASS_BIT
    return 0


@kernel
def play_checked(rules: Rules, state: State, lineup: Any, table: Any, total: Any, most: Any, seen: Any) -> Any:
    """Play on for up to ``most`` steps, check at every choice, and return the number of the first fault or 0.

    Without strategies every step is checked, the choices are random, and passing is rare, so that much is played.
    ``seen`` notes DEPTH, KNOWN, DECISIONS and LATER.
    """
    for _ in range(most):
        if state.ended != Ending.PLAYING:
            return 0
        if state.decider == NONE:
            step(rules, state)
        elif state.legal & (state.legal - 1) == 0:
            apply_choice(rules, state, lowest_pile(state.legal))
        else:
            seen[DECISIONS] += 1
            if len(lineup.records) > 0:
                choice = select(rules, state, lineup, table[state.decider])
            else:
                choice = sample_uniform(state, state.legal)
                if choice == PASS:
                    choice = sample_uniform(state, state.legal)
            if (state.legal >> choice) & 1 == 0:
                return 9
            apply_choice(rules, state, choice)
        seen[DEPTH] = max(seen[DEPTH], state.depth)
        seen[LATER] = max(seen[LATER], state.n_later)
        for seat in range(rules.n_seats):
            seen[KNOWN] = max(seen[KNOWN], state.n_known[seat])
        if len(lineup.records) > 0 and state.decider == NONE and state.ended == Ending.PLAYING:
            continue
        fault = first_fault(rules, state, total)
        if fault != 0:
            return fault
    return 0


@allocating_kernel
def play_each(
    rules: Rules, slots: Any, lineup: Any, table: Any, seeds: Any, total: Any, most: Any, finals: Any, faults: Any
) -> Any:
    """Play a game a seed from ``slots[1]``; note the last record and the fault of each, and return what was seen.

    With strategies the games begin with the deal, without they go on from the position.
    """
    seen = np.zeros(4, np.int64)
    for game in range(len(seeds)):
        if len(lineup.records) > 0:
            restart(slots, 0, seeds[game])
        else:
            slots[0] = slots[1]
            seed_streams(slots[0], seeds[game])
        faults[game] = play_checked(rules, slots[0], lineup, table, total, most, seen)
        finals[game] = slots[0]
    return seen
