"""Measure a saved run of evolution, of learning or of training for fights.

`read_saved_run` reads the run without playing games. The method `measure` of the result plays the games and returns the
report. The command line and the server use both.
"""

from collections.abc import Callable
from dataclasses import dataclass

from evodom.dominion.kingdom import Kingdom, engine_groups
from evodom.dominion.strategies.models.networks.shipped import why_unusable
from evodom.learning.fights import is_for_fights
from evodom.learning.fights.run import check_run, fights_of
from evodom.learning.run import is_learned
from evodom.matches import probe
from evodom.matches.seating import Use, whole_rounds
from evodom.matches.venue import Venue
from evodom.reports import FIGHTS_DIVISOR
from evodom.reports.cached import Matches, cached_best_response, cached_mistakes, save_matches
from evodom.reports.evolved import Report, ReportData, make_report, read_report_data
from evodom.reports.fights import FightReport, make_fight_report
from evodom.reports.learned import LearnedReport, TrainedRun, make_learned_report, n_games_of, read_trained_run
from evodom.runs import RunStore
from evodom.tasks import Workers


@dataclass(frozen=True)
class ReportRequest:
    """A request for a report: the run's key and store, and the numbers of games.

    `games` is the number for each win rate, `best_response_games` the number for training a best response.
    `seed` None selects the run's seed. `command` returns the command that repeats the report with a given seed.
    `in_full` includes the data that only pages, CSV files and JSON contain.
    """

    key: str
    store: RunStore
    games: int
    best_response_games: int
    command: Callable[[int], str]
    seed: int | None = None
    in_full: bool = True


@dataclass(frozen=True)
class DominionReport:
    """A run of evolution or of learning that was read for a report but not yet measured."""

    request: ReportRequest
    read: ReportData | TrainedRun
    seed: int

    @property
    def is_learned(self) -> bool:
        """Whether the run trained networks."""
        return isinstance(self.read, TrainedRun)

    @property
    def trains_best_response(self) -> bool:
        """Whether a network is trained to beat a champion that is not a network."""
        return bool(self.request.best_response_games and not self.is_learned)

    @property
    def groups(self) -> list[str]:
        """The groups of kernels that the report needs."""
        networks = ["learning"] if self.request.best_response_games or self.is_learned else []
        search = [] if self.is_learned or why_unusable() else ["search"]
        return [*engine_groups(self.read.options.kingdom), "single games", *networks, *search]

    @property
    def n_games(self) -> int:
        """The total number of games to play."""
        asked, read, players = self.request, self.read, self.read.options.players
        own = n_games_of(read.options, asked.games) if isinstance(read, TrainedRun) else read.n_games(asked.games)
        n_games = asked.best_response_games
        return own + (n_games + whole_rounds(asked.games, players) if n_games else 0)

    def measure(self, workers: Workers, on_games: Callable[[int], object]) -> Report | LearnedReport:
        """Play the games and return the report. Call `on_games` with the numbers of games played."""
        probe.compile_probes()
        asked, read, command = self.request, self.read, self.request.command(self.seed)
        kingdom: Kingdom = read.options.kingdom
        venue = Venue(kingdom, read.options.players, self.seed, Use.REPORT, workers, on_games)
        champion = read.champion if isinstance(read, TrainedRun) else read.best[0]
        n_games = asked.best_response_games
        best_response = cached_best_response(asked.key, asked.store, champion, venue, n_games, asked.games)
        if isinstance(read, TrainedRun):
            return make_learned_report(read, venue, command=command, games=asked.games, best_response=best_response)
        matches = Matches(venue, read.matches)
        mistakes = cached_mistakes(asked.key, asked.store, champion, venue)
        report = make_report(
            read, matches, command=command, games=asked.games, best_response=best_response, mistakes=mistakes
        )
        save_matches(asked.key, asked.store, matches)
        return report


@dataclass(frozen=True)
class FightsReport:
    """A training for fights that was read for a report but not yet measured. It plays no games of Dominion."""

    request: ReportRequest
    names: tuple[str, ...]
    seed: int
    trains_best_response, groups, n_games = False, ("fights", "solver"), 0

    def measure(self, workers: Workers, on_games: Callable[[int], object]) -> FightReport:
        """Play `games // FIGHTS_DIVISOR` of each fight: a fight takes longer than a game of Dominion."""
        asked, command = self.request, self.request.command(self.seed)
        games = max(asked.games // FIGHTS_DIVISOR, 2)
        with asked.store.open(asked.key) as run:
            return make_fight_report(run, self.names, command=command, games=games, seed=self.seed, n_threads=workers.n)


def read_saved_run(request: ReportRequest) -> DominionReport | FightsReport:
    """Read a saved run for its report. Raise an error for a run without a report, before anything is computed."""
    with request.store.open(request.key) as run:
        seed = run.provenance().seed if request.seed is None else request.seed
        if is_for_fights(run):
            check_run(run)
            return FightsReport(request, tuple(fight.text for fight in fights_of(run)), seed)
        read = read_trained_run(run) if is_learned(run) else read_report_data(run, in_full=request.in_full)
        return DominionReport(request, read, seed)
