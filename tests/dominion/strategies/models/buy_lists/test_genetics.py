"""Genomes of buy lists: drawing, crossing, mutation, and the rules that they encode."""

import numpy as np
from msgspec.structs import replace

from evodom.dominion.cards import BASIC, COPPER, CURSE_PILE, DUCHY, ESTATE, PROVINCE, SILVER
from evodom.dominion.effects.effect import Type
from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.dominion.strategies.baselines import TRAINING_OPPONENTS, baseline, baseline_buy_list, buy_list_strategy
from evodom.dominion.strategies.describe import describe_buys
from evodom.dominion.strategies.models.buy_lists import genetics
from evodom.dominion.strategies.models.buy_lists.buy_list import BuyList
from evodom.dominion.strategies.models.buy_lists.encoding import decode, is_sound
from evodom.dominion.strategies.models.buy_lists.language import Quantity, at_full_piles, format_rule, parse_rules
from evodom.dominion.strategies.models.buy_lists.reachable import effective_rules
from evodom.dominion.strategies.play_genes import genes_of
from evodom.dominion.strategies.record import STRATEGY, UNLIMITED, strategies_of
from evodom.evolution.options import Options
from evodom.matches.gains import imitations
from evodom.matches.venue import Venue
from tests.dominion.helpers import COLONY_GAME
from tests.dominion.strategies.drawn import rng
from tests.dominion.strategies.imitated import IMITATED, imitated_kingdom

OPTIONS = Options(model="buy-list")
SMITHY = len(BASIC) + FIRST_GAME.cards.index("Smithy")


def list_of(*rules):
    """Return a genome with these rules: (pile, at_most, *conditions), a condition is (kind, argument, bound)."""
    one = np.zeros(1, genetics.GENOME)
    for place, (pile, at_most, *conditions) in enumerate(rules):
        one["pile"][0, place], one["at_most"][0, place] = pile, at_most
        for slot, condition in enumerate(conditions):
            for field, value in zip(("kind", "argument", "bound"), condition, strict=True):
                one[field][0, place, slot] = value
    return one


def kind_of(quantity, comparison):
    return next(
        n for n, kind in enumerate(genetics.KINDS) if n and (kind.quantity, kind.comparison) == (quantity, comparison)
    )


def text_of(one):
    return [format_rule(rule) for rule in decode(strategies_of(one, OPTIONS)[0], FIRST_GAME)]


def test_genes_encode_rules():
    one = list_of(
        (PROVINCE, 99, (genetics.MONEY_OVER, 0, 15)),
        (DUCHY, 99, (genetics.PROVINCES_UP_TO, 0, 4)),
        (ESTATE, 99, (genetics.GAINS_UP_TO, 0, 2)),
        (SILVER, 3, (genetics.TURN_FROM, 0, 5), (genetics.NONE, 3, 3), (genetics.TURN_UP_TO, 0, 9)),
        (SMITHY, 99, (kind_of(Quantity.COUNT_IN_DECK, ">="), SILVER, 2), (genetics.PROVINCES_UP_TO, 0, 6)),
        (SMITHY, 99, (kind_of(Quantity.COUNT_TYPE_IN_DECK, "<="), genetics.COUNTED_TYPES.index(Type.ACTION), 1)),
        (COPPER, 99),
    )

    assert text_of(one)[:7] == [
        "Province if total_money > 15", "Duchy if count_in_supply(Province) <= 4", "Estate if gains_to_end <= 2",
        "Silver if count_in_deck(Silver) < 3 and turn_number >= 5 and turn_number <= 9",
        "Smithy if count_in_supply(Province) <= 6 and count_in_deck(Silver) >= 2",
        "Smithy if count_type_in_deck(Action) <= 1", "Copper",
    ]  # fmt: skip
    assert text_of(list_of())[0] == "Copper if count_in_deck(Copper) < 0"
    assert (
        strategies_of(genetics.random_genomes(3, OPTIONS, rng()), OPTIONS)["buy_lists"]["n_rules"].tolist()
        == [genetics.N_RULES] * 3
    )


def test_conditions_count_provinces_or_colonies_left_and_cards_in_play():
    options = replace(OPTIONS, kingdom=COLONY_GAME)
    rules = (
        "Province if count_in_supply(Colony) <= 6", "Duchy if count_in_supply(Province) <= 4", "Platinum", "Colony",
        "Estate if count_in_play(Gold) >= 1",
    )  # fmt: skip
    found = genetics.genome_of([rule for text in rules for rule in parse_rules(text)], COLONY_GAME)

    assert tuple(map(format_rule, decode(strategies_of(found, options)[0], COLONY_GAME)))[: len(rules)] == rules
    lists = genetics.random_genomes(400, options, rng())
    of_colony = lists["pile"] >= COLONY_GAME.pile("Platinum")
    assert of_colony.any()
    assert (lists["at_most"][of_colony] == UNLIMITED).all()
    genetics.check_genomes(genetics.mutate(lists, options, rng()), options)


