"""The champion's line of ancestors, as it was saved."""

import numpy as np
import pytest

from evodom.report.lineage import Ancestor, trace
from evodom.store import Generation

GENE = np.dtype([("early_order", "u1", (2,)), ("switch", "u1")])


def generation(index, genomes, ranking, origins=None):
    summary = {} if origins is None else {"origins": origins}
    return Generation(index, np.array(genomes, GENE), np.array(ranking, np.int32), summary)


def three_generations():
    """The champion is an elite of a child of numbers 0 and 2 of the first generation, of which 2 ranked better."""
    return [
        generation(0, [((0, 1), 5), ((0, 1), 6), ((1, 0), 7)], [2, 1, 0]),
        generation(1, [((1, 0), 9), ((0, 1), 5), ((0, 1), 6)], [1, 0, 2],
                   [["child", 0, 2], ["clone", 0, -1], ["new", -1, -1]]),
        generation(2, [((1, 0), 9), ((1, 0), 5), ((0, 1), 1)], [0, 1, 2],
                   [["elite", 0, -1], ["child", 0, 1], ["new", -1, -1]]),
    ]  # fmt: skip


def test_the_line_follows_the_fitter_parent_and_tells_what_changed():
    found = trace(three_generations().__getitem__, 2)

    assert found.line == [
        Ancestor(2, 1, "elite", []),
        Ancestor(1, 2, "child", ["switch"]),
        Ancestor(0, 1, "new", []),
    ]


def test_all_ancestors_are_counted_from_the_first_generation_on():
    assert trace(three_generations().__getitem__, 2).n_ancestors == [2, 1, 1]


def test_a_line_ends_where_a_strategy_was_drawn_anew():
    generations = three_generations()
    generations[2].ranking[:] = [2, 0, 1]

    found = trace(generations.__getitem__, 2)

    assert found.line == [Ancestor(2, 1, "new", [])]
    assert found.n_ancestors == [0, 0, 1]


@pytest.mark.parametrize("origins", [None, [["elite", 0, -1]]])
def test_a_run_that_does_not_tell_origins_has_no_lineage(origins):
    generations = three_generations()
    generations[1] = generation(1, generations[1].genomes, [0, 1, 2], origins)

    assert trace(generations.__getitem__, 2) is None
