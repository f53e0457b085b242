"""Solitaire Dominion: rules of the engine, known values, optimal policies."""

from fractions import Fraction
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest

from evodom.dominion.solitaire import (
    BIG_MONEY,
    DRAW,
    NOTHING,
    WON,
    Solitaire,
    SolitaireState,
    buy_rules,
    duchy_late,
    openings,
)
from evodom.errors import UsageError
from evodom.solve.cycles import evaluate_bounds, solve_bounds
from evodom.solve.forward import visits
from tests.oracles.published.file import read_results
from tests.oracles.published.play import Sampling, play_alone

N_GAMES = 4_000
PUBLISHED = Path(__file__).parents[1] / "data" / "published_matches.json"


def race_of(**supply):
    return Solitaire(supply)


def test_a_hand_is_the_deck_then_the_shuffled_discard_pile():
    race = Solitaire({"Duchy": 2}, vp=6, deck={"Copper": 5})

    hands = race.outcomes(race.first, DRAW)

    assert dict(hands) == {SolitaireState(5, (0, 0, 0, 0), (5, 0, 0, 0), (0, 0, 0, 0, 2, 1), 6): 1}

    race = race_of(Silver=4)
    # given one Estate on the deck, and 7 Coppers and 3 other cards discarded
    spot = SolitaireState(None, (0, 0, 0, 1), (7, 0, 0, 4), race.first.left, 1)

    hands = {state.deck: share for state, share in race.outcomes(spot, DRAW)}

    # then the hand is the Estate and four of the ten, the other six are the new deck
    assert hands[3, 0, 0, 3] == Fraction(35, 210)
    assert {sum(deck) for deck in hands} == {6}


def test_a_bought_card_is_in_the_discard_pile_until_the_next_shuffle():
    race = race_of(Silver=4)
    spot = SolitaireState(3, (4, 0, 0, 1), (7, 0, 0, 3), race.first.left, 1)

    assert dict(race.outcomes(spot, "Silver")) == {
        SolitaireState(None, (4, 0, 0, 1), (7, 1, 0, 3), (0, 3, 0, 0, 0, 1), 1): 1
    }
    assert race.actions(spot) == ("Silver", NOTHING)


def test_the_race_ends_with_the_last_province():
    race = Solitaire({"Silver": 4}, provinces=2)
    spot = SolitaireState(8, (1, 0, 0, 0), (7, 4, 0, 3), race.first.left, 2)

    (first, _), *_ = race.outcomes(spot, "Province").pairs
    (second, _), *_ = race.outcomes(spot._replace(to_go=1), "Province").pairs

    assert first.to_go == 1
    assert first.owned == (7, 4, 0, 4)
    assert second == WON
    assert race.actions(WON) == ()


def test_five_coppers_and_two_duchies_take_37_sixths_turns():
    # given a Duchy bought on turn 1, the second needs five Coppers from six cards: 1 in 6 on turn 2, and whenever that
    # fails the next hand is the card left over and four of five others, 1 in 5 each time
    race = Solitaire({"Duchy": 2}, vp=6, deck={"Copper": 5})

    low, high = solve_bounds(race, race.first).value

    assert low <= -37 / 6 <= high


def test_big_money_agrees_with_an_enumeration_of_single_cards():
    race = Solitaire({"Silver": 3, "Gold": 1}, deck={"Copper": 5, "Estate": 2})

    turns = evaluate_bounds(race, BIG_MONEY, race.first).results()

    for turn in range(1, 6):
        assert float(turns.probability(-turn)) == pytest.approx(float(_won_on(turn)), abs=1e-8)
    assert _won_on(5) > 0.1


def test_big_money_agrees_with_the_engine():
    # given more Silver and Gold than Big Money ever wants, as in the game
    race = race_of(Silver=11, Gold=8)
    played = play_alone(read_results(PUBLISHED), "BM", Sampling(N_GAMES, seed=7), 1)[:, 0]

    found = evaluate_bounds(race, BIG_MONEY, race.first)

    turns = found.results()
    sd = float(turns.variance()) ** 0.5
    assert played.mean() == pytest.approx(-found.value.middle, abs=4 * sd / N_GAMES**0.5)
    for turn, share in turns:
        error = 4 * (share * (1 - share) / N_GAMES) ** 0.5 + 1e-4
        assert (played == -turn).mean() == pytest.approx(share, abs=error), turn


