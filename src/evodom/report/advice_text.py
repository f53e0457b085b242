"""Advice as one screen of text."""

from __future__ import annotations

import textwrap
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from evodom.advice.ablation import BETTER_WITHOUT, NEEDED, TRAP, UNCLEAR, WORTH_TRYING, with_verdicts
from evodom.advice.runs import KEY_ENDS
from evodom.presentation.documents.learned import buy_tables, deck_text, opening_rows, other_habits
from evodom.presentation.format import counted, joined, percent, short_name, with_interval
from evodom.presentation.text import WIDTH, TextLayout, columns, lines_of, listing, paragraph

if TYPE_CHECKING:
    from evodom.advice.ablation import Trial
    from evodom.advice.finding import Advice
    from evodom.learning.habits import Habits

MOST_SEARCHES = 2
"""So many of the other searches, those that come nearest."""

MOST_SHOWN = 3
"""So many cards that are needed, and so many traps."""

MOST_IN_DECK = 8
"""So many cards of a deck are told on one screen."""

SCREEN = 24
"""Lines of a terminal."""

COMMANDS = 3
"""Lines of commands at the end of the screen."""

ONE_COLUMN = 5
"""A list of more lines is set in two columns."""


def advice_text(facts: dict[str, Any], advice: Advice, seconds: float, *, full: bool = False) -> str:
    """Return an advice as text: one screen of it, or with ``full`` all."""
    parts = [
        _title(facts, seconds).splitlines(),
        _answer(facts, advice, full=full),
        _list(advice, full=full),
        listing(checks(facts, advice, full=full)),
        _cards(facts, advice, full=full),
        *([_habits(advice.habits)] if full and advice.habits else []),
        _after(facts, advice),
    ]
    if full:
        return "\n\n".join("\n".join(lines) for lines in parts if lines)
    cards, too_many = parts[4], sum(map(len, parts)) - SCREEN
    if too_many > 0:  # what is said last of the cards matters least
        del cards[max(len(cards) - too_many, 1) :]
        del parts[-1][: min(max(sum(map(len, parts)) - SCREEN, 0), len(parts[-1]) - COMMANDS)]
        if sum(map(len, parts)) > SCREEN:
            parts[3] = listing({name: told for name, told in checks(facts, advice).items() if name != "Agree"})
    return "\n".join(line for lines in parts for line in lines)


def _habits(habits: Habits) -> list[str]:
    tables = [line for table in buy_tables(habits) for line in lines_of(table, TextLayout())]
    return ["What it buys, by stage and coins, %", *tables, "", *listing(other_habits(habits))]


def _title(facts: dict[str, Any], seconds: float) -> str:
    kingdom = facts["kingdom"]
    marked = (f"{card}*" if card in kingdom["drawn"] else card for card in kingdom["cards"])
    name = ", ".join(marked) if kingdom["name"] == "custom" else kingdom["name"]
    drawn = " (* drawn)" if kingdom["drawn"] else ""
    games = f"{facts['learned_games']:,} games of learning and "
    return paragraph(
        f"{name}{drawn}, {facts['players']} players: the best of {games}"
        f"{counted(facts['generations'], 'generation')} of each model, {seconds:.0f} s"
    )


def _answer(facts: dict[str, Any], advice: Advice, *, full: bool) -> list[str]:
    """Tell what is best: what it ends with, how it opens, and what it wins."""
    what = "a learned player" if advice.followed is not None else "the list below"
    beaten = f"; {shown(advice.hardest.name)} beats it" if is_beaten(facts, advice) else ""
    rows = {
        "Best": f"{what}, {shown(advice.name)}{beaten}",
        "Open": "; ".join(map(" ".join, opening_rows(advice.openings))),
        "Deck": "; ".join(filter(None, (deck_text(advice.deck, None if full else MOST_IN_DECK), greens(advice)))),
        "Wins": f"{with_interval(advice.against_big_money)} % against {_copies(facts)}big-money, "
        f"{with_interval(advice.against_runner_up)} % against the runner-up, {shown(advice.runner_up)} "
        f"(par {percent(1 / facts['players'], 0)}, 95 % intervals)",
    }
    return listing(rows)


def _copies(facts: dict[str, Any]) -> str:
    return "" if facts["players"] == 2 else f"{facts['players'] - 1} "


def greens(advice: Advice) -> str:
    """Return when a learned player buys its first Province and Duchy."""
    turns = advice.habits.greens_from if advice.habits else {}
    return joined(f"{name} on turn {turns[name]:.0f}" for name in ("Province", "Duchy") if name in turns)


def _list(advice: Advice, *, full: bool) -> list[str]:
    """Return the list that people can follow, and what it wins."""
    wins = f"wins {with_interval(advice.plan_against_big_money)} % against big-money"
    if advice.followed is not None:
        wins += f", {with_interval(advice.followed)} % against the learned player"
    head = textwrap.wrap(f"To follow by hand, buy the first that you can (a number: own no more); {wins}", WIDTH)
    lists = [[f"{number:2}  {line}" for number, line in enumerate(each.lines, 1)] for each in advice.wording.lists]
    if len(lists) > 1:
        lists = [[each.when, *lines] for each, lines in zip(advice.wording.lists, lists, strict=True)]
    elif not full and len(lists[0]) > ONE_COLUMN:
        lists = _in_two(lists[0])
    lines = _beside(lists)
    notes = {"Limit": "; ".join(advice.wording.notes)} if advice.wording.notes else {}
    return [*head, *lines, *(listing(notes) if notes else ())]


