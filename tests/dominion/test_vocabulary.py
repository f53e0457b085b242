"""Unprinted cards of existing Effects play by the rules."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evodom.dominion import cards as all_cards
from evodom.dominion.cards import ACTION, ATTACK, CARDS, TREASURE, VICTORY, Card, VpPer
from evodom.dominion.effects.deck import draw_or_set_aside, reveal
from evodom.dominion.effects.effect import (
    CHOSEN,
    Counted,
    Requirement,
    each_opponent,
    each_player,
    if_chosen,
    on_condition,
    per,
)
from evodom.dominion.effects.hand import (
    actions,
    buys,
    cards,
    choose_to_play,
    coins,
    discard_down_to,
    may_trash_this,
    move_all,
    play_chosen,
    trash_from_hand,
    trash_this,
)
from evodom.dominion.effects.ops import Count, Zone
from evodom.dominion.effects.supply import gain, gain_costing_up_to, gain_costing_up_to_trashed
from evodom.dominion.engine.batch import new_state
from evodom.dominion.engine.moves import put_on_deck, take_from_deck
from evodom.dominion.engine.state import MAX_KNOWN
from evodom.dominion.game import DominionGame
from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from tests.dominion.helpers import after, answers, asked, deck_size, discard, hand, in_play, told, trash, turn
from tests.dominion.test_random_games import NO_PARENT, play, seeds_of
from tests.effort import effort

pytestmark = pytest.mark.uncompiled

ROWS = (
    Card("Silversmith", 4, ACTION, (gain("Silver", Zone.DECK_TOP), cards(1))),
    Card("Triple Stage", 7, ACTION, (choose_to_play(), play_chosen(3))),
    Card("Tax", 3, ACTION | ATTACK, (each_player(gain("Copper")),)),
    Card("Feast for All", 3, ACTION, (each_opponent(cards(1)), each_player(discard_down_to(4)), actions(1))),
    Card(
        "Lecture",
        5,
        ACTION,
        (each_opponent(*draw_or_set_aside(6)), each_opponent(move_all(Zone.DISCARD, Zone.TRASH)), cards(1)),
    ),
    Card("Warlord", 5, ACTION | ATTACK, (choose_to_play(), play_chosen(1), each_opponent(gain("Curse")))),
    Card("Mentor", 5, ACTION, (choose_to_play(), play_chosen(1), gain_costing_up_to_trashed(plus=0))),
    Card("Hamlet", 4, ACTION, (actions(1), may_trash_this(), if_chosen(coins(2)))),
    Card("Orchard", 4, ACTION | VICTORY, (actions(1),), vp=2, vp_per=VpPer(10, vp=3)),
)
KINGDOM = ("Moat", "Village", "Silversmith", "Triple Stage", "Tax", "Feast for All", "Lecture", "Orchard")

COUNTING = (
    Card("Hand", 4, ACTION, (per(Counted(Count.HAND, TREASURE), "Treasure in hand", buys(1)),)),
    Card("Names", 4, ACTION, (per(Counted(Count.HAND_NAMES), "card", buys(1)),)),
    Card("Play", 4, ACTION, (per(Counted(Count.IN_PLAY, ACTION), "Action in play", buys(2)),)),
    Card("Cost", 4, ACTION, (trash_from_hand(), per(Counted(Count.CHOSEN_COST), "$1", buys(1)))),
    Card("Types", 4, ACTION, (trash_from_hand(), per(Counted(Count.CHOSEN_TYPES), "type", buys(1)))),
    Card("Third", 4, ACTION, (on_condition(Requirement(Counted(Count.ACTIONS_PLAYED), "From 3", least=3), buys(1)),)),
    Card("Empty", 4, ACTION, (on_condition(Requirement(Counted(Count.EMPTY_PILES), "At most 1", most=1), buys(1)),)),
    Card(
        "Kind",
        4,
        ACTION,
        (
            gain_costing_up_to(4),
            on_condition(Requirement(Counted(Count.CHOSEN_OF, VICTORY), "A Victory card", least=1), buys(1)),
        ),
    ),
    Card("Pair", 4, ACTION, (trash_from_hand(n=2), on_condition(Requirement(CHOSEN, "If two", least=2), buys(1)))),
    Card("Step", 4, ACTION, (trash_from_hand(), gain_costing_up_to_trashed(plus=1, exact=True))),
)

TRASHERS = (
    Card("Bonfire", 3, ACTION, (reveal(2), move_all(Zone.REVEALED, Zone.TRASH))),
    Card("Burn Hand", 3, ACTION, (move_all(Zone.HAND, Zone.TRASH),)),
    Card("Burn Discards", 3, ACTION, (move_all(Zone.DISCARD, Zone.TRASH),)),
    Card("Burn Play", 3, ACTION, (move_all(Zone.IN_PLAY, Zone.TRASH), trash_this())),
    Card(
        "Arson",
        3,
        ACTION | ATTACK,
        (each_opponent(reveal(1), move_all(Zone.REVEALED, Zone.TRASH), move_all(Zone.HAND, Zone.TRASH)),),
    ),
    Card(
        "Stack",
        3,
        ACTION,
        (each_opponent(move_all(Zone.HAND, Zone.DECK_TOP, TREASURE, "stacks")), move_all(Zone.DISCARD, Zone.HAND)),
    ),
)
TRASHING = ("Throne Room", "Village", *(card.name for card in TRASHERS))
HAND_OF_FIRES = f"Throne Room, {', '.join(card.name for card in TRASHERS)}"
DECK_OF_FIRES = f"{HAND_OF_FIRES}, 4 Village, 2 Throne Room, 5 Gold, 3 Copper, 2 Estate, Province"


@pytest.fixture(autouse=True, scope="module")
def rows():
    with pytest.MonkeyPatch.context() as monkeypatch:
        for card in (*ROWS, *COUNTING, *TRASHERS):
            monkeypatch.setitem(all_cards.CARDS, card.name, card)
        yield


def test_cards_of_combined_effects():
    silversmith = after("P1: hand Silversmith; deck 5 Copper | P2: hand Copper", "Silversmith", kingdom=KINGDOM)
    triple = after("P1: hand Triple Stage, Village; deck 5 Moat", "Triple Stage", "Village", kingdom=KINGDOM)
    tax = after("P1: hand Tax | P2: hand Moat | P3: hand Moat", "Tax", "pass", "Moat", kingdom=KINGDOM)
    orchard = after("P1: hand 2 Orchard; deck 18 Copper", "Orchard", kingdom=KINGDOM)

    assert (hand(silversmith), deck_size(silversmith)) == ("Silver", 5), "gained onto the deck and drawn"
    assert (hand(triple), turn(triple)[0]) == ("3 Moat", 6)
    assert [discard(tax, player) for player in (1, 2, 3)] == ["Copper", "Copper", ""], "P3 revealed a Moat"
    assert (turn(orchard)[0], orchard.scores) == (1, (2 * 2 + 2 * 3 * 2,)), "an Action and a Victory card"


def test_effects_on_several_players_follow_each_other_in_turn_order():
    position = "P1: hand Feast for All, 2 Estate, 2 Copper, Silver | P2: hand 2 Estate, 2 Copper; deck Gold"
    game = after(position, "Feast for All", kingdom=KINGDOM)

    assert asked(game) == (1, "Feast for All")
    assert asked(game.enact("Estate")) == (2, "Feast for All")
    game.enact("Copper")
    assert (hand(game), hand(game, 2), turn(game)[0]) == ("2 Copper, Silver, Estate", "Copper, Gold, 2 Estate", 1)


def test_inner_effects_may_have_inner_effects():
    position = "P1: hand Lecture; deck Gold | P2: hand 5 Copper; top Village, Moat; discard Curse | P3: hand 6 Estate"
    game = after(position, "Lecture", kingdom=KINGDOM)

    assert asked(game) == (2, "Lecture")
    assert game.view(1).revealed == Counter(["Village"])
    assert game.view(0).revealed == game.view(2).revealed == Counter(), "the card is drawn unseen"
    game.enact("Village")
    assert asked(game.enact("pass")) == (1, "Treasures")
    assert (hand(game, 2), discard(game, 2), trash(game)) == ("5 Copper, Moat", "", "Curse, Village")
    assert hand(game) == "Gold"


PLAYS = ("Moat", "Remodel", "Mentor", "Triple Stage", "Hamlet", "Warlord", "Militia")


def test_a_nested_play_does_not_change_the_registers_of_the_play_around_it():
    attack = after("P1: hand Warlord, Militia | P2: hand Moat, 4 Copper", "Warlord", "Moat", "Militia", kingdom=PLAYS)
    mentor = after("P1: hand Mentor, Remodel, Gold", "Mentor", "Remodel", "Province", kingdom=PLAYS)

    attack.enact("pass").enact("Copper").enact("Copper")
    assert (hand(attack, 2), discard(attack, 2)) == ("2 Copper, Moat", "2 Copper"), "Moat against Warlord alone"
    assert max(CARDS[answer.name].cost for answer in mentor.decision.consequences) == 4, "as much as Remodel"


def test_a_play_loses_track_of_the_played_card_once_it_has_moved():
    game = after("P1: hand Triple Stage, Hamlet", "Triple Stage", "Hamlet", "pass", kingdom=PLAYS)
    assert (in_play(game), turn(game)) == ("Hamlet, Triple Stage", (2, 1, 0))

    assert asked(game.enact("Hamlet")) == (1, "Buy"), "it cannot be trashed again"
    assert (in_play(game), trash(game), turn(game)) == ("Triple Stage", "Hamlet", (3, 1, 2))
    again = after("P1: hand 2 Hamlet, Village", "Hamlet", "Hamlet", "Hamlet", kingdom=("Hamlet", "Village"))
    assert asked(again) == (1, "Hamlet"), "another Hamlet can"


@pytest.mark.parametrize(
    ("position", "choices", "n_buys"),
    [
        ("P1: hand Hand, 2 Copper, Silver, Estate", ["Hand"], 4),
        ("P1: hand Names, 2 Copper, Silver, Estate", ["Names"], 4),
        ("P1: hand Play, Village; deck Moat | in play: Village, Copper", ["Village", "Play"], 7),
        ("P1: hand Cost, Silver, Gold", ["Cost", "Gold"], 7),
        ("P1: hand Types, Moat, Silver", ["Types", "Moat"], 3),
        ("P1: hand Throne Room, Third", ["Throne Room", "Third"], 2),
        ("P1: hand 2 Throne Room, 2 Third", ["Throne Room", "Throne Room", "Third", "Third"], 5),
        ("P1: hand Third | turn: P1, 1 action, 2 Actions played", ["Third"], 2),
        ("P1: hand Third | turn: P1, 1 action, 1 Action played", ["Third"], 1),
        ("P1: hand Empty | supply: 0 Duchy", ["Empty"], 2),
        ("P1: hand Empty | supply: 0 Duchy, 0 Gold", ["Empty"], 1),
        ("P1: hand Kind", ["Kind", "Estate"], 2),
        ("P1: hand Kind", ["Kind", "Silver"], 1),
        ("P1: hand Pair, 2 Copper, Silver", ["Pair", "Copper", "Copper"], 2),
        ("P1: hand Pair, Copper, Silver", ["Pair"], 2),
        ("P1: hand Pair, Copper", ["Pair"], 1),
    ],
)
def test_counts(position, choices, n_buys):
    kingdom = (*(card.name for card in COUNTING if card.name in position), "Throne Room", "Village", "Moat")

    assert turn(after(position, *choices, kingdom=kingdom))[1] == n_buys


def test_exact_costs():
    kingdom = ("Step", "Moat", "Village", "Smithy")
    game = after("P1: hand Step, Copper, Estate, Silver, Province", "Step", kingdom=kingdom)
    gained = {name: answers(game.copy().enact(name)) for name in ("Estate", "Silver")}

    assert gained == {"Estate": ["Silver", "Village"], "Silver": ["Smithy", "Step"]}
    for name in ("Copper", "Province"):
        assert game.copy().enact(name).decision.title != "Step", "no card costs $1 or $9"


def test_the_deepest_known_card_becomes_unseen_beyond_max_known():
    state = new_state(FIRST_GAME.rules(1), 1)
    unseen = int(state.n_cards[Zone.DECK])
    for pile in [1, *[2] * MAX_KNOWN]:
        put_on_deck(state, 0, pile, 0)

    assert state.n_known[0] == MAX_KNOWN
    assert state.n_cards[Zone.DECK] == unseen + 1
    assert state.cards[Zone.DECK, 1] == 1
    assert {take_from_deck(state, 0) for _ in range(MAX_KNOWN)} == {2}


# Cards that trash whole zones.


def test_revealed_cards_that_are_trashed_are_no_longer_owned():
    position = "P1: hand Bonfire; top Province, Estate; deck Copper | P2: hand Copper"

    game = after(position, "Bonfire", kingdom=TRASHING)

    assert trash(game) == "Estate, Province"
    assert game.owned(0) == Counter(("Bonfire", "Copper"))
    assert game.scores == (0, 0)
    assert told(game)[-3:-1] == ["P1 reveals Province, Estate", "P1 trashes Estate, Province"]


def test_a_trashed_zone_is_no_longer_owned():
    for card, trashed, left in [
        ("Burn Hand", "Gold, Estate", "Burn Hand, Silver, Duchy, Province, Copper"),
        ("Burn Discards", "Province", "Burn Discards, Estate, Gold, Silver, Duchy, Copper"),
        ("Burn Play", "Copper, Burn Play", "Estate, Gold, Silver, Duchy, Province"),
    ]:
        zones = f"hand {card}, Estate, Gold; top Duchy, Silver; discard Province"
        game = after(f"P1: {zones} | P2: hand Curse | in play: Copper", card, kingdom=TRASHING)
        assert (trash(game), game.owned(0)) == (trashed, Counter(left.split(", ")))
        assert game.owned(1) == Counter(("Curse",))


def test_an_attack_trashes_and_stacks_cards_of_opponents():
    arson = "P1: hand Arson | P2: hand 2 Copper, Estate; top Gold; discard Duchy | P3: hand Curse; top Province"
    burnt = after(arson, "Arson", kingdom=TRASHING)
    stacked = after("P1: hand Stack, Gold | P2: hand 2 Copper, Estate; deck Silver", "Stack", kingdom=TRASHING)

    assert trash(burnt) == "2 Copper, Gold, Estate, Province, Curse"
    assert [dict(burnt.owned(seat)) for seat in range(3)] == [{"Arson": 1}, {"Duchy": 1}, {}]
    assert (hand(stacked), hand(stacked, 2), deck_size(stacked, 2)) == ("Gold", "Estate", 3)


@settings(max_examples=effort(30, 3, 2))
@given(st.integers(2, 6), st.integers(0, 2**64 - 1))
def test_records_are_valid_in_games_of_cards_that_trash_zones(n_players, seed):
    position = " | ".join(
        f"P{player}: hand {HAND_OF_FIRES}; deck {DECK_OF_FIRES}" for player in range(1, n_players + 1)
    )
    game = DominionGame.from_position(f"{position} | turn: P1, 3 actions", Kingdom(TRASHING))

    games = play(game.rules, game.state, NO_PARENT, seeds_of(seed, effort(5, 2, 2)), effort(300, 300, 60))

    assert games.fault == ""
