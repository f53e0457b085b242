"""Evolution and training as one call each: `evolve`, `train`. `evodom.runs` saves the runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from evodom.api.progress import ensure_compiled, progress_bar, workers
from evodom.api.results import Figure, ReportedResult, bars, line_chart
from evodom.api.strategies import NamedStrategy
from evodom.dominion.kingdom import FIRST_GAME, Kingdom, as_kingdom, engine_groups
from evodom.dominion.strategies.baselines import baseline
from evodom.evolution import runs as evolution
from evodom.evolution.options import MIXED, Options
from evodom.evolution.ranking import HELD_OUT_WINS
from evodom.learning import run as learning
from evodom.learning.training import DEFAULT_GAMES, TrainOptions
from evodom.matches.tournament import strongest_baselines, wins_against
from evodom.matches.venue import Venue
from evodom.presentation import document as doc
from evodom.presentation.charts import Series, estimate_bar
from evodom.presentation.format import percent
from evodom.reports.evolved import measure_champion
from evodom.runs import MemoryStore, RunStore
from evodom.runs.lifecycle import RunMonitor
from evodom.statistics import Share

BASELINE_GAMES = 1000
"""Games of the champion of `train` against copies of each baseline."""


@dataclass(frozen=True, repr=False)
class RunResult(ReportedResult):
    """The result of `evolve` or `train`.

    Attributes:
        champions: the best strategies, best first, at most four.
        wins: the champion's win rate against copies of each baseline, the strongest baseline first.
        curve: the champion's win rate after each measured generation or checkpoint.
        unit: "generations" or "games".
        steps: the generation, or the games of training, of each entry of ``curve``.
        seed: the seed.
        key: the key of the saved run; "" if it was not saved.
    """

    champions: Sequence[NamedStrategy]
    wins: Mapping[str, Share]
    curve: Sequence[float]
    unit: str
    steps: Sequence[int]
    seed: int
    key: str

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
            "curve": {self.unit: list(self.steps), "win rate": list(self.curve)},
        }

    def document(self) -> doc.Document:
        """Return the champion's purchases and its win rates against baselines. `plot_curve` shows the curve."""
        champion = self.champion
        columns = [doc.text_column("against copies of"), doc.percent_column("wins, %")]
        table = doc.DataTable(columns, [(name, share) for name, share in self.wins.items()])
        about = f"{champion.players} players, seed {self.seed}. Chance level: {percent(1 / champion.players)} %."
        buys = doc.Paragraph(f"The champion buys: {champion.buys()}")
        return doc.Document("", [doc.Section("", [doc.Paragraph(about), buys, table])])

    def plot(self) -> Figure:
        """Return the champion's win rates against baselines as bars with 95 % intervals."""
        rows = [estimate_bar(name, share) for name, share in self.wins.items()]
        return bars("Win rate of the champion against baselines", rows, 1 / self.champion.players)

    def plot_curve(self) -> Figure:
        """Return the champion's win rate by generation, or by games of training."""
        line = Series("champion", "c0", [100 * value for value in self.curve])
        reference = 100 / self.champion.players
        return line_chart("Win rate of the champion", self.steps, line, (self.unit, "wins, %"), reference)

    def _summary(self) -> str:
        name, wins = next(iter(self.wins.items()))
        steps = f"{self.steps[-1]:,} {self.unit}" if self.steps else ""
        return f"champion wins {percent(wins.share)} % against {name}; {steps}"


def evolve(
    kingdom: Kingdom | str = FIRST_GAME,
    *,
    n_generations: int = 100,
    n_strategies: int = 128,
    players: int = 2,
    seed: int = 0,
    key: str = "",
    progress: bool = False,
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
        options: further fields of `Options`, such as ``model="buy-list"``.

    Raises UsageError for bad arguments, and for a key that is taken.
    """
    chosen = as_kingdom(kingdom, seed=seed)
    settings = Options(
        kingdom=chosen, players=players, n_strategies=n_strategies, n_generations=n_generations, **options
    )
    with workers() as pool, progress_bar(quiet=not progress, total=n_generations, unit=" gen") as bar:
        imitation = ["imitation"] if settings.start == MIXED else []
        ensure_compiled(*engine_groups(chosen), *imitation, quiet=not progress)
        monitor = RunMonitor(on_generation=lambda generation: bar.update(settings.round_length))
        with evolution.start(key or "run", settings, seed, store=store_for(key), workers=pool, monitor=monitor) as run:
            bar.update(settings.round_length)
            evolution.carry_on(run, pool, monitor)
            best = evolution.champions(run, 4)
            summaries = evolution.summaries_of(run)
            wins = measure_champion(run, pool)
    judged = [(number, summary[HELD_OUT_WINS]) for number, summary in enumerate(summaries) if HELD_OUT_WINS in summary]
    return RunResult(
        champions=[NamedStrategy(_name(key, rank), one, chosen, players, players) for rank, one in enumerate(best, 1)],
        wins=wins,
        curve=[wins for _, wins in judged],
        unit="generations",
        steps=[(number + 1) * settings.round_length for number, _ in judged],
        seed=seed,
        key=key,
    )


def train(
    kingdom: Kingdom | str = FIRST_GAME,
    *,
    n_games: int = DEFAULT_GAMES,
    players: int = 2,
    seed: int = 0,
    key: str = "",
    progress: bool = False,
    **options: Any,
) -> RunResult:
    """Train networks for a kingdom by self-play, like ``evodom train``. Arguments are those of `evolve`, except:

    ``n_games`` is the number of games of training. ``options`` are further fields of `TrainOptions`.
    """
    chosen = as_kingdom(kingdom, seed=seed)
    settings = TrainOptions(chosen, players, n_games, **options)
    with workers() as pool, progress_bar(quiet=not progress, total=n_games, unit=" games") as bar:
        ensure_compiled(*engine_groups(chosen), "learning", quiet=not progress)
        monitor = RunMonitor(on_games=lambda n, figures: bar.update(n))
        with learning.start(key or "run", settings, seed, store=store_for(key), workers=pool, monitor=monitor) as run:
            learning.carry_on(run, pool, monitor)
            best = learning.learned(run, 4)
            checkpoints = [(summary["games"], summary["shares"]) for summary in run.summaries()]
        venue = Venue(chosen, players, seed, workers=pool)
        names = strongest_baselines(chosen, players, None)
        wins = {name: wins_against(venue, best[0], baseline(name, chosen), BASELINE_GAMES) for name in names}
    return RunResult(
        champions=[NamedStrategy(_name(key, rank), one, chosen, players, players) for rank, one in enumerate(best, 1)],
        wins=wins,
        curve=[sum(shares) / len(shares) for _, shares in checkpoints if shares],
        unit="games",
        steps=[games for games, shares in checkpoints if shares],
        seed=seed,
        key=key,
    )


def store_for(key: str) -> RunStore:
    """Return the store of saved runs, or without a key a store in memory."""
    return RunStore() if key else MemoryStore()


def _name(key: str, rank: int) -> str:
    return f"{key or 'champion'}:{rank}" if rank > 1 else key or "champion"
