"""Dominion in OpenSpiel: its random simulations, hidden cards, its information-set search."""

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: it has no wheel for this platform")

from open_spiel.python.algorithms.ismcts import ISMCTSBot  # noqa: E402
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator  # noqa: E402

import evodom.environments.open_spiel  # noqa: E402, F401
from evodom.errors import UsageError  # noqa: E402
from tests.effort import effort  # noqa: E402

ATTACKS = "evodom_dominion(players=3,kingdom=Militia;Witch;Spy;Bureaucrat;Steward,sets=Base;Intrigue,seed=2)"


def started(name, seed):
    """Return a game at its first Decision and the generator that drew its seed."""
    rng = np.random.RandomState(seed)
    state = pyspiel.load_game(name).new_initial_state()
    while state.is_chance_node():
        outcomes, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(int(rng.choice(outcomes, p=chances)))
    return state, rng


@pytest.mark.parametrize("name", ["evodom_dominion", pytest.param(ATTACKS, marks=pytest.mark.full)])
def test_random_simulations_of_open_spiel_pass(name, capfd):
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=effort(2, 1, 1), serialize=True, verbose=False)
    capfd.readouterr()


def test_information_sets_hide_what_a_seat_may_not_see():
    state, rng = started(ATTACKS, 1)
    n_changed = 0
    for _ in range(60):
        if state.is_terminal():
            break
        for seat in range(3):
            twin = state.resample_from_infostate(seat, rng.random_sample)
            assert twin.observation_string(seat) == state.observation_string(seat)
            assert twin.legal_actions() == state.legal_actions() or seat != state.current_player()
            n_changed += twin.state.tobytes() != state.state.tobytes()
        state.apply_action(int(rng.choice(state.legal_actions())))
    assert n_changed > 60


def test_information_set_search_of_open_spiel_chooses_legal_actions():
    state, rng = started("evodom_dominion(kingdom=Big Money)", 3)
    bot = ISMCTSBot(
        game=state.get_game(),
        evaluator=RandomRolloutEvaluator(1, rng),
        uct_c=1.0,
        max_simulations=4,
        random_state=rng,
        use_observation_string=True,
    )
    for _ in range(3):
        action = bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)


def test_illegal_actions_are_refused():
    state, _ = started("evodom_dominion", 1)
    for action in (5, 99, -2):
        with pytest.raises((UsageError, RuntimeError), match=rf"action {action} is not legal. Allowed: 0 \(Copper\)"):
            state.apply_action(action)
    begun = pyspiel.load_game("evodom_dominion").new_initial_state()
    with pytest.raises((UsageError, RuntimeError), match=r"action 300 is not legal"):
        begun.apply_action(300)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [("kingdom=Chappel", "Did you mean Chapel"), ("sets=Bace", "no set named 'Bace'"), ("players=9", "2 to 6")],
)
def test_bad_parameters_are_refused_in_one_line(arguments, message):
    with pytest.raises((UsageError, RuntimeError), match=message):
        pyspiel.load_game(f"evodom_dominion({arguments})")
