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
from evodom.environments.agent_games import (
    ILLEGAL_REWARD,
    RAISE,
    AgentGames,
    check_allowed,
    check_options,
    game_arguments,
)
from evodom.environments.extras import importing
from evodom.environments.pictures import Picture
from evodom.environments.rendering import RENDER_MODES, check_render_mode, show_state
from evodom.environments.spaces import observation_space
from evodom.options import checked_seed

with importing("PettingZoo", "rl"):
    from gymnasium import spaces
    from gymnasium.vector.utils import batch_space
    from pettingzoo import AECEnv
    from pettingzoo.utils import turn_based_aec_to_parallel, wrappers


_PROBE = {"options": 1}
"""The options with which PettingZoo's tests check that `reset` takes options."""


def env(*arguments: Any, **named: Any) -> Any:
    """Return the environment with PettingZoo's wrapper, which refuses calls in the wrong order.

    Arguments are those of `raw_env`.
    """
    return wrappers.OrderEnforcingWrapper(raw_env(*arguments, **named))


def parallel_env(*arguments: Any, **named: Any) -> Any:
    """Return the environment with PettingZoo's parallel interface. Arguments are those of `raw_env`.

    A step takes the actions of all agents and carries out that of the agent that decides, ``info["active_agent"]``. In
    all other observations the "action_mask" is 0.
    """
    return turn_based_aec_to_parallel(env(*arguments, **named))


class raw_env(AECEnv[str, Any, Any]):  # noqa: N801  # PettingZoo's name
    """The environment without wrappers.

    Args:
        kingdom: a Kingdom, or a text as for ``--kingdom``.
        rewards: "win" (share of the win), "points" (opponents beaten) or "lead" (victory points ahead), at the end.
        illegal: "raise" (an illegal action raises UsageError) or "lose" (it ends the game with a reward of -1).
        scaled: return float32 observations multiplied by their scales, instead of int8.
        render_mode: "ansi" (`render` returns text), "rgb_array" (a picture), "human" (each step prints text) or None.
        games: further arguments of `AgentGames`: ``players``, and ``sets`` and ``seed``, which draw missing kingdom
            cards.
    """

    metadata = {  # noqa: RUF012
        "render_modes": list(RENDER_MODES),
        "name": "dominion_v1",
        "is_parallelizable": False,
        "render_fps": 4,
    }

    def __init__(
        self,
        kingdom: Kingdom | str = FIRST_GAME,
        *,
        rewards: str = "win",
        illegal: str = RAISE,
        scaled: bool = False,
        render_mode: str | None = None,
        **games: Any,
    ) -> None:
        super().__init__()
        self.render_mode = check_render_mode(render_mode)
        self.games = AgentGames(kingdom, rewards=rewards, illegal=illegal, scaled=scaled, **game_arguments(games))
        self.batch, self.features = self.games.batch, self.games.features
        self.action_names = self.games.action_names
        self._rng = np.random.default_rng()
        self.possible_agents = [f"player_{seat}" for seat in range(self.games.n_seats)]
        n_actions = len(self.action_names)
        self.action_spaces = {agent: spaces.Discrete(n_actions) for agent in self.possible_agents}
        self.state_space = batch_space(observation_space(self.features, scaled=scaled), self.games.n_seats)
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
        return self.observation_spaces[self._known(agent)]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions, the same object in each call."""
        return self.action_spaces[self._known(agent)]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game. A ``seed`` determines this game and the following games. There are no ``options``."""
        if options != _PROBE:
            check_options(options)
        if seed is not None:
            self._rng = np.random.default_rng(checked_seed(seed))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.batch.start_all(self._rng.integers(2**64, size=1, dtype=np.uint64))
        self._step()

    def step(self, action: Any) -> None:
        """Carry out the action of the selected agent. It is None for an agent whose game is over.

        Raises UsageError for an illegal action.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        lost = self.batch.choose(np.atleast_1d(action), refuse=self.games.illegal == RAISE)
        if len(lost):
            self.batch.rows.masks[:] = False
            self._end(np.where(np.array(self.agents) == agent, ILLEGAL_REWARD, 0.0))
        else:
            self._step()
            if self.batch.rows.ended[0]:
                is_cut = bool(self.batch.rows.results["ended"][0] == Ending.CUT)
                self._end(self.games.rewards_of(np.array([0]))[0], is_cut=is_cut)
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> dict[str, npt.NDArray[Any]]:
        """Return an agent's observation and its mask of legal actions."""
        seat, rows = self.possible_agents.index(self._known(agent)), self.batch.rows
        mask = rows.masks[0].astype(np.int8)
        if seat != rows.seats[0]:
            mask[:] = 0
        return {"observation": self._observation(seat), "action_mask": mask}

    def state(self) -> npt.NDArray[Any]:
        """Return the observations of all seats, (n_seats, n_features): all hands, for a critic of all agents."""
        return np.array([self._observation(seat) for seat in range(self.games.n_seats)])

    def render(self) -> str | Picture | None:
        """Return the selected agent's view as text ("ansi") or as a picture ("rgb_array"), or print it ("human")."""
        seat = self.possible_agents.index(self.agent_selection)
        return show_state(self.games.game, self.batch.state(0), seat, self.render_mode)

    def _known(self, agent: str) -> str:
        """Return an agent's name. Raise UsageError for an unknown name."""
        return check_allowed("agent", agent, self.possible_agents)

    def _observation(self, seat: int) -> npt.NDArray[Any]:
        """Return a seat's observation."""
        rows = self.batch.rows
        if seat == rows.seats[0]:
            observation = rows.observations[0].copy()
        else:
            observation = np.zeros(N_FEATURES, np.int8)
            observe(self.games.game.rules, self.batch.state(0), seat, observation)
        return np.asarray(observation * SCALES if self.games.scaled else observation)

    def _end(self, paid: npt.NDArray[np.floating[Any]], *, is_cut: bool = False) -> None:
        """End the game for all agents and pay the rewards of the seats. There are no rewards before the end."""
        self.rewards = dict(zip(self.agents, map(float, paid), strict=True))
        self._cumulative_rewards = self.rewards.copy()
        self.truncations = dict.fromkeys(self.agents, is_cut)
        self.terminations = dict.fromkeys(self.agents, not is_cut)

    def _step(self) -> None:
        self.batch.step()
        self.agent_selection = self.possible_agents[self.batch.rows.seats[0]]
        self.infos: dict[str, dict[str, Any]] = {one: {"active_agent": self.agent_selection} for one in self.agents}