def _in_two(lines: list[str]) -> list[list[str]]:
    """Cut a list in the middle, into two that stand beside each other; a line that is too long goes on below."""
    half = -(-len(lines) // 2)
    whole = max(map(len, lines[:half])) + 2 + max(map(len, lines[half:])) <= WIDTH
    width = WIDTH if whole else (WIDTH - 2) // 2
    return [
        [part for line in some for part in textwrap.wrap(line, width, subsequent_indent=" " * 4, drop_whitespace=False)]
        for some in (lines[:half], lines[half:])
    ]


def _beside(lists: list[list[str]]) -> list[str]:
    """Return lists as lines, one beside the other."""
    return columns(list(zip_longest(*lists, fillvalue="")), left=range(len(lists)))


def checks(facts: dict[str, Any], advice: Advice, *, full: bool = False) -> dict[str, str]:
    """Return how far the answer can be trusted: the hardest opponent, the other searches, the best reply."""
    met = advice.hardest
    below = ", below par" * is_beaten(facts, advice)
    rows = {"Hardest": f"against {shown(met.name)} it wins {with_interval(met.wins)} %{below}"}
    if advice.own:
        rows["Yours"] = "; ".join(f"against {each.name} it wins {with_interval(each.wins)} %" for each in advice.own)
    if advice.searches:
        others = advice.searches if full else sorted(advice.searches, key=lambda met: met.wins.share)[:MOST_SEARCHES]
        rows["Agree"] = "against other searches it wins " + joined(
            f"{percent(each.wins.share, 0)} % ({shown(each.name)})" for each in others
        )
    if advice.reply:
        became = ": better in all, and now the answer" if advice.reply.taken else ""
        rows["Attacked"] = (
            f"the best reply of {advice.reply.n_games:,} games wins {with_interval(advice.reply.wins)} %{became}"
        )
    return rows


def is_beaten(facts: dict[str, Any], advice: Advice) -> bool:
    """Tell whether the answer wins less than its par against the hardest opponent it met."""
    return bool(advice.hardest.wins.high < 1 / facts["players"])


def shown(name: str) -> str:
    """Return what to call a strategy in text: "buy-list:1" for the first of the run of buy lists."""
    key, _, rank = name.rpartition(":")
    for model, end in KEY_ENDS.items():
        if key.endswith(end):
            return f"{model}:{rank}"
    return name


def _cards(facts: dict[str, Any], advice: Advice, *, full: bool) -> list[str]:
    """Tell the cards it needs, the traps, and what is unclear."""
    most = None if full else MOST_SHOWN
    rows = [
        (what, trial.card, how, trial)
        for what, how, verdict in (
            ("Needs", "without it", NEEDED),
            ("Trap", "with one of it", TRAP),
            ("Try", "with one of it", WORTH_TRYING),
            ("Try", "without it", BETTER_WITHOUT),
        )
        for trial in with_verdicts(advice.trials, (verdict,))[:most]
    ]
    unclear = joined(trial.card for trial in advice.trials if trial.verdict == UNCLEAR)
    if not rows and not unclear:
        return []
    lines = []
    if rows and full:
        lines = columns(
            [(what, card, how, with_interval(trial.wins), _who(trial)) for what, card, how, trial in rows],
            left=(0, 1, 2, 4),
        )
        lines.insert(0, f"Changed by one card, wins against itself, % (par {percent(1 / facts['players'], 0)})")
    elif rows:
        told: dict[str, list[str]] = {}
        for what, card, how, trial in rows:
            wins = f"{percent(trial.wins.share, 0)} %"
            cards, said = told.setdefault(what, []), how.removesuffix(" of it")
            # How it was changed is said once, unless it varies.
            cards.append(f"{card} ({wins} {said})" if what == "Try" or not cards else f"{card} ({wins})")
        lines = listing({what: joined(cards) for what, cards in told.items()})
    return lines + (listing({"Unclear": f"{unclear} (searches differ)"}) if unclear else [])


def _who(trial: Trial) -> str:
    names = [name for name in trial.bought_by if ":" not in name] or list(trial.bought_by)
    return f"in {short_name(shown(names[0]))}" if trial.verdict == TRAP and names else ""


def _repeating(facts: dict[str, Any]) -> str:
    """Return the label of an answer's command. A search by time cannot be repeated exactly."""
    return "As much by counts" if "minutes" in facts else "Repeat"


def _after(facts: dict[str, Any], advice: Advice) -> list[str]:
    if advice.followed is None and advice.changes:
        found = textwrap.wrap(f"Found as {advice.name}, changed: {', '.join(advice.changes)}.", WIDTH)
    else:
        found = []
    whom = "it" if facts["plays_answer"] else "the best that is saved"
    listed = f"{facts['list']} > mine.toml (or --export FILE)" if facts.get("list") else "repeat it with --export FILE"
    return [
        *found,
        f"Play against {whom}: {facts['play']}",
        f"The list as a file: {listed}",
        f"{_repeating(facts)}: {facts['command']}",
    ]
