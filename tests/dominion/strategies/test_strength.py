"""What the graded model can say, whether evolution finds it or not."""

import numpy as np

from evodom.dominion.engine.rules import N_MODEL_PILES
from evodom.dominion.kingdom import KINGDOMS, Kingdom
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.record import EARLY, LATE, STRATEGY
from evodom.matches.seating import rotated
from evodom.matches.simulate import play_games
from tests.dominion.helpers import weighing

KINGDOM = Kingdom(KINGDOMS["Silver & Gold"])
KEEP = "Province > Gold > Laboratory > Silver > Chapel > Duchy > Copper > Estate > Curse"
FACTOR = 0.02


def in_order(names: str) -> np.ndarray:
    """Return the preference that puts names in a nearly strict order."""
    piles = list(KINGDOM.names)
    weights = np.zeros(N_MODEL_PILES)
    for place, name in enumerate(names.split(" > ")):
        weights[piles.index(name)] = FACTOR**place
    return weights / weights.sum()


def share_against_big_money(early: str, late: str, **limits: int) -> float:
    """Return the share of wins of a strategy that trashes Curses, Estates and Coppers against three Big Money."""
    strategies = np.zeros(4, STRATEGY)
    strategies[0] = weighing(KEEP, kingdom=KINGDOM, trash=(3, 3), floor=6, limits=limits, switch=12)
    strategies[0]["weights"][EARLY] = in_order(early)
    strategies[0]["weights"][LATE] = in_order(late)
    strategies[1:] = baseline("big-money", KINGDOM)
    tables = rotated(np.arange(4)[None, :], 4000)
    seeds = np.random.SeedSequence(1).generate_state(len(tables), np.uint64)
    results = play_games(KINGDOM.rules(4), strategies, tables, seeds)
    return float(results["win"][:, :4][tables == 0].mean())


def test_a_chapel_and_laboratories_beat_big_money_and_money_alone_does_not():
    late = "Province > Duchy > Gold > Laboratory > Silver"
    thin = share_against_big_money("Province > Gold > Laboratory > Chapel > Silver", late, Chapel=1, Laboratory=5)
    thick = share_against_big_money("Province > Gold > Laboratory > Silver", late, Laboratory=5)
    money = share_against_big_money("Province > Gold > Silver", "Province > Duchy > Gold > Silver")

    assert thin > 0.45
    assert thin > thick + 0.05 > money + 0.1
