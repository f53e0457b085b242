"""Positions as one line of text: read, written, refused."""

import pytest

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.position import format_position, parse_position
from evodom.errors import UsageError
from tests.dominion.helpers import after, asked, deck_size, discard, hand, in_play, supply, trash, turn

pytestmark = pytest.mark.uncompiled

WHOLE = (
    "P1: hand 1 Copper, 2 Estate; deck 3 Gold; discard 1 Silver; top Moat, unseen, Cellar; turns 4 | P2: hand 5 Copper"
    "; turns 3 | in play: 1 Village | trash: 1 Curse | supply: 1 Province, 0 Mine"
    " | turn: P1, 2 actions, 3 buys, 4 coins, "
)


def test_a_position_has_the_cards_of_its_text():
    game = parse_position(WHOLE + "treasure phase")

    assert hand(game) == "Copper, 2 Estate"
    assert (deck_size(game), discard(game)) == (5, "Silver")
    assert (in_play(game), trash(game)) == ("Village", "Curse")
    assert (supply(game, "Province"), supply(game, "Mine"), supply(game, "Gold")) == (1, 0, 30)
    assert turn(game) == (2, 3, 4)
    assert game.view(0).turns == (4, 3)
    other = parse_position("P1: hand Copper")
    assert (deck_size(other), discard(other), trash(other), supply(other, "Province")) == (0, "", "", 12)


@pytest.mark.parametrize("phase", ["treasure phase", "buy phase"])
def test_a_formatted_position_parses_to_the_same_record(phase):
    game = parse_position(WHOLE + phase)

    assert format_position(game) == WHOLE + phase
    assert parse_position(format_position(game)).state == game.state


def test_unseen_cards_lie_between_known_cards():
    game = parse_position("P1: top Gold, 2 unseen, Estate, unseen; deck 3 Copper")
    state = game.state

    assert state.unseen_above[0, : state.n_known[0]].tolist() == [2, 0]
    assert format_position(game).startswith("P1: deck 3 Copper; top Gold, unseen, unseen, Estate; turns")
    assert game.contract.observe_json(state, 0)["players"][0]["known tops"] == ["Gold", None, None, "Estate"]


def test_the_turn_and_empty_piles_of_a_position_count():
    game = parse_position("P1: hand Copper | P2: hand Silver | in play: Village | turn: P2")

    assert (game.owned(0), game.owned(1)) == ({"Copper": 1}, {"Silver": 1, "Village": 1})
    assert asked(game) == (2, "Treasures")

    game = after("P1: hand Workshop | supply: 0 Moat, 0 Mine, 1 Village", "Workshop", "Village", "pass")

    assert game.end == "empty piles"


def test_merchants_and_silvers_in_play_determine_the_bonus():
    merchant = parse_position(format_position(after("P1: hand Merchant, 2 Silver", "Merchant")))
    silver = parse_position(format_position(after("P1: hand Merchant, 3 Silver", "Merchant", "Silver")))

    assert turn(merchant.enact("Silver"))[2] == 3
    assert turn(silver.enact("Silver"))[2] == 5, "the first Silver was in play"


def test_a_position_cannot_be_written_while_a_card_is_resolved():
    game = after("P1: hand Militia | P2: hand 5 Copper, Estate", "Militia")

    with pytest.raises(UsageError, match="being resolved"):
        format_position(game)


def test_an_invalid_position_is_refused_with_value_and_allowed_values():
    for text, message in [
        ("P1: hand Coper", "'Coper'. Did you mean Copper"),
        ("P1: pocket Copper", "'pocket' .* hand, top, deck, discard, turns"),
        ("P1: hand Copper | table: Copper", "'table' .* supply, turn, in play, trash"),
        ("P1: hand Copper | turn: P1, 3 wishes", "'3 wishes'"),
        ("P7: hand Copper", "Allowed: 1 to 6"),
        ("P0: hand Copper | P1: hand Copper", "Allowed: P1 to P1"),
        ("P1: hand Copper | turn: P2", "Allowed: P1 to P1"),
        ("P1: top 2 unseen, Copper; deck Gold", "P1 has 2 unseen cards above known ones, and a deck of 1 "),
    ]:
        with pytest.raises(UsageError, match=message):
            parse_position(text)
    with pytest.raises(UsageError, match="Moat is not in this kingdom"):
        parse_position("P1: hand Moat", Kingdom(("Smithy",)))
