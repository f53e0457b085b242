"""Files as evodom writes them, made without playing a game: what strangers' files are made from in tests."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from evodom.evolution import Evolution, Options, RankedPopulation
from evodom.evolution.emitters import ORIGINS
from evodom.learning.training import KIND, SAVED_START, TrainOptions
from evodom.runs import Generation, RunStore, new_meta

SETTINGS = {"n_strategies": 8, "n_generations": 9, "rivals": ("big-money",), "start": "random"}
SEED = 7


def generations(model: str, n: int = 3) -> list[Generation]:
    """Return the first generations of a run of evolution whose rankings say nothing."""
    evolution, made = Evolution(Options(model=model, **SETTINGS), SEED), []
    for index in range(n):
        genomes, origins = evolution.ask(), evolution.origins
        ranking = np.random.default_rng(index).permutation(len(genomes)).astype(np.int32)
        figures = {"best_points": 2.0, "games": 24, "rounds": 20.0, "winner_vp": 30.5, "diversity": 0.5}
        made.append(Generation(index, genomes, ranking, figures, {ORIGINS: origins}))
        evolution.tell(RankedPopulation(ranking))
    return made


def save_evolved(root: Path, key: str = "demo", model: str = "graded") -> Path:
    """Save a run of evolution and return its file."""
    options = Options(model=model, **SETTINGS)
    meta = new_meta(options.to_json(), SEED, options.kingdom.rules_fingerprint)
    with RunStore(root).create(key, meta, generations(model)) as run:
        return run.path


def save_learned(root: Path, key: str = "demo") -> Path:
    """Save a run of learning and return its file."""
    members = np.zeros(2, SAVED_START)
    members["start"] = [0, 1]
    members["weights"] = np.random.default_rng(1).normal(size=members["weights"].shape)
    checkpoint = Generation(0, members, np.array([1, 0], np.int32), {"games": 0, "shares": [0.25], "starts": [0, 1]})
    options = TrainOptions(games=100_000)
    meta = {"kind": KIND} | new_meta(options.to_json(), SEED, options.kingdom.rules_fingerprint)
    with RunStore(root).create(key, meta, [checkpoint]) as run:
        return run.path


def resave(path: Path, change: Callable[[Generation], Generation] | None = None, **meta: Any) -> None:
    """Write a run anew with its last generation changed, and other meta: the checksums are right."""
    root, key = path.parent.parent, path.stem
    with RunStore(root).open(key) as run:
        *others, last = run
        known = run.meta | meta
    RunStore(root).create(key, known, [*others, change(last) if change else last], overwrite=True).close()


def changed(gene: str, value: Any) -> Callable[[Generation], Generation]:
    """Return what puts a value into a gene of all genomes."""

    def change(generation: Generation) -> Generation:
        genomes = generation.genomes.copy()
        genomes[gene] = value
        return replace(generation, genomes=genomes)

    return change


def execute(path: Path, *statements: str) -> None:
    """Change a run's file behind the store's back."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)
