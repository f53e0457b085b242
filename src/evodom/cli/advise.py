"""`evodom advise`: given these ten cards, what is the best strategy?"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

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
    quiet_option,
    seed_option,
    warm_up_learning,
    workers,
)
from evodom.cli.entrants import EntrantName, rivals
from evodom.errors import UsageError
from evodom.files import replace_text

if TYPE_CHECKING:
    from evodom.advice.finding import Advice
    from evodom.advice.search import Request
    from evodom.dominion.kingdom import Kingdom
    from evodom.matches.entrant import Entrant
    from evodom.matches.workers import Workers
    from evodom.store import Generation, Run

DEFAULT_MINUTES = 1.0
MOST_MINUTES = 1440.0
DEFAULT_GAMES = 10_000
MAX_GAMES = 1_000_000

MOST_MEASURING = 0.5
"""At most this share of the time that is left is kept for the tournament and what is measured."""

LEARNING_SHARE, REPLY_SHARE, CARDS_SHARE = 0.4, 0.1, 0.15
"""The shares of the time for learners: before all else, set on the answer, and for the cards."""

SAVED = "what was learned and all generations are saved"

LEARNED_GAMES = 60_000
"""Games of the learners where generations say when to stop."""


@dataclass
class Clock:
    """How the time is shared out: evolution goes on while enough is left to measure what it found.

    ``began`` is set when evolution begins: what came before counts for nothing.
    """

    seconds: float
    measured_games: int
    began: float = 0.0
    n_games: int = 0

    def start(self) -> None:
        self.began = time.monotonic()

    def has_time(self, step: float) -> bool:
        """Tell whether another step of evolution of so many seconds fits."""
        gone = time.monotonic() - self.began
        measuring = self.measured_games * gone / max(self.n_games, 1)
        return gone + step <= self.seconds - min(measuring, MOST_MEASURING * self.seconds)


@click.command(short_help="Tell the best strategy found for a kingdom.")
@kingdom_option
@first_edition_option
@click.option("--players", type=click.IntRange(2, 6), default=2, show_default=True, help="Players at a table.")
@click.option(
    "--minutes",
    type=Number(0.05, MOST_MINUTES),
    help=f"Take about so long, compiling apart.  [default: {DEFAULT_MINUTES:g}, without --ngen]",
)
@click.option(
    "--ngen", "n_generations", type=click.IntRange(1, 9999), help="Evolve so many generations, however long it takes."
)
@click.option(
    "--learn",
    "learned_games",
    type=click.IntRange(2_000, 100_000_000),
    help=f"Games that are learned from.  [default: as many as fit in, with --ngen {LEARNED_GAMES:,}]",
)
@click.option(
    "--nstrat", "n_strategies", type=int, default=128, show_default=True, help="Strategies in a generation, as evolve."
)
@click.option(
    "--games",
    type=click.IntRange(100, MAX_GAMES),
    default=DEFAULT_GAMES,
    show_default=True,
    help="Games of each figure.",
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

    Learns from games, evolves both graded preferences and buy lists, for about --minutes, lets what they found meet the
    strongest baselines, and sets a learner on the best. Asked again it goes on from there. A time depends on the
    machine; with --seed, --learn and --ngen the answer is the same for any.
    """
    from evodom.advice.search import LEARNED, check_runs, run_key
    from evodom.cli.evolve import stop_on_interrupt
    from evodom.store import check_writable
    from evodom.store import data_dir as find_data_dir

    if given["minutes"] and given["n_generations"]:
        raise UsageError("--minutes and --ngen both say when to stop. Give one of them.")
    _check_file(given["export_file"])
    root = find_data_dir(data_dir)
    request, seed = _request(given, root, chosen_seed(given["seed"]))
    own = _own(given["against"], root, request.kingdom)
    asked = {"n_games": given["learned_games"], "root": root}
    saved = None if given["overwrite"] else check_runs(request, given["seed"], **asked)
    given["seed"] = seed if saved is None else saved
    check_writable(run_key(request.key, LEARNED), root)
    warm_up_learning(quiet=quiet)
    try:
        with workers(given["jobs"], cluster=given["cluster"]) as threads, stop_on_interrupt() as interrupted:
            found = _find(request, given, own, root, threads, _Watch(interrupted, quiet))
    except _Stopped as stopped:
        click.echo(f"Stopped; {stopped}. Go on with: {_again(request, given, data_dir)}", err=True)
        ctx.exit(INTERRUPTED)
    _tell(request, given, found, data_dir, as_json=as_json)


