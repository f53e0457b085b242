"""`evodom spire play` plays a fight at the terminal; `evodom spire fight` asks for one and writes it to a file."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from evodom.cli.common import (
    chosen_seed,
    command_line,
    ensure_compiled,
    is_terminal,
    json_option,
    quiet_option,
    seed_option,
)
from evodom.cli.sessions import SessionName, list_sessions, make_console, run_terminal, tail
from evodom.cli.spire.fights import (
    check_known,
    fight_and_network,
    fight_argument,
    fight_of,
    fight_options,
    name_fight,
    named_network,
    network_option,
    shipped_network,
    told,
    trained,
)
from evodom.cli.spire.search import solve_below_option
from evodom.errors import UsageError
from evodom.learning.fights import ACT, WITHOUT

if TYPE_CHECKING:
    from evodom.sessions.fight import FightSession
    from evodom.sessions.files import SessionFolder, Slot
    from evodom.spire.fights import Fight
    from evodom.spire.play.network import NetworkEvaluator
    from evodom.spire.play.searcher import FightSearchOptions


WHO = {
    "enemies": "Against whom (nob, 3 louses ...) [Cultist]",
    "deck": "Your deck (Bash+, 5 Strike ...) [the starter's]",
    "player_hp": "Your HP [as at the start]",
}
"""What makes a fight: options, and the questions for them; no answer is what the options have by default."""

BELONGINGS = {"relics": "Your relics [Burning Blood alone]", "potions": "Your potions [none]"}
"""What there may be besides; several names are separated by commas."""


@click.command("fight")
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


@click.command("play")
@fight_argument
@fight_options
@network_option
@click.option(
    "--simulations", type=click.IntRange(1, 1_000_000), default=1000, show_default=True, help="Simulations of n and nn."
)
@solve_below_option(20_000)
@click.option(
    "--save",
    "save_name",
    type=SessionName(),
    metavar="NAME",
    help="Save the fight under this name.  [default: that of the enemies, with a number if that is taken]",
)
@click.option("-o", "--overwrite", is_flag=True, help="Replace the fight that is saved under the name.")
@click.option("--list", "listing", is_flag=True, help="List the saved fights.")
@click.option(
    "--continue", "going_on", is_flag=True, help="Go on with the saved fight FIGHT, or with the last one played."
)
@seed_option
@json_option
@quiet_option
def play_command(name: str | None, **given: Any) -> None:
    """Play a fight of act 1 card by card. FIGHT is a file, an encounter or enemies, such as nob or "3 louses".

    It may also be a training, run:KEY: then it is the fight of that training, and its network is asked. The key alone
    does where it names no enemies.
    Without FIGHT it asks for the enemies, your deck and your HP, at a terminal.

    The fight is saved as you play, under a name: evodom spire play NAME --continue goes on with it, and so does evodom
    serve. --list lists all.

    `n` shows the value of every move and how often it is lost, proven where the position is small enough to be solved
    at once, `nn` the best line up to the next draw. With `rng off` it is a companion beside the running game: it asks
    for all that chance decides as the game shows it.
    """
    from evodom import runs
    from evodom.sessions.files import fights

    own = {option: given.pop(option) for option in ("save_name", "overwrite", "listing", "going_on", "as_json")}
    asked = FightPlayOptions(
        name, **own, **{option: given.pop(option) for option in ("seed", "quiet", "simulations", "solve_below")}
    )
    _check(asked, given)
    data_dir = given["data_dir"]
    root = runs.data_dir(data_dir)
    runs.remove_leftovers(root)
    folder = fights(root, tail(data_dir))
    if asked.listing:
        start = command_line("evodom", "spire", "play", "nob", data_dir=data_dir)
        list_sessions(folder, as_json=asked.as_json, start=start)
    elif asked.going_on:
        _continue_fight(asked, folder, given)
    else:
        _begin_fight(asked, folder, given)


@dataclass(frozen=True)
class FightPlayOptions:
    """The options of the command besides those that describe the fight and the network."""

    name: str | None
    save_name: str | None = None
    overwrite: bool = False
    listing: bool = False
    going_on: bool = False
    as_json: bool = False
    seed: int | None = None
    quiet: bool = False
    simulations: int = 1000
    solve_below: int = 20_000

    def search(self, network: NetworkEvaluator | None) -> FightSearchOptions:
        """Return how the fight is searched."""
        from evodom.spire.play.searcher import FightSearchOptions

        return FightSearchOptions(self.simulations, network=network, solve_below=self.solve_below)


def _check(asked: FightPlayOptions, given: dict[str, Any]) -> None:
    """Refuse options that do not go together."""
    about_saved = asked.listing or asked.going_on
    if asked.listing and asked.going_on:
        raise UsageError("--list lists saved fights, and --continue plays on. Say one of them.")
    network = ("network", "data_dir")
    describes = any(value not in (None, False, ()) for option, value in given.items() if option not in network)
    if about_saved and (describes or asked.seed is not None or asked.save_name or asked.overwrite):
        what = "--list lists" if asked.listing else "--continue goes on with"
        raise UsageError(f"{what} fights as they were saved. Leave out the other options.")
    if asked.overwrite and not asked.save_name:
        raise UsageError("--overwrite replaces the fight of a name. Say it with --save, or leave it out.")
    if asked.as_json and not asked.listing:
        raise UsageError("--json is for the list of saved fights. Say it with --list.")


def _begin_fight(asked: FightPlayOptions, folder: SessionFolder, given: dict[str, Any]) -> None:
    """Begin the fight of the options, or one that is asked for."""
    slot = folder.named_slot(asked.save_name, overwrite=asked.overwrite) if asked.save_name else None
    name_fight(given, asked.name)
    key = given["network"]
    trained_for = key not in (None, ACT, WITHOUT)
    if not (given["file"] or given["enemies"] or trained_for) and is_terminal(sys.stdin):
        try:
            ask_fight(given, WHO)
        except click.Abort:
            click.echo()
            return
    fight, network = fight_and_network(given)
    play_fight(fight, asked, network, folder, slot=slot, note=told(network, key))


def _continue_fight(asked: FightPlayOptions, folder: SessionFolder, given: dict[str, Any]) -> None:
    """Go on with a saved fight."""
    from evodom.sessions.files import FIGHTS, check_name

    slot = folder.find(None if asked.name is None else check_name(asked.name, FIGHTS), going_on=True)
    from evodom.sessions.fight import read_fight_session

    key = given["network"]
    network = _network(key, given["data_dir"])
    session = read_fight_session(slot.path, asked.search(network), lambda: ensure_compiled("fights", quiet=asked.quiet))
    check_known(key, network, session.fight)
    _run(session, slot, folder, asked, note=told(network, key), is_saved=True)


def _network(key: str | None, data_dir: Path | None) -> NetworkEvaluator | None:
    """Return the network that --network names."""
    if key in (None, ACT, WITHOUT):
        return shipped_network() if key is None else named_network() if key == ACT else None
    assert key is not None
    return trained(key, data_dir)[1]


def play_fight(
    fight: Fight,
    asked: FightPlayOptions,
    network: NetworkEvaluator | None,
    folder: SessionFolder,
    *,
    slot: Slot | None = None,
    shows_chance: bool = False,
    note: str = "",
) -> None:
    """Play a fight from its start at the terminal. With ``shows_chance`` it begins with `rng off`."""
    ensure_compiled("fights", quiet=asked.quiet)
    from evodom.sessions.fight import FightSession
    from evodom.sessions.fight_terminal import name_of

    given = asked.seed is not None
    session = FightSession(fight, chosen_seed(asked.seed), asked.search(network), given=given)
    slot = slot or folder.new_slot(name_of(fight))
    _run(session, slot, folder, asked, note=note, shows_chance=shows_chance)


def _run(
    session: FightSession,
    slot: Slot,
    folder: SessionFolder,
    asked: FightPlayOptions,
    *,
    note: str,
    is_saved: bool = False,
    shows_chance: bool = False,
) -> None:
    from evodom.sessions.fight_terminal import FightTerminal

    terminal = FightTerminal(
        session,
        make_console(),
        slot,
        is_saved=is_saved,
        may_replace=asked.overwrite,
        new_slot=folder.new_slot,
        prepare_solver=lambda: ensure_compiled("solver", quiet=asked.quiet),
    )
    terminal.note = note
    terminal.show_chance(shown=shows_chance)
    run_terminal(terminal)
