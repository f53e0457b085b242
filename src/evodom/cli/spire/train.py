"""`evodom spire train`: train a network for a fight by self-play and save it."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import click
from msgspec import structs

from evodom.api.progress import ensure_compiled, progress, progress_bar
from evodom.cli.options import RunArguments, RunKey, takes
from evodom.cli.run_commands import RunCommand, RunProgress
from evodom.cli.spire import fights as fight_options
from evodom.cli.spire.search import figures_of
from evodom.errors import UsageError
from evodom.learning.fights import ACT, UNTRAINED, FightOptions
from evodom.options import OptionStruct, option
from evodom.presentation.format import mean_text, share_text

if TYPE_CHECKING:
    from evodom.budget import Budget
    from evodom.runs import Generation, Run
    from evodom.runs.lifecycle import RunKind


class EvaluationArguments(OptionStruct, frozen=True, kw_only=True):
    """Options of a training's reference value and of its final evaluation."""

    pick: Annotated[
        str | None, option("--pick CARDS", 'Train for the decks of several choices, as in pick: "Cleave, skip".')
    ] = None
    optimum: Annotated[
        float | None, option("--optimum N", "Known optimal value; results are printed as a share of it.")
    ] = None
    judge: Annotated[int, option("--evaluation-games", "Games of the final evaluation.", ge=2, le=1_000_000)] = 200


@click.command("train")
@click.argument("key", type=RunKey())
@fight_options.fight_argument
@fight_options.takes_sampled_fight
@takes(EvaluationArguments, "evaluation")
@takes(FightOptions, "options")
@takes(RunArguments, "run_arguments")
@click.pass_context
def train_command(
    ctx: click.Context,
    /,
    key: str,
    name: str | None,
    asked: fight_options.FightArguments,
    evaluation: EvaluationArguments,
    options: FightOptions,
    run_arguments: RunArguments,
) -> None:
    """Train a network for a fight by self-play with tree search, and save the training as KEY.

    The network predicts moves and values of positions; `search`, `pick` and `play` use it with --network KEY. Every
    iteration is saved. Ctrl-C stops after the running iteration; --resume continues.
    """
    FightTrainCommand(ctx, run_arguments, evaluation, options, fight_options.name_fight(name, asked)).carry_out(key)


