"""The suite of `evodom benchmark`: its kingdoms and opponents, and how an entrant is scored."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from evodom.benchmark import (
    BASELINE,
    CELLS,
    GAMES,
    OPPONENTS,
    PLAYERS,
    find_suite_entrant,
    load_suite,
    network_digest,
    play_suite,
)
from evodom.cli.benchmark import BenchmarkOptions
from evodom.dominion.cards import SETS, find_card
from evodom.dominion.contract import Dominion
from evodom.dominion.kingdom import slug
from evodom.dominion.strategies.baselines import HELD_OUT_OPPONENTS
from evodom.errors import UsageError
from evodom.matches import policy_files
from evodom.matches.observations import FEATURES
from evodom.matches.policy_files import Loaded, metadata_of
from evodom.matches.tournament import strongest_baselines
from evodom.runs import RunStore
from evodom.statistics import wilson
from evodom.tasks import Workers
from tests.cli.program import refusal, run_program
from tests.saved import evolve

SUITE = load_suite()
NAMES = [each.name for each in SUITE.kingdoms]


def test_the_suite_has_4_kingdoms_of_each_set_and_of_all_sets_half_with_colony():
    kingdoms = [each.kingdom for each in SUITE.kingdoms]

    assert SUITE.version == 2
    assert SUITE.groups == (*SETS, "Mixed")
    assert all(sum(each.group == group for each in SUITE.kingdoms) == 4 for group in SUITE.groups)
    assert len(set(kingdoms)) == len(set(NAMES)) == 20
    for each in SUITE.kingdoms:
        sets = {find_card(name).card_set for name in each.kingdom.cards[:10]}
        assert len(sets) > 2 if each.group == "Mixed" else sets == {each.group}
    assert sum(kingdom.has_colony for kingdom in kingdoms) == 10


def test_every_kingdom_has_the_strongest_held_out_baseline_an_evolved_list_and_the_network():
    assert SUITE.network == network_digest(), "another shipped network needs a new version of the suite"
    for each in SUITE.kingdoms:
        for players in PLAYERS:
            opponents = each.opponents(players)
            assert tuple(opponents) == OPPONENTS
            assert len({record.tobytes() for record in opponents.values()}) == len(OPPONENTS)
    for each in SUITE.kingdoms[:2]:
        best = [strongest_baselines(each.kingdom, players, 1, HELD_OUT_OPPONENTS) for players in PLAYERS]
        assert [(name,) for name in each.baselines] == best


def test_an_entrant_is_scored_alike_for_any_number_of_threads_and_even_against_its_copies(tmp_path):
    entrant = find_suite_entrant("network", RunStore(tmp_path))
    assert [*entrant.by_kingdom] == NAMES
    entrant = replace(entrant, by_kingdom={name: entrant.by_kingdom[name] for name in ("Base 1", "Mixed 2")})
    games = []

    with ThreadPoolExecutor(2) as executor:
        found = play_suite(entrant, 40, Workers(executor, 2), games.append)

    assert found == play_suite(entrant, 40)
    assert sum(games) == found.wins.n_games == 2 * CELLS * 40
    for cell in found.cells:
        if cell.opponent == "network":
            assert cell.wins.low <= 1 / cell.players <= cell.wins.high
    assert found.wins.share == pytest.approx(np.mean([cell.wins.share for cell in found.cells]))
    against = [cell.wins.share for cell in found.cells if cell.group == "Base" and cell.opponent == BASELINE]
    assert found.share(["Base"], PLAYERS, [BASELINE]) == wilson(sum(against) * 40, 80)


def test_a_run_and_a_list_are_scored_in_the_kingdoms_they_can_play(tmp_path):
    kingdom = SUITE.kingdoms[1].kingdom
    evolve(tmp_path, "own", whole=False, kingdom=kingdom, players=2, n_generations=1, n_strategies=8)
    file = tmp_path / "witch.toml"
    file.write_text('buy = ["Province", "Witch", "Silver"]')

    found = find_suite_entrant("own", RunStore(tmp_path))
    assert [*found.by_kingdom] == ["Base 2"]
    assert [*found.not_played] == [name for name in NAMES if name != "Base 2"]
    assert "run 'own' was made in a kingdom without a name" in found.not_played["Base 1"]
    with_witch = [each.name for each in SUITE.kingdoms if "Witch" in each.cards.split(", ")]
    assert [*find_suite_entrant(str(file), RunStore(tmp_path)).by_kingdom] == with_witch


FIXED = """
import numpy as np


def agent(observations, masks):
    return np.zeros((len(masks), 18))  # fits a kingdom of ten cards without options


def cards(observations, masks):
    return observations["traits"][:, :, 1]


