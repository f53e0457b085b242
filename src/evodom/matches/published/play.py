"""Playing what a file of known results describes: matches, one player alone, opening hands."""

from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.cards import PROVINCE
from evodom.dominion.engine.effects import DECK, HAND
from evodom.dominion.engine.rules import MAX_SEATS, N_PILES, Rules
from evodom.dominion.engine.state import (
    ENDED_PILES,
    HAND_SIZE,
    PLAYING,
    STATE,
    draw,
    refresh,
    restart,
    undealt_state,
)
from evodom.dominion.engine.turn import advance, enact
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.baselines import buy_list_strategy
from evodom.dominion.strategies.record import STRATEGY
from evodom.dominion.strategies.select import select
from evodom.kernel import kernel
from evodom.matches.batch import play_games
from evodom.matches.published.file import KnownResults

BLOCK = 50_000
"""Games whose full results are held at once."""

MOST_PROVINCES = 8

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Played:
    """The games of a match: by player (n_games, n_players), by seat, and by game (n_games,)."""

    shares: Floats
    seat_shares: Floats
    vp: Floats
    turns: Floats
    on_piles: Floats


@dataclass(frozen=True)
class Table:
    """How games are played: how many, from which seed, on which threads."""

    n_games: int
    seed: int
    pool: tuple[Executor, int] | None = None

    def sequence(self, *path: int) -> np.random.SeedSequence:
        """Return the random numbers of one task, whatever else is played."""
        return np.random.SeedSequence(self.seed, spawn_key=path)

    def seeds(self, sequence: np.random.SeedSequence) -> npt.NDArray[np.uint64]:
        """Return where the random stream of each game starts."""
        return sequence.generate_state(self.n_games, np.uint64).astype(np.uint64)


def play_match(known: KnownResults, players: tuple[str, ...], *, endgame_check: bool, table: Table, nth: int) -> Played:
    """Play a match: two players begin in turn, more sit in a new order every game."""
    kingdom = known.kingdom(players)
    rules = kingdom.rules(len(players))
    strategies = np.zeros(len(players), STRATEGY)
    for index, name in enumerate(players):
        strategies[index] = buy_list_strategy(known.strategies[name], kingdom)
        strategies[index]["endgame_check"] = endgame_check
    sequence = table.sequence(nth, int(endgame_check))
    tables = _seatings(len(players), table.n_games, np.random.Generator(np.random.PCG64(sequence.spawn(1)[0])))
    seeds = table.seeds(sequence)
    blocks = []
    for first in range(0, table.n_games, BLOCK):
        part = slice(first, first + BLOCK)
        results = play_games(rules, strategies, tables[part], seeds[part], pool=table.pool)
        blocks.append(_noted(results, tables[part]))
    return Played(*(np.concatenate(column) for column in zip(*blocks, strict=True)))


def _seatings(n_players: int, n_games: int, rng: np.random.Generator) -> npt.NDArray[np.int32]:
    """Return who sits where, (n_games, n_players)."""
    order = np.arange(n_players, dtype=np.int32)
    if n_players == 2:
        return np.where(np.arange(n_games)[:, None] % 2 == 0, order, order[::-1]).astype(np.int32)
    return rng.permuted(np.tile(order, (n_games, 1)), axis=1)


def _noted(results: Any, tables: npt.NDArray[np.int32]) -> tuple[Floats, ...]:
    """Return the fields of Played of some games."""
    n_players = tables.shape[1]
    seat_of = np.argsort(tables, axis=1)
    seat_shares = results["win"][:, :n_players].copy()
    shares = np.take_along_axis(seat_shares, seat_of, axis=1)
    vp = np.take_along_axis(results["vp"][:, :n_players], seat_of, axis=1).astype(float)
    return (
        shares,
        seat_shares,
        vp,
        results["turns"][:, 0].astype(float),
        (results["ended"] == ENDED_PILES).astype(float),
    )


def play_alone(known: KnownResults, name: str, table: Table, nth: int) -> npt.NDArray[np.int32]:
    """Return the turns on which a strategy alone gained its first to eighth Province, (n_games, 8); 0 for never."""
    kingdom = known.kingdom((name,))
    rules = kingdom.rules(1).copy()
    rules.supply[PROVINCE] = MOST_PROVINCES
    strategies = np.zeros(1, STRATEGY)
    strategies[0] = buy_list_strategy(known.strategies[name], kingdom)
    slots = np.zeros(2, STATE)
    slots[1] = undealt_state(rules)
    slots[1]["auto_treasures"] = (1 << MAX_SEATS) - 1
    turns = np.zeros((table.n_games, MOST_PROVINCES), np.int32)
    province_turns(rules, slots, strategies, table.seeds(table.sequence(nth)), turns)
    return turns


@kernel
def province_turns(rules: Rules, slots: Any, strategies: Any, seeds: Any, turns: Any) -> None:
    """Play games of one seat and write on which turn each Province was gained."""
    state = slots[0]
    for game in range(len(seeds)):
        restart(slots, seeds[game])
        advance(rules, state)
        n_noted = 0
        while state.ended == PLAYING:
            turn = state.turns[0]
            enact(rules, state, select(rules, state, strategies[0]))
            while n_noted < state.owned[0, PROVINCE] and n_noted < MOST_PROVINCES:
                turns[game, n_noted] = turn
                n_noted += 1


def draw_hands(cards: tuple[str, ...], table: Table, nth: int) -> npt.NDArray[np.int32]:
    """Return the coins of the first two hands from a starting deck with ``cards`` added, (n_games, 2)."""
    basic = Kingdom(()).names
    kingdom = Kingdom(tuple(dict.fromkeys(card for card in cards if card not in basic)))
    rules = kingdom.rules(1)
    slots = np.zeros(2, STATE)
    slots[1] = undealt_state(rules)
    for card in cards:
        slots[1]["cards"][DECK, kingdom.pile(card)] += 1
    refresh(slots.view(np.recarray)[1])
    coins = np.zeros((table.n_games, 2), np.int32)
    hand_coins(rules, slots, table.seeds(table.sequence(nth)), coins)
    return coins


@kernel
def hand_coins(rules: Rules, slots: Any, seeds: Any, coins: Any) -> None:
    """Write what the first hand of a game is worth, and the five cards drawn after it."""
    state = slots[0]
    for game in range(len(seeds)):
        restart(slots, seeds[game])
        for turn in range(2):
            total = 0
            for pile in range(N_PILES):
                total += state.cards[HAND, pile] * rules.coins[pile]
            coins[game, turn] = total - (coins[game, 0] if turn == 1 else 0)
            draw(state, 0, HAND_SIZE)
