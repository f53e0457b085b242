"""Estimates of fights: intervals, encounters, and equal luck."""

from collections import Counter
from dataclasses import replace

import pytest

from evodom.errors import UsageError
from evodom.spire.content.encounters import groups_of
from evodom.spire.engine.compiler import Setup
from evodom.spire.fights import Fight, fight_from_toml
from evodom.spire.play.estimates import estimate
from evodom.spire.play.searcher import FightSearchOptions

QUICK = FightSearchOptions(4, playouts=1)


def test_estimates_do_not_depend_on_the_number_of_threads():
    fight = Fight(Setup(enemies=groups_of("Two Louses")))
    one, two, other = (estimate(fight, 6, QUICK, seed, n) for seed, n in ((1, 1), (1, 2), (2, 1)))

    assert one.results.tobytes() == two.results.tobytes()
    assert one.results.tobytes() != other.results.tobytes()


def test_encounters_are_sampled_by_their_weights():
    fight = fight_from_toml('enemies = { act = "weak" }\n')
    told: list[int] = []
    found = estimate(fight, 40, FightSearchOptions(1, playouts=1), 1, progress=told.append)

    assert sum(told) == 40
    assert set(found.encounters) == {"Cultist", "Jaw Worm", "Two Louses", "Small Slimes"}
    assert max(Counter(found.encounters).values()) < 20


def test_equal_seeds_give_equal_enemies_to_different_decks():
    fight = Fight(Setup(enemies=groups_of("Exordium Wildlife"), deck=Counter({"Strike": 5, "Defend": 5})))
    stronger = replace(fight, setup=replace(fight.setup, deck=Counter({"Strike+": 5, "Defend+": 5})))
    plain, upgraded = (estimate(one, 6, QUICK, 1) for one in (fight, stronger))

    assert plain.encounters == upgraded.encounters
    assert upgraded.hp.value >= plain.hp.value


def test_fights_in_progress_are_continued():
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


def test_fights_in_progress_need_a_single_encounter():
    begun = replace(fight_from_toml('enemies = { act = "weak" }\n'), state=object())

    with pytest.raises(UsageError, match="known enemies"):
        estimate(begun, 2, QUICK, 1)
