"""Write a trained PyTorch module as a policy file (`export`), which plays in `evodom match` and `evodom benchmark`."""

import copy
from pathlib import Path
from typing import Any

import numpy as np

from evodom.dominion.engine.observation import N_FEATURES
from evodom.environments.agent_games import AgentGames
from evodom.errors import UsageError, short
from evodom.matches.agents import user_code
from evodom.matches.names import ONNX, POLICY_FILES
from evodom.matches.observations import FEATURES, PlaceObservations
from evodom.matches.policies import try_policy
from evodom.matches.policy_files import METADATA, load_policy, metadata_of, without_logs

N_EXAMPLES = 2
"""Number of observations in the batch with which a module is traced. PyTorch would take a batch of 1 as fixed."""


def export(module: Any, path: str | Path, env: Any) -> None:
    """Write a PyTorch module as a policy file: ``policy.pt2``, or ``policy.onnx`` with onnxscript and ONNX Runtime.

    The module takes scaled observations of the environment ``env``, float32 (n, n_features), and returns logits,
    (n, n_actions). For observations by card it takes "state", "piles", "traits" and "present", in this order. The
    metadata of the file has the kind of observations. For features it also has the kingdom, and the file plays in no
    other. Raises UsageError for another ending or unscaled features, AgentError for a module that does not fit.
    """
    file, games = Path(path), games_of(env)
    if file.suffix not in POLICY_FILES:
        raise UsageError(f"path is {short(str(path))}. Allowed: a name that ends in {' or '.join(POLICY_FILES)}.")
    by_features = games.observation == FEATURES
    if by_features and not games.scaled:
        raise UsageError(
            "env returns unscaled observations, and a policy file gets scaled ones. Train with scaled=True."
        )
    features = (np.zeros((N_EXAMPLES, N_FEATURES), np.float32),)
    observations = features if by_features else PlaceObservations.zeros(N_EXAMPLES)
    new = file.with_name(f"new-{file.name}")
    with without_logs(), user_code("the module cannot be exported"):
        write = _write_onnx if file.suffix == ONNX else _write_torch
        write(copy.deepcopy(module).cpu().eval(), new, observations, metadata_of(games.observation, games.kingdom))
    try:
        try_policy(load_policy(new), games.kingdom)
        new.replace(file)
    finally:
        new.unlink(missing_ok=True)


def games_of(env: Any) -> AgentGames:
    """Return the games of an environment: of `gymnasium.make`, `DominionVectorEnv` or `sb3.VecEnv`, also wrapped."""
    inner = getattr(env, "unwrapped", env)
    games = getattr(getattr(inner, "envs", inner), "games", None)
    if not isinstance(games, AgentGames):
        raise UsageError(
            f"env is {short(env)}. Allowed: an environment of gymnasium.make, DominionVectorEnv or sb3.VecEnv."
        )
    return games


def _traced(observations: tuple[Any, ...]) -> dict[str, Any]:
    """Return the arguments with which PyTorch traces a module for a dynamic number of observations."""
    import torch

    batch = torch.export.Dim("n")
    shapes = tuple({0: batch} for _ in observations)
    return {"args": tuple(map(torch.from_numpy, observations)), "dynamic_shapes": shapes}


def _write_torch(module: Any, file: Path, observations: tuple[Any, ...], metadata: str) -> None:
    import torch

    torch.export.save(torch.export.export(module, **_traced(observations)), file, extra_files={METADATA: metadata})


def _write_onnx(module: Any, file: Path, observations: tuple[Any, ...], metadata: str) -> None:
    import torch

    program = torch.onnx.export(module, dynamo=True, verbose=False, **_traced(observations))
    program.model.metadata_props[METADATA] = metadata
    program.save(file)
