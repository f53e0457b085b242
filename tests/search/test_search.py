"""Tree search, held against exact solving and against positions whose best move is known."""

from functools import cache
from itertools import product
from math import inf

import numpy as np
import pytest

from evodom.errors import UsageError
from evodom.games import play, random_policy, starts_of
from evodom.risk import Battlefield, InvasionState, StoppableInvasion
from evodom.search import ActionEstimate, TreeOptions, TreeSearch, playout_evaluator, policy, search
from evodom.solve import solve
from tests.games.strangers import HighCard, Nim
from tests.oracles.spire.fight import CardFight, FightSetup
from tests.search.games import N_PICKED, Box, Corridor, Picking, Shared, ShortPig, TicTacToe

SEEDS = range(4)
PIG = ShortPig()
PIG_TO_THROW = (0, (0, 0), 4, 8)
"""A position of Pig: throwing is worth 0.76, stopping 0.36."""
PIG_TO_STOP = (0, (7, 4), 4, 6)


def rng(seed=1):
    return np.random.default_rng(seed)


def fight_at_its_first_choice(setup):
    """Return a fight and the first state, as it is likeliest to go, with moves of different worth."""
    game = CardFight(setup)
    state = starts_of(game).most_likely()
    while len({choice.value for choice in solved(game).action_values(state)}) < 2:
        state = game.outcomes(state, solved(game).policy(state)).most_likely()
    return game, state


@cache
def solved(game):
    return solve(game, number_type=float)


def losses(game, state, simulations, **options):
    """Return what the searched best move loses against the best one, by seed."""
    value_of = dict(solved(game).action_values(state))
    sign = -1 if game.n_players == 2 and game.player(state) == 1 else 1
    best = max(sign * value for value in value_of.values())
    return [best - sign * value_of[search(game, state, rng(seed), simulations, **options)[0].action] for seed in SEEDS]


def test_the_best_move_of_pig_is_found():
    for state in (PIG_TO_THROW, PIG_TO_STOP, (1, (4, 7), 4, 6)):
        assert max(losses(PIG, state, 200)) < 0.02


@pytest.mark.parametrize("gumbel", [0, 8])
def test_the_best_card_of_a_fight_is_found(gumbel):
    game, state = fight_at_its_first_choice(FightSetup(hp=9, deck={"Strike": 5, "Defend": 2}, enemy_hp=(30,)))

    assert max(losses(game, state, 300, gumbel=gumbel)) < 0.5


def test_risk_attacks_that_pay_only_in_the_end_and_close_decisions_are_found():
    patient, close = StoppableInvasion(Battlefield(7, 5), territory=10), StoppableInvasion(Battlefield(7, 5))

    assert max(losses(patient, InvasionState(patient.begin), 400, refine=True)) < 0.1
    assert max(losses(close, InvasionState(close.begin), 600, sharpness=inf, exploration=2.5, refine=True)) < 0.1


def test_the_value_converges_to_the_exact_value():
    true = solved(PIG).value_of(PIG_TO_THROW)

    few, many = (
        np.mean([abs(search(PIG, PIG_TO_THROW, rng(seed), n)[0].value - true) for seed in SEEDS]) for n in (15, 500)
    )

    assert many < 0.05
    assert many < few / 2


def test_forced_results_of_tic_tac_toe_are_found_and_good_play_draws():
    for board, best in (
        ("XX.OO....", {2}),  # wins at once
        ("OO.X.X.X.", {2}),  # O wins at once, though it could also block
        ("X...O...X", {1, 3, 5, 7}),  # O must threaten: a corner loses
        ("X...O....", set(range(9)) - {0, 4}),  # a draw whatever X does
    ):
        assert search(TicTacToe(), board, rng(), 600)[0].action in best
    assert play(TicTacToe(), policy(TicTacToe(), rng(3), 150), rng()) == (0.5, 0.5)


def test_nim_is_won_by_leaving_a_multiple_of_four():
    for matches, player in ((10, 0), (7, 1), (9, 0)):
        found = search(Nim(), (matches, player), rng(), 300)
        assert found[0].action == matches % 4
        assert found[0].values[player] > 0.9
        assert sum(found[0].values) == pytest.approx(1)


def test_each_of_three_players_wants_the_most_for_himself():
    found = search(Shared(), (), rng(), 200, sharpness=inf)

    assert [one.action for one in found] == ["ask 2", "ask 1"]
    assert found[0].values == (3, 3, 3)
    assert found[1].values == (0, 5, 0)


