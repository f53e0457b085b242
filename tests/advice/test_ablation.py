"""Which cards a strategy needs, and which would make it worse.

Lists without what hardly matters.
The changes that make the winner of a tournament better.
"""

from dataclasses import replace

import pytest

from evodom.advice import ablation
from evodom.advice.ablation import (
    BETTER_WITHOUT,
    COMPARISON_GAMES,
    HARMFUL,
    NEEDED,
    NO_DIFFERENCE,
    UNCLEAR,
    WORTH_TRYING,
    _verdict,
    final_deck,
    plays_alike,
    refine,
    retraining,
    select_trials,
    trials,
    wins_alike,
)
from evodom.advice.stages import STAGES
from evodom.budget import Budget
from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.strategies.baselines import baseline, buy_list_strategy
from evodom.dominion.strategies.files import parse_strategy
from evodom.dominion.strategies.models.buy_lists.buy_list import BuyList
from evodom.dominion.strategies.models.buy_lists.encoding import decode
from evodom.dominion.strategies.models.buy_lists.language import format_rule
from evodom.dominion.strategies.models.networks.model import network_strategy, weights_of
from evodom.dominion.strategies.registry import editable_model
from evodom.matches.seating import Purpose
from evodom.matches.tournament import wins_against
from evodom.matches.venue import Venue
from evodom.statistics import Share
from tests.advice.conftest import WITCH_KINGDOM
from tests.networks import network


def bought(strategy, kingdom):
    return [format_rule(rule) for rule in decode(strategy, kingdom)]


@pytest.fixture
def tried(venue_in):
    """Try all cards on a baseline in the kingdom with Witches."""

    def run(name, games=600):
        venue = venue_in()
        strategy, money = (baseline(each, WITCH_KINGDOM) for each in (name, "big-money"))
        deck = final_deck(venue, strategy, money, 200, Purpose.DECKS)
        witches = baseline("double-witch", WITCH_KINGDOM)
        others = {"double-witch": final_deck(venue, witches, money, 200, Purpose.DECKS)}
        return {trial.card: trial for trial in trials(venue, strategy, deck, others, games)}

    return run


@pytest.mark.parametrize(
    ("interval", "owned", "other"),
    [
        ((0.398, 0.418), NEEDED, HARMFUL), ((0.470, 0.490), UNCLEAR, UNCLEAR), ((0.460, 0.480), NEEDED, HARMFUL),
        ((0.485, 0.515), NO_DIFFERENCE, NO_DIFFERENCE), ((0.470, 0.530), UNCLEAR, UNCLEAR),
        ((0.510, 0.530), UNCLEAR, UNCLEAR), ((0.558, 0.609), BETTER_WITHOUT, WORTH_TRYING),
    ],
)  # fmt: skip
def test_a_verdict_follows_from_the_interval_and_the_least_effect(interval, owned, other):
    wins = Share(sum(interval) / 2, *interval, 1000)

    assert [_verdict(wins, (0.48, 0.52), is_owned=is_owned) for is_owned in (True, False)] == [owned, other]


def test_a_change_that_wins_less_against_the_rival_is_not_worth_trying(venue_in, monkeypatch):
    venue, money = venue_in(), baseline("big-money", WITCH_KINGDOM)
    deck = final_deck(venue, money, money, 100, Purpose.DECKS)
    found = []
    for kept in (True, False):
        monkeypatch.setattr(ablation, "keeps_wins", lambda *_, kept=kept: kept)
        found.append({trial.card: trial.verdict for trial in trials(venue, money, deck, {}, 200, rival=money)})
    better, other = found

    assert better["Witch"] == WORTH_TRYING
    assert other == {card: UNCLEAR if verdict == WORTH_TRYING else verdict for card, verdict in better.items()}


def test_double_witch_needs_its_witches(tried):
    found = tried("double-witch")

    assert found["Witch"].verdict == NEEDED
    assert found["Witch"].loss > 0.35
    assert found["Witch"].wins.high < 0.15
    assert next(iter(found)) == "Witch"


def test_a_dear_card_that_makes_a_strategy_worse_is_a_trap(tried):
    found = tried("double-witch")

    assert found["Remodel"].verdict == HARMFUL
    assert found["Remodel"] in select_trials(list(found.values()), (HARMFUL,))


