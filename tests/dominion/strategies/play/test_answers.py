"""Answers with one rule for all models: the order of Treasures, starts of turns, gained cards, trades, mats.

A buy list, preferences with and without card values, and the rule that networks use answer the same positions.
"""

import pytest

from evodom.dominion.strategies.baselines import buy_list_strategy
from evodom.dominion.strategies.models.buy_lists.buy_list import BuyList
from evodom.dominion.strategies.models.networks.model import NO_STRATEGY, open_choices
from evodom.dominion.strategies.play.answers import common_answer
from tests.dominion.helpers import after, kingdom_of, preference, the_choice, weighing

pytestmark = pytest.mark.uncompiled

MONEY = ("Province", "Gold", "Silver")
WANTS = {"Province": 0.5, "Gold": 0.3, "Silver": 0.2}


def answer_of_networks(game) -> str:
    """Return the answer of the common rule for a strategy without a list or weights."""
    answer = common_answer(game.rules, game.state, NO_STRATEGY)
    return {each.pile: each.name for each in game.decision.consequences}[int(answer)]


def answers_of_models(position: str, *before: str) -> list[str]:
    """Return the answers of a buy list and of preferences with and without card values."""
    kingdom = kingdom_of(position, *before)
    order = " > ".join(("Province", "Gold", *kingdom.cards, "Silver", "Copper", "Estate", "Curse"))
    strategies = (
        buy_list_strategy(BuyList(MONEY), kingdom),
        weighing(order, WANTS, kingdom=kingdom, trash=(3, 3)),
        preference(WANTS, kingdom=kingdom, classes=(1, 1, 1)),
    )
    return [the_choice(after(position, *before, kingdom=kingdom), strategy, 3) for strategy in strategies]


