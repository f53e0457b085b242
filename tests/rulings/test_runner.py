"""Rules cases: mismatches, illegal steps, invalid cases and files, and the command."""

import json
import re
import subprocess
import sys
from copy import deepcopy
from pathlib import Path

import pytest

from evodom.dominion.cards import KINGDOM_CARDS
from evodom.dominion.engine.compiler import list_effects
from evodom.errors import UsageError
from tests.effort import effort
from tests.rulings import read_case
from tests.rulings import run as run_case
from tests.rulings.__main__ import main

pytestmark = pytest.mark.uncompiled

CARDS_PAGE = Path(__file__).parents[2] / "docs" / "reference" / "cards.md"


def case(players, steps=(), expect=None, **setup):
    """Return a case, as parsed from JSON."""
    return {"setup": {"players": players, **setup}, "steps": list(steps), "expect": expect or {}}


def play_of(card, *decisions, **options):
    """Return a step that plays a card."""
    return {"op": "play", "card": card, "decisions": list(decisions), **options}


def decide(kind, player=0, **given):
    """Return a decision of a player."""
    return {"player": player, "kind": kind, **given}


FINAL_PLAYERS = [
    {"hand": ["Province", "Gold"], "deck": ["Copper"], "in_play": ["Silver", "Cellar"], "set_aside": [], "turns": 3}
    | {"discard": ["Estate"] * 3},
    {"hand_size": 1, "deck_size": 0, "discard_size": 1, "in_play": [], "turns": 1},
]

CELLAR = {"id": "cellar"} | case(
    [
        {"hand": ["Cellar", "Estate", "Estate", "Silver"], "deck": ["Gold", "Province", "Copper"], "turns": 3},
        {"hand": ["Copper"], "deck": [], "discard": ["Duchy"]},
    ],
    [
        play_of("Cellar", decide("discard", cards=["Estate", "Estate"])),
        {"op": "play_treasures", "cards": ["Silver"]},
        {"op": "buy", "card": "Estate"},
    ],
    {"actions": 1, "buys": 1, "coins": 0, "current": 0, "phase": "buy", "game_over": False, "scores": [9, 3]}
    | {"winners": [0], "trash": ["Moat"], "supply": {"Estate": 7, "Curse": 0, "Moat": 0}, "players": FINAL_PLAYERS},
    kingdom=["Cellar"],
    current=0,
    turn={"actions": 1, "buys": 2, "coins": 0, "phase": "action"},
    supply={"Curse": 0},
    trash=["Moat"],
)

SENTRY = case(
    [{"hand": ["Sentry"], "deck": ["Gold", "Estate", "Duchy", "Silver"]}, {}],
    [play_of("Sentry", decide("sentry", answer={"trash": ["Estate"], "topdeck": ["Duchy"]}))],
    {"players": [{"deck": ["Duchy", "Silver"]}], "trash": ["Estate"]},
    kingdom=["Sentry"],
)

SETUP = {
    "id": "setup",
    "card": "setup",
    "players": 2,
    "kingdom_includes": ["Village"],
    "supply_after_dealing": {"Copper": 46, "Village": 10},
    "each_player": {"cards": {"Copper": 7, "Estate": 3}, "hand_size": 5, "deck_size": 5, "discard_size": 0},
}


def run(case):
    """Return the mismatches of a case, as parsed from JSON."""
    return run_case(read_case(case))


def changed(case, value, *path):
    """Return a copy of a case with another value at a path."""
    copy = deepcopy(case)
    node = copy
    for key in path[:-1]:
        node = node[key]
    node[path[-1]] = value
    return copy


def paths(node, *above):
    """Yield the path of every value of a case."""
    children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, child in children:
        yield (*above, key)
        yield from paths(child, *above, key)


