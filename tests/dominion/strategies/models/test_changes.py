"""Changes of local search, of both models: small changes, and changes of the plan."""

from itertools import combinations, permutations, product

import numpy as np
import pytest

from evodom.dominion.cards import BASIC, GOLD, SILVER
from evodom.dominion.engine.rules import N_MODEL_PILES
from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.dominion.strategies.models.buy_lists import changes as of_lists
from evodom.dominion.strategies.models.buy_lists.encoding import decode, is_sound
from evodom.dominion.strategies.models.buy_lists.genetics import N_RULES, NONE, genome_of
from evodom.dominion.strategies.models.buy_lists.language import format_rule, parse_rules
from evodom.dominion.strategies.models.preferences import changes as of_preferences
from evodom.dominion.strategies.models.preferences.genetics import ORDERS, is_bought
from evodom.dominion.strategies.record import UNLIMITED, strategies_of
from evodom.evolution.options import Options
from tests.dominion.strategies.drawn import are_permutations, rng

LISTS, GRADED = Options(model="buy-list"), Options(model="graded")
SMITHY, MOAT = FIRST_GAME.pile("Smithy"), FIRST_GAME.pile("Moat")
CHANGES = [
    pytest.param(options, change, id=f"{options.model}: {change.name}")
    for options in (LISTS, GRADED)
    for change in options.changes
]


def drawn(options, n=200, seed=1):
    """Return random genomes with some genes of the play."""
    genomes, draws = options.genetics.random_genomes(n, options, rng(seed)), rng(seed)
    for _ in range(20):
        of_lists.play_genes.change_play(genomes, np.ones((n, N_MODEL_PILES), bool), options, draws)
    return genomes


def changed_by(change, genomes):
    """Return changed copies of genomes."""
    copies = genomes.copy()
    change(copies, LISTS if "at_most" in genomes.dtype.names else GRADED, rng())
    return copies


@pytest.mark.parametrize(("options", "change"), CHANGES)
def test_each_change_keeps_genomes_valid_and_changes_most(options, change):
    genomes = drawn(options)

    found = changed_by(change.apply, genomes)

    assert (found != genomes).mean() > 0.5
    options.genetics.check_genomes(found, options)


SMALL = Options(model="buy-list", kingdom=Kingdom(("Witch",)))


@pytest.mark.parametrize(
    "options", [LISTS, SMALL, GRADED, Options(choices="simple"), Options(model="classic", choices="evolved")]
)
def test_genomes_stay_valid_over_many_changes(options):
    """The first two genomes begin without cards."""
    genomes = drawn(options, 30)
    genomes["at_most" if options.model == "buy-list" else "limits"][:2] = 0
    for seed in range(3 * len(options.changes)):
        options.changes[seed % len(options.changes)].apply(genomes, options, rng(seed))
        options.genetics.check_genomes(genomes, options)
    assert options.model != "buy-list" or all(is_sound(strategy) for strategy in strategies_of(genomes, options))


# Buy lists


def of_rules(*texts):
    return genome_of([rule for text in texts for rule in parse_rules(text)], FIRST_GAME)


def used(one):
    """Return the texts of the rules in use of a list."""
    rules = decode(strategies_of(one.reshape(1), LISTS)[0], FIRST_GAME)
    return [format_rule(rule) for rule, n in zip(rules, one.reshape(1)["at_most"][0], strict=True) if n]


def lists_by(change, own):
    """Return the lists that a change makes of a list of cards, as text: the cards, or the rules with conditions."""
    copies = changed_by(change, np.repeat(of_rules(*own), 300))
    return {tuple(used(one)) for one in np.unique(copies)}


OWN = ("Province", "Gold", "Silver")
UNWANTED = {"Curse", "Copper"}
NUMBERED = tuple(f"{card} if count_in_deck({card}) < 5" for card in ("Duchy", "Smithy", "Moat"))
LISTS_BY_CHANGE = {
    of_lists.delete_rule: {*combinations(OWN, 2)},
    of_lists.move_rule: {*permutations(OWN)},
    of_lists.swap_blocks: {*permutations(OWN)} - {OWN, OWN[::-1]},
    of_lists.drop_card: {*combinations(OWN, 2)},
    of_lists.replace_card_everywhere: {
        tuple(new if card == old else card for card in OWN) for old in OWN for new in {*FIRST_GAME.names} - UNWANTED
    },
}  # fmt: skip


@pytest.mark.parametrize(("change", "expected"), LISTS_BY_CHANGE.items())
def test_a_change_makes_all_lists_of_its_kind_and_no_others(change, expected):
    found = lists_by(change, OWN)

    assert found | {OWN[::-1], OWN} >= expected >= found - {OWN}


