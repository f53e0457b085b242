"""Agents written in Python as opponents: they play, and a saved game asks them again."""

import json

import pytest

from evodom.errors import RunError, UsageError
from evodom.sessions.content import UntrustedAgent, read_game
from evodom.sessions.dominion import DominionSession
from evodom.sessions.files import games, write_session
from evodom.sessions.review import hints
from evodom.sessions.sentences import OPPONENTS_TITLE
from tests.networks import network
from tests.sessions.helpers import Typist, make_setup, play_session, take, write_signed

AGENT = '''
class agent:
    """Buys any card at random except a Curse."""

    def __init__(self, kingdom, seat, rng):
        self.rng = rng

    def __call__(self, view, decision):
        answers = [answer for answer in decision.consequences if answer.name != "Curse"]
        return answers[self.rng.integers(len(answers))]
'''


@pytest.fixture
def mine(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(AGENT)
    return file


def played(mine, n_turns=3):
    """Return a match against an agent, after some turns in which the person buys nothing."""
    match = DominionSession(make_setup(str(mine), n_players=2))
    match.play_on()
    while match.game.state.turns[0] <= n_turns:
        take(match, "pass")
    return match


def test_a_saved_game_asks_the_agent_again_wherever_it_is_continued_and_goes_on_alike(mine, tmp_path, monkeypatch):
    monkeypatch.chdir(mine.parent)
    match = played("./mine.py")
    write_session(tmp_path / "game.json", match)
    monkeypatch.chdir("/")
    assert match.game.owned(1).total() > 10 == match.game.owned(0).total()

    again = read_game(tmp_path / "game.json", trust=lambda source: source == f"{mine}:agent")
    for one in (match, again):
        one.play_on()
        take(one, "pass")

    assert again.setup.names == match.setup.names
    assert again.answers == match.answers
    assert again.game.state.tobytes() == match.game.state.tobytes()


def test_an_agent_that_has_changed_is_refused_in_one_line(mine, tmp_path):
    match = played(mine)
    saved = tmp_path / "game.json"
    write_session(saved, match)
    text = json.loads(saved.read_text())
    text["answers"][0] = "Gold"
    write_signed(saved, text)

    with pytest.raises(RunError, match=r"agent '.*' now answers .* where it answered Gold"):
        read_game(saved, trust=lambda source: True)


@pytest.mark.parametrize("form", ["{}", "{}:agent", "harmful:agent", "{}.pt2", "harmful.onnx"])
def test_a_game_does_not_run_the_code_that_it_names(tmp_path, monkeypatch, form):
    harmful, ran = tmp_path / "harmful.py", tmp_path / "ran"
    harmful.write_text(f"open({str(ran)!r}, 'w')\n{AGENT}")
    monkeypatch.syspath_prepend(tmp_path)
    saved = tmp_path / "games" / "demo.json"
    write_session(saved, DominionSession(make_setup("big-money", n_players=2)))
    content = json.loads(saved.read_text())
    agent = form.format(harmful)
    content["players"][1] = {"name": "big-money", "strategy": None, "agent": agent}
    write_signed(saved, content)

    with pytest.raises(UntrustedAgent) as refused:
        read_game(saved)
    assert str(refused.value).startswith(f"game 'demo' names the agent '{agent}'")
    assert "evodom play demo --continue --trust-agent" in str(refused.value)
    (listed,) = games(tmp_path).saved()
    assert listed.slot.has_agents
    assert listed.slot.continue_command == "evodom play demo --continue --trust-agent"
    assert not ran.exists()


def test_a_game_against_a_network_that_thinks_needs_no_consent(tmp_path, monkeypatch):
    monkeypatch.setattr("evodom.matches.entrants.shipped_weights", network)
    saved = tmp_path / "games" / "demo.json"
    write_session(saved, DominionSession(make_setup("network:0.01s", n_players=2)))

    assert read_game(saved).setup.names
    assert not games(tmp_path).saved()[0].slot.has_agents


def test_an_undo_over_an_agents_answers_makes_it_as_it_was_then(mine):
    match = DominionSession(make_setup(str(mine), n_players=2))
    match.play_on()
    for _ in range(3):
        take(match, "pass")
    answers, events = list(match.answers), list(match.game.events)

    assert match.undo().others
    match.undo()
    assert len(match.answers) < len(answers)
    take(match, "pass")
    take(match, "pass")
    assert (match.answers, match.game.events) == (answers, events)

    match.answers[0] = "Gold"
    with pytest.raises(UsageError, match=r"cannot be undone: agent '.*' now answers"):
        match.undo()
    assert match.choices == ["pass"] * 3


def test_agents_give_no_hints(mine, tmp_path):
    setup = make_setup(str(mine), n_players=2)
    match = DominionSession(setup)
    match.play_on()

    assert list(hints(match.game, setup.players)) == []
    typist = Typist("hint", "quit")
    play_session(match, typist, tmp_path)
    assert "Best choice:" in typist.text
    assert OPPONENTS_TITLE not in typist.text
