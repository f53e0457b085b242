"""`evodom spire play`: play a fight at the terminal. `evodom spire fight`: write a fight to a file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click
from msgspec import structs

from evodom.api.progress import ensure_compiled, is_terminal
from evodom.cli.common import command_line
from evodom.cli.options import OutputFile, takes
from evodom.cli.sessions import SessionArguments, list_sessions, make_console, run_terminal, tail
from evodom.cli.spire import fights as fight_options
from evodom.errors import UsageError
from evodom.learning.fights import ACT, UNTRAINED
from evodom.options import chosen_seed, option, specs_of

if TYPE_CHECKING:
    from evodom.sessions.fight import FightSession
    from evodom.sessions.files import SessionFolder, Slot
    from evodom.spire.play.network import NetworkEvaluator
    from evodom.spire.play.searcher import FightSearchOptions


QUESTIONS = {
    "enemies": "Enemies (nob, 3 louses ...) [Cultist]",
    "deck": "Your deck (Bash+, 5 Strike ...) [starter deck]",
    "player_hp": "Your HP [as at the start]",
}
"""Options that define a fight, with their questions. An empty answer selects the option's default."""

BELONGINGS = {"relics": "Your relics [Burning Blood]", "potions": "Your potions [none]"}
"""Optional parts of a fight, with their questions. Names are separated by commas."""


@click.command("fight")
@click.argument("target", metavar="FILE", type=OutputFile())
@fight_options.takes_fight
@click.option("-o", "--overwrite", is_flag=True, is_eager=True, help="Replace a file that exists.")
def fight_command(target: Path, asked: fight_options.FightArguments, overwrite: bool) -> None:
    """Write a fight of act 1 to FILE, in TOML, to edit, solve, search or play it.

    At a terminal, ask for the enemies, deck, HP, relics and potions unless options give them.
    docs/reference/fight-files.md lists the other fields of such a file, such as the state of a fight in progress.
    """
    from evodom.spire.engine.compiler import FightRules
    from evodom.spire.fights import write_fight

    if is_terminal(sys.stdin):
        asked = ask_fight(asked, QUESTIONS | BELONGINGS)
    fight = fight_options.fight_of(asked)
    FightRules(fight.setup)
    write_fight(fight, target)
    click.echo(f"Wrote {fight.text} to {target}.")
    click.echo(f"Next: evodom spire play {target}, or: evodom spire search --fight {target}")


def ask_fight(asked: fight_options.FightArguments, questions: dict[str, str]) -> fight_options.FightArguments:
    """Ask for the parts of a fight without an option until they are valid. Raises click.Abort at the end of input."""
    from evodom.spire.engine.compiler import FightRules

    for name, question in questions.items():
        while not getattr(asked, name) and (answer := ask(question)):
            try:
                found = structs.replace(asked, **{name: _read(name, answer)})
                FightRules(fight_options.fight_of(found).setup)
                asked = found
            except UsageError as error:
                click.echo(f"{error}")
    return asked


def ask(question: str) -> str:
    """Ask a question and return the answer; Abort at the end of the input."""
    answer: str = click.prompt(question, default="", show_default=False, prompt_suffix=" " if question == ">" else ": ")
    return answer.strip()


def _read(name: str, answer: str) -> str | int | tuple[str, ...]:
    """Return an answer as the value of the option of this name."""
    if name in BELONGINGS:
        return tuple(part.strip() for part in answer.split(",") if part.strip())
    if name != "player_hp":
        return answer
    if not (answer.isascii() and answer.isdigit()):
        raise UsageError(f"HP is a number, got {answer!r}.")
    return int(answer[:9])


class FightPlayArguments(SessionArguments, frozen=True, kw_only=True):
    """Options of the command that do not describe the fight."""

    network: fight_options.NetworkKey | None = None
    simulations: Annotated[
        int, option("--simulations", "Simulations per move for the commands n and nn.", ge=1, le=1_000_000)
    ] = 1000
    solve_below: fight_options.SolveBelow = fight_options.SMALL_GRAPH

    def search(self, network: NetworkEvaluator | None) -> FightSearchOptions:
        """Return how the fight is searched."""
        from evodom.spire.play.searcher import FightSearchOptions

        return FightSearchOptions(self.simulations, network=network, solve_below=self.solve_below)


