"""Measure `evodom advise --minutes`: the win rates of the answer and of the printed list against independent opponents.

    python benchmarks/advice.py --minutes 5 "random 1" "random 2" "Artisan, Bandit, Bureaucrat, Cellar, Chapel"

"random N" is the Base Set kingdom that seed N draws, "mixed N" that of all sets, for two players. In each kingdom the
answer and the list play these judges:

- champions of `evodom evolve --ngen 100 --nstrat 128 --players 2` with another seed, of each of --models;
- all baselines. A first match of 1,000 games with each selects the three hardest.

The judges of a column are the hardest of their kind. A figure is the win rate in 10,000 games with its 95 % interval.
The table is in Markdown. With --keep FOLDER the saved runs remain, and a second call continues them.
"""

import argparse
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from champions import kingdom_of

from evodom.advice.runs import Request
from evodom.advice.search import Question, find_advice
from evodom.api.progress import workers
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.base import RANDOM
from evodom.dominion.strategies.baselines import baseline, fitting_baselines
from evodom.dominion.strategies.models.buy_lists.encoding import decode
from evodom.dominion.strategies.record import Strategy, strategies_of
from evodom.dominion.strategies.registry import was_learned
from evodom.evolution import Evolution, Options, RankedPopulation, evaluate
from evodom.evolution.ranking import champion_of
from evodom.evolution.runs import resolve_rivals
from evodom.kernel_groups import load_groups
from evodom.matches.seating import Purpose, Use
from evodom.matches.tournament import wins_against
from evodom.matches.venue import Venue
from evodom.presentation.format import with_interval
from evodom.runs import RunStore
from evodom.statistics import Share
from evodom.tasks import Workers

FIGURE_GAMES, FIRST_GAMES, N_HARDEST = 10_000, 1_000, 3

N_STRATEGIES = 128

JUDGE_SEED = 1_000_000
"""The champions that judge evolve with this number plus the seed."""


COLUMNS = (
    "kingdom", "answer", "list against the answer", "list against the hardest baseline",
    "list against the hardest champion", "rules", "conditions", "answer against the hardest baseline",
    "answer against the hardest champion", "best response", "CPU s",
)  # fmt: skip


def main() -> None:
    """Print the row of each kingdom of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kingdoms", nargs="*", default=[f"random {seed}" for seed in range(1, 21)])
    parser.add_argument("--minutes", type=float, default=5.0, help="time limit of advice")
    parser.add_argument("--models", nargs="*", default=["graded"], help="models of the champions that judge, or none")
    parser.add_argument("--ngen", type=int, default=100, help="generations of the champions that judge")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="folder for the saved runs")
    given = parser.parse_args()
    load_groups("games", "learning", "imitation")
    print(row(COLUMNS) + "\n" + row(["---"] * len(COLUMNS)), flush=True)
    with workers(given.jobs) as threads:
        for number, text in enumerate(given.kingdoms, 1):
            kingdom = kingdom_of(text)
            with folder_for(given.keep) as folder:
                print(row(measured(text, kingdom, f"k{number}", folder, given, threads)), flush=True)


@contextmanager
def folder_for(kept: Path | None) -> Iterator[Path]:
    """Return the folder of the saved runs: the user's, or a temporary one."""
    if kept:
        yield kept
    else:
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder)


def measured(
    text: str, kingdom: Kingdom, key: str, folder: Path, given: argparse.Namespace, threads: Workers
) -> list[str]:
    """Return the cells of a kingdom."""
    request = Request(kingdom, 2, key, N_STRATEGIES)
    began = time.process_time()
    question = Question(request, given.seed, minutes=given.minutes)
    advice = find_advice(question, store=RunStore(folder), workers=threads).advice
    seconds = time.process_time() - began
    venue = Venue(kingdom, 2, given.seed, Use.BENCHMARK, threads)
    champions = {model: evolved(model, kingdom, given, threads) for model in given.models}
    baselines = {name: baseline(name, kingdom) for name in fitting_baselines(kingdom) if name != RANDOM}
    rules = decode(advice.plan, kingdom)
    against_answer = ""
    if was_learned(advice.record):
        against_answer = with_interval(figure(venue, advice.plan, advice.record))
    response = advice.best_response
    of_response = f"{with_interval(response.wins)}{'' if response.answer_holds else ' unfinished'}" if response else ""
    return [
        text,
        advice.name,
        against_answer,
        hardest(venue, advice.plan, baselines),
        hardest(venue, advice.plan, champions),
        str(len(rules)),
        str(sum(len(rule.conditions) for rule in rules)),
        hardest(venue, advice.record, baselines),
        hardest(venue, advice.record, champions),
        of_response,
        f"{seconds:.0f}",
    ]


def evolved(model: str, kingdom: Kingdom, given: argparse.Namespace, threads: Workers) -> Strategy:
    """Return the champion of a run of evolution."""
    options = Options(n_generations=given.ngen, n_strategies=N_STRATEGIES, players=2, kingdom=kingdom, model=model)
    evolution = Evolution(resolve_rivals(options), JUDGE_SEED + given.seed)
    while (generation := evaluate(evolution, threads)).index < given.ngen - 1:
        evolution.tell(RankedPopulation.of(generation))
    champion: Strategy = strategies_of(champion_of(generation), evolution.options)[0]
    return champion


def figure(venue: Venue, strategy: Strategy, judge: Strategy, games: int = FIGURE_GAMES) -> Share:
    """Return the win rate of a strategy against a judge."""
    return wins_against(venue, strategy, judge, games, Purpose.HARDEST, int(games == FIGURE_GAMES))


def hardest(venue: Venue, strategy: Strategy, judges: Mapping[str, Strategy]) -> str:
    """Return the name of the judge against which a strategy wins least, and its win rate. Without judges return ""."""
    if not judges:
        return ""
    first = {name: figure(venue, strategy, one, FIRST_GAMES).share for name, one in judges.items()}
    names = sorted(first, key=lambda name: first[name])[:N_HARDEST]
    shares = {name: figure(venue, strategy, judges[name]) for name in names}
    name = min(shares, key=lambda name: shares[name].share)
    return f"{name} {with_interval(shares[name])}"


def row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
