"""Measure a run of evolution: read its generations, play its champions, return a `Report`."""

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache, lru_cache
from typing import Any

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.base import Strategies
from evodom.dominion.strategies.baselines import HELD_OUT_OPPONENTS
from evodom.dominion.strategies.describe import StrategyDescription
from evodom.dominion.strategies.files import dump_strategy
from evodom.dominion.strategies.record import Strategy
from evodom.dominion.strategies.registry import model_of
from evodom.errors import RunError
from evodom.evolution.algorithm import SEARCH_FIGURES, SEARCH_GAMES
from evodom.evolution.archive import LINES, Archive
from evodom.evolution.cells import N_AMOUNTS, TREASURE_LABELS
from evodom.evolution.emitters import ORIGINS
from evodom.evolution.options import Options
from evodom.evolution.ranking import HELD_OUT_WINS
from evodom.evolution.runs import champions, generation_of, is_whole, options_of, ranked_strategies, summaries_of
from evodom.matches.probe import BuyProbabilities, probe_buys
from evodom.matches.seating import Purpose, Use, whole_rounds
from evodom.matches.tournament import strongest_baselines
from evodom.matches.venue import Venue
from evodom.reports import DEFAULT_GAMES, measure
from evodom.reports.cached import SAVED_MATCHES, BestResponse, Match, Matches, Mistakes
from evodom.reports.lineage import Lineage, trace
from evodom.reports.mixture import MixedLine, mixture_in
from evodom.runs import Run, shown_settings
from evodom.statistics import Share, evenly_spaced
from evodom.tasks import Workers

SUMMARY_NAMES = (HELD_OUT_WINS, "best_points", "rounds", "winner_vp", "ended_on_piles", "cut", "diversity")
"""Names of the entries of a generation's summary that a report contains."""


@dataclass(frozen=True, slots=True)
class HallOfFame:
    """Champions of some generations against each other.

    ``wins[i][j]`` is the win rate of the champion of ``generations[i]`` against copies of the champion of
    ``generations[j]``. The diagonal is None, because its win rates would be at chance level.
    """

    generations: list[int]
    wins: list[list[float | None]]
    n_games: int


def summary_of(index: int, summary: dict[str, Any]) -> dict[str, Any]:
    """Return the entries of a generation's summary that a report contains."""
    return {"generation": index} | {name: summary.get(name) for name in SUMMARY_NAMES}


@dataclass(frozen=True, slots=True)
class StrategyProfile:
    """A strategy's parameters as text, and its purchases at the stages of `probe`."""

    traits: StrategyDescription
    answers: list[BuyProbabilities]


def profile(strategy: Strategy, kingdom: Kingdom, n_players: int, owned: Collection[str]) -> StrategyProfile:
    """Return the profile of a strategy at tables of ``n_players``, limited to the cards in ``owned``.

    Raise UsageError for a strategy of another kingdom.
    """
    answers = probe_buys(strategy, kingdom, n_players)
    return StrategyProfile(model_of(strategy).describe(strategy, kingdom, owned), answers)


MAX_GENERATIONS = 12
"""Maximum number of measured generations, evenly spaced."""

MAX_IN_HALL = 6
"""Maximum number of champions in `HallOfFame`."""

MAX_QUARTERS = 50
"""Maximum number of generations in `ReportData.best_quarters`."""

N_BEST = 3
"""Number of strategies of the last generation that play the baselines."""

BIG_MONEY = "big-money"
SIMPLEST = ("random", BIG_MONEY)
N_STRONGEST = 5
"""The measured baselines are SIMPLEST and the N_STRONGEST strongest held-out opponents of the kingdom."""

CURVE_DIVISOR = 4
"""Divisor of the number of games of curves, of matrices, and of the second and third best strategy."""


@dataclass(frozen=True, slots=True)
class ChampionResult:
    """Win rates of a generation's champion, its mean final deck against Big Money, and the saved summary."""

    generation: int
    against_big_money: Share
    against_first_generation: Share
    summary: dict[str, Any]
    deck: dict[str, float]


