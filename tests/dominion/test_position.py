"""Positions as one line of text: read, written, refused."""

import pytest

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.position import format_position, parse_position
from evodom.errors import UsageError
from tests.dominion.helpers import after, asked, deck_size, discard, hand, in_play, supply, trash, turn

pytestmark = pytest.mark.uncompiled

WHOLE = (
    "P1: hand 1 Copper, 2 Estate; deck 3 Gold; discard 1 Silver; top Moat, Cellar; turns 4 | P2: hand 5 Copper; turns 3"
    " | in play: 1 Village | trash: 1 Curse | supply: 1 Province, 0 Mine | turn: P1, 2 actions, 3 buys, 4 coins, "
)


def test_a_position_says_where_every_card_lies():
    game = parse_position(WHOLE + "treasure phase")

    assert hand(game) == "Copper, 2 Estate"
    assert (deck_size(game), discard(game)) == (5, "Silver")
    assert (in_play(game), trash(game)) == ("Village", "Curse")
    assert (supply(game, "Province"), supply(game, "Mine"), supply(game, "Gold")) == (1, 0, 30)
    assert turn(game) == (2, 3, 4)
    assert game.view(0).turns == (4, 3)


def test_what_is_not_mentioned_is_empty_or_full():
    game = parse_position("P1: hand Copper")

    assert (deck_size(game), discard(game), trash(game)) == (0, "", "")
    assert supply(game, "Province") == 12


@pytest.mark.parametrize("phase", ["treasure phase", "buy phase"])
def test_a_written_position_reads_as_the_same_record(phase):
    game = parse_position(WHOLE + phase)

    assert format_position(game) == WHOLE + phase
    assert parse_position(format_position(game)).state == game.state


def test_cards_in_play_belong_to_the_player_whose_turn_it_is():
    game = parse_position("P1: hand Copper | P2: hand Silver | in play: Village | turn: P2")

    assert game.owned(0) == {"Copper": 1}
    assert game.owned(1) == {"Silver": 1, "Village": 1}


def test_a_merchant_in_play_still_adds_its_coin_to_the_first_silver():
    game = parse_position(format_position(after("P1: hand Merchant, 2 Silver", "Merchant")))

    assert turn(game.enact("Silver"))[2] == 3


def test_a_silver_in_play_was_the_first_one():
    game = parse_position(format_position(after("P1: hand Merchant, 3 Silver", "Merchant", "Silver")))

    assert turn(game.enact("Silver"))[2] == 5


def test_empty_piles_of_a_position_count_towards_the_end():
    game = after("P1: hand Workshop | supply: 0 Moat, 0 Mine, 1 Village", "Workshop", "Village", "pass")

    assert game.end == "empty piles"


def test_a_position_may_begin_in_another_players_turn():
    assert asked(parse_position("P1: hand Copper | P2: hand Copper | turn: P2")) == (2, "Treasures")


def test_a_position_cannot_be_written_while_a_card_is_resolved():
    game = after("P1: hand Militia | P2: hand 5 Copper, Estate", "Militia")

    with pytest.raises(UsageError, match="being resolved"):
        format_position(game)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("P1: hand Coper", "no card named 'Coper'. Did you mean Copper"),
        ("P1: pocket Copper", "'pocket' is no zone"),
        ("P1: hand Copper | table: Copper", "'table' is no part of a position"),
        ("P1: hand Copper | turn: P1, 3 wishes", "'3 wishes' is no part of a turn"),
        ("P7: hand Copper", "Allowed: 1 to 6"),
        ("P0: hand Copper | P1: hand Copper", "Allowed: P1 to P1"),
        ("P1: hand Copper | turn: P2", "Allowed: P1 to P1"),
    ],
)
def test_what_is_not_understood_is_refused_with_the_allowed(text, message):
    with pytest.raises(UsageError, match=message):
        parse_position(text)


def test_a_card_outside_the_kingdom_is_refused():
    with pytest.raises(UsageError, match="Moat is not in this kingdom"):
        parse_position("P1: hand Moat", Kingdom(("Smithy",)))
