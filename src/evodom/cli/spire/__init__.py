"""`evodom spire`: commands on fights, maps and routes of Slay the Spire."""

import click

from evodom.cli import LazyGroup

COMMANDS = {
    "cards": ("cards", "List the available cards, enemies, relics and potions."),
    "compare": ("search", "Compare two networks, or a network and none, in the same fights."),
    "draw": ("cards", "Print the odds of drawing cards in the next turns."),
    "fight": ("play", "Write a fight to a file, from options and questions."),
    "map": ("map", "Draw the map of an act from the seed of a run."),
    "pick": ("search", "Rank cards to add or upgrade for a fight; also skip and rest."),
    "play": ("play", "Play a fight, with the value of each move on request."),
    "route": ("route", "Find the best route through an act."),
    "search": ("search", "Estimate the HP cost and death rate of a fight by search."),
    "solve": ("solve", "Compute the optimal play of a fight and its expected HP."),
    "train": ("train", "Train a network for a fight by self-play and save it under a key."),
}
"""Each command with its module and its line in `evodom spire --help`."""


@click.group(cls=LazyGroup, package=__name__, lines=COMMANDS)
def spire() -> None:
    """Slay the Spire: solve and play fights of act 1, draw maps, and find routes."""
