"""Environments of fights: Gymnasium's checker, the exact optimum, bad input."""

import copy
import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from evodom.environments.pictures import HEIGHT, WIDTH
from evodom.environments.spire import SpireFightEnv
from evodom.errors import UsageError
from tests.effort import effort

SMALL = {"fight": "Cultist", "deck": "3 Strike, 3 Defend", "enemy_hp": [20], "relics": "none"}


def test_gymnasium_accepts_the_environment():
    check_env(
        gymnasium.make("evodom.environments:evodom/SpireFight-v1", **SMALL, exact="never").unwrapped,
        skip_render_check=True,
    )


def test_play_by_exact_values_reaches_the_optimum():
    env = SpireFightEnv(**SMALL, exact="position")
    payoffs = []
    for seed in range(effort(25, 5, 5)):
        _, info = env.reset(seed=seed)
        over = False
        while not over:
            best = int(np.nanargmax(info["values"]))
            assert info["action_mask"][best]
            observation, reward, over, _, info = env.step(best)
            assert observation in env.observation_space
        payoffs.append(reward)
        assert info["optimum"] == pytest.approx(env.reset(seed=seed)[1]["optimum"])
    error = np.std(payoffs) / np.sqrt(len(payoffs))
    assert abs(np.mean(payoffs) - info["optimum"]) < 4 * error + 1e-9


def test_a_fight_that_is_too_large_has_no_optimum():
    _, info = SpireFightEnv(exact="position", max_chance_nodes=50).reset(seed=1)
    assert set(info) == {"action_mask"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"fight": "Dragon"}, "no encounter or enemy named 'Dragon'"),
        ({"deck": "Lightsaber"}, "deck: no card named 'Lightsaber'"),
        ({"colour": "red"}, "'colour' is unknown. Allowed: enemies"),
        ({"exact": "maybe"}, "exact is 'maybe'. Allowed: fight, position, never"),
        ({"fight": "nowhere.toml"}, "nowhere.toml cannot be read"),
    ],
)
def test_bad_arguments_are_refused_in_one_line(arguments, message):
    with pytest.raises(UsageError, match=message):
        SpireFightEnv(**arguments)


def test_pictures_copies_and_options():
    env = SpireFightEnv(**SMALL, exact="never", render_mode="rgb_array")
    with pytest.raises(UsageError, match=r"options are {'seat': 1}. Allowed: none"):
        env.reset(options={"seat": 1})
    env.reset(seed=1)
    before, twin = env.render(), copy.deepcopy(env)
    twin.step(twin.action_space.sample())
    assert (twin.render() != before).any()
    assert (env.render() == before).all()
    assert len(pickle.dumps(env.action_space)) < 1000


@pytest.mark.parametrize("name", ["Dominion", "SpireFight"])
def test_stable_baselines_makes_the_environments(name):
    env_util = pytest.importorskip("stable_baselines3.common.env_util")
    envs = env_util.make_vec_env(f"evodom.environments:evodom/{name}-v1", n_envs=2, seed=1)
    envs.reset()
    envs.step([int(mask.argmax()) for mask in envs.env_method("action_masks")])
    assert envs.render().shape == (2 * HEIGHT, WIDTH, 3)


def test_an_illegal_move():
    env = SpireFightEnv(**SMALL, exact="never")
    env.reset(seed=1)
    with pytest.raises(UsageError, match=r"action 99 is not legal. Allowed: 1 \(end\)"):
        env.step(99)
    env = SpireFightEnv(**SMALL, exact="never", illegal="lose")
    env.reset(seed=1)
    assert env.step(99)[1:4] == (-1.0, True, False)
