"""Choices among cards, card by card: with card values, with simple choices, and of a buy list.

Orders of deck values are from best to worst. By default they are Gold 6, Silver 5, Village 4, Copper 3, Estate 2 and
Curse 1; the hand values of Estate and Curse are 0. Other cards have the value 0.
"""

from dataclasses import replace
from pathlib import Path

import pytest

from evodom.dominion.cards import KINGDOM_CARDS
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.baselines import baseline_buy_list, buy_list_strategy
from evodom.dominion.strategies.models.buy_lists.buy_list import BuyList
from evodom.dominion.strategies.record import PUBLISHED_VALUES
from tests.chi_square import fits
from tests.dominion.helpers import after, asked, kingdom_of, preference, the_choice, tries, untested_cards, weighing

pytestmark = pytest.mark.uncompiled

ORDER = "Gold > Silver > Village > Copper > Estate > Curse"


def weighed(position: str, *before: str, order: str = ORDER, **options) -> str:
    """Return the choice of a strategy that ranks cards, in a position after some choices."""
    kingdom = kingdom_of(position, order)
    return the_choice(after(position, *before, kingdom=kingdom), weighing(order, kingdom=kingdom, **options))


def chosen_in_turn(position: str, *before: str, order: str = ORDER, **options) -> list[str]:
    """Return all choices of a strategy that ranks cards, until it passes or another card asks."""
    kingdom = kingdom_of(position, order)
    game, strategy = after(position, *before, kingdom=kingdom), weighing(order, kingdom=kingdom, **options)
    asks, chosen = asked(game), []
    while not game.is_over and asked(game) == asks and "pass" not in chosen:
        chosen.append(the_choice(game, strategy))
        game.enact(chosen[-1])
    return chosen


