"""Games and training as tasks of other processes: equal results, also with networks."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from evodom.advice.ablation import retraining
from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.networks.model import network_record, weights_of
from evodom.learning.training import train_best_responses
from evodom.matches.agents import Entrant
from evodom.matches.seating import Purpose
from evodom.matches.tournament import play_match, play_round_robin
from evodom.matches.venue import Venue, strategy_array
from evodom.tasks import ProcessExecutor, Workers
from tests.networks import network


class RemoteProcesses(ProcessExecutor):
    """Processes that count as remote: they share no memory with this process."""

    is_remote = True


@pytest.fixture(scope="module")
def venue():
    with ThreadPoolExecutor(1) as executor, RemoteProcesses(1) as tasks:
        yield Venue(FIRST_GAME, 2, seed=3, workers=Workers(executor, 1, tasks))


@pytest.fixture(autouse=True)
def small_tasks(monkeypatch):
    monkeypatch.setattr("evodom.matches.venue.TASK_GAMES", 64)


@pytest.fixture
def entrants():
    learned = network_record(network(FIRST_GAME), FIRST_GAME)
    others = ("big-money", "big-money-smithy", "random")
    return [
        Entrant("network", ("network",), learned),
        *(Entrant(name, ("baseline", name), baseline(name, FIRST_GAME)) for name in others),
    ]


def alone(venue):
    return replace(venue, workers=None)


def test_remote_games_equal_local_games(venue, entrants):
    lineup = strategy_array([entrant.strategy for entrant in entrants])
    before = lineup.copy()
    tables = np.random.default_rng(1).integers(4, size=(300, 2)).astype(np.int32)
    seeds = np.arange(300, dtype=np.uint64)
    counted: list[int] = []

    there = replace(venue, on_games=counted.append).play(lineup, tables, seeds)

    assert there.tobytes() == alone(venue).play(lineup, tables, seeds).tobytes()
    assert sorted(counted) == [44, 64, 64, 64, 64]
    assert lineup.tobytes() == before.tobytes()


def test_a_remote_tournament_or_match_equals_the_local_one(venue, entrants):
    for options in ({}, {"n_games": 3000}, {"most_games": 2000}):
        assert play_round_robin(venue, entrants, **options) == play_round_robin(alone(venue), entrants, **options)
    seated = entrants[:2]
    assert play_match(venue, seated, n_games=2500) == play_match(alone(venue), seated, n_games=2500)


def test_few_games_are_played_locally(venue, entrants, monkeypatch):
    monkeypatch.setattr("evodom.matches.venue.play_remotely", None)
    tables = np.zeros((64, 2), np.int32)
    venue.play(strategy_array([entrants[1].strategy]), tables, np.arange(64, dtype=np.uint64))


def test_remote_training_equals_local_training(venue, entrants):
    start, rival = entrants[0].strategy, entrants[2].strategy
    asked = [(start, venue.stream(Purpose.REPLY, number)) for number in range(2)]

    here = train_best_responses(alone(venue), asked, [rival], 600)
    there = train_best_responses(venue, asked, [rival], 600)

    assert [weights_of(one).tobytes() for one in there] == [weights_of(one).tobytes() for one in here]
    assert weights_of(here[0]).tobytes() != weights_of(here[1]).tobytes() != weights_of(start).tobytes()


def test_retraining_returns_networks_by_strategy_and_seed(venue, entrants):
    start = entrants[0].strategy
    other = network_record(network(FIRST_GAME, {"Gold": 3.0}), FIRST_GAME)
    search = retraining(alone(venue), start, 256)

    (first, second), (alone_second,) = search([start, other]), search([other])

    assert [weights_of(one).tobytes() for one in second] == [weights_of(one).tobytes() for one in alone_second]
    assert weights_of(first[0]).tobytes() != weights_of(second[0]).tobytes()
