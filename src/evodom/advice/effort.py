"""Numbers of games and attempts of advice that no option sets. Tests set smaller numbers."""

from dataclasses import dataclass, field

from evodom.advice.plan import PlanEffort
from evodom.learning.habits import N_GAMES
from evodom.learning.training import RESPONSE_ITERATION
from evodom.matches.tournament import TRIES


@dataclass(frozen=True)
class AdviceEffort:
    """The effort of advice, apart from the games of figures and of learning.

    Attributes:
        plan: the effort of finding a list.
        max_attacks: largest number of learners against the answer. A further learner is trained only if the learner
            before became the answer.
        n_searches: searches of each changed strategy in trials of cards.
        response_iteration: games of an iteration of a learner, and the least when little time is left.
        deck_games: games that estimate a strategy's final deck.
        habit_games: games of a learned answer against itself.
        opening_tries: times that a stochastic strategy plays an opening.
    """

    plan: PlanEffort = field(default_factory=PlanEffort)
    max_attacks: int = 2
    n_searches: int = 2
    response_iteration: tuple[int, int] = RESPONSE_ITERATION
    deck_games: int = 600
    habit_games: int = N_GAMES
    opening_tries: int = TRIES


ADVICE_EFFORT = AdviceEffort()
