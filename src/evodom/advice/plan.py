"""Find a plan for people: a buy list that wins as often as possible against an answer and other strategies.

`find_plan` has four steps:

1. Distil the gains of the answer into buy lists (`buy_lists.induction`). Draw decks of the grammar of evolution, and
   improve them.
2. Select the best lists by matches. Evolved lists and baselines take part too.
3. Improve the selected lists by local search on matches (`evolution.local_search`).
4. Remove rules, limits and conditions that win nothing.

The opponents are the answer, the hardest baseline and the hardest champion. They are chosen again after each stage.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import cycle

import numpy as np
import numpy.typing as npt

from evodom.advice.stages import Stages
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.base import BUY_LIST, Genomes
from evodom.dominion.strategies.baselines import (
    BUY_LIST_BASELINES,
    baseline_buy_list,
    baseline_records,
    fitting_baselines,
)
from evodom.dominion.strategies.breeding import Breeding
from evodom.dominion.strategies.lineup import Lineup
from evodom.dominion.strategies.models.buy_lists.genetics import GENOME, genome_of, without_one_rule
from evodom.dominion.strategies.models.buy_lists.induction import ListInduction
from evodom.dominion.strategies.models.buy_lists.language import at_full_piles
from evodom.dominion.strategies.models.buy_lists.model import MODEL
from evodom.dominion.strategies.operators import merge_changes
from evodom.dominion.strategies.record import Strategy, strategies_of
from evodom.dominion.strategies.registry import genetics_of, was_learned
from evodom.evolution.archive import Archive
from evodom.evolution.cells import best_of_cells, cells_of
from evodom.evolution.grammar import random_decks
from evodom.evolution.local_search import MAX_PRUNED_LOSS, SHORT_ROUND, paired_differences, search_round, with_margins
from evodom.evolution.proposals import Proposals
from evodom.evolution.ranking import Opponents
from evodom.evolution.runs import generation_of
from evodom.learning.habits import gain_decisions, teacher_games
from evodom.matches.gains import gain_statistics, imitations
from evodom.matches.results import Tally
from evodom.matches.seating import Purpose, game_seeds, generator, whole_rounds
from evodom.matches.tournament import games_against, shares_within_budget
from evodom.matches.venue import Venue
from evodom.runs import Run

ANSWER_WEIGHT = 0.6  # Weight of the win rate against the answer.
BASELINE_WEIGHT, CHAMPION_WEIGHT = 0.2, 0.2  # The same for the hardest baseline, and for the hardest champion.

N_LISTS_PER_RUN = 8
"""Number of evolved lists of each run that take part in the selection."""

N_IMITATIONS = 8
"""Number of lists that imitate the answer's mean gains: one list without changes, and lists with random changes."""

DAGGER_EVERY = 3  # Each third induced list plays games in which the answer rates the choices (DAgger).
DAGGER_GAMES = 40  # Number of these games. Their decisions join the data of the next inductions.

SELECTION = ((32, 3), (128, 3), (512, 1))
"""Rounds of the selection: the games of each list, and a number n. The best 1/n of the lists are kept."""

DECK_GAMES = 24  # Number of games of each deck of the grammar against the answer.
DECK_ROUNDS = 8  # Number of rounds of local search for each of the best decks.

MIN_GAMES = 4
"""Minimum number of games of a list against an opponent."""

INDUCTION_SHARE = 0.4  # No induction begins after this share of the stage `first_lists`.
DECKS_SHARE = 0.8  # No round of local search of a deck begins after this share.

MAX_PLAN_RULES = 14

MAX_TRIED_LOSS = 0.01
"""A part is kept without further games if its removal loses more win rate than this in the first games."""

MAX_PRUNING_PASSES = 3

PRUNING_SHARE = 0.25  # Maximum share of the remaining time for pruning that one comparison takes.
MIN_PRUNING_GAMES = 8  # Minimum number of games of each list in a comparison.


