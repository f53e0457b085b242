"""Train a policy by masked PPO until it beats Big Money, and save it as a policy for `evodom match`.

pip install -e ".[rl]" stable-baselines3 sb3-contrib
python docs/examples/ppo.py --minutes 9 && evodom match policy.pt2 big-money --kingdom "Big Money"
"""

import argparse
import time

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from evodom.environments import export
from evodom.environments.sb3 import VecEnv


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
    # The reward is the lead in victory points, divided by 20: wins alone are too rare to learn from at first.
    games = VecEnv(128, asked.kingdom, rewards="lead", reward_scale=1 / 20)
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
    logits = torch.nn.Sequential(model.policy.mlp_extractor.policy_net, model.policy.action_net)
    export(logits, "policy.pt2", games)


if __name__ == "__main__":
    main()
