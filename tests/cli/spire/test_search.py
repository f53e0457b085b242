"""`evodom spire search`, `pick` and `play`."""

import json
import re
import shlex
from functools import partial
from importlib import resources
from pathlib import Path

import pytest

from evodom.spire.embedding import hypernetwork as shipped
from tests.cli.program import facts, printed, refusal, run_program
from tests.spire.test_current_run import encoded, save, write

ROOT = Path(__file__).parents[3]
RUN_FILE = str(ROOT / "tests" / "data" / "ironclad.run")
EXAMPLES = re.findall(r"^    evodom spire (?!solve)(.*)$", (ROOT / "docs" / "guide" / "spire.md").read_text(), re.M)
NOTE = "network of act 1 (--network none"
"""Part of the note that the shipped network is used by default."""

QUICK = ("--games", "4", "--simulations", "10", "--seed", "1", "--quiet")
SEARCHED = ("--solve-below", "0")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("EVODOM_DATA_DIR", str(tmp_path))


run, page, text_of = (partial(function, "spire") for function in (run_program, facts, printed))


def searched(*arguments):
    return page("search", *QUICK, *SEARCHED, *arguments)


def picked(*arguments):
    return page("pick", *QUICK, *arguments)


def play(*arguments, answers):
    return text_of("play", *arguments, "--seed", "3", "--quiet", typed=answers)


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_of_the_documentation_run(example):
    words = shlex.split(example)
    text_of(*words, *(QUICK if words[0] in ("search", "pick") else ("--quiet",)))


def test_a_search_tells_hp_and_deaths_of_the_fight_that_is_named(tmp_path):
    first, heal, second, third = text_of("search", "--enemy", "cultist", *QUICK, *SEARCHED).splitlines()
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
        assert text_of("search", *words, *QUICK, *SEARCHED).startswith(told)


def test_a_search_without_relics_names_the_excluded_heal():
    for relics, told in (
        ((), "excludes the 6 HP that Burning Blood heals after a won fight.\n"),
        (("--relic", "black blood", "--relic", "vajra"), "includes Black Blood (heal 12 after a fight).\n"),
    ):
        assert f"HP left {told}" in text_of("search", "--enemy", "cultist", "--no-relics", *relics, *QUICK)


@pytest.mark.parametrize(
    ("argument", "option"),
    [
        (("search", "nob", *SEARCHED), ("search", "--enemy", "nob", *SEARCHED)),
        (("pick", "Anger, skip", "nob"), ("pick", "Anger, skip", "--enemy", "nob")),
        (("pick", "nob", "--upgrade"), ("pick", "--enemy", "nob", "--upgrade")),
    ],
)
def test_the_fight_may_be_an_argument_and_the_same_seed_plays_alike(argument, option):
    found = page(*argument, *QUICK)
    assert found == page(*option, *QUICK)
    assert (found["simulations"], found["seed"]) == (10, 1)


SMALL = ("--enemy-hp", "30", "--deck", "3 Strike, 3 Defend, 2 Wound", "--no-relics")
"""A small fight against a Cultist. Draws decide on the HP left."""


def test_a_small_fight_is_solved_and_not_searched():
    exact, solved = page("search", *SMALL, *QUICK), page("solve", *SMALL[:-1], "--quiet")
    sampled = searched(*SMALL, "--network", "none", "--simulations", "1")

    assert (exact["exact"], exact["games"], sampled["exact"], sampled["games"]) == (True, 0, False, 4)
    assert exact["hp"] == dict.fromkeys(("mean", "low", "high"), pytest.approx(solved["value"]))
    assert set(sampled) <= set(exact)
    assert not searched(*SMALL, "--solve-below", "3")["exact"]
    assert "HP left, 0.0 % lost.\n" in (shown := text_of("search", *SMALL, *QUICK))
    assert shown.splitlines()[-1].startswith("Exact: the solver's optimal play (")


def test_solving_in_a_search_shows_its_progress(monkeypatch):
    monkeypatch.setattr("evodom.cli.spire.solve.FIRST_LINE_S", 0.0)
    shown = run("search", *SMALL, *QUICK[:-1]).stderr

    assert re.search(r"solving: \d+ draws in 0 s, .*\nSearch instead: --solve-below 0 \(Ctrl\+C stops solving\)", shown)


