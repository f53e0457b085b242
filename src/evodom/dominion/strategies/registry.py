"""The registry of models: the one place that lists the kinds of strategies there are."""

from evodom.dominion.strategies.buy_lists import BUY_LISTS
from evodom.dominion.strategies.model import Edits, FileForm, Genetics, Model, Parts, Setting, Strategy
from evodom.dominion.strategies.networks import NETWORKS
from evodom.dominion.strategies.preferences import PREFERENCES
from evodom.dominion.strategies.scripted import RANDOM_PLAYER
from evodom.errors import UsageError

MODELS: tuple[Model, ...] = (RANDOM_PLAYER, BUY_LISTS, PREFERENCES, NETWORKS)
"""All models; the column ``kind`` of a strategy's record is a place in this table."""

SETTINGS: dict[str, Setting] = {setting.name: setting for model in reversed(MODELS) for setting in model.settings}
"""The values of ``--model`` by name."""

_NAMES = tuple(model.name for model in MODELS)
_EVOLVED = {setting.name: model for model in MODELS for setting in model.settings}


def model_named(name: str) -> Model:
    """Return a model by name; raises KeyError for none."""
    return MODELS[kind_of(name)]


def kind_of(name: str) -> int:
    """Return the number that stands in a record's ``kind`` for a model; raises KeyError for an unknown name."""
    if name not in _NAMES:
        raise KeyError(name)
    return _NAMES.index(name)


def name_of(strategy: Strategy) -> str:
    """Return the name of a strategy's model."""
    return _NAMES[int(strategy["kind"])]


def parts_of(strategy: Strategy) -> Parts:
    """Return all that depends on a strategy's model."""
    return MODELS[int(strategy["kind"])].parts


def was_learned(strategy: Strategy) -> bool:
    """Tell whether a strategy was learned from games, and can go on learning."""
    return parts_of(strategy).learned


def genetics_of(setting: str) -> Genetics:
    """Return how genomes are bred with a value of ``--model``."""
    genetics = evolved_model(setting).parts.genetics
    assert genetics is not None, f"{setting} is the setting of a model without genomes"
    return genetics


def evolved_model(setting: str) -> Model:
    """Return the model that a value of ``--model`` evolves."""
    return _EVOLVED[setting]


def file_form(model: Model) -> FileForm:
    """Return how a file says strategies of a model; raises UsageError if none can."""
    if model.parts.file is None:
        raise UsageError(
            f"a {model.name} strategy cannot be written as a file. Allowed: {', '.join(written_models())}."
        )
    return model.parts.file


def written_models() -> tuple[str, ...]:
    """Return the names of the models that strategy files can say."""
    return tuple(model.name for model in MODELS if model.parts.file is not None)


def edits_of(strategy: Strategy) -> Edits:
    """Return how a strategy is changed; raises UsageError for one that cannot be."""
    edits = parts_of(strategy).edits
    if edits is None:
        raise UsageError(f"a {name_of(strategy)} strategy cannot be changed. Take one with rules or preferences.")
    return edits


def is_sound(strategy: Strategy) -> bool:
    """Tell whether kernels may trust a record that was read from a file, whatever its model."""
    return 0 <= strategy["kind"] < len(MODELS) and all(model.parts.is_sound(strategy) for model in MODELS)
