"""`evodom benchmark`: play a strategy against the fixed suite of opponents."""

import json
from typing import Annotated

import click
from msgspec import Meta

from evodom.api.progress import compile_for, progress, workers
from evodom.cli.options import CommonArguments, EntrantName, takes
from evodom.options import OptionStruct, option


class BenchmarkOptions(OptionStruct, frozen=True, kw_only=True):
    """Options of a benchmark."""

    games: Annotated[
        int,
        option(
            "--games",
            "Games in each kingdom, for each number of players and against each opponent. Published figures have the "
            "default.",
            ge=4,
            le=10_000,
        ),
        Meta(multiple_of=4),
    ] = 100


@click.command()
@click.argument("agent", type=EntrantName(), required=False)
@takes(BenchmarkOptions, "options")
@takes(CommonArguments, "common", "jobs", "data_dir", "as_json", "quiet")
def benchmark(agent: str | None, options: BenchmarkOptions, common: CommonArguments) -> None:
    """Play AGENT against a fixed suite of 20 kingdoms, and print its win rates.

    AGENT is a baseline, a run, a strategy file, the network of all kingdoms (network) or a Python agent, as in `evodom
    match`. Each kingdom is played by two and by four players, against four opponents: random, big-money, and an early
    and a late champion of evolution. Training never uses them. Kingdoms, opponents and seeds are fixed in each version
    of the suite.

    AGENT plays in all kingdoms that it can play. Without AGENT, list the kingdoms.
    """
    from evodom.benchmark import load_suite
    from evodom.presentation.text import render

    suite = load_suite()
    if agent is None:
        from evodom.presentation.documents.benchmark import suite_document

        facts = {"version": suite.version, "kingdoms": {each.name: each.cards.split(", ") for each in suite.kingdoms}}
        click.echo(json.dumps(facts, indent=2) if common.as_json else render(suite_document(suite)))
        return
    from evodom.benchmark import CELLS, entrants_by_kingdom, play_suite
    from evodom.matches.agents import PythonAgent
    from evodom.presentation.documents.benchmark import benchmark_document

    found = entrants_by_kingdom(agent, common.store)
    compile_for(found.values(), *(each.kingdom for each in suite.kingdoms), quiet=common.quiet)
    has_agents = any(isinstance(entrant.strategy, PythonAgent) for entrant in found.values())
    n_games = len(found) * CELLS * options.games
    with workers(common.jobs) as threads, progress(n_games, quiet=common.quiet, has_agents=has_agents) as on_games:
        result = play_suite(found, options.games, threads, on_games)
    click.echo(json.dumps(result.to_json(), indent=2) if common.as_json else render(benchmark_document(result)))
