"""Names of cards, relics and enemies as a person types them."""

import pytest

from evodom.errors import UsageError
from evodom.spire.naming import cards_by_beginning, cards_from_text, cards_to_text, find_enemies, find_relic


def test_cards_are_read_as_they_are_written():
    cards = cards_from_text("bash, 2 strike,  3x defend+, ascender\u2019s bane")

    assert cards == {"Bash": 1, "Strike": 2, "Defend+": 3, "Ascender's Bane": 1}
    assert cards_to_text(cards.elements()) == "Bash, 2 Strike, 3 Defend+, Ascender's Bane"
    assert cards_to_text([]) == "none"


def test_an_upgraded_card_is_another_card():
    assert cards_from_text("Strike, Strike+") == {"Strike": 1, "Strike+": 1}


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        (cards_from_text, "Strike, Smite", r"^there is no card named 'Smite'\. "),
        (cards_from_text, "Stirke", r"^there is no card named 'Stirke'\. Did you mean Strike"),
        (find_relic, "Pen Nib", r"^there is no relic named 'Pen Nib'\. "),
        (find_enemies, "Cultist, Hexaghost", r"^there is no enemy named 'Hexaghost'\. "),
    ],
)
def test_an_unknown_name_is_told(read, text, message):
    with pytest.raises(UsageError, match=message):
        read(text)


def test_relics_are_found_however_they_are_capitalised():
    assert find_relic(" captain's wheel ") == "Captain's Wheel"


def test_enemies_are_found_by_name_or_as_a_group():
    assert find_enemies("cultist") == ("Cultist",)
    assert find_enemies("SENTRIES") == ("Sentry", "Middle Sentry", "Sentry")
    assert find_enemies("acid slime s, Spike Slime (M)") == ("Acid Slime (S)", "Spike Slime (M)")
    assert find_enemies("small slimes") == ("Spike Slime (S)", "Acid Slime (M)")


def test_cards_of_a_fight_may_be_shortened_while_they_are_clear():
    names = ["Strike", "Strike+", "Defend", "Bash"]

    assert cards_by_beginning("3 strike, d", names) == {"Strike": 3, "Defend": 1}
    with pytest.raises(UsageError, match=r"^'s' could be Strike or Strike\+\. "):
        cards_by_beginning("s", names)
    with pytest.raises(UsageError, match=r"^'x' is none of Strike, Strike\+, Defend, Bash\. "):
        cards_by_beginning("x", names)
