"""The output of `evodom risk`, as text of at most 80 columns and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import itemgetter
from typing import Any

from evodom.distribution import Distribution
from evodom.presentation.format import MISSING, counted, percent
from evodom.presentation.histogram import bars, bins, top_share
from evodom.presentation.text import columns
from evodom.risk import MAX_UNITS, Battlefield, SimulatedChance, success

ROWS = 10
"""The most bars of each of the two pictures."""

ACROSS = 12
"""The most columns of a table side by side."""


@dataclass(frozen=True)
class Simulation:
    """Simulated invasions: how many, from which seed, and the probability they gave."""

    n: int
    seed: int
    found: SimulatedChance


@dataclass(frozen=True)
class Odds:
    """The odds of one invasion; `army` is the smallest army for the wanted chance and its chance, None if too large."""

    field: Battlefield
    ends: Distribution[Battlefield]
    wanted: Fraction
    army: tuple[int, Fraction] | None
    simulation: Simulation | None

    @property
    def success(self) -> Fraction:
        """The exact probability that the territory is taken."""
        return Fraction(success(self.ends))


@dataclass(frozen=True)
class StoppingPlan:
    """The average result of a way to play: its value, the chance of the territory, and the units left."""

    value: float
    success: float
    attackers: float
    defenders: float


@dataclass(frozen=True)
class Stopping:
    """The answer about an invasion that may be stopped: what to do now, what to expect, and when to attack.

    `attack_when` lists for each number of defenders the attackers who should attack, of 2 to `looked_at`.
    """

    field: Battlefield
    values: dict[str, Fraction]
    advice: str
    stop_now: float
    best: StoppingPlan
    to_the_end: StoppingPlan
    looked_at: int
    attack_when: dict[int, list[int]]


def odds_text(odds: Odds, *, exact: bool, blocks: bool) -> str:
    """Return the page of one invasion."""
    field, ends = odds.field, odds.ends
    lines = [_title(field), "", f"The territory is taken with {percent(float(odds.success), 2)} %."]
    lines += [f"Exactly: {odds.success}"] if exact else []
    lines += [_army(odds), *_simulated(odds)]
    left = _expected(ends)
    rows = [
        (side, str(units), f"{units - left[side]:.1f}", f"{left[side]:.1f}") for side, units in field._asdict().items()
    ]
    lines += ["", *columns([("on average", "start", "lost", "left"), *rows])]
    return "\n".join([*lines, *_pictures(odds, blocks=blocks)])


def odds_json(odds: Odds, *, exact: bool) -> dict[str, Any]:
    """Return the same for JSON; `exact` adds fractions as text."""
    simulation = odds.simulation
    return {
        "attackers": odds.field.attackers,
        "defenders": odds.field.defenders,
        **_chance(odds.success, exact=exact),
        "expected": _expected(odds.ends),
        "wanted": {"probability": float(odds.wanted), "attackers": odds.army[0] if odds.army else None},
        "simulation": simulation and {"invasions": simulation.n, "seed": simulation.seed, **simulation.found._asdict()},
        "ends": [end._asdict() | _chance(Fraction(share), exact=exact) for end, share in sorted(odds.ends)],
    }


def table_text(chances: Sequence[Sequence[Fraction]], *, exact: bool) -> str:
    """Return the chances in per cent, as many columns side by side as a terminal has room for; or all fractions."""
    title = "Risk: how likely the territory is taken, %; one of the attackers stays behind"
    if exact:
        rows = [(str(a), str(d), f"{percent(float(chance), 2)} %", str(chance)) for a, d, chance in _cells(chances)]
        return "\n".join([title, "", *columns([("attackers", "defenders", "", ""), *rows], left=(3,))])
    parts = [title]
    for begin in range(1, len(chances[0]), ACROSS):
        shown = range(begin, min(begin + ACROSS, len(chances[0])))
        header = ("attackers", *map(str, shown))
        body = [(str(a), *(percent(float(chances[a][d])) for d in shown)) for a in range(2, len(chances))]
        defenders = " " * len("attackers  ") + "defenders"
        parts += ["", defenders, *columns([header, *body], left=())]
    return "\n".join(parts)


def table_json(chances: Sequence[Sequence[Fraction]], *, exact: bool) -> dict[str, Any]:
    """Return the chances for JSON, one object for each battlefield."""
    return {
        "odds": [{"attackers": a, "defenders": d, **_chance(chance, exact=exact)} for a, d, chance in _cells(chances)]
    }


def stopping_text(stopping: Stopping) -> str:
    """Return the page of an invasion that may be stopped."""
    best, last, values = stopping.best, stopping.to_the_end, stopping.values
    worth = ", ".join(f"{what} {float(values[name]):g}" for name, what in _WORTH.items())
    gain = best.value - stopping.stop_now
    verdict = (
        "Stop at once." if stopping.advice == "stop" else f"Attack: that is worth {gain:.2f} more than to stop at once."
    )
    plans = {"stop when it is best": best, "attack to the end": last}
    rows = [
        (
            name,
            percent(plan.success),
            f"{stopping.field.attackers - plan.attackers:.1f}",
            f"{stopping.field.defenders - plan.defenders:.1f}",
            f"{plan.value - stopping.stop_now:+.2f}",
        )
        for name, plan in plans.items()
    ]
    lines = [_title(stopping.field), f"Worth: {worth}", "", verdict, ""]
    lines += columns([("", "taken, %", "attackers lost", "defenders lost", "gain"), *rows])
    return "\n".join([*lines, *_attack_when(stopping)])


def stopping_json(stopping: Stopping) -> dict[str, Any]:
    """Return the same for JSON; a value is the worth of what is left and won, minus that of the defenders left."""
    return {
        "attackers": stopping.field.attackers,
        "defenders": stopping.field.defenders,
        "values": {name: float(value) for name, value in stopping.values.items()},
        "advice": stopping.advice,
        "stop_now": {"value": stopping.stop_now},
        "best": vars(stopping.best),
        "to_the_end": vars(stopping.to_the_end),
        "attack_when": [
            {
                "defenders": d,
                "attackers": [{"from": a, "to": None if b == stopping.looked_at else b} for a, b in _runs(who)],
            }
            for d, who in stopping.attack_when.items()
        ],
    }


_WORTH = {"unit": "an attacker left", "defender": "a defender destroyed", "territory": "the territory"}


def _expected(ends: Distribution[Battlefield]) -> dict[str, float]:
    """Return how many units are left on average, by side."""
    return {side: float(ends.expectation(itemgetter(i))) for i, side in enumerate(Battlefield._fields)}


def _title(field: Battlefield) -> str:
    attackers, defenders = counted(field.attackers, "attacker"), counted(field.defenders, "defender")
    return f"Risk: {attackers} (one stays behind) against {defenders}"


def _army(odds: Odds) -> str:
    wanted = f"For {float(100 * odds.wanted):g} %"
    if odds.army is None:
        return f"{wanted} even {MAX_UNITS} attackers are too few."
    return f"{wanted} it takes {odds.army[0]} attackers, who have {percent(float(odds.army[1]), 2)} %."


def _simulated(odds: Odds) -> list[str]:
    """Return the line about the simulation, and how far it is from the exact chance."""
    if odds.simulation is None:
        return []
    n, seed, (share, error) = odds.simulation.n, odds.simulation.seed, odds.simulation.found
    line = f"Simulated {n:,} times with seed {seed}: {percent(share, 2)} %, standard error {percent(error, 2)}"
    off = (share - float(odds.success)) / (error or 1)
    return [f"{line} ({abs(off):.1f} of them too {'high' if off > 0 else 'low'})." if error else f"{line}."]


def _pictures(odds: Odds, *, blocks: bool) -> Iterator[str]:
    """Yield bars of the units left to the side that has won, all on one scale."""
    sides = (("taken", "attackers", True), ("held", "defenders", False))
    parts = [
        (f"{name}, {side} left", [(getattr(end, side), share) for end, share in odds.ends if end.won == won])
        for name, side, won in sides
    ]
    top = max(top_share(bins(pairs, ROWS)) for _, pairs in parts if pairs)
    for label, pairs in parts:
        if pairs:
            yield "\n" + bars(pairs, label=label, rows=ROWS, top=top, blocks=blocks)


def _attack_when(stopping: Stopping) -> Iterator[str]:
    """Yield with how many attackers to attack, for each number of defenders left."""
    yield f"\nAttack with so many attackers (looked at up to {stopping.looked_at}) against so many defenders:"
    last = max((d for d, who in stopping.attack_when.items() if who), default=0)
    cells = [(str(d), _ranges(stopping.attack_when[d], stopping.looked_at)) for d in range(1, last + 1)]
    if rest := len(stopping.attack_when) - last:
        cells.append((str(last + 1) if rest == 1 else f"{last + 1}-{last + rest}", MISSING))
    for begin in range(0, len(cells), ACROSS):
        part = cells[begin : begin + ACROSS]
        yield "\n".join(columns([("defenders", *(d for d, _ in part)), ("attackers", *(who for _, who in part))]))


def _ranges(numbers: Sequence[int], last: int) -> str:
    """Return numbers as ranges; a range up to the last number looked at ends with a plus."""
    return ",".join(f"{a}+" if b == last else str(a) if a == b else f"{a}-{b}" for a, b in _runs(numbers)) or MISSING


def _runs(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Return the first and last of each run of successive numbers."""
    starts = [n for n in numbers if n - 1 not in numbers]
    ends = [n for n in numbers if n + 1 not in numbers]
    return list(zip(starts, ends, strict=True))


def _cells(chances: Sequence[Sequence[Fraction]]) -> Iterator[tuple[int, int, Fraction]]:
    for a in range(2, len(chances)):
        for d in range(1, len(chances[a])):
            yield a, d, chances[a][d]


def _chance(chance: Fraction, *, exact: bool) -> dict[str, Any]:
    return {"probability": float(chance)} | ({"exact": str(chance)} if exact else {})
