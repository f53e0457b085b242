"""Matches and tournaments: `play_match`, `tournament`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from evodom.api.progress import compile_kernels, progress_bar, threads
from evodom.api.results import Figure, ReportedResult, bars
from evodom.api.strategies import Contestant, entrants_of
from evodom.dominion.kingdom import Kingdom, engine_groups
from evodom.errors import UsageError, short
from evodom.matches import tournament as contests
from evodom.matches.results import Standing
from evodom.matches.venue import Venue
from evodom.presentation.charts import estimate_bar
from evodom.presentation.document import Document
from evodom.presentation.documents.tournament import Contest, contest_document
from evodom.presentation.format import percent
from evodom.statistics import DEFAULT_CONFIDENCE


@dataclass(frozen=True, repr=False)
class ContestResult(ReportedResult):
    """The result of a match or a tournament. ``standings`` are the entrants, best first."""

    contest: Contest

    @property
    def standings(self) -> Sequence[Standing]:
        """The entrants with win rates, VP and places, best first."""
        return self.contest.result.standings

    @property
    def win_rates(self) -> dict[str, float]:
        """The share of games won by each entrant; a win shared by k counts 1/k."""
        return {standing.name: standing.win.share for standing in self.standings}

    def to_dict(self) -> dict[str, Any]:
        """Return the settings and all figures as JSON types."""
        return {key: value for key, value in self.contest.to_json().items() if key != "command"}

    def document(self) -> Document:
        """Return the tables of the command line."""
        return contest_document(self.contest)

    def plot(self) -> Figure:
        """Return the win rates as bars with 95 % intervals."""
        rows = [estimate_bar(one.name, one.win) for one in self.standings]
        return bars(self.contest.title, rows, self.standings[0].chance_level)

    def _summary(self) -> str:
        wins = ", ".join(f"{one.name} {percent(one.win.share)} %" for one in self.standings)
        return f"{wins}; {self.contest.result.summary.n_games:,} games"


def play_match(
    *players: Contestant,
    kingdom: Kingdom | str | None = None,
    n_games: int = 10_000,
    n_seats: int | None = None,
    seed: int = 0,
    progress: bool = False,
) -> ContestResult:
    """Play games at one table with a seat for each player.

    >>> play_match("big-money-smithy", "big-money", kingdom="First Game", n_games=2000, seed=1)
    <ContestResult: big-money-smithy 70.7 %, big-money 29.3 %; 2,000 games>

    Args:
        players: 2 to 6 players. A player that is given several times has several seats.
        kingdom: a Kingdom or a text as for ``--kingdom``; by default that of the runs, else First Game.
        n_games: number of games; each player has every seat equally often.
        n_seats: size of the table, by default that of the runs. Copies of the last player fill it.
        seed: seed of the games.
        progress: show a progress bar.

    Raises UsageError for bad arguments and AgentError for a function that fails.
    """
    if not 2 <= len(players) <= (n_seats or 6):
        raise UsageError(
            f"a table has 2 to {n_seats or 6} seats, and {len(players)} players are given. Give one for each seat."
        )
    return _contest("", players, kingdom, n_games, seed, n_seats, progress=progress)


def tournament(
    *players: Contestant,
    kingdom: Kingdom | str | None = None,
    n_games: int = 2_000,
    n_seats: int | None = None,
    seed: int = 0,
    progress: bool = False,
) -> ContestResult:
    """Play a round robin: at least ``n_games`` games in all, at tables of ``n_seats``. See `play_match`.

    By default tables have the size that the runs were made for, else 2 seats.
    """
    if len(players) < (n_seats or 2):
        n = n_seats or 2
        raise UsageError(f"{len(players)} players do not fill a table of {n}. Give more, or a smaller n_seats.")
    return _contest(contests.ROUND_ROBIN, players, kingdom, n_games, seed, n_seats, progress=progress)


def _contest(
    form: str,
    players: Sequence[Contestant],
    kingdom: Kingdom | str | None,
    n_games: int,
    seed: int,
    n_seats: int | None,
    *,
    progress: bool,
) -> ContestResult:
    if n_games < 1:
        raise UsageError(f"n_games is {short(n_games)}. Allowed: at least 1.")
    if n_seats is not None and not 2 <= n_seats <= 6:
        raise UsageError(f"n_seats is {short(n_seats)}. Allowed: 2 to 6.")
    entered = entrants_of(players, kingdom)
    if not form:
        entered = entered.seated(n_seats)
    entrants, chosen = entered.entrants, entered.kingdom
    n_seats = n_seats or (entered.players or 2 if form else len(entrants))
    with threads() as workers, progress_bar("games", show=progress) as bar:
        compile_kernels(*engine_groups(chosen), bar=bar)
        venue = Venue(chosen, n_seats, seed, workers=workers, on_games=bar.update)
        if form:
            result = contests.play_round_robin(venue, entrants, n_games=n_games, confidence=DEFAULT_CONFIDENCE)
        else:
            result = contests.play_match(venue, entrants, n_games=n_games, confidence=DEFAULT_CONFIDENCE)
    note = entered.size_note(n_seats, "tournament" if form else "match")
    return ContestResult(Contest(form, chosen, n_seats, seed, DEFAULT_CONFIDENCE, result, "", note))
