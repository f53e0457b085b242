"""The report of a training for fights as text, and as one page of HTML that opens offline."""

from __future__ import annotations

from html import escape

from evodom.learning.fights import ACT
from evodom.presentation.charts import Series, lines
from evodom.presentation.text import columns, counted, decimal, paragraph, percent, with_interval
from evodom.report.figures import figure, grid
from evodom.report.page import document, interval, points, table, tiles
from evodom.reports.fights import JUDGED, FightReport, FirstTurn, Judged
from evodom.statistics import IntervalEstimate


def render_fights(report: FightReport) -> str:
    """Return the report as text."""
    parts = [
        [paragraph(_sentence(report))],
        *([paragraph(line) for line in _said(one)] for one in report.judged),
        ["How it learned", *columns([_HEADER, *_rows(report)], left=())],
    ]
    for number, turn in enumerate(report.first_turns, 1):
        rows = columns([("visits, %", "worth", "lost, %", "move"), *_moves(turn)], left=(3,))
        parts.append([f"First turn {number}: {turn.enemies}", f"Hand: {turn.hand}", *rows])
    parts.append([f"Repeat: {report.command}"])
    return "\n\n".join("\n".join(part) for part in parts)


_HEADER = ("games", "paid without noise", "paid in all", "lost, %", "loss: moves", "gain", "death")


def _sentence(report: FightReport) -> str:
    options = report.options
    begun = "It began as the network of act 1." if options.begin == ACT else "It began with nothing."
    return (
        f"Run {report.key} is a network that learned from {len(report.iterations):,} iterations of {options.games:,} "
        f"games, {counted(options.simulations, 'simulation')} a move, seed {report.seed}. {begun}"
    )


def _said(one: Judged) -> list[str]:
    """Return what is told of a fight."""
    said = f"{one.name}: {_number(one.hp)} HP left, {with_interval(one.death)} % lost."
    if one.optimum is None:
        return [said, "What is the best is not known: solving the fight takes too much for a report."]
    best = f"The best that can be expected pays {one.optimum:.3f}; it came to {_number(one.value)}"
    if one.away is None or not one.optimum:
        return [said, f"{best}."]
    share = percent(1 - one.away.value / one.optimum)
    return [
        said,
        f"{best}. By exact values, its moves give away {one.away.value:.3f} ({max(one.away.low, 0):.3f} to "
        f"{one.away.high:.3f}) a fight, in {JUDGED} fights: it reaches {share} %.",
    ]


def _number(value: IntervalEstimate) -> str:
    return f"{value.value:.2f} ({value.low:.2f} to {value.high:.2f})"


def _rows(report: FightReport) -> list[tuple[str, ...]]:
    return [
        (
            f"{one.games:,}",
            decimal(None if one.straight is None else one.straight[0], 2),
            decimal(one.value, 2),
            percent(one.deaths),
            *(f"{loss:.4f}" for loss in (one.loss_moves, one.loss_gain, one.loss_death)),
        )
        for one in report.iterations
    ]


def _moves(turn: FirstTurn) -> list[tuple[str, ...]]:
    return [(percent(share), f"{value:.2f}", percent(death), name) for name, share, value, death in turn.moves]


def fights_page(report: FightReport) -> str:
    """Return the page."""
    turns = "".join(
        f"<h3>{escape(turn.enemies)}</h3><p>Hand: {escape(turn.hand)}</p>"
        f"{table(('visits, %', 'worth', 'lost, %', 'move'), _moves(turn), left=0)}"
        for turn in report.first_turns
    )
    sections = {
        "How well it plays": "".join(f"<p>{escape(' '.join(_said(one)))}</p>" for one in report.judged),
        "How it learned": _course(report) + table(_HEADER, _rows(report), left=0) if report.iterations else "",
        "First turns": f"<p>What 1,000 simulations with the network find.</p>{turns}",
    }
    body = "".join(f"<section><h2>{escape(title)}</h2>{text}</section>" for title, text in sections.items() if text)
    footer = f"<footer><p>Made by: <code>{escape(report.command)}</code></p></footer>"
    return document(f"evodom: what run {report.key} learned", f"{_header(report)}<main>{body}</main>{footer}")


def _header(report: FightReport) -> str:
    first = report.judged[0]
    numbers = {
        "HP left": (decimal(first.hp.value, 1), f"{first.hp.low:.1f} to {first.hp.high:.1f}"),
        "of the fights lost": (points(first.death.share), interval(first.death)),
    }
    if first.optimum and first.away is not None:
        low, high = (1 - bound / first.optimum for bound in (first.away.high, max(first.away.low, 0)))
        share = points(1 - first.away.value / first.optimum)
        numbers["of the best that can be expected"] = (share, f"{percent(low)} to {percent(high)}")
    return (
        f'<header><p class="eyebrow">evodom report · {escape(first.name)}</p>'
        f"<h1>What run {escape(report.key)} learned</h1>"
        f'<p class="lede">{escape(_sentence(report))}</p>{tiles(numbers)}</header>'
    )


def _course(report: FightReport) -> str:
    """Draw what the games of each iteration paid, how many were lost, and the losses of learning."""
    games = [one.games / 1000 for one in report.iterations]
    axes = "thousand games"
    known = [(x, one.straight) for x, one in zip(games, report.iterations, strict=True) if one.straight is not None]
    best = report.judged[0].optimum if len(report.judged) == 1 else None
    pictures = []
    if known:
        values, low, high = zip(*(straight for _, straight in known), strict=True)
        course = Series("without noise", "c0", values, low, high)
        chart = lines("What games paid", [x for x, _ in known], [course], (axes, "paid"), par=best)
        note = "Games played as well as it could, with intervals of 95 %."
        pictures.append(figure("What games paid", f"{note}{_DASHED if best is not None else ''}", chart))
    deaths = Series("lost", "c1", [100 * one.deaths for one in report.iterations])
    chart = lines("Lost, %", games, [deaths], (axes, "% lost"))
    pictures.append(figure("Fights lost", "All games, those with noise too.", chart))
    losses = Series("moves", "c2", [one.loss_moves for one in report.iterations])
    chart = lines("Loss of the moves", games, [losses], (axes, "nats"))
    pictures.append(figure("How well it foretells the search", "Cross-entropy of the moves that were tried.", chart))
    return grid(*pictures)


_DASHED = " The dashed line is the best that can be expected."
