"""The baselines: the random player and the buy lists written by hand."""

import pytest

from evodom.dominion.cards import BASIC
from evodom.dominion.game import DominionGame
from evodom.dominion.kingdom import FIRST_GAME, KINGDOMS, Kingdom, parse_kingdom
from evodom.dominion.strategies.base import RANDOM
from evodom.dominion.strategies.baselines import (
    BASELINES,
    BUY_LIST_BASELINES,
    HELD_OUT_OPPONENTS,
    TRAINING_OPPONENTS,
    baseline,
    baseline_buy_list,
    buy_list_strategy,
    fitting_baselines,
    missing_cards,
)
from evodom.dominion.strategies.models.buy_lists.buy_list import BuyList
from evodom.dominion.strategies.models.buy_lists.columns import END_TERM, FIRST_CONDITION, FIRST_TERM
from evodom.errors import UsageError
from evodom.matches import Purpose, Share, Tally, Venue, win_share
from tests.chi_square import fits
from tests.dominion.helpers import COLONY_GAME, after, answers, tries
from tests.effort import effort

uncompiled = pytest.mark.uncompiled

BIG_MONEY = baseline("big-money", FIRST_GAME)


def choice(game, strategy=BIG_MONEY) -> str:
    """Return the one choice a buy list makes."""
    (name,) = tries(game, strategy, 20)
    return name


def buying(coins: int, provinces: int = 12, position: str = "P1: hand Copper | P2: hand Copper"):
    supply = f"supply: {provinces} Province"
    return DominionGame.from_position(f"{position} | {supply} | turn: P1, 0 actions, 1 buy, {coins} coins, buy phase")


@uncompiled
@pytest.mark.parametrize(
    ("coins", "provinces", "bought"),
    [
        (9, 12, "Province"), (8, 1, "Province"), (7, 12, "Gold"), (6, 5, "Gold"), (6, 4, "Duchy"), (5, 5, "Silver"),
        (5, 4, "Duchy"), (4, 2, "Estate"), (3, 3, "Silver"), (2, 3, "pass"), (2, 2, "Estate"), (1, 1, "pass"),
    ],
)  # fmt: skip
def test_big_money_buys_the_first_card_it_can_afford(coins, provinces, bought):
    assert choice(buying(coins, provinces)) == bought


@uncompiled
def test_a_limit_counts_owned_cards():
    for owned, bought in (("Copper", "Smithy"), ("Smithy", "Smithy"), ("2 Smithy", "Silver")):
        game = buying(4, position=f"P1: deck {owned} | P2: hand 3 Smithy")
        assert choice(game, baseline("big-money-smithy", FIRST_GAME)) == bought
    empty = DominionGame.from_position(
        "P1: hand Copper | supply: 0 Gold | turn: P1, 0 actions, 1 buy, 6 coins, buy phase"
    )
    assert choice(empty) == "Silver"
    assert choice(after("P1: hand Workshop", "Workshop")) == "Silver"


@uncompiled
def test_rules_for_cards_outside_the_kingdom_are_left_out():
    strategy = buy_list_strategy(
        BuyList((*baseline_buy_list("big-money").buy[:-1], "Smithy", "Village if count_in_deck(Smithy) < 1", "Silver")),
        Kingdom(("Village",)),
    )

    assert strategy["buy_lists"].n_rules == 6
    condition = strategy["buy_lists"].conditions[strategy["buy_lists"].rules[4, FIRST_CONDITION]]
    assert condition[FIRST_TERM] == condition[END_TERM], "none of a missing card: nothing to count"


@uncompiled
def test_baselines_play_and_list_their_missing_cards():
    for name in BASELINES:
        assert set(tries(DominionGame.from_position("P1: hand Militia"), baseline(name, FIRST_GAME), 20)) <= {
            "Militia",
            "pass",
        }
    for name in BUY_LIST_BASELINES:
        missing = missing_cards(name, Kingdom(()))
        cards = {rule.card for rule in baseline_buy_list(name).rules}
        assert set(missing) == cards - {card.name for card in BASIC}
        assert missing_cards(name, Kingdom(tuple(missing))) == []