CASES = [
    # Chapel trashes the worst first and nothing above the threshold.
    ("P1: hand Chapel, Copper, Estate, Curse, Gold", "Chapel", {"trash": (2, 2)}, ["Curse", "Estate", "pass"]),
    # Chapel trashes nothing with a threshold of none.
    ("P1: hand Chapel, Copper, Estate, Curse", "Chapel", {"trash": (0, 0)}, "pass"),
    # After the switch the late threshold decides.
    ("P1: hand Chapel, Copper, Estate, Curse; turns 13", "Chapel", {"trash": (1, 2)}, ["Curse", "Estate", "pass"]),
    # Chapel trashes treasures down to the coin floor.
    # 6 coins in the whole deck, wherever they are: two may go.
    ("P1: hand Chapel, 3 Copper; deck Copper; discard Silver",
     "Chapel", {"trash": (3, 3), "floor": 4}, ["Copper", "Copper", "pass"]),
    # The coin floor keeps no other cards.
    ("P1: hand Chapel, 4 Copper, Estate",
     "Chapel", {"order": "Gold > Silver > Estate > Copper", "trash": (2, 2), "floor": 4}, "Estate"),
    ("P1: hand Chapel, 4 Copper, Estate",
     "Chapel", {"order": "Gold > Silver > Estate > Copper", "trash": (2, 2), "floor": 3}, "Copper"),
    # Other cards go from a deck that is below the coin floor already.
    ("P1: hand Chapel, 2 Copper, Estate", "Chapel", {"trash": (3, 3), "floor": 8}, "Estate"),
    # A treasure counts its coins to the floor.
    ("P1: hand Chapel, Silver, 2 Copper",
     "Chapel", {"order": "Gold > Copper > Silver", "trash": (2, 2), "floor": 3}, "Copper"),
    ("P1: hand Chapel, Silver, 2 Copper",
     "Chapel", {"order": "Gold > Copper > Silver", "trash": (2, 2), "floor": 2}, "Silver"),
    # Coins of others do not count to the floor.
    ("P1: hand Chapel, Copper | P2: hand 9 Gold", "Chapel", {"trash": (3, 3), "floor": 1}, "pass"),
    # The action played is no card to trash by itself another of its kind is.
    ("P1: hand Chapel, Copper", "", {"order": "Gold > Copper > Chapel", "trash": (1, 1)}, "pass"),
    ("P1: hand 2 Chapel, Copper", "", {"order": "Gold > Copper > Chapel", "trash": (1, 1)}, "Chapel"),
    # Another action is played instead of a pointless one that is worth more.
    ("P1: hand Chapel, Militia, Copper",
     "", {"order": "Chapel > Gold > Militia > Copper", "trash": (1, 1), "floor": 9}, "Militia"),
    # Within a class the action worth most is played.
    ("P1: hand Village, Market, Festival", "", {"order": "Market > Festival > Village"}, "Market"),
    ("P1: hand Village, Market, Festival", "", {"order": "Village > Festival > Market"}, "Village"),
    # Sentry keeps treasures to the coin floor.
    ("P1: hand Sentry; top Silver, Copper, Gold; deck 3 Copper", "Sentry", {"trash": (3, 3), "floor": 8}, "Copper"),
    ("P1: hand Sentry; top Silver, Copper, Gold; deck 3 Copper", "Sentry", {"trash": (3, 3), "floor": 9}, "pass"),
    # Sentry discards what is worth less in hand than a card of the deck.
    ("P1: hand Sentry; top Silver, Estate, Silver; deck 2 Silver, 2 Copper", "Sentry | pass", {}, "Estate"),
    ("P1: hand Sentry; top Silver, Estate, Silver; deck 2 Silver, 2 Copper", "Sentry | pass | Estate", {}, "pass"),
    # Sentry discards no card that is worth as much as a card of the deck.
    ("P1: hand Sentry; top Silver, Estate, Copper; deck 3 Estate", "Sentry | pass", {}, "pass"),
    # With an empty deck the discard pile is what comes.
    ("P1: hand Sentry; top Silver, Copper, Silver; discard 3 Gold", "Sentry | pass", {}, "Copper"),
    ("P1: hand Sentry; top Silver, Copper, Silver; deck Estate; discard 3 Gold", "Sentry | pass", {}, "pass"),
    ("P1: hand Sentry; top Silver, Copper, Silver; discard 3 Estate", "Sentry | pass", {}, "pass"),
    # Sentry puts the best card back last.
    ("P1: hand Sentry; top Silver, Gold, Copper; deck 3 Copper", "Sentry | pass | pass", {}, "Copper"),
    ("P1: hand Sentry; top Silver, Estate, Gold; deck 3 Copper", "Sentry | pass | pass", {}, "Estate"),
    # Moneylender minds neither threshold nor coin floor.
    ("P1: hand Moneylender, Copper; deck 4 Gold", "Moneylender", {"trash": (0, 0), "floor": 12}, "Copper"),
    # Remodel trashes the worst card that allows what is wanted.
    ("P1: hand Remodel, Estate, Gold, Silver",
     "Remodel", {"order": f"Province > {ORDER}", "wants": {"Province": 1}}, "Gold"),
    ("P1: hand Remodel, Estate, Gold, Silver",
     "Remodel", {"order": f"Province > {ORDER}", "wants": {"Silver": 1}}, "Estate"),
    # Remodel gains what it was trashed for.
    ("P1: hand Remodel, Estate, Gold", "Remodel | Estate", {"wants": {"Silver": 1}}, "Silver"),
    # Remodel never trades for what is worth less however much it is wanted.
    ("P1: hand Remodel, Gold, Estate",
     "Remodel", {"order": "Gold > Silver > Duchy > Estate", "wants": {"Duchy": 1}}, "Estate"),
    # Remodel that must trash without a better trade trashes the worst and gains the best.
    ("P1: hand Remodel, Gold, Silver",
     "Remodel", {"order": "Gold > Silver > Copper", "wants": {"Silver": 1}}, "Silver"),
    ("P1: hand Remodel, Gold, Silver",
     "Remodel | Silver", {"order": "Gold > Silver > Copper", "wants": {"Province": 1}}, "Silver"),
    # A trade that wins minds no worths.
    ("P1: hand Remodel, Gold, Estate | P2: hand Duchy | supply: 1 Province",
     "", {"order": "Gold > Silver > Estate > Province"}, "Remodel"),
    ("P1: hand Remodel, Gold, Estate | P2: hand Duchy | supply: 1 Province",
     "Remodel", {"order": "Gold > Silver > Estate > Province"}, "Gold"),
    ("P1: hand Remodel, Gold, Estate | P2: hand Duchy | supply: 1 Province",
     "Remodel | Gold", {"order": "Gold > Silver > Estate > Province"}, "Province"),
    # Mine turns the worst treasure into the one wanted.
    ("P1: hand Mine, Copper, Silver", "Mine", {"wants": {"Gold": 1}}, "Silver"),
    ("P1: hand Mine, Copper, Silver", "Mine", {"wants": {"Silver": 1}}, "Copper"),
    # Mine trashes nothing for a treasure worth less.
    ("P1: hand Mine, Copper, Gold", "Mine", {"order": "Gold > Copper > Silver"}, "pass"),
    # The victim of a bandit gives up the treasure worth less.
    ("P1: hand Bandit | P2: top Silver, Gold", "Bandit", {}, "Silver"),
    ("P1: hand Bandit | P2: top Silver, Gold", "Bandit", {"order": "Silver > Gold"}, "Gold"),
    # Thief trashes the best of the other players treasures.
    ("P1: hand Thief; deck 4 Copper | P2: top Copper, Silver", "Thief", {}, "Silver"),
    # Thief gains what is worth more than the average of its own deck.
    ("P1: hand Thief; deck 4 Copper | P2: top Copper, Silver", "Thief | Silver", {}, "Silver"),
    ("P1: hand Thief; deck 4 Estate | P2: top 2 Copper", "Thief | Copper", {}, "pass"),
    ("P1: hand Thief; deck 4 Gold | P2: top Copper, Silver",
     "Thief | Silver", {"order": "Gold > Thief > Silver > Copper"}, "pass"),
    # Harbinger takes the best card of the discard pile.
    ("P1: hand Harbinger; top Estate; deck 3 Copper; discard Silver, Gold, Estate", "Harbinger", {}, "Gold"),
    # Harbinger takes nothing that is worth no more in hand than a card of the deck.
    ("P1: hand Harbinger; top Estate; deck 3 Silver; discard Copper, Silver", "Harbinger", {}, "pass"),
    ("P1: hand Harbinger; top Estate; deck 3 Silver; discard Province",
     "Harbinger", {"order": f"Province > {ORDER}"}, "pass"),
    # Harbinger goes by what cards are worth in hand.
    ("P1: hand Harbinger; top Estate; deck 3 Copper; discard Province, Silver",
     "Harbinger", {"order": f"Province > {ORDER}"}, "Silver"),
    # Artisan puts back the best action that cannot be played any more.
    ("P1: hand Artisan, Village, Smithy, Estate",
     "Artisan | Silver", {"order": "Smithy > Village > Silver > Estate"}, "Smithy"),
    ("P1: hand Artisan, Village, Smithy, Estate",
     "Artisan | Silver", {"order": "Village > Smithy > Silver > Estate"}, "Village"),
    # Artisan puts back what is worth least in hand while an action is left.
    ("P1: hand Artisan, Village, Estate | turn: P1, 2 actions", "Artisan | Silver", {}, "Estate"),
    # Artisan without an action in hand puts back what is worth least in hand.
    ("P1: hand Artisan, Copper, Gold", "Artisan | Silver", {}, "Copper"),
    # Of cards worth nothing in hand the one worth least to own goes.
    ("P1: hand Artisan, Curse, Estate", "Artisan | Silver", {}, "Curse"),
    # The victim of a bureaucrat puts back the victory card worth least to own.
    ("P1: hand Bureaucrat | P2: hand Estate, Province, 3 Copper",
     "Bureaucrat", {"order": f"Province > {ORDER}"}, "Estate"),
    ("P1: hand Bureaucrat | P2: hand Estate, Province, 3 Copper",
     "Bureaucrat", {"order": f"{ORDER} > Province"}, "Province"),
    # Cellar discards worst first what is worth less in hand than a card of the deck.
    ("P1: hand Cellar, Curse, Estate, Copper, Silver; deck 4 Village",
     "Cellar", {}, ["Curse", "Estate", "Copper", "pass"]),
    # Cellar keeps an action that can be played.
    ("P1: hand Cellar, Village, Estate; deck 4 Copper", "Cellar", {}, ["Estate", "pass"]),
    # Cellar looks at the discard pile when the deck is empty.
    ("P1: hand Cellar, Copper, Gold; discard 2 Gold", "Cellar", {}, "Copper"),
    ("P1: hand Cellar, Copper, Gold; discard 2 Estate", "Cellar", {}, "pass"),
    # Cellar of the original discards victory cards only.
    ("P1: hand Cellar, Curse, Copper, Estate; deck 4 Gold", "Cellar", {"cellar_victory_only": 1}, ["Estate", "pass"]),
    # Poacher discards what is worth least in hand.
    ("P1: hand Poacher, Gold, Village, Copper; top Silver | supply: 0 Moat", "Poacher", {}, "Copper"),
    ("P1: hand Poacher, Gold, Village, Estate; top Silver | supply: 0 Moat", "Poacher", {}, "Estate"),
    # Militia takes the worst in hand and a victims actions count.
    # The attacker has no Action left; that is not the victim's turn.
    ("P1: hand Militia | P2: hand Village, Estate, Copper, Silver, Gold", "Militia", {}, ["Estate", "Copper"]),
    # Throne room plays the action worth most twice.
    ("P1: hand Throne Room, Village, Smithy", "Throne Room", {"order": "Smithy > Village"}, "Smithy"),
    ("P1: hand Throne Room, Village, Smithy", "Throne Room", {"order": "Village > Smithy"}, "Village"),
    # Throne room plays its only action though it is to be trashed.
    ("P1: hand Throne Room, Village", "Throne Room", {"order": "Gold > Copper > Village", "trash": (1, 1)}, "Village"),
    # Vassal plays the action it discards.
    ("P1: hand Vassal; top Village; deck Copper", "Vassal", {}, "Village"),
    # Vassal does not play an action that is to be trashed.
    ("P1: hand Vassal; top Village; deck Copper; turns 12",
     "Vassal", {"order": "Gold > Copper > Village", "trash": (1, 0)}, "pass"),
    ("P1: hand Vassal; top Village; deck Copper; turns 13",
     "Vassal", {"order": "Gold > Copper > Village", "trash": (1, 0)}, "Village"),
    # Library sets aside an action that cannot be played any more.
    ("P1: hand Library; top Village; deck 6 Copper | turn: P1, 1 actions", "Library", {}, "Village"),
    # Library keeps an action that can be played and is worth a card of the deck.
    ("P1: hand Library; top Village; deck 6 Copper | turn: P1, 2 actions", "Library", {}, "pass"),
    ("P1: hand Library; top Village; deck 6 Gold | turn: P1, 2 actions", "Library", {}, "Village"),
    # Library keeps an action when nothing better can come.
    ("P1: hand Library; top Village; deck 6 Estate | turn: P1, 1 actions", "Library", {}, "pass"),
    # Spy leaves another player their victory cards.
    ("P1: hand Spy; top Silver, Silver; deck 3 Silver | P2: top Province; deck 3 Copper",
     "Spy | pass", {"order": f"Province > {ORDER}"}, "pass"),
    # Spy compares with the discard pile of a player without a deck.
    ("P1: hand Spy; top Silver, Copper; deck 3 Copper | P2: top Silver; discard 3 Gold", "Spy | pass", {}, "pass"),
    ("P1: hand Spy; top Silver, Copper; deck 3 Copper | P2: top Silver; discard 3 Copper", "Spy | pass", {}, "Silver"),
    # Chancellor puts away a deck that is worse than the discard pile.
    ("P1: hand Chancellor; deck 2 Copper; discard 3 Silver", "Chancellor", {}, "Chancellor"),
    ("P1: hand Chancellor; deck 2 Silver; discard 3 Copper", "Chancellor", {}, "pass"),
    ("P1: hand Chancellor; deck 2 Silver; discard 3 Silver", "Chancellor", {}, "pass"),
    # Cards known to lie on a deck count among it.
    ("P1: hand Chancellor; top Gold; discard 3 Copper", "Chancellor", {}, "pass"),
    ("P1: hand Cellar, Silver; top Gold", "Cellar", {}, "Silver"),
    # A limit reached by the others does not matter.
    ("P1: hand Workshop | P2: hand 5 Silver", "Workshop", {"wants": {"Silver": 1}, "limits": {"Silver": 1}}, "Silver"),
    # Moat is always revealed.
    ("P1: hand Militia | P2: hand Moat, 4 Copper", "Militia", {}, "Moat"),
    # Up to the switch the early threshold decides.
    ("P1: hand Chapel, Copper, Estate, Curse; turns 1", "Chapel", {"trash": (1, 3)}, ["Curse", "pass"]),
    ("P1: hand Chapel, Copper, Estate, Curse; turns 12", "Chapel", {"trash": (1, 3)}, ["Curse", "pass"]),
    # An Action that begins with trashing is not played for nothing.
    ("P1: hand Chapel, 2 Copper", "", {"trash": (2, 2)}, "pass"),
    ("P1: hand Chapel, 2 Copper", "", {"trash": (3, 3), "floor": 2}, "pass"),
    ("P1: hand Chapel", "", {"trash": (3, 3)}, "pass"),
    ("P1: hand Moneylender, Estate, 2 Gold", "", {}, "pass"),
    ("P1: hand Moneylender, Copper; deck 5 Estate", "", {}, "pass"),
    ("P1: hand Remodel, Gold", "", {"wants": {"Gold": 1}}, "pass"),
    ("P1: hand Remodel", "", {"wants": {"Gold": 1}}, "pass"),
    ("P1: hand Mine, Gold", "", {"wants": {"Gold": 1}}, "pass"),
    ("P1: hand Mine, Estate", "", {"wants": {"Gold": 1}}, "pass"),
    ("P1: hand Mine, Copper | supply: 0 Silver", "", {"wants": {"Gold": 1}}, "pass"),
    # It is played when there is something to trash.
    ("P1: hand Chapel, 2 Copper", "", {"trash": (3, 3)}, "Chapel"),
    ("P1: hand Chapel, Copper; turns 13", "", {"trash": (0, 3)}, "Chapel"),
    ("P1: hand Moneylender, Copper; deck 5 Gold", "", {}, "Moneylender"),
    ("P1: hand Remodel, Estate", "", {"wants": {"Silver": 1}}, "Remodel"),
    ("P1: hand Mine, Copper", "", {"wants": {"Silver": 1}}, "Mine"),
    # Sentry trashes what is worth too little. It draws the Silver and looks at the two cards after it.
    ("P1: hand Sentry; top Silver, Curse, Gold; deck 3 Copper", "Sentry", {"trash": (1, 1)}, ["Curse", "pass"]),
    # Moneylender trashes a Copper, worth 3, below the average of all cards. The Moneylender itself is worth 0.
    ("P1: hand Moneylender, Copper; deck 4 Gold", "Moneylender", {}, "Copper"),
    ("P1: hand Moneylender, Copper; deck 2 Estate, 2 Silver", "Moneylender", {}, "pass"),
    ("P1: hand Moneylender, Copper; deck Gold", "Moneylender", {}, "pass"),
    # Remodel heeds limits: the Gold can become a Province; for a Silver the Estate would do.
    *(("P1: hand Remodel, Estate, Gold; deck Silver", before,
       {"order": f"Province > {ORDER}", "wants": {"Silver": 0.999, "Province": 0.001}, "limits": {"Silver": limit}},
       chosen) for before, limit, chosen in (
           ("Remodel", 2, "Estate"), ("Remodel", 1, "Gold"), ("Remodel | Gold", 1, "Province"))),
    # Spy discards its own card if a card of the deck is better, another player's if it is better than their deck's.
    ("P1: hand Spy; top Silver, Estate; deck 3 Copper | P2: top Copper; deck 3 Copper", "Spy", {}, "Estate"),
    ("P1: hand Spy; top Silver, Silver; deck 3 Copper | P2: top Copper; deck 3 Copper", "Spy", {}, "pass"),
    ("P1: hand Spy; top Silver, Silver; deck 3 Silver | P2: top Silver; deck 3 Copper", "Spy | pass", {}, "Silver"),
    ("P1: hand Spy; top Silver, Silver; deck 3 Silver | P2: top Copper; deck 3 Silver", "Spy | pass", {}, "pass"),
    # A gain is what is wanted and can be had, up to its limit; one that must be made is the best to own.
    *((f"P1: hand {card}{deck}", card, {"wants": wants, "limits": limits}, "Copper" if limits and "2" in deck
       else "Silver") for card in ("Workshop", "Feast") for deck, wants, limits in (
           ("", {"Province": 0.9, "Gold": 0.05, "Silver": 0.05}, {}),
           ("; deck 2 Silver", {"Silver": 0.999, "Copper": 0.001}, {"Silver": 2}),
           ("; deck Silver", {"Silver": 0.999, "Copper": 0.001}, {"Silver": 2, "Copper": 0}))),
    *((f"P1: hand {card}", card, {"order": "Gold > Duchy > Silver > Copper > Estate > Curse", "wants": {"Gold": 1}},
       best) for card, best in (("Workshop", "Silver"), ("Feast", "Duchy"))),
]  # fmt: skip
"""A position, the choices before, the options of the strategy, and its choice, or all until it passes."""


