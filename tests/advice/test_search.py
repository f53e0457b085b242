"""The runs that advice rests on."""

from types import SimpleNamespace

import numpy as np
import pytest

from evodom.advice.best_response import ResponseResult
from evodom.advice.runs import Request, check_saved_answer, evolve, note_answer, open_runs, open_training, save_response
from evodom.budget import Budget
from evodom.dominion.kingdom import FIRST_GAME, parse_kingdom
from evodom.dominion.strategies.models.networks.layers import N_WEIGHTS
from evodom.dominion.strategies.models.networks.model import network_strategy, weights_of
from evodom.errors import RunError, UsageError
from evodom.evolution.runs import options_of
from evodom.learning.training import TrainOptions
from evodom.matches.entrants import check_run, find_answer, find_entrants
from evodom.runs import RunStore
from evodom.statistics import Share
from tests.saved import contents, save_answer
from tests.saved import evolve as save_run

FIRST = FIRST_GAME
QUESTION = Request(FIRST, 2, "ask", 8)
LEARNING = TrainOptions(FIRST, 2, 2000)


def going_on(root, workers, *, n_generations=None, seconds=0.0, stops=lambda: False):
    """Evolve to a number of generations, or for some seconds in which a generation of a model takes one."""
    now = 0.0

    def on_generation(run, generation):
        nonlocal now
        now += 1.0

    with open_training(QUESTION, 7, LEARNING, store=RunStore(root), overwrite=False, workers=workers):
        pass
    with open_runs(QUESTION, 7, store=RunStore(root), workers=workers) as runs:
        return evolve(
            runs,
            workers,
            n_generations=n_generations,
            budget=Budget.starting_now(seconds, lambda: now),
            on_generation=on_generation,
            should_stop=stops,
        )


def evolved(root):
    return [contents(root, key) for key in ("ask:graded", "ask:buy-list")]


def test_both_models_are_evolved_to_the_same_generation(tmp_path, store, workers):
    assert going_on(tmp_path, workers, n_generations=3) == 3

    models = []
    for key in ("ask:graded", "ask:buy-list"):
        with store.open(key) as run:
            models.append(options_of(run).model)
            assert run.n_generations == 3
    assert models == ["graded", "buy-list"]


def test_it_evolves_until_the_time_is_over(tmp_path, workers):
    assert going_on(tmp_path, workers, seconds=8.0) in (4, 5)
    assert going_on(tmp_path, workers, seconds=0.0) in (4, 5)
    assert going_on(tmp_path, workers, seconds=6.0) in (7, 8, 9)


def test_runs_that_were_stopped_end_as_if_they_had_not_been(tmp_path, workers):
    calls = iter([False, False, True])
    assert going_on(tmp_path / "stopped", workers, n_generations=4, stops=lambda: next(calls, True)) is None
    assert going_on(tmp_path / "stopped", workers, n_generations=4) == 4

    going_on(tmp_path / "whole", workers, n_generations=4)
    assert evolved(tmp_path / "stopped") == evolved(tmp_path / "whole")


def test_runs_that_have_more_generations_are_left_as_they_are(tmp_path, workers):
    going_on(tmp_path, workers, n_generations=4)
    before = evolved(tmp_path)

    assert going_on(tmp_path, workers, n_generations=2) == 2
    assert evolved(tmp_path) == before


def refusal(root, request, seed, n_games=None):
    with pytest.raises(UsageError) as error:
        check_saved_answer(request, seed, store=RunStore(root), n_games=n_games)
    return str(error.value)


OTHER_REQUESTS = [
    (Request(FIRST, 3, "ask", 8), "with --players 2, and the request has --players 3. Start again with --overwrite"),
    (Request(parse_kingdom("deck-top"), 2, "ask", 8), "with --kingdom cellar,market,"),
    (Request(FIRST, 2, "ask", 12), "with --nstrat 8, and the request has --nstrat 12."),
]


def test_an_answer_has_the_seed_to_continue_with_and_refuses_other_requests(tmp_path, store, workers):
    assert check_saved_answer(QUESTION, None, store=store) is None
    going_on(tmp_path, workers, n_generations=1)

    assert check_saved_answer(QUESTION, None, store=store) == check_saved_answer(QUESTION, 7, store=store) == 7
    assert "answer 'ask' was found with seed 7, and --seed is 8." in refusal(tmp_path, QUESTION, 8)
    assert check_saved_answer(QUESTION, 7, store=store, n_games=2000) == 7
    games = "answer 'ask' was found with --training-games 2000, and the request has --training-games 4000."
    assert games in refusal(tmp_path, QUESTION, None, 4000)
    for request, message in OTHER_REQUESTS:
        assert message in refusal(tmp_path, request, None)


def test_a_run_of_another_kind_is_no_answer(tmp_path):
    save_run(tmp_path, "ask", whole=False, n_strategies=8)

    assert "run 'ask' was evolved, not found by advice" in refusal(tmp_path, QUESTION, None)


def advice(*, became_answer=True):
    """Return an advice whose answer is a best response, as far as saving it goes."""
    record = network_strategy(np.full(N_WEIGHTS, 0.5, np.float32), FIRST)
    response = ResponseResult(500, Share(0.6, 0.55, 0.65, 400), became_answer=became_answer)
    return SimpleNamespace(best_response=response, record=record)


def test_an_answer_is_one_file_whose_parts_are_replaced_played_exported_and_imported(tmp_path, store, workers):
    going_on(tmp_path, workers, n_generations=1)
    assert save_response(QUESTION, 7, advice(became_answer=False), store=store) is None
    assert find_answer("ask", store).parts == ("network", "graded", "buy-list")
    assert save_response(QUESTION, 7, advice(), store=store) == "ask:best-response"
    assert save_response(QUESTION, 7, advice(), store=store) == "ask:best-response"
    assert note_answer(QUESTION, "ask:best-response:1", "", store=store) == "ask"
    assert [file.name for file in (tmp_path / "runs").iterdir()] == ["ask.sqlite"]
    store.export_file("ask", tmp_path / "file")
    assert store.import_file(tmp_path / "file", "copy", check=check_run) == "copy"

    for key in ("ask", "copy"):
        assert find_answer(key, store).best == f"{key}:best-response:1"
        words = [key, f"{key}:graded:2", f"{key}:buy-list", f"{key}:network"]
        best, *others = find_entrants(words, store=store).entrants
        assert (weights_of(best.strategy) == 0.5).all()
        assert [one.origin[1] for one in others] == [f"{key}:graded", f"{key}:buy-list", f"{key}:network"]


@pytest.mark.parametrize("part", ["buy-list", "best-response"])
def test_an_answer_with_a_part_of_another_kind_is_not_imported(tmp_path, store, workers, part):
    going_on(tmp_path, workers, n_generations=1)
    with store.open("ask", write=True) as saved:
        graded = saved.part("graded")
        saved.save_part(part, (graded.meta, list(graded)))

    with store.open("ask") as run, pytest.raises(RunError, match=f"'ask:{part}' does not belong"):
        check_run(run)


@pytest.mark.parametrize("best", ["big-money", "big:network:1", "big:buy-list:3"])
def test_the_best_strategy_is_noted_also_if_the_key_is_the_start_of_a_baseline(tmp_path, store, best):
    save_answer(tmp_path, "big")

    assert note_answer(Request(FIRST, 2, "big", 8), best, "", store=store) == "big"
    assert find_answer("big", store).best == best
