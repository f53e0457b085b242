"""The report of a run of learning as text, and what a learned player does in words."""

from collections.abc import Iterator, Mapping, Sequence

from evodom.dominion.kingdom import CUSTOM
from evodom.learning.habits import MOST_COINS, Habits, Swing
from evodom.matches.evaluate import OpeningBuys
from evodom.presentation.text import columns, decimal, joined, listing, paragraph, percent, with_interval
from evodom.report.findings import MET, said_of_met
from evodom.reports.cached import said_of
from evodom.reports.census import ByTurn
from evodom.reports.learned import LearnedReport
from evodom.statistics import Share

BIG_MONEY = "big-money"

TEACHING = "lists that teach"
"""Whom every run of learning meets, besides itself and those that were named."""

LEAST_COINS = 2
"""With fewer coins there is nothing to choose."""

SHOWN_CHOICES = 4
SHOWN_SHARE = 0.005
"""So many choices are told of a position, those of less than half a per cent left out."""

SOME = 0.05
"""Cards of which fewer are trashed a game are left out."""

DECK_TURNS = (4, 8, 12, 16, 20)
"""The deck is told after these turns, and after the last that is reached often enough."""

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
            paragraph(met(report)),
        ],
        listing({"Opens": "; ".join(opening_lines(report.openings))}),
        habit_lines(report.habits),
        ["Its deck at the end of a turn", *listing(deck_by_turn(report.turns), indent=2)],
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
    return said_of_met("training", (TEACHING, *report.options.rivals), is_any=bool(report.met))


def habit_lines(habits: Habits) -> list[str]:
    """Return what a learned player does: what it buys by stage and coins, and the rest."""
    lines = ["What it buys, by stage and coins, %"]
    for stage, by_coins in buys(habits).items():
        lines += [stage, *listing(by_coins, indent=2)]
    return [*lines, "", *listing(other_habits(habits))]


def buys(habits: Habits) -> dict[str, dict[str, str]]:
    """Return what it buys, in words, by stage and coins."""
    found = {
        stage: {_coins(coins): shares_text(shares) for coins, shares in by_coins.items() if coins >= LEAST_COINS}
        for stage, by_coins in habits.buys.items()
    }
    return {stage: by_coins for stage, by_coins in found.items() if by_coins}


def _coins(coins: int) -> str:
    return f"${coins}+" if coins == MOST_COINS else f"${coins}"


def other_habits(habits: Habits) -> dict[str, str]:
    """Return what else it does, in words, by what it is."""
    told = {
        "Trashes a game": joined(f"{decimal(n, 1)} {name}" for name, n in habits.trashed.items() if n >= SOME),
        "Plays first": joined(habits.plays_first),
        "Greens": joined(f"first {name} on turn {turn:.0f}" for name, turn in habits.greens_from.items()),
        "Behind": "; ".join(map(_swing, habits.swings)) or "it buys as when it is ahead",
    }
    return {what: text or "nothing" for what, text in told.items()}


def _swing(swing: Swing) -> str:
    """Say what is bought more, or less, often when behind."""
    much = "more" if swing.behind > swing.ahead else "less"
    return (
        f"{much} {swing.card} with {_coins(swing.coins)}, {swing.stage} ({percent(swing.behind, 0)} %, "
        f"ahead {percent(swing.ahead, 0)} %)"
    )


def opening_lines(openings: Sequence[OpeningBuys]) -> Iterator[str]:
    """Tell the openings, the other order of the same hands only if it buys something else."""
    for one, other in zip(openings[::2], openings[1::2], strict=True):
        if sorted(one.buys) == sorted(other.buys):
            yield f"{one.coins[0]}/{one.coins[1]} {_buys_of(one)}"
        else:
            for each in (one, other):
                yield f"{each.coins[0]}/{each.coins[1]} {_buys_of(each)}"


def _buys_of(opening: OpeningBuys) -> str:
    text = f"{opening.buys[0]}, {opening.buys[1]}"
    return text if opening.share > 0.995 else f"{text} ({percent(opening.share, 0)} %)"


def deck_by_turn(turns: ByTurn) -> dict[str, str]:
    """Return the deck after some turns, in words."""
    shown = [turn for turn in DECK_TURNS if turn < turns.n_turns] + [turns.n_turns]
    return {
        f"turn {turn}": deck_text({name: counts[turn - 1] for name, counts in turns.deck.items()}) for turn in shown
    }


def shares_text(shares: Mapping[str, float]) -> str:
    """Return the largest shares of choices: "70 Chapel, 30 pass"."""
    told = [(name, share) for name, share in list(shares.items())[:SHOWN_CHOICES] if share >= SHOWN_SHARE]
    return joined(f"{percent(share, 0)} {name}" for name, share in told)


def deck_text(deck: Mapping[str, float], most: int | None = None) -> str:
    """Return what a deck holds at the end, the most first and up to ``most`` cards: "7.5 Copper, 3.0 Gold"."""
    order = sorted(deck.items(), key=lambda item: -item[1])[:most]
    return joined(f"{decimal(n, 1)} {name}" for name, n in order if n >= FEW)
