"""`evodom strategies` lists the baselines and prints any strategy as a file."""

import json
import tomllib

import pytest
from click.testing import CliRunner

from evodom.cli.strategies import strategies
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.baselines import BASELINES, baseline
from evodom.dominion.strategies.files import parse_strategy
from evodom.matches import Purpose, Tally, Venue, win_share
from evodom.matches.entrants import find_entrants
from tests.saved import evolve


@pytest.fixture
def invoke(tmp_path):
    return lambda *arguments: CliRunner().invoke(strategies, [*arguments, "--data-dir", str(tmp_path)])


def test_every_baseline_is_listed_with_what_it_buys_but_for_those_that_lack_a_card(invoke):
    result = invoke()
    assert (result.exit_code, result.stderr) == (0, "")
    assert all(f"\n{name} " in result.stdout for name in BASELINES)
    assert "Province, Duchy, Estate, Gold, Smithy, Silver" in result.stdout

    shown = invoke("--kingdom", "deck-top").stdout
    assert "big-money-laboratory" in shown
    assert "big-money-smithy" not in shown


def test_json_has_rules_and_the_cards_that_are_needed(invoke):
    listed = {one["name"]: one for one in json.loads(invoke("--json").stdout)}

    assert list(listed) == list(BASELINES)
    assert listed["chapel-witch"]["needs"] == ["Witch", "Chapel"]
    assert listed["big-money"]["buy"][0] == "Province"


def test_a_baseline_printed_is_the_baseline(invoke):
    for name in BASELINES:
        if name != "random":
            printed = parse_strategy(invoke(name).stdout)
            kingdom = Kingdom(tuple(printed.cards))
            assert printed.record(kingdom).tobytes() == baseline(name, kingdom).tobytes()


def test_the_champion_of_a_run_is_printed_with_where_it_comes_from(invoke, tmp_path, store):
    evolve(tmp_path, whole=False, n_strategies=8, n_generations=1)
    text = invoke("demo", "--raw").stdout
    field = find_entrants(["demo"], store=store)

    assert text.startswith("# Number 1 of generation 0 of run 'demo', evolved for 4 players.\n# Kingdom: Cellar, ")
    assert parse_strategy(text).record(field.kingdom).tobytes() == field.entrants[0].strategy.tobytes()
    facts = json.loads(invoke("demo", "--raw", "--json").stdout)
    assert (facts["name"], facts["kingdom"]["name"], facts["toml"]) == ("demo", "First Game", text)


def test_a_champion_is_printed_as_a_list_that_loads_and_plays_as_well(invoke, tmp_path, store, monkeypatch):
    evolve(tmp_path, n_strategies=16, n_generations=6, players=2)
    monkeypatch.setattr("evodom.advice.readable.GAMES", 400)
    text = invoke("demo").stdout
    field = find_entrants(["demo"], store=store)
    original, printed = field.entrants[0].strategy, parse_strategy(text).record(field.kingdom)

    assert parse_strategy(text).model == "buy-list"
    assert "evodom strategies demo --raw" in text
    assert len(text.splitlines()) < len(invoke("demo", "--raw").stdout.splitlines()) / 1.5
    venue = Venue(field.kingdom, 2, 5)
    won = Tally.of(venue.against(printed, [original], 1000, venue.stream(Purpose.EXPECTED)))
    assert win_share(won.games, 0).share > 0.47
    assert json.loads(invoke("demo", "--json").stdout)["toml"] == text


def test_a_file_is_printed_as_a_file_that_says_the_same(invoke, tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('name = "Mine"\nbuy = ["province", "Witch if count_in_deck(Witch)<1", "Silver"]\n')
    once = invoke(str(file)).stdout
    file.write_text(once)

    assert tomllib.loads(once)["name"] == "Mine"
    assert invoke(str(file)).stdout == once
