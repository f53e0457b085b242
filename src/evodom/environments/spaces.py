"""Spaces of Gymnasium for Dominion: observations, and actions whose samples are legal."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.environments.agent_games import Feature
from evodom.environments.extras import importing

with importing("Gymnasium", "rl"):
    from gymnasium import spaces

Masks = npt.NDArray[np.bool_]


def observation_space(features: tuple[Feature, ...], *, scaled: bool, n: int | None = None) -> spaces.Box:
    """Return the space of an observation, (n_features,), or of ``n`` observations, (n, n_features).

    Observations are int8, or with ``scaled`` float32 multiplied by the scales of the features.
    """
    low, high = (np.array([getattr(one, bound) for one in features]) for bound in ("low", "high"))
    dtype: Any = np.int8
    if scaled:
        scales, dtype = np.array([one.scale for one in features], np.float32), np.float32
        low, high = low.astype(np.float32) * scales, high.astype(np.float32) * scales
    if n is not None:
        low, high = np.tile(low, (n, 1)), np.tile(high, (n, 1))
    return spaces.Box(low.astype(dtype), high.astype(dtype), dtype=dtype)


class LegalActions(spaces.Discrete):
    """Action numbers from 0 to n - 1. A sample without a mask is legal in the present state.

    ``mask`` returns the legal actions, (n,) bool. If there are none, the sample is 0.
    """

    def __init__(self, n: int, mask: Callable[[], Masks]) -> None:
        super().__init__(n)
        self._mask = mask

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """Return a random legal action number. ``mask`` or ``probability`` replaces the mask of the game."""
        if mask is None and probability is None:
            mask = self._mask().astype(np.int8)
        return super().sample(mask, probability)


class LegalBatch(spaces.MultiDiscrete):
    """Action numbers of several games. A sample without a mask is legal in each game.

    ``masks`` returns the legal actions, (n_games, n_actions) bool.
    """

    def __init__(self, n_games: int, n_actions: int, masks: Callable[[], Masks]) -> None:
        super().__init__([n_actions] * n_games)
        self._masks = masks

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """Return a random legal action number for each game."""
        if mask is not None or probability is not None:
            return super().sample(mask, probability)
        draws = np.where(self._masks(), self.np_random.random(self._masks().shape), -1.0)
        return draws.argmax(axis=1)
