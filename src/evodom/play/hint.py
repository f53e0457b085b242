"""What the strategies at the table would do in the person's place."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from evodom.dominion.engine.rules import N_PILES, PASS
from evodom.dominion.game import PASS_NAME, DominionGame
from evodom.matches.agents import PythonAgent
from evodom.matches.batch import choice_counts
from evodom.play.setup import Participant

TRIES = 2000
"""Choices drawn from a strategy for a hint: its shares are within about two points."""


@dataclass(frozen=True)
class Hint:
    """The choices of one strategy with their probabilities, likeliest first."""

    name: str
    shares: tuple[tuple[str, float], ...]


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


def _shares(game: DominionGame, shares: np.ndarray[tuple[int], np.dtype[np.float64]]) -> tuple[tuple[str, float], ...]:
    order = [int(choice) for choice in np.argsort(-shares, kind="stable") if shares[choice] > 0]
    return tuple((PASS_NAME if choice == PASS else game.piles[choice].name, float(shares[choice])) for choice in order)
