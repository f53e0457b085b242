"""Ask for a fight at the terminal; and `evodom spire fight`, which writes it to a file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from evodom.cli.common import is_terminal
from evodom.cli.spire_fight import fight_of, fight_options
from evodom.errors import UsageError

WHO = {
    "enemies": "Against whom (nob, 3 louses ...) [Cultist]",
    "deck": "Your deck (Bash+, 5 Strike ...) [the starter's]",
    "player_hp": "Your HP [as at the start]",
}
"""What makes a fight: options, and the questions for them; no answer is what the options have by default."""

BELONGINGS = {"relics": "Your relics [Burning Blood alone]", "potions": "Your potions [none]"}
"""What there may be besides; several names are separated by commas."""


@click.command("fight", short_help="Write a fight to a file, by asking.")
@click.argument("target", metavar="FILE", type=click.Path(path_type=Path))
@fight_options
@click.option("-o", "--overwrite", is_flag=True, help="Replace a file that exists.")
def fight_command(target: Path, overwrite: bool, **given: Any) -> None:
    """Write a fight of act 1 to FILE, in TOML: to be edited, and to be solved, searched and played.

    At a terminal it asks for what no option says: the enemies, your deck, HP, relics and potions. docs/spire.md tells
    what else such a file can say, such as how far a fight has come.
    """
    from evodom.spire.engine.rules import FightRules
    from evodom.spire.fights import write_fight

    if target.exists() and not overwrite:
        raise UsageError(f"{target} exists. Replace it with --overwrite, or name another file.")
    if is_terminal(sys.stdin):
        ask_fight(given, WHO | BELONGINGS)
    fight = fight_of(given)
    FightRules(fight.setup)
    write_fight(fight, target)
    click.echo(f"{fight.text} is in {target}.")
    click.echo(f"Next: evodom spire play {target}, or: evodom spire search --fight {target}")


def ask_fight(given: dict[str, Any], questions: dict[str, str]) -> None:
    """Ask for what makes a fight, where no option has told it, until it can be used. Raises click.Abort at the end."""
    from evodom.spire.engine.rules import FightRules

    for option, question in questions.items():
        told = given[option]
        while not given[option] and (answer := ask(question)):
            try:
                given[option] = _read(option, answer)
                FightRules(fight_of(given).setup)
            except UsageError as error:
                given[option] = told
                click.echo(f"{error}")


def ask(question: str) -> str:
    """Ask a question and return the answer; Abort at the end of the input."""
    answer: str = click.prompt(question, default="", show_default=False, prompt_suffix=" " if question == ">" else ": ")
    return answer.strip()


def _read(option: str, answer: str) -> Any:
    """Return an answer as the option has it."""
    if option in BELONGINGS:
        return tuple(name.strip() for name in answer.split(",") if name.strip())
    if option != "player_hp":
        return answer
    if not (answer.isascii() and answer.isdigit()):
        raise UsageError(f"HP are a number, got {answer!r}.")
    return int(answer[:9])
