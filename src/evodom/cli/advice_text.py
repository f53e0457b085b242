"""Advice as one screen of text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from evodom.advice.ablation import BETTER_WITHOUT, NEEDED, TRAP, WORTH_TRYING, with_verdicts
from evodom.advice.search import KEY_ENDS
from evodom.cli.results import short
from evodom.dominion.cards import BASIC
from evodom.report.layout import WIDTH, columns, counted, joined, listing, paragraph, percent

if TYPE_CHECKING:
    from evodom.advice.ablation import Trial
    from evodom.advice.finding import Advice
    from evodom.advice.openings import OpeningBuys
    from evodom.matches.intervals import Share

MOST_SHOWN = 3
"""So many cards that are needed, and so many traps."""

FEW = 0.5
"""Cards of which fewer are owned at the end are left out."""


def advice_text(facts: dict[str, Any], advice: Advice, seconds: float) -> str:
    """Return an advice as text."""
    parts = [
        [_title(facts, seconds)],
        list(_buys(advice)),
        _expected(facts, advice) + listing(dict(_opening_lines(advice.openings))),
        _cards(facts, advice),
        _after(facts, advice),
    ]
    return "\n\n".join("\n".join(lines) for lines in parts if lines)


def _title(facts: dict[str, Any], seconds: float) -> str:
    kingdom = facts["kingdom"]
    name = ", ".join(kingdom["cards"]) if kingdom["name"] == "custom" else kingdom["name"]
    where = f"{name}, {facts['players']} players"
    return paragraph(
        f"{where}: the best of {counted(facts['generations'], 'generation')} of each model, {seconds:.0f} s"
    )


def _buys(advice: Advice) -> Iterator[str]:
    yield "Buy the first of these that you can (a number: own no more than so many)"
    lists = [[f"{number:3}  {line}" for number, line in enumerate(each.lines, 1)] for each in advice.wording.lists]
    if len(lists) > 1:
        lists = [[each.when, *lines] for each, lines in zip(advice.wording.lists, lists, strict=True)]
    yield from columns(list(zip_longest(*lists, fillvalue="")), left=range(len(lists)))
    notes = {"Limit": "; ".join(advice.wording.notes)} if advice.wording.notes else {}
    deck = sorted(advice.deck.items(), key=lambda item: -item[1])
    owned = joined(f"{n:.1f} {name}" for name, n in deck if n >= FEW)
    yield from listing(notes | {"Greening": "; ".join(advice.greening), "Ends with": owned})


def _expected(facts: dict[str, Any], advice: Advice) -> list[str]:
    copies = "" if facts["players"] == 2 else f"{facts['players'] - 1} "
    par = percent(1 / facts["players"], 0)
    basic = {card.name for card in BASIC}
    cards = [f"{n:.1f} {name}" for name, n in advice.runner_up_deck.items() if n >= FEW and name not in basic]
    rows = [
        (f"  against {copies}big-money", _interval(advice.against_big_money), ""),
        (f"  against {copies}{shown(advice.runner_up)}", _interval(advice.against_runner_up), "the runner-up"),
    ]
    lines = [f"Wins, % (par {par}; 95 % intervals)", *columns(rows, left=(0, 2))]
    return lines + listing({"  which ends with": joined(cards)}) if cards else lines


def shown(name: str) -> str:
    """Return what to call a strategy in text: "buy-list:1" for the first of the run of buy lists."""
    key, _, rank = name.rpartition(":")
    for model, end in KEY_ENDS.items():
        if key.endswith(end):
            return f"{model}:{rank}"
    return name


def _opening_lines(openings: Sequence[OpeningBuys]) -> Iterator[tuple[str, str]]:
    """Tell the openings, the other order of the same hands only if it buys something else."""
    for one, other in zip(openings[::2], openings[1::2], strict=True):
        if sorted(one.buys) == sorted(other.buys):
            yield f"Open with {one.coins[0]}/{one.coins[1]}", _buys_of(one)
        else:
            for each in (one, other):
                yield f"Open with {each.coins[0]}/{each.coins[1]}", _buys_of(each)


def _buys_of(opening: OpeningBuys) -> str:
    text = f"{opening.buys[0]}, {opening.buys[1]}"
    return text if opening.share > 0.995 else f"{text} ({percent(opening.share, 0)} %)"


def _cards(facts: dict[str, Any], advice: Advice) -> list[str]:
    """Tell the cards it needs and the traps."""
    needed, traps = (with_verdicts(advice.trials, (verdict,)) for verdict in (NEEDED, TRAP))
    rows = [("Needs", trial.card, "without it", trial) for trial in needed[:MOST_SHOWN]]
    rows += [("Trap", trial.card, "with one of it", trial) for trial in traps[:MOST_SHOWN]]
    rows += [("Try", trial.card, "with one of it", trial) for trial in with_verdicts(advice.trials, (WORTH_TRYING,))]
    rows += [("Try", trial.card, "without it", trial) for trial in with_verdicts(advice.trials, (BETTER_WITHOUT,))]
    if not rows:
        return []
    lines = columns(
        [(what, card, how, _interval(trial.wins), _who(trial)) for what, card, how, trial in rows],
        left=(0, 1, 2, 4),
    )
    return [f"Changed by one card, wins against itself unchanged, % (par {percent(1 / facts['players'], 0)})", *lines]


def _who(trial: Trial) -> str:
    names = [name for name in trial.bought_by if ":" not in name] or list(trial.bought_by)
    return f"in {short(shown(names[0]))}" if trial.verdict == TRAP and names else ""


def _after(facts: dict[str, Any], advice: Advice) -> list[str]:
    found = advice.name if ":" in advice.name else f"the baseline {advice.name}"
    changes = f", changed: {', '.join(advice.changes)}" if advice.changes else ""
    lines = textwrap.wrap(f"Found as {found}{changes}; what hardly matters is left out.", WIDTH)
    if not advice.changes:
        lines.append(f"Play against it: {facts['play']}")
    return [*lines, f"Repeat: {facts['command']}"]


def _interval(share: Share) -> str:
    return f"{percent(share.share)} ({percent(share.low)}-{percent(share.high)})"
