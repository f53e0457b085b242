"""Play the games of a file of known results: matches, one player alone, opening hands."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.cards import PROVINCE
from evodom.dominion.effects.ops import Ending, Zone
from evodom.dominion.engine.batch import restart, undealt_state
from evodom.dominion.engine.moves import HAND_SIZE, draw
from evodom.dominion.engine.rules import MAX_SEATS, N_PILES, Rules
from evodom.dominion.engine.state import STATE, recount_rows
from evodom.dominion.engine.turn import advance, enact
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.baselines import buy_list_strategy
from evodom.dominion.strategies.lineup import Lineup
from evodom.dominion.strategies.record import STRATEGY
from evodom.dominion.strategies.select import select
from evodom.jit.kernel import kernel
from evodom.matches.results import Games
from evodom.matches.seating import Purpose, Use, game_seeds, generator, rotated, stream
from evodom.matches.venue import Seeds, Venue
from evodom.tasks import Workers
from tests.oracles.published.file import KnownResults

Floats = npt.NDArray[np.float64]

N_PROVINCES = 8


@dataclass(frozen=True)
class Sampling:
    """The number of games of each task, the seed and the threads."""

    n_games: int
    seed: int
    workers: Workers | None = None

    def stream(self, *path: int) -> np.random.SeedSequence:
        """Return the random numbers of one task. They do not depend on other tasks."""
        return stream(self.seed, Use.PUBLISHED, *path)

    def seeds(self, *path: int) -> Seeds:
        """Return the seed of each game of a task, (n_games,)."""
        return game_seeds(self.stream(*path), self.n_games)


def play_known_match(
    known: KnownResults, players: tuple[str, ...], sampling: Sampling, *, endgame_check: bool, nth: int
) -> Games:
    """Play a match: two players begin in turn, more sit in a new order every game."""
    kingdom = known.kingdom(players)
    strategies = np.zeros(len(players), STRATEGY)
    for index, name in enumerate(players):
        strategies[index] = buy_list_strategy(known.strategies[name], kingdom)
        strategies[index]["buy_lists"]["endgame_check"] = endgame_check
    path = Purpose.MATCH, nth, int(endgame_check)
    tables = rotated(np.arange(len(players), dtype=np.int32)[None, :], sampling.n_games)
    if len(players) > 2:
        tables = generator(sampling.stream(*path, 0)).permuted(np.sort(tables), axis=1)
    venue = Venue(kingdom, len(players), workers=sampling.workers)
    batches = venue.batches(strategies, tables, sampling.seeds(*path))
    return Games.concatenate([Games.of(*batch) for batch in batches])


def play_alone(known: KnownResults, name: str, sampling: Sampling, nth: int) -> npt.NDArray[np.int32]:
    """Return the turns on which a strategy alone gained its first to eighth Province, (n_games, 8); 0 for never."""
    kingdom = known.kingdom((name,))
    rules = kingdom.rules(1).copy()
    rules.supply[PROVINCE] = N_PROVINCES
    strategies = np.zeros(1, STRATEGY)
    strategies[0] = buy_list_strategy(known.strategies[name], kingdom)
    slots = np.zeros(2, STATE)
    slots[1] = undealt_state(rules)
    slots[1]["auto_treasures"] = (1 << MAX_SEATS) - 1
    turns = np.zeros((sampling.n_games, N_PROVINCES), np.int32)
    province_turns(rules, slots, Lineup(strategies).arrays, sampling.seeds(Purpose.ALONE, nth), turns)
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
    recount_rows(slots.view(np.recarray)[1])
    coins = np.zeros((sampling.n_games, 2), np.int32)
    hand_coins(rules, slots, sampling.seeds(Purpose.HANDS, nth), coins)
    return coins


@kernel
def province_turns(rules: Rules, slots: Any, lineup: Any, seeds: Any, turns: Any) -> None:
    """Play games of one seat. Write the turn on which each Province was gained."""
    state = slots[0]
    for game in range(len(seeds)):
        restart(slots, 0, seeds[game])
        advance(rules, state)
        n_noted = 0
        while state.ended == Ending.PLAYING:
            turn = state.turns[0]
            enact(rules, state, select(rules, state, lineup, 0))
            while n_noted < state.owned[0, PROVINCE] and n_noted < N_PROVINCES:
                turns[game, n_noted] = turn
                n_noted += 1


@kernel
def hand_coins(rules: Rules, slots: Any, seeds: Any, coins: Any) -> None:
    """Write the coins of the first hand of each game, and of the five cards drawn after it."""
    state = slots[0]
    for game in range(len(seeds)):
        restart(slots, 0, seeds[game])
        for turn in range(2):
            total = 0
            for pile in range(N_PILES):
                total += state.cards[Zone.HAND, pile] * rules.coins[pile]
            coins[game, turn] = total - (coins[game, 0] if turn == 1 else 0)
            draw(state, 0, HAND_SIZE)
