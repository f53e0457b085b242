"""Play many games in one compiled call, from tables of strategies to RESULT records, optionally with a census of turns.

Games with equal seeds, such as those of a strategy and of its changed copies, are one game until their choices differ.

A census counts the cards and coins that each strategy has, buys and plays in each of its turns. It has a separate loop
around the engine, so games without a census lose no time. In each turn it reads the record before the first buy and
after the last. A turn without an affordable pile (Copper and Curse are empty) has no buy Decision and is not counted.
Counting makes a game about 10 % slower. Means need fewer games than win rates. So by default every fourth round of
seats is counted, which costs 2 to 3 %.
"""

from typing import Annotated, Any, Protocol

import numpy as np
import numpy.typing as npt

from evodom.dominion.effects.ops import Column, Ending, Op, Phase, PhaseEffect, Zone
from evodom.dominion.engine.batch import RESULT, Results, new_batch, record_result, start_game
from evodom.dominion.engine.mechanics import MECHANICS
from evodom.dominion.engine.moves import affordable
from evodom.dominion.engine.rules import MAX_SEATS, MAX_TURNS, N_ANSWERS, N_MODEL_PILES, PASS, Rules
from evodom.dominion.engine.state import State, States, check_overflow, lowest_pile
from evodom.dominion.engine.turn import ENGINE, advance, apply_choice, enact, score
from evodom.dominion.game import DominionGame
from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.strategies.base import BUY_LIST, NETWORK, PREFERENCES, RANDOM, Strategies
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.lineup import Lineup, LineupArrays
from evodom.dominion.strategies.play.answers import ANSWERS
from evodom.dominion.strategies.record import STRATEGY, check_kingdom
from evodom.dominion.strategies.select import CHOOSERS, load_model, select
from evodom.jit.dtypes import record_dtype
from evodom.jit.kernel import allocating_kernel, kernel
from evodom.jit.keys import cache_key
from evodom.matches.seating import Tables
from evodom.tasks import Workers, map_chunks

IntArray = npt.NDArray[np.signedinteger]
Table = npt.NDArray[np.int32]
Seeds = npt.NDArray[np.uint64]


def play_games(
    rules: Rules, strategies: "Lineup | Strategies", tables: Tables, seeds: Seeds, *, workers: Workers | None = None
) -> Results:
    """Play one game for each row of ``tables`` and return a RESULT record for each.

    ``strategies`` is a Lineup, or an array of STRATEGY. ``tables`` (n_games, n_seats) are indices into it. ``seeds``
    (n_games,) seed the games. A game depends only on its row and its seed, so the results are the same for any
    ``workers``. Raises UsageError for a strategy of another kingdom.
    """
    lineup = Lineup.of(strategies).arrays
    check_kingdom(lineup.records, int(rules.kingdom))
    results, by_seed = np.zeros(len(tables), RESULT), np.argsort(seeds, kind="stable")

    def play_chunk(first: int, end: int) -> None:
        play_slice(rules, new_batch(rules, MAX_TOGETHER), lineup, tables, seeds, results, by_seed[first:end])

    map_chunks(play_chunk, len(tables), workers)
    check_overflow(results["ended"])
    return results


MAX_TOGETHER = 32
"""Maximum number of games that are played together."""


@allocating_kernel
def play_slice(
    rules: Rules, slots: States, lineup: LineupArrays, tables: Tables, seeds: Seeds, results: Results, games: IntArray
) -> None:
    """Play the games with the numbers ``games``, sorted by seed, in the batch ``slots``: equal seeds together."""
    first, branches = 0, np.empty((2, MAX_TOGETHER), np.int64)
    while first < len(games):
        seed, end = seeds[games[first]], first + 1
        while end < len(games) and end - first < MAX_TOGETHER and seeds[games[end]] == seed:
            end += 1
        start_game(rules, slots, 0, seed)
        play_together(rules, slots, lineup, tables, games[first:end], branches, results)
        first = end


@kernel
def play_together(
    rules: Rules, slots: States, lineup: LineupArrays, tables: Tables, games: IntArray, branches: IntArray, out: Results
) -> None:
    """Play games with a common start, in slot 0, to their ends. They are one game until their choices differ.

    A *branch* is a slot with the games whose choices were equal. Its *leader* is the first of these games.
    ``branches[0]`` has the branch of each game, ``branches[1]`` the choice that began each branch. Games stay in a
    branch while their choices, the seat's random stream and `State.planned_gain` are equal.
    """
    branch, n_branches = 0, 1
    for place in range(len(games)):
        branches[0, place] = 0
    while branch < n_branches:
        state, leader = slots[branch], 0
        while branches[0, leader] != branch:
            leader += 1
        while state.ended == Ending.PLAYING:
            seat, n_before = state.decider, n_branches
            stream, planned = state.strategy_streams[seat], state.planned_gain
            first = tables[games[leader], seat]
            choice = select(rules, state, lineup, first)
            first_answer = (choice, state.strategy_streams[seat], state.planned_gain)
            for place in range(leader + 1, len(games)):
                strategy = tables[games[place], seat]
                if branches[0, place] != branch or strategy == first:
                    continue
                state.strategy_streams[seat], state.planned_gain = stream, planned
                other = select(rules, state, lineup, strategy)
                answer = (other, state.strategy_streams[seat], state.planned_gain)
                target = branch if answer == first_answer else n_before
                while branch < target < n_branches and answer != (
                    branches[1, target],
                    slots[target].strategy_streams[seat],
                    slots[target].planned_gain,
                ):
                    target += 1
                if target == n_branches:
                    slots[target], branches[1, target] = state, other
                    enact(rules, slots[target], other)
                    n_branches += 1
                branches[0, place] = target
            state.strategy_streams[seat], state.planned_gain = first_answer[1], first_answer[2]
            enact(rules, state, choice)
        record_result(rules, state, out[games[leader]])
        for place in range(leader + 1, len(games)):
            if branches[0, place] == branch:
                out[games[place]] = out[games[leader]]
        branch += 1


