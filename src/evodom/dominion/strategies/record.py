"""The strategy record: what `select` needs to know of a strategy, whatever its kind."""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from evodom.dominion.engine.rules import N_PILES
from evodom.dominion.kingdom import Kingdom
from evodom.errors import UsageError

EARLY, LATE = 0, 1
"""The two phases of a preference strategy."""

SWITCH_TURN, SWITCH_PROVINCES, SWITCH_GAINS = 0, 1, 2
"""What tells the phase: the turn, the Provinces left, or the fewest gains that can end the game."""

ALWAYS = 99
"""No limit, and any time: more than a pile has cards."""

ANY_KINGDOM = 0
"""The fingerprint of a strategy that names no pile."""

KIND_RANDOM, KIND_MENU, KIND_PREFERENCE = 0, 1, 2

MAX_RULES, MAX_CONDITIONS, MAX_TERMS = 32, 64, 96
"""The room of a menu: rules, conditions of them all, terms of those."""

OWN_BELOW, PROVINCES_AT_MOST = 3, 4
"""The columns of a rule that are conditions themselves."""

ANY_NUMBER = 2_000_000
"""What these columns hold where the rule asks for nothing: more than any number of a condition."""

PLAY_USUAL, PLAY_SPARE, PLAY_NO_CURSES = 0, 1, 2
"""Which number of an Action holds when: usually, with more than one Action left, without Curses left (unless 0)."""

Strategy: TypeAlias = Any
"""A record of STRATEGY (`numpy.record`)."""

STRATEGY = np.dtype(
    (
        np.record,
        [
            ("kind", "<i4"),
            # The fingerprint of the kingdom whose piles it is about; 0 for a strategy of any kingdom.
            ("kingdom", "<u8"),
            # Preferences: each phase's weights sum to 1; from the turn after `switch` on those of LATE are used.
            ("weights", "<f8", (2, N_PILES)),
            ("class_weights", "<f8", (3,)),
            ("switch", "<i4"),
            ("cellar_victory_only", "<i4"),
            # What is read to tell the phase: SWITCH_TURN, or how near the end is, at most `switch_left` of it.
            ("switch_on", "<i4"),
            ("switch_left", "<i4"),
            # With `graded` a buy is drawn among what can be bought and is wanted, and to pass, else from the whole
            # preference.
            ("graded", "<i4"),
            ("pass_weights", "<f8", (2,)),
            # What is wanted: fewer than its limit of a pile; a pile once the game can end within `from_left` gains;
            # Provinces once the deck's Treasures make more than `province_coins`; a terminal Action while the deck has
            # fewer than `terminals`, and one more for each `terminal_per` cards (0: none) and each further Action that
            # a card like Village gives.
            ("limits", "<i4", (N_PILES,)),
            ("from_left", "<i4", (N_PILES,)),
            ("province_coins", "<i4"),
            ("terminals", "<i4"),
            ("terminal_per", "<i4"),
            # Menu: the first rule whose pile can be had and whose conditions hold is bought. A rule is (pile, its first
            # condition, the one after its last, own fewer than, Provinces left at most), the last two being conditions
            # that nearly all menus have; any other condition is (comparison, first term, the one after the last,
            # constant), a sum of terms compared with a number; a term (quantity, argument, factor): see `conditions`.
            ("n_rules", "<i4"),
            ("rules", "<i4", (MAX_RULES, 5)),
            ("conditions", "<i4", (MAX_CONDITIONS, 4)),
            ("terms", "<i4", (MAX_TERMS, 3)),
            # With `endgame_check` nothing is bought or gained that ends the game lost. The Action with the lowest
            # number is played first. A card for which a rule holds is worth `keep_wanted` to own, unless that is 0.
            # Cards worth at most `discard_to` in hand are discarded where one may (Cellar, Sentry).
            ("endgame_check", "<i4"),
            ("play", "<i4", (3, N_PILES)),
            ("keep_wanted", "<i4", (N_PILES,)),
            ("discard_to", "<i4"),
            # What a card is worth to own, and to have in hand during a turn; with `weighs` all choices among cards go
            # by it (see `choices`). A card worth less than `trash_below` to own is trashed when it may be, in each
            # phase, but no Treasure that would leave the deck with less than `coin_floor` coins.
            ("weighs", "<i4"),
            ("keep", "<i4", (N_PILES,)),
            ("use", "<i4", (N_PILES,)),
            ("trash_below", "<i4", (2,)),
            ("coin_floor", "<i4"),
        ],
    )
)
"""One strategy; an array of them is a population or the players of a table."""


def blank_strategies(n: int, kingdom: Kingdom | None = None) -> npt.NDArray[Any]:
    """Return ``n`` records of STRATEGY for a kingdom (None: any) without a weight, a limit or a condition."""
    strategies = np.zeros(n, STRATEGY)
    strategies["kingdom"] = kingdom.fingerprint if kingdom else ANY_KINGDOM
    for field in ("limits", "from_left", "terminals"):
        strategies[field] = ALWAYS
    return strategies


def check_kingdom(strategies: Any, fingerprint: int) -> None:
    """Raise UsageError unless strategies, a record or an array of them, are about the piles of one kingdom."""
    own = np.atleast_1d(strategies["kingdom"])
    if ((own != ANY_KINGDOM) & (own != fingerprint)).any():
        raise UsageError(
            "a strategy of one kingdom cannot play in another, where its piles are other cards. "
            "Take one that was made for this kingdom."
        )
