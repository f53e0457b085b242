"""Agents written in Python on the command line: they are named on purpose, play, and fail in one line."""

import json
import sys

import pytest

from tests.cli.program import run_program

BIG_MONEY = """
def agent(view, decision):
    answers = {answer.name: answer for answer in decision.consequences}
    for card in ("Province", "Gold", "Silver") if decision.kind == "buy" else ():
        if card in answers:
            return answers[card]
    return decision.consequences[-1]


def fails(view, decision):
    raise KeyError("plan")


def leaves(view, decision):
    raise SystemExit(0)


def numbers(observations, masks):
    raise GeneratorExit


numbers.takes_observations = True
"""


@pytest.fixture
def evodom(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text(BIG_MONEY)
    monkeypatch.chdir(tmp_path)

    def run(*words, typed=""):
        return run_program(*words, "--data-dir", str(tmp_path / "runs"), typed=typed)

    return run


def test_an_agent_plays_a_match_and_the_result_does_not_depend_on_jobs(evodom):
    words = ("match", "./mine.py", "random", "--games", "10", "--seed", "1", "--json")
    one, two = (evodom(*words, "--jobs", jobs) for jobs in "12")

    assert one.stdout == two.stdout
    found = json.loads(one.stdout)
    assert found["standings"][0]["name"] == "./mine.py"
    assert found["standings"][0]["win"]["share"] > 0.8
    assert one.stderr.startswith("10 games")
    done = evodom("tournament", "mine.py:agent", "random", "--players", "2", "--games", "4", "--seed", "1", "--quiet")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "mine.py:agent" in done.stdout


def test_a_saved_game_with_an_agent_is_continued_only_with_consent(evodom):
    begun = evodom("play", "--opponent", "./mine.py", "--players", "2", "--seed", "1", typed="0\nquit\n")
    assert "evodom play mine-py --continue --trust-agent" in begun.stdout

    for wish in ("--continue", "--review"):
        refused = evodom("play", "mine-py", wish, "--quiet")
        assert refused.exit_code == 2
        assert refused.stderr.startswith("Error: game 'mine-py' names the agent '")
        assert refused.stderr.count("\n") == 1
    assert evodom("play", "mine-py", "--continue", "--trust-agent", "--quiet", typed="quit\n").exit_code == 0


def test_an_agent_named_on_the_command_line_needs_no_consent(evodom, monkeypatch):
    monkeypatch.setattr("evodom.cli.play.is_terminal", lambda stream: stream is sys.stdin)
    named = ("play", "--opponent", "./mine.py", "--players", "2", "--seed", "1")
    evodom(*named, typed="0\nquit\n")
    assert "Turn 2: 1 Action" in evodom(*named, typed="y\nquit\n").stdout


@pytest.mark.parametrize(
    "words",
    [
        ("match", "random", "--games", "2"),
        ("tournament", "random", "--games", "2"),
        ("play", "--players", "2", "--seat", "2", "--opponent"),
        ("play", "--players", "2", "--watch", "--opponent"),
    ],
)
def test_an_agent_that_fails_ends_the_command_in_one_line(evodom, words):
    for name, text in {
        "fails": "agent 'mine.py:fails' failed: KeyError: 'plan' (mine.py:11). Asked: Buy",
        "leaves": "agent 'mine.py:leaves' failed: SystemExit: 0 (mine.py:15). Asked: Buy",
        "numbers": "policy 'mine.py:numbers' failed: GeneratorExit (mine.py:19).",
    }.items():
        done = evodom(words[0], *words[1:-1], words[-1], *[f"mine.py:{name}"], "--seed", "1", "--quiet")
        assert (done.exit_code, done.stderr.count("\n")) == (1, 1)
        assert done.stderr.startswith(f"Error: {text}")