@click.command("play")
@fight_options.fight_argument
@fight_options.takes_fight
@takes(FightPlayArguments, "options", *(name for name in specs_of(FightPlayArguments) if name != "jobs"))
def play_command(name: str | None, asked: fight_options.FightArguments, options: FightPlayArguments) -> None:
    """Play a fight of act 1 card by card. FIGHT is a file, an encounter or enemies, such as nob or "3 louses".

    FIGHT may also be run:KEY: the fight and the network of a training. KEY alone suffices if no enemies have this name.
    Without FIGHT, ask for the enemies, your deck and your HP at a terminal.

    The fight is saved under a name as you play: evodom spire play NAME --continue resumes it, and so does evodom serve.
    --list lists all fights.

    `n` shows the value and the death rate of every move; small positions are solved exactly. `nn` shows the best line
    up to the next draw. `rng off` is for a fight that you play in the game: enter every random outcome it shows.
    """
    from evodom.sessions.files import fights

    _check(asked, options)
    options.store.remove_leftovers()
    folder = fights(options.store.root, tail(options.data_dir))
    if options.listing:
        start = command_line("evodom", "spire", "play", "nob", data_dir=options.data_dir)
        list_sessions(folder, as_json=options.as_json, start=start)
    elif options.going_on:
        _continue_fight(name, options, folder)
    else:
        _begin_fight(name, asked, options, folder)


def _check(asked: fight_options.FightArguments, options: FightPlayArguments) -> None:
    """Raise UsageError for options that do not go together."""
    about_saved = options.listing or options.going_on
    if options.listing and options.going_on:
        raise UsageError("--list and --continue exclude each other. Give one of them.")
    describes = asked != fight_options.FightArguments() or options.seed is not None
    if about_saved and (describes or options.save_name or options.overwrite):
        flag = "--list" if options.listing else "--continue"
        raise UsageError(f"{flag} uses fights as they were saved. Leave out the options of new fights.")
    if options.overwrite and not options.save_name:
        raise UsageError("--overwrite replaces a named fight. Give --save NAME too, or leave it out.")
    if options.as_json and not options.listing:
        raise UsageError("--json applies to the list of saved fights. Give --list too.")


def _begin_fight(
    name: str | None, asked: fight_options.FightArguments, options: FightPlayArguments, folder: SessionFolder
) -> None:
    """Begin the fight of the options, or of the answers to questions."""
    slot = folder.named_slot(options.save_name, overwrite=options.overwrite) if options.save_name else None
    asked, key = fight_options.name_fight_or_training(name, asked, options.network, options.store)
    trained_for = key not in (None, ACT, UNTRAINED)
    if not (asked.file or asked.enemies or trained_for) and is_terminal(sys.stdin):
        try:
            asked = ask_fight(asked, QUESTIONS)
        except click.Abort:
            click.echo()
            return
    fight, network = fight_options.fight_and_network(asked, key, options.store)
    fight_options.note_left_out(fight)
    ensure_compiled("fights", quiet=options.quiet)
    from evodom.sessions.fight import FightSession, name_of

    session = FightSession(fight, chosen_seed(options.seed), options.search(network), given=options.seed is not None)
    _run(
        session, slot or folder.new_slot(name_of(fight)), folder, options, note=fight_options.network_note(network, key)
    )


def _continue_fight(name: str | None, options: FightPlayArguments, folder: SessionFolder) -> None:
    """Continue a saved fight."""
    from evodom.sessions.files import FIGHTS, check_name

    slot = folder.find(None if name is None else check_name(name, FIGHTS), going_on=True)
    from evodom.sessions.fight import read_fight_session

    key = options.network
    _, network = fight_options.find_network(key, options.store)
    session = read_fight_session(
        slot.path, options.search(network), lambda: ensure_compiled("fights", quiet=options.quiet)
    )
    fight_options.check_known(key, network, session.fight)
    _run(session, slot, folder, options, note=fight_options.network_note(network, key), is_saved=True)


def _run(
    session: FightSession,
    slot: Slot,
    folder: SessionFolder,
    options: FightPlayArguments,
    *,
    note: str,
    is_saved: bool = False,
) -> None:
    from evodom.terminal.fight import FightTerminal

    terminal = FightTerminal(
        session,
        make_console(),
        slot,
        is_saved=is_saved,
        may_replace=options.overwrite,
        new_slot=folder.new_slot,
        prepare_solver=lambda: ensure_compiled("solver", quiet=options.quiet),
    )
    terminal.note = note
    run_terminal(terminal)
