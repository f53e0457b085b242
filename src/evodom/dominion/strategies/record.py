"""The strategy record, which `select` reads whatever the model, and the default values of cards by name.

The default values are those of published simulations of buy lists. Cards that those leave out (Remodel, Artisan and the
first edition's) are fitted in."""

import numpy as np

from evodom.dominion.cards import ACTION, CARDS
from evodom.dominion.engine.rules import N_MODEL_PILES
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.base import SETTINGS, Genomes, Strategies, Strategy, genetics_of, kind_of, model_named
from evodom.dominion.strategies.breeding import Breeding
from evodom.errors import UsageError


def _column(column: str) -> dict[str, int]:
    """Return a column of the cards whose rows say it."""
    return {name: n for name, card in CARDS.items() if (n := getattr(card, column)) is not None}


PLAY_ORDER = {name: card.play_order for name, card in CARDS.items() if ACTION in card.types}
"""The Action in hand with the lowest number is played first, ..."""

PLAY_ORDER_SPARE = _column("play_with_spare_actions")
"""... these with other numbers while more than one Action is left, ..."""

PLAY_ORDER_NO_CURSES = _column("play_without_curses")
"""... and these once no Curses are left."""

HAND_VALUES = _column("discard")
"""What a card is worth in hand: the lowest is discarded first."""

DECK_VALUES = HAND_VALUES | _column("keep")
"""What a card is worth to own: the lowest is trashed first, ..."""

DECK_VALUES_WANTED = _column("keep_wanted")
"""... these with other values while the conditions of one of their rules hold."""

TRASH_BELOW = 16
"""Cards worth less than this to own are trashed when they may be, ..."""

COIN_FLOOR = 6
"""... but by Chapel no Treasure that would leave the deck with fewer coins than this."""

DISCARD_TO = 20
"""Cards worth at most this in hand are discarded where they may be (Cellar, Sentry)."""


EARLY, LATE = 0, 1
"""The two phases of a strategy."""

SWITCH_TURN, SWITCH_PROVINCES, SWITCH_GAINS = 0, 1, 2
"""What tells the phase: the turn, the Provinces left, or the fewest gains that can end the game."""

ALWAYS = 99
"""No limit, and any time: more than a pile has cards."""

ANY_KINGDOM = 0
"""The fingerprint of a strategy that names no pile."""

MAX_RULES, MAX_CONDITIONS, MAX_TERMS = 32, 64, 96
"""The capacity of a buy list: rules, conditions of all rules, terms of all conditions."""

STRATEGY = np.dtype(
    (
        np.record,
        [
            # The place of its model in `base.MODELS`.
            ("kind", "<i4"),
            # The fingerprint of the kingdom whose piles it names; ANY_KINGDOM for a strategy of any kingdom.
            ("kingdom", "<u8"),
            # LATE begins with the turn after `switch`, or once the number `switch_on` is at most `switch_left`.
            ("switch", "<i4"),
            ("switch_on", "<i4"),
            ("switch_left", "<i4"),
            # The value of a card in the deck, and in hand during a turn. With `ranks_cards` all choices among cards
            # follow them (see `choices`). A card whose value in the deck is below `trash_below` of the phase is trashed
            # when it may be, except a Treasure without which the deck has less than `coin_floor` coins.
            ("ranks_cards", "<i4"),
            ("worth_owning", "<i4", (N_MODEL_PILES,)),
            ("worth_in_hand", "<i4", (N_MODEL_PILES,)),
            ("trash_below", "<i4", (2,)),
            ("coin_floor", "<i4"),
            # Buy lists: the first rule is followed whose pile can be had and whose conditions hold. One table holds all
            # rules, one their conditions, one the terms of those. `buy_lists.rules` names the columns of the tables.
            ("n_rules", "<i4"),
            ("rules", "<i4", (MAX_RULES, 5)),
            ("conditions", "<i4", (MAX_CONDITIONS, 4)),
            ("terms", "<i4", (MAX_TERMS, 3)),
            # With `endgame_check` nothing is bought or gained that ends the game lost. The Action with the lowest
            # `play` is played first. A card for which a rule holds has the value `worth_while_wanted` in the deck,
            # unless that is 0. Cards whose value in hand is at most `discard_to` are discarded where one may (Cellar).
            ("endgame_check", "<i4"),
            ("play", "<i4", (3, N_MODEL_PILES)),
            ("worth_while_wanted", "<i4", (N_MODEL_PILES,)),
            ("discard_to", "<i4"),
            # Preferences: each phase's weights sum to 1.
            ("weights", "<f8", (2, N_MODEL_PILES)),
            ("pass_weights", "<f8", (2,)),
            ("class_weights", "<f8", (3,)),
            ("cellar_victory_only", "<i4"),
            # With `graded` a buy is drawn among the affordable and wanted piles and passing, else from all weights.
            ("graded", "<i4"),
            # What is wanted: fewer than its limit of a pile; a pile once the game can end within `from_left` gains;
            # Provinces once the deck's Treasures make more than `province_coins`; a terminal Action while the deck has
            # fewer than `terminals`, one more for each `terminal_per` cards (0: none) and for each further Action of a
            # card like Village.
            ("limits", "<i4", (N_MODEL_PILES,)),
            ("from_left", "<i4", (N_MODEL_PILES,)),
            ("province_coins", "<i4"),
            ("terminals", "<i4"),
            ("terminal_per", "<i4"),
            # Networks: the address of the weights (see `networks.model`).
            ("network", "<u8"),
        ],
    )
)
"""One strategy. An array of them is a population or the players of a table. A column is a field of `base.Strategy`."""


def check_kingdom(strategies: "Strategy | Strategies", fingerprint: int) -> None:
    """Raise UsageError unless strategies, a record or an array of them, are about the piles of one kingdom."""
    own = np.atleast_1d(strategies["kingdom"])
    if ((own != ANY_KINGDOM) & (own != fingerprint)).any():
        raise UsageError(
            "a strategy of one kingdom cannot play in another, where its piles are other cards. "
            "Take one that was made for this kingdom."
        )


def blank_strategies(n: int, model: str, kingdom: Kingdom | None = None) -> Strategies:
    """Return ``n`` records of a model, for a kingdom (None: any), with default values in all other columns."""
    if kingdom and len(kingdom.piles) > N_MODEL_PILES:
        raise UsageError(
            f"the kingdom has {len(kingdom.piles)} piles, and strategies have columns for {N_MODEL_PILES}. "
            f"Take a kingdom of up to {N_MODEL_PILES} piles."
        )
    strategies = np.zeros(n, STRATEGY)
    strategies["kind"] = kind_of(model)
    strategies["kingdom"] = kingdom.fingerprint if kingdom else ANY_KINGDOM
    for column, value in model_named(model).defaults.items():
        strategies[column] = value
    return strategies


def strategies_of(genomes: Genomes, breeding: Breeding) -> Strategies:
    """Return the strategies of genomes, an array of STRATEGY records."""
    strategies = blank_strategies(len(genomes), SETTINGS[breeding.model].model, breeding.kingdom)
    genetics_of(breeding.model).encode(genomes, breeding, strategies)
    return strategies
