"""The look-ahead: Colonies end games, an exact cost is exact."""

import pytest

from evodom.dominion.engine.turn import gains_to_end
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.baselines import buy_list_strategy
from evodom.dominion.strategies.models.buy_lists.buy_list import BuyList
from evodom.dominion.strategies.play import lookahead
from tests.dominion.helpers import COLONY_GAME, after

pytestmark = pytest.mark.uncompiled

COLONY, PROVINCE = 1 << COLONY_GAME.pile("Colony"), 1 << COLONY_GAME.pile("Province")


def buying(supply, *, coins=11, buys=1, mine="Copper", others="Copper"):
    position = (
        f"P1: hand {mine} | P2: hand {others} | supply: {supply} | turn: P1, buy phase, {coins} coins, {buys} buys"
    )
    return after(position, kingdom=COLONY_GAME)


@pytest.mark.parametrize(
    ("supply", "gains", "ending", "near"),
    [
        ("8 Province, 8 Colony", 8, 0, False), ("8 Province, 3 Colony", 3, 0, False),
        ("2 Province, 8 Colony", 2, 0, True), ("8 Province, 1 Colony", 1, COLONY, True),
        ("1 Province, 1 Colony", 1, COLONY | PROVINCE, True),
        ("8 Province, 4 Colony, 0 Moat, 0 Mine, 2 Platinum", 2, 0, True),
    ],
)  # fmt: skip
def test_colonies_can_end_the_game(supply, gains, ending, near):
    game = buying(supply)

    assert gains_to_end(game.rules, game.state) == gains
    assert lookahead.ending_piles(game.rules, game.state) == ending
    assert bool(lookahead.is_near_end(game.rules, game.state)) == near


@pytest.mark.parametrize(
    ("others", "buys", "coins", "found"),
    [
        ("Province", 1, 11, COLONY), ("2 Colony", 1, 11, 0), ("2 Colony", 2, 22, 0), ("Colony", 2, 19, PROVINCE),
        ("Colony", 1, 11, 0), ("Colony; turns 1", 1, 11, COLONY),
    ],
)  # fmt: skip
def test_the_last_colony_is_a_decisive_buy_if_it_wins(others, buys, coins, found):
    game = buying("8 Province, 1 Colony", buys=buys, coins=coins, others=others)

    assert lookahead.decisive_buys(game.rules, game.state, COLONY | PROVINCE) == found


@pytest.mark.parametrize(
    ("hand", "estates", "duchies", "outcome"),
    [
        ("Silver", 1, 8, lookahead.GOES_ON), ("Bridge", 8, 1, lookahead.WINS), ("Copper", 1, 8, lookahead.GOES_ON),
        ("Gold", 8, 1, lookahead.GOES_ON),
    ],
)  # fmt: skip
def test_an_exact_cost_is_exact(hand, estates, duchies, outcome):
    """Upgrade gains the last Duchy for a Bridge. For a Silver or a Gold it gains no cheaper card that ends the game."""
    supply = f"supply: 0 Curse, 0 Moat, {estates} Estate, {duchies} Duchy"
    game = after(
        f"P1: hand Upgrade, {hand} | P2: hand Copper | {supply}", kingdom=Kingdom(("Bridge", "Moat", "Upgrade"))
    )

    assert lookahead.best_action_outcome(game.rules, game.state, 0, game.kingdom.pile("Upgrade")) == outcome


@pytest.mark.parametrize(("others", "bought"), [("Province", "Colony"), ("2 Colony", "Platinum")])
def test_a_list_leaves_the_last_colony_if_it_loses(others, bought):
    game = buying("8 Province, 1 Colony", others=others)
    strategy = buy_list_strategy(BuyList(("Colony", "Platinum"), endgame_check=True), COLONY_GAME)

    assert game.strategy_choice(strategy).name == bought
