"""Spaces of Gymnasium for Dominion: observations, and actions whose samples are legal."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.engine.observation import FIRST_SCALAR
from evodom.dominion.engine.rules import N_MODEL_PILES
from evodom.environments.agent_games import AgentGames, Feature
from evodom.environments.extras import importing
from evodom.errors import UsageError
from evodom.matches.observations import MAX_TRAIT, N_PLACES, N_TRAITS

with importing("Gymnasium", "rl"):
    from gymnasium import spaces
    from gymnasium.vector.utils import batch_space

Masks = npt.NDArray[np.bool_]


def observation_space(features: tuple[Feature, ...], *, scaled: bool) -> spaces.Box:
    """Return the space of an observation, (n_features,).

    Observations are int8, or with ``scaled`` float32 multiplied by the scales of the features.
    """
    low, high = (np.array([getattr(one, bound) for one in features]) for bound in ("low", "high"))
    dtype: Any = np.int8
    if scaled:
        scales, dtype = np.array([one.scale for one in features], np.float32), np.float32
        low, high = low.astype(np.float32) * scales, high.astype(np.float32) * scales
    return spaces.Box(low.astype(dtype), high.astype(dtype), dtype=dtype)


def place_space(features: tuple[Feature, ...]) -> spaces.Dict:
    """Return the space of an observation by card (`PlaceObservations`)."""
    state = observation_space(features[FIRST_SCALAR:], scaled=True)
    pile = observation_space(features[:FIRST_SCALAR:N_MODEL_PILES], scaled=True)
    piles = spaces.Box(np.tile(pile.low, (N_PLACES, 1)), np.tile(pile.high, (N_PLACES, 1)))
    traits = spaces.Box(-MAX_TRAIT, MAX_TRAIT, (N_PLACES, N_TRAITS))
    return spaces.Dict(state=state, piles=piles, traits=traits, present=spaces.MultiBinary(N_PLACES))


def space_of(games: AgentGames, n: int | None = None) -> spaces.Space[Any]:
    """Return the space of the observation of a game, or of ``n`` games."""
    space = place_space(games.features) if games.pool else observation_space(games.features, scaled=games.scaled)
    return space if n is None else batch_space(space, n)


def row_of(observations: Any, row: int) -> Any:
    """Return a copy of the observation of a game."""
    if isinstance(observations, dict):
        return {name: array[row].copy() for name, array in observations.items()}
    return observations[row].copy()


class LegalSamples:
    """A space with the legal actions of its environment.

    ``masks`` returns them. A copy of the space, pickled or not, is independent of the environment: it has no ``masks``.
    """

    masks: Callable[[], Masks] | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "masks"}


class SamplesLegalActions:
    """An environment with a space of legal actions. In a copy of the environment the space has the copy's masks."""

    action_space: Any
    action_masks: Callable[[], Masks]

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.action_space.masks = self.action_masks


class LegalActions(LegalSamples, spaces.Discrete):
    """Action numbers from 0 to n - 1. A sample without a mask is legal in the present state.

    ``masks`` returns the legal actions, (n,) bool. If there are none, the sample is 0.
    """

    def __init__(self, n: int, masks: Callable[[], Masks]) -> None:
        super().__init__(n)
        self.masks = masks

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """Return a random legal action number. ``mask`` (bool or int8) or ``probability`` replaces the game's mask."""
        if mask is None and probability is None and self.masks is not None:
            mask = self.masks()
        if isinstance(mask, np.ndarray) and mask.dtype == np.bool_:
            mask = mask.view(np.int8)
        return super().sample(mask, probability)


class LegalBatch(LegalSamples, spaces.MultiDiscrete):
    """Action numbers of several games. A sample without a mask is legal in each game.

    ``masks`` returns the legal actions, (n_games, n_actions) bool.
    """

    def __init__(self, n_games: int, n_actions: int, masks: Callable[[], Masks]) -> None:
        super().__init__([n_actions] * n_games)
        self.masks = masks

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """Return a random legal action number for each game. A ``mask`` (n_games, n_actions) replaces the games' mask.

        The entry of a game without legal actions is 0.
        """
        if mask is None and probability is None and self.masks is not None:
            mask = self.masks()
        if mask is None or probability is not None:
            return super().sample(mask, probability)
        legal = np.asarray(mask, np.bool_)
        if legal.shape != (shape := (len(self.nvec), int(self.nvec[0]))):
            raise UsageError(f"the mask has the shape {legal.shape}. Allowed: {shape}, a row for each game.")
        return np.where(legal, self.np_random.random(legal.shape), -1.0).argmax(axis=1)
