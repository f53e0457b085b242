"""Menus as genomes: what they are drawn from, how they are bred, and the rules they play by."""

import numpy as np

from evodom.dominion.cards import BASIC, COPPER, CURSE_PILE, DUCHY, ESTATE, PROVINCE, SILVER
from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.dominion.strategies.conditions import decode, format_rule, is_sound
from evodom.evolution.genome import UNLIMITED
from evodom.evolution.menus import (
    ALWAYS,
    FIELDS,
    GAINS_LEFT,
    LAST_TURN,
    MENU_GENOME,
    MONEY,
    PROVINCES_LEFT,
    ROOM,
    TURNS,
    cross_menus,
    menu_diversity,
    menus_as_strategies,
    mutate_menus,
    random_menus,
)
from evodom.evolution.options import Options

OPTIONS = Options(model="menu")
SMITHY = len(BASIC) + FIRST_GAME.cards.index("Smithy")


def rng(seed=0):
    return np.random.default_rng(seed)


def menu_of(*rules):
    """Return a menu of rules (pile, at_most, when, low, high); the rest want no card."""
    menu = np.zeros(1, MENU_GENOME)
    for place, rule in enumerate(rules):
        for field, value in zip(FIELDS, rule, strict=True):
            menu[field][0, place] = value
    return menu


def text_of(menu):
    return [format_rule(rule) for rule in decode(menus_as_strategies(menu, OPTIONS)[0], FIRST_GAME)]


def test_a_rule_is_read_as_a_person_writes_it():
    menu = menu_of(
        (PROVINCE, 99, MONEY, 15, 0),
        (DUCHY, 99, PROVINCES_LEFT, 4, 0),
        (ESTATE, 99, GAINS_LEFT, 2, 0),
        (SILVER, 3, TURNS, 5, 9),
        (SILVER, 99, TURNS, 1, LAST_TURN),
        (COPPER, 99, ALWAYS, 7, 7),
    )

    assert text_of(menu)[:6] == [
        "Province if total_money > 15",
        "Duchy if count_in_supply(Province) <= 4",
        "Estate if gains_to_end <= 2",
        "Silver if count_in_deck(Silver) < 3 and turn_number >= 5 and turn_number <= 9",
        "Silver",
        "Copper",
    ]


def test_a_rule_that_wants_none_is_never_followed():
    assert text_of(menu_of())[0] == "Copper if count_in_deck(Copper) < 0"


def test_a_random_menu_follows_the_costs_and_leaves_greening_to_the_end():
    menus = random_menus(400, OPTIONS, rng())

    assert (menus["pile"][:, :3] == PROVINCE).any(axis=1).mean() > 0.7
    assert not np.isin(menus["pile"][menus["at_most"] == UNLIMITED], (COPPER, CURSE_PILE)).any()
    green = np.isin(menus["pile"], (ESTATE, DUCHY))
    assert 0.85 < (menus["when"][green] == GAINS_LEFT).mean() <= 1.0


def test_every_record_of_a_bred_menu_is_sound():
    menus = random_menus(64, OPTIONS, rng())
    for seed in range(30):
        menus = mutate_menus(cross_menus(menus, menus[::-1], OPTIONS, rng(seed)), OPTIONS, rng(seed))

    assert all(is_sound(strategy) for strategy in menus_as_strategies(menus, OPTIONS))
    assert menus["high"].max() <= LAST_TURN
    assert menus["pile"].max() < 17


def test_a_kingdom_of_few_cards_has_no_rules_for_cards_it_lacks():
    options = Options(model="menu", kingdom=Kingdom(("Witch",)))
    menus = mutate_menus(random_menus(200, options, rng()), options, rng())

    assert menus["pile"].max() == len(BASIC)


def test_a_child_has_each_rule_of_one_of_its_parents():
    fitter, other = random_menus(200, OPTIONS, rng(1)), random_menus(200, OPTIONS, rng(2))

    children = cross_menus(fitter, other, OPTIONS, rng())

    same = {
        name: np.logical_and.reduce([children[f] == parent[f] for f in FIELDS])
        for name, parent in (("fitter", fitter), ("other", other))
    }
    assert (same["fitter"] | same["other"]).all()
    assert 0.8 < same["fitter"].mean() < 0.9


def test_without_mutation_a_menu_stays_as_it_is():
    options = Options(model="menu", order_mutation=0.0, limit_mutation=0.0, need_mutation=0.0)
    menus = random_menus(100, options, rng())
    before = menus.copy()

    mutate_menus(menus, options, rng())

    assert (menus == before).all()


def test_a_moved_rule_takes_all_it_says_with_it():
    options = Options(model="menu", order_mutation=1.0, limit_mutation=0.0, need_mutation=0.0)
    menus = random_menus(100, options, rng())
    before = menus.copy()

    mutate_menus(menus, options, rng())

    assert (menus != before).all()
    for old, new in zip(before, menus, strict=True):
        assert sorted(zip(*(old[f] for f in FIELDS), strict=True)) == sorted(
            zip(*(new[f] for f in FIELDS), strict=True)
        )


def test_diversity_is_none_among_copies():
    menus = random_menus(50, OPTIONS, rng())

    assert menu_diversity(np.repeat(menus[:1], 50)) == 0.0
    assert 0.3 < menu_diversity(menus) < 1.0


def test_a_record_has_room_for_every_rule():
    assert menus_as_strategies(random_menus(3, OPTIONS, rng()), OPTIONS)["n_rules"].tolist() == [ROOM] * 3
