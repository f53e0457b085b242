"""Select the genomes that local search improves: the best of each kind of deck (MAP-Elites, Mouret and Clune 2015).

A *line* is such a genome with its history. Its *cell* is the kind of its deck: few, some or many Actions, the same for
Treasures, and whether the deck is thin (has few Coppers). All lines together are the archive.

Decks of Actions begin weaker than decks of Treasures, and gain more by local search. So a line passes three ages:

- *young*, for YOUNG_ROUNDS rounds of local search: it always survives.
- *growing*, until it has GROWING_ROUNDS rounds. When it is no longer young, it competes with the lines of its cell.
- *grown*: it also competes with the grown lines of all cells, by *promise*, a forecast of its strength.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.cards import ACTION, COPPER, TREASURE
from evodom.dominion.kingdom import Kingdom

MAX_FEW = 3.5  # Upper bound of the mean number of Actions, or of Treasures without Coppers, that counts as few.
MAX_SOME = 7.5  # Upper bound of the mean number that counts as some. Higher numbers count as many.

MAX_THIN_COPPERS = 3.5
"""Upper bound of the mean number of Coppers in a thin deck."""

N_AMOUNTS = 3
"""Number of amounts: few, some, many."""

N_CELLS = N_AMOUNTS * N_AMOUNTS * 2

AMOUNT_LABELS = ("0-3", "4-7", "8+")
"""Labels of the amounts in reports."""

TREASURE_LABELS = tuple(f"{amount}{' thin' * thin}" for amount in AMOUNT_LABELS for thin in range(2))
"""Labels of the six cells with the same amount of Actions, in the order of the cells: Treasures, and "thin"."""

Cells = npt.NDArray[np.int64]
Decks = npt.NDArray[np.float64]
"""Mean cards owned at the end of a game, (n, N_MODEL_PILES)."""


def cells_of(decks: Decks, kingdom: Kingdom) -> Cells:
    """Return the cells of decks, (n,), from 0 to 17."""

    def amount(counts: Decks) -> Cells:
        return np.digitize(counts, (MAX_FEW, MAX_SOME))

    actions = decks[:, kingdom.piles_where(lambda card: card.types & ACTION)].sum(axis=1)
    treasures = decks[:, kingdom.piles_where(lambda card: card.types & TREASURE)].sum(axis=1) - decks[:, COPPER]
    is_thin = decks[:, COPPER] < MAX_THIN_COPPERS
    return (amount(actions) * N_AMOUNTS + amount(treasures)) * 2 + is_thin


GAIN_SHARE = 0.5
"""Share of a measured gain that is added to the strength. The gain is too high: it selected the change."""

KEPT_GAMES_SHARE = 0.5  # Share of the games that still count after a change.
MAX_GAMES = 3000.0  # Maximum number of earlier games that count in the estimate.

RATE_STEP = 0.15
"""Step of the exponential mean of gains."""

FAILURES = 4
"""Short rounds without an accepted change after which all rounds of a line are long."""

HORIZON = 30  # Number of future rounds whose expected gain is part of the promise.
MIN_EXPECTED_GAIN = 0.01  # A line with less expected gain in win rate over HORIZON rounds has stalled.

GROWING_SHARE = 1 / 2  # Share of the rounds of a generation for growing lines.
GROWING_SHARE_IF_STALLED = 5 / 6  # The same, if the grown line with the highest promise has stalled.

YOUNG_ROUNDS = 8
"""A line is young until it has this number of rounds."""

GROWING_ROUNDS = 24
"""A line is growing until it has this number of rounds."""

MAX_LINES = 10
"""Maximum number of lines after a generation. Growing lines are kept even above this number."""

MIN_GROWING = 4
"""New lines join while fewer lines than this are growing."""

MAX_FIRST_LINES = 14
"""Maximum number of lines after the first generation."""

MIN_START_SHARE = 0.2  # A new line needs at least this share of the best genome's win rate.
MIN_STRENGTH_SHARE = 0.5  # A line that is not young needs at least this share of the strongest line's strength.


@dataclass(frozen=True, slots=True)
class Line:
    """A genome that local search improves, with its history.

    Attributes:
        cell: the cell of its deck.
        strength: estimated win rate against the opponents.
        games: number of games in the estimate.
        rounds: number of short rounds of local search. A long round counts `lines.LONG_COST`.
        failures: rounds since the last accepted change.
        is_long: True if all further rounds are long. This begins after FAILURES short rounds without a change.
        rate: mean gain in win rate of a short round. Recent rounds have more weight.
    """

    cell: int = 0
    strength: float = 0.5
    games: float = 0.0
    rounds: int = 0
    failures: int = 0
    is_long: bool = False
    rate: float = 0.02

    def after_round(self, gain: float, rounds: int = 1) -> "Line":
        """Return the line after a round of local search that cost ``rounds`` short rounds.

        ``gain`` is the gain in win rate, 0 if the genome has not changed.
        """
        added, failures = GAIN_SHARE * gain, 0 if gain else self.failures + 1
        return replace(
            self,
            strength=self.strength + added,
            games=self.games * (KEPT_GAMES_SHARE if gain else 1.0),
            rounds=self.rounds + rounds,
            failures=failures,
            is_long=self.is_long or failures >= FAILURES,
            rate=self.rate + RATE_STEP * (added / rounds - self.rate),
        )

    def after_games(self, win_rate: float, games: int, cell: int) -> "Line":
        """Return the line after ``games`` games with a win rate. ``cell`` is the cell of its decks in these games."""
        if not games:
            return replace(self, cell=cell)
        before = min(self.games, MAX_GAMES)
        strength = (self.strength * before + win_rate * games) / (before + games)
        return replace(self, strength=strength, games=before + games, cell=cell)

    @property
    def is_young(self) -> bool:
        """True if the line survives without a comparison."""
        return self.rounds < YOUNG_ROUNDS

    @property
    def is_growing(self) -> bool:
        """True if the line cannot be dropped for low promise."""
        return self.rounds < GROWING_ROUNDS

    @property
    def promise(self) -> float:
        """The strength after HORIZON further rounds at the present rate."""
        return self.strength + HORIZON * self.rate

    @property
    def has_stalled(self) -> bool:
        """True if the expected gain of HORIZON further rounds is below MIN_EXPECTED_GAIN."""
        return HORIZON * self.rate < MIN_EXPECTED_GAIN


Lines = dict[int, Line]
"""Lines by the index of their genome in the population."""


def survivors(lines: Lines, n_max: int = MAX_LINES) -> list[int]:
    """Return the indices of the lines that survive, the strongest first.

    1. Young lines survive. So does the strongest other line of each cell, if its strength is at least
       MIN_STRENGTH_SHARE of the highest.
    2. If more than ``n_max`` lines are left, grown lines are dropped, the line with the lowest promise first.
    """
    by_strength = sorted(lines, key=lambda number: -lines[number].strength)
    highest = max((line.strength for line in lines.values() if not line.is_young), default=0.0)
    cells: set[int] = set()
    kept = []
    for number in by_strength:
        line = lines[number]
        if line.is_young or (line.cell not in cells and line.strength >= MIN_STRENGTH_SHARE * highest):
            kept.append(number)
        if not line.is_young:
            cells.add(line.cell)
    grown = [number for number in kept if not lines[number].is_growing]
    dropped = sorted(grown, key=lambda number: lines[number].promise)[: max(len(kept) - n_max, 0)]
    return [number for number in kept if number not in dropped]


def next_line(lines: Lines, n_searched: int, n_rounds: int) -> int:
    """Return the index of the line that local search improves next, after ``n_searched`` of ``n_rounds`` rounds.

    The first rounds of a generation go to growing lines, the others to grown lines. Growing lines have GROWING_SHARE or
    GROWING_SHARE_IF_STALLED of the rounds. In both groups the line with the highest promise is next.
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
    """Return the best genome of each cell, in the order of the ranking."""
    found: dict[int, int] = {}
    for number in ranking:
        found.setdefault(int(cells[number]), int(number))
    return list(found.values())


def strongest_by_cell(history: Sequence[Mapping[str, Mapping[str, Any]]]) -> list[list[float | None]]:
    """Return the highest strength in each cell of lines that were not young. Reports show this table.

    Its rows have AMOUNT_LABELS (Actions), its columns TREASURE_LABELS. A cell without such a line has None. ``history``
    has the saved lines of each generation.
    """
    best: dict[int, float] = {}
    for saved in history:
        for line in lines_from_json(saved).values():
            if not line.is_young:
                best[line.cell] = max(line.strength, best.get(line.cell, 0.0))
    n = len(TREASURE_LABELS)
    return [[best.get(row * n + column) for column in range(n)] for row in range(N_AMOUNTS)]


def lines_to_json(lines: Lines) -> dict[str, dict[str, float]]:
    """Return lines as plain JSON types."""
    return {str(number): asdict(line) for number, line in lines.items()}


def lines_from_json(saved: Mapping[str, Mapping[str, Any]]) -> Lines:
    """Return saved lines."""
    return {int(number): Line(**line) for number, line in saved.items()}
