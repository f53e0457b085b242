"""Changes of one rule of a buy list."""

from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.strategies.baselines import buy_list_strategy
from evodom.dominion.strategies.models.buy_lists.buy_list import BuyList
from evodom.dominion.strategies.models.buy_lists.columns import MAX_RULES
from evodom.dominion.strategies.models.buy_lists.edits import rule_changes
from evodom.dominion.strategies.models.buy_lists.encoding import decode
from evodom.dominion.strategies.models.buy_lists.language import format_rule, parse_rules

MINE = ("Province", "Smithy if count_in_deck(Smithy) < 2", "Duchy if gains_to_end <= 5", "Silver")


def changes(rules, others=()):
    strategy = buy_list_strategy(BuyList(rules), FIRST_GAME)
    added = [rule for text in others for rule in parse_rules(text)]
    return {
        words: [format_rule(rule) for rule in decode(changed, FIRST_GAME)]
        for _, words, changed in rule_changes(strategy, added, FIRST_GAME)
    }


def test_rules_are_removed_moved_changed_and_inserted():
    found = changes(MINE, ["Militia", "Duchy if gains_to_end <= 3"])

    assert found['remove "Silver"'] == [*MINE[:3]]
    assert found['move "Silver" above "Province"'] == ["Silver", *MINE[:3]]
    assert found['move "Province" below "2 Smithy"'] == [MINE[1], MINE[0], *MINE[2:]]
    assert found['replace "2 Smithy" by "3 Smithy"'][1] == "Smithy if count_in_deck(Smithy) < 3"
    assert found['replace "2 Smithy" by "Smithy"'][1] == "Smithy"
    assert found['replace "Silver" by "1 Silver"'][3] == "Silver if count_in_deck(Silver) < 1"
    words = 'replace "Duchy once 5 more cards can end the game" by "Duchy once 3 more cards can end the game"'
    assert found[words][2] == "Duchy if gains_to_end <= 3"
    assert found['add "Militia" at the end'] == [*MINE, "Militia"]


def test_each_changed_list_differs_from_all_others_and_from_the_original():
    lists = [tuple(rules) for rules in changes(MINE, ["Silver", "Smithy if count_in_deck(Smithy) < 2"]).values()]

    assert len(set(lists)) == len(lists)
    assert MINE not in lists


def test_a_list_without_room_gets_no_further_rule():
    cards = [*FIRST_GAME.cards, "Silver", "Estate", "Duchy", "Province", "Copper"]
    many = [f"{cards[n % len(cards)]} if turn_number == {n + 1}" for n in range(MAX_RULES)]

    found = rule_changes(buy_list_strategy(BuyList(many), FIRST_GAME), parse_rules("Gold"), FIRST_GAME)
    assert not any(words.startswith("add") for _, words, _ in found)
