"""The columns that buy lists add to a strategy's record.

A record has one table for all rules, one for their conditions and one for the terms of those; a rule and a condition
say where their part of the next table begins and ends. The columns of the three tables have the names below.
"""

from evodom.dominion.engine.rules import N_PILES
from evodom.dominion.strategies.model import Column

MAX_RULES, MAX_CONDITIONS, MAX_TERMS = 32, 64, 96
"""The room of a list: rules, conditions of them all, terms of those."""

PILE, FIRST_CONDITION, END_CONDITION, OWN_BELOW, PROVINCES_AT_MOST = range(5)
"""A rule: what it buys, its first condition and the one after its last, and two conditions that nearly all lists have:
to own fewer than so many of the pile, and to have at most so many Provinces left."""

COMPARISON, FIRST_TERM, END_TERM, CONSTANT = range(4)
"""A condition: the sum of its terms, from the first to before the one after its last, compared with a constant."""

QUANTITY, ARGUMENT, FACTOR = range(3)
"""A term: a quantity (see `conditions`) of a pile or a mask of piles, times a factor."""

ANY_NUMBER = 2_000_000
"""OWN_BELOW and PROVINCES_AT_MOST of a rule that does not ask for them: more than any number of a condition."""

PLAY_USUAL, PLAY_SPARE, PLAY_NO_CURSES = 0, 1, 2
"""Which number of an Action holds when: usually, with more than one Action left, without Curses left (unless 0)."""

COLUMNS: tuple[Column, ...] = (
    # The first rule whose pile can be had and whose conditions hold is followed.
    ("n_rules", "<i4"),
    ("rules", "<i4", (MAX_RULES, 5)),
    ("conditions", "<i4", (MAX_CONDITIONS, 4)),
    ("terms", "<i4", (MAX_TERMS, 3)),
    # With `endgame_check` nothing is bought or gained that ends the game lost. The Action with the lowest number is
    # played first. A card for which a rule holds is worth `worth_while_wanted` to own, unless that is 0. Cards worth at
    # most `discard_to` in hand are discarded where one may (Cellar, Sentry).
    ("endgame_check", "<i4"),
    ("play", "<i4", (3, N_PILES)),
    ("worth_while_wanted", "<i4", (N_PILES,)),
    ("discard_to", "<i4"),
)
