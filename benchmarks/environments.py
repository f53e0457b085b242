"""Measure how many decisions per second environments play: this package's and, where installed, those of others.

    python benchmarks/environments.py

Each figure is the best of several repetitions on one core, by CPU time. A decision is one action of a player with its
observation and its mask of legal actions. Other packages' games differ in size; their figures are for orientation.
"""

import argparse
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

from evodom.dominion.cards import SETS
from evodom.dominion.kingdom import FIRST_GAME, Kingdom, parse_kingdom
from evodom.matches.batch import CALLER, GameBatch

REPETITIONS = 5
ROWS = (64, 256, 1024)
N_DECISIONS = 300_000


def best_rate(play: Callable[[], int]) -> float:
    """Return the highest number of decisions per second of CPU time in some repetitions."""
    play()
    rates = []
    for _ in range(REPETITIONS):
        begin = time.process_time()
        n = play()
        rates.append(n / (time.process_time() - begin))
    return max(rates)


def print_rate(what: str, play: Callable[[], int]) -> None:
    """Print the rate of a function that plays some decisions and returns their number."""
    print(f"{what:76} {best_rate(play):12,.0f} decisions/s", flush=True)


def random_batch(kingdom: Kingdom, n: int, n_seats: int = 2, n_decisions: int = N_DECISIONS) -> Callable[[], int]:
    """Return a function that plays random legal actions in ``n`` games in step."""
    seeds = np.random.default_rng(1).integers(2**64, size=n, dtype=np.uint64)
    batch = GameBatch(kingdom, np.full((n, n_seats), CALLER, np.int32), seeds)

    def play() -> int:
        for _ in range(n_decisions // n):
            batch.restart_finished()
            batch.step()
            batch.choose(batch.sample_actions())
        return n_decisions

    return play


def vector_rate(opponents: Any, n: int, *, counts_all: bool = False) -> Callable[[], int]:
    """Return a function that steps the vector environment with random actions, and counts the learner's decisions.

    With ``counts_all`` it also counts the decisions of the opponents, given as a policy.
    """
    from evodom.environments.vector import DominionVectorEnv

    n_answers = [0]

    def counted(observations: Any, masks: Any) -> Any:
        n_answers[0] += len(masks)
        return opponents(observations, masks)

    envs = DominionVectorEnv(n, opponents=counted if counts_all else opponents)
    envs.reset(seed=1)

    def play() -> int:
        n_answers[0] = 0
        for _ in range(N_DECISIONS // n):
            envs.step(envs.batch.sample_actions())
        return N_DECISIONS // n * n + n_answers[0]

    return play


def random_policy(seed: int = 1) -> Callable[[Any, Any], Any]:
    """Return a policy that draws a legal action for each row."""
    rng = np.random.default_rng(seed)
    return lambda _, masks: np.where(masks, rng.random(masks.shape, np.float32), -1).argmax(axis=1)


def random_kingdoms(n: int, rows: int) -> Callable[[], int]:
    """Return a function that plays in ``n`` random kingdoms of all sets one after the other."""
    kingdoms = [parse_kingdom("random", seed=seed, sets=tuple(SETS)) for seed in range(n)]
    parts = [random_batch(kingdom, rows, n_decisions=N_DECISIONS // n) for kingdom in kingdoms]
    return lambda: sum(part() for part in parts)


def pettingzoo_rate(module: str) -> Callable[[], int]:
    """Return a function that plays random legal actions in a classic game of PettingZoo, or in Dominion's."""
    from importlib import import_module

    env = import_module(module).env()
    rng = np.random.default_rng(1)

    def play(n_decisions: int = 3_000) -> int:
        n = 0
        while n < n_decisions:
            env.reset(seed=n)
            for _ in env.agent_iter():
                observation, _, terminated, truncated, info = env.last()
                if terminated or truncated:
                    env.step(None)
                    continue
                mask = observation["action_mask"] if "action_mask" in observation else info["action_mask"]
                env.step(int(rng.choice(np.flatnonzero(mask))))
                n += 1
        return n

    return play


def open_spiel_rate(name: str) -> Callable[[], int]:
    """Return a function that plays random legal actions in a game of OpenSpiel, with observation tensors."""
    import pyspiel

    game, rng = pyspiel.load_game(name), np.random.default_rng(1)

    def play(n_decisions: int = 20_000) -> int:
        n = 0
        while n < n_decisions:
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(int(rng.choice(outcomes, p=chances)))
                    continue
                state.information_state_tensor() if name == "leduc_poker" else state.observation_tensor()
                state.apply_action(int(rng.choice(state.legal_actions())))
                n += 1
        return n

    return play


def pgx_rate(name: str, n: int = 1024, n_steps: int = 60) -> Callable[[], int]:
    """Return a function that plays random legal actions in ``n`` games of pgx in step, compiled for the CPU."""
    import jax
    import pgx

    env = pgx.make(name)
    start, step = jax.jit(jax.vmap(env.init)), jax.jit(jax.vmap(env.step))

    @jax.jit
    def choose(key, mask):  # type: ignore[no-untyped-def]
        return jax.random.categorical(key, jax.numpy.log(mask.astype("float32")), axis=1)

    def play() -> int:
        key = jax.random.PRNGKey(1)
        state = start(jax.random.split(key, n))
        for _ in range(n_steps):
            key, sub = jax.random.split(key)
            state = step(state, choose(sub, state.legal_action_mask), jax.random.split(sub, n))
        state.observation.block_until_ready()
        return n * n_steps

    return play


def rlcard_rate(name: str) -> Callable[[], int]:
    """Return a function that plays random legal actions in a game of RLCard."""
    import rlcard

    env, rng = rlcard.make(name), np.random.default_rng(1)

    def play(n_decisions: int = 5_000) -> int:
        n = 0
        while n < n_decisions:
            state, _ = env.reset()
            while not env.is_over():
                state, _ = env.step(int(rng.choice(list(state["legal_actions"]))))
                n += 1
        return n

    return play


OTHERS: list[tuple[str, Callable[[], Callable[[], int]]]] = [
    ("PettingZoo interface, First Game, 2 players", lambda: pettingzoo_rate("evodom.environments.dominion_v1")),
    ("PettingZoo classic, Gin Rummy", lambda: pettingzoo_rate("pettingzoo.classic.gin_rummy_v4")),
    ("PettingZoo classic, Leduc Hold'em", lambda: pettingzoo_rate("pettingzoo.classic.leduc_holdem_v4")),
    ("OpenSpiel, Leduc poker", lambda: open_spiel_rate("leduc_poker")),
    ("OpenSpiel, gin rummy", lambda: open_spiel_rate("gin_rummy")),
    ("pgx on the CPU, 1,024 games in step, backgammon", lambda: pgx_rate("backgammon")),
    ("pgx on the CPU, 1,024 games in step, Leduc Hold'em", lambda: pgx_rate("leduc_holdem")),
    ("RLCard, Gin Rummy", lambda: rlcard_rate("gin-rummy")),
    ("RLCard, Dou Dizhu", lambda: rlcard_rate("doudizhu")),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--own", action="store_true", help="leave out other packages")
    own = parser.parse_args().own
    for n in ROWS:
        print_rate(f"First Game, 2 players, {n:,} games in step", random_batch(FIRST_GAME, n))
        print_rate(f"Vector environment, {n:,} games, Big Money", vector_rate("big-money", n))
        print_rate(f"Vector environment, {n:,} games, a random policy", vector_rate(random_policy(), n))
        print_rate("... decisions of both players", vector_rate(random_policy(), n, counts_all=True))
        print_rate(f"Vector environment, {n:,} games, all seats learn", vector_rate(None, n))
    print_rate("40 random kingdoms of all sets, 2 players, 256 games in step", random_kingdoms(40, 256))
    for what, make in OTHERS[:1] if own else OTHERS:
        with suppress(ImportError):
            print_rate(what, make())


if __name__ == "__main__":
    main()
