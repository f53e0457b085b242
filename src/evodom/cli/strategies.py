"""`evodom strategies`: list the baselines, or print one strategy as a file that can be read and changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from evodom.cli.common import data_dir_option, json_option
from evodom.cli.entrants import EntrantName, chosen_entrants, shared_kingdom_option
from evodom.errors import UsageError

if TYPE_CHECKING:
    from evodom.entrants import Entrants


@click.command(short_help="List baselines, or print a strategy as a file.")
@click.argument("name", type=EntrantName(), required=False, metavar="[STRATEGY]")
@shared_kingdom_option
@json_option
@data_dir_option
def strategies(name: str | None, kingdom: str | None, as_json: bool, data_dir: Path | None) -> None:
    """List the baselines and what they buy, or print one STRATEGY as the text of a file.

    A STRATEGY is the champion of a run (demo), its second best (demo:2), the champion of a generation (demo@50), a
    baseline or a strategy file. evodom strategies demo > mine.toml writes a file to read, to change, and to name where
    strategies meet: evodom match mine.toml demo
    """
    if name is None:
        _print_list(kingdom, as_json)
    else:
        _print_strategy(name, kingdom, data_dir, as_json)


def _print_list(kingdom: str | None, as_json: bool) -> None:
    from evodom.cli.catalogue import wrapped
    from evodom.cli.common import chosen_kingdom
    from evodom.dominion.cards import BASIC
    from evodom.dominion.strategies.baselines import BASELINES, fitting_baselines
    from evodom.dominion.strategies.buy_lists.handwritten import HANDWRITTEN
    from evodom.report.layout import joined

    chosen = None if kingdom is None else chosen_kingdom(kingdom, seed=0, first_edition=False)
    names = fitting_baselines(chosen) if chosen else BASELINES
    basic = {card.name for card in BASIC}
    wants = {name: HANDWRITTEN[name].cards if name in HANDWRITTEN else () for name in names}
    if as_json:
        rules = {name: list(HANDWRITTEN[name].buy) if name in HANDWRITTEN else [] for name in names}
        needed = {name: [card for card in cards if card not in basic] for name, cards in wants.items()}
        click.echo(json.dumps([{"name": name, "needs": needed[name], "buy": rules[name]} for name in names], indent=2))
        return
    rows = [(name, joined(cards) or "anything, at random") for name, cards in wants.items()]
    click.echo("\n".join(wrapped([("strategy", "buys the first it may and can"), *rows])))
    click.echo("\nTheir rules, as a file: evodom strategies big-money")


def _print_strategy(name: str, kingdom: str | None, data_dir: Path | None, as_json: bool) -> None:
    from evodom import store
    from evodom.dominion.strategies.files import dump_strategy
    from evodom.entrants import find_entrants, own_kingdom

    root = store.data_dir(data_dir)
    own = own_kingdom(name) if kingdom is None else None
    if own:
        chosen = find_entrants([name], root=root, kingdom=own)
    else:
        chosen = chosen_entrants([name], root=root, kingdom=kingdom, seed=0)
    (entrant,) = chosen.entrants
    if entrant.origin == ("baseline", "random"):
        raise UsageError("random takes anything, and has no rules that a file could say. Name another strategy.")
    if chosen.has_agents:
        raise UsageError(f"{name} is an agent in Python: there are no rules that a strategy file could say.")
    text = dump_strategy(entrant.strategy, chosen.kingdom, name=entrant.name, comment=_comment(chosen))
    if as_json:
        facts = {"name": entrant.name, "kingdom": {"name": chosen.kingdom.name, "cards": list(chosen.kingdom.cards)}}
        click.echo(json.dumps(facts | {"toml": text}, indent=2))
    else:
        click.echo(text, nl=False)


def _comment(chosen: Entrants) -> str:
    """Return the comment for a strategy file that says which run it comes from; empty if from none."""
    origin, *where = chosen.entrants[0].origin
    if origin != "run":
        return ""
    key, generation, rank = where
    return (
        f"Number {rank} of generation {generation} of run '{key}', evolved for {chosen.evolved_for[key]} players.\n"
        f"Kingdom: {', '.join(chosen.kingdom.cards)}"
    )