@pytest.mark.parametrize(("position", "before", "options", "chosen"), CASES)
def test_choices_with_card_values(position, before, options, chosen):
    choose = weighed if isinstance(chosen, str) else chosen_in_turn

    assert choose(position, *(before.split(" | ") if before else ()), **options) == chosen


# Simple choices: the least preferred card is given up, and nothing is trashed unless it must be.

PREFERS = {"Gold": 0.6, "Silver": 0.3, "Village": 0.09, "Copper": 0.01}


def simply(position: str, *before: str) -> str:
    kingdom = kingdom_of(position, "Village")
    return the_choice(after(position, *before, kingdom=kingdom), preference(PREFERS, kingdom=kingdom))


QUESTIONS = {
    "Chapel": ("P1: hand Chapel, Curse, Estate", ("Chapel",)),
    "Sentry trashes": ("P1: hand Sentry; top Silver, Curse, Estate; deck 3 Gold", ("Sentry",)),
    "Sentry discards": ("P1: hand Sentry; top Silver, Curse, Estate; deck 3 Gold", ("Sentry", "pass")),
    "Moneylender": ("P1: hand Moneylender, Copper; deck 5 Gold", ("Moneylender",)),
    "Thief gains": ("P1: hand Thief; deck 4 Estate | P2: top Copper, Silver", ("Thief", "Silver")),
    "Harbinger": ("P1: hand Harbinger; top Estate; deck 3 Estate; discard Gold, Silver", ("Harbinger",)),
    "Library": ("P1: hand Library; top Village; deck 6 Gold", ("Library",)),
    "Spy on itself": ("P1: hand Spy; top Silver, Curse; deck 3 Gold | P2: top Gold; deck Copper", ("Spy",)),
    "Spy on others": ("P1: hand Spy; top Silver, Curse; deck 3 Gold | P2: top Gold; deck Copper", ("Spy", "pass")),
    "Chancellor": ("P1: hand Chancellor; deck 2 Estate; discard 3 Gold", ("Chancellor",)),
}
"""Questions that may be passed: a position and what was chosen before."""

