"""Computed play values: choices of buy lists, and of preferences from files, at single positions."""

from dataclasses import replace

import pytest

from evodom.dominion.strategies.files import parse_strategy
from evodom.dominion.strategies.models.buy_lists.buy_list import BuyList
from tests.dominion.helpers import after, kingdom_of, the_choice
from tests.dominion.strategies.models.buy_lists.test_select import chosen_by

pytestmark = pytest.mark.uncompiled

MONEY = ("Province", "Gold", "Silver")
GARDENS = ("Gardens", "Chapel if count_in_deck(Chapel) < 1", "Workshop", "Estate", "Silver")
CASES = [
    # Chapel keeps Gardens, wanted Estates, and everything that counts for Gardens.
    ("P1: hand Chapel, Gardens, Curse, Copper; deck 9 Copper", "Chapel", GARDENS, ["Curse", "pass"]),
    ("P1: hand Chapel, Estate, Duchy, Curse; deck 9 Copper", "Chapel", MONEY, ["Curse", "Estate", "pass"]),
    ("P1: hand Chapel, Estate; deck 9 Copper", "Chapel", ("Estate", "Silver"), ["pass"]),
    # A Duchy stays when its own limit is reached.
    ("P1: hand Chapel, 2 Duchy; deck 9 Copper", "Chapel", ("Duchy if count_in_deck(Duchy) < 2", "Silver"), ["pass"]),
    # Estates stay in the last turns.
    ("P1: hand Chapel, Estate; deck 9 Copper | supply: 3 Province", "Chapel", MONEY, ["pass"]),
    # Chapel leaves $4 while a Silver can be bought for $4, else $6 for a Gold.
    ("P1: hand Chapel, 4 Copper; deck 4 Copper, Silver", "Chapel", MONEY, ["Copper", "Copper", "Copper", "Copper"]),
    ("P1: hand Chapel, 4 Copper; deck 3 Copper, Silver", "Chapel", ("Province", "Gold", "Laboratory", "Village"),
     ["Copper", "Copper", "Copper", "pass"]),
    ("P1: hand Chapel, 4 Copper; deck Copper, Silver", "Chapel", MONEY, ["Copper", "Copper", "Copper", "pass"]),
    # Sentry trashes no Gardens and no needed Copper.
    ("P1: hand Sentry; top Silver, Gardens, Curse; deck 9 Copper", "Sentry", GARDENS, ["Curse"]),
    ("P1: hand Sentry; top Silver, Copper, Curse; deck 5 Copper", "Sentry", MONEY, ["Curse"]),
    # Cellar keeps Silvers that buy a Province, and discards cards without use.
    ("P1: hand Cellar, 4 Silver; deck 4 Copper, 4 Estate", "Cellar", MONEY, ["pass"]),
    ("P1: hand Cellar, 2 Silver, 2 Estate; deck 4 Copper, 4 Estate", "Cellar", MONEY, ["Estate", "Estate", "pass"]),
    # A Copper goes for the chance of a better buy, not where it is needed.
    ("P1: hand Cellar, Gold, Silver, Copper; deck 4 Gold", "Cellar", MONEY, ["Copper"]),
    ("P1: hand Cellar, 2 Gold, 2 Copper; deck Gold, 5 Estate", "Cellar", MONEY, ["pass"]),
    # Militia: surplus terminal Actions go, those that a Village makes playable stay.
    ("P1: hand Militia | P2: hand Village, 2 Smithy, Copper, Estate; deck 5 Copper", "Militia", MONEY,
     ["Estate", "Copper"]),
    ("P1: hand Militia | P2: hand 2 Smithy, Gold, Silver, Copper; deck 5 Copper", "Militia", MONEY,
     ["Smithy", "Copper"]),
    # Poacher: an Action that cannot be played any more is without use.
    ("P1: hand Poacher, 2 Smithy, Copper; deck Copper | supply: 0 Curse", "Poacher", MONEY, ["Smithy"]),
    # Library sets aside an Action without use.
    ("P1: hand Library; top Village; deck 9 Copper | turn: P1, 1 action", "Library", MONEY, ["Village"]),
    # Harbinger: the next hand needs the best card, this hand a card that it draws.
    ("P1: hand Harbinger; top Copper; deck 5 Copper; discard Gold, Estate", "Harbinger", MONEY, ["Gold"]),
    ("P1: hand Harbinger, Smithy; top Copper; deck 5 Copper; discard Gold, Smithy", "Harbinger", MONEY, ["Gold"]),
    ("P1: hand Harbinger; top Copper; deck 5 Silver; discard Copper, Estate", "Harbinger", MONEY, ["pass"]),
    # Throne Room: another Throne Room for two terminal Actions, else the Action of the best turn.
    ("P1: hand 2 Throne Room, Militia, Smithy; deck 9 Copper", "Throne Room", MONEY, ["Throne Room"]),
    ("P1: hand 2 Throne Room, Militia; deck 9 Copper", "Throne Room", MONEY, ["Militia"]),
    ("P1: hand Throne Room, Laboratory, Smithy; deck 12 Copper", "Throne Room", MONEY, ["Laboratory"]),
]  # fmt: skip
"""A position, the Action played, a buy list, and its choices until another card or phase asks."""


@pytest.mark.parametrize(("position", "action", "buy", "choices"), CASES)
def test_choices_with_computed_values(position, action, buy, choices):
    assert chosen_by(BuyList(buy), position, action)[: len(choices)] == choices


@pytest.mark.parametrize(
    ("position", "action", "explicit", "choice"),
    [
        ("P1: hand Cellar, 4 Silver; deck 4 Copper, 4 Estate", "Cellar", {"discard_to": 20}, "Silver"),
        ("P1: hand Chapel, Gardens; deck 9 Copper", "Chapel", {"deck_value": {"Gardens": 9}}, "Gardens"),
        ("P1: hand Chapel, Estate; deck 9 Copper", "Chapel", {"deck_value": {"Estate": 60}}, "pass"),
        ("P1: hand Militia | P2: hand 2 Gold, Silver, Copper; deck 5 Copper", "Militia",
         {"hand_value": {"Gold": 1}}, "Gold"),
    ],
)  # fmt: skip
def test_explicit_values_override_computed_ones(position, action, explicit, choice):
    assert chosen_by(replace(BuyList(MONEY), **explicit), position, action)[0] == choice


@pytest.mark.parametrize(
    ("fields", "hand", "choices"),
    [
        ("[early]\nGardens = 5", "Gardens, Curse", ["Curse", "pass"]),
        ('play_values = "published"\n[early]\nGardens = 5', "Gardens, Curse", ["Curse", "Gardens"]),
        # Estates stay only while they are wanted: not before their time, and not above their limit.
        ("[early]\nEstate = 5", "Estate, Curse", ["Curse", "pass"]),
        ("[early]\nEstate = 5\n[max_gains_to_end]\nEstate = 4", "Estate, Curse", ["Curse", "Estate"]),
        ("[early]\nEstate = 5\n[limits]\nEstate = 0", "Estate, Curse", ["Curse", "Estate"]),
    ],
)
def test_preferences_from_a_file_have_computed_values(fields, hand, choices):
    position = f"P1: hand Chapel, {hand}; deck 9 Copper"
    kingdom, found = kingdom_of(position), []
    game = after(position, "Chapel", kingdom=kingdom)
    for _ in range(2):
        found.append(the_choice(game, parse_strategy(f'model = "preferences"\n{fields}').record(kingdom), 1))
        game.enact(found[-1])

    assert found == choices
