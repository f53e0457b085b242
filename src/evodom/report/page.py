"""The report as one page of HTML that opens offline: no scripts, nothing to load, pictures inside."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import groupby
from typing import Any

from evodom.dominion.strategies.probe import Answer, Buys
from evodom.presentation.documents.common import said_of_attack
from evodom.presentation.format import NO_BREAK_HYPHEN, counted, decimal, percent
from evodom.presentation.page import style
from evodom.report.figures import Figures, grid
from evodom.report.findings import MET, against_big_money, deck_in_short, sentences, strongest
from evodom.report.text import ASKED, SHOWN_PURCHASES
from evodom.reports.census import STAGES
from evodom.reports.evolved import Report
from evodom.reports.measure import N_SAMPLES

SHOWN = 0.01
"""Probabilities below this are left out."""

SECTIONS = {
    "plays": "How it plays",
    "turns": "Turn by turn",
    "others": "Against others",
    "progress": "How it came about",
    "hall": "Hall of fame",
    "lineage": "Lineage",
    "game": "A game to read",
    "strategies": "The strategies as files",
}


def page(report: Report) -> str:
    """Return the page."""
    figures = Figures(report)
    content = {
        "plays": _plays(report),
        "turns": _turns(report, figures),
        "others": _others(report, figures),
        "progress": _progress(report, figures),
        "hall": _hall(report, figures),
        "lineage": _lineage(report, figures),
        "game": _game(report),
        "strategies": _strategies(report),
    }
    shown = {name: text for name, text in content.items() if text}
    links = "".join(f'<a href="#{name}">{SECTIONS[name]}</a>' for name in shown)
    sections = "".join(
        f'<section id="{name}" aria-labelledby="{name}-title"><h2 id="{name}-title">{SECTIONS[name]}</h2>'
        f"{text}</section>"
        for name, text in shown.items()
    )
    body = f"{_header(report, figures, links)}<main>{sections}</main>{_footer(report)}"
    return document(f"evodom: what run {report.run['key']} found", body)


def document(title: str, body: str) -> str:
    """Return a page of HTML that opens offline."""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{style('report')}{style('pictures')}</style></head><body>{body}</body></html>\n"
    )


def _header(report: Report, figures: Figures, links: str) -> str:
    options, own, hardest = report.run["options"], against_big_money(report), strongest(report)
    deck = deck_in_short(report.fitness[-1].deck)
    title = (
        f"{deck}: the strategy that run {report.run['key']} found" if deck else f"What run {report.run['key']} found"
    )
    where = f"{options['kingdom_name'] or 'custom kingdom'} · {counted(options['players'], 'player')}"
    numbers = {
        f"against {options['players'] - 1} Big Money": (points(own.win.share), interval(own.win)),
        f"against {hardest.baseline}, its hardest": (points(hardest.win.share), interval(hardest.win)),
        "rounds a game": (decimal(report.table.rounds.mean, 1), f"nine in ten {_range(report.table.rounds)}"),
        "VP to win with": (decimal(report.table.winner_vp.mean, 0), f"nine in ten {_range(report.table.winner_vp)}"),
    }
    return (
        f'<header><p class="eyebrow">evodom report · {escape(where)}</p><h1>{escape(title)}</h1>'
        f'<div class="first"><div><p class="lede">{escape(" ".join(sentences(report)))}</p>'
        f"{tiles(numbers)}</div>{figures.fitness()}</div>"
        f'<nav aria-label="Sections">{links}</nav></header>'
    )


def tiles(numbers: Mapping[str, tuple[str, str]]) -> str:
    """Return numbers as tiles; each has a name, the number as HTML, and a note under the name."""
    shown = "".join(
        f"<div><dt>{escape(name)}<br><small>{note}</small></dt><dd>{value}</dd></div>"
        for name, (value, note) in numbers.items()
    )
    return f'<dl class="tiles">{shown}</dl>'


def points(share: float) -> str:
    """Return a share in per cent, as HTML."""
    return f"{percent(share)}<small> %</small>"


def interval(share: Any) -> str:
    """Return an interval in per cent, in words."""
    return f"{percent(share.low)} to {percent(share.high)}"


def _range(spread: Any) -> str:
    return f"{spread.p5} to {spread.p95}"


def table(header: Sequence[str], rows: Iterable[Sequence[str]], *, left: int = 1, caption: str = "") -> str:
    """Return a table that scrolls inside the page where it is too wide; the first ``left`` columns hold text."""

    def cells(tag: str, row: Sequence[str]) -> str:
        kinds = ("" if index < left else ' class="n"' for index in range(len(row)))
        scope = ' scope="col"' if tag == "th" else ""
        return "".join(f"<{tag}{kind}{scope}>{escape(cell)}</{tag}>" for kind, cell in zip(kinds, row, strict=True))

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    told = f"<caption>{escape(caption)}</caption>" if caption else ""
    return (
        f'<div class="scroll" tabindex="0"><table>{told}<thead><tr>{cells("th", header)}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _plays(report: Report) -> str:
    traits = report.champion.traits
    rules = "".join(f"<li>{escape(rule)}</li>" for rule in traits.rules)
    listed = f'<ol class="rules">{rules}</ol>' if rules else ""
    facts = table(("what", "cards"), traits.facts.items(), left=2) if traits.facts else ""
    answers = grid(*(_answer_table(answer) for answer in report.champion.answers))
    return f"{_purchases(report)}<p>{escape(traits.buying)}</p>{listed}{facts}<p>{escape(ASKED)}</p>{answers}"


def _purchases(report: Report) -> str:
    """Return the table of what the champion buys in a game."""
    found = report.purchases
    total = sorted(((n, card) for card, n in found.in_all.items() if n >= SHOWN_PURCHASES), reverse=True)
    rows = [
        (card, *(decimal(found.by_stage[stage.name][card], 1) for stage in STAGES), decimal(n, 1)) for n, card in total
    ]
    caption = f"Cards the champion buys in a game, means of {found.n_games} games of the best against each other"
    stages = (stage.when.replace("-", NO_BREAK_HYPHEN) for stage in STAGES)
    return table(("bought", *stages, "in all"), rows, caption=caption)


def _answer_table(answer: Answer) -> str:
    rows = []
    for odds, group in groupby(answer.buys, lambda buys: ", ".join(_odds(buys))):
        alike = list(group)
        rows.append((_coins(alike[0].coins_from, alike[-1].coins_to), odds))
    caption = f"{answer.when.capitalize()}, asked {answer.n_tries} times each"
    return f"<div>{table(('coins', 'buys, in a hundred'), rows, left=2, caption=caption)}</div>"


def _odds(buys: Buys) -> list[str]:
    likely = sorted(buys.probabilities.items(), key=lambda item: -item[1])
    return [f"{name} {percent(odd, 0)}" for name, odd in likely if odd >= SHOWN]


def _coins(low: int, high: int | None) -> str:
    if high is None:
        return f"${low}+"
    return f"${low}" if low == high else f"${low}-{high}"


def _turns(report: Report, figures: Figures) -> str:
    champion, drawn = report.turns[0], figures.champion
    rows = [
        (str(at + 1), percent(champion.reached[at], 0), *(decimal(v[at], 1) for v in _columns(champion)))
        for at in range(champion.n_turns)
    ]
    detail = table(("turn", "games, %", "coins", "cards", "VP"), rows, left=0)
    return (
        f"<p>The {len(report.turns)} best of the last generation at one table. Means of {champion.n_games} games, of "
        "those that reach a turn; turns that fewer than one in ten reach are left out.</p>"
        f"{grid(figures.coins(), figures.vp(), drawn.bought(), drawn.deck(), drawn.played(), figures.cards())}"
        f"<details><summary>The champion's numbers</summary>{detail}</details>"
    )


def _columns(champion: Any) -> tuple[list[float], ...]:
    return champion.coins, champion.cards, champion.vp


def _others(report: Report, figures: Figures) -> str:
    rows = [
        (one.baseline + MET * one.met, str(one.rank), _share(one.win), percent(one.alone), percent(one.tied),
         decimal(one.place, 2), decimal(one.vp, 1), decimal(one.others_vp, 1))
        for one in report.baselines
    ]  # fmt: skip
    header = ("baseline", "rank", "win rate, %", "alone, %", "shared, %", "place", "VP", "their VP")
    detail = table(header, rows)
    players = report.run["options"]["players"]
    attacked = f"<p>{escape(said_of_attack(report.attack, players))}</p>" if report.attack else ""
    return (
        f"{attacked}<p>Each win rate is of {report.games} new games with seats rotated; a victory shared by k counts "
        "1/k. The whiskers are 95 % intervals (Wilson), the pale ends are shared victories, the dashed line is par.</p>"
        f"{grid(figures.baselines(), figures.entrants(), figures.seats(), figures.endings())}"
        f"<details><summary>All numbers, of the best three</summary>{detail}</details>"
    )


def _share(share: Any) -> str:
    return f"{percent(share.share)} ({percent(share.low)} to {percent(share.high)})"


def _progress(report: Report, figures: Figures) -> str:
    pictures = (figures.decks(), figures.diversity(), *figures.purchases(), figures.lengths())
    return (
        "<p>Champions of evenly spaced generations met Big Money again, as in the first picture of this page; what a "
        f"whole generation is like was saved as it evolved.</p>{grid(*pictures)}"
    )


def _hall(report: Report, figures: Figures) -> str:
    if len(report.hall_of_fame.generations) < 2:
        return ""
    others = report.run["options"]["players"] - 1
    return (
        f"<p>Does a later champion still beat an earlier one? Each row's champion meets {others} copies of each "
        f"column's: its share of the wins in {report.hall_of_fame.n_games} games, in per cent. Par is "
        f"{percent(1 / (others + 1), 0)}.</p>"
        f"{figures.hall_of_fame()}"
    )


def _lineage(report: Report, figures: Figures) -> str:
    lineage = report.lineage
    if lineage is None or len(lineage.line) < 2:
        return ""
    changed = [one for one in lineage.line if one.changed]
    rows = [(str(one.generation), one.kind, str(one.rank), ", ".join(one.changed)) for one in changed]
    detail = table((lineage.unit, "how", "rank", "differs from its parent in"), rows, left=4)
    pictures = [figures.line(), *([figures.ancestors()] if lineage.n_ancestors else [])]
    steps, times = counted(len(lineage.line) - 1, lineage.unit), counted(len(changed), "time")
    said = (
        f"The champion's line goes back to {lineage.beginning}. In {steps} it was changed {times}. Where there are two "
        f"parents, the line follows the one that ranked better. {lineage.told_of_islands}"
    )
    return f"<p>{said.rstrip()}</p>{grid(*pictures)}<details><summary>Every change</summary>{detail}</details>"


def _game(report: Report) -> str:
    sample = report.sample
    assert sample is not None, "a page is of a report in full"
    rounds = "".join(
        f"<li><h4>Round {number}</h4>{''.join(f'<p>{escape(line)}</p>' for line in lines)}</li>"
        for number, lines in enumerate(sample.rounds, 1)
    )
    standing = sorted(zip(sample.places, sample.names, sample.scores, strict=True))
    scores = ", ".join(f"{name} with {vp} VP" for _, name, vp in standing)
    return (
        f"<p>One game of the best, #1 being the champion: the first of median length of {N_SAMPLES}. It ended by "
        f"{escape(sample.end)}: {escape(scores)}.</p><details><summary>Read it, {len(sample.rounds)} rounds</summary>"
        f'<ol class="game">{rounds}</ol></details>'
    )


def _strategies(report: Report) -> str:
    files = "".join(
        f"<details><summary>#{rank}</summary><pre>{escape(text)}</pre></details>"
        for rank, text in enumerate(report.strategies, 1)
    )
    return f"<p>As strategy files: save one, change it, and let it play.</p>{files}"


def _footer(report: Report) -> str:
    facts = report.run
    options = {name.replace("_", " "): _plain(value) for name, value in facts["options"].items()}
    rows = {"seed of the run": str(facts["seed"]), "created": facts["created"] or "unknown", **options}
    rows["versions"] = ", ".join(f"{name} {version}" for name, version in facts["versions"].items()) or "unknown"
    listed = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in rows.items())
    return (
        f"<footer><h2>Settings</h2><dl>{listed}</dl><p>{counted(facts['n_generations'], 'generation')} done. Report "
        f"of {report.games} games a win rate, seed {report.seed}: <code>{escape(report.command)}</code></p></footer>"
    )


def _plain(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