def test_random_lists_follow_costs_and_buy_victory_cards_late():
    lists = genetics.random_genomes(400, OPTIONS, rng())

    assert (lists["pile"][:, :3] == PROVINCE).any(axis=1).mean() > 0.7
    assert not np.isin(lists["pile"][lists["at_most"] == UNLIMITED], (COPPER, CURSE_PILE)).any()
    green = np.isin(lists["pile"], (ESTATE, DUCHY))
    assert 0.85 < (lists["kind"][green][:, 0] == genetics.GAINS_UP_TO).mean() <= 1.0


def test_bred_lists_are_sound():
    lists = genetics.random_genomes(64, OPTIONS, rng())
    for seed in range(30):
        lists = genetics.mutate(genetics.cross(lists, lists[::-1], OPTIONS, rng(seed)), OPTIONS, rng(seed))

    assert all(is_sound(strategy) for strategy in strategies_of(lists, OPTIONS))
    genetics.check_genomes(lists, OPTIONS)
    small = Options(model="buy-list", kingdom=Kingdom(("Witch",)))
    assert genetics.mutate(genetics.random_genomes(200, small, rng()), small, rng())["pile"].max() == len(BASIC)


def of_rules(*texts):
    return genetics.genome_of([rule for text in texts for rule in parse_rules(text)], OPTIONS.kingdom)


def test_a_child_unites_the_rules_of_its_parents():
    """Each rule is that of a parent. Cards that the fitter parent lacks are added at their relative place."""
    fitter, other = of_rules("Province", "Gold", "Smithy", "Silver"), of_rules("Moat", "Gold if turn_number >= 5")

    def children(bias):
        options = Options(model="buy-list", fitter_bias=bias)
        found = [genetics.cross(fitter, other, options, rng(seed))[0] for seed in range(40)]
        lists = [effective_rules(decode(strategies_of(one[None], options)[0], FIRST_GAME)) for one in found]
        return {tuple(map(format_rule, rules)) for rules in lists}

    gold = "Gold if turn_number >= 5"
    assert children(1.0) == {("Province", "Moat", "Gold", "Smithy", "Silver"), ("Province", "Gold", "Smithy", "Silver")}
    assert children(0.0) == {("Province", "Moat", gold, "Smithy", "Silver"), ("Province", gold, "Smithy", "Silver")}
    assert len(genetics.cross(fitter[:0], other[:0], OPTIONS, rng())) == 0


def test_changes_of_a_list_are_merged():
    first = of_rules("Province", "Gold", "Smithy", "Silver")
    removed, moved = of_rules("Province", "Gold", "Silver"), of_rules("Gold", "Province", "Smithy", "Silver")
    inserted = of_rules("Province", "Gold", "Moat", "Smithy", "Silver")
    limited = of_rules("Province", "Gold", "Smithy", "Silver if turn_number <= 4")

    for changed, expected in (
        ([removed], removed),
        ([moved], moved),
        ([inserted, limited], of_rules("Province", "Gold", "Moat", "Smithy", "Silver if turn_number <= 4")),
        ([moved, removed, inserted], of_rules("Gold", "Province", "Moat", "Silver")),
        ([limited, limited], limited),
    ):
        assert genetics.merge(first, np.concatenate(changed)).tobytes() == expected.tobytes()


def changed_fields(**rates):
    """Return the fields that mutation changes in many lists, with these rates and all others 0."""
    names = ("order_mutation", "limit_mutation", "need_mutation", "worth_mutation")
    options = Options(model="buy-list", **(dict.fromkeys(names, 0.0) | rates))
    lists = genetics.random_genomes(200, options, rng())
    before = lists.copy()
    genetics.mutate(lists, options, rng())
    return {field for field in genetics.GENOME.names if (lists[field] != before[field]).any()}


def test_each_rate_of_mutation_changes_its_genes():
    assert changed_fields(limit_mutation=1.0) == {"at_most"}
    assert changed_fields(need_mutation=1.0) == {"kind", "argument", "bound"}
    assert changed_fields(worth_mutation=1.0) == set(genes_of(FIRST_GAME))
    assert changed_fields() == set()


def test_diversity_is_0_among_copies():
    lists = genetics.random_genomes(50, OPTIONS, rng())

    assert genetics.diversity(np.repeat(lists[:1], 50)) == 0.0
    assert 0.3 < genetics.diversity(lists) < 1.0


# Local search


def used(one):
    """Return the texts of the rules in use."""
    return [text for text, n in zip(text_of(one), one["at_most"][0], strict=True) if n]


def test_simpler_lists_lack_one_condition_limit_or_rule():
    one = list_of((PROVINCE, 99, (genetics.MONEY_OVER, 0, 15)), (SMITHY, 2), (COPPER, 0, (genetics.TURN_FROM, 0, 3)))

    texts = sorted(", ".join(used(found[None])) for found in genetics.without_one_part(one, OPTIONS))

    province, smithy = "Province if total_money > 15", "Smithy if count_in_deck(Smithy) < 2"
    assert texts == sorted([f"Province, {smithy}", f"{province}, Smithy", smithy, province])
    assert len(genetics.without_one_part(list_of(), OPTIONS)) == 0


