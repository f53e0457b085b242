"""The network and PPO's loss in plain NumPy and float64, written from their definitions."""

import numpy as np

from evodom.dominion.engine.observation import N_FEATURES, SCALES
from evodom.dominion.strategies.models.networks.layers import (
    CRITIC_UNITS,
    FIRST_CRITIC_UNIT,
    FIRST_OUTPUT,
    HIDDEN,
    N_KINDS,
    N_OUTPUTS,
    N_WEIGHTS,
    VALUE_COLUMN,
    WIDTH,
)
from evodom.learning.rollouts import DECISION

SHAPES = ((N_KINDS, N_FEATURES, WIDTH), (N_KINDS, N_OUTPUTS, HIDDEN), (N_KINDS, CRITIC_UNITS))


def random_decisions(n: int, rng: np.random.Generator) -> np.ndarray:
    """Return decisions with something in every field; about a quarter of the features are not 0."""
    decisions = np.zeros(n, DECISION)
    for decision in decisions:
        shown = rng.random(N_FEATURES) < 0.25
        decision["features"] = np.where(shown, rng.integers(-5, 9, N_FEATURES), 0)
        may = rng.permutation(N_OUTPUTS)[: rng.integers(2, 8)]
        decision["legal"] = sum(1 << int(output) for output in may)
        decision["action"] = may[0]
    decisions["kind"] = rng.integers(N_KINDS, size=n)
    decisions["log_probability"] = np.log(rng.uniform(0.1, 0.9, n))
    decisions["advantage"] = rng.normal(size=n)
    decisions["target"] = rng.random(n)
    return decisions


def random_weights(rng: np.random.Generator, scale: float = 0.05) -> np.ndarray:
    """Return a network all of whose numbers are drawn."""
    return rng.normal(0.0, scale, N_WEIGHTS).astype(np.float32)


def answers(weights: np.ndarray, decisions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the logarithms of the probabilities of all outputs (n, N_OUTPUTS), and the critic's guesses (n,)."""
    sizes = np.cumsum([int(np.prod(shape)) for shape in SHAPES])[:-1]
    inputs, outputs, critic = (
        part.reshape(shape) for part, shape in zip(np.split(weights.astype(float), sizes), SHAPES, strict=True)
    )
    logs, guesses = [], []
    for decision in decisions:
        kind = decision["kind"]
        row = (decision["features"] * SCALES.astype(float)) @ inputs[kind]
        worth = row[FIRST_OUTPUT:FIRST_CRITIC_UNIT] + outputs[kind] @ np.maximum(row[:HIDDEN], 0.0)
        may = (decision["legal"] >> np.arange(N_OUTPUTS)) & 1 == 1
        worth = np.where(may, worth, -np.inf)
        highest = worth.max()
        logs.append(worth - highest - np.log(np.exp(worth - highest).sum()))
        guesses.append(row[VALUE_COLUMN] + np.maximum(row[FIRST_CRITIC_UNIT:VALUE_COLUMN], 0.0) @ critic[kind])
    return np.array(logs), np.array(guesses)


def chosen_logs(weights: np.ndarray, decisions: np.ndarray) -> np.ndarray:
    """Return the logarithms of the probabilities of the choices that were made."""
    return answers(weights, decisions)[0][np.arange(len(decisions)), decisions["action"]]


def loss(weights: np.ndarray, decisions: np.ndarray, *, clip: float, entropy_bonus: float, imitates: bool) -> float:
    """Return the loss that learning makes smaller, summed over decisions."""
    logs, guesses = answers(weights, decisions)
    chosen = logs[np.arange(len(decisions)), decisions["action"]]
    advantage = decisions["advantage"].astype(float)
    if imitates:
        gain = advantage * chosen
    else:
        ratio = np.exp(chosen - decisions["log_probability"])
        gain = np.minimum(ratio * advantage, np.clip(ratio, 1.0 - clip, 1.0 + clip) * advantage)
    entropy = -(np.exp(logs) * np.where(np.isfinite(logs), logs, 0.0)).sum()
    error = guesses - decisions["target"]
    return float(0.5 * (error**2).sum() - gain.sum() - entropy_bonus * entropy)
