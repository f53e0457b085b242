"""The best response to a champion: saved with the run, and trained again only for other inputs."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from evodom.evolution.runs import champions
from evodom.matches.seating import Use
from evodom.matches.venue import Venue
from evodom.reports.cached import SAVED_BEST_RESPONSES, BestResponse, cached_best_response
from evodom.tasks import Workers
from tests.learning.small import KINGDOM
from tests.saved import evolve

SAVED = SAVED_BEST_RESPONSES.name
N_GAMES, FIGURE = 48, 100


@pytest.fixture
def champion(tmp_path, store):
    evolve(tmp_path, n_strategies=8, n_generations=1, players=2, kingdom=KINGDOM, race=0, games=1)
    with store.open("demo") as run:
        return champions(run, 1)[0]


VENUE = Venue(KINGDOM, 2, 3, Use.REPORT)


def test_a_best_response_does_not_depend_on_the_number_of_threads(store, champion):
    one = cached_best_response("demo", store, champion, VENUE, N_GAMES, FIGURE)
    with store.open("demo", write=True) as run:
        run.set_meta(**{SAVED: {}})
    with ThreadPoolExecutor(3) as executor:
        venue = replace(VENUE, workers=Workers(executor, 3))
        other = cached_best_response("demo", store, champion, venue, N_GAMES, FIGURE)

    assert isinstance(one, BestResponse)
    assert one == other
    assert one.n_games == N_GAMES


def test_a_best_response_is_trained_again_for_other_inputs_only(store, champion, monkeypatch):
    first = cached_best_response("demo", store, champion, VENUE, N_GAMES, FIGURE)
    trained = []
    monkeypatch.setattr(
        "evodom.reports.cached.measure_best_response", lambda *given: trained.append(given) or (None, first.wins)
    )
    changed = champion.copy()
    changed["switch"] += 1

    assert cached_best_response("demo", store, champion, VENUE, N_GAMES, FIGURE) == first
    assert not trained
    for strategy, venue, n_games, figure in [
        (champion, VENUE, 2 * N_GAMES, FIGURE),
        (champion, VENUE, N_GAMES, 2 * FIGURE),
        (champion, replace(VENUE, seed=4), N_GAMES, FIGURE),
        (changed, VENUE, N_GAMES, FIGURE),
    ]:
        cached_best_response("demo", store, strategy, venue, n_games, figure)
    assert len(trained) == 4


def test_a_best_response_to_a_locked_run_is_trained_but_not_saved(store, champion):
    with store.open("demo", write=True) as run:
        assert cached_best_response("demo", store, champion, VENUE, N_GAMES, FIGURE) is not None
        assert SAVED not in run.meta


def test_a_damaged_result_is_trained_again(store, champion, monkeypatch):
    first = cached_best_response("demo", store, champion, VENUE, N_GAMES, FIGURE)
    monkeypatch.setattr("evodom.reports.cached.measure_best_response", lambda *given: (None, first.wins))
    for damaged in (3, {}, {"x": 1}, [0.5, 0.4, 0.6], [0.5, 0.6, 0.7, 9], [0.5, 0.4, 2, 9], [0, 0, 1, 0.5]):
        with store.open("demo", write=True) as run:
            run.set_meta(**{SAVED: dict.fromkeys(run.meta[SAVED], damaged)})
            assert SAVED_BEST_RESPONSES.read(run) == {}

        assert cached_best_response("demo", store, champion, VENUE, N_GAMES, FIGURE) == first