def play(decisions, hand=("Cellar", "Estate", "Estate"), card="Cellar", **options):
    """Return the mismatches after playing a card with these decisions."""
    players = [{"hand": list(hand), "deck": ["Gold", "Gold"]}, {"hand": ["Moat", "Copper", "Copper", "Copper"]}]
    return run(case(players, [play_of(card, *decisions, **options)], kingdom=[]))


# Mismatches.


def test_a_case_that_holds_has_no_mismatch_and_is_not_changed():
    before = deepcopy(CELLAR)

    assert run(CELLAR) == run(CELLAR) == run(SENTRY) == run(SETUP) == []
    assert before == CELLAR


def test_each_wrong_expectation_is_one_mismatch():
    for path, value, mismatch in [
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
        (("players", 0, "discard"), ["Estate"] * 2, "discard of player 0: expected 2 Estate; got 3 Estate"),
        (("players", 0, "in_play"), [], "in_play of player 0: expected nothing; got Silver, Cellar"),
        (("players", 0, "set_aside"), ["Moat"], "set_aside of player 0: expected Moat; got nothing"),
        (("players", 0, "turns"), 4, "turns of player 0: expected 4, got 3"),
        (("players", 1, "hand_size"), 2, "hand_size of player 1: expected 2, got 1"),
        (("players", 1, "deck_size"), 2, "deck_size of player 1: expected 2, got 0"),
        (("players", 1, "discard_size"), 2, "discard_size of player 1: expected 2, got 1"),
        (("players", 1, "in_play"), ["Cellar"], "in_play of player 1: expected Cellar; got nothing"),
    ]:
        assert run(changed(CELLAR, value, "expect", *path)) == [mismatch]
    assert len(run(changed(changed(CELLAR, 7, "expect", "actions"), 7, "expect", "buys"))) == 2


def test_setup_cases_compare_piles_and_each_player():
    assert run(changed(SETUP, 47, "supply_after_dealing", "Copper")) == ["supply of Copper: expected 47, got 46"]
    for key, value in (("cards", {"Copper": 10}), ("hand_size", 4), ("deck_size", 4), ("discard_size", 1)):
        assert len(run(changed(SETUP, value, "each_player", key))) == 2, "one for each player"


def test_a_deck_is_compared_in_order_unless_it_was_shuffled():
    ordered = case([{"hand": [], "deck": ["Silver", "Gold"]}, {}], expect={"players": [{"deck": ["Gold", "Silver"]}]})
    shuffled = case(
        [{"hand": ["Bureaucrat", "Moat"], "discard": ["Gold", "Silver", "Copper", "Duchy"]}, {}],
        [play_of("Bureaucrat"), {"op": "end_turn"}],
        {"players": [{"hand_size": 5, "deck_size": 2, "deck": []}]},
    )

    assert run(ordered) == ["deck of player 0: expected Gold, Silver; got Silver, Gold"]
    assert "got shuffled" in run(shuffled)[0]


@pytest.mark.parametrize("place", range(6))
def test_a_card_under_shuffled_cards_must_lie_at_its_place(place):
    deck = ["Copper"] * 5
    deck.insert(place, "Island")
    put_under_three = case(
        [{"hand": ["Secret Passage", "Island"], "deck": ["Gold"], "discard": ["Copper"] * 6}, {}],
        [play_of("Secret Passage", {"kind": "put", "card": "Island"}, {"kind": "position", "answer": 3})],
        {"players": [{"deck": deck}]},
        kingdom=["Island", "Secret Passage"],
    )
    assert (run(put_under_three) == []) == (place == 3)


def test_a_known_card_on_a_shuffled_deck_must_lie_on_top():
    known = case(
        [{"hand": ["Harbinger", "Bureaucrat"], "discard": ["Gold"] * 3}, {}],
        [play_of("Harbinger"), play_of("Bureaucrat")],
        {"players": [{"deck": ["Silver", "Gold", "Gold"]}]},
    )

    assert run(known) == []
    assert run(changed(known, ["Gold", "Silver", "Gold"], "expect", "players", 0, "deck")) == [
        "deck of player 0: expected Gold, Silver, Gold; got Silver, then shuffled 2 Gold"
    ]


