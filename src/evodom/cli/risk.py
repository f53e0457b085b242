"""`evodom risk`: odds of an invasion in Risk, tables of odds, and optimal stopping."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click
from msgspec import structs

from evodom.cli import Group
from evodom.cli.common import can_print, chosen_seed, write_picture
from evodom.cli.options import CommonArguments, Overwrite, picture_option, takes
from evodom.errors import UsageError
from evodom.options import OptionStruct, option
from evodom.risk import MAX_UNITS, StoppableInvasion

if TYPE_CHECKING:
    from evodom.presentation.documents.odds import Simulation
    from evodom.risk import Battlefield

MAX_SIMULATED = 1_000_000
MAX_TABLE = 100
"""The most units of a side in a table, or in an invasion that may be stopped."""
MAX_VALUE = 1_000_000

NUMBER = re.compile(r"\d{1,9}(\.\d{0,12})?%?|\d{1,9}/\d{1,9}|\.\d{1,12}%?")


class Armies(click.Command):
    """A command with numbers of units as arguments: `-3` is reported as a wrong number, not as an unknown option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        given = list(args)
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            number = next((word for word in given if re.fullmatch(r"-\d.*", word)), "")
            if not number.startswith(error.option_name):
                raise
            raise click.UsageError(f"Numbers of units are not negative, got {number}.", ctx) from error


class ExactNumber(click.ParamType):  # type: ignore[type-arg]  # generic in new versions of click only
    """An exact number: 0.8, 4/5 or 80%."""

    name = "number"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Fraction:
        if isinstance(value, Fraction):
            return value
        text = str(value).strip()
        try:
            number = Fraction(text.rstrip("%")) / (100 if text.endswith("%") else 1) if NUMBER.fullmatch(text) else None
        except ZeroDivisionError:
            number = None
        if number is None or number > MAX_VALUE:
            self.fail(f"{value!r} is not a number from 0 to {MAX_VALUE:,} such as 2, 0.5 or 1/3.", param, ctx)
        return number


attackers_argument = click.argument("attackers", type=click.IntRange(0, MAX_UNITS))
defenders_argument = click.argument("defenders", type=click.IntRange(0, MAX_UNITS))
Exact = Annotated[bool, option("--exact", "Print probabilities as fractions too.")]


class OddsOptions(OptionStruct, frozen=True, kw_only=True):
    """Options of the odds of an invasion."""

    wanted: Annotated[
        Fraction,
        option(
            "--wanted",
            "Print the smallest army that succeeds with this probability.",
            default_text="0.8",
            type=ExactNumber(),
        ),
    ] = Fraction(4, 5)
    simulate: (
        Annotated[int, option("--simulate", "Also simulate N invasions.", ge=1, le=MAX_SIMULATED, metavar="N")] | None
    ) = None
    exact: Exact = False
    save: Annotated[Path | None, picture_option("the distribution of the units left")] = None
    overwrite: Overwrite = False


class TableOptions(OptionStruct, frozen=True, kw_only=True):
    """Options of a table of odds."""

    exact: Exact = False


class Worths(OptionStruct, frozen=True, kw_only=True):
    """Values of units and the territory for an attacker who may stop."""

    unit: Annotated[Fraction, option("--unit", "Value of each attacker left.", type=ExactNumber())] = Fraction(
        StoppableInvasion.unit
    )
    territory: Annotated[Fraction, option("--territory", "Value of the territory.", type=ExactNumber())] = Fraction(
        StoppableInvasion.territory
    )
    defender: Annotated[Fraction, option("--defender", "Value of each defender destroyed.", type=ExactNumber())] = (
        Fraction(StoppableInvasion.defender)
    )


@click.group(cls=Group)
def risk() -> None:
    """Compute the exact odds of battles of Risk.

    ATTACKERS counts all units in the attacking territory, including the unit that has to stay behind: 4 attackers throw
    three dice. (Some tables leave this unit out; their 3 attackers are 4 here.) The attacker throws up to three dice,
    the defender up to two. Highest dice are compared pair by pair; the attacker loses ties. An invasion ends when no
    defender, or a single attacker, is left.
    """


