"""The report of a run of learning as text, and what a learned player does in words."""

from collections.abc import Mapping

from evodom.dominion.kingdom import CUSTOM
from evodom.intervals import Share
from evodom.learning.habits import Habits
from evodom.report.attack import said_of
from evodom.report.findings import MET, said_of_met
from evodom.report.layout import columns, decimal, joined, listing, paragraph, percent, with_interval
from evodom.report.learned import LearnedReport

BIG_MONEY = "big-money"

LEAST_COINS = 2
"""With fewer coins there is nothing to choose."""

SHOWN_CHOICES = 4
SHOWN_SHARE = 0.005
"""So many choices are told of a position, those of less than half a per cent left out."""

SOME = 0.05
"""Cards of which fewer are trashed a game are left out."""

FEW = 0.5
"""Cards of which fewer are owned at the end are left out."""


def render_learned(report: LearnedReport) -> str:
    """Return the report as text."""
    players = report.options.players
    rows = [(name, with_interval(share)) for name, share in judges(report).items()]
    stages = [(f"{one.games:,}", percent(one.share, 0), str(one.n_starts)) for one in report.stages]
    parts = [
        [paragraph(" ".join([*sentences(report), *attacked(report)]))],
        [
            f"Wins against copies of baselines, % (par {percent(1 / players, 0)}, 95 % intervals)",
            *columns(rows),
            "",
            met(report),
        ],
        habit_lines(report.habits),
        ["How it learned: its best start", *columns([("games", "% against rivals", "starts left"), *stages], left=())],
        [f"Repeat: {report.command}"],
    ]
    return "\n\n".join("\n".join(part) for part in parts)


def sentences(report: LearnedReport) -> list[str]:
    """Return what was learned: from what, what it wins, what it meets least well, and its deck."""
    options = report.options
    name = options.kingdom.name if options.kingdom.name != CUSTOM else ", ".join(options.kingdom.cards)
    money, (hardest, least) = report.judges[BIG_MONEY], hardest_of(report)
    wins = f"It wins {percent(money.share)} % of its games against {copies(report, BIG_MONEY)}"
    if hardest != BIG_MONEY:
        wins += f" and {percent(least.share)} % against {copies(report, hardest)}, its hardest"
    return [
        f"Run {report.key} is a player that learned from {report.stages[-1].games:,} games: {name}, "
        f"{options.players} players, seed {report.seed}.",
        f"{wins} (equals would win {percent(1 / options.players, 0)} %).",
        f"At the end it owns {deck_text(report.habits.deck)}.",
    ]


def copies(report: LearnedReport, name: str) -> str:
    """Return who sits in all other seats: "3 big-money"."""
    others = report.options.players - 1
    return name if others == 1 else f"{others} {name}"


def hardest_of(report: LearnedReport) -> tuple[str, Share]:
    """Return the baseline that it wins least against, and what it wins."""
    return min(report.judges.items(), key=lambda item: item[1].share)


def attacked(report: LearnedReport) -> list[str]:
    """Say how well it can be exploited, if that was tried."""
    return [said_of(report.attack, report.options.players)] if report.attack else []


def judges(report: LearnedReport) -> dict[str, Share]:
    """Return what it wins against each baseline, those marked that it met in training."""
    return {name + MET * (name in report.met): share for name, share in report.judges.items()}


def met(report: LearnedReport) -> str:
    """Say which of the baselines it met in training."""
    return said_of_met("training", is_any=bool(report.met))


def habit_lines(habits: Habits) -> list[str]:
    """Return what a learned player does: what it buys by stage and coins, and the rest."""
    lines = ["What it buys, by stage and coins, %"]
    for stage, by_coins in buys(habits).items():
        lines += [stage, *listing(by_coins, indent=2)]
    return [*lines, "", *listing(other_habits(habits))]


def buys(habits: Habits) -> dict[str, dict[str, str]]:
    """Return what it buys, in words, by stage and coins."""
    found = {
        stage: {f"${coins}": shares_text(shares) for coins, shares in by_coins.items() if coins >= LEAST_COINS}
        for stage, by_coins in habits.buys.items()
    }
    return {stage: by_coins for stage, by_coins in found.items() if by_coins}


def other_habits(habits: Habits) -> dict[str, str]:
    """Return what else it does, in words, by what it is."""
    told = {
        "Trashes a game": joined(f"{decimal(n, 1)} {name}" for name, n in habits.trashed.items() if n >= SOME),
        "Plays, %": shares_text(habits.played),
        "Buys ahead, %": shares_text(habits.ahead),
        "Buys behind, %": shares_text(habits.behind),
        "First bought": joined(f"{name} on turn {turn:.0f}" for name, turn in habits.greens_from.items()),
    }
    return {what: text or "nothing" for what, text in told.items()}


def shares_text(shares: Mapping[str, float]) -> str:
    """Return the largest shares of choices: "70 Chapel, 30 pass"."""
    told = [(name, share) for name, share in list(shares.items())[:SHOWN_CHOICES] if share >= SHOWN_SHARE]
    return joined(f"{percent(share, 0)} {name}" for name, share in told)


def deck_text(deck: Mapping[str, float]) -> str:
    """Return what a deck holds at the end, the most first: "7.5 Copper, 3.0 Gold"."""
    order = sorted(deck.items(), key=lambda item: -item[1])
    return joined(f"{decimal(n, 1)} {name}" for name, n in order if n >= FEW)
