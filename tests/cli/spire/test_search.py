"""`evodom spire search`, `pick` and `play`."""

import json
import re
import shlex
from importlib import resources
from pathlib import Path

import pytest
from click.testing import CliRunner

from evodom.cli.spire import spire
from evodom.spire.embedding import hypernetwork as shipped
from tests.cli.program import refusal

RUN_FILE = str(Path(__file__).parents[2] / "data" / "ironclad.run")
NOTE = "network of act 1 (--network none"
"""Part of the note that the shipped network is used by default."""

QUICK = ("--games", "4", "--simulations", "10", "--seed", "1", "--quiet")


def run(*arguments, answers=""):
    return CliRunner().invoke(spire, [*arguments], input=answers)


DOCS = (Path(__file__).parents[3] / "docs" / "guide" / "spire.md").read_text()
EXAMPLES = [line for line in re.findall(r"^    evodom spire (.*)$", DOCS, re.M) if not line.startswith("solve")]


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_of_the_documentation_run(example):
    words = shlex.split(example)
    result = run(*words, *(QUICK if words[0] != "play" else ("--quiet",)))

    assert result.exit_code == 0, result.output


def test_a_search_tells_hp_and_deaths_of_the_fight_that_is_named(tmp_path):
    result = run("search", "--enemy", "cultist", *QUICK)
    assert result.exit_code == 0
    first, heal, second, third = result.stdout.splitlines()
    assert heal == "HP left includes Burning Blood (heal 6 after a fight); without it: --no-relics."
    assert first.startswith("Cultist, ascension 20, 68 of 75 HP: ")
    assert first.endswith(" lost.")
    assert second.startswith("4 fights, 10 simulations per move, ")
    assert NOTE in third

    file = tmp_path / "fight.toml"
    file.write_text('enemies = { act = "weak" }\nhp = 50\n')
    for words, told in (
        (("--fight", str(file)), "Cultist or Jaw Worm or Two Louses or Small Slimes, ascension 20, 50 of 75 HP: "),
        (("--run", RUN_FILE), "Cultist, ascension 15, 48 of 75 HP: "),
        (("--run", RUN_FILE, "--player-hp", "70", "--ascension", "20"), "Cultist, ascension 20, 70 of 75 HP: "),
    ):
        assert run("search", *words, *QUICK).stdout.startswith(told)


def test_a_search_without_relics_names_the_excluded_heal():
    shown = run("search", "--enemy", "cultist", "--no-relics", *QUICK).stdout
    assert "HP left excludes the 6 HP that Burning Blood heals after a won fight.\n" in shown
    shown = run(
        "search", "--enemy", "cultist", "--no-relics", "--relic", "black blood", "--relic", "vajra", *QUICK
    ).stdout
    assert "HP left includes Black Blood (heal 12 after a fight).\n" in shown


@pytest.mark.parametrize(
    ("argument", "option"),
    [
        (("search", "nob"), ("search", "--enemy", "nob")),
        (("pick", "Anger, skip", "nob"), ("pick", "Anger, skip", "--enemy", "nob")),
        (("pick", "nob", "--upgrade"), ("pick", "--enemy", "nob", "--upgrade")),
    ],
)
def test_the_fight_may_be_an_argument_and_the_same_seed_plays_alike(argument, option):
    assert json.loads(run(*argument, *QUICK, "--json").stdout) == json.loads(run(*option, *QUICK, "--json").stdout)


def test_a_search_for_programs():
    page = json.loads(run("search", "--enemy", "nob", "--deck", "5 Bash, 5 Defend", *QUICK, "--json").stdout)

    assert (page["games"], page["simulations"], page["seed"]) == (4, 10, 1)
    assert page["hp"]["low"] <= page["hp"]["mean"] <= page["hp"]["high"]


