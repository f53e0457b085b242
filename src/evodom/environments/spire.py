"""Fights of Slay the Spire, with Gymnasium's interface: `SpireFightEnv`.

    env = gymnasium.make("evodom/SpireFight-v1", fight="Gremlin Nob", deck="Bash, 5 Strike, 4 Defend")

The reward at the end is the payoff of the fight. If ``fight`` names enemies, the payoff is the HP left. A fight file
may subtract a price for used potions. ``info`` has the exact optimum if the fight can be solved.
"""

from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.environments.agent_games import ILLEGAL, ILLEGAL_REWARD, RAISE, check_allowed, check_options
from evodom.environments.extras import importing
from evodom.environments.pictures import Picture
from evodom.environments.rendering import RENDER_MODES, check_render_mode, show_text
from evodom.environments.spaces import LegalActions, SamplesLegalActions
from evodom.errors import UsageError, illegal_action
from evodom.options import checked_seed
from evodom.spire.engine.game import SpireFight, State
from evodom.spire.fights.display import state_to_text
from evodom.spire.fights.fight import Fight
from evodom.spire.fights.files import fight_from_fields, read_fight
from evodom.spire.fights.states import state_from_fight
from evodom.spire.play.evaluation import EVALUATOR, payoff
from evodom.spire.play.network import discover_features, observe
from evodom.spire.play.playouts import set_playout_policy
from evodom.spire.solver.answer import FightTooLarge, SolverLimits
from evodom.spire.solver.solve import solve_fight, solve_moves

with importing("Gymnasium", "rl"):
    import gymnasium
    from gymnasium import spaces

# Values of ``exact``. FIGHT solves the start of the fight, POSITION also each position, NEVER nothing.
FIGHT, POSITION, NEVER = EXACT = ("fight", "position", "never")


