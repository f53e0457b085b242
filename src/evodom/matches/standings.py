"""What games came to: for each player, for each seat, and how they went and ended."""

from dataclasses import dataclass

import numpy as np

from evodom.dominion.engine.state import ENDED_CUT, ENDED_PILES, ENDED_PROVINCES
from evodom.matches.games import Array, Games
from evodom.statistics import DEFAULT_CONFIDENCE, IntervalEstimate, Share, mean_interval, wilson

END_KEYS = {ENDED_PROVINCES: "provinces", ENDED_PILES: "empty_piles", ENDED_CUT: "cut"}
"""How a game can end, as named in JSON."""

ALONE = 0.999
"""More of a win than two can share, whatever the rounding."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How one entrant did, its copies at a table taken together.

    ``seats`` is how many it took in a game, on average; ``par`` what share of the wins they are worth among equals.
    ``win`` counts a victory shared by k as 1/k; ``alone`` and ``shared`` are the shares of games won alone and shared.
    ``place`` is 1 for a win, the mean of the places shared in a tie.
    """

    name: str
    seats: float
    par: float
    win: Share
    alone: float
    shared: float
    place: IntervalEstimate
    vp: IntervalEstimate


@dataclass(frozen=True, slots=True)
class Spread:
    """The mean of some whole numbers and their 5th, 50th and 95th percentile."""

    mean: float
    p5: int
    p50: int
    p95: int


@dataclass(frozen=True, slots=True)
class Course:
    """How games went: their number, mean length in rounds, mean score of the winner, and shares of ways to end."""

    n_games: int
    rounds: float
    winner_vp: float
    ended: dict[str, float]


def standing(games: Games, player: int, name: str = "", confidence: float = DEFAULT_CONFIDENCE) -> Standing:
    """Return how a player did, its seats taken together; it has to have played."""
    mine = games.tables == player
    played = mine.any(axis=1)
    mine = mine[played]
    n_seats = mine.shape[1]
    copies = mine.sum(axis=1)
    won = (games.win[played] * mine).sum(axis=1, dtype=float)
    alone = won > ALONE
    seats = float(copies.mean())
    return Standing(
        name=name,
        seats=seats,
        par=seats / n_seats,
        win=wilson(float(won.sum()), len(won), confidence),
        alone=float(alone.mean()),
        shared=float(((won > 0) & ~alone).mean()),
        place=mean_interval(_mean(n_seats - games.points[played], mine, copies), confidence),
        vp=mean_interval(_mean(games.vp[played], mine, copies), confidence),
    )


def seat_shares(games: Games, confidence: float = DEFAULT_CONFIDENCE) -> list[Share]:
    """Return each seat's share of the wins, in turn order."""
    return [wilson(float(games.win[:, seat].sum(dtype=float)), len(games), confidence) for seat in _seats(games)]


def course(games: Games) -> Course:
    """Return how games went."""
    return Course(
        n_games=len(games),
        rounds=float(games.rounds.mean()),
        winner_vp=float(games.vp.max(axis=1).mean(dtype=float)),
        ended={name: float((games.ended == end).mean()) for end, name in END_KEYS.items()},
    )


def spread(values: Array) -> Spread:
    """Return the spread of some whole numbers; a percentile is one of them."""
    p5, p50, p95 = np.percentile(values, (5, 50, 95), method="inverted_cdf")
    return Spread(float(values.mean(dtype=float)), int(p5), int(p50), int(p95))


def win_share(games: Games, player: int, confidence: float = DEFAULT_CONFIDENCE) -> Share:
    """Return a player's share of the wins; one shared by k counts 1/k."""
    won = games.win[games.tables == player]
    return wilson(float(won.sum(dtype=float)), len(games), confidence)


def _seats(games: Games) -> range:
    return range(games.tables.shape[1])


def _mean(values: Array, mine: Array, copies: Array) -> Array:
    """Return each game's mean over the entrant's seats."""
    return np.asarray((values * mine).sum(axis=1, dtype=float) / copies)
