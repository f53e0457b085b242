"""Train the network of all fights of act 1 (`act_network.py`).

A search plays random fights, and the network learns from them. The first iterations evaluate positions by playouts,
later iterations by the network. An iteration depends on the seed, the previous network and the replay window only. Each
row of the network's layers (an input or a move) is a weighted sum of columns (traits).
"""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from evodom.distribution import certain
from evodom.errors import UsageError
from evodom.files import replacing
from evodom.jit.kernel import kernel
from evodom.learning.fights import Recipe, gradient
from evodom.learning.fights.gradient import LayerGradients, Layers, Losses, Positions, layers_of
from evodom.learning.fights.learner import PositionLearner, TrainingData, begins_of, concatenate_data, positions_of
from evodom.learning.fights.training import run_epochs, self_play
from evodom.nn.dense import Indices
from evodom.nn.hypernetwork import RowSums, Traits, Vector
from evodom.nn.optimiser import Adam
from evodom.spire.content.cards import CARDS, COMMON, CURSE, RARE, UNCOMMON, SpireCard, ironclad
from evodom.spire.content.encounters import BOSS, ELITE, encounters, groups_of
from evodom.spire.content.potions import POTIONS
from evodom.spire.content.relics import RELICS
from evodom.spire.embedding import WIDTH
from evodom.spire.embedding.columns import DEATH, GAIN, input_columns, output_columns
from evodom.spire.embedding.hypernetwork import Hypernetwork, n_act_weights, split_layers
from evodom.spire.engine.compiler import BURNING_MARKS, Setup
from evodom.spire.engine.game import SpireFight
from evodom.spire.engine.layout import LATE, LOST
from evodom.spire.fights.fight import Payoff
from evodom.spire.play.estimates import SelfPlay
from evodom.statistics import mean_interval

MAX_CARDS = 20
"""Cards of the largest decks."""

_POOL_WEIGHTS = {ELITE: 2.0, BOSS: 2.0}
"""Weights of kinds of fights that are drawn more often; other fights have 1."""

_RARITY_PROBABILITIES = {COMMON: 0.6, UNCOMMON: 0.32, RARE: 0.08}
_P_ASCENSION_20, _P_STARTER_DECK, _P_LOW_HP, _P_RELICS, _P_POTIONS, _P_BURNING = 0.75, 0.2, 0.3, 0.3, 0.3, 0.15
"""Probabilities of the highest ascension, the starter's deck, low HP, relics, potions, and that an elite burns."""


def random_fight(rng: np.random.Generator) -> SpireFight:
    """Return a random fight against one group of enemies."""
    while True:
        try:
            return SpireFight(_setup(rng))
        except UsageError:  # too many kinds of cards for one fight
            continue


def _setup(rng: np.random.Generator) -> Setup:
    known = encounters()
    weights = np.array([_POOL_WEIGHTS.get(one.pool, 1.0) for one in known.values()])
    name = list(known)[rng.choice(len(weights), p=weights / weights.sum())]
    pairs = groups_of(name).pairs
    chances = np.array([float(weight) for _, weight in pairs])
    group = pairs[rng.choice(len(pairs), p=chances / chances.sum())][0]
    ascension = 20 if rng.random() < _P_ASCENSION_20 else int(rng.integers(21))
    hp, max_hp, deck = ironclad(ascension)
    if rng.random() < 0.2:
        max_hp += int(rng.integers(1, 16))
    low = 10 if rng.random() < _P_LOW_HP else 45
    hp = hp if rng.random() < 0.3 else int(rng.integers(low, max_hp + 1))
    is_burning = known[name].pool == ELITE and rng.random() < _P_BURNING
    return Setup(
        enemies=certain(group),
        ascension=ascension,
        deck=deck if rng.random() < _P_STARTER_DECK else random_deck(deck, rng),
        hp=min(hp, max_hp),
        max_hp=max_hp,
        relics=("Burning Blood", *_draw_names(sorted(set(RELICS) - {"Burning Blood"}), _P_RELICS, 3, rng)),
        potions=tuple(_draw_names(list(POTIONS), _P_POTIONS, 2, rng)),
        burning=str(rng.choice(BURNING_MARKS[1:])) if is_burning else "",
    )