def test_a_genome_of_rules_has_these_rules():
    texts = [
        "Province if total_money > 15", "Duchy if gains_to_end <= 4 and count_in_supply(Province) <= 5",
        "Smithy if count_in_deck(Smithy) < 2 and turn_number >= 3 and count_type_in_deck(Action) <= 4",
        "Gold if count_in_deck(Silver) >= 2", "Silver if cards_in_deck >= 12",
    ]  # fmt: skip
    rules = [rule for text in texts for rule in parse_rules(text)]

    assert used(genetics.genome_of(rules, FIRST_GAME))[0] == texts[0]
    assert set(used(genetics.genome_of(rules, FIRST_GAME))[2:]) == set(texts[2:])
    assert (
        used(genetics.genome_of(rules, FIRST_GAME))[1]
        == "Duchy if count_in_supply(Province) <= 5 and gains_to_end <= 4"
    )


def test_what_a_genome_cannot_express_is_left_out():
    texts = [
        "Laboratory",
        "Silver if count_in_deck(Gold) + count_in_deck(Silver) < 3",
        "Gold if count_in_supply(Gold) <= 6",
    ]
    rules = [rule for text in texts for rule in parse_rules(text)]

    assert used(genetics.genome_of(rules, FIRST_GAME)) == ["Silver", "Gold"]
    assert used(genetics.genome_of(parse_rules("Silver if count_in_deck(Silver) <= 1"), FIRST_GAME)) == [
        "Silver if count_in_deck(Silver) < 2"
    ]
    assert len(used(genetics.genome_of(parse_rules("Silver") * (genetics.N_RULES + 3), FIRST_GAME))) == genetics.N_RULES


def n_conditions(rules):
    return [len(rule.conditions) for rule in rules]


def test_the_genome_of_a_training_baseline_plays_like_it():
    """Genomes avoid gains that lose the game, and baselines do not: the comparison does without."""
    n_compared = 0
    for name in TRAINING_OPPONENTS:
        listed = baseline_buy_list(name)
        kingdom = Kingdom(tuple(sorted(set(listed.cards) - {card.name for card in BASIC}) or ("Moat",)))
        rules = at_full_piles(listed.rules, kingdom, 2)
        options = Options(model="buy-list", kingdom=kingdom)
        players = np.zeros(3, STRATEGY)
        players[:1] = strategies_of(genetics.genome_of(rules, kingdom), options)
        players[1] = buy_list_strategy(BuyList(tuple(map(format_rule, rules))), kingdom)
        players[2] = baseline("big-money", kingdom)
        players["buy_lists"]["endgame_check"] = 0
        if n_conditions(decode(players[0], kingdom))[: len(rules)] != n_conditions(rules):
            continue
        n_compared += 1
        seeds = np.arange(20, dtype=np.uint64)
        genome, original = (
            Venue(kingdom, 2).play(players, np.full((20, 2), (one, 2), np.int32), seeds) for one in (0, 1)
        )
        assert genome.tobytes() == original.tobytes(), name
    assert n_compared >= len(TRAINING_OPPONENTS) // 2


# Imitation


def lines_of(genomes, kingdom):
    strategies = strategies_of(genomes, Options(model="buy-list", kingdom=kingdom))
    found = [describe_buys(strategy, kingdom).lists[0].lines for strategy in strategies]
    return [[line for line in lines if not line.startswith("0 ")] for lines in found]


def test_a_list_opens_as_the_teacher_does_and_then_buys_in_its_order():
    kingdom = imitated_kingdom
    genomes = genetics.from_plans(
        imitations(IMITATED, 1, kingdom, rng(1)), Options(model="buy-list", kingdom=kingdom), rng(1)
    )

    assert lines_of(genomes, kingdom) == [[
        "1 Militia", "1 Chapel", "Province", "Gold", "3 Laboratory", "Duchy once 4 more cards can end the game",
        "1 Militia", "Silver", "1 Chapel",
    ]]  # fmt: skip


def test_imitations_vary_and_some_leave_out_the_opening():
    options = Options(model="buy-list", kingdom=imitated_kingdom)
    genomes = genetics.from_plans(imitations(IMITATED, 40, imitated_kingdom, rng(1)), options, rng(1))

    lines = lines_of(genomes, imitated_kingdom)

    genetics.check_genomes(genomes, options)
    assert len({tuple(one) for one in lines}) > 30
    opens = [one[:2] == ["1 Militia", "1 Chapel"] for one in lines]
    assert (opens[0], opens[3]) == (True, False)
    assert {line.split(" until")[0] for one in lines for line in one if "Province" in line} == {"Province"}
    assert len(genetics.from_plans([], options, rng())) == 0
