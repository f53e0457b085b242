"""Positions as one line of text: read, written, refused."""

import random

import pytest

from evodom.dominion.game import DominionGame
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.position import format_position
from evodom.errors import UsageError
from tests.dominion.helpers import (
    after,
    answers,
    asked,
    deck_size,
    discard,
    hand,
    in_play,
    lively,
    rich_game,
    supply,
    trash,
    turn,
)

pytestmark = pytest.mark.uncompiled

WHOLE = (
    "P1: hand 1 Copper, 2 Estate; deck 3 Gold; discard 1 Silver; top Moat, unseen, Cellar; turns 4 | P2: hand 5 Copper"
    "; turns 3 | in play: 1 Village | trash: 1 Curse | supply: 1 Province, 0 Mine"
    " | turn: P1, 2 actions, 3 buys, 4 coins, "
)


def test_a_position_has_the_cards_of_its_text():
    game = DominionGame.from_position(WHOLE + "treasure phase")

    assert hand(game) == "Copper, 2 Estate"
    assert (deck_size(game), discard(game)) == (5, "Silver")
    assert (in_play(game), trash(game)) == ("Village", "Curse")
    assert (supply(game, "Province"), supply(game, "Mine"), supply(game, "Gold")) == (1, 0, 30)
    assert turn(game) == (2, 3, 4)
    assert game.view(0).turns == (4, 3)
    other = DominionGame.from_position("P1: hand Copper")
    assert (deck_size(other), discard(other), trash(other), supply(other, "Province")) == (0, "", "", 12)


@pytest.mark.parametrize("phase", ["treasure phase", "buy phase"])
def test_a_formatted_position_parses_to_the_same_record(phase):
    game = DominionGame.from_position(WHOLE + phase)

    assert format_position(game) == WHOLE + phase
    assert DominionGame.from_position(format_position(game)).state == game.state
    assert repr(eval(repr(game), {"DominionGame": DominionGame, "Kingdom": Kingdom})) == repr(game)
    assert game._repr_html_().startswith("<table><tr><th>P1</th><td>hand ")


LASTING = (
    "P1: hand 1 Copper; in play 1 Corsair; island 2 Estate; village 1 Gold; later Corsair not P2; gained Silver, Gold; "
    "tokens 5; turns 4 | P2: hand 1 Wharf; due 2 Tide Pools, Haven with Gold; later Blockade with Silver; "
    "staying 1 Wharf; turns 4 | in play: 1 Blockade, 1 Sailor, 3 Wharf | turn: P2, 1 actions, 1 buys, 0 coins, "
    "start phase, 2 plays of Sailor, Silver played, Gold named, 1 Victory cards gained, extra turn"
)
LASTERS = ("Corsair", "Wharf", "Tide Pools", "Haven", "Blockade", "Sailor", "War Chest", "Treasury")


def test_a_position_has_what_lasts_beyond_a_turn():
    game = DominionGame.from_position(LASTING, Kingdom(LASTERS))
    view, other = game.view(1), game.view(0)

    assert format_position(game) == LASTING
    assert (view.in_play[0], view.places[0]["Island mat"].cards) == ({"Corsair": 1}, {"Estate": 2})
    assert [places["Native Village mat"].unseen for places in view.places] == [1, 0]
    assert view.vp_tokens == (5, 0)
    assert game.scores == (5 + 2, 0)
    assert [(entry.card, entry.times, entry.is_due, entry.set_aside) for entry in view.pending[1]] == [
        ("Tide Pools", 2, True, ""), ("Haven", 1, True, "Gold"), ("Blockade", 1, False, "Silver")
    ]  # fmt: skip
    assert view.pending[0][0].unaffected == (1,)
    own, seen = (one.places[1]["set aside"].cards for one in (view, other))
    assert (own, seen) == ({"Gold": 1, "Silver": 1}, {"Silver": 1})
    assert (view.staying[1], view.watching, view.named, view.is_extra) == ({"Wharf": 1}, {"Sailor": 2}, ("Gold",), True)
    assert game.decision.kind == "order_effects"
    assert answers(game) == ["Haven", "Tide Pools"]


