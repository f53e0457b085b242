"""Play an entrant against a fixed, versioned suite of kingdoms, tables and opponents (`evodom benchmark`).

`suite.toml` has the kingdoms and their opponents; benchmarks/suite.py wrote it.
"""

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from hashlib import blake2b
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any

from msgspec import Struct

from evodom.dominion.kingdom import Kingdom, slug
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.files import parse_strategy
from evodom.dominion.strategies.models.networks.model import network_strategy
from evodom.dominion.strategies.models.networks.shipped import shipped, shipped_weights
from evodom.dominion.strategies.record import Strategy
from evodom.errors import AgentError, RunError, UsageError, short
from evodom.formats import versions
from evodom.matches.agents import Entrant
from evodom.matches.entrants import find_entrants, own_kingdom
from evodom.matches.names import NETWORK, POLICY_FILES, PlayerKind, parse_player
from evodom.matches.policies import PolicyAgent, try_policy
from evodom.matches.seating import Purpose, Use
from evodom.matches.tournament import wins_against
from evodom.matches.venue import Venue
from evodom.reading import convert
from evodom.runs import RunStore
from evodom.statistics import Share, wilson
from evodom.tasks import Workers

BASELINE, EVOLVED = "baseline", "evolved list"

OPPONENTS = (BASELINE, EVOLVED, NETWORK)
"""Names of the opponents: the strongest held-out baseline, a champion of evolution, the shipped network."""

PLAYERS = (2, 4)
"""Numbers of players. The entrant has one seat, copies of one opponent have the others."""

GAMES = 100
"""Games in each kingdom, for each number of players and against each opponent. The seats rotate."""

CELLS = len(PLAYERS) * len(OPPONENTS)
"""Number of cells of a kingdom."""


class SuiteKingdom(Struct, frozen=True, forbid_unknown_fields=True):
    """A kingdom of the suite. ``baselines`` has a name for each of PLAYERS, ``evolved`` is a strategy file."""

    name: str
    group: str
    cards: str
    baselines: tuple[str, ...]
    evolved: str

    @property
    def kingdom(self) -> Kingdom:
        """The kingdom with these cards."""
        return Kingdom(tuple(self.cards.split(", ")))

    def opponents(self, players: int) -> dict[str, Strategy]:
        """Return the opponents by name for a number of players."""
        kingdom = self.kingdom
        return {
            BASELINE: baseline(self.baselines[PLAYERS.index(players)], kingdom),
            EVOLVED: parse_strategy(self.evolved, where=f"{EVOLVED} of {self.name}").record(kingdom),
            NETWORK: network_strategy(shipped_weights(kingdom), kingdom),
        }


class Suite(Struct, frozen=True, forbid_unknown_fields=True):
    """The kingdoms of one version of the suite. Results of different versions cannot be compared.

    ``network`` is the `network_digest` of the shipped network for which this version was made.
    """

    version: int
    network: str
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


def network_digest() -> str:
    """Return a hash of the shipped network, which is an opponent. Another network needs a new suite."""
    return blake2b(shipped().tobytes(), digest_size=6).hexdigest()


@dataclass(frozen=True)
class SuiteEntrant:
    """An entrant by kingdom, and the reason for each kingdom that it cannot play."""

    name: str
    by_kingdom: dict[str, Entrant]
    not_played: dict[str, str]


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
    """The result of an entrant in the kingdoms of the suite that it can play. The others have a reason each."""

    name: str
    suite: Suite
    cells: tuple[Cell, ...]
    not_played: dict[str, str]

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
        facts = {"agent": self.name, "suite": self.suite.version, "versions": versions(), "wins": asdict(self.wins)}
        return facts | {
            "kingdoms": self.kingdoms,
            "not_played": self.not_played,
            "cells": [asdict(cell) for cell in self.cells],
        }


def find_suite_entrant(word: str, store: RunStore) -> SuiteEntrant:
    """Return the entrant that a word of `find_entrants`, or a folder, names in each kingdom of the suite.

    A folder, named with a separator, has one file for each kingdom, named after it: policies/base-1.pt2. A policy has
    to answer in a kingdom to be its entrant. Raise UsageError for an unknown word, and for an entrant that can play
    none of the kingdoms.
    """
    suite, found, not_played = load_suite(), dict[str, Entrant](), dict[str, str]()
    names = [each.name for each in suite.kingdoms]
    is_folder = parse_player(word).kind is PlayerKind.FILE and Path(word).is_dir()
    if not is_folder:
        find_entrants([word], store=store, kingdom=own_kingdom(word))
    words = _files_by_kingdom(Path(word), names) if is_folder else dict.fromkeys(names, word)
    for each in suite.kingdoms:
        try:
            if each.name not in words:
                raise UsageError(f"{short(word)} has no file {slug(each.name)}.")
            (entrant,) = find_entrants([words[each.name]], store=store, kingdom=each.kingdom).entrants
            if isinstance(entrant.strategy, PolicyAgent):
                try_policy(entrant.strategy, each.kingdom)
            found[each.name] = entrant
        except (UsageError, AgentError, RunError) as error:
            not_played[each.name] = str(error)
    if not found:
        raise UsageError(
            f"{short(word)} can play none of the {len(names)} kingdoms of the suite. {names[0]}: "
            f"{not_played[names[0]]} The kingdoms are listed by: evodom benchmark"
        )
    return SuiteEntrant(word if is_folder else next(iter(found.values())).name, found, not_played)


def _files_by_kingdom(folder: Path, names: Sequence[str]) -> dict[str, str]:
    """Return the file of a strategy, a policy or an agent for each kingdom. Raise UsageError if there are two."""
    found: dict[str, str] = {}
    for name, path in product(names, sorted(folder.iterdir())):
        if path.stem == slug(name) and path.suffix in (*POLICY_FILES, ".py", ".toml"):
            if name in found:
                raise UsageError(f"{folder} has two files for {name}: {found[name]}, {path}. Remove one.")
            found[name] = str(path)
    return found


def play_suite(
    entrant: SuiteEntrant,
    games: int = GAMES,
    workers: Workers | None = None,
    on_games: Callable[[int], object] = lambda n: None,
) -> BenchmarkResult:
    """Play an entrant against all opponents. The seeds of the games follow from the version of the suite."""
    suite, cells, not_played = load_suite(), list[Cell](), dict(entrant.not_played)
    for place, each in enumerate(suite.kingdoms):
        if each.name not in entrant.by_kingdom:
            continue
        player, found = entrant.by_kingdom[each.name].strategy, []
        try:
            for players in PLAYERS:
                for number, (name, opponent) in enumerate(each.opponents(players).items()):
                    venue = Venue(each.kingdom, players, suite.version, Use.SUITE, workers, on_games)
                    wins = wins_against(venue, player, opponent, games, Purpose.MATCH, place, players, number)
                    found.append(Cell(each.name, each.group, players, name, wins))
        except AgentError as error:
            not_played[each.name] = str(error)
        else:
            cells += found
    if not cells:
        raise AgentError(next(iter(not_played.values())))
    return BenchmarkResult(entrant.name, suite, tuple(cells), not_played)
