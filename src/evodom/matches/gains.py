"""Count the gains of a strategy in games against copies of itself, and draw plans that imitate them."""

from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from evodom.dominion.cards import COPPER, CURSE_PILE, GOLD, SILVER, VICTORY
from evodom.dominion.effects.ops import Ending
from evodom.dominion.engine.batch import new_batch, start_game
from evodom.dominion.engine.rules import N_MODEL_PILES, PASS, Rules
from evodom.dominion.engine.state import States
from evodom.dominion.engine.turn import enact, gains_to_end
from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.dominion.strategies.base import RANDOM
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.lineup import Lineup, LineupArrays
from evodom.dominion.strategies.models.networks.layers import GAIN
from evodom.dominion.strategies.models.networks.model import decision_kind, open_choices
from evodom.dominion.strategies.plans import BuyPlan
from evodom.dominion.strategies.record import Strategy
from evodom.dominion.strategies.select import select
from evodom.jit.dtypes import record_dtype
from evodom.jit.kernel import kernel
from evodom.matches.simulate import Seeds
from evodom.matches.venue import Venue

MAX_GAINS = 256
"""Maximum number of gains recorded per game, of all seats together."""

MAX_GAINS_TO_END = 20
"""Maximum recorded number of gains to the end."""

OPENING = 2
"""Number of turns of an opening."""

BOUND_QUANTILE = 0.9
"""Quantile of `GainRecord.gains_to_end` over the gains of a card. An imitation gains a late card within it."""

Gains = npt.NDArray[Any]
"""An array of GAIN_RECORD."""


class GainRecord(Protocol):
    """A record of GAIN_RECORD: a gain by a strategy that had several choices."""

    pile: int
    turn: int
    """Number of the player's turn, from 1."""
    gains_to_end: int
    """Minimum number of further gains that can end the game."""
    open: int
    """Mask of the piles that could be gained (`open_choices`)."""


GAIN_RECORD = record_dtype(GainRecord, "<i8")


@dataclass(frozen=True)
class GainStatistics:
    """Statistics of a strategy's gains. Arrays have an entry for each of N_MODEL_PILES piles.

    Attributes:
        per_game: mean number of gains per game and seat.
        gains_to_end: BOUND_QUANTILE quantile of `GainRecord.gains_to_end` over the gains of the pile.
        opening: mean number of gains in the first two turns.
        prefers: number of gains of the row's pile while the column's pile was available, (piles, piles).
    """

    per_game: npt.NDArray[np.float64]
    gains_to_end: npt.NDArray[np.float64]
    opening: npt.NDArray[np.float64]
    prefers: npt.NDArray[np.float64]


def gain_statistics(venue: Venue, strategy: Strategy, seeds: Seeds) -> GainStatistics:
    """Play one game for each seed between copies of a strategy. Return the statistics of its gains."""
    gains, n_decks = np.zeros(len(seeds) * MAX_GAINS, GAIN_RECORD), len(seeds) * venue.n_seats
    gains = gains[: record_gains(venue.rules, new_batch(venue.rules), Lineup.of([strategy]).arrays, seeds, gains)]
    n = N_MODEL_PILES
    found = GainStatistics(np.zeros(n), np.zeros(n), np.zeros(n), np.zeros((n, n)))
    for pile in range(N_MODEL_PILES):
        of_pile = gains[gains["pile"] == pile]
        found.per_game[pile] = len(of_pile) / n_decks
        found.opening[pile] = (of_pile["turn"] <= OPENING).sum() / n_decks
        found.prefers[pile] = ((of_pile["open"][:, None] >> np.arange(N_MODEL_PILES)) & 1).sum(axis=0)
        if len(of_pile):
            found.gains_to_end[pile] = np.quantile(of_pile["gains_to_end"], BOUND_QUANTILE)
    return found


@kernel
def record_gains(rules: Rules, slots: States, lineup: LineupArrays, seeds: Seeds, gains: Gains) -> Any:
    """Play games of strategy 0 against copies of itself. Record its gains and return their number."""
    state, n = slots[0], 0
    for game in range(len(seeds)):
        start_game(rules, slots, 0, seeds[game])
        last = n + MAX_GAINS
        while state.ended == Ending.PLAYING:
            choices = open_choices(rules, state) if decision_kind(rules, state) == GAIN else 0
            choice = select(rules, state, lineup, 0)
            if choice != PASS and (choices >> choice) & 1 and choices & (choices - 1) != 0 and n < last:
                gains[n].pile = choice
                gains[n].turn = state.turns[state.decider]
                gains[n].gains_to_end = min(gains_to_end(rules, state), MAX_GAINS_TO_END)
                gains[n].open = choices & ((1 << N_MODEL_PILES) - 1)
                n += 1
            enact(rules, state, choice)
    return n


