"""The table of the stages of advice, with their shares of the time, numbers of games and numbers of attempts.

    stages = STAGES.planned(evaluation_games=400, training_games=4000)
    stages.finals.games  # 800

Tests replace rows to play fewer games.
"""

from dataclasses import dataclass
from math import inf
from typing import NamedTuple

from evodom.advice import DEFAULT_GAMES, LEARNED_GAMES
from evodom.evolution.ranking import HalvingStage
from evodom.learning.habits import N_GAMES
from evodom.learning.training import RESPONSE_ITERATION
from evodom.matches.mistakes import N_GAMES as GAMES_WITH_MISTAKES
from evodom.matches.tournament import TRIES


class Stage(NamedTuple):
    """A row of the table.

    Attributes:
        share: share of the time that remains at the start of the stage, if time is the limit. The time is that of the
            search, or of the enclosing stage. A reserve has at most this share.
        games: number of games of a win rate, with the default of --evaluation-games. It is proportional to this option.
        training: number of games of a training, with the default of --training-games. It is proportional to this
            option, and infinite if time is the limit.
        fixed: number of games that no option changes.
        n: number of attempts or candidates. The row's comment names them.
    """

    share: float = 1.0
    games: int = 0
    training: float = 0
    fixed: int = 0
    n: int = 1

    def planned(self, evaluation_games: int, training_games: float) -> "Stage":
        """Return the row for other values of --evaluation-games and --training-games."""
        training = training_games if training_games in (0, inf) else self.training * training_games // LEARNED_GAMES
        return self._replace(
            games=self.games * evaluation_games // DEFAULT_GAMES, training=training if self.training else 0
        )


@dataclass(frozen=True)
class PlanEffort:
    """The effort of `plan.find_plan`.

    Attributes:
        n_inductions: number of inductions of a list.
        n_steps: number of changes that each induction tries.
        n_decks: number of decks of the grammar.
        n_searched: number of the best of these decks. Local search improves them.
        rounds: for each stage of local search, the number of lists, and of rounds for each list. If time is limited,
            rounds are repeated until the stage's time is over.
        round_stages: the stages of a round of local search.
        prune_games: number of games that confirm the removal of a part.
        self_play_games: number of the answer's games against itself. The first lists imitate its gains there.
    """

    n_inductions: int = 12
    n_steps: int = 1500
    n_decks: int = 300
    n_searched: int = 3
    rounds: tuple[tuple[int, int], ...] = ((4, 10), (2, 20), (1, 30))
    round_stages: tuple[HalvingStage, ...] = (HalvingStage(24, 64), HalvingStage(6, 320), HalvingStage(2, 1280))
    prune_games: int = 640
    self_play_games: int = N_GAMES


class Stages(NamedTuple):
    """All stages, in order. Indented comments name the enclosing stage of the rows below them."""

    learning: Stage = Stage(share=0.3)
    evolution: Stage = Stage(share=0.2)
    tournament: Stage = Stage(share=0.08, games=20_000, n=4)  # maximum games of all tables; champions of each run
    finals: Stage = Stage(share=0.06, games=20_000, n=4)  # strategies
    measuring_reserve: Stage = Stage(share=0.5, games=500_000, fixed=60_000)  # estimate of all matches of steps 3 to 8

    # Best response. Its time excludes the measuring reserve.
    response_to_list: Stage = Stage(share=0.85)
    response_to_network: Stage = Stage(share=0.35)
    best_response: Stage = Stage(training=20_000, n=2)  # games of a segment; best responses in a row
    counters: Stage = Stage(share=0.08, games=2_500)
    selection_reserve: Stage = Stage(share=0.3)
    segment: Stage = Stage(share=0.95)  # training of a segment; each segment has half of the rest; a win rate follows
    selection: Stage = Stage(share=0.95, games=2_500)  # a win rate follows

    decks: Stage = Stage(share=0.05, fixed=600)

    # List for a network.
    plan: Stage = Stage(share=0.5)
    plan_search: Stage = Stage(share=0.9)
    first_lists: Stage = Stage(share=0.4)  # of the search
    improvement: Stage = Stage(share=0.7)  # of the search; pruning follows
    plan_opponents: Stage = Stage(share=0.1, fixed=128)  # of each part of the search
    other_lists: Stage = Stage(games=2_500, fixed=500, n=3)  # at most `fixed` games; evolved lists and baselines

    # Each list: changes, then parts without effect.
    refinement: Stage = Stage(share=0.2, n=4)  # successive changes
    change: Stage = Stage(share=0.5, games=10_000, fixed=200)  # `fixed` for the deck
    change_selection: Stage = Stage(share=0.6, games=2_500)  # of a change
    simplification: Stage = Stage(share=0.15, games=10_000)

    plan_deck: Stage = Stage(share=0.02, fixed=600)
    win_rates: Stage = Stage(share=0.3, games=10_000)
    strongest_opponent: Stage = Stage(share=0.8, games=2_500)  # of its win rate; the final win rate follows
    other_searches: Stage = Stage(games=2_500)
    game_ends: Stage = Stage(share=0.03, games=2_500)
    unexpected_order: Stage = Stage(share=0.1, games=10_000)
    reasons: Stage = Stage(share=0.25, games=2_500)
    openings: Stage = Stage(share=0.07, n=TRIES)  # games of a stochastic strategy
    mistakes: Stage = Stage(share=0.15, fixed=GAMES_WITH_MISTAKES)
    habits: Stage = Stage(fixed=N_GAMES)
    tips: Stage = Stage(share=0.1, games=2_500)
    speed: Stage = Stage(share=0.01, fixed=4_000)
    plan_cards: Stage = Stage(share=0.3)
    cards: Stage = Stage(games=10_000, training=1_500, n=2)  # trainings after each change
    cards_reserve: Stage = Stage(share=0.5)  # matches after the trainings

    plan_effort: PlanEffort = PlanEffort()
    response_iteration: tuple[int, int] = RESPONSE_ITERATION
    """Number of games in an iteration of training, and its minimum if little time is left."""

    @property
    def estimated_games(self) -> int:
        """The approximate number of games of all matches."""
        return self.measuring_reserve.games + self.measuring_reserve.fixed

    def planned(self, evaluation_games: int, training_games: float) -> "Stages":
        """Return the table for these values of --evaluation-games and --training-games."""
        games = evaluation_games, training_games
        return Stages._make(row.planned(*games) if isinstance(row, Stage) else row for row in self)


STAGES = Stages()
