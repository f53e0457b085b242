"""Build the document of a solitaire race, the fewest turns to a number of Provinces or points, and the same in JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from evodom.dominion.solitaire import RaceSolution, Solitaire
from evodom.presentation.document import (
    Block,
    Cell,
    Code,
    DataColumn,
    DataTable,
    Document,
    Paragraph,
    Section,
    percent_column,
    text_column,
)
from evodom.presentation.format import counted, joined

MIN_SHARE = 0.001
"""The table of turns has the turns on which the optimal policy ends with at least this probability."""

MAX_LOSSES = 4
"""Maximum number of the costliest choices of Big Money that are listed."""

MIN_LOSS = 1e-7

MIN_WIDTH = 1e-12
"""Minimum width of the claimed bounds, because floats are rounded."""

MAX_OPENINGS = 8

MAX_RUNNERS = 2
"""Maximum number of policies in the table of turns."""

MAX_TURNS = 24
"""Maximum number of lines of the table of turns, which fit on one screen."""


def race_json(found: RaceSolution) -> dict[str, object]:
    """Return the answer as plain JSON types."""
    race, best = found.race, found.runners[0]
    return {
        "target": {"provinces": race.provinces} if race.vp is None else {"vp": race.vp},
        "start": dict(race.deck),
        "supply": dict(race.supply),
        "turns": {"low": best.low, "high": best.high},
        "states": found.n_states,
        "seconds": found.seconds,
        "policies": [
            {
                "name": runner.name,
                "turns": (runner.low + runner.high) / 2,
                "slower by": (runner.low + runner.high - best.low - best.high) / 2,
                "distribution": {str(turn): share for turn, share in sorted(runner.turns.items())},
            }
            for runner in found.runners
        ],
        "losses of Big Money": [asdict(loss) for loss in found.losses],
        "opening": [
            {"probability": float(opening.probability), "coins": opening.coins, "buys": opening.buys}
            for opening in found.openings
        ],
    }


def race_document(found: RaceSolution) -> Document:
    """Return the document of a race."""
    return Document("", [Section("", _blocks(found))])


def _blocks(found: RaceSolution) -> Iterator[Block]:
    best, *_ = found.runners
    yield Paragraph(_title(found.race))
    rows = [
        (
            runner.name,
            (runner.low + runner.high) / 2,
            "" if runner is best else f"{max(0.0, runner.low - best.low):.6f}",
        )
        for runner in found.runners
    ]
    yield DataTable([text_column(), DataColumn("turns", 6), DataColumn("slower by")], rows, name="policies")
    yield Paragraph(
        "Mean number of turns. The first line is optimal: proved to within "
        f"{max(best.high - best.low, MIN_WIDTH):.0e} turns, over {found.n_states:,} states in {found.seconds:.1f} s."
    )
    openings = [f"  coins {'/'.join(map(str, opening.coins))}  {', '.join(opening.buys)}" for opening in found.openings]
    yield Code("\n".join(["The fastest opening", *openings[:MAX_OPENINGS]]))
    if listed := [loss for loss in found.losses if loss.turns >= MIN_LOSS][:MAX_LOSSES]:
        columns = [
            DataColumn("to go"),
            DataColumn("coins"),
            text_column("Big Money buys"),
            text_column("better"),
            DataColumn("per 1,000 races", 2),
            DataColumn("turns lost", 6),
        ]
        costs = [(loss.to_go, loss.coins, loss.buys, loss.better, 1000 * loss.visits, loss.turns) for loss in listed]
        yield DataTable(columns, costs, "Choices in which Big Money is slower", name="losses")
    yield _turns(found)


def _title(race: Solitaire) -> str:
    target = counted(race.provinces, "Province") if race.vp is None else f"{race.vp} victory points"
    cards = joined(f"{n} {card}" for card, n in race.supply.items() if n)
    start = joined(f"{n} {card}" for card, n in race.deck.items() if n)
    return f"One player to {target}, from {start}; Supply: Provinces, {cards or 'nothing else'}"


def _turns(found: RaceSolution) -> DataTable:
    """Return the probability of each turn to be the last."""
    shown = found.runners[:MAX_RUNNERS]
    likely = [turn for turn, share in shown[0].turns.items() if share >= MIN_SHARE]
    rows: list[tuple[Cell, ...]] = [
        (str(turn), *(runner.turns.get(turn, 0.0) for runner in shown)) for turn in range(min(likely), max(likely) + 1)
    ]
    columns = [text_column("ends on turn, %"), *(percent_column(runner.name) for runner in shown)]
    return DataTable(columns, rows[:MAX_TURNS], name="turns")
