"""Train networks for a kingdom: options of a run, segments between checkpoints, and best responses to strategies.

A *start* is one network of a run. The starts of a run begin with different weights, and only the best are trained to
the end (successive halving). A *segment* is the training of a start between two checkpoints. A *best response* is a
network trained against a fixed strategy. Its win rate is a lower bound of the strategy's exploitability (Timbers et al.
2022, "Approximate exploitability: learning a best response").
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, inf
from typing import Annotated, Any, Self, TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Meta
from msgspec.structs import force_setattr, replace

from evodom.budget import NO_LIMIT, Budget, Monitor
from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.dominion.strategies.baselines import TRAINING_OPPONENTS, baseline_records
from evodom.dominion.strategies.lineup import Lineup
from evodom.dominion.strategies.models.networks.layers import N_WEIGHTS, copy_weights
from evodom.dominion.strategies.models.networks.model import network_strategy, soften, weights_of, with_weights
from evodom.dominion.strategies.models.networks.shipped import usable_weights
from evodom.dominion.strategies.record import Strategy
from evodom.learning.league import N_BEST_LISTS, N_LISTS, SELF_SHARE, League, teachers
from evodom.learning.ppo import Learner, new_weights
from evodom.matches import check_rivals
from evodom.matches.agents import named_rivals
from evodom.matches.seating import Purpose, Use, generator, stream
from evodom.matches.tournament import strongest_baselines, wins_against
from evodom.matches.venue import Venue
from evodom.nn.optimiser import Adam, Schedule, learner_fields
from evodom.options import OptionStruct, option, settings_in
from evodom.reading import convert
from evodom.runs import Generation
from evodom.statistics import Share
from evodom.tasks import Workers

KIND = "train"
"""Value of "kind" in the meta of a learning run."""

GAMES = range(1, 100_000_001)
DEFAULT_GAMES = 300_000

TWO_STARTS_GAMES = 500_000  # Number of games from which a run has two starts by default. With fewer games it has one.
THREE_STARTS_GAMES = 1_000_000  # Number of games from which it has three.

MAX_MINUTES = 1440.0

STARTS = range(10)
"""Allowed numbers of starts. With 0 the number depends on the games. The starts of a run are counted from 0."""


@dataclass(frozen=True)
class TrainEffort:
    """Numbers of a run that no option sets. Tests set smaller numbers.

    Attributes:
        n_checkpoints: number of saved checkpoints after checkpoint 0.
        games_per_iteration: number of games of an iteration.
        min_games_per_iteration: the same, if little time is left.
        ranking_games: number of games of each start against each rival and each other start, for the ranking.
        n_imitation: number of iterations of imitation, with which a new network begins.
        n_lists: number of random buy lists. The best of them are teachers.
        n_best_lists: number of these teachers. The best list with each kingdom card is a teacher too.
        n_list_rivals: number of teachers that are rivals, in addition to the strongest training baselines.
    """

    n_checkpoints: int = 12
    games_per_iteration: int = 512
    min_games_per_iteration: int = 128
    ranking_games: int = 400
    n_imitation: int = 40
    n_lists: int = N_LISTS
    n_best_lists: int = N_BEST_LISTS
    n_list_rivals: int = 2

    def n_alive(self, n_starts: int, checkpoint: int) -> int:
        """Return the number of starts that are trained in the segment before a checkpoint, counted from 1.

        All starts are trained before the first half of the checkpoints. Then two are trained, and only one in the last
        quarter.
        """
        if 2 * checkpoint <= self.n_checkpoints + 1:
            return n_starts
        return min(n_starts, 2) if 4 * checkpoint <= 3 * self.n_checkpoints else 1

    def segments_from(self, n_starts: int, checkpoint: int) -> list[int]:
        """Return the number of segments before each checkpoint from ``checkpoint`` to the last."""
        return [self.n_alive(n_starts, number) for number in range(checkpoint, self.n_checkpoints + 1)]

    def games_each(self, options: "TrainOptions") -> int:
        """Return the number of games of a segment."""
        return max(options.games // sum(self.segments_from(options.n_starts, 1)), 1)


class TrainOptions(OptionStruct, frozen=True):
    """Settings of a learning run, except its seed. Raise UsageError for a value outside its bounds.

    ``games`` is the total of all starts. ``rivals`` names opponents in addition to checkpoints and teachers. ``guests``
    holds the saved content of rivals that are no baselines (`matches.agents`). With ``minutes`` the run has a time
    limit, and ``games`` is an estimate until the run has ended.
    """

    kingdom: Kingdom = FIRST_GAME
    players: Annotated[int, option("--players", "Players at a table.", ge=2, le=6)] = 4
    games: Annotated[int, option("--games", "Number of games.", ge=GAMES.start, le=GAMES.stop - 1)] = DEFAULT_GAMES
    n_starts: Annotated[int, option("--starts", "Number of starts.", ge=0, le=STARTS.stop - 1)] = 0
    rivals: tuple[str, ...] = ()
    guests: tuple[str, ...] = ()
    minutes: Annotated[float, Meta(ge=0, le=MAX_MINUTES)] = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_rivals(self.rivals, self.guests)
        if not self.n_starts:
            n = 1 if self.games < TWO_STARTS_GAMES else 2 if self.games < THREE_STARTS_GAMES else 3
            force_setattr(self, "n_starts", n)

    def to_json(self) -> dict[str, object]:
        """Return the settings as plain JSON types."""
        plain = {"players": self.players, "games": self.games, "n_starts": self.n_starts, "rivals": list(self.rivals)}
        plain |= {"guests": list(self.guests)} | ({"minutes": self.minutes} if self.minutes else {})
        return plain | {"kingdom_name": self.kingdom.name, "kingdom": list(self.kingdom.cards)}

    @classmethod
    def from_json(cls, saved: object) -> Self:
        """Return saved settings. Raise UsageError for unknown or missing entries and for wrong types or sizes."""
        known = settings_in(saved, ("players", "games", "n_starts", "rivals", "kingdom", "kingdom_name"))
        del known["kingdom_name"]
        kingdom = Kingdom(convert(known.pop("kingdom"), tuple[str, ...], source="kingdom"))
        options = replace(convert(known, cls), kingdom=kingdom)
        named_rivals(options.rivals, options.guests, kingdom)
        return options


RESPONSE_ITERATION = 512, 64
"""Number of games in an iteration of a best response, and its minimum if little time is left."""

RESPONSE_SELF_SHARE = 0.25
"""Share of the games of a best response in self-play: all seats learn."""

SAVED_START = np.dtype([("start", "<i4"), *learner_fields(N_WEIGHTS)])
"""A start in a checkpoint: its number, its network and the state of its optimiser."""

SCHEDULE = Schedule(learning_rate=(0.008, 0.001), entropy_bonus=(0.02, 0.003))
FULL_RATE_GAMES = 20_000
"""A start with fewer games begins with a lower learning rate: it has no time to recover from a high rate."""

TrainingMonitor: TypeAlias = Monitor[[int, Mapping[str, float]]]
"""Monitor that receives the number of games and the figures after each iteration, and can then stop the training."""


@dataclass(frozen=True)
class TrainingSegment:
    """The training of a network without interruption.

    Attributes:
        sequence: the seed of all random numbers.
        saved_start: the initial network, a record of SAVED_START.
        past: opponents that are earlier checkpoints.
        rivals: all other opponents.
        n_games: approximate number of games, or None if the segment ends with its budget.
        games_per_iteration: number of games of an iteration.
        min_games_per_iteration: if little time is left, an iteration is shortened to a multiple of this number.
        has_equal_iterations: True to split ``n_games`` into equal iterations of at most ``games_per_iteration``.
        self_share: share of the games in which all seats learn.
        phase: number of segments before this segment, and number of all segments of the schedule.
    """

    kingdom: Kingdom
    n_seats: int
    sequence: np.random.SeedSequence
    saved_start: Any
    past: Sequence[Strategy]
    rivals: Sequence[Strategy]
    n_games: float | None
    games_per_iteration: int
    min_games_per_iteration: int
    has_equal_iterations: bool = False
    self_share: float = SELF_SHARE
    schedule: Schedule = SCHEDULE
    phase: tuple[int, int] = (0, 1)

    def train(self, workers: Workers | None, monitor: TrainingMonitor, budget: Budget = NO_LIMIT) -> tuple[Any, int]:
        """Return the SAVED_START after training, and the number of games.

        Training ends after ``n_games`` games or with the budget. The learning rate falls with the games or the time.
        Raise Cancelled if the monitor stops the training.
        """
        saved_start, rng = self.saved_start.copy(), generator(self.sequence)
        weights = copy_weights(saved_start["weights"])
        learner = Learner(self.kingdom, weights, Adam.restored(saved_start), workers)
        league = League(self.n_seats, self.past, self.rivals, self.self_share)
        played, share_done, (n_before, n_segments) = 0, 0.0, self.phase
        while share_done < 1.0:
            learning_rate, entropy_bonus = self.schedule.at((n_before + share_done) / n_segments)
            n_games = self.games_per_iteration
            if self.has_equal_iterations:
                n_games = _games_of_equal_iteration(int(self.n_games or 0) - played, n_games)
            games = league.play(learner, budget.next_portion(played, self.min_games_per_iteration, n_games), rng)
            figures = learner.improve(games, rng, learning_rate, entropy_bonus)
            played += len(games.tables)
            figures |= {"share": float(league.rival_win_rates.mean()), "start": int(saved_start["start"])}
            monitor.on_progress(len(games.tables), figures | {"checkpoint": n_before + 1})
            share_done = max(played / self.n_games if self.n_games else 0.0, budget.share_spent)
            monitor.check()
        learner.adam.save(weights, saved_start)
        return saved_start, played


def measure_best_response(
    venue: Venue, initial: Strategy, rivals: Sequence[Strategy], n_games: int, n_match_games: int
) -> tuple[Strategy, Share]:
    """Train a network that begins as ``initial`` against rivals. Return it, and its win rate against the first rival.

    Training takes about ``n_games`` games. ``n_match_games`` games measure the win rate. Both results depend only
    on the venue's seed, not on the number of threads.
    """
    response = train_best_response(venue, initial, rivals, n_games, venue.stream(Purpose.BEST_RESPONSE))
    return response, wins_against(venue, response, rivals[0], n_match_games, Purpose.BEST_RESPONSE)


def train_best_response(
    venue: Venue,
    initial: Strategy,
    rivals: Sequence[Strategy],
    n_games: float,
    sequence: np.random.SeedSequence,
    iteration: tuple[int, int] = RESPONSE_ITERATION,
) -> Strategy:
    """Train a network that begins as ``initial`` against the rivals and itself. Return its record.

    Training ends after ``n_games`` games, or if the venue's budget is over.
    """
    saved_start = np.zeros(1, SAVED_START)[0]
    saved_start["weights"] = weights_of(initial)
    segment = TrainingSegment(
        venue.kingdom,
        venue.n_seats,
        sequence,
        saved_start,
        past=(),
        rivals=rivals,
        n_games=None if n_games == inf else n_games,
        games_per_iteration=iteration[0],
        min_games_per_iteration=iteration[1],
        self_share=RESPONSE_SELF_SHARE,
    )
    trained, _ = segment.train(venue.workers, Monitor(lambda n, _: venue.on_games(n)), venue.budget)
    return with_weights(initial, trained["weights"])


def train_best_responses(
    venue: Venue,
    initial_and_stream: Sequence[tuple[Strategy, np.random.SeedSequence]],
    rivals: Sequence[Strategy],
    n_games: float,
    iteration: tuple[int, int] = RESPONSE_ITERATION,
) -> list[Strategy]:
    """Return the result of `train_best_response` for each initial strategy and stream. All share the venue's budget."""
    venues = venue.divided([1.0] * len(initial_and_stream))
    return [
        train_best_response(part, initial, rivals, n_games, sequence, iteration)
        for (initial, sequence), part in zip(initial_and_stream, venues, strict=True)
    ]


