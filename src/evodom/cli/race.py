"""`evodom race`: prove how few turns one player alone needs to some Provinces or victory points."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import click

from evodom.cli.common import json_option, quiet_option, solving
from evodom.errors import UsageError

MOST_CARDS = 60
MOST_STATES = 2_000_000


def _cards(name: str, default: int, what: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return click.option(
        f"--{name}", type=click.IntRange(0, MOST_CARDS), default=default, show_default=True, help=f"{what}."
    )


@click.command(short_help="Prove how fast one player alone can be.")
@click.option("--provinces", type=click.IntRange(1, 12), help="Race to so many Provinces.  [default: 1]")
@click.option("--vp", type=click.IntRange(1, 120), help="Race to so many victory points instead.")
@_cards("silvers", 8, "Silvers in the Supply")
@_cards("golds", 5, "Golds in the Supply")
@_cards("coppers", 0, "Coppers in the Supply")
@_cards("duchies", 0, "Duchies in the Supply")
@_cards("estates", 0, "Estates in the Supply")
@_cards("start-coppers", 7, "Coppers to start with")
@_cards("start-estates", 3, "Estates to start with")
@click.option(
    "--max-states",
    type=click.IntRange(1),
    default=MOST_STATES,
    show_default=True,
    help="Give up beyond so many states; a million takes about 1 GiB and 2 minutes.",
)
@json_option
@quiet_option
def race(provinces: int | None, vp: int | None, as_json: bool, quiet: bool, max_states: int, **n: int) -> None:
    """Prove the fewest turns, on average, in which one player alone can reach a target, and how near Big Money comes.

    The Supply has Provinces as needed and as many other cards as you say; there are no kingdom cards. Big Money buys a
    Province, else a Gold, else a Silver. In a race to victory points it is also tried with Duchies and Estates late.
    """
    from evodom.dominion.solitaire import Solitaire, solve_solitaire
    from evodom.presentation.documents.solitaire import solitaire_document
    from evodom.presentation.text import render

    if provinces is not None and vp is not None:
        raise UsageError("a race has one target, got --provinces and --vp. Leave one of them out.")
    supply = {"Silver": "silvers", "Gold": "golds", "Copper": "coppers", "Duchy": "duchies", "Estate": "estates"}
    asked = Solitaire(
        {card: n[option] for card, option in supply.items()},
        provinces=provinces or 1,
        vp=vp,
        deck={"Copper": n["start_coppers"], "Estate": n["start_estates"]},
    )
    with solving(quiet=quiet) as progress:
        found = solve_solitaire(asked, max_states, progress)
    click.echo(json.dumps(found.to_json(), indent=2) if as_json else render(solitaire_document(found)))