@uncompiled
def test_an_unknown_baseline_is_refused_with_the_known_ones():
    with pytest.raises(
        UsageError, match=r"no baseline named 'bigmoney'\. Did you mean big-money\? Known: random, big-money"
    ):
        baseline("bigmoney", FIRST_GAME)


@pytest.mark.parametrize(
    "position",
    ["P1: hand Militia, Smithy, Village", "P1: hand Copper | turn: P1, 0 actions, 1 buy, 9 coins, buy phase"],
)
def test_the_random_player_chooses_uniformly(position):
    game = DominionGame.from_position(position)
    counts = tries(game, baseline("random", FIRST_GAME), 20_000)

    assert fits(counts, dict.fromkeys(answers(game), 1 / len(answers(game))))


def test_every_baseline_but_the_random_player_is_a_training_or_a_held_out_opponent():
    assert sorted([RANDOM, *TRAINING_OPPONENTS, *HELD_OUT_OPPONENTS]) == sorted(BASELINES)


def test_every_kingdom_has_opponents_and_recommended_kingdoms_some_with_their_cards():
    kingdoms = [(parse_kingdom(name), {"big-money", "big-money-ultimate"}) for name in list(KINGDOMS)[:6]]
    for kingdom, excluded in [*kingdoms, (Kingdom(()), set())]:
        fitting = set(fitting_baselines(kingdom)) - excluded
        assert fitting & set(TRAINING_OPPONENTS)
        assert fitting & set(HELD_OUT_OPPONENTS)


@pytest.mark.parametrize("name", [name for name in BUY_LIST_BASELINES if name != "big-money"])
def test_a_baseline_that_beats_chance_with_four_players_does_so_with_any_number(name):
    kingdom = Kingdom(tuple(missing_cards(name, Kingdom(()))))
    n_games, other_seats = effort((600, (2, 3, 5, 6)), (120, (2, 6)), (12, (2,)))

    def won(n_seats: int) -> Share:
        venue = Venue(kingdom, n_seats, seed=1)
        one, money = baseline(name, kingdom), baseline("big-money", kingdom)
        return win_share(Tally.of(venue.against(one, [money], n_games, venue.stream(Purpose.EXPECTED))).games, 0)

    if won(4).low > 1 / 4:
        assert {n for n in other_seats if won(n).share <= 1 / n} == set()


SMITHY, WHARF = (
    BuyList((*baseline_buy_list("big-money").buy[:-1], f"{card} if count_in_deck({card}) < 1", "Silver"))
    for card in ("Smithy", "Wharf")
)
PUBLISHED = Kingdom(("Duke", "Masquerade", "Smithy", "Wharf"))


@pytest.mark.parametrize(
    ("one", "kingdom", "other", "n_seats", "least"),
    [
        (baseline_buy_list("colony-big-money"), COLONY_GAME, baseline_buy_list("big-money"), 2, 0.55),
        (baseline_buy_list("colony-big-money"), COLONY_GAME, baseline_buy_list("big-money"), 4, 0.35),
        (baseline_buy_list("duke"), PUBLISHED, baseline_buy_list("big-money"), 2, 0.65),
        (baseline_buy_list("masquerade"), PUBLISHED, SMITHY, 2, 0.51),
        (WHARF, PUBLISHED, SMITHY, 2, 0.51),
    ],
    ids=["Colony", "Colony, four players", "Duke", "Masquerade", "Wharf"],
)
def test_published_directions(one, kingdom, other, n_seats, least):
    venue = Venue(kingdom, n_seats, seed=1)
    few, many = buy_list_strategy(one, kingdom), buy_list_strategy(other, kingdom)
    games = Tally.of(venue.against(few, [many], 2_000, venue.stream(Purpose.EXPECTED))).games

    assert win_share(games, 0).low > least


def test_games_with_colonies_take_at_least_two_turns_longer():
    def mean_rounds(name: str, kingdom: Kingdom) -> float:
        venue, player = Venue(kingdom, 2, seed=1), baseline(name, kingdom)
        return Tally.of(venue.against(player, [player], 1_000, venue.stream(Purpose.EXPECTED))).games.rounds.mean()

    assert mean_rounds("colony-big-money", COLONY_GAME) > mean_rounds("big-money", FIRST_GAME) + 2
