"""Estimate the buys of a strategy: call its compiled choice in positions of real games, many times.

The strategy plays games against copies of itself. In each game the first player is probed at the first buy of each
`GameStage`. Its coins are set to each distinct cost of a pile in turn. Deck and Supply are those of the game. So the
results include the effects of limits and conditions, of passing, and of buys that end the game, for every model.

The games and the draws have a fixed seed: equal strategies have equal results.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.effects.ops import Column, Ending, Op, Zone
from evodom.dominion.engine.batch import new_batch, start_game
from evodom.dominion.engine.choices import PASS_BIT
from evodom.dominion.engine.moves import affordable
from evodom.dominion.engine.rules import MAX_COINS, N_PILES, PASS_NAME, Rules
from evodom.dominion.engine.state import State, States
from evodom.dominion.engine.turn import enact, gains_to_end
from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.dominion.strategies.base import IntArray
from evodom.dominion.strategies.lineup import Lineup, LineupArrays
from evodom.dominion.strategies.record import Strategy, blank_strategies, check_kingdom
from evodom.dominion.strategies.registry import model_of
from evodom.dominion.strategies.select import select
from evodom.jit.kernel import kernel

SEED = 0

N_GAMES = 40
"""Number of games; each has its own positions."""

N_TRIES = 25
"""Probes of a stochastic strategy in each position. A deterministic strategy is probed once."""

ANY_TURN, NO_CONDITION, NO_COINS = 0, -1, -1


@dataclass(frozen=True, slots=True)
class GameStage:
    """A stage of the game for probes: the first buy on the player's turn ``turn``, or on any turn with ANY_TURN.

    Unless ``gains_left`` is NO_CONDITION, the game must be able to end within this number of gains. ``when`` names the
    stage in words. Probes have ``min_coins`` to ``max_coins`` coins, the possible range.
    """

    name: str
    when: str
    turn: int = ANY_TURN
    gains_left: int = NO_CONDITION
    min_coins: int = 0
    max_coins: int = MAX_COINS


GAME_STAGES = (
    GameStage("opening", "on the first turn", turn=1, min_coins=2, max_coins=5),
    GameStage("middle", "on the eighth turn", turn=8),
    GameStage("end", "once five gains can end the game", gains_left=5),
)
"""The stages that are probed. On the first turn, players have the starting deck. The eighth turn is about half of a
game: most decks then have their Actions. At the end, only victory points count.
"""


@dataclass(frozen=True, slots=True)
class Buys:
    """Probabilities of buying each card, and of passing, with ``coins_from`` to ``coins_to`` coins (None: no bound).

    Cards with probability 0 are left out.
    """

    coins_from: int
    coins_to: int | None
    probabilities: dict[str, float]


@dataclass(frozen=True, slots=True)
class BuyProbabilities:
    """Buys of a strategy in a stage by number of coins. Each number of coins has ``n_tries`` probes."""

    stage: str
    when: str
    n_tries: int
    buys: list[Buys]


def probe_buys(
    strategy: Strategy, kingdom: Kingdom, n_players: int, *, n_games: int = N_GAMES, n_tries: int = N_TRIES
) -> list[BuyProbabilities]:
    """Return the buys of a strategy in each of GAME_STAGES that occurs, at tables of ``n_players``.

    Each probability is an estimate from up to ``n_games`` positions. A stochastic strategy has ``n_tries`` probes in
    each. The standard error is at most 0.5 / sqrt(tries). Raise UsageError for a strategy of another kingdom.
    """
    coins = sorted({card.cost for card in kingdom.piles})
    counts = buy_counts(strategy, kingdom, n_players, coins, n_games=n_games, n_tries=n_tries)
    answers = []
    for stage, found in zip(GAME_STAGES, counts, strict=True):
        n = int(found[0].sum())
        if n:
            buys = [
                Buys(max(low, stage.min_coins), _last_coins(high, stage), _probabilities(found[place], kingdom))
                for place, (low, high) in enumerate(pairwise([*coins, MAX_COINS + 1]))
                if _last_coins(high, stage) != NO_COINS and low <= stage.max_coins
            ]
            answers.append(BuyProbabilities(stage.name, stage.when, n, buys))
    return answers


def buy_counts(
    strategy: Strategy,
    kingdom: Kingdom,
    n_players: int,
    coins: Sequence[int],
    *,
    n_games: int = N_GAMES,
    n_tries: int = N_TRIES,
) -> npt.NDArray[np.int64]:
    """Return how often a strategy chooses each pile, and PASS (the last), by stage and number of coins.

    The shape is (len(GAME_STAGES), len(coins), N_PILES + 1). A stage that never occurs has counts of 0.
    """
    check_kingdom(strategy, kingdom.fingerprint)
    rules = kingdom.rules(n_players)
    counts = np.zeros((len(GAME_STAGES), len(coins), N_PILES + 1), np.int64)
    asked = np.array([(each.turn, each.gains_left) for each in GAME_STAGES], np.int64)
    seeds = np.random.SeedSequence(SEED).generate_state(n_games, np.uint64)
    tries = n_tries if model_of(strategy).is_stochastic else 1
    count_buys(
        rules, new_batch(rules, 2), Lineup.of([strategy]).arrays, seeds, asked, np.array(coins, np.int64), tries, counts
    )
    return counts


def compile_probes() -> None:
    """Compile the kernels of `probe_buys`, or load them from the cache."""
    probe_buys(blank_strategies(1, "random")[0], FIRST_GAME, 2, n_games=1, n_tries=1)


def _last_coins(following: int, stage: GameStage) -> int | None:
    """Return the highest number of coins below ``following`` in a stage; None for no bound, NO_COINS without any."""
    if following - 1 < stage.min_coins:
        return NO_COINS
    last = min(following - 1, stage.max_coins)
    return None if last == MAX_COINS else last


def _probabilities(counts: npt.NDArray[np.int64], kingdom: Kingdom) -> dict[str, float]:
    names = [*kingdom.names, *[""] * (N_PILES - len(kingdom.names)), PASS_NAME]
    return {name: float(n / counts.sum()) for name, n in zip(names, counts, strict=True) if n}


@kernel
def count_buys(
    rules: Rules,
    slots: States,
    lineup: LineupArrays,
    seeds: IntArray,
    stages: IntArray,
    coins: IntArray,
    n_tries: int,
    counts: IntArray,
) -> None:
    """Play a game of copies of strategy 0 for each seed, and count the first player's buys in each stage, once a game.

    ``slots`` are a batch of two: the game, and a copy for probes. Probes do not change the game.
    """
    state = slots[0]
    copy = slots[1]
    for game in range(len(seeds)):
        start_game(rules, slots, 0, seeds[game])
        to_ask = (1 << len(stages)) - 1
        while state.ended == Ending.PLAYING and to_ask != 0:
            if state.decider == 0 and rules.effects[state.asked_effect, Column.OP] == Op.BUY:
                for number in range(len(stages)):
                    if (to_ask >> number) & 1 and is_stage(rules, state, stages[number]):
                        to_ask &= ~(1 << number)
                        slots[1] = slots[0]
                        count_choices(rules, copy, lineup, coins, n_tries, counts[number])
            enact(rules, state, select(rules, state, lineup, 0))


@kernel
def is_stage(rules: Rules, state: State, stage: IntArray) -> Any:
    """Return whether the deciding seat is in a stage: (turn, gains left)."""
    if stage[0] != ANY_TURN and state.turns[state.decider] != stage[0]:
        return False
    return stage[1] == NO_CONDITION or gains_to_end(rules, state) <= stage[1]


@kernel
def count_choices(
    rules: Rules, state: State, lineup: LineupArrays, coins: IntArray, n_tries: int, counts: IntArray
) -> None:
    """Count the choices with each number of coins in the position of ``state``. The state changes."""
    intent = state.planned_gain
    for place in range(len(coins)):
        state.coins = coins[place]
        state.legal = (state.piles_in[Zone.SUPPLY] & affordable(rules, state, coins[place])) | PASS_BIT
        for _ in range(n_tries):
            state.planned_gain = intent
            counts[place, select(rules, state, lineup, 0)] += 1
