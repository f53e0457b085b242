"""Run the game: `advance` to the next Decision, `enact` the chosen answer, `score` the result.

The phases of a turn are those of the rulebook: Actions, Treasures, buys, clean-up. Effects of cards are in `resolve`.
The engine makes a choice with one legal answer itself. Every other choice is a Decision of the seat ``state.decider``.
Its answers are the bits of the mask ``state.legal``: piles, PASS, and options.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.cards import PROVINCE
from evodom.dominion.effects.ops import Column, Ending, EventKind, Op, Phase, PhaseEffect, Zone
from evodom.dominion.engine.choices import PASS_BIT, ask, choose_card
from evodom.dominion.engine.events import must_stop, note, note_next_turn, note_number, write_event
from evodom.dominion.engine.mechanics import Mechanic, call_mechanic
from evodom.dominion.engine.moves import HAND_SIZE, affordable, cost_of, discard_hand_and_play_area, draw, gain
from evodom.dominion.engine.resolve import add_bonuses, play_card, play_one_treasure, react, resolve_effect
from evodom.dominion.engine.rules import N_PILES, NONE, PASS, RULES, Rules
from evodom.dominion.engine.state import ALL_SEATS, STATE, State, begin_turn, bit, lowest_pile, put, take
from evodom.jit.dispatch import DispatchTable
from evodom.jit.kernel import cold_kernel, kernel

Floats = npt.NDArray[np.floating[Any]]
Integers = npt.NDArray[np.integer[Any]]


ADVANCE = -1
"""Value of ``action`` in `run_engine`: advance to the next Decision. Values from 0 on are answers."""

_STEP = -2
"""Value of ``action`` in `run_engine`: take one step."""

_APPLY = -3
"""The difference ``_APPLY - answer`` is the value of ``action`` that applies an answer without advancing."""


@kernel
def run_engine(rules: Rules, state: State, action: int) -> Any:
    """Execute an action, encoded as one number. Return `State.ended`.

    An answer (0 or more) is applied. Then, as with ADVANCE, the game runs to the next Decision, or until the log must
    be read (`must_stop`). `_STEP` takes one step. ``_APPLY - answer`` only applies an answer. This kernel contains the
    whole engine. It is compiled once, separately from its callers.
    """
    choice = action if action >= 0 else _APPLY - action
    has_work = action != ADVANCE
    while True:
        if has_work:
            if choice >= 0:
                _apply_choice(rules, state, choice)
            else:
                _step(rules, state)
            if action <= _STEP:
                break
        is_asked = state.decider != NONE
        if state.ended != Ending.PLAYING or (is_asked and state.legal & (state.legal - 1) != 0) or must_stop(state):
            break
        choice = lowest_pile(state.legal) if is_asked else -1
        has_work = True
    return np.int64(state.ended)


ENGINE = DispatchTable("evodom.dominion", [run_engine], (RULES, STATE, np.dtype(np.int64)))
"""The engine as separately compiled machine code. Kernel 0 is the only one."""

_call = ENGINE.call


@kernel
def advance(rules: Rules, state: State) -> None:
    """Run the game until a Decision with at least two answers is pending, or the game is over."""
    _call(0, rules, state, ADVANCE)


@kernel
def enact(rules: Rules, state: State, choice: int) -> None:
    """Answer the pending Decision with ``choice``, a bit of ``legal``, and advance to the next Decision."""
    _call(0, rules, state, choice)


@kernel
def step(rules: Rules, state: State) -> None:
    """Resolve one Effect if a card is being resolved, else take one step of the turn."""
    _call(0, rules, state, _STEP)


@kernel
def apply_choice(rules: Rules, state: State, choice: int) -> None:
    """Apply an answer to the pending Decision without advancing the game."""
    _call(0, rules, state, _APPLY - choice)


@kernel
def _step(rules: Rules, state: State) -> None:
    """Resolve one Effect if a card is being resolved, else take one step of the turn."""
    if state.depth > 0:
        resolve_effect(rules, state)
    else:
        state.cause = NONE  # the procedure of a turn
        continue_turn(rules, state)


@kernel
def continue_turn(rules: Rules, state: State) -> None:
    """Run the phases of a turn to the next choice, the next played card, or the end of the turn."""
    seat = state.active
    if state.phase == Phase.ACTION:
        playable = state.piles_in[Zone.HAND + seat] & rules.actions
        if playable != 0 and state.actions > 0:
            ask(state, seat, PhaseEffect.PLAY_ACTION, playable | PASS_BIT)
            return
        state.phase = Phase.TREASURE
    if state.phase == Phase.TREASURE:
        playable = state.piles_in[Zone.HAND + seat] & rules.treasures
        is_decided = playable & ~rules.plain_treasures != 0 or (state.auto_treasures >> seat) & 1 == 0
        if playable != 0 and is_decided:
            ask(state, seat, PhaseEffect.PLAY_TREASURE, playable | PASS_BIT)
            return
        play_for_coins(rules, state, playable)
        begin_buys(state)
    if state.phase == Phase.BUY and state.buys > 0:
        supply = state.piles_in[Zone.SUPPLY]
        legal = supply & affordable(rules, state, state.coins)
        legal &= ~not_for_sale(rules, state)
        ask(state, seat, PhaseEffect.BUY, legal | PASS_BIT)
        return
    if rules.needs_mechanics != 0:
        call_mechanic(rules, state, Mechanic.CONTINUE_TURN, 0)
    else:
        clean_up(rules, state)


@kernel
def not_for_sale(rules: Rules, state: State) -> Any:
    """Return the mask of the piles that the active player may not buy because of cards in play."""
    if rules.restricted_piles == 0:
        return np.int64(0)
    return call_mechanic(rules, state, Mechanic.NOT_FOR_SALE, 0)


@kernel
def begin_buys(state: State) -> None:
    """Begin the Buy phase."""
    state.phase = Phase.BUY
    note_number(state, EventKind.COINS, state.active, state.coins)


@kernel
def play_for_coins(rules: Rules, state: State, treasures: int) -> None:
    """Play all cards in hand of the piles in ``treasures``, a mask of plain Treasures."""
    add_bonuses(state, treasures)
    hand = Zone.HAND + state.active
    in_play = Zone.IN_PLAY + state.active
    state.piles_in[hand] &= ~treasures
    state.piles_in[in_play] |= treasures
    n_played = coins = 0
    has_log = state.log != 0
    while treasures != 0:
        pile = lowest_pile(treasures)
        treasures &= treasures - 1
        n = state.cards[hand, pile]
        if has_log:
            write_event(state, EventKind.PLAY, state.active, pile, n, Zone.HAND, Zone.IN_PLAY, ALL_SEATS)
        state.cards[hand, pile] = 0
        state.cards[in_play, pile] += n
        n_played += n
        coins += n * rules.coins[pile]
    state.n_cards[hand] -= n_played
    state.n_cards[in_play] += n_played
    state.coins += coins


@cold_kernel
def play_treasure(rules: Rules, state: State, pile: int) -> None:
    """Play one Treasure, or all plain Treasures of the pile if they are played automatically."""
    if (rules.plain_treasures >> pile) & 1 and (state.auto_treasures >> state.active) & 1:
        play_for_coins(rules, state, bit(pile))
        return
    play_from_hand(state, pile)
    play_one_treasure(rules, state, pile)
    if (rules.plain_treasures >> pile) & 1:
        state.coins += rules.coins[pile]
    else:
        play_card(rules, state, state.active, pile, 1)


@kernel
def play_from_hand(state: State, pile: int) -> None:
    """Move a card of the active player from the hand into play."""
    note(state, EventKind.PLAY, state.active, pile, 1, Zone.HAND, Zone.IN_PLAY, ALL_SEATS)
    take(state, Zone.HAND + state.active, pile)
    put(state, Zone.IN_PLAY + state.active, pile)


@kernel
def clean_up(rules: Rules, state: State) -> None:
    """Discard hand and play area and draw five cards. Then end the game or begin the next player's turn."""
    seat = state.active
    note_number(state, EventKind.CLEAN_UP, seat, 0)
    discard_hand_and_play_area(state, seat)
    draw(state, seat, HAND_SIZE)
    end_turn(rules, state, seat + 1 if seat + 1 < rules.n_seats else 0, 0)
    note_next_turn(state)


