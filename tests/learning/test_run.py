"""Runs of learning: the same whatever stops them and however many threads there are; their settings."""

import numpy as np
import pytest

from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.errors import RunError, UsageError
from evodom.evolution.runs import options_of as evolved_options
from evodom.learning.run import is_learned, latest_networks, learned, options_of
from evodom.learning.training import SAVED_START, TrainEffort, TrainOptions, _games_of_equal_iteration
from evodom.runs import Generation, RunStore
from evodom.runs.lifecycle import RunMonitor
from tests.learning.small import EFFORT, OPTIONS, RUNS, SEED, begun


def test_every_checkpoint_is_saved_and_the_starts_become_fewer(reference):
    _, saved = reference

    assert len(saved) == EFFORT.n_checkpoints + 1
    assert [len(ranking) for _, ranking, _ in saved] == [2, 2, 2, 1]
    assert [summary["games"] for *_, summary in saved] == [0, 72, 144, 180]
    assert all(0 <= share <= 1 for *_, summary in saved for share in summary["shares"])


def test_progress_names_the_checkpoint_and_the_start_whose_opponents_its_win_rate_is_against(tmp_path):
    told = []
    with begun("demo", tmp_path) as run:
        RUNS.carry_on(run, None, RunMonitor(lambda n, figures: told.append((figures["checkpoint"], figures["start"]))))

    *segments, (last, _) = dict.fromkeys(told)
    assert segments == [(1, 0), (1, 1), (2, 0), (2, 1)]
    assert last == 3


def test_a_run_has_its_seed_its_options_and_networks_best_first(reference):
    root, saved = reference
    with RunStore(root).open("whole") as run:
        assert (run.provenance().seed, options_of(run)) == (SEED, TrainOptions(**OPTIONS))
        assert is_learned(run)
    assert saved[0][0] != saved[1][0]

    root, _ = reference
    with RunStore(root).open("whole") as run:
        first = run.generation(0)
        both = learned(run, 5, first)
        (best,) = learned(run, 1, first)
        assert len(learned(run, 5)) == 1

    assert len(both) == 2
    assert both[0] == best
    assert both[0] != both[1]
    assert {int(record["kingdom"]) for record in both} == {OPTIONS["kingdom"].fingerprint}


def test_each_start_is_as_it_was_last_trained_the_best_first(reference):
    # In the small run the last checkpoint has one start, and the one before it both.
    with RunStore(reference[0]).open("whole") as run:
        (best_name, best, record), (other_name, other, other_record) = latest_networks(run)
        earlier = run.generation(EFFORT.n_checkpoints - 1)
        ranked = [int(earlier.genomes["start"][place]) for place in earlier.ranking]

        assert (best_name, best) == (f"whole@{EFFORT.n_checkpoints}:1", int(run.last().genomes["start"][0]))
        assert record == learned(run, 1)[0]
        assert {best, other} == {0, 1}
        assert other_name == f"whole@{EFFORT.n_checkpoints - 1}:{ranked.index(other) + 1}"
        assert other_record == learned(run, 2, earlier)[ranked.index(other)]


def changed(field, value):
    """Return a function that puts a value into a field of a checkpoint's first network."""

    def change(checkpoint):
        genomes = checkpoint.genomes.copy()
        genomes[field].reshape(len(genomes), -1)[0, 0] = value
        return Generation(checkpoint.index, genomes, checkpoint.ranking, checkpoint.summary)

    return change


DAMAGES = {
    "not a number": changed("weights", np.nan),
    "infinite": changed("mean", np.inf),
    "too large to add up": changed("weights", 1e30),
    "a negative square": changed("square", -1.0),
    "negative steps": changed("n_steps", -1),
    "other numbers": lambda old: Generation(
        old.index, np.zeros(2, [("start", "<i4"), ("weights", "<f4", (5,))]), old.ranking, old.summary
    ),
    "no networks": lambda old: Generation(old.index, np.zeros(0, SAVED_START), np.zeros(0, np.int32), old.summary),
    "a ranking of others": lambda old: Generation(old.index, old.genomes, old.ranking + 1, old.summary),
    "a start that there is not": changed("start", -1),
    "a summary without games": lambda old: Generation(old.index, old.genomes, old.ranking, {"shares": [0.5]}),
    "a summary without shares": lambda old: Generation(old.index, old.genomes, old.ranking, {"games": 1}),
}


