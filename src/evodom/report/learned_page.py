"""The report of a run of learning as one page of HTML that opens offline."""

from html import escape

from evodom.dominion.kingdom import CUSTOM
from evodom.presentation.charts import Bar, Series, bars, lines
from evodom.presentation.text import counted
from evodom.report.figures import TurnFigures, card_colours, figure, grid
from evodom.report.learned_text import (
    BIG_MONEY,
    TEACHING,
    attacked,
    buys,
    copies,
    hardest_of,
    judges,
    met,
    opening_lines,
    other_habits,
    sentences,
)
from evodom.report.page import document, interval, points, table, tiles
from evodom.reports.learned import LearnedReport


def learned_page(report: LearnedReport) -> str:
    """Return the page."""
    tables = [
        table(("coins", "bought, %"), rows.items(), left=2, caption=stage)
        for stage, rows in buys(report.habits).items()
    ]
    drawn = TurnFigures(report.turns, card_colours(report.options.kingdom.cards))
    sections = {
        "How it opens": table(
            ("coins", "buys"), (line.split(" ", 1) for line in opening_lines(report.openings)), left=2
        ),
        "What it buys": grid(*tables),
        "Turn by turn": grid(drawn.bought(), drawn.deck(), drawn.played()),
        "What else it does": table(("what", "cards"), other_habits(report.habits).items(), left=2),
        "How well it can be exploited": "".join(f"<p>{escape(told)}</p>" for told in attacked(report)),
        "How it learned": _course(report),
    }
    shown = {title: content for title, content in sections.items() if content}
    body = "".join(f"<section><h2>{escape(title)}</h2>{content}</section>" for title, content in shown.items())
    footer = f"<footer><p>Made by: <code>{escape(report.command)}</code></p></footer>"
    return document(f"evodom: what run {report.key} learned", f"{_header(report)}<main>{body}</main>{footer}")


def _header(report: LearnedReport) -> str:
    options, (hardest, least) = report.options, hardest_of(report)
    shown = {f"against {copies(report, BIG_MONEY)}": report.judges[BIG_MONEY]}
    if hardest != BIG_MONEY:
        shown[f"against {copies(report, hardest)}, its hardest"] = least
    if report.attack:
        shown[f"the best reply to it, after {report.attack.n_games:,} games"] = report.attack.wins
    numbers = {name: (points(share.share), interval(share)) for name, share in shown.items()}
    kingdom = "custom kingdom" if options.kingdom.name == CUSTOM else options.kingdom.name
    where = f"{kingdom} · {counted(options.players, 'player')}"
    return (
        f'<header><p class="eyebrow">evodom report · {escape(where)}</p><h1>What run {escape(report.key)} learned</h1>'
        f'<div class="first"><div><p class="lede">{escape(" ".join(sentences(report)))}</p>{tiles(numbers)}</div>'
        f"{_judges(report)}</div></header>"
    )


def _judges(report: LearnedReport) -> str:
    rows = [Bar(name, share.share, share.low, share.high) for name, share in judges(report).items()]
    note = f"Win rate against copies of each, %. {met(report)}"
    return figure("Against baselines", note, bars("Wins against baselines", rows, par=1 / report.options.players))


def _course(report: LearnedReport) -> str:
    """Draw what the best start won against its rivals at each checkpoint."""
    course = Series("against its rivals", "c0", [100 * one.share for one in report.stages])
    games = [one.games / 1000 for one in report.stages]
    rivals = ", ".join((TEACHING, *report.options.rivals))
    note = f"Win rate of its best start against its rivals, %: {rivals}."
    par = 100 / report.options.players
    chart = lines("Wins, %", games, [course], ("thousand games", "% of the wins"), par=par)
    return figure("Wins by checkpoint", note, chart, single=True)
