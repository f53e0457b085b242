"""Write the tables of a report for spreadsheets: one CSV file each, with a header row."""

import csv
from collections.abc import Iterable, Iterator
from io import StringIO
from pathlib import Path
from typing import Any

from evodom.errors import RunError
from evodom.files import replace_text
from evodom.reports.evolved import Report
from evodom.statistics import Share

Row = Iterable[Any]

INTERVAL = ("win", "win_low", "win_high")


def write_tables(report: Report, folder: Path) -> list[Path]:
    """Write every table of a report into a folder, which is created if needed, and return the files.

    Raises RunError if they cannot be written.
    """
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, (header, *rows) in tables(report).items():
            path = folder / f"{name}.csv"
            table = StringIO(newline="")
            csv.writer(table).writerows([header, *rows])
            replace_text(path, table.getvalue())
            written.append(path)
    except OSError as error:
        raise RunError(f"cannot write tables to {folder}: {error.strerror}. Choose another folder.") from error
    return written


def tables(report: Report) -> dict[str, list[Row]]:
    """Return the tables by name, as rows of cells with the header first; shares are numbers from 0 to 1."""
    return {
        "progress": [_PROGRESS, *_progress(report)],
        "generations": _of_dicts(report.generations),
        "purchases": [("stage", "card", "count"), *_purchases(report)],
        "best_purchases": [("generation", "stage", "card", "count"), *_best_purchases(report)],
        "final_decks": [("generation", "card", "count"), *_decks(report)],
        "baselines": [
            ("baseline", "met", "rank", *INTERVAL, "alone", "tied", "place", "vp", "others_vp"),
            *_baselines(report),
        ],
        "table": [("rank", *INTERVAL, "vp_mean", "vp_p5", "vp_p50", "vp_p95"), *_entrants(report)],
        "seats": [("seat", *INTERVAL), *((seat, *_cells(win)) for seat, win in enumerate(report.table.seats, 1))],
        "endings": [("ended_by", "share"), *report.table.ended.items()],
        "turns": [("rank", "turn", "reached", "coins", "cards", "vp"), *_turns(report)],
        "cards_by_turn": [("rank", "turn", "card", "bought", "played", "owned"), *_cards(report)],
        "hall_of_fame": [("champion_of", "against", "win"), *_hall_of_fame(report)],
        "lineage": [("generation", "rank", "kind", "changed", "island"), *_lineage(report)],
    }


_PROGRESS = (
    "generation",
    *(f"big_money_{name}" for name in INTERVAL),
    *(f"first_generation_{name}" for name in INTERVAL),
)


def _cells(share: Share) -> tuple[float, float, float]:
    return share.share, share.low, share.high


def _of_dicts(rows: list[dict[str, Any]]) -> list[Row]:
    return [list(rows[0]), *(list(row.values()) for row in rows)]


def _progress(report: Report) -> Iterator[Row]:
    for one in report.fitness:
        yield one.generation, *_cells(one.against_big_money), *_cells(one.against_first_generation)


def _purchases(report: Report) -> Iterator[Row]:
    for stage, counts in report.purchases.by_stage.items():
        yield from ((stage, card, count) for card, count in counts.items())


def _best_purchases(report: Report) -> Iterator[Row]:
    for one in report.best_purchases:
        for stage, counts in one.bought.by_stage.items():
            yield from ((one.generation, stage, card, count) for card, count in counts.items())


def _decks(report: Report) -> Iterator[Row]:
    for one in report.fitness:
        yield from ((one.generation, card, count) for card, count in one.deck.items())


def _baselines(report: Report) -> Iterator[Row]:
    for one in report.baselines:
        yield (
            one.baseline,
            int(one.met),
            one.rank,
            *_cells(one.win),
            one.alone,
            one.tied,
            one.place,
            one.vp,
            one.others_vp,
        )


def _entrants(report: Report) -> Iterator[Row]:
    for one in report.table.entrants:
        yield one.rank, *_cells(one.win), one.vp.mean, one.vp.p5, one.vp.p50, one.vp.p95


def _turns(report: Report) -> Iterator[Row]:
    for one in report.turns:
        for at in range(one.n_turns):
            yield one.rank, at + 1, one.reached[at], one.coins[at], one.cards[at], one.vp[at]


def _cards(report: Report) -> Iterator[Row]:
    for one in report.turns:
        none = [0.0] * one.n_turns
        for card in sorted({*one.bought, *one.played, *one.deck}):
            columns = (counts.get(card, none) for counts in (one.bought, one.played, one.deck))
            yield from ((one.rank, turn, card, *at) for turn, at in enumerate(zip(*columns, strict=True), 1))


def _hall_of_fame(report: Report) -> Iterator[Row]:
    hall = report.hall_of_fame
    for mine, line in zip(hall.generations, hall.wins, strict=True):
        for other, win in zip(hall.generations, line, strict=True):
            yield mine, other, "" if win is None else win


def _lineage(report: Report) -> Iterator[Row]:
    for one in report.lineage.line if report.lineage else []:
        yield one.generation, one.rank, one.kind, "; ".join(one.changed), one.island
