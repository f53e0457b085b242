"""What the strategies at the table would do in the person's place, and the chances that each choice has."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from evodom.dominion.engine.rules import N_PILES, PASS
from evodom.dominion.game import PASS_NAME, DominionGame
from evodom.learning.shipped import shipped_weights
from evodom.matches.agents import PythonAgent
from evodom.matches.batch import choice_counts
from evodom.matches.streams import Use, generator, stream
from evodom.matches.workers import Workers
from evodom.play.setup import Participant
from evodom.thinking.search import Budget, Search

TRIES = 2000
"""Choices drawn from a strategy for a hint: its shares are within about two points."""


HINT = Budget(rollouts=2000)
"""How long is thought about the chances: half a second, about, and the same position gets the same hint."""


@dataclass(frozen=True)
class Hint:
    """The choices of one strategy with their probabilities, likeliest first."""

    name: str
    shares: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Chance:
    """A choice, the chance to win with it, and the standard error of that."""

    name: str
    share: float
    error: float


def hints(game: DominionGame, players: tuple[Participant, ...], tries: int = TRIES) -> Iterator[Hint]:
    """Give a hint from each different strategy at the table; the game and its random stream stay as they are.

    Agents written in Python give none: to ask them would change what they do later.
    """
    asked = set()
    for player in players:
        if player.strategy is None or isinstance(player.strategy, PythonAgent) or player.strategy.tobytes() in asked:
            continue
        asked.add(player.strategy.tobytes())
        state, counts = game.state.copy(), np.zeros(N_PILES + 1, np.int64)
        choice_counts(game.rules, state, state.copy(), player.strategy, counts, tries)
        yield Hint(player.name, _shares(game, counts / tries))


def win_chances(game: DominionGame, seed: int, workers: Workers | None = None) -> tuple[Chance, ...] | None:
    """Return the chances of the likeliest choices of who decides, best first; None if no network comes with evodom.

    They are those of rollouts to the end, by what the one who decides can know. The game stays as it is.
    """
    weights = shipped_weights(game.kingdom)
    if weights is None:
        return None
    search = Search(game.rules, weights, workers)
    best, *others = search.think(game.state, generator(stream(seed, Use.THINKING)), HINT)
    options = [best, *sorted(others, key=lambda option: -option.share)]
    return tuple(Chance(_name(game, option.choice), option.share, option.error) for option in options)


def _name(game: DominionGame, choice: int) -> str:
    return PASS_NAME if choice == PASS else game.piles[choice].name


def _shares(game: DominionGame, shares: np.ndarray[tuple[int], np.dtype[np.float64]]) -> tuple[tuple[str, float], ...]:
    order = [int(choice) for choice in np.argsort(-shares, kind="stable") if shares[choice] > 0]
    return tuple((_name(game, choice), float(shares[choice])) for choice in order)
