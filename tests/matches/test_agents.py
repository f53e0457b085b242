"""Agents written in Python: they sit beside compiled strategies, see their seat only, and fail in one line.

Rivals that are saved with a run: as they were, and refused where they are damaged.
"""

import json
import re

import numpy as np
import pytest

from evodom.dominion.game import View
from evodom.dominion.kingdom import FIRST_GAME, KINGDOMS, Kingdom
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.networks.layers import N_WEIGHTS
from evodom.dominion.strategies.networks.model import network_record, weights_of
from evodom.dominion.strategies.preferences.genetics import random_genomes
from evodom.dominion.strategies.record import strategies_of
from evodom.errors import AgentError, EvodomError, UsageError
from evodom.evolution.options import Options
from evodom.matches import PythonAgent, Use, Venue, Workers, as_agent, load_agent
from evodom.matches.agents import Entrant, guest_text, play_game, read_guest, rival_records
from evodom.matches.seating import Figure, game_seeds

BIG_MONEY = '''
"""Big Money in Python."""

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
'''

WITCHES = Kingdom(KINGDOMS["Size Distortion"])


def first(view, decision):
    """Take the first answer."""
    return decision.consequences[0]


@pytest.fixture
def mine(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(BIG_MONEY)
    return file


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize(
    ("kingdom", "names"),
    [(FIRST_GAME, ("big-money-militia", "village-smithy", "random")), (WITCHES, ("double-witch", "random"))],
)
def test_a_game_of_the_friendly_layer_is_the_compiled_one(kingdom, names, log, monkeypatch):
    strategies = [baseline(name, kingdom) for name in names]
    venue = Venue(kingdom, len(names))
    seeds = game_seeds(venue.stream(Figure.ROUND), 6)
    tables = np.tile(np.arange(len(names), dtype=np.int32), (6, 1))
    # An agent that only passes on what a compiled strategy chooses cannot be told from it; here none is asked at all.
    if log:
        monkeypatch.setattr("evodom.matches.agents.follows_discards", lambda seated: True)

    compiled = venue.play(strategies, tables, seeds)

    assert [play_game(kingdom, strategies, int(seed)) for seed in seeds] == list(compiled)


def test_tables_without_agents_are_played_as_ever_beside_those_with_one():
    money, smithy = (baseline(name, FIRST_GAME) for name in ("big-money", "big-money-smithy"))
    venue = Venue(FIRST_GAME, 2)
    tables = np.array([[0, 1], [0, 2], [1, 0], [2, 1]], np.int32)
    seeds = game_seeds(venue.stream(Figure.ROUND), 4)
    told = []

    mixed = Venue(FIRST_GAME, 2, on_games=told.append).play([money, smithy, as_agent(first, "first")], tables, seeds)

    alone = venue.play([money, smithy], tables[[0, 2]], seeds[[0, 2]])
    assert (mixed[[0, 2]] == alone).all()
    assert sum(told) == 4
    assert (mixed["turns"][:, :2] > 0).all()


def test_threads_do_not_change_games_with_agents(mine):
    from concurrent.futures import ThreadPoolExecutor

    lineup = [load_agent(f"{mine}:Drawing"), baseline("random", FIRST_GAME)]
    tables = np.tile(np.array([0, 1], np.int32), (4, 1))
    seeds = game_seeds(Venue(FIRST_GAME, 2).stream(Figure.ROUND), 4)
    alone = Venue(FIRST_GAME, 2).play(lineup, tables, seeds)

    with ThreadPoolExecutor(3) as executor:
        shared = Venue(FIRST_GAME, 2, workers=Workers(executor, 3)).play(lineup, tables, seeds)

    assert (alone == shared).all()


def test_what_makes_an_agent_gets_the_kingdom_the_seat_and_its_own_random_numbers():
    made = []

    def make(kingdom, seat, rng):
        made.append((kingdom, seat, int(rng.integers(2**40))))
        return first

    agent = as_agent(make, "first")
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
        return decision.consequences[0]

    play_game(FIRST_GAME, [as_agent(look, "look"), baseline("big-money-militia", FIRST_GAME)], 3)

    assert {type(view) for view in seen} == {View}
    assert {view.seat for view in seen} == {0}
    assert all(sum(view.hand.values()) == view.hand_sizes[0] for view in seen)


@pytest.mark.parametrize("asks", [False, True])
def test_treasures_are_played_for_an_agent_unless_it_chooses_them(asks):
    asked = set()

    def agent(view, decision):
        asked.add(decision.kind)
        return decision.consequences[0]

    agent.chooses_treasures = asks
    play_game(FIRST_GAME, [as_agent(agent, "agent")] * 2, 1)

    assert ("play_treasure" in asked) == asks
    assert "buy" in asked


@pytest.mark.parametrize("follows", [False, True])
def test_the_tops_of_discard_piles_are_shown_to_who_asks_for_them(follows):
    tops = set()

    def agent(view, decision):
        tops.update(view.discard_tops)
        return decision.consequences[0]

    agent.sees_discard_tops = follows
    play_game(FIRST_GAME, [as_agent(agent, "agent")] * 2, 1)

    assert (len(tops) > 1) == follows


def test_a_file_names_its_agents(mine):
    assert isinstance(load_agent(str(mine)), PythonAgent)
    assert load_agent(f"{mine}:Drawing").name == f"{mine}:Drawing"


def test_a_module_that_can_be_imported_names_its_agents(mine, monkeypatch):
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
        (
            "class agent:\n    def __init__(self, kingdom): ...",
            "mine.py",
            r"a class that takes 1 argument\. ",
        ),
    ],
)
def test_what_is_no_agent_is_refused_in_one_line(tmp_path, text, word, message):
    if text is not None:
        (tmp_path / "mine.py").write_text(text)

    with pytest.raises(UsageError, match=message) as refused:
        load_agent(str(tmp_path / word))

    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "fails",
            r"agent '.*mine\.py:fails' failed: ZeroDivisionError: .* \(.*mine\.py:\d+\)\. Asked: Buy",
        ),
        ("cheats", r"agent '.*mine\.py:cheats' answered 'Platinum'\. Asked: Buy.* Allowed: .*, pass\."),
    ],
)
def test_an_agent_that_fails_in_a_game_is_told_of_in_one_line(mine, name, message):
    agent = load_agent(f"{mine}:{name}")

    with pytest.raises(AgentError, match=message) as failed:
        play_game(FIRST_GAME, [agent, baseline("big-money", FIRST_GAME)], 1)

    assert "\n" not in str(failed.value)
    assert failed.value.exit_code == EvodomError.exit_code


