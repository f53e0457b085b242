"""Running cases: what does not hold is told, what is illegal is refused, and bad input is one clear line."""

import json
import re
import subprocess
import sys
from copy import deepcopy

import pytest

from evodom.dominion import scenario
from evodom.dominion.cards import KINGDOM
from evodom.dominion.engine.rules import list_effects
from evodom.dominion.scenario import main, run
from evodom.errors import UsageError
from tests.effort import effort

pytestmark = pytest.mark.uncompiled

CELLAR = {
    "id": "cellar",
    "setup": {
        "players": [
            {"hand": ["Cellar", "Estate", "Estate", "Silver"], "deck": ["Gold", "Province", "Copper"], "turns": 3},
            {"hand": ["Copper"], "deck": [], "discard": ["Duchy"]},
        ],
        "kingdom": ["Cellar"],
        "current": 0,
        "turn": {"actions": 1, "buys": 2, "coins": 0, "phase": "action"},
        "supply": {"Curse": 0},
        "trash": ["Moat"],
    },
    "steps": [
        {
            "op": "play",
            "card": "Cellar",
            "decisions": [{"player": 0, "kind": "discard", "cards": ["Estate", "Estate"]}],
        },
        {"op": "play_treasures", "cards": ["Silver"]},
        {"op": "buy", "card": "Estate"},
    ],
    "expect": {
        "actions": 1,
        "buys": 1,
        "coins": 0,
        "current": 0,
        "phase": "buy",
        "game_over": False,
        "scores": [9, 3],
        "winners": [0],
        "trash": ["Moat"],
        "supply": {"Estate": 7, "Curse": 0, "Moat": 0},
        "players": [
            {
                "hand": ["Province", "Gold"],
                "deck": ["Copper"],
                "discard": ["Estate", "Estate", "Estate"],
                "in_play": ["Silver", "Cellar"],
                "set_aside": [],
                "turns": 3,
            },
            {"hand_size": 1, "deck_size": 0, "discard_size": 1, "in_play": [], "turns": 1},
        ],
    },
}

SENTRY = {
    "setup": {
        "players": [{"hand": ["Sentry"], "deck": ["Gold", "Estate", "Duchy", "Silver"]}, {}],
        "kingdom": ["Sentry"],
    },
    "steps": [
        {
            "op": "play",
            "card": "Sentry",
            "decisions": [{"player": 0, "kind": "sentry", "answer": {"trash": ["Estate"], "topdeck": ["Duchy"]}}],
        }
    ],
    "expect": {"players": [{"deck": ["Duchy", "Silver"]}], "trash": ["Estate"]},
}

SETUP = {
    "id": "setup",
    "card": "setup",
    "players": 2,
    "kingdom_includes": ["Village"],
    "supply_after_dealing": {"Copper": 46, "Village": 10},
    "each_player": {"cards": {"Copper": 7, "Estate": 3}, "hand_size": 5, "deck_size": 5, "discard_size": 0},
}


def changed(case, value, *path):
    """Return a copy of a case with another value somewhere."""
    copy = deepcopy(case)
    node = copy
    for key in path[:-1]:
        node = node[key]
    node[path[-1]] = value
    return copy


def paths(node, *above):
    """Go through all places of a case."""
    children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, child in children:
        yield (*above, key)
        yield from paths(child, *above, key)


def play(decisions, hand=("Cellar", "Estate", "Estate"), card="Cellar", **options):
    """Return the expectations that fail after playing these decisions."""
    players = [{"hand": list(hand), "deck": ["Gold", "Gold"]}, {"hand": ["Moat", "Copper", "Copper", "Copper"]}]
    step = {"op": "play", "card": card, "decisions": decisions, **options}
    return run({"setup": {"players": players, "kingdom": []}, "steps": [step], "expect": {}})


# What holds and what does not.