def buy_list_genomes(runs: Sequence[Run], n_generations: int) -> Genomes:
    """Return the best genomes of all runs of buy lists after ``n_generations``. The array may be empty.

    Each run has N_LISTS_PER_RUN genomes. The genomes under local search (`archive.Line`) come first, the strongest
    first. The best genomes of the ranking follow.
    """
    found = [np.zeros(0, GENOME)]
    for run in runs:
        generation = generation_of(run, n_generations - 1)
        if generation.genomes.dtype == GENOME:
            archive = Archive.of(generation.summary)
            numbers = dict.fromkeys([*archive.by_strength(), *generation.ranking.tolist()])
            found.append(generation.genomes[list(numbers)[:N_LISTS_PER_RUN]])
    return np.concatenate(found)


def find_plan(
    venue: Venue, answer: Strategy, champions: Sequence[Strategy], evolved_lists: Genomes, stages: Stages
) -> Strategy:
    """Return the best buy list for people. ``evolved_lists`` are genomes of buy lists, best first.

    The opponents are the answer, the hardest of ``champions``, and the hardest of the kingdom's baselines.
    """
    breeding = Breeding(model=BUY_LIST, kingdom=venue.kingdom)
    search = _PlanSearch(venue, answer, champions, breeding, stages)
    beginning = venue.part(stages.first_lists.share)
    lists = [
        *search.first_lists(beginning),
        *search.decks(beginning),
        *(evolved_lists[[place]] for place in range(len(evolved_lists))),
    ]
    lists += [baseline_genome(name, venue.kingdom, venue.n_seats) for name in baselines_of(venue.kingdom)]
    lists = search.select(beginning, lists)
    lists = search.improve(venue.part(stages.improvement.share), lists)
    return MODEL.reachable(strategies_of(search.prune(venue, lists[0]), breeding)[0], venue.kingdom)


def baseline_genome(name: str, kingdom: Kingdom, n_seats: int) -> Genomes:
    """Return the genome of a baseline for ``n_seats`` players, as an array of one."""
    return genome_of(at_full_piles(baseline_buy_list(name).rules, kingdom, n_seats), kingdom)


def baselines_of(kingdom: Kingdom) -> list[str]:
    """Return the names of the baselines of a kingdom without the random player."""
    return [name for name in fitting_baselines(kingdom) if name in BUY_LIST_BASELINES]


def baseline_opponents(kingdom: Kingdom) -> list[Strategy]:
    """Return the baselines of a kingdom without the random player."""
    return list(baseline_records(baselines_of(kingdom), kingdom))