# Legal and illegal steps.


def test_a_step_is_illegal_exactly_if_it_is_marked():
    assert run(changed(CELLAR, "Gold", "steps", 2, "card")) == [
        "step 3, buy Gold: Gold cannot be bought now (Actions: 1, Buys: 2, coins: 2, treasure phase)."
    ]

    [mismatch] = run(changed(CELLAR, True, "steps", 0, "illegal"))

    assert mismatch.startswith("step 1, play Cellar: it is legal")


def test_an_illegal_step_leaves_the_game_as_it_was():
    illegal = changed(SENTRY, True, "steps", 0, "illegal")
    illegal["steps"][0]["decisions"][0]["answer"]["discard"] = ["Copper"]
    players = [{"hand": ["Sentry"], "deck": ["Gold", "Estate", "Duchy", "Silver"]}]

    assert run(illegal | {"expect": {"actions": 1, "trash": [], "players": players}}) == []


def test_a_choice_is_given_by_any_key_and_form_and_may_be_declined():
    declined = deepcopy(CELLAR)
    declined["steps"] = declined["steps"][:1]
    declined["expect"] = {"players": [{"hand_size": 3, "deck_size": 3}]}
    for key in ("card", "cards", "answer"):
        for value in ("Estate", ["Estate"], {"Estate": 1}):
            decision = {"player": 0, "kind": "discard", key: value}
            assert play([decision]) == []
            assert "it is legal" in play([decision], illegal=True)[0]
        for value in (None, False, []):
            declined["steps"][0]["decisions"] = [{"player": 0, "kind": "discard", key: value}]
            assert run(declined) == []


def test_true_takes_the_only_card_on_offer():
    one, two = ("Moneylender", "Copper"), ("Throne Room", "Moat", "Market")

    assert play([decide("trash_copper", answer=True)], one, "Moneylender") == []
    assert "Moat, Market" in play([decide("throne", answer=True)], two, "Throne Room")[0]


def test_an_answer_without_a_question_is_illegal_unless_it_declines():
    for decision, where in [
        (decide("discard", cards=["Estate"] * 3), "discard of player 0 (Estate)"),
        (decide("discard", 1, cards=["Estate"]), "discard of player 1 (Estate)"),
        (decide("trash", cards=["Estate"]), "trash of player 0 (Estate)"),
        (decide("reveal_moat", 1, answer=True), "reveal_moat of player 1 (yes)"),
        (decide("discard", cards=["Gold"]), "Gold cannot be chosen. Allowed: Estate"),
    ]:
        assert where in play([decision])[0]
    assert play([decide("reveal_moat", 1, answer=False), decide("trash", card=None)]) == []
    buy = changed(CELLAR, [decide("gain", card="Gold")], "steps", 2, "decisions")
    assert "gain of player 0" in run(buy)[0]


def test_a_required_choice_needs_an_answer_with_enough_cards():
    hand = ("Remodel", "Estate", "Copper")
    none = decide("discard", 1, cards=[])

    assert "player 0 is asked for trash and has no answer" in play([], hand, "Remodel")[0]
    assert "must choose more" in play([decide("trash", card=None)], hand, "Remodel")[0]
    assert "must choose more" in play([none], ("Militia",), "Militia")[0]


def test_another_list_of_sentry_overrides_keep():
    lists = {"order": ["Estate", "Copper"], "keep": ["Copper", "Estate"]}
    players = [{"hand": ["Sentry"], "deck": ["Gold", "Copper", "Estate"]}]
    for keys in (("keep", "order"), ("order", "keep")):
        decision = {"kind": "sentry", "answer": {key: lists[key] for key in keys}}
        assert run(case(players, [play_of("Sentry", decision)], {"players": [{"deck": lists["order"]}]})) == []


