"""What new positions of a tree are said to be worth."""

import numpy as np
import pytest

from evodom.errors import EvodomError, UsageError
from evodom.search import LeafEvaluation, exact_evaluator, playout_evaluator, search
from evodom.solve import solve
from tests.games.strangers import Nim
from tests.search.games import Corridor, ShortPig, TicTacToe


def rng(seed=1):
    return np.random.default_rng(seed)


def test_rollouts_follow_a_policy_for_each_player_and_count_rewards():
    evaluator = playout_evaluator([lambda state: 1, lambda state: min(2, state[0])])

    assert evaluator(Nim(), (3, 0), rng()) == (0, 1)
    assert playout_evaluator(lambda state: "right", 3)(Corridor(), 2, rng()) == (7,)


def test_rollouts_without_a_policy_are_random():
    one, other = playout_evaluator(n=1000)(TicTacToe(), "." * 9, rng())

    assert one == pytest.approx(0.65, abs=0.04)  # X wins 0.585 of random games and draws 0.127
    assert one + other == pytest.approx(1)


def test_rollouts_that_cannot_be_made_are_refused():
    with pytest.raises(UsageError, match="at least 1 time, got 0"):
        playout_evaluator(n=0)
    with pytest.raises(UsageError, match="one for each of 2 players, got 1"):
        playout_evaluator([lambda state: 1])(Nim(), (3, 0), rng())
    with pytest.raises(EvodomError, match="not ended after 50 actions"):
        playout_evaluator(lambda state: "left", max_actions=50)(Corridor(), 2, rng())


def test_the_exact_evaluator_knows_what_both_players_can_expect():
    state = (1, (4, 7), 4, 6)
    solution = solve(ShortPig(), state, number_type=float)

    one, other = exact_evaluator(solution)(ShortPig(), state, rng())

    assert one == solution.value_of(state)
    assert one + other == 1


def test_a_search_with_the_exact_evaluator_needs_few_simulations():
    state = (0, (4, 7), 4, 6)
    solution = solve(ShortPig(), state, number_type=float)

    options = {"evaluator": exact_evaluator(solution), "refine": True}
    found = [search(ShortPig(), state, rng(seed), 40, **options)[0] for seed in range(5)]

    assert {one.action for one in found} == {solution.policy(state)}
    assert np.mean([one.value for one in found]) == pytest.approx(solution.value, abs=0.05)


def test_priors_say_what_is_tried_first():
    def evaluator(game, state, rng):
        actions = game.actions(state)
        return LeafEvaluation((0.5, 0.5), [action == actions[-1] for action in actions])

    found = search(TicTacToe(), "." * 9, rng(), 5, evaluator=evaluator)

    assert (found[0].action, found[0].visits) == (8, 5)
    assert search(TicTacToe(), "." * 9, rng(), 5, evaluator=evaluator, gumbel=1)[0].action == 8


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ((1,), "2 finite values"),
        ((1, float("nan")), "2 finite values"),
        (LeafEvaluation((1, 0), (1,)), "3 priors"),
        (LeafEvaluation((1, 0), (0, 0, 0)), "3 priors"),
        (LeafEvaluation((1, 0), (1, 1, -1)), "3 priors"),
    ],
)
def test_answers_that_cannot_be_used_are_refused(answer, message):
    with pytest.raises(UsageError, match=message):
        search(Nim(), (9, 0), rng(), 5, evaluator=lambda game, state, rng: answer)