TREASURES = "| turn: P1, 0 actions, 1 buy, treasure phase"
BUY = "| turn: P1, 0 actions, 1 buy, {} coins, buy phase"
TACTICIAN = (
    "P1: hand Tactician, Vault, 5 Copper, 2 Silver, Estate; deck 9 Copper | in play: Tactician | turn: P1, 2 actions"
)
COMMON = [
    # A Tactician discards the hand: before it, Vault sells all cards but one.
    (TACTICIAN, "Vault", "Estate"),
    (TACTICIAN, "Vault | Estate" + 7 * " | Copper", "Silver"),
    (TACTICIAN, "Vault | Estate" + 7 * " | Copper" + " | Silver", "pass"),
    # A Mining Village that the Smithies do not need is trashed for a better buy.
    ("P1: hand Mining Village, Gold; deck Copper", "Mining Village", "Mining Village"),
    ("P1: hand Mining Village, Gold; deck Copper; discard 2 Smithy", "Mining Village", "pass"),
    # Treasures: those that reduce costs or watch for gains, those with choices, plain ones, those that count Treasures.
    (f"P1: hand Bank, Quarry, Copper {TREASURES}", "", "Quarry"),
    (f"P1: hand Bank, Hoard, Copper {TREASURES}", "", "Hoard"),
    (f"P1: hand Collection, War Chest, Copper {TREASURES}", "", "Collection"),
    (f"P1: hand Crystal Ball, Bank, Gold {TREASURES}", "", "Crystal Ball"),
    (f"P1: hand Bank, Copper {TREASURES}", "", "Copper"),
    (f"P1: hand Tiara, Quarry, 2 Gold {TREASURES}", "", "Tiara"),
    # A Bank that is played twice counts all other Treasures.
    (f"P1: hand Tiara, Bank, 2 Gold {TREASURES}", "", "Gold"),
    (f"P1: hand Tiara, Bank | in play: 3 Gold {TREASURES}", "", "Tiara"),
    (f"P1: hand Tiara, Bank, Copper | in play: 3 Gold {TREASURES}", "Tiara", "Bank"),
    (f"P1: hand Tiara, 2 Gold, Silver {TREASURES}", "Tiara", "Gold"),
    (f"P1: hand Tiara, Hoard, Silver {TREASURES}", "Tiara", "Hoard"),
    (f"P1: hand 2 Tiara, Gold, Silver {TREASURES}", "Tiara", "Tiara"),
    # The Silver is trashed, not the Gold.
    (f"P1: hand Gold, Silver | P2: in play Corsair; later Corsair {TREASURES}", "", "Silver"),
    # Investment needs a useless card; VP tokens pay late.
    (f"P1: hand Investment, Gold, Estate {TREASURES}", "", "Investment"),
    (f"P1: hand Investment, Province {TREASURES}", "", "pass"),
    (f"P1: hand Investment, Estate {TREASURES}", "", "Investment"),
    (f"P1: hand Investment, 2 Silver, Estate {TREASURES}", "Investment | Estate", "coins"),
    (f"P1: hand Investment, Bank, Gold, Silver, Copper, Tiara, Curse | supply: 2 Province {TREASURES}",
     "Investment | Curse", "trash"),
    (f"P1: hand Crystal Ball, Gold; top Gold {TREASURES}", "Crystal Ball", "play"),
    (f"P1: hand Crystal Ball, Gold; top Wharf {TREASURES}", "Crystal Ball", "play"),
    (f"P1: hand Crystal Ball, Gold; top Tactician {TREASURES}", "Crystal Ball", "leave"),
    (f"P1: hand Crystal Ball, Gold; top Curse {TREASURES}", "Crystal Ball", "trash"),
    (f"P1: hand Crystal Ball, Gold; top Province {TREASURES}", "Crystal Ball", "discard"),
    # The opponent names the best card up to $5 that is no Victory card.
    (f"P1: hand War Chest, Gold | P2: hand Copper {TREASURES}", "War Chest", "War Chest"),
    # A Copper goes for a Silver, but not if the buy needs it.
    (f"P1: hand Anvil, Gold, 3 Copper {TREASURES}", "Anvil", "Copper"),
    (f"P1: hand Anvil, 2 Gold, Copper {TREASURES}", "Anvil", "pass"),
    # Gained cards: a Curse is trashed, a good card goes onto the deck.
    ("P1: hand Watchtower, 4 Copper | P2: hand Sea Witch; deck 4 Copper | turn: P2", "Sea Witch", "trash"),
    (f"P1: hand Watchtower, 2 Gold; deck 5 Copper {BUY.format(6)}", "Gold", "topdeck"),
    (f"P1: hand Watchtower, 2 Gold; deck 5 Gold {BUY.format(3)}", "Silver", "pass"),
    (f"P1: hand Watchtower, 2 Gold; deck 5 Copper {BUY.format(8)}", "Province", "pass"),
    (f"P1: hand Watchtower, 2 Gold; deck 5 Copper {BUY.format(2)}", "Estate", "pass"),
    (f"P1: hand Tiara, 2 Gold; deck 5 Copper {TREASURES}", "Tiara | pass | Gold | Gold | Gold", "Gold"),
    (f"P1: hand Tiara, 2 Gold; deck 5 Copper {TREASURES}", "Tiara | pass | Gold | Gold | Tiara", "Tiara"),
    (f"P1: hand Tiara, 2 Gold; deck 5 Gold {TREASURES}", "Tiara | pass | Gold | Gold | Silver", "pass"),
    ("P1: hand Copper; deck 9 Copper | in play: Sailor | turn: P1, 5 coins, buy phase, 1 plays of Sailor",
     "Wharf", "Wharf"),
    (f"P1: hand Gold; deck 9 Copper | P2: hand Pirate {BUY.format(6)}", "Gold", "Pirate"),
    ("P1: hand Estate; deck 9 Copper | in play: Treasury | turn: P1, 0 actions, 1 buy, buy phase", "pass", "Treasury"),
    # Start of a turn: Cards and returns, plays, gains, trashing, discards.
    *((f"P1: hand {hand}; in play {cards}; due {due}; deck 9 Copper | turn: P1, start phase", "", chosen)
      for hand, cards, due, chosen in (
          ("Clerk", "Wharf, Tide Pools", "Wharf, Tide Pools", "Wharf"),
          ("Clerk", "Pirate, Tide Pools", "Pirate, Tide Pools", "Clerk"),
          ("Estate", "Pirate, Sailor", "Pirate, Sailor", "Pirate"),
          ("Estate", "Sea Witch, Sailor", "Sea Witch, Sailor", "Sailor"),
          ("Estate", "Sea Witch, Tide Pools", "Sea Witch, Tide Pools", "Sea Witch"),
          ("Clerk, Gold", "Haven", "Haven with Gold", "Haven"))),
    # Mats, and cards set aside.
    ("P1: hand Haven, 2 Gold, Silver; top Estate; deck 5 Silver", "Haven", "Estate"),
    ("P1: hand Island, 2 Copper, Estate, Province", "Island", "Province"),
    ("P1: hand Island, Gold, Copper, Curse", "Island", "Curse"),
    ("P1: hand Native Village, 2 Copper; deck 5 Silver", "Native Village", "set_aside"),
    ("P1: hand Native Village, 2 Silver, Copper; deck 5 Copper; village Gold", "Native Village", "take"),
    # Trades.
    ("P1: hand Bishop, Gold, Estate, Copper; deck 5 Copper", "Bishop", "Estate"),
    ("P1: hand Salvager, Gold, Silver, 2 Copper, Estate; deck 5 Copper", "Salvager", "Estate"),
    ("P1: hand Salvager, 2 Gold, 2 Copper; deck 5 Copper", "Salvager", "Gold"),
    ("P1: hand Vault, 2 Estate, Gold; deck 5 Copper", "Vault", "Estate"),
    ("P1: hand Vault, 2 Gold; deck 5 Silver", "Vault", "pass"),
    ("P1: hand Vault, Gold; deck 2 Copper | P2: hand 3 Estate, Gold; deck 5 Copper", "Vault | pass", "Estate"),
    ("P1: hand Vault, Gold; deck 2 Copper | P2: hand 3 Gold; deck 5 Copper", "Vault | pass", "pass"),
    ("P1: hand Mint, Gold, Silver, Copper", "Mint", "Gold"),
    ("P1: hand Mint, 3 Copper", "Mint", "pass"),
    # Gold and Estate make a Province; a Copper goes with them. A Gold alone would make a Gold.
    ("P1: hand Forge, Gold, Estate, Copper; deck 9 Copper", "Forge", "Copper"),
    ("P1: hand Forge, Gold, Estate, Copper; deck 9 Copper", "Forge | Copper", "Gold"),
    ("P1: hand Forge, Gold, Estate, Copper; deck 9 Copper", "Forge | Copper | Gold", "Estate"),
]  # fmt: skip
"""A position, the choices before, and the answer."""


