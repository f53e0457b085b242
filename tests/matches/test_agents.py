"""Agents written in Python: they play beside compiled strategies, see only their seat, and fail with one line.

Guests of a run are read as they were saved; damaged guests are refused.
"""

import json
import sys
from asyncio import CancelledError
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from evodom.dominion.game import View
from evodom.dominion.kingdom import FIRST_GAME, KINGDOMS, Kingdom
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.models.networks.layers import N_WEIGHTS
from evodom.dominion.strategies.models.networks.model import network_strategy, weights_of
from evodom.dominion.strategies.models.preferences.genetics import random_genomes
from evodom.dominion.strategies.record import strategies_of
from evodom.errors import AgentError, EvodomError, UsageError
from evodom.evolution.options import Options
from evodom.matches import PythonAgent, Venue, Workers, as_agent, as_policy, load_agent
from evodom.matches.agents import Entrant, guest_text, named_rivals, play_game, read_guest
from evodom.matches.seating import Purpose, game_seeds

BIG_MONEY = """
import json

def parses(view, decision): return json.loads("no")

CARDS = ("Province", "Gold", "Silver")


def agent(view, decision):
    names = [answer.name for answer in decision.consequences]
    wanted = [card for card in CARDS if decision.kind == "buy" and card in names]
    return wanted[0] if wanted else decision.consequences[-1]


class Drawing:
    def __init__(self, kingdom, seat, rng):
        self.rng = rng

    def __call__(self, view, decision):
        return decision.consequences[self.rng.integers(len(decision.consequences))]


def fails(view, decision):
    return 1 / 0


def cheats(view, decision):
    return "Platinum"


def lonely(view):
    return None
"""

WITCHES = Kingdom(KINGDOMS["Size Distortion"])


def rich(view, decision):
    """Take the most expensive card on offer that is no Victory card but a Province, else the last answer."""
    names = [answer.name for answer in decision.consequences]
    return next((name for name in ("Province", "Gold", "Silver", "Copper") if name in names), names[-1])


