"""Genomes of buy lists: drawing, crossing, mutation, and the rules that they encode."""

import numpy as np

from evodom.dominion.cards import BASIC, COPPER, CURSE_PILE, DUCHY, ESTATE, PROVINCE, SILVER
from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.dominion.strategies.buy_lists.genetics import (
    ALWAYS,
    FIELDS,
    GAINS_LEFT,
    GENOME,
    LAST_TURN,
    MONEY,
    N_RULES,
    PROVINCES_LEFT,
    TURNS,
    cross,
    diversity,
    move_rules,
    mutate,
    random_genomes,
)
from evodom.dominion.strategies.buy_lists.rules import decode, format_rule, is_sound
from evodom.dominion.strategies.record import UNLIMITED, strategies_of
from evodom.evolution.options import Options

OPTIONS = Options(model="buy-list")
SMITHY = len(BASIC) + FIRST_GAME.cards.index("Smithy")


def rng(seed=0):
    return np.random.default_rng(seed)


def list_of(*rules):
    """Return a genome with these rules (pile, at_most, when, low, high); its other rules want no card."""
    one = np.zeros(1, GENOME)
    for place, rule in enumerate(rules):
        for field, value in zip(FIELDS, rule, strict=True):
            one[field][0, place] = value
    return one


def text_of(one):
    return [format_rule(rule) for rule in decode(strategies_of(one, OPTIONS)[0], FIRST_GAME)]


def test_genes_encode_rules():
    one = list_of(
        (PROVINCE, 99, MONEY, 15, 0),
        (DUCHY, 99, PROVINCES_LEFT, 4, 0),
        (ESTATE, 99, GAINS_LEFT, 2, 0),
        (SILVER, 3, TURNS, 5, 9),
        (SILVER, 99, TURNS, 1, LAST_TURN),
        (COPPER, 99, ALWAYS, 7, 7),
    )

    assert text_of(one)[:6] == [
        "Province if total_money > 15", "Duchy if count_in_supply(Province) <= 4", "Estate if gains_to_end <= 2",
        "Silver if count_in_deck(Silver) < 3 and turn_number >= 5 and turn_number <= 9", "Silver", "Copper",
    ]  # fmt: skip
    assert text_of(list_of())[0] == "Copper if count_in_deck(Copper) < 0"
    assert strategies_of(random_genomes(3, OPTIONS, rng()), OPTIONS)["n_rules"].tolist() == [N_RULES] * 3


def test_random_lists_follow_costs_and_buy_victory_cards_late():
    lists = random_genomes(400, OPTIONS, rng())

    assert (lists["pile"][:, :3] == PROVINCE).any(axis=1).mean() > 0.7
    assert not np.isin(lists["pile"][lists["at_most"] == UNLIMITED], (COPPER, CURSE_PILE)).any()
    green = np.isin(lists["pile"], (ESTATE, DUCHY))
    assert 0.85 < (lists["when"][green] == GAINS_LEFT).mean() <= 1.0


def test_bred_lists_are_sound():
    lists = random_genomes(64, OPTIONS, rng())
    for seed in range(30):
        lists = mutate(cross(lists, lists[::-1], OPTIONS, rng(seed)), OPTIONS, rng(seed))

    assert all(is_sound(strategy) for strategy in strategies_of(lists, OPTIONS))
    assert lists["high"].max() <= LAST_TURN
    assert lists["pile"].max() < 17
    small = Options(model="buy-list", kingdom=Kingdom(("Witch",)))
    assert mutate(random_genomes(200, small, rng()), small, rng())["pile"].max() == len(BASIC)


def test_a_child_has_each_rule_of_one_of_its_parents():
    fitter, other = random_genomes(200, OPTIONS, rng(1)), random_genomes(200, OPTIONS, rng(2))

    children = cross(fitter, other, OPTIONS, rng())

    same = {
        name: np.logical_and.reduce([children[f] == parent[f] for f in FIELDS])
        for name, parent in (("fitter", fitter), ("other", other))
    }
    assert (same["fitter"] | same["other"]).all()
    assert 0.8 < same["fitter"].mean() < 0.9


def changed_fields(**rates):
    """Return the fields that mutation changes in many lists, with these rates and all others 0."""
    names = ("order_mutation", "limit_mutation", "need_mutation")
    options = Options(model="buy-list", **(dict.fromkeys(names, 0.0) | rates))
    lists = random_genomes(200, options, rng())
    before = lists.copy()
    mutate(lists, options, rng())
    return {field for field in FIELDS if (lists[field] != before[field]).any()}


def test_each_rate_of_mutation_changes_its_genes():
    assert changed_fields(limit_mutation=1.0) == {"at_most"}
    assert changed_fields(need_mutation=1.0) == {"when", "low", "high"}
    assert changed_fields() == set()


def test_moved_rules_keep_their_genes():
    lists = random_genomes(100, OPTIONS, rng())
    before = lists.copy()

    move_rules(lists, 1.0, rng())

    assert (lists != before).all()
    for old, new in zip(before, lists, strict=True):
        assert sorted(zip(*(old[f] for f in FIELDS), strict=True)) == sorted(
            zip(*(new[f] for f in FIELDS), strict=True)
        )


def test_diversity_is_0_among_copies():
    lists = random_genomes(50, OPTIONS, rng())

    assert diversity(np.repeat(lists[:1], 50)) == 0.0
    assert 0.3 < diversity(lists) < 1.0
