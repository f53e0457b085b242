"""Build the document of a tournament or a match: standings, win matrix, win rates by seat, and length of games."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from evodom.dominion.kingdom import CUSTOM, Kingdom
from evodom.matches.results import PairRecord, Standing
from evodom.matches.tournament import TournamentResult
from evodom.presentation import document as doc
from evodom.presentation.documents.common import N_WORDS, end_shares, kingdom_text
from evodom.presentation.format import decimal, percent, short_name

UNCLEAR = "~"
"""Mark of a strategy that is not significantly better than the next."""

MAX_PAIRS_NAMED = 3
"""Maximum number of pairs of neighbours in unclear order that are named. The number of further pairs is given."""

MAX_COLUMNS_WITH_INTERVALS = 6
"""Maximum number of columns of a win matrix with intervals in its cells."""

OVERLAP = ". Compare neighbours by the mark ~, not by these intervals: the order is tested on paired differences"
"""Note on the intervals and the order of a tournament."""


@dataclass(frozen=True)
class Contest:
    """A tournament or a match: its settings, result, and the command to repeat it.

    `format` is "" for a match. `command` is "" for a call of Python. `note` names runs that were made for another
    number of players.
    """

    format: str
    kingdom: Kingdom
    players: int
    seed: int
    confidence: float
    result: TournamentResult
    command: str
    note: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the contest as plain JSON types."""
        kingdom = {"name": self.kingdom.name, "cards": list(self.kingdom.cards)}
        facts = {"kingdom": kingdom, "players": self.players, "seed": self.seed, "confidence": self.confidence}
        chosen = ({"format": self.format} if self.format else {}) | ({"note": self.note} if self.note else {})
        return chosen | facts | self.result.to_json() | {"command": self.command}

    @property
    def level(self) -> str:
        """The confidence of all intervals, in per cent."""
        return f"{100 * self.confidence:g} %"

    @property
    def title(self) -> str:
        """The kind of contest, the name of its kingdom, number of games and seed."""
        n, where = self.result.summary.n_games, "" if self.kingdom.name == CUSTOM else f" in {self.kingdom.name}"
        if not self.format:
            return f"Match{where}: {n:,} games of {self.players}, seed {self.seed}"
        tables = f"{self.result.n_tables} tables" if self.result.n_tables > 1 else "one table"
        return f"{self.format.capitalize()}{where}: {n:,} games at {tables} of {self.players}, seed {self.seed}"

    @property
    def verdict(self) -> str:
        """A sentence on whether the order of a tournament is clear."""
        result = self.result
        if result.order_clear is None:
            return f"Ranked by elimination, last eliminated first. Figures are of all games; {self.level} intervals."
        if result.order_clear:
            return f"The order is clear: with {self.level} confidence all places are right."
        pairs = "; ".join(f"{a} and {b}" for a, b in result.not_told_apart)
        if len(result.not_told_apart) > MAX_PAIRS_NAMED:
            pairs = f"{len(result.not_told_apart)} pairs of neighbours, marked {UNCLEAR}"
        return f"After {result.summary.n_games:,} games no significant difference ({self.level} confidence): {pairs}"


def contest_document(contest: Contest) -> doc.Document:
    """Return the document of a tournament or a match."""
    result, kingdom = contest.result, contest.kingdom
    cards = f"Kingdom: {kingdom_text(kingdom.name, kingdom.cards, kingdom.drawn)}" if kingdom.name == CUSTOM else ""
    repeat = [doc.Command("Repeat", contest.command)] if contest.command else []
    main = [*_tournament(contest)] if contest.format else [*_match(result)]
    return doc.Document(
        "",
        [
            doc.Section("", [*map(doc.Paragraph, (contest.title, contest.note, cards)), *main]),
            doc.Section("", [_seats(contest), _course(result)]),
            doc.Section("", [*repeat, _standings_csv(result)]),
        ],
    )


def _tournament(contest: Contest) -> Iterator[doc.Block]:
    result = contest.result
    close = {better for better, _ in result.not_told_apart}
    shares = map(doc.percent_column, ("wins, %", "tied"))
    numbers = doc.DataColumn("place", 2), doc.DataColumn("VP")
    columns = doc.columns("#", "strategy", doc.DataColumn("rating", 0), *shares, *numbers)
    rows = [
        (
            *(f"{rank}{UNCLEAR * (standing.name in close)}", short_name(standing.name), rating),
            *(standing.win, standing.shared, standing.place.value, standing.vp.value),
        )
        for rank, (standing, rating) in enumerate(zip(result.standings, result.ratings, strict=True), 1)
    ]
    yield doc.Paragraph(contest.verdict)
    yield doc.DataTable(columns, rows)
    chance = f"chance level {percent(result.standings[0].chance_level)}"
    tested = OVERLAP * (result.order_clear is not None)
    yield doc.Facts(
        {
            "rating": "Elo scale with mean 1500: a Plackett-Luce model of the places in all games",
            "wins": f"win rate, {chance}; a win shared by k players counts 1/k",
            "tied": "share of games with a shared win, %",
            "(a-b)": f"{contest.level} interval of each figure{tested}",
        }
        | ({f"1{UNCLEAR}": "not significantly better than the next"} if close else {})
    )
    yield from _matrix(contest)