@dataclass
class _PlanSearch:
    """The steps of `find_plan`, with their random stream and the mean time of a game."""

    venue: Venue
    answer: Strategy
    champions: Sequence[Strategy]
    breeding: Breeding
    stages: Stages

    def __post_init__(self) -> None:
        self.effort, self._proposals = self.stages.plan_effort, Proposals(self.breeding)
        self._stream = self.venue.stream(Purpose.LIST, 1)
        self._seconds, self._games = 0.0, 0

    def first_lists(self, venue: Venue) -> Iterator[Genomes]:
        """Yield lists that imitate the answer: first its statistics of gains, then inductions from its decisions."""
        answer, kingdom = self.answer, venue.kingdom
        seeds = generator(self._next_stream()).integers(2**64, size=self.effort.self_play_games, dtype=np.uint64)
        games, rng = teacher_games(venue, answer, seeds), generator(self._next_stream())
        plans = imitations(gain_statistics(venue, answer, seeds), N_IMITATIONS, kingdom, rng)
        lists = genetics_of(BUY_LIST).from_plans(plans, self.breeding, rng)
        yield from (lists[[place]] for place in range(len(lists)))
        decisions = gain_decisions(games, answer)
        for number in range(self.effort.n_inductions):
            if venue.budget.share_spent > INDUCTION_SHARE:
                break
            found = ListInduction(decisions, kingdom, generator(self._next_stream())).run(self.effort.n_steps)
            yield found
            if was_learned(answer) and number % DAGGER_EVERY == 0:
                (record,) = strategies_of(found, self.breeding)
                new = teacher_games(venue, record, game_seeds(self._next_stream(), DAGGER_GAMES))
                decisions = decisions.joined(gain_decisions(new, answer))

    def decks(self, venue: Venue) -> list[Genomes]:
        """Return decks of the grammar: the best deck of each cell against the answer, after a short local search.

        Without local search, decks of Actions are much weaker than imitations of the answer.
        """
        n, games, n_searched = self.effort.n_decks, whole_rounds(DECK_GAMES, venue.n_seats), self.effort.n_searched
        genomes, tally = random_decks(n, self.breeding, generator(self._next_stream())), Tally()
        players = Lineup.of(strategies_of(genomes, self.breeding), [self.answer])
        play = tally.counting(partial(venue.play, players))
        shares, margins = games_against(
            play, np.arange(n), np.full(games, n), venue.n_seats, game_seeds(self._next_stream(), games)
        )
        order = np.argsort(-with_margins(shares, margins).mean(axis=1), kind="stable")
        cells = cells_of(tally.owned[:n] / tally.seats[:n, None], venue.kingdom)
        opponents = Opponents(Lineup.of([self.answer]), np.ones(1))
        decks = [genomes[[place]] for place in best_of_cells(order.tolist(), cells)[:n_searched]]
        for turn in range(DECK_ROUNDS * len(decks)):
            if venue.budget.share_spent > DECKS_SHARE:
                break
            place, stream = turn % len(decks), self._next_stream()
            decks[place] = search_round(decks[place], opponents, self._proposals, venue, stream, SHORT_ROUND).genome
        return decks

    def select(self, venue: Venue, lists: list[Genomes]) -> list[Genomes]:
        """Return the best lists, best first. In each round of SELECTION fewer lists play more games."""
        opponents = self._hardest_opponents(venue.part(self.stages.plan_opponents.share), lists[0])
        for part, (games, divisor) in zip(venue.divided([1.0] * len(SELECTION)), SELECTION, strict=True):
            order = np.argsort(-self._win_rates(part, lists, opponents, games), kind="stable")
            n_staying = max(len(lists) // divisor, self.effort.rounds[0][0])
            lists = [lists[place] for place in order[:n_staying]]
        return lists

    def improve(self, venue: Venue, lists: list[Genomes]) -> list[Genomes]:
        """Improve lists by the stages of local search. Return the lists of the last stage, best first."""
        stages = self.effort.rounds
        weights = [float(n * rounds) for n, rounds in stages]
        for part, (n, rounds) in zip(venue.divided(weights), stages, strict=True):
            lists = lists[:n]
            opponents = self._hardest_opponents(part.part(self.stages.plan_opponents.share), lists[0])
            for place in self._places_in_turn(part.part(1.0 - self.stages.plan_opponents.share), len(lists), rounds):
                stream, stages_of_round = self._next_stream(), self.effort.round_stages
                found = search_round(lists[place], opponents, self._proposals, part, stream, stages_of_round)
                lists[place] = found.genome
            opponents = self._hardest_opponents(part.part(0.5), lists[0])
            order = np.argsort(-self._win_rates(part, lists, opponents, SELECTION[-1][0]), kind="stable")
            lists = [lists[place] for place in order]
        return lists

    def _places_in_turn(self, venue: Venue, n_lists: int, rounds: int) -> Iterator[int]:
        """Yield the indices of the lists in turn, ``rounds`` times. With a time limit, end when no other round fits."""
        if not venue.budget.is_limited:
            yield from list(range(n_lists)) * rounds
            return
        games = sum((1 + stage.n_candidates) * stage.games for stage in self.effort.round_stages)
        for place in cycle(range(n_lists)):
            if venue.budget.seconds_left <= games * self._seconds_per_game:
                return
            yield place

    @property
    def _seconds_per_game(self) -> float:
        """The mean time of a game so far, or 0 without a time limit."""
        return self._seconds / max(self._games, 1)

    def prune(self, venue: Venue, genome: Genomes) -> Genomes:
        """Return a list without parts of little effect, and with at most MAX_PLAN_RULES rules.

        Each part is removed alone, and all these lists play the same games. Then the parts are removed one after
        another, the smallest loss first. A part stays removed if this loses at most MAX_PRUNED_LOSS in new games.
        """
        opponents = self._hardest_opponents(venue.part(self.stages.plan_opponents.share), genome)
        for _ in range(MAX_PRUNING_PASSES):
            before = genome
            copies = genetics_of(BUY_LIST).without_one_part(genome, self.breeding)
            losses = self._losses(venue, genome, copies, opponents, self.effort.prune_games // 4)
            for place in np.argsort(losses, kind="stable"):
                shorter = merge_changes(before, copies[place : place + 1], onto=genome)
                if losses[place] > MAX_TRIED_LOSS or venue.budget.is_over:
                    break
                if self._losses(venue, genome, shorter, opponents, self.effort.prune_games)[0] <= MAX_PRUNED_LOSS:
                    genome = shorter
            if genome == before or venue.budget.is_over:
                break
        return self._with_few_rules(venue, genome, opponents)

    def _with_few_rules(self, venue: Venue, genome: Genomes, opponents: Opponents) -> Genomes:
        """Return a list with at most MAX_PLAN_RULES rules: those whose removal loses least are removed."""
        while (genome["at_most"][0] > 0).sum() > MAX_PLAN_RULES:
            shorter = without_one_rule(genome)
            best = int(self._losses(venue, genome, shorter, opponents, self.effort.prune_games // 4).argmin())
            genome = shorter[best : best + 1]
        return genome

    def _losses(
        self, venue: Venue, genome: Genomes, changed: Genomes, opponents: Opponents, games: int
    ) -> npt.NDArray[np.float64]:
        """Return the loss in win rate of each changed list. If little time is left, fewer games are played."""
        if venue.budget.is_limited:
            affordable = venue.budget.seconds_left / max(self._seconds_per_game * (1 + len(changed)), 1e-9)
            games = int(min(games, max(PRUNING_SHARE * affordable, MIN_PRUNING_GAMES)))
        found = paired_differences(genome, changed, opponents, self.breeding, venue, self._next_stream(), max(games, 1))
        losses: npt.NDArray[np.float64] = -found.mean(axis=1)
        return losses

    def _hardest_opponents(self, venue: Venue, genome: Genomes) -> Opponents:
        """Return three opponents of a list: the answer, its hardest baseline and its hardest champion."""
        groups = [(baseline_opponents(venue.kingdom), BASELINE_WEIGHT), (self.champions, CHAMPION_WEIGHT)]
        chosen, weights = [self.answer], [ANSWER_WEIGHT]
        for part, (strategies, weight) in zip(venue.divided([1.0] * len(groups)), groups, strict=True):
            if len(strategies):
                wins = self._shares_against(part, genome, strategies, self.stages.plan_opponents.fixed).mean(axis=2)[0]
                chosen.append(strategies[int(wins.argmin())])
                weights.append(weight)
        return Opponents(Lineup.of(chosen), np.array(weights) / sum(weights))

    def _win_rates(
        self, venue: Venue, lists: Sequence[Genomes], opponents: Opponents, games: int
    ) -> npt.NDArray[np.float64]:
        """Return the weighted win rate of each list, with common random numbers."""
        n = -(-games // len(opponents.strategies))
        shares = self._shares_against(venue, np.concatenate(lists), opponents.strategies, n)
        rates: npt.NDArray[np.float64] = shares.mean(axis=2) @ opponents.weights
        return rates

    def _shares_against(
        self, venue: Venue, genomes: Genomes, strategies: Lineup | Sequence[Strategy], games: int
    ) -> npt.NDArray[np.float64]:
        """Return each list's share of the win in each game against each strategy, (n_lists, n_strategies, n_games).

        If time is limited, fewer games may be played, at least MIN_GAMES.
        """
        players = Lineup.of(strategies_of(genomes, self.breeding), strategies)
        numbers, n_seats = np.arange(len(players)), venue.n_seats
        seeds = game_seeds(self._next_stream(), len(strategies), whole_rounds(games, n_seats))
        pairs = numbers[: len(genomes)], numbers[len(genomes) :]
        before = venue.budget.seconds_spent
        shares = shares_within_budget(venue, players, pairs, seeds, whole_rounds(MIN_GAMES, n_seats))
        self._seconds += venue.budget.seconds_spent - before
        self._games += shares.size
        return shares

    def _next_stream(self) -> np.random.SeedSequence:
        """Return the next random stream."""
        return self._stream.spawn(1)[0]
