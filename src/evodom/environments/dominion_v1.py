"""Dominion for two to six agents, with PettingZoo's AEC interface. `dominion` has Gymnasium's interface.

    from evodom.environments import dominion_v1

    env = dominion_v1.env(kingdom="First Game", players=2)
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        action = None if termination or truncation else env.action_space(agent).sample(observation["action_mask"])
        env.step(action)

Agents are "player_0" to "player_5", in turn order. An observation is a dict. "observation" is an array of small
integers (`raw_env.features` has their names, bounds and scales). "action_mask" is int8, all 0 unless the agent decides.
Treasures are played automatically.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.effects.ops import Ending
from evodom.dominion.engine.observation import N_FEATURES, SCALES, observe
from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.environments.agent_games import ILLEGAL, ILLEGAL_REWARD, RAISE, AgentGames, check_allowed, game_arguments
from evodom.environments.extras import importing
from evodom.environments.rendering import check_render_mode, render_state, shown
from evodom.environments.spaces import observation_space

with importing("PettingZoo", "rl"):
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers


def env(kingdom: Kingdom | str = FIRST_GAME, *, illegal: str = RAISE, **arguments: Any) -> Any:
    """Return the environment with PettingZoo's wrappers, which refuse calls in the wrong order.

    ``illegal`` is "raise" (an illegal action raises UsageError) or "lose" (it ends the game with a reward of -1).
    Other arguments are those of `raw_env`.
    """
    made: Any = raw_env(kingdom, **arguments)
    check_allowed("illegal", illegal, ILLEGAL)
    if illegal != RAISE:
        made = wrappers.TerminateIllegalWrapper(made, illegal_reward=ILLEGAL_REWARD)
    return wrappers.OrderEnforcingWrapper(made)


class raw_env(AECEnv[str, Any, Any]):  # noqa: N801  # PettingZoo's name
    """The environment without wrappers.

    Args:
        kingdom: a Kingdom, or a text as for ``--kingdom``.
        rewards: "win" (share of the win), "points" (opponents beaten) or "lead" (victory points ahead), at the end.
        scaled: return float32 observations multiplied by their scales, instead of int8.
        render_mode: "ansi" (`render` returns text), "human" (each step prints it) or None.
        games: further arguments of `AgentGames`: ``players``, and ``sets`` and ``seed``, which draw missing kingdom
            cards.
    """

    metadata = {  # noqa: RUF012
        "render_modes": ["ansi", "human"],
        "name": "dominion_v1",
        "is_parallelizable": False,
        "render_fps": 4,
    }

    def __init__(
        self,
        kingdom: Kingdom | str = FIRST_GAME,
        *,
        rewards: str = "win",
        scaled: bool = False,
        render_mode: str | None = None,
        **games: Any,
    ) -> None:
        super().__init__()
        self.render_mode = check_render_mode(render_mode)
        self.games = AgentGames(kingdom, rewards=rewards, **game_arguments(games))
        self.batch, self.features = self.games.batch, self.games.features
        self.action_names = self.games.action_names
        self.scaled = scaled
        self._rng = np.random.default_rng()
        self.possible_agents = [f"player_{seat}" for seat in range(self.games.n_seats)]
        n_actions = len(self.action_names)
        self.action_spaces = {agent: spaces.Discrete(n_actions) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": observation_space(self.features, scaled=scaled),
                    "action_mask": spaces.Box(0, 1, (n_actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations, the same object in each call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions, the same object in each call."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game. A ``seed`` determines this game and the following games."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.batch.start_all(self._rng.integers(2**64, size=1, dtype=np.uint64))
        self._step()

    def step(self, action: Any) -> None:
        """Carry out the action of the selected agent. It is None for an agent whose game is over.

        Raises UsageError for an illegal action.
        """
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        self.batch.choose(np.atleast_1d(action))
        self._step()
        rows = self.batch.rows
        if rows.ended[0]:
            paid = self.games.rewards_of(np.array([0]))[0]
            self.rewards = {agent: float(one) for agent, one in zip(self.agents, paid, strict=True)}
            is_cut = bool(rows.results["ended"][0] == Ending.CUT)
            self.truncations = dict.fromkeys(self.agents, is_cut)
            self.terminations = dict.fromkeys(self.agents, not is_cut)
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> dict[str, npt.NDArray[Any]]:
        """Return an agent's observation and its mask of legal actions."""
        seat, rows = self.possible_agents.index(agent), self.batch.rows
        if seat == rows.seats[0]:
            observation, mask = rows.observations[0].copy(), rows.masks[0].astype(np.int8)
        else:
            observation, mask = np.zeros(N_FEATURES, np.int8), np.zeros(rows.masks.shape[1], np.int8)
            observe(self.games.game.rules, self.batch.state(0), seat, observation)
        return {"observation": observation * SCALES if self.scaled else observation, "action_mask": mask}

    def render(self) -> str | None:
        """Return the selected agent's view of the game as text ("ansi"), or print it ("human")."""
        seat = self.possible_agents.index(self.agent_selection)
        text = render_state(self.games.game, self.batch.state(0), seat)
        return shown(text, self.render_mode)

    def _step(self) -> None:
        self.batch.step()
        self.agent_selection = self.possible_agents[self.batch.rows.seats[0]]
