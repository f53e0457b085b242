"""Play games in a `Venue`: one kingdom, one number of seats, one seed. Matches, evolution and reports use it.

>>> from evodom.dominion.kingdom import FIRST_GAME
>>> from evodom.dominion.strategies.baselines import baseline
>>> from evodom.matches import Purpose, Tally, Use, Venue, standing
>>> venue = Venue(FIRST_GAME, 2, seed=1, use=Use.TOURNAMENT)
>>> smithy, money = baseline("big-money-smithy", FIRST_GAME), baseline("big-money", FIRST_GAME)
>>> tally = Tally.of(venue.against(smithy, [money], 2000, venue.stream(Purpose.EXPECTED)))
>>> standing(tally.games, 0).win.share > 0.6
True
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from evodom.budget import NO_LIMIT, Budget
from evodom.dominion.engine.batch import RESULT, Results
from evodom.dominion.engine.rules import Rules
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.base import Strategies
from evodom.dominion.strategies.lineup import Lineup
from evodom.errors import UsageError
from evodom.matches.agents import Player, PythonAgent, SinglePlayer, play_game, without_agents
from evodom.matches.mixtures import Mixture
from evodom.matches.policies import PolicyAgent, play_policies
from evodom.matches.results import Batch, Tally
from evodom.matches.seating import Tables, Use, dealt, game_seeds, generator, rotated, stream, whole_rounds
from evodom.matches.simulate import CENSUS, CENSUS_EVERY, Census, Seeds, play_games, take_census
from evodom.tasks import Workers

BATCH = 16_384
"""Maximum number of games in one call. It keeps memory constant and the program responsive to Ctrl-C."""

MIN_TABLE_GAMES = 24
"""Minimum number of games at a table, in whole rounds, even if the budget is spent."""

Players: TypeAlias = "Lineup | Strategies | Sequence[Player]"
"""Players: a lineup, an array of STRATEGY, or a sequence of strategies, PythonAgents and Mixtures."""


@dataclass(frozen=True)
class Venue:
    """A place to play games.

    ``seed`` and ``use`` determine all random streams. ``workers`` share the games and do not change results; None is
    one thread. ``on_games`` is called with the number of games just played. `table` and `against` end early if the
    ``budget`` is spent.
    """

    kingdom: Kingdom
    n_seats: int
    seed: int = 0
    use: Use = Use.TOURNAMENT
    workers: Workers | None = None
    on_games: Callable[[int], object] = lambda _: None
    budget: Budget = NO_LIMIT

    def within(self, budget: Budget) -> "Venue":
        """Return the same venue with another budget."""
        return replace(self, budget=budget)

    def part(self, share: float) -> "Venue":
        """Return the same venue with a share of the remaining time."""
        return self.within(self.budget.part(share))

    def divided(self, weights: Sequence[float]) -> Iterator["Venue"]:
        """Yield the venue for each weight, with the weight's part of the time (`Budget.divided`)."""
        return map(self.within, self.budget.divided(weights))

    @property
    def rules(self) -> Rules:
        """The kingdom's compiled rules for the number of seats."""
        return self.kingdom.rules(self.n_seats)

    def stream(self, *path: int) -> np.random.SeedSequence:
        """Return a random stream of this venue. ``path`` is a Purpose and optional numbers."""
        return stream(self.seed, self.use, *path)

    def play(self, players: Players, tables: Tables, seeds: Seeds) -> Results:
        """Play one game for each row of ``tables`` and return the RESULTs.

        ``tables`` (n_games, n_seats) are indices into ``players``; ``seeds`` (n_games,) seed the games. A game depends
        only on its row.
        """
        lineup = lineup_of(players)
        if len(tables) <= BATCH:
            return self._play(lineup, tables, seeds)
        return np.concatenate([results for _, results in self.batches(lineup, tables, seeds)])

    def batches(self, players: Players, tables: Tables, seeds: Seeds) -> Iterator[Batch]:
        """Play like `play` and yield the games batch by batch as (tables, RESULTs)."""
        lineup = lineup_of(players)
        for first in range(0, len(tables), BATCH):
            part = slice(first, first + BATCH)
            yield tables[part], self._play(lineup, tables[part], seeds[part])

    def table(self, players: Players, n_games: int, sequence: np.random.SeedSequence) -> Iterator[Batch]:
        """Play ``n_games``, rounded up to whole rounds, at one table. Each player has each seat equally often.

        The seeds depend only on ``sequence``. So calls with different players use common random numbers.
        """
        self._check_full(players)
        yield from self._play_within_budget(players, *self._one_table(np.arange(self.n_seats), n_games, sequence))

    def against(self, one: Player, others: Players, n_games: int, sequence: np.random.SeedSequence) -> Iterator[Batch]:
        """Play ``n_games``, rounded up to whole rounds, of one strategy, number 0, against others.

        ``others``, numbers 1 and up, are repeated to fill the other seats. Seats and seeds are as in `table`.
        """
        group = np.concatenate([[0], np.resize(np.arange(1, len(others) + 1), self.n_seats - 1)])
        yield from self._play_within_budget([one, *others], *self._one_table(group, n_games, sequence))

    def median_game(self, players: Players, n_games: int, sequence: np.random.SeedSequence) -> int:
        """Play ``n_games`` without rotation of seats. Return the seed of a game with the median number of rounds."""
        seeds = game_seeds(sequence, n_games)
        tables = np.tile(np.arange(self.n_seats, dtype=np.int32), (n_games, 1))
        rounds = self.play(players, tables, seeds)["turns"].max(axis=1)
        median = np.percentile(rounds, 50, method="inverted_cdf")
        return int(seeds[np.flatnonzero(rounds == median)[0]])

    def census(self, players: Players, n_games: int, sequence: np.random.SeedSequence) -> tuple[Tally, Census]:
        """Play like `table` and return the tally with a CENSUS record for each player.

        Raises UsageError for an agent written in Python, whose turns are not counted.
        """
        self._check_full(players)
        return self._census(players, *self._one_table(np.arange(self.n_seats), n_games, sequence), CENSUS_EVERY)

    def census_among(self, players: Players, n_games: int, sequence: np.random.SeedSequence) -> tuple[Tally, Census]:
        """Play at least ``n_games`` of each player at random tables and count every game.

        Return the tally with a CENSUS record for each player. Raise UsageError like `census`.
        """
        deal, luck = sequence.spawn(2)
        tables = dealt(len(players), n_games, self.n_seats, generator(deal))
        return self._census(players, tables, game_seeds(luck, len(tables)), 1)

    def _census(self, players: Players, tables: Tables, seeds: Seeds, every: int) -> tuple[Tally, Census]:
        lineup = lineup_of(players)
        if not isinstance(lineup, Lineup):
            raise UsageError("the turns of agents written in Python are not counted. Leave them out of a census.")
        tally, census = Tally(), np.zeros(len(lineup), CENSUS)
        for first in range(0, len(tables), BATCH):
            part = slice(first, first + BATCH)
            results, counts = take_census(
                self.rules, lineup, tables[part], seeds[part], workers=self.workers, every=every, number=first
            )
            tally.add(tables[part], results)
            for field in CENSUS.names or ():
                census[field] += counts[field]
            self.on_games(len(results))
        return tally, census

    def _check_full(self, players: Players) -> None:
        if len(players) != self.n_seats:
            raise UsageError(
                f"{len(players)} strategies do not fill a table of {self.n_seats}. Give one for each seat."
            )

    def _one_table(
        self, group: npt.NDArray[np.signedinteger], n_games: int, sequence: np.random.SeedSequence
    ) -> tuple[Tables, Seeds]:
        tables = rotated(group[None, :], whole_rounds(n_games, self.n_seats))
        return tables, game_seeds(sequence, len(tables))

    def _play_within_budget(self, players: Players, tables: Tables, seeds: Seeds) -> Iterator[Batch]:
        """Play like `batches` until the budget is spent."""
        lineup, first = lineup_of(players), 0
        for n in self.budget.portions(len(tables), whole_rounds(MIN_TABLE_GAMES, self.n_seats)):
            part = slice(first, first + n)
            yield from self.batches(lineup, tables[part], seeds[part])
            first += n

    def _play(self, players: Lineup | Sequence[Player], tables: Tables, seeds: Seeds) -> Results:
        """Play a batch: compiled games in one call, games with policies in step, games with agents one by one."""
        lineup, tables = drawn_players(players, tables, seeds)
        if isinstance(lineup, Lineup):
            results = play_games(self.rules, lineup, tables, seeds, workers=self.workers)
            self.on_games(len(tables))
            return results
        results = np.zeros(len(tables), RESULT)
        policies = [number for number, player in enumerate(lineup) if isinstance(player, PolicyAgent)]
        agents = [number for number, player in enumerate(lineup) if isinstance(player, PythonAgent)]
        asked = np.isin(tables, [number for number in agents if number not in policies]).any(axis=1)
        in_step = np.isin(tables, policies).any(axis=1) & ~asked
        if in_step.any():
            results[in_step] = play_policies(self.kingdom, lineup, tables[in_step], seeds[in_step], self.workers)
            self.on_games(int(in_step.sum()))
        compiled = ~asked & ~in_step
        if compiled.any():
            results[compiled] = self._play(without_agents(lineup), tables[compiled], seeds[compiled])
        for game in np.flatnonzero(asked):
            seated = [lineup[number] for number in tables[game]]
            results[game] = play_game(self.kingdom, seated, int(seeds[game]), self.workers)
            self.on_games(1)
        return results


def lineup_of(players: Players) -> Lineup | Sequence[Player]:
    """Return the players as a Lineup, or unchanged if they include an agent written in Python or a mixture."""
    if isinstance(players, Lineup | np.ndarray):
        return Lineup.of(players)
    strategies = [player for player in players if not isinstance(player, PythonAgent | Mixture)]
    return Lineup.of(strategies) if len(strategies) == len(players) else players


def drawn_players(
    players: Lineup | Sequence[Player], tables: Tables, seeds: Seeds
) -> tuple[Lineup | Sequence[SinglePlayer], Tables]:
    """Return players without mixtures, and tables with the strategies that each mixture draws for its games."""
    if isinstance(players, Lineup):
        return players, tables
    single = [player.strategies[0] if isinstance(player, Mixture) else player for player in players]
    drawn = tables.copy()
    for number, player in enumerate(players):
        if isinstance(player, Mixture):
            for game, seat in np.argwhere(tables == number):
                drawn[game, seat] = len(single) + player.draw(int(seeds[game]), int(seat))
            single += player.strategies
    strategies = [player for player in single if not isinstance(player, PythonAgent)]
    return (Lineup.of(strategies) if len(strategies) == len(single) else single), drawn
