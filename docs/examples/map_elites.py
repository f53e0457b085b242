"""Fill an archive of pyribs with strategies: the best for each number of Actions and of Treasures in a deck.

This is MAP-Elites (Mouret and Clune 2015). Half of each generation are mutated elites of the archive, the others
descend from the best strategies of the last generation.

    pip install ribs
    python docs/examples/map_elites.py --generations 40
"""

import argparse

import numpy as np
from ribs.archives import GridArchive

from evodom import Evolution, Options
from evodom.dominion import FIRST_GAME
from evodom.dominion.strategies import baseline, strategies_of
from evodom.evolution import Emitted, RankedPopulation
from evodom.matches import Venue

N_GAMES = 20
ACTIONS = np.array([name in FIRST_GAME.cards for name in FIRST_GAME.names])
TREASURES = np.array([name in ("Silver", "Gold") for name in FIRST_GAME.names])


def archive_of(dtype):
    """Return an empty archive. A solution is the bytes of a genome."""
    dims, ranges = (8, 8), ((0, 16), (0, 16))
    return GridArchive(solution_dim=dtype.itemsize, dims=dims, ranges=ranges, solution_dtype=np.uint8, seed=1)


def play(genomes, options, seed):
    """Return the win rates of genomes against Big Money, and the mean numbers of Actions and Treasures they own."""
    n = len(genomes)
    players = [*strategies_of(genomes, options), baseline("big-money", FIRST_GAME)]
    tables = np.array([[number, n] for number in range(n) for _ in range(N_GAMES)], np.int32)
    tables[1::2] = tables[1::2, ::-1]  # Big Money begins every second game
    seeds = np.tile(np.random.default_rng(seed).integers(2**63, size=N_GAMES).astype(np.uint64), n)
    results = Venue(FIRST_GAME, 2).play(players, tables, seeds)
    rows, seats = np.arange(len(tables)), np.arange(len(tables)) % 2
    decks = results["owned"][rows, seats, : len(FIRST_GAME.names)].reshape(n, N_GAMES, -1).mean(axis=1)
    wins = results["win"][rows, seats].reshape(n, N_GAMES).mean(axis=1)
    return wins, np.column_stack([decks[:, ACTIONS].sum(axis=1), decks[:, TREASURES].sum(axis=1)])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--generations", type=int, default=40)
    options = Options(n_strategies=64, players=2, crossover_share=0.25, start="random", search_rounds=0)
    dtype = options.genetics.random_genomes(1, options, np.random.default_rng(1)).dtype
    archive = archive_of(dtype)

    def from_archive(parents, n, options, rng):
        """Return mutated elites of the archive, and random genomes while it is empty."""
        if archive.empty:
            return Emitted.of(options.genetics.random_genomes(n, options, rng))
        elites = np.ascontiguousarray(archive.sample_elites(n)["solution"])
        return Emitted.of(options.genetics.mutate(elites.view(dtype)[:, 0], options, rng))

    evolution = Evolution(options, seed=1, emitters=[(from_archive, 1.0)])
    for generation in range(parser.parse_args().generations):
        genomes = evolution.ask().copy()
        wins, decks = play(genomes, options, generation)
        archive.add(genomes.view(np.uint8).reshape(len(genomes), -1), wins, decks)
        print(f"{generation + 1}: {archive.stats.num_elites} elites, mean {archive.stats.obj_mean:.2f}")
        evolution.tell(RankedPopulation.of_fitness(wins))


if __name__ == "__main__":
    main()