def test_what_can_be_solved_is_not_searched():
    fight = shlex.split("--enemy 'jaw worm' --enemy-hp 16 --deck '2 Strike, Defend' --player-hp 20 --network none")

    def told(*arguments):
        page = json.loads(run("search", *fight, *QUICK, *arguments, "--json").stdout)
        return page["hp"], page["death"]

    once = ("--simulations", "1")
    assert told("--solve-below", "100000") == told("--solve-below", "100000", *once)
    assert told(*once) != told("--solve-below", "100000")


@pytest.fixture
def strange_run(tmp_path):
    """A run with a colourless card, a card that is left out, and a relic that is left out."""
    page = json.loads(Path(RUN_FILE).read_text())
    page["master_deck"] += ["HandOfGreed", "HandOfGreed", "Infernal Blade+1"]
    page["relics"] += ["Snecko Eye"]
    file = tmp_path / "strange.run"
    file.write_text(json.dumps(page))
    return str(file)


def test_what_no_fight_here_has_is_skipped_if_asked_for_and_listed(strange_run):
    refused = refusal(run("search", "--run", strange_run, *QUICK))
    given = ("search", "--run", strange_run, "--skip-unknown", "--games", "2", "--simulations", "3", "--seed", "1")
    result = run(*given)

    assert "'HandOfGreed' (not in the tables); Infernal Blade (makes a random card)" in refused
    assert "--skip-unknown" in refused
    assert result.exit_code == 0
    (line,) = [line for line in result.stderr.splitlines() if "strange.run: Skipped" in line]
    assert line.endswith(
        "strange.run: Skipped, not supported: 'HandOfGreed' (not in the tables); Infernal Blade (makes a random card); "
        "Snecko Eye (makes random costs)."
    )
    assert "Skipped" not in run(*given, "--quiet").stderr
    assert run(*given, "--json", "--quiet").stdout == run("search", "--run", RUN_FILE, *given[4:], "--json").stdout


def test_pick_plays_the_same_fights_with_each_card():
    result = run("pick", "bludgeon, skip", "--enemy", "jaw worm", *QUICK)

    lines = result.stdout.splitlines()
    assert lines[0].startswith("Jaw Worm, ascension 20, 68 of 75 HP, 4 ")
    assert {line.split("  ")[0].strip() for line in lines[1:3]} == {"Bludgeon", "skip"}
    assert lines[-1].startswith("Best: ")


def test_pick_upgrades():
    page = json.loads(run("pick", "bash, strike", "--upgrade", "--enemy", "cultist", *QUICK, "--json").stdout)

    assert set(page["choices"]) == {"Bash+", "Strike+"}
    best = page["choices"][page["best"]]
    for one in page["choices"].values():
        assert one["difference"]["mean"] == pytest.approx(one["value"]["mean"] - best["value"]["mean"])
        assert one["difference"]["low"] <= one["difference"]["mean"] <= min(0, one["difference"]["high"])


def test_pick_rests_or_upgrades_all_that_can_be():
    fight = ("--enemy", "cultist", "--player-hp", "30", "--deck", "Searing Blow+, Defend+, 4 Strike, Clumsy")
    page = json.loads(run("pick", "--rest", *fight, *QUICK, "--json").stdout)

    assert set(page["choices"]) == {"rest", "Searing Blow+2", "Strike+"}
    assert page["choices"]["rest"]["fight"] == "Cultist, ascension 20, 52 of 75 HP"
    assert page["choices"]["Strike+"]["fight"] == "Cultist, ascension 20, 30 of 75 HP"


def test_pick_and_play_use_the_network_of_act_1_and_say_so():
    pick, play = ("pick", "Anger, skip", *QUICK), ("play", "nob", "--seed", "3", "--quiet")

    assert NOTE in run(*pick).stdout
    assert NOTE in run(*play, answers="q\n").stdout
    for name in ("none", "act1"):
        assert NOTE not in run(*pick, "--network", name).stdout
        assert NOTE not in run(*play, "--network", name, answers="q\n").stdout