agent.takes_observations = True
cards.takes_observations = "cards"
"""


def test_a_policy_is_scored_in_the_kingdoms_that_it_fits(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(FIXED)
    found = find_suite_entrant(str(file), RunStore(tmp_path))

    assert [*found.by_kingdom] == [
        each.name for each in SUITE.kingdoms if len(Dominion(each.kingdom).all_actions) == 18
    ]
    assert 0 < len(found.not_played) < 20
    assert all("returned float64 of shape (1, 18). Expected" in reason for reason in found.not_played.values())
    assert [*find_suite_entrant(f"{file}:cards", RunStore(tmp_path)).by_kingdom] == NAMES


def test_a_file_is_scored_in_the_kingdom_of_its_metadata_and_a_folder_in_those_of_its_files(tmp_path, monkeypatch):
    def act(observations, masks):
        return masks.astype(float)

    own = {f"{slug(each.name)}.pt2": metadata_of(FEATURES, each.kingdom) for each in SUITE.kingdoms}
    monkeypatch.setattr(policy_files, "_load_torch", lambda path: Loaded(act, [("n", 1)], own[path.name]))
    folder = tmp_path / "policies"
    folder.mkdir()
    for name in ("base-1.pt2", "mixed-4.pt2", "note.txt"):
        (folder / name).touch()
    (folder / "intrigue-1.toml").write_text('buy = ["Province", "Silver"]')

    found = find_suite_entrant(str(folder / "mixed-4.pt2"), RunStore(tmp_path))
    assert [*found.by_kingdom] == ["Mixed 4"]
    found = find_suite_entrant(str(folder), RunStore(tmp_path))
    assert found.name == str(folder)
    assert [*found.by_kingdom] == ["Base 1", "Intrigue 1", "Mixed 4"]
    assert found.not_played["Base 2"].endswith("has no file base-2.")
    assert len(play_suite(found, 4).cells) == 3 * CELLS

    (folder / "base-1.toml").write_text('buy = ["Province", "Silver"]')
    with pytest.raises(UsageError, match=r"has two files for Base 1: .*base-1.pt2, .*base-1.toml. Remove one"):
        find_suite_entrant(str(folder), RunStore(tmp_path))
    own["base-1.pt2"] = own["mixed-4.pt2"] = "{"
    with pytest.raises(UsageError, match="damaged metadata"):
        find_suite_entrant(str(folder / "mixed-4.pt2"), RunStore(tmp_path))


def test_a_failure_in_one_kingdom_does_not_end_the_others(tmp_path):
    agent = 'def agent(view, decision):\n    assert "Moat" not in view.supply\n    return decision.consequences[-1]\n'
    (tmp_path / "mine.py").write_text(agent)
    entrant = find_suite_entrant(str(tmp_path / "mine.py"), RunStore(tmp_path))
    chosen = [each.name for each in SUITE.kingdoms if "Moat" in each.kingdom.cards][:1] + NAMES[-1:]
    found = play_suite(replace(entrant, by_kingdom={name: entrant.by_kingdom[name] for name in chosen}), 2)
    assert found.kingdoms == (chosen[1],)
    assert "AssertionError" in found.not_played[chosen[0]]


def test_the_command_prints_one_table_and_json(tmp_path):
    kingdom = SUITE.kingdoms[1].kingdom
    evolve(tmp_path, "own", whole=False, kingdom=kingdom, players=2, n_generations=1, n_strategies=8)

    shown = run_program("benchmark", "own", "--games", "4", EVODOM_DATA_DIR=str(tmp_path)).stdout
    found = json.loads(run_program("benchmark", "own", "--games", "4", "--json", EVODOM_DATA_DIR=str(tmp_path)).stdout)

    assert "own, suite 2: 1 of 20 kingdoms, 24 games" in shown
    assert "Not played: Base 1, Base 3, " in " ".join(shown.split())
    assert "\nBase (1)        2 " in shown
    assert "chance level 37.5 %" in shown
    assert max(map(len, shown.splitlines())) <= 80
    assert (found["agent"], found["suite"], found["kingdoms"], len(found["cells"])) == ("own", 2, ["Base 2"], 6)
    assert [*found["versions"]] == ["evodom", "python", "numpy", "numba"]
    assert [*found["not_played"]] == [name for name in NAMES if name != "Base 2"]
    assert BenchmarkOptions().games == GAMES


def test_without_an_agent_the_kingdoms_are_listed():
    assert len(json.loads(run_program("benchmark", "--json").stdout)["kingdoms"]) == 20
    assert f"{SUITE.kingdoms[-1].name}  " in run_program("benchmark").stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["big-mony"], "'big-mony' names no strategy."),
        (["demo"], "'demo' can play none of the 20 kingdoms of the suite. Base 1: run 'demo' was made in First Game"),
        (["random", "--games", "6"], "--games is 6. Allowed: 4 to 10,000, divisible by 4."),
    ],
)
def test_what_cannot_be_scored_is_refused_in_one_line(tmp_path, words, message):
    evolve(tmp_path, whole=False, n_generations=1, n_strategies=8)

    assert message in refusal(run_program("benchmark", *words, EVODOM_DATA_DIR=str(tmp_path)))
