"""Games and searches as tasks for other processes: the same as here, with their networks."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from evodom.advice.ablation import retraining
from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.networks.model import network_record, weights_of
from evodom.learning.training import train_best_responses
from evodom.matches import venue as sending
from evodom.matches.agents import Entrant
from evodom.matches.seating import Figure
from evodom.matches.tournament import play_match, play_round_robin
from evodom.matches.venue import Venue, gathered
from evodom.tasks import ProcessExecutor, Workers
from tests.networks import network


class Far(ProcessExecutor):
    """Processes that are treated as if they were far away, which they are: they have a memory of their own."""

    is_remote = True


@pytest.fixture(scope="module")
def venue():
    with ThreadPoolExecutor(1) as executor, Far(1) as tasks:
        yield Venue(FIRST_GAME, 2, seed=3, workers=Workers(executor, 1, tasks))


@pytest.fixture(autouse=True)
def small_tasks(monkeypatch):
    monkeypatch.setattr(sending, "TASK_GAMES", 64)
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


def test_games_played_elsewhere_are_those_played_here(venue, entrants):
    lineup = gathered([entrant.strategy for entrant in entrants])
    before = lineup.copy()
    tables = np.random.default_rng(1).integers(4, size=(300, 2)).astype(np.int32)
    seeds = np.arange(300, dtype=np.uint64)
    counted: list[int] = []

    there = replace(venue, on_games=counted.append).play(lineup, tables, seeds)

    assert there.tobytes() == alone(venue).play(lineup, tables, seeds).tobytes()
    assert sorted(counted) == [44, 64, 64, 64, 64]
    assert lineup.tobytes() == before.tobytes()


@pytest.mark.parametrize("asked", [{}, {"n_games": 3000}, {"most_games": 2000}])
def test_a_tournament_elsewhere_is_the_one_played_here(venue, entrants, asked):
    assert play_round_robin(venue, entrants, **asked) == play_round_robin(alone(venue), entrants, **asked)


def test_a_match_elsewhere_is_the_one_played_here(venue, entrants):
    seated = entrants[:2]
    assert play_match(venue, seated, n_games=2500) == play_match(alone(venue), seated, n_games=2500)


def test_few_games_are_played_here(venue, entrants, monkeypatch):
    monkeypatch.setattr("evodom.matches.venue.play_elsewhere", None)
    tables = np.zeros((64, 2), np.int32)
    venue.play(gathered([entrants[1].strategy]), tables, np.arange(64, dtype=np.uint64))


def test_replies_learned_elsewhere_are_those_learned_here(venue, entrants):
    start, rival = entrants[0].strategy, entrants[2].strategy
    asked = [(start, venue.stream(Figure.REPLY, number)) for number in range(2)]

    here = train_best_responses(alone(venue), asked, [rival], 600)
    there = train_best_responses(venue, asked, [rival], 600)

    assert [weights_of(one).tobytes() for one in there] == [weights_of(one).tobytes() for one in here]
    assert weights_of(here[0]).tobytes() != weights_of(here[1]).tobytes() != weights_of(start).tobytes()


def test_the_searches_for_cards_come_back_by_card_and_search(venue, entrants):
    start = entrants[0].strategy
    other = network_record(network(FIRST_GAME, {"Gold": 3.0}), FIRST_GAME)
    search = retraining(alone(venue), start, 512)

    first, second = search([start, other])

    assert weights_of(first[0]).tobytes() == weights_of(search([start])[0][0]).tobytes()
    assert weights_of(second[1]).tobytes() == weights_of(search([other])[0][1]).tobytes()