def test_what_pick_and_play_use_can_be_named():
    named = ((), ("--network", "act1"), ("--network", "none"))
    usual, act1, none = (json.loads(run("pick", "Anger, skip", *QUICK, "--json", *more).stdout) for more in named)

    assert (usual["network"], none["network"]) == ("act1", None)
    assert usual == act1
    assert act1["choices"] != none["choices"]


def test_the_network_of_act_1_in_a_search_and_compared():
    fight = ("--enemy", "gremlin gang", "--deck", "5 Bludgeon, 5 Defend, Feed", "--potion", "fire")
    searched = json.loads(run("search", *fight, *QUICK, "--json").stdout)
    plain = json.loads(run("search", "--network", "none", *fight, *QUICK, "--json").stdout)
    compared = json.loads(run("compare", "act1", "none", *fight, *QUICK, "--json").stdout)

    assert compared["entrants"]["act1"]["hp"] == searched["hp"]
    assert compared["entrants"]["none"]["hp"] == plain["hp"]


POTIONS = ("--enemy", "nob", "--potion", "fire", "--potion", "block")


def test_the_potions_that_are_used_are_shown_with_their_price():
    text = run("search", *POTIONS, *QUICK).stdout
    page = json.loads(run("search", *POTIONS, *QUICK, "--json").stdout)

    assert f"{page['potions_used']:.2f} of 2 per fight, at 4 HP each" in text
    assert page["potions_used"] > 0
    assert page["value"]["mean"] == pytest.approx(page["hp"]["mean"] - 4 * page["potions_used"])
    assert run("pick", "Anger, skip", *POTIONS, *QUICK).stdout.count(" potions used") == 2


def test_a_price_keeps_potions_and_changes_nothing_without_them():
    def page(price, *potion):
        words = ("search", "--enemy", "cultist", *potion, *QUICK, "--potion-price", price)
        return json.loads(run(*words, "--json").stdout)

    free, dear = page("0", "--potion", "fire"), page("60", "--potion", "fire")
    assert free["value"] == free["hp"]
    assert dear["potions_used"] < free["potions_used"]
    assert page("0") | {"potion_price": 4} == page("4")
    text = run("search", "--enemy", "cultist", *QUICK).stdout
    assert not any(word in text for word in ("otion", "Value"))


@pytest.fixture
def without_a_network(tmp_path, monkeypatch):
    """Leave no network that fits in the package."""
    monkeypatch.setattr(resources, "files", lambda name: tmp_path)
    shipped.shipped.cache_clear()
    yield
    shipped.shipped.cache_clear()


def test_without_a_network_that_fits_quick_play_judges(without_a_network):
    page = json.loads(run("pick", "Anger, skip", *QUICK, "--json").stdout)
    result = run("search", "--network", "act1", *QUICK)

    assert page["network"] is None
    assert result.exit_code == 1
    assert "--network none" in str(result.exception)


def test_a_fight_is_played():
    result = run("play", "nob", "--seed", "3", "--quiet", answers="n 20\nbash\nnonsense\ne\n?\nq\n")

    assert result.exit_code == 0
    assert "> Bash at Gremlin Nob" in result.stdout
    assert "'nonsense' is no move and no command." in result.stdout
    assert "end the turn" in result.stdout


def test_without_a_fight_a_terminal_is_asked_for_one(monkeypatch):
    monkeypatch.setattr("evodom.cli.spire.play.is_terminal", lambda stream: True)
    answers = "sentries\n5 Strike, 5 Bash+\n40\ni\nq\n"
    result = run("play", "--seed", "3", "--quiet", answers=answers)

    assert result.exit_code == 0
    assert "You 40/75 HP" in result.stdout
    assert result.stdout.count("Sentry") > 2
    assert run("play", "--quiet").exit_code == 0


def test_a_question_about_chance_can_be_left():
    shown = run("play", "nob", "--seed", "3", "--quiet", answers="rng off\ne\nq\ni\nq\n").stdout

    assert "No move was made." in shown
    assert "Hand: Bash, 2 Strike, Defend, Ascender's Bane" in shown.split("No move was made.")[1]
