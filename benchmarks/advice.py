"""Measure whether advice holds: in random kingdoms, against what evolution alone finds and what was written by hand.

    python benchmarks/advice.py --seeds 1 2 3 4 5 --learn 100000 --ngen 60
    python benchmarks/advice.py --minutes 5

Kingdom N is the one that seed N draws, for two players. The answer is that of `evodom advise --learn --ngen --seed N`,
without the measuring of cards and lists that comes after it. Evolution alone is what advice was before it learned: both
models for twice as many generations, the strongest baselines, and the search for a better list by changes of one card.
It evolves with a seed of its own, since champions teach: the answer has met nobody of it. What the answer wins before a
learner was set on it and met everybody stands beside it.
Every figure is 10,000 games with its 95 % interval, also that of the hand-written strategy that does best. The tables
are in Markdown, and times are processor seconds. With --minutes it is all of `evodom advise --minutes`, by the clock,
and evolution alone has twice as many generations as fitted in.
"""

import argparse
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evodom.advice.ablation import refine
from evodom.advice.exploit import ExploitResult
from evodom.advice.finding import Learning, entrants_of, find_best
from evodom.advice.runs import Request, evolve, learned_entrants, open_runs, open_training
from evodom.advice.search import LEARNING_SHARE, REPLY_SHARE, Question, answer
from evodom.cli.common import workers
from evodom.dominion.kingdom import Kingdom, draw_cards
from evodom.dominion.strategies.base import RANDOM, Strategy, was_learned
from evodom.dominion.strategies.baselines import baseline, fitting_baselines
from evodom.jit.groups import compile_group
from evodom.learning.run import carry_on
from evodom.learning.training import TrainOptions
from evodom.matches.agents import Entrant
from evodom.matches.seating import Purpose, Use
from evodom.matches.simulate import compile_games
from evodom.matches.tournament import wins_against
from evodom.matches.venue import Venue
from evodom.presentation.format import with_interval
from evodom.runs import Run
from evodom.statistics import Share
from evodom.tasks import Workers

N_GAMES = 10_000
SCREENED, N_SCREENED = 1_000, 3
"""Each hand-written strategy plays so many games, and the best N_SCREENED of them those of a figure."""

N_STRATEGIES = 128
COLUMNS = (
    "seed",
    "the answer",
    "against evolution alone",
    "before the attack",
    "the best by hand",
    "which wins",
    "best reply",
    "seconds",
)
OTHER = 1_000_000
"""Evolution alone has this added to its seed."""