def test_a_case_that_holds_gives_no_text():
    assert run(CELLAR) == []
    assert run(SENTRY) == []


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        (("actions",), 0, "actions: expected 0, got 1"),
        (("buys",), 0, "buys: expected 0, got 1"),
        (("coins",), 2, "coins: expected 2, got 0"),
        (("current",), 1, "current: expected 1, got 0"),
        (("phase",), "action", "phase: expected action, got buy"),
        (("game_over",), True, "game_over: expected True, got False"),
        (("scores",), [9], "scores: expected [9], got [9, 3]"),
        (("winners",), [1, 0], "winners: expected [0, 1], got [0]"),
        (("trash",), [], "trash: expected nothing; got Moat"),
        (("supply", "Estate"), 8, "supply of Estate: expected 8, got 7"),
        (("supply", "Gardens"), 8, "supply of Gardens: expected 8, got 0"),
        (("players", 0, "hand"), ["Gold"], "hand of player 0: expected Gold; got Gold, Province"),
        (("players", 0, "deck"), [], "deck of player 0: expected nothing; got Copper"),
        (
            ("players", 0, "discard"),
            ["Estate"] * 2,
            "discard of player 0: expected 2 Estate; got 3 Estate",
        ),
        (("players", 0, "in_play"), [], "in_play of player 0: expected nothing; got Silver, Cellar"),
        (("players", 0, "set_aside"), ["Moat"], "set_aside of player 0: expected Moat; got nothing"),
        (("players", 0, "turns"), 4, "turns of player 0: expected 4, got 3"),
        (("players", 1, "hand_size"), 2, "hand_size of player 1: expected 2, got 1"),
        (("players", 1, "deck_size"), 2, "deck_size of player 1: expected 2, got 0"),
        (("players", 1, "discard_size"), 2, "discard_size of player 1: expected 2, got 1"),
        (("players", 1, "in_play"), ["Cellar"], "in_play of player 1: expected Cellar; got nothing"),
    ],
)
def test_what_is_not_as_expected_is_told(path, value, told):
    assert run(changed(CELLAR, value, "expect", *path)) == [told]


def test_all_that_is_not_as_expected_is_told():
    case = changed(changed(CELLAR, 7, "expect", "actions"), 7, "expect", "buys")

    assert len(run(case)) == 2


def test_a_deck_is_compared_in_order_unless_it_was_shuffled():
    case = {
        "setup": {"players": [{"hand": [], "deck": ["Silver", "Gold"]}, {}]},
        "expect": {"players": [{"deck": ["Gold", "Silver"]}]},
    }
    shuffled = {
        "setup": {"players": [{"hand": ["Bureaucrat", "Moat"], "discard": ["Gold", "Silver", "Copper", "Duchy"]}, {}]},
        "steps": [{"op": "play", "card": "Bureaucrat"}, {"op": "end_turn"}],
        "expect": {"players": [{"hand_size": 5, "deck_size": 2, "deck": []}]},
    }

    assert run(case) == ["deck of player 0: expected Gold, Silver; got Silver, Gold"]
    assert "got shuffled" in run(shuffled)[0]


def test_a_known_card_on_a_shuffled_deck_must_lie_on_top():
    known = {
        "setup": {"players": [{"hand": ["Harbinger", "Bureaucrat"], "discard": ["Gold"] * 3}, {}]},
        "steps": [{"op": "play", "card": "Harbinger"}, {"op": "play", "card": "Bureaucrat"}],
        "expect": {"players": [{"deck": ["Silver", "Gold", "Gold"]}]},
    }

    assert run(known) == []
    assert run(changed(known, ["Gold", "Silver", "Gold"], "expect", "players", 0, "deck")) == [
        "deck of player 0: expected Gold, Silver, Gold; got Silver, then shuffled 2 Gold"
    ]


# Legal and illegal steps.


def test_an_illegal_step_ends_the_case_and_says_why():
    case = changed(CELLAR, "Gold", "steps", 2, "card")

    assert run(case) == ["step 3, buy Gold: Gold cannot be bought now (Actions: 1, Buys: 2, coins: 2, treasure phase)."]


def test_a_legal_step_that_is_said_to_be_illegal_is_told():
    case = changed(CELLAR, True, "steps", 0, "illegal")

    assert run(case) == ["step 1, play Cellar: it is legal, though the case says that it is not"]


def test_an_illegal_step_leaves_the_game_as_it_was():
    case = changed(SENTRY, True, "steps", 0, "illegal")
    case["steps"][0]["decisions"][0]["answer"]["discard"] = ["Copper"]
    case["expect"] = {
        "actions": 1,
        "trash": [],
        "players": [{"hand": ["Sentry"], "deck": ["Gold", "Estate", "Duchy", "Silver"]}],
    }

    assert run(case) == []


@pytest.mark.parametrize("key", ["card", "cards", "answer"])
@pytest.mark.parametrize("value", ["Estate", ["Estate"], {"Estate": 1}])
def test_a_choice_may_be_a_card_or_cards_under_any_of_the_three_names(key, value):
    assert play([{"player": 0, "kind": "discard", key: value}]) == []
    assert "it is legal" in play([{"player": 0, "kind": "discard", key: value}], illegal=True)[0]


