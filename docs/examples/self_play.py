"""Train a policy by fictitious self-play: PPO against a league of its earlier versions and Big Money.

pip install -e ".[rl]" torch
python docs/examples/self_play.py --minutes 10 && evodom match self_play.pt2 big-money --kingdom "Big Money"
"""

import argparse
import copy
import time

import torch
from torch import nn

from evodom.environments import export
from evodom.environments.vector import DominionVectorEnv

MAX_SNAPSHOTS, FIRST_SNAPSHOT, SNAPSHOT_SHARE = 4, 0.5, 0.05  # shares of the time: before the first, between two
N_GAMES, N_STEPS, N_EPOCHS, BATCH_SIZE, LEARNING_RATE, ENTROPY_BONUS, CLIP = 128, 128, 4, 4096, 1e-3, 0.01, 0.2


def layers(n_inputs, n_outputs, gain, width=128):
    linear = [nn.Linear(n_inputs, width), nn.Linear(width, width), nn.Linear(width, n_outputs)]
    for layer, factor in zip(linear, (2**0.5, 2**0.5, gain), strict=True):
        nn.init.orthogonal_(layer.weight, factor)
    return nn.Sequential(linear[0], nn.Tanh(), linear[1], nn.Tanh(), linear[2])


class Net(nn.Module):
    """The logits of actions, and the value of a position, by two nets. The exported policy returns logits."""

    def __init__(self, n_features, n_actions):
        super().__init__()
        self.policy, self.value = layers(n_features, n_actions, 0.01), layers(n_features, 1, 1.0)

    def forward(self, observations):
        return self.policy(observations)

    def snapshot(self):
        frozen = copy.deepcopy(self.policy).requires_grad_(False)
        return lambda observations, masks: frozen(torch.from_numpy(observations)).numpy()

    def inputs(self, observations, infos):
        return torch.from_numpy(observations), torch.from_numpy(infos["action_mask"])

    def evaluate(self, observations, masks):
        return self.policy(observations).masked_fill(~masks, -1e9).log_softmax(1), self.value(observations)[:, 0]


@torch.no_grad()
def play(envs, net, observations, infos, n_steps=N_STEPS, reward=lambda leads: leads / 20):
    """Play some decisions. Return a batch with advantages and returns, then the next observations and infos."""
    steps = []
    for _ in range(n_steps):
        log_probs, values = net.evaluate(*(inputs := net.inputs(observations, infos)))
        actions = (log_probs - torch.empty_like(log_probs).exponential_().log()).argmax(1)  # a random draw
        observations, leads, ended, cut, infos = envs.step(actions.numpy())
        chosen, goes_on = log_probs.gather(1, actions[:, None])[:, 0], torch.from_numpy(~(ended | cut))
        steps.append((*inputs, actions, chosen, values, torch.from_numpy(reward(leads)), goes_on))
    *batch, before, rewards, goes_on = map(torch.stack, zip(*steps, strict=True))
    _, values = net.evaluate(*net.inputs(observations, infos))
    advantages, advantage = torch.zeros_like(before), torch.zeros_like(values)
    for step in reversed(range(n_steps)):
        advantage = rewards[step] + goes_on[step] * (values + 0.97 * advantage) - before[step]
        advantages[step], values = advantage, before[step]
    return [part.flatten(0, 1) for part in (*batch, advantages, advantages + before)], observations, infos


def learn(net, optimizer, batch, n_epochs=N_EPOCHS, batch_size=BATCH_SIZE):
    """Improve the policy by some epochs of PPO."""
    for rows in (rows for _ in range(n_epochs) for rows in torch.randperm(len(batch[0])).split(batch_size)):
        *inputs, actions, chosen, advantages, returns = (part[rows] for part in batch)
        log_probs, values = net.evaluate(*inputs)
        ratio = (log_probs.gather(1, actions[:, None])[:, 0] - chosen).exp()
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        gains = torch.min(ratio * advantages, ratio.clamp(1 - CLIP, 1 + CLIP) * advantages)
        gains -= ENTROPY_BONUS * (log_probs.exp() * log_probs).sum(1)
        net.zero_grad()
        ((values - returns).square() / 2 - gains).mean().backward()
        nn.utils.clip_grad_norm_(net.parameters(), 0.5)
        optimizer.step()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    minutes, _ = parser.parse_args().minutes, torch.manual_seed(1)
    envs = DominionVectorEnv(N_GAMES, "Big Money", rewards="lead", scaled=True, copy=True, autoreset_mode="SameStep")
    observations, infos = envs.reset(seed=1)
    net = Net(observations.shape[1], envs.single_action_space.n)
    optimizer, snapshots, begin = torch.optim.Adam(net.parameters()), [], time.monotonic()
    while (share := (time.monotonic() - begin) / 60 / minutes) < 1:
        if share > FIRST_SNAPSHOT + SNAPSHOT_SHARE * len(snapshots):
            snapshots.append(net.snapshot())  # opponents are the newest, and older ones from all times
            envs.set_opponents({"big-money": 1} | dict.fromkeys(snapshots[:: -len(snapshots) // MAX_SNAPSHOTS], 1))
        optimizer.param_groups[0]["lr"] = LEARNING_RATE * (1 - share)
        batch, observations, infos = play(envs, net, observations, infos)
        learn(net, optimizer, batch)
    export(net, "self_play.pt2", envs)


if __name__ == "__main__":
    main()
