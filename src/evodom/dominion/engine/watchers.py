"""Resolve the cards that watch for a gain: Reactions in hand, cards played this turn, Durations, the gained card.

A *watcher* is a row of `Rules.watchers`. A gain pushes a frame with the Effect GAINED. `Frame.PILE` is the gained card.
`Frame.PLACE` is its zone, or NONE after the card was moved. A *step* is a pair of a seat and a watcher. Steps are
resolved by seat in turn order, beginning with the player who gained, and by watcher. `Frame.STEP` is the distance of
the seat * n_watchers + the index of the watcher. `Frame.TIMES_DONE` counts how often the step was resolved.
"""

from evodom.dominion.effects.ops import NOT_STARTED, Frame, PhaseEffect, Watcher, WatchKind, Whose, Zone
from evodom.dominion.engine.durations import n_watching
from evodom.dominion.engine.moves import is_at
from evodom.dominion.engine.rules import NONE, Rules
from evodom.dominion.engine.state import State, pop, push
from evodom.jit.kernel import cold_kernel


@cold_kernel
def resolve_gain(rules: Rules, state: State, frame: int) -> None:
    """Push the Effects of the next card that watches for a gain. Without one, pop the frame of the gain."""
    if state.stack[frame, Frame.STEP] == NOT_STARTED:
        state.stack[frame, Frame.STEP] = 0
    gainer = state.stack[frame, Frame.SEAT]
    first = state.stack[frame, Frame.STEP]
    for step in range(first, rules.n_seats * rules.n_watchers):
        index = step % rules.n_watchers
        owner = (gainer + step // rules.n_watchers) % rules.n_seats
        done = state.stack[frame, Frame.TIMES_DONE] if step == first else 0
        if done < n_times(rules, state, frame, index, owner, done):
            state.stack[frame, Frame.STEP] = step
            state.stack[frame, Frame.TIMES_DONE] = done + 1
            merge_with_equal(rules, state, frame, index)
            by = gainer if rules.watchers[index, Watcher.BY_GAINER] != 0 else owner
            push(state, rules.watchers[index, Watcher.FIRST], rules.watchers[index, Watcher.END], by)
            return
    if state.stack[frame, Frame.N_MERGED] > 0:
        # Continue at the step of a merged frame.
        state.stack[frame, Frame.N_MERGED] -= 1
        state.stack[frame, Frame.STEP] = state.stack[frame, Frame.MERGED_STEP]
        state.stack[frame, Frame.TIMES_DONE] = state.stack[frame, Frame.MERGED_TIMES_DONE]
        return
    was_moved = state.stack[frame, Frame.PLACE] == NONE
    pop(state)
    state.gain_was_moved = was_moved


@cold_kernel
def merge_with_equal(rules: Rules, state: State, frame: int, index: int) -> None:
    """Pop the frame of a gain if the frame below is for an equal gain at the same step.

    The frame below then resolves both gains: its own first, then the merged gain from MERGED_STEP on. A card that gains
    a Curse for each gained Curse therefore does not fill the stack.
    """
    below = frame - 1
    if below < 0 or state.stack[below, Frame.NEXT] != PhaseEffect.GAINED or rules.watchers[index, Watcher.MOVES] != 0:
        return
    for column in (Frame.ROOT, Frame.SEAT, Frame.PILE, Frame.STEP, Frame.TIMES_DONE):
        own = below if column == Frame.ROOT else state.stack[frame, column]
        if state.stack[below, column] != own:
            return
    step, done = state.stack[frame, Frame.STEP], state.stack[frame, Frame.TIMES_DONE]
    is_other = state.stack[below, Frame.MERGED_STEP] != step or state.stack[below, Frame.MERGED_TIMES_DONE] != done
    if state.stack[below, Frame.N_MERGED] > 0 and is_other:
        return
    state.stack[below, Frame.N_MERGED] += 1 + state.stack[frame, Frame.N_MERGED]
    state.stack[below, Frame.MERGED_STEP] = step
    state.stack[below, Frame.MERGED_TIMES_DONE] = done
    pop(state)


@cold_kernel
def n_times(rules: Rules, state: State, frame: int, index: int, owner: int, done: int) -> int:
    """Return the total number of times that the seat ``owner`` resolves a watcher for the gain of a frame.

    ``done`` is the number of times that the seat has already resolved it.
    """
    pile, gainer = state.stack[frame, Frame.PILE], state.stack[frame, Frame.SEAT]
    distance = (owner - gainer) % rules.n_seats
    watcher = rules.watchers[index]
    card, kind, whose = watcher[Watcher.PILE], watcher[Watcher.KIND], watcher[Watcher.WHOSE]
    if (watcher[Watcher.MASK] >> pile) & 1 == 0 or not is_for(whose, distance):
        return 0
    if watcher[Watcher.BOUGHT] != 0 and frame > 0:
        return 0  # a card is bought while no other card is resolved
    if watcher[Watcher.MOVES] != 0 and not is_at(state, state.stack[frame, Frame.PLACE], gainer, pile):
        return 0
    in_hand = (state.piles_in[Zone.HAND + owner] >> card) & 1
    if kind == WatchKind.HAND:
        n: int = in_hand
    elif kind == WatchKind.ANY_HAND:
        n = in_hand * (done + 1) if done == 0 or state.n_chosen > 0 else 0
    elif kind == WatchKind.THIS_TURN:
        n = state.plays_this_turn[card] if owner == state.active else 0
        n = min(n, 1) if watcher[Watcher.ASKS] != 0 else n
    elif kind == WatchKind.ITSELF:
        n = card == pile
    elif watcher[Watcher.COPIES] != 0:
        n = n_watching(state, owner, card, gainer, pile) if gainer == state.active else 0
    else:
        n = n_watching(state, owner, card, gainer, NONE)
    return n


@cold_kernel
def is_for(whose: int, distance: int) -> bool:
    """Return whether a watcher applies to a gain. Its owner is ``distance`` seats after the player who gained."""
    if whose == Whose.OWN:
        return distance == 0
    if whose == Whose.RIGHT:
        return distance == 1
    return whose == Whose.ANY or distance > 0
