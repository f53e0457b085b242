"""Evolution and training as one call each: `evolve`, `train`. `evodom.runs` saves the runs."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from msgspec.structs import replace

from evodom.api.history import WINS, OnGeneration, Recorder, RunHistory
from evodom.api.progress import workers
from evodom.api.results import Figure, ReportedResult, bars
from evodom.api.run_progress import compile_for_evolution, compile_for_training, evolution_bar, training_bar
from evodom.api.strategies import NamedStrategy
from evodom.budget import NO_LIMIT, Budget
from evodom.dominion.kingdom import FIRST_GAME, Kingdom, as_kingdom, engine_groups
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.record import Strategy
from evodom.errors import UsageError
from evodom.evolution.options import Options
from evodom.evolution.runs import EVOLUTION
from evodom.kernel_groups import load_groups
from evodom.learning.run import LEARNING, learned
from evodom.learning.training import DEFAULT_GAMES, TrainOptions, estimate_n_games
from evodom.matches.tournament import strongest_baselines, wins_against
from evodom.matches.venue import Venue
from evodom.options import checked_seed, options_of_call
from evodom.presentation import document as doc
from evodom.presentation.charts import estimate_bar
from evodom.presentation.format import percent
from evodom.reports.evolved import measure_champion
from evodom.runs import MemoryStore, Run, RunStore
from evodom.statistics import Share
from evodom.tasks import Workers

N_CHAMPIONS = 4
"""Maximum number of the best strategies in a result."""


@dataclass(frozen=True, repr=False)
class RunResult(ReportedResult):
    """The result of `evolve` or `train`.

    Attributes:
        champions: the best strategies, best first, at most four.
        wins: the champion's win rate against copies of each baseline, the strongest baseline first.
        seed: the seed.
        key: the key of the saved run; "" if it was not saved.
        history: statistics of each generation or checkpoint, with the champion's win rate.
    """

    champions: Sequence[NamedStrategy]
    wins: Mapping[str, Share]
    seed: int
    key: str
    history: RunHistory

    @property
    def champion(self) -> NamedStrategy:
        """The best strategy."""
        return self.champions[0]

    def to_dict(self) -> dict[str, Any]:
        """Return the figures and the champion's purchases as JSON types."""
        champion = self.champion
        return {
            "key": self.key,
            "seed": self.seed,
            "kingdom": {"name": champion.kingdom.name, "cards": list(champion.kingdom.cards)},
            "players": champion.players,
            "champion": champion.buys(),
            "baselines": {name: asdict(share) for name, share in self.wins.items()},
            "history": self.history.to_dict(),
        }

    def document(self) -> doc.Document:
        """Return the champion's purchases and its win rates against baselines."""
        champion = self.champion
        columns = doc.columns("against copies of", doc.percent_column("wins, %"))
        table = doc.DataTable(columns, [(name, share) for name, share in self.wins.items()])
        about = f"{champion.players} players, seed {self.seed}. Chance level: {percent(1 / champion.players)} %."
        buys = doc.Paragraph(f"The champion buys: {champion.buys()}")
        return doc.Document("", [doc.Section("", [doc.Paragraph(about), buys, table])])

    def plot(self) -> Figure:
        """Return the champion's win rates against baselines as bars with 95 % intervals."""
        rows = [estimate_bar(name, share) for name, share in self.wins.items()]
        return bars("Win rate of the champion against baselines", rows, 1 / self.champion.players)

    def _summary(self) -> str:
        name, wins = next(iter(self.wins.items()))
        unit, n = next(iter(self.history.rows[-1].items()))
        return f"champion wins {percent(wins.share)} % against {name}; {unit} {n:,}"


