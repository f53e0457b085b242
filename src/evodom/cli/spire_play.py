"""`evodom spire play`: play a fight at the terminal, with a search to ask."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from evodom.cli.common import chosen_seed, quiet_option, seed_option, warm_up_fights
from evodom.cli.spire_fight import fight_options
from evodom.cli.spire_network import fight_and_network, is_training, network_option
from evodom.errors import EvodomError, UsageError

STOP = ("q", "quit", "exit")


@click.command("play", short_help="Play a fight, and ask what each move is worth.")
@click.argument("name", metavar="[FIGHT]", required=False)
@fight_options
@network_option
@click.option(
    "--simulations", type=click.IntRange(1, 1_000_000), default=1000, show_default=True, help="Simulations of n and nn."
)
@seed_option
@quiet_option
def play_command(name: str | None, simulations: int, quiet: bool, seed: int | None, **given: Any) -> None:
    """Play a fight of act 1 card by card. FIGHT is a file, an encounter or enemies, such as nob or "3 louses".

    It may also be the key of a training: then it is the fight of that training, and its network is asked.

    `n` tells what every move is worth and how often it is lost, `nn` the best line up to the next draw. With `rng off`
    it is a companion beside the running game: it asks for every hand and intent as the game shows them.
    """
    from numpy.random import default_rng

    from evodom.spire.search.player import Budget
    from evodom.spire.search.table import FightTable

    if name is not None:
        option = "file" if name.endswith(".toml") else "enemies"
        if option == "enemies" and name.isalnum() and is_training(name, given["data_dir"]):
            option = "network"
        if given[option] is not None:
            raise UsageError(f"two fights are named, {name} and {given[option]}. Leave one of them out.")
        given[option] = Path(name) if option == "file" else name
    fight, network = fight_and_network(given)
    warm_up_fights(quiet=quiet)
    table = FightTable(fight, default_rng(chosen_seed(seed)), Budget(simulations, network=network), _ask)
    click.echo(f"{table.position()}\n? lists the commands.")
    while True:
        try:
            answer = _ask(">")
        except click.Abort:
            click.echo()
            return
        if answer.casefold() in STOP:
            return
        if not answer:
            continue
        try:
            click.echo(table.do(answer))
        except EvodomError as error:
            click.echo(f"{error}")
        except click.Abort:
            click.echo("\nNothing was played.")


def _ask(question: str) -> str:
    """Ask a question and return the answer; Abort at the end of the input."""
    answer: str = click.prompt(question, default="", show_default=False, prompt_suffix=" " if question == ">" else ": ")
    return answer.strip()
