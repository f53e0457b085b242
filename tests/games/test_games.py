"""All games with listed outcomes pass the conformance check, and can be played."""

from fractions import Fraction

import numpy as np
import pytest

from evodom.errors import UsageError
from evodom.games import ExplicitGame, action_number, is_over, legal_mask, play, random_policy, starts_of, steps
from evodom.solving import evaluate, solve
from evodom.spire.map import Room, generate
from evodom.spire.route import RISK, FixedChances, RouteGame, at_most
from tests.effort import effort
from tests.games.conformance import check
from tests.games.strangers import HighCard, Nim, Pig
from tests.oracles.spire.fight import CardFight, FightSetup, TurnAction

TWO = FightSetup(
    enemies=("Acid Slime (S)", "Cultist"), deck={"Strike": 3, "Defend": 2, "True Grit+": 1, "Pommel Strike": 2}, hp=25
)
THREE = FightSetup(
    enemies=("Acid Slime (S)", "Spike Slime (S)", "Cultist"),
    relics=("Burning Blood",),
    max_turns=4,
    enemy_hp=(8, 9, 50),
)


class PaidPig(Pig):
    """Pig with a price: the player pays the opponent 1 for every throw."""

    def rewards(self, state, action):
        return (0, 0) if action == "stop" else (1, -1) if state[0] else (-1, 1)


GAMES = {
    "route": RouteGame(generate(7), RISK.at_tolerance(Fraction(1, 2)), rules=[at_most(3, Room.ELITE)]),
    "route without chance": RouteGame(generate(7), RISK.at_tolerance(Fraction(1, 2)), FixedChances({})),
    "fight against two": CardFight(TWO),
    "fight against three": CardFight(THREE),
    "Pig": Pig(),
    "Pig with rewards": PaidPig(),
}


@pytest.mark.parametrize("name", GAMES)
def test_a_game_with_listed_outcomes_keeps_the_contract(name):
    game = GAMES[name]
    assert isinstance(game, ExplicitGame)

    found = check(game, np.random.default_rng(7), n_games=effort(5, 2, 2), n_samples=effort(100, 40, 40))

    assert found.n_states > 10
    assert found.n_distributions > 2 or name == "route without chance"


def test_actions_have_fixed_numbers():
    game = GAMES["fight against two"]
    state = starts_of(game).most_likely()

    mask = legal_mask(game, state)

    assert mask.shape == (len(game.all_actions),)
    numbers = [action_number(game, action) for action in game.actions(state)]
    assert np.flatnonzero(mask).tolist() == sorted(numbers)
    assert action_number(game, TurnAction.END) == 1
    assert CardFight(TWO).all_actions == CardFight(TWO).all_actions


def test_a_game_is_played_by_one_policy_for_each_player():
    rng = np.random.default_rng(3)

    lowest = play(HighCard(), [lambda state: 1, lambda state: 6], rng, start=(((1, 2), (5, 6)), (3, 4), ()))

    assert lowest == (0, 1)
    assert sum(play(HighCard(), random_policy(HighCard(), np.random.default_rng(1)), rng)) == 1


def test_rewards_are_part_of_the_payoff():
    game = PaidPig()
    policy = random_policy(game, np.random.default_rng(1))

    walked = list(steps(game, policy, np.random.default_rng(2)))
    paid = play(game, random_policy(game, np.random.default_rng(1)), np.random.default_rng(2))

    assert is_over(game, walked[-1].after)
    paid_first = sum((1 if step.state[0] else -1) * (step.action == "throw") for step in walked)
    won = game.returns(walked[-1].after)
    assert paid == (won[0] + paid_first, won[1] - paid_first)


def test_a_policy_that_draws_random_numbers_does_not_change_chance():
    class Throwing(Pig):
        def actions(self, state):
            return super().actions(state)[:1]

    game = Throwing()

    one = play(game, lambda state: "throw", np.random.default_rng(2))
    other = play(game, random_policy(game, np.random.default_rng(99)), np.random.default_rng(2))

    assert one == other


class Bare(Nim):
    """A game of two players whose returns are a bare number."""

    def returns(self, state):
        return 1


@pytest.mark.parametrize(
    "use",
    [
        lambda game, rng: solve(game),
        lambda game, rng: play(game, random_policy(game, np.random.default_rng(2)), rng),
        lambda game, rng: evaluate(game, lambda state: game.actions(state)[0]),
    ],
    ids=["solve", "play", "evaluate"],
)
def test_a_bare_number_as_returns_is_refused_with_the_expected_shape(use):
    message = r"Bare\.returns gives 1\. Expected: a sequence with one number for each of 2 players, such as \(1, 2\)\."
    with pytest.raises(UsageError, match=message):
        use(Bare(), np.random.default_rng(1))
