"""Local search on matches: changes that win more are accepted, parts without effect are pruned."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from evodom.dominion.cards import COPPER, GOLD, PROVINCE, SILVER
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.baselines import baseline_buy_list, baseline_records
from evodom.dominion.strategies.breeding import Breeding
from evodom.dominion.strategies.lineup import Lineup
from evodom.dominion.strategies.models.buy_lists import genetics as lists
from evodom.dominion.strategies.models.buy_lists.language import parse_rules
from evodom.dominion.strategies.models.preferences.genetics import random_genomes
from evodom.evolution import local_search
from evodom.evolution.local_search import changed_copies, paired_differences, prune, search_round, with_merged
from evodom.evolution.ranking import HalvingStage, Opponents
from evodom.matches.venue import Venue
from evodom.tasks import Workers

KINGDOM = Kingdom(("Moat",))
LISTS, GRADED = Breeding(model="buy-list", kingdom=KINGDOM), Breeding(model="graded", kingdom=KINGDOM)
STAGES = (HalvingStage(4, 8), HalvingStage(2, 24))
OPPONENTS = Opponents(Lineup.of(baseline_records(["big-money"], KINGDOM)), np.ones(1))


def genome(*texts):
    return lists.genome_of([rule for text in texts for rule in parse_rules(text)], KINGDOM)


WEAK, STRONG = genome("Silver"), lists.genome_of(baseline_buy_list("big-money").rules, KINGDOM)


def seeds(number=1):
    return np.random.SeedSequence(number)


@pytest.mark.parametrize(("before", "changed", "accepted"), [(WEAK, STRONG, True), (STRONG, WEAK, False)])
def test_a_change_is_accepted_if_it_wins_more(monkeypatch, before, changed, accepted):
    monkeypatch.setattr(local_search, "changed_copies", lambda *_: np.concatenate([changed, changed]))

    found = search_round(before, OPPONENTS, LISTS, Venue(KINGDOM, 2), seeds(), STAGES)

    assert found.accepted == accepted
    assert found.genome == (changed if accepted else before)
    assert (found.gain > 0) == accepted
    # The genome to improve and two changed ones; in the last stage the equal copies and their merge are one.
    assert found.n_games == 3 * 8 + 2 * 24


def test_a_genome_without_different_copies_stays(monkeypatch):
    monkeypatch.setattr(local_search, "changed_copies", lambda *_: WEAK[:0])

    found = search_round(WEAK, OPPONENTS, LISTS, Venue(KINGDOM, 2), seeds(), STAGES)

    assert (found.genome, found.accepted, found.n_games) == (WEAK, False, 0)


@pytest.mark.parametrize("breeding", [LISTS, GRADED])
def test_changed_copies_differ_from_the_genome_and_from_each_other(breeding):
    first = STRONG if breeding is LISTS else random_genomes(1, breeding, np.random.default_rng(1))

    copies = changed_copies(first, 40, breeding, np.random.default_rng(2))

    assert 20 < len(copies) <= 40
    assert len(np.unique(copies)) == len(copies)
    assert (copies != first[0]).all()


@pytest.mark.parametrize("breeding", [LISTS, GRADED])
def test_a_round_has_the_same_result_for_one_and_two_workers(breeding):
    first = WEAK if breeding is LISTS else random_genomes(1, breeding, np.random.default_rng(1))
    found = []
    for n in (1, 2):
        with ThreadPoolExecutor(n) as executor:
            venue = Venue(KINGDOM, 3, workers=Workers(executor, n))
            found.append(search_round(first, OPPONENTS, breeding, venue, seeds(), STAGES))
    one, two = found
    assert one.genome.tobytes() == two.genome.tobytes()
    assert (one.accepted, one.gain, one.n_games) == (two.accepted, two.gain, two.n_games)


def test_equal_genomes_have_no_paired_difference():
    baselines = Lineup.of(baseline_records(["big-money", "random"], KINGDOM))
    opponents = Opponents(baselines, np.array([0.75, 0.25]))
    for breeding in (LISTS, GRADED):
        first = STRONG if breeding is LISTS else random_genomes(1, breeding, np.random.default_rng(1))

        found = paired_differences(
            first, np.repeat(first, 2), opponents, breeding, Venue(KINGDOM, 4), seeds(), 10, margin_weight=1.0
        )

        # In whole rounds of four seats.
        assert found.shape == (2, 12)
        assert (found == 0).all()


def test_opponents_have_the_share_of_the_games_of_their_weights():
    opponents = Opponents(Lineup.of(baseline_records(["big-money", "random"], KINGDOM)), np.array([0.75, 0.25]))

    assert np.bincount(opponents.drawn(64, np.random.default_rng(1))).tolist() == [48, 16]
    assert {np.bincount(opponents.drawn(6, np.random.default_rng(n)))[0] for n in range(20)} == {4, 5}
    assert opponents.without(0).weights.tolist() == [1.0]


def test_a_margin_counts_where_no_game_is_won():
    """Coppers alone lose as often as nothing, by a higher margin."""
    weak, strong = genome("Estate"), genome("Province", "Silver", "Copper")
    hard = Opponents(Lineup.of(baseline_records(["big-money-smithy"], Kingdom(("Smithy",)))), np.ones(1))
    breeding = Breeding(model="buy-list", kingdom=Kingdom(("Smithy",)))

    wins, with_margin = (
        paired_differences(weak, strong, hard, breeding, Venue(breeding.kingdom, 2), seeds(), 40, margin_weight=weight)
        for weight in (0.0, 1.0)
    )

    assert abs(wins.mean()) < 0.1
    assert abs(with_margin.mean()) > abs(wins.mean())


def test_the_best_changes_are_merged():
    first = genome("Province", "Silver")
    changed = np.concatenate(
        [genome("Province", "Gold", "Silver"), genome("Province"), genome("Duchy", "Province", "Silver")]
    )

    found = with_merged(first, changed, 1, LISTS)

    assert found.tobytes() == np.concatenate([
        changed[:1], genome("Province", "Gold"), genome("Duchy", "Province", "Gold"),
    ]).tobytes()  # fmt: skip


def test_parts_without_effect_are_pruned_and_others_stay():
    one = genome("Province", "Copper if turn_number >= 90", "Gold", "Silver if count_in_deck(Silver) < 40")

    pruned, n_games = prune(one, OPPONENTS, LISTS, Venue(KINGDOM, 2), seeds())

    kept = pruned["pile"][0][pruned["at_most"][0] > 0].tolist()
    assert kept == [PROVINCE, GOLD, SILVER]
    assert COPPER not in kept
    assert n_games > 0
    again, _ = prune(pruned, OPPONENTS, LISTS, Venue(KINGDOM, 2), seeds())
    assert again == pruned


def test_of_parts_that_cover_each_other_one_stays():
    """Each of two equal rules has no effect beside the other, but both together have."""
    one = genome("Province", "Gold", "Gold", "Silver")

    pruned, _ = prune(one, OPPONENTS, LISTS, Venue(KINGDOM, 2), seeds())

    assert pruned["pile"][0][pruned["at_most"][0] > 0].tolist() == [PROVINCE, GOLD, SILVER]
    assert prune(genome(), OPPONENTS, LISTS, Venue(KINGDOM, 2), seeds()) == (genome(), 0)
