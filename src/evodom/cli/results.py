"""What a tournament or a match came to, as text, as JSON and as CSV."""

from __future__ import annotations

import csv
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from evodom.cli.common import is_terminal
from evodom.errors import UsageError
from evodom.files import replace_text
from evodom.presentation.format import decimal, percent, short_name
from evodom.presentation.text import WIDTH, columns, listing, paragraph

if TYPE_CHECKING:
    from evodom.dominion.kingdom import Kingdom
    from evodom.matches.results import PairRecord, Standing
    from evodom.matches.tournament import TournamentResult
    from evodom.statistics import IntervalEstimate, Share

SEATS = ("first", "second", "third", "fourth", "fifth", "sixth")

UNCLEAR = "~"
"""Marks a strategy whose place before the next one is not clear."""

MOST_NAMED = 3
"""Up to so many pairs of neighbours in unclear order are named before the table; more are counted."""

WITH_MARGINS = 6
"""Up to so many columns a win matrix has margins in its cells."""


_OVERLAP = (
    ". Overlapping is not the same as not told apart: the order is tested on the differences of wins, block by block, "
    "where two that overlap may differ clearly; and that test holds at every look and for all pairs at once, so that "
    "two that do not overlap may not be told apart yet"
)
"""What the intervals in a tournament do not say."""


@dataclass(frozen=True)
class Page:
    """A result and what it is the result of; ``facts`` are what was asked for, ``command`` repeats it."""

    title: str
    facts: dict[str, Any]
    result: TournamentResult
    command: str

    def to_json(self) -> dict[str, Any]:
        """Return all of it as plain JSON types."""
        return self.facts | self.result.to_json() | {"command": self.command}

    @property
    def confidence(self) -> str:
        """The confidence of all intervals, in per cent."""
        return f"{100 * float(self.facts['confidence']):g} %"


def tournament_text(page: Page, verdict: str) -> str:
    """Return the result of a tournament as text."""
    result = page.result
    par = percent(result.standings[0].par)
    close = {better for better, _ in result.not_told_apart}
    header = ("#", "strategy", "rating", f"wins, % (par {par})", "tied", "place", "VP")
    rows = [
        (
            f"{rank}{UNCLEAR}" if one.name in close else str(rank),
            short_name(one.name),
            _margin(rating, 0),
            _interval(one.win),
            percent(one.shared),
            decimal(one.place.value, 2),
            decimal(one.vp.value, 1),
        )
        for rank, (one, rating) in enumerate(zip(result.standings, result.ratings, strict=True), 1)
    ]
    key = {
        "rating": "Elo scale, the mean at 1500: Plackett-Luce, fitted to all places of all games",
        "wins": "share of the victories; one shared by k players counts 1/k",
        "tied": "games in which it shared the victory, %",
        "(a-b), ±": f"{page.confidence} interval of each figure alone" + _OVERLAP * (result.order_clear is not None),
    } | ({f"1{UNCLEAR}": "not told apart from the next"} if close else {})
    parts = [[paragraph(page.title), paragraph(verdict)], columns([header, *rows], left=(0, 1)), listing(key)]
    parts += [*_matrix(page), _seats(result, page.confidence), _course(result), _repeat(page)]
    return "\n\n".join(map("\n".join, parts))


def match_text(page: Page) -> str:
    """Return the result of a match as text."""
    result = page.result
    header = ("strategy", "par", "wins, %", "alone", "tied", "place", "VP")
    rows = [
        (
            short_name(one.name) + (f" x{one.seats:.0f}" if one.seats > 1 else ""),
            percent(one.par),
            _interval(one.win),
            percent(one.alone),
            percent(one.shared),
            decimal(one.place.value, 2),
            decimal(one.vp.value, 1),
        )
        for one in result.standings
    ]
    key = {
        "par": "share of the victories among equals, %; wins counts one shared by k players as 1/k",
        "alone, tied": "games won alone, and with a shared victory, %; x3: three copies, taken together",
    }
    parts = [[paragraph(page.title)], columns([header, *rows]), listing(key), _seats(result, page.confidence)]
    parts += [_course(result), _repeat(page)]
    return "\n\n".join(map("\n".join, parts))


def named(kingdom: Kingdom) -> str:
    """Return what to call a kingdom in a title."""
    return "a kingdom without a name" if kingdom.name == "custom" else kingdom.name


def _matrix(page: Page) -> Iterator[list[str]]:
    """Lay out the win matrix, and the ties apart, in as many parts as their columns need."""
    result = page.result
    margins = len(result.standings) <= WITH_MARGINS
    said = f"; {page.confidence} intervals" if margins else ""
    yield from _parts(
        result,
        f"How often the row is ahead of the column, % (a tie is half{said})",
        _share_margin if margins else _rounded,
    )
    if any(one and one.tied for row in result.matrix for one in row):
        yield from _parts(result, "How often they tie (%)", lambda one: percent(one.tied, 1 if margins else 0))


