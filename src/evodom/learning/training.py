"""Training under a key: several starts learn side by side, the better ones go on, and every checkpoint is saved.

A checkpoint follows from the one before it, the settings and the seed: a run that was stopped goes on as if it had not.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.budget import NO_LIMIT, Budget
from evodom.dominion.strategies.baselines import TEACHERS, baseline_records
from evodom.dominion.strategies.model import Strategies
from evodom.dominion.strategies.networks.records import network_record
from evodom.dominion.strategies.record import STRATEGY
from evodom.learning.adam import Adam
from evodom.learning.learner import Learner, new_weights
from evodom.learning.lessons import GAMES, MEMBER, Lesson, Watcher, learn_all
from evodom.learning.options import TrainOptions
from evodom.learning.shipped import preferred_weights
from evodom.learning.teachers import teachers
from evodom.matches.evaluate import strongest_baselines, wins_against
from evodom.matches.streams import Use, generator, stream
from evodom.matches.venue import Venue
from evodom.runs import Generation
from evodom.tasks import Workers

N_PAST = 8
N_LISTS_MET = 2
"""So many of the random lists that teach are rivals, beside the strongest baselines that teach."""

N_IMITATION = 40
"""Iterations of imitating the teachers that begin a start from nothing."""

IMITATION_RATE = 0.005

LEARNING_SHARE = 0.85
"""The share of a checkpoint's time for learning, where time is limited; the rest is for ranking the starts."""

FIRST_SHARE = 0.15
"""At most this share of a limited time goes into checkpoint 0."""

JUDGING_GAMES = 400
"""Games of each start against each rival, and each other start, that rank the starts."""

_INITIAL, _LISTS, _, _JUDGE = range(4)
"""The numbers of the streams; between them is LEARN of the lessons."""

_EACH_OTHER = 99
"""The number of the stream in which the starts meet each other, beside those of the rivals."""


class Training:
    """The learning of one run: `first` makes the first checkpoint, `following` each one after it.

    ``guests`` are further rivals, STRATEGY records for this kingdom. The checkpoints that are still missing share the
    ``budget``.
    """

    def __init__(
        self,
        options: TrainOptions,
        seed: int,
        workers: Workers | None = None,
        guests: Sequence[Any] = (),
        budget: Budget = NO_LIMIT,
    ) -> None:
        self.options, self.seed, self.workers, self._budget = options, seed, workers, budget
        self._venue = Venue(options.kingdom, options.players, seed, Use.LEARNING, workers)
        self._lists = teachers(self._venue, stream(seed, Use.LEARNING, _LISTS))
        strongest = strongest_baselines(options.kingdom, options.players, among=TEACHERS)
        self.rivals = [*guests, *self._lists[:N_LISTS_MET], *baseline_records(strongest, options.kingdom)]

    def first(self) -> Generation:
        """Return checkpoint 0: the starts before they have learned anything by themselves."""
        members, budget = np.zeros(self.options.n_starts, MEMBER), self._budget.part(FIRST_SHARE)
        for number, part in enumerate(budget.part(LEARNING_SHARE).divided([1.0] * len(members))):
            members[number]["start"] = number
            members[number]["weights"] = self._initial(number, part)
        return self._judged(0, members, {"games": 0}, budget)

    def following(self, saved: Sequence[Generation], watcher: Watcher) -> Generation:
        """Return the checkpoint after those saved; raises StopAsked if the watcher says so."""
        last, index = saved[-1], len(saved)
        n, *later = self.options.lessons_from(index)
        budget = self._budget.part(n / (n + sum(later)))
        alive = last.genomes[sorted(int(place) for place in last.ranking[:n])]
        lessons = [self._lesson(member, saved, alive) for member in alive]
        learned = learn_all(lessons, self.workers, watcher, budget.part(LEARNING_SHARE))
        n_games = int(last.summary["games"]) + sum(n for _, n in learned)
        return self._judged(index, np.array([member for member, _ in learned], MEMBER), {"games": n_games}, budget)

    def _lesson(self, member: Any, saved: Sequence[Generation], alive: npt.NDArray[Any]) -> Lesson:
        """Return what a start, of those that are ``alive``, is to learn after the checkpoints ``saved``."""
        past = [_member(one, int(member["start"])) for one in saved[-N_PAST:]]
        others = [other for other in alive if other["start"] != member["start"]]
        met = self._records([one for one in past if one is not None]), [*self.rivals, *self._records(others)]
        return Lesson(self.options, self.seed, len(saved), member, *met)

    def _initial(self, number: int, budget: Budget) -> npt.NDArray[np.float32]:
        """Return the network that a start begins with: the first that of all kingdoms, others imitate teachers."""
        shipped = preferred_weights(self.options.kingdom)
        if number == 0 and shipped is not None:
            return shipped
        rng = generator(stream(self.seed, Use.LEARNING, _INITIAL, number))
        weights = new_weights(rng)
        learner = Learner(self.options.kingdom, weights, Adam.of(weights), self.workers)
        # Half of the teachers each, so that the starts begin in different places.
        lists = self._lists[rng.permutation(len(self._lists))[: (len(self._lists) + 1) // 2]]
        for _ in range(N_IMITATION):
            if budget.is_over:
                break
            tables = rng.integers(len(lists), size=(GAMES, self.options.players)).astype(np.int32)
            games = learner.watch(self.options.players, lists, tables, rng.integers(2**64, size=GAMES, dtype=np.uint64))
            learner.imitate(games, rng, IMITATION_RATE)
        return weights

    def _judged(
        self, index: int, members: npt.NDArray[Any], summary: dict[str, Any], budget: Budget = NO_LIMIT
    ) -> Generation:
        """Return a checkpoint with its starts ranked by what they win against the rivals and each other."""
        records = self._records(members)
        venues = self._venue.within(budget).divided([1.0] * (len(members) * (len(self.rivals) + len(members) - 1)))
        shares = np.zeros((len(members), len(self.rivals)))
        means = np.zeros(len(members))
        for place, record in enumerate(records):
            for number, rival in enumerate(self.rivals):
                shares[place, number] = _share(next(venues), record, rival, index, number)
            others = [other for other in records if other is not record]
            against = [_share(next(venues), record, other, index, _EACH_OTHER) for other in others]
            # Against each other counts as much as against all rivals: those are beaten by whoever plays well.
            means[place] = shares[place].mean() + (np.mean(against) if against else 0.0)
        ranking = np.argsort(-means, kind="stable").astype(np.int32)
        best = int(ranking[0])
        told = {"shares": [float(share) for share in shares[best]], "starts": [int(one["start"]) for one in members]}
        return Generation(index, members, ranking, summary | told)

    def _records(self, members: Sequence[Any] | npt.NDArray[Any]) -> list[Any]:
        return list(network_records([np.array(member["weights"]) for member in members], self.options))


def _share(venue: Venue, one: Any, other: Any, index: int, number: int) -> float:
    return wins_against(venue, one, other, JUDGING_GAMES, _JUDGE, index, number).share


def network_records(networks: Sequence[npt.NDArray[np.float32]], options: TrainOptions) -> Strategies:
    """Return networks for a run's kingdom as STRATEGY records."""
    return np.array([network_record(weights, options.kingdom) for weights in networks], STRATEGY)


def _member(checkpoint: Generation, start: int) -> Any:
    """Return a start as it was at a checkpoint."""
    return next((member for member in checkpoint.genomes if member["start"] == start), None)
