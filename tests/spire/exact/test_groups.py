"""Groups of enemies for a fight to be solved, as a person types them."""

import pytest

from evodom.errors import UsageError
from evodom.spire.exact.groups import find_group
from evodom.spire.exact.known import UnknownToSolver


@pytest.mark.parametrize(
    ("text", "group"),
    [
        ("cultist", ("Cultist",)),
        ("nob", ("Gremlin Nob",)),
        ("SENTRIES", ("Sentry", "Middle Sentry", "Sentry")),
        ("acid slime s, Spike Slime (M)", ("Acid Slime (S)", "Spike Slime (M)")),
        ("Two Red Louses", ("Red Louse", "Red Louse")),
        ("two green louses, cultist", ("Green Louse", "Green Louse", "Cultist")),
    ],
)
def test_enemies_are_found_by_name_or_as_a_group(text, group):
    assert find_group(text) == group


@pytest.mark.parametrize(("text", "n"), [("3 lice", 8), ("two louses", 4), ("small slimes", 2)])
def test_an_encounter_of_several_groups_is_refused(text, n):
    with pytest.raises(UnknownToSolver, match=rf"^'{text}' may be one of {n} groups of enemies\. Name one, such as "):
        find_group(text)


def test_unknown_enemies_are_told():
    with pytest.raises(UsageError, match=r"^no encounter or enemy named 'Byrd'\. Closest: "):
        find_group("Cultist, Byrd")
