"""How much a network gains by thinking: against itself without thinking, in one kingdom, two players.

    python benchmarks/thinking.py --games 400 --seconds 0.05

The time is that of one processor, so that other work on the machine takes none of it away.
"""

import argparse
import time

from evodom.dominion.kingdom import Kingdom, parse_kingdom
from evodom.dominion.strategies.models.networks.model import network_strategy
from evodom.dominion.strategies.models.networks.shipped import shipped_weights
from evodom.matches import Entrant, Use, Venue, play_match
from evodom.matches.playout_search import compile_playouts, searching_agent
from evodom.search.playouts import PlayoutBudget

K2 = "Chapel, Village, Smithy, Laboratory, Festival, Market, Militia, Cellar, Moat, Throne Room"


def main() -> None:
    """Play the match and print the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kingdom", default=K2)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seconds", type=float, default=0.05, help="processor seconds a decision")
    parser.add_argument("--rollouts", type=int, default=0, help="rollouts a decision, instead of seconds")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    kingdom = parse_kingdom(given.kingdom, seed=given.seed)
    compile_playouts()
    budget = PlayoutBudget(playouts=given.rollouts) if given.rollouts else PlayoutBudget(seconds=given.seconds)
    play(kingdom, budget, given.games, given.seed)


def play(kingdom: Kingdom, budget: PlayoutBudget, n_games: int, seed: int) -> None:
    """Play a network that thinks against itself without thinking."""
    weights = shipped_weights(kingdom)
    thinker = searching_agent("thinking", weights, budget, clock=time.thread_time)
    plain = network_strategy(weights, kingdom)
    began = time.thread_time()
    entrants = [Entrant("thinking", ("thinking",), thinker), Entrant("network", ("network",), plain)]
    result = play_match(Venue(kingdom, 2, seed, Use.BENCHMARK), entrants, n_games=n_games, confidence=0.95)
    spent = time.thread_time() - began
    for standing in result.standings:
        share = standing.win
        print(f"{standing.name:10} {share.share:6.1%} ({share.low:.1%} to {share.high:.1%})")
    print(f"{n_games} games, {spent / n_games:.2f} processor seconds each")


if __name__ == "__main__":
    main()
