"""The environment of Stable-Baselines3: its games and its interface. The guide's example learns."""

import pytest

from evodom.errors import UsageError

pytest.importorskip("sb3_contrib", reason="sb3-contrib and PyTorch are too large for every run of the tests")

from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import VecMonitor

from evodom.environments.sb3 import VecEnv
from evodom.environments.vector import DominionVectorEnv


def test_games_are_those_of_the_vector_environment():
    ours = VecEnv(4, "Big Money", rewards="lead", reward_scale=0.5)
    ours.seed(7)
    envs = DominionVectorEnv(4, "Big Money", rewards="lead", scaled=True, copy=True, autoreset_mode="SameStep")
    observations, _ = envs.reset(seed=7)
    assert (ours.reset() == observations).all()
    n_over = 0
    for _ in range(400):
        actions = envs.batch.sample_actions()
        expected, rewards, terminations, truncations, step = envs.step(actions)
        observations, paid, over, infos = ours.step(actions)
        assert (observations == expected).all()
        assert (paid == rewards * 0.5).all()
        assert (over == terminations | truncations).all()
        assert (get_action_masks(ours) == step["action_mask"]).all()
        for row, info in enumerate(infos):
            if over[row]:
                assert (info["terminal_observation"] == step["final_obs"][row]).all()
                assert info["TimeLimit.truncated"] == truncations[row]
                n_over += 1
            else:
                assert not info
    assert n_over > 10


def test_the_interface_of_stable_baselines():
    envs = VecEnv(3, "Big Money")
    assert is_masking_supported(envs)
    assert not envs.has_attr("no_such_attribute")
    assert envs.get_attr("num_envs", indices=[0, 2]) == [3, 3]
    envs.set_attr("name", "games")
    assert envs.get_attr("name", indices=1) == ["games"]
    assert envs.env_is_wrapped(VecMonitor) == [False] * 3
    envs.reset()
    assert envs.env_method("set_opponents", "random") == [None] * 3
    (mask,) = envs.env_method("action_masks", indices=2)
    assert (mask == envs.envs.action_masks()[2]).all()
    envs.close()
    assert envs.envs.closed
    with pytest.raises(UsageError, match="learns one seat of each game: name opponents"):
        VecEnv(3, opponents=None)
