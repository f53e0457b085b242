"""Lists that buy what a learned player bought.

Strategies that can be read play as well as those they were made from.
"""

import numpy as np
import pytest

from evodom.advice import buy_list as module
from evodom.advice.buy_list import imitate_gains, readable
from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.dominion.strategies.base import editable_model, model_of
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.breeding import Breeding
from evodom.dominion.strategies.buy_lists.rules import decode, format_rule
from evodom.dominion.strategies.describe import describe_buys
from evodom.dominion.strategies.files import parse_strategy
from evodom.dominion.strategies.record import strategies_of
from evodom.errors import UsageError
from evodom.learning.habits import GainStatistics
from tests.dominion.helpers import preference

KINGDOM = Kingdom(("Chapel", "Laboratory", "Militia", "Village", "Smithy"))


def bought(**by_card):
    """Return what was bought: by card (a game, on which turn at the latest, gains left, in the opening)."""
    n = 17
    figures = np.zeros((4, n))
    for name, values in by_card.items():
        figures[:, KINGDOM.pile(name)] = values
    prefers = np.zeros((n, n))
    order = [KINGDOM.pile(name) for name in by_card]
    for place, pile in enumerate(order):
        prefers[pile, order[place + 1 :]] = 1
    return GainStatistics(*figures, prefers)


def test_a_list_opens_as_the_player_does_and_then_buys_in_its_order():
    games = bought(
        Province=(4.2, 15, 6, 0), Gold=(3.0, 12, 9, 0), Laboratory=(3.1, 14, 9, 0.1), Duchy=(1.0, 18, 4, 0),
        Militia=(1.0, 2, 20, 0.8), Silver=(1.0, 6, 20, 0.6), Chapel=(1.0, 2, 20, 0.9),
    )  # fmt: skip
    genomes = imitate_gains(games, KINGDOM, 1, np.random.default_rng(1))
    (strategy,) = strategies_of(genomes, Breeding(model="buy-list", kingdom=KINGDOM))

    lines = [line for line in describe_buys(strategy, KINGDOM).lists[0].lines if not line.startswith("0 ")]

    assert lines == [
        "1 Militia", "1 Chapel", "Province", "Gold", "3 Laboratory", "Duchy once 4 more cards can end the game",
        "1 Militia", "Silver", "1 Chapel",
    ]  # fmt: skip


def test_no_list_stops_buying_gold_or_provinces():
    games = bought(Province=(4.2, 15, 6, 0), Gold=(3.0, 12, 9, 0), Silver=(1.0, 6, 20, 0.6))
    genomes = imitate_gains(games, KINGDOM, 40, np.random.default_rng(1))
    strategies = strategies_of(genomes, Breeding(model="buy-list", kingdom=KINGDOM))

    lines = [line for one in strategies for line in describe_buys(one, KINGDOM).lists[0].lines]

    assert {line for line in lines if line.startswith(("Province", "Gold"))} == {"Province", "Gold"}
    assert any(line.startswith("Silver until") for line in lines)


SHARP = """
model = "preferences"
switch = 60
province_coins = 13
[early]
Province = 1e6
Smithy = 1e3
Gold = 1
Silver = 1e-3
Workshop = 1e-12
[late]
Cellar = 1
[limits]
Smithy = 1
Cellar = 3
[from_left]
Estate = 5
"""


def rules_of(strategy):
    return [format_rule(rule) for rule in decode(strategy, FIRST_GAME)]


def test_sharp_preferences_become_the_rules_that_they_follow(venue_in):
    strategy = parse_strategy(SHARP).record(FIRST_GAME)

    found = readable(venue_in(FIRST_GAME), strategy)

    rules = ["Province if total_money > 13", "Smithy if count_in_deck(Smithy) < 1", "Gold", "Silver"]
    assert rules_of(found.record) == rules
    assert found.wording.lists[0].lines == ("Province once the deck has $14", "1 Smithy", "Gold", "Silver")
    assert found.against_original.low < 0.5 < found.against_original.high
    assert found.after.high >= found.before.low


def test_flat_preferences_that_no_list_follows_stay_preferences(venue_in):
    strategy = preference({"Province": 0.5, "Gold": 0.3, "Silver": 0.2}, kingdom=FIRST_GAME)

    assert model_of(readable(venue_in(FIRST_GAME), strategy).record).name == "preferences"


def test_what_plays_worse_is_not_told(venue_in, monkeypatch):
    monkeypatch.setattr(module, "_simplified_forms", lambda *_: [baseline("random", FIRST_GAME)])
    strategy = baseline("big-money", FIRST_GAME)

    found = readable(venue_in(FIRST_GAME), strategy)

    assert found.record == strategy
    assert found.against_original is None


def test_the_random_player_cannot_be_told(venue_in):
    with pytest.raises(UsageError, match="cannot be changed"):
        readable(venue_in(FIRST_GAME), baseline("random", FIRST_GAME))


def as_rules(text):
    strategy = parse_strategy(text).record(FIRST_GAME)
    return editable_model(strategy).as_rules(strategy, FIRST_GAME)


@pytest.mark.parametrize(
    ("switch", "until", "then"),
    [
        ("switch = 9", "turn_number <= 9", "turn_number > 9"),
        ("switch_on = 1\nswitch_left = 4", "count_in_supply(Province) > 4", "count_in_supply(Province) <= 4"),
        ("switch_on = 2\nswitch_left = 6", "gains_to_end > 6", "gains_to_end <= 6"),
    ],
)
def test_each_phase_has_rules_of_its_own(switch, until, then):
    rules = as_rules(f'model = "preferences"\n{switch}\n[early]\nGold = 1\n[late]\nDuchy = 1\n[from_left]\nDuchy = 3')

    assert rules == (f"Gold if {until}", f"Duchy if {then} and gains_to_end <= 3")


def test_what_is_passed_rather_than_bought_is_no_rule():
    assert as_rules('model = "preferences"\npass_weights = [10, 10]\n[early]\nGold = 100\nCopper = 1') == ("Gold",)


@pytest.mark.parametrize(
    ("fields", "condition"),
    [
        ("terminals = 2", "count_in_deck(Militia) + count_in_deck(Smithy) < 2 + 1 * count_in_deck(Village)"),
        (
            "terminals = 2\nterminal_per = 10",
            "count_in_deck(Militia) + count_in_deck(Smithy) + 1 <= 2 + 1 * count_in_deck(Village) + cards_in_deck / 10",
        ),
    ],
)
def test_room_for_terminals_is_a_condition_of_terminals_alone(fields, condition):
    rules = as_rules(f'model = "preferences"\n{fields}\n[early]\nSmithy = 4\nMilitia = 3\nVillage = 2\nSilver = 1')

    assert rules == (f"Smithy if {condition}", f"Militia if {condition}", "Village", "Silver")
