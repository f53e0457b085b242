"""The figures of a report: seeded games of its venue, counted.

A figure's games depend on the seed and on its opponents alone, so that two reports of the same seed agree wherever they
say the same thing.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from evodom.dominion import events as log
from evodom.dominion.game import DominionGame
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.base import Strategy
from evodom.dominion.strategies.baselines import baseline
from evodom.matches.results import Spread, Tally, course, seat_shares, spread, win_share
from evodom.matches.seating import Figure, game_seeds
from evodom.matches.simulate import Census
from evodom.matches.venue import Venue
from evodom.reports.cached import Match, Matches
from evodom.statistics import Share


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


Strategies = npt.NDArray[Any]

N_SAMPLES = 101
"""Games played to find one of median length to show."""


@dataclass(frozen=True, slots=True)
class RankedResult:
    """How one strategy of the last generation did at the table of the best; ``rank`` 1 is the champion."""

    rank: int
    win: Share
    vp: Spread


@dataclass(frozen=True, slots=True)
class TableOfBest:
    """What the games of the best of the last generation at one table came to.

    Seats are in turn order. The decks are mean counts by card; the winner's counts a shared victory by its shares.
    """

    n_games: int
    rounds: Spread
    winner_vp: Spread
    ended: dict[str, float]
    entrants: list[RankedResult]
    seats: list[Share]
    champion_deck: dict[str, float]
    winner_deck: dict[str, float]


def against_baseline(matches: Matches, strategy: Strategy, name: str, games: int) -> Match:
    """Play a strategy against copies of a baseline; any strategy meets it in the same games."""
    opponents = [baseline(name, matches.venue.kingdom)]
    return matches.against(strategy, opponents, games, Figure.AGAINST_BASELINE, crc32(name.encode()))


def table_of_best(venue: Venue, strategies: Strategies, games: int) -> tuple[TableOfBest, Census]:
    """Return what games of these strategies against each other come to, and the CENSUS record of each."""
    tally, census = venue.census(strategies, games, venue.stream(Figure.TABLE))
    return table_of(tally, venue.kingdom), census


def table_of(tally: Tally, kingdom: Kingdom) -> TableOfBest:
    """Return the games of one table as a report has them; the players are numbered by rank, the champion 0."""
    games = tally.games
    vp = games.by_player(games.vp)
    return TableOfBest(
        n_games=len(games),
        rounds=spread(games.rounds),
        winner_vp=spread(vp.max(axis=1)),
        ended=course(games).ended,
        entrants=[
            RankedResult(player + 1, win_share(games, player), spread(vp[:, player])) for player in range(vp.shape[1])
        ],
        seats=seat_shares(games),
        champion_deck=deck_by_card(tally.deck(0), kingdom),
        winner_deck=deck_by_card(tally.winners_deck, kingdom),
    )


def sample_game(venue: Venue, strategies: Strategies) -> SampleGame:
    """Play some games of these strategies and return one of median length as a text to read."""
    seeds = game_seeds(venue.stream(Figure.SAMPLE), N_SAMPLES)
    tables = np.tile(np.arange(venue.n_seats, dtype=np.int32), (N_SAMPLES, 1))
    rounds = venue.play(strategies, tables, seeds)["turns"].max(axis=1)
    typical = int(np.flatnonzero(rounds == np.percentile(rounds, 50, method="inverted_cdf"))[0])
    return play_sample(venue.kingdom, strategies, int(seeds[typical]))


def deck_by_card(deck: Iterable[float], kingdom: Kingdom) -> dict[str, float]:
    """Return the mean number of each card in a deck, given by pile."""
    return {card.name: float(count) for card, count in zip(kingdom.piles, deck, strict=False)}