def test_rewards_on_the_way_count_and_going_round_in_circles_ends():
    found = search(Corridor(), 2, rng(), 300, sharpness=inf)

    assert [one.action for one in found] == ["right", "left"]
    assert found[0].value == 10 - 3
    assert found[1].value == 10 - 5


def test_equal_states_by_other_orders_of_moves_are_one_node():
    player = TreeSearch(Picking(frozenset), rng(), TreeOptions(simulations=400, exploration=10))

    player.search(frozenset())

    assert player.n_nodes == N_PICKED


@pytest.mark.parametrize("kind", [frozenset, list, Box])
def test_states_need_be_neither_hashable_nor_comparable(kind):
    game = Picking(kind)

    found = search(game, game.start(rng()), rng(), 300, exploration=2.5, sharpness=inf)

    assert {one.action for one in found[:3]} == {1, 2, 4}
    assert found[0].value == 17


def test_equal_seeds_give_equal_searches():
    for options in ({}, {"gumbel": 4}):
        one, same, other = (search(ShortPig(), PIG_TO_THROW, rng(seed), 100, **options) for seed in (1, 1, 2))
        assert one == same != other


def test_visits_add_up_to_the_budget_and_probabilities_to_one():
    for simulations, gumbel in product((1, 2, 7, 100), (0, 1, 3, 16)):
        found = search(TicTacToe(), "." * 9, rng(), simulations, gumbel=gumbel)
        assert sum(one.visits for one in found) == simulations
        assert sum(one.probability for one in found) == pytest.approx(1)
        assert len(found) == 9


def test_the_subtree_of_a_move_is_kept_and_the_rest_removed():
    player = TreeSearch(TicTacToe(), rng(), TreeOptions(simulations=200))
    best = player.search("." * 9)[0]
    before = player.n_nodes

    again = player.search(TicTacToe().sample("." * 9, best.action, rng()))

    assert sum(one.visits for one in again) > 200
    assert player.n_nodes < before + 200
    assert sum(one.visits for one in player.search("XO" + "." * 7)) >= 200
    assert sum(one.visits for one in player.search("XOXO" + "." * 5)) >= 200


def test_the_only_move_is_taken_without_a_search_and_can_be_looked_at():
    def fail(game, state, rng):
        raise AssertionError

    forced = (0, (0, 0), 0, 8)

    assert TreeSearch(ShortPig(), rng(), TreeOptions(evaluator=fail)).choose(forced) == "throw"
    (found,) = search(ShortPig(), forced, rng(), 50)
    assert (found.visits, found.probability) == (50, 1)


def test_final_states_bad_options_and_unsolvable_games_are_refused():
    with pytest.raises(UsageError, match="the game is over in this state"):
        search(Nim(), (0, 0), rng())
    with pytest.raises(UsageError, match="TicTacToe cannot be solved"):
        search(TicTacToe(), "." * 9, rng(), solve_below=10)
    bad = {"simulations": 0, "exploration": -1, "sharpness": float("nan"), "gumbel": -1, "worlds": 0}
    for name, value in bad.items():
        with pytest.raises(UsageError, match=f"{name} must be at least"):
            TreeOptions(**{name: value})


def test_small_positions_are_solved_with_solve_below():
    found = search(Nim(), (10, 1), rng(), 1, solve_below=1000)

    assert found[0] == ActionEstimate(2, 0, 1.0, values=(0.0, 1.0), probability=1.0, exact=True)
    assert [one.value for one in found] == [1, 0, 0]


def test_large_or_cyclic_positions_are_searched_instead():
    for game, state in ((Nim(), (10, 0)), (Corridor(), 2)):
        found = search(game, state, rng(), 20, solve_below=3)
        assert not any(one.exact for one in found)
        assert sum(one.visits for one in found) == 20


def test_what_a_player_cannot_know_is_not_looked_at():
    # given two states that look alike to player 0: the hand of player 1 differs
    one = ((2, 5), (1, 3)), (4, 6), ()
    other = ((2, 5), (4, 6)), (1, 3), ()

    found = [search(HighCard(), state, rng(), 200) for state in (one, other)]

    assert found[0] == found[1]
    assert found[0][0].action == 5
    assert sum(figures.visits for figures in found[0]) == 200


def test_a_player_that_searches_beats_one_that_plays_at_random():
    game = ShortPig()
    luck, choices = rng(5), random_policy(game, rng(6))
    mine = policy(game, rng(7), 40, evaluator=playout_evaluator(n=2), gumbel=2)

    won = sum(play(game, [mine, choices], luck)[0] for _ in range(10))

    assert won > 7