def _draw_names(names: list[str], probability: float, most: int, rng: np.random.Generator) -> list[str]:
    """Draw 1 to ``most`` names with probability ``probability``, else none."""
    n = int(rng.integers(1, most + 1)) if rng.random() < probability else 0
    return [str(name) for name in rng.choice(names, n, replace=False)]


def random_deck(starter: Counter[str], rng: np.random.Generator) -> Counter[str]:
    """Return a starter deck with random removals, additions and upgrades."""
    names = list(starter.elements())
    for _ in range(int(rng.integers(3)) if rng.random() < 0.3 else 0):
        names.remove("Strike" if rng.random() < 0.7 else "Defend")
    names += [_draw_card(rng) for _ in range(int(rng.integers(1, MAX_CARDS - len(names) + 1)))]
    if rng.random() < 0.05:
        names.append(str(rng.choice([name for name, card in CARDS.items() if card.kind == CURSE])))
    better = rng.random(len(names)) < rng.choice((0.0, 0.1, 0.25))
    return Counter(_upgraded(name) if up else name for name, up in zip(names, better, strict=True))


def _draw_card(rng: np.random.Generator) -> str:
    """Return a random upgradable card; its rarity is drawn first."""
    rarity = str(rng.choice(list(_RARITY_PROBABILITIES), p=list(_RARITY_PROBABILITIES.values())))
    offered = [name for name, card in CARDS.items() if card.rarity == rarity and card.upgradable]
    return offered[int(rng.integers(len(offered)))]


def _upgraded(name: str) -> str:
    card: SpireCard = CARDS[name]
    return f"{name}+" if card.upgradable and f"{name}+" in CARDS else name


def new_act_weights(rng: np.random.Generator) -> Vector:
    """Return the weights of an untrained network of act 1, with nearly uniform priors."""
    weights = np.zeros(n_act_weights(), np.float32)
    first, second, third = split_layers(weights)
    first[:] = rng.normal(0.0, 0.12, first.shape)
    second[:-1] = rng.normal(0.0, np.sqrt(2.0 / WIDTH), (WIDTH, WIDTH))
    third[:, :-1] = rng.normal(0.0, 0.02, (len(third), WIDTH))
    return weights


@kernel
def sum_rows(begins: Indices, columns: Indices, amounts: Vector, weights: Vector, rows: Vector) -> None:
    """Write `rows`: row r sums `amounts[i] * weights[columns[i]]` for i from `begins[r]` to `begins[r + 1]`."""
    for row in range(len(begins) - 1):
        target = rows[row]
        for place in range(len(target)):
            target[place] = 0.0
        for part in range(begins[row], begins[row + 1]):
            source, amount = weights[columns[part]], amounts[part]
            for place in range(len(target)):
                target[place] += amount * source[place]


@kernel
def distribute_rows(begins: Indices, columns: Indices, amounts: Vector, slopes: Vector, gradient: Vector) -> None:
    """Add to the columns' `gradient`, given the derivatives `slopes` of the rows: the transpose of `sum_rows`."""
    for row in range(len(begins) - 1):
        source = slopes[row]
        for part in range(begins[row], begins[row + 1]):
            target, amount = gradient[columns[part]], amounts[part]
            for place in range(len(source)):
                target[place] += amount * source[place]


