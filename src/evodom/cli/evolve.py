"""`evodom evolve`: evolve strategies and save every generation.

Its options are the fields of `evolution.options.Options`, of `strategies.breeding.Breeding` and of `cli.options`.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Annotated

import click
from msgspec.structs import replace

from evodom.api.progress import workers
from evodom.cli.options import (
    KingdomArguments,
    Rivals,
    RunArguments,
    RunKey,
    chosen_kingdom,
    cluster_option,
    saved_rivals,
    takes,
)
from evodom.cli.run_commands import CreatesRun, RunCommand, RunProgress
from evodom.dominion.kingdom import CUSTOM, Kingdom
from evodom.dominion.strategies.base import SWITCH_EVOLVED
from evodom.dominion.strategies.registry import MODEL_PRESETS
from evodom.errors import UsageError
from evodom.evolution.options import Options
from evodom.options import option
from evodom.presentation.format import counted

if TYPE_CHECKING:
    from evodom.budget import Budget
    from evodom.runs import Run
    from evodom.runs.lifecycle import RunKind
    from evodom.tasks import Tasks

EVOLVED = "evolved"


class EvolveInputs(KingdomArguments, frozen=True, kw_only=True):
    """Arguments of a new run in addition to `Options`: names that have to be looked up."""

    switch_index: Annotated[
        str | None,
        option(
            "--switch-index",
            f"Last turn of the early preferences; evolved: between {SWITCH_EVOLVED[0]} and {SWITCH_EVOLVED[1]}.",
            metavar=f"TURN|{EVOLVED}",
            default_text=f"{EVOLVED}, with the classic model {MODEL_PRESETS['classic'].switch[0]}",
        ),
    ] = None
    rivals: Annotated[
        str | None,
        option(
            "--training-baselines",
            "Baselines among the training opponents, separated by commas.",
            metavar="NAMES",
            default_text="the strongest training baselines",
        ),
    ] = None
    guests: Rivals = ()


class EvolveArguments(RunArguments, frozen=True, kw_only=True):
    """Options of a run of evolution: where its islands evolve."""

    cluster: Annotated[str | None, cluster_option("evolve the islands")] = None


@click.command(cls=CreatesRun)
@click.argument("key", type=RunKey())
@takes(EvolveInputs, "inputs")
@takes(Options, "options")
@takes(EvolveArguments, "run_arguments")
@click.pass_context
def evolve(
    ctx: click.Context, /, key: str, inputs: EvolveInputs, options: Options, run_arguments: EvolveArguments
) -> "EvolveCommand":
    """Evolve strategies by a genetic algorithm and save the run as KEY.

    In each generation a local search improves the best strategies, all play a tournament, and the generation is saved.
    Ctrl-C stops after the running generation; --resume continues, with --ngen up to that number of generations.
    """
    return EvolveCommand(ctx, run_arguments, inputs, options)


def _rivals(text: str, kingdom: Kingdom) -> tuple[str, ...]:
    """Return the baselines that ``text`` names; raise UsageError for an unknown name or missing cards."""
    from evodom.dominion.strategies.baselines import baseline, fitting_baselines, missing_cards

    names = tuple(dict.fromkeys(name.strip() for name in text.split(",")))
    for name in names:
        baseline(name, kingdom)
        if missing := missing_cards(name, kingdom):
            fitting = ", ".join(fitting_baselines(kingdom))
            raise UsageError(f"{name} buys {missing[0]}, which the kingdom does not have. Fitting here: {fitting}.")
    return names


def _switch_bounds(text: str) -> tuple[int, int]:
    if text == EVOLVED:
        return SWITCH_EVOLVED
    if not text.isdecimal() or len(text) > 3 or int(text) == 0:
        raise UsageError(f"--switch-index is '{text[:20]}'. Allowed: 1 to 100, or {EVOLVED}.")
    return (int(text), int(text))


class EvolveCommand(RunCommand[Options]):
    """`evodom evolve`: the options of a new run, its progress and its result."""

    words = ("evolve",)
    changeable = ("n_generations",)

    def __init__(self, ctx: click.Context, asked: EvolveArguments, inputs: EvolveInputs, options: Options) -> None:
        super().__init__(ctx, asked)
        self._inputs, self._options, self._cluster = inputs, options, asked.cluster

    def kind(self) -> "RunKind[Options]":
        from evodom.evolution.runs import EVOLUTION

        return EVOLUTION

    def new(self, key: str, seed: int) -> Options:
        inputs, options = self._inputs, self._options
        kingdom = chosen_kingdom(inputs.kingdom, inputs, seed=seed)
        names, guests = saved_rivals(inputs.guests, "--training-opponent", store=self.asked.store, kingdom=kingdom)
        rivals = None
        if inputs.rivals is not None:
            rivals = tuple(dict.fromkeys((*_rivals(inputs.rivals, kingdom), *names)))
        options = replace(options, kingdom=kingdom, guests=guests, rivals=rivals)
        if inputs.switch_index is not None:
            low, high = _switch_bounds(inputs.switch_index)
            options = replace(options, switch_low=low, switch_high=high)
        if "migrate_every" in self.given and options.islands == 1:
            every = options.migrate_every
            raise UsageError(f"--migrate-every is {every}, and there is one island. Give --islands 8 too.")
        if (options.rivals or options.guests) and not options.race:
            flag, text = "--training-opponent", "".join(inputs.guests[:1])
            if inputs.rivals is not None:
                flag, text = "--training-baselines", inputs.rivals
            raise UsageError(f"{flag} is '{text[:40]}', and --halving-games is 0. Give --halving-games 32 too.")
        return options

    def resumed(self, run: "Run") -> Options:
        from evodom.evolution.runs import extend

        return extend(run, self._options.n_generations if "n_generations" in self.given else None)

    def tasks(self, options: Options) -> "Tasks | None":
        from evodom.tasks import Processes, Tasks
        from evodom.tasks.cluster import cluster

        if self._cluster is None:
            n = min(self.asked.jobs, options.islands)
            return Tasks(partial(Processes, n)) if n > 1 else None
        if options.islands == 1:
            raise UsageError("each task of a cluster is an island, and there is one population. Give --islands 8 too.")
        return Tasks(partial(cluster, self._cluster))

    def compile(self, options: Options) -> None:
        from evodom.api.run_progress import compile_for_evolution

        compile_for_evolution(options, quiet=self.asked.quiet, notes=not self.asked.resume)

    def step(self, options: Options) -> str:
        """Return the name of a saved step: a generation, or a round of islands."""
        return "generation" if options.islands == 1 else "round"

    @contextmanager
    def progress(self, options: Options, interrupted: Callable[[], bool], budget: "Budget") -> Iterator[RunProgress]:
        """Show a bar that counts the generations of all islands."""
        from evodom.api.run_progress import evolution_bar

        with evolution_bar(options, quiet=self.asked.quiet) as shown:
            counts_saved = self.asked.resume or options.islands == 1
            yield RunProgress(shown.monitor(interrupted), *([shown.begin] if counts_saved else []))

    def stopped(self, run: "Run", options: Options) -> str:
        return f" after {self.step(options)} {run.n_generations}; all are saved"

    def print_result(self, run: "Run", n_new: int, seconds: float) -> None:
        from evodom.evolution.runs import EVOLUTION, options_of
        from evodom.presentation.documents.common import n_beaten, strength_sentences, strongest_of
        from evodom.reports.evolved import measure_champion

        options = options_of(run)
        last = EVOLUTION.checked(run, run.last(), options).to_json()
        with workers(self.asked.jobs) as threads:
            wins = measure_champion(run, threads)
        if self.asked.as_json:
            n_generations = run.n_generations * options.round_length
            facts = {"key": run.key, "seed": run.meta["seed"], "generations": n_generations, "seconds": seconds}
            facts |= {"islands": options.islands} if options.islands > 1 else {}
            facts |= {
                "players": options.players,
                "kingdom_name": options.kingdom.name,
                "kingdom": options.kingdom.cards,
            }
            facts |= {"last": last, "baselines": {name: asdict(share) for name, share in wins.items()}}
            facts |= {"strongest_baseline": strongest_of(wins)[0], "baselines_beaten": n_beaten(wins, options.players)}
            click.echo(json.dumps(facts, indent=2))
            return
        length = options.round_length
        made = counted(run.n_generations * length, "generation")
        made += f" on {options.islands} islands" if options.islands > 1 else ""
        made += f", {n_new * length} of them new," if self.asked.resume else ""
        strength = " ".join(strength_sentences(wins, options.players, subject="The champion"))
        click.echo(
            f"{run.key}: {made} in {seconds:.1f} s, seed {run.meta['seed']}. {strength} Games in the last generation "
            f"take {last['rounds']:.0f} rounds; winners have {last['winner_vp']:z.0f} VP."
        )
        if options.kingdom.name == CUSTOM:
            click.echo(f"Kingdom: {', '.join(options.kingdom.cards)}")
        click.echo(self.next_commands(("play", run.key), ("report", run.key)))
        chance = f"{100 / options.players:.0f} %"
        click.echo(
            "The report trains a network to beat the champion. "
            f"If that network wins about {chance}, it found nothing better."
        )
