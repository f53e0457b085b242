"""`evodom train`: train networks by self-play and save the run."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import click

from evodom.advice import MAX_MINUTES, MIN_MINUTES
from evodom.cli.options import KingdomArguments, Rivals, RunArguments, RunKey, chosen_kingdom, saved_rivals, takes
from evodom.cli.run_commands import CreatesRun, RunCommand, RunProgress
from evodom.errors import UsageError
from evodom.options import option

if TYPE_CHECKING:
    from evodom.budget import Budget
    from evodom.learning.training import TrainOptions
    from evodom.runs import Run
    from evodom.runs.lifecycle import RunKind
    from evodom.tasks import Workers

LEAST_GAMES, MOST_GAMES = 2_000, 100_000_000


class TrainInputs(KingdomArguments, frozen=True, kw_only=True):
    """Arguments of a new training run."""

    players: Annotated[int, option("--players", "Players at a table.", ge=2, le=6)] = 4
    games: Annotated[
        int | None,
        option("--games", "Total number of training games.", ge=LEAST_GAMES, le=MOST_GAMES, default_text="300,000"),
    ] = None
    minutes: Annotated[
        float | None,
        option(
            "--minutes",
            "Time limit in minutes, without compile time, instead of --games. Only runs with --games are reproducible.",
            ge=MIN_MINUTES,
            le=MAX_MINUTES,
        ),
    ] = None
    rivals: Rivals = ()
    starts: Annotated[
        int | None,
        option(
            "--starts",
            "Number of networks trained in parallel. The first begins as the shipped network.",
            ge=1,
            le=9,
            default_text="1 to 3, depending on the games",
        ),
    ] = None


@click.command(cls=CreatesRun)
@click.argument("key", type=RunKey())
@takes(TrainInputs, "inputs")
@takes(RunArguments, "run_arguments")
@click.pass_context
def train(ctx: click.Context, /, key: str, inputs: TrainInputs, run_arguments: RunArguments) -> "TrainCommand":
    """Train networks by self-play and against training opponents, and save the run as KEY.

    Several networks ("starts") are trained in parallel; the better ones continue. Every checkpoint is saved. Ctrl-C
    stops at the last checkpoint; --resume continues from it.

    The first start begins as the shipped network of all kingdoms. That network cannot be used if a card was changed, or
    with cards of a new kind. Then all starts begin by imitating random buy lists. docs/reference/learning.md explains
    how to train a network for new cards.
    """
    return TrainCommand(ctx, run_arguments, inputs)


class TrainCommand(RunCommand["TrainOptions"]):
    """`evodom train`: the options of a new run, its progress and its result."""

    words = ("train",)

    def __init__(self, ctx: click.Context, asked: RunArguments, inputs: TrainInputs) -> None:
        super().__init__(ctx, asked)
        self._inputs = inputs

    def kind(self) -> "RunKind[TrainOptions]":
        from evodom.learning.run import LEARNING

        return LEARNING

    def new(self, key: str, seed: int) -> "TrainOptions":
        from evodom.learning.training import DEFAULT_GAMES, TrainOptions

        inputs = self._inputs
        if inputs.games is not None and inputs.minutes is not None:
            raise UsageError("--games and --minutes exclude each other. Give one of them.")
        kingdom = chosen_kingdom(inputs.kingdom, inputs, seed=seed)
        names, guests = saved_rivals(inputs.rivals, "--training-opponent", store=self.asked.store, kingdom=kingdom)
        n_games = DEFAULT_GAMES if inputs.games is None else inputs.games
        return TrainOptions(kingdom, inputs.players, n_games, inputs.starts or 0, names, guests)

    def compile(self, options: "TrainOptions") -> None:
        from evodom.api.run_progress import compile_for_training

        compile_for_training(options, quiet=self.asked.quiet, notes=not self.asked.resume)

    def timed(self, options: "TrainOptions", pool: "Workers", run: "Run | None") -> tuple["TrainOptions", "Budget"]:
        from evodom.api.runs import with_time_limit

        return with_time_limit(options, self._inputs.minutes, self._inputs.starts or 0, pool, run)

    def step(self, options: "TrainOptions") -> str:
        return "step"

    @contextmanager
    def progress(
        self, options: "TrainOptions", interrupted: Callable[[], bool], budget: "Budget"
    ) -> Iterator[RunProgress]:
        from evodom.api.run_progress import training_bar

        with training_bar(options, budget, quiet=self.asked.quiet) as shown:
            yield RunProgress(shown.monitor(interrupted), shown.begin)

    def stopped(self, run: "Run", options: "TrainOptions") -> str:
        return f"; checkpoint {run.n_generations - 1} is saved"

    def print_result(self, run: "Run", n_new: int, seconds: float) -> None:
        from evodom.learning.run import checked, options_of

        last, options = checked(run, run.last()), options_of(run)
        facts = {
            "key": run.key,
            "seed": run.meta["seed"],
            "players": options.players,
            "games": last.summary["games"],
            "seconds": seconds,
            "kingdom_name": options.kingdom.name,
            "kingdom": options.kingdom.cards,
            "shares": last.summary["shares"],
        }
        if self.asked.as_json:
            click.echo(json.dumps(facts, indent=2))
            return
        wins = 100 * sum(last.summary["shares"]) / len(last.summary["shares"])
        click.echo(
            f"{run.key}: {last.summary['games']:,} games in {seconds:.1f} s, seed {run.meta['seed']}. The best of "
            f"{options.n_starts} starts wins {wins:.0f} % against its training opponents (chance level "
            f"{100 / options.players:.0f} %)."
        )
        click.echo(self.next_commands(("play", run.key), ("report", run.key)))
