"""Measure a run of learning: checkpoints, win rates of the champion, its openings, habits and games by turn."""

from dataclasses import asdict, dataclass
from typing import Any

from evodom.dominion.strategies.baselines import HELD_OUT_OPPONENTS, baseline, missing_cards
from evodom.dominion.strategies.record import Strategy
from evodom.learning.habits import Habits, habits, self_play_games
from evodom.learning.run import learned, options_of, summaries_of
from evodom.learning.training import TrainOptions
from evodom.matches.seating import Purpose, whole_rounds
from evodom.matches.tournament import OpeningBuys, openings, wins_against
from evodom.matches.venue import Venue
from evodom.reports.cached import BestResponse
from evodom.reports.measure import ByTurn, by_turn
from evodom.runs import Run, shown_settings
from evodom.statistics import Share


@dataclass(frozen=True)
class CheckpointResult:
    """A checkpoint of training: games played so far, and the win rate of its best start.

    A start is one of the networks that are trained from different weights. ``n_starts`` starts remain. ``share`` is the
    mean win rate of the best start against the training opponents.
    """

    games: int
    share: float
    n_starts: int


@dataclass(frozen=True)
class LearnedReport:
    """Data of the report on a run of learning.

    Attributes:
        judges: win rates of the champion against held-out baselines.
        met: held-out baselines that the user named as training opponents.
        best_response: result of a network trained to beat the champion.
        turns: figures by turn of the champion's games against itself.
    """

    key: str
    seed: int
    options: TrainOptions
    stages: tuple[CheckpointResult, ...]
    judges: dict[str, Share]
    met: tuple[str, ...]
    best_response: BestResponse | None
    openings: list[OpeningBuys]
    habits: Habits
    turns: ByTurn
    command: str

    def to_json(self) -> dict[str, Any]:
        """Return the report as plain JSON types."""
        return asdict(self) | {"options": shown_settings(self.options.to_json())}


@dataclass(frozen=True)
class TrainedRun:
    """Data of a run of learning for its report: checkpoints and champion."""

    key: str
    seed: int
    options: TrainOptions
    stages: tuple[CheckpointResult, ...]
    champion: Strategy


def read_trained_run(run: Run) -> TrainedRun:
    """Read the data of a run of learning for its report."""
    stages = tuple(
        CheckpointResult(
            int(checkpoint["games"]), sum(checkpoint["shares"]) / len(checkpoint["shares"]), len(checkpoint["starts"])
        )
        for checkpoint in summaries_of(run)
    )
    return TrainedRun(run.key, run.provenance().seed, options_of(run), stages, learned(run, 1)[0])


def n_games_of(options: TrainOptions, games: int) -> int:
    """Return the total number of games of a report with ``games`` games for each win rate."""
    return (len(_fitting_judges(options)) + 1) * whole_rounds(games, options.players)


def make_learned_report(
    trained: TrainedRun, venue: Venue, *, command: str, games: int, best_response: BestResponse | None = None
) -> LearnedReport:
    """Return the report of a run of learning; ``games`` are played against each judge."""
    options, champion = trained.options, trained.champion
    fitting = _fitting_judges(options)
    judges = {
        name: wins_against(venue, champion, baseline(name, options.kingdom), games, Purpose.AGAINST_BASELINE, number)
        for number, name in enumerate(fitting)
    }
    experience = self_play_games(venue, champion, venue.stream(Purpose.DECKS))
    _, turn_counts = venue.census([champion] * options.players, games, venue.stream(Purpose.TABLE))
    return LearnedReport(
        key=trained.key,
        seed=trained.seed,
        options=options,
        stages=trained.stages,
        judges=dict(sorted(judges.items(), key=lambda item: item[1].share)),
        met=tuple(name for name in fitting if name in options.rivals),
        best_response=best_response,
        openings=openings(champion, options.kingdom, options.players, venue.seed),
        habits=habits(experience, options.kingdom, options.players),
        turns=by_turn(1, turn_counts[0], options.kingdom.piles),
        command=command,
    )


def _fitting_judges(options: TrainOptions) -> list[str]:
    return [name for name in HELD_OUT_OPPONENTS if not missing_cards(name, options.kingdom)]
