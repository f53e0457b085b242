"""Choose the mixture of lines by the equilibrium of the race's payoffs, without further games.

Lines can beat each other in turn. The *mixture* is the optimal strategy of a matrix game. Its rows are the lines that
are not young, its columns the opponents of the race. A payoff is a win rate against copies of the opponent. The race
has few games of a pair, so an estimate fills up each payoff to more games.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from evodom.evolution.archive import Line
from evodom.solving.matrix_games import optimal_mixture

MIXTURE = "mixture"
"""Key of a summary with the weights of the lines, by the index of their genome."""

PRIOR_GAMES = 30
"""Number of games that an estimated payoff counts. With 20 to 50 it predicts the next race best."""

MIN_WEIGHT = 0.01
"""Minimum weight of a line in the mixture."""


def mixture_of(lines: Mapping[int, Line], opponents: Sequence[str], n_seats: int) -> dict[str, float]:
    """Return the weights of the mixture of lines against ``opponents``, by the index of the genome as text.

    Their sum is 1. All lines that are not young can have a weight. Return {} without such lines.
    """
    old = {number: line for number, line in lines.items() if not line.is_young}
    if not old or not opponents:
        return {}
    weights = optimal_mixture(estimated_payoffs(list(old.values()), opponents, n_seats))
    weights[weights < MIN_WEIGHT] = 0.0
    shares = (weights / weights.sum()).tolist()
    return {str(number): share for number, share in zip(old, shares, strict=True) if share}


def estimated_payoffs(lines: Sequence[Line], opponents: Sequence[str], n_seats: int) -> npt.NDArray[np.float64]:
    """Return the payoffs of lines against opponents, (n_lines, n_opponents).

    The estimate of a pair is the strength of the line plus the opponent's mean difference to the strengths of all
    lines. It counts like PRIOR_GAMES games. A line wins at chance level against itself.
    """
    found = np.array([[line.payoffs.get(name, (0.0, 0.0)) for name in opponents] for line in lines])
    games, strengths = found[..., 1], np.array([[line.strength] for line in lines])
    differences = ((found[..., 0] - strengths) * games).sum(axis=0) / (games.sum(axis=0) + PRIOR_GAMES)
    payoffs = (found[..., 0] * games + (strengths + differences) * PRIOR_GAMES) / (games + PRIOR_GAMES)
    is_itself = np.array([[line.name == name for name in opponents] for line in lines])
    return np.where(is_itself, 1.0 / n_seats, payoffs.clip(0.0, 1.0))
