"""Play Dominion by OpenSpiel's information-set tree search against Big Money.

pip install -e ".[open-spiel]"
python docs/examples/open_spiel_search.py --simulations 50
"""

import argparse

import numpy as np
import pyspiel
from open_spiel.python.algorithms.ismcts import ISMCTSBot

import evodom
import evodom.environments.open_spiel
from evodom.games import action_number

KINGDOM = "Big Money"


class PlayedOut:
    """Evaluate a state by a game of Big Money against itself."""

    def __init__(self, choose) -> None:
        self.choose = choose

    def evaluate(self, state):
        state = state.clone()
        while not state.is_terminal():
            state.apply_action(self.choose(state))
        return np.array(state.returns())

    def prior(self, state):
        legal = state.legal_actions()
        return [(action, 1 / len(legal)) for action in legal]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=50)
    parser.add_argument("--decisions", type=int, default=10_000, help="stop after this number")
    asked = parser.parse_args()
    game = pyspiel.load_game(f"evodom_dominion(players=2,kingdom={KINGDOM})")
    big_money = evodom.find_strategy("big-money", KINGDOM)

    def choose(state):
        return action_number(state.dominion, big_money.choose(state.state))

    rng = np.random.RandomState(1)
    bot = ISMCTSBot(
        game, PlayedOut(choose), 0.5, max_simulations=asked.simulations, random_state=rng, use_observation_string=True
    )
    bot.set_resampler(lambda state, player: state.resample_from_infostate(player, rng.random_sample))
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(rng.choice(256))
    for _ in range(asked.decisions):
        if state.is_terminal():
            break
        action = bot.step(state) if state.current_player() == 0 else choose(state)
        if state.current_player() == 0:
            print(f"turn {state.state.turns[0]}: {state.action_to_string(action)}")
        state.apply_action(action)
    print(f"share of the win: {state.returns()}")


if __name__ == "__main__":
    main()
