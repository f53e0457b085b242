"""`evodom risk`: the odds of an invasion in Risk, and when to stop."""

import json
import re
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Any

import click
from msgspec import structs

from evodom.cli import Group
from evodom.cli.common import NegativeNumbers, can_print, write_picture
from evodom.cli.options import CommonArguments, Overwrite, picture_option, takes
from evodom.errors import UsageError
from evodom.options import OptionStruct, option
from evodom.presentation.format import percent
from evodom.presentation.histogram import EIGHTHS, Histogram
from evodom.presentation.text import WIDTH, aligned_columns
from evodom.risk import BattleRules, Ends, Stopping, Worths, invade, mean, smallest_army, success, value, when_to_stop

TOO_LARGE = "more attackers are needed than the limit allows"


class OddsOptions(OptionStruct, frozen=True, kw_only=True):
    """Options of the odds of an invasion."""

    chain: Annotated[str, option("--chain N,N,...", "Defenders of successive territories: 5,3,2.")] = ""
    wanted: Annotated[
        float, option("--wanted", "Print the smallest army with this probability of success.", ge=0.0001, le=0.9999)
    ] = 0.8
    exact: Annotated[bool, option("--exact", "Print the probability as a fraction too.")] = False
    save: Annotated[Path | None, picture_option("the distribution of the units left")] = None
    overwrite: Overwrite = False


@click.group(cls=Group)
def risk() -> None:
    """Compute the exact odds of battles of Risk.

    ATTACKERS counts all units in the attacking territory, including the unit that has to stay behind: 4 attackers throw
    three dice. (Some tables leave this unit out; their 3 attackers are 4 here.) The attacker throws up to three dice,
    the defender up to two. Highest dice are compared pair by pair; the attacker loses ties. An invasion ends when no
    defender, or a single attacker (--keep), is left.
    """


@risk.command(cls=NegativeNumbers, short_help="Print the odds of an invasion.")
@click.argument("attackers", type=click.IntRange(0))
@click.argument("defenders", type=click.IntRange(0), required=False)
@takes(OddsOptions, "options")
@takes(BattleRules, "rules")
@takes(CommonArguments, "common", "as_json")
def odds(
    attackers: int, defenders: int | None, options: OddsOptions, rules: BattleRules, common: CommonArguments
) -> None:
    """Print the probability that ATTACKERS units take a territory held by DEFENDERS, and the units left on each side.

    With --chain 5,3,2 they take three territories in turn: after each conquest one unit stays behind.
    """
    chain = _chain(defenders, options.chain)
    ends = invade(attackers, chain, rules, is_exact=options.exact)
    army = smallest_army(chain, options.wanted, rules)
    drawing = Histogram([(-end.defenders or end.attackers, share) for end, share in ends.items()])
    title = "units left, %: attackers, or defenders below zero"
    if options.save:
        write_picture(drawing.svg(title), options.save)
    if common.as_json:
        wanted = {"probability": options.wanted, "attackers": army and army[0]}
        found = {"attackers": attackers, "defenders": sum(chain), "chain": chain}
        found |= _chance(success(ends), options.exact) | {"expected": _left(ends), "wanted": wanted}
        found["ends"] = [end._asdict() | _chance(share, options.exact) for end, share in ends.items()]
        click.echo(json.dumps(found, indent=2))
        return
    click.echo(f"{_attacking(attackers, rules)} against {'+'.join(map(str, chain))} defenders\n")
    exactly = f" Exactly: {success(ends)}" if options.exact else ""
    click.echo(f"Probability of success: {percent(success(ends), 2)} %.{exactly}")
    needed = f"{army[0]} attackers are needed: they have {percent(army[1], 2)} %" if army else TOO_LARGE
    click.echo(f"For {100 * options.wanted:g} %, {needed}.\n")
    start = {"attackers": attackers, "defenders": sum(chain)}
    rows = [(side, str(start[side]), f"{start[side] - n:.1f}", f"{n:.1f}") for side, n in _left(ends).items()]
    click.echo("\n".join(aligned_columns([("on average", "start", "lost", "left"), *rows])))
    click.echo("\n".join(["", title, *drawing.text(WIDTH, block_characters=can_print(EIGHTHS))]))


