"""Event rooms that may be something else: by hand, by simulation, and against the routes without chance."""

from fractions import Fraction

import numpy as np
import pytest

from evodom.errors import UsageError
from evodom.games import play
from evodom.solving import evaluate, solve
from evodom.spire.map import Node, Room
from evodom.spire.route import (
    GAME_CHANCES,
    RANK,
    RISK,
    FixedChances,
    NoRoute,
    RoomTable,
    RouteGame,
    Survive,
    at_least,
    at_most,
    find_routes,
    follow_path,
)
from evodom.spire.route.event_rooms import PERCENT_BY_MISSES
from tests.spire.route.maps import FILES, from_file, from_rows

SURE = FixedChances({})


def shares(distribution):
    return {room.letter: float(share) for room, share in distribution}


@pytest.mark.parametrize("name", FILES)
def test_without_chance_the_game_equals_the_best_route(name):
    act_map = from_file(name)
    evaluation, rules = RISK.at_tolerance(0.5), [at_most(2, Room.ELITE)]

    assert solve(RouteGame(act_map, evaluation, SURE, rules)).value == find_routes(act_map, evaluation, rules).value


def test_a_small_map_by_hand():
    """The event is a shop (value 8) in half of the cases. Only after a shop the left rest has the value 9."""
    act_map = from_rows("?M", "R$", "RR")
    table = RoomTable({Room.SHOP: 8, Room.MONSTER: 5, Room.REST: 1}, after={(Room.SHOP, Room.REST): 9})
    game = RouteGame(act_map, table, FixedChances({Room.SHOP: Fraction(1, 2)}))

    solution = solve(game)

    # ? is a shop: 8, then rest 9, rest 1 = 18, or shop 8, rest 9 = 25. ? is an event: 0, then shop 8, rest 9 = 17.
    # Monster first: 5 + 8 + 9 = 22 for sure.
    assert solution.value == 22
    choices = solution.action_values(game.first)
    assert [(choice.action, choice.value) for choice in choices] == [(Node(1, 0), 22), (Node(0, 0), 21)]


def test_the_plan_depends_on_outcomes_of_event_rooms():
    act_map = from_rows(" ? ", "R$E")
    table = RoomTable({Room.ELITE: 5, Room.REST: 3}, after={(Room.MONSTER, Room.ELITE): -5})
    game = RouteGame(act_map, table, FixedChances({Room.MONSTER: Fraction(1, 4)}))

    solution = solve(game)

    after = {place.room: solution.policy(place) for place, _ in game.outcomes(game.first, Node(1, 0))}
    assert after == {Room.MONSTER: Node(0, 1), Room.EVENT: Node(2, 1)}
    assert solution.value == Fraction(3, 4) * 5 + Fraction(1, 4) * 3
    assert dict(solution.results()) == {5: Fraction(3, 4), 3: Fraction(1, 4)}


def test_simulated_plans_reach_their_expected_value():
    game = RouteGame(from_file("673465884448_Act2"), RISK.at_tolerance(0))
    solution = solve(game)
    rng = np.random.default_rng(3)

    paid = [float(play(game, solution.policy, rng)[0]) for _ in range(60)]

    error = np.std(paid) / np.sqrt(len(paid))
    assert np.mean(paid) == pytest.approx(float(solution.value), abs=4 * error)
    assert 0 < error < 1


@pytest.mark.parametrize("name", FILES[1:3])
def test_plans_are_at_least_as_good_as_fixed_paths(name):
    act_map = from_file(name)
    game = RouteGame(act_map, RISK.at_tolerance(0))
    path = find_routes(act_map, RISK.at_tolerance(0)).best[0].path

    kept = evaluate(game, follow_path(path)).value

    assert game.can_follow(path)
    assert kept <= solve(game).value


def test_chances_of_the_game_grow():
    after_one_event = GAME_CHANCES.after(GAME_CHANCES.initial_memory, Room.EVENT)
    after_a_fight = GAME_CHANCES.after(after_one_event, Room.MONSTER)

    first = shares(GAME_CHANCES.outcomes(GAME_CHANCES.initial_memory, None))
    assert first == {"M": 0.1, "$": 0.03, "T": 0.02, "?": 0.85}
    assert shares(GAME_CHANCES.outcomes(after_one_event, Room.MONSTER)) == {"M": 0.2, "$": 0.06, "T": 0.04, "?": 0.7}
    assert shares(GAME_CHANCES.outcomes(after_a_fight, Room.MONSTER)) == {"M": 0.1, "$": 0.09, "T": 0.06, "?": 0.75}


