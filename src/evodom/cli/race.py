"""`evodom race`: prove how few turns one player alone needs to some Provinces or victory points."""

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


class RaceOptions(OptionStruct, frozen=True, kw_only=True):
    """The target of a race, the Supply and the first deck."""

    provinces: (
        Annotated[int, option("--provinces", "Race to so many Provinces.", ge=1, le=12, default_text="1")] | None
    ) = None
    vp: Annotated[int, option("--vp", "Race to so many victory points instead.", ge=1, le=120)] | None = None
    silvers: Annotated[int, option("--silvers", "Silvers in the Supply.", ge=0, le=MOST_CARDS)] = 8
    golds: Annotated[int, option("--golds", "Golds in the Supply.", ge=0, le=MOST_CARDS)] = 5
    coppers: Annotated[int, option("--coppers", "Coppers in the Supply.", ge=0, le=MOST_CARDS)] = 0
    duchies: Annotated[int, option("--duchies", "Duchies in the Supply.", ge=0, le=MOST_CARDS)] = 0
    estates: Annotated[int, option("--estates", "Estates in the Supply.", ge=0, le=MOST_CARDS)] = 0
    start_coppers: Annotated[int, option("--start-coppers", "Coppers to start with.", ge=0, le=MOST_CARDS)] = 7
    start_estates: Annotated[int, option("--start-estates", "Estates to start with.", ge=0, le=MOST_CARDS)] = 3
    max_states: Annotated[
        int,
        option("--max-states", "Give up beyond so many states; a million takes about 1 GiB and 2 minutes.", ge=1),
    ] = MOST_STATES


@click.command()
@takes(RaceOptions, "options")
@takes(CommonArguments, "common", "as_json", "quiet")
def race(options: RaceOptions, common: CommonArguments) -> None:
    """Prove the fewest turns, on average, in which one player alone can reach a target, and how near Big Money comes.

    The Supply has Provinces as needed and as many other cards as you say; there are no kingdom cards. Big Money buys a
    Province, else a Gold, else a Silver. In a race to victory points it is also tried with Duchies and Estates late.
    """
    if options.provinces is not None and options.vp is not None:
        raise UsageError("a race has one target, got --provinces and --vp. Leave one of them out.")
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
            raise TooLarge(f"{error}. For a race, --max-states sets the number of states.") from error
    click.echo(json.dumps(race_json(found), indent=2) if common.as_json else render(race_document(found)))
