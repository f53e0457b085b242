"""The portrait of a strategy: what can be read off it, and what it answers."""

import pytest

from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.dominion.strategies.baselines import baseline
from evodom.errors import UsageError
from evodom.reports.evolved import portrait


def test_a_portrait_has_the_rules_and_the_answers_of_a_buy_list():
    found = portrait(baseline("big-money", FIRST_GAME), FIRST_GAME, 2, FIRST_GAME.names)

    assert found.traits.rules[0] == "Province"
    assert [answer.situation for answer in found.answers] == ["opening", "middle", "end"]


def test_a_strategy_of_another_kingdom_has_no_portrait_here():
    with pytest.raises(UsageError, match="a strategy of one kingdom cannot play in another"):
        portrait(baseline("big-money", FIRST_GAME), Kingdom(("Chapel",)), 2, ())


def test_a_portrait_leaves_out_rules_for_cards_that_are_never_owned():
    cards = ("Province", "Gold", "Silver")

    found = portrait(baseline("big-money-smithy", FIRST_GAME), FIRST_GAME, 2, cards)

    assert [rule.split(" if ")[0] for rule in found.traits.rules] == list(cards)
