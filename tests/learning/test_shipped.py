"""The training of the shipped networks, in benchmarks/: equal for any number of threads."""

import numpy as np

from benchmarks import general_training
from benchmarks.act_training import ActSchedule, ActTraining
from benchmarks.general_training import GeneralLearner, GeneralSchedule
from evodom.learning import league


def test_the_network_of_all_kingdoms(monkeypatch, thread_pool):
    for name, value in {"N_KINGDOMS": 2, "GAMES": 16, "PAST_EVERY": 2}.items():
        monkeypatch.setattr(general_training, name, value)
    monkeypatch.setattr(league, "N_LISTS", 8)
    schedule = GeneralSchedule(n_imitation=1, n_iterations=2)
    learners = [GeneralLearner.new(3, schedule), GeneralLearner.new(3, schedule, thread_pool)]
    before = learners[0].general.copy()

    figures = [[learner.step() for _ in range(2)] for learner in learners]

    assert figures[0] == figures[1]
    assert learners[0].general.tobytes() == learners[1].general.tobytes() != before.tobytes()
    assert np.isfinite(learners[0].general).all()


def test_the_network_of_act_1():
    tiny = ActSchedule(iterations=4, fights=4, games_per_fight=1, simulations=4, played_out=1, window=2, batch=16)
    trainings = [ActTraining(3, tiny), ActTraining(3, tiny, n_threads=2)]
    before = trainings[0].weights.copy()

    figures = [[training.step() for _ in range(2)] for training in trainings]

    assert figures[0] == figures[1]
    assert trainings[0].weights.tobytes() == trainings[1].weights.tobytes() != before.tobytes()
    assert np.isfinite(trainings[0].weights).all()
