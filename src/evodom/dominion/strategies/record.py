"""The strategy record, which `select` reads for every model."""

from typing import Annotated, Protocol

import numpy as np
import numpy.typing as npt

from evodom.dominion.engine.rules import N_MODEL_PILES, Masks, Numbers
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.base import Genomes, Strategies
from evodom.dominion.strategies.breeding import Breeding
from evodom.dominion.strategies.registry import MODEL_PRESETS, genetics_of, model_index, model_named
from evodom.errors import UsageError
from evodom.jit.dtypes import Record, record_dtype

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


Floats = npt.NDArray[np.float64]


class Strategy(Record, Protocol):
    """A record of STRATEGY: one strategy. Arrays of N_MODEL_PILES are indexed by pile."""

    kind: int
    """Index of its model in `registry.MODELS`."""
    kingdom: Annotated[int, "<u8"]
    """Fingerprint of the kingdom of its piles; ANY_KINGDOM for a strategy of any kingdom."""
    switch: int
    """If ``switch_on`` is SWITCH_TURN, LATE begins after this turn."""
    switch_on: int
    switch_left: int
    """Otherwise LATE begins once the Provinces left or the gains to the end are at most this number."""
    uses_card_values: int
    """Whether choices among cards compare the card values (see `choices`)."""
    deck_value: Annotated[Numbers, N_MODEL_PILES]
    hand_value: Annotated[Numbers, N_MODEL_PILES]
    """Card values in hand during a turn."""
    trash_below: Annotated[Numbers, 2]
    """Where trashing is optional, cards with a lower deck value are trashed, by phase."""
    coin_floor: int
    """A Treasure stays if the deck would have less coins without it."""
    n_rules: int
    """A buy list follows the first rule whose pile is available and whose conditions hold."""
    rules: Annotated[Numbers, (MAX_RULES, 5)]
    """The columns of the three tables are in `buy_lists.rules`."""
    conditions: Annotated[Numbers, (MAX_CONDITIONS, 4)]
    terms: Annotated[Numbers, (MAX_TERMS, 3)]
    endgame_check: int
    """Whether no gain ends the game lost."""
    play: Annotated[Numbers, (3, N_MODEL_PILES)]
    """The Action with the lowest number is played first."""
    deck_value_if_wanted: Annotated[Numbers, N_MODEL_PILES]
    """Deck value while a rule for the card holds, unless it is 0."""
    discard_to: int
    """Where discarding is optional, cards with at most this hand value are discarded, unless it is COMPUTED."""
    play_values: int
    """Named set of play values."""
    computed: Annotated[Masks, 3]
    """Masks of the piles whose values are computed: in hand, in the deck, in the order of play."""
    weights: Annotated[Floats, (2, N_MODEL_PILES)]
    """The weights of a phase sum to 1, with the pass weight."""
    pass_weights: Annotated[Floats, 2]
    class_weights: Annotated[Floats, 3]
    """Weights of the classes of Actions."""
    cellar_victory_only: int
    graded: int
    """Whether a buy is drawn among the affordable and wanted piles and passing, else from all weights."""
    limits: Annotated[Numbers, N_MODEL_PILES]
    """A pile is wanted while the deck has fewer of its cards."""
    max_gains_to_end: Annotated[Numbers, N_MODEL_PILES]
    """A pile is wanted once the game can end within this number of gains."""
    province_coins: int
    """A Province is wanted once the Treasures of the deck make more coins."""
    terminals: int
    """A terminal Action is wanted while the deck has fewer, plus one for each ``terminal_per`` cards (0: none) and one
    for each extra Action of cards like Village.
    """
    terminal_per: int
    network: Annotated[int, "<u8"]
    """Index of its network in the lineup."""


STRATEGY = record_dtype(Strategy, "<i4")
"""One strategy. An array of records is a population or the players of a table."""


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
