"""Propose changed copies of a genome for local search. Changes are drawn by their success.

The probability of a change is proportional to its initial weight times its mean gain per trial, smoothed and with a
minimum. Recent rounds have more weight (adaptive operator selection, as in adaptive pursuit, Thierens 2005).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evodom.dominion.strategies.base import Genomes
from evodom.dominion.strategies.breeding import Breeding

TWO_CHANGES_SHARE = 0.4
"""Share of the copies with two changes. Some pairs of changes improve a genome, and neither does alone."""

KEPT_SHARE = 0.98
"""Share of the earlier trials and gains that still count after a round."""

PRIOR_TRIALS = 100.0
"""Number of imaginary trials of each change, with the mean gain of all changes. They keep its initial weight first."""

MIN_PROBABILITY = 0.015
"""Minimum probability of a change, before all probabilities are divided by their sum."""


@dataclass(frozen=True, slots=True)
class Success:
    """The number of copies with a change, and the sum of their accepted gains in win rate. Old rounds count less."""

    trials: float = 0.0
    gain: float = 0.0


NO_CHANGE = -1
"""Index of the second change of a copy with one change."""


class Copies(NamedTuple):
    """Changed copies of a genome, and for each copy the indices of its one or two changes, (n, 2)."""

    genomes: Genomes
    changes: npt.NDArray[np.int64]


@dataclass(frozen=True)
class Proposals:
    """The source of changed copies.

    Attributes:
        breeding: the settings. Its model has the changes.
        successes: the success of each change so far, by its name.
    """

    breeding: Breeding
    successes: Mapping[str, Success] = field(default_factory=dict)

    def probabilities(self) -> npt.NDArray[np.float64]:
        """Return the probability of each change, (n_changes,)."""
        changes = self.breeding.changes
        known = [self.successes.get(change.name, Success()) for change in changes]
        weights = np.array([change.weight for change in changes]) / sum(change.weight for change in changes)
        trials, gains = np.array([(each.trials, each.gain) for each in known]).T
        if gains.sum() > 0:
            weights *= (gains * trials.sum() / gains.sum() + PRIOR_TRIALS) / (trials + PRIOR_TRIALS)
            weights /= weights.sum()
        weights = np.maximum(weights, MIN_PROBABILITY)
        return np.asarray(weights / weights.sum())

    def draw(self, genome: Genomes, n: int, rng: np.random.Generator) -> Copies:
        """Return at most ``n`` different copies of a genome, an array of one, with one or two changes each."""
        changes = self.breeding.changes
        drawn = rng.choice(len(changes), size=(n, 2), p=self.probabilities())
        drawn[rng.random(n) >= TWO_CHANGES_SHARE, 1] = NO_CHANGE
        copies = np.repeat(genome, n)
        for column in drawn.T:
            for number in np.unique(column[column != NO_CHANGE]):
                affected = copies[column == number]
                changes[number].apply(affected, self.breeding, rng)
                copies[column == number] = affected
        _, first = np.unique(copies, return_index=True)
        first = first[copies[first] != genome[0]]
        return Copies(copies[first], drawn[first])

    def successes_of(self, copies: Copies, tested: npt.NDArray[np.intp], gain: float) -> dict[str, Success]:
        """Return the trials and the gain of each change in a round.

        ``tested`` are the copies in the last tested genome. Each of their changes has an equal part of its ``gain``.
        """
        n = len(self.breeding.changes)
        used = copies.changes[tested]
        used = used[used != NO_CHANGE]
        trials = np.bincount(copies.changes[copies.changes != NO_CHANGE], minlength=n)
        gains = np.bincount(used, minlength=n) * gain / max(len(used), 1)
        return {
            change.name: Success(float(n_trials), float(part))
            for change, n_trials, part in zip(self.breeding.changes, trials, gains, strict=True)
        }


def updated(successes: Mapping[str, Success], of_round: Mapping[str, Success]) -> dict[str, Success]:
    """Return the successes after a round."""
    old = {name: successes.get(name, Success()) for name in of_round}
    return {
        name: Success(KEPT_SHARE * old[name].trials + new.trials, KEPT_SHARE * old[name].gain + new.gain)
        for name, new in of_round.items()
    }


def mean_successes(successes: Sequence[Mapping[str, Success]]) -> dict[str, Success]:
    """Return the mean of the successes of several islands."""
    names = dict.fromkeys(name for each in successes for name in each)
    found = {name: [each.get(name, Success()) for each in successes] for name in names}
    return {
        name: Success(float(np.mean([one.trials for one in of_name])), float(np.mean([one.gain for one in of_name])))
        for name, of_name in found.items()
    }
