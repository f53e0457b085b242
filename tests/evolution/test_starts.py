"""The first generation: random genomes, and imitations of the shipped network and of baselines."""

import numpy as np
import pytest

from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.strategies.record import strategies_of
from evodom.dominion.strategies.registry import genetics_of, model_of
from evodom.evolution import starts
from evodom.evolution.algorithm import Evolution
from evodom.evolution.options import Options
from evodom.evolution.starts import first_genomes, imitations, new_genomes, teacher_gains, weighted_teachers


def rng():
    return np.random.default_rng(1)


def test_the_network_has_half_of_the_imitations():
    teachers = weighted_teachers(FIRST_GAME, 2)

    assert [model_of(teacher).name for _, teacher in teachers] == ["network", "buy-list", "buy-list", "buy-list"]
    assert [share for share, _ in teachers] == pytest.approx([1 / 2, 1 / 6, 1 / 6, 1 / 6])


def test_baselines_alone_are_imitated_without_a_usable_network(monkeypatch):
    monkeypatch.setattr(starts, "preferred_weights", lambda kingdom: None)
    monkeypatch.setattr(starts, "teacher_gains", teacher_gains.__wrapped__)

    teachers = weighted_teachers(FIRST_GAME, 2)

    assert [model_of(teacher).name for _, teacher in teachers] == ["buy-list"] * 3
    assert [share for share, _ in teachers] == pytest.approx([1 / 3] * 3)
    assert len(first_genomes(Options(players=2, n_strategies=8), rng())) == 8


@pytest.mark.parametrize("model", ["graded", "buy-list", "classic"])
def test_half_of_a_mixed_start_are_imitations(model):
    options = Options(model=model, players=2, n_strategies=16, start="mixed")
    genetics = genetics_of(model)

    mixed = first_genomes(options, rng())

    random = first_genomes(Options(model=model, players=2, n_strategies=16, start="random"), rng())
    assert random.tobytes() == genetics.first_genomes(16, options, rng()).tobytes()
    assert mixed[:8].tobytes() == random[:8].tobytes()
    assert (mixed[8:] != random[8:]).all()
    genetics.check_genomes(mixed, options)
    assert len(strategies_of(mixed, options)) == 16


def test_half_of_later_new_genomes_are_imitations_too():
    options = Options(players=2)
    genomes = new_genomes(5, options, rng())

    draws = rng()
    assert genomes[:3].tobytes() == genetics_of("graded").random_genomes(3, options, draws).tobytes()
    assert genomes[3:].tobytes() == imitations(2, options, draws).tobytes()
    random = Options(players=2, start="random")
    assert new_genomes(5, random, rng()).tobytes() == genetics_of("graded").random_genomes(5, random, rng()).tobytes()


def test_a_resumed_evolution_draws_no_first_generation(monkeypatch):
    options = Options(players=2, n_strategies=8)
    genomes = Evolution(options, 1).ask()
    monkeypatch.setattr("evodom.evolution.algorithm.first_genomes", pytest.fail)

    Evolution(options, 1, genomes).tell(np.arange(8))
