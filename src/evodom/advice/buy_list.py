"""Find a buy list for people: `list_against` optimises lists against a learned player, `readable` simplifies a
strategy.

`list_against` evolves lists against a learned player and training opponents. It begins with lists that imitate the
player's gains, and with evolved lists. A learned player may beat every list clearly. Then the results against the
training opponents decide.

`readable` returns the shortest form of a strategy that does not play measurably worse.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evodom.advice.ablation import plays_alike
from evodom.dominion.strategies.base import Genomes, Strategies, Strategy, editable_model, genetics_of
from evodom.dominion.strategies.baselines import TRAINING_OPPONENTS, baseline, baseline_records, buy_list_strategy
from evodom.dominion.strategies.breeding import Breeding
from evodom.dominion.strategies.buy_lists.genetics import GENOME
from evodom.dominion.strategies.buy_lists.rules import BuyList
from evodom.dominion.strategies.describe import BuyOrders, describe_buys
from evodom.dominion.strategies.record import STRATEGY, strategies_of
from evodom.errors import UsageError
from evodom.evolution.runs import generation_of
from evodom.learning.habits import gain_statistics, self_play_games
from evodom.matches.seating import Purpose, game_seeds, generator, whole_rounds
from evodom.matches.tournament import shares_within_budget, strongest_baselines, wins_against
from evodom.matches.venue import Venue
from evodom.runs import Run
from evodom.statistics import Share

MODEL = "buy-list"

N_TEACHERS = 2
"""Number of training opponents, in addition to the learned player."""

MIN_PORTION = 8
"""Games of each list against each rival in one portion, with a time limit."""

LAST_SHARE = 0.15
"""Share of a limited time for the last comparison."""

N_LISTS_PER_RUN = 8
"""Number of the best evolved lists of each run to begin with."""


@dataclass(frozen=True)
class ListEffort:
    """Effort of the search: lists in a generation, generations, games of a list, finalists, and their games."""

    n_lists: int = 48
    n_generations: int = 10
    games: int = 96
    n_last: int = 4
    last_games: int = 1000


def buy_list_genomes(runs: Sequence[Run], n_generations: int) -> Genomes:
    """Return the best genomes of the runs of buy lists at a generation, counted from 1. The array may be empty."""
    found = [np.zeros(0, GENOME)]
    for run in runs:
        generation = generation_of(run, n_generations - 1)
        if generation.genomes.dtype == GENOME:
            found.append(generation.genomes[generation.ranking[:N_LISTS_PER_RUN]])
    return np.concatenate(found)


def list_against(
    venue: Venue, learned: Strategy, evolved_lists: Genomes, effort: ListEffort = ListEffort()
) -> Strategy:
    """Return the buy list with the most wins against a learned player and the strongest training opponents.

    The player has the weight of all training opponents together. The search begins with imitations of the player and
    with ``evolved_lists``, genomes of buy lists, best first.
    """
    teachers = strongest_baselines(venue.kingdom, venue.n_seats, N_TEACHERS, among=TRAINING_OPPONENTS)
    rivals = np.concatenate([np.array([learned], STRATEGY), baseline_records(teachers, venue.kingdom)])
    breeding = Breeding(model=MODEL, kingdom=venue.kingdom)
    genetics = genetics_of(MODEL)
    rng = generator(venue.stream(Purpose.LIST, 1))
    games = self_play_games(venue, learned, venue.stream(Purpose.LIST, 2))
    imitations = genetics.imitate(
        gain_statistics(games, venue.n_seats), effort.n_lists - len(evolved_lists), breeding, rng
    )
    genomes = np.concatenate([imitations, evolved_lists])
    generations = venue.part(1.0 - LAST_SHARE)
    for number, part in enumerate(generations.divided([1.0] * effort.n_generations)):
        if part.budget.is_over:
            break
        shares = _win_rates(part, rivals, genomes, breeding, effort.games, number)
        best = genomes[np.argsort(-shares, kind="stable")[: effort.n_lists // 4]]
        mother, father = best[np.sort(rng.integers(len(best), size=(2, effort.n_lists - len(best))), axis=0)]
        children = genetics.mutate(genetics.cross(mother, father, breeding, rng), breeding, rng)
        genomes = np.concatenate([best, children])
    finalists = genomes[: effort.n_last]
    shares = _win_rates(venue, rivals, finalists, breeding, effort.last_games, effort.n_generations)
    best_list: Strategy = strategies_of(finalists, breeding)[int(shares.argmax())]
    return best_list


def _win_rates(
    venue: Venue, rivals: Strategies, genomes: Genomes, breeding: Breeding, games: int, number: int
) -> npt.NDArray[np.float64]:
    """Return each list's win rate against copies of the rivals, with equal seeds. The first rival has half of the
    weight.
    """
    players = np.concatenate([rivals, strategies_of(genomes, breeding)])
    places = np.arange(len(players))
    n_games = whole_rounds(games, venue.n_seats)
    seeds = game_seeds(venue.stream(Purpose.LIST, 3, number), len(rivals), n_games)
    shares = shares_within_budget(
        venue, players, (places[len(rivals) :], places[: len(rivals)]), seeds, whole_rounds(MIN_PORTION, venue.n_seats)
    )
    learned, *others = shares.mean(axis=2).T
    return np.asarray(np.mean([learned, np.mean(others, axis=0)], axis=0) if others else learned)


BIG_MONEY = "big-money"

GAMES = 8000
"""Games of each figure, enough to detect a list that is worse by 1.5 percentage points."""

AGAINST_ITSELF, AGAINST_BIG_MONEY = 0, 1


@dataclass(frozen=True)
class Readable:
    """A simplified strategy, also in words, with a comparison to the original.

    ``against_original`` is its win rate against copies of the original. ``before`` and ``after`` are the win rates of
    the original and the simplified strategy against Big Money. All three are None without a simplification.
    """

    record: Strategy
    wording: BuyOrders
    against_original: Share | None = None
    before: Share | None = None
    after: Share | None = None


def readable(venue: Venue, strategy: Strategy) -> Readable:
    """Return the most readable form of a strategy that is not found to play worse.

    The forms are a simplified buy list, then the simplified strategy, then the strategy itself. Raise UsageError for a
    strategy that is not editable, such as the random player.
    """
    money = baseline(BIG_MONEY, venue.kingdom)
    before = wins_against(venue, strategy, money, GAMES, Purpose.READABLE, AGAINST_BIG_MONEY)
    for record in _simplified_forms(venue, strategy, money):
        against = wins_against(venue, record, strategy, GAMES, Purpose.READABLE, AGAINST_ITSELF)
        after = wins_against(venue, record, money, GAMES, Purpose.READABLE, AGAINST_BIG_MONEY)
        if against.high >= 1.0 / venue.n_seats and after.high >= before.low:
            return Readable(record, describe_buys(record, venue.kingdom), against, before, after)
    return Readable(strategy, describe_buys(strategy, venue.kingdom))


def _simplified_forms(venue: Venue, strategy: Strategy, money: Strategy) -> Iterator[Strategy]:
    """Yield the simplified forms of a strategy, the easiest to read first."""
    rules = editable_model(strategy).as_rules(strategy, venue.kingdom)
    as_list = _as_list(venue, rules) if rules else None
    for form in (as_list, strategy):
        if form is not None:
            yield editable_model(form).simplified(form, venue.kingdom, plays_alike(venue, form, (money, form)))


def _as_list(venue: Venue, rules: tuple[str, ...]) -> Strategy | None:
    """Return a buy list of these rules, or None if they exceed its capacity."""
    try:
        return buy_list_strategy(BuyList(rules, endgame_check=True), venue.kingdom)
    except UsageError:
        return None