MUST = {
    "Sentry puts back": ("P1: hand Sentry; top Silver, Gold, Estate; deck Gold", ("Sentry", "pass", "pass")),
    "Bandit": ("P1: hand Bandit | P2: top Silver, Gold", ("Bandit",)),
    "Thief": ("P1: hand Thief | P2: top Copper, Silver", ("Thief",)),
    "Artisan": ("P1: hand Artisan, Village, Estate", ("Artisan", "Silver")),
    "Bureaucrat": ("P1: hand Bureaucrat | P2: hand Estate, Province, 3 Copper", ("Bureaucrat",)),
    "Poacher": ("P1: hand Poacher, Gold, Estate; top Silver | supply: 0 Moat", ("Poacher",)),
    "Militia": ("P1: hand Militia | P2: hand 2 Estate, Gold, Silver", ("Militia",)),
}
"""Questions that must be answered with a card."""


def test_simple_choices_pass_if_possible():
    for position, before in QUESTIONS.values():
        assert simply(position, *before) == "pass"
    assert simply("P1: hand Vassal; top Village; deck Copper", "Vassal") == "Village"
    assert simply("P1: hand Chapel, 2 Gold") == "Chapel"


def test_simple_choices_give_up_the_least_preferred_card():
    for name, chosen in {
        "Sentry puts back": "Estate", "Bandit": "Silver", "Thief": "Silver", "Artisan": "Estate", "Poacher": "Estate",
        "Militia": "Estate",
    }.items():  # fmt: skip
        position, before = MUST[name]
        kingdom = kingdom_of(position, "Village")
        counts = tries(after(position, *before, kingdom=kingdom), preference(PREFERS, kingdom=kingdom), 300)

        assert counts.most_common(1)[0][0] == chosen
        assert counts[chosen] >= 180


