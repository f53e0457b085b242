"""Lessons: what a start learns from one checkpoint to the next.

A lesson follows from what it is given, whoever gives it: this process, start after start, or the workers of a cluster,
all starts at once.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, inf
from typing import Any

import numpy as np

from evodom.budget import NO_LIMIT, Budget
from evodom.dominion.strategies.networks.layers import N_WEIGHTS, copied
from evodom.dominion.strategies.record import STRATEGY
from evodom.learning.adam import Adam
from evodom.learning.falling import Falling
from evodom.learning.league import League
from evodom.learning.learner import Learner
from evodom.learning.options import N_CHECKPOINTS, TrainOptions
from evodom.matches.streams import Use, generator, stream
from evodom.matches.venue import lineup_of, packed_lineup
from evodom.tasks import Workers
from evodom.tasks.packing import pack, unpack

MEMBER = np.dtype(
    [
        ("start", "<i4"),
        ("weights", "<f4", (N_WEIGHTS,)),
        ("mean", "<f4", (N_WEIGHTS,)),
        ("square", "<f4", (N_WEIGHTS,)),
        ("n_steps", "<i8"),
    ]
)
"""A start at a checkpoint: its number, its network and the state of its optimiser."""

GAMES = 512
"""Games of an iteration."""

LEAST = 128
"""Games of an iteration where the time left is short."""

FALLING = Falling(rate=(0.008, 0.001), entropy=(0.02, 0.003))
LONG = 20_000
"""Games of a start from which on it has this rate; in fewer games a network cannot get over what a high rate spoils."""

LEARN = 2
"""The number of the streams of lessons, beside those of `learning.training`."""


@dataclass(frozen=True)
class Watcher:
    """Who looks on: ``on_games`` is told of each iteration, ``should_stop`` asked after it."""

    on_games: Callable[[int, dict[str, float]], object] = lambda n, figures: None
    should_stop: Callable[[], bool] = lambda: False


class StopAsked(Exception):
    """Somebody asked to stop in the middle of a checkpoint."""


@dataclass(frozen=True)
class Lesson:
    """A start before checkpoint ``index``, a MEMBER, and whom it meets: earlier selves and rivals, STRATEGY records."""

    options: TrainOptions
    seed: int
    index: int
    member: Any
    past: Sequence[Any]
    rivals: Sequence[Any]

    def learn(self, workers: Workers | None, watcher: Watcher, budget: Budget = NO_LIMIT) -> tuple[Any, int]:
        """Return the start as it is afterwards and how many games it played; raises StopAsked if the watcher asks.

        It ends after its games or when the budget is over. The learning rate falls with the games or with the time.
        """
        member, n_each = self.member.copy(), self.options.games_each
        rng = generator(stream(self.seed, Use.LEARNING, LEARN, self.index, int(member["start"])))
        weights = copied(member["weights"])
        adam = Adam(np.array(member["mean"]), np.array(member["square"]), int(member["n_steps"]))
        learner = Learner(self.options.kingdom, weights, adam, workers)
        league = League(self.options.players, self.past, self.rivals)
        falling = FALLING.begun_lower(min(n_each * N_CHECKPOINTS / LONG, 1.0))
        most = inf if self.options.minutes else n_each
        played, done = 0, 0.0
        while done < 1.0:
            rate, entropy = falling.at((self.index - 1 + done) / N_CHECKPOINTS)
            n_games = GAMES if self.options.minutes else _even_part(n_each - played)
            games = league.play(learner, budget.next_portion(played, LEAST, n_games), rng)
            figures = learner.improve(games, rng, rate, entropy)
            played += len(games.tables)
            watcher.on_games(len(games.tables), figures | {"share": float(league.shares.mean())})
            done = max(played / most, budget.share_spent)
            if watcher.should_stop():
                raise StopAsked
        member["weights"], member["mean"], member["square"] = weights, adam.mean, adam.square
        member["n_steps"] = adam.n_steps
        return member, played

    def packed(self, budget: Budget) -> bytes:
        """Return the lesson as the job of a task, `learn_alone`."""
        facts = {
            "options": self.options.to_json() | {"rivals": [], "guests": []},  # they are among those it meets
            "seed": self.seed,
            "index": self.index,
            "n_past": len(self.past),
            "seconds": budget.seconds_left if budget.is_limited else None,
        }
        return pack(
            facts,
            member=np.array([self.member], MEMBER),
            **packed_lineup(np.array([*self.past, *self.rivals], STRATEGY)),
        )


def learn_all(
    lessons: Sequence[Lesson], workers: Workers | None, watcher: Watcher, budget: Budget = NO_LIMIT
) -> list[tuple[Any, int]]:
    """Return what `Lesson.learn` does for each lesson; on a cluster each is a task of its own."""
    tasks = workers.tasks if workers else None
    if tasks is None or not tasks.is_remote:
        parts = budget.divided([1.0] * len(lessons))
        return [lesson.learn(workers, watcher, part) for lesson, part in zip(lessons, parts, strict=True)]
    at_once = budget.part(1.0 / ceil(len(lessons) / max(tasks.n, 1)))

    def on_done(number: int) -> None:
        if watcher.should_stop():
            raise StopAsked

    done = [
        unpack(result) for result in tasks.map(learn_alone, [lesson.packed(at_once) for lesson in lessons], on_done)
    ]
    for facts, _ in done:
        watcher.on_games(facts["n_games"], facts["figures"])
    return [(arrays["member"].view(MEMBER)[0], facts["n_games"]) for facts, arrays in done]


def learn_alone(job: bytes) -> bytes:
    """Give a lesson as a task, in one thread; return the start, its games and the figures of its last iteration."""
    facts, arrays = unpack(job)
    lineup = list(lineup_of(arrays))
    past, rivals = lineup[: facts["n_past"]], lineup[facts["n_past"] :]
    options, member = TrainOptions.from_json(facts["options"]), arrays["member"].view(MEMBER)[0]
    figures: dict[str, float] = {}
    lesson = Lesson(options, facts["seed"], facts["index"], member, past, rivals)
    budget = NO_LIMIT if facts["seconds"] is None else Budget.starting_now(facts["seconds"])
    learned, n_games = lesson.learn(None, Watcher(lambda n, last: figures.update(last)), budget)
    return pack({"n_games": n_games, "figures": figures}, member=np.array([learned], MEMBER))


def _even_part(n_games: int) -> int:
    """Return how many games the next iteration has if so many are left: about GAMES, and the later ones as many."""
    return ceil(n_games / ceil(n_games / GAMES))