@dataclass(frozen=True)
class _Watch:
    """Who looks on: whether Ctrl-C was pressed, and whether to be quiet."""

    interrupted: Callable[[], bool]
    quiet: bool


class _Stopped(Exception):
    """Ctrl-C was pressed; the message says what is saved."""


@dataclass(frozen=True)
class _Finding:
    """The advice, from how many generations of each model, and from how many games that were learned from.

    ``reply`` is the run of a reply that became the answer.
    """

    advice: Advice
    n_generations: int
    n_games: int
    seconds: float
    reply: str | None = None


def _check_file(file: Path | None) -> None:
    if file and not file.parent.is_dir():
        raise UsageError(f"{file} cannot be written: there is no folder {file.parent}. Create it, or name another.")


def _request(given: dict[str, Any], root: Path, seed: int) -> tuple[Request, int]:
    """Return what is asked, and the seed that draws what the kingdom lacks."""
    from evodom.advice.search import MODELS, Request, default_key, run_key

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


def _find(
    request: Request, given: dict[str, Any], own: Sequence[Entrant], root: Path, threads: Workers, watch: _Watch
) -> _Finding:
    """Learn, evolve and measure; raises _Stopped if Ctrl-C was pressed."""
    from evodom.advice.finding import Learning, find_advice
    from evodom.advice.search import learned_entrants, open_training, save_reply
    from evodom.learning.run import options_of

    began = time.monotonic()
    seconds = 60.0 * (given["minutes"] or DEFAULT_MINUTES)
    n_games = given["learned_games"] or LEARNED_GAMES
    if not given["learned_games"] and not given["n_generations"]:
        n_games = _games_in(LEARNING_SHARE * seconds, request, threads)
    shared = {"root": root, "overwrite": given["overwrite"], "workers": threads}
    with open_training(request, given["seed"], n_games, **shared) as training:
        with _progress(watch) as shown:
            _learn(training, threads, watch, shown)
        learned = learned_entrants(training)
        n_games = options_of(training).games
    per_share = n_games / LEARNING_SHARE
    reply, cards = int(REPLY_SHARE * per_share), int(CARDS_SHARE * per_share / 20)
    left = seconds * (1.0 - REPLY_SHARE - CARDS_SHARE) - (time.monotonic() - began)
    with_learning = partial(find_advice, learning=Learning(learned, reply, cards), own=own)
    advice, n_generations = _evolve_and_measure(request, given, left, with_learning, watch, shared)
    saved = save_reply(request, given["seed"], advice, root=root)
    return _Finding(advice, n_generations, n_games, time.monotonic() - began, saved)


def _games_in(seconds: float, request: Request, threads: Workers) -> int:
    from evodom.learning.pace import games_in

    return games_in(seconds, request.kingdom, request.players, threads)


def _learn(training: Run, threads: Workers, watch: _Watch, shown: Callable[[str], None]) -> None:
    """Train to the end; raises _Stopped if Ctrl-C was pressed."""
    from evodom.learning.run import carry_on, checked, options_of
    from evodom.learning.training import Watcher

    total, played = options_of(training).games, int(checked(training, training.last()).summary["games"])

    def on_games(n: int, figures: dict[str, float]) -> None:
        nonlocal played
        played += n
        shown(f"learning: {played:,} of {total:,} games")

    if not carry_on(training, threads, Watcher(on_games, watch.interrupted)):
        raise _Stopped(f"checkpoint {training.n_generations - 1} of what is learned is saved")


def _evolve_and_measure(
    request: Request,
    given: dict[str, Any],
    seconds: float,
    find: Callable[..., Advice],
    watch: _Watch,
    shared: dict[str, Any],
) -> tuple[Advice, int]:
    """Evolve for what is left of the time and measure all that was found; raises _Stopped if Ctrl-C was pressed."""
    from evodom.advice.finding import most_games
    from evodom.advice.search import evolve, open_runs
    from evodom.evolution.evaluation import games_of
    from evodom.matches.streams import Use
    from evodom.matches.venue import Venue

    clock = Clock(seconds, most_games(given["games"]))
    clock.start()
    with open_runs(request, given["seed"], **shared) as runs, _progress(watch) as shown:

        def on_generation(generation: Generation) -> None:
            clock.n_games += games_of(generation)
            shown(f"generation {generation.index + 1} of each model")

        def on_games(n: int) -> None:
            if watch.interrupted():
                raise _Stopped(SAVED)
            shown("tournament, what to expect, cards")

        n = evolve(
            runs,
            shared["workers"],
            n_generations=given["n_generations"],
            has_time=clock.has_time,
            on_generation=on_generation,
            should_stop=watch.interrupted,
        )
        if n is None:
            raise _Stopped(SAVED)
        venue = Venue(request.kingdom, request.players, given["seed"], Use.ADVICE, shared["workers"], on_games)
        return find(venue, runs, n, given["games"]), n