def test_the_line_of_an_error_is_one_of_the_users_own(mine):
    mine.write_text("import json\n\ndef agent(view, decision):\n    return json.loads('no')\n")

    with pytest.raises(AgentError) as failed:
        play_game(FIRST_GAME, [load_agent(str(mine))] * 2, 1)

    assert re.search(r"JSONDecodeError: .*\(.*mine\.py:4\)", str(failed.value))


def test_agents_are_not_counted_turn_by_turn():
    venue = Venue(FIRST_GAME, 2, use=Use.REPORT)

    with pytest.raises(UsageError, match="the turns of agents written in Python are not counted"):
        venue.census([as_agent(first, "first"), baseline("random", FIRST_GAME)], 2, venue.stream(Figure.TABLE))


NETWORK = network_record(np.linspace(-1, 1, N_WEIGHTS, dtype=np.float32), FIRST_GAME)


def test_a_network_is_kept_with_its_weights():
    guest = read_guest(guest_text(Entrant("mine", ("run", "mine"), NETWORK), FIRST_GAME), FIRST_GAME)

    assert guest.name == "mine"
    assert weights_of(guest.strategy).tobytes() == weights_of(NETWORK).tobytes()


def test_an_evolved_strategy_is_kept_as_a_file():
    (strategy,) = strategies_of(random_genomes(1, Options(), np.random.default_rng(1)), Options())

    guest = read_guest(guest_text(Entrant("bred:2", ("run", "bred"), strategy), FIRST_GAME), FIRST_GAME)

    assert guest.strategy.tobytes() == strategy.tobytes()


def test_rivals_are_guests_by_name_or_baselines():
    guests = [guest_text(Entrant("mine", ("run", "mine"), NETWORK), FIRST_GAME), json.dumps({"name": "random"})]

    records = rival_records(["big-money", "mine", "random"], guests, FIRST_GAME)

    assert records[0].tobytes() == baseline("big-money", FIRST_GAME).tobytes()
    assert records[1]["network"] == NETWORK["network"]
    assert records[2].tobytes() == baseline("random", FIRST_GAME).tobytes()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"name": 3}',
        '{"name": ""}',
        '{"name": "a\\u0007"}',
        '{"name": "mine"}',
        '{"name": "double-witch"}',
        '{"name": "mine", "network": "AAAA"}',
        '{"name": "mine", "network": "?"}',
        '{"name": "mine", "file": "model = 3"}',
        '{"name": "mine", "file": "", "network": ""}',
        '{"name": "mine", "agent": "evil.py"}',
    ],
)
def test_what_is_no_guest_is_refused(text):
    with pytest.raises(ValueError):  # noqa: PT011  # each has words of its own
        read_guest(text, FIRST_GAME)


def test_a_network_with_numbers_that_no_kernel_may_be_given_is_refused():
    wild = network_record(np.full(N_WEIGHTS, np.inf, np.float32), FIRST_GAME)

    with pytest.raises(ValueError, match="the network of 'mine' is damaged"):
        read_guest(guest_text(Entrant("mine", ("run", "mine"), wild), FIRST_GAME), FIRST_GAME)


def test_a_name_of_which_nothing_is_saved_is_refused():
    with pytest.raises(ValueError, match="a rival is 'mine', and nothing is saved of it"):
        rival_records(["mine"], [], Kingdom(("Chapel", "Witch")))
