"""The archive of lines of strategies: the best of each kind of deck survive (MAP-Elites, Mouret and Clune 2015).

The kind of a deck is its *cell*: few, some or many Actions, the same for Treasures, and whether most Coppers are
trashed. Decks of Actions begin weaker than decks of Treasures, and gain more by local search. So a line competes with
all others only after many rounds of search.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.cards import ACTION, COPPER, TREASURE
from evodom.dominion.kingdom import Kingdom

FEW, SOME = 3.5, 7.5
"""Most Actions or Treasures (without Coppers) of a deck with few, and with some."""

COPPERS = 3.5
"""Most Coppers of a thin deck."""

N_AMOUNTS = 3
"""Amounts: few, some, many."""

N_CELLS = N_AMOUNTS * N_AMOUNTS * 2

AMOUNTS = ("0-3", "4-7", "8+")
"""Numbers of cards of few, some and many."""

TREASURES = tuple(f"{amount}{' thin' * thin}" for amount in AMOUNTS for thin in range(2))
"""Numbers of Treasures without Coppers, of decks with Coppers and of thin decks, in the order of the cells."""

Cells = npt.NDArray[np.int64]
Decks = npt.NDArray[np.float64]
"""Mean cards owned at the end of a game, (n, N_MODEL_PILES)."""


def cells_of(decks: Decks, kingdom: Kingdom) -> Cells:
    """Return the cells of decks, (n,), from 0 to 17."""

    def amount(counts: Decks) -> Cells:
        return np.digitize(counts, (FEW, SOME))

    actions = decks[:, kingdom.piles_where(lambda card: card.types & ACTION)].sum(axis=1)
    treasures = decks[:, kingdom.piles_where(lambda card: card.types & TREASURE)].sum(axis=1) - decks[:, COPPER]
    is_thin = decks[:, COPPER] < COPPERS
    return (amount(actions) * N_AMOUNTS + amount(treasures)) * 2 + is_thin


@dataclass(frozen=True, slots=True)
class Line:
    """A genome that local search improves, with its history.

    Attributes:
        cell: the cell of its deck.
        strength: estimated win rate against the opponents.
        games: number of games that the estimate rests on.
        rounds: rounds of local search.
        failures: rounds since the last accepted change.
        is_long: True once FAILURES short rounds in sequence changed nothing: all its rounds are then long.
        rate: mean gain in win rate of a short round. Recent rounds have more weight.
    """

    cell: int = 0
    strength: float = 0.5
    games: float = 0.0
    rounds: int = 0
    failures: int = 0
    is_long: bool = False
    rate: float = 0.02

    def searched(self, gain: float, rounds: int = 1) -> "Line":
        """Return the line after a search that cost ``rounds`` rounds and gained a win rate, 0 without a change."""
        added, failures = GAIN_SHARE * gain, 0 if gain else self.failures + 1
        return replace(
            self,
            strength=self.strength + added,
            games=self.games * (KEPT_GAMES if gain else 1.0),
            rounds=self.rounds + rounds,
            failures=failures,
            is_long=self.is_long or failures >= FAILURES,
            rate=self.rate + RATE_STEP * (added / rounds - self.rate),
        )

    def measured(self, share: float, games: int, cell: int) -> "Line":
        """Return the line after games that it won with a share."""
        if not games:
            return replace(self, cell=cell)
        before = min(self.games, MOST_GAMES)
        strength = (self.strength * before + share * games) / (before + games)
        return replace(self, strength=strength, games=before + games, cell=cell)

    @property
    def is_young(self) -> bool:
        """True if the line is not yet compared with others."""
        return self.rounds < TRIAL_ROUNDS

    @property
    def is_growing(self) -> bool:
        """True if the line does not leave yet for its promise."""
        return self.rounds < ACROSS_ROUNDS

    @property
    def promise(self) -> float:
        """The strength after HORIZON further rounds at the present rate."""
        return self.strength + HORIZON * self.rate

    @property
    def has_stalled(self) -> bool:
        """True if HORIZON further rounds at the present rate gain less than LEAST_GAIN."""
        return HORIZON * self.rate < LEAST_GAIN


GAIN_SHARE = 0.5
"""Share of a measured gain that is added to the strength. The games of a selected change make its gain too high."""

KEPT_GAMES, MOST_GAMES = 0.5, 3000.0
"""Share of the games that still count after a change, and the most games that an estimate rests on."""

RATE_STEP = 0.15
"""Step of the exponential mean of gains."""

FAILURES = 4
"""Short rounds without an accepted change after which all rounds of a line are long."""

HORIZON, LEAST_GAIN = 30, 0.01
"""Rounds of local search whose gain counts for a line, and their gain in win rate below which the line has stalled."""

GROWING_SHARE, GROWING_SHARE_IF_STALLED = 1 / 2, 5 / 6
"""Shares of the rounds of a generation for growing lines: usually, and if the best grown line has stalled."""

TRIAL_ROUNDS = 8
"""Rounds of a new line before it is compared with the lines of its cell."""

ACROSS_ROUNDS = 24
"""Rounds of a line before it can leave for its promise."""

MOST_LINES = 10
"""Most lines after a generation. Growing lines are kept even above this number."""

N_GROWING = 4
"""New lines join while fewer lines than this are growing."""

FIRST_LINES = 14
"""Most lines that are chosen in the first generation, the best of each cell."""

LEAST_START, LEAST_STRENGTH = 0.2, 0.5
"""Least win rate of a new line as a share of the best genome's, and least strength of an older line as a share of the
greatest."""

Lines = dict[int, Line]
"""Lines by the number of their genome in the population."""


def survivors(lines: Lines, most: int = MOST_LINES) -> list[int]:
    """Return the numbers of the lines that survive, the strongest first.

    Young lines survive. Of the others the strongest of each cell survives, if its strength is at least LEAST_STRENGTH
    times the greatest. Then lines that no longer grow leave, the least promise first, until ``most`` are left.
    """
    by_strength = sorted(lines, key=lambda number: -lines[number].strength)
    least = LEAST_STRENGTH * max((line.strength for line in lines.values() if not line.is_young), default=0.0)
    cells: set[int] = set()
    kept = []
    for number in by_strength:
        line = lines[number]
        if line.is_young or (line.cell not in cells and line.strength >= least):
            kept.append(number)
        if not line.is_young:
            cells.add(line.cell)
    comparable = [number for number in kept if not lines[number].is_growing]
    leaving = sorted(comparable, key=lambda number: lines[number].promise)[: max(len(kept) - most, 0)]
    return [number for number in kept if number not in leaving]


def next_line(lines: Lines, n_searched: int, n_rounds: int) -> int:
    """Return the number of the line that local search improves next, after ``n_searched`` of ``n_rounds`` rounds.

    The first rounds of a generation go to growing lines, the others to grown ones: each time to that with the most
    promise, which is a bandit over lines. Growing lines have GROWING_SHARE of the rounds, or GROWING_SHARE_IF_STALLED.
    """
    growing = [number for number, line in lines.items() if line.is_growing]
    grown = [number for number, line in lines.items() if not line.is_growing]
    best, share = max(grown, key=lambda number: lines[number].promise, default=None), 1.0
    if best is not None:
        share = GROWING_SHARE_IF_STALLED if lines[best].has_stalled else GROWING_SHARE
    if best is None or (growing and n_searched < share * n_rounds):
        return max(growing, key=lambda number: lines[number].promise)
    return best


def best_of_cells(ranking: Sequence[int], cells: Cells) -> list[int]:
    """Return the first genome of each cell in a ranking, in the order of the ranking."""
    found: dict[int, int] = {}
    for number in ranking:
        found.setdefault(int(cells[number]), int(number))
    return list(found.values())


def strongest_by_cell(history: Sequence[Mapping[str, Mapping[str, Any]]]) -> list[list[float | None]]:
    """Return the highest strength of a line that was not young, for each of AMOUNTS of Actions and each of TREASURES.

    ``history`` has the saved lines of each generation. A cell without such a line has None.
    """
    best: dict[int, float] = {}
    for saved in history:
        for line in lines_from_json(saved).values():
            if not line.is_young:
                best[line.cell] = max(line.strength, best.get(line.cell, 0.0))
    return [[best.get(row * len(TREASURES) + column) for column in range(len(TREASURES))] for row in range(N_AMOUNTS)]


def lines_to_json(lines: Lines) -> dict[str, dict[str, float]]:
    """Return lines as plain JSON types."""
    return {str(number): asdict(line) for number, line in lines.items()}


def lines_from_json(saved: Mapping[str, Mapping[str, Any]]) -> Lines:
    """Return saved lines."""
    return {int(number): Line(**line) for number, line in saved.items()}
