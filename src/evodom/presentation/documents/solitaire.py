"""The document of a race of one player alone: the fewest turns, the opening, and the costliest choices of Big Money."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evodom.dominion.solitaire import Solitaire, SolitaireAnswer
from evodom.presentation.document import Block, Cell, Column, DataTable, Document, Paragraph, Section, shares, words
from evodom.presentation.format import counted, joined

LEAST_SHARE = 0.001
"""The table of turns begins and ends with a turn on which the fastest play ends with at least this probability."""

LEAST_LOSS = 1e-7

LEAST_WIDTH = 1e-12
"""The narrowest proof that is claimed, because floats are rounded."""

MOST_LOSSES, MOST_OPENINGS = 4, 8

MOST_POLICIES = 2
"""The number of policies with a column in the table of turns."""

MOST_TURNS = 24
"""The most lines of the table of turns, so that it stays on one screen."""


def solitaire_document(found: SolitaireAnswer) -> Document:
    """Return the document of a race."""
    return Document("", [Section("", _blocks(found))])


def _blocks(found: SolitaireAnswer) -> Iterator[Block]:
    best, *others = found.policies
    yield Paragraph(_title(found.race))
    rows: list[Sequence[Cell]] = [(best.name, (best.low + best.high) / 2, "")]
    rows += [(one.name, (one.low + one.high) / 2, max(0.0, one.low - best.low)) for one in others]
    yield DataTable([words(), Column("turns", 6), Column("slower by", 6)], rows, name="policies")
    yield Paragraph(
        f"Turns are what it takes on average. No way of playing is faster than the first line: proved to within "
        f"{max(best.high - best.low, LEAST_WIDTH):.0e} turns, over {found.n_states:,} states in {found.seconds:.1f} s."
    )
    openings = [("/".join(map(str, one.coins)), ", ".join(one.buys)) for one in found.openings]
    yield DataTable([words("coins"), words("buys")], openings[:MOST_OPENINGS], "The fastest opening")
    losses = [loss for loss in found.losses if loss.turns >= LEAST_LOSS][:MOST_LOSSES]
    if losses:
        columns = [
            Column("to go"),
            Column("coins"),
            words("Big Money buys"),
            words("better"),
            Column("in 1,000 races", 2),
            Column("turns lost", 6),
        ]
        cells = [(one.to_go, one.coins, one.buys, one.better, 1000 * one.visits, one.turns) for one in losses]
        yield DataTable(columns, cells, "Where Big Money is slower", "losses")
    yield _turns(found)


def _title(race: Solitaire) -> str:
    target = counted(race.provinces, "Province") if race.vp is None else f"{race.vp} victory points"
    cards = joined(f"{n} {card}" for card, n in race.supply.items() if n)
    start = joined(f"{n} {card}" for card, n in race.deck.items() if n)
    return f"Alone to {target}, from {start}; to buy: Provinces, {cards or 'nothing else'}"


def _turns(found: SolitaireAnswer) -> DataTable:
    policies = found.policies[:MOST_POLICIES]
    likely = [turn for turn, share in policies[0].turns.items() if share >= LEAST_SHARE]
    turns = range(min(likely), max(likely) + 1)
    columns = [words("won on turn, %"), *(shares(one.name) for one in policies)]
    rows: list[Sequence[Cell]] = [(str(turn), *(one.turns.get(turn, 0.0) for one in policies)) for turn in turns]
    return DataTable(columns, rows[:MOST_TURNS], name="turns")
