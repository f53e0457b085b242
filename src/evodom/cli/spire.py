"""`evodom spire`: Slay the Spire, its fights solved exactly, its maps drawn, routes found."""

from __future__ import annotations

import click

from evodom.cli.groups import Group
from evodom.cli.spire_ask import fight_command
from evodom.cli.spire_cards import cards_command
from evodom.cli.spire_compare import compare_command, pick_command
from evodom.cli.spire_map import map_command
from evodom.cli.spire_play import play_command
from evodom.cli.spire_route import route_command
from evodom.cli.spire_search import search_command
from evodom.cli.spire_solve import solve_command
from evodom.cli.spire_train import train_command


@click.group(cls=Group, short_help="Solve fights of Slay the Spire, and find routes through its maps.")
def spire() -> None:
    """Solve fights of Slay the Spire, the best line with proof of what it is worth; draw its maps, and find routes."""


for command in (
    cards_command,
    map_command,
    route_command,
    search_command,
    play_command,
    fight_command,
    pick_command,
    train_command,
    compare_command,
    solve_command,
):
    spire.add_command(command)
