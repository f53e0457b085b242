"""The functions of the package: results and their forms, equal to those of the commands, bad input."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import evodom
from evodom.api.results import ReportedResult
from evodom.errors import UsageError
from evodom.evolution import carry_on, history_of
from evodom.games import play
from evodom.learning.run import LEARNING
from evodom.matches import Entrant, Venue
from evodom.matches import play_match as play_entrants
from evodom.runs.lifecycle import RunMonitor
from tests.learning.small import EFFORT
from tests.saved import quick_runs

INDEX = (Path(__file__).parent.parent.parent / "docs" / "index.md").read_text()


@pytest.fixture(autouse=True)
def data_dir(tmp_path, monkeypatch):
    """Keep saved runs out of the user's folder, and play few games."""
    monkeypatch.setenv("EVODOM_DATA_DIR", str(tmp_path))
    quick_runs(monkeypatch)
    monkeypatch.setattr(LEARNING, "effort", EFFORT)


def check_forms(result: ReportedResult, title: str):
    """Check the dict, the text, the HTML and the chart of a result."""
    assert json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert re.fullmatch(r"<\w+: .+>", repr(result))
    assert str(result)
    assert result._repr_html_().count("<table") >= 1
    assert result.plot()._repr_svg_().startswith("<svg xmlns=")
    assert title in str(result)


def test_every_public_name_exists_and_is_documented():
    for name in evodom.__all__:
        assert getattr(evodom, name).__doc__


def test_a_match_has_the_figures_of_the_venue():
    found = evodom.play_match("big-money-smithy", "big-money", n_games=400, seed=3)
    names = ("big-money-smithy", "big-money")
    kingdom = evodom.parse_kingdom("First Game")
    entrants = [Entrant(name, (name,), evodom.find_strategy(name).record) for name in names]
    expected = play_entrants(Venue(kingdom, 2, 3), entrants, n_games=400)
    assert found.win_rates == {one.name: one.win.share for one in expected.standings}
    check_forms(found, "Match in First Game: 400 games of 2, seed 3")
    assert "Repeat" not in str(found)


def test_a_tournament_of_names_strategies_agents_and_policies():
    def passing(view, decision):
        return decision.consequences[-1]

    def late(observations, masks):
        return np.arange(masks.shape[1], dtype=float)[None, :].repeat(len(masks), axis=0)

    late.takes_observations = True
    list_of_money = evodom.find_strategy("big-money", "First Game")
    found = evodom.tournament(list_of_money, "village-smithy", passing, late, n_games=24, seed=1)
    assert {one.name for one in found.standings[:2]} == {"big-money", "village-smithy"}
    assert {one.name for one in found.standings[2:]} == {"passing", "late"}
    check_forms(found, "Round-robin in First Game")


def test_evolution_saves_under_a_key_and_returns_the_champion():
    small = {"n_generations": 2, "n_strategies": 8, "seed": np.int64(1), "model": "buy-list", "players": 2, "race": 1}
    run = evodom.evolve("First Game", key="mine", **small)
    check_forms(run, "The champion buys: ")
    assert "mine" in evodom.RunStore()
    saved = evodom.find_strategy("mine")
    assert saved.record.tobytes() == run.champion.record.tobytes()
    assert saved.toml.count("buy = [") == 1
    assert len(run.to_dict()["history"]["wins"]) == 2
    assert evodom.evolve("First Game", **small).to_dict()["baselines"] == run.to_dict()["baselines"]
    assert list(evodom.RunStore()) == ["mine"], "without a key nothing is saved"
    with pytest.raises(UsageError, match="mine"):
        evodom.evolve("First Game", n_generations=2, n_strategies=8, key="mine")


SMALL = {"n_strategies": 8, "seed": 1, "model": "buy-list", "players": 2, "race": 1}


def test_evolution_reports_each_generation_and_stops_when_asked():
    rows = []
    run = evodom.evolve("First Game", key="mine", n_generations=9, on_generation=rows.append, **SMALL)
    assert [row["generation"] for row in rows] == list(range(1, 10))
    for row in rows:
        assert 0 <= row["mean"] <= row["best"] <= 1
        assert sum(row[kind] for kind in ("elite", "improved", "clone", "child", "new")) == pytest.approx(1)
        assert row["games"] > 0 < row["seconds"]
    assert rows[0]["new"] == 1
    assert {name: values[2] for name, values in run.history.to_dict().items()} == rows[2]
    check_forms(run.history, "best, %  mean, %  wins, %")

    stopped = evodom.evolve("First Game", key="early", n_generations=9, on_generation=lambda row: np.True_, **SMALL)
    assert [row["generation"] for row in stopped.history.rows] == [1]
    with evodom.RunStore().open("early", write=True) as early:
        assert carry_on(early, monitor=RunMonitor(on_generation=lambda one: one.index == 3)) is False
        assert (early.n_generations, len(history_of(early))) == (4, 4)
        assert carry_on(early, monitor=RunMonitor(on_generation=lambda one: one.index == 8)) is True
        for saved, row in zip(history_of(early), rows, strict=True):
            assert saved == {name: value for name, value in row.items() if name != "seconds"}


def test_training_returns_networks():
    run = evodom.train("Big Money", n_games=300, seed=1, n_starts=1)
    check_forms(run, "The champion buys: a network")
    assert len(run.history.to_dict()["games"]) > 0
    check_forms(run.history, "wins, %")