def test_a_rule_is_inserted_among_the_others_or_replaces_the_last_of_a_full_list():
    more = lists_by(of_lists.insert_rule, OWN)
    full = of_rules(*[f"Silver if count_in_deck(Silver) < {number + 1}" for number in range(N_RULES)])
    found = changed_by(of_lists.insert_rule, full)

    assert {place for rules in more for place in range(4) if rules[:place] + rules[place + 1 :] == OWN} == {0, 1, 2, 3}
    assert (found["at_most"] > 0).all()
    assert f"Silver if count_in_deck(Silver) < {N_RULES}" not in used(found)


def test_a_bound_moves_and_a_list_without_conditions_gets_one():
    found = lists_by(of_lists.step_bound, ("Province", "Duchy if gains_to_end <= 2"))
    bare = changed_by(of_lists.step_bound, np.repeat(of_rules("Province"), 40))

    assert found == {("Province", f"Duchy if gains_to_end <= {bound}") for bound in (0, 1, 3, 4, 5)}
    assert 0.3 < (bare["kind"][:, 0] != NONE).any(axis=1).mean() < 1.0


def test_a_card_is_replaced_and_dropped_in_all_rules_and_replaced_in_conditions():
    own = ("Smithy if count_in_deck(Smithy) < 2", "Gold if count_in_deck(Smithy) >= 1", "Smithy")

    replaced = lists_by(of_lists.replace_card_everywhere, own)

    assert tuple(text.replace("Smithy", "Moat") for text in own) in replaced
    assert (own[0], own[1].replace("Gold", "Moat"), own[2]) in replaced
    assert lists_by(of_lists.drop_card, own) == {own[1:2], own[::2]}


def test_two_limits_of_a_list_move_by_one():
    one = np.repeat(of_rules(*NUMBERED), 100)

    steps = changed_by(of_lists.step_two_limits, one)["at_most"].astype(int) - one["at_most"]

    assert {tuple(step[:3]) for step in steps} == {
        step for step in product((-1, 0, 1), repeat=3) if sum(map(abs, step)) == 2
    }


# Preferences


def test_a_pile_moves_in_one_order_or_in_both():
    genomes = drawn(GRADED)
    genomes["late_order"] = genomes["early_order"]

    found = changed_by(of_preferences.move_pile, genomes)

    early, late = ((genomes[field] != found[field]).any(axis=1) for field in ORDERS)
    assert (early | late).all()
    both = early & late
    assert 0.2 < both.mean() < 0.5
    assert (found["early_order"][both] == found["late_order"][both]).all()


def bought(genomes):
    """Return whether a change of a card can concern each pile: Silver, Gold and kingdom cards that are bought."""
    changeable = np.isin(np.arange(FIRST_GAME.n_columns), (SILVER, GOLD, *range(len(BASIC), FIRST_GAME.n_columns)))
    return is_bought(genomes, GRADED) & changeable


def test_two_cards_exchange_their_places_and_limits():
    genomes = drawn(GRADED)

    found = changed_by(of_preferences.exchange_cards, genomes)

    for old, new, is_own in zip(genomes, found, bought(genomes), strict=True):
        pairs = {frozenset(old[field][old[field] != new[field]].tolist()) for field in ORDERS}
        (pair,) = ([*each] for each in pairs)
        assert len(pair) in (0, 2)
        assert not pair or is_own[pair].any()
        expected = old["limits"].copy()
        expected[pair] = expected[pair[::-1]]
        assert (new["limits"] == expected).all()


def test_a_bought_card_is_dropped_or_two_limits_move():
    genomes = drawn(GRADED)
    genomes["limits"][genomes["limits"] == 1] = 4

    dropped, stepped = (
        changed_by(change, genomes)["limits"].astype(int) - genomes["limits"]
        for change in (of_preferences.drop_card, of_preferences.step_two_limits)
    )

    assert ((dropped != 0).sum(axis=1) == bought(genomes).any(axis=1)).all()
    assert (dropped == -(genomes["limits"] * (dropped != 0).astype(int))).all()
    assert bought(genomes)[dropped != 0].all()
    limited = is_bought(genomes, GRADED) & (genomes["limits"] < UNLIMITED)
    assert (np.abs(stepped).sum(axis=1) == 2 * (limited.sum(axis=1) >= 2)).all()
    assert np.abs(stepped).max() == 1
    assert limited[stepped != 0].all()


def test_blocks_of_one_order_or_of_both_change_places():
    genomes = drawn(GRADED)
    genomes["early_order"] = genomes["late_order"] = np.arange(FIRST_GAME.n_columns)

    found = changed_by(of_preferences.swap_blocks, genomes)

    early, late = ((found[field] != genomes[field]).any(axis=1) for field in ORDERS)
    assert {*zip(early.tolist(), late.tolist(), strict=True)} == {(True, False), (False, True), (True, True)}
    assert (found["early_order"] == found["late_order"])[early & late].all()
    # An order of two exchanged blocks falls at its two to three edges.
    rises = (np.diff(found["late_order"][late].astype(int), axis=1) != 1).sum(axis=1)
    assert set(rises) <= {2, 3}
    assert are_permutations(found["early_order"])
