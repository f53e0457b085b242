"""The report of a run of learning: what its best network does, what it wins, and how it learned."""

from dataclasses import asdict, dataclass
from typing import Any

from evodom.dominion.strategies.baselines import JUDGES, baseline, missing_cards
from evodom.intervals import Share
from evodom.learning.habits import Habits, habits, own_games
from evodom.learning.options import TrainOptions
from evodom.learning.reply import learned_reply
from evodom.learning.run import learned, options_of, summaries_of
from evodom.matches.copies import wins_against
from evodom.matches.streams import Figure
from evodom.matches.venue import Venue
from evodom.store import Run, seed_of

REPLY_GAMES = 20_000
"""Games of the learner that is set on the network, to tell how well it can be exploited."""

REPLY = 99
"""The number of its stream among those of the judges."""


@dataclass(frozen=True)
class Stage:
    """A checkpoint: games played so far, and the mean share of wins of its best start against the rivals."""

    games: int
    share: float
    n_starts: int


@dataclass(frozen=True)
class LearnedReport:
    """What is told of a run of learning.

    ``judges`` are baselines, none of which teaches; it met those of ``met`` all the same, as rivals that were named.
    ``reply`` is what a learner wins against it that has played it REPLY_GAMES times.
    """

    key: str
    seed: int
    options: TrainOptions
    stages: tuple[Stage, ...]
    judges: dict[str, Share]
    met: tuple[str, ...]
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
    reply = learned_reply(venue, champion, [champion], REPLY_GAMES, venue.stream(Figure.REPLY))
    stages = tuple(
        Stage(int(one["games"]), sum(one["shares"]) / len(one["shares"]), len(one["starts"]))
        for one in summaries_of(run)
    )
    experience = own_games(venue, champion, venue.stream(Figure.DECKS))
    return LearnedReport(
        key=run.key,
        seed=seed_of(run),
        options=options,
        stages=stages,
        judges=dict(sorted(judges.items(), key=lambda item: item[1].share)),
        met=tuple(name for name in fitting if name in options.rivals),
        reply=wins_against(venue, reply, champion, games, Figure.AGAINST_BASELINE, REPLY),
        habits=habits(experience, options.kingdom, options.players),
        command=command,
    )
