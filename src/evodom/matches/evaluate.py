"""Evaluate strategies: win rates against copies of others, the strongest baselines, and opening buys."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import chain, repeat

import numpy as np
import numpy.typing as npt

from evodom.budget import NO_LIMIT, Budget
from evodom.dominion.engine.ops import Op
from evodom.dominion.engine.rules import PASS_NAME
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.position import parse_position
from evodom.dominion.strategies.base import Strategy, model_of
from evodom.dominion.strategies.baselines import HANDWRITTEN, baseline_records, fitting_baselines
from evodom.matches.agents import Player
from evodom.matches.results import Tally, win_share
from evodom.matches.seating import Players, against_copies, first_players_seats, rotated
from evodom.matches.streams import Use, game_seeds
from evodom.matches.tournament import PlayTables
from evodom.matches.venue import Players as Lineup
from evodom.matches.venue import Venue
from evodom.statistics import Share


def shares_against_copies(
    play: PlayTables, players: Players, rivals: Players, n_seats: int, luck: npt.NDArray[np.uint64]
) -> npt.NDArray[np.float64]:
    """Return each player's share of the win in each game, (n_players, n_rivals, n_games).

    A player meets copies of one rival in all other seats, each game one seat further on. ``luck`` (n_rivals, n_games)
    are the seeds of the games: all players have the same (common random numbers), so that differences show sooner.
    """
    n_games = luck.shape[1]
    groups = against_copies(players, rivals, n_seats)
    tables = rotated(groups, n_games)
    results = play(tables, np.tile(luck.ravel(), len(players)))
    shares = results["win"][np.arange(len(tables)), first_players_seats(len(groups), n_games, n_seats)]
    return np.asarray(shares.reshape(len(players), len(rivals), n_games))


def shares_in_time(
    venue: Venue,
    strategies: Lineup,
    numbers: tuple[Players, Players],
    luck: npt.NDArray[np.uint64],
    least: int,
) -> npt.NDArray[np.float64]:
    """Return `shares_against_copies` of players and rivals, by number, in fewer games where the budget is over.

    ``least`` games, whole rounds, are played in any case.
    """
    players, rivals = numbers
    play, parts, first = partial(venue.play, strategies), [], 0
    for n in venue.budget.portions(luck.shape[1], least):
        part = luck[:, first : first + n]
        parts.append(shares_against_copies(play, players, rivals, venue.n_seats, part))
        first += n
    return np.concatenate(parts, axis=2)


def wins_against(venue: Venue, one: Player, other: Player, n_games: int, *path: int) -> Share:
    """Return the share of the wins of one strategy against copies of another; a shared win counts in parts.

    ``path``, a Figure and perhaps further numbers, is the random stream: equal ones are equal luck, whoever plays.
    """
    return win_share(Tally.of(venue.against(one, [other], n_games, venue.stream(*path))).games, 0)


N_RIVALS = 4
"""How many of the strongest teachers are rivals."""

GAMES = 96
"""Games of each baseline against copies of each other one, to find the strongest."""

SEED = 0


def strongest_baselines(
    kingdom: Kingdom, players: int, n: int = N_RIVALS, among: Sequence[str] = HANDWRITTEN
) -> tuple[str, ...]:
    """Return the names of the ``n`` strongest of some baselines that fit a kingdom, best first."""
    return ranked_baselines(kingdom, players, tuple(among))[:n]


@cache  # the runs of advice, and what it measures after them, ask for the same
def ranked_baselines(kingdom: Kingdom, players: int, among: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of some baselines that fit a kingdom, best first.

    Each plays against copies of each other one, always with the same seeds; the mean share of the wins decides.
    """
    names = [name for name in fitting_baselines(kingdom) if name in among]
    records, everybody = baseline_records(names, kingdom), np.arange(len(names))
    venue = Venue(kingdom, players, SEED, Use.BASELINES)
    seeds = game_seeds(venue.stream(), len(names), GAMES)
    shares = shares_against_copies(partial(venue.play, records), everybody, everybody, players, seeds).mean(axis=(1, 2))
    return tuple(names[index] for index in np.argsort(-shares, kind="stable"))


SPLITS = ((4, 3), (3, 4), (5, 2), (2, 5))
"""Coppers in the hands of the first two turns."""

TRIES = 40
"""How often a strategy that draws its buys is asked."""

NOTHING = "nothing"
AND = " + "
"""What stands between several buys of a turn."""

OTHERS = "deck 7 Copper, 3 Estate"


@dataclass(frozen=True, slots=True)
class OpeningBuys:
    """The most frequent buys of turns 1 and 2, and how frequent they are, in [0, 1]."""

    coins: tuple[int, int]
    buys: tuple[str, str]
    share: float

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards bought, by name."""
        return tuple(card for turn in self.buys for card in turn.split(AND))


def openings(
    strategy: Strategy, kingdom: Kingdom, n_players: int, seed: int, budget: Budget = NO_LIMIT
) -> list[OpeningBuys]:
    """Return the opening for each of SPLITS, found by letting the strategy play its first two turns.

    No player can attack that early, so the opponents do not matter. A strategy that draws its buys is asked TRIES
    times, or once and as often as the budget allows.
    """
    tries = TRIES if model_of(strategy).is_stochastic else 1
    found = []
    for split, part in zip(SPLITS, budget.divided([1.0] * len(SPLITS)), strict=True):
        asked = chain.from_iterable(repeat(None, n) for n in part.portions(tries, 1))
        seen = Counter(
            _first_buys(strategy, kingdom, n_players, split, seed + number) for number, _ in enumerate(asked)
        )
        buys, n = seen.most_common(1)[0]
        found.append(OpeningBuys(split, buys, n / seen.total()))
    return found


def _first_buys(
    strategy: Strategy, kingdom: Kingdom, n_players: int, split: tuple[int, int], seed: int
) -> tuple[str, str]:
    """Return what is bought on turns 1 and 2; with more than one buy all of it."""
    first, second = split
    hand = f"P1: hand {_cards(first)}; deck {_cards(second)}"
    others = [f"P{seat}: {OTHERS}" for seat in range(2, n_players + 1)]
    game = parse_position(" | ".join([hand, *others]), kingdom, n_players, seed=seed)
    game.play_treasures_automatically(*range(n_players))
    bought: dict[int, list[str]] = {1: [], 2: []}
    while (decision := game.decision) is not None and game.state.turns[0] <= 2:
        choice = game.strategy_choice(strategy)
        if decision.seat == 0 and decision.effect.op == Op.BUY and choice.name != PASS_NAME:
            bought[int(game.state.turns[0])].append(choice.name)
        game.enact(choice)
    one, two = (AND.join(bought[turn]) or NOTHING for turn in (1, 2))
    return one, two


def _cards(coppers: int) -> str:
    """Return a hand of five with so many Coppers."""
    estates = 5 - coppers
    return f"{coppers} Copper" + (f", {estates} Estate" if estates else "")