def main() -> None:
    """Advise in each kingdom, and print what the answers win."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, nargs="+", default=list(range(1, 21)))
    parser.add_argument("--learn", type=int, default=100_000, help="games that are learned from")
    parser.add_argument("--ngen", type=int, default=60, help="generations of each model")
    parser.add_argument("--minutes", type=float, help="how long to search, in place of games and generations")
    parser.add_argument("--games", type=int, default=N_GAMES, help="games of each figure")
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    compile_games()
    compile_group("learning")
    print(row(COLUMNS) + "\n" + row(["---"] * len(COLUMNS)), flush=True)
    with workers(given.jobs) as threads:
        for seed in given.seeds:
            print(row(advised(seed, given, threads)), flush=True)


@dataclass(frozen=True)
class Answer:
    """What was found: the answer, what it was before a learner was set on it, the best reply, and from what."""

    name: str
    strategy: Strategy
    first: Strategy | None
    reply: ExploitResult | None
    n_generations: int


def advised(seed: int, given: argparse.Namespace, threads: Workers) -> list[str]:
    """Return the row of a kingdom."""
    kingdom = Kingdom(tuple(card.name for card in draw_cards((), seed=seed)))
    request = Request(kingdom, 2, "advice", N_STRATEGIES)
    judge = Venue(kingdom, 2, seed, Use.BENCHMARK, threads)
    began = time.process_time()
    if given.minutes:
        found = answer_by_the_clock(request, seed, given.minutes, threads)
    else:
        found = answer_of(request, seed, given, threads)
    spent = time.process_time() - began
    alone = evolution_alone(request, OTHER + seed, 2 * found.n_generations, given.games, threads)
    name, share = best_by_hand(judge, found.strategy, given.games)
    told = f"{with_interval(found.reply.wins)}{' taken' if found.reply.taken else ''}" if found.reply else ""
    met = [
        with_interval(wins_against(judge, one, alone, given.games, Purpose.EXPECTED)) if one is not None else ""
        for one in (found.strategy, found.first)
    ]
    return [str(seed), found.name, *met, name, with_interval(share), told, f"{spent:.0f}"]


def answer_by_the_clock(request: Request, seed: int, minutes: float, threads: Workers) -> Answer:
    """Return what `evodom advise --minutes` answers."""
    with tempfile.TemporaryDirectory() as folder:
        found = answer(Question(request, seed, minutes=minutes), root=Path(folder), workers=threads)
    return Answer(found.advice.name, found.advice.record, None, found.advice.reply, found.n_generations)


def answer_of(request: Request, seed: int, given: argparse.Namespace, threads: Workers) -> Answer:
    """Return the answer from so many games and generations."""
    venue = Venue(request.kingdom, 2, seed, Use.ADVICE, threads)
    with tempfile.TemporaryDirectory() as folder:
        shared: dict[str, Any] = {"root": Path(folder), "overwrite": False, "workers": threads}
        options = TrainOptions(request.kingdom, request.players, given.learn)
        with open_training(request, seed, options, **shared) as training:
            carry_on(training, threads)
            learning = Learning(learned_entrants(training), int(REPLY_SHARE * given.learn / LEARNING_SHARE))
        with open_runs(request, seed, **shared) as runs:
            ranked, reply = best_of(venue, evolved(venue, runs, given.ngen, threads), learning, given.games)
    first = ranked[1 if reply and reply.taken else 0]
    return Answer(ranked[0].name, ranked[0].strategy, first.strategy, reply, given.ngen)


def evolution_alone(request: Request, seed: int, n_generations: int, games: int, threads: Workers) -> Strategy:
    """Return what advice would answer if it only evolved."""
    venue = Venue(request.kingdom, request.players, seed, Use.ADVICE, threads)
    with (
        tempfile.TemporaryDirectory() as folder,
        open_runs(request, seed, root=Path(folder), overwrite=False, workers=threads) as runs,
    ):
        ranked, _ = best_of(venue, evolved(venue, runs, n_generations, threads), Learning(), games)
    return ranked[0].strategy


def evolved(venue: Venue, runs: Sequence[Run], n_generations: int, threads: Workers) -> list[Entrant]:
    """Evolve to a generation and return the champions and the baselines that advice lets meet."""
    evolve(
        runs,
        threads,
        n_generations=n_generations,
        on_generation=lambda *_: None,
        should_stop=lambda: False,
    )
    return entrants_of(venue, runs, n_generations)


def best_of(
    venue: Venue, known: list[Entrant], learning: Learning, games: int
) -> tuple[list[Entrant], ExploitResult | None]:
    """Return all by their places, a list that is first improved by changes of one card, and the best reply to it."""
    ranked, reply = find_best(venue, [*known, *learning.entrants], learning, games)
    best = ranked[0]
    if not was_learned(best.strategy):
        better, _ = refine(venue, best.strategy, ranked[1].strategy, games)
        ranked[0] = Entrant(best.name, best.origin, better)
    return ranked, reply


def best_by_hand(venue: Venue, answer: Strategy, games: int) -> tuple[str, Share]:
    """Return the hand-written strategy that wins most against an answer, and how much."""
    records = {name: baseline(name, venue.kingdom) for name in fitting_baselines(venue.kingdom) if name != RANDOM}
    screened = {
        name: wins_against(venue, one, answer, SCREENED, Purpose.HARDEST).share for name, one in records.items()
    }
    best = sorted(screened, key=lambda name: -screened[name])[:N_SCREENED]
    shares = {name: wins_against(venue, records[name], answer, games, Purpose.HARDEST, 1) for name in best}
    name = max(shares, key=lambda name: shares[name].share)
    return name, shares[name]


def row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