@pytest.mark.parametrize("value", [None, False, []])
@pytest.mark.parametrize("key", ["card", "cards", "answer"])
def test_a_choice_may_be_declined(key, value):
    case = deepcopy(CELLAR)
    case["steps"] = [case["steps"][0]]
    case["steps"][0]["decisions"] = [{"player": 0, "kind": "discard", key: value}]
    case["expect"] = {"players": [{"hand_size": 3, "deck_size": 3}]}

    assert run(case) == []


def test_true_takes_the_only_card_on_offer():
    assert play([{"player": 0, "kind": "trash_copper", "answer": True}], ("Moneylender", "Copper"), "Moneylender") == []
    assert (
        "must be said which"
        in play([{"player": 0, "kind": "throne", "answer": True}], ("Throne Room", "Moat", "Market"), "Throne Room")[0]
    )


@pytest.mark.parametrize(
    ("decision", "told"),
    [
        ({"player": 0, "kind": "discard", "cards": ["Estate"] * 3}, "nobody asks for discard of player 0 (Estate)"),
        ({"player": 0, "kind": "discard", "cards": ["Gold"]}, "Gold cannot be chosen. Allowed: Estate"),
        ({"player": 1, "kind": "discard", "cards": ["Estate"]}, "nobody asks for discard of player 1 (Estate)"),
        ({"player": 0, "kind": "trash", "cards": ["Estate"]}, "nobody asks for trash of player 0 (Estate)"),
        ({"player": 1, "kind": "reveal_moat", "answer": True}, "nobody asks for reveal_moat of player 1 (yes)"),
    ],
)
def test_an_answer_that_does_not_fit_is_illegal(decision, told):
    assert told in play([decision])[0]


def test_an_answer_left_over_is_harmless_if_it_declines():
    assert (
        play([{"player": 1, "kind": "reveal_moat", "answer": False}, {"player": 0, "kind": "trash", "card": None}])
        == []
    )


def test_a_decision_left_over_in_a_buy_is_illegal():
    case = changed(CELLAR, [{"player": 0, "kind": "gain", "card": "Gold"}], "steps", 2, "decisions")

    assert "nobody asks for gain" in run(case)[0]


def test_a_choice_that_must_be_made_needs_an_answer():
    hand = ("Remodel", "Estate", "Copper")

    assert "player 0 is asked for trash and has no answer" in play([], hand, "Remodel")[0]
    assert "must choose more" in play([{"player": 0, "kind": "trash", "card": None}], hand, "Remodel")[0]


def test_too_few_cards_are_illegal():
    decision = {"player": 1, "kind": "discard", "cards": []}

    assert "must choose more" in play([decision], ("Militia",), "Militia")[0]


@pytest.mark.parametrize("keys", [("keep", "order"), ("order", "keep")])
def test_an_order_goes_before_the_list_of_what_is_kept(keys):
    lists = {"order": ["Estate", "Copper"], "keep": ["Copper", "Estate"]}
    decision = {"kind": "sentry", "answer": {key: lists[key] for key in keys}}
    players = [{"hand": ["Sentry"], "deck": ["Gold", "Copper", "Estate"]}]
    step = {"op": "play", "card": "Sentry", "decisions": [decision]}

    expect = {"players": [{"deck": lists["order"]}]}
    assert run({"setup": {"players": players}, "steps": [step], "expect": expect}) == []


def test_cards_that_must_be_chosen_may_be_decided_one_by_one():
    hand = ["Militia", "Poacher"]
    victim = {"hand": ["Gold", "Estate", "Copper", "Copper", "Curse"]}
    estate, curse = ({"player": 1, "kind": "discard", "card": name} for name in ("Estate", "Curse"))
    setup = {"players": [{"hand": hand}, victim], "kingdom": hand}

    def militia(*decisions):
        step = {"op": "play", "card": "Militia", "decisions": list(decisions)}
        return run({"setup": setup, "steps": [step], "expect": {"players": [{}, {"discard": ["Curse", "Estate"]}]}})

    assert militia(estate, curse) == []
    assert "must choose more" in militia(estate)[0]
    assert "must choose more" in militia({**estate, "card": None}, estate, curse)[0]