@pytest.fixture
def mine(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(BIG_MONEY)
    return file


@pytest.mark.parametrize(
    ("kingdom", "names"),
    [(FIRST_GAME, ("big-money-militia", "village-smithy", "random")), (WITCHES, ("double-witch", "random"))],
)
def test_play_game_has_the_results_of_compiled_games(kingdom, names, monkeypatch):
    strategies = [baseline(name, kingdom) for name in names]
    venue = Venue(kingdom, len(names))
    seeds = game_seeds(venue.stream(Purpose.ROUND), 3)
    tables = np.tile(np.arange(len(names), dtype=np.int32), (3, 1))
    compiled = list(venue.play(strategies, tables, seeds))

    for log in (False, True):
        monkeypatch.setattr("evodom.matches.agents.sees_discard_piles", lambda seated, log=log: log)
        assert [play_game(kingdom, strategies, int(seed)) for seed in seeds] == compiled


def test_agents_do_not_change_other_tables_and_threads_do_not_change_agents(mine):
    money, smithy = (baseline(name, FIRST_GAME) for name in ("big-money", "big-money-smithy"))
    venue, drawing = Venue(FIRST_GAME, 2), load_agent(f"{mine}:Drawing")
    tables = np.array([[0, 1], [0, 2], [1, 0], [2, 1]], np.int32)
    seeds = game_seeds(venue.stream(Purpose.ROUND), 4)
    counted = []

    mixed = Venue(FIRST_GAME, 2, on_games=counted.append).play([money, smithy, drawing], tables, seeds)
    with ThreadPoolExecutor(3) as executor:
        shared = Venue(FIRST_GAME, 2, workers=Workers(executor, 3)).play([money, smithy, drawing], tables, seeds)

    assert (mixed == shared).all()
    assert (mixed[[0, 2]] == venue.play([money, smithy], tables[[0, 2]], seeds[[0, 2]])).all()
    assert sum(counted) == 4
    assert (mixed["turns"][:, :2] > 0).all()
    with pytest.raises(UsageError, match="the turns of agents written in Python are not counted"):
        venue.census([drawing, money], 2, venue.stream(Purpose.TABLE))


def test_a_factory_of_agents_gets_the_kingdom_the_seat_and_a_generator():
    made = []

    def make(kingdom, seat, rng):
        made.append((kingdom, seat, int(rng.integers(2**40))))
        return rich

    agent = as_agent(make, "rich")
    for seed in (7, 7, 8):
        play_game(FIRST_GAME, [agent, agent], seed)

    assert [(kingdom, seat) for kingdom, seat, _ in made] == [(FIRST_GAME, 0), (FIRST_GAME, 1)] * 3
    numbers = [number for _, _, number in made]
    assert numbers[:2] == numbers[2:4]
    assert len(set(numbers)) == 4


def test_an_agent_sees_its_seat_and_never_the_record():
    seen = []

    def look(view, decision):
        seen.append(view)
        return rich(view, decision)

    play_game(FIRST_GAME, [as_agent(look, "look"), baseline("big-money-militia", FIRST_GAME)], 3)

    assert {type(view) for view in seen} == {View}
    assert {view.seat for view in seen} == {0}
    assert all(sum(view.hand.values()) == view.hand_sizes[0] for view in seen)


@pytest.mark.parametrize("wishes", [False, True])
def test_an_agent_chooses_treasures_and_sees_discard_tops_only_on_request(wishes):
    kinds, tops = set(), set()

    def agent(view, decision):
        kinds.add(decision.kind)
        tops.update(view.discard_tops)
        return rich(view, decision)

    agent.chooses_treasures = agent.sees_discard_tops = wishes
    play_game(FIRST_GAME, [as_agent(agent, "agent")] * 2, 1)

    assert ("play_treasure" in kinds) == wishes
    assert (len(tops) > 1) == wishes
    assert "buy" in kinds


def test_agents_are_loaded_from_files_and_modules(mine, monkeypatch):
    assert isinstance(load_agent(str(mine)), PythonAgent)
    assert load_agent(f"{mine}:Drawing").name == f"{mine}:Drawing"

    monkeypatch.syspath_prepend(mine.parent)
    mine.rename(mine.parent / "my_agents_of_this_test.py")
    assert load_agent("my_agents_of_this_test:Drawing").name == "my_agents_of_this_test:Drawing"


@pytest.mark.parametrize(
    ("text", "word", "message"),
    [
        (None, "gone.py", r"there is no file .*gone\.py\."),
        ("", "mine.py", r"there is no 'agent' in it\. Define it: see docs/guide/agents\.md\."),
        ("def greedy(view, decision): ...", "mine.py", r"there is no 'agent' in it\. Known there: greedy\."),
        ("def greedy(view, decision): ...", "mine.py:greddy", r"there is no 'greddy' in it\. Did you mean greedy\?"),
        ("x = 1\ny = (", "mine.py", r"mine\.py cannot be run: SyntaxError: .* \(.*mine\.py:2\)\. Try it alone"),
        ("x = 1\ny = x / 0", "mine.py", r"mine\.py cannot be run: ZeroDivisionError: .* \(.*mine\.py:2\)\."),
        ("import sys\nsys.exit(3)", "mine.py", r"mine\.py cannot be run: SystemExit: 3 \(.*mine\.py:2\)\."),
        ("agent = 3", "mine.py", r"mine\.py' is not callable\. Expected: an agent takes \(view, decision\)"),
        (BIG_MONEY, "mine.py:lonely", r"mine\.py:lonely' takes 1 argument\. Expected: an agent takes"),
        ("class agent:\n    def __init__(self, kingdom): ...", "mine.py", r"a class that takes 1 argument\. "),
    ],
)
def test_an_invalid_agent_is_refused_in_one_line(tmp_path, text, word, message):
    if text is not None:
        (tmp_path / "mine.py").write_text(text)

    with pytest.raises(UsageError, match=message) as refused:
        load_agent(str(tmp_path / word))

    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("fails", r"agent '.*mine\.py:fails' failed: ZeroDivisionError: .* \(.*mine\.py:\d+\)\. Asked: Buy"),
        ("cheats", r"agent '.*mine\.py:cheats' answered 'Platinum'\. Asked: Buy.* Allowed: .*, pass\."),
        ("parses", r"agent '.*mine\.py:parses' failed: JSONDecodeError: .* \(.*mine\.py:4\)\. Asked: Buy"),
    ],
)
def test_an_agent_that_fails_raises_an_error_of_one_line(mine, name, message):
    agent = load_agent(f"{mine}:{name}")

    with pytest.raises(AgentError, match=message) as failed:
        play_game(FIRST_GAME, [agent, baseline("big-money", FIRST_GAME)], 1)

    assert "\n" not in str(failed.value)
    assert failed.value.exit_code == EvodomError.exit_code


async def waiting(*arguments):
    return "pass"


@pytest.mark.parametrize(
    ("agent", "text"),
    [(lambda *arguments: 10**6000, "an integer of 19,932 bits"), (waiting, "<coroutine object waiting")],
)
def test_an_answer_of_another_type_is_shown_in_one_line_without_warnings(agent, text):
    with pytest.raises(AgentError, match=f"answered {text}"):
        play_game(FIRST_GAME, [as_agent(agent, "mine"), baseline("big-money", FIRST_GAME)], 1)


class Strange(BaseException):
    def __str__(self):
        raise SystemExit(0)


def raising(error):
    """Return a function of any arguments that raises an error."""

    def raise_it(*arguments, **named):
        raise error

    return raise_it


