"""`evodom play`: a text game against what a run has found."""

from __future__ import annotations

import json
import os
import shutil
import sys
from contextlib import suppress
from dataclasses import replace
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from evodom.cli import INTERRUPTED
from evodom.cli.common import (
    RunKey,
    can_print,
    chosen_seed,
    command_line,
    data_dir_option,
    first_edition_option,
    is_terminal,
    jobs_option,
    json_option,
    kingdom_option,
    plot_option,
    quiet_option,
    seed_option,
    tell_picture,
    warm_up,
    warm_up_thinking,
    workers,
)
from evodom.cli.entrants import EntrantName, chosen_entrants
from evodom.dominion.strategies.baselines import BASELINES
from evodom.errors import EvodomError, UsageError, printable
from evodom.presentation.text import WIDTH

if TYPE_CHECKING:
    from evodom.dominion.kingdom import Kingdom
    from evodom.sessions.console import Console, Size
    from evodom.sessions.dominion import GameSetup, Match, Participant
    from evodom.sessions.files import Trust
    from evodom.sessions.review import Review
    from evodom.sessions.slots import Slot


class GameName(RunKey):
    """The name of a saved game."""

    name = "name"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from evodom.sessions.slots import check_name

        return check_name(value)


class KeyOrName(RunKey):
    """The key of a run or the name of a saved game, checked once the other options say which."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return str(value)


@click.command(short_help="Play a text game against the strongest of a run.")
@click.argument("key", type=KeyOrName(), required=False)
@click.option(
    "--opponent",
    "opponents",
    multiple=True,
    type=EntrantName(),
    metavar="NAME",
    help="Play against a strategy: of a run (demo:2, demo@50), in a file (mine.toml), an agent of your own in "
    "Python (./mine.py, mine.py:name, module:name), the network of all kingdoms (network, or network:0.5s to let it "
    f"think half a second a decision), or a baseline: {', '.join(BASELINES)}. Repeat for several.",
)
@kingdom_option
@first_edition_option
@click.option("--players", type=click.IntRange(2, 6), help="Players at the table.  [default: as in the run, else 4]")
@click.option("--seat", type=click.IntRange(1, 6), help="Your place in turn order.  [default: follows from the seed]")
@click.option("--watch", is_flag=True, help="Let strategies play, and print the game turn by turn.")
@click.option(
    "--save",
    "name",
    type=GameName(),
    metavar="NAME",
    help="Save the game under this name.  [default: called after the opponent, with a number if that is taken]",
)
@click.option("-o", "--overwrite", is_flag=True, help="Replace the game that is saved under the name.")
@click.option("--list", "listing", is_flag=True, help="List the saved games.")
@click.option(
    "--continue",
    "going_on",
    is_flag=True,
    help="Go on with the saved game KEY, or with the last one played.",
)
@click.option(
    "--review",
    "looking_back",
    is_flag=True,
    help="Look back at the saved game KEY, or at the last one played: your dearest choices, and the chances of all "
    "players over the game.",
)
@click.option(
    "--trust-agent",
    is_flag=True,
    help="Run the agents in Python that the saved game names. Needed each time with --continue or --review.",
)
@plot_option("the chances of a --review")
@seed_option
@jobs_option
@json_option
@quiet_option
@data_dir_option
def play(
    key: str | None,
    listing: bool,
    going_on: bool,
    looking_back: bool,
    trust_agent: bool,
    plot: Path | None,
    jobs: int,
    as_json: bool,
    quiet: bool,
    data_dir: Path | None,
    **given: Any,
) -> None:
    """Play Dominion against the strongest strategies of run KEY in its kingdom, or against baselines in any.

    Type ? in the game for its commands. The game is saved as you play, under a name: evodom play NAME --continue goes
    on with it, evodom play NAME --review looks back at it, --list lists all. The same seed and the same choices give
    the same game.
    """
    from evodom import runs as store

    _check(key, [listing, going_on, looking_back], given)
    if plot and not looking_back:
        raise UsageError("--plot draws what --review finds. Say both.")
    if trust_agent and not (going_on or looking_back):
        raise UsageError("--trust-agent is about a saved game. Use it with --continue or --review.")
    if as_json and not listing:
        raise UsageError("--json is for the list of saved games. Say it with --list.")
    root, trust = store.data_dir(data_dir), lambda source: trust_agent
    store.remove_leftovers(root)
    if key is not None and not (listing or going_on or looking_back):
        key = _run_or_answer(key, given, root)
    if listing:
        _list_games(root, data_dir, as_json=as_json)
    elif looking_back:
        _review_game(key, root, plot, trust, jobs, quiet=quiet)
    elif going_on:
        _continue_game(key, root, data_dir, trust, jobs, quiet=quiet)
    elif given["watch"]:
        _watch(_setup(key, given, root=root, data_dir=data_dir), quiet=quiet)
    else:
        _begin_game(key, given, root, data_dir, jobs, quiet=quiet)


def _check(key: str | None, about_saved: list[bool], given: dict[str, Any]) -> None:
    """Refuse options that do not go together; ``about_saved`` are --list, --continue and --review."""
    if sum(about_saved) > 1:
        raise UsageError("--list lists saved games, --continue plays on, and --review looks back. Say one of them.")
    listing, going_on, _ = about_saved
    saved = any(about_saved)
    if key is not None:
        _check_word(key, is_name=saved)
    if key is None and not given["opponents"] and not saved:
        raise UsageError("whom do you want to play? Name a run, or a baseline: evodom play --opponent big-money")
    if saved and any(value is not None and value is not False and value != () for value in given.values()):
        what = "--list lists" if listing else "--continue goes on with" if going_on else "--review looks back at"
        raise UsageError(f"{what} games as they were saved. Leave out the other options.")
    if given["overwrite"] and not given["name"]:
        raise UsageError("--overwrite replaces the game of a name. Say it with --save, or leave it out.")
    if given["watch"]:
        _check_watch(given)
    if key and (given["kingdom"] is not None or given["first_edition"]):
        raise UsageError(
            f"run '{key}' is played in its own kingdom. Leave out --kingdom and --first-edition, or the key."
        )


def _check_word(word: str, *, is_name: bool) -> None:
    """Raise UsageError unless KEY is a valid name of a game, or a valid key of a run."""
    from evodom.runs import check_key
    from evodom.sessions.slots import check_name

    (check_name if is_name else check_key)(word)


def _run_or_answer(key: str, given: dict[str, Any], root: Path) -> str | None:
    """Return the key of a run; None for an answer of advice, which is put before the opponents."""
    from evodom.answers import find_answer, real_key

    if find_answer(key, root) is None:
        return real_key(key, root)
    given["opponents"] = (key, *given["opponents"])
    return None


def _check_watch(given: dict[str, Any]) -> None:
    """Refuse what needs a person at the table."""
    if given["seat"]:
        raise UsageError("--watch leaves no seat to a person. Leave out --seat.")
    if given["name"]:
        raise UsageError("--watch saves no game: its seed plays it again. Leave out --save.")


def _setup(key: str | None, given: dict[str, Any], *, root: Path, data_dir: Path | None) -> GameSetup:
    """Return the table that the options describe. Nothing is compiled for that."""
    given["seed"] = chosen_seed(given["seed"])
    kingdom, n_players, found = _opponents(key, given, root)
    from evodom.sessions import dominion as table

    n_strategies = n_players - (not given["watch"])
    seated = tuple(table.fill_seats(found, n_strategies))
    if not given["watch"]:
        seated = table.seat_person(seated, given["seed"], None if given["seat"] is None else given["seat"] - 1)
    made = table.GameSetup(kingdom, seated, given["seed"])
    return replace(made, command=command_line("evodom", "play", *_words(key, given, made), data_dir=data_dir))


def _opponents(key: str | None, given: dict[str, Any], root: Path) -> tuple[Kingdom, int, list[Participant]]:
    """Return the kingdom, how many play, and against whom."""
    from evodom import runs as store

    if key:
        store.check_saved(key, root)
    from evodom.sessions import dominion as table

    if key and not given["opponents"]:
        kingdom, evolved_for = table.run_table(key, root=root)
        n_players = given["players"] or evolved_for
        n_strategies = n_players - (not given["watch"])
        return kingdom, n_players, table.run_opponents(key, n_strategies, root=root)
    # A run that is called like a baseline is meant as a run here.
    words = [*([f"{key}:1"] if key else []), *given["opponents"]]
    asked = {name: given[name] for name in ("kingdom", "seed", "first_edition")}
    field = chosen_entrants(words, root=root, **asked)
    evolved = field.made_for[key] if key else None if given["players"] else field.players
    n_players = given["players"] or evolved or table.DEFAULT_PLAYERS
    return field.kingdom, n_players, table.named_opponents(field.entrants[bool(key) :])


def _words(key: str | None, given: dict[str, Any], setup: GameSetup) -> list[str]:
    """Return the arguments with which the same game is played again."""
    words = [*([key] if key else []), *(word for name in given["opponents"] for word in ("--opponent", name))]
    words += [] if given["kingdom"] is None else ["--kingdom", given["kingdom"]]
    words += ["--first-edition"] if given["first_edition"] else []
    words += ["--players", str(given["players"])] if given["players"] else []
    words += ["--seed", str(given["seed"])]
    return words + (["--watch"] if setup.seat is None else ["--seat", str(setup.seat + 1)])


def _begin_game(
    key: str | None, given: dict[str, Any], root: Path, data_dir: Path | None, jobs: int, *, quiet: bool
) -> None:
    """Offer to go on with a saved game against the same opponent, else begin one."""
    from evodom.sessions import slots as shelf

    tail, after = _tail(data_dir), key or given["opponents"][0]
    news: tuple[str, ...] = ()
    if given["name"]:
        slot = shelf.named_slot(given["name"], root, tail, overwrite=given["overwrite"])
    else:
        slot = shelf.new_slot(after, root, tail)
        news, wanted = _offer(after, root, tail, quiet=quiet)
        if wanted:
            from evodom.matches.agents import source_of

            named = set(map(source_of, given["opponents"]))
            _continue_game(wanted, root, data_dir, named.__contains__, jobs, quiet=quiet)
            return
    setup = _setup(key, given, root=root, data_dir=data_dir)
    with workers(jobs) as threads:
        _compile_networks(setup, quiet=quiet)
        from evodom.sessions.dominion import Match

        _play(Match(setup, workers=threads), slot, may_replace=given["overwrite"], news=news)


def _offer(name: str, root: Path, tail: str, *, quiet: bool) -> tuple[tuple[str, ...], str]:
    """Offer the last game against the same opponent that is not over: ask where a person types, else say so.

    Returns what to say on the first screen, and the name of the game if the person wants it.
    """
    from evodom.sessions import slots as shelf

    game = shelf.offered(name, shelf.saved_games(root))
    if game is None or quiet:
        return (), ""
    going_on = shelf.Slot(game.path, tail, game.has_agents).going_on
    if not is_terminal(sys.stdin):
        return (f"A game is saved: {game.name} ({game.stage}). To go on with it: {going_on}",), ""
    changed = f"{game.modified.astimezone():%Y-%m-%d %H:%M}"
    click.echo(f"A game is saved: {game.name} ({game.stage}, {changed}). Go on with it? y = yes, Enter = begin another")
    wanted = False
    with suppress(EOFError):  # the end of the input ends the new game, too
        wanted = _read("> ").strip().casefold() in ("y", "yes")
    return (() if wanted else (f"The other game stays saved: {going_on}",)), game.name if wanted else ""


def _list_games(root: Path, data_dir: Path | None, *, as_json: bool) -> None:
    """Print the saved games, the last one played first."""
    from evodom.presentation.text import columns
    from evodom.sessions import slots as shelf

    games = shelf.saved_games(root)
    if as_json:
        facts = [
            {"name": game.name, "modified": game.modified.isoformat(), "players": list(game.players)}
            | {"turn": game.turn, "over": game.over, "problem": game.problem}
            for game in games
        ]
        click.echo(json.dumps(facts, indent=2))
        return
    if not games:
        start = command_line("evodom", "play", "--opponent", "big-money", data_dir=data_dir)
        click.echo(f"No games in {shelf.games_folder(root)}. Begin one with: {start}", err=True)
        return
    rows = [
        (game.name, game.stage, f"{game.modified.astimezone():%Y-%m-%d %H:%M}", ", ".join(game.players))
        for game in games
    ]
    lines = columns([("game", "stage", "last played", "players"), *rows], left=(0, 1, 2, 3))
    click.echo("\n".join(line if len(line) <= WIDTH else line[: WIDTH - 3] + "..." for line in lines))
    click.echo(f"Go on with one: evodom play NAME --continue{_tail(data_dir)}", err=True)


def _tail(data_dir: Path | None) -> str:
    """Return what ends the commands about a game."""
    return f" {command_line(data_dir=data_dir)}" if data_dir else ""


def _continue_game(
    name: str | None, root: Path, data_dir: Path | None, trust: Trust, jobs: int, *, quiet: bool
) -> None:
    from evodom.sessions.slots import Slot, find_game

    path = find_game(name, root, going_on=True)
    from evodom.sessions.files import read_game

    with workers(jobs) as threads:
        match = read_game(path, threads, trust, lambda: warm_up(quiet=quiet))
        if (n_people := len(match.setup.people)) > 1:
            raise UsageError(f"{n_people} people play '{path.stem}' at one screen: go on with it in evodom serve.")
        _compile_networks(match.setup, quiet=quiet)
        _play(match, Slot(path, _tail(data_dir)), is_saved=True)


def _compile_networks(setup: GameSetup, *, quiet: bool) -> None:
    """Compile what networks among the players choose and think with: it is not to come out of their time."""
    from evodom.matches.agents import PythonAgent

    warm_up(setup.players, quiet=quiet)
    if any(isinstance(player.strategy, PythonAgent) and player.strategy.thinks for player in setup.players):
        warm_up_thinking(quiet=quiet)


def _review_game(key: str | None, root: Path, plot: Path | None, trust: Trust, jobs: int, *, quiet: bool) -> None:
    """Print the review of a saved or finished game, and draw its chances."""
    from evodom.sessions.slots import find_game

    path = find_game(key, root, going_on=False)
    from evodom.cli.common import progress
    from evodom.sessions.files import read_game
    from evodom.sessions.review import BLOCKS, in_words, review

    match = read_game(path, trust=trust, before_replay=lambda: warm_up(quiet=quiet))
    warm_up_thinking(quiet=quiet)
    n_choices = len(match.choices)
    with workers(jobs) as threads, progress(n_choices, quiet=quiet, unit="choices") as on_done:
        found = review(match, threads, lambda: on_done(1))
    _console().show(in_words(found, blocks=can_print(BLOCKS)))
    if plot:
        _draw(found, plot)
        tell_picture(plot, quiet=quiet)


def _draw(found: Review, path: Path) -> None:
    from evodom.presentation.picture import plot_lines

    lines = {name: [100 * share for share in found.chances[:, seat]] for seat, name in enumerate(found.names)}
    plot_lines(found.turns, lines, path, title="Chances to win", labels=("turn", "chance, %"))


def _play(
    match: Match, slot: Slot, *, is_saved: bool = False, may_replace: bool = False, news: tuple[str, ...] = ()
) -> None:
    """Play, and exit with 130 after Ctrl-C."""
    from evodom.sessions.dominion_terminal import Session, SessionEnd
    from evodom.sessions.files import needs_consent

    slot = replace(slot, has_agents=needs_consent(match.setup))
    session = Session(match, _console(), slot, is_saved, may_replace, news, offers_review=True)
    outcome = session.run()
    if session.is_lost:
        click.get_current_context().exit(EvodomError.exit_code)
    if outcome is SessionEnd.INTERRUPTED:
        click.get_current_context().exit(INTERRUPTED)


def _watch(setup: GameSetup, *, quiet: bool) -> None:
    from evodom.sessions.dominion import Match
    from evodom.sessions.standings import watch

    _compile_networks(setup, quiet=quiet)
    if not watch(Match(setup), _console()):
        click.get_current_context().exit(INTERRUPTED)


def _console() -> Console:
    """Return the terminal; where stdout is none, or a dumb one, nothing but plain lines is written.

    What the encoding of the terminal does not know is replaced.
    """
    from evodom.sessions.console import Console
    from evodom.sessions.review import BLOCKS

    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    capable = is_terminal(sys.stdout) and os.environ.get("TERM") != "dumb"
    colour = capable and not os.environ.get("NO_COLOR")
    if capable:
        with suppress(ImportError):
            import readline  # noqa: F401  # makes input() edit lines and remember them
    clear = click.clear if capable else None
    return Console(_read, print, colour=colour, clear=clear, measure=_size, has_blocks=can_print(BLOCKS))


def _size() -> Size:
    """Return the size of the terminal; where stdout is none, that of most terminals."""
    from evodom.sessions.console import Size

    return Size(*shutil.get_terminal_size()) if is_terminal(sys.stdout) else Size()


def _read(prompt: str) -> str:
    """Return the next line, printable. Echo one from a pipe, so that the output reads like a game at a terminal."""
    line = printable(" ".join(input(prompt).split()))
    if not is_terminal(sys.stdin):
        print(line)
    return line
