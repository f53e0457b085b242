"""Distributions of numbers as horizontal bars in the terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from evodom.errors import UsageError
from evodom.report.bins import Bin, bins
from evodom.report.layout import WIDTH

EIGHTHS = " ▏▎▍▌▋▊▉█"
"""Blocks of 0 to 8 eighths; what a terminal must be able to print for `blocks`."""

LEAST = 0.0005
"""What is less likely than this is told to be so, instead of as zero."""

NARROWEST = 10
"""The least room for bars, in columns."""


def bars(
    distribution: Iterable[tuple[Any, Any]],
    *,
    label: str = "",
    rows: int = 20,
    width: int = WIDTH,
    top: float | None = None,
    blocks: bool = True,
) -> str:
    """Return a line for each number, or group of numbers, with a bar as long as it is likely and its per cent.

    `distribution` is a Distribution of numbers, or pairs of a number and its probability that need not sum to one, as
    where one of several pictures shows a part. `label` stands above; there are at most `rows` bars (2 or more) below
    it, in lines of at most `width` columns, and the longest bar means the probability `top` (by default the largest
    there is), so that several pictures may have one scale. `blocks` says that block characters can be printed.
    """
    found = bins(distribution, rows)
    longest = max(len(one.label) for one in found)
    room = width - longest - len("  ") - len("  100.0")
    if room < NARROWEST:
        raise UsageError(f"a picture needs at least {width - room + NARROWEST} columns, got {width}")
    scale = top or top_share(found)
    lines = [
        f"{one.label:>{longest}}  {_bar(one.share / scale, room, blocks=blocks):<{room}}  {_percent(one.share):>5}"
        for one in found
    ]
    return "\n".join([f"{label:<{width - 1}}%"] * bool(label) + lines)


def top_share(found: Iterable[Bin]) -> float:
    """Return the probability of the most likely bin; with `bins`, the `top` that several pictures may share."""
    return max(one.share for one in found)


def _bar(share: float, room: int, *, blocks: bool) -> str:
    """Return a bar that fills a share of the room; what is possible is never without any trace."""
    if not blocks:
        return "#" * min(room, max(round(share * room), share > 0))
    eighths = min(8 * room, max(round(share * room * 8), share > 0))
    return (EIGHTHS[8] * (eighths // 8) + EIGHTHS[eighths % 8]).rstrip()


def _percent(share: float) -> str:
    return "<0.1" if 0 < share < LEAST else f"{100 * share:.1f}"