def test_simple_choices_put_back_the_least_preferred_victory_card_and_trade_for_any_card():
    position, before = MUST["Bureaucrat"]
    kingdom = kingdom_of(position)
    for preferred, put_back in (("Estate", "Province"), ("Province", "Estate")):
        game = after(position, *before, kingdom=kingdom)
        assert the_choice(game, preference({preferred: 1}, kingdom=kingdom)) == put_back
    mine = after("P1: hand Mine, Silver, Gold", "Mine", kingdom=Kingdom(("Mine",)))
    assert "pass" not in tries(mine, preference({"Copper": 1}, kingdom=Kingdom(("Mine",))))


def test_simple_choices_draw_the_action_to_play_twice():
    kingdom = Kingdom(("Throne Room", "Village", "Smithy"))
    game = after("P1: hand Throne Room, Village, Smithy", "Throne Room", kingdom=kingdom)
    counts = tries(game, preference({"Village": 0.8, "Smithy": 0.2}, kingdom=kingdom), 2000)

    assert fits(counts, {"Village": 0.8, "Smithy": 0.2})


# Buy lists compare card values, with the same default values for all lists.


def by_list(position: str, *before: str) -> str:
    kingdom = kingdom_of(position)
    published = replace(baseline_buy_list("big-money"), play_values=PUBLISHED_VALUES)
    return the_choice(after(position, *before, kingdom=kingdom), buy_list_strategy(published, kingdom))


