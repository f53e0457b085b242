"""Train one policy for all kingdoms by PPO, and measure it in the test kingdoms, which training never draws.

pip install -e ".[rl]" torch
python docs/examples/all_kingdoms.py --minutes 20 && evodom benchmark all_kingdoms.pt2
"""

import argparse
import time

import numpy as np
import torch
from self_play import LEARNING_RATE, learn, play
from torch import nn

from evodom.dominion.kingdom import find_sets
from evodom.dominion.splits import held_out_kingdoms
from evodom.dominion.strategies.baselines import baseline
from evodom.environments import export
from evodom.environments.vector import DominionVectorEnv
from evodom.matches import Venue, load_agent, wins_against
from evodom.statistics import wilson

N_CARDS = 21  # places of piles and of passing; the options of menus follow


class Policy(nn.Module):
    """A policy that knows cards by their traits. A card is a vector, and so is the search for cards in a position.

    The logit of a place is their product. Four further products are for cards that are owned, in hand or pending.
    """

    def __init__(self, n_traits, n_state, size=32, width=128):
        super().__init__()
        self.card = nn.Sequential(nn.Linear(n_traits, 64), nn.ReLU(), nn.Linear(64, size))
        self.shared = nn.Sequential(nn.Linear(4 * size + n_state, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.search, self.value = nn.Linear(width, 5 * size), nn.Linear(width, 1)
        self.known = {}  # the traits of each kingdom and menu, which are too large to be stored with each decision

    def answer(self, state, piles, cards):
        """Return the logits of places and the value. ``cards`` (n, n_places, size) are vectors of cards."""
        deck = (piles.transpose(1, 2) @ cards).flatten(1)
        hidden = self.shared(torch.cat([deck, state], 1))
        logits = cards @ self.search(hidden).unflatten(1, (5, -1)).transpose(1, 2)
        return logits[:, :, 0] + (logits[:, :, 1:] * piles).sum(2), self.value(hidden)[:, 0]

    def forward(self, state, piles, traits, present):
        return self.answer(state, piles, self.card(traits))[0]

    def inputs(self, observations, infos):
        """Return the arguments of `evaluate`. ``numbers`` select the traits in ``known``."""
        keys, rows, numbers = np.unique(infos["kingdom"] * 99 + infos["menu"], return_index=True, return_inverse=True)
        for key, row in zip(keys.tolist(), rows, strict=True):
            if key not in self.known:
                self.known[key] = len(self.known), torch.tensor(observations["traits"][row])
        numbers = torch.tensor([self.known[key][0] for key in keys.tolist()])[numbers]
        return (*map(torch.tensor, (observations["state"], observations["piles"], infos["action_mask"])), numbers)

    def evaluate(self, state, piles, masks, numbers):
        n = masks.shape[1] if masks[:, N_CARDS:].any() else N_CARDS
        numbers, rows = numbers.unique(return_inverse=True)
        known = [traits[:n] for _, traits in self.known.values()]
        cards = self.card(torch.stack([known[number] for number in numbers]))[rows]
        logits, values = self.answer(state, piles[:, :n], cards)
        return logits.masked_fill(~masks[:, :n], -1e9).log_softmax(1), values


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--sets", default="Base, Intrigue, Seaside, Prosperity")
    parser.add_argument("--games", type=int, default=100, help="games in each test kingdom")
    given, _ = parser.parse_args(), torch.manual_seed(1)
    of_cards = {"observation": "cards", "sets": given.sets}
    envs = DominionVectorEnv(512, "train", "big-money", rewards="lead", autoreset_mode="SameStep", **of_cards)
    observations, infos = envs.reset(seed=1)
    policy = Policy(observations["traits"].shape[2], observations["state"].shape[1])
    optimizer, begin = torch.optim.Adam(policy.parameters()), time.monotonic()
    while (share := (time.monotonic() - begin) / 60 / given.minutes) < 1:
        optimizer.param_groups[0]["lr"] = 2 * LEARNING_RATE * (1 - share)
        policy.known.clear()
        batch, observations, infos = play(envs, policy, observations, infos, n_steps=64)
        learn(policy, optimizer, batch, n_epochs=2, batch_size=4096)
    export(policy, "all_kingdoms.pt2", envs)
    trained, n_wins, kingdoms = load_agent("all_kingdoms.pt2"), 0.0, held_out_kingdoms(find_sets(given.sets))
    for kingdom in kingdoms:
        won = wins_against(Venue(kingdom, 2), trained, baseline("big-money", kingdom), given.games)
        n_wins += won.share * won.n_games
    won = wilson(n_wins, len(kingdoms) * given.games)
    print(f"{won.share:.1%} ({won.low:.1%} to {won.high:.1%}) of {won.n_games} games in test kingdoms won")


if __name__ == "__main__":
    main()
