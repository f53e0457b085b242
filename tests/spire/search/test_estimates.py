"""Estimates of fights: intervals, encounters, and equal luck."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from evodom.errors import UsageError
from evodom.spire.engine.rules import Setup
from evodom.spire.fights import Fight, fight_from_toml
from evodom.spire.rows.encounters import groups_of
from evodom.spire.search.estimates import estimate, mean_of, share_of
from evodom.spire.search.player import Budget

QUICK = Budget(20, rollouts=1)


def test_a_mean_has_its_interval():
    found = mean_of(np.array([1.0, 2.0, 3.0, 4.0]))

    assert found.mean == 2.5
    assert found.high - found.mean == pytest.approx(1.96 * np.sqrt(5 / 3) / 2)
    assert mean_of(np.array([7.0])) == mean_of(np.array([7.0, 7.0]))


def test_a_share_has_wilsons_interval():
    none, half = share_of(0, 20), share_of(10, 20)

    assert (none.mean, none.low) == (0, 0)
    assert none.high == pytest.approx(0.1611, abs=1e-4)
    assert (half.low, half.high) == (pytest.approx(0.2993, abs=1e-4), pytest.approx(0.7007, abs=1e-4))


def test_the_same_seed_is_the_same_for_any_number_of_threads():
    fight = Fight(Setup(enemies=groups_of("Two Louses")))
    one, two, other = (estimate(fight, 6, QUICK, seed, n) for seed, n in ((1, 1), (1, 2), (2, 1)))

    assert one.results.tobytes() == two.results.tobytes()
    assert one.results.tobytes() != other.results.tobytes()


def test_several_encounters_are_met_by_their_chances():
    fight = fight_from_toml('enemies = { act = "weak" }\n')
    told: list[int] = []
    found = estimate(fight, 40, Budget(1, rollouts=1), 1, progress=told.append)

    assert sum(told) == 40
    assert set(found.encounters) == {"Cultist", "Jaw Worm", "Two Louses", "Small Slimes"}
    assert max(Counter(found.encounters).values()) < 20


def test_equal_luck_meets_the_same_enemies_with_another_deck():
    fight = Fight(Setup(enemies=groups_of("Gremlin Gang"), deck=Counter({"Strike": 5, "Defend": 5})))
    stronger = replace(fight, setup=replace(fight.setup, deck=Counter({"Strike+": 5, "Defend+": 5})))
    plain, upgraded = (estimate(one, 12, QUICK, 1) for one in (fight, stronger))

    assert plain.encounters == upgraded.encounters
    assert upgraded.hp.mean >= plain.hp.mean


def test_a_fight_that_has_begun_goes_on_from_there():
    fight = fight_from_toml(
        """
        enemies = "Cultist"
        deck = "5 Strike, 4 Defend"
        hp = 30
        [state]
        energy = 3
        hand = "Strike"
        draw = "4 Strike, 4 Defend"
        discard = ""
        [[state.enemies]]
        name = "Cultist"
        hp = 6
        max_hp = 50
        intent = "Dark Strike"
        statuses = { Ritual = 5 }
        """
    )
    found = estimate(fight, 4, QUICK, 1)

    assert found.results["hp"].tolist() == [36] * 4  # one Strike, and Burning Blood
    assert (found.hp.low, found.hp.high) == (36, 36)


def test_a_fight_that_has_begun_has_known_enemies():
    begun = replace(fight_from_toml('enemies = { act = "weak" }\n'), state=object())

    with pytest.raises(UsageError, match="known enemies"):
        estimate(begun, 2, QUICK, 1)