def _matrix(contest: Contest) -> Iterator[doc.DataTable]:
    """Yield the win matrix, and the matrix of ties if there are any."""
    result = contest.result
    narrow = len(result.standings) > MAX_COLUMNS_WITH_INTERVALS
    digits = 0 if narrow else 1
    intervals = "" if narrow else f"; {contest.level} intervals"
    title = f"Share of games in which the row is ahead of the column, % (a tie counts half{intervals})"
    yield _pairs(result, title, digits, lambda record: record.beats.share if narrow else record.beats)
    if any(record and record.tied for row in result.matrix for record in row):
        yield _pairs(result, "Share of games that they tie, %", digits, lambda record: record.tied)


def _pairs(result: TournamentResult, title: str, digits: int, cell: Callable[[PairRecord], doc.Cell]) -> doc.DataTable:
    names = [f"{rank} {short_name(standing.name)}" for rank, standing in enumerate(result.standings, 1)]
    columns = doc.columns("", *(doc.percent_column(str(rank), digits) for rank in range(1, len(names) + 1)))
    rows: list[Sequence[doc.Cell]] = [
        (name, *(cell(record) if record else None for record in row))
        for name, row in zip(names, result.matrix, strict=True)
    ]
    return doc.DataTable(columns, rows, title)


def _match(result: TournamentResult) -> Iterator[doc.Block]:
    yield doc.table_of(
        result.standings,
        [
            (doc.text_column("strategy"), lambda standing: short_name(standing.name) + _copies_mark(standing)),
            (doc.percent_column("chance"), lambda standing: standing.chance_level),
            (doc.percent_column("wins, %"), lambda standing: standing.win),
            (doc.percent_column("alone"), lambda standing: standing.alone),
            (doc.percent_column("tied"), lambda standing: standing.shared),
            (doc.DataColumn("place", 2), lambda standing: standing.place.value),
            (doc.DataColumn("VP"), lambda standing: standing.vp.value),
        ],
    )
    yield doc.Facts(
        {
            "chance": "win rate among equal strategies, %",
            "wins": "win rate; a win shared by k players counts 1/k",
            "alone, tied": "shares of games won alone and with a shared win, %",
        }
        | {
            mark.strip(): f"{N_WORDS[round(standing.seats)]} copies together"
            for standing in result.standings
            if (mark := _copies_mark(standing))
        }
    )


def _copies_mark(standing: Standing) -> str:
    """Return the suffix of a strategy with several seats: " x3"."""
    return f" x{standing.seats:.0f}" if standing.seats > 1 else ""


def _seats(contest: Contest) -> doc.DataTable:
    title = f"Win rate by seat, % ({contest.level} intervals; each strategy has each seat equally often)"
    rows = list(enumerate(contest.result.seats, 1))
    return doc.DataTable([doc.DataColumn("seat"), doc.percent_column("wins, %", key="wins")], rows, title)


def _course(result: TournamentResult) -> doc.Facts:
    summary = result.summary
    means = f"{decimal(summary.rounds, 1)} rounds, and {decimal(summary.winner_vp, 1)} VP of the winner, on average"
    return doc.Facts({"games": means, "ended by": end_shares(summary.ended)})


def _standings_csv(result: TournamentResult) -> doc.DataTable:
    """Return a row for each entrant: its standing, and its shares of games ahead of and tied with each opponent."""
    names = [standing.name for standing in result.standings]
    own = ["rank", "strategy", "games", "seats", "par", "rating", "wins"]
    columns = [doc.DataColumn(name) for name in (*own, "won alone", "won shared", "place", "vp")]
    columns += [doc.DataColumn(f"{what} {name}") for what in ("ahead of", "ties with") for name in names]
    rows: list[Sequence[doc.Cell]] = [
        (
            rank,
            *(standing.name, standing.win.n_games, standing.seats, standing.chance_level, rating),
            *(standing.win, standing.alone, standing.shared, standing.place, standing.vp),
            *(None if other is None else other.ahead for other in row),
            *(None if other is None else other.tied for other in row),
        )
        for rank, (standing, rating, row) in enumerate(
            zip(result.standings, result.ratings, result.matrix, strict=True), 1
        )
    ]
    return doc.DataTable(columns, rows, name="standings", media=doc.Media.CSV)
