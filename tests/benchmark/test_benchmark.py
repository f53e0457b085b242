"""The suite of `evodom benchmark`: its kingdoms and opponents, and how an entrant is scored."""

import json
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from evodom.benchmark import GAMES, OPPONENTS, PLAYERS, entrants_by_kingdom, load_suite, play_suite
from evodom.cli.benchmark import BenchmarkOptions
from evodom.dominion.cards import find_card
from evodom.dominion.strategies.baselines import TRAINING_OPPONENTS
from evodom.runs import RunStore
from evodom.statistics import wilson
from evodom.tasks import Workers
from tests.cli.program import refusal, run_program
from tests.saved import evolve

SUITE = load_suite()
COUNTS = {"Base": 8, "Intrigue": 4, "Mixed": 4, "Colonies": 4}


def test_the_suite_has_20_different_kingdoms_in_four_groups():
    kingdoms = [each.kingdom for each in SUITE.kingdoms]
    sets = {
        each.group: {find_card(name).card_set for name in kingdom.cards}
        for each, kingdom in zip(SUITE.kingdoms, kingdoms, strict=True)
    }

    assert SUITE.version == 1
    assert {group: sum(each.group == group for each in SUITE.kingdoms) for group in SUITE.groups} == COUNTS
    assert len(set(kingdoms)) == len({each.name for each in SUITE.kingdoms}) == 20
    assert sets["Base"] == {"Base"}
    assert sets["Intrigue"] == {"Intrigue"}
    assert all(each.kingdom.has_colony == (each.group == "Colonies") for each in SUITE.kingdoms)


def test_every_kingdom_has_the_opponents_and_none_is_a_training_opponent():
    assert not {*OPPONENTS} & {*TRAINING_OPPONENTS}
    for each in SUITE.kingdoms:
        opponents = each.opponents()
        assert tuple(opponents) == OPPONENTS
        assert len({dump.tobytes() for dump in opponents.values()}) == len(OPPONENTS)


def test_an_entrant_is_scored_alike_for_any_number_of_threads_and_even_against_its_copies(tmp_path):
    every = entrants_by_kingdom("big-money", RunStore(tmp_path))
    two = {name: every[name] for name in ("Base 1", "Intrigue 1")}
    games = []

    with ThreadPoolExecutor(2) as executor:
        found = play_suite(two, 40, Workers(executor, 2), games.append)

    assert found == play_suite(two, 40)
    assert sum(games) == found.wins.n_games == 2 * 2 * 4 * 40
    for cell in found.cells:
        if cell.opponent == "big-money":
            assert cell.wins.low <= 1 / cell.players <= cell.wins.high
    assert found.wins.share == pytest.approx(np.mean([cell.wins.share for cell in found.cells]))
    against = [cell.wins.share for cell in found.cells if cell.group == "Base" and cell.opponent == "random"]
    assert found.share(["Base"], PLAYERS, ["random"]) == wilson(sum(against) * 40, 80)
    assert found.to_json()["not_played"] == [each.name for each in SUITE.kingdoms if each.name not in two]


def test_a_run_and_a_list_are_scored_in_the_kingdoms_they_can_play(tmp_path):
    kingdom = SUITE.kingdoms[1].kingdom
    evolve(tmp_path, "own", whole=False, kingdom=kingdom, players=2, n_generations=1, n_strategies=8)
    file = tmp_path / "witch.toml"
    file.write_text('buy = ["Province", "Witch", "Silver"]')

    assert [*entrants_by_kingdom("own", RunStore(tmp_path))] == ["Base 2"]
    with_witch = [each.name for each in SUITE.kingdoms if "Witch" in each.cards.split(", ")]
    assert [*entrants_by_kingdom(str(file), RunStore(tmp_path))] == with_witch


def test_the_command_prints_one_table_and_json(tmp_path):
    kingdom = SUITE.kingdoms[1].kingdom
    evolve(tmp_path, "own", whole=False, kingdom=kingdom, players=2, n_generations=1, n_strategies=8)

    shown = run_program("benchmark", "own", "--games", "4", EVODOM_DATA_DIR=str(tmp_path)).stdout
    found = json.loads(run_program("benchmark", "own", "--games", "4", "--json", EVODOM_DATA_DIR=str(tmp_path)).stdout)

    assert "own, suite 1: 1 of 20 kingdoms, 32 games" in shown
    assert "\nBase (1)        2 " in shown
    assert "chance level 37.5 %" in shown
    assert max(map(len, shown.splitlines())) <= 80
    assert (found["agent"], found["version"], found["kingdoms"], len(found["cells"])) == ("own", 1, ["Base 2"], 8)
    assert BenchmarkOptions().games == GAMES


def test_without_an_agent_the_kingdoms_are_listed():
    assert len(json.loads(run_program("benchmark", "--json").stdout)["kingdoms"]) == 20
    assert f"{SUITE.kingdoms[-1].name}  " in run_program("benchmark").stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["big-mony"], "'big-mony' names no strategy."),
        (["demo"], "'demo' can play none of the 20 kingdoms of the suite. A run plays in its own kingdom"),
        (["random", "--games", "6"], "--games is 6. Allowed: 4 to 10,000, divisible by 4."),
    ],
)
def test_what_cannot_be_scored_is_refused_in_one_line(tmp_path, words, message):
    evolve(tmp_path, whole=False, n_generations=1, n_strategies=8)

    assert message in refusal(run_program("benchmark", *words, EVODOM_DATA_DIR=str(tmp_path)))
