"""What a report comes to, in a few sentences: the first thing one reads, as text and on the page."""

from collections.abc import Sequence

from evodom.presentation.format import counted, percent
from evodom.reports.evolved import Against, Report

MET = " *"
"""What stands behind the name of a baseline that was met in evolution, or in training."""

BIG_MONEY = "big-money"

KEPT = 0.5
"""Cards a deck holds fewer of on average are not named."""

NAMED = 4
"""How many cards of a deck are named at most."""

STARTERS = ("Copper", "Estate", "Curse", "Province", "Duchy")
"""What every deck holds says nothing about it."""


def strongest(report: Report) -> Against:
    """Return how the champion did against the baseline it wins least against."""
    own = [one for one in report.baselines if one.rank == 1]
    return min(own, key=lambda one: one.win.share)


def against_big_money(report: Report) -> Against:
    """Return how the champion did against Big Money."""
    return next(one for one in report.baselines if (one.baseline, one.rank) == (BIG_MONEY, 1))


def told_of_met(report: Report) -> str:
    """Say which of the baselines were met in evolution, and so do not judge as strangers do."""
    options = report.run["options"]
    rivals = (options.get("rivals") or ()) if options["race"] else ()
    return said_of_met("evolution", rivals, is_any=any(one.met for one in report.baselines))


def said_of_met(where: str, rivals: Sequence[str], *, is_any: bool) -> str:
    """Say whether any of the baselines of a report were met in evolution, or in training, and who the rivals were."""
    told = f" Rivals: {', '.join(rivals)}." if rivals else ""
    if not is_any:
        return f"None of them was met in {where}.{told}"
    return f"Marked with {MET.strip()}: a rival in {where}, no independent judge.{told}"


def deck_in_short(deck: dict[str, float]) -> str:
    """Name the cards that make a deck what it is: "7 Silver, 4 Gold, 2 Militia"."""
    held = [(count, name) for name, count in deck.items() if count >= KEPT and name not in STARTERS]
    held.sort(key=lambda item: -item[0])
    return ", ".join(f"{count:.0f} {name}" for count, name in held[:NAMED])


def sentences(report: Report) -> list[str]:
    """Return what the run found: how strong the champion is, with which deck, and what it meets least well."""
    others = report.run["options"]["players"] - 1
    par = percent(1 / (others + 1), 0)
    big_money, hardest, table = against_big_money(report), strongest(report), report.table
    done = counted(report.run["n_generations"], "generation")
    found = [
        f"After {done} the champion wins {percent(big_money.win.share)} % of "
        f"its games against {_copies(others, 'Big Money')} (95 % interval {percent(big_money.win.low)} to "
        f"{percent(big_money.win.high)}; equals would win {par} %).",
    ]
    deck = deck_in_short(report.fitness[-1].deck)
    if deck:
        found.append(f"Its decks end with about {deck}.")
    if hardest.baseline != BIG_MONEY:
        found.append(f"It does least well against {_copies(others, hardest.baseline)}: {percent(hardest.win.share)} %.")
    found.append(
        f"Games of the best against each other last {table.rounds.mean:.1f} rounds and are won with "
        f"{table.winner_vp.mean:.0f} VP."
    )
    return found


def _copies(n: int, name: str) -> str:
    return f"{('no', 'one', 'two', 'three', 'four', 'five')[n]} {name}"
