"""The report of a run of learning: what its best network does, what it wins, and how it learned."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from html import escape
from typing import Any

from evodom.dominion.strategies.baselines import JUDGES, baseline, missing_cards
from evodom.learning.habits import Habits, habits, own_games
from evodom.learning.options import TrainOptions
from evodom.learning.reply import learned_reply
from evodom.learning.run import learned, options_of
from evodom.matches.copies import wins_against
from evodom.matches.intervals import Share
from evodom.matches.streams import Figure
from evodom.matches.venue import Venue
from evodom.report.charts import Bar, Series, bars, lines
from evodom.report.layout import columns, joined, listing, paragraph, percent, with_interval
from evodom.report.page import table
from evodom.report.style import STYLE
from evodom.store import Run

REPLY_GAMES = 20_000
"""Games of the learner that is set on the network, to tell how well it can be exploited."""

REPLY = 99
"""The number of its stream among those of the judges."""

LEAST_COINS = 2
SHOWN_CHOICES = 4
SOME = 0.05


@dataclass(frozen=True)
class Stage:
    """A checkpoint: games played so far, and the mean share of wins of its best start against the rivals."""

    games: int
    share: float
    n_starts: int


@dataclass(frozen=True)
class LearnedReport:
    """What is told of a run of learning; ``judges`` are baselines, none of which it met while it learned."""

    key: str
    seed: int
    options: TrainOptions
    stages: tuple[Stage, ...]
    judges: dict[str, Share]
    reply: Share
    habits: Habits
    command: str

    def to_json(self) -> dict[str, Any]:
        """Return the report as plain JSON types."""
        return asdict(self) | {"options": self.options.to_json(), "reply_games": REPLY_GAMES}


def make_learned_report(run: Run, venue: Venue, *, command: str, games: int) -> LearnedReport:
    """Return the report of a run of learning; ``games`` are played against each judge."""
    options, champion = options_of(run), learned(run, 1)[0]
    fitting = [name for name in JUDGES if not missing_cards(name, options.kingdom)]
    judges = {
        name: wins_against(venue, champion, baseline(name, options.kingdom), games, Figure.AGAINST_BASELINE, number)
        for number, name in enumerate(fitting)
    }
    reply = learned_reply(
        champion,
        [champion],
        options.kingdom,
        options.players,
        REPLY_GAMES,
        venue.stream(Figure.REPLY),
        venue.workers,
    )
    stages = tuple(
        Stage(int(one["games"]), sum(one["shares"]) / len(one["shares"]), len(one["starts"])) for one in run.summaries()
    )
    experience = own_games(
        champion, options.kingdom, options.players, venue.stream(Figure.DECKS), workers=venue.workers
    )
    return LearnedReport(
        key=run.key,
        seed=int(run.meta["seed"]),
        options=options,
        stages=stages,
        judges=dict(sorted(judges.items(), key=lambda item: item[1].share)),
        reply=wins_against(venue, reply, champion, games, Figure.AGAINST_BASELINE, REPLY),
        habits=habits(experience, options.kingdom, options.players),
        command=command,
    )


def render_learned(report: LearnedReport) -> str:
    """Return the report as text."""
    par = 1 / report.options.players
    rows = [(name, with_interval(share)) for name, share in report.judges.items()]
    stages = [(f"{one.games:,}", percent(one.share, 0), str(one.n_starts)) for one in report.stages]
    parts = [
        [paragraph(_title(report))],
        [f"Wins against copies of baselines, none met in training, % (par {percent(par, 0)}, 95 %)", *columns(rows)],
        listing({"Attacked": _attacked(report)}),
        habit_lines(report.habits),
        ["How it learned: games, % against its rivals, starts still trained", *columns(stages, left=())],
        [f"Repeat: {report.command}"],
    ]
    return "\n\n".join("\n".join(part) for part in parts)


def _title(report: LearnedReport) -> str:
    options = report.options
    name = options.kingdom.name if options.kingdom.name != "custom" else ", ".join(options.kingdom.cards)
    return (
        f"Run {report.key}: a player that learned from {report.stages[-1].games:,} games, "
        f"{name}, {options.players} players, seed {report.seed}. At the end it owns {_deck(report.habits.deck)}."
    )


def _attacked(report: LearnedReport) -> str:
    return (
        f"a learner that knows it and plays {REPLY_GAMES:,} games against it comes to {with_interval(report.reply)} %"
    )


def habit_lines(habits: Habits) -> list[str]:
    """Return what a learned player does: what it buys by stage and coins, trashes and plays first."""
    lines_ = ["What it buys, by stage and coins, %"]
    for stage, by_coins in habits.buys.items():
        rows = {f"${coins}": _shares(shares) for coins, shares in by_coins.items() if coins >= LEAST_COINS}
        lines_ += [stage, *listing(rows, indent=2)] if rows else []
    told = {
        "Trashes": joined(f"{n:.1f} {name}" for name, n in habits.trashed.items() if n >= SOME) or "nothing",
        "Plays": _shares(habits.played_first),
        "Ahead": _shares(habits.ahead),
        "Behind": _shares(habits.behind),
    }
    return lines_ + listing({name: text for name, text in told.items() if text})


def _shares(shares: dict[str, float]) -> str:
    return joined(f"{percent(share, 0)} {name}" for name, share in list(shares.items())[:SHOWN_CHOICES])


def _deck(deck: dict[str, float]) -> str:
    return joined(f"{n:.1f} {name}" for name, n in sorted(deck.items(), key=lambda item: -item[1]) if n >= 0.5)


def learned_page(report: LearnedReport) -> str:
    """Return the report as a page of HTML that opens offline."""
    par, key = 1 / report.options.players, escape(report.key)
    shown = [Bar(name, share.share, share.low, share.high) for name, share in report.judges.items()]
    course = Series("against its rivals", "c0", [100 * one.share for one in report.stages])
    games = [one.games / 1000 for one in report.stages]
    sections = (
        ("Against baselines that it never met", bars("Wins against copies of baselines", shown, par=par)),
        ("How well it can be exploited", f"<p>{escape(_attacked(report))}.</p>"),
        ("How it learned", lines("Wins, %", games, [course], ("thousand games", "% of the wins"), par=100 * par)),
        ("What it buys", _buys(report.habits)),
        ("What else it does", table(("what", "cards"), _other_habits(report.habits), left=2)),
    )
    body = "".join(f"<section><h2>{escape(title)}</h2>{content}</section>" for title, content in sections)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>evodom: what run {key} learned</title><style>{STYLE}</style></head><body>"
        f'<header><p class="eyebrow">evodom report</p><h1>What run {key} learned</h1>'
        f'<p class="lede">{escape(_title(report))}</p></header><main>{body}</main>'
        f"<footer><p>{escape(report.command)}</p></footer></body></html>\n"
    )


def _buys(habits: Habits) -> str:
    return "".join(
        table(
            ("coins", "bought, %"),
            [(f"${coins}", _shares(shares)) for coins, shares in by_coins.items() if coins >= LEAST_COINS],
            left=2,
            caption=stage,
        )
        for stage, by_coins in habits.buys.items()
    )


def _other_habits(habits: Habits) -> Sequence[tuple[str, str]]:
    return (
        ("Trashed a game", joined(f"{n:.1f} {name}" for name, n in habits.trashed.items() if n >= SOME)),
        ("Played first", _shares(habits.played_first)),
        ("Bought when ahead", _shares(habits.ahead)),
        ("Bought when behind", _shares(habits.behind)),
        ("Turn of the first", joined(f"{name} {turn:.0f}" for name, turn in habits.greens_from.items())),
    )
