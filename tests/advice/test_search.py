"""The runs that advice rests on."""

from types import SimpleNamespace

import numpy as np
import pytest

from evodom.advice.best_response import ResponseResult
from evodom.advice.runs import (
    Request,
    check_runs,
    default_key,
    evolve,
    note_answer,
    open_runs,
    open_training,
    save_response,
)
from evodom.answers import find_answer
from evodom.budget import Budget
from evodom.dominion.kingdom import FIRST_GAME, Kingdom, parse_kingdom
from evodom.dominion.strategies.networks.layers import N_WEIGHTS
from evodom.dominion.strategies.networks.model import network_record, weights_of
from evodom.entrants import check_run, find_entrants
from evodom.errors import UsageError
from evodom.evolution.runs import options_of, start
from evodom.learning.training import TrainOptions
from evodom.runs import Run, known_keys
from evodom.statistics import Share
from tests.test_answers import save

FIRST = FIRST_GAME
QUESTION = Request(FIRST, 2, "ask", 8)


def going_on(root, workers, *, n_generations=None, seconds=0.0, stops=lambda: False):
    """Evolve to a number of generations, or for some seconds in which a generation of a model takes one."""
    now = 0.0

    def on_generation(run, generation):
        nonlocal now
        now += 1.0

    with open_runs(QUESTION, 7, root=root, overwrite=False, workers=workers) as runs:
        return evolve(
            runs,
            workers,
            n_generations=n_generations,
            budget=Budget.starting_now(seconds, lambda: now),
            on_generation=on_generation,
            should_stop=stops,
        )


def contents(root):
    found = []
    for key in ("askgraded", "askbuylist"):
        with Run.open(key, root=root) as run:
            found += [(each.index, each.genomes.tobytes(), each.ranking.tolist()) for each in run]
    return found


def test_both_models_are_evolved_to_the_same_generation(tmp_path, workers):
    assert going_on(tmp_path, workers, n_generations=3) == 3

    models = []
    for key in ("askgraded", "askbuylist"):
        with Run.open(key, root=tmp_path) as run:
            models.append(options_of(run).model)
            assert run.n_generations == 3
    assert models == ["graded", "buy-list"]


def test_it_evolves_until_the_time_is_over(tmp_path, workers):
    assert going_on(tmp_path, workers, seconds=20.0) in (10, 11)
    assert going_on(tmp_path, workers, seconds=0.0) in (10, 11)
    assert going_on(tmp_path, workers, seconds=6.0) in (13, 14, 15)


def test_runs_that_were_stopped_end_as_if_they_had_not_been(tmp_path, workers):
    calls = iter([False, False, True])
    assert going_on(tmp_path / "stopped", workers, n_generations=4, stops=lambda: next(calls, True)) is None
    assert going_on(tmp_path / "stopped", workers, n_generations=4) == 4

    going_on(tmp_path / "whole", workers, n_generations=4)
    assert contents(tmp_path / "stopped") == contents(tmp_path / "whole")


def test_runs_that_have_more_generations_are_left_as_they_are(tmp_path, workers):
    going_on(tmp_path, workers, n_generations=4)
    before = contents(tmp_path)

    assert going_on(tmp_path, workers, n_generations=2) == 2
    assert contents(tmp_path) == before


def refusal(root, request, seed, n_games=None):
    with pytest.raises(UsageError) as error:
        check_runs(request, seed, root=root, n_games=n_games)
    return str(error.value)


OTHER_REQUESTS = [
    (Request(FIRST, 3, "ask", 8), "with --players 2, and the request has --players 3. Start again with --overwrite"),
    (Request(parse_kingdom("deck-top"), 2, "ask", 8), "with --kingdom cellar,market,"),
]


def test_evolved_runs_have_the_seed_to_continue_with_and_refuse_other_requests(tmp_path, workers):
    assert check_runs(QUESTION, None, root=tmp_path) is None
    going_on(tmp_path, workers, n_generations=1)

    assert check_runs(QUESTION, None, root=tmp_path) == check_runs(QUESTION, 7, root=tmp_path) == 7
    assert "run 'askgraded' was evolved with seed 7, and --seed is 8." in refusal(tmp_path, QUESTION, 8)
    population = Request(FIRST, 2, "ask", 12), "with --nstrat 8, and the request has --nstrat 12."
    for request, message in (*OTHER_REQUESTS, population):
        assert message in refusal(tmp_path, request, None)


