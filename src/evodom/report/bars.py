"""Draw distributions of numbers as horizontal bars in the terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from evodom.errors import UsageError
from evodom.report.bins import Bin, bins
from evodom.report.layout import WIDTH

EIGHTHS = " ▏▎▍▌▋▊▉█"
"""Blocks of 0 to 8 eighths; a terminal must be able to print these for `blocks`."""

LEAST_SHOWN = 0.0005
"""A smaller probability is printed as "<0.1" per cent instead of zero."""

NARROWEST = 10
"""The smallest width of the bars, in columns."""


def bars(
    distribution: Iterable[tuple[Any, Any]],
    *,
    label: str = "",
    rows: int = 20,
    width: int = WIDTH,
    top: float | None = None,
    blocks: bool = True,
) -> str:
    """Return a line for each number, or group of numbers, with a bar for its probability and the per cent.

    `distribution` is a Distribution of numbers, or pairs of a number and its probability; these need not sum to one, so
    that several pictures can each show a part. `label` is printed above. There are at most `rows` bars (2 or more), in
    lines of at most `width` columns. The longest bar stands for the probability `top`, by default the largest one; give
    it to draw several pictures to one scale. `blocks` says whether block characters can be printed. Raises UsageError
    if `width` leaves too little room.
    """
    groups = bins(distribution, rows)
    longest = max(len(one.label) for one in groups)
    room = width - longest - len("  ") - len("  100.0")
    if room < NARROWEST:
        raise UsageError(f"a picture needs at least {width - room + NARROWEST} columns, got {width}")
    scale = top or top_share(groups)
    lines = [
        f"{one.label:>{longest}}  {_bar(one.share / scale, room, blocks=blocks):<{room}}  {_percent(one.share):>5}"
        for one in groups
    ]
    return "\n".join([f"{label:<{width - 1}}%"] * bool(label) + lines)


def top_share(groups: Iterable[Bin]) -> float:
    """Return the probability of the most likely of some `bins`, to use as `top` in several pictures."""
    return max(one.share for one in groups)


def _bar(share: float, room: int, *, blocks: bool) -> str:
    """Return a bar that fills a share of the room; a share above 0 is at least one mark long."""
    if not blocks:
        return "#" * min(room, max(round(share * room), share > 0))
    eighths = min(8 * room, max(round(share * room * 8), share > 0))
    return (EIGHTHS[8] * (eighths // 8) + EIGHTHS[eighths % 8]).rstrip()


def _percent(share: float) -> str:
    return "<0.1" if 0 < share < LEAST_SHOWN else f"{100 * share:.1f}"
