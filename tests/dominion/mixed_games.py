"""A few games of mixed strategies as text, to compare compiled and uncompiled.

python -m tests.dominion.mixed_games
"""

import hashlib

import numpy as np

from evodom.dominion.engine.moves import new_state
from evodom.dominion.engine.rules import MAX_SEATS
from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.record import STRATEGY
from evodom.matches.simulate import play_games, play_out
from tests.dominion.helpers import PILE_NAMES, preference

N_GAMES = 2


def strategies() -> np.ndarray:
    """Return three preference strategies with random weights, two menus and the random player."""
    rng = np.random.default_rng(4)
    table = np.zeros(6, STRATEGY)
    for index in range(3):
        early, late = ({n: rng.random() ** 4 for n in PILE_NAMES} for _ in range(2))
        classes = rng.permutation([0.999, 0.001, 1e-9])
        table[index] = preference(early, late, classes=classes, switch=3, cellar_victory_only=index % 2)
    for index, name in enumerate(("big-money-militia", "big-money-smithy", "random"), start=3):
        table[index] = baseline(name, FIRST_GAME)
    return table


def main() -> None:
    """Print the results of a batch and a digest of the final record of each game."""
    players = strategies()
    tables = np.array([np.roll(np.arange(len(players)), game)[:4] for game in range(N_GAMES)], np.int32)
    seeds = np.random.SeedSequence(21).generate_state(N_GAMES, np.uint64)
    rules = FIRST_GAME.rules(4)
    results = play_games(rules, players, tables, seeds)
    for table, seed, result in zip(tables, seeds, results, strict=True):
        state = new_state(rules, seed)
        state.auto_treasures = (1 << MAX_SEATS) - 1
        play_out(rules, state, players, table)
        digest = hashlib.sha256(state.tobytes()).hexdigest()
        print(table, seed, result.ended, result.vp[:4], result.turns[:4], result.points[:4], result.win[:4], digest)


if __name__ == "__main__":
    main()