def test_cards_that_must_be_chosen_may_be_decided_one_by_one():
    hand = ["Militia", "Poacher"]
    victim = {"hand": ["Gold", "Estate", "Copper", "Copper", "Curse"]}
    estate, curse = ({"player": 1, "kind": "discard", "card": name} for name in ("Estate", "Curse"))
    expected = {"players": [{}, {"discard": ["Curse", "Estate"]}]}

    def militia(*decisions):
        return run(case([{"hand": hand}, victim], [play_of("Militia", *decisions)], expected, kingdom=hand))

    assert militia(estate, curse) == []
    assert "must choose more" in militia(estate)[0]
    assert "must choose more" in militia({**estate, "card": None}, estate, curse)[0]


def test_an_answer_to_another_choice_is_not_filled_up_from_the_next():
    decisions = [decide("trash", cards=["Copper"] * 5), decide("trash", cards=[])]
    hand = ("Throne Room", "Chapel", *["Copper"] * 6)
    throne = decide("throne", card="Chapel")

    assert "trash of player 0 (Copper)" in play([throne, *decisions], hand, "Throne Room")[0]


# Expansions.


def caravans(*decisions):
    """Return the game's mismatches after the start of a turn with a Clerk in hand, and two effects due with choices."""
    deck = ["Estate"] * 3 + ["Clerk", "Gold", "Silver", "Copper", "Copper"]
    players = [{"hand": ["Tide Pools", "Sailor"], "deck": deck}, {"hand": ["Copper"], "deck": ["Copper"] * 5}]
    ends = [{"op": "end_turn"}, {"op": "end_turn", "decisions": list(decisions)}]
    steps = [play_of("Tide Pools"), play_of("Sailor"), *ends]
    kingdom = ["Tide Pools", "Sailor", "Clerk"]
    return lambda **expect: run(case(players, steps, {"current": 0, **expect}, kingdom=kingdom))


def test_the_start_of_a_turn_follows_the_order_of_the_case():
    order, clerk = decide("order_effects", cards=["Sailor", "Tide Pools"]), decide("play_clerk", answer=True)
    trash_gold, silver = decide("trash", card="Gold"), decide("discard", cards=["Silver", "Copper"])
    discards = [decide("discard", cards=cards) for cards in (["Gold", "Copper"], ["Clerk", "Copper"])]
    copper = [{"hand": ["Copper"], "in_play": ["Tide Pools", "Sailor", "Clerk"]}, {"hand_size": 4}]

    assert caravans(discards[1])(coins=2, players=[{"hand": ["Copper", "Gold", "Silver"]}]) == []
    assert caravans(order, trash_gold, discards[1])(coins=2, trash=["Gold"]) == []
    assert "Gold cannot be chosen" in caravans(order, trash_gold, discards[0])()[0]
    assert "Gold cannot be chosen" in caravans(discards[0], trash_gold)()[0]
    assert caravans(clerk, order, trash_gold, silver)(players=copper) == []
    assert caravans(order, trash_gold, silver, clerk)(players=copper) == []
    assert "play_clerk of player 0 (yes)" in caravans(discards[1], clerk)()[0]
    assert caravans({**order, "cards": ["Clerk", "Tide Pools"]}, clerk, discards[0])(coins=4) == []
    declined = {**clerk, "answer": False}, {**order, "answer": None}, {**clerk, "if_asked": True}
    assert caravans(discards[1], *declined)() == []


def test_mats_tokens_and_cards_in_play_of_any_player_are_set_up_and_compared():
    mats = {"Island": ["Island", "Duchy"], "Native Village": {"Gold": 2}}
    given = {"mats": mats, "vp_tokens": 3, "in_play": ["Caravan"]}
    expected = {"scores": [0, 10], "players": [None, deepcopy(given) | {"set_aside": []}]}
    with_mats = case([{}, given | {"hand": ["Island"]}], expect=expected)

    assert run(with_mats) == []
    for path, value, mismatch in [
        (("mats", "Island"), [], "Island of player 1: expected nothing; got Duchy, Island"),
        (("mats",), {"Native Village": ["Gold"]}, "Native Village of player 1: expected Gold; got 2 Gold"),
        (("vp_tokens",), 0, "vp_tokens of player 1: expected 0, got 3"),
        (("in_play",), [], "in_play of player 1: expected nothing; got Caravan"),
    ]:
        assert run(changed(with_mats, value, "expect", "players", 1, *path)) == [mismatch]


