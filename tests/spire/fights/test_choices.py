"""What may be chosen between fights: a card, an upgrade, a rest."""

from collections import Counter

import pytest

from evodom.errors import UsageError
from evodom.spire.engine.rules import Setup
from evodom.spire.fights import Fight, fight_from_toml
from evodom.spire.fights.fight import rested, upgradable, upgraded, with_card, with_upgrade
from tests.spire.fights.test_files import PAGE


@pytest.mark.parametrize(
    ("before", "max_hp", "after"), [(30, 75, 52), (30, 80, 54), (60, 75, 75), (75, 75, 75), (1, 9, 3)]
)
def test_a_rest_heals_30_percent_rounded_down_up_to_the_maximum(before, max_hp, after):
    fight = rested(Fight(Setup(hp=before, max_hp=max_hp)))

    assert (fight.setup.hp, fight.setup.max_hp) == (after, max_hp)


def test_a_rest_before_the_first_fight_of_the_highest_ascension_heals_all():
    assert rested(Fight(Setup())).setup.hp == 75


@pytest.mark.parametrize(
    ("name", "better"),
    [
        ("Bash", "Bash+"),
        ("Bash+", None),
        ("Searing Blow", "Searing Blow+"),
        ("Searing Blow+", "Searing Blow+2"),
        ("Searing Blow+9", "Searing Blow+10"),
        ("Searing Blow+99", None),
        ("Wound", None),
        ("Ascender's Bane", None),
    ],
)
def test_what_upgrading_makes_of_a_card(name, better):
    assert upgraded(name) == better


def test_one_copy_is_upgraded():
    fight = with_upgrade(Fight(Setup(deck={"Strike": 3, "Bash": 1})), "Strike")

    assert fight.setup.deck == {"Strike": 2, "Strike+": 1, "Bash": 1}


def test_the_starter_deck_is_changed_where_none_is_given():
    assert set(upgradable(Fight(Setup()))) == {"Strike", "Defend", "Bash"}
    assert with_card(Fight(Setup()), "Anger").setup.deck == Setup().player()[2] + Counter(["Anger"])


def test_a_fight_that_has_begun_cannot_be_changed():
    begun = fight_from_toml(PAGE.split("```toml\n")[1].split("```")[0])

    for change in (rested, lambda fight: with_card(fight, "Anger"), lambda fight: with_upgrade(fight, "Strike")):
        with pytest.raises(UsageError, match="begun"):
            change(begun)
