"""Draw distributions of numbers as bars of grouped outcomes: lines in a terminal, or SVG."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, count, pairwise
from math import floor, fsum, log10
from typing import Any

from evodom.errors import UsageError
from evodom.presentation.charts import Bar, BarChart
from evodom.presentation.text import WIDTH

TAIL_SHARE = 0.0005
"""Outcomes at either end with a smaller total probability are added to the outermost bins."""

Outcome = tuple[Any, float]
"""An outcome and its probability."""


@dataclass(frozen=True)
class Bin:
    """Neighbouring outcomes drawn as one bar: its label, where it begins and ends, and each outcome's probability."""

    label: str
    low: float
    high: float
    outcomes: tuple[Outcome, ...]

    @property
    def share(self) -> float:
        """The probability of all outcomes together."""
        return fsum(share for _, share in self.outcomes)


def bins(outcomes: Iterable[tuple[Any, Any]], limit: int) -> list[Bin]:
    """Group outcomes, pairs of a number and its probability, into at most `limit` bins (2 or more) in ascending order.

    If all whole numbers from the smallest to the largest fit, each gets a bin, even an impossible one. Else, if there
    are at most `limit` different numbers, each of them gets a bin. Else neighbours share bins of equal width (1, 2 or 5
    times a power of ten), and the least likely ends are added to the outermost bins. `outcomes` may be a
    Distribution of numbers. The probabilities may have any sum. Raises UsageError without outcomes or for a `limit`
    below 2.
    """
    if limit < 2:
        raise UsageError(f"a picture of a distribution needs room for at least 2 bars, got {limit}")
    likely: dict[Any, float] = {}
    for number, share in outcomes:
        likely[number] = likely.get(number, 0.0) + float(share)
    shares = sorted(likely.items())
    if not shares:
        raise UsageError("a picture of a distribution needs at least one outcome, got none")
    whole = all(number == int(number) for number, _ in shares)
    if whole and shares[-1][0] - shares[0][0] < limit:
        return _grouped(shares, shares, Fraction(1), whole=True)
    if len(shares) <= limit:
        return _separate(shares)
    core = _without_tails(shares)
    low, high = _decimal(core[0][0]), _decimal(core[-1][0])
    smallest_step = Fraction(1) if whole else Fraction(10) ** floor(log10((high - low or 1) / limit))
    steps = (nice * smallest_step * 10**k for k in count() for nice in (1, 2, 5))
    return _grouped(shares, core, next(step for step in steps if high // step - low // step < limit), whole=whole)


def _decimal(number: float | Fraction) -> Fraction:
    """Return the exact Fraction of a number as printed: 0.6 becomes 3/5, and is in the bin that begins at 0.6."""
    return Fraction(str(number))


def _without_tails(shares: Sequence[Outcome]) -> Sequence[Outcome]:
    """Return the shares without the ends whose total probability is below the share `TAIL_SHARE`."""
    total = fsum(share for _, share in shares)
    first = sum(reached < TAIL_SHARE * total for reached in accumulate(share for _, share in shares))
    after = sum(reached < TAIL_SHARE * total for reached in accumulate(share for _, share in reversed(shares)))
    return shares[first : len(shares) - after] or shares


def _grouped(shares: Sequence[Outcome], core: Sequence[Outcome], step: Fraction, *, whole: bool) -> list[Bin]:
    """Put all `shares` into bins of width `step`, which reach from the first to the last outcome of `core`."""
    first, last = _decimal(core[0][0]) // step, _decimal(core[-1][0]) // step
    groups: list[list[Outcome]] = [[] for _ in range(first, last + 1)]
    for number, share in shares:
        groups[min(max(_decimal(number) // step, first), last) - first].append((number, share))
    middle = 0.5 if whole else 0.0  # a whole number is drawn in the middle of its bin
    result = []
    for i, group in enumerate(groups, first):
        low, high = i * step, (i + 1) * step
        begin, end = (low, high - 1) if whole else (low, high)
        if i == first:
            begin = shares[0][0] if whole else min(low, shares[0][0])
        if i == last:
            end = shares[-1][0] if whole else max(high, shares[-1][0])
        result.append(Bin(_range(begin, end, step), float(low) - middle, float(high) - middle, tuple(group)))
    return result


def _range(low: float | Fraction, high: float | Fraction, step: Fraction) -> str:
    digits = 0 if step >= 1 else -floor(log10(step))
    first, last = f"{float(low):z.{digits}f}", f"{float(high):z.{digits}f}"
    if first == last:
        return first
    return f"{first} to {last}" if low < 0 else f"{first}-{last}"


def _separate(shares: Sequence[Outcome]) -> list[Bin]:
    """Return a bin for each outcome, as wide as the smallest distance between two outcomes."""
    numbers = [float(number) for number, _ in shares]
    half = min((high - low for low, high in pairwise(numbers)), default=1.0) / 2
    return [Bin(f"{n:g}", n - half, n + half, (outcome,)) for n, outcome in zip(numbers, shares, strict=True)]


EIGHTHS = " ▏▎▍▌▋▊▉█"
"""Block characters that fill 0 to 8 eighths of a column. `block_characters` requires that a terminal prints them."""

MIN_BAR_COLUMNS = 10
"""Minimum number of columns for the bars."""


def bars(
    distribution: Iterable[tuple[Any, Any]],
    *,
    label: str = "",
    rows: int = 20,
    width: int = WIDTH,
    top: float | None = None,
    block_characters: bool = True,
) -> str:
    """Return a line for each number, or group of numbers, with a bar for its probability and the per cent.

    `distribution` is a Distribution of numbers, or pairs of a number and its probability. The sum of the probabilities
    may differ from 1, so that several pictures can each show a part. `label` is printed above. There are at most `rows`
    bars (2 or more), in lines of at most `width` columns. A bar of the probability `top` fills the width, by default
    the largest probability. With the same `top`, several pictures have one scale. Without `block_characters`, bars are
    made of #. Raises UsageError if `width` leaves too little room.
    """
    groups = bins(distribution, rows)
    longest = max(len(group.label) for group in groups)
    room = width - longest - len("  ") - len("  100.0")
    if room < MIN_BAR_COLUMNS:
        raise UsageError(f"a picture needs at least {width - room + MIN_BAR_COLUMNS} columns, got {width}")
    scale = top or max(group.share for group in groups)
    drawn = [_bar(group.share / scale, room, block_characters=block_characters) for group in groups]
    lines = [
        f"{group.label:>{longest}}  {bar:<{room}}  {_percent(group.share):>5}"
        for group, bar in zip(groups, drawn, strict=True)
    ]
    return "\n".join([f"{label:<{width - 1}}%"] * bool(label) + lines)


def _bar(share: float, room: int, *, block_characters: bool) -> str:
    """Return a bar that fills a share of the room; a share above 0 is at least one mark long."""
    if not block_characters:
        return "#" * min(room, max(round(share * room), share > 0))
    eighths = min(8 * room, max(round(share * room * 8), share > 0))
    return (EIGHTHS[8] * (eighths // 8) + EIGHTHS[eighths % 8]).rstrip()


def _percent(share: float) -> str:
    return "<0.1" if 0 < share < 0.0005 else f"{100 * share:.1f}"


@dataclass(frozen=True)
class Histogram:
    """The drawing of a distribution: a bar for each outcome or group of outcomes; see `bars`."""

    outcomes: Sequence[tuple[Any, Any]]
    rows: int = 20
    top: float | None = None
    legend: Sequence[tuple[str, str]] = ()

    def svg(self, title: str) -> str:
        """Return the bars as SVG."""
        return BarChart([Bar(bin_.label, bin_.share) for bin_ in bins(self.outcomes, self.rows)]).svg(title)

    def text(self, width: int, *, block_characters: bool) -> list[str]:
        """Return the bars as lines."""
        return bars(
            self.outcomes, rows=self.rows, width=width, top=self.top, block_characters=block_characters
        ).splitlines()