class SpireFightEnv(SamplesLegalActions, gymnasium.Env[Any, Any]):
    """A fight of act 1 with the Ironclad.

    Args:
        fight: names of enemies or of an encounter, the path of a fight file, or a Fight.
        illegal: "raise" (an illegal action raises UsageError) or "lose" (it ends the episode with a reward of -1).
        exact: "fight" adds ``info["optimum"]``, the expected payoff of optimal play before the first draw. It is
            computed once, in the first `reset`. "position" also adds ``info["values"]``, the exact expected payoff of
            each action, NaN for illegal actions. "never" adds neither.
        max_chance_nodes: maximum number of chance nodes of the solver. If it needs more, ``info`` lacks the optimum or
            the values.
        fields: further fields of a fight file, such as ``deck``, ``hp``, ``relics`` or ``ascension``.

    Observations are float32 between -1 and 1. Their features are the numbers of a fight that change in random play. The
    names of features are ``feature_names``. Actions are the moves ``action_names``. Moves that never occurred in random
    play share action 0, which carries out the first legal move among them.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        fight: Fight | Path | str = "Cultist",
        *,
        illegal: str = RAISE,
        exact: str = FIGHT,
        max_chance_nodes: int = 100_000,
        render_mode: str | None = None,
        **fields: Any,
    ) -> None:
        self.render_mode = check_render_mode(render_mode)
        self.illegal, self.exact = check_allowed("illegal", illegal, ILLEGAL), check_allowed("exact", exact, EXACT)
        self.max_chance_nodes = max_chance_nodes
        self.fight = _fight_of(fight, fields)
        self.fight.payoff.check_mean()
        parts = list(self.fight.encounter_setups())
        self._games = [SpireFight(setup) for _, _, setup in parts]
        self._chances = np.array([float(chance) for _, chance, _ in parts])
        self._prices = np.array(self.fight.payoff.prices(self._games[0].rules.max_hp))
        rng = np.random.default_rng(0)
        # Random fights determine the features and the actions.
        starts = [[self._start(game, rng) for _ in range(64)] for game in self._games]
        self._features = discover_features(self._games, starts, rng)
        self._bindings = [self._features.bind(game) for game in self._games]
        self._policies = [_policy(game) for game in self._games]
        self.feature_names, self.action_names = self._features.inputs, self._features.outputs
        self.observation_space = spaces.Box(-1.0, 1.0, (len(self.feature_names),), np.float32)
        self.action_space = LegalActions(len(self.action_names), self.action_masks)
        self._encounter, self._state = 0, b""

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start the fight. The seed draws the encounter, the HP of the enemies and the first hand."""
        check_options(options)
        super().reset(seed=None if seed is None else checked_seed(seed))
        self._encounter = int(self.np_random.choice(len(self._games), p=self._chances / self._chances.sum()))
        self._state = self._start(self.game, self.np_random)
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play a move and its random results.

        Returns the observation, the reward, whether the fight is over, False, and a dict with "action_mask".
        Raises UsageError for an illegal action (see ``illegal``), or before `reset`.
        """
        moves = self._moves()
        if not moves:
            raise UsageError("no fight is in progress. Call reset() first.")
        number = int(action) if np.ndim(action) == 0 and np.asarray(action).dtype.kind in "iu" else -1
        if number not in moves:
            if self.illegal == RAISE:
                raise illegal_action(action, {number: self.action_names[number] for number in moves})
            self._state = b""
            return self._observation(), ILLEGAL_REWARD, True, False, self._info()
        self._state = self.game.sample(self._state, moves[number], self.np_random)
        over = not self._moves()
        reward = float(payoff(self.game.record, self.game.view(self._state), self._prices)) if over else 0.0
        if self.render_mode == "human":
            self.render()
        return self._observation(), reward, over, False, self._info()

    @property
    def game(self) -> SpireFight:
        """The game of the present encounter."""
        return self._games[self._encounter]

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the legal actions, (n_actions,) bool."""
        mask = np.zeros(len(self.action_names), np.bool_)
        mask[list(self._moves())] = True
        return mask

    def render(self) -> str | Picture | None:
        """Return the fight as text ("ansi") or as a picture ("rgb_array"), or print it ("human")."""
        return show_text(state_to_text(self.game, self._state) if self._state else "", self.render_mode)

    def _start(self, game: SpireFight, rng: np.random.Generator) -> State:
        return game.start(rng) if self.fight.state is None else state_from_fight(self.fight, game)

    def _moves(self) -> dict[int, int]:
        """Return the first legal move of each action."""
        found: dict[int, int] = {}
        for move in self.game.actions(self._state) if self._state else ():
            found.setdefault(int(self._bindings[self._encounter][1][move]), move)
        return found

    def _observation(self) -> npt.NDArray[np.float32]:
        observed = np.zeros(len(self.feature_names), np.float32)
        if self._state:
            fight = self.game.view(self._state)
            numbers = np.frombuffer(self._state, np.int16)[None, :]
            observe(fight, numbers, 0, self._bindings[self._encounter][0], self._policies[self._encounter], observed)
        return np.clip(observed, -1.0, 1.0)

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self.action_masks()}
        if self.exact != NEVER and self._optimum is not None:
            info["optimum"] = self._optimum
        if self.exact == POSITION and self._moves() and (values := self._values()) is not None:
            info["values"] = values
        return info

    @cached_property
    def _optimum(self) -> float | None:
        """The expected payoff of optimal play, computed once. None if the fight is too large."""
        try:
            return solve_fight(self.fight, SolverLimits(chance_nodes=self.max_chance_nodes)).value
        except FightTooLarge:
            return None

    def _values(self) -> npt.NDArray[np.float64] | None:
        """Return the exact expected payoff of each action. Return None if the position is too large."""
        solved = solve_moves(self.game, self._state, self.fight.payoff, max_chance_nodes=self.max_chance_nodes)
        if solved is None:
            return None
        values, by_move = np.full(len(self.action_names), np.nan), {one.action: one.value for one in solved}
        for action, move in self._moves().items():
            values[action] = by_move.get(move, np.nan)
        return values


def _fight_of(fight: Fight | Path | str, fields: dict[str, Any]) -> Fight:
    """Return a Fight. Read ``fight`` if it is a path. If it names enemies, make the Fight with ``fields``."""
    if isinstance(fight, str) and not fight.endswith((".toml", ".json")):
        return fight_from_fields({"enemies": fight, "payoff": {"potion": 0.0}, **fields})
    if fields:
        raise UsageError(f"{', '.join(fields)} cannot be given with a whole fight. Allowed: with names of enemies.")
    return fight if isinstance(fight, Fight) else read_fight(fight)


def _policy(game: SpireFight) -> Any:
    """Return the record of the playout policy of a fight, which `observe` reads."""
    policy = np.zeros(1, EVALUATOR)[0].policy
    set_playout_policy(policy, game)
    return policy
