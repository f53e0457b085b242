"""Dominion as a game of OpenSpiel: the import registers ``evodom_dominion``.

    import pyspiel
    import evodom.environments.open_spiel

    game = pyspiel.load_game("evodom_dominion(players=2,kingdom=First Game)")

Cards of a list are separated by semicolons. Treasures are played automatically. A player's return is the share of the
win. There are two kinds of states:

- `DominionState`: a game begins with N_SEED_NODES chance nodes, which draw its seed. The seed determines all later
  chance. So a search that does not resample uses the true future shuffles. `resample_from_infostate` deals hidden cards
  again and draws another seed. There are observations, but no information states with perfect recall.
- `RecallState`, with ``perfect_recall=True``: every draw of cards is a chance node, and information states contain
  all that a player has seen, in order. CFR and exploitability need it.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.contract import Dominion
from evodom.dominion.draws import DrawnDominion
from evodom.dominion.effects.ops import Ending
from evodom.dominion.engine.observation import N_FEATURES, SCALES, observe
from evodom.dominion.engine.rules import MAX_TURNS
from evodom.dominion.engine.state import State
from evodom.dominion.engine.turn import enact
from evodom.dominion.kingdom import parse_kingdom
from evodom.dominion.small import small_dominion
from evodom.environments.extras import importing
from evodom.environments.rendering import render_state
from evodom.errors import UsageError, illegal_action, short
from evodom.games.contract import action_number
from evodom.options import checked_seed

with importing("OpenSpiel", "open-spiel"):
    import pyspiel

NAME = "evodom_dominion"

N_SEED_NODES = 3
"""Number of chance nodes at the start of a game."""

N_OUTCOMES = 256
"""Number of outcomes of each chance node at the start."""

MAX_ACTIONS = 100_000
"""Upper bound of the number of actions in a game. The engine cuts games long before."""

_PARAMETERS: dict[str, Any] = {
    "kingdom": "First Game",
    "sets": "Base",
    "players": 2,
    "seed": 0,
    "perfect_recall": False,
    "supply": "",
    "deck": "",
    "turns": MAX_TURNS,
}


def _game_type(perfect_recall: bool) -> Any:
    """Return the type of games with or without information states."""
    return pyspiel.GameType(
        short_name=NAME,
        long_name="Dominion",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.CONSTANT_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=6,
        min_num_players=2,
        provides_information_state_string=perfect_recall,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=_PARAMETERS,
    )


GAME_TYPE = _game_type(perfect_recall=False)


class DominionSpiel(pyspiel.Game):
    """Dominion in one kingdom, or a small game. Raises UsageError for invalid parameters.

    Parameters:
        kingdom, sets: texts as for ``--kingdom`` and ``--sets``, with semicolons.
        seed: draws missing cards of the kingdom.
        players: number of players, 2 to 6.
        perfect_recall: True for information states and explicit draws (`RecallState`).
        supply, deck, turns: see `small_dominion`. They exclude ``kingdom``, ``sets`` and ``seed``.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        chosen = _PARAMETERS | (params or {})
        self.dominion = _dominion(chosen)
        self.drawn = DrawnDominion(self.dominion) if chosen["perfect_recall"] else None
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.dominion.all_actions),
            max_chance_outcomes=N_OUTCOMES,
            num_players=self.dominion.n_players,
            min_utility=0.0,
            max_utility=1.0,
            utility_sum=1.0,
            max_game_length=MAX_ACTIONS,
        )
        super().__init__(_game_type(self.drawn is not None), info, params or {})

    def new_initial_state(self) -> "DominionState | RecallState":
        """Return the state before the chance nodes that draw the seed, or the opening hands."""
        return DominionState(self) if self.drawn is None else RecallState(self, self.drawn)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "DominionObserver | RecallObserver":
        """Return an observer. Raise UsageError for information states without ``perfect_recall=True``."""
        if iig_obs_type is None or not iig_obs_type.perfect_recall:
            return DominionObserver(self.dominion)
        if self.drawn is None:
            raise UsageError(
                f"{NAME} has no information states. Load it with perfect_recall=True, or use observations."
            )
        return RecallObserver()


