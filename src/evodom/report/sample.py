"""One game to read: the best strategies at one table, turn by turn."""

from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from evodom.dominion import log
from evodom.dominion.game import Game
from evodom.dominion.kingdom import Kingdom


@dataclass(frozen=True, slots=True)
class SampleGame:
    """A seeded game: who sat where, by rank; a line for each turn, by round; how it ended, and the scores by seat."""

    seed: int
    names: list[str]
    rounds: list[list[str]]
    end: str
    scores: list[int]
    places: list[int]


def play_sample(kingdom: Kingdom, strategies: npt.NDArray[Any], seed: int) -> SampleGame:
    """Play one game of these strategies, the champion first, and return it as a text to read."""
    seats = range(len(strategies))
    game = Game(kingdom, len(strategies), seed=seed)
    game.play_treasures_automatically(*seats)
    while (decision := game.decision) is not None:
        log.note_coins(game, decision)
        game.enact(game.strategy_choice(strategies[decision.seat]))
    names = [f"#{seat + 1}" for seat in seats]
    rounds: list[list[str]] = []
    for turn in log.turns(game.events):
        if turn.number > len(rounds):
            rounds.append([])
        rounds[turn.number - 1].append(log.line(turn, names, None))
    places = {seat: place for place, seat in game.standings}
    return SampleGame(seed, names, rounds, game.end, list(game.scores), [places[seat] for seat in seats])