class FightTrainCommand(RunCommand[FightOptions]):
    """`evodom spire train`: the options of a new run, its progress and its result."""

    words = ("spire", "train")
    changeable = ("judge", "optimum")

    def __init__(
        self,
        ctx: click.Context,
        asked: RunArguments,
        evaluation: EvaluationArguments,
        options: FightOptions,
        fight: fight_options.FightArguments,
    ) -> None:
        super().__init__(ctx, asked)
        self._evaluation, self._options, self._fight = evaluation, options, fight

    def kind(self) -> RunKind[FightOptions]:
        from evodom.learning.fights.run import FIGHTS

        return FIGHTS

    def new(self, key: str, seed: int) -> FightOptions:
        from evodom.learning.fights import RECIPES
        from evodom.spire.fights import fight_to_toml
        from evodom.spire.fights.what_if import fights_by_choice

        fight, pick = fight_options.fight_of(self._fight), self._evaluation.pick
        fights = [fight] if pick is None else list(fights_by_choice(fight, pick).values())
        if fight.state is not None and len(fight.encounter_names()) > 1:
            raise UsageError("a fight that has begun needs known enemies. Name a single encounter.")
        if key in (ACT, UNTRAINED):
            raise UsageError(f"'{key}' is a reserved name of networks. Choose another key.")
        begin = self._options.begin if "begin" in self.given else ACT
        texts = tuple(map(fight_to_toml, fights))
        return structs.replace(self._options, fights=texts, recipe=RECIPES[begin], begin=begin)

    def resumed(self, run: Run) -> FightOptions:
        from evodom.learning.fights.run import FIGHTS

        options = FIGHTS.options_of(run)
        FIGHTS.checked(run, run.last(), options)
        return options

    def compile(self, options: FightOptions) -> None:
        ensure_compiled("fights", "fight-learning", quiet=self.asked.quiet)

    def step(self, options: FightOptions) -> str:
        return "iteration"

    @contextmanager
    def progress(self, options: FightOptions, interrupted: Callable[[], bool], budget: Budget) -> Iterator[RunProgress]:
        """Show a progress bar and a line per iteration."""
        from tqdm import tqdm

        from evodom.runs.lifecycle import RunMonitor

        quiet, optimum = self.asked.quiet, self._evaluation.optimum
        clock = [time.perf_counter()]
        with progress_bar(quiet=quiet, total=options.games * options.iterations, unit=" games", unit_scale=True) as bar:

            def begin(run: Run) -> None:
                bar.initial = bar.n = int(run.last().summary["games"])
                clock[0] = time.perf_counter()

            def on_iteration(checkpoint: Generation) -> None:
                now = time.perf_counter()
                speed = options.games / (now - clock[0])
                clock[0] = now
                if not quiet:
                    with tqdm.external_write_mode(sys.stderr):
                        click.echo(_line(checkpoint.index, checkpoint.summary, speed, options.games, optimum), err=True)

            yield RunProgress(RunMonitor(lambda n, _: bar.update(n), on_iteration, should_stop=interrupted), begin)

    def stopped(self, run: Run, options: FightOptions) -> str:
        return f"; iteration {run.n_generations - 1} is saved"

    def print_result(self, run: Run, n_new: int, seconds: float) -> None:
        """Evaluate the network in separate games and print the results."""
        from evodom.learning.fights.run import fights_of, network_of, options_of, summaries_of
        from evodom.spire.play.estimates import estimate
        from evodom.spire.play.searcher import FightSearchOptions

        options, seed = options_of(run), run.provenance().seed
        budget = FightSearchOptions(options.simulations, network=network_of(run))
        fights = fights_of(run)
        n = self._evaluation.judge
        with progress(n * len(fights), quiet=self.asked.quiet, unit="fights") as on_fights:
            found = [(fight, estimate(fight, n, budget, seed + 1, self.asked.jobs, on_fights)) for fight in fights]
        games = run.last().summary["games"]
        if self.asked.as_json:
            facts = {
                "key": run.key,
                "seed": seed,
                "games": games,
                "seconds": seconds,
                "optimum": self._evaluation.optimum,
            }
            judged = [figures_of(fight, one) for fight, one in found]
            click.echo(json.dumps(facts | {"fights": judged, "iterations": summaries_of(run)[1:]}, indent=2))
            return
        click.echo(f"{run.key}: {options.iterations} iterations, {games:,} games in {seconds:.1f} s, seed {seed}.")
        for fight, one in found:
            optimum = self._evaluation.optimum
            share = "" if optimum is None else f", {100 * one.value.value / optimum:.1f} % of the optimum"
            click.echo(f"{fight.text}: {mean_text(one.hp)} HP left, {share_text(one.death)} lost{share}.")
        click.echo(f"{n} evaluation games, {options.simulations} simulations per move; 95 % intervals in brackets.")
        name = f"{fight_options.RUN}{run.key}" if fight_options.names_enemies(run.key) else run.key
        click.echo(self.next_commands(("spire", "play", name), ("spire", "search", "--network", run.key)))


def _line(iteration: int, summary: dict[str, Any], speed: float, n: int, optimum: float | None) -> str:
    """Return the line of an iteration."""
    straight = summary["straight"]
    parts = [f"{iteration:3}  {speed:5.0f} games/s"]
    if straight is not None:
        share = "" if optimum is None else f", {100 * straight[0] / optimum:.1f} %"
        parts.append(f"{straight[0]:7.2f} without noise ({straight[1]:.1f} to {straight[2]:.1f}{share})")
    parts.append(f"{summary['value']:7.2f} in all, {100 * summary['deaths'] / n:4.1f} % lost")
    losses = (f"{summary[name]:.4f}" for name in ("loss_moves", "loss_gain", "loss_death"))
    return "; ".join([*parts, f"losses {' '.join(losses)}"])
