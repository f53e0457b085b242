"""The strategy record, which `select` reads for every model."""

import numpy as np

from evodom.dominion.engine.rules import N_MODEL_PILES
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.base import (
    MODEL_PRESETS,
    Genomes,
    Strategies,
    Strategy,
    genetics_of,
    model_index,
    model_named,
)
from evodom.dominion.strategies.breeding import Breeding
from evodom.errors import UsageError

TRASH_BELOW = 16
"""Cards with a lower deck value are trashed where trashing is optional."""

COIN_FLOOR, FLOOR_WITH_MONEY = 6, 4
"""The coins that the deck's cards keep when a Treasure is trashed: the usual number, and that of `coin_floor_of`."""

DISCARD_TO = 20
"""The published value of `discard_to`: cards with at most this hand value are discarded by Cellar and Sentry."""

COMPUTED = -1
"""The usual value of `discard_to` (a card is discarded if an unseen card is expected to be better) and `coin_floor`."""

COMPUTED_VALUES, PUBLISHED_VALUES = 0, 1
PLAY_VALUES = ("computed", "published")
"""Named sets of play values: computed from the state (see `values`), or the constants of published simulations."""

HAND, DECK, PLAY = 0, 1, 2
"""Rows of the column `computed`: values in hand, values in the deck, the order of playing Actions."""

ALL_PILES = (1 << N_MODEL_PILES) - 1
"""Mask of all piles."""


EARLY, LATE = 0, 1
"""The two phases of a strategy."""

SWITCH_TURN, SWITCH_PROVINCES, SWITCH_GAINS = 0, 1, 2
"""Quantities that determine the phase: the turn, the Provinces left, or the fewest gains that can end the game."""

UNLIMITED = 99
"""No limit, or any time. It exceeds the cards of every pile."""

ANY_KINGDOM = 0
"""The fingerprint in a strategy without references to piles."""

MAX_RULES, MAX_CONDITIONS, MAX_TERMS = 32, 64, 96
"""Capacity of a buy list: rules, conditions of all rules, terms of all conditions."""

STRATEGY = np.dtype(
    (
        np.record,
        [
            # The index of its model in `base.MODELS`.
            ("kind", "<i4"),
            # The fingerprint of the kingdom of its piles; ANY_KINGDOM for a strategy of any kingdom.
            ("kingdom", "<u8"),
            # If `switch_on` is SWITCH_TURN, LATE begins after turn `switch`. Otherwise LATE begins once the Provinces
            # left or the gains to the end are at most `switch_left`.
            ("switch", "<i4"),
            ("switch_on", "<i4"),
            ("switch_left", "<i4"),
            # Card values by pile: in the deck, and in hand during a turn. If `uses_card_values`, choices among cards
            # compare them (see `choices`). Where trashing is optional, cards with a deck value below `trash_below` of
            # the phase are trashed. A Treasure stays if the deck would have less than `coin_floor` coins without it.
            ("uses_card_values", "<i4"),
            ("deck_value", "<i4", (N_MODEL_PILES,)),
            ("hand_value", "<i4", (N_MODEL_PILES,)),
            ("trash_below", "<i4", (2,)),
            ("coin_floor", "<i4"),
            # Buy lists follow the first rule whose pile is available and whose conditions hold. There is one table of
            # rules, one of conditions and one of terms. `buy_lists.rules` names their columns.
            ("n_rules", "<i4"),
            ("rules", "<i4", (MAX_RULES, 5)),
            ("conditions", "<i4", (MAX_CONDITIONS, 4)),
            ("terms", "<i4", (MAX_TERMS, 3)),
            # With `endgame_check` no gain ends the game lost. The Action with the lowest `play` is played first. While
            # a rule for a card holds, its deck value is `deck_value_if_wanted`, unless that is 0. Where discarding is
            # optional (Cellar), cards with a hand value of at most `discard_to` are discarded, unless it is COMPUTED.
            ("endgame_check", "<i4"),
            ("play", "<i4", (3, N_MODEL_PILES)),
            ("deck_value_if_wanted", "<i4", (N_MODEL_PILES,)),
            ("discard_to", "<i4"),
            # The named set of play values, and masks of the piles whose values are computed: in hand, in the deck, in
            # the order of play. The tables above have the explicit values of all other piles.
            ("play_values", "<i4"),
            ("computed", "<i8", (3,)),
            # Preferences: each phase's weights sum to 1. `class_weights` are for the classes of Actions.
            ("weights", "<f8", (2, N_MODEL_PILES)),
            ("pass_weights", "<f8", (2,)),
            ("class_weights", "<f8", (3,)),
            ("cellar_victory_only", "<i4"),
            # If `graded`, a buy is drawn among the affordable and wanted piles and passing, else from all weights.
            ("graded", "<i4"),
            # Conditions of the wanted piles. A pile is wanted while the deck has fewer of its cards than `limits`, and
            # once the game can end within `max_gains_to_end` gains. A Province is wanted once the deck's Treasures
            # make more than `province_coins`. A terminal Action is wanted while the deck has fewer than `terminals`,
            # plus one for each `terminal_per` cards (0: none) and one for each extra Action of cards like Village.
            ("limits", "<i4", (N_MODEL_PILES,)),
            ("max_gains_to_end", "<i4", (N_MODEL_PILES,)),
            ("province_coins", "<i4"),
            ("terminals", "<i4"),
            ("terminal_per", "<i4"),
            # Networks: the address of the weights (see `networks.model`).
            ("network", "<u8"),
        ],
    )
)
"""One strategy. An array of records is a population or the players of a table. `base.Strategy` lists the columns."""


def check_kingdom(strategies: "Strategy | Strategies", fingerprint: int) -> None:
    """Raise UsageError unless a record, or each of an array, is for the kingdom with this fingerprint or for any."""
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
    strategies["kind"] = model_index(model)
    strategies["kingdom"] = kingdom.fingerprint if kingdom else ANY_KINGDOM
    for column, value in model_named(model).defaults.items():
        strategies[column] = value
    return strategies


def strategies_of(genomes: Genomes, breeding: Breeding) -> Strategies:
    """Return the strategies of genomes, an array of STRATEGY records."""
    strategies = blank_strategies(len(genomes), MODEL_PRESETS[breeding.model].model, breeding.kingdom)
    genetics_of(breeding.model).encode(genomes, breeding, strategies)
    return strategies
