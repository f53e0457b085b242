"""One game to read: the best strategies at one table, turn by turn."""

from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from evodom.dominion import log
from evodom.dominion.game import DominionGame
from evodom.dominion.kingdom import Kingdom


@dataclass(frozen=True, slots=True)
class SampleGame:
    """One game as text: names by seat (#1 the champion), a line per turn by round, how it ended, scores and places."""

    seed: int
    names: list[str]
    rounds: list[list[str]]
    end: str
    scores: list[int]
    places: list[int]


def play_sample(kingdom: Kingdom, strategies: npt.NDArray[Any], seed: int) -> SampleGame:
    """Play one game of these strategies, the champion first, and return it as a text to read."""
    seats = range(len(strategies))
    game = DominionGame(kingdom, len(strategies), seed=seed)
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
