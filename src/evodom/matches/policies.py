"""Policies: functions from observations and masks of legal actions to actions, as players of matches.

    def agent(observations, masks):             # in mine.py
        return observations @ WEIGHTS           # logits, (n, n_actions), or action numbers, (n,)

    agent.takes_observations = True

A policy answers for many games in one call (`matches.batch.GameBatch`). It is loaded like an agent, or from a file
(`policy_files`). Its inputs and outputs are the observations and actions of `evodom.environments`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.engine.batch import RESULT, Results
from evodom.dominion.engine.observation import N_FEATURES, SCALES, observe
from evodom.dominion.game import DominionGame
from evodom.dominion.kingdom import Kingdom
from evodom.errors import AgentError, UsageError
from evodom.games.contract import legal_mask
from evodom.matches.agents import PythonAgent, SearchingAgent, SinglePlayer, user_code, without_agents
from evodom.matches.batch import CALLER, START, Actions, GameBatch, Rows, mark_illegal, waiting_rows
from evodom.matches.observations import BY_CARD, FEATURES, CardPlaces
from evodom.matches.seating import Tables
from evodom.tasks import Workers

Observations = npt.NDArray[np.int8] | npt.NDArray[np.float32] | dict[str, npt.NDArray[np.generic]]
Masks = npt.NDArray[np.bool_]

BatchPolicy = Callable[[Any, Masks], npt.ArrayLike]
"""Function of Observations and masks (n, n_actions). It returns integer actions (n,) or float logits (n, n_actions).

FEATURES are an array (n, N_FEATURES). BY_CARD are a dict with the arrays of `PlaceObservations`; actions are places.
"""

N_ROWS = 256
"""Number of games that are played in step."""

_card_places = lru_cache(64)(CardPlaces)


@dataclass(frozen=True, eq=False, kw_only=True)
class PolicyAgent(PythonAgent):
    """A policy as a player.

    With ``scaled`` it takes float32 features multiplied by their scales, else int8. ``made_for`` is its only kingdom,
    or None. ``places`` are those of the kingdom that a policy of BY_CARD was `fitted` to.
    """

    policy: BatchPolicy
    scaled: bool = False
    observation: str = FEATURES
    made_for: Kingdom | None = None
    places: CardPlaces | None = None

    def fitted(self, kingdom: Kingdom) -> "PolicyAgent":
        """Return the policy for games in a kingdom. Raise UsageError if it was made for another kingdom."""
        if self.made_for not in (None, kingdom):
            raise UsageError(
                f"policy '{self.name}' was made for another kingdom: {', '.join(self.made_for.cards)}. Play there, or "
                f'export a policy of observation="{BY_CARD}", which plays in all kingdoms.'
            )
        return replace(self, places=_card_places(kingdom)) if self.observation == BY_CARD else self

    def actions(self, features: npt.NDArray[np.int8], masks: Masks) -> Actions:
        """Return the policy's action number for each row of features and of masks of legal actions.

        The policy can change ``features``, and a copy of ``masks``.
        """
        if self.places is not None:
            legal = self.places.masks(masks)
            return self.places.numbers(self.answers(self.places.observations(features, legal)._asdict(), legal))
        return self.answers(features * SCALES if self.scaled else features, masks)

    def answers(self, observations: Observations, masks: Masks) -> Actions:
        """Return the policy's actions for observations of its kind. Of logits, the highest legal one is the action.

        Raises AgentError if the policy fails, or returns another shape, NaN or an illegal action.
        """
        with user_code(f"policy '{self.name}' failed"):
            answer = np.asarray(self.policy(observations, masks.copy()))
        n, n_actions = masks.shape
        if answer.shape == (n, n_actions) and answer.dtype.kind == "f":
            if np.isnan(answer[masks]).any():
                raise AgentError(f"policy '{self.name}' returned NaN as the logit of a legal action.")
            best: Actions = np.where(masks, np.maximum(answer, np.finfo(np.float32).min), -np.inf).argmax(axis=1)
            return best
        if answer.shape != (n,) or answer.dtype.kind not in "iu":
            raise AgentError(
                f"policy '{self.name}' returned {answer.dtype} of shape {answer.shape}. Expected: action numbers, "
                f"integers of shape {(n,)}, or logits, floats of shape {(n, n_actions)}."
            )
        numbers: Actions = answer.astype(np.int64)
        is_illegal = np.zeros(n, np.bool_)
        mark_illegal(masks, numbers.copy(), is_illegal)
        if is_illegal.any():
            row = int(is_illegal.argmax())
            legal = ", ".join(map(str, np.flatnonzero(masks[row])))
            raise AgentError(f"policy '{self.name}' returned action {numbers[row]}. Legal there: {legal}.")
        return numbers


def as_policy(
    policy: BatchPolicy,
    name: str,
    *,
    source: str = "",
    scaled: bool = False,
    observation: str = FEATURES,
    made_for: Kingdom | None = None,
) -> PolicyAgent:
    """Return a policy as a player of matches, tournaments and games. `PolicyAgent` has the arguments."""

    def make(kingdom: Kingdom, seat: int, rng: np.random.Generator) -> SearchingAgent:
        return lambda game, workers: _choice(made.fitted(kingdom), game)

    made = PolicyAgent(
        name, make, source, reads_game=True, policy=policy, scaled=scaled, observation=observation, made_for=made_for
    )
    return made


def _choice(agent: PolicyAgent, game: DominionGame) -> str:
    """Return the name of a policy's answer to the pending Decision of a game."""
    seat = int(game.state.decider)
    observations = np.zeros((1, N_FEATURES), np.int8)
    observe(game.rules, game.state, seat, observations[0])
    masks = legal_mask(game.contract, game.state)[None]
    return game.answer_name(game.contract.all_actions[int(agent.actions(observations, masks)[0])])