def test_a_forced_choice_may_be_declined_for_a_later_question_only():
    none = decide("trash", card=None)

    def bishop(*decisions):
        return run(case([{"hand": ["Bishop", "Gold"]}, {"hand": ["Curse"]}], [play_of("Bishop", *decisions)]))

    assert bishop() == bishop({**none, "if_asked": True}) == bishop({**none, "player": 1}) == []
    assert "player 0 must choose" in bishop(none)[0]


def test_an_unanswered_crystal_ball_leaves_its_card():
    players = [{"hand": ["Crystal Ball", "Copper"], "deck": ["Estate"]}, {}]
    left = {"coins": 2, "players": [{"deck": ["Estate"]}]}
    for decisions in ([], [decide("choose", answer=None)], [{"kind": "choose", "answer": "leave"}]):
        assert run(case(players, [{"op": "play_treasures", "decisions": decisions}], left)) == []


# The position.


def test_cards_without_a_pile_replace_unused_piles():
    kingdom = ["Cellar", "Market", "Merchant", "Militia", "Mine", "Remodel", "Smithy", "Village", "Workshop", "Witch"]
    gardens = changed(changed(CELLAR, {"Gardens": 3}, "setup", "supply"), {"Gardens": 3}, "expect", "supply")

    assert run(changed(CELLAR, kingdom, "setup", "kingdom")) == []
    assert run(gardens) == [], "a Supply may name a pile that the kingdom omits"


@pytest.mark.cards
def test_every_question_of_a_card_has_its_kind_in_the_description():
    kinds = {effect.kind for card, effect in list_effects(KINGDOM_CARDS) if card and effect.kind}
    described = set(re.findall(r"\w+", CARDS_PAGE.read_text().partition("| kind of decision |")[2]))

    assert "sentry_trash" in kinds
    assert kinds <= described


# Invalid cases.


def decided(decision):
    """Return a case with this decision."""
    return changed(CELLAR, decision, "steps", 0, "decisions", 0)


INVALID = [
    ([], ("the case", "setup, steps, expect")),
    ({}, ("setup is missing",)),
    ({"setup": {"players": [{}]}, "expct": {}}, ("expect is missing",)),
    (changed(CELLAR, [], "setup", "players"), ("setup.players is []", "1 to 6")),
    (changed(CELLAR, 2, "setup", "current"), ("current is 2", "0 to 1")),
    (changed(CELLAR, ["Cellor"], "setup", "players", 0, "hand"), ("hand of player 0", "'Cellor'", "Cellar")),
    (changed(CELLAR, [], "setup", "players", 0, "mat"), ("'mat' of setup.players[0]", "hand,")),
    (changed(CELLAR, {"Tavern": ["Moat"]}, "setup", "players", 0, "mats"), ("'Tavern' is no mat", "Island, Native")),
    (changed(CELLAR, {"Tavern": []}, "expect", "players", 1, "mats"), ("'Tavern' is no mat", "Island, Native Village")),
    (changed(CELLAR, "sell", "steps", 0, "op"), ("steps[0].op is 'sell'", "buy, end_turn, play,")),
    (changed(CELLAR, None, "steps", 0, "card"), ("step play", "0 cards", "one")),
    (changed(CELLAR, {"kind": "discard"}, "steps", 0, "decisions", 0), ("card, cards, answer",)),
    (changed(CELLAR, 5, "steps", 0, "decisions", 0, "cards"), ("discard is 5", "cards, true, false or null")),
    (changed(SENTRY, True, "steps", 0, "decisions", 0, "answer"), ("sentry is true", "an object")),
    (decided({"kind": "choose", "answer": "villagers"}), ("'villagers' is no option of choose", "cards, actions,")),
    (decided({"kind": "reveal_watchtower", "answer": "play"}), ("'play' is no option", "trash, topdeck")),
    (changed(CELLAR, [{}, {}, {}], "expect", "players"), ("3 players", "up to 2")),
    (changed(SETUP, 7, "players"), ("7 players", "1 to 6")),
    (
        {"setup": {"players": [{"hand": [card.name for card in KINGDOM_CARDS[:32]]}, {}]}, "expect": {}},
        ("32 kingdom cards", "up to 31"),
    ),
]


