"""Compiled loops of the known results: one player alone, and the first two hands."""

from typing import Any

from evodom.dominion.cards import PROVINCE
from evodom.dominion.engine.ops import Ending, Zone
from evodom.dominion.engine.rules import N_PILES, Rules
from evodom.dominion.engine.state import HAND_SIZE, draw, restart
from evodom.dominion.engine.turn import advance, enact
from evodom.dominion.strategies.select import select
from evodom.jit.kernel import kernel

MOST_PROVINCES = 8


@kernel
def province_turns(rules: Rules, slots: Any, strategies: Any, seeds: Any, turns: Any) -> None:
    """Play games of one seat and write on which turn each Province was gained."""
    state = slots[0]
    for game in range(len(seeds)):
        restart(slots, seeds[game])
        advance(rules, state)
        n_noted = 0
        while state.ended == Ending.PLAYING:
            turn = state.turns[0]
            enact(rules, state, select(rules, state, strategies[0]))
            while n_noted < state.owned[0, PROVINCE] and n_noted < MOST_PROVINCES:
                turns[game, n_noted] = turn
                n_noted += 1


@kernel
def hand_coins(rules: Rules, slots: Any, seeds: Any, coins: Any) -> None:
    """Write what the first hand of a game is worth, and the five cards drawn after it."""
    state = slots[0]
    for game in range(len(seeds)):
        restart(slots, seeds[game])
        for turn in range(2):
            total = 0
            for pile in range(N_PILES):
                total += state.cards[Zone.HAND, pile] * rules.coins[pile]
            coins[game, turn] = total - (coins[game, 0] if turn == 1 else 0)
            draw(state, 0, HAND_SIZE)
