"""`evodom advise`: given these ten cards, what is the best strategy?"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from evodom.advice import (
    DEFAULT_GAMES,
    DEFAULT_MINUTES,
    DEFAULT_STRATEGIES,
    LEARNED_GAMES,
    LEAST_LEARNED,
    LEAST_MINUTES,
    MAX_GAMES,
    MOST_GENERATIONS,
    MOST_LEARNED,
    MOST_MINUTES,
)
from evodom.cli import INTERRUPTED
from evodom.cli.common import (
    Number,
    RunKey,
    chosen_kingdom,
    chosen_seed,
    cluster_option,
    command_line,
    data_dir_option,
    first_edition_option,
    is_terminal,
    jobs_option,
    json_option,
    kingdom_option,
    note_unusable_network,
    quiet_option,
    seed_option,
    warm_up_learning,
    workers,
)
from evodom.cli.entrants import EntrantName, rivals
from evodom.errors import UsageError
from evodom.files import replace_text

if TYPE_CHECKING:
    from evodom.advice.runs import Request
    from evodom.advice.search import AdviceProgress, Found, Question
    from evodom.dominion.kingdom import Kingdom
    from evodom.matches.agents import Entrant


@click.command(short_help="Tell the best strategy found for a kingdom.")
@kingdom_option
@first_edition_option
@click.option("--players", type=click.IntRange(2, 6), default=2, show_default=True, help="Players at a table.")
@click.option(
    "--minutes",
    type=Number(LEAST_MINUTES, MOST_MINUTES),
    help=f"Time limit in minutes, without compile time.  [default: {DEFAULT_MINUTES:g}, without --ngen]",
)
@click.option(
    "--ngen",
    "n_generations",
    type=click.IntRange(1, MOST_GENERATIONS),
    help="Evolve so many generations, however long it takes.",
)
@click.option(
    "--learn",
    "learned_games",
    type=click.IntRange(LEAST_LEARNED, MOST_LEARNED),
    help=f"Games that are learned from.  [default: as many as fit in, with --ngen {LEARNED_GAMES:,}]",
)
@click.option(
    "--nstrat",
    "n_strategies",
    type=int,
    default=DEFAULT_STRATEGIES,
    show_default=True,
    help="Strategies in a generation, as evolve.",
)
@click.option(
    "--games",
    type=click.IntRange(100, MAX_GAMES),
    default=DEFAULT_GAMES,
    show_default=True,
    help="Games of each figure, fewer where --minutes are short.",
)
@click.option(
    "--against",
    type=EntrantName(),
    multiple=True,
    help="Let this strategy play in the tournament too, and tell the wins against it: a file, a run or a baseline.",
)
@click.option("--full", is_flag=True, help="Tell all: what a learned answer buys by stage, every interval.")
@click.option(
    "--key", type=RunKey(), help="Save the runs as KEY and graded, buylist, network.  [default: by the kingdom]"
)
@click.option("-o", "--overwrite", is_flag=True, help="Start anew, in place of what is saved under the key.")
@click.option(
    "--export", "export_file", type=click.Path(dir_okay=False, path_type=Path), help="Write the strategy to a file."
)
@seed_option
@jobs_option
@cluster_option
@data_dir_option
@json_option
@quiet_option
@click.pass_context
def advise(ctx: click.Context, /, quiet: bool, as_json: bool, data_dir: Path | None, **given: Any) -> None:
    """Tell the best strategy found for a kingdom: what to buy, what to expect, how to open, which cards are traps.

    Learns from games, evolves both graded preferences and buy lists, lets what they found meet the strongest
    baselines, and sets a learner on the best, all within --minutes. Asked again it goes on from there. What fits into a
    time depends on the machine; with --seed, --learn and --ngen the answer is the same on any.
    """
    from evodom.advice.runs import run_key
    from evodom.advice.search import Question, again, answer, saved_seed
    from evodom.answers import LEARNED
    from evodom.budget import Cancelled, Monitor
    from evodom.cli.evolve import stop_on_interrupt
    from evodom.runs import check_writable
    from evodom.runs import data_dir as find_data_dir

    if given["minutes"] and given["n_generations"]:
        raise UsageError("--minutes and --ngen both say when to stop. Give one of them.")
    _check_file(given["export_file"])
    root = find_data_dir(data_dir)
    request, seed = _request(given, chosen_seed(given["seed"]))
    own = _own(given["against"], root, request.kingdom)
    limits = {name: given[name] for name in ("minutes", "n_generations", "learned_games", "games", "overwrite")}
    question = Question(request, seed, own=own, **limits)
    question = replace(question, seed=saved_seed(question, given["seed"], root))
    check_writable(run_key(request.key, LEARNED), root)
    note_unusable_network(request.kingdom, quiet=quiet)
    warm_up_learning(quiet=quiet)
    try:
        with (
            workers(given["jobs"], cluster=given["cluster"]) as threads,
            stop_on_interrupt() as interrupted,
            _progress(quiet=quiet) as shown,
        ):
            monitor = Monitor(lambda progress: shown(_doing(progress)), interrupted)
            found = answer(question, root=root, workers=threads, monitor=monitor)
    except Cancelled as stopped:
        click.echo(f"Stopped; {stopped}. Go on with: {command_line(*again(question), data_dir=data_dir)}", err=True)
        ctx.exit(INTERRUPTED)
    if given["export_file"]:
        _export(given["export_file"], question, found, data_dir)
    _tell(question, found, data_dir, full=given["full"], as_json=as_json)


def _check_file(file: Path | None) -> None:
    if file and not file.parent.is_dir():
        raise UsageError(f"{file} cannot be written: there is no folder {file.parent}. Create it, or name another.")


def _request(given: dict[str, Any], seed: int) -> tuple[Request, int]:
    """Return what is asked, and the seed that draws what the kingdom lacks."""
    from evodom.advice.runs import MODELS, Request, default_key, run_key

    kingdom = chosen_kingdom(given["kingdom"], seed=seed, first_edition=given["first_edition"])
    key = given["key"] or default_key(kingdom, given["players"])
    request = Request(kingdom, given["players"], key, given["n_strategies"])
    for model in MODELS:
        run_key(key, model)
        request.options(model)
    return request, seed


def _own(words: Sequence[str], root: Path, kingdom: Kingdom) -> tuple[Entrant, ...]:
    """Return the opponents that --against names, called as they were typed."""
    named = tuple(dict.fromkeys(words))
    found = rivals(named, "--against", root=root, kingdom=kingdom)
    return tuple(replace(entrant, name=word) for word, entrant in zip(named, found, strict=True))


@contextmanager
def _progress(*, quiet: bool) -> Iterator[Callable[[str], None]]:
    """Show on stderr what is being done, where that is a terminal."""
    from tqdm import tqdm

    hide = quiet or not is_terminal(sys.stderr)
    with tqdm(disable=hide, leave=False, bar_format="{elapsed} {desc}") as bar:
        yield bar.set_description_str


def _doing(progress: AdviceProgress) -> str:
    """Return what is being done, in a few words."""
    from evodom.advice.search import EVOLVING, LEARNING

    if progress.stage == LEARNING:
        return f"learning: {progress.done:,} of {progress.total:,} games"
    if progress.stage == EVOLVING:
        return f"generation {progress.done} of each model"
    return "tournament, what to expect, cards"


def _tell(question: Question, found: Found, data_dir: Path | None, *, full: bool, as_json: bool) -> None:
    """Print the answer."""
    from evodom.advice.search import again, facts_of, playing
    from evodom.presentation.documents.advice import SCREEN, advice_document
    from evodom.presentation.text import render

    commands = {
        "command": command_line(*again(question, found), data_dir=data_dir),
        "play": command_line(*playing(question, found), data_dir=data_dir),
    }
    if found.name:
        commands["list"] = command_line("evodom", "strategies", found.name, data_dir=data_dir)
    facts = facts_of(question, found) | commands
    if as_json:
        content = facts | {"seconds": found.seconds} | found.advice.to_json()
        click.echo(json.dumps(content, indent=2, allow_nan=False))
    else:
        document = advice_document(facts, found.advice, found.seconds, full=full)
        click.echo(render(document, height=None if full else SCREEN))


def _export(file: Path, question: Question, found: Found, data_dir: Path | None) -> None:
    """Write the answer to a file."""
    from evodom.advice.search import again
    from evodom.dominion.strategies.files import dump_strategy

    kingdom, name = question.request.kingdom, found.advice.name
    command = command_line(*again(question, found), data_dir=data_dir)
    comment = f"Advice of: {command}\nFrom {name}.\nKingdom: {', '.join(kingdom.cards)}"
    replace_text(file, dump_strategy(found.advice.plan, kingdom, name=name, comment=comment))
