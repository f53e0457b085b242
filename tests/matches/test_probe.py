"""Probed buys agree with the buys in games."""

from collections import Counter

import numpy as np
import pytest

from evodom.dominion.cards import DUCHY
from evodom.dominion.effects.ops import Op
from evodom.dominion.engine.turn import gains_to_end
from evodom.dominion.game import PASS_NAME, DominionGame
from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.dominion.strategies.baselines import baseline
from evodom.errors import UsageError
from evodom.matches import probe
from evodom.matches.probe import buy_counts, probe_buys
from tests.dominion.helpers import tries, weighing

SMITHY = "Smithy"
KINGDOM = Kingdom((SMITHY,))
ORDER = "Province > Gold > Duchy > Smithy > Silver > Copper > Estate > Curse"
WANTS = {"Province": 0.5, "Gold": 0.3, SMITHY: 0.12, "Silver": 0.08}


def answer(strategy, stage, coins, kingdom=KINGDOM, **options):
    """Return the probabilities that are reported for a number of coins in a stage."""
    (found,) = [each for each in probe_buys(strategy, kingdom, 2, **options) if each.stage == stage]
    (buys,) = [each for each in found.buys if each.coins_from <= coins <= (each.coins_to or coins)]
    return buys.probabilities


def test_probabilities_are_shares_of_the_affordable_weight():
    strategy = weighing(ORDER, WANTS, kingdom=KINGDOM)

    assert answer(strategy, "opening", 5, n_tries=500) == pytest.approx({SMITHY: 0.6, "Silver": 0.4}, abs=0.02)
    assert answer(strategy, "opening", 2) == {PASS_NAME: 1.0}


def test_limits_and_passing_are_part_of_the_probabilities():
    passing = weighing(ORDER, WANTS, kingdom=KINGDOM)
    passing["preferences"].pass_weights[:] = 0.2
    limited = weighing(ORDER, {SMITHY: 1.0}, kingdom=KINGDOM, limits={SMITHY: 1})

    found = answer(passing, "opening", 5, n_tries=500)

    assert found == pytest.approx({PASS_NAME: 0.5, SMITHY: 0.3, "Silver": 0.2}, abs=0.02)
    assert answer(baseline("big-money-smithy", FIRST_GAME), "opening", 4, FIRST_GAME) == {SMITHY: 1.0}
    assert answer(limited, "middle", 5) == {PASS_NAME: 1.0}


def test_a_condition_on_gains_left_holds_in_the_end_only():
    strategy = weighing(ORDER, {"Province": 0.4, "Duchy": 0.3, "Gold": 0.2, "Silver": 0.1}, kingdom=KINGDOM)
    strategy["preferences"].max_gains_to_end[DUCHY] = 5

    assert "Duchy" not in answer(strategy, "middle", 5)
    assert answer(strategy, "end", 5)["Duchy"] > 0.6


def positions(strategy, kingdom, n_games):
    """Return the positions of games of copies in which the first player is asked on the eighth turn, by their coins."""
    found = []
    for seed in np.random.SeedSequence(probe.SEED).generate_state(n_games, np.uint64):
        game = DominionGame(kingdom, 2, seed=int(seed), log=False)
        game.play_treasures_automatically(0, 1)
        while game.decision and game.state.turns[0] <= 8:
            decision = game.decision
            if (decision.seat, decision.effect.op, game.state.turns[0]) == (0, Op.BUY, 8):
                found.append(game.copy())
                break
            game.enact(game.strategy_choice(strategy))
    return found


def test_probabilities_agree_with_choices_in_positions_of_games():
    """The positions come from games; the choices made in them are compared for each number of coins."""
    strategy = weighing(ORDER, WANTS, kingdom=KINGDOM, limits={SMITHY: 1})
    strategy["preferences"].pass_weights[:] = 0.05
    games = positions(strategy, KINGDOM, 300)
    by_coins = {}
    for game in games:
        by_coins.setdefault(int(game.state.coins), []).append(game)

    for coins in (4, 5, 6):
        chosen = sum((tries(game, strategy, 50) for game in by_coins[coins]), Counter())
        told = answer(strategy, "middle", coins, n_games=300)
        if coins == 6:
            # Who owns the Smithy does not matter for the shares of Gold and Silver.
            assert chosen["Gold"] / chosen["Silver"] == pytest.approx(told["Gold"] / told["Silver"], rel=0.2)
        n = chosen.total()
        assert set(chosen) <= set(told)
        assert chosen[PASS_NAME] / n == pytest.approx(told[PASS_NAME], abs=0.1)


def test_probing_is_repeatable_and_changes_neither_strategy_nor_games():
    strategy = weighing(ORDER, WANTS, kingdom=KINGDOM)
    before = strategy.copy()

    assert probe_buys(strategy, KINGDOM, 2) == probe_buys(strategy, KINGDOM, 2)
    assert strategy == before

    # Asking about more numbers of coins on the way leaves the later positions the same.
    strategy = weighing(ORDER, WANTS, kingdom=KINGDOM, limits={SMITHY: 1})

    few = buy_counts(strategy, KINGDOM, 2, [9], n_tries=1)
    many = buy_counts(strategy, KINGDOM, 2, [9, 0, 3, 5], n_tries=7)

    assert (few[:, 0].sum(axis=1) * 7 == many[:, 0].sum(axis=1)).all()


def test_coins_are_grouped_by_the_costs_of_piles():
    opening, middle, _ = probe_buys(baseline("big-money", FIRST_GAME), FIRST_GAME, 2)

    assert [(buys.coins_from, buys.coins_to) for buys in opening.buys] == [(2, 2), (3, 3), (4, 4), (5, 5)]
    assert [(buys.coins_from, buys.coins_to) for buys in middle.buys] == [
        (0, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 7), (8, None),
    ]  # fmt: skip


def test_a_deterministic_strategy_is_probed_once_in_each_position():
    opening, *_ = probe_buys(baseline("big-money", FIRST_GAME), FIRST_GAME, 2, n_games=12)
    drawn, *_ = probe_buys(baseline("random", FIRST_GAME), FIRST_GAME, 2, n_games=12, n_tries=5)

    assert (opening.n_tries, drawn.n_tries) == (12, 60)
    game = DominionGame.from_position("P1: hand Copper | P2: hand Copper | supply: 5 Province", FIRST_GAME, 2)
    assert gains_to_end(game.rules, game.state) == probe.GAME_STAGES[-1].gains_left
    with pytest.raises(UsageError, match="cannot play in another"):
        probe_buys(weighing(ORDER, WANTS, kingdom=KINGDOM), FIRST_GAME, 2)


def test_a_stage_that_never_occurs_is_left_out():
    """A strategy that buys nothing never comes near the end of a game."""
    strategy = weighing(ORDER, {}, kingdom=KINGDOM)

    assert [each.stage for each in probe_buys(strategy, KINGDOM, 2, n_games=3)] == ["opening", "middle"]
