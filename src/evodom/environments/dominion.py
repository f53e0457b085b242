"""One game of Dominion for one agent, with Gymnasium's interface: `DominionEnv`. `vector` plays many games in step.

    import evodom.environments  # registers the environments

    env = gymnasium.make("evodom/Dominion-v1", kingdom="Big Money", opponents="big-money")

The agent plays against opponents of this package. A step plays the agent's action and all answers of the opponents, to
the agent's next Decision. The agent has each seat in turn, game by game. Treasures are played automatically.

Observations are arrays of small integers (`AgentGames.features` has their names, bounds and scales). Actions are
numbers: the piles in order, "pass", and the options of cards (``action_names``). ``info["action_mask"]`` has the legal
actions. ``action_masks()`` returns them for sb3-contrib.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.effects.ops import Ending
from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.environments.agent_games import ILLEGAL_REWARD, RAISE, AgentGames, check_options, game_arguments
from evodom.environments.extras import importing
from evodom.environments.pictures import Picture
from evodom.environments.rendering import RENDER_MODES, check_render_mode, show_state
from evodom.environments.spaces import LegalActions, SamplesLegalActions, row_of, space_of
from evodom.errors import UsageError, short
from evodom.options import checked_seed

with importing("Gymnasium", "rl"):
    import gymnasium

OPPONENT = "big-money"
"""The default opponent."""


class DominionEnv(SamplesLegalActions, gymnasium.Env[Any, Any]):
    """One game of Dominion at a time against opponents of this package.

    Args:
        kingdom: a Kingdom, or a text as for ``--kingdom``. With ``observation="cards"`` also a list of these, or
            "random", "train" or "test": each reset takes another kingdom.
        opponents: an opponent of the other seats: a name of a baseline, a run, a strategy file or a policy, "network",
            a strategy, or a policy, a function of observations and masks. A list of these is repeated to fill the
            seats. A dict from opponents to their shares is a league: each seat of each game draws an opponent. With
            None all seats are the agent's.
        rewards: "win" (share of the win), "points" (opponents beaten) or "lead" (victory points ahead), at the end.
        illegal: "raise" (an illegal action raises UsageError) or "lose" (it ends the episode with a reward of -1).
        scaled: return float32 observations multiplied by their scales, instead of int8.
        render_mode: "ansi" (`render` returns text), "rgb_array" (a picture), "human" (each step prints text) or None.
        games: further arguments of `AgentGames`: ``players`` (2 to 6), ``observation`` ("features" or "cards"), and
            ``sets`` and ``seed``, which draw missing kingdom cards. This seed is not that of `reset`.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        kingdom: Kingdom | str = FIRST_GAME,
        opponents: Any = OPPONENT,
        *,
        rewards: str = "win",
        illegal: str = RAISE,
        scaled: bool = False,
        render_mode: str | None = None,
        **games: Any,
    ) -> None:
        self.render_mode = check_render_mode(render_mode)
        chosen = {"rewards": rewards, "illegal": illegal, "scaled": scaled, **game_arguments(games, "observation")}
        self.games = AgentGames(kingdom, opponents=opponents, **chosen)
        self.batch = self.games.batch
        self.action_names = self.games.action_names
        self.observation_space = space_of(self.games)
        self.action_space = LegalActions(len(self.action_names), self.action_masks)
        self._seat = 0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start a game. ``options["seat"]`` is the agent's seat.

        Without this option it is ``seed`` modulo the number of seats, or without a seed the seat after the last one.
        """
        n_seats, seed = self.games.n_seats, None if seed is None else checked_seed(seed)
        seat = check_options(options, "seat").get("seat", self._seat if seed is None else seed % n_seats)
        if isinstance(seat, bool) or not isinstance(seat, (int, np.integer)) or not 0 <= seat < n_seats:
            raise UsageError(f"seat is {short(seat)}. Allowed: 0 to {n_seats - 1}.")
        super().reset(seed=seed)
        self._seat = (seat + 1) % n_seats
        self.games.start_all(np.array([seat]), self.np_random)
        if self.render_mode == "human":
            self.render()
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Carry out an action and play to the agent's next Decision.

        Returns the observation, the reward of the seat, whether the game is over, whether it was cut at its last turn,
        and a dict with "action_mask", "seat", and at the end "rewards" of all seats, (n_seats,). A game that was cut
        pays the reward of its result. Raises UsageError for an illegal action (see ``illegal``), or before `reset`.
        """
        rows = self.batch.rows
        if rows.ended[0] or not self.games.has_begun:
            raise UsageError("no game is in progress. Call reset() first.")
        if len(self.batch.choose(np.atleast_1d(action), refuse=self.games.illegal == RAISE)):
            rows.masks[0], rows.ended[0] = False, True
            rewards = np.where(np.arange(self.games.n_seats) == rows.seats[0], np.float32(ILLEGAL_REWARD), 0)
            return self._observation(), ILLEGAL_REWARD, True, False, self._info() | {"rewards": rewards}
        self.games.advance()
        over, reward, info = bool(rows.ended[0]), 0.0, self._info()
        is_cut = over and bool(rows.results["ended"][0] == Ending.CUT)
        if over:
            (info["rewards"],) = self.games.rewards_of(np.array([0]))
            reward = float(info["rewards"][rows.seats[0]])
        if self.render_mode == "human":
            self.render()
        return self._observation(), reward, over and not is_cut, is_cut, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the legal actions, (n_actions,) bool."""
        return np.array(self.batch.rows.masks[0])

    def render(self) -> str | Picture | None:
        """Return the agent's view of the game as text ("ansi") or as a picture ("rgb_array"), or print it ("human")."""
        return show_state(self.games.game_of(0), self.batch.state(0), int(self.batch.rows.seats[0]), self.render_mode)

    @property
    def kingdoms(self) -> dict[int, Kingdom]:
        """The kingdoms by their number in the info. Of random draws only the kingdom in play."""
        return self.games.kingdoms

    def _observation(self) -> Any:
        return row_of(self.games.observations(copy=False), 0)

    def _info(self) -> dict[str, Any]:
        info = {"action_mask": self.action_masks(), "seat": int(self.batch.rows.seats[0])}
        return info | {name: int(numbers[0]) for name, numbers in self.games.place_infos().items()}
