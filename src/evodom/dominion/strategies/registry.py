"""The registry of strategy models. A new model is a folder and a line of PACKAGES.

Each package defines ENTRY. Other modules of a package are imported on first use, so this module needs no NumPy.
"""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from evodom.dominion.strategies.base import Genetics, ModelEntry, ModelPreset, StrategyModel
from evodom.errors import UsageError

if TYPE_CHECKING:
    from evodom.dominion.strategies.record import Strategy

PACKAGES = (
    "evodom.dominion.strategies.models.random",
    "evodom.dominion.strategies.models.preferences",
    "evodom.dominion.strategies.models.buy_lists",
    "evodom.dominion.strategies.models.networks",
)
"""The packages of all models."""

ENTRIES: tuple[ModelEntry, ...] = tuple(import_module(package).ENTRY for package in PACKAGES)

_ENTRIES = {entry.name: entry for entry in ENTRIES}

MODELS = tuple(_ENTRIES)
"""The names of all models. The column ``kind`` of a strategy's record is an index into this table."""

MODEL_PRESETS: dict[str, ModelPreset] = {preset.name: preset for entry in ENTRIES for preset in entry.presets}
"""The values of ``--model`` by name."""


@cache
def model_named(name: str) -> StrategyModel:
    """Return a model by name; raise KeyError for an unknown name."""
    return _ENTRIES[name].model


def all_models() -> tuple[StrategyModel, ...]:
    """Return all models, in the order of MODELS."""
    return tuple(map(model_named, MODELS))


def model_of(strategy: "Strategy") -> StrategyModel:
    """Return the model of a strategy."""
    return model_named(MODELS[int(strategy["kind"])])


def editable_model(strategy: "Strategy") -> StrategyModel:
    """Return the model of a strategy. Raise UsageError for a model that is not editable."""
    model = model_of(strategy)
    if not model.is_editable:
        raise UsageError(f"a {model.name} strategy cannot be changed. Take one with rules or preferences.")
    return model


def model_index(name: str) -> int:
    """Return the index of a model in MODELS. Raise KeyError for an unknown name."""
    return MODELS.index(_ENTRIES[name].name)


def was_learned(strategy: "Strategy") -> bool:
    """Return whether a strategy's model learns from games, so that it can be trained further."""
    return model_of(strategy).is_learned


def genetics_of(preset: str) -> Genetics:
    """Return the genetics of a value of ``--model``."""
    genetics = model_named(MODEL_PRESETS[preset].model).genetics
    assert genetics is not None, f"{preset} is the preset of a model without genomes"
    return genetics


def models_with_files() -> tuple[str, ...]:
    """Return the names of the models that have strategy files."""
    return tuple(sorted(model.name for model in all_models() if model.keys))


def model_with_files(name: str) -> StrategyModel:
    """Return a model with strategy files by name. Raise UsageError for a model without them."""
    model = model_named(name)
    if not model.keys:
        raise UsageError(f"a {name} strategy cannot be written as a file. Allowed: {', '.join(models_with_files())}.")
    return model


def is_sound(strategy: "Strategy") -> bool:
    """Return whether a record from a file is safe for kernels, by the checks of all models."""
    return 0 <= strategy["kind"] < len(MODELS) and all(model.is_sound(strategy) for model in all_models())