@contextmanager
def _progress(watch: _Watch) -> Iterator[Callable[[str], None]]:
    """Show on stderr what is being done, where that is a terminal."""
    from tqdm import tqdm

    hide = watch.quiet or not is_terminal(sys.stderr)
    with tqdm(disable=hide, leave=False, bar_format="{elapsed} {desc}") as bar:
        yield bar.set_description_str


def _again(request: Request, given: dict[str, Any], data_dir: Path | None, found: _Finding | None = None) -> str:
    """Return the command that goes on, or with what was found the one that repeats the answer."""
    words = ["evodom", "advise", "--kingdom", _typed(request.kingdom)]
    words += ["--players", str(request.players)] if request.players != 2 else []
    words += ["--nstrat", str(request.n_strategies)] if request.n_strategies != 128 else []
    words += ["--games", str(given["games"])] if given["games"] != DEFAULT_GAMES else []
    words += ["--key", given["key"]] if given["key"] else []
    words += [word for name in given["against"] for word in ("--against", name)]
    n_generations = found.n_generations if found else given["n_generations"]
    n_games = found.n_games if found else given["learned_games"]
    words += ["--learn", str(n_games)] if n_games else []
    if n_generations:
        words += ["--seed", str(given["seed"]), "--ngen", str(n_generations)]
    elif given["minutes"]:
        words += ["--minutes", f"{given['minutes']:g}"]
    return command_line(*words, data_dir=data_dir)


def _play(request: Request, given: dict[str, Any], found: _Finding, data_dir: Path | None) -> str:
    """Return the command that plays against the answer, or the best of the tournament that is saved."""
    from evodom.advice.finding import REPLY

    saved = (
        f"{found.reply}:1" if name == REPLY else name for name in found.advice.ranking if name != REPLY or found.reply
    )
    name = next(saved)
    in_run = ":" in name and name not in given["against"]
    where = () if in_run else ("--kingdom", _typed(request.kingdom))
    return command_line("evodom", "play", "--opponent", name, *where, data_dir=data_dir)


def _typed(kingdom: Kingdom) -> str:
    """Return what to type for a kingdom: its name without quotes, or its cards."""
    from evodom.dominion.kingdom import CUSTOM, slug

    return ",".join(map(slug, kingdom.cards)) if kingdom.name == CUSTOM else slug(kingdom.name)


def _tell(request: Request, given: dict[str, Any], found: _Finding, data_dir: Path | None, *, as_json: bool) -> None:
    """Print the answer, and write it to a file if asked for."""
    from evodom.advice.finding import REPLY
    from evodom.cli.advice_text import advice_text

    kingdom = request.kingdom
    facts = {
        "kingdom": {"name": kingdom.name, "cards": list(kingdom.cards), "drawn": list(kingdom.drawn)},
        "players": request.players,
        "seed": given["seed"],
        "generations": found.n_generations,
        "learned_games": found.n_games,
        "games": given["games"],
        "key": request.key,
        "command": _again(request, given, data_dir, found),
        "play": _play(request, given, found, data_dir),
        "plays_answer": found.advice.ranking[0] != REPLY or found.reply is not None,
    }
    if given["export_file"]:
        _export(given["export_file"], request, found, facts["command"])
    if as_json:
        content = facts | {"seconds": found.seconds} | found.advice.to_json()
        click.echo(json.dumps(content, indent=2, allow_nan=False))
    else:
        click.echo(advice_text(facts, found.advice, found.seconds, full=given["full"]))


def _export(file: Path, request: Request, found: _Finding, command: str) -> None:
    from evodom.dominion.strategies.files import dump_strategy

    comment = f"Advice of: {command}\nFrom {found.advice.name}.\nKingdom: {', '.join(request.kingdom.cards)}"
    text = dump_strategy(found.advice.plan, request.kingdom, name=found.advice.name, comment=comment)
    replace_text(file, text)
