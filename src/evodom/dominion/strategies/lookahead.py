"""One gain ahead: whether a gain would end the game, and who would then have won.

Only a gain that takes the last card of a pile can end the game. `ending_piles` finds those piles; where there are none,
which is nearly always, nothing else here runs.
"""

from typing import Any

from evodom.dominion.cards import PROVINCE
from evodom.dominion.effects import HAND, NO_LIMIT, SUPPLY
from evodom.dominion.engine import score
from evodom.dominion.rules import N_PILES, NONE, Rules
from evodom.dominion.state import State
from evodom.kernel import kernel

LOSES, TIES, WINS, GOES_ON = 0, 1, 2, 3
"""What follows from a gain: the game ends lost, tied for first or won alone; or it does not end."""


@kernel
def ending_piles(rules: Rules, state: State) -> Any:
    """Return the mask of piles whose next card, once gained, ends the game after this turn."""
    ending = 0
    if state.cards[SUPPLY, PROVINCE] == 1:
        ending |= 1 << PROVINCE
    if state.n_empty == rules.piles_to_end - 1:
        for pile in range(N_PILES):
            if state.cards[SUPPLY, pile] == 1:
                ending |= 1 << pile
    return ending


@kernel
def outcome_of_gain(rules: Rules, state: State, seat: Any, pile: Any, trashed: Any) -> Any:
    """Return how the game ends for a seat that gains the last of ``pile``, having trashed ``trashed`` (or NONE)."""
    mine = score(rules, state, seat) + rules.vp[pile]
    if trashed != NONE:
        mine -= rules.vp[trashed]
    outcome = WINS
    for other in range(rules.n_seats):
        if other == seat:
            continue
        ahead = mine - score(rules, state, other)
        if ahead == 0:
            ahead = state.turns[other] - state.turns[seat]
        if ahead < 0:
            return LOSES
        if ahead == 0:
            outcome = TIES
    return outcome


@kernel
def piles_with_outcome(rules: Rules, state: State, seat: Any, piles: Any, outcome: Any) -> Any:
    """Return those of the ending ``piles`` whose gain has this outcome."""
    found = 0
    for pile in range(N_PILES):
        if (piles >> pile) & 1 and outcome_of_gain(rules, state, seat, pile, NONE) == outcome:
            found |= 1 << pile
    return found


@kernel
def best_of_trade(rules: Rules, state: State, seat: Any, gains: Any, trashed: Any) -> Any:
    """Return the best outcome among ``gains`` after trashing ``trashed``: WINS, TIES, GOES_ON or LOSES, best first."""
    ending = ending_piles(rules, state)
    best = LOSES
    if gains & ~ending != 0:
        best = GOES_ON
    for pile in range(N_PILES):
        if (gains & ending) >> pile & 1:
            outcome = outcome_of_gain(rules, state, seat, pile, trashed)
            if outcome == WINS:
                return WINS
            if outcome == TIES:
                best = TIES
    return best


@kernel
def best_of_action(rules: Rules, state: State, seat: Any, action: Any) -> Any:
    """Return the best outcome an Action in hand can lead to by its own gain; GOES_ON if it gains nothing."""
    if rules.gains[action] == 0:
        return GOES_ON
    available = state.mask[SUPPLY] & rules.gains[action]
    if rules.gain_plus[action] == NO_LIMIT:
        gains = available & rules.affordable[rules.gain_cost[action]]
        return best_of_trade(rules, state, seat, gains, NONE) if gains != 0 else GOES_ON
    best = NONE
    for trashed in range(N_PILES):
        # The Action being played is not in hand any more when it asks what to trash.
        in_hand = state.cards[HAND + seat, trashed] - (1 if trashed == action else 0)
        if in_hand <= 0 or (rules.trashes[action] >> trashed) & 1 == 0:
            continue
        gains = available & rules.affordable[rules.cost[trashed] + rules.gain_plus[action]]
        if gains != 0:
            best = better(best, best_of_trade(rules, state, seat, gains, trashed))
    return GOES_ON if best == NONE else best


@kernel
def better(first: Any, second: Any) -> Any:
    """Return the better of two outcomes (or NONE): to win, then to tie, then to go on, then to lose."""
    if first == WINS or second == WINS:
        return WINS
    if first == TIES or second == TIES:
        return TIES
    return max(first, second)


@kernel
def actions_with_outcome(rules: Rules, state: State, seat: Any, actions: Any, outcome: Any) -> Any:
    """Return those of the ``actions`` in hand whose best gain has this outcome."""
    found = 0
    for action in range(N_PILES):
        if (actions >> action) & 1 and best_of_action(rules, state, seat, action) == outcome:
            found |= 1 << action
    return found
