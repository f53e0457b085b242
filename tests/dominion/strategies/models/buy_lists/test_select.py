"""Choices of buy lists, card by card, with the published play values."""

import re
from dataclasses import replace

import pytest

from evodom.dominion.cards import CARDS
from evodom.dominion.effects.effect import Type
from evodom.dominion.strategies.baselines import buy_list_strategy
from evodom.dominion.strategies.models.buy_lists.buy_list import BuyList
from evodom.dominion.strategies.play.card_values import DECK_VALUES, HAND_VALUES, PLAY_ORDER
from evodom.dominion.strategies.record import PUBLISHED_VALUES
from tests.dominion.helpers import after, kingdom_of, the_choice

pytestmark = pytest.mark.uncompiled

BIG_MONEY = ("Province", "Gold", "Silver")


def chosen(position: str, *choices: str, buy: BuyList | tuple[str, ...] = BIG_MONEY) -> str:
    """Return what a buy list chooses at a position after some choices, in the smallest kingdom for it."""
    buy_list = replace(buy if isinstance(buy, BuyList) else BuyList(buy), play_values=PUBLISHED_VALUES)
    kingdom = kingdom_of(position, *buy_list.buy)
    return the_choice(after(position, *choices, kingdom=kingdom), buy_list_strategy(buy_list, kingdom), 1)


def order(position: str, *choices: str, buy: BuyList | tuple[str, ...] = BIG_MONEY) -> list[str]:
    """Return all choices of a buy list with the published values until another card or phase asks."""
    buy_list = replace(buy if isinstance(buy, BuyList) else BuyList(buy), play_values=PUBLISHED_VALUES)
    return chosen_by(buy_list, position, *choices)


def chosen_by(buy_list: BuyList, position: str, *choices: str) -> list[str]:
    """Return all choices of a buy list until another card or phase asks."""
    kingdom = kingdom_of(position, *buy_list.buy)
    strategy, game = buy_list_strategy(buy_list, kingdom), after(position, *choices, kingdom=kingdom)
    asks, found = (game.decision.title, game.decision.seat), []
    while game.decision and (game.decision.title, game.decision.seat) == asks:
        found.append(the_choice(game, strategy, 1))
        game.enact(found[-1])
    return found


def test_every_card_has_default_values():
    assert set(PLAY_ORDER) == {name for name, card in CARDS.items() if Type.ACTION in card.types}
    assert set(HAND_VALUES) == set(DECK_VALUES) == set(CARDS)


@pytest.mark.parametrize(
    ("position", "played"),
    [
        # The useful Action with the lowest number.
        ("P1: hand Sentry, Festival, Village; deck 9 Copper", "Sentry"),
        ("P1: hand Village, Laboratory, Smithy; deck 9 Copper", "Village"),
        ("P1: hand Smithy, Militia, Moat", "Smithy"),
        ("P1: hand Witch, Smithy, Library", "Witch"),
        ("P1: hand Witch, Smithy | P2: hand Copper | supply: 0 Curse", "Smithy"),
        ("P1: hand Laboratory, Smithy, Council Room | turn: P1, 1 action", "Laboratory"),
        ("P1: hand Laboratory, Smithy | turn: P1, 2 actions", "Smithy"),
        ("P1: hand Moat, Militia", "Militia"),
        ("P1: hand Moneylender, Gold, Moat", "Moat"),
        ("P1: hand Moneylender, Copper, Moat", "Moneylender"),
        ("P1: hand Bishop, 2 Copper, 2 Silver | supply: 6 Province", "Bishop"),
        # Chapel is played if a card can be spared.
        ("P1: hand Chapel, Silver, Gold", "pass"),
        ("P1: hand Chapel, 2 Silver, 2 Gold; deck Estate", "pass"),
        ("P1: hand Chapel, Estate, Gold", "Chapel"),
        ("P1: hand Chapel, 2 Gold, Copper, Silver; deck 9 Silver", "Chapel"),
        ("P1: hand Chapel, Gold, Silver, Copper; deck 9 Silver", "pass"),
        ("P1: hand Chapel, Gold, Silver, 4 Copper; deck 9 Silver", "Chapel"),
        ("P1: hand Chapel, 3 Copper; deck 3 Copper", "pass"),
        ("P1: hand Chapel, 4 Copper; deck 3 Copper", "Chapel"),
    ],
)
def test_the_useful_action_with_the_lowest_number_is_played(position, played):
    assert chosen(position) == played