@pytest.mark.parametrize(("position", "before", "chosen"), COMMON)
def test_all_models_answer_alike(position, before, chosen):
    choices = before.split(" | ") if before else []
    game = after(position, *choices, kingdom=kingdom_of(position, *choices))

    assert [*answers_of_models(position, *choices), answer_of_networks(game)] == [chosen] * 4


ACTIONS = [
    (TACTICIAN, "Vault"), ("P1: hand Tactician, Bazaar, 2 Estate; deck 9 Silver", "Bazaar"),
    ("P1: hand Treasure Map, Copper; deck Treasure Map", "pass"), ("P1: hand Trading Post, 2 Province, 2 Gold", "pass"),
    ("P1: hand Trading Post, 2 Estate, 2 Gold", "Trading Post"), ("P1: hand Baron, 2 Copper; deck 9 Copper", "pass"),
    ("P1: hand Baron, 2 Copper; deck 9 Copper, Baron", "Baron"), ("P1: hand Baron, Estate; deck 9 Copper", "Baron"),
    ("P1: hand Replace, Estate, 2 Copper", "Replace"), ("P1: hand 2 Treasure Map, Copper", "Treasure Map"),
    ("P1: hand Tactician, 2 Gold, Silver; deck 9 Copper", "pass"),
    ("P1: hand Tactician, 2 Copper, 2 Estate; deck 9 Silver", "Tactician"),
    ("P1: hand Outpost, 2 Copper; deck 9 Silver", "Outpost"),
    ("P1: hand Outpost, 2 Copper; deck 9 Silver | turn: P1, extra turn", "pass"),
    ("P1: hand Watchtower, 6 Copper; deck 9 Silver", "pass"), ("P1: hand Magnate, 2 Estate; deck 9 Silver", "pass"),
    ("P1: hand Mint, 2 Copper; deck 9 Silver", "pass"), ("P1: hand Forge, Gold; deck 9 Silver", "pass"),
    ("P1: hand Forge, Gold, Estate; deck 9 Silver", "Forge"), ("P1: hand Island, Gold; deck 9 Silver", "pass"),
    ("P1: hand Island, Estate; deck 9 Silver", "Island"), ("P1: hand Bishop, Gold; deck 9 Silver", "pass"),
    ("P1: hand Bishop, Estate; deck 9 Silver", "Bishop"), ("P1: hand Salvager, Silver; deck 9 Silver", "pass"),
    ("P1: hand Salvager, Gold, Silver, Copper; deck 9 Silver", "Salvager"),
    ("P1: hand Lookout, Gold; deck 9 Silver", "pass"), ("P1: hand Lookout, Gold; deck 6 Silver, 3 Estate", "Lookout"),
    ("P1: hand Smugglers, Copper | P2: gained Gold", "Smugglers"),
    ("P1: hand Smugglers, Copper | P2: hand Gold", "pass"),
]  # fmt: skip
"""A hand, and the first Action: one that does nothing, or more harm than good, is not played."""


