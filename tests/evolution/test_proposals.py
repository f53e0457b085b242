"""Changed copies of a genome: their changes are drawn by the success of each change so far."""

import numpy as np
import pytest

from evodom.evolution.options import Options
from evodom.evolution.proposals import (
    KEPT_SHARE,
    MIN_PROBABILITY,
    NO_CHANGE,
    TWO_CHANGES_SHARE,
    Copies,
    Proposals,
    Success,
    mean_successes,
    updated,
)
from tests.dominion.strategies.drawn import rng

MODELS = pytest.mark.parametrize("options", [Options(model="buy-list"), Options(model="graded")])
MANY_TRIALS = 10_000


def drawn(options, n, seed=1):
    return options.genetics.random_genomes(n, options, rng(seed))


@MODELS
def test_without_successes_the_initial_weights_are_the_probabilities(options):
    weights = np.array([change.weight for change in options.changes])

    found = Proposals(options).probabilities()

    assert found == pytest.approx(weights / weights.sum(), abs=MIN_PROBABILITY)
    assert found.sum() == pytest.approx(1.0)


@MODELS
def test_changes_with_gains_become_more_probable_and_none_disappears(options):
    names = [change.name for change in options.changes]
    before = Proposals(options).probabilities()
    successes = dict.fromkeys(names, Success(MANY_TRIALS, 0.0)) | {names[1]: Success(MANY_TRIALS, 9.0)}

    few = dict.fromkeys(names, Success(5, 0.0)) | {names[1]: Success(5, 9.0)}
    after, soon = (Proposals(options, each).probabilities() for each in (successes, few))

    assert before[1] < soon[1] < after[1]
    assert after[1] > 0.7
    assert np.delete(after, 1) == pytest.approx(MIN_PROBABILITY / (1 + MIN_PROBABILITY * (len(names) - 1)), rel=0.3)
    equal = Proposals(options, dict.fromkeys(names, Success(MANY_TRIALS, 9.0))).probabilities()
    assert equal == pytest.approx(before)


@MODELS
def test_copies_differ_from_the_genome_and_from_each_other(options):
    genome = drawn(options, 1)

    copies, changes = Proposals(options).draw(genome, 400, rng(2))

    assert 200 < len(copies) == len(changes) <= 400
    assert len(np.unique(copies)) == len(copies)
    assert (copies != genome[0]).all()
    assert set(changes[:, 0]) == set(range(len(options.changes)))
    assert (changes[:, 1] != NO_CHANGE).mean() == pytest.approx(TWO_CHANGES_SHARE, abs=0.1)


def test_the_gain_of_a_round_is_divided_among_the_changes_of_the_accepted_copies():
    proposals = Proposals(Options(model="buy-list"))
    copies = Copies(drawn(proposals.breeding, 4), np.array([(0, NO_CHANGE), (1, 2), (2, NO_CHANGE), (0, 2)]))

    found = proposals.successes_of(copies, np.array([0, 1]), 0.3)

    first = [found[change.name] for change in proposals.breeding.changes[:4]]
    assert [each.trials for each in first] == [2, 1, 3, 0]
    assert [each.gain for each in first] == pytest.approx([0.1, 0.1, 0.1, 0])


def test_recent_rounds_count_more_and_islands_are_added():
    first, second = {"a": Success(10, 0.5), "b": Success(4, 0.0)}, {"a": Success(2, 0.1), "b": Success(0, 0.0)}

    assert updated({}, first) == first
    assert updated(first, second) == {
        "a": Success(KEPT_SHARE * 10 + 2, KEPT_SHARE * 0.5 + 0.1),
        "b": Success(4 * KEPT_SHARE),
    }
    assert mean_successes([first, {"a": Success(2, 0.1)}]) == {
        "a": Success(6, pytest.approx(0.3)),
        "b": Success(2, 0.0),
    }
    assert mean_successes([]) == {}