def test_big_money_should_try_a_witch(tried):
    witch = tried("big-money")["Witch"]

    assert (witch.verdict, witch.bought_by) == (WORTH_TRYING, ("double-witch",))
    assert witch.wins.low > 0.6


def test_the_same_seed_tries_alike_and_another_one_does_not(venue_in):
    def wins(seed):
        smithy, money = baseline("big-money-smithy", FIRST_GAME), baseline("big-money", FIRST_GAME)
        return wins_against(venue_in(FIRST_GAME, 4, seed), smithy, money, 300, Purpose.DECKS)

    assert wins(1) == wins(1) != wins(2)


def test_a_buy_list_without_a_card_has_no_rule_for_it():
    assert bought(
        editable_model(baseline("double-witch", WITCH_KINGDOM)).without_card(
            baseline("double-witch", WITCH_KINGDOM), "Witch", WITCH_KINGDOM
        ),
        WITCH_KINGDOM,
    ) == [
        "Province if count_in_deck(Gold) > 0",
        "Duchy if count_in_supply(Province) <= 5",
        "Estate if count_in_supply(Province) <= 2",
        "Gold",
        "Silver",
    ]


@pytest.mark.parametrize(("card", "place"), [("Market", 4), ("Militia", 4), ("Village", 5), ("Cellar", 6)])
def test_one_of_a_card_is_bought_before_what_costs_no_more_but_for_greening(card, place):
    changed = editable_model(baseline("big-money-smithy", FIRST_GAME)).with_card(
        baseline("big-money-smithy", FIRST_GAME), card, 1, FIRST_GAME
    )

    assert bought(changed, FIRST_GAME).index(f"{card} if count_in_deck({card}) < 1") == place


def test_a_preference_with_one_of_a_card_or_without_it(venue_in):
    text = 'model = "preferences"\n[early]\nProvince = 1000\nGold = 1e4\nSmithy = 100\nSilver = 1\n[limits]\nSmithy = 2'
    strategy = parse_strategy(text).record(FIRST_GAME)

    def owned(changed):
        money = baseline("big-money", FIRST_GAME)
        deck = final_deck(venue_in(FIRST_GAME), changed, money, 200, Purpose.DECKS)
        names = list(FIRST_GAME.names)
        return deck[names.index("Smithy")], deck[names.index("Market")]

    assert owned(editable_model(strategy).without_card(strategy, "Smithy", FIRST_GAME)) == (0.0, 0.0)
    smithies, markets = owned(editable_model(strategy).with_card(strategy, "Market", 1, FIRST_GAME))
    assert smithies > 1.2
    assert 0.8 < markets <= 1.0


def simple(strategy, venue):
    return editable_model(strategy).simplified(
        strategy, FIRST_GAME, plays_alike(venue, strategy, (baseline("big-money", FIRST_GAME),))
    )


@pytest.mark.parametrize(
    ("rules", "kept"),
    [
        (
            ("Province if turn_number > 1", "Market if turn_number > 90", "Gold", "Gold if total_money > 20",
             "Smithy if count_in_deck(Smithy) < 1 and empty_piles < 9", "Silver if count_in_deck(Silver) < 40",
             "Copper if count_in_supply(Copper) == 0"),
            ["Province", "Gold", "Smithy if count_in_deck(Smithy) < 1", "Silver"],
        ),
        # A card that is never bought leaves the sum of a condition.
        (
            ("Province", "Gold", "Smithy if count_in_deck(Smithy) + count_in_deck(Moat) < 2", "Silver"),
            ["Province", "Gold", "Smithy if count_in_deck(Smithy) < 2", "Silver"],
        ),
    ],
)  # fmt: skip
def test_rules_and_conditions_that_never_decide_are_left_out(venue_in, rules, kept):
    found = simple(buy_list_strategy(BuyList(rules), FIRST_GAME), venue_in(FIRST_GAME))

    assert [format_rule(rule) for rule in decode(found, FIRST_GAME)] == kept


LATE_GOLD, SMITHY = "Gold if total_money > 10", "Smithy if count_in_deck(Smithy) < 2"