@dataclass(frozen=True, slots=True)
class BaselineResult:
    """Result of one of the best strategies against copies of a baseline. ``rank`` 1 is the champion.

    ``met`` is True if the baseline was a rival in evolution, so that the result is not independent.
    """

    baseline: str
    met: bool
    rank: int
    win: Share
    alone: float
    tied: float
    place: float
    vp: float
    others_vp: float


@dataclass(frozen=True, slots=True)
class ChangeResult:
    """The success of one change of local search: its share of the trials, and its gain in win rate by 100 trials."""

    change: str
    trials: float
    gain: float


@dataclass(frozen=True, slots=True)
class SearchGains:
    """Totals of a run's local search: games, rounds, accepted changes, and the mean gain in win rate of a change.

    A gain is measured in the games that selected the change. It is biased upwards. Recent ``changes`` count more.
    """

    games: int
    rounds: int
    accepted: int
    mean_gain: float | None
    changes: list[ChangeResult]


def search_gains(summaries: Sequence[dict[str, Any]]) -> SearchGains | None:
    """Return the result of the local search over summaries of generations; None without local search."""
    known = [summary for summary in summaries if SEARCH_GAMES in summary]
    games, rounds, accepted, gain = (sum(summary.get(name, 0) for summary in known) for name in SEARCH_FIGURES)
    if not rounds:
        return None
    tried = {name: each for name, each in Archive.of(known[-1]).successes.items() if each.trials}
    total = sum(each.trials for each in tried.values())
    changes = [ChangeResult(name, each.trials / total, 100 * each.gain / each.trials) for name, each in tried.items()]
    changes.sort(key=lambda change: -change.trials)
    return SearchGains(games, rounds, accepted, gain / accepted if accepted else None, changes)


def archive_of(summaries: Sequence[dict[str, Any]]) -> list[list[float | None]]:
    """Return the highest strength that a line, no longer young, reached in each cell, over summaries of generations.

    The table has a row for each of AMOUNT_LABELS (Actions), and a column for each of TREASURE_LABELS. A cell without
    such a line has None. Return [] without lines.
    """
    history = [Archive.of(summary).lines for summary in summaries if LINES in summary]
    best: dict[int, float] = {}
    for line in (line for lines in history for line in lines.values() if not line.is_young):
        best[line.cell] = max(line.strength, best.get(line.cell, 0.0))
    n = len(TREASURE_LABELS)
    return [[best.get(row * n + column) for column in range(n)] for row in range(N_AMOUNTS)] if history else []


