"""The registry of models: which kinds of strategies there are, and which values of ``--model`` evolve them.

It imports no model. A model's module is imported when the model is first used, and has the model as MODEL.
"""

from functools import cache
from importlib import import_module
from typing import cast

from evodom.dominion.strategies.base import SIMPLE_CHOICES, Genetics, Setting, Strategy, StrategyModel
from evodom.errors import UsageError

RANDOM, BUY_LIST, PREFERENCES, NETWORK = "random", "buy-list", "preferences", "network"

_MODULES = {RANDOM: "random", BUY_LIST: "buy_lists.model", PREFERENCES: "preferences.model", NETWORK: "networks.model"}

MODELS = tuple(_MODULES)
"""The names of all models; the column ``kind`` of a strategy's record is a place in this table."""

_SETTINGS = (
    Setting(
        "graded",
        PREFERENCES,
        "preferences near a strict order among what can be had, and conditions under which cards are wanted",
    ),
    Setting(
        "classic",
        PREFERENCES,
        "three draws from flat preferences, as the original did, and simple choices",
        choices=SIMPLE_CHOICES,
        switch=(12, 12),
        meets_rivals=False,
    ),
    Setting("buy-list", BUY_LIST, "an ordered list of what to buy, how many and when"),
)

SETTINGS: dict[str, Setting] = {setting.name: setting for setting in _SETTINGS}
"""The values of ``--model`` by name."""


@cache
def model_named(name: str) -> StrategyModel:
    """Return a model by name; raise KeyError for an unknown name."""
    return cast(StrategyModel, import_module(f"evodom.dominion.strategies.{_MODULES[name]}").MODEL)


def all_models() -> tuple[StrategyModel, ...]:
    """Return all models, in the order of MODELS."""
    return tuple(map(model_named, MODELS))


def model_of(strategy: Strategy) -> StrategyModel:
    """Return the model of a strategy."""
    return model_named(MODELS[int(strategy["kind"])])


def editable_model(strategy: Strategy) -> StrategyModel:
    """Return the model of a strategy that can be changed; raise UsageError for another strategy."""
    model = model_of(strategy)
    if not model.is_editable:
        raise UsageError(f"a {model.name} strategy cannot be changed. Take one with rules or preferences.")
    return model


def kind_of(name: str) -> int:
    """Return the number of a model in a record's ``kind``; raise KeyError for an unknown name."""
    if name not in _MODULES:
        raise KeyError(name)
    return MODELS.index(name)


def was_learned(strategy: Strategy) -> bool:
    """Return whether a strategy was learned from games, and can be trained further."""
    return model_of(strategy).is_learned


def genetics_of(setting: str) -> Genetics:
    """Return the genetics of a value of ``--model``."""
    genetics = model_named(SETTINGS[setting].model).genetics
    assert genetics is not None, f"{setting} is the setting of a model without genomes"
    return genetics


def written_models() -> tuple[str, ...]:
    """Return the names of the models that have strategy files."""
    return tuple(model.name for model in all_models() if model.keys)


def written_model(name: str) -> StrategyModel:
    """Return a model that has strategy files; raise UsageError for another."""
    model = model_named(name)
    if not model.keys:
        raise UsageError(f"a {name} strategy cannot be written as a file. Allowed: {', '.join(written_models())}.")
    return model


def is_sound(strategy: Strategy) -> bool:
    """Return whether kernels may trust a record that was read from a file, whatever its model."""
    return 0 <= strategy["kind"] < len(MODELS) and all(model.is_sound(strategy) for model in all_models())
