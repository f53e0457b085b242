"""The games of an iteration in pieces, each a pure task: for many machines, with the same result as in one go.

All that is random in a game is drawn from the seed and the iteration, before any is played, so that it does not matter
which games are played together, or where.
"""

from __future__ import annotations

import json
from functools import lru_cache

import numpy as np

from evodom.learning.fights.experience import Experience, together
from evodom.learning.fights.options import FightOptions
from evodom.learning.fights.training import Played, Progress, Training
from evodom.spire.play.network import FeatureSpec, Network
from evodom.tasks import Executor
from evodom.tasks.packing import pack, unpack

PIECES = 32
"""So many pieces, for any number of workers: by default six games each, of a twentieth of a second together."""


def play_in_pieces(
    tasks: Executor, training: Training, iteration: int, network: Network, progress: Progress = lambda n: None
) -> Played:
    """Return what `Training.play` does, bit for bit: its games are cut into at most PIECES tasks."""
    pieces = np.array_split(np.arange(training.options.games), min(PIECES, training.options.games))
    facts = {
        "options": json.dumps(training.options.to_json()),
        "seed": training.seed,
        "sight": json.dumps(network.sight.to_json()),
        "iteration": iteration,
    }
    jobs = [pack(facts | {"first": int(piece[0]), "n": len(piece)}, weights=network.weights) for piece in pieces]
    done = tasks.map(play_piece, jobs, lambda number: progress(len(pieces[number])))
    parts = [unpack(result)[1] for result in done]
    taught = together([Experience(part["seen"], part["tried"], part["aims"]) for part in parts])
    return Played(taught, *(np.concatenate([part[name] for part in parts]) for name in ("results", "values", "varied")))


def play_piece(job: bytes) -> bytes:
    """Play a piece as a task, in one thread."""
    facts, arrays = unpack(job)
    training = _training(facts["options"], facts["seed"], facts["sight"])
    network = Network(training.sight, training.options.width, arrays["weights"])
    games = range(facts["first"], facts["first"] + facts["n"])
    played = training.play(facts["iteration"], network, games=games)
    taught = played.experience
    arrays = {"seen": taught.seen, "tried": taught.tried, "aims": taught.aims}
    return pack({}, **arrays, results=played.results, values=played.values, varied=played.varied)


@lru_cache(maxsize=1)  # a worker plays many pieces of one training
def _training(options: str, seed: int, sight: str) -> Training:
    return Training(FightOptions.from_json(json.loads(options)), seed, sight=FeatureSpec.from_json(json.loads(sight)))