def test_settings_are_compared_over_seeds():
    options = evodom.Options(players=2, n_strategies=8, n_generations=1, start="random")
    other = evodom.Options(players=2, n_strategies=8, n_generations=1, start="random", model="buy-list")
    found = evodom.compare({"graded": options, "lists": other}, seeds=np.arange(1, 3), n_games=20)
    assert set(found.to_dict()["seeds"]) == {1, 2}
    check_forms(found, "2 settings of evodom evolve, 2 seeds")
    with pytest.raises(UsageError, match=r"1 settings are given. Allowed: 2 to 8"):
        evodom.compare({"graded": options}, seeds=[1, 2])


def test_settings_and_seeds_of_a_comparison_are_checked_before_the_first_run(monkeypatch):
    monkeypatch.setattr("evodom.comparison.run.compute_run", None)
    two = {"a": evodom.Options(players=2), "b": evodom.Options(players=2, model="buy-list")}
    with pytest.raises(UsageError, match=r"games is 0. Allowed: 1 or more"):
        evodom.compare(two, seeds=[1, 2], n_games=0)
    for name in ("buy_list", "", "1a", "a-", "a b", "ä", "a" * 41, 1):
        with pytest.raises(UsageError, match=r"a setting is called .* Allowed: 1 to 40 letters"):
            evodom.compare({"a": two["a"], name: two["b"]}, seeds=[1, 2])
    for seeds, message in [
        ([1, 1, 2], "seed 1 is given twice. Allowed: 2 to 20 different seeds."),
        ([1], "1 seeds are given. Allowed: 2 to 20 different seeds."),
        (range(10**9), "21 or more seeds are given. Allowed: 2 to 20"),
        (3, "seeds is 3. Allowed: 2 to 20 different seeds."),
        ("12", "seed is '1'. Allowed: a whole number from 0"),
        ([1, 1.5], "seed is 1.5. Allowed: a whole number from 0"),
    ]:
        with pytest.raises(UsageError, match=re.escape(message)):
            evodom.compare(two, seeds=seeds)


def test_strategies_choose_in_states():
    game = evodom.Dominion(evodom.parse_kingdom("First Game"), 2)
    money, random = evodom.find_strategy("big-money"), evodom.find_strategy("random")
    rng = np.random.default_rng(1)
    state = game.start(rng)
    before = state.tobytes()
    assert money.choose(state) in game.actions(state)
    assert state.tobytes() == before
    seats = [money.choose, random.choose]
    points = [play(game, lambda state: seats[game.player(state)](state), rng) for _ in range(3)]
    assert points == [(1.0, 0.0)] * 3


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: evodom.play_match("big-money"), "a table has 2 to 6 seats, and 1 strategies are given"),
        (lambda: evodom.play_match("big-money", "big-mony"), "'big-mony' names no strategy"),
        (lambda: evodom.play_match("big-money", "random", kingdom="Chappel"), "Did you mean Chapel"),
        (lambda: evodom.play_match("big-money", "random", n_games=0), "--games is 0. Allowed: 1 to 1,000,000"),
        (lambda: evodom.tournament("big-money", n_seats=2), "a tournament needs 2 to 64 strategies, got 1"),
        (lambda: evodom.evolve(n_strategies=7), "--nstrat is 7"),
        (lambda: evodom.evolve(players=4.0), "--players is 4.0. Allowed: 2 to 6"),
        (lambda: evodom.evolve(seed=-1), r"seed is -1. Allowed: a whole number from 0 to 2\*\*63 - 1"),
        (lambda: evodom.train(seed=1.5), "seed is 1.5. Allowed: a whole number"),
        (lambda: evodom.advise("First Game", seed=True), "seed is True. Allowed: a whole number"),
        (lambda: evodom.play_match("random", "random", seed=np.random.default_rng(1)), "seed is Generator"),
        (lambda: evodom.parse_kingdom("random", seed=-1), "seed is -1"),
        (lambda: evodom.DominionGame(seed=2**64), "seed is 18446744073709551616. Allowed: a whole number from 0 to"),
        (lambda: evodom.evolve(on_generation=5), "on_generation is 5. Allowed: a function of a row, or None"),
        (lambda: evodom.evolve(callback=print), "'callback' is no argument of evolve. Allowed: .* hall, "),
        (lambda: evodom.evolve(rivals="big-money"), "rivals is 'big-money'. Allowed: a list"),
        (lambda: evodom.evolve(rivals=("big-mony",)), "a rival is 'big-mony', and nothing is saved of it"),
        (lambda: evodom.evolve(modle="graded"), "Did you mean model?"),
        (lambda: evodom.train(games=5), "'games' is no argument of train. Allowed: .* n_starts, rivals, guests"),
        (lambda: evodom.train(n_games=300, minutes=1), "n_games and minutes exclude each other. Give one of them."),
        (lambda: evodom.train(players=7), "--players is 7"),
        (lambda: evodom.train(players=2.0), "--players is 2.0. Allowed: 2 to 6"),
        (lambda: evodom.train(minutes=float("nan")), "minutes is nan"),
        (lambda: evodom.find_strategy("network:1s"), "has no record"),
        (lambda: evodom.play_match("random", "random").plot().save("picture.png"), "pictures are SVG files"),
    ],
)
def test_bad_arguments_are_refused_in_one_line(call, message):
    with pytest.raises(UsageError, match=message):
        call()


def test_the_first_page_of_the_documentation_runs(tmp_path, monkeypatch, capsys):
    (example,) = re.findall(r"```python\n(.*?)```", INDEX, re.DOTALL)
    assert len(example.splitlines()) <= 15
    monkeypatch.chdir(tmp_path)
    exec(example, {})
    assert "big-money" in capsys.readouterr().out
    assert (tmp_path / "champion.svg").is_file()