def _parts(result: TournamentResult, title: str, cell: Callable[[PairRecord], str]) -> Iterator[list[str]]:
    names = [f"{rank} {short_name(one.name)}" for rank, one in enumerate(result.standings, 1)]
    cells = [[cell(one) if one else "-" for one in row] for row in result.matrix]
    widest = max(len(text) for row in cells for text in row) + 2
    room = max(1, (WIDTH - max(map(len, names))) // max(widest, len(str(len(names))) + 2))
    for first in range(0, len(names), room):
        last = min(first + room, len(names))
        header = ("", *(str(number + 1) for number in range(first, last)))
        rows = [(name, *row[first:last]) for name, row in zip(names, cells, strict=True)]
        yield [*([title] if first == 0 else []), *columns([header, *rows])]


def _seats(result: TournamentResult, confidence: str) -> list[str]:
    shares = [(SEATS[seat], _interval(share)) for seat, share in enumerate(result.seats)]
    title = f"Wins by seat, % ({confidence} intervals; everybody sits everywhere equally often)"
    return [title, *(line.rstrip() for line in columns([("seat", "wins, %"), *shares]))]


def _course(result: TournamentResult) -> list[str]:
    one = result.course
    ended = one.ended
    return listing(
        {
            "games": f"{decimal(one.rounds, 1)} rounds on average, won with {decimal(one.winner_vp, 1)} VP",
            "ended by": f"Provinces {percent(ended['provinces'])} %, empty piles {percent(ended['empty_piles'])} %, "
            f"cut {percent(ended['cut'])} %",
        }
    )


def _repeat(page: Page) -> list[str]:
    """Return the command that repeats it, on as few lines as can be pasted into a shell."""
    line = f"Repeat this with: {page.command}"
    return [line] if len(line) <= WIDTH else ["Repeat this with:", page.command]


def check_csv(file: Path | None) -> None:
    """Refuse a file that could not be written, before any game is played for it."""
    if file and not file.parent.is_dir():
        raise UsageError(f"{file} cannot be written: there is no folder {file.parent}. Create it, or name another.")


def write_csv(file: Path, page: Page) -> None:
    """Write a row for each entrant: its standing, and how often it is ahead of and ties with each other."""
    result = page.result
    names = [one.name for one in result.standings]
    header = [*_csv_standing(result.standings[0], result.ratings[0])]
    header += [f"{what} {name}" for what in ("ahead of", "ties with") for name in names]
    table = StringIO(newline="")
    writer = csv.writer(table)
    writer.writerow(["rank", *header])
    for rank, (one, rating) in enumerate(zip(result.standings, result.ratings, strict=True), 1):
        row = result.matrix[rank - 1]
        ahead = ["" if other is None else other.ahead for other in row]
        tied = ["" if other is None else other.tied for other in row]
        writer.writerow([rank, *_csv_standing(one, rating).values(), *ahead, *tied])
    replace_text(file, table.getvalue())


def _csv_standing(one: Standing, rating: IntervalEstimate) -> dict[str, Any]:
    return {
        "strategy": one.name,
        "games": one.win.n_games,
        "seats": one.seats,
        "par": one.par,
        "rating": rating.value,
        "rating low": rating.low,
        "rating high": rating.high,
        "wins": one.win.share,
        "wins low": one.win.low,
        "wins high": one.win.high,
        "won alone": one.alone,
        "won shared": one.shared,
        "place": one.place.value,
        "place low": one.place.low,
        "place high": one.place.high,
        "vp": one.vp.value,
        "vp low": one.vp.low,
        "vp high": one.vp.high,
    }


@contextmanager
def progress(
    total: int | None, *, quiet: bool, python: bool = False, unit: str = "games"
) -> Iterator[Callable[[int], object]]:
    """Show on stderr how many games were played, or how much of another ``unit`` is done, where that is a terminal.

    With agents in ``python``, which are slow, say at the end how many games a second they were.
    """
    from tqdm import tqdm

    hide = quiet or not is_terminal(sys.stderr)
    began, played = time.monotonic(), 0
    with tqdm(
        total=total, unit=f" {unit}", unit_scale=total is None or total >= 1000, leave=False, disable=hide
    ) as bar:

        def on_games(n: int) -> None:
            nonlocal played
            played += n
            bar.update(n)

        yield on_games
    if python and not quiet:
        speed = played / max(time.monotonic() - began, 1e-9)
        click.echo(f"{played:,} games with agents in Python: {speed:,.0f} a second.", err=True)


def _interval(share: Share) -> str:
    return f"{percent(share.share)} ({percent(share.low)}-{percent(share.high)})"


def _margin(one: IntervalEstimate, digits: int) -> str:
    return f"{decimal(one.value, digits)} ±{decimal((one.high - one.low) / 2, digits)}"


def _share_margin(one: PairRecord) -> str:
    return f"{percent(one.beats.share)} ±{percent((one.beats.high - one.beats.low) / 2)}"


def _rounded(one: PairRecord) -> str:
    return percent(one.beats.share, 0)


def named_pairs(pairs: Sequence[tuple[str, str]]) -> str:
    """Return pairs of neighbours as text, many of them as a number."""
    if len(pairs) > MOST_NAMED:
        return f"{len(pairs)} pairs of neighbours, marked {UNCLEAR}"
    return "; ".join(f"{a} and {b}" for a, b in pairs)