@pytest.mark.parametrize("seed", range(3))
def test_positions_of_whole_games_parse_to_the_same_record(seed):
    pick, game = random.Random(seed), rich_game(1 + seed % 3, seed, ("Seaside", "Prosperity"))
    unwritten = ("deck_streams", "strategy_streams", "known_by", "unseen_discards", "passes", "n_passes", "stack",
                 "chosen", "n_chosen", "chosen_cost", "unaffected", "gain_was_moved", "planned_gain")  # fmt: skip
    for _ in range(80):
        if game.is_over:
            break
        game.enact(lively(game, pick))
        if game.state.depth or game.is_over:
            continue
        text = format_position(game)
        parsed = DominionGame.from_position(text, game.kingdom, game.n_players)
        assert format_position(parsed) == text
        for field in set(game.state.dtype.names) - {*unwritten, "known", "unseen_above", "passed", "later"}:
            assert (parsed.state[field] == game.state[field]).all(), field


def test_unseen_cards_lie_between_known_cards():
    game = DominionGame.from_position("P1: top Gold, 2 unseen, Estate, unseen; deck 3 Copper")
    state = game.state

    assert state.unseen_above[0, : state.n_known[0]].tolist() == [2, 0]
    assert format_position(game).startswith("P1: deck 3 Copper; top Gold, unseen, unseen, Estate; turns")
    assert game.contract.observe(state, 0)["players"][0]["known tops"] == ["Gold", None, None, "Estate"]


def test_the_turn_and_empty_piles_of_a_position_count():
    game = DominionGame.from_position("P1: hand Copper | P2: hand Silver | in play: Village | turn: P2")

    assert (game.owned(0), game.owned(1)) == ({"Copper": 1}, {"Silver": 1, "Village": 1})
    assert asked(game) == (2, "Treasures")

    game = after("P1: hand Workshop | supply: 0 Moat, 0 Mine, 1 Village", "Workshop", "Village", "pass")

    assert game.end == "empty piles"


def test_merchants_and_silvers_in_play_determine_the_bonus():
    merchant = DominionGame.from_position(format_position(after("P1: hand Merchant, 2 Silver", "Merchant")))
    silver = DominionGame.from_position(format_position(after("P1: hand Merchant, 3 Silver", "Merchant", "Silver")))

    assert turn(merchant.enact("Silver"))[2] == 3
    assert turn(silver.enact("Silver"))[2] == 5, "the first Silver was in play"


def test_a_position_cannot_be_written_while_a_card_is_resolved():
    game = after("P1: hand Militia | P2: hand 5 Copper, Estate", "Militia")

    with pytest.raises(UsageError, match="being resolved"):
        format_position(game)


def test_an_invalid_position_is_refused_with_value_and_allowed_values():
    for text, message in [
        ("P1: hand Coper", "'Coper'. Did you mean Copper"),
        ("P1: pocket Copper", "'pocket' .* hand, deck, discard, in play, island, village, top, staying"),
        ("P1: tokens many", "tokens are 'many'"),
        ("P1: later Village", "Village has no effects for the next turn"),
        ("P1: hand Copper | table: Copper", "'table' .* supply, turn, in play, trash"),
        ("P1: hand Copper | turn: P1, 3 wishes", "'3 wishes'"),
        ("P7: hand Copper", "Allowed: 1 to 6"),
        ("P0: hand Copper | P1: hand Copper", "Allowed: P1 to P1"),
        ("P1: hand Copper | turn: P2", "Allowed: P1 to P1"),
        ("P1: top 2 unseen, Copper; deck Gold", "P1 has 2 unseen cards above known ones, and a deck of 1 "),
    ]:
        with pytest.raises(UsageError, match=message):
            DominionGame.from_position(text)
    with pytest.raises(UsageError, match="Moat is not in this kingdom"):
        DominionGame.from_position("P1: hand Moat", Kingdom(("Smithy",)))
