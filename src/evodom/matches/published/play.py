"""Playing what a file of known results describes: matches, one player alone, opening hands."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evodom.dominion.cards import PROVINCE
from evodom.dominion.engine.ops import Zone
from evodom.dominion.engine.rules import MAX_SEATS
from evodom.dominion.engine.state import STATE, refresh, undealt_state
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.baselines import buy_list_strategy
from evodom.dominion.strategies.record import STRATEGY
from evodom.matches.published.file import KnownResults
from evodom.matches.published.kernels import MOST_PROVINCES, hand_coins, province_turns
from evodom.matches.results import Games
from evodom.matches.seating import shuffled
from evodom.matches.streams import Figure, Use, game_seeds, generator, stream
from evodom.matches.venue import Seeds, Venue
from evodom.tasks import Workers

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Sampling:
    """How many games are played of each task, from which seed, on which threads."""

    n_games: int
    seed: int
    workers: Workers | None = None

    def stream(self, *path: int) -> np.random.SeedSequence:
        """Return the random numbers of one task, whatever else is played."""
        return stream(self.seed, Use.PUBLISHED, *path)

    def seeds(self, *path: int) -> Seeds:
        """Return where the random stream of each game of a task starts, (n_games,)."""
        return game_seeds(self.stream(*path), self.n_games)


def play_known_match(
    known: KnownResults, players: tuple[str, ...], sampling: Sampling, *, endgame_check: bool, nth: int
) -> Games:
    """Play a match: two players begin in turn, more sit in a new order every game."""
    kingdom = known.kingdom(players)
    strategies = np.zeros(len(players), STRATEGY)
    for index, name in enumerate(players):
        strategies[index] = buy_list_strategy(known.strategies[name], kingdom)
        strategies[index]["endgame_check"] = endgame_check
    path = Figure.MATCH, nth, int(endgame_check)
    tables = shuffled(len(players), sampling.n_games, generator(sampling.stream(*path, 0)))
    venue = Venue(kingdom, len(players), workers=sampling.workers)
    batches = venue.batches(strategies, tables, sampling.seeds(*path))
    return Games.together([Games.of(*batch) for batch in batches])


def play_alone(known: KnownResults, name: str, sampling: Sampling, nth: int) -> npt.NDArray[np.int32]:
    """Return the turns on which a strategy alone gained its first to eighth Province, (n_games, 8); 0 for never."""
    kingdom = known.kingdom((name,))
    rules = kingdom.rules(1).copy()
    rules.supply[PROVINCE] = MOST_PROVINCES
    strategies = np.zeros(1, STRATEGY)
    strategies[0] = buy_list_strategy(known.strategies[name], kingdom)
    slots = np.zeros(2, STATE)
    slots[1] = undealt_state(rules)
    slots[1]["auto_treasures"] = (1 << MAX_SEATS) - 1
    turns = np.zeros((sampling.n_games, MOST_PROVINCES), np.int32)
    province_turns(rules, slots, strategies, sampling.seeds(Figure.ALONE, nth), turns)
    return turns


def draw_hands(cards: tuple[str, ...], sampling: Sampling, nth: int) -> npt.NDArray[np.int32]:
    """Return the coins of the first two hands from a starting deck with ``cards`` added, (n_games, 2)."""
    basic = Kingdom(()).names
    kingdom = Kingdom(tuple(dict.fromkeys(card for card in cards if card not in basic)))
    rules = kingdom.rules(1)
    slots = np.zeros(2, STATE)
    slots[1] = undealt_state(rules)
    for card in cards:
        slots[1]["cards"][Zone.DECK, kingdom.pile(card)] += 1
    refresh(slots.view(np.recarray)[1])
    coins = np.zeros((sampling.n_games, 2), np.int32)
    hand_coins(rules, slots, sampling.seeds(Figure.HANDS, nth), coins)
    return coins