@pytest.mark.parametrize(
    ("rules", "simpler"),
    [
        (("Province", LATE_GOLD, "Silver"), ("Province", "Gold", "Silver")),
        (("Province", "Gold", SMITHY, "Silver if total_money < 60"), ("Province", "Gold", SMITHY, "Silver")),
    ],
)
def test_conditions_and_limits_without_effect_on_wins_are_left_out(venue_in, rules, simpler):
    venue, strategy = venue_in(FIRST_GAME), buy_list_strategy(BuyList(rules), FIRST_GAME)
    money = baseline("big-money", FIRST_GAME)

    found = [
        editable_model(strategy).simplified(strategy, FIRST_GAME, wins_alike(one, strategy, money, 4000))
        for one in (venue, replace(venue, workers=None))
    ]

    assert found[0] == found[1]
    assert bought(found[0], FIRST_GAME) == list(simpler)
    assert wins_against(venue, found[0], strategy, 4000, 99).low > 0.46


def test_a_rule_that_is_dead_without_the_conditions_of_another_is_left_out():
    rules = ("Province", "Market if turn_number > 2", "Gold", "Market if total_money > 5", "Smithy", "Silver")
    strategy = buy_list_strategy(BuyList(rules), FIRST_GAME)

    looser = editable_model(strategy).simplified(strategy, FIRST_GAME, lambda one: len(bought(one, FIRST_GAME)) == 6)
    assert bought(looser, FIRST_GAME) == ["Province", "Market", "Gold", "Smithy", "Silver"]


def test_nothing_is_left_out_without_time(venue_in):
    venue = venue_in(FIRST_GAME).within(Budget.starting_now(0.0))
    strategy = buy_list_strategy(BuyList(("Province", LATE_GOLD, "Silver")), FIRST_GAME)

    assert not wins_alike(venue, strategy, strategy, 400)(strategy)


def test_what_matters_stays(venue_in):
    strategy = baseline("big-money-smithy", FIRST_GAME)

    assert decode(simple(strategy, venue_in(FIRST_GAME)), FIRST_GAME) == decode(strategy, FIRST_GAME)


def test_preferences_lose_cards_and_limits_that_never_decide(venue_in):
    text = (
        'model = "preferences"\nswitch = 99\n[early]\nProvince = 1e6\nGold = 1e4\nSilver = 100\n[late]\nMoat = 1\n'
        "[limits]\nSilver = 50\nGold = 2"
    )

    found = simple(parse_strategy(text).record(FIRST_GAME), venue_in(FIRST_GAME))

    preferences = found["preferences"]
    assert (preferences["limits"][:7] < 99).tolist() == [False, False, True, False, False, False, False]
    assert (preferences["weights"][1] == preferences["weights"][0]).all()
    assert COMPARISON_GAMES >= 100


def test_big_money_takes_up_the_card_it_lacks_most(venue_in):
    venue = venue_in()
    money = baseline("big-money", WITCH_KINGDOM)

    better, changes = refine(venue, money, money, STAGES.planned(1000, 0))

    assert changes[0] == "1 Witch"
    assert wins_against(venue, better, money, 1000, Purpose.EXPECTED).low > 0.7


def test_a_strategy_with_a_card_that_harms_it_loses_it(venue_in):
    venue = venue_in()
    money = baseline("big-money", WITCH_KINGDOM)
    clumsy = 'buy = ["Province", "Village if count_in_deck(Village) < 6", "Gold", "Witch", "Silver"]'

    _, changes = refine(venue, parse_strategy(clumsy).record(WITCH_KINGDOM), money, STAGES.planned(1000, 0))

    assert "no Village" in changes


def test_changes_do_not_cost_wins_against_the_rival(venue_in):
    venue = venue_in()
    best = baseline("double-witch", WITCH_KINGDOM)

    better, _ = refine(venue, best, best, STAGES.planned(1000, 0))

    before, after = (wins_against(venue, one, best, 1000, Purpose.EXPECTED) for one in (best, better))
    assert after.high >= before.low


def test_retraining_returns_networks_by_strategy_and_seed():
    start, other = (network_strategy(network(FIRST_GAME, more), FIRST_GAME) for more in ({}, {"Gold": 3.0}))
    stages = STAGES._replace(cards=STAGES.cards._replace(training=256))
    search = retraining(Venue(FIRST_GAME, 2, seed=3), start, stages)

    (first, second), (alone,) = search([start, other]), search([other])

    assert [weights_of(one).tobytes() for one in second] == [weights_of(one).tobytes() for one in alone]
    assert weights_of(first[0]).tobytes() != weights_of(second[0]).tobytes()
