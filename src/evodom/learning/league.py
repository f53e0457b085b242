"""Draw the opponents of a learner: itself, its earlier checkpoints, and rivals. Strong opponents are more frequent.

`teachers` returns the best of many random buy lists. New networks imitate them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import numpy.typing as npt

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.base import Strategies
from evodom.dominion.strategies.breeding import Breeding
from evodom.dominion.strategies.lineup import Lineup
from evodom.dominion.strategies.models.buy_lists.columns import PILE
from evodom.dominion.strategies.record import Strategy, strategies_of
from evodom.dominion.strategies.registry import genetics_of
from evodom.learning.ppo import Learner, Rollouts
from evodom.learning.rollouts import RolloutGames, draw_bonus_piles
from evodom.matches.seating import generator
from evodom.matches.tournament import run_tournament
from evodom.matches.venue import Venue

SELF_SHARE = 0.4  # Share of the games in self-play: all seats learn.
PAST_SHARE = 0.25  # Share of the games against earlier checkpoints. The rest are against rivals.

BONUS_SHARE = 0.2  # Share of the seats that explore a kingdom card.
LOGIT_BONUS = 8.0  # Added to the logit of gaining this card.

WIN_RATE_DECAY = 0.9
"""Decay per iteration of the learner's running win rates. They are the basis of the opponents' weights."""

MIN_WEIGHT = 0.05
"""Weight of an opponent that always loses. An opponent that always wins has 1 + MIN_WEIGHT."""


@dataclass
class League:
    """The opponents of one learner at tables of ``n_seats``.

    Each opponent has a baseline: the learner's running win rate against it, minus the chance level. The baseline is
    subtracted from the returns. The value function does not observe the opponent. So without the baseline every choice
    against a weak opponent would have a positive advantage.
    """

    n_seats: int
    past: Sequence[Strategy]
    rivals: Sequence[Strategy]
    self_share: float = SELF_SHARE
    bonus_share: float = BONUS_SHARE
    _win_rates: npt.NDArray[np.float64] = field(init=False)
    _n_updates: npt.NDArray[np.int64] = field(init=False)

    def __post_init__(self) -> None:
        n_players = 1 + len(self.past) + len(self.rivals)
        self._win_rates = np.full(n_players, 1.0 / self.n_seats)
        self._n_updates = np.zeros(n_players, np.int64)

    @property
    def rival_win_rates(self) -> npt.NDArray[np.float64]:
        """The learner's running win rates against the rivals. Recent games have the highest weight."""
        return self._win_rates[1 + len(self.past) :]

    def play(self, learner: Learner, n_games: int, rng: np.random.Generator) -> Rollouts:
        """Play about ``n_games`` games and return them. In each, one seat learns or all seats learn."""
        lineup = Lineup.of([learner.strategy, *self.past, *self.rivals])
        tables = self._tables(n_games, rng)
        bonus_piles = draw_bonus_piles(learner.kingdom, tables.shape, self.bonus_share, rng)
        seeds = rng.integers(2**64, size=n_games, dtype=np.uint64)
        learns = np.arange(len(lineup)) == 0
        baselines = (self._win_rates - 1.0 / self.n_seats)[tables.max(axis=1)].astype(np.float32)
        games = learner.play(lineup, learns, RolloutGames(tables, seeds, bonus_piles, baselines), LOGIT_BONUS)
        self._update_win_rates(games)
        return games

    def _tables(self, n_games: int, rng: np.random.Generator) -> npt.NDArray[np.int32]:
        """Return the players of each game by seat: 0 for the learner, then the checkpoints, then the rivals.

        The opponents of a game are copies of one player.
        """
        n_past, n_rivals = len(self.past), len(self.rivals)
        draw = rng.random(n_games)
        past_share = PAST_SHARE if n_past else 0.0
        opponents = np.zeros(n_games, np.int32)
        for chosen, first, n in (
            ((draw >= self.self_share) & (draw < self.self_share + past_share), 1, n_past),
            (draw >= self.self_share + past_share, 1 + n_past, n_rivals),
        ):
            if n:
                weights = MIN_WEIGHT + 1.0 - self._win_rates[first : first + n]
                opponents[chosen] = first + rng.choice(n, size=int(chosen.sum()), p=weights / weights.sum())
        tables = np.repeat(opponents[:, None], self.n_seats, axis=1)
        tables[np.arange(n_games), rng.integers(self.n_seats, size=n_games)] = 0
        return tables

    def _update_win_rates(self, games: Rollouts) -> None:
        """Update the learner's running win rate against each opponent."""
        opponents = games.tables.max(axis=1)
        wins = games.results["win"][:, : self.n_seats]
        for number in np.unique(opponents[opponents > 0]):
            played = opponents == number
            share = float(wins[played][games.tables[played] == 0].mean())
            self._n_updates[number] += 1
            rate = max(1.0 - WIN_RATE_DECAY, 1.0 / self._n_updates[number])
            self._win_rates[number] += rate * (share - self._win_rates[number])


MODEL = "buy-list"

N_LISTS = 384  # Number of random buy lists.
N_BEST_LISTS = 8  # Number of the best of these lists that are teachers.

TOURNAMENT_GAMES = 2
"""Number of games for each match of the lists' tournament."""


def teachers(
    venue: Venue, sequence: np.random.SeedSequence, n_lists: int = N_LISTS, n_best: int = N_BEST_LISTS
) -> Strategies:
    """Return the ``n_best`` best of ``n_lists`` random buy lists, then the best list that buys each kingdom card.

    All random numbers follow from ``sequence``.
    """
    drawing, ranking = sequence.spawn(2)
    breeding = Breeding(model=MODEL, kingdom=venue.kingdom)
    genomes = genetics_of(MODEL).random_genomes(n_lists, breeding, generator(drawing))
    lists = strategies_of(genomes, breeding)
    order, _ = run_tournament(len(lists), venue.n_seats, TOURNAMENT_GAMES, ranking, partial(venue.play, lists))
    return lists[_best_and_buyers(order, lists, venue.kingdom, n_best)]


def _best_and_buyers(
    order: npt.NDArray[np.signedinteger], lists: Strategies, kingdom: Kingdom, n_best: int
) -> list[int]:
    """Return the indices of the ``n_best`` best lists, and of the best list that buys each kingdom card."""
    piles = lists["buy_lists"]["rules"][..., PILE]
    chosen = dict.fromkeys(int(number) for number in order[:n_best])
    for card in kingdom.cards:
        buys = (piles == kingdom.pile(card)).any(axis=1)
        chosen |= dict.fromkeys([int(number) for number in order if buys[number]][:1])
    return list(chosen)
