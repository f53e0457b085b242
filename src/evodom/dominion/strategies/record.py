"""The strategy record, which `select` reads for every model."""

from typing import Annotated, Any, Protocol

import numpy as np
import numpy.typing as npt

from evodom.dominion.engine.rules import N_MODEL_PILES, Masks, Numbers
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.base import Genomes, Strategies
from evodom.dominion.strategies.breeding import Breeding
from evodom.dominion.strategies.play.menu_weights import OPTION_VALUES
from evodom.dominion.strategies.registry import ENTRIES, MODEL_PRESETS, model_index, model_named
from evodom.errors import UsageError
from evodom.jit.dtypes import Record, record_dtype

TRASH_BELOW = 16
"""Cards with a lower deck value are trashed where trashing is optional."""

COIN_FLOOR = 6
"""Usual number of coins that the deck keeps when a Treasure is trashed."""

LOW_COIN_FLOOR = 4
"""Number of coins that the deck keeps while its next buys add coins (`deck_values.coin_floor_of`)."""

DISCARD_TO = 20
"""The published value of `discard_to`: cards with at most this hand value are discarded by Cellar and Sentry."""

COMPUTED = -1
"""The usual value of `discard_to` and `coin_floor`. Kernels then compute the limit from the state."""

COMPUTED_VALUES, PUBLISHED_VALUES = 0, 1
PLAY_VALUES = ("computed", "published")
"""Named sets of play values: computed from the state (`hand_values`), or the constants of published simulations."""

HAND_ROW, DECK_ROW, PLAY_ROW = 0, 1, 2
"""Rows of the column `computed`: values in hand, values in the deck, the order of playing Actions."""

PLAY_USUAL, PLAY_SPARE, PLAY_NO_CURSES = 0, 1, 2
"""Rows of `Strategy.play`: numbers of Actions in general, with several Actions left, and without Curses in the Supply.
In the last row 0 stands for the general number.
"""

ALL_PILES = (1 << N_MODEL_PILES) - 1
"""Mask of all piles."""


EARLY, LATE = 0, 1
"""The two phases of a strategy."""

SWITCH_TURN, SWITCH_PROVINCES, SWITCH_GAINS = 0, 1, 2
"""Quantities that determine the phase: the turn, the Provinces left, or the minimum number of gains to the end."""

UNLIMITED = 99
"""No limit, or any time. It exceeds the cards of every pile."""

ANY_KINGDOM = 0
"""The fingerprint in a strategy without references to piles."""


class Strategy(Record, Protocol):
    """The columns of STRATEGY that all models share. Arrays of N_MODEL_PILES are indexed by pile."""

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
    """A Treasure is not trashed if the deck would have fewer coins than this number without it."""
    play: Annotated[npt.NDArray[np.int16], (3, N_MODEL_PILES)]
    """Orders of playing Actions. The Action with the lowest number is played first."""
    deck_value_if_wanted: Annotated[npt.NDArray[np.int16], N_MODEL_PILES]
    """Deck value while a rule for the card holds, unless it is 0."""
    discard_to: int
    """Where discarding is optional, cards with at most this hand value are discarded, unless it is COMPUTED."""
    play_values: int
    """Named set of play values."""
    computed: Annotated[Masks, 3]
    """Masks of the piles whose values are computed: in hand, in the deck, in the order of play."""
    option_values: Annotated[npt.NDArray[np.float64], len(OPTION_VALUES)]
    """The weights of OPTION_VALUES."""
    network: Annotated[int, "<u8"]
    """Index of its network in the lineup."""


_SHARED = record_dtype(Strategy, "<i4")

STRATEGY: "np.dtype[np.void]" = np.dtype(
    (
        np.record,
        [
            *((name, _SHARED[name]) for name in _SHARED.names or ()),
            *((entry.block, record_dtype(entry.columns, "<i4")) for entry in ENTRIES if entry.class_of_columns),
        ],
    )
)
"""One strategy: the columns of `Strategy`, and a block for each model with columns, named after the model's folder.

An array of records is a population or the players of a table.
"""


def find_column(strategies: "Strategy | Strategies", column: str) -> tuple[Any, str]:
    """Return the record or array that has a column, and the column's name there.

    The column of a block is named "block.column".
    """
    block, _, name = column.rpartition(".")
    return (strategies[block] if block else strategies), name


def column_of(strategies: "Strategy | Strategies", column: str) -> Any:
    """Return a column, which can be a column of a block: "preferences.weights"."""
    part, name = find_column(strategies, column)
    return part[name]


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
    strategies["option_values"] = tuple(OPTION_VALUES.values())
    for column, value in model_named(model).defaults.items():
        part, name = find_column(strategies, column)
        part[name] = value
    return strategies


def strategies_of(genomes: Genomes, breeding: Breeding) -> Strategies:
    """Return the strategies of genomes, an array of STRATEGY records."""
    strategies = blank_strategies(len(genomes), MODEL_PRESETS[breeding.model].model, breeding.kingdom)
    breeding.genetics.encode(genomes, breeding, strategies)
    return strategies
