"""`evodom play`: play Dominion in the terminal against strategies of a run, files, networks or baselines."""

from __future__ import annotations

import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click
from msgspec import structs

from evodom.api.progress import compile_for, ensure_compiled, is_terminal, progress, workers
from evodom.cli import INTERRUPTED
from evodom.cli.common import can_print, command_line, write_picture
from evodom.cli.options import (
    Colonies,
    DrawArguments,
    EntrantName,
    FirstEdition,
    Picture,
    RunKey,
    Sets,
    chosen_entrants,
    is_drawing,
    kingdom_option,
    takes,
)
from evodom.cli.sessions import SessionArguments, SessionName, list_sessions, make_console, run_terminal, tail
from evodom.dominion.strategies.baselines import BASELINES
from evodom.errors import UsageError
from evodom.matches.names import LIST, parse_player
from evodom.options import arguments, chosen_seed, option
from evodom.presentation.text import SPARK_BLOCKS

if TYPE_CHECKING:
    from evodom.dominion.kingdom import Kingdom
    from evodom.sessions.content import Trust
    from evodom.sessions.dominion import DominionSession, GameSetup, Participant
    from evodom.sessions.files import SessionFolder, Slot


class KeyOrName(RunKey):
    """The key of a run or the name of a saved game. The other options decide which, so that it is checked later."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return str(value)


class NameOrPicture(SessionName):
    """The name of a saved game, or the file of a picture."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return str(Picture().convert(value, param, ctx)) if is_picture(value) else super().convert(value, param, ctx)


def is_picture(name: str | None) -> bool:
    """Return True if the value of --save is the name of a picture. No game has such a name."""
    return Path(name or "").suffix.lower() in (".svg", ".png", ".jpg", ".jpeg", ".pdf")


class GameArguments(SessionArguments, frozen=True, kw_only=True):
    """Options of the command; ``key`` is its argument."""

    key: str | None = None
    opponents: Annotated[
        tuple[str, ...],
        option(
            "--opponent NAME",
            "Opponent: a strategy of a run (demo:2, demo@50), a mixture (demo:mixture), a file (mine.toml), a Python "
            "agent (./mine.py, mine.py:name, module:name), the network of all kingdoms (network, or network:0.5s "
            f"for half a second of search per decision), or a baseline: {', '.join(BASELINES)}. Repeat for several.",
            type=EntrantName(),
        ),
    ] = ()
    kingdom: Annotated[str | None, kingdom_option("First Game")] = None
    first_edition: FirstEdition = False
    sets: Sets = None
    colonies: Colonies = "auto"
    players: Annotated[
        int | None, option("--players", "Players at the table.", ge=2, le=6, default_text="as in the run, else 4")
    ] = None
    seat: Annotated[
        int | None, option("--seat", "Your seat: 1 begins.", ge=1, le=6, default_text="drawn with the seed")
    ] = None
    watch: Annotated[bool, option("--watch", "Watch a game of strategies, printed turn by turn.")] = False
    looking_back: Annotated[
        bool,
        option(
            "--review",
            "Review the saved game KEY, or the last game played: your costliest mistakes, and the win probabilities of "
            "all players turn by turn.",
        ),
    ] = False
    full: Annotated[bool, option("--full", "With --review, list all mistakes, not the three costliest only.")] = False
    from_turn: Annotated[
        int | None,
        option(
            "--from-turn N",
            "Play the saved game KEY, or the last game played, again from the beginning of your turn N. It is a "
            "new game; the saved one stays.",
            ge=1,
            le=999,
        ),
    ] = None
    trust_agent: Annotated[
        bool,
        option(
            "--trust-agent", "Allow --continue, --review or --from-turn to run the Python agents of the saved game."
        ),
    ] = False
    save_name: Annotated[
        str | None,
        option(
            "--save NAME",
            "Name of the saved game. With --review, the picture of the win probabilities: FILE.svg.",
            default_text="that of the opponent, with a number if it is taken",
            type=NameOrPicture(),
        ),
    ] = None
    overwrite: Annotated[
        bool, option("-o --overwrite", "Replace the saved session of this name, or the picture.", is_eager=True)
    ] = False

    @property
    def draw(self) -> DrawArguments:
        """The options of the drawn cards, and of Platinum and Colony."""
        return DrawArguments(first_edition=self.first_edition, sets=self.sets, colonies=self.colonies)

    @property
    def about_saved(self) -> bool:
        """True if the command is about saved games."""
        return self.listing or self.going_on or self.looking_back or self.from_turn is not None

    @property
    def describes_game(self) -> bool:
        """True if an option describes a new game."""
        asked = structs.replace(self, save_name=None) if is_picture(self.save_name) else self
        return any(getattr(asked, name) != getattr(GameArguments(), name) for name in OF_NEW_GAME)


