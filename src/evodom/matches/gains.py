"""Count the gains of a strategy in games against copies of itself: `gain_statistics`."""

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from evodom.dominion.engine.batch import new_batch, start_game
from evodom.dominion.engine.ops import Column, Ending, Op, Zone
from evodom.dominion.engine.rules import N_MODEL_PILES, PASS, Rules
from evodom.dominion.engine.state import State, States
from evodom.dominion.engine.turn import enact, gains_to_end
from evodom.dominion.strategies.gains import GainStatistics
from evodom.dominion.strategies.lineup import Lineup, LineupArrays
from evodom.dominion.strategies.record import Strategy
from evodom.dominion.strategies.select import select
from evodom.jit.dtypes import record_dtype
from evodom.jit.kernel import kernel
from evodom.matches.simulate import Seeds
from evodom.matches.venue import Venue

MAX_GAINS = 256
"""Gains recorded per game. Later gains are not counted."""

OPENING = 2
"""The last turn of an opening."""

LATE_QUANTILE = 0.9
"""Quantile of ``gains_to_end`` over the gains of a card."""

Gains = npt.NDArray[Any]
"""An array of GAIN records."""


class GainRecord(Protocol):
    """A record of GAIN: one gain that a strategy chose."""

    pile: int
    turn: int
    """Number of the player's turn, from 1."""
    gains_to_end: int
    """Fewest further gains that could end the game."""
    legal: int
    """Mask of the piles that could be gained."""


GAIN = record_dtype(GainRecord, "<i8")


def gain_statistics(venue: Venue, strategy: Strategy, seeds: Seeds) -> GainStatistics:
    """Play one game for each seed between copies of a strategy. Return its gains."""
    gains = np.zeros(len(seeds) * MAX_GAINS, GAIN)
    n = record_gains(venue.rules, new_batch(venue.rules), Lineup.of([strategy]).arrays, seeds, gains)
    return statistics_of(gains[:n], len(seeds) * venue.n_seats)


@kernel
def record_gains(rules: Rules, slots: States, lineup: LineupArrays, seeds: Seeds, gains: Gains) -> Any:
    """Play games of strategy 0 against copies of itself. Record its gains and return their number."""
    state = slots[0]
    n = 0
    for game in range(len(seeds)):
        start_game(rules, slots, 0, seeds[game])
        last = n + MAX_GAINS
        while state.ended == Ending.PLAYING:
            choice = select(rules, state, lineup, 0)
            if choice != PASS and n < last and is_gain(rules, state):
                gains[n].pile = choice
                gains[n].turn = state.turns[state.decider]
                gains[n].gains_to_end = gains_to_end(rules, state)
                gains[n].legal = state.legal & ((1 << N_MODEL_PILES) - 1)
                n += 1
            enact(rules, state, choice)
    return n


@kernel
def is_gain(rules: Rules, state: State) -> bool:
    """Return whether the pending Decision buys a card, or chooses a card of the Supply to gain."""
    row = state.asked_effect
    op = rules.effects[row, Column.OP]
    is_choice = op == Op.CHOOSE and rules.effects[row, Column.SOURCE] == Zone.SUPPLY
    return bool(op == Op.BUY or (is_choice and rules.effects[row, Column.TARGET] != Zone.IN_PLAY))


def statistics_of(gains: Gains, n_decks: int) -> GainStatistics:
    """Return the statistics of the gains of ``n_decks`` players."""
    size = N_MODEL_PILES
    found = GainStatistics(np.zeros(size), np.zeros(size), np.zeros(size), np.zeros((size, size)))
    for pile in range(N_MODEL_PILES):
        of_pile = gains[gains["pile"] == pile]
        found.per_game[pile] = len(of_pile) / n_decks
        found.opening[pile] = (of_pile["turn"] <= OPENING).sum() / n_decks
        found.prefers[pile] = ((of_pile["legal"][:, None] >> np.arange(N_MODEL_PILES)) & 1).sum(axis=0)
        if len(of_pile):
            found.gains_to_end[pile] = np.quantile(of_pile["gains_to_end"], LATE_QUANTILE)
    return found