def compile_gains() -> None:
    """Compile the kernel of `gain_statistics`."""
    gain_statistics(Venue(FIRST_GAME, 2), baseline(RANDOM, FIRST_GAME), np.zeros(1, np.uint64))


MIN_GAINS = 0.15
"""Minimum number of gains per game for a card to be imitated."""

MAX_LIMITED_GAINS = 6
"""Maximum number of gains per game for a kingdom card to have a limit."""

MIN_OPENING_GAINS = 0.3
"""Minimum number of gains per game in the first two turns for a kingdom card to be an opening buy."""

PREFERENCE_NOISE = 0.08
"""Standard deviation of the random variation of a preference."""

LIMIT_NOISE = 0.7
"""Standard deviation of the random variation of a limit."""

GAINS_LEFT_NOISE = 1.4
"""Standard deviation of the random variation of a bound on the gains to the end."""

MAX_GAINS_LEFT = 18
"""Maximum bound on the gains to the end."""


NO_OPENING_EVERY = 4
"""Every NO_OPENING_EVERY-th imitation leaves out the opening."""


def imitations(stats: GainStatistics, n: int, kingdom: Kingdom, rng: np.random.Generator) -> list[BuyPlan]:
    """Return ``n`` plans that imitate gains. The first follows the means, the others vary at random."""
    plans = [imitation(stats, kingdom, rng if number else None) for number in range(n)]
    return [
        replace(plan, opening=()) if number % NO_OPENING_EVERY == NO_OPENING_EVERY - 1 else plan
        for number, plan in enumerate(plans)
    ]


def imitation(stats: GainStatistics, kingdom: Kingdom, rng: np.random.Generator | None) -> BuyPlan:
    """Return a plan that follows the means of the gains, or with ``rng`` a random variation."""

    def noise(deviation: float) -> float:
        return float(rng.normal(0.0, deviation)) if rng else 0.0

    piles = [
        pile
        for pile in range(len(kingdom.piles))
        if pile not in (COPPER, CURSE_PILE) and stats.per_game[pile] >= MIN_GAINS
    ]
    values = {pile: _preference(stats, pile, piles) + noise(PREFERENCE_NOISE) for pile in piles}
    of_kingdom = [pile for pile in piles if pile in kingdom.kingdom_piles]
    opening = [pile for pile in of_kingdom if stats.opening[pile] >= MIN_OPENING_GAINS]
    limited = [pile for pile in of_kingdom if stats.per_game[pile] <= MAX_LIMITED_GAINS]
    # The Victory card with the highest cost is bought at any time, cheaper ones near the end.
    victory = kingdom.piles_where(lambda card: VICTORY in card.types)
    highest = max(kingdom.piles[pile].cost for pile in victory)
    late = [pile for pile in piles if pile in victory and kingdom.piles[pile].cost < highest]
    limits = {pile: max(round(stats.per_game[pile] + noise(LIMIT_NOISE)), 1) for pile in limited}
    if rng:
        for pile in piles:
            _vary_limit(pile, limits, rng)
    return BuyPlan(
        order=sorted(piles, key=lambda pile: -values[pile]),
        opening=sorted(opening, key=lambda pile: -kingdom.piles[pile].cost),
        limits=limits,
        gains_left={
            pile: int(np.clip(round(stats.gains_to_end[pile] + noise(GAINS_LEFT_NOISE)), 1, MAX_GAINS_LEFT))
            for pile in late
        },
    )


def _vary_limit(pile: int, limits: dict[int, int], rng: np.random.Generator) -> None:
    """Change a limit in place, or keep it, at random.

    Silver or Gold may receive a limit from 0 to 3. The limit of another card may become 0, or be removed. Such large
    changes give decks of other kinds, for example without Treasures. Small changes of a plan do not.
    """
    chance = rng.random()
    if pile in (SILVER, GOLD):
        if chance < 0.25:
            limits[pile] = int(rng.integers(0, 4))
    elif pile in limits and chance < 0.2:
        del limits[pile]
    elif pile in limits and chance < 0.25:
        limits[pile] = 0


def _preference(stats: GainStatistics, pile: int, piles: list[int]) -> float:
    """Return how often ``pile`` was gained rather than another pile, in [0, 1], while both were available.

    The result is the mean over the other piles.
    """
    shares = []
    for other in piles:
        gained, other_gained = stats.prefers[pile, other], stats.prefers[other, pile]
        if other != pile and gained + other_gained:
            shares.append(gained / (gained + other_gained))
    return float(np.mean(shares)) if shares else 0.0