@pytest.mark.parametrize(("hand", "chosen"), [("2 Ironworks", "Ironworks"), ("Ironworks, Copper", "Gardens")])
def test_a_list_gains_the_card_that_gives_a_needed_action(hand, chosen):
    kingdom = Kingdom(("Gardens", "Ironworks"))
    strategy = buy_list_strategy(BuyList(("Gardens", "Ironworks")), kingdom)

    assert the_choice(after(f"P1: hand {hand}", "Ironworks", kingdom=kingdom), strategy) == chosen


MINIONS = (
    "P1: hand Minion, 2 Copper, Estate; deck {}; discard 9 Estate | P2: hand 4 Copper | in play: 2 Minion "
    "| turn: P1, 1 action, 1 buy, 4 coins"
)
MASQUERADE = "P1: hand Masquerade, Estate, Copper, {}; deck 9 Copper | P2: hand Province"


@pytest.mark.parametrize(
    ("position", "before", "chosen"),
    [
        ("P1: hand Chapel, Copper, Estate, Curse; deck 4 Copper", ("Chapel",), "Curse"),
        ("P1: hand Chapel, Copper, Estate; deck 4 Copper", ("Chapel",), "Estate"),
        ("P1: hand Chapel, Copper, Duchy; deck 6 Copper", ("Chapel",), "Duchy"),
        ("P1: hand Chapel, 2 Copper; deck 4 Copper", ("Chapel",), "pass"),
        (*QUESTIONS["Sentry trashes"], "Curse"),
        (*QUESTIONS["Sentry discards"], "Estate"),
        (*MUST["Sentry puts back"], "Estate"),
        (*QUESTIONS["Moneylender"], "Copper"),
        ("P1: hand Moneylender, Copper; deck 9 Curse", ("Moneylender",), "Copper"),
        ("P1: hand Remodel, Province, Estate, Gold", ("Remodel",), "Gold"),
        ("P1: hand Mine, Copper, Silver", ("Mine",), "Silver"),
        ("P1: hand Mine, Copper, Silver", ("Mine", "Copper"), "Silver"),
        (*MUST["Bandit"], "Silver"),
        (*MUST["Thief"], "Silver"),
        (*QUESTIONS["Thief gains"], "Silver"),
        ("P1: hand Thief; deck 4 Gold | P2: top Copper, Silver", ("Thief", "Silver"), "pass"),
        (*QUESTIONS["Harbinger"], "Gold"),
        ("P1: hand Harbinger; top Estate; deck 3 Gold; discard Silver, Copper", ("Harbinger",), "Silver"),
        (*MUST["Artisan"], "Village"),  # it cannot be played any more
        (*MUST["Bureaucrat"], "Province"),  # both do nothing in a turn
        ("P1: hand Cellar, Duchy, Copper; deck 3 Silver", ("Cellar",), "Duchy"),
        ("P1: hand Cellar, Gold, Copper; deck 3 Estate", ("Cellar",), "Copper"),
        (*MUST["Poacher"], "Estate"),
        (*MUST["Militia"], "Estate"),
        ("P1: hand Militia | P2: hand Curse, Estate, Duchy, Province", ("Militia",), "Province"),
        ("P1: hand Throne Room, Village, Smithy", ("Throne Room",), "Smithy"),
        ("P1: hand Vassal; top Village; deck Copper", ("Vassal",), "Village"),
        (*QUESTIONS["Library"], "Village"),  # it cannot be played any more
        ("P1: hand Library; top Village; deck 6 Copper | turn: P1, 2 actions", ("Library",), "pass"),
        (*QUESTIONS["Spy on itself"], "Curse"),
        (*QUESTIONS["Spy on others"], "Gold"),
        ("P1: hand Spy; top Silver, Curse; deck Gold | P2: top Duchy; deck Copper", ("Spy", "pass"), "pass"),
        (*QUESTIONS["Chancellor"], "Chancellor"),
        ("P1: hand Chancellor; deck 2 Gold; discard 3 Estate", ("Chancellor",), "pass"),
        ("P1: hand Feast", ("Feast",), "Silver"),
        ("P1: hand Feast | supply: 4 Province", ("Feast",), "Duchy"),
        ("P1: hand Workshop", ("Workshop",), "Silver"),
        ("P1: hand Workshop | supply: 0 Silver", ("Workshop",), "Workshop"),  # no wish in reach: the dearest
        ("P1: hand Militia | P2: hand Moat, 4 Copper", ("Militia",), "Moat"),
        ("P1: hand Courtyard, Village, 2 Copper; top 3 Copper", ("Courtyard",), "Village"),  # it cannot be played
        ("P1: hand Lookout; top Copper, Curse, Gold", ("Lookout",), "Curse"),
        ("P1: hand Lookout; top Copper, Silver, Gold", ("Lookout", "Copper"), "Silver"),
        ("P1: hand Warehouse, Gold, Estate; top Copper, Duchy, Silver", ("Warehouse",), "Duchy"),
        ("P1: hand Cutpurse | P2: hand Moat, 4 Copper", ("Cutpurse",), "Moat"),
        ("P1: hand Patrol; top 3 Copper, Gold, Silver, Curse", ("Patrol",), "Silver"),
        ("P1: hand Rabble; deck 3 Copper | P2: top Duchy, Estate, Gold", ("Rabble",), "Duchy"),
        ("P1: hand Expand, Gold, Estate", ("Expand",), "Gold"),
        ("P1: hand Expand, Gold, Estate", ("Expand", "Gold"), "Province"),
        ("P1: hand King's Court, Village, Smithy", ("King's Court",), "Smithy"),
        ("P1: hand Steward, 2 Estate, 2 Copper; deck 5 Copper; turns 3", ("Steward",), "trash"),
        # Coins count if they change the buy: a Province, but not $10 instead of $8.
        ("P1: hand Steward, 2 Gold, 2 Estate; deck 5 Copper", ("Steward",), "coins"),
        ("P1: hand Steward, 2 Gold, Silver; deck 5 Copper", ("Steward",), "cards"),
        # The Coppers are needed for the Gold, or they are not.
        ("P1: hand Steward, Silver, 4 Copper; deck 5 Copper", ("Steward",), "coins"),
        ("P1: hand Steward, 2 Copper, 2 Gold, Silver; deck 5 Estate", ("Steward",), "trash"),
        ("P1: hand Nobles, Smithy, Copper; deck 5 Copper", ("Nobles",), "actions"),
        ("P1: hand 2 Nobles, Copper; deck 5 Copper", ("Nobles",), "actions"),
        ("P1: hand Nobles, 2 Copper; deck 5 Copper", ("Nobles",), "cards"),
        ("P1: hand Nobles, Smithy; deck 5 Copper | turn: P1, 2 actions", ("Nobles",), "cards"),
        ("P1: hand Pawn, 2 Copper, Smithy; deck 5 Copper", ("Pawn",), "actions"),
        ("P1: hand Pawn, 2 Copper; deck 5 Silver", ("Pawn", "cards"), "coins"),
        ("P1: hand Minion, 2 Estate; deck 5 Silver | P2: hand 5 Copper", ("Minion",), "discard"),
        ("P1: hand Minion, 2 Gold, Estate; deck 5 Silver | P2: hand 5 Copper", ("Minion",), "coins"),
        ("P1: hand Minion, 3 Gold; deck 5 Copper | P2: hand 5 Copper", ("Minion",), "coins"),
        (MINIONS.format("4 Silver"), ("Minion",), "discard"),
        (MINIONS.format("3 Silver"), ("Minion",), "coins"),  # a shuffle would leave out the Minions in play
        ("P1: hand Torturer; deck 5 Copper | P2: hand 2 Estate, 3 Gold", ("Torturer",), "discard"),
        ("P1: hand Torturer; deck 5 Copper | P2: hand 5 Gold", ("Torturer",), "curse"),
        ("P1: hand Torturer; deck 5 Copper | P2: hand 5 Gold | supply: 0 Curse", ("Torturer",), "curse"),
        ("P1: hand Lurker | trash: Village, Gold", ("Lurker",), "trash"),  # the list does not want a Village
        ("P1: hand Lurker, Nobles", ("Lurker", "trash"), "Lurker"),
        ("P1: hand Swindler | P2: top Copper", ("Swindler",), "Curse"),
        ("P1: hand Swindler | P2: top Silver", ("Swindler",), "Silver"),
        ("P1: hand Swindler, Pawn | P2: top Estate", ("Swindler",), "Estate"),
        ("P1: hand Swindler, Courtier | P2: top Courtier", ("Swindler",), "Duchy"),
        ("P1: hand Swindler, Courtier | P2: top Courtier | supply: 3 Province", ("Swindler",), "Courtier"),
        ("P1: hand Wishing Well; top Copper, Gold", ("Wishing Well",), "Gold"),
        ("P1: hand Wishing Well; deck 2 Silver, 6 Copper", ("Wishing Well",), "Copper"),
        ("P1: hand Masquerade, Gold, Estate, Curse; deck 4 Copper | P2: hand Copper", ("Masquerade",), "Curse"),
        ("P1: hand Masquerade; deck Copper | P2: hand Silver, Estate, Copper", ("Masquerade",), "Estate"),
        ("P1: hand Masquerade, 2 Estate; deck 4 Copper | P2: hand Curse", ("Masquerade", "Estate"), "Curse"),
        ("P1: hand Masquerade, 2 Gold; deck 4 Silver | P2: hand Silver", ("Masquerade", "Silver"), "pass"),
        ("P1: hand Secret Passage, Smithy; deck 9 Estate | turn: P1, 1 action", ("Secret Passage",), "Estate"),
        ("P1: hand Secret Passage, Estate; deck 9 Copper", ("Secret Passage", "Estate"), "bottom"),
        ("P1: hand Secret Passage, Gold; deck 9 Copper", ("Secret Passage", "Gold"), "top"),
        ("P1: hand Secret Passage, Estate; deck 40 Copper", ("Secret Passage", "Estate", "further down"), "bottom"),
        ("P1: hand Baron, Estate, Copper", ("Baron",), "Estate"),
        ("P1: hand Ironworks", ("Ironworks",), "Silver"),
        ("P1: hand Militia | P2: hand Diplomat, 4 Copper; deck 3 Copper", ("Militia",), "Diplomat"),
        ("P1: hand Mill, 2 Estate, Gold; deck Copper", ("Mill",), "Estate"),
        ("P1: hand Mill, 2 Silver, Gold; deck Copper", ("Mill",), "pass"),
        ("P1: hand Mining Village, 2 Gold; deck Copper", ("Mining Village",), "Mining Village"),
        ("P1: hand Mining Village, Gold; deck Copper", ("Mining Village",), "Mining Village"),
        ("P1: hand Courtier, Mill, Copper", ("Courtier",), "Mill"),
        ("P1: hand Courtier, Mill, Copper", ("Courtier", "Mill"), "gold"),
        ("P1: hand Courtier, Mill, Copper", ("Courtier", "Mill", "gold"), "coins"),
        ("P1: hand Courtier, 3 Gold, Copper", ("Courtier", "Gold"), "gold"),
        ("P1: hand Replace, Gold, Estate", ("Replace",), "Gold"),
        ("P1: hand Trading Post, 2 Estate, Gold", ("Trading Post",), "Estate"),
        ("P1: hand Upgrade, Estate, Gold; deck Copper", ("Upgrade",), "Estate"),
        # A single Copper is trashed unless the buy needs it.
        (MASQUERADE.format("Gold"), ("Masquerade", "Estate"), "pass"),
        (MASQUERADE.format("2 Gold"), ("Masquerade", "Estate"), "Copper"),
    ],
)
def test_choices_of_a_buy_list(position, before, chosen):
    assert by_list(position, *before) == chosen