EXITS = {
    "SystemExit: 0": SystemExit(0),
    "SystemExit: bye": SystemExit("bye"),
    "GeneratorExit": GeneratorExit(),
    "StopIteration": StopIteration(),
    "CancelledError": CancelledError(),
    "BaseExceptionGroup: all": BaseExceptionGroup("all", [SystemExit(0)]),
    "Strange": Strange(),
    "SyntaxError": SyntaxError(),
    "two": RuntimeError("two\nlines"),
}


@pytest.mark.parametrize(("text", "error"), EXITS.items())
def test_an_agent_that_ends_the_program_is_an_error_of_one_line(tmp_path, monkeypatch, text, error):
    leave = raising(error)
    answers = [type("Answer", (kind,), {name: leave}) for kind, name in ((object, "__repr__"), (str, "strip"))]
    answers.append(type("Answer", (), {"__class__": property(leave)}))
    agents = [
        as_agent(lambda view, decision: leave(), "mine"),
        as_agent(lambda kingdom, seat, rng: leave(), "mine"),
        *(as_agent(lambda view, decision, answer=answer: answer(), "mine") for answer in answers),
        as_policy(lambda observations, masks: leave(), "mine"),
        as_policy(lambda observations, masks: type("Answer", (), {"__array__": leave})(), "mine"),
    ]
    for agent in agents:
        with pytest.raises(AgentError, match=rf"^(agent|policy) 'mine' (failed|could not be made): .*{text}") as failed:
            play_game(FIRST_GAME, [agent, baseline("big-money", FIRST_GAME)], 1)
        assert "\n" not in str(failed.value)

    monkeypatch.setattr("builtins.leave", leave, raising=False)
    file = tmp_path / "mine.py"
    wishing = "class One:\n  __call__ = lambda self, view, decision: None\n  scaled = property(leave)\nagent = One()"
    for content in ("leave()", "def __getattr__(name): leave()", wishing, wishing.replace("scaled", "__signature__")):
        file.write_text(content)
        with pytest.raises(UsageError, match=rf"mine\.py'? cannot be (run|used): .*{text}") as refused:
            load_agent(str(file))
        assert "\n" not in str(refused.value)
        sys.modules.pop(f"agent in {file}", None)


def test_an_interruption_of_an_agent_interrupts_the_program(tmp_path):
    for agent in (as_agent, as_policy):
        with pytest.raises(KeyboardInterrupt):
            play_game(FIRST_GAME, [agent(lambda first, second: raising(KeyboardInterrupt)(), "mine")] * 2, 1)


NETWORK = network_strategy(np.linspace(-1, 1, N_WEIGHTS, dtype=np.float32), FIRST_GAME)


def test_a_guest_is_read_as_it_was_saved():
    (evolved,) = strategies_of(random_genomes(1, Options(), np.random.default_rng(1)), Options())

    guest = read_guest(guest_text(Entrant("mine", ("run", "mine"), NETWORK), FIRST_GAME), FIRST_GAME)
    bred = read_guest(guest_text(Entrant("bred:2", ("run", "bred"), evolved), FIRST_GAME), FIRST_GAME)

    assert guest.name == "mine"
    assert weights_of(guest.strategy).tobytes() == weights_of(NETWORK).tobytes()
    assert bred.strategy.tobytes() == evolved.tobytes()


def test_rivals_are_guests_by_name_or_baselines():
    guests = [guest_text(Entrant("mine", ("run", "mine"), NETWORK), FIRST_GAME), json.dumps({"name": "random"})]

    records = named_rivals(["big-money", "mine", "random"], guests, FIRST_GAME)

    assert records[0].tobytes() == baseline("big-money", FIRST_GAME).tobytes()
    assert records[1] == NETWORK
    assert records[2].tobytes() == baseline("random", FIRST_GAME).tobytes()
    with pytest.raises(ValueError, match="a rival is 'mine', and nothing is saved of it"):
        named_rivals(["mine"], [], Kingdom(("Chapel", "Witch")))


def test_an_invalid_guest_is_refused():
    for text in [
        "", "[]", '{"name": 3}', '{"name": ""}', '{"name": "a\\u0007"}', '{"name": "mine"}', '{"name": "double-witch"}',
        '{"name": "mine", "network": "AAAA"}', '{"name": "mine", "network": "?"}',
        '{"name": "mine", "file": "model = 3"}', '{"name": "mine", "file": "", "network": ""}',
        '{"name": "mine", "agent": "evil.py"}',
    ]:  # fmt: skip
        with pytest.raises(ValueError):  # noqa: PT011  # each has another message
            read_guest(text, FIRST_GAME)
    infinite = network_strategy(np.full(N_WEIGHTS, np.inf, np.float32), FIRST_GAME)
    with pytest.raises(ValueError, match="the network of 'mine' is damaged"):
        read_guest(guest_text(Entrant("mine", ("run", "mine"), infinite), FIRST_GAME), FIRST_GAME)
