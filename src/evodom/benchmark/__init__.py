"""Play an entrant against a fixed, versioned suite of kingdoms, tables and opponents (`evodom benchmark`).

`suite.toml` has the kingdoms and the evolved lists; benchmarks/suite.py wrote it. Training never uses the opponents.
"""

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from importlib.resources import files
from itertools import product
from typing import Any

from msgspec import Struct

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.base import RANDOM
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.files import parse_strategy
from evodom.dominion.strategies.record import Strategy
from evodom.matches.entrants import find_entrants, own_kingdom
from evodom.errors import UsageError, short
from evodom.matches.agents import Entrant
from evodom.matches.seating import Purpose, Use
from evodom.matches.tournament import wins_against
from evodom.matches.venue import Venue
from evodom.reading import convert
from evodom.runs import RunStore
from evodom.statistics import Share, wilson
from evodom.tasks import Workers

BIG_MONEY, EARLY, EVOLVED = "big-money", "early list", "evolved list"

OPPONENTS = (RANDOM, BIG_MONEY, EARLY, EVOLVED)
"""Names of the opponents, weakest first."""

PLAYERS = (2, 4)
"""Numbers of players. The entrant has one seat, copies of one opponent have the others."""

GAMES = 100
"""Games in each kingdom, for each number of players and against each opponent. The seats rotate."""

CELLS = len(PLAYERS) * len(OPPONENTS)
"""Number of cells of a kingdom."""


class SuiteKingdom(Struct, frozen=True, forbid_unknown_fields=True):
    """A kingdom of the suite. ``early`` and ``evolved`` are strategy files."""

    name: str
    group: str
    cards: str
    early: str
    evolved: str

    @property
    def kingdom(self) -> Kingdom:
        """The kingdom with these cards."""
        return Kingdom(tuple(self.cards.split(", ")))

    def opponents(self) -> dict[str, Strategy]:
        """Return the opponents by name."""
        kingdom = self.kingdom
        lists = {EARLY: self.early, EVOLVED: self.evolved}
        return {name: baseline(name, kingdom) for name in (RANDOM, BIG_MONEY)} | {
            name: parse_strategy(text, where=f"{name} of {self.name}").record(kingdom) for name, text in lists.items()
        }


class Suite(Struct, frozen=True, forbid_unknown_fields=True):
    """The kingdoms of one version of the suite. Results of different versions cannot be compared."""

    version: int
    kingdoms: tuple[SuiteKingdom, ...]

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups of kingdoms, in order."""
        return tuple(dict.fromkeys(each.group for each in self.kingdoms))


@cache
def load_suite() -> Suite:
    """Return the suite of this version of evodom."""
    text = files(__package__).joinpath("suite.toml").read_text(encoding="utf-8")
    return convert(tomllib.loads(text), Suite, source="suite.toml")


@dataclass(frozen=True)
class Cell:
    """The win rate of an entrant in one kingdom, for one number of players, against copies of one opponent."""

    kingdom: str
    group: str
    players: int
    opponent: str
    wins: Share


@dataclass(frozen=True)
class BenchmarkResult:
    """The result of an entrant in the kingdoms of the suite that it can play."""

    name: str
    suite: Suite
    cells: tuple[Cell, ...]

    @cached_property
    def kingdoms(self) -> tuple[str, ...]:
        """The names of the kingdoms played."""
        return tuple(dict.fromkeys(cell.kingdom for cell in self.cells))

    @property
    def wins(self) -> Share:
        """The mean win rate over all cells."""
        return self.share(self.suite.groups, PLAYERS, OPPONENTS)

    def share(self, groups: Sequence[str], players: Sequence[int], opponents: Sequence[str]) -> Share:
        """Return the mean win rate over the cells of these groups, numbers of players and opponents."""
        chosen = [
            cell.wins
            for cell in self.cells
            if cell.group in groups and cell.players in players and cell.opponent in opponents
        ]  # all cells have the same number of games
        return wilson(sum(wins.share * wins.n_games for wins in chosen), sum(wins.n_games for wins in chosen))

    def to_json(self) -> dict[str, Any]:
        """Return the result as plain JSON types."""
        missing = [each.name for each in self.suite.kingdoms if each.name not in self.kingdoms]
        facts = {"agent": self.name, "version": self.suite.version, "wins": asdict(self.wins)}
        return facts | {
            "kingdoms": self.kingdoms,
            "not_played": missing,
            "cells": [asdict(cell) for cell in self.cells],
        }


def entrants_by_kingdom(word: str, store: RunStore) -> dict[str, Entrant]:
    """Return the entrant that a word of `find_entrants` names in each kingdom of the suite that it can play.

    Raise UsageError for an unknown word, and for an entrant that can play none of the kingdoms.
    """
    find_entrants([word], store=store, kingdom=own_kingdom(word))
    found: dict[str, Entrant] = {}
    suite = load_suite()
    for each in suite.kingdoms:
        try:
            (found[each.name],) = find_entrants([word], store=store, kingdom=each.kingdom).entrants
        except UsageError:
            continue
    if not found:
        raise UsageError(
            f"{short(word)} can play none of the {len(suite.kingdoms)} kingdoms of the suite. A run plays in its own "
            "kingdom, a list in kingdoms with its cards. The kingdoms are listed by: evodom benchmark"
        )
    return found


def play_suite(
    entrants: dict[str, Entrant],
    games: int = GAMES,
    workers: Workers | None = None,
    on_games: Callable[[int], object] = lambda n: None,
) -> BenchmarkResult:
    """Play an entrant, given by kingdom, against all opponents. The seeds of the games follow from the version."""
    suite, cells = load_suite(), []
    for place, each in enumerate(suite.kingdoms):
        if each.name not in entrants:
            continue
        opponents, player = each.opponents(), entrants[each.name].strategy
        for players, (number, name) in product(PLAYERS, enumerate(OPPONENTS)):
            venue = Venue(each.kingdom, players, suite.version, Use.SUITE, workers, on_games)
            wins = wins_against(venue, player, opponents[name], games, Purpose.MATCH, place, players, number)
            cells.append(Cell(each.name, each.group, players, name, wins))
    return BenchmarkResult(next(iter(entrants.values())).name, suite, tuple(cells))
