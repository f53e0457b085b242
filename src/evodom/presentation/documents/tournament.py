"""The document of a tournament or a match: standings, who beats whom, seats, and how games went."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from evodom.dominion.kingdom import Kingdom
from evodom.matches.results import PairRecord, Standing
from evodom.matches.tournament import TournamentResult
from evodom.presentation import document as doc
from evodom.presentation.documents.common import kingdom_name
from evodom.presentation.format import decimal, percent, short_name
from evodom.statistics import IntervalEstimate

UNCLEAR = "~"
"""Marks a strategy whose place before the next one is not clear."""

MOST_NAMED = 3
"""The most pairs of neighbours in unclear order that are named before the table; more are counted."""

WITH_INTERVALS = 6
"""A win matrix of up to this many columns has intervals in its cells."""

OVERLAP = (
    ". Compare neighbours by the mark ~, not by overlap: the order is tested on the differences of wins, block by "
    "block, by a test that holds at every look and for all pairs at once"
)
"""How intervals and the order of a tournament are related."""


@dataclass(frozen=True)
class Contest:
    """A tournament or a match (without format): its settings, result, and the command to repeat it."""

    format: str
    kingdom: Kingdom
    players: int
    seed: int
    confidence: float
    result: TournamentResult
    command: str

    def to_json(self) -> dict[str, Any]:
        """Return all of it as plain JSON types."""
        kingdom = {"name": self.kingdom.name, "cards": list(self.kingdom.cards)}
        facts = {"kingdom": kingdom, "players": self.players, "seed": self.seed, "confidence": self.confidence}
        chosen = {"format": self.format} if self.format else {}
        return chosen | facts | self.result.to_json() | {"command": self.command}

    @property
    def level(self) -> str:
        """The confidence of all intervals, in per cent."""
        return f"{100 * self.confidence:g} %"

    @property
    def title(self) -> str:
        """The kind of contest, its kingdom, number of games and seed."""
        n, where = self.result.course.n_games, kingdom_name(self.kingdom)
        if not self.format:
            return f"Match in {where}: {n:,} games of {self.players}, seed {self.seed}"
        tables = f"{self.result.n_tables} tables" if self.result.n_tables > 1 else "one table"
        return f"{self.format.capitalize()} in {where}: {n:,} games at {tables} of {self.players}, seed {self.seed}"

    @property
    def verdict(self) -> str:
        """Whether the order of a tournament is clear."""
        result = self.result
        if result.order_clear is None:
            return f"The order is that of leaving; the figures are those of all games. Intervals of {self.level}."
        if result.order_clear:
            return f"The order is clear: with {self.level} confidence all of it is right."
        pairs = "; ".join(f"{a} and {b}" for a, b in result.not_told_apart)
        if len(result.not_told_apart) > MOST_NAMED:
            pairs = f"{len(result.not_told_apart)} pairs of neighbours, marked {UNCLEAR}"
        return f"After {result.course.n_games:,} games not told apart with {self.level} confidence: {pairs}"


def contest_document(contest: Contest) -> doc.Document:
    """Return the document of a tournament or a match."""
    result = contest.result
    main = [*_tournament(contest)] if contest.format else [*_match(result)]
    return doc.Document(
        "",
        [
            doc.Section("", [doc.Paragraph(contest.title), *main]),
            doc.Section("", [_seats(contest), _course(result)]),
            doc.Section("", [doc.Command("Repeat this with", contest.command), _standings_csv(result)]),
        ],
    )


def _tournament(contest: Contest) -> Iterator[doc.Block]:
    result = contest.result
    close = {better for better, _ in result.not_told_apart}
    columns = [
        doc.text_column("#"),
        doc.text_column("strategy"),
        doc.DataColumn("rating", 0),
        doc.percent_column("wins, %"),
        doc.percent_column("tied"),
        doc.DataColumn("place", 2),
        doc.DataColumn("VP"),
    ]
    rows = [
        (
            f"{rank}{UNCLEAR}" if standing.name in close else str(rank),
            short_name(standing.name),
            rating,
            standing.win,
            standing.shared,
            standing.place.value,
            standing.vp.value,
        )
        for rank, (standing, rating) in enumerate(zip(result.standings, result.ratings, strict=True), 1)
    ]
    yield doc.Paragraph(contest.verdict)
    yield doc.DataTable(columns, rows)
    tested = OVERLAP * (result.order_clear is not None)
    yield doc.Facts(
        {
            "rating": "Elo scale, the mean at 1500: Plackett-Luce, fitted to all places of all games",
            "wins": f"share of the victories, par {percent(result.standings[0].par)}; one shared by k counts 1/k",
            "tied": "games in which it shared the victory, %",
            "(a-b)": f"{contest.level} interval of each figure alone{tested}",
        }
        | ({f"1{UNCLEAR}": "not told apart from the next"} if close else {})
    )
    yield from _matrix(contest)


def _matrix(contest: Contest) -> Iterator[doc.DataTable]:
    """Yield the win matrix, and the ties apart."""
    result = contest.result
    narrow = len(result.standings) > WITH_INTERVALS
    digits = 0 if narrow else 1
    title = (
        f"How often the row is ahead of the column, % (a tie is half{'' if narrow else f'; {contest.level} intervals'})"
    )
    yield _pairs(result, title, digits, lambda record: record.beats.share if narrow else record.beats)
    if any(record and record.tied for row in result.matrix for record in row):
        yield _pairs(result, "How often they tie (%)", digits, lambda record: record.tied)


def _pairs(result: TournamentResult, title: str, digits: int, cell: Callable[[PairRecord], doc.Cell]) -> doc.DataTable:
    names = [f"{rank} {short_name(standing.name)}" for rank, standing in enumerate(result.standings, 1)]
    columns = [doc.text_column(), *(doc.percent_column(str(rank), digits) for rank in range(1, len(names) + 1))]
    rows: list[Sequence[doc.Cell]] = [
        (name, *(cell(record) if record else None for record in row))
        for name, row in zip(names, result.matrix, strict=True)
    ]
    return doc.DataTable(columns, rows, title)


def _match(result: TournamentResult) -> Iterator[doc.Block]:
    columns = [
        doc.text_column("strategy"),
        doc.percent_column("par"),
        doc.percent_column("wins, %"),
        doc.percent_column("alone"),
        doc.percent_column("tied"),
        doc.DataColumn("place", 2),
        doc.DataColumn("VP"),
    ]
    rows = [
        (
            short_name(standing.name) + (f" x{standing.seats:.0f}" if standing.seats > 1 else ""),
            standing.par,
            standing.win,
            standing.alone,
            standing.shared,
            standing.place.value,
            standing.vp.value,
        )
        for standing in result.standings
    ]
    yield doc.DataTable(columns, rows)
    yield doc.Facts(
        {
            "par": "share of the victories among equals, %; wins counts one shared by k players as 1/k",
            "alone, tied": "games won alone, and with a shared victory, %; x3: three copies, taken together",
        }
    )


def _seats(contest: Contest) -> doc.DataTable:
    title = f"Wins by seat, % ({contest.level} intervals; everybody sits everywhere equally often)"
    rows = list(enumerate(contest.result.seats, 1))
    return doc.DataTable([doc.DataColumn("seat"), doc.percent_column("wins, %", key="wins")], rows, title)


def _course(result: TournamentResult) -> doc.Facts:
    one, ended = result.course, result.course.ended
    return doc.Facts(
        {
            "games": f"{decimal(one.rounds, 1)} rounds on average, won with {decimal(one.winner_vp, 1)} VP",
            "ended by": f"Provinces {percent(ended['provinces'])} %, empty piles {percent(ended['empty_piles'])} %, "
            f"cut {percent(ended['cut'])} %",
        }
    )


def _standings_csv(result: TournamentResult) -> doc.DataTable:
    """Return a row for each entrant: its standing, and how often it is ahead of and ties with each other."""
    names = [standing.name for standing in result.standings]
    own = ["rank", "strategy", "games", "seats", "par", "rating", "wins"]
    columns = [doc.DataColumn(name) for name in (*own, "won alone", "won shared", "place", "vp")]
    columns += [doc.DataColumn(f"{what} {name}") for what in ("ahead of", "ties with") for name in names]
    rows: list[Sequence[doc.Cell]] = [
        (
            rank,
            *_standing_cells(standing, rating),
            *(None if other is None else other.ahead for other in row),
            *(None if other is None else other.tied for other in row),
        )
        for rank, (standing, rating, row) in enumerate(
            zip(result.standings, result.ratings, result.matrix, strict=True), 1
        )
    ]
    return doc.DataTable(columns, rows, name="standings", media=doc.Media.CSV)


def _standing_cells(one: Standing, rating: IntervalEstimate) -> Sequence[doc.Cell]:
    figures = one.win, one.alone, one.shared, one.place, one.vp
    return one.name, one.win.n_games, one.seats, one.par, rating, *figures