def test_an_invalid_case_is_refused_with_value_and_allowed_values():
    for case, facts in INVALID:
        try:
            (text,) = run(case)
        except UsageError as error:
            text = str(error)
        assert all(fact in text for fact in facts), (facts, text)
        assert "\n" not in text


VALUES = ["x", None, True, 3, -1, 2**40, 0.5, "", [], [[]], {}, {"x": 1}]


@pytest.mark.parametrize("case", [CELLAR, SENTRY, SETUP], ids=["cellar", "sentry", "setup"])
@pytest.mark.parametrize("value", VALUES[: effort(len(VALUES), 2, 2)], ids=repr)
def test_a_case_with_any_value_anywhere_runs_or_is_refused(case, value):
    for path in paths(case):
        try:
            found = run(changed(case, value, *path))
        except UsageError as error:
            found = [str(error)]
        assert all("\n" not in text for text in found)


# The command.


def cases_file(tmp_path, content):
    path = tmp_path / "cases.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return str(path)


def test_the_command_exits_with_0_if_all_cases_hold(tmp_path, capsys):
    content = {"about": "two", "scenarios": [CELLAR], "setup_scenarios": [SETUP]}

    assert main([cases_file(tmp_path, content)]) == 0
    assert capsys.readouterr().out == ""
    for one in (CELLAR, SETUP):
        assert main([cases_file(tmp_path, one)]) == 0


def test_the_command_exits_with_1_if_a_case_fails(tmp_path, capsys):
    wrong, unknown = changed(CELLAR, 5, "expect", "actions"), changed(SENTRY, ["Cellor"], "setup", "kingdom")

    assert main([cases_file(tmp_path, [wrong, CELLAR, unknown])]) == 1
    one, other = capsys.readouterr().out.splitlines()
    assert one == "FAIL cellar: actions: expected 5, got 1"
    assert other.startswith("FAIL case 3: kingdom: ")


def test_the_command_exits_with_2_if_the_file_cannot_be_read_or_is_malformed(tmp_path, capsys):
    wrong = changed(CELLAR, 5, "expect", "actions")
    for content in ("{", "", "[" * 100_000, "{}", "3", '{"scenarios": 3}', [wrong, "cellar"], [wrong, {"id": "empty"}]):
        assert main([cases_file(tmp_path, content)]) == 2
        printed = capsys.readouterr()
        assert (printed.out, printed.err.count("\n")) == ("", 1)

    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")

    assert main([str(tmp_path / "missing.json")]) == 2
    assert "missing.json cannot be read: No such file" in capsys.readouterr().err
    assert main([str(tmp_path)]) == 2
    assert main([str(tmp_path / "binary")]) == 2
    assert main([]) == 2


def test_the_module_is_a_program(tmp_path):
    wrong = cases_file(tmp_path, [changed(CELLAR, 5, "expect", "actions")])
    command = [sys.executable, "-m", "tests.rulings", wrong]

    failed = subprocess.run(command, check=False, capture_output=True, text=True)

    assert (failed.returncode, failed.stderr) == (1, "")
    assert failed.stdout.startswith("FAIL cellar")