def test_the_optimal_policy_is_slightly_faster_than_big_money():
    race = race_of(Silver=6, Gold=4)
    with_copper, without = race_of(Silver=4, Gold=2, Copper=1), race_of(Silver=4, Gold=2)

    best, big_money = solve_bounds(race, race.first), evaluate_bounds(race, BIG_MONEY, race.first)

    assert 0 < best.value.low - big_money.value.high < 1e-5
    assert best.value.middle == pytest.approx(-8.735485, abs=1e-6)
    # A Copper for two coins is better than no buy.
    assert solve_bounds(with_copper, with_copper.first).value.low > solve_bounds(without, without.first).value.high


def test_gold_is_better_than_the_first_of_four_provinces():
    race = Solitaire({"Silver": 3, "Gold": 3}, provinces=4)

    best = solve_bounds(race, race.first)

    # given a deck of 3 Silver and no Gold yet: with 8 coins Big Money turns to Provinces too early
    no_gold = [
        state
        for state in visits(race, BIG_MONEY, best.start)
        if state.coins == 8 and state.left[:3] == (0, 0, 3) and state.to_go == 4
    ]
    assert {best.policy(state) for state in no_gold} == {"Gold"}
    assert {best.policy(state._replace(to_go=1, left=(0, 0, 3, 0, 0, 1))) for state in no_gold} == {"Province"}


def test_duchies_late_are_faster_to_points_than_provinces_alone():
    race = Solitaire({"Silver": 3, "Gold": 2, "Duchy": 2}, vp=15)

    best, early, late, never = (
        evaluate_bounds(race, policy, race.first) if policy else solve_bounds(race, race.first)
        for policy in (None, duchy_late(12), duchy_late(6), BIG_MONEY)
    )

    assert best.value.low > late.value.high > never.value.high > early.value.high


def test_openings_have_their_exact_probabilities():
    found = openings(race_of(Silver=4, Gold=1), BIG_MONEY)

    assert [(one.coins, one.buys, one.probability) for one in found] == [
        ((2, 5), (NOTHING, "Silver"), Fraction(1, 12)),
        ((3, 4), ("Silver", "Silver"), Fraction(5, 12)),
        ((4, 3), ("Silver", "Silver"), Fraction(5, 12)),
        ((5, 2), ("Silver", NOTHING), Fraction(1, 12)),
    ]


def test_the_first_rule_whose_condition_holds_is_used():
    rules = buy_rules(("Gold", lambda state: state.left[2] > 1), "Silver")
    spot = SolitaireState(6, (), (7, 0, 0, 3), (0, 4, 2, 0, 0, 1), 1)

    assert rules(spot) == "Gold"
    assert rules(spot._replace(left=(0, 4, 1, 0, 0, 1))) == "Silver"
    assert rules(spot._replace(coins=2)) == NOTHING


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"supply": {"Smithy": 1}}, "no 'Smithy'"),
        ({"supply": {"Silver": -1}}, "-1 Silver"),
        ({"supply": {}, "provinces": 0}, "at least 1 Province"),
        ({"supply": {}, "deck": {"Copper": 4}}, "at least 5 cards, got 4"),
        ({"supply": {"Gold": 10}}, "best hand pays 5 coins"),
        ({"supply": {"Silver": 9, "Province": 1}, "provinces": 2}, "give 1 of 2"),
        ({"supply": {"Silver": 9}, "vp": 3}, "more victory points than owned"),
    ],
)
def test_an_invalid_race_is_refused(options, message):
    with pytest.raises(UsageError, match=message):
        Solitaire(**options)


@cache
def _won_on(turn, deck=("C",) * 5 + ("E",) * 2, discard=(), left=(3, 1)):
    """Return the probability that Big Money wins on a turn, with every card by itself: no merging, no formula."""
    if len(deck) >= 5:
        drawn = list(combinations(range(len(deck)), 5))
        piles = [tuple(deck[i] for i in hand) for hand in drawn]
        rests = [tuple(card for i, card in enumerate(deck) if i not in hand) for hand in drawn]
    else:
        drawn = list(combinations(range(len(discard)), 5 - len(deck)))
        piles = [deck + tuple(discard[i] for i in hand) for hand in drawn]
        rests = [tuple(card for i, card in enumerate(discard) if i not in hand) for hand in drawn]
        discard = ()
    total = Fraction(0)
    for hand, rest in zip(piles, rests, strict=True):
        coins = sum({"C": 1, "S": 2, "G": 3, "E": 0}[card] for card in hand)
        if coins >= 8:
            total += int(turn == 1)
            continue
        if turn == 1:
            continue
        silvers, golds = left
        bought: tuple[str, ...] = ()
        if coins >= 6 and golds:
            bought, golds = ("G",), golds - 1
        elif coins >= 3 and silvers:
            bought, silvers = ("S",), silvers - 1
        after = tuple(sorted(discard + hand + bought))
        total += _won_on(turn - 1, tuple(sorted(rest)), after, (silvers, golds))
    return total / len(piles)