def _dominion(chosen: dict[str, Any]) -> Dominion:
    """Return the game of checked parameters."""
    players, seed = chosen["players"], checked_seed(chosen["seed"])
    if players not in range(GAME_TYPE.min_num_players, GAME_TYPE.max_num_players + 1):
        raise UsageError(f"players is {short(players)}. Allowed: 2 to 6.")
    supply, deck, sets = (str(chosen[name]).replace(";", ",") for name in ("supply", "deck", "sets"))
    for name in ("kingdom", "sets", "seed") if supply else ("deck", "turns"):
        if chosen[name] != _PARAMETERS[name]:
            given = f"{name} is {short(chosen[name])} {'with' if supply else 'without'} supply"
            raise UsageError(f"{given}. Allowed: kingdom, sets and seed, or supply, deck and turns.")
    if supply:
        return small_dominion(supply, deck, chosen["turns"], n_players=players)
    return Dominion(parse_kingdom(str(chosen["kingdom"]), seed=seed, sets=sets), players, pays="win")


class DominionState(pyspiel.State):
    """A game in progress. ``state`` is its STATE record, None before the seed is drawn."""

    def __init__(self, game: DominionSpiel) -> None:
        super().__init__(game)
        self.dominion = game.dominion
        self._seed_outcomes: list[int] = []
        self.state: State | None = None

    def current_player(self) -> Any:
        """Return the seat that decides, or OpenSpiel's number for chance or the end."""
        if self.state is None:
            return pyspiel.PlayerId.CHANCE
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else int(self.state.decider)

    def _legal_actions(self, player: int) -> list[int]:
        """Return the numbers of the legal actions in ascending order; none for a seat that does not decide."""
        if self.state is None or self.is_terminal() or player != self.state.decider:
            return []
        return [action_number(self.dominion, action) for action in self.dominion.actions(self.state)]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of a chance node, equally likely. The outcomes of all chance nodes are the seed."""
        return [(outcome, 1.0 / N_OUTCOMES) for outcome in range(N_OUTCOMES)]

    def _apply_action(self, action: int) -> None:
        """Carry out an action. Raise UsageError for an illegal one, which OpenSpiel does not check."""
        player = int(self.current_player())
        legal = range(N_OUTCOMES) if self.state is None else self._legal_actions(player)
        if action not in legal:
            raise illegal_action(action, {number: self._action_to_string(player, number) for number in legal})
        if self.state is not None:
            enact(self.dominion.rules, self.state, self.dominion.all_actions[action])
            return
        self._seed_outcomes.append(action)
        if len(self._seed_outcomes) == N_SEED_NODES:
            self.state = self.dominion.start(np.random.default_rng(self._seed_outcomes))

    def _action_to_string(self, player: int, action: int) -> str:
        """Return the name of an action: a card, "pass" or an option."""
        if player == pyspiel.PlayerId.CHANCE:
            return f"seed {action}"
        return self.dominion.action_name(self.dominion.all_actions[action])

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.state is not None and bool(self.state.ended != Ending.PLAYING)

    def returns(self) -> list[float]:
        """Return the share of the win of each player; zeros before the end."""
        if self.state is None or not self.is_terminal():
            return [0.0] * self.dominion.n_players
        return self.dominion.returns(self.state)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "DominionState":
        """Return a state that ``player`` cannot distinguish from this one. ``sampler`` returns numbers in [0, 1)."""
        twin: DominionState = self.clone()
        if twin.state is not None:
            rng = np.random.default_rng(int(sampler() * 2**53))
            twin.state = self.dominion.redeal(twin.state, player, rng)
        return twin

    def __str__(self) -> str:
        if self.state is None:
            return f"seed {self._seed_outcomes}"
        seat = int(self.state.active if self.is_terminal() else self.state.decider)
        return render_state(self.dominion, self.state, seat)


class RecallState(pyspiel.State):
    """A game with explicit draws. ``seen`` has the information state of each seat."""

    def __init__(self, game: DominionSpiel, drawn: DrawnDominion) -> None:
        super().__init__(game)
        self.drawn = drawn
        self.position, self.seen = drawn.start

    @property
    def dominion(self) -> Dominion:
        """The rules of the game."""
        return self.drawn.dominion

    @property
    def state(self) -> State:
        """The STATE record. Cards of pending draws are in the decks."""
        return self.position.state

    def current_player(self) -> Any:
        """Return the seat that decides, or OpenSpiel's number for chance or the end."""
        if self.position.draws:
            return pyspiel.PlayerId.CHANCE
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else self.position.seat

    def _legal_actions(self, player: int) -> list[int]:
        """Return the numbers of the legal actions in ascending order; none for a seat that does not decide."""
        if player != self.position.seat:
            return []
        return [action_number(self.dominion, action) for action in self.position.answers]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the numbers of cards of a pile that may be among the drawn cards, with their probabilities."""
        return list(self.position.outcomes)

    def _apply_action(self, action: int) -> None:
        """Carry out an action or a draw. Raise UsageError for an illegal one."""
        player = int(self.current_player())
        legal = dict(self.position.outcomes) or self._legal_actions(player)
        if action not in legal:
            raise illegal_action(action, {number: self._action_to_string(player, number) for number in legal})
        if self.position.draws:
            self.position, texts = self.drawn.drawn(self.position, action)
        else:
            self.position, texts = self.drawn.answered(self.position, self.dominion.all_actions[action])
        self.seen = tuple(map("".join, zip(self.seen, texts, strict=True)))

    def _action_to_string(self, player: int, action: int) -> str:
        """Return the name of an action, or the number of drawn cards such as "2 Copper"."""
        if player == pyspiel.PlayerId.CHANCE:
            return f"{action} {self.dominion.action_name(self.position.draws[0].pile)}"
        return self.dominion.action_name(self.dominion.all_actions[action])

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return bool(self.position.returns)

    def returns(self) -> list[float]:
        """Return the share of the win of each player; zeros before the end."""
        return list(self.position.returns) or [0.0] * self.dominion.n_players

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "RecallState":
        """Raise UsageError: a redeal keeps the present observation, but not the earlier ones."""
        raise UsageError("a game with perfect_recall=True is not dealt again. Search the game without it.")

    def __str__(self) -> str:
        return "\n".join(self.seen)


class RecallObserver:
    """The information state of a player as a string. Its length varies, so there is no tensor."""

    def __init__(self) -> None:
        self.tensor = None
        self.dict: dict[str, Any] = {}

    def set_from(self, state: RecallState, player: int) -> None:
        """Raise UsageError."""
        raise UsageError("information states are strings. Use information_state_string, or the observation tensor.")

    def string_from(self, state: RecallState, player: int) -> str:
        """Return the player's observations and actions, in order."""
        return f"P{player}:{state.seen[player]}"


class DominionObserver:
    """The observation of a player: a tensor of the scaled features, and the player's view as a string."""

    def __init__(self, dominion: Dominion) -> None:
        self._dominion = dominion
        self.tensor: npt.NDArray[np.float32] = np.zeros(N_FEATURES, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: DominionState | RecallState, player: int) -> None:
        """Write the observation of a player into ``tensor``."""
        features = np.zeros(N_FEATURES, np.int8)
        if state.state is not None:
            observe(self._dominion.rules, state.state, player, features)
        self.tensor[:] = features * SCALES

    def string_from(self, state: DominionState | RecallState, player: int) -> str:
        """Return the view of a player as text."""
        return "" if state.state is None else f"{player}: {self._dominion.observe(state.state, player)}"


pyspiel.register_game(GAME_TYPE, DominionSpiel)
