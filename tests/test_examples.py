"""The examples of the documentation: short, and each runs for a short time."""

import re
import runpy
import sys
from pathlib import Path

import numpy as np
import pytest

from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.strategies.baselines import baseline
from evodom.matches import Venue, load_agent

FOLDER = Path(__file__).parent.parent / "docs" / "examples"


def run(name, *arguments, monkeypatch):
    """Run an example as a program."""
    monkeypatch.setattr(sys, "argv", [name, *arguments])
    monkeypatch.syspath_prepend(str(FOLDER))
    runpy.run_path(str(FOLDER / name), run_name="__main__")


def test_examples_have_at_most_80_lines_of_code():
    files = sorted(FOLDER.glob("*.py"))
    assert len(files) >= 7
    for file in files:
        assert sum(bool(line.strip()) for line in file.read_text().splitlines()) <= 80, file


def test_the_agent_beats_big_money():
    players = [load_agent(str(FOLDER / "agent.py")), baseline("big-money", FIRST_GAME)]
    tables = np.array([[0, 1], [1, 0]] * 15, np.int32)
    results = Venue(FIRST_GAME, 2).play(players, tables, np.arange(30, dtype=np.uint64))
    wins = np.where(tables[:, :1] == 0, results["win"][:, :1], results["win"][:, 1:2])
    assert wins.mean() > 0.5


def test_evolution_of_another_problem_improves(monkeypatch, capsys):
    run("ask_and_tell.py", monkeypatch=monkeypatch)
    first, last = (int(line.rpartition(" ")[2]) for line in capsys.readouterr().out.splitlines())
    assert last < first


def test_an_archive_of_pyribs_is_filled_with_better_strategies(monkeypatch, capsys):
    pytest.importorskip("ribs", reason="pyribs needs SciPy and scikit-learn, too large for every run of the tests")
    run("map_elites.py", "--generations", "4", monkeypatch=monkeypatch)
    found = [re.fullmatch(r"\d+: (\d+) elites, mean (.*)", line) for line in capsys.readouterr().out.splitlines()]
    elites, means = [int(one[1]) for one in found], [float(one[2]) for one in found]
    assert elites == sorted(elites)
    assert elites[-1] > elites[0] > 10
    assert means[-1] > means[0]


def test_a_game_of_the_reader_is_solved(monkeypatch, capsys):
    run("exact.py", monkeypatch=monkeypatch)
    exact, decimal = capsys.readouterr().out.split()
    numerator, denominator = map(int, exact.split("/"))
    assert float(decimal) == numerator / denominator
    assert 0.2 < float(decimal) < 1


def test_open_spiel_searches(monkeypatch, capsys):
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: it has no wheel for this platform")
    run("open_spiel_search.py", "--simulations", "4", "--decisions", "3", monkeypatch=monkeypatch)
    assert "turn 1: " in capsys.readouterr().out


def test_ppo_trains_and_saves_a_policy(monkeypatch, tmp_path):
    pytest.importorskip("sb3_contrib", reason="sb3-contrib and PyTorch are too large for every run of the tests")
    monkeypatch.chdir(tmp_path)
    run("ppo.py", "--minutes", "0.05", monkeypatch=monkeypatch)
    assert load_agent("policy.pt2").scaled


def test_self_play_trains_and_saves_a_policy(monkeypatch, tmp_path):
    pytest.importorskip("torch", reason="PyTorch is too large for every run of the tests")
    monkeypatch.chdir(tmp_path)
    run("self_play.py", "--minutes", "0.05", monkeypatch=monkeypatch)
    assert load_agent("self_play.pt2").scaled


def test_one_policy_of_all_kingdoms_is_trained_and_measured(monkeypatch, tmp_path, capsys):
    pytest.importorskip("torch", reason="PyTorch is too large for every run of the tests")
    monkeypatch.chdir(tmp_path)
    run("all_kingdoms.py", "--minutes", "0.05", "--games", "2", "--sets", "Base,Intrigue", monkeypatch=monkeypatch)
    assert "of 80 games in test kingdoms won" in capsys.readouterr().out
    assert load_agent("all_kingdoms.pt2").observation == "cards"
