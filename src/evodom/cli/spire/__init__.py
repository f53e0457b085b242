"""`evodom spire`: Slay the Spire, its fights solved exactly, its maps drawn, routes found."""

import click

from evodom.cli import LazyGroup

COMMANDS = {
    "cards": ("cards", "List the cards, enemies, relics and potions that fights may have."),
    "compare": ("search", "Compare two networks, or a network and playouts, in the same fights."),
    "fight": ("play", "Write a fight to a file, by asking."),
    "map": ("map", "Draw the map of an act from the seed of a run."),
    "pick": ("search", "Tell which card helps most in a fight, or whether to skip, upgrade or rest."),
    "play": ("play", "Play a fight, and ask what each move is worth."),
    "route": ("route", "Find the best route through an act."),
    "search": ("search", "Tell what a fight of act 1 costs, by search: any deck, any enemy."),
    "solve": ("solve", "Print the most HP that can be expected of a fight."),
    "train": ("train", "Train a network for a fight by self-play, saved under a key."),
}
"""The commands, each with its module and the line `evodom spire --help` shows."""


@click.group(cls=LazyGroup, package=__name__, lines=COMMANDS)
def spire() -> None:
    """Solve fights of Slay the Spire, the best line with proof of what it is worth; draw its maps, and find routes."""