@dataclass
class RowTable:
    """Rows of all inputs or outputs that occurred so far. Each row is a weighted sum of columns (traits)."""

    column_of_trait: dict[str, int]
    rows: list[Traits] = field(default_factory=list)
    _row_of_key: dict[str, int] = field(default_factory=dict)
    _row_sums: RowSums | None = None

    def row_of(self, traits: Traits) -> int:
        """Return the number of a row, a new one for unknown traits."""
        key = json.dumps(traits)
        if key not in self._row_of_key:
            self._row_of_key[key] = len(self.rows)
            self.rows.append(traits)
            self._row_sums = None
        return self._row_of_key[key]

    def row_sums(self) -> tuple[Indices, Indices, Vector]:
        """Return (begins, traits, amounts): row r has the traits and amounts from `begins[r]` to `begins[r + 1]`."""
        if self._row_sums is None:
            self._row_sums = RowSums.of(self.rows, self.column_of_trait)
        found = self._row_sums
        return np.append(found.begins, len(found.traits)), found.traits, found.amounts


def concatenate_positions(some: Sequence[Positions]) -> Positions:
    """Return several batches of positions as one."""
    found = Positions(*map(np.concatenate, zip(*some, strict=True)))
    return found._replace(
        begins=begins_of(np.concatenate([np.diff(one.begins) for one in some])),
        move_begins=begins_of(np.concatenate([np.diff(one.move_begins) for one in some])),
    )


class ActLearner(PositionLearner):
    """Learner of the network of all fights of act 1. The weights are columns, and rows are weighted sums of them."""

    N_CHUNKS = 2

    def __init__(self, weights: Vector) -> None:
        super().__init__(weights)
        self.inputs, self.outputs = RowTable(input_columns()), RowTable(output_columns())
        for name in (GAIN, DEATH):
            self.outputs.row_of({name: 1.0})

    def positions(self, hypernetwork: Hypernetwork, data: TrainingData) -> Positions:
        """Return a fight's training data as positions that share the rows of all other fights."""
        constant_inputs = [self.inputs.row_of({name: amount}) for name, amount in hypernetwork.static.items()]
        input_rows = np.array([self.inputs.row_of(traits) for traits in hypernetwork.inputs], np.int32)
        move_rows = np.array([self.outputs.row_of(traits) for traits in hypernetwork.moves], np.int32)
        return positions_of(data, constant_inputs, input_rows, move_rows)

    def layers(self) -> Layers:
        """Return the weights as layers; `Positions` refer to their rows."""
        first_columns, second, third_columns = split_layers(self.weights)
        first = np.zeros((len(self.inputs.rows), WIDTH), np.float32)
        third = np.zeros((len(self.outputs.rows), WIDTH + 1), np.float32)
        sum_rows(*self.inputs.row_sums(), first_columns, first)
        sum_rows(*self.outputs.row_sums(), third_columns, third)
        return layers_of(first, second, third)

    def weight_gradient(self, gradients: LayerGradients) -> Vector:
        """Return the gradient with respect to the weights, given that of the layers."""
        total = np.zeros(n_act_weights(), np.float32)
        first_columns, second, third_columns = split_layers(total)
        distribute_rows(*self.inputs.row_sums(), gradients.first, first_columns)
        second[:] = gradients.second
        distribute_rows(*self.outputs.row_sums(), gradients.third, third_columns)
        return total


_WEIGHTS, _FIGHTS, _LEARN = range(3)
"""Uses of random numbers."""


class ActSchedule(Recipe, frozen=True, kw_only=True):
    """The recipe, the number of iterations, fights of each, games of each fight, and simulations a move."""

    iterations: int = 120
    fights: int = 100
    games_per_fight: int = 4
    simulations: int = 100
    exploration: float = 0.5
    played_out: int = 8
    window: int = 60
    batch: int = 512
    rate: tuple[float, float] = (0.002, 0.0001)


_SAVED_NAMES = {"targets": "aims", "visit_shares": "tried"}
"""Names of fields of `Positions` in saved files, where they differ."""