@pytest.fixture
def learning(tmp_path, workers):
    """Return a folder with the run of learning alone, as Ctrl-C leaves it."""
    options = TrainOptions(QUESTION.kingdom, QUESTION.players, 2000)
    with open_training(QUESTION, 7, options, root=tmp_path, overwrite=False, workers=workers):
        return tmp_path


def test_a_learning_run_has_the_seed_to_continue_with_and_refuses_other_requests(learning):
    assert check_runs(QUESTION, None, root=learning) == 7
    assert check_runs(QUESTION, 7, root=learning, n_games=2000) == 7
    assert "run 'asknetwork' was trained with seed 7, and --seed is 8." in refusal(learning, QUESTION, 8)
    games = "was trained with --training-games 2000, and the request has --training-games 4000."
    assert games in refusal(learning, QUESTION, None, 4000)
    for request, message in OTHER_REQUESTS:
        assert f"run 'asknetwork' was trained {message}" in refusal(learning, request, None)


def test_runs_of_two_seeds_are_refused(learning, workers):
    with open_runs(QUESTION, 9, root=learning, overwrite=False, workers=workers):
        pass

    with pytest.raises(UsageError, match="run 'asknetwork' was trained with seed 7, and run 'askbuylist' with seed 9"):
        check_runs(QUESTION, None, root=learning)


def test_a_run_that_was_evolved_is_no_run_of_learning(tmp_path, workers):
    start("asknetwork", QUESTION.options("graded"), 7, root=tmp_path, overwrite=False, workers=workers).close()

    with pytest.raises(UsageError, match="run 'asknetwork' was evolved, and learning is to be saved under this key"):
        check_runs(QUESTION, None, root=tmp_path)


def test_a_key_names_the_kingdom_and_more_players_than_two():
    custom = parse_kingdom("Witch", seed=1)

    assert default_key(FIRST, 2) == "adviseFirstGame"
    assert default_key(FIRST, 4) == "adviseFirstGame4p"
    assert default_key(custom, 2) == default_key(Kingdom(custom.cards[::-1]), 2)
    assert default_key(custom, 2) != default_key(parse_kingdom("Witch", seed=2), 2)


def answer(*, became_answer=True):
    """Return an advice whose answer is a best response, as far as saving it goes."""
    record = network_record(np.full(N_WEIGHTS, 0.5, np.float32), FIRST)
    response = ResponseResult(500, Share(0.6, 0.55, 0.65, 400), became_answer=became_answer)
    return SimpleNamespace(best_response=response, record=record)


def test_a_best_response_that_became_the_answer_can_be_played_and_a_later_one_takes_its_place(tmp_path):
    assert save_response(QUESTION, 7, answer(), root=tmp_path) == "askreply"
    assert save_response(QUESTION, 7, answer(), root=tmp_path) == "askreply"

    (found,) = find_entrants(["askreply:1"], root=tmp_path).entrants
    assert (weights_of(found.strategy) == 0.5).all()
    with Run.open("askreply", root=tmp_path) as run:
        check_run(run)


def test_a_best_response_that_is_not_the_answer_is_not_saved_and_a_run_of_that_name_stays(tmp_path, workers):
    assert save_response(QUESTION, 7, answer(became_answer=False), root=tmp_path) is None
    assert known_keys(tmp_path) == []
    start("askreply", QUESTION.options("graded"), 1, root=tmp_path, overwrite=False, workers=workers).close()

    assert save_response(QUESTION, 7, answer(), root=tmp_path) is None
    with Run.open("askreply", root=tmp_path) as run:
        assert options_of(run).model == "graded"


@pytest.mark.parametrize("best", ["big-money", "bignetwork:1", "bigbuylist:3"])
def test_the_best_strategy_is_noted_also_if_the_key_is_the_start_of_a_baseline(tmp_path, best):
    for part in ("graded", "buylist", "network"):
        save(tmp_path, "big", part, FIRST)

    assert note_answer(Request(FIRST, 2, "big", 8), best, "", root=tmp_path) == "big"
    assert find_answer("big", tmp_path).best == best