@kernel
def end_turn(rules: Rules, state: State, next_seat: int, is_extra: int) -> None:
    """End the game, or begin the turn of ``next_seat``. An extra turn does not count."""
    if rules.ending_piles & ~state.piles_in[Zone.SUPPLY] != 0:
        state.ended = Ending.PROVINCES if state.cards[Zone.SUPPLY, PROVINCE] == 0 else Ending.COLONIES
    elif state.n_empty >= rules.piles_to_end:
        state.ended = Ending.PILES
    elif state.turns[next_seat] - is_extra >= rules.max_turns:
        state.ended = Ending.CUT
    else:
        begin_turn(state, next_seat)
        state.turns[next_seat] -= is_extra


@kernel
def fewest_ending_cards(rules: Rules, state: State) -> Any:
    """Return the number of cards left in the smallest of the piles Province and Colony."""
    least = state.cards[Zone.SUPPLY, PROVINCE]
    others = rules.ending_piles & ~bit(PROVINCE)
    while others != 0:
        least = min(least, state.cards[Zone.SUPPLY, lowest_pile(others)])
        others &= others - 1
    return least


@kernel
def gains_to_end(rules: Rules, state: State) -> Any:
    """Return the minimum number of gains that can end the game.

    It is the smaller of two numbers: `fewest_ending_cards`, and the number of cards in the 3 smallest piles (4 smallest
    piles with 5 or 6 players).
    """
    if state.gains_left == 0:  # the Supply has changed
        state.gains_left = computed_gains_to_end(rules, state)
    return np.int64(state.gains_left)


