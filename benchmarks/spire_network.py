"""Train networks for fights whose value is proven, from nothing, and judge them by games of their own.

python benchmarks/spire_network.py --seeds 1 2 3 --threads 2
python benchmarks/spire_network.py --fights cultist nob --iterations 20
"""

import argparse
import tempfile
import time
from pathlib import Path
from typing import Any

from evodom.intervals import mean_interval
from evodom.learning.fights.options import FightOptions
from evodom.learning.fights.run import carry_on, network_of, start
from evodom.spire.engine.game import SpireFight
from evodom.spire.engine.rules import Setup
from evodom.spire.fights import Fight, fight_to_toml
from evodom.spire.fights.naming import cards_from_text
from evodom.spire.rows.encounters import groups_of
from evodom.spire.search.estimates import estimate
from evodom.spire.search.player import Budget
from evodom.spire.solver.judging import given_away

STARTER = "5 Strike, 4 Defend, Bash, Ascender's Bane"

FIGHTS: dict[str, tuple[str, dict[str, Any], str, float]] = {
    "nob80": ("Gremlin Nob", {"hp": 80, "max_hp": 80}, "5 Strike, 4 Defend, Bash+", 34.203),
    "nob": ("Gremlin Nob", {}, STARTER, 12.315),
    "cultist": ("Cultist", {}, STARTER, 63.548),
    "jaw": ("Jaw Worm", {}, STARTER, 57.653),
    "pommel": ("Gremlin Nob", {}, f"{STARTER}, Pommel Strike", 19.515),
}
"""Fights at ascension 20 without relics: the enemy, HP, the deck, and what is proven."""


def main() -> None:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fights", nargs="+", choices=FIGHTS, default=list(FIGHTS))
    parser.add_argument("--seeds", nargs="+", type=int, default=[1])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--iterations", type=int, default=20)
    parser.add_argument("--games", type=int, default=1000, help="games that judge")
    parser.add_argument("--judged", type=int, default=200, help="games whose moves are judged by their exact values")
    given = parser.parse_args()
    for seed in given.seeds:
        for name in given.fights:
            trained_and_judged(name, seed, given)


def trained_and_judged(name: str, seed: int, given: Any) -> None:
    """Train for a fight and print what came of it."""
    enemy, hp, deck, optimum = FIGHTS[name]
    fight = Fight(Setup(enemies=groups_of(enemy), relics=(), deck=cards_from_text(deck), **hp))
    options = FightOptions((fight_to_toml(fight),), given.iterations)
    estimate(fight, 2, Budget(2), 0)  # compiles
    with tempfile.TemporaryDirectory() as folder:
        begin, used = time.perf_counter(), time.process_time()
        with start("fight", options, seed, root=Path(folder), overwrite=False) as run:
            carry_on(run, given.threads)
            network = network_of(run)
        seconds, used = time.perf_counter() - begin, time.process_time() - used
    begin = time.process_time()
    budget = Budget(options.simulations, network=network)
    found = estimate(fight, given.games, budget, 1000 + seed, given.threads)
    judged = time.process_time() - begin
    losses, _ = given_away(SpireFight(fight.setup), fight.payoff, budget, given.judged, 1000 + seed, given.threads)
    away = mean_interval(losses)
    print(
        f"{name} seed {seed}: gives {away.value:.3f} ({max(away.low, 0):.3f}-{away.high:.3f}) HP away of {optimum}, "
        f"{100 - 100 * away.value / optimum:.1f} % ({100 - 100 * away.high / optimum:.1f}-"
        f"{100 - 100 * max(away.low, 0) / optimum:.1f}); {found.hp.value:.2f} "
        f"({found.hp.low:.2f}-{found.hp.high:.2f}) HP left, {100 * found.death.share:.1f} % lost "
        f"({100 * found.death.low:.1f}-{100 * found.death.high:.1f}); {options.iterations} iterations in "
        f"{seconds:.0f} s ({used:.0f} s of processors), "
        f"{1000 * judged / int(found.results['n_moves'].sum()):.2f} ms a move",
        flush=True,
    )


if __name__ == "__main__":
    main()
