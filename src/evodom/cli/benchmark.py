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

    AGENT is a baseline, a run, a strategy file, the network of all kingdoms (network), a Python agent or a policy, as
    in `evodom match`, or a folder (policies/) with a file for each kingdom, such as base-1.pt2. Each kingdom is played
    by two and by four players, against three opponents: the strongest held-out baseline, a champion of evolution, and
    the network. Kingdoms, opponents and seeds are fixed in each version of the suite.

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
    from evodom.benchmark import CELLS, find_suite_entrant, play_suite
    from evodom.matches.agents import PythonAgent
    from evodom.presentation.documents.benchmark import benchmark_document

    found = find_suite_entrant(agent, common.store)
    entrants = found.by_kingdom.values()
    compile_for(entrants, *(each.kingdom for each in suite.kingdoms), groups=["networks"], quiet=common.quiet)
    has_agents = any(isinstance(entrant.strategy, PythonAgent) for entrant in entrants)
    n_games = len(entrants) * CELLS * options.games
    with workers(common.jobs) as threads, progress(n_games, quiet=common.quiet, has_agents=has_agents) as on_games:
        result = play_suite(found, options.games, threads, on_games)
    click.echo(json.dumps(result.to_json(), indent=2) if common.as_json else render(benchmark_document(result)))
