"""Measure the figures of a report in seeded games: tables of the best, means by turn, purchases.

The games of a figure depend only on the seed and the opponents. Reports with the same seed agree where they overlap.
"""

from dataclasses import dataclass
from typing import Any, Protocol
from zlib import crc32

import numpy as np
import numpy.typing as npt

from evodom.dominion import log
from evodom.dominion.cards import Card
from evodom.dominion.engine.rules import MAX_TURNS
from evodom.dominion.game import DominionGame
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.base import Strategies
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.record import Strategy
from evodom.matches.results import Spread, Tally, seat_shares, spread, summarize_games, win_share
from evodom.matches.seating import Purpose
from evodom.matches.simulate import Census
from evodom.matches.venue import Venue
from evodom.reports.cached import Match, Matches
from evodom.statistics import Share


@dataclass(frozen=True, slots=True)
class SampleGame:
    """One game as text: names by seat (#1 is the champion), lines of turns by round, end, scores and places."""

    seed: int
    names: list[str]
    rounds: list[list[str]]
    end: str
    scores: list[int]
    places: list[int]


def play_sample(kingdom: Kingdom, strategies: npt.NDArray[Any], seed: int) -> SampleGame:
    """Play one game of these strategies, the champion first, and return it as text."""
    seats = range(len(strategies))
    game = DominionGame(kingdom, len(strategies), seed=seed)
    game.play_treasures_automatically(*seats)
    while (decision := game.decision) is not None:
        game.enact(game.strategy_choice(strategies[decision.seat]))
    names = [f"#{seat + 1}" for seat in seats]
    rounds: list[list[str]] = []
    for turn in log.turns(game.events):
        if turn.number > len(rounds):
            rounds.append([])
        rounds[turn.number - 1].append(log.turn_line(turn, names, None))
    places = {seat: place for place, seat in game.standings}
    return SampleGame(seed, names, rounds, game.end, list(game.scores), [places[seat] for seat in seats])


N_SAMPLES = 101
"""Number of games from which a sample game of median length is chosen."""


@dataclass(frozen=True, slots=True)
class RankedResult:
    """Result of one strategy at the table of the best. ``rank`` 1 is the champion."""

    rank: int
    win: Share
    vp: Spread


@dataclass(frozen=True, slots=True)
class TableOfBest:
    """Results of games between the best strategies of the last generation at one table.

    Seats are in turn order. The decks are mean numbers of copies by card. Each of k winners counts 1/k.
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
    """Play a strategy against copies of a baseline. The luck of the games is the same for every strategy."""
    opponents = [baseline(name, matches.venue.kingdom)]
    return matches.against(strategy, opponents, games, Purpose.AGAINST_BASELINE, crc32(name.encode()))


def table_of_best(venue: Venue, strategies: Strategies, games: int) -> tuple[TableOfBest, Census]:
    """Play these strategies against each other. Return the results, and the CENSUS record of each strategy."""
    tally, census = venue.census(strategies, games, venue.stream(Purpose.TABLE))
    return results_of_table(tally, venue.kingdom), census


def results_of_table(tally: Tally, kingdom: Kingdom) -> TableOfBest:
    """Return the results of the games of one table. Players are numbered by rank: 0 is the champion."""
    games = tally.games
    vp = games.by_player(games.vp)
    return TableOfBest(
        n_games=len(games),
        rounds=spread(games.rounds),
        winner_vp=spread(vp.max(axis=1)),
        ended=summarize_games(games).ended,
        entrants=[
            RankedResult(player + 1, win_share(games, player), spread(vp[:, player])) for player in range(vp.shape[1])
        ],
        seats=seat_shares(games),
        champion_deck=kingdom.by_card(tally.deck(0)),
        winner_deck=kingdom.by_card(tally.winners_deck),
    )


def sample_game(venue: Venue, strategies: Strategies) -> SampleGame:
    """Play N_SAMPLES games of these strategies and return one of median length as text."""
    seed = venue.median_game(strategies, N_SAMPLES, venue.stream(Purpose.SAMPLE))
    return play_sample(venue.kingdom, strategies, seed)


IntArray = npt.NDArray[np.int64]

MIN_REACHED = 0.1
"""Minimum share of the games that reach a turn. Other turns are left out: their means are of few, unusual games."""


@dataclass(frozen=True, slots=True)
class ByTurn:
    """Figures of a strategy by turn, from its first turn on: means over the games with that turn.

    ``reached`` is the share of the games with that turn, ``coins`` the coins to buy with, ``cards`` the number of cards
    in hand and in play at that time, ``vp`` the score after the turn. The dicts have a list for each card that
    occurs: copies ``bought`` in the turn, ``played`` (in play before the first buy), and owned after it (``deck``).
    """

    rank: int
    n_games: int
    reached: list[float]
    coins: list[float]
    cards: list[float]
    vp: list[float]
    bought: dict[str, list[float]]
    played: dict[str, list[float]]
    deck: dict[str, list[float]]

    @property
    def n_turns(self) -> int:
        """The number of turns, which is the length of all lists."""
        return len(self.reached)


class CensusFields(Protocol):
    """A CENSUS record, or an array of them: counts by the name of a field."""

    def __getitem__(self, field: str, /) -> IntArray: ...


def by_turn(rank: int, census: CensusFields, piles: tuple[Card, ...]) -> ByTurn:
    """Return the means by turn of one CENSUS record; ``piles`` are the cards of its columns."""
    games = int(census["games"])
    turns = census["turns"]
    n = 1 + int(np.flatnonzero(turns >= max(MIN_REACHED * games, 1)).max(initial=0))
    taken = turns[1:n]

    def means(field: str) -> list[float]:
        return [float(mean) for mean in census[field][1:n] / taken]

    def means_by_card(field: str) -> dict[str, list[float]]:
        table = census[field][1:n] / taken[:, None]
        return {
            card.name: [float(mean) for mean in table[:, pile]]
            for pile, card in enumerate(piles)
            if table[:, pile].any()
        }

    return ByTurn(
        rank=rank,
        n_games=games,
        reached=[float(share) for share in taken / games],
        coins=means("coins"),
        cards=means("cards"),
        vp=means("vp"),
        bought=means_by_card("bought"),
        played=means_by_card("played"),
        deck=means_by_card("owned"),
    )


BEST_SHARE = 0.25
"""The share of a generation, best first, whose purchases are counted."""

MAX_GAMES_OF_EACH = 24
"""Maximum number of games of each strategy. Figures are means over all strategies."""

MIN_SEATS = 1_000
"""Number of seats of all strategies together. With many strategies each plays fewer games.

