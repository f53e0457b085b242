"""Mixtures of strategies as players, by themselves and of saved runs."""

from dataclasses import replace

import numpy as np
import pytest

from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.strategies.baselines import baseline
from evodom.errors import UsageError
from evodom.matches import Venue
from evodom.matches.entrants import find_entrants
from evodom.matches.mixtures import Mixture
from evodom.matches.tournament import play_match
from evodom.reports.mixture import MixedLine, mixture_in
from evodom.runs import RunStore
from tests.crafted import resave, save_evolved

PLACE = Venue(FIRST_GAME, 2, 1)
MONEY, SMITHY, RANDOM = (baseline(name, FIRST_GAME) for name in ("big-money", "big-money-smithy", "random"))


def test_a_mixture_plays_each_game_like_the_strategy_that_it_draws():
    mixture = Mixture([SMITHY, RANDOM], [0.75, 0.25])
    tables, seeds = np.tile(np.array([[0, 1], [1, 0]], np.int32), (200, 1)), np.arange(400, dtype=np.uint64)
    drawn = np.array([mixture.draw(seed, seed % 2) for seed in range(400)])

    results = PLACE.play([mixture, MONEY], tables, seeds)
    assert 60 <= drawn.sum() <= 140
    for number, strategy in enumerate(mixture.strategies):
        assert (results == PLACE.play([strategy, MONEY], tables, seeds))[drawn == number].all()


def save_mixture(root, weights):
    """Save a run with a mixture in its last generation. Return its store, the ranks, and the report's lines."""
    lines = {number: {"cell": cell, "strength": 0.6} for number, cell in (("0", 17), ("5", 2), ("6", 0))}
    mix = {"lines": lines, "mixture": weights}
    resave(save_evolved(root), lambda last: replace(last, summary=last.summary | mix))
    with RunStore(root).open("demo") as run:
        shown = {line.weight: line for line in mixture_in(run, run.last())}
        return RunStore(root), [shown[weight].rank for weight in weights.values()], [*shown.values()]


def test_the_mixture_of_a_run_is_a_player_and_in_its_report(tmp_path, workers):
    shared, (store, ranks, shown) = replace(PLACE, workers=workers), save_mixture(tmp_path, {"0": 0.25, "5": 0.75})
    mixture, *others = find_entrants(["demo:mixture", *(f"demo:{rank}" for rank in ranks)], store=store).entrants
    weights = zip((one.tobytes() for one in mixture.strategy.strategies), mixture.strategy.weights, strict=True)
    assert dict(weights) == {one.strategy.tobytes(): share for one, share in zip(others, (0.25, 0.75), strict=True)}
    assert MixedLine(ranks[0], 0.25, "8+", "8+ thin", 0.6) in shown
    alone, together = (play_match(place, [mixture, others[0]], n_games=64) for place in (PLACE, shared))
    assert alone == together
    with pytest.raises(UsageError, match=r"demo:mixture is a mixture, and one strategy is needed here\. Allowed: demo"):
        _ = mixture.record


def test_a_mixture_of_one_line_is_this_strategy_and_other_generations_have_none(tmp_path):
    store, (rank,), _ = save_mixture(tmp_path, {"5": 1.0})
    mixture, alone = find_entrants(["demo:mixture", f"demo:{rank}"], store=store).entrants
    assert (mixture.origin, mixture.strategy.tobytes()) == (alone.origin, alone.strategy.tobytes())
    for word, why in (("demo:mixture@0", "0 of run 'demo' has no mixture"), ("demo:mixture:2", "has one mixture")):
        with pytest.raises(UsageError, match=rf"'{word}': generation .*{why}.* Allowed: demo(:mixture)?\."):
            find_entrants([word], store=store)
