"""Train a policy by masked PPO until it beats Big Money, and save it as a policy for `evodom match`.

pip install -e ".[rl]" sb3-contrib
python docs/examples/ppo.py --minutes 9 && evodom match policy.pt2 big-money --kingdom "Big Money"
"""

import argparse
import time

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecEnv

from evodom.environments.vector import DominionVectorEnv

VP_SCALE = 20.0
"""The reward is the lead in victory points, divided by this: wins alone are too rare to learn from at first."""


class Games(VecEnv):
    """Games in step, by the interface of Stable Baselines: a finished game starts again in the same step."""

    def __init__(self, n: int, kingdom: str, seed: int) -> None:
        self.envs = DominionVectorEnv(n, kingdom, rewards="lead", scaled=True, copy=True)
        super().__init__(n, self.envs.single_observation_space, self.envs.single_action_space)
        self.envs.reset(seed=seed)

    def reset(self):
        return self.envs.reset()[0]

    def step_async(self, actions):
        self.actions = actions

    def step_wait(self):
        observations, rewards, terminations, truncations, _ = self.envs.step(self.actions)
        over = terminations | truncations
        infos = [{"terminal_observation": one} if end else {} for one, end in zip(observations, over, strict=True)]
        return self.envs.restart() if over.any() else observations, rewards / VP_SCALE, over, infos

    def env_method(self, name, *arguments, indices=None, **options):
        return list(getattr(self.envs, name)(*arguments, **options))

    def has_attr(self, name):
        return hasattr(self.envs, name)

    def get_attr(self, name, indices=None):
        return [getattr(self.envs, name, None)] * self.num_envs

    def set_attr(self, name, value, indices=None):
        raise NotImplementedError

    def env_is_wrapped(self, wrapper, indices=None):
        return [False] * self.num_envs

    def close(self):
        self.envs.close()


class Until(BaseCallback):
    """Stop training after some minutes."""

    def __init__(self, minutes: float) -> None:
        super().__init__()
        self.end = time.monotonic() + 60 * minutes

    def _on_step(self) -> bool:
        return time.monotonic() < self.end


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=9)
    parser.add_argument("--kingdom", default="Big Money")
    asked = parser.parse_args()
    games = Games(128, asked.kingdom, seed=1)
    settings = {
        "n_steps": 128,
        "batch_size": 4096,
        "n_epochs": 4,
        "gamma": 1.0,
        "gae_lambda": 0.97,
        "ent_coef": 0.01,
        "learning_rate": 7e-4,
    }
    model = MaskablePPO("MlpPolicy", games, seed=1, policy_kwargs={"net_arch": [128, 128]}, **settings)
    model.learn(10**9, callback=Until(asked.minutes))
    print(f"{model.num_timesteps:,} decisions")
    policy, size = model.policy.cpu(), games.observation_space.shape
    logits = torch.nn.Sequential(policy.mlp_extractor.policy_net, policy.action_net)
    shape = ({0: torch.export.Dim("n")},)  # any number of observations
    torch.export.save(torch.export.export(logits, (torch.zeros(2, *size),), dynamic_shapes=shape), "policy.pt2")


if __name__ == "__main__":
    main()
