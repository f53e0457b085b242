"""The record of a game's rules: constants, the fields of `Rules`, and the dtype RULES.

Open it to add a table for the kernels. `compiler` fills the record.
"""

from typing import Annotated, Protocol

import numpy as np
import numpy.typing as npt

from evodom.dominion.cards import COPPER, ESTATE
from evodom.dominion.effects.ops import MAX_SEATS as MAX_SEATS
from evodom.dominion.effects.ops import N_COLUMNS, Trigger, Watcher
from evodom.jit.dtypes import Record, record_dtype

N_PILES = 40
"""Maximum number of piles of a game. Masks have 64 bits."""

N_MODEL_PILES = 20
"""Piles for which networks, genomes and saved results have columns. They are the first piles of a game, in order."""

PASS = N_PILES
"""The answer "choose no card". A legal mask has a bit for each pile, for PASS, and for each option."""

PASS_NAME = "pass"

FIRST_OPTION = PASS + 1
"""First of the bits for options in a legal mask."""

N_OPTIONS = 22
"""Number of bits for options. The sign bit stays free."""

N_ANSWERS = FIRST_OPTION + N_OPTIONS
"""Number of answers of a legal mask."""

MAX_COINS = 15
"""Maximum number of coins in the table `Rules.affordable`. With more coins, costs are compared pile by pile."""

MAX_WATCHERS = 16

MAX_EFFECTS = 256
MAX_TURNS = 100
"""Maximum number of turns of a player. Then the game is cut. Games played to win take 15 to 30 turns."""

ENDING_CARDS = ("Province", "Colony")
"""Cards whose empty piles end the game."""

STARTING_DECK = {COPPER: 7, ESTATE: 3}
"""Number of cards of each pile that are dealt to each player."""

NONE = -1
"""Value of a pile's or a seat's number where there is no pile or seat."""

Numbers = npt.NDArray[np.int32]
Mask = Annotated[int, "<i8"]
Masks = npt.NDArray[np.int64]


class Rules(Record, Protocol):
    """A record of RULES: the tables of one game. Arrays of N_PILES are indexed by pile."""

    kingdom: Annotated[int, "<u8"]
    """Hash of the piles (`cards.fingerprint`). The record of a strategy for these piles has the same hash."""
    n_seats: int
    n_piles: int
    piles_to_end: int
    ending_piles: Mask
    """Mask of Province, and of Colony if the game has it. The game ends when one of these piles is empty."""
    max_turns: int
    cost: Annotated[Numbers, N_PILES]
    n_types: Annotated[Numbers, N_PILES]
    coins: Annotated[Numbers, N_PILES]
    """`Card.coins`: the certain coins of a Treasure."""
    money: Annotated[Numbers, N_PILES]
    """`Card.money`: coins of a Treasure or an Action, for decisions of buy lists."""
    vp: Annotated[Numbers, N_PILES]
    variable_vp: Mask
    """Mask of the piles whose victory points depend on the owned cards, such as Gardens."""
    vp_per: Annotated[Numbers, N_PILES]
    """A card of ``variable_vp`` scores ``vp_per`` points for every ``vp_per_n`` owned cards of ``vp_per_mask``."""
    vp_per_n: Annotated[Numbers, N_PILES]
    vp_per_mask: Annotated[Masks, N_PILES]
    supply: Annotated[Numbers, N_PILES]
    """Sizes of the piles at the start of the game."""
    actions: Mask
    treasures: Mask
    plain_treasures: Mask
    """Mask of the Treasures that only give coins and matter to no other card. All in hand are played together."""
    reactions: Mask
    """Mask of the Reactions that protect from an Attack when they are revealed. Other Reactions have a `Trigger`."""
    shields: Mask
    """Mask of the cards that protect from Attacks until their player's next turn."""
    start_cards: Mask
    """Mask of the cards with Effects at the start of a turn: Durations, and the cards of ``start_from_hand``."""
    start_from_hand: Mask
    """Mask of the cards that may be played from hand at the start of a turn."""
    seizers: Mask
    """Mask of the Durations such as Corsair. Opponents trash the first Treasure of ``seized`` they play in a turn."""
    seized: Mask
    """Mask of the Treasures that Corsair trashes: Silver and Gold."""
    cheaper_per_action: Annotated[Numbers, N_PILES]
    """Reduction of the cost in a Buy phase for each Action in play."""
    cheaper_piles: Mask
    """Mask of the piles with a ``cheaper_per_action``."""
    not_bought_with: Annotated[Masks, N_PILES]
    """For each pile: mask of the piles whose cards in play forbid its purchase (Grand Market: Copper)."""
    restricted_piles: Mask
    """Mask of the piles with a ``not_bought_with``."""
    watchers: Annotated[Masks, (MAX_WATCHERS, len(Watcher))]
    """A row for each watch for gains, with the columns of `Watcher`."""
    n_watchers: int
    watched: Mask
    """Mask of the piles whose gains must be recorded: a card watches for them or counts them."""
    counted_plays: Mask
    """Mask of the cards that watch for gains in the turn of their play. `State.plays_this_turn` counts the plays."""
    needs_mechanics: int
    """1 if turns need a `Mechanic`: cards have Effects at the start or end of turns, watch for gains, or name cards."""
    attacks: Mask
    victories: Mask
    useless: Mask
    """Mask of the piles whose cards cannot be played: neither Actions nor Treasures."""
    affordable: Annotated[Masks, MAX_COINS + 1]
    """For 0 to MAX_COINS coins: mask of the piles with at most this cost."""
    action_classes: Annotated[Masks, 3]
    """Mask of the Actions of each class: NONTERMINAL, TERMINAL_DRAW and TERMINAL."""
    extra_actions: Annotated[Numbers, N_PILES]
    """Actions that a card adds, minus the Action spent to play it; at least 0."""
    first_effect: Annotated[Numbers, N_PILES]
    """Index in ``effects`` of a card's first Effect."""
    end_effect: Annotated[Numbers, N_PILES]
    """Index after a card's last Effect."""
    effects: Annotated[Masks, (MAX_EFFECTS, N_COLUMNS)]
    """The encoded Effects, with the columns of `Column`."""
    triggers: Annotated[Masks, len(Trigger)]
    """For each `Trigger` the mask of the piles whose cards have Effects for it."""
    trigger_first: Annotated[Numbers, (len(Trigger), N_PILES)]
    """For each `Trigger` and pile: index in ``effects`` of the first Effect for this `Trigger`."""
    trigger_end: Annotated[Numbers, (len(Trigger), N_PILES)]
    # `strategies.play.card_facts` writes the following fields. The engine does not read them.
    gains: Annotated[Masks, N_PILES]
    """For each card: mask of the piles that it can gain. ``gain_cost`` and ``gain_effect`` limit the cost."""
    trashed_for_gain: Annotated[Masks, N_PILES]
    """For each card that gains by the cost of a trashed card: mask of the piles that it can trash."""
    gain_cost: Annotated[Numbers, N_PILES]
    """Maximum cost of the gained card: MAX_COINS if it is not fixed, GAINS_NOTHING if the card gains nothing."""
    gain_effect: Annotated[Numbers, N_PILES]
    """Index of the Effect that gains the card, 0 without one. EXTRA_COST is set if a trashed card limits the cost."""
    begins_with_trash: Mask
    """Mask of the cards that begin with trashing a card from hand."""
    risky: Mask
    """Mask of the Actions that may do nothing or harm their player (`card_facts`)."""
    may_do_nothing: Mask
    """Mask of the cards that may have no effect. They begin with a choice, or gain a card up to a fixed cost."""


RULES = record_dtype(Rules, "<i4")