def test_an_answer_to_another_choice_is_not_filled_up_from_the_next():
    decisions = [{"player": 0, "kind": "trash", "cards": ["Copper"] * 5}, {"player": 0, "kind": "trash", "cards": []}]
    hand = ("Throne Room", "Chapel", *["Copper"] * 6)
    throne = {"player": 0, "kind": "throne", "card": "Chapel"}

    assert "nobody asks for trash of player 0 (Copper)" in play([throne, *decisions], hand, "Throne Room")[0]


# The position.


def test_a_pile_outside_the_supply_gives_way_to_none_of_ten_it_does_not_need():
    kingdom = ["Cellar", "Market", "Merchant", "Militia", "Mine", "Remodel", "Smithy", "Village", "Workshop", "Witch"]
    case = changed(CELLAR, kingdom, "setup", "kingdom")

    assert run(case) == []


def test_a_supply_may_name_a_pile_that_the_kingdom_leaves_out():
    case = changed(changed(CELLAR, {"Gardens": 3}, "setup", "supply"), {"Gardens": 3}, "expect", "supply")

    assert run(case) == []


def test_a_case_is_not_changed_by_running_it():
    before = deepcopy(CELLAR)
    run(CELLAR)

    assert before == CELLAR
    assert run(CELLAR) == []


def test_every_question_of_a_card_has_its_kind_in_the_description():
    rows = list_effects(KINGDOM)
    kinds = {effect.kind for card, effect in rows if card and effect.kind}
    described = set(re.findall(r"\w+", scenario.__doc__.partition("A decision")[2]))

    assert "sentry_trash" in kinds
    assert kinds <= described


# Setup cases.


def test_a_wrong_pile_size_is_told():
    assert run(SETUP) == []
    assert run(changed(SETUP, 47, "supply_after_dealing", "Copper")) == ["supply of Copper: expected 47, got 46"]


@pytest.mark.parametrize(
    ("key", "value"), [("cards", {"Copper": 10}), ("hand_size", 4), ("deck_size", 4), ("discard_size", 1)]
)
def test_what_each_player_should_have_is_compared(key, value):
    assert len(run(changed(SETUP, value, "each_player", key))) == 2


# Bad input.


@pytest.mark.parametrize(
    ("case", "told"),
    [
        ([], "the case: this is []. Allowed: an object with setup, steps, expect."),
        ({}, "the case: setup is missing."),
        (changed(CELLAR, [], "setup", "players"), "setup.players is []. Allowed: a list of 1 to 6 items."),
        (changed(CELLAR, 2, "setup", "current"), "current is 2. Allowed: 0 to 1."),
        (
            changed(CELLAR, ["Cellor"], "setup", "players", 0, "hand"),
            "hand of player 0: no card named 'Cellor'. Did you mean Cellar",
        ),
        (changed(CELLAR, ["Cellor"], "setup", "kingdom"), "kingdom: no card named 'Cellor'"),
        (changed(CELLAR, [], "setup", "players", 0, "mat"), "'mat' of setup.players[0] is unknown. Allowed: hand,"),
        (changed(CELLAR, ["Moat"], "setup", "players", 1, "in_play"), "player 1 has cards in play out of turn"),
        (changed(CELLAR, -1, "setup", "turn", "coins"), "setup.turn.coins is -1. Allowed: 0 to 1,000,000."),
        (
            changed(CELLAR, "night", "setup", "turn", "phase"),
            "setup.turn.phase is 'night'. Allowed: one of action,",
        ),
        (changed(CELLAR, "sell", "steps", 0, "op"), "steps[0].op is 'sell'. Allowed: one of buy, end_turn, play,"),
        (changed(CELLAR, None, "steps", 0, "card"), "a step play names 0 cards. Allowed: one."),
        (changed(CELLAR, {"op": "buy"}, "steps", 0), "a step buy names 0 cards."),
        (changed(CELLAR, {"kind": "discard"}, "steps", 0, "decisions", 0), "says neither card, nor cards, nor answer"),
        (changed(CELLAR, 5, "steps", 0, "decisions", 0, "cards"), "Allowed: cards, true, false or null."),
        (changed(CELLAR, {"answer": 1}, "steps", 0, "decisions", 0), "kind of steps[0].decisions[0] is missing."),
        (changed(SENTRY, True, "steps", 0, "decisions", 0, "answer"), "the decision sentry is true"),
        (changed(CELLAR, [{}, {}, {}], "expect", "players"), "3 players are expected. Allowed: up to 2."),
        (changed(CELLAR, 1, "expect", "villagers"), "'villagers' of expect is unknown. Allowed: actions, buys,"),
        (changed(SETUP, 7, "players"), "7 players cannot play. Allowed: 1 to 6."),
        (changed(SETUP, 7, "dealt"), "the case: 'dealt' is unknown. Allowed: players, supply_after_dealing,"),
        (changed(SETUP, ["Moet"], "kingdom_includes"), "no card named 'Moet'"),
        (
            {"setup": {"players": [{"hand": [card.name for card in KINGDOM[:11]]}, {}]}},
            "the case has 11 kingdom cards. Allowed: up to 10.",
        ),
    ],
)
def test_a_malformed_case_is_refused_with_one_line(case, told):
    with pytest.raises(UsageError) as error:
        run(case)

    assert told in str(error.value)
    assert "\n" not in str(error.value)


