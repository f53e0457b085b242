"""How much a network gains by thinking: against itself without thinking, in one kingdom, two players.

    python benchmarks/thinking.py --games 400 --seconds 0.05

The time is that of one processor, so that other work on the machine takes none of it away.
"""

import argparse
import time

from evodom.dominion.kingdom import parse_kingdom
from evodom.entrants import find_entrants, network_weights
from evodom.matches import Entrant, Use, Venue, play_match
from evodom.thinking.player import thinking_agent
from evodom.thinking.search import Budget

K2 = "Chapel, Village, Smithy, Laboratory, Festival, Market, Militia, Cellar, Moat, Throne Room"


def main() -> None:
    """Play the match and print its result."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kingdom", default=K2)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seconds", type=float, default=0.05, help="processor seconds a decision")
    parser.add_argument("--rollouts", type=int, default=0, help="rollouts a decision, instead of seconds")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    kingdom = parse_kingdom(given.kingdom, seed=given.seed)
    budget = Budget(rollouts=given.rollouts) if given.rollouts else Budget(seconds=given.seconds)
    thinker = thinking_agent("thinking", network_weights(kingdom), budget, clock=time.thread_time)
    plain = find_entrants(["network"], root=None, kingdom=kingdom).entrants[0]
    told = time.thread_time()
    venue = Venue(kingdom, 2, given.seed, Use.BENCHMARK)
    entrants = [Entrant("thinking", ("thinking",), thinker), plain]
    result = play_match(venue, entrants, n_games=given.games, confidence=0.95)
    spent = time.thread_time() - told
    for standing in result.standings:
        share = standing.win
        print(f"{standing.name:10} {share.share:6.1%} ({share.low:.1%} to {share.high:.1%})")
    print(f"{given.games} games, {spent / given.games:.2f} processor seconds each")


if __name__ == "__main__":
    main()