@kernel
def play_out(rules: Rules, state: State, lineup: LineupArrays, table: Table) -> None:
    """Play a game to its end."""
    while state.ended == Ending.PLAYING:
        enact(rules, state, select(rules, state, lineup, table[state.decider]))


@kernel
def choice_counts(rules: Rules, state: State, scratch: State, lineup: LineupArrays, counts: IntArray, n: int) -> None:
    """Count the choices of strategy 0 at the pending Decision of ``state`` in ``n`` independent tries.

    ``counts`` has an entry for each pile and one for PASS. Only the random streams of ``state`` change.
    """
    for _ in range(n):
        scratch.planned_gain = state.planned_gain
        counts[select(rules, scratch, lineup, 0)] += 1


N_TURNS = MAX_TURNS + 1
"""Length of arrays by turn. Turns are counted from 1; entry 0 is unused."""


class CensusRecord(Protocol):
    """A record of COUNTS or CENSUS: sums over the counted games of a strategy, by turn."""

    games: int
    """Number of counted games, once for each seat of the strategy."""
    turns: Annotated[IntArray, N_TURNS]
    coins: Annotated[IntArray, N_TURNS]
    """Coins before the first buy."""
    cards: Annotated[IntArray, N_TURNS]
    """Cards in hand and in play before the first buy."""
    bought: Annotated[IntArray, (N_TURNS, N_MODEL_PILES)]
    played: Annotated[IntArray, (N_TURNS, N_MODEL_PILES)]
    """Cards in play before the first buy."""
    owned: Annotated[IntArray, (N_TURNS, N_MODEL_PILES)]
    """Cards owned at the end of the turn."""
    vp: Annotated[IntArray, N_TURNS]
    """Victory points at the end of the turn."""


CENSUS = record_dtype(CensusRecord, "<i8")

COUNTS = record_dtype(CensusRecord, "<i4")
"""CENSUS with int32, so that counts fit into the processor's cache. The counts of a batch are far below 2**31."""


class Counting(Protocol):
    """A record of COUNTING: the games from ``first`` to before ``end`` are played.

    Of each ``every * n_seats`` games the first ``n_seats`` are counted.
    """

    first: int
    end: int
    number: int
    """Number of the first game of the call."""
    every: int
    by_size: int
    """1 if victory points must be counted, because some depend on the deck or on tokens."""


COUNTING = record_dtype(Counting, "<i8")

CENSUS_EVERY = 4
"""A census counts every CENSUS_EVERY-th round of seats."""

Census = npt.NDArray[Any]


def take_census(
    rules: Rules,
    strategies: "Lineup | Strategies",
    tables: Tables,
    seeds: Seeds,
    *,
    workers: Workers | None = None,
    every: int = CENSUS_EVERY,
    number: int = 0,
) -> tuple[Results, Census]:
    """Play the games of `play_games` and return their RESULTs and a CENSUS record for each strategy.

    Of each ``every * n_seats`` games the first ``n_seats`` are counted. ``number`` is the number of the first game.
    """
    lineup = Lineup.of(strategies).arrays
    check_kingdom(lineup.records, int(rules.kingdom))
    results = np.zeros(len(tables), RESULT)
    parts: list[npt.NDArray[Any]] = []
    # The cards owned determine the victory points, unless a card's points depend on the deck or there are VP tokens.
    # Counting the points takes time.
    by_size = bool(rules.variable_vp) or bool((rules.effects[:, Column.OP] == Op.VP).any())

    def play_chunk(first: int, end: int) -> None:
        counts, counting = np.zeros(len(strategies), COUNTS), np.zeros(1, COUNTING)
        parts.append(counts)
        counting[0] = first, end, number, every, by_size
        census_slice(rules, new_batch(rules), lineup, tables, seeds, results, counts, counting[0])

    map_chunks(play_chunk, len(tables), workers)
    check_overflow(results["ended"])
    census = np.zeros(len(strategies), CENSUS)
    for field in CENSUS.names or ():
        census[field] = sum(counts[field].astype(np.int64) for counts in parts)
    if not by_size:
        census["vp"] = census["owned"] @ rules.vp[:N_MODEL_PILES].astype(np.int64)
    return results, census


