"""Measure the search of fights: against proven optima, over all encounters of act 1, and how fast fights are played.

python benchmarks/spire_search.py bars --games 1000
python benchmarks/spire_search.py judged --games 300 --seed 2 --gumbel 8
python benchmarks/spire_search.py encounters --games 40 --network
python benchmarks/spire_search.py speed
"""

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from evodom.distribution import certain
from evodom.jit.kernel import kernel, random_below
from evodom.spire.content.encounters import encounters, groups_of
from evodom.spire.embedding.hypernetwork import shipped
from evodom.spire.engine.compiler import Setup
from evodom.spire.engine.game import SpireFight
from evodom.spire.engine.layout import DICE, FIGHT, MAX_ENEMIES, PLAYING
from evodom.spire.engine.moves import N_MOVES, legal, play, start_fight
from evodom.spire.fights import Fight
from evodom.spire.fights.names import cards_from_text
from evodom.spire.play.estimates import estimate, regret
from evodom.spire.play.searcher import FightSearchOptions
from evodom.statistics import mean_interval

OPTIMA = (
    (
        "Gremlin Nob, 80 HP, Bash+, no Bane",
        "Gremlin Nob",
        {"hp": 80, "max_hp": 80},
        "Bash+, 5 Strike, 4 Defend",
        34.203,
    ),
    ("Gremlin Nob", "Gremlin Nob", {}, None, 12.315),
    ("Cultist", "Cultist", {}, None, 63.548),
    ("Jaw Worm", "Jaw Worm", {}, None, 57.653),
    ("Lagavulin", "Lagavulin", {}, None, 0.975),
)
"""Fights at ascension 20 without relics whose value is proven (docs/results/fights.md)."""

DECK = (
    "4 Strike, 4 Defend, Bash, Ascender's Bane, Pommel Strike, Shrug It Off, Twin Strike+, Inflame, Cleave, True Grit+"
)
"""A deck of 16 cards, as one may have it in the middle of the act."""


def main() -> None:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("bars", "judged", "encounters", "speed"))
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--simulations", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--gumbel", type=int, default=0, help="moves considered by sequential halving; 0: PUCT")
    parser.add_argument("--solve-below", type=int, default=0, help="positions of at most so many rows are solved")
    parser.add_argument("--playouts", type=int, help="playouts of a new position; default: 4, or 2 with a network")
    parser.add_argument("--network", action="store_true", help="evaluate positions by the network of act 1 too")
    parser.add_argument("--only", help="encounters, or fights whose value is proven, whose name has this in it")
    given = parser.parse_args()
    {"bars": bars, "judged": judged, "encounters": all_encounters, "speed": speed}[given.what](given)


def budget_of(given: Any) -> FightSearchOptions:
    """Return how a move is searched."""
    return FightSearchOptions(
        given.simulations,
        gumbel=given.gumbel,
        solve_below=given.solve_below,
        playouts=given.playouts,
        network=shipped() if given.network else None,
    )


def proven(given: Any) -> Iterator[tuple[str, Fight, float]]:
    """Give the fights whose value is proven, and that."""
    for title, enemy, hp, deck, optimum in OPTIMA:
        if (given.only or "").casefold() in title.casefold():
            setup = Setup(enemies=groups_of(enemy), relics=(), deck=cards_from_text(deck) if deck else None, **hp)
            yield title, Fight(setup), optimum


def bars(given: Any) -> None:
    """Play fights whose value is proven."""
    for title, fight, optimum in proven(given):
        found, seconds = measured(fight, given)
        share = 100 * found.hp.value / optimum
        told = f"{_hp(found)} of {optimum}, {share:.1f} %, {_lost(found)}, {_pace(found, seconds, given)}"
        print(f"{title}: {told}", flush=True)


def judged(given: Any) -> None:
    """Play them, and judge every move by its exact value: that has none of the luck of the fights in it."""
    budget = budget_of(given)
    for title, fight, optimum in proven(given):
        losses, results = regret(SpireFight(fight.setup), fight.payoff, budget, given.games, given.seed)
        found, hp = mean_interval(losses), mean_interval(results["hp"].astype(float))
        print(
            f"{title}: gives {found.value:.3f} ({max(found.low, 0):.3f}-{found.high:.3f}) HP away of {optimum}, "
            f"{100 - 100 * found.value / optimum:.1f} %; {hp.value:.2f} ({hp.low:.2f}-{hp.high:.2f}) HP left",
            flush=True,
        )


def all_encounters(given: Any) -> None:
    """Play every encounter with the starter deck and with a deck of 16 cards."""
    for name, encounter in encounters().items():
        if (given.only or "").casefold() not in name.casefold():
            continue
        row = [name]
        for deck in (None, cards_from_text(DECK)):
            found, seconds = measured(Fight(Setup(enemies=encounter.groups, deck=deck)), given)
            row.append(f"{_hp(found)}, {_lost(found)}, {seconds:.1f} s, {_pace(found, seconds, given)}")
        print(" | ".join(row), flush=True)


def measured(fight: Fight, given: Any) -> Any:
    """Return what a fight came to, and the processor seconds it took."""
    budget = budget_of(given)
    estimate(fight, 2, FightSearchOptions(2), 0)
    begin = time.process_time()
    found = estimate(fight, given.games, budget, given.seed, given.threads)
    return found, time.process_time() - begin


def _hp(found: Any) -> str:
    return f"{found.hp.value:.2f} ({found.hp.low:.2f}-{found.hp.high:.2f}) HP"


def _lost(found: Any) -> str:
    return f"{100 * found.death.share:.1f} % lost ({100 * found.death.low:.1f}-{100 * found.death.high:.1f})"


def _pace(found: Any, seconds: float, given: Any) -> str:
    n_moves = int(found.results["n_moves"].sum())
    return f"{1000 * seconds / n_moves:.1f} ms a move, {given.simulations * n_moves / seconds:,.0f} simulations/s"


@kernel
def many(rules: Any, fights: Any, group: Any, known: Any, dice: Any, moves: Any, n: Any) -> Any:
    """Play fights at random, set-up included; return how many moves."""
    total = 0
    for _ in range(n):
        fights[0] = fights[1]
        start_fight(rules, fights[0], group, known, 0, dice)
        while fights[0].over == PLAYING:
            n_legal = legal(rules, fights[0], moves)
            play(rules, fights[0], moves[random_below(dice.stream, 0, n_legal)], dice)
            total += 1
    return total


def speed(given: Any) -> None:
    """Play at random, on one core."""
    for enemies in (("Cultist",), ("Gremlin Nob",), ("Sentry", "Middle Sentry", "Sentry")):
        game = SpireFight(Setup(enemies=certain(enemies), deck=Counter({"Strike": 5, "Defend": 4, "Bash": 1})))
        dice: Any = np.zeros(1, DICE)[0]
        dice.stream[0] = given.seed
        room = (
            np.zeros(2, FIGHT),
            game.rules.groups[0],
            np.zeros(MAX_ENEMIES, np.int32),
            dice,
            np.zeros(N_MOVES, np.int32),
        )
        many(game.record, *room, 1)
        begin = time.process_time()
        n_moves = many(game.record, *room, 100_000)
        print(f"{', '.join(enemies)}: {n_moves / (time.process_time() - begin) / 1e6:.2f} million moves/s")


if __name__ == "__main__":
    main()