def try_policy(agent: PolicyAgent, kingdom: Kingdom) -> None:
    """Let a policy answer the first Decision of a game. Raise UsageError or AgentError if it does not fit."""
    game = DominionGame(kingdom, 2, log=False)
    game.play_treasures_automatically(0, 1)
    _choice(agent.fitted(kingdom), game)


def entries_of(players: Sequence[SinglePlayer]) -> tuple[npt.NDArray[np.int32], dict[int, PolicyAgent]]:
    """Return the entries of players in `Rows.tables`, and the policies among them by entry.

    A strategy's entry is its number in ``players``. A policy's entry is a number below CALLER.
    """
    numbers = np.arange(len(players), dtype=np.int32)
    policies = {CALLER - 1 - n: one for n, one in enumerate(players) if isinstance(one, PolicyAgent)}
    return np.where(np.isin(CALLER - 1 - numbers, list(policies)), CALLER - 1 - numbers, numbers), policies


def answer(rows: Rows, policies: Mapping[int, PolicyAgent], places: CardPlaces | None = None) -> int:
    """Write the actions of policies, in one call of each. Return the number of answers.

    ``policies`` are given by their entry of `Rows.tables`, a number below CALLER. With ``places``, those of the batch's
    kingdoms, the batch's actions are places and all policies are BY_CARD. Without, the policies are `fitted`.
    """
    waiting, n_answers = np.empty(len(rows.actions), np.int64), 0
    for entry, policy in policies.items():
        n = waiting_rows(rows, entry, waiting)
        if n:
            mine = waiting[:n]
            features, masks = rows.observations.take(mine, axis=0), rows.masks.take(mine, axis=0)
            if places is None:
                rows.actions[mine] = policy.actions(features, masks)
            else:
                observations = places.observations(features, masks, rows.kingdoms[mine])
                rows.actions[mine] = policy.answers(observations._asdict(), masks)
            n_answers += n
    return n_answers


def play_policies(
    kingdom: Kingdom,
    players: Sequence[SinglePlayer],
    tables: Tables,
    seeds: npt.NDArray[np.uint64],
    workers: Workers | None,
) -> Results:
    """Play games of strategies and policies, N_ROWS in step, and return a RESULT for each.

    Arguments are those of `Venue.play`.
    """
    entries, policies = entries_of(players)
    policies = {entry: policy.fitted(kingdom) for entry, policy in policies.items()}
    places = entries[tables]
    n = min(N_ROWS, len(tables))
    batch = GameBatch(kingdom, places[:n], seeds[:n], without_agents(players), workers)
    rows, results = batch.rows, np.zeros(len(tables), RESULT)
    games, n_started = np.arange(n), n
    playing = np.ones(n, np.bool_)
    while playing.any():
        batch.step()
        over = np.flatnonzero(playing & rows.ended)
        answer(rows, policies)
        for row in over:
            results[games[row]] = rows.results[row]
            playing[row] = n_started < len(tables)
            if playing[row]:
                rows.actions[row] = START
                games[row], rows.tables[row], rows.seeds[row] = n_started, places[n_started], seeds[n_started]
                n_started += 1
    return results
