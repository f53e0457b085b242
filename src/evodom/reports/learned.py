"""The report of a run of learning: what its best network does, what it wins, and how it learned."""

from dataclasses import asdict, dataclass
from typing import Any

from evodom.dominion.strategies.base import Strategy
from evodom.dominion.strategies.baselines import JUDGES, baseline, missing_cards
from evodom.learning.habits import Habits, habits, own_games
from evodom.learning.run import learned, options_of, summaries_of
from evodom.learning.training import TrainOptions
from evodom.matches.seating import Figure, whole_rounds
from evodom.matches.tournament import OpeningBuys, openings, wins_against
from evodom.matches.venue import Venue
from evodom.reports.cached import Attack
from evodom.reports.census import ByTurn, by_turn
from evodom.runs import Run, seed_of, shown_settings
from evodom.statistics import Share


@dataclass(frozen=True)
class CheckpointResult:
    """A checkpoint: games played so far, and the mean share of wins of its best start against the rivals."""

    games: int
    share: float
    n_starts: int


@dataclass(frozen=True)
class LearnedReport:
    """What is told of a run of learning.

    ``judges`` are baselines, none of which teaches; it met those of ``met`` all the same, as rivals that were named.
    ``attack`` is what a learner reached that was set on it. ``turns`` are those of its games against itself.
    """

    key: str
    seed: int
    options: TrainOptions
    stages: tuple[CheckpointResult, ...]
    judges: dict[str, Share]
    met: tuple[str, ...]
    attack: Attack | None
    openings: list[OpeningBuys]
    habits: Habits
    turns: ByTurn
    command: str

    def to_json(self) -> dict[str, Any]:
        """Return the report as plain JSON types."""
        return asdict(self) | {"options": shown_settings(self.options.to_json())}


@dataclass(frozen=True)
class TrainedRun:
    """What a report reads from a run of learning: its checkpoints, and its champion."""

    key: str
    seed: int
    options: TrainOptions
    stages: tuple[CheckpointResult, ...]
    champion: Strategy


def read_trained_run(run: Run) -> TrainedRun:
    """Read from a run of learning what a report needs."""
    stages = tuple(
        CheckpointResult(int(one["games"]), sum(one["shares"]) / len(one["shares"]), len(one["starts"]))
        for one in summaries_of(run)
    )
    return TrainedRun(run.key, seed_of(run), options_of(run), stages, learned(run, 1)[0])


def n_games_of(options: TrainOptions, games: int) -> int:
    """Return how many games are played for a report with so many for each win rate."""
    return (len(_judges(options)) + 1) * whole_rounds(games, options.players)


def make_learned_report(
    course: TrainedRun, venue: Venue, *, command: str, games: int, attack: Attack | None = None
) -> LearnedReport:
    """Return the report of a run of learning; ``games`` are played against each judge."""
    options, champion = course.options, course.champion
    fitting = _judges(options)
    judges = {
        name: wins_against(venue, champion, baseline(name, options.kingdom), games, Figure.AGAINST_BASELINE, number)
        for number, name in enumerate(fitting)
    }
    experience = own_games(venue, champion, venue.stream(Figure.DECKS))
    _, census = venue.census([champion] * options.players, games, venue.stream(Figure.TABLE))
    return LearnedReport(
        key=course.key,
        seed=course.seed,
        options=options,
        stages=course.stages,
        judges=dict(sorted(judges.items(), key=lambda item: item[1].share)),
        met=tuple(name for name in fitting if name in options.rivals),
        attack=attack,
        openings=openings(champion, options.kingdom, options.players, venue.seed),
        habits=habits(experience, options.kingdom, options.players),
        turns=by_turn(1, census[0], options.kingdom.piles),
        command=command,
    )


def _judges(options: TrainOptions) -> list[str]:
    return [name for name in JUDGES if not missing_cards(name, options.kingdom)]