def _games_of_equal_iteration(n_games: int, games_per_iteration: int) -> int:
    """Return the number of games of an iteration, if ``n_games`` are divided into the fewest equal iterations."""
    return ceil(n_games / ceil(n_games / games_per_iteration))


N_PAST = 8
IMITATION_RATE = 0.005

LEARNING_SHARE = 0.85
"""Share of a checkpoint's time for learning, if time is limited. The rest is for ranking the starts."""

FIRST_SHARE = 0.15
"""Maximum share of a limited time for checkpoint 0."""

_INITIAL, _LISTS, _SEGMENTS, _RANKING = range(4)
"""Numbers of random streams."""

_EACH_OTHER = 99
"""Stream number of games between the starts. Games against rivals have the rival's number."""


class Training:
    """The training of a run. `first` returns checkpoint 0, `following` the next checkpoint.

    The missing checkpoints share the ``budget``.
    """

    def __init__(
        self,
        options: TrainOptions,
        seed: int,
        workers: Workers | None = None,
        budget: Budget = NO_LIMIT,
        effort: TrainEffort = TrainEffort(),
    ) -> None:
        self.options, self.seed, self.workers, self._budget, self._effort = options, seed, workers, budget, effort
        self._venue = Venue(options.kingdom, options.players, seed, Use.LEARNING, workers)
        self._teachers = teachers(self._venue, stream(seed, Use.LEARNING, _LISTS), effort.n_lists, effort.n_best_lists)
        named = named_rivals(options.rivals, options.guests, options.kingdom)
        strongest = strongest_baselines(options.kingdom, options.players, among=TRAINING_OPPONENTS)
        self.rivals = [
            *named,
            *self._teachers[: effort.n_list_rivals],
            *baseline_records(strongest, options.kingdom),
        ]

    def first(self) -> Generation:
        """Return checkpoint 0, the starts before reinforcement learning."""
        starts, budget = np.zeros(self.options.n_starts, SAVED_START), self._budget.part(FIRST_SHARE)
        for number, part in enumerate(budget.part(LEARNING_SHARE).divided([1.0] * len(starts))):
            starts[number]["start"] = number
            starts[number]["weights"] = self._initial(number, part)
        return self._ranked(0, starts, {"games": 0}, budget)

    def following(self, saved: Sequence[Generation], monitor: TrainingMonitor) -> Generation:
        """Return the checkpoint after the ``saved`` checkpoints. Raise Cancelled if the monitor stops the training."""
        last, index = saved[-1], len(saved)
        n, *later = self._effort.segments_from(self.options.n_starts, index)
        budget = self._budget.part(n / (n + sum(later)))
        alive = last.genomes[sorted(int(place) for place in last.ranking[:n])]
        parts = budget.part(LEARNING_SHARE).divided([1.0] * len(alive))
        learned = [
            self._segment(start, saved, alive).train(self.workers, monitor, part)
            for start, part in zip(alive, parts, strict=True)
        ]
        n_games = int(last.summary["games"]) + sum(n for _, n in learned)
        return self._ranked(index, np.array([start for start, _ in learned], SAVED_START), {"games": n_games}, budget)

    def _segment(self, saved_start: Any, saved: Sequence[Generation], alive: npt.NDArray[Any]) -> TrainingSegment:
        """Return the segment of a start after the ``saved`` checkpoints. All other starts in ``alive`` are rivals."""
        effort = self._effort
        options, index, start = self.options, len(saved), int(saved_start["start"])
        past = [one for checkpoint in saved[-N_PAST:] for one in checkpoint.genomes if one["start"] == start]
        others = [other for other in alive if other["start"] != start]
        sequence = stream(self.seed, Use.LEARNING, _SEGMENTS, index, start)
        games_each = effort.games_each(options)
        schedule = SCHEDULE.with_lower_start(min(games_each * effort.n_checkpoints / FULL_RATE_GAMES, 1.0))
        return TrainingSegment(
            options.kingdom,
            options.players,
            sequence,
            saved_start,
            past=network_records(past, options.kingdom),
            rivals=[*self.rivals, *network_records(others, options.kingdom)],
            n_games=None if options.minutes else games_each,
            games_per_iteration=effort.games_per_iteration,
            min_games_per_iteration=effort.min_games_per_iteration,
            has_equal_iterations=not options.minutes,
            schedule=schedule,
            phase=(index - 1, effort.n_checkpoints),
        )

    def _initial(self, number: int, budget: Budget) -> npt.NDArray[np.float32]:
        """Return a start's initial network. Start 0 has the shipped network, softened. Others imitate teachers."""
        shipped = usable_weights(self.options.kingdom)
        if number == 0 and shipped is not None:
            soften(shipped)
            return shipped
        rng = generator(stream(self.seed, Use.LEARNING, _INITIAL, number))
        weights = new_weights(rng)
        learner = Learner(self.options.kingdom, weights, Adam.of(weights), self.workers)
        # Each start imitates a random half of the teachers, so that the starts differ.
        own_teachers = self._teachers[rng.permutation(len(self._teachers))[: (len(self._teachers) + 1) // 2]]
        n_games = self._effort.games_per_iteration
        for _ in range(self._effort.n_imitation):
            if budget.is_over:
                break
            tables = rng.integers(len(own_teachers), size=(n_games, self.options.players)).astype(np.int32)
            games = learner.collect_demonstrations(
                Lineup(own_teachers), tables, rng.integers(2**64, size=n_games, dtype=np.uint64)
            )
            learner.imitate(games, rng, IMITATION_RATE)
        return weights

    def _ranked(
        self, index: int, starts: npt.NDArray[Any], summary: dict[str, Any], budget: Budget = NO_LIMIT
    ) -> Generation:
        """Return a checkpoint. Its starts are ranked by their win rates against the rivals and each other."""
        records = network_records(starts, self.options.kingdom)
        venues = self._venue.within(budget).divided([1.0] * (len(starts) * (len(self.rivals) + len(starts) - 1)))
        shares = np.zeros((len(starts), len(self.rivals)))
        means = np.zeros(len(starts))
        for place, record in enumerate(records):
            for number, rival in enumerate(self.rivals):
                shares[place, number] = self._win_rate(next(venues), record, rival, index, number)
            others = [other for other in records if other is not record]
            against = [self._win_rate(next(venues), record, other, index, _EACH_OTHER) for other in others]
            # Any good network beats the rivals. So the other starts together have the weight of all rivals together.
            means[place] = shares[place].mean() + (np.mean(against) if against else 0.0)
        ranking = np.argsort(-means, kind="stable").astype(np.int32)
        best = int(ranking[0])
        figures = {
            "shares": [float(share) for share in shares[best]],
            "starts": [int(start["start"]) for start in starts],
        }
        return Generation(index, starts, ranking, summary | figures)

    def _win_rate(self, venue: Venue, one: Any, other: Any, index: int, number: int) -> float:
        return wins_against(venue, one, other, self._effort.ranking_games, _RANKING, index, number).share


def network_records(starts: Sequence[Any] | npt.NDArray[Any], kingdom: Kingdom) -> list[Strategy]:
    """Return the networks of SAVED_START records as strategies for a kingdom."""
    return [network_strategy(start["weights"], kingdom) for start in starts]


TRIAL_GAMES = 512
MIN_GAMES = 2_000
ROUND_TO = 1_000
PLAYING_SHARE = 0.85
"""Share of the time for games and learning. The rest is for the teachers and the ranking."""


def estimate_n_games(
    seconds: float, kingdom: Kingdom, n_seats: int, workers: Workers | None, trial_games: int = TRIAL_GAMES
) -> int:
    """Play a trial, and return the approximate number of games that training plays in ``seconds``."""
    shipped = usable_weights(kingdom)
    rng = np.random.default_rng(0)
    weights = new_weights(rng) if shipped is None else shipped.copy()
    learner = Learner(kingdom, weights, Adam.of(weights), workers)
    league = League(n_seats, (), ())
    speed = 0.0
    for _ in range(3):  # the first round includes compile time
        began = time.perf_counter()
        games = league.play(learner, trial_games, rng)
        learner.improve(games, rng, 0.0, 0.0)
        speed = len(games.tables) / (time.perf_counter() - began)
    n = int(PLAYING_SHARE * speed * seconds) // ROUND_TO * ROUND_TO
    return min(max(n, MIN_GAMES), GAMES.stop - 1)