@dataclass(frozen=True, slots=True)
class Report:
    """All data of a report. ``games`` is the number of games of each win rate.

    A report without ``in_full`` has no ``generations``, ``best_purchases``, ``sample`` and ``strategies``.
    """

    command: str
    games: int
    seed: int
    run: dict[str, Any]
    champions: list[ChampionResult]
    champion: StrategyProfile
    purchases: measure.Purchases
    baselines: list[BaselineResult]
    best_games: measure.TableOfBest
    turns: list[measure.ByTurn]
    generations: list[dict[str, Any]]
    best_purchases: list[measure.PurchasesOfBest]
    hall_of_fame: HallOfFame
    lineage: Lineage | None
    sample: measure.SampleGame | None
    strategies: list[str]
    best_response: BestResponse | None = None
    search: SearchGains | None = None
    archive: list[list[float | None]] = field(default_factory=list)
    """The strengths that the kinds of decks reached (`archive_of`); empty without lines."""
    mistakes: Mistakes | None = None
    """The champion's costliest mistakes against the shipped network; None if it cannot be used."""
    mixture: list[MixedLine] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Return the report as plain JSON types."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class ReportData:
    """Data of a run for its report: the strategies to measure, facts and summaries, and cached matches.

    Without ``in_full`` there are no ``generations`` and no ``best_quarters``.
    """

    facts: dict[str, Any]
    options: Options
    best: Strategies
    first: Strategies
    milestones: dict[int, tuple[Strategies, dict[str, Any]]]
    generations: list[dict[str, Any]]
    best_quarters: dict[int, Strategies]
    lineage: Lineage | None
    search: SearchGains | None
    archive: list[list[float | None]]
    mixture: list[MixedLine]
    matches: dict[str, Match]
    in_full: bool

    def n_games(self, games: int) -> int:
        """Return the total number of games of a report with ``games`` for each win rate."""
        players, n_in_hall = self.options.players, min(MAX_IN_HALL, len(self.milestones))
        n_baselines = len(measured_baselines(self.options.kingdom, players))
        n_curve = 2 * (len(self.milestones) - 1) + n_in_hall * (n_in_hall - 1) + (N_BEST - 1) * n_baselines
        n_full = 3 + n_baselines
        curve = whole_rounds(games // CURVE_DIVISOR, players)
        sizes = map(len, self.best_quarters.values())
        n_counted = sum(measure.n_games_of_each(n) * -(-n // players) for n in sizes)
        return n_full * whole_rounds(games, players) + n_curve * curve + n_counted + measure.N_SAMPLES * self.in_full


@cache
def measured_baselines(kingdom: Kingdom, players: int) -> tuple[str, ...]:
    """Return the measured baselines: the simplest, then the strongest held-out opponents by rising strength."""
    strongest = strongest_baselines(kingdom, players, N_STRONGEST, among=HELD_OUT_OPPONENTS)[::-1]
    return (*SIMPLEST, *(name for name in strongest if name not in SIMPLEST))


def measure_champion(run: Run, workers: Workers | None) -> dict[str, Share]:
    """Return the win rate of a run's champion against copies of each measured baseline, the strongest one first.

    The games are those of the run's report. Their results are saved with the run, which is open for writing.
    """
    options, (champion,) = options_of(run), champions(run, 1)
    venue = Venue(options.kingdom, options.players, run.provenance().seed, Use.REPORT, workers)
    matches = Matches(venue, SAVED_MATCHES.read(run))
    names = measured_baselines(options.kingdom, options.players)[::-1]
    wins = {name: measure.against_baseline(matches, champion, name, DEFAULT_GAMES).win for name in names}
    SAVED_MATCHES.add(run, matches.used)
    return wins


def read_report_data(run: Run, *, in_full: bool = True) -> ReportData:
    """Read the data of a run's report. Another process may write the run meanwhile.

    Raises RunError if the run has no generation, or nothing a report could be computed from.
    """
    n, options = run.n_generations, options_of(run)
    if n == 0:
        raise RunError(f"run '{run.key}' has no generation yet. Evolve it again: evodom evolve {run.key} -o")
    facts, summaries = _facts(run, n, options), summaries_of(run)[:n]
    generation = lru_cache(maxsize=None)(lambda index: generation_of(run, index, options))
    milestones = {
        index: (champions(run, 1, generation(index)), generation(index).to_json())
        for index in evenly_spaced(range(n), MAX_GENERATIONS)
    }
    return ReportData(
        facts=facts,
        options=options,
        best=champions(run, max(options.players, N_BEST), generation(n - 1)),
        first=champions(run, options.players - 1, generation(0)),
        milestones=milestones,
        generations=[summary_of(index, one) for index, one in enumerate(summaries)] if in_full else [],
        best_quarters={
            index: measure.best_quarter(ranked_strategies(run, generation(index)))
            for index in (
                evenly_spaced([index for index in range(n) if is_whole(index, n)], MAX_QUARTERS) if in_full else ()
            )
        },
        lineage=trace(generation, n - 1, options.n_strategies if options.islands > 1 else None),
        search=search_gains(summaries),
        archive=archive_of(summaries),
        mixture=mixture_in(run, generation(n - 1)),
        matches=SAVED_MATCHES.read(run),
        in_full=in_full,
    )


def make_report(
    entries: ReportData,
    matches: Matches,
    *,
    command: str,
    games: int,
    best_response: BestResponse | None = None,
    mistakes: Mistakes | None = None,
) -> Report:
    """Measure all figures of a report in matches of the run's kingdom and table. ``command`` repeats the report.

    Each win rate has ``games`` games; figures of curves and matrices have ``games // CURVE_DIVISOR``. ``best_response``
    is the result of a network trained against the champion, ``mistakes`` are those of the champion.
    """
    venue, options, curve = matches.venue, entries.options, games // CURVE_DIVISOR
    best = entries.best[: options.players]
    last = max(entries.milestones)
    best_games, census = measure.table_of_best(venue, best, games)
    owned = measure.owned_cards(census[0], options.kingdom)
    return Report(
        command=command,
        games=whole_rounds(games, venue.n_seats),
        seed=venue.seed,
        run=entries.facts,
        champions=[_champion_result(matches, entries, index, curve) for index in entries.milestones if index != last]
        + [_champion_result(matches, entries, last, games)],
        champion=profile(entries.best[0], options.kingdom, options.players, owned),
        purchases=measure.purchases(census[0], options.kingdom),
        baselines=_baselines(matches, entries, games),
        best_games=best_games,
        turns=[measure.by_turn(rank, own, options.kingdom.piles) for rank, own in enumerate(census, 1)],
        generations=entries.generations,
        best_purchases=[measure.purchases_of_best(venue, index, best) for index, best in entries.best_quarters.items()],
        hall_of_fame=_hall_of_fame(matches, entries, curve),
        lineage=entries.lineage,
        sample=measure.sample_game(venue, best) if entries.in_full else None,
        strategies=[
            dump_strategy(strategy, options.kingdom, name=f"{entries.facts['key']} #{rank}")
            for rank, strategy in enumerate(best if entries.in_full else (), 1)
        ],
        best_response=best_response,
        search=entries.search,
        archive=entries.archive,
        mistakes=mistakes,
        mixture=entries.mixture,
    )


def _facts(run: Run, n: int, options: Options) -> dict[str, Any]:
    provenance = run.provenance()
    return {
        "key": run.key,
        "seed": provenance.seed,
        "created": provenance.created.isoformat(),
        "versions": provenance.versions,
        "n_saved": n,
        "n_generations": n * options.round_length,
        "round_length": options.round_length,
        "options": shown_settings(options.to_json()),
    }


def _champion_result(matches: Matches, entries: ReportData, index: int, games: int) -> ChampionResult:
    """Measure the champion of a generation."""
    (champion,), summary = entries.milestones[index]
    big_money = measure.against_baseline(matches, champion, BIG_MONEY, games)
    first = matches.against(champion, entries.first, games, Purpose.AGAINST_FIRST_GENERATION)
    return ChampionResult(
        generation=index,
        against_big_money=big_money.win,
        against_first_generation=first.win,
        summary={name: value for name, value in summary.items() if name != ORIGINS},
        deck=entries.options.kingdom.by_card(big_money.deck),
    )


def _baselines(matches: Matches, entries: ReportData, games: int) -> list[BaselineResult]:
    """Play the best strategies against the baselines. The champion has more games than the others."""
    options, found = entries.options, []
    rivals = options.rivals or () if options.race else ()
    for name in measured_baselines(options.kingdom, options.players):
        for rank in range(1, N_BEST + 1):
            n_games = games if rank == 1 else games // CURVE_DIVISOR
            one = measure.against_baseline(matches, entries.best[rank - 1], name, n_games)
            figures = one.alone, one.tied, one.place, one.vp, one.others_vp
            found.append(BaselineResult(name, name in rivals, rank, one.win, *figures))
    return found


def _hall_of_fame(matches: Matches, entries: ReportData, games: int) -> HallOfFame:
    generations = evenly_spaced(list(entries.milestones), MAX_IN_HALL)

    def win(mine: int, other: int) -> float | None:
        if mine == other:
            return None
        (champion,), others = entries.milestones[mine][0], entries.milestones[other][0]
        return matches.against(champion, others, games, Purpose.AGAINST_CHAMPION).win.share

    wins = [[win(mine, other) for other in generations] for mine in generations]
    return HallOfFame(generations, wins, whole_rounds(games, matches.venue.n_seats))