@pytest.mark.parametrize(
    ("position", "before", "chosen"),
    [
        ("P1: hand Steward, 2 Estate, 2 Copper; deck 5 Copper", ("Steward",), "trash"),
        ("P1: hand Masquerade, Gold; deck Estate, Copper | P2: hand Copper", ("Masquerade",), "Estate"),
        ("P1: hand Secret Passage, Estate, Gold; deck 9 Copper", ("Secret Passage", "Estate"), "bottom"),
        ("P1: hand Secret Passage, Estate, Gold; deck 9 Copper", ("Secret Passage", "Gold"), "top"),
    ],
)
def test_lists_and_preferences_choose_the_option_or_the_place_with_the_highest_value(position, before, chosen):
    kingdom = kingdom_of(position)
    models = (
        weighing("Gold > Copper > Estate", kingdom=kingdom, trash=(1, 1)),
        preference({"Copper": 1}, kingdom=kingdom),
    )

    assert [the_choice(after(position, *before, kingdom=kingdom), model) for model in models] == [chosen] * 2


# All choices of cards are here, or in `test_answers`.


@pytest.mark.cards
def test_every_choice_of_a_card_is_in_this_file():
    files = (Path(__file__), Path(__file__).with_name("test_answers.py"))
    text = "".join(file.read_text(encoding="utf-8") for file in files)

    named = {card.name for card in KINGDOM_CARDS if f'"{card.name}"' in text or f"hand {card.name}" in text}

    assert untested_cards(named, asking=True) == []