def test_guaranteed_hp_and_the_fewest_turns_are_exact():
    mean, worst, fast = (
        page("search", *SMALL, *more, *QUICK)
        for more in ((), ("--payoff", "guaranteed"), ("--payoff", "win", "--tie", "turns"))
    )

    assert worst["value"]["mean"] == page("solve", *SMALL[:-1], "--payoff", "guaranteed", "--quiet")["value"]
    assert worst["value"]["mean"] < worst["hp"]["mean"] <= mean["hp"]["mean"]
    assert fast["turns_ended"] < page("search", *SMALL, "--tie", "turns", *QUICK)["turns_ended"]
    assert "(HP that no draw can undercut)" in text_of("search", *SMALL, "--payoff", "guaranteed", *QUICK)
    hopeless = ("--player-hp", "3", "--payoff", "guaranteed")
    assert "no play excludes death)" in text_of("search", *SMALL, *hopeless, *QUICK)
    for command, next_step in (
        (("search", *SMALL, *SEARCHED, "--turns", "4"), "Raise --solve-below, or choose"),
        (("search", *SMALL, *SEARCHED), "Raise --solve-below, set --turns 5, or choose"),
        (("pick", "Anger, skip", *SMALL), "Use evodom spire solve or search, or choose"),
    ):
        shown = refusal(run(*command, "--payoff", "guaranteed", *QUICK))
        assert f"guaranteed HP need the exact solver. {next_step} another --payoff: hp, win, both" in shown
    assert "No such option '--tie'" in refusal(run("pick", "Anger, skip", *SMALL, "--tie", "turns", *QUICK))


def test_changes_of_random_cards_without_room_are_noted_once():
    fight = ("--enemy", "cultist", "--enemy-hp", "1", "--turns", "1", "--deck", "Magnetism, 5 Anger")
    few = ("--games", "2", "--simulations", "3", "--seed", "1")
    commands = (("search", *fight, *few), ("pick", "Anger, skip", *fight, *few), ("solve", *fight), ("play", *fight))

    for command in commands:
        assert run(*command).stderr.count("random cards lack ") == 1


def test_what_no_fight_here_has_is_skipped_if_asked_for_and_listed(tmp_path):
    content = json.loads(Path(RUN_FILE).read_text())
    content["master_deck"] += ["Blade Dance", "Blade Dance"]
    content["relics"] += ["Necronomicon"]
    file = tmp_path / "strange.run"
    file.write_text(json.dumps(content))
    few = ("--games", "2", "--simulations", "3", "--seed", "1")
    given = ("search", "--run", str(file), "--skip-unknown", *few)
    result = run(*given)

    refused = refusal(run("search", "--run", str(file), *QUICK))
    assert "'Blade Dance' (not in the tables); Necronomicon (plays an Attack twice every turn)" in refused
    assert "--skip-unknown" in refused
    (line,) = [line for line in result.stderr.splitlines() if "strange.run: Skipped" in line]
    assert line.endswith(
        "strange.run: Skipped, not supported: 'Blade Dance' (not in the tables); "
        "Necronomicon (plays an Attack twice every turn)."
    )
    assert "Skipped" not in run(*given, "--quiet").stderr
    assert page(*given, "--quiet") == page("search", "--run", RUN_FILE, *few)


def test_pick_plays_the_same_fights_with_each_card():
    lines = text_of("pick", "bludgeon, skip", "--enemy", "jaw worm", *QUICK).splitlines()

    assert lines[0].startswith("Jaw Worm, ascension 20, 68 of 75 HP, 4 ")
    assert {line.split("  ")[0].strip() for line in lines[1:3]} == {"Bludgeon", "skip"}
    assert lines[-1].startswith("Best: ")


def test_pick_upgrades():
    found = picked("bash, strike", "--upgrade", "--enemy", "cultist")

    assert set(found["choices"]) == {"Bash+", "Strike+"}
    best = found["choices"][found["best"]]
    for one in found["choices"].values():
        assert one["difference"]["mean"] == pytest.approx(one["value"]["mean"] - best["value"]["mean"])
        assert one["difference"]["low"] <= one["difference"]["mean"] <= min(0, one["difference"]["high"])


def test_pick_rests_or_upgrades_all_that_can_be():
    fight = ("--enemy", "cultist", "--player-hp", "30", "--deck", "Searing Blow+, Defend+, 4 Strike, Clumsy")
    found = picked("--rest", *fight)["choices"]

    assert set(found) == {"rest", "Searing Blow+2", "Strike+"}
    assert found["rest"]["fight"] == "Cultist, ascension 20, 52 of 75 HP"
    assert found["Strike+"]["fight"] == "Cultist, ascension 20, 30 of 75 HP"


