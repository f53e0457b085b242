"""Train networks for fights, and judge them: by what is proven, or by search without a network.

python benchmarks/spire_network.py --seeds 1 2 3 --threads 2
python benchmarks/spire_network.py --fights cultist nob --begin none --iterations 20
python benchmarks/spire_network.py --encounters "Three Sentries" "Gremlin Gang" --games 100
python benchmarks/spire_network.py --encounters all --decks starter "16 cards" --games 100
"""

import argparse
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from evodom.distribution import certain
from evodom.learning.fights import ACT, RECIPES, FightOptions
from evodom.learning.fights.run import carry_on, network_of, start
from evodom.runs import RunStore
from evodom.spire.content.encounters import encounters, groups_of
from evodom.spire.engine.compiler import Setup
from evodom.spire.engine.game import SpireFight
from evodom.spire.fights import Fight, fight_to_toml
from evodom.spire.fights.names import cards_from_text
from evodom.spire.play.estimates import Estimate, estimate, regret
from evodom.spire.play.network import Network
from evodom.spire.play.searcher import FightSearchOptions
from evodom.statistics import mean_interval
from evodom.tasks import Workers

STARTER = "5 Strike, 4 Defend, Bash, Ascender's Bane"

FIGHTS: dict[str, tuple[str, dict[str, Any], str, float]] = {
    "nob80": ("Gremlin Nob", {"hp": 80, "max_hp": 80}, "5 Strike, 4 Defend, Bash+", 34.203),
    "nob": ("Gremlin Nob", {}, STARTER, 12.315),
    "cultist": ("Cultist", {}, STARTER, 63.548),
    "jaw": ("Jaw Worm", {}, STARTER, 57.653),
    "pommel": ("Gremlin Nob", {}, f"{STARTER}, Pommel Strike", 19.515),
}
"""Fights at ascension 20 without relics: the enemy, HP, the deck, and what is proven."""

DECK = (
    "4 Strike, 4 Defend, Bash, Ascender's Bane, Pommel Strike, Shrug It Off, Twin Strike+, Inflame, Cleave, True Grit+"
)
"""The deck of 16 cards of docs/results/fights.md."""

DECKS = {"starter": "", "16 cards": DECK}
"""The decks of encounters; an empty one is the starter's."""

ALL = "all"

MORE = 1000
"""So many simulations a move has the search without a network that a network is compared with there."""


def main() -> None:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fights", nargs="+", choices=FIGHTS, help="of which the best is proven; by default all")
    parser.add_argument("--encounters", nargs="+", choices=[*encounters(), ALL], metavar="NAME", help=f"instead; {ALL}")
    parser.add_argument("--decks", nargs="+", choices=DECKS, default=["16 cards"], help="for encounters")
    parser.add_argument("--seeds", nargs="+", type=int, default=[1])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--begin", choices=RECIPES, default=ACT, help="the network that a training begins as")
    parser.add_argument("--iterations", type=int, default=20)
    parser.add_argument("--games", type=int, default=1000, help="games that judge")
    parser.add_argument("--judged", type=int, default=200, help="games whose moves are judged by their exact values")
    given = parser.parse_args()
    names = list(encounters()) if ALL in (given.encounters or ()) else given.encounters or ()
    met = [(f"{name}, {deck}", encounter(name, DECKS[deck]), None) for name in names for deck in given.decks]
    known = given.fights or ([] if names else FIGHTS)
    for seed in given.seeds:
        for name, fight, optimum in met + [(name, proven(name), FIGHTS[name][3]) for name in known]:
            trained_and_judged(name, fight, optimum, seed, given)


def proven(name: str) -> Fight:
    """Return a fight of which the best is known."""
    enemy, hp, deck, _ = FIGHTS[name]
    return Fight(Setup(enemies=groups_of(enemy), relics=(), deck=cards_from_text(deck), **hp))


def encounter(name: str, deck: str) -> Fight:
    """Return an encounter with a deck, by default the starter's, 68 of 75 HP and Burning Blood."""
    return Fight(Setup(deck=cards_from_text(deck) if deck else None), encounters=certain(name))


def trained_and_judged(name: str, fight: Fight, optimum: float | None, seed: int, given: Any) -> None:
    """Train for a fight and print what came of it."""
    toml = fight_to_toml(fight)
    options = FightOptions((toml,), given.iterations, recipe=RECIPES[given.begin], begin=given.begin)
    estimate(fight, 2, FightSearchOptions(2), 0)  # compiles
    with tempfile.TemporaryDirectory() as folder:
        begin, used = time.perf_counter(), time.process_time()
        with start("fight", options, seed, store=RunStore(folder)) as run:
            carry_on(run, Workers(ThreadPoolExecutor(given.threads), given.threads))
            network = network_of(run)
        seconds, used = time.perf_counter() - begin, time.process_time() - used
    trained = f"{options.iterations} iterations from {given.begin} in {seconds:.0f} s ({used:.0f} s of processors)"
    told = judged(fight, optimum, network, seed, given) if optimum else compared(fight, network, seed, given)
    print(f"{name} seed {seed}: {told}; {trained}", flush=True)


def judged(fight: Fight, optimum: float, network: Network, seed: int, given: Any) -> str:
    """Judge a network by its games, and by what its moves give away."""
    budget = FightSearchOptions(FightOptions.simulations, network=network)
    found = estimate(fight, given.games, budget, 1000 + seed, given.threads)
    losses, _ = regret(SpireFight(fight.setup), fight.payoff, budget, given.judged, 1000 + seed, given.threads)
    away = mean_interval(losses)
    low, high = max(away.low, 0), away.high
    return (
        f"gives {away.value:.3f} ({low:.3f}-{high:.3f}) HP away of {optimum}, {100 - 100 * away.value / optimum:.1f} % "
        f"({100 - 100 * high / optimum:.1f}-{100 - 100 * low / optimum:.1f}); {in_words(found)}"
    )


def compared(fight: Fight, network: Network, seed: int, given: Any) -> str:
    """Compare a network with search without one, with as many simulations and with more, in the same fights."""
    few = FightOptions.simulations
    budgets = {
        f"{few} with a network": FightSearchOptions(few, network=network),
        f"{few} without": FightSearchOptions(few),
        f"{MORE:,} without": FightSearchOptions(MORE),
    }
    found = {what: estimate(fight, given.games, budget, 1000 + seed, given.threads) for what, budget in budgets.items()}
    ours, *others = found.values()
    parts = [f"{what}: {in_words(one)}" for what, one in found.items()]
    for what, other in zip(list(found)[1:], others, strict=True):
        more = mean_interval(ours.values - other.values)
        parts.append(f"{more.value:+.2f} ({more.low:.2f} to {more.high:.2f}) HP on {what}")
    return "; ".join(parts)


def in_words(found: Estimate) -> str:
    """Return the HP that were left and the fights that were lost."""
    return (
        f"{found.hp.value:.2f} ({found.hp.low:.2f}-{found.hp.high:.2f}) HP left, {100 * found.death.share:.1f} % lost "
        f"({100 * found.death.low:.1f}-{100 * found.death.high:.1f})"
    )


if __name__ == "__main__":
    main()
