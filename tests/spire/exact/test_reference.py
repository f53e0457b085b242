"""The fight engine against a second one, written from the rules as plainly as possible: the same values exactly."""

import pytest

from evodom.solve import solve
from evodom.spire.exact.plans import CARD_BY_CARD, TURN_BY_TURN
from evodom.spire.fights.names import cards_from_text
from tests.spire.exact.helpers import fight
from tests.spire.exact.reference import Reference

FIGHTS = [  # enemies, deck, HP, ascension, relics: small, and none that can go on for ever
    ("Cultist 48", "3 Strike, Defend, Bash", 12, 20, ""),
    ("Cultist 20, Cultist 9", "2 Strike, Cleave, Defend", 8, 20, "Bag of Marbles, Orichalcum"),
    ("Jaw Worm 20", "3 Strike, Defend, Inflame", 14, 20, ""),
    ("Jaw Worm 20", "2 Strike, Bash, Flex", 14, 0, "Vajra"),
    ("Gremlin Nob 42", "3 Strike, Defend, Shrug It Off", 20, 20, ""),
    ("Gremlin Nob 18", "2 Strike, Bash, Iron Wave", 24, 0, "Burning Blood"),
    ("Acid Slime (S) 28", "Strike, Clash, Offering, Iron Wave, Ascender's Bane", 9, 20, ""),
    ("Acid Slime (S) 24", "2 Strike, Flex", 9, 0, ""),
    ("Spike Slime (M) 14", "2 Strike, True Grit, Bash", 10, 20, ""),
    ("Spike Slime (M) 14", "Strike, True Grit+, Anger", 7, 20, ""),
    (
        "Spike Slime (S) 8, Acid Slime (S) 30",
        "Strike, Battle Trance, Body Slam",
        10,
        20,
        "Mercury Hourglass, Bronze Scales",
    ),
    ("Spike Slime (S) 22, Spike Slime (S) 16", "Strike, Bash, Twin Strike, Cleave", 14, 0, ""),
    ("Red Louse 18", "Strike, Carnage, Flex, Twin Strike", 8, 20, ""),
    ("Red Louse 15", "2 Strike, Pommel Strike", 7, 0, ""),
    ("Green Louse 11", "2 Strike, Clothesline, Disarm", 9, 20, ""),
    ("Lagavulin 90", "2 Strike, Bash, Demon Form, Metallicize", 24, 20, "Akabeko"),
    ("Lagavulin 40", "2 Strike, Bash, Defend, Seeing Red", 24, 0, "Mercury Hourglass"),
    ("Sentry 10, Sentry 7", "Strike, Cleave, Disarm", 20, 20, ""),
]


@pytest.mark.parametrize("row", FIGHTS, ids=lambda row: f"{row[0]} at {row[3]}")
def test_both_engines_find_the_same_value(row):
    enemies, deck, hp, ascension, relics = row
    foes = [(name, int(left)) for name, _, left in (part.strip().rpartition(" ") for part in enemies.split(","))]
    names = tuple(filter(None, relics.split(", ")))

    naive = Reference(foes, list(cards_from_text(deck).elements()), hp, hard=ascension == 20, relics=names).value()

    for mode in (TURN_BY_TURN, CARD_BY_CARD):
        game = fight(enemies, deck, hp=hp, max_hp=999, ascension=ascension, relics=relics, mode=mode)
        assert solve(game).value == naive