@cold_kernel
def computed_gains_to_end(rules: Rules, state: State) -> Any:
    """Compute `gains_to_end` from the sizes of the piles."""
    # The sizes of the four smallest piles, without an unpredictable branch.
    first = second = third = fourth = state.cards[Zone.SUPPLY, PROVINCE]  # a larger pile cannot end it sooner
    for pile in range(rules.n_piles):
        if pile == PROVINCE:
            continue
        n = state.cards[Zone.SUPPLY, pile]
        fourth = min(fourth, max(third, n))
        third = min(third, max(second, n))
        second = min(second, max(first, n))
        first = min(first, n)
    least = first + second + third + (fourth if rules.piles_to_end == 4 else 0)
    return min(least, fewest_ending_cards(rules, state))


@kernel
def _apply_choice(rules: Rules, state: State, choice: int) -> None:
    """Apply an answer to the pending Decision without advancing the game."""
    effect = state.asked_effect
    seat = state.decider
    op = rules.effects[effect, Column.OP]
    state.decider = NONE
    state.cause = effect
    if op == Op.BUY:
        buy(rules, state, choice)
    elif op == Op.PLAY_ACTION:
        play_action(rules, state, choice)
    elif op == Op.PLAY_TREASURE:
        if choice == PASS:
            begin_buys(state)
        else:
            play_treasure(rules, state, choice)
    elif op == Op.CHOOSE:
        choose_card(rules, state, choice)
    elif op == Op.OFFER_REACTION:
        react(rules, state, seat, choice)
    else:
        call_mechanic(rules, state, Mechanic.ANSWER, choice)


@kernel
def buy(rules: Rules, state: State, choice: int) -> None:
    """Buy a card. On PASS end the buys."""
    if choice == PASS:
        state.buys = 0
        return
    state.coins -= cost_of(rules, state, choice)
    state.buys -= 1
    gain(rules, state, state.active, choice, Zone.DISCARD)


@kernel
def play_action(rules: Rules, state: State, choice: int) -> None:
    """Play an Action from hand. On PASS end the Action phase."""
    if choice == PASS:
        state.phase = Phase.TREASURE
        return
    state.actions -= 1
    state.actions_played += 1
    play_from_hand(state, choice)
    play_card(rules, state, state.active, choice, 1)


@kernel
def score(rules: Rules, state: State, seat: int) -> int:
    """Return the victory points of a seat: those of its cards and its VP tokens."""
    points: int = state.vp_tokens[seat]
    for pile in range(N_PILES):
        points += state.owned[seat, pile] * rules.vp[pile]
    if rules.variable_vp != 0:
        points += variable_score(rules, state, seat)
    return points


@kernel
def variable_score(rules: Rules, state: State, seat: int) -> int:
    """Return the victory points of the cards of `Rules.variable_vp`."""
    points = 0
    for pile in range(N_PILES):
        if (rules.variable_vp >> pile) & 1 == 0 or state.owned[seat, pile] == 0:
            continue
        n_counted = n_owned(state, seat, rules.vp_per_mask[pile])
        points += state.owned[seat, pile] * rules.vp_per[pile] * (n_counted // rules.vp_per_n[pile])
    return points


@kernel
def n_owned(state: State, seat: int, piles: int) -> Any:
    """Return the number of cards that a seat owns of the piles in a mask, as an int32."""
    n: Any = np.int32(0)
    if piles != 0:
        for pile in range(N_PILES):
            n = np.int32(n + state.owned[seat, pile] * ((piles >> pile) & 1))
    return n


@kernel
def compare_seats(rules: Rules, state: State, seat: int, other: int) -> int:
    """Compare the results of two seats: return 1 if ``seat`` is ahead, 0 if equal, -1 if behind."""
    vp_ahead = score(rules, state, seat) - score(rules, state, other)
    return compare_results(vp_ahead, state.turns[other] - state.turns[seat])


@kernel
def compare_results(vp_ahead: int, fewer_turns: int) -> int:
    """Compare two results: return 1 if better, 0 if equal, -1 if worse. Fewer turns break ties in victory points."""
    ahead = vp_ahead if vp_ahead != 0 else fewer_turns
    if ahead == 0:
        return 0
    return 1 if ahead > 0 else -1


@kernel
def write_result(rules: Rules, state: State, vp: Integers, points: Floats, shares: Floats) -> None:
    """Write the result of a finished game for each seat.

    Args:
        vp: victory points.
        points: opponents beaten, where a tie counts half.
        shares: share of the win, 1 / number of winners for a winner, else 0.
    """
    for seat in range(rules.n_seats):
        vp[seat] = score(rules, state, seat)
    for seat in range(rules.n_seats):
        n_equal = 1
        n_ahead = 0
        for other in range(rules.n_seats):
            if other != seat:
                comparison = compare_results(vp[seat] - vp[other], state.turns[other] - state.turns[seat])
                n_equal += comparison == 0
                n_ahead += comparison < 0
        points[seat] = rules.n_seats - n_ahead - 0.5 * (n_equal + 1)
        shares[seat] = 0.0 if n_ahead > 0 else 1.0 / n_equal