OF_NEW_GAME = (
    *("opponents", "kingdom", "first_edition", "sets", "colonies"),
    *("players", "seat", "watch", "save_name", "seed"),
)
"""Options that describe a new game."""


@click.command()
@click.argument("key", type=KeyOrName(), required=False)
@takes(GameArguments, "asked")
def play(key: str | None, asked: GameArguments) -> None:
    """Play Dominion against the strongest strategies of run KEY in its kingdom, or against --opponent.

    Cards and options are chosen by number or name. Type ? in the game for its commands. The game is saved under a name
    as you play: evodom play NAME --continue resumes it, evodom play NAME --review reviews it, --list lists all games.
    The same seed and choices give the same game.
    """
    asked = structs.replace(asked, key=key)
    _check(asked)
    asked.store.remove_leftovers()
    if asked.listing:
        start = command_line("evodom", "play", "--opponent", "big-money", data_dir=asked.data_dir)
        list_sessions(_folder(asked), as_json=asked.as_json, start=start)
    elif asked.looking_back:
        _review_game(asked)
    elif asked.going_on or asked.from_turn is not None:
        _continue_game(asked.key, asked, lambda source: asked.trust_agent)
    else:
        asked = _with_answer(asked)
        if asked.watch:
            _watch(*_setup(asked), quiet=asked.quiet)
        else:
            _begin_game(asked)


def _check(asked: GameArguments) -> None:
    """Raise UsageError for options that do not go together, and for an invalid KEY."""
    from evodom.runs import split_key
    from evodom.sessions.files import check_name

    if asked.listing + asked.going_on + asked.looking_back + (asked.from_turn is not None) > 1:
        raise UsageError("--list, --continue, --review and --from-turn exclude each other. Give one of them.")
    if asked.key is not None:
        (check_name if asked.about_saved else split_key)(asked.key)
    if asked.key is None and not asked.opponents and not asked.about_saved:
        raise UsageError("no opponent. Name a run or a baseline: evodom play --opponent big-money")
    if asked.about_saved and asked.describes_game:
        flags = {"--list": asked.listing, "--continue": asked.going_on, "--review": asked.looking_back}
        flag = next((flag for flag, given in flags.items() if given), "--from-turn")
        raise UsageError(f"{flag} uses games as they were saved. Leave out the options of new games.")
    if asked.overwrite and not asked.save_name:
        raise UsageError("--overwrite replaces a named game or a picture. Give --save too.")
    if asked.watch and asked.seat:
        raise UsageError("--watch has no human player. Leave out --seat.")
    if asked.watch and asked.save_name:
        raise UsageError("--watch saves no game; its seed repeats it. Leave out --save.")
    if asked.key and (asked.kingdom is not None or is_drawing(asked.draw)):
        raise UsageError(
            f"run '{asked.key}' is played in its own kingdom. Leave out --kingdom, --first-edition, --sets and "
            "--colonies, or the key."
        )
    if is_picture(asked.save_name) and not asked.looking_back:
        raise UsageError("--save FILE.svg draws the results of --review. Give both, or the name of a game.")
    if asked.full and not asked.looking_back:
        raise UsageError("--full applies to the review of a saved game. Give --review too.")
    if asked.trust_agent and (asked.listing or not asked.about_saved):
        raise UsageError("--trust-agent applies to a saved game. Give --continue, --review or --from-turn too.")
    if asked.as_json and not asked.listing:
        raise UsageError("--json applies to the list of saved games. Give --list too.")


