"""Load and stamp policies in files of ONNX (``policy.onnx``) and PyTorch (``policy.pt2``).

The first inputs of a policy are its observations. Their first dimension, the number of games, is dynamic.

    features    float32 (n, N_FEATURES), scaled
    cards       state, piles, traits, present: the arrays of `observations.PlaceObservations`

An ONNX file may have one more input, masks, bool (n, n_actions). The first output is logits (n, n_actions).

A file can have metadata, a JSON text with the name METADATA: `FileFormat.stamp`, the kind of observations, and for
features the cards of its kingdom. A file without metadata takes cards if it has at least as many inputs, else features.
"""

import json
import logging
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, NamedTuple

from msgspec import Struct

from evodom.dominion.kingdom import Kingdom
from evodom.errors import UsageError, install_advice
from evodom.files import parse_json
from evodom.formats import FileFormat
from evodom.matches.agents import user_code
from evodom.matches.names import ONNX
from evodom.matches.observations import BY_CARD, FEATURES, PlaceObservations
from evodom.matches.policies import BatchPolicy, Masks, Observations, PolicyAgent, as_policy
from evodom.reading import convert

METADATA = "evodom.json"
"""Name of the metadata: an extra file of PyTorch, a key of ONNX."""

POLICY = FileFormat("policy", 1)


class Metadata(Struct, frozen=True, forbid_unknown_fields=True):
    """The metadata of a policy file. ``cards`` are the kingdom of a policy of features."""

    format: int
    evodom_version: str
    rules: str
    observation: Literal["features", "cards"]
    cards: tuple[str, ...]


class Loaded(NamedTuple):
    """A loaded file. A dimension of an input is an integer if it is fixed."""

    policy: BatchPolicy
    shapes: Sequence[Sequence[object]]
    metadata: str


def metadata_of(observation: str, kingdom: Kingdom) -> str:
    """Return the metadata of a new policy file. A policy of cards is for all kingdoms."""
    cards, rules = (kingdom.cards, kingdom.rules_fingerprint) if observation == FEATURES else ((), "")
    return json.dumps(POLICY.stamp(rules) | {"observation": observation, "cards": cards})


def load_policy(path: Path) -> PolicyAgent:
    """Load a policy from a file of ONNX or PyTorch.

    Raises UsageError if the file cannot be loaded or takes a fixed number of observations, RunError for another format
    or other rules. A file of PyTorch can run code when it is loaded. A file of ONNX runs no code, but it can name files
    with its weights.
    """
    if not path.is_file():
        raise UsageError(f"there is no file {path}. Name a policy: a file of ONNX (.onnx) or PyTorch (.pt2).")
    found = (_load_onnx if path.suffix == ONNX else _load_torch)(path)
    if fixed := [shape[0] for shape in found.shapes if shape and isinstance(shape[0], int)]:
        raise UsageError(
            f"{path} takes exactly {fixed[0]} observation{'s' * (fixed[0] != 1)} in one call. Write it with "
            "evodom.environments.export, or with dynamic_shapes=({0: torch.export.Dim('n')},)."
        )
    observation = BY_CARD if len(found.shapes) >= len(PlaceObservations._fields) else FEATURES
    kingdom = None
    if found.metadata:
        observation, kingdom = _read_metadata(found.metadata, str(path))
    source = str(path.resolve())
    return as_policy(found.policy, str(path), source=source, scaled=True, observation=observation, made_for=kingdom)


def _read_metadata(text: str, where: str) -> tuple[str, Kingdom | None]:
    """Return the kind of observations and the kingdom of a file's metadata."""
    with user_code(f"{where} has damaged metadata", kind=UsageError):
        saved = parse_json(text)
    if isinstance(saved, dict):
        POLICY.check(where, saved)
    made = convert(saved, Metadata, source=where)
    if made.observation == BY_CARD:
        return BY_CARD, None
    kingdom = Kingdom(made.cards)
    POLICY.check(where, saved, kingdom.rules_fingerprint)
    return FEATURES, kingdom


def _inputs(observations: Observations) -> list[Any]:
    return [*observations.values()] if isinstance(observations, dict) else [observations]


def _load_onnx(path: Path) -> Loaded:
    try:
        import onnxruntime
    except ModuleNotFoundError as error:
        raise UsageError(f"{path} needs ONNX Runtime. Install it: {install_advice('onnx')}.") from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4  # errors are raised too
    with user_code(f"{path} cannot be read as ONNX", kind=UsageError):
        session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    inputs = session.get_inputs()

    def act(observations: Observations, masks: Masks) -> Any:
        given = zip([one.name for one in inputs], [*_inputs(observations), masks], strict=False)
        return session.run(None, dict(given))[0]

    metadata = session.get_modelmeta().custom_metadata_map.get(METADATA, "")
    return Loaded(act, [one.shape for one in inputs], metadata)


def _load_torch(path: Path) -> Loaded:
    if find_spec("torch") is None:
        raise UsageError(f"{path} needs PyTorch. Install it: pip install torch.")
    extra = {METADATA: ""}
    with without_logs(), user_code(f"{path} cannot be read as PyTorch", kind=UsageError):
        import torch

        program = torch.export.load(path, extra_files=extra)  # unpickles objects of the file
        module, given = program.module(), set(program.graph_signature.user_inputs)
        shapes = [node.meta["val"].shape for node in program.graph.nodes if node.name in given]

    def act(observations: Observations, masks: Masks) -> Any:
        with torch.inference_mode():
            return module(*map(torch.from_numpy, _inputs(observations))).numpy()

    return Loaded(act, shapes, extra[METADATA])


@contextmanager
def without_logs() -> Iterator[None]:
    """Drop log messages and warnings: PyTorch logs the traceback of each error that it raises."""
    disabled = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(disabled)