def test_pick_and_play_use_the_network_of_act_1_unless_another_is_named_and_say_so():
    named = ((), ("--network", "act1"), ("--network", "none"))
    usual, act1, none = (picked("Anger, skip", *more) for more in named)

    assert (usual["network"], none["network"]) == ("act1", None)
    assert usual == act1
    assert act1["choices"] != none["choices"]
    for more in named:
        assert (NOTE in text_of("pick", "Anger, skip", *QUICK, *more)) == (not more)
        assert (NOTE in play("nob", *more, answers="q\n")) == (not more)


def test_the_network_of_act_1_in_a_search_and_compared():
    fight = ("--enemy", "gremlin gang", "--deck", "5 Bludgeon, 5 Defend, Feed", "--potion", "fire")
    compared = page("compare", "act1", "none", *fight, *QUICK)["entrants"]

    assert compared["act1"]["hp"] == searched(*fight)["hp"]
    assert compared["none"]["hp"] == searched("--network", "none", *fight)["hp"]


def test_the_potions_that_are_used_are_shown_with_their_price():
    fight = ("--enemy", "nob", "--potion", "fire", "--potion", "block")
    found = searched(*fight)

    assert f"{found['potions_used']:.2f} of 2 per fight, at 4 HP each" in text_of("search", *fight, *QUICK)
    assert found["potions_used"] > 0
    assert found["value"]["mean"] == pytest.approx(found["hp"]["mean"] - 4 * found["potions_used"])
    assert text_of("pick", "Anger, skip", *fight, *QUICK).count(" potions used") == 2


def test_a_price_keeps_potions_and_changes_nothing_without_them():
    def priced(price, *potion):
        return searched("--enemy", "cultist", *potion, "--potion-price", price)

    free, dear = priced("0", "--potion", "fire"), priced("60", "--potion", "fire")
    assert free["value"] == free["hp"]
    assert dear["potions_used"] < free["potions_used"]
    assert priced("0") | {"potion_price": 4} == priced("4")
    text = text_of("search", "--enemy", "cultist", *QUICK)
    assert not any(word in text for word in ("otion", "Value"))


@pytest.fixture
def without_a_network(tmp_path, monkeypatch):
    """Leave no network that fits in the package."""
    monkeypatch.setattr(resources, "files", lambda name: tmp_path)
    shipped.shipped.cache_clear()
    yield
    shipped.shipped.cache_clear()


def test_without_a_network_that_fits_quick_play_judges(without_a_network):
    assert picked("Anger, skip")["network"] is None
    assert "--network none" in refusal(run("search", "--network", "act1", *QUICK), code=1)


def test_a_fight_is_played():
    shown = play("nob", answers="n 20\nbash\nnonsense\ne\n?\nq\n")

    assert "> Bash at Gremlin Nob" in shown
    assert "'nonsense' is no move and no command." in shown
    assert "end the turn" in shown


def test_without_a_fight_a_terminal_is_asked_for_one(monkeypatch):
    monkeypatch.setattr("evodom.cli.spire.play.is_terminal", lambda stream: True)
    shown = play(answers="sentries\n5 Strike, 5 Bash+\n40\ni\nq\n")

    assert "You 40/75 HP" in shown
    assert shown.count("Sentry") > 2
    assert run("play", "--quiet").exit_code == 0


def test_a_question_about_chance_can_be_left():
    shown = play("nob", answers="rng off\ne\nq\ni\nq\n")
    assert "Hand: Bash, 2 Strike, Defend, Ascender's Bane" in shown.split("No move was made.")[1]


def test_a_search_and_a_pick_take_the_run_of_an_autosave(tmp_path):
    file = write(tmp_path, encoded(save(5, relics=["Eternal Feather", "Peace Pipe"])))
    given = ("--save-file", file, *QUICK)
    fight, picked_there = text_of("search", *given), page("pick", "--rest", *given)

    assert fight.startswith("Hexaghost, ascension 20, 50 of 75 HP: ")
    assert text_of("search", "nob", *given).startswith("Gremlin Nob, ascension 20, 50 of 75 HP: ")
    assert set(picked_there["choices"]) == {"rest", "recall", "Strike+", "remove Strike", "remove Bash+"}
    assert {one["fight"] for name, one in picked_there["choices"].items() if name != "rest"} == {
        "Hexaghost, ascension 20, 50 of 75 HP"  # the file has the HP after Eternal Feather
    }


def test_results_of_rest_sites_that_are_not_counted_are_noted():
    given = ("nob", "--rest", "--relic", "Dream Catcher", "--relic", "fusion hammer")
    told, text = picked("recall", *given), text_of("pick", "recall", *given, *QUICK)

    assert told["notes"] == [
        "Impossible at rest sites: upgrade, Fusion Hammer forbids it.",
        "Dream Catcher: its card reward is not counted.",
    ]
    assert all(note in text for note in told["notes"])
