"""How much a network gains by thinking: against itself without thinking, in one kingdom, two players.

    python benchmarks/thinking.py --games 400 --seconds 0.05
    python benchmarks/thinking.py --cuts 60

The time is that of one processor, so that other work on the machine takes none of it away. ``--cuts N`` plays no match:
at N buys of the network's own games it compares rollouts that the critic cuts with rollouts to the end.
"""

import argparse
import time
from collections.abc import Iterator

import numpy as np

from evodom.dominion.engine.state import State
from evodom.dominion.engine.turn import enact
from evodom.dominion.game import DominionGame
from evodom.dominion.kingdom import Kingdom, parse_kingdom
from evodom.dominion.strategies.networks.records import network_record
from evodom.entrants import network_weights
from evodom.matches import Entrant, Use, Venue, play_match
from evodom.thinking.compiling import warm_up
from evodom.thinking.player import thinking_agent
from evodom.thinking.search import CERTAIN, TO_THE_END, Budget, Search, likely

K2 = "Chapel, Village, Smithy, Laboratory, Festival, Market, Militia, Cellar, Moat, Throne Room"
CUTS = (1, 2, 3, 4, 6, 8, 10)
ROLLOUTS, ROLLOUTS_TO_THE_END = 500, 2000
ASKED = 0.2
"""The share of the network's decisions that are looked at."""


def main() -> None:
    """Play the match, or compare the cuts, and print the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kingdom", default=K2)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seconds", type=float, default=0.05, help="processor seconds a decision")
    parser.add_argument("--rollouts", type=int, default=0, help="rollouts a decision, instead of seconds")
    parser.add_argument("--cuts", type=int, default=0, metavar="N", help="compare cuts at N decisions instead")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    kingdom = parse_kingdom(given.kingdom, seed=given.seed)
    warm_up()
    if given.cuts:
        compare_cuts(kingdom, given.cuts, given.seed)
    else:
        budget = Budget(rollouts=given.rollouts) if given.rollouts else Budget(seconds=given.seconds)
        play(kingdom, budget, given.games, given.seed)


def play(kingdom: Kingdom, budget: Budget, n_games: int, seed: int) -> None:
    """Play a network that thinks against itself without thinking."""
    weights = network_weights(kingdom)
    thinker = thinking_agent("thinking", weights, budget, clock=time.thread_time)
    plain = network_record(weights, kingdom)
    began = time.thread_time()
    entrants = [Entrant("thinking", ("thinking",), thinker), Entrant("network", ("network",), plain)]
    result = play_match(Venue(kingdom, 2, seed, Use.BENCHMARK), entrants, n_games=n_games, confidence=0.95)
    spent = time.thread_time() - began
    for standing in result.standings:
        share = standing.win
        print(f"{standing.name:10} {share.share:6.1%} ({share.low:.1%} to {share.high:.1%})")
    print(f"{n_games} games, {spent / n_games:.2f} processor seconds each")


def compare_cuts(kingdom: Kingdom, n: int, seed: int) -> None:
    """Print what a rollout takes, and how far the critic errs in the difference between two choices, by the cut."""
    rng = np.random.default_rng(seed)
    search = Search(kingdom.rules(2), network_weights(kingdom))
    times, errors = dict.fromkeys((*CUTS, TO_THE_END), 0.0), {cut: [] for cut in CUTS}
    n_rollouts = 0
    for state in decisions(kingdom, search, n, rng):
        choices = likely(search.priors(state))
        differences = {}
        for cut, size in [*((cut, ROLLOUTS) for cut in CUTS), (TO_THE_END, ROLLOUTS_TO_THE_END)]:
            seeds = rng.integers(2**64, size=size, dtype=np.uint64)
            began = time.thread_time()
            shares = search.shares(state, choices, seeds, cut)
            times[cut] += (time.thread_time() - began) * ROLLOUTS / size
            differences[cut] = (shares - shares[0]).mean(axis=1)[1:]
        for cut in CUTS:
            errors[cut] += list(differences[cut] - differences[TO_THE_END])
        n_rollouts += ROLLOUTS * len(choices)
    for cut in CUTS:
        error = np.sqrt(np.mean(np.square(errors[cut])))
        print(f"cut after {cut:2} turns: {1e6 * times[cut] / n_rollouts:5.0f} us, error {100 * error:.1f} points")
    print(f"to the end:         {1e6 * times[TO_THE_END] / n_rollouts:5.0f} us")


def decisions(kingdom: Kingdom, search: Search, n: int, rng: np.random.Generator) -> Iterator[State]:
    """Give ``n`` positions of the network's own games in which it is not certain."""
    while True:
        game = DominionGame(kingdom, 2, seed=int(rng.integers(2**32)), log=False)
        game.play_treasures_automatically(0, 1)
        while not game.is_over:
            priors = search.priors(game.state).astype(np.float64)
            if priors.max() < CERTAIN and rng.random() < ASKED:
                yield game.state.copy()
                n -= 1
                if n == 0:
                    return
            enact(game.rules, game.state, int(rng.choice(len(priors), p=priors / priors.sum())))


if __name__ == "__main__":
    main()
