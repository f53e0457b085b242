"""The tables of a report on a run of evolution that only CSV has: one row for each measured number."""

from collections.abc import Iterator, Sequence

from evodom.presentation.document import Cell, DataColumn, DataTable, Media
from evodom.reports.evolved import Report

Rows = Iterator[Sequence[Cell]]


def evolved_tables(report: Report) -> list[DataTable]:
    """Return the tables by name; shares are numbers from 0 to 1."""
    return [
        _table("progress", "generation big_money_win first_generation_win", _progress(report)),
        _table("generations", " ".join(report.generations[0]), (list(one.values()) for one in report.generations)),
        _table("purchases", "stage card count", _purchases(report)),
        _table("best_purchases", "generation stage card count", _best_purchases(report)),
        _table("final_decks", "generation card count", _decks(report)),
        _table("baselines", "baseline met rank win alone tied place vp others_vp", _baselines(report)),
        _table("endings", "ended_by share", iter(report.table.ended.items())),
        _table("turns", "rank turn reached coins cards vp", _turns(report)),
        _table("cards_by_turn", "rank turn card bought played owned", _cards(report)),
        _table("hall_of_fame", "champion_of against win", _hall_of_fame(report)),
        _table("lineage", "generation rank kind changed island", _lineage(report)),
    ]


def _table(name: str, columns: str, rows: Rows) -> DataTable:
    return DataTable([DataColumn(column) for column in columns.split()], list(rows), name=name, media=Media.CSV)


def _progress(report: Report) -> Rows:
    for one in report.fitness:
        yield one.generation, one.against_big_money, one.against_first_generation


def _purchases(report: Report) -> Rows:
    for stage, counts in report.purchases.by_stage.items():
        yield from ((stage, card, count) for card, count in counts.items())


def _best_purchases(report: Report) -> Rows:
    for one in report.best_purchases:
        for stage, counts in one.bought.by_stage.items():
            yield from ((one.generation, stage, card, count) for card, count in counts.items())


def _decks(report: Report) -> Rows:
    for one in report.fitness:
        yield from ((one.generation, card, count) for card, count in one.deck.items())


def _baselines(report: Report) -> Rows:
    for one in report.baselines:
        figures = one.alone, one.tied, one.place, one.vp, one.others_vp
        yield one.baseline, int(one.met), one.rank, one.win, *figures


def _turns(report: Report) -> Rows:
    for one in report.turns:
        for at in range(one.n_turns):
            yield one.rank, at + 1, one.reached[at], one.coins[at], one.cards[at], one.vp[at]


def _cards(report: Report) -> Rows:
    for one in report.turns:
        none = [0.0] * one.n_turns
        for card in sorted({*one.bought, *one.played, *one.deck}):
            columns = (counts.get(card, none) for counts in (one.bought, one.played, one.deck))
            yield from ((one.rank, turn, card, *at) for turn, at in enumerate(zip(*columns, strict=True), 1))


def _hall_of_fame(report: Report) -> Rows:
    hall = report.hall_of_fame
    for mine, line in zip(hall.generations, hall.wins, strict=True):
        yield from ((mine, other, win) for other, win in zip(hall.generations, line, strict=True))


def _lineage(report: Report) -> Rows:
    for one in report.lineage.line if report.lineage else []:
        yield one.generation, one.rank, one.kind, "; ".join(one.changed), one.island
