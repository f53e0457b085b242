"""The games here keep the contract: each passes the conformance kit."""

from fractions import Fraction

import numpy as np
import pytest

from evodom.dominion.solitaire import Solitaire
from evodom.games import ExplicitGame, action_number, is_over, legal_mask, play, random_policy, starts_of, steps
from evodom.games.conformance import check
from evodom.risk import Battlefield, Invasion, StoppableInvasion
from evodom.spire.map import Room, generate
from evodom.spire.route import RISK, FixedChances, RouteGame, at_most
from tests.games.strangers import HighCard, Pig
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

GAMES = {
    "Risk to the end": Invasion(Battlefield(9, 6)),
    "Risk with stopping": StoppableInvasion(Battlefield(7, 5)),
    "Dominion alone to a Province": Solitaire({"Silver": 4, "Gold": 2}),
    "Dominion alone to points": Solitaire({"Silver": 4, "Gold": 2, "Duchy": 2, "Estate": 1}, vp=9),
    "route": RouteGame(generate(7), RISK.at(Fraction(1, 2)), rules=[at_most(3, Room.ELITE)]),
    "route without chance": RouteGame(generate(7), RISK.at(Fraction(1, 2)), FixedChances({})),
    "fight against two": CardFight(TWO),
    "fight against three": CardFight(THREE),
    "Pig": Pig(),
}


@pytest.mark.parametrize("name", GAMES)
def test_games_that_list_their_outcomes_keep_the_contract(name):
    game = GAMES[name]
    assert isinstance(game, ExplicitGame)

    looked_at = check(game, np.random.default_rng(7), n_games=10, n_samples=200)

    assert looked_at.n_states > 20
    assert looked_at.n_distributions > 2 or name == "route without chance"


def test_actions_are_found_by_their_numbers():
    game = GAMES["fight against two"]
    state = starts_of(game).most_likely()

    mask = legal_mask(game, state)

    assert mask.shape == (len(game.all_actions),)
    assert [game.all_actions[i] for i in np.flatnonzero(mask)] == sorted(
        game.actions(state), key=lambda action: action_number(game, action)
    )
    assert action_number(game, TurnAction.END) == 1


def test_equal_fights_have_equal_numbers():
    assert CardFight(TWO).all_actions == CardFight(TWO).all_actions


def test_a_game_is_played_by_one_policy_for_each_player():
    rng = np.random.default_rng(3)

    lowest = play(HighCard(), [lambda state: 1, lambda state: 6], rng, start=(((1, 2), (5, 6)), (3, 4), ()))
    anything = play(HighCard(), random_policy(HighCard(), np.random.default_rng(1)), rng)

    assert lowest == (0, 1)
    assert sum(anything) == 1


def test_rewards_on_the_way_are_part_of_what_a_game_paid():
    game = GAMES["Dominion alone to a Province"]
    policy = random_policy(game, np.random.default_rng(1))

    walked = list(steps(game, policy, np.random.default_rng(2)))
    paid = play(game, random_policy(game, np.random.default_rng(1)), np.random.default_rng(2))

    assert is_over(game, walked[-1].after)
    assert paid == (-sum(step.action == "draw" for step in walked),)


def test_the_luck_of_a_game_does_not_depend_on_how_choices_are_made():
    # given two policies that choose alike, one of which draws random numbers of its own
    game = Invasion(Battlefield(9, 6))

    one = play(game, lambda state: "attack", np.random.default_rng(2))
    other = play(game, random_policy(game, np.random.default_rng(99)), np.random.default_rng(2))

    assert one == other
