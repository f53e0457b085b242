"""Advice as sections of a page: the list to follow, what to expect, the deck, the cards, and how far to trust it."""

from collections.abc import Iterator
from html import escape
from typing import Any

from evodom.advice.ablation import BETTER_WITHOUT, NEEDED, NO_MATTER, OWNED, TRAP, UNCLEAR, WORTH_TRYING, Trial
from evodom.advice.finding import Advice
from evodom.presentation.charts import Bar, BarChart
from evodom.presentation.documents.learned import buy_tables, opening_rows, other_habits
from evodom.presentation.format import counted, percent
from evodom.presentation.page import element
from evodom.report.advice_text import greens, shown
from evodom.report.figures import figure, grid
from evodom.report.page import interval, points, table, tiles
from evodom.statistics import Share

FEWEST = 0.05
"""Cards of which fewer are owned at the end are left out of the picture."""

BASIC_COLOURS = {
    "Copper": "copper",
    "Silver": "silver",
    "Gold": "gold",
    "Estate": "estate",
    "Duchy": "duchy",
    "Province": "province",
    "Curse": "curse",
}

VERDICTS = {
    NEEDED: ("needed", "c2"),
    TRAP: ("a trap", "c1"),
    WORTH_TRYING: ("worth trying", "c0"),
    BETTER_WITHOUT: ("better without", "c0"),
    NO_MATTER: ("no difference", "c7"),
    UNCLEAR: ("unclear", "c7"),
}
"""What is said of a card, and the colour of its bar."""


def advice_sections(facts: dict[str, Any], advice: Advice, seconds: float) -> str:
    """Return an advice as HTML, without the frame of a page; everything in it is escaped."""
    par = 1 / facts["players"]
    parts = {
        "expect": ("What to expect", _expected(facts, advice)),
        "list": ("To follow by hand", _list(advice)),
        "open": ("How to open", _openings(advice)),
        "deck": ("The deck at the end", _deck(advice)),
        "cards": ("Card by card", _cards(advice, par)),
        "trust": ("How far to trust it", _trust(facts, advice, par)),
        "habits": ("What the learned player does", _habits(advice)),
        "made": ("How it was found", _made(facts, advice, seconds)),
    }
    return "".join(
        f'<section id="{name}" aria-labelledby="{name}-title"><h2 id="{name}-title">{title}</h2>{content}</section>'
        for name, (title, content) in parts.items()
        if content
    )


def _expected(facts: dict[str, Any], advice: Advice) -> str:
    others = facts["players"] - 1
    money = "Big Money" if others == 1 else f"{others} Big Money"
    numbers = {
        f"against {money}": _tile(advice.against_big_money),
        f"against the runner-up, {shown(advice.runner_up)}": _tile(advice.against_runner_up),
    }
    if advice.followed is not None:
        numbers |= {f"the list below, against {money}": _tile(advice.plan_against_big_money)}
    learned = advice.followed is not None
    what = (
        f"The best player found is a learned one, {shown(advice.name)}: it plays by a network. The list below is "
        "the nearest to it that people can follow."
        if learned
        else f"The best player found follows the list below, {shown(advice.name)}."
    )
    equals = percent(1 / facts["players"], 0)
    par = f"Wins in per cent; equals would win {equals}. 95 % intervals of {facts['games']:,} games."
    return f'<p class="lede">{escape(what)}</p>{tiles(numbers)}<p class="note">{escape(par)}</p>'


def _tile(share: Share) -> tuple[str, str]:
    return points(share.share), interval(share)


def _list(advice: Advice) -> str:
    """Return the list that people can follow."""
    told = (
        "Whenever you buy, take the first line that you can afford and whose condition holds. A number says how many "
        "to own at most."
    )
    if advice.followed is not None:
        told += f" It wins {percent(advice.followed.share, 0)} % against the learned player."
    lists = "".join(
        f"<div>{f'<h3>{escape(order.when.capitalize())}</h3>' if order.when else ''}"
        f'<ol class="plan">{"".join(f"<li>{_line(line)}</li>" for line in order.lines)}</ol></div>'
        for order in advice.wording.lists
    )
    notes = "".join(f"<li>{escape(note)}</li>" for note in advice.wording.notes)
    return f"<p>{escape(told)}</p>{grid(lists)}" + (f'<ul class="note">{notes}</ul>' if notes else "")


def _line(line: str) -> str:
    """Return a line of a list, its condition apart from the card."""
    for word in (" once ", " until ", " from ", " while ", " if "):
        card, found, rest = line.partition(word)
        if found:
            return f"<b>{escape(card)}</b> <span>{escape(word.strip())} {escape(rest)}</span>"
    return f"<b>{escape(line)}</b>"


def _openings(advice: Advice) -> str:
    rows = [(coins.replace("/", " then "), cards) for coins, cards in opening_rows(advice.openings)]
    return table(("coins", "buy"), rows, left=2)


