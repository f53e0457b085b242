"""Games in step for Stable-Baselines3 and sb3-contrib, in compiled code: `VecEnv`.

from sb3_contrib import MaskablePPO
from evodom.environments.sb3 import VecEnv

model = MaskablePPO("MlpPolicy", VecEnv(128, "Big Money"))
model.learn(1_000_000)
"""

from collections.abc import Sequence
from typing import Any

from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.environments.dominion import OPPONENT
from evodom.environments.extras import importing
from evodom.environments.vector import DominionVectorEnv
from evodom.errors import UsageError

with importing("Stable-Baselines3", packages="stable-baselines3 sb3-contrib"):
    from stable_baselines3.common import vec_env

SAME_STEP = "SameStep"


class VecEnv(vec_env.VecEnv):
    """Games of Dominion in step for Stable-Baselines3: `DominionVectorEnv` with SAME_STEP and scaled observations.

    Args:
        n: number of games.
        kingdom: a Kingdom, or a text as for ``--kingdom``.
        opponents: as in `DominionEnv`, except None: a learner has one seat of each game.
        reward_scale: factor of all rewards.
        arguments: further arguments of `DominionVectorEnv`, such as ``rewards`` and ``players``.
    """

    def __init__(
        self,
        n: int,
        kingdom: Kingdom | str = FIRST_GAME,
        opponents: Any = OPPONENT,
        *,
        reward_scale: float = 1.0,
        **arguments: Any,
    ) -> None:
        if opponents is None:
            raise UsageError("opponents is None. Stable-Baselines3 learns one seat of each game: name opponents.")
        chosen = {"scaled": True, "copy": True, **arguments, "autoreset_mode": SAME_STEP}
        self.envs = DominionVectorEnv(n, kingdom, opponents, **chosen)
        self.games, self.reward_scale = self.envs.games, reward_scale
        super().__init__(n, self.envs.single_observation_space, self.envs.single_action_space)

    def reset(self) -> Any:
        """Start all games and return their observations. A call of `seed` before determines them."""
        observations, _ = self.envs.reset(seed=self._seeds[0])
        self._reset_seeds()
        return observations

    def step_async(self, actions: Any) -> None:
        """Choose the actions of `step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[Any, Any, Any, list[dict[str, Any]]]:
        """Return observations, rewards, dones, and infos. These have "terminal_observation" of a finished game."""
        observations, rewards, terminations, truncations, step = self.envs.step(self._actions)
        over = terminations | truncations
        infos: list[dict[str, Any]] = [{} for _ in over]
        for row in over.nonzero()[0]:
            truncated = bool(truncations[row])
            infos[row] = {"terminal_observation": step["final_obs"][row], "TimeLimit.truncated": truncated}
        return observations, rewards * self.reward_scale, over, infos

    def env_method(self, method_name: str, *arguments: Any, indices: Any = None, **options: Any) -> list[Any]:
        """Call a method of all games together. Return the part of each game: `action_masks`, `set_opponents`."""
        found = getattr(self.envs, method_name)(*arguments, **options)
        return [None if found is None else found[row] for row in self._get_indices(indices)]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return an attribute, which is the same for all games."""
        return [getattr(self.envs, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute for all games."""
        setattr(self.envs, attr_name, value)

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> Sequence[bool]:
        """Return False for each game."""
        return [False] * len(list(self._get_indices(indices)))

    def close(self) -> None:
        """Release the games."""
        self.envs.close()
