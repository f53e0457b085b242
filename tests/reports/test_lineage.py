"""The champion's line of ancestors from saved origins."""

import numpy as np

from evodom.evolution.emitters import ORIGIN, ORIGINS
from evodom.presentation.documents.evolved import islands_text
from evodom.reports.lineage import Ancestor, trace
from evodom.runs import Generation

GENE = np.dtype([("early_order", "u1", (2,)), ("switch", "u1")])


def generation(index, genomes, ranking, origins=None):
    origins = np.array([tuple(origin) for origin in origins or [("new", -1, -1)] * len(genomes)], ORIGIN)
    return Generation(index, np.array(genomes, GENE), np.array(ranking, np.int32), {}, {ORIGINS: origins})


def three_generations():
    """The champion is an elite. Its parent is a child of numbers 0 and 2 of the first generation; 2 ranked better."""
    return [
        generation(0, [((0, 1), 5), ((0, 1), 6), ((1, 0), 7)], [2, 1, 0]),
        generation(1, [((1, 0), 9), ((0, 1), 5), ((0, 1), 6)], [1, 0, 2],
                   [["child", 0, 2], ["clone", 0, -1], ["new", -1, -1]]),
        generation(2, [((1, 0), 9), ((1, 0), 5), ((0, 1), 1)], [0, 1, 2],
                   [["elite", 0, -1], ["child", 0, 1], ["new", -1, -1]]),
    ]  # fmt: skip


def test_the_line_follows_the_fitter_parent():
    found = trace(three_generations().__getitem__, 2)

    assert found.line == [Ancestor(2, 1, "elite", []), Ancestor(1, 2, "child", ["switch"]), Ancestor(0, 1, "new", [])]
    assert found.n_ancestors == [2, 1, 1]
    assert found.steps == {"elite": 1, "child": 1, "new": 1}
    assert (found.unit, found.island_stays, islands_text(found)) == ("generation", [], "")


def test_the_line_ends_at_a_random_strategy():
    generations = three_generations()
    generations[2].ranking[:] = [2, 0, 1]

    found = trace(generations.__getitem__, 2)

    assert found.line == [Ancestor(2, 1, "new", [])]
    assert found.n_ancestors == [0, 0, 1]


def test_the_line_has_islands_and_migrations():
    """Islands of two: the champion's ancestor came from island 0 to island 1 at the beginning of round 2."""
    genomes = [((0, 1), switch) for switch in (5, 6, 7, 8)]
    stays = [["elite", 0, -1], ["new", -1, -1], ["elite", 2, -1], ["new", -1, -1]]
    moves = [["elite", 0, -1], ["new", -1, -1], ["elite", 2, -1], ["clone", 0, -1]]
    rounds = [
        generation(0, genomes, [0, 1, 2, 3]),
        generation(1, genomes, [0, 1, 2, 3], stays),
        generation(2, genomes, [3, 0, 1, 2], moves),
    ]

    found = trace(rounds.__getitem__, 2, size=2)

    assert [(one.generation, one.island, one.kind) for one in found.line] == [
        (2, 1, "clone"),
        (1, 0, "elite"),
        (0, 0, "new"),
    ]
    assert found.island_stays == [(0, 0, 1), (1, 2, 2)]
    assert found.beginning == "a new strategy of round 0"
    assert "on island 0 in rounds 0 to 1, on island 1 in round 2" in islands_text(found)
    assert found.n_ancestors == []