def test_a_foreign_checkpoint_is_refused_in_one_line(reference, store):
    with RunStore(reference[0]).open("whole") as run:
        meta, first = run.meta, run.generation(0)
    for what, damage in DAMAGES.items():
        message = r", summary of generation 0: \w+ is missing" if "summary" in what else " holds networks that this"
        with store.create("demo", meta, [damage(first)], overwrite=True) as run:
            for use in (lambda run: learned(run, 1), lambda run: RUNS.carry_on(run, None, RunMonitor())):
                with pytest.raises(RunError, match=rf"^run 'demo'{message}[^\n]*$"):
                    use(run)


def test_foreign_settings_are_refused_in_one_line(reference, store):
    with RunStore(reference[0]).open("whole") as run:
        meta, first = run.meta, run.generation(0)
    for changes, message in (
        ({"options": None}, "run 'demo' has settings this version cannot use"),
        ({"options": meta["options"] | {"kingdom": ["Vilage"]}}, "no card named 'Vilage'"),
        ({"options": meta["options"] | {"n_starts": -1}}, "n_starts is -1. Allowed: 0 to 9."),
        ({"options": meta["options"] | {"games": "many"}}, "cannot use: games is 'many'"),
        ({"seed": None}, "run 'demo': seed is null"),
        ({"seed": -3}, "run 'demo': seed is -3"),
    ):
        with (
            store.create("demo", meta | changes, [first], overwrite=True) as run,
            pytest.raises(RunError, match=message) as refused,
        ):
            RUNS.carry_on(run, None, RunMonitor())
        assert "\n" not in str(refused.value)


def test_what_is_for_evolved_runs_refuses_a_trained_one(reference):
    with (
        RunStore(reference[0]).open("whole") as run,
        pytest.raises(UsageError, match="run 'whole' was trained, not evolved"),
    ):
        evolved_options(run)


FULL_EFFORT = TrainEffort()
GAMES = FULL_EFFORT.games_per_iteration


def test_settings_are_saved_and_read():
    options = TrainOptions(
        Kingdom(("Chapel", "Witch")), 3, 5000, rivals=("big-money", "random"), guests=('{"name": "random"}',)
    )

    assert TrainOptions.from_json(options.to_json()) == options
    assert options.to_json()["n_starts"] == 1


def test_values_outside_their_bounds_are_refused():
    for changes, message in (
        ({"players": 1}, "--players is 1. Allowed: 2 to 6."),
        ({"players": 7}, "--players is 7. Allowed: 2 to 6."),
        ({"games": 0}, "--games is 0. Allowed: 1 to 100,000,000."),
        ({"n_starts": 10}, "--starts is 10. Allowed: 0 to 9."),
    ):
        with pytest.raises(UsageError, match=message):
            TrainOptions(**changes)


@pytest.mark.parametrize(("games", "n_starts"), [(2000, 1), (499_999, 1), (500_000, 2), (1_000_000, 3)])
def test_more_games_have_more_starts_and_no_more_games_than_asked_for_are_played(games, n_starts):
    options = TrainOptions(FIRST_GAME, games=games)

    alive = FULL_EFFORT.segments_from(options.n_starts, 1)
    assert options.n_starts == n_starts
    assert alive[:6] == [n_starts] * 6
    assert alive == sorted(alive, reverse=True)
    assert alive[-1] == 1
    assert 0.98 * games - sum(alive) < FULL_EFFORT.games_each(options) * sum(alive) <= games


@pytest.mark.parametrize("n_games", [1, 166, GAMES, GAMES + 1, 25_000])
def test_the_games_of_a_checkpoint_are_cut_into_even_iterations(n_games):
    parts = []
    while n_games > sum(parts):
        parts.append(_games_of_equal_iteration(n_games - sum(parts), GAMES))

    assert sum(parts) == n_games
    assert max(parts) <= GAMES
    assert max(parts) - min(parts) <= 1
