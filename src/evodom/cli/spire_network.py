"""What the commands for fights share that use a trained network: which one, and whether it knows the fight."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from evodom.cli.common import RunKey, data_dir_option
from evodom.cli.spire_fight import fight_of
from evodom.errors import UsageError

if TYPE_CHECKING:
    from evodom.spire.fights import Fight
    from evodom.spire.search.network import Network

F = TypeVar("F", bound=Callable[..., Any])


def network_option(function: F) -> F:
    """Add the option that has a trained network judge positions."""
    option = click.option(
        "--network",
        type=RunKey(),
        metavar="KEY",
        help="The network of this training judges positions; if no fight is given, it is the one it was trained for.",
    )
    return option(data_dir_option(function))


def fight_and_network(given: dict[str, Any]) -> tuple[Fight, Network | None]:
    """Return the fight of the options and the network that they name."""
    key, data_dir = given.pop("network"), given.pop("data_dir")
    if key is None:
        return fight_of(given), None
    fights, network = trained(key, data_dir)
    fight = fight_of(given, fights[0])
    check_known(key, network, fight)
    return fight, network


def trained(key: str, data_dir: Path | None) -> tuple[list[Fight], Network]:
    """Return the fights of a training, and its network."""
    from evodom.learning.fights.run import fights_of, network_of
    from evodom.store import Run
    from evodom.store import data_dir as find_data_dir

    with Run.open(key, root=find_data_dir(data_dir)) as run:
        return fights_of(run), network_of(run)


def check_known(key: str, network: Network, fight: Fight) -> None:
    """Raise UsageError if a fight has cards or enemies that a network was not trained with."""
    from evodom.spire.engine.game import SpireFight

    for _, _, setup in fight.parts():
        if unknown := network.sight.unknown(SpireFight(setup)):
            raise UsageError(
                f"the network '{key}' has never seen {unknown}. Train one for this fight: evodom spire train."
            )


def is_training(name: str, data_dir: Path | None) -> bool:
    """Tell whether a name is the key of a saved training for fights."""
    from evodom.learning.fights.run import is_for_fights
    from evodom.store import Run, known_keys
    from evodom.store import data_dir as find_data_dir

    root = find_data_dir(data_dir)
    if name not in known_keys(root):
        return False
    with Run.open(name, root=root) as run:
        return is_for_fights(run)