def evolve(
    kingdom: Kingdom | str = FIRST_GAME,
    *,
    n_generations: int = 100,
    n_strategies: int = 128,
    players: int = 2,
    seed: int = 0,
    key: str = "",
    progress: bool = False,
    on_generation: OnGeneration | None = None,
    **options: Any,
) -> RunResult:
    """Evolve strategies for a kingdom, like ``evodom evolve``.

    Args:
        kingdom: a Kingdom or a text as for ``--kingdom``; ``seed`` draws missing cards.
        n_generations: number of generations.
        n_strategies: number of strategies in a generation.
        players: number of players, 2 to 6.
        seed: seed of the run.
        key: save the run under this key in `RunStore()`. Without a key nothing is saved.
        progress: show a progress bar.
        on_generation: function called after each generation with a dict, the row of ``history``. A true result stops
            the run. A saved run can be resumed.
        options: further fields of `Options`, such as ``model="buy-list"``.

    Raises UsageError for bad arguments, and for a key that is taken.
    """
    seed, quiet = checked_seed(seed), not progress
    own = {"players": players, "n_strategies": n_strategies, "n_generations": n_generations}
    settings = options_of_call(Options, "evolve", {"kingdom": as_kingdom(kingdom, seed=seed)} | own, options)
    record = Recorder(settings, on_generation)
    compile_for_evolution(settings, quiet=quiet)
    record.restart_clock()
    with (
        workers() as pool,
        evolution_bar(settings, quiet=quiet, then=record) as bar,
        EVOLUTION.start(key or "run", settings, seed, store=store_for(key), workers=pool, monitor=bar.monitor()) as run,
    ):
        bar.begin(run)
        if not record(run.last()):
            EVOLUTION.carry_on(run, pool, bar.monitor())
        best, wins = EVOLUTION.best(run, N_CHAMPIONS), measure_champion(run, pool)
    return RunResult(_champions(settings, best, key), wins, seed, key, RunHistory(record.rows))


def train(
    kingdom: Kingdom | str = FIRST_GAME,
    *,
    n_games: int | None = None,
    minutes: float | None = None,
    players: int = 2,
    seed: int = 0,
    key: str = "",
    progress: bool = False,
    **options: Any,
) -> RunResult:
    """Train networks for a kingdom by self-play, like ``evodom train``. Arguments are those of `evolve`, except:

    ``n_games`` is the number of games of training. ``minutes`` above 0 is a time limit instead of ``n_games``.
    ``options`` are further fields of `TrainOptions`.
    """
    if n_games is not None and minutes is not None:
        raise UsageError("n_games and minutes exclude each other. Give one of them.")
    seed, n_games = checked_seed(seed), DEFAULT_GAMES if n_games is None else n_games
    own = {"kingdom": as_kingdom(kingdom, seed=seed), "players": players, "games": n_games, "minutes": minutes or 0.0}
    settings = options_of_call(TrainOptions, "train", own, options)
    compile_for_training(settings, quiet=not progress)
    with workers() as pool:
        settings, budget = with_time_limit(settings, minutes, settings.n_starts if "n_starts" in options else 0, pool)
        with (
            training_bar(settings, budget, quiet=not progress) as bar,
            LEARNING.start(key or "run", settings, seed, store=store_for(key), workers=pool, budget=budget) as run,
        ):
            LEARNING.carry_on(run, pool, bar.monitor(), budget)
            best, summaries = learned(run, N_CHAMPIONS), LEARNING.summaries_of(run)
        venue = Venue(settings.kingdom, players, seed, workers=pool)
        names = strongest_baselines(settings.kingdom, players, None)
        wins = {name: wins_against(venue, best[0], baseline(name, venue.kingdom), 1000) for name in names}
    rows = [{"games": one["games"], WINS: sum(one["shares"]) / len(one["shares"])} for one in summaries]
    return RunResult(_champions(settings, best, key), wins, seed, key, RunHistory(rows))


def with_time_limit(
    options: TrainOptions, minutes: float | None, n_starts: int, workers: Workers, saved: Run | None = None
) -> tuple[TrainOptions, Budget]:
    """Return the options of a training, and its time limit. Load the kernels before the time starts.

    In a new run with ``minutes``, a trial estimates the number of games. If ``n_starts`` is 0, this number determines
    it. The time limit of a ``saved`` run is its remaining time.
    """
    if saved is not None or minutes:
        load_groups(*engine_groups(options.kingdom), "learning")
    if saved is not None:
        return options, LEARNING.time_left(saved)
    if not minutes:
        return options, NO_LIMIT
    budget = Budget.starting_now(60.0 * minutes)
    n_games = estimate_n_games(budget.seconds_left, options.kingdom, options.players, workers)
    return replace(options, games=n_games, n_starts=n_starts, minutes=minutes), budget


def _champions(options: Options | TrainOptions, best: Sequence[Strategy], key: str) -> list[NamedStrategy]:
    """Return the best strategies of a run with their names."""
    names = [key or "champion", *(f"{key or 'champion'}:{rank}" for rank in range(2, len(best) + 1))]
    return [
        NamedStrategy(name, one, options.kingdom, options.players, options.players)
        for name, one in zip(names, best, strict=True)
    ]


def store_for(key: str) -> RunStore:
    """Return the store of saved runs, or without a key a store in memory."""
    return RunStore() if key else MemoryStore()
