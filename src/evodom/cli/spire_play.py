"""`evodom spire play`: play a fight at the terminal, with a search to ask."""

from __future__ import annotations

import sys
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import click

from evodom.cli.common import chosen_seed, is_terminal, quiet_option, seed_option, warm_up_fights, warm_up_solver
from evodom.cli.spire_ask import WHO, ask, ask_fight
from evodom.cli.spire_fight import fight_options
from evodom.cli.spire_network import fight_and_network, fight_argument, name_fight, network_option, told
from evodom.cli.spire_search import solve_below_option
from evodom.errors import EvodomError
from evodom.learning.fights import ACT, WITHOUT

if TYPE_CHECKING:
    from evodom.sessions.fight_terminal import FightPrompt

STOP = ("q", "quit", "exit")


@click.command("play", short_help="Play a fight, and ask what each move is worth.")
@fight_argument
@fight_options
@network_option
@click.option(
    "--simulations", type=click.IntRange(1, 1_000_000), default=1000, show_default=True, help="Simulations of n and nn."
)
@solve_below_option(20_000)
@seed_option
@quiet_option
def play_command(
    name: str | None, simulations: int, solve_below: int, quiet: bool, seed: int | None, **given: Any
) -> None:
    """Play a fight of act 1 card by card. FIGHT is a file, an encounter or enemies, such as nob or "3 louses".

    It may also be a training, run:KEY: then it is the fight of that training, and its network is asked. The key alone
    does where it names no enemies.
    Without FIGHT it asks for the enemies, your deck and your HP, at a terminal.

    `n` tells what every move is worth and how often it is lost, proven where the position is small enough to be solved
    at once, `nn` the best line up to the next draw. With `rng off` it is a companion beside the running game: it asks
    for all that chance decides as the game shows it.
    """
    from numpy.random import default_rng

    from evodom.sessions.fight_terminal import FightPrompt
    from evodom.spire.play.searcher import FightSearchOptions

    name_fight(given, name)
    key = given["network"]
    trained_for = key not in (None, ACT, WITHOUT)
    if not (given["file"] or given["enemies"] or trained_for) and is_terminal(sys.stdin):
        try:
            ask_fight(given, WHO)
        except click.Abort:
            click.echo()
            return
    fight, network = fight_and_network(given)
    warm_up_fights(quiet=quiet)
    budget = FightSearchOptions(simulations, network=network, solve_below=solve_below)
    prompt = FightPrompt(fight, default_rng(chosen_seed(seed)), budget, _ask_result)
    click.echo("\n".join(filter(None, [prompt.position(), told(network, key), "? lists the commands."])))
    _play(prompt, quiet=quiet)


def _play(prompt: FightPrompt, *, quiet: bool) -> None:
    """Do what a person types, until that is to stop."""
    from evodom.sessions.screen import WIDTH

    while True:
        try:
            answer = ask(">")
        except click.Abort:
            click.echo()
            return
        if answer.casefold() in STOP:
            return
        if not answer:
            continue
        try:
            if prompt.asks_solver(answer):
                warm_up_solver(quiet=quiet)
            click.echo(prompt.do(answer))
        except EvodomError as error:
            said = str(error)
            click.echo("\n".join(wrap(said[:1].upper() + said[1:], WIDTH)))
        except click.Abort:
            click.echo("\nNothing was played.")


def _ask_result(question: str) -> str:
    """Ask what chance has decided; q, like Ctrl-C, takes the move back."""
    answer = ask(question)
    if answer.casefold() in STOP:
        raise click.Abort
    return answer
