"""`evodom advise`: search for the best strategy of a kingdom and print the advice."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from evodom import advice
from evodom.api.progress import progress_bar
from evodom.cli import INTERRUPTED
from evodom.cli.common import command_line
from evodom.cli.options import (
    CommonArguments,
    EntrantName,
    KingdomArguments,
    OutputFile,
    RunKey,
    chosen_kingdom,
    is_drawing,
    rivals,
    takes,
)
from evodom.errors import UsageError
from evodom.files import write_output
from evodom.options import OptionStruct, chosen_seed, option

if TYPE_CHECKING:
    from evodom.advice.runs import Request
    from evodom.advice.search import AdviceMonitor, AdviceProgress
    from evodom.api.advice import KingdomAdvice
    from evodom.dominion.kingdom import Kingdom
    from evodom.matches.entrants import Entrants
    from evodom.runs import RunStore


_KEEP = "Choose another file, or delete it. --overwrite replaces it too, but starts the search from the beginning."


class AdviceOptions(OptionStruct, frozen=True, kw_only=True):
    """The options of a search for advice."""

    players: Annotated[
        int | None,
        option("--players", "Players at a table.", ge=2, le=6, default_text="as in the runs of --against, else 2"),
    ] = None
    minutes: Annotated[
        float | None,
        option(
            "--minutes",
            "Time limit in minutes, without compile time.",
            ge=advice.MIN_MINUTES,
            le=advice.MAX_MINUTES,
            default_text=f"{advice.DEFAULT_MINUTES:g}, without --ngen",
        ),
    ] = None
    n_generations: Annotated[
        int | None, option("--ngen", "Number of generations, instead of a time limit.", ge=1, le=advice.MAX_GENERATIONS)
    ] = None
    learned_games: Annotated[
        int | None,
        option(
            "--training-games",
            "Training games of the networks.",
            ge=advice.MIN_LEARNED_GAMES,
            le=advice.MAX_LEARNED_GAMES,
            default_text=f"as many as the time allows, with --ngen {advice.LEARNED_GAMES:,}",
        ),
    ] = None
    n_strategies: Annotated[int, option("--nstrat", "Strategies in a generation, as in evolve.")] = (
        advice.DEFAULT_STRATEGIES
    )
    games: Annotated[
        int,
        option(
            "--evaluation-games", "Games for each win rate; fewer if --minutes is short.", ge=100, le=advice.MAX_GAMES
        ),
    ] = advice.DEFAULT_GAMES
    against: Annotated[
        tuple[str, ...],
        option(
            "--against",
            "Add a strategy (a file, a run or a baseline) to the tournament. The answer has the win rate against it "
            "and its changes that would gain most. The kingdom is that of the run.",
            type=EntrantName(),
        ),
    ] = ()
    full: Annotated[
        bool, option("--full", "Print the full report: a network's purchases by stage, and all intervals.")
    ] = False
    sample_game: Annotated[
        bool,
        option("--sample-game", "Also print a game of the list, turn by turn, with the line behind each purchase."),
    ] = False
    key: Annotated[
        str | None,
        option(
            "--key", "Key of the saved answer.", default_text="the kingdom's name, or its rarest cards", type=RunKey()
        ),
    ] = None
    overwrite: Annotated[
        bool,
        option(
            "-o --overwrite",
            "Start from the beginning and replace the saved answer. Also replace the file of --export.",
            is_eager=True,
        ),
    ] = False
    export_file: Annotated[
        Path | None, option("--export", "Write the buy list as a strategy file.", type=OutputFile(_KEEP))
    ] = None


@click.command()
@takes(KingdomArguments, "place")
@takes(AdviceOptions, "options")
@takes(CommonArguments, "common")
@click.pass_context
def advise(ctx: click.Context, /, place: KingdomArguments, options: AdviceOptions, common: CommonArguments) -> None:
    """Find the best strategy for a kingdom: purchases, win rates, openings, key cards and traps.

    Trains networks, evolves graded preferences and buy lists, and ranks them in a tournament with the strongest
    baselines. Finally it trains a network to beat the winner. --minutes limits all of this. A second call continues the
    search. With --minutes the answer depends on the machine's speed. With --seed, --training-games and --ngen it is the
    same on every machine.
    """
    from evodom.advice.search import Question, checked_question
    from evodom.api.advice import answer_question
    from evodom.budget import Cancelled
    from evodom.presentation.documents.advice_facts import repeat_command

    if options.minutes and options.n_generations:
        raise UsageError("--minutes and --ngen exclude each other. Give one of them.")
    store, seed = common.store, chosen_seed(common.seed)
    is_asked = place.kingdom is not None or is_drawing(place) or not options.against
    users = _users(options.against, store, chosen_kingdom(place.kingdom, place, seed=seed) if is_asked else None)
    request = _request(users, options)
    if (note := users.size_note(request.players, "advice")) and not common.quiet:
        click.echo(note, err=True)
    question = Question(
        request,
        seed,
        users=users.entrants,
        minutes=options.minutes,
        n_generations=options.n_generations,
        learned_games=options.learned_games,
        games=options.games,
        overwrite=options.overwrite,
    )
    question = checked_question(question, common.seed, store)
    try:
        watch = _watch(quiet=common.quiet)
        found = answer_question(question, store=store, jobs=common.jobs, quiet=common.quiet, watch=watch)
    except Cancelled as stopped:
        go_on = command_line(*repeat_command(question), data_dir=common.data_dir)
        click.echo(f"Stopped; {stopped}. Continue with: {go_on}", err=True)
        ctx.exit(INTERRUPTED)
    if options.export_file:
        from evodom.cli.strategies import list_file

        command = command_line(*repeat_command(question, found.result), data_dir=common.data_dir)
        answer, plan = found.result.name or request.key, found.advice.plan
        write_output(options.export_file, list_file(plan, answer, request.kingdom, request.players, command))
    _print(found, common, options)


def _request(users: Entrants, options: AdviceOptions) -> Request:
    """Return the request of the options."""
    from evodom.advice.answer import DEFAULT_PLAYERS, default_key
    from evodom.advice.runs import Request

    players = options.players or users.players or DEFAULT_PLAYERS
    return Request(users.kingdom, players, options.key or default_key(users.kingdom, players), options.n_strategies)


@contextmanager
def _watch(*, quiet: bool) -> Iterator[AdviceMonitor]:
    """Show the current step on stderr if it is a terminal, and let Ctrl-C stop the search."""
    from evodom.budget import Monitor
    from evodom.cli.run_commands import stop_on_interrupt

    with stop_on_interrupt() as interrupted, progress_bar(quiet=quiet, bar_format="{elapsed} {desc}") as bar:
        yield Monitor(lambda progress: bar.set_description_str(_doing(progress)), interrupted)


def _users(words: Sequence[str], store: RunStore, kingdom: Kingdom | None) -> Entrants:
    """Return the opponents of --against, named as typed."""
    named = tuple(dict.fromkeys(words))
    found = rivals(named, "--against", store=store, kingdom=kingdom)
    typed = (replace(entrant, name=word) for word, entrant in zip(named, found.entrants, strict=True))
    return replace(found, entrants=tuple(typed))


def _doing(progress: AdviceProgress) -> str:
    """Return a phrase for the current step."""
    from evodom.advice.search import EVOLVING, LEARNING

    if progress.stage == LEARNING:
        return f"training: {progress.done:,} of {progress.total:,} games"
    if progress.stage == EVOLVING:
        return f"generation {progress.done} of each model"
    return "tournament, best response, cards"


def _print(found: KingdomAdvice, common: CommonArguments, options: AdviceOptions) -> None:
    """Print the answer."""
    from evodom.presentation.documents.advice import SCREEN_LINES, USER_LINES
    from evodom.presentation.documents.advice_facts import play_command, repeat_command
    from evodom.presentation.text import render

    question, full, sample = found.question, options.full, options.sample_game
    words = {"command": repeat_command(question, found.result), "play": play_command(question, found.result)}
    if found.result.name:
        words["list"] = ["evodom", "strategies", found.result.name]
    commands = {name: command_line(*each, data_dir=common.data_dir) for name, each in words.items()}
    found = replace(found, commands=commands)
    if common.as_json:
        click.echo(json.dumps(found.to_dict(), indent=2, allow_nan=False))
    else:
        height = SCREEN_LINES + USER_LINES * len(question.users)
        click.echo(render(found.document(full=full, sample=sample), height=None if full or sample else height))