@pytest.mark.parametrize(
    ("buy", "hand", "played"),
    [
        (("Silver",), "Workshop", "Workshop"), (("Gold", "Silver if turn_number > 99"), "Workshop", "pass"),
        (("Gardens if count_in_deck(Gardens) < 1", "Estate"), "Workshop, Gardens", "Workshop"),
        (("Gold",), "Feast", "pass"), (("Duchy",), "Feast", "Feast"), (BIG_MONEY, "Throne Room, Copper", "pass"),
        (BIG_MONEY, "2 Throne Room", "pass"), (BIG_MONEY, "Throne Room, Militia", "Throne Room"),
        (BIG_MONEY, "Throne Room, Moneylender, Gold", "pass"), (BIG_MONEY, "Mine, Silver", "Mine"),
        (("Province", "Silver", "Gold"), "Mine, Silver", "pass"), (("Silver",), "Mine, Copper", "Mine"),
        (BIG_MONEY, "Mine, Gold, Estate", "pass"), (BIG_MONEY, "Remodel, Gold", "Remodel"),
        (("Gold", "Silver"), "Remodel, Gold", "pass"),
    ],
)  # fmt: skip
def test_a_useless_action_is_not_played(buy, hand, played):
    assert chosen(f"P1: hand {hand}", buy=buy) == played


CHOICES = [
    ("P1: hand Mine, Silver, Copper", ("Mine",), BIG_MONEY, "Silver"),
    ("P1: hand Mine, Silver, Copper", ("Mine",), ("Silver", "Gold"), "Copper"),
    ("P1: hand Mine, Gold, Copper", ("Mine",), BIG_MONEY, "Copper"),
    ("P1: hand Mine, Silver, Copper", ("Mine", "Silver"), ("Gold", "Silver"), "Gold"),
    ("P1: hand Artisan, Copper", ("Artisan",), ("Gold", "Duchy if vp > 9", "Laboratory"), "Laboratory"),
    ("P1: hand Harbinger, Smithy; top Copper; discard Gold", ("Harbinger",), BIG_MONEY, "pass"),
    ("P1: hand Harbinger; top Copper; discard Copper, Estate", ("Harbinger",), BIG_MONEY, "pass"),
    # A Victory card that a rule wants now is not trashed.
    *((f"P1: hand Chapel, Estate, Silver; deck 9 Silver | P2: hand Copper | supply: {n} Province", ("Chapel",),
       ("Province", "Estate if count_in_supply(Province) <= 2", "Silver"), choice)
      for n, choice in ((3, "Estate"), (2, "pass"))),
]  # fmt: skip
"""A position, the choices before, a buy list, and its choice. `play.test_choices` has more for big money."""


@pytest.mark.parametrize(("position", "before", "buy", "choice"), CHOICES)
def test_choices_of_single_cards(position, before, buy, choice):
    assert chosen(position, *before, buy=buy) == choice


@pytest.mark.parametrize(
    ("hand", "buy", "trashed", "gained"),
    [
        ("Gold, Estate", ("Province", "Gold", "Silver"), "Gold", "Province"),
        ("Copper, Estate", ("Province", "Gold", "Smithy"), "Estate", "Smithy"),
        ("Curse, Estate, Moneylender", ("Province", "Gold", "Estate"), "Curse", "Estate"),
        ("Silver, Moneylender", ("Province", "Gold", "Estate"), "Moneylender", "Gold"),
    ],
)
def test_remodel_makes_the_best_trade(hand, buy, trashed, gained):
    assert chosen(f"P1: hand Remodel, {hand}", "Remodel", buy=buy) == trashed
    assert chosen(f"P1: hand Remodel, {hand}", "Remodel", trashed, buy=buy) == gained