def _with_answer(asked: GameArguments) -> GameArguments:
    """Return the options. If KEY is an answer of advice or a mixture, it becomes the first opponent."""
    from evodom.matches.entrants import find_answer
    from evodom.matches.names import parse_player

    if asked.key is None:
        return asked
    key, _, part = asked.key.partition(":")
    is_answer = part in ("", LIST) and find_answer(key, asked.store) is not None
    if not is_answer and not parse_player(asked.key).is_mixture:
        return asked
    return structs.replace(asked, key=None, opponents=(asked.key, *asked.opponents))


def _folder(asked: GameArguments) -> SessionFolder:
    from evodom.sessions.files import games

    return games(asked.store.root, tail(asked.data_dir))


def _setup(asked: GameArguments) -> tuple[GameSetup, str]:
    """Return the setup that the options describe, and a note about its size, without compiling anything."""
    seed = chosen_seed(asked.seed)
    kingdom, n_players, found, note = _opponents(asked, seed)
    from evodom.sessions.dominion import GameSetup, fill_seats, seat_person

    seated = tuple(fill_seats(found, n_players - (not asked.watch)))
    if not asked.watch:
        seated = seat_person(seated, seed, None if asked.seat is None else asked.seat - 1)
    made = GameSetup(kingdom, seated, seed)
    command = command_line("evodom", "play", *_words(asked, made), data_dir=asked.data_dir)
    return replace(made, command=command), note


def _opponents(asked: GameArguments, seed: int) -> tuple[Kingdom, int, list[Participant], str]:
    """Return the kingdom, the number of players and the opponents; and a note if the runs have another number."""
    key = asked.key
    if key:
        asked.store.check_saved(key)
    from evodom.matches.entrants import Entrants, settings_of
    from evodom.sessions import dominion

    if key and not asked.opponents:
        with asked.store.open(key) as run:
            options = settings_of(run)
            n_players = asked.players or options.players
            found = dominion.run_opponents(run, n_players - (not asked.watch))
        note = Entrants((), options.kingdom, {key: options.players}).size_note(n_players, "game")
        return options.kingdom, n_players, found, note
    # KEY is always a run here, even if a baseline has the same name.
    words = [*([f"{key}:1"] if key else []), *asked.opponents]
    field = chosen_entrants(words, asked.draw, store=asked.store, kingdom=asked.kingdom, seed=seed)
    evolved = field.made_for[key] if key else None if asked.players else field.players
    n_players = asked.players or evolved or dominion.DEFAULT_PLAYERS
    note = field.size_note(n_players, "game")
    return field.kingdom, n_players, dominion.named_opponents(field.entrants[bool(key) :], seed), note


def _words(asked: GameArguments, setup: GameSetup) -> list[str]:
    """Return the arguments that repeat the game."""
    words = [asked.key] if asked.key else []
    words += arguments(asked, "opponents", "kingdom", "first_edition", "sets", "colonies", "players")
    words += ["--seed", str(setup.seed)]
    return words + (["--watch"] if setup.seat is None else ["--seat", str(setup.seat + 1)])


def _begin_game(asked: GameArguments) -> None:
    """Offer to continue a saved game against the same opponent, else begin a game."""
    folder, after = _folder(asked), asked.key or asked.opponents[0]
    news: tuple[str, ...] = ()
    if asked.save_name:
        slot = folder.named_slot(asked.save_name, overwrite=asked.overwrite)
    else:
        slot = folder.new_slot(after)
        news, wanted = _offer(after, folder, quiet=asked.quiet)
        if wanted:
            named = {parse_player(word).source for word in asked.opponents}
            _continue_game(wanted, asked, named.__contains__)
            return
    setup, note = _setup(asked)
    news += (note,) if note else ()
    with workers(asked.jobs) as threads:
        _compile_for(setup, quiet=asked.quiet)
        from evodom.sessions.dominion import DominionSession

        _play(DominionSession(setup, workers=threads), slot, may_replace=asked.overwrite, news=news)