VALUES = ["x", None, True, 3, -1, 2**40, 0.5, "", [], [[]], {}, {"x": 1}]


@pytest.mark.parametrize("case", [CELLAR, SENTRY, SETUP], ids=["cellar", "sentry", "setup"])
@pytest.mark.parametrize("value", VALUES[: effort(len(VALUES), 2, 2)], ids=repr)
def test_whatever_stands_in_a_case_it_runs_or_is_refused(case, value):
    for path in paths(case):
        try:
            found = run(changed(case, value, *path))
        except UsageError as error:
            found = [str(error)]
        assert all("\n" not in text for text in found)


# The command line.


def cases_file(tmp_path, content):
    path = tmp_path / "cases.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return str(path)


def test_a_file_whose_cases_hold_exits_with_0(tmp_path, capsys):
    content = {"about": "two", "scenarios": [CELLAR], "setup_scenarios": [SETUP]}

    assert main([cases_file(tmp_path, content)]) == 0
    assert capsys.readouterr().out.splitlines() == ["ok   setup", "ok   cellar", "2 of 2 cases hold."]


def test_a_case_that_does_not_hold_exits_with_1(tmp_path, capsys):
    wrong = changed(CELLAR, 5, "expect", "actions")

    assert main([cases_file(tmp_path, [wrong, SENTRY])]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "FAIL cellar: actions: expected 5, got 1",
        "ok   case 2",
        "1 of 2 cases hold.",
    ]


def test_a_malformed_case_fails_and_the_others_are_run(tmp_path, capsys):
    assert main([cases_file(tmp_path, ["cellar", {"id": "empty"}, CELLAR])]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "FAIL case 1: the case: this is 'cellar'. Allowed: an object with setup, steps, expect.",
        "FAIL empty: the case: setup is missing.",
        "ok   cellar",
        "1 of 3 cases hold.",
    ]


def test_a_file_may_hold_one_case(tmp_path):
    assert main([cases_file(tmp_path, CELLAR)]) == 0
    assert main([cases_file(tmp_path, SETUP)]) == 0


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("{", "is not JSON"),
        ("", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("{}", "holds no cases"),
        ("3", "this is 3. Allowed: a list."),
        ('{"scenarios": 3}', "this is 3. Allowed: a list."),
    ],
)
def test_a_malformed_file_exits_with_2(tmp_path, capsys, content, told):
    assert main([cases_file(tmp_path, content)]) == 2
    assert told in capsys.readouterr().err


def test_an_unreadable_file_exits_with_2(tmp_path, capsys):
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")

    assert main([str(tmp_path / "missing.json")]) == 2
    assert "missing.json cannot be read: No such file" in capsys.readouterr().err
    assert main([str(tmp_path)]) == 2
    assert main([str(tmp_path / "binary")]) == 2
    assert main([]) == 2


def test_the_module_is_a_program(tmp_path):
    wrong = cases_file(tmp_path, [changed(CELLAR, 5, "expect", "actions")])
    command = [sys.executable, "-m", "evodom.dominion.scenario"]

    failed = subprocess.run([*command, wrong], check=False, capture_output=True, text=True)
    unreadable = subprocess.run([*command, str(tmp_path / "missing")], check=False, capture_output=True, text=True)

    assert (failed.returncode, failed.stderr) == (1, "")
    assert failed.stdout.startswith("FAIL cellar")
    assert (unreadable.returncode, unreadable.stdout) == (2, "")
    assert len(unreadable.stderr.splitlines()) == 1
