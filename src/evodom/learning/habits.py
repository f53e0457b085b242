"""What a learned strategy does, from its own games: what it gains when, what it trashes, what it plays."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.engine.rules import N_PILES, PASS, PASS_NAME
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.buy_lists.imitation import Bought
from evodom.dominion.strategies.model import Strategy
from evodom.dominion.strategies.networks.features import COINS, GAINS_LEFT, LEAD, OWN_TURN, OWNED, TURN
from evodom.dominion.strategies.networks.layout import GAIN, PLAY, TRASH
from evodom.dominion.strategies.networks.memory import weights_of
from evodom.dominion.strategies.record import STRATEGY
from evodom.learning.adam import Adam
from evodom.learning.learner import Experience, Learner
from evodom.matches.streams import generator
from evodom.matches.venue import Venue

N_GAMES = 400

LATE = 0.9
"""The share of a card's gains by whose turn it counts as no longer bought."""


def own_games(venue: Venue, strategy: Strategy, sequence: np.random.SeedSequence, n_games: int = N_GAMES) -> Experience:
    """Return games of a learned strategy against copies of itself, with all its decisions."""
    weights = weights_of(strategy)
    learner = Learner(venue.kingdom, weights, Adam.of(weights), venue.workers)
    players = np.zeros(1, STRATEGY)
    players[0] = learner.record
    tables = np.zeros((n_games, venue.n_seats), np.int32)
    seeds = generator(sequence).integers(2**64, size=n_games, dtype=np.uint64)
    return learner.watch(venue.n_seats, players, tables, seeds)


def purchases(games: Experience, n_seats: int) -> Bought:
    """Return what was gained in games of a learned strategy."""
    gains = games.decisions[games.decisions["kind"] == GAIN]
    seats = len(games.tables) * n_seats
    per_game = np.zeros(N_PILES)
    last_turn = np.zeros(N_PILES)
    gains_left = np.zeros(N_PILES)
    prefers = np.zeros((N_PILES, N_PILES))
    for pile in range(N_PILES):
        taken = gains[gains["chosen"] == pile]
        per_game[pile] = len(taken) / seats
        if len(taken):
            last_turn[pile] = np.quantile(taken["features"][:, TURN], LATE)
            gains_left[pile] = np.quantile(taken["features"][:, GAINS_LEFT], LATE)
        for other in range(N_PILES):
            prefers[pile, other] = ((taken["choices"] >> other) & 1).sum()
    return Bought(per_game, last_turn, gains_left, prefers)


STAGES = (("turns 1-4", 1, 4), ("turns 5-8", 5, 8), ("turns 9-12", 9, 12), ("turn 13 on", 13, 100))
"""The stages of a game in a table of buys: name, first and last turn."""


@dataclass(frozen=True)
class Habits:
    """What a learned strategy does, in figures from its own games.

    ``buys`` has, by stage and coins, the shares of what was gained on one's own turn, nearly always by a buy; ``ahead``
    and ``behind`` the same over a whole game when leading and when trailing. ``trashed`` is how many of each card are
    trashed a game, ``played`` the shares of the Actions chosen where there was a choice, ``deck`` the cards owned at
    the end, and ``greens_from`` the mean turn of the first Estate, Duchy and Province.
    """

    buys: dict[str, dict[int, dict[str, float]]]
    trashed: dict[str, float]
    played: dict[str, float]
    deck: dict[str, float]
    greens_from: dict[str, float]
    ahead: dict[str, float]
    behind: dict[str, float]


def habits(games: Experience, kingdom: Kingdom, n_seats: int) -> Habits:
    """Return what a learned strategy did in its games."""
    decisions = games.decisions
    gains = decisions[(decisions["kind"] == GAIN) & (decisions["features"][:, OWN_TURN] == 1)]
    turns, coins = gains["features"][:, TURN], gains["features"][:, COINS]
    buys: dict[str, dict[int, dict[str, float]]] = {}
    for name, first, last in STAGES:
        of_stage = gains[(turns >= first) & (turns <= last)]
        spent = coins[(turns >= first) & (turns <= last)]
        buys[name] = {
            int(n): _shares(of_stage["chosen"][spent == n], kingdom)
            for n in np.unique(spent)
            if (spent == n).sum() >= 20
        }
    trashes = decisions[(decisions["kind"] == TRASH) & (decisions["chosen"] != PASS)]
    plays = decisions[(decisions["kind"] == PLAY) & (decisions["chosen"] != PASS)]
    seats = len(games.tables) * n_seats
    owned = games.results["owned"][:, :n_seats].mean(axis=(0, 1))
    lead = gains["features"][:, LEAD]
    return Habits(
        buys=buys,
        trashed=_by_name(trashes["chosen"], kingdom, seats),
        played=_shares(plays["chosen"], kingdom),
        deck={card.name: float(n) for card, n in zip(kingdom.piles, owned, strict=False)},
        greens_from=_first_turns(gains, kingdom),
        ahead=_shares(gains["chosen"][lead > 0], kingdom),
        behind=_shares(gains["chosen"][lead < 0], kingdom),
    )


def _shares(chosen: npt.NDArray[Any], kingdom: Kingdom) -> dict[str, float]:
    """Return the shares of choices by name, the largest first."""
    return _by_name(chosen, kingdom, len(chosen))


def _by_name(chosen: npt.NDArray[Any], kingdom: Kingdom, per: int) -> dict[str, float]:
    """Return how often each choice was made by name, divided by ``per``, the most frequent first."""
    counts = np.bincount(chosen, minlength=N_PILES + 1)
    order = [int(pile) for pile in np.argsort(-counts, kind="stable") if counts[pile]]
    return {_name(pile, kingdom): float(counts[pile] / per) for pile in order}


def _first_turns(gains: npt.NDArray[Any], kingdom: Kingdom) -> dict[str, float]:
    """Return the mean turn on which the first of each Victory card is bought, by name."""
    found = {}
    for name in ("Estate", "Duchy", "Province"):
        pile = kingdom.pile(name)
        start = 3 if name == "Estate" else 0
        first = gains[(gains["chosen"] == pile) & (gains["features"][:, OWNED + pile] <= start)]
        if len(first):
            found[name] = float(first["features"][:, TURN].mean())
    return found


def _name(pile: int, kingdom: Kingdom) -> str:
    return PASS_NAME if pile == PASS else kingdom.names[pile]