@risk.command(cls=NegativeNumbers, short_help="Print when to stop attacking.")
@click.argument("attackers", type=click.IntRange(2))
@click.argument("defenders", type=click.IntRange(1))
@takes(Worths, "worths")
@takes(BattleRules, "rules")
@takes(CommonArguments, "common", "as_json")
def stop(attackers: int, defenders: int, worths: Worths, rules: BattleRules, common: CommonArguments) -> None:
    """Print when to stop, for an attacker who may stop before every throw.

    Values are in units of the attacker. By default a destroyed defender has half a unit's value (there are several
    enemies), and the territory that of three units. Of two choices with equal values, stopping is printed.
    """
    found = when_to_stop(attackers, defenders, worths, rules)
    now = worths.unit * attackers - worths.defender * defenders
    attacks = attackers in found.attack_when[defenders]
    ends = ("best", found.best), ("to_the_end", found.to_the_end)
    plans = {name: {"value": value(end, worths), "success": float(success(end))} | _left(end) for name, end in ends}
    if common.as_json:
        rule = [{"defenders": d, "attackers": _ranges(found, d)} for d in found.attack_when]
        page = {"attackers": attackers, "defenders": defenders, "values": structs.asdict(worths)}
        page |= {"advice": "attack" if attacks else "stop", "stop_now": {"value": now}, **plans, "attack_when": rule}
        click.echo(json.dumps(page, indent=2))
        return
    click.echo(f"{_attacking(attackers, rules)} against {defenders} defenders")
    click.echo(f"Values: {', '.join(f'{name} {worth:g}' for name, worth in structs.asdict(worths).items())}\n")
    attack = f"Attack: this gains {plans['best']['value'] - now:.2f} more than stopping now.\n"
    click.echo(attack if attacks else "Stop now.\n")
    rows: list[tuple[str, ...]] = [("", "taken, %", "attackers lost", "defenders lost", "gain")]
    for name, plan in (("stop at the best time", plans["best"]), ("attack to the end", plans["to_the_end"])):
        lost = [f"{n - plan[side]:.1f}" for side, n in (("attackers", attackers), ("defenders", defenders))]
        rows.append((name, percent(plan["success"]), *lost, f"{plan['value'] - now:+.2f}"))
    click.echo("\n".join(aligned_columns(rows)))
    click.echo(f"\nAttack with these numbers of attackers, by defenders (computed up to {found.max_attackers}):")
    for d in found.attack_when:
        texts = (f"{one['from']}{'+' if one['to'] is None else '-' + str(one['to'])}" for one in _ranges(found, d))
        click.echo(f"{d:>5}  {', '.join(texts) or 'never'}")


def _attacking(attackers: int, rules: BattleRules) -> str:
    """Return the attackers and the number of units at which they stop."""
    rest = "one stays behind" if rules.keep == 1 else f"they stop at {rules.keep} or fewer"
    return f"Risk: {attackers} attackers ({rest})"


def _chain(defenders: int | None, text: str) -> tuple[int, ...]:
    """Return the defenders of successive territories, from the argument or the option."""
    if (defenders is None) == (not text):
        raise UsageError("Give the number of DEFENDERS, or --chain 5,3,2 for successive territories.")
    if not re.fullmatch(r"\d{1,9}(,\d{1,9})*", text or str(defenders), re.ASCII):
        raise UsageError(f"--chain is a list of numbers such as 5,3,2, got {text!r}.")
    return tuple(map(int, (text or str(defenders)).split(",")))


def _chance(share: Any, exact: bool) -> dict[str, Any]:
    return {"probability": float(share)} | ({"exact": str(share)} if exact else {})


def _left(ends: Ends) -> dict[str, float]:
    """Return the mean number of units left, by side."""
    return {side: float(mean(ends, attrgetter(side))) for side in ("attackers", "defenders")}


def _ranges(found: Stopping, defenders: int) -> list[dict[str, int | None]]:
    """Return the ranges of attackers that attack; a range without a last number goes on."""
    who = set(found.attack_when[defenders])
    ends = sorted(n for n in who if n + 1 not in who)
    starts = sorted(n for n in who if n - 1 not in who)
    return [{"from": a, "to": None if b == found.max_attackers else b} for a, b in zip(starts, ends, strict=True)]