@pytest.mark.parametrize(("position", "chosen"), ACTIONS)
def test_actions_are_not_wasted(position, chosen):
    game = after(position, kingdom=kingdom_of(position))
    of_networks = open_choices(game.rules, game.state)

    assert answers_of_models(position) == [chosen] * 3
    assert {each.name for each in game.decision.consequences if (of_networks >> each.pile) & 1} == {chosen, "pass"}


def test_wasted_actions_are_not_played_several_times():
    position = "P1: hand King's Court, Outpost, Gold; deck 9 Copper | turn: P1, extra turn"

    assert answers_of_models(position.replace("Gold", "Bazaar"), "King's Court") == ["Bazaar"] * 3
    assert answers_of_models(position, "King's Court")[1:] == ["pass"] * 2


def test_tokens_decide_whether_a_gain_wins_the_game():
    position = (
        "P1: hand Copper{} | P2: hand Duchy | supply: 0 Copper, 0 Silver, 1 Estate | turn: P1, 2 coins, buy phase"
    )
    for tokens, chosen in (("", "pass"), ("; tokens 3", "Estate")):
        game = after(position.format(tokens), kingdom=("Monument",))
        strategies = (
            buy_list_strategy(BuyList(("Estate",), endgame_check=True), game.kingdom),
            weighing("Estate", {"Estate": 1}, kingdom=game.kingdom),
        )
        assert [the_choice(game, strategy, 3) for strategy in strategies] == [chosen] * 2


