"""What evolves in the recommended kingdoms, and what the evolved choices among cards are worth.

    python benchmarks/kingdoms.py --ngen 150 --games 16 --seeds 3 "Size Distortion" "Deck Top"

In each kingdom strategies evolve with and without evolved choices (`--choices`). The champions play 4,000 games against
three copies of each baseline that finds its cards there, and against three champions of the other kind, seats rotated;
par is 25 %. The last column is the champion's mean deck at the end of games against three of itself. The tables are in
Markdown, as in docs/kingdoms.md.
"""

import argparse
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.batch import play_games, warm_up
from evodom.dominion.cards import kingdom_piles
from evodom.dominion.kingdoms import parse_kingdom
from evodom.dominion.rules import make_rules
from evodom.dominion.strategies.record import STRATEGY
from evodom.dominion.strategies.scripted import baseline, fitting_baselines
from evodom.evolution.algorithm import Evolution
from evodom.evolution.genome import strategies_of
from evodom.evolution.options import CHOICES, Options
from evodom.evolution.run import Workers, evaluate
from evodom.evolution.tournament import rotated

GAMES = 4000
PLAYERS = 4
RECOMMENDED = (
    "First Game", "Size Distortion", "Deck Top", "Sleight of Hand", "Improvements", "Silver & Gold",
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ngen", type=int, default=100, help="generations of each run")
    parser.add_argument("--seeds", type=int, default=3, help="runs a kingdom and kind")
    parser.add_argument("--games", type=int, default=Options().games, help="games a match in evolution")
    parser.add_argument("--vp-penalty", type=float, default=Options().vp_penalty, help="as in evodom evolve")
    parser.add_argument("--drawn", type=int, default=1, help="kingdoms to draw for each list of fewer than ten cards")
    parser.add_argument("kingdoms", nargs="*", default=RECOMMENDED, metavar="KINGDOM")
    arguments = parser.parse_args()
    warm_up()
    for kingdom in (parse_kingdom(text, seed=seed) for text in arguments.kingdoms for seed in range(arguments.drawn)):
        columns = ("choices", "seed", *fitting_baselines(kingdom.cards), "other kind", "deck")
        print(f"\n### {kingdom.name}\n\n{', '.join(kingdom.cards)}.\n")
        print(row(columns) + "\n" + row(["---"] * len(columns)))
        champions = {
            choices: [champion(arguments, kingdom.cards, choices, seed + 1) for seed in range(arguments.seeds)]
            for choices in CHOICES
        }
        for choices, others in zip(CHOICES, reversed(CHOICES), strict=True):
            tell(kingdom.cards, choices, champions[choices], champions[others])


def tell(kingdom: tuple[str, ...], choices: str, ours: list[Any], theirs: list[Any]) -> None:
    """Print a row a champion, and the means."""
    lines = []
    for seed, (one, other) in enumerate(zip(ours, theirs, strict=True), 1):
        rivals = [baseline(name, kingdom) for name in fitting_baselines(kingdom)]
        lines.append([play(kingdom, one, rival)[0] for rival in (*rivals, other)])
        _, deck = play(kingdom, one, one)
        print(row([choices, str(seed), *map(percent, lines[-1]), told(kingdom, deck)]), flush=True)
    print(row([choices, "mean", *map(percent, np.mean(lines, axis=0)), ""]), flush=True)


def row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def champion(arguments: Any, kingdom: tuple[str, ...], choices: str, seed: int) -> Any:
    """Return the best strategy of a run's last generation."""
    options = Options(
        n_generations=arguments.ngen,
        games=arguments.games,
        kingdom=kingdom,
        choices=choices,
        players=PLAYERS,
        vp_penalty=arguments.vp_penalty,
    )
    evolution = Evolution(options, seed)
    with ThreadPoolExecutor(2) as executor:
        for _ in range(options.n_generations):
            generation = evaluate(evolution, Workers(executor, 2))
            evolution.tell(generation.ranking)
    return strategies_of(generation.genomes[generation.ranking[:1]], options)[0]


def play(kingdom: tuple[str, ...], one: Any, rival: Any) -> tuple[float, npt.NDArray[np.float64]]:
    """Return the share of wins of one strategy against three of another, and its mean deck by pile."""
    tables = rotated(np.arange(PLAYERS)[None, :], GAMES)
    seeds = np.random.SeedSequence(GAMES).generate_state(GAMES, np.uint64)
    strategies = np.zeros(PLAYERS, STRATEGY)
    strategies[0] = one
    strategies[1:] = rival
    results = play_games(make_rules(kingdom, PLAYERS), strategies, tables, seeds)
    own = tables == 0
    return float(results["win"][:, :PLAYERS][own].mean()), results["owned"][:, :PLAYERS][own].mean(axis=0)


def told(kingdom: tuple[str, ...], deck: npt.NDArray[np.float64]) -> str:
    """Return a mean deck as text, what there is at least half a card of."""
    names = [card.name for card in kingdom_piles(kingdom)]
    return ", ".join(f"{n:.1f} {name}" for name, n in zip(names, deck, strict=False) if n >= 0.5)


if __name__ == "__main__":
    main()