@kernel
def census_slice(
    rules: Rules,
    slots: States,
    lineup: LineupArrays,
    tables: Tables,
    seeds: Seeds,
    results: Results,
    counts: Results,
    counting: Counting,
) -> None:
    """Play games like `play_slice` and add the counted games to ``counts``."""
    state = slots[0]
    every, number, by_size = counting.every, counting.number, counting.by_size != 0
    for game in range(counting.first, counting.end):
        start_game(rules, slots, 0, seeds[game])
        # The number of the game decides, so that any split of the work gives the same counts.
        if ((number + game) // rules.n_seats) % every == 0:
            play_counted(rules, state, lineup, tables[game], counts, by_size)
        else:
            play_out(rules, state, lineup, tables[game])
        record_result(rules, state, results[game])


@kernel
def play_counted(
    rules: Rules, state: State, lineup: LineupArrays, table: Table, counts: Results, by_size: bool
) -> None:
    """Play a game to its end and add every turn to the counts of its strategy.

    Decks are not counted in extra turns. The gains of an extra turn are counted with the next turn.
    """
    for seat in range(rules.n_seats):
        counts[table[seat]].games += 1
    counted = 0
    while state.ended == Ending.PLAYING:
        entrant = table[state.decider]
        choice = select(rules, state, lineup, entrant)
        seat = state.active
        turn = state.turns[seat]
        buying = state.asked_effect == PhaseEffect.BUY
        if buying:
            this_turn = turn * MAX_SEATS + seat
            if this_turn != counted:
                counted = this_turn
                count_turn(state, counts[entrant], seat, turn)
            if choice != PASS:
                counts[entrant].bought[turn, choice] += 1
        apply_choice(rules, state, choice)
        if buying and state.is_extra == 0 and not buys_more(rules, state):
            count_deck(state, counts[entrant], seat, turn)
            if by_size:
                counts[entrant].vp[turn] += score(rules, state, seat)
        advance(rules, state)


@kernel
def buys_more(rules: Rules, state: State) -> bool:
    """Return, after a buy, whether another buy Decision follows in this turn."""
    if state.buys == 0 or state.phase != Phase.BUY:
        return False
    return bool((state.piles_in[Zone.SUPPLY] & affordable(rules, state, state.coins)) != 0)


@kernel
def count_turn(state: State, counts: CensusRecord, seat: int, turn: int) -> None:
    """Count a turn at its first buy Decision."""
    counts.turns[turn] += 1
    counts.coins[turn] += state.coins
    counts.cards[turn] += state.n_cards[Zone.HAND + seat] + state.n_cards[Zone.IN_PLAY + seat]
    in_play = state.piles_in[Zone.IN_PLAY + seat]
    while in_play != 0:
        pile = lowest_pile(in_play)
        in_play &= in_play - 1
        counts.played[turn, pile] += state.cards[Zone.IN_PLAY + seat, pile]


@kernel
def count_deck(state: State, counts: CensusRecord, seat: int, turn: int) -> None:
    """Count the cards of a seat after its last buy of a turn."""
    for pile in range(N_MODEL_PILES):
        counts.owned[turn, pile] += state.owned[seat, pile]


def engine_key() -> str:
    """Return a hash of the compiled engine and of the choices of all models."""
    return cache_key([play_slice, *ENGINE.kernels, MECHANICS.kernel(0), *CHOOSERS.kernels, *ANSWERS.kernels])


def compile_census() -> None:
    """Compile the kernels of `take_census`, or load them from the cache."""
    take_census(FIRST_GAME.rules(4), np.zeros(1, STRATEGY), np.zeros((1, 4), np.int32), np.zeros(1, np.uint64))


def compile_games() -> None:
    """Compile the kernels of many games."""
    tables, seeds = np.zeros((1, 4), np.int32), np.zeros(1, np.uint64)
    play_games(FIRST_GAME.rules(4), Lineup.of([baseline(RANDOM, FIRST_GAME)]), tables, seeds)


def compile_buy_lists() -> None:
    """Compile the kernel of the choices of buy lists."""
    load_model(BUY_LIST)


def compile_preferences() -> None:
    """Compile the kernel of the choices of preferences."""
    load_model(PREFERENCES)


def compile_mechanics() -> None:
    """Compile the mechanics that the Base Set does not have."""
    MECHANICS.load(0)


def compile_answers() -> None:
    """Compile the answers of strategies to the questions of cards outside the Base Set."""
    ANSWERS.load(0)


def compile_others() -> None:
    """Compile the kernels of single games, of games with a census, and of choice counts."""
    for log in (True, False):
        game = DominionGame(log=log)
        strategy = baseline(RANDOM, game.kingdom)
        game.enact(game.strategy_choice(strategy))
    DominionGame.from_position("P1: hand 5 Copper; deck 5 Copper | P2: deck 10 Copper", game.kingdom, 2, seed=1)
    compile_census()
    counts = np.zeros(N_ANSWERS, np.int64)
    choice_counts(game.rules, game.state, game.state.copy(), Lineup.of([strategy]).arrays, counts, 1)


def compile_networks() -> None:
    """Compile the kernels of the choices of networks."""
    load_model(NETWORK)
