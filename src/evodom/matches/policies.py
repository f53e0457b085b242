"""Policies: functions from observations and masks of legal actions to actions, as players of matches.

    def agent(observations, masks):             # in mine.py
        return observations @ WEIGHTS           # logits, (n, n_actions), or action numbers, (n,)

    agent.takes_observations = True

A policy answers for many games in one call (`matches.batch.GameBatch`). It is loaded like an agent, or from a file of
ONNX (``policy.onnx``) or PyTorch (``policy.pt2``). Its inputs and outputs are the observations and actions of
`evodom.environments`.
"""

import logging
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.engine.batch import RESULT, Results
from evodom.dominion.engine.observation import N_FEATURES, SCALES, observe
from evodom.dominion.game import DominionGame
from evodom.dominion.kingdom import Kingdom
from evodom.errors import AgentError, UsageError, install_advice
from evodom.games.contract import legal_mask
from evodom.matches.agents import PythonAgent, SearchingAgent, SinglePlayer, user_code, without_agents
from evodom.matches.batch import CALLER, START, Actions, GameBatch, Rows, mark_illegal, waiting_rows
from evodom.matches.names import ONNX
from evodom.matches.seating import Tables
from evodom.tasks import Workers

Observations = npt.NDArray[np.int8] | npt.NDArray[np.float32]
Masks = npt.NDArray[np.bool_]

BatchPolicy = Callable[[Observations, Masks], npt.ArrayLike]
"""Function of observations (n, N_FEATURES) and masks (n, n_actions). Returns actions (n,) or logits (n, n_actions)."""

N_ROWS = 256
"""Number of games that are played in step."""


@dataclass(frozen=True, eq=False, kw_only=True)
class PolicyAgent(PythonAgent):
    """A policy as a player. With ``scaled`` it takes float32 observations multiplied by their scales, else int8."""

    policy: BatchPolicy
    scaled: bool = False

    def actions(self, observations: npt.NDArray[np.int8], masks: Masks) -> Actions:
        """Return the policy's action for each row: its action numbers, or the legal actions with the highest logits.

        The policy can change ``observations``, and a copy of ``masks``. Raises AgentError if the policy fails, or
        returns another shape, NaN or an illegal action.
        """
        given: Observations = observations * SCALES if self.scaled else observations
        with user_code(f"policy '{self.name}' failed"):
            answer = np.asarray(self.policy(given, masks.copy()))
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


def as_policy(policy: BatchPolicy, name: str, *, source: str = "", scaled: bool = False) -> PolicyAgent:
    """Return a policy as a player of matches, tournaments and games."""

    def make(kingdom: Kingdom, seat: int, rng: np.random.Generator) -> SearchingAgent:
        return lambda game, workers: _choice(made, game)

    made = PolicyAgent(name, make, source, reads_game=True, policy=policy, scaled=scaled)
    return made


def _choice(agent: PolicyAgent, game: DominionGame) -> str:
    """Return the name of a policy's answer to the pending Decision of a game."""
    seat = int(game.state.decider)
    observations = np.zeros((1, N_FEATURES), np.int8)
    observe(game.rules, game.state, seat, observations[0])
    masks = legal_mask(game.contract, game.state)[None]
    return game.answer_name(game.contract.all_actions[int(agent.actions(observations, masks)[0])])


def load_policy(path: Path) -> PolicyAgent:
    """Load a policy from a file of ONNX or PyTorch.

    The first input is scaled observations, float32 (n, N_FEATURES). The first output is logits (n, n_actions). An ONNX
    file may have a second input, masks, bool (n, n_actions). Raises UsageError if the file cannot be loaded. A file of
    PyTorch can run code when it is loaded. A file of ONNX runs no code, but it can name files with its weights.
    """
    if not path.is_file():
        raise UsageError(f"there is no file {path}. Name a policy: a file of ONNX (.onnx) or PyTorch (.pt2).")
    load = _load_onnx if path.suffix == ONNX else _load_torch
    return as_policy(load(path), str(path), source=str(path.resolve()), scaled=True)


def _load_onnx(path: Path) -> BatchPolicy:
    try:
        import onnxruntime
    except ModuleNotFoundError as error:
        raise UsageError(f"{path} needs ONNX Runtime. Install it: {install_advice('onnx')}.") from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4  # errors are raised too
    with user_code(f"{path} cannot be read as ONNX", kind=UsageError):
        session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    names = [one.name for one in session.get_inputs()]
    return lambda observations, masks: session.run(None, dict(zip(names, (observations, masks), strict=False)))[0]


def _load_torch(path: Path) -> BatchPolicy:
    if find_spec("torch") is None:
        raise UsageError(f"{path} needs PyTorch. Install it: pip install torch.")
    with _without_logs(), user_code(f"{path} cannot be read as PyTorch", kind=UsageError):
        import torch

        module = torch.export.load(path).module()  # unpickles objects of the file

    def act(observations: Observations, masks: Masks) -> Any:
        with torch.inference_mode():
            return module(torch.from_numpy(observations)).numpy()

    return act


@contextmanager
def _without_logs() -> Iterator[None]:
    """Drop log messages and warnings: PyTorch logs the traceback of each error that it raises."""
    disabled = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(disabled)


def entries_of(players: Sequence[SinglePlayer]) -> tuple[npt.NDArray[np.int32], dict[int, PolicyAgent]]:
    """Return the entries of players in `Rows.tables`, and the policies among them by entry.

    A strategy's entry is its number in ``players``. A policy's entry is a number below CALLER.
    """
    numbers = np.arange(len(players), dtype=np.int32)
    policies = {CALLER - 1 - n: one for n, one in enumerate(players) if isinstance(one, PolicyAgent)}
    return np.where(np.isin(CALLER - 1 - numbers, list(policies)), CALLER - 1 - numbers, numbers), policies


def answer(rows: Rows, policies: Mapping[int, PolicyAgent]) -> int:
    """Write the actions of policies, in one call of each. Return the number of answers.

    ``policies`` are given by their entry of `Rows.tables`, a number below CALLER.
    """
    waiting, n_answers = np.empty(len(rows.actions), np.int64), 0
    for entry, policy in policies.items():
        n = waiting_rows(rows, entry, waiting)
        if n:
            mine = waiting[:n]
            rows.actions[mine] = policy.actions(rows.observations.take(mine, axis=0), rows.masks.take(mine, axis=0))
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