def _deck(advice: Advice) -> str:
    """Draw what the answer owns at the end, and the runner-up beside it."""
    note = "; ".join(filter(None, ("Cards owned on average", greens(advice)))) + "."
    pictures = [figure(f"The answer, {shown(advice.name)}", note, _amounts(advice.deck, "The deck of the answer"))]
    pictures.append(
        figure(
            f"The runner-up, {shown(advice.runner_up)}",
            "The next best whose deck differs in three cards or more.",
            _amounts(advice.runner_up_deck, "The deck of the runner-up"),
        )
    )
    return grid(*pictures)


def _amounts(deck: dict[str, float], title: str) -> str:
    rows = sorted(((n, card) for card, n in deck.items() if n >= FEWEST), reverse=True)
    return BarChart([Bar(card, n, colour=BASIC_COLOURS.get(card, "c0")) for n, card in rows], is_percent=False).svg(
        title
    )


def _cards(advice: Advice, par: float) -> str:
    """Draw what each kingdom card changes."""
    rows = [
        Bar(f"{'without' if _is_owned(one) else 'with'} {one.card}", one.wins.share, one.wins.low, one.wins.high,
            colour=VERDICTS[one.verdict][1])
        for one in advice.trials
    ]  # fmt: skip
    note = (
        "The answer without a card that it buys, or with one that it does not, against itself as it is. A bar that "
        "ends left of par says that the change makes it worse."
    )
    picture = figure(
        "Changed by one card, wins in per cent", note, BarChart(rows, par=par).svg("Wins changed by one card")
    )
    said = [(one.card, _said(one), f"{one.owned:.1f}") for one in advice.trials]
    listed = table(("card", "verdict", "owned at the end"), said, left=2)
    return f'<div class="grid">{picture}<div>{listed}</div></div>'


def _is_owned(trial: Trial) -> bool:
    """Tell whether the answer buys a card, so that it was tried without."""
    return trial.owned >= OWNED


def _said(trial: Trial) -> str:
    """Return what is said of a card; one that does not look good is no trap."""
    return VERDICTS[trial.verdict][0] if trial.looks_good or trial.verdict != TRAP else "makes it worse"


def _trust(facts: dict[str, Any], advice: Advice, par: float) -> str:
    """Draw how the answer does against all who might be better."""
    rows = [_bar(shown(advice.hardest.name), advice.hardest.wins, "c1")]
    rows += [_bar(one.name, one.wins, "c4") for one in advice.own]
    rows += [_bar(shown(one.name), one.wins, "c0") for one in advice.searches]
    legend = [("the hardest opponent", "c1"), ("the best of another search", "c0")] + [("yours", "c4")] * bool(
        advice.own
    )
    said = list(_doubts(facts, advice, par))
    note = "Wins of the answer against each. Searches that found something as good end near par."
    chart = BarChart(rows, par=par).svg("Wins of the answer")
    picture = figure("Against those who might be better, %", note, chart, legend, single=True)
    return picture + "".join(f"<p>{escape(line)}</p>" for line in said)


def _bar(label: str, wins: Share, colour: str) -> Bar:
    return Bar(label, wins.share, wins.low, wins.high, colour=colour)


def _doubts(facts: dict[str, Any], advice: Advice, par: float) -> Iterator[str]:
    if advice.hardest.wins.high < par:
        yield f"Below par against {shown(advice.hardest.name)}: whoever plays that does better against it."
    if advice.reply is not None:
        became = " Better in all, it became the answer." if advice.reply.taken else ""
        yield (
            f"Attacked: the best reply that a learner found in {advice.reply.n_games:,} games wins "
            f"{percent(advice.reply.wins.share)} % ({interval(advice.reply.wins)}).{became}"
        )


def _habits(advice: Advice) -> str:
    """Return what a learned player buys by stage and coins, folded."""
    if advice.habits is None:
        return ""
    tables = map(element, buy_tables(advice.habits))
    rest = table(("what", "cards"), other_habits(advice.habits).items(), left=2)
    return f"<details><summary>What it buys, by stage and coins</summary>{grid(*tables)}{rest}</details>"


def _made(facts: dict[str, Any], advice: Advice, seconds: float) -> str:
    ranking = ", ".join(map(shown, advice.ranking[:_RANKED]))
    changed = f"Found as {shown(advice.name)}, changed: {', '.join(advice.changes)}." if advice.changes else ""
    told = (
        f"The best of {facts['learned_games']:,} games of learning and {counted(facts['generations'], 'generation')} "
        f"of each model, found in {seconds:.0f} s. The tournament ended: {ranking}.",
        changed if advice.followed is None else "",
    )
    said = "".join(f"<p>{escape(line)}</p>" for line in told if line)
    title = "As much, by counts, at a terminal:" if "minutes" in facts else "Repeat it at a terminal:"
    return f'{said}<p>{title}</p><pre tabindex="0"><code>{escape(facts["command"])}</code></pre>'


_RANKED = 6
"""So many places of the tournament are told."""
