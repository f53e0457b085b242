"""What a learner reaches against a champion: saved with the run, the same for any threads, learned anew if it must."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from evodom.evolution.runs import champions
from evodom.matches.seating import Use
from evodom.matches.venue import Venue
from evodom.reports.cached import SAVED_ATTACKS, Attack, attacked
from evodom.runs import Run
from evodom.tasks import Workers
from tests.learning.small import KINGDOM
from tests.saved import evolve

SAVED = SAVED_ATTACKS.name
N_GAMES, FIGURE = 48, 100


@pytest.fixture(autouse=True)
def short(monkeypatch):
    monkeypatch.setattr("evodom.learning.training.RESPONSE_GAMES_PER_ITERATION", 24)


@pytest.fixture
def champion(tmp_path):
    evolve(tmp_path, n_strategies=8, n_generations=1, players=2, kingdom=KINGDOM, race=0, games=1)
    with Run.open("demo", root=tmp_path) as run:
        return champions(run, 1)[0]


VENUE = Venue(KINGDOM, 2, 3, Use.REPORT)


def test_it_is_the_same_for_any_number_of_threads(tmp_path, champion):
    one = attacked("demo", tmp_path, champion, VENUE, N_GAMES, FIGURE)
    with Run.open("demo", root=tmp_path, write=True) as run:
        run.set_meta(**{SAVED: {}})
    with ThreadPoolExecutor(3) as executor:
        other = attacked("demo", tmp_path, champion, replace(VENUE, workers=Workers(executor, 3)), N_GAMES, FIGURE)

    assert isinstance(one, Attack)
    assert one == other
    assert one.n_games == N_GAMES


def test_what_is_saved_is_not_learned_again_and_another_budget_seed_or_champion_is(tmp_path, champion, monkeypatch):
    first = attacked("demo", tmp_path, champion, VENUE, N_GAMES, FIGURE)
    learned = []
    monkeypatch.setattr(
        "evodom.reports.cached.measure_best_response", lambda *given: learned.append(given) or (None, first.wins)
    )

    assert attacked("demo", tmp_path, champion, VENUE, N_GAMES, FIGURE) == first
    assert not learned
    attacked("demo", tmp_path, champion, VENUE, 2 * N_GAMES, FIGURE)
    attacked("demo", tmp_path, champion, VENUE, N_GAMES, 2 * FIGURE)
    attacked("demo", tmp_path, champion, replace(VENUE, seed=4), N_GAMES, FIGURE)
    changed = champion.copy()
    changed["switch"] += 1
    attacked("demo", tmp_path, changed, VENUE, N_GAMES, FIGURE)
    assert len(learned) == 4


def test_a_run_that_is_being_written_is_attacked_all_the_same(tmp_path, champion):
    with Run.open("demo", root=tmp_path, write=True) as run:
        assert attacked("demo", tmp_path, champion, VENUE, N_GAMES, FIGURE) is not None
        assert SAVED not in run.meta


@pytest.mark.parametrize(
    "damaged", [3, {}, {"x": 1}, [0.5, 0.4, 0.6], [0.5, 0.6, 0.7, 9], [0.5, 0.4, 2, 9], [0, 0, 1, 0.5]]
)
def test_a_damaged_result_is_learned_anew(tmp_path, champion, damaged):
    first = attacked("demo", tmp_path, champion, VENUE, N_GAMES, FIGURE)
    with Run.open("demo", root=tmp_path, write=True) as run:
        run.set_meta(**{SAVED: dict.fromkeys(run.meta[SAVED], damaged)})

    assert attacked("demo", tmp_path, champion, VENUE, N_GAMES, FIGURE) == first