def _offer(name: str, folder: SessionFolder, *, quiet: bool) -> tuple[tuple[str, ...], str]:
    """Offer the last unfinished game against the same opponent: ask at a terminal, otherwise print a note.

    Returns the notes for the first screen, and the name of the game if the user accepts.
    """
    game = folder.newest_unfinished(name)
    if game is None or quiet:
        return (), ""
    going_on = game.slot.continue_command
    if not is_terminal(sys.stdin):
        return (f"A game is saved: {game.name} ({game.stage}). Continue it with: {going_on}",), ""
    changed = f"{game.modified.astimezone():%Y-%m-%d %H:%M}"
    click.echo(f"A game is saved: {game.name} ({game.stage}, {changed}). Continue it? y = yes, Enter = new game")
    console, answer = make_console(), ""
    with suppress(EOFError):  # the end of the input ends the new game, too
        while (answer := console.read("> ").strip().casefold()) not in ("", "n", "no", "y", "yes"):
            click.echo("Type y to continue that game, or press Enter for a new game.")
    wanted = answer in ("y", "yes")
    return (() if wanted else (f"The other game stays saved: {going_on}",)), game.name if wanted else ""


def _continue_game(name: str | None, asked: GameArguments, trust: Trust) -> None:
    folder, turn = _folder(asked), asked.from_turn
    slot = folder.find(name, going_on=turn is None)
    from evodom.sessions.content import read_game

    with workers(asked.jobs) as threads:
        game = read_game(slot.path, threads, trust, lambda setup: _compile_for(setup, quiet=asked.quiet))
        if (n_people := len(game.setup.people)) > 1:
            raise UsageError(f"{n_people} people share '{slot.path.stem}'. Continue it in: evodom serve")
        if turn is None:
            _play(game, slot, is_saved=True)
        else:
            _play(game.branch(game.start_of_turn(turn)), folder.new_slot(slot.name))


def _compile_for(setup: GameSetup, *, quiet: bool) -> None:
    """Compile the kernels of a game of people."""
    compile_for(setup.players, setup.kingdom, groups=["single games"], quiet=quiet)


def _review_game(asked: GameArguments) -> None:
    """Print the review of a saved or finished game, and draw its win probabilities."""
    quiet = asked.quiet
    slot = _folder(asked).find(asked.key, going_on=False)
    from evodom.sessions.content import needs_consent, read_game
    from evodom.sessions.review import review
    from evodom.terminal.ending import review_lines

    game = read_game(
        slot.path, trust=lambda source: asked.trust_agent, before_replay=lambda setup: _compile_for(setup, quiet=quiet)
    )
    ensure_compiled("search", quiet=quiet)
    with workers(asked.jobs) as threads, progress(None, quiet=quiet, unit="choices") as on_done:
        found = review(game, threads, lambda n: on_done(1))
    slot = replace(slot, has_agents=needs_consent(game.setup))
    make_console().show(review_lines(found, slot, full=asked.full, block_characters=can_print(SPARK_BLOCKS)))
    if asked.save_name:
        from evodom.presentation.charts import LineChart, Series

        curves = zip(found.names, 100 * found.chances.T, strict=True)
        lines = [Series(name, f"c{seat}", curve.tolist()) for seat, (name, curve) in enumerate(curves)]
        chart = LineChart(found.turns, lines, ("turn", "win probability, %"))
        write_picture(chart.svg("Win probability"), Path(asked.save_name), quiet=quiet)


def _play(
    game: DominionSession, slot: Slot, *, is_saved: bool = False, may_replace: bool = False, news: tuple[str, ...] = ()
) -> None:
    """Play a session and offer a review at the end."""
    from evodom.sessions.content import needs_consent
    from evodom.terminal.dominion import DominionTerminal

    slot = replace(slot, has_agents=needs_consent(game.setup))
    terminal = DominionTerminal(
        game, make_console(), slot, is_saved=is_saved, may_replace=may_replace, news=news, offers_review=True
    )
    run_terminal(terminal)


def _watch(setup: GameSetup, note: str, *, quiet: bool) -> None:
    from evodom.sessions.dominion import DominionSession
    from evodom.terminal.ending import watch

    _compile_for(setup, quiet=quiet)
    if note:
        click.echo(note)
    if not watch(DominionSession(setup), make_console()):
        click.get_current_context().exit(INTERRUPTED)
