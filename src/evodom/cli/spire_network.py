"""What the commands for fights share that use a trained network: which one, and whether it knows the fight."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from evodom.cli.common import RunKey, data_dir_option
from evodom.cli.spire_fight import fight_of
from evodom.errors import EvodomError, UsageError
from evodom.learning.fights import ACT, WITHOUT, is_for_fights

if TYPE_CHECKING:
    from evodom.spire.fights import Fight
    from evodom.spire.play.network import Network, NetworkEvaluator

F = TypeVar("F", bound=Callable[..., Any])

RUN = "run:"
"""Prefix of the key of a training, where names of enemies are valid too."""


def network_option(function: F) -> F:
    """Add the option that has a network judge positions; the network of act 1 does if it is not given."""
    option = click.option(
        "--network",
        type=RunKey(),
        metavar="KEY",
        help="The network of this training judges positions; if no fight is given, it is the one it was trained for. "
        f"By default, and as {ACT}, the one of all act 1 that comes with evodom does; {WITHOUT}: none does.",
    )
    return option(data_dir_option(function))


def fight_and_network(given: dict[str, Any]) -> tuple[Fight, NetworkEvaluator | None]:
    """Return the fight of the options and the network that they name, or that of act 1."""
    key, data_dir = given.pop("network"), given.pop("data_dir")
    if key is None:
        return fight_of(given), shipped_network()
    if key == WITHOUT:
        return fight_of(given), None
    if key == ACT:
        return fight_of(given), named_network()
    fights, network = trained(key, data_dir)
    fight = fight_of(given, fights[0])
    check_known(key, network, fight)
    return fight, network


def fight_argument(function: F) -> F:
    """Add the argument that names the fight."""
    return click.argument("name", metavar="[FIGHT]", required=False)(function)


def name_fight(given: dict[str, Any], name: str | None) -> None:
    """Put the argument FIGHT into the options: a file, an encounter or enemies, or else a training.

    A name of enemies always means the enemies. A training is also named with `run:` before its key.
    """
    if name is None:
        return
    option = "file" if name.endswith(".toml") else "enemies"
    value: Any = Path(name) if option == "file" else name
    if option == "enemies" and "network" in given and names_training(name, given["data_dir"]):
        option, value = "network", name.removeprefix(RUN)
    if given[option] is not None:
        raise UsageError(f"two fights are named, {name} and {given[option]}. Leave one of them out.")
    given[option] = value


def names_training(name: str, data_dir: Path | None) -> bool:
    """Return True if a name is `run:` and a key, or the key of a training and no enemies."""
    from evodom.runs import check_key

    if name.startswith(RUN):
        check_key(name.removeprefix(RUN))
        return True
    return not names_enemies(name) and is_training(name, data_dir)


def names_enemies(name: str) -> bool:
    """Return True if a name is an encounter or enemies."""
    from evodom.spire.fights.names import find_enemies

    try:
        return bool(find_enemies(name))
    except UsageError:
        return False


def shipped_network() -> NetworkEvaluator | None:
    """Return the network of act 1 that comes with evodom, None where none is there that fits."""
    from evodom.spire.embedding.hypernetwork import shipped

    return shipped()


def named_network() -> NetworkEvaluator:
    """Return the network of act 1 that comes with evodom; EvodomError where none is there that fits."""
    found = shipped_network()
    if found is None:
        raise EvodomError(f"no network of act 1 is there that fits these rules. Use --network {WITHOUT}.")
    return found


def name_of(network: NetworkEvaluator | None, key: str | None) -> str | None:
    """Return what a network is called for programs: the key of a training, that of act 1, or None."""
    return None if network is None else key or ACT


def told(network: NetworkEvaluator | None, key: str | None) -> str:
    """Return a line that says that the network of act 1 is used, where nobody has named it; "" otherwise."""
    if network is None or key is not None:
        return ""
    return f"The network of act 1 judges positions (--network {WITHOUT}: quick play alone does)."


def trained(key: str, data_dir: Path | None) -> tuple[list[Fight], Network]:
    """Return the fights of a training, and its network."""
    from evodom.learning.fights.run import fights_of, network_of
    from evodom.runs import Run
    from evodom.runs import data_dir as find_data_dir

    with Run.open(key, root=find_data_dir(data_dir)) as run:
        return fights_of(run), network_of(run)


def check_known(key: str | None, network: NetworkEvaluator | None, fight: Fight) -> None:
    """Raise UsageError if a fight has cards or enemies that a network was not trained with; that of act 1 knows all."""
    from evodom.spire.engine.game import SpireFight
    from evodom.spire.play.network import Network

    if not isinstance(network, Network):
        return
    for _, _, setup in fight.parts():
        if unknown := network.sight.unknown(SpireFight(setup)):
            raise UsageError(
                f"the network '{key}' has never seen {unknown}. Train one for this fight: evodom spire train."
            )


def is_training(name: str, data_dir: Path | None) -> bool:
    """Tell whether a name is the key of a saved training for fights."""
    from evodom.runs import Run, known_keys
    from evodom.runs import data_dir as find_data_dir

    root = find_data_dir(data_dir)
    if name not in known_keys(root):
        return False
    with Run.open(name, root=root) as run:
        return is_for_fights(run)