@pytest.mark.parametrize(
    ("hand", "discarded"),
    [
        ("Gold, Estate, Copper, Duchy, Province", ["Province", "Duchy"]),
        ("Gold, Smithy, Copper, Militia, Estate", ["Smithy", "Estate"]),
        ("Smithy, Militia, Witch, Estate, Copper", ["Smithy", "Militia"]),
        ("2 Smithy, Estate, Copper, Gold", ["Smithy", "Estate"]),
        ("Village, Smithy, Gold, Gold, Silver", ["Silver", "Village"]),
    ],
)
def test_a_victim_discards_surplus_terminals_then_the_lowest_value(hand, discarded):
    assert order(f"P1: hand Militia | P2: hand {hand}", "Militia") == discarded
    # Poacher discards by the same rule.
    poacher = "P1: hand Poacher, Smithy, Militia, Estate; deck Copper | supply: 0 Curse"
    assert order(poacher, "Poacher") == ["Smithy"]


@pytest.mark.parametrize(
    ("cards", "choices"),
    [
        # Chapel trashes the lowest while they can be spared.
        ("Chapel, Curse, Estate, Duchy, Copper; deck 9 Silver", ["Curse", "Duchy", "Estate", "Copper"]),
        ("Chapel, Estate, Silver, Gold; deck 9 Silver", ["Estate", "pass"]),
        ("Chapel, Estate, 4 Copper; deck 5 Copper", ["Estate", "Copper", "Copper", "Copper"]),
        # Three cards below 16: the Coppers are still needed for the Silver.
        ("Chapel, Estate, 3 Copper; deck Gold, 4 Copper", ["Estate", "Copper", "Copper", "Copper"]),
        ("Chapel, 3 Copper; deck Estate, Gold, 4 Copper", ["pass"]),
        ("Chapel, Estate, Curse, 3 Copper; deck 4 Copper", ["Curse", "Estate", "Copper", "pass"]),
        # Sentry trashes up to 15, discards up to 20, and puts the best on top.
        ("Sentry; top Copper, Copper, Estate", ["Estate", "Copper"]),
        ("Sentry; top Copper, Copper, Silver", ["Copper", "pass", "Silver"]),
        ("Sentry; top Copper, Province, Gold", ["pass", "Province", "pass"]),
        ("Sentry; top Copper, Gold, Witch", ["pass", "pass", "Gold"]),
        # Cellar discards all up to 20, but no more than can be drawn.
        ("Cellar, Cellar, Gold, Silver, Copper; deck 9 Copper", ["Copper", "Cellar", "Silver", "pass"]),
        ("Cellar, Copper, Estate, Silver; deck Copper; discard Gold", ["Estate", "Copper", "pass"]),
    ],
)
def test_choices_of_a_card_in_order(cards, choices):
    assert order(f"P1: hand {cards}", re.split("[,;]", cards)[0]) == choices


def test_the_endgame_check_avoids_a_lost_end():
    position = "P1: hand Copper | P2: hand 2 Province | supply: 1 Province"
    position += " | turn: P1, 0 actions, 1 buy, 8 coins, buy phase"
    assert chosen(position, buy=BuyList(("Province", "Gold"))) == "Province"
    assert chosen(position, buy=BuyList(("Province", "Gold"), endgame_check=True)) == "Gold"

    # The check covers the third empty pile, and gains.
    buy, supply = BuyList(("Estate", "Silver"), endgame_check=True), "supply: 0 Curse, 0 Moat, 1 Estate"
    assert chosen(f"P1: hand Workshop | P2: hand Duchy | {supply}", "Workshop", buy=buy) == "Silver"
    assert chosen(f"P1: hand Workshop, Province | P2: hand Duchy | {supply}", "Workshop", buy=buy) == "Estate"


def test_a_number_in_play_overrides_the_special_tables():
    buy = BuyList(BIG_MONEY, play={"Smithy": 40, "Witch": 41})

    assert chosen("P1: hand Smithy, Moat, Witch | P2: hand Copper | supply: 0 Curse", buy=buy) == "Moat"
    assert chosen("P1: hand Smithy, Laboratory; deck 9 Copper | turn: P1, 2 actions", buy=buy) == "Laboratory"


@pytest.mark.parametrize(("numbers", "played"), [({}, "Witch"), ({"Smithy": 1}, "Smithy")])
def test_a_number_with_spare_actions_is_that_of_the_file(numbers, played):
    buy_list = BuyList(BIG_MONEY, play_with_spare_actions=numbers)

    assert chosen_by(buy_list, "P1: hand Smithy, Witch, Copper | turn: P1, 2 actions")[0] == played