The figures have no interval: a mean of a thousand seats is off by less than a tenth of a card.
"""

MIN_OWNED = 0.01
"""Minimum mean number of copies of an owned card, over all turns of all games."""


@dataclass(frozen=True, slots=True)
class TurnRange:
    """A part of a game: a player's own turns from ``first`` to ``last``."""

    name: str
    when: str
    first: int
    last: int


STAGES = (
    TurnRange("opening", "turns 1-2", 1, 2),
    TurnRange("early", "turns 3-6", 3, 6),
    TurnRange("middle", "turns 7-12", 7, 12),
    TurnRange("late", "turn 13 on", 13, MAX_TURNS),
)


@dataclass(frozen=True, slots=True)
class Purchases:
    """Mean number of purchases of a player in a game, by stage and card of the Supply, over ``n_games``."""

    n_games: int
    by_stage: dict[str, dict[str, float]]

    @property
    def in_all(self) -> dict[str, float]:
        """Mean number of purchases of each card in the whole game."""
        stages = list(self.by_stage.values())
        return {card: sum(stage[card] for stage in stages) for card in stages[0]}


@dataclass(frozen=True, slots=True)
class PurchasesOfBest:
    """Purchases of the best quarter of a generation in games among themselves."""

    generation: int
    bought: Purchases


def best_quarter(ranked: Strategies) -> Strategies:
    """Return the first quarter of a generation's strategies, but at least one."""
    return ranked[: max(1, round(BEST_SHARE * len(ranked)))]


def n_games_of_each(n: int) -> int:
    """Return the number of games of each of `n` strategies in `purchases_of_best`."""
    return min(MAX_GAMES_OF_EACH, -(-MIN_SEATS // n))


def purchases(census: CensusFields, kingdom: Kingdom) -> Purchases:
    """Return the purchases of one CENSUS record, or of an array of them together."""
    records: CensusFields = np.atleast_1d(np.asarray(census))
    n_games = int(records["games"].sum())
    bought = records["bought"].sum(axis=0)
    by_stage = {
        stage.name: {
            name: float(bought[stage.first : stage.last + 1, pile].sum()) / max(n_games, 1)
            for pile, name in enumerate(kingdom.names)
        }
        for stage in STAGES
    }
    return Purchases(n_games, by_stage)


def purchases_of_best(venue: Venue, generation: int, best: Strategies) -> PurchasesOfBest:
    """Play games between the best of a generation and return their purchases."""
    _, census = venue.census_among(best, n_games_of_each(len(best)), venue.stream(Purpose.PURCHASES, generation))
    return PurchasesOfBest(generation, purchases(census, venue.kingdom))


def owned_cards(census: CensusFields, kingdom: Kingdom) -> tuple[str, ...]:
    """Return the cards with a mean of at least MIN_OWNED copies in the games of a CENSUS record."""
    means = census["owned"].sum(axis=0) / max(int(census["turns"].sum()), 1)
    return tuple(name for pile, name in enumerate(kingdom.names) if means[pile] >= MIN_OWNED)