@risk.command(cls=Armies, short_help="Print the odds of an invasion.")
@attackers_argument
@defenders_argument
@takes(OddsOptions, "options")
@takes(CommonArguments, "common", "seed", "as_json")
def odds(attackers: int, defenders: int, options: OddsOptions, common: CommonArguments) -> None:
    """Print the probability that ATTACKERS units take a territory held by DEFENDERS, and the units left on each side.

    ATTACKERS counts the unit that stays behind. The odds are computed exactly; --simulate checks them.
    """
    from evodom.presentation.documents.odds import Odds, odds_document
    from evodom.presentation.histogram import EIGHTHS
    from evodom.presentation.text import render
    from evodom.risk import Battlefield, invade

    if common.seed is not None and options.simulate is None:
        raise UsageError("--seed applies to --simulate only. Add --simulate 100000, or leave --seed out.")
    field = Battlefield(attackers, defenders)
    found = Odds(
        field,
        invade(field),
        wanted=options.wanted,
        army=_army(defenders, options.wanted),
        simulation=_simulation(field, options.simulate, common.seed) if options.simulate else None,
    )
    if common.as_json:
        click.echo(json.dumps(found.to_json(exact=options.exact), indent=2, allow_nan=False))
    else:
        click.echo(render(odds_document(found, exact=options.exact), block_characters=can_print(EIGHTHS)))
    if options.save:
        from evodom.presentation.histogram import Histogram

        left = found.ends.map(lambda end: end.attackers if end.won else -end.defenders)
        title = "Units left, %: attackers after a success, defenders below zero"
        write_picture(Histogram(list(left)).svg(title), options.save)


@risk.command(cls=Armies, short_help="Print a table of the odds of invasions.")
@click.argument("attackers", type=click.IntRange(2, MAX_TABLE), default=10)
@click.argument("defenders", type=click.IntRange(1, MAX_TABLE), default=10)
@takes(TableOptions, "options")
@takes(CommonArguments, "common", "as_json")
def table(attackers: int, defenders: int, options: TableOptions, common: CommonArguments) -> None:
    """Print the probability that 2 to ATTACKERS units (default 10) take a territory held by 1 to DEFENDERS (10).

    ATTACKERS counts the unit that stays behind.
    """
    from evodom.presentation.documents.odds import chance_json, odds_table
    from evodom.presentation.text import render
    from evodom.risk import success_table

    chances = success_table(attackers, defenders)
    if common.as_json:
        cells = [(a, d, chances[a][d]) for a in range(2, len(chances)) for d in range(1, len(chances[a]))]
        found = [{"attackers": a, "defenders": d, **chance_json(chance, exact=options.exact)} for a, d, chance in cells]
        click.echo(json.dumps({"odds": found}, indent=2))
    else:
        click.echo(render(odds_table(chances, exact=options.exact)))


@risk.command(cls=Armies, short_help="Print when to stop attacking.")
@click.argument("attackers", type=click.IntRange(2, MAX_TABLE))
@click.argument("defenders", type=click.IntRange(1, MAX_TABLE))
@takes(Worths, "worths")
@takes(CommonArguments, "common", "as_json")
def stop(attackers: int, defenders: int, worths: Worths, common: CommonArguments) -> None:
    """Print when to stop, for an attacker who may stop before every throw.

    Values are in units of the attacker. By default a destroyed defender has half a unit's value (there are several
    enemies), and the territory that of three units. Of two choices with equal values, stopping is printed.
    """
    from evodom.presentation.documents.odds import stopping_document
    from evodom.presentation.text import render
    from evodom.risk import when_to_stop

    found = when_to_stop(attackers, defenders, structs.asdict(worths))
    click.echo(json.dumps(found.to_json(), indent=2) if common.as_json else render(stopping_document(found)))


def _army(defenders: int, wanted: Fraction) -> tuple[int, Fraction] | None:
    """Return the smallest army for a chance, and its chance; None if even the largest army allowed is too small."""
    from evodom.risk import NotEnough, smallest_army

    try:
        return smallest_army(defenders, wanted)
    except NotEnough:
        return None


def _simulation(field: Battlefield, n: int, seed: int | None) -> Simulation:
    """Simulate `n` invasions."""
    import numpy as np

    from evodom.presentation.documents.odds import Simulation
    from evodom.risk import estimate, simulate_invasions

    seed = chosen_seed(seed)
    ends = simulate_invasions(field, n, np.random.default_rng(seed))
    return Simulation(n, seed, estimate(ends, n))
