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
from evodom.evolution.local_search import paired_differences, prune, search_round, with_merged
from evodom.evolution.proposals import NO_CHANGE, Copies, Proposals, Success
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
IDLE = genome("Silver", "Estate if turn_number >= 99")


def seeds(number=1):
    return np.random.SeedSequence(number)


def proposing(*copies):
    """Return proposals that always draw these copies, by the first change."""

    class Fixed(Proposals):
        def draw(self, genome, n, rng):
            drawn = np.concatenate([genome[:0], *copies])
            return Copies(drawn, np.full((len(drawn), 2), (0, NO_CHANGE)))

    return Fixed(LISTS)


@pytest.mark.parametrize(
    ("before", "copies", "accepted", "n_games"),
    [
        # The genome to improve and two copies; in the last stage the equal copies and their merge are one.
        (WEAK, [STRONG, STRONG], True, 3 * 8 + 2 * 24),
        # Without a better copy there is no last stage.
        (STRONG, [WEAK, WEAK], False, 3 * 8),
        (WEAK, [IDLE], False, 2 * 8),
        (WEAK, [], False, 0),
    ],
)
def test_a_change_is_accepted_if_it_wins_more(before, copies, accepted, n_games):
    found = search_round(before, OPPONENTS, proposing(*copies), Venue(KINGDOM, 2), seeds(), STAGES)

    assert found.accepted == accepted == (found.gain > 0)
    assert found.genome == (copies[0] if accepted else before)
    assert found.n_games == n_games
    first, *others = (found.successes[change.name] for change in LISTS.changes)
    assert first == Success(len(copies), found.gain)
    assert set(others) == {Success()}


def test_copies_without_effect_are_not_in_the_last_stage(monkeypatch):
    seen = []

    def play(genome, changed, *others, **options):
        seen.append(changed)
        return paired_differences(genome, changed, *others, **options)

    monkeypatch.setattr(local_search, "paired_differences", play)
    found = search_round(WEAK, OPPONENTS, proposing(IDLE, STRONG, IDLE), Venue(KINGDOM, 2), seeds(), STAGES)

    assert [len(changed) for changed in seen] == [3, 1]
    assert seen[-1] == found.genome == STRONG


@pytest.mark.parametrize("breeding", [LISTS, GRADED])
def test_a_round_has_the_same_result_for_one_and_two_workers(breeding):
    first = WEAK if breeding is LISTS else random_genomes(1, breeding, np.random.default_rng(1))
    found = []
    for n in (1, 2):
        with ThreadPoolExecutor(n) as executor:
            venue = Venue(KINGDOM, 3, workers=Workers(executor, n))
            found.append(search_round(first, OPPONENTS, Proposals(breeding), venue, seeds(), STAGES))
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

    found, groups = with_merged(first, changed, np.arange(3), 1, LISTS)

    assert found.tobytes() == np.concatenate([
        changed[:1], genome("Province", "Gold"), genome("Duchy", "Province", "Gold"),
    ]).tobytes()  # fmt: skip
    assert [group.tolist() for group in groups] == [[0], [0, 1], [0, 1, 2]]
    assert len(with_merged(first, changed, np.array([1]), 2, LISTS)[0]) == 1


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
