"""`evodom solitaire`: compute the fewest turns of a single player to a target."""

from __future__ import annotations

import json
from typing import Annotated

import click

from evodom.cli.common import solving
from evodom.cli.options import CommonArguments, takes
from evodom.errors import UsageError
from evodom.options import OptionStruct, option

MOST_CARDS = 60
MOST_STATES = 2_000_000


class SolitaireOptions(OptionStruct, frozen=True, kw_only=True):
    """The target, the Supply and the starting deck."""

    provinces: (
        Annotated[int, option("--provinces", "Target: number of Provinces.", ge=1, le=12, default_text="1")] | None
    ) = None
    vp: Annotated[int, option("--vp", "Target: number of victory points.", ge=1, le=120)] | None = None
    silvers: Annotated[int, option("--silvers", "Silvers in the Supply.", ge=0, le=MOST_CARDS)] = 8
    golds: Annotated[int, option("--golds", "Golds in the Supply.", ge=0, le=MOST_CARDS)] = 5
    coppers: Annotated[int, option("--coppers", "Coppers in the Supply.", ge=0, le=MOST_CARDS)] = 0
    duchies: Annotated[int, option("--duchies", "Duchies in the Supply.", ge=0, le=MOST_CARDS)] = 0
    estates: Annotated[int, option("--estates", "Estates in the Supply.", ge=0, le=MOST_CARDS)] = 0
    start_coppers: Annotated[int, option("--start-coppers", "Coppers to start with.", ge=0, le=MOST_CARDS)] = 7
    start_estates: Annotated[int, option("--start-estates", "Estates to start with.", ge=0, le=MOST_CARDS)] = 3
    max_states: Annotated[
        int,
        option("--max-states", "Limit of the number of states. A million states take about 1 GiB and 2 minutes.", ge=1),
    ] = MOST_STATES


@click.command()
@takes(SolitaireOptions, "options")
@takes(CommonArguments, "common", "as_json", "quiet")
def solitaire(options: SolitaireOptions, common: CommonArguments) -> None:
    """Compute the least expected number of turns of a single player to a target, and that of Big Money.

    The result is proved: it is an upper and a lower bound. The Supply has enough Provinces and the given numbers of
    other basic cards, and no kingdom cards. Big Money buys a Province, else a Gold, else a Silver. For --vp, a variant
    that also buys Duchies and Estates late is evaluated too.
    """
    if options.provinces is not None and options.vp is not None:
        raise UsageError("--provinces and --vp are two targets. Give one of them.")
    from evodom.dominion.solitaire import Solitaire, solve_race
    from evodom.presentation.documents.race import race_document, race_json
    from evodom.presentation.text import render
    from evodom.solve import Limits, TooLarge

    asked = Solitaire(
        {
            "Silver": options.silvers,
            "Gold": options.golds,
            "Copper": options.coppers,
            "Duchy": options.duchies,
            "Estate": options.estates,
        },
        provinces=options.provinces or 1,
        vp=options.vp,
        deck={"Copper": options.start_coppers, "Estate": options.start_estates},
    )
    with solving(quiet=common.quiet) as on_states:
        try:
            found = solve_race(asked, Limits(states=options.max_states), on_states)
        except TooLarge as error:
            raise TooLarge(f"{error}. --max-states sets the limit.") from error
    click.echo(json.dumps(race_json(found), indent=2) if common.as_json else render(race_document(found)))