GRAND = ("Province", "Grand Market", "Gold", "Silver")
MINT = ("Mint if count_in_deck(Mint) < 1", "Gold", "Silver")
ULTIMATE = ("Province if total_money > 18", "Gold", "Silver")
LISTS = [
    # Mint trashes the Treasures in play: those that are not needed stay in hand.
    *((f"P1: hand Gold, 3 Silver, Copper {TREASURES}", played, MINT, chosen) for played, chosen in (
        ("", "Copper"), ("Copper", "Silver"), ("Copper | Silver", "Silver"), ("Copper | Silver | Silver", "pass"))),
    (f"P1: hand Gold, 3 Silver, Copper; discard Mint {TREASURES}", "Copper | Silver | Silver | Silver", MINT, "Gold"),
    # A deck that buys Laboratories keeps $6, a deck that buys only money $4.
    *(("P1: hand Chapel, 4 Copper, Estate; discard Silver, 3 Laboratory", "Chapel | Estate", (*buys, "Gold", "Silver"),
       chosen) for buys, chosen in ((("Laboratory",), "pass"), ((), "Copper"),
                                    (("Laboratory if count_in_deck(Laboratory) < 4",), "Copper"))),
    # Without the trashed Gold the list buys no Province.
    ("P1: hand Salvager, Gold, Silver, 4 Copper; deck 2 Copper; discard 3 Silver", "Salvager", ULTIMATE, "Copper"),
    # A lone Treasure Map is no half of a pair.
    ("P1: hand Treasure Map, 3 Copper, Silver | P2: hand Militia | turn: P2", "Militia", MONEY, "Treasure Map"),
    # Copper stays in hand for a Grand Market, but is played for a Province or a Gold.
    (f"P1: hand 3 Silver, Copper; deck Grand Market {TREASURES}", "Silver | Silver | Silver", GRAND, "pass"),
    (f"P1: hand 3 Silver, 2 Copper; deck Grand Market {TREASURES}", "", GRAND, "Copper"),
    (f"P1: hand 2 Silver, 2 Copper; deck Grand Market {TREASURES}", "", GRAND, "Copper"),
    # A forecast does not pay a Grand Market with Copper: Gold needs all coins, so the Estate goes.
    ("P1: hand Bishop, 2 Silver, Copper, Estate; deck Grand Market", "Bishop", GRAND, "Estate"),
    # Haven keeps an Action that cannot be played, and a Duration counts its later Effects.
    ("P1: hand Haven, 2 Smithy, Copper; top Copper; deck 5 Copper", "Haven", MONEY, "Smithy"),
    ("P1: hand King's Court, Wharf, Smithy; deck 9 Silver", "King's Court", MONEY, "Wharf"),
    ("P1: hand Militia | P2: hand Monkey, Gold, 2 Silver, Estate; deck 5 Copper", "Militia | Estate", MONEY, "Monkey"),
    ("P1: hand Militia | P2: hand Caravan, Gold, Silver, Copper, Estate; deck 5 Copper", "Militia | Estate", MONEY,
     "Copper"),
    # A Peddler costs $2 less per Action in play.
    ("P1: hand Anvil, 3 Copper | in play: 3 Village | turn: P1, 0 actions, treasure phase", "Anvil",
     ("Peddler", "Silver"), "Copper"),
    ("P1: hand Clerk, Copper | P2: hand 4 Gold, Estate; deck 5 Copper", "Clerk", MONEY, "Estate"),
    ("P1: hand Blockade", "Blockade", MONEY, "Silver"),
    # Two Treasure Maps stay together, and a Duration that can be played stays.
    ("P1: hand Warehouse, 2 Treasure Map, Copper; top 2 Copper, Silver; deck 9 Copper", "Warehouse", MONEY, "Copper"),
    ("P1: hand Warehouse, 2 Treasure Map; top 2 Estate, Silver; deck 9 Copper", "Warehouse | Estate | Estate", MONEY,
     "Silver"),
    ("P1: hand Vault, Wharf, Gold, Copper; deck 9 Copper | turn: P1, 2 actions", "Vault", MONEY, "pass"),
    ("P1: hand Smugglers, Copper | P2: gained Gold, Silver", "Smugglers", MONEY, "Gold"),
    ("P1: in play Sailor; due Sailor; hand Curse; deck 9 Copper | turn: P1, start phase", "", MONEY, "Curse"),
    ("P1: in play Pirate; due Pirate; hand Curse; deck 9 Copper | turn: P1, start phase", "", MONEY, "Gold"),
    ("P1: in play Tide Pools, Clerk; due Tide Pools; hand Estate, 2 Gold, Clerk; deck 9 Copper | turn: P1, start phase",
     "Tide Pools", MONEY, "Estate"),
    ("P1: in play Sea Witch; due Sea Witch; hand Estate, 2 Gold; deck 9 Silver | turn: P1, start phase", "", MONEY,
     "Estate"),
    (f"P1: hand Investment, Estate, Gold {TREASURES}", "Investment", MONEY, "Estate"),
]  # fmt: skip
"""A position, the choices before, a buy list, and its answer."""


@pytest.mark.parametrize(("position", "before", "buy", "chosen"), LISTS)
def test_answers_of_buy_lists(position, before, buy, chosen):
    kingdom = kingdom_of(position, *buy)
    game = after(position, *(before.split(" | ") if before else ()), kingdom=kingdom)

    assert the_choice(game, buy_list_strategy(BuyList(buy), kingdom), 3) == chosen
