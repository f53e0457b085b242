"""Many games of Dominion in step for one agent, with Gymnasium's vector interface: `DominionVectorEnv`.

    import evodom.environments  # registers the environments

    envs = gymnasium.make_vec("evodom/Dominion-v1", num_envs=1024, kingdom="First Game")

Observations, actions and opponents are those of `dominion.DominionEnv`.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.effects.ops import Ending
from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.environments.agent_games import (
    ILLEGAL_REWARD,
    RAISE,
    AgentGames,
    check_allowed,
    check_options,
    game_arguments,
)
from evodom.environments.dominion import OPPONENT
from evodom.environments.extras import importing
from evodom.environments.spaces import LegalBatch, SamplesLegalActions, row_of, space_of
from evodom.errors import UsageError
from evodom.options import checked_seed

with importing("Gymnasium", "rl"):
    import gymnasium
    from gymnasium.vector import AutoresetMode, VectorEnv


class DominionVectorEnv(SamplesLegalActions, VectorEnv[Any, Any, Any]):
    """Many games of Dominion in step. One call of compiled code steps all of them.

    Arguments are ``num_envs``, ``copy``, ``autoreset_mode`` and those of `DominionEnv`, except ``render_mode``. With
    ``copy`` each step returns new arrays. Without it a step overwrites the masks, the seats and the observations that
    the step before has returned, except scaled features.

    A finished game is followed by the next one. ``autoreset_mode`` is Gymnasium's: with NEXT_STEP the next step starts
    the game, and the action and the reward of that step do not count. With SAME_STEP the game starts in the same step,
    and the dict has "final_obs" and "final_info" of the finished one. In one kingdom both modes play the same games.
    """

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        kingdom: Kingdom | str = FIRST_GAME,
        opponents: Any = OPPONENT,
        *,
        rewards: str = "win",
        illegal: str = RAISE,
        scaled: bool = False,
        copy: bool = False,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        **games: Any,
    ) -> None:
        self.num_envs, self.copy = num_envs, copy
        modes = {mode.value: mode for mode in (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP)}
        mode = check_allowed("autoreset_mode", getattr(autoreset_mode, "value", autoreset_mode), list(modes))
        self._is_same_step = modes[mode] is AutoresetMode.SAME_STEP
        self.metadata = self.metadata | {"autoreset_mode": modes[mode]}
        chosen = {"rewards": rewards, "illegal": illegal, "scaled": scaled, **game_arguments(games, "observation")}
        self.games = AgentGames(kingdom, opponents=opponents, n=num_envs, **chosen)
        self.batch = self.games.batch
        self.action_names = self.games.action_names
        n_actions = len(self.action_names)
        self.single_observation_space = space_of(self.games)
        self.observation_space = space_of(self.games, n=num_envs)
        self.single_action_space = gymnasium.spaces.Discrete(n_actions)
        self.action_space = LegalBatch(num_envs, n_actions, self.action_masks)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start all games. The agent's seat in row i is i modulo the number of seats. It moves by one each game."""
        check_options(options)
        super().reset(seed=None if seed is None else checked_seed(seed))
        self.games.start_all(np.arange(self.num_envs) % self.games.n_seats, self.np_random)
        return self._observations(), self._infos()

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Carry out an action in each game.

        Returns observations (n, n_features), rewards (n,) float32, terminations and truncations (n,) bool, and a dict
        with "action_mask" (n, n_actions) bool and "seat" (n,) int32. A reward is that of the seat that acted. The
        step that ends a game adds "rewards" (n, n_seats) of all seats to the info of the game. Raises UsageError for an
        illegal action (see ``illegal``), or before `reset`.
        """
        rows = self.batch.rows
        if not self.games.has_begun:
            raise UsageError("no game is in progress. Call reset() first.")
        lost = self.batch.choose(actions, refuse=self.games.illegal == RAISE)
        if not self._is_same_step:
            self.games.restart_finished()
        self.games.advance()
        rewards, truncations = np.zeros(self.num_envs, np.float32), np.zeros(self.num_envs, np.bool_)
        over, paid = np.flatnonzero(rows.ended), {}
        truncations[over] = rows.results["ended"][over] == Ending.CUT
        rows.masks[lost], rows.ended[lost] = False, True
        if len(over) or len(lost):
            paid = self._rewards(over, lost)
            rewards[rows.ended] = paid["rewards"][rows.ended, rows.seats[rows.ended]]
        terminations = rows.ended & ~truncations
        if self._is_same_step and rows.ended.any():
            final = self._restart(paid)
            return self._observations(), rewards, terminations, truncations, self._infos() | final
        return self._observations(), rewards, terminations, truncations, self._infos() | paid

    @property
    def kingdoms(self) -> dict[int, Kingdom]:
        """The kingdoms by their numbers in the infos. Of random draws only those in play."""
        return self.games.kingdoms

    def set_opponents(self, opponents: Any) -> None:
        """Replace the opponents of games that start later, such as by snapshots of the learner."""
        self.games.set_opponents(opponents)

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the legal actions, (n, n_actions) bool. All are False where the game is over."""
        masks: npt.NDArray[np.bool_] = self._copied(self.batch.rows.masks)
        return masks

    def _restart(self, paid: dict[str, Any]) -> dict[str, Any]:
        """Start the next game in place of each finished one. Return the last observations and infos."""
        rows = self.batch.rows
        over, observations = rows.ended.copy(), np.full(self.num_envs, None, object)
        last = self.games.observations(copy=False)
        for row in np.flatnonzero(over):
            observations[row] = row_of(last, int(row))
        infos = self._infos(over)
        infos = {name: array.copy() for name, array in infos.items()}
        self.games.restart_finished()
        self.games.advance()
        return {"final_obs": observations, "_final_obs": over, "final_info": infos | paid, "_final_info": over}

    def _rewards(self, over: npt.NDArray[np.intp], lost: npt.NDArray[np.intp]) -> dict[str, Any]:
        """Return the rewards of all seats in finished games, and in games that an illegal action ended, as infos."""
        rewards, has_ended = np.zeros((self.num_envs, self.games.n_seats), np.float32), self.batch.rows.ended.copy()
        rewards[over] = self.games.rewards_of(over)
        rewards[lost, self.batch.rows.seats[lost]] = ILLEGAL_REWARD
        return {"rewards": rewards, "_rewards": has_ended}

    def _observations(self) -> Any:
        return self.games.observations(copy=self.copy)

    def _infos(self, present: npt.NDArray[np.bool_] | None = None) -> dict[str, Any]:
        """Return the infos of the games that are ``present``, by default of all."""
        found = {"action_mask": self.action_masks(), "seat": self._copied(self.batch.rows.seats)}
        found |= self.games.place_infos()
        present = np.ones(self.num_envs, np.bool_) if present is None else present
        return found | {f"_{name}": present for name in found}

    def _copied(self, array: Any) -> Any:
        return array.copy() if self.copy else array