def test_no_event_room_after_a_shop_is_a_shop():
    assert shares(GAME_CHANCES.outcomes(GAME_CHANCES.initial_memory, Room.SHOP)) == {"M": 0.1, "T": 0.02, "?": 0.88}
    assert shares(GAME_CHANCES.outcomes((3, 4, 0), Room.SHOP)) == {"M": 0.4, "T": 0.02, "?": 0.58}


def test_the_last_slot_is_a_treasure_even_if_a_fight_is_certain():
    assert shares(GAME_CHANCES.outcomes((9, 0, 0), Room.REST)) == {"M": 0.99, "T": 0.01}


def test_percentages_are_those_of_32_bit_floats():
    base = {Room.MONSTER: 0.1, Room.SHOP: 0.03, Room.TREASURE: 0.02}
    for room, growth in PERCENT_BY_MISSES.items():
        share, step = np.float32(base[room]), np.float32(base[room])
        for percent in growth:
            assert int(share * np.float32(100)) == percent
            share += step


def test_only_event_rooms_change_the_memory_of_chances():
    game = RouteGame(from_rows("?", "M", "?"), RANK)
    (first,) = [place for place, _ in game.outcomes(game.first, Node(0, 0)) if place.room is Room.EVENT]
    (second,) = [place for place, _ in game.outcomes(first, Node(0, 1))]

    third = {place.room.letter: float(share) for place, share in game.outcomes(second, Node(0, 2))}

    assert third == {"M": 0.2, "$": 0.06, "T": 0.04, "?": 0.7}


def test_rules_hold_for_all_outcomes_of_event_rooms():
    act_map = from_rows("?$", "MM", "RR")

    game = RouteGame(act_map, RANK, GAME_CHANCES, [at_least(1, Room.SHOP)])

    assert game.actions(game.first) == (Node(1, 0),)
    with pytest.raises(NoRoute, match=r"no path certainly keeps the rules.*: at most 1 monster"):
        RouteGame(from_rows("?", "M"), RANK, GAME_CHANCES, [at_most(1, Room.MONSTER)])


def test_rules_that_no_path_keeps_are_reported_as_without_chance():
    with pytest.raises(NoRoute, match="Maximum on a path: 1"):
        RouteGame(from_rows("?$", "MM"), RANK, GAME_CHANCES, [at_least(2, Room.SHOP)])


def test_possibly_deadly_rooms_are_not_entered():
    act_map = from_rows("M", "?$", "MM", "RR")
    fights = {Room.MONSTER: -4}

    bold = RouteGame(act_map, RANK, GAME_CHANCES, [Survive(13, fights, 80)])
    careful = RouteGame(act_map, RANK, GAME_CHANCES, [Survive(12, fights, 80)])

    first = next(iter(dict(bold.outcomes(bold.first, Node(0, 0)))))
    assert bold.actions(first) == (Node(0, 1), Node(1, 1))
    first = next(iter(dict(careful.outcomes(careful.first, Node(0, 0)))))
    assert careful.actions(first) == (Node(1, 1),)
    assert not careful.can_follow([Node(0, 0), Node(0, 1), Node(0, 2), Node(0, 3)])


def test_hp_change_by_the_outcome_of_an_event_room():
    game = RouteGame(from_rows("?"), RANK, GAME_CHANCES, [Survive(30, {Room.MONSTER: -4}, 80)])

    hp = {place.room.letter: place.tallies[0] for place, _ in game.outcomes(game.first, Node(0, 0))}

    assert hp == {"M": 26, "$": 30, "T": 30, "?": 30}


def test_the_sum_of_chances_is_at_most_1():
    with pytest.raises(UsageError, match="sum of at most 1"):
        FixedChances({Room.MONSTER: Fraction(3, 4), Room.SHOP: Fraction(1, 2)})
