"""Bots of DominionSim as strategy files."""

from xml.etree import ElementTree

import pytest

from benchmarks.dominionsim_bots import Bot, read_bot, report
from evodom.dominion.strategies.files import parse_strategy


def bot(*rules: str, more: str = "") -> Bot:
    """Return a bot. A rule is its card, then the texts of left side, comparison, right side and extra operation."""
    text = ""
    for card, *parts in (rule.split() for rule in rules):
        text += f"<buy name='{card}'>"
        tags = ("left", "operator", "right", "extra_operation")
        text += "<condition>" * bool(parts)
        for tag, part in zip(tags, parts, strict=False):
            kind, _, argument = part.partition(":")
            text += f"<{tag} type='{kind}'" + (f" attribute='{argument}'" if argument else "") + "/>"
        text += "</condition>" * bool(parts) + "</buy>"
    return read_bot(ElementTree.fromstring(f"<player name='Bot' author='A'>{text}{more}</player>"))


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("Worker$s_Village", "Worker's Village"),
        ("Gold countAvailableMoney greaterOrEqualThan constant:9.0", "Gold if coins >= 9"),
        ("Gold countVP smallerThan countMAXOpponentVP minus:6.0", "Gold if vp + 6 < opponent_vp"),
        ("Smithy countCardTypeInDeck:Terminal equalTo constant:0.0", "Smithy if terminals == 0"),
        (
            "Nobles countCardsInDeck:Nobles smallerThan countCardTypeInDeck:Treasure divideBy:11.0",
            "Nobles if 11 * count_in_deck(Nobles) < count_type_in_deck(Treasure)",
        ),
        ("Bazaar countCardTypeInDeck:Village smallerThan constant:3", "Bazaar if count_in_deck(Bazaar) < 3"),
    ],
)
def test_a_rule_of_a_bot_is_one_of_a_buy_list(rule, expected):
    found = bot(rule, "Silver")

    assert not found.reasons
    assert parse_strategy(found.text).content.buy == (expected, "Silver")


def test_the_report_counts_bots_and_names_the_reasons():
    bots = [
        bot("Gold"), bot("Great_Hall", "Gold countCardsInDeck:Potion equalTo constant:0"),
        bot("Gold isTravellingFairActive equalTo constant:0"), bot("Gold", more="<start_state/>"), bot(*["Gold"] * 33),
    ]  # fmt: skip

    first, *lines = report(bots)

    assert first == "1 of 5 bots load."
    assert [line.strip() for line in lines if line.startswith("  ")] == [
        "Bot: cards Great Hall; cards Potion",
        "Bot: conditions isTravellingFairActive",
        "Bot: size the buy list has 33 rules. Allowed: up to 32.",
        "Bot: start state hand, draw pile or discard pile",
    ]