class ActTraining:
    """A training: `learner`, the positions of the replay window, and the number of iterations done."""

    def __init__(self, seed: int, schedule: ActSchedule | None = None, n_threads: int = 1) -> None:
        self.schedule, self.seed, self.n_threads = schedule or ActSchedule(), seed, n_threads
        self.learner = ActLearner(new_act_weights(self._rng(0, _WEIGHTS)))
        self.replay: deque[Positions] = deque(maxlen=self.schedule.window)
        self.iteration = 0

    @property
    def weights(self) -> Vector:
        """The current weights."""
        return self.learner.weights

    def step(self) -> dict[str, float]:
        """Play, learn, and return figures of both."""
        self.iteration += 1
        plan, rng = self.schedule, self._rng(self.iteration, _FIGHTS)
        fights = [random_fight(rng) for _ in range(plan.fights)]
        seeds = rng.integers(2**63, size=len(fights))
        with ThreadPoolExecutor(self.n_threads) as pool:
            played = list(pool.map(self._played, fights, seeds))
            self.replay.append(
                concatenate_positions([self.learner.positions(hypernetwork, data) for hypernetwork, data, *_ in played])
            )
            losses = self._learn(pool)
        values = np.concatenate([one[2] for one in played])
        lost = np.concatenate([one[3] for one in played])
        return {
            "HP": mean_interval(values).value,
            "lost": float(lost.mean()),
            "positions": self.replay[-1].n_positions,
            "moves": float(losses[gradient.POLICY]),
            "gain": float(losses[gradient.GAIN]),
            "death": float(losses[gradient.DEATH]),
        }

    def _played(self, game: SpireFight, seed: int) -> tuple[Hypernetwork, TrainingData, Any, Any]:
        """Play a fight several times. Return its hypernetwork, training data, values, and which games were lost."""
        plan, rng, hypernetwork = self.schedule, np.random.default_rng(seed), Hypernetwork(game)
        network = hypernetwork.network(self.weights)
        search = plan.search_options(self.iteration <= plan.played_out, plan.simulations, network)
        starts = [game.start(rng) for _ in range(plan.games_per_fight)]
        game_seeds = rng.integers(2**64, size=(plan.games_per_fight, 2), dtype=np.uint64)
        mode = SelfPlay(hypernetwork.features, rng.random(plan.games_per_fight) < plan.varied, plan.noise)
        results, values, taught = self_play(game, Payoff(), starts, game_seeds, search, mode, plan.trace)
        return hypernetwork, concatenate_data(taught), values, np.isin(results["over"], (LOST, LATE))

    def _learn(self, pool: ThreadPoolExecutor) -> Losses:
        rng, done = self._rng(self.iteration, _LEARN), self.iteration / self.schedule.iterations
        return run_epochs(self.learner, concatenate_positions(list(self.replay)), self.schedule, done, rng, pool)

    def save(self, path: Path) -> None:
        """Save the complete state for the next iteration, atomically."""
        learner = self.learner
        arrays = {
            f"{_SAVED_NAMES.get(name, name)} {number}": array
            for number, positions in enumerate(self.replay)
            for name, array in positions._asdict().items()
        }
        with replacing(path) as file:
            np.savez(
                file,
                general=learner.weights,
                mean=learner.adam.mean,
                square=learner.adam.square,
                n_steps=learner.adam.n_steps,
                iteration=self.iteration,
                n_lots=len(self.replay),
                rows=np.array(json.dumps([learner.inputs.rows, learner.outputs.rows])),
                **arrays,
            )

    def restore(self, path: Path) -> None:
        """Restore the state written by `save`."""
        learner = self.learner
        with np.load(path, allow_pickle=False) as saved:
            learner.weights[:] = saved["general"]
            learner.adam = Adam(saved["mean"].copy(), saved["square"].copy(), int(saved["n_steps"]))
            self.iteration = int(saved["iteration"])
            for table, rows in zip((learner.inputs, learner.outputs), json.loads(str(saved["rows"])), strict=True):
                for row in rows:
                    table.row_of(row)
            for number in range(int(saved["n_lots"])):
                self.replay.append(
                    Positions(*(saved[f"{_SAVED_NAMES.get(name, name)} {number}"] for name in Positions._fields))
                )

    def _rng(self, iteration: int, use: int) -> np.random.Generator:
        return np.random.default_rng((self.seed, iteration, use))
