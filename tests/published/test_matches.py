"""Matches of simple strategies against the published results of other engines (tests/data/published_matches.json)."""

import json
from math import sqrt
from pathlib import Path

import numpy as np
import pytest

from evodom.dominion.batch import play_games
from evodom.dominion.cards import COPPER, PROVINCE, SILVER
from evodom.dominion.effects import HAND
from evodom.dominion.kingdoms import FIRST_GAME
from evodom.dominion.position import parse_position
from evodom.dominion.rules import make_rules
from evodom.dominion.state import STATE, draw
from evodom.dominion.strategies.record import STRATEGY
from evodom.dominion.strategies.scripted import Wish, big_money, menu_strategy

PUBLISHED = json.loads((Path(__file__).parents[1] / "data" / "published_matches.json").read_text())
N_GAMES = 40_000


def play(menus, n_provinces: int | None = None) -> tuple[np.ndarray, np.recarray]:
    """Play games of one menu a seat, seats rotated; return which menu sat where, and the results."""
    strategies = np.zeros(len(menus), STRATEGY)
    for index, menu in enumerate(menus):
        strategies[index] = menu_strategy(tuple(menu), FIRST_GAME)
    rules = make_rules(n_seats=len(menus))
    if n_provinces is not None:
        rules.supply[PROVINCE] = n_provinces
    seats = np.arange(len(menus))
    tables = np.array([np.roll(seats, game) for game in range(N_GAMES)], np.int32)
    seeds = np.random.SeedSequence(2024).generate_state(N_GAMES, np.uint64)
    return tables, play_games(rules, strategies, tables, seeds).view(np.recarray)


def menu(name: str) -> list[Wish]:
    return [Wish(**wish) for wish in PUBLISHED["menus"][name]]


def agrees(share: float, percent: float) -> bool:
    """Tell whether a measured share lies within 3 standard errors and 0.3 points of a published one."""
    p = percent / 100
    return abs(share - p) <= 3 * sqrt(p * (1 - p) / N_GAMES) + 0.003


@pytest.fixture(scope="module", params=PUBLISHED["matches"], ids=lambda match: " v ".join(match["players"]))
def match(request):
    return request.param, *play([menu(name) for name in request.param["players"]])


@pytest.mark.parametrize("player", [0, 1])
def test_win_rates_are_as_published(match, player):
    published, tables, results = match
    wins = (results.win[:, :2][tables == player] == 1).mean()
    shares = results.win[:, :2][tables == player].mean()

    assert agrees(wins, published["win_pct"][player])
    assert agrees(shares, published["share_pct"][player])


def test_shared_victories_are_as_published(match):
    published, _, results = match

    assert agrees((results.win[:, 0] == 0.5).mean(), published["tie_pct"])


@pytest.mark.parametrize("seat", [0, 1])
def test_win_rates_by_seat_are_as_published(match, seat):
    published, _, results = match

    assert agrees((results.win[:, seat] == 1).mean(), published["seat_win_pct"][seat])


@pytest.mark.parametrize("player", [0, 1])
def test_victory_points_are_as_published(match, player):
    published, tables, results = match
    points = results.vp[:, :2][tables == player]

    assert points.mean() == pytest.approx(published["mean_vp"][player], abs=4 * points.std() / sqrt(N_GAMES) + 0.01)


def test_the_length_of_games_is_as_published(match):
    published, _, results = match
    turns = results.turns[:, 0]

    assert turns.mean() == pytest.approx(published["mean_turns"], abs=4 * published["sd_turns"] / sqrt(N_GAMES) + 0.001)
    assert turns.std() == pytest.approx(published["sd_turns"], rel=0.02)


@pytest.mark.parametrize("n_provinces", PUBLISHED["solitaire"]["turns"])
def test_big_money_alone_takes_the_published_turns_to_its_provinces(n_provinces):
    published = PUBLISHED["solitaire"]["turns"][n_provinces]
    _, results = play([menu("BM")], int(n_provinces))
    turns = results.turns[:, 0]

    assert turns.mean() == pytest.approx(published["mean_turns"], abs=4 * published["sd"] / sqrt(N_GAMES) + 0.001)
    assert turns.std() == pytest.approx(published["sd"], rel=0.02)


def test_four_big_money_players_take_the_published_rounds_and_points():
    published = PUBLISHED["big_money_table"]
    _, results = play([big_money()] * 4)

    assert results.turns[:, 0].mean() == pytest.approx(published["mean_rounds"], abs=0.1)
    assert results.vp[:, :4].mean() == pytest.approx(published["mean_vp"], abs=0.1)


def test_two_silvers_at_the_opening_bring_the_exact_coins_on_turns_three_and_four():
    published = PUBLISHED["silver_silver"]
    slots = np.zeros(2, STATE)
    slots[1] = parse_position("P1: deck 7 Copper, 3 Estate, 2 Silver").state
    coins = []
    for seed in np.random.SeedSequence(9).generate_state(N_GAMES, np.uint64):
        slots[0] = slots[1]
        slots[0].rng = seed
        totals = []
        for _ in range(2):
            draw(slots[0], 0, 5)
            hand = slots[0].cards[HAND]
            totals.append(int(hand[COPPER] + 2 * hand[SILVER]))
        coins.append((totals[0], totals[1] - totals[0]))
    worse, better = np.sort(coins, axis=1).T

    for limit, probability in published["at_least_one_hand"].items():
        assert agrees((better >= int(limit)).mean(), 100 * probability)
    for limit, probability in published["both_hands"].items():
        assert agrees((worse >= int(limit)).mean(), 100 * probability)
    assert (worse + better).mean() == pytest.approx(published["mean_total"], abs=0.02)
