"""Build the documents of battles of Risk: the odds of an invasion, a table of odds, and when to stop attacking."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import itemgetter
from typing import Any

from evodom.distribution import Distribution
from evodom.presentation import document as doc
from evodom.presentation.format import MISSING, counted, percent
from evodom.presentation.histogram import Histogram, bins, top_share
from evodom.risk import MAX_UNITS, Battlefield, SimulatedChance, Stopping, StoppingPlan, consecutive_ranges, success

ROWS = 10
"""Maximum number of bars of each of the two histograms."""

VALUES = {"unit": "an attacker left", "defender": "a defender destroyed", "territory": "the territory"}


@dataclass(frozen=True)
class Simulation:
    """Simulated invasions: their number, the seed, and the estimated probability."""

    n: int
    seed: int
    found: SimulatedChance


@dataclass(frozen=True)
class Odds:
    """The odds of an invasion.

    `army` is the smallest number of attackers that reaches the probability `wanted`, with its probability. None means
    that more than MAX_UNITS attackers are needed.
    """

    field: Battlefield
    ends: Distribution[Battlefield]
    wanted: Fraction
    army: tuple[int, Fraction] | None
    simulation: Simulation | None

    @property
    def success(self) -> Fraction:
        """The exact probability that the territory is taken."""
        return Fraction(success(self.ends))

    @property
    def expected(self) -> dict[str, float]:
        """The mean number of units left, by side."""
        return {side: float(self.ends.expectation(itemgetter(i))) for i, side in enumerate(Battlefield._fields)}

    def to_json(self, *, exact: bool) -> dict[str, Any]:
        """Return the odds as plain JSON types; `exact` adds fractions as text."""
        simulation = self.simulation
        return {
            "attackers": self.field.attackers,
            "defenders": self.field.defenders,
            **chance_json(self.success, exact=exact),
            "expected": self.expected,
            "wanted": {"probability": float(self.wanted), "attackers": self.army[0] if self.army else None},
            "simulation": simulation
            and {"invasions": simulation.n, "seed": simulation.seed, **simulation.found._asdict()},
            "ends": [end._asdict() | chance_json(Fraction(share), exact=exact) for end, share in sorted(self.ends)],
        }


def chance_json(chance: Fraction, *, exact: bool) -> dict[str, Any]:
    """Return a chance for JSON; `exact` adds the fraction as text."""
    return {"probability": float(chance)} | ({"exact": str(chance)} if exact else {})


def odds_document(odds: Odds, *, exact: bool) -> doc.Document:
    """Return the document of one invasion."""
    left = odds.expected
    columns = [doc.text_column("on average"), doc.DataColumn("start"), doc.DataColumn("lost"), doc.DataColumn("left")]
    rows = [(side, units, units - left[side], left[side]) for side, units in odds.field._asdict().items()]
    chance = f"Probability of taking the territory: {percent(odds.success, 2)} %."
    facts = [chance, _army(odds), *_simulated(odds)]
    facts[1:1] = [f"Exactly: {odds.success}"] if exact else []
    lines = doc.Code("\n".join(facts))
    blocks = [doc.Paragraph(_title(odds.field)), lines, doc.DataTable(columns, rows, name="units"), *_histograms(odds)]
    return doc.Document("", [doc.Section("", blocks)])


def _title(field: Battlefield) -> str:
    attackers, defenders = counted(field.attackers, "attacker"), counted(field.defenders, "defender")
    return f"Risk: {attackers} (one stays behind) against {defenders}"


def _army(odds: Odds) -> str:
    wanted = f"For {float(100 * odds.wanted):g} %"
    if odds.army is None:
        return f"{wanted}, {MAX_UNITS} attackers are too few."
    return f"{wanted}, {odds.army[0]} attackers are needed: they have {percent(odds.army[1], 2)} %."


def _simulated(odds: Odds) -> list[str]:
    """Return the line about the simulation, with its difference from the exact probability in standard errors."""
    if odds.simulation is None:
        return []
    n, seed, (share, error) = odds.simulation.n, odds.simulation.seed, odds.simulation.found
    line = f"Simulated {n:,} times with seed {seed}: {percent(share, 2)} %, standard error {percent(error, 2)}"
    off = (share - float(odds.success)) / (error or 1)
    side = "above" if off > 0 else "below"
    return [f"{line}. That is {abs(off):.1f} standard errors {side} the exact value." if error else f"{line}."]


def _histograms(odds: Odds) -> Iterator[doc.Block]:
    """Yield the histograms of the units left to the winner, for both sides on one scale."""
    sides = (("taken", "attackers", True), ("held", "defenders", False))
    parts = [
        (f"{name}, {side} left (%)", [(getattr(end, side), share) for end, share in odds.ends if end.won == won])
        for name, side, won in sides
    ]
    top = max(top_share(bins(pairs, ROWS)) for _, pairs in parts if pairs)
    for title, pairs in parts:
        if pairs:
            yield doc.Chart(title, "", Histogram(pairs, ROWS, top), media=doc.Media.SHOWN)


def odds_table(chances: Sequence[Sequence[Fraction]], *, exact: bool) -> doc.Document:
    """Return the table of probabilities by attackers and defenders. `exact` lists them with their fractions."""
    cells = [(a, d, chances[a][d]) for a in range(2, len(chances)) for d in range(1, len(chances[a]))]
    if exact:
        columns = [
            doc.DataColumn("attackers"),
            doc.DataColumn("defenders"),
            doc.percent_column("%", 2),
            doc.text_column("exactly"),
        ]
        table = doc.DataTable(columns, [(a, d, chance, str(chance)) for a, d, chance in cells], name="odds")
    else:
        columns = [doc.DataColumn("attackers"), *(doc.percent_column(str(d)) for d in range(1, len(chances[0])))]
        table = doc.DataTable(columns, [(a, *chances[a][1:]) for a in range(2, len(chances))], name="odds")
    title = "Risk: probability of taking the territory, %. Rows: attackers (one stays behind); columns: defenders"
    return doc.Document("", [doc.Section("", [doc.Paragraph(title), table])])


def stopping_document(stopping: Stopping) -> doc.Document:
    """Return the document of an invasion that may be stopped."""
    best, last, field = stopping.best, stopping.to_the_end, stopping.field
    worth = ", ".join(f"{what} {float(stopping.values[name]):g}" for name, what in VALUES.items())
    gain = best.value - stopping.stop_now
    attack = f"Attack: this gains {gain:.2f} more than stopping now."
    columns = [
        doc.text_column(),
        doc.percent_column("taken, %"),
        doc.DataColumn("attackers lost"),
        doc.DataColumn("defenders lost"),
        doc.DataColumn("gain", 2, is_signed=True),
    ]

    def row(name: str, plan: StoppingPlan) -> Sequence[doc.Cell]:
        lost = field.attackers - plan.attackers, field.defenders - plan.defenders
        return name, plan.success, *lost, plan.value - stopping.stop_now

    rows = [row("stop at the best time", best), row("attack to the end", last)]
    blocks = [
        doc.Code(f"{_title(field)}\nValues: {worth}"),
        doc.Paragraph("Stop now." if stopping.advice == "stop" else attack),
        doc.DataTable(columns, rows, name="plans"),
        _attack_when(stopping),
    ]
    return doc.Document("", [doc.Section("", blocks)])


def _attack_when(stopping: Stopping) -> doc.DataTable:
    """Return the numbers of attackers with which to attack, for each number of defenders left."""
    last = max((d for d, who in stopping.attack_when.items() if who), default=0)
    cells = [(str(d), _ranges(stopping.attack_when[d], stopping.max_attackers)) for d in range(1, last + 1)]
    if rest := len(stopping.attack_when) - last:
        cells.append((str(last + 1) if rest == 1 else f"{last + 1}-{last + rest}", MISSING))
    columns = [doc.text_column("defenders"), *(doc.DataColumn(d) for d, _ in cells)]
    title = f"Attack with these numbers of attackers, by defenders (computed up to {stopping.max_attackers}):"
    return doc.DataTable(columns, [("attackers", *(who for _, who in cells))], title)


def _ranges(numbers: Sequence[int], last: int) -> str:
    """Return numbers as ranges. A range up to `last` ends with a plus."""
    parts = (f"{a}+" if b == last else str(a) if a == b else f"{a}-{b}" for a, b in consecutive_ranges(numbers))
    return ",".join(parts) or MISSING
