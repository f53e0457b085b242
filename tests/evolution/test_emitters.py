"""Emitters: kicks, children of two parents, random genomes, a grammar of decks, imitations of strong strategies."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evodom.dominion.cards import ACTION, BASIC, COPPER, CURSE_PILE, DUCHY, ESTATE, GOLD, NONTERMINAL, PROVINCE, SILVER
from evodom.dominion.kingdom import FIRST_GAME, parse_kingdom
from evodom.dominion.strategies.models.preferences.genetics import random_genomes
from evodom.dominion.strategies.record import strategies_of
from evodom.dominion.strategies.registry import genetics_of, model_of
from evodom.evolution import emitters
from evodom.evolution.cells import cells_of
from evodom.evolution.emitters import (
    MIXED_EMITTERS,
    Parents,
    default_emitters,
    emit_all,
    emit_decks,
    emit_imitations,
    emit_new,
    parent_pairs,
    teacher_gains,
    weighted_teachers,
)
from evodom.evolution.grammar import deck_plan
from evodom.evolution.options import Options
from evodom.matches.results import Tally
from evodom.matches.seating import dealt, game_seeds
from evodom.matches.venue import Venue
from tests.dominion.strategies.drawn import rng


def test_every_parent_is_used_once_before_any_is_used_twice():
    pairs = parent_pairs(96, 64, rng())

    assert sorted(pairs[:32].ravel()) == list(range(64))
    assert sorted(pairs[32:64].ravel()) == list(range(64))
    assert (pairs[:, 0] < pairs[:, 1]).all()


def test_a_generation_is_a_quarter_clones_a_half_offspring_and_a_quarter_new():
    """With no mutation and only the fitter parent's genes, clones and offspring are copies of the best half."""
    ranked, numbers = random_genomes(64, Options(model="classic"), rng(1)), np.arange(64)[::-1]
    rates = [name for name in Options.__struct_fields__ if name.endswith("_mutation")]
    options = Options(model="classic", n_strategies=64, fitter_bias=1.0, **dict.fromkeys(rates, 0.0))

    genomes, origins = emit_all(default_emitters(options), Parents(ranked, numbers), 1, options, rng())

    origin = [next((i for i, old in enumerate(ranked) if old == genome), -1) for genome in genomes]
    assert origin[:15] == list(range(1, 16))
    assert all(0 <= place < 32 for place in origin[15:47])
    assert origin[47:] == [-1] * 16
    assert origins["kind"].tolist() == ["clone"] * 15 + ["child"] * 32 + ["new"] * 16
    assert origins["parent"][:47].tolist() == [63 - place for place in origin[:47]]
    ranked = random_genomes(64, Options(), rng(1))
    options = Options(n_strategies=64, order_mutation=1.0)
    mutated, _ = emit_all(MIXED_EMITTERS, Parents(ranked, numbers), 1, options, rng())
    assert (mutated["early_order"][0] != ranked["early_order"][1]).any()


# A grammar of decks


@given(st.integers(0, 2**32 - 1))
def test_the_plan_of_a_deck_has_limits_by_class(seed):
    kingdom = parse_kingdom("random", seed=seed % 100, first_edition=True)
    plan = deck_plan(kingdom, rng(seed))

    assert len(set(plan.order)) == len(plan.order)
    assert plan.order[:2] == [PROVINCE, DUCHY]
    assert plan.order[-1] == ESTATE
    assert not {COPPER, CURSE_PILE} & set(plan.order)
    assert set(plan.gains_left) == {DUCHY, ESTATE}
    assert plan.max_excess in (None, 0, 1)
    for pile in plan.order:
        card, limit = kingdom.piles[pile], plan.limits.get(pile)
        if pile in (GOLD, SILVER):
            assert limit is None or 1 <= limit <= 4
        elif card.trashes:
            assert limit in (1, 2)
        elif card.types & ACTION and card.action_class != NONTERMINAL:
            assert limit in ((1, 2, 3) if plan.max_excess is None else (None,))
        elif pile >= len(BASIC):
            assert limit is None or 1 <= limit <= 5


@pytest.mark.parametrize("model", ["graded", "buy-list", "classic"])
def test_decks_of_a_grammar_are_valid_genomes_and_of_many_kinds(model):
    options = Options(model=model, players=2)
    genomes, origins = emit_decks(None, 60, options, rng(1))

    genetics_of(model).check_genomes(genomes, options)
    assert origins.tolist() == [("new", -1, -1)] * 60
    if model != "classic":
        assert len(kinds(genomes, options)) >= 7


def kinds(genomes, options) -> set[int]:
    """Return the cells of the decks of genomes."""
    strategies, tally = strategies_of(genomes, options), Tally()
    tables = dealt(len(strategies), 4, 2, rng(1))
    tally.add(
        tables, Venue(options.kingdom, 2).play(strategies, tables, game_seeds(np.random.SeedSequence(1), len(tables)))
    )
    return set(cells_of(tally.owned / tally.seats[:, None], options.kingdom).tolist())


# Imitation


def test_the_network_has_half_of_the_imitations():
    teachers = weighted_teachers(FIRST_GAME, 2)

    assert [model_of(teacher).name for _, teacher in teachers] == ["network", "buy-list", "buy-list", "buy-list"]
    assert [share for share, _ in teachers] == pytest.approx([1 / 2, 1 / 6, 1 / 6, 1 / 6])


def test_baselines_alone_are_imitated_without_a_usable_network(monkeypatch):
    monkeypatch.setattr(emitters, "usable_weights", lambda kingdom: None)
    monkeypatch.setattr(emitters, "teacher_gains", teacher_gains.__wrapped__)

    teachers = weighted_teachers(FIRST_GAME, 2)

    assert [model_of(teacher).name for _, teacher in teachers] == ["buy-list"] * 3
    assert [share for share, _ in teachers] == pytest.approx([1 / 3] * 3)
    assert len(emit_imitations(None, 8, Options(players=2), rng()).genomes) == 8


@pytest.mark.parametrize("model", ["graded", "buy-list", "classic"])
def test_new_genomes_are_random_or_of_the_grammar_or_imitations(model):
    mixed = Options(model=model, players=2, start="mixed")
    draws, found = rng(), emit_new(MIXED_EMITTERS, None, 16, mixed, rng())

    expected = [emit(None, n, mixed, draws).genomes for (emit, _), n in zip(MIXED_EMITTERS, (2, 11, 3), strict=True)]
    assert found.genomes.tobytes() == np.concatenate(expected).tobytes()
    genetics_of(model).check_genomes(found.genomes, mixed)
    alone = Options(model=model, players=2, start="random")
    first, later = (
        emit_new(default_emitters(alone), parents, n, alone, rng())
        for parents, n in ((None, 16), (Parents(found.genomes, np.arange(16)), 5))
    )
    assert first.genomes.tobytes() == genetics_of(model).first_genomes(16, alone, rng()).tobytes()
    assert later.genomes.tobytes() == genetics_of(model).random_genomes(5, alone, rng()).tobytes()
