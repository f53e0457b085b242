"""Runs that evolve and save a few generations, files of answers, and what a run has saved, to compare."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from evodom.advice.answer import ANSWERS, EVOLVED, PARTS, AnswerOptions
from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.evolution import algorithm
from evodom.evolution.options import Options
from evodom.evolution.ranking import HalvingStage
from evodom.evolution.runs import carry_on, start
from evodom.reports import evolved
from evodom.runs import RunStore
from evodom.tasks import Workers

SHORT_ROUND = (HalvingStage(6, 8), HalvingStage(2, 24))
"""Stages of a round of local search that takes few games."""

ROUND_GAMES = 40
"""Games of local search for each of `Options.search_rounds`: one such round, or a few."""

FEW_GAMES = 1000
"""Games of a champion against each baseline, the smallest number of `evodom report`."""


def quick_runs(patch: pytest.MonkeyPatch) -> None:
    """Let runs of evolution search in short rounds, and measure their champion in few games."""
    patch.setattr(evolved, "DEFAULT_GAMES", FEW_GAMES)
    patch.setattr(algorithm, "SHORT_ROUND", SHORT_ROUND)
    patch.setattr(algorithm, "LONG_ROUND", SHORT_ROUND)
    patch.setattr(algorithm, "ROUND_GAMES", ROUND_GAMES)


@pytest.fixture(scope="module", autouse=True)
def short_runs():
    """Let the runs of a module's tests be quick. Folders import this in their conftest."""
    with pytest.MonkeyPatch.context() as patch:
        quick_runs(patch)
        yield


def evolve(root: Path, key: str = "demo", *, whole: bool = True, threads: int = 1, **options: Any) -> None:
    """Evolve and save a run with seed 3, or only its first generation if it is not `whole`.

    By default it has neither imitations nor local search.
    """
    options = {"start": "random", "search_rounds": 0} | options
    with ThreadPoolExecutor(threads) as executor, pytest.MonkeyPatch.context() as patch:
        quick_runs(patch)
        workers = Workers(executor, threads)
        with start(key, Options(**options), 3, store=RunStore(root), workers=workers) as run:
            if whole:
                carry_on(run, workers)


def contents(root: Path, key: str = "demo") -> list[Any]:
    """Return all that the generations of a run hold."""
    with RunStore(root).open(key) as run:
        return [(each.genomes.tobytes(), each.ranking.tolist(), each.to_json()) for each in run]


def save_answer(
    root: Path, key: str = "first-game", kingdom: Kingdom = FIRST_GAME, parts: tuple[str, ...] = PARTS, **notes: Any
) -> None:
    """Save an answer whose parts have settings, but no generations."""
    plain = {"kingdom": list(kingdom.cards), "players": 2}
    metas = {
        part: {"options": plain | ({"model": part} if part in EVOLVED else {}), "seed": 1}
        | ({} if part in EVOLVED else {"kind": "train"})
        for part in parts
    }
    meta = ANSWERS.meta_of(AnswerOptions(kingdom=kingdom, players=2, n_strategies=8), 1) | notes
    RunStore(root).create(key, meta, [], parts={part: (metas[part], []) for part in parts}).close()
