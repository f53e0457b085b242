"""Statuses and curses: their effects in hand, when they are drawn, and at the end of a turn."""

import pytest

from evodom.spire.content.cards import CARDS
from tests.spire.engine.helpers import Table, scenario_test

pytestmark = pytest.mark.uncompiled

SCENARIOS = """
slimed can and is no skill: enemies=Gremlin Nob 80, Enrage 3; hand=Slimed, Defend; you=Corruption 1; play Slimed;
    enemies == Gremlin Nob 80, Enrage 3; exhaust == Slimed; energy == 2
burn can be blocked and regret cannot
    quiet; hand=Burn; you=block 9; end; hp == 50
    quiet; hand=Regret; you=block 9; end; hp == 49
burn is discarded and not exhausted
    quiet; hand=Burn; you=Feel No Pain 3, Barricade 1; draw=9 Defend; end; you == hp 48, Barricade 1, Feel No Pain 3
doubt and shame do not fade in the round they come
    quiet; hand=Doubt, Shame; draw=9 Defend; end; you == hp 50, Weak 1, Frail 1; end; you == hp 50
ethereal cards are exhausted at the end of the turn
    quiet; hand=Dazed, Void, Ascender's Bane, Clumsy, Carnage, Ghostly Armor, Strike; draw=9 Defend; end;
        exhaust == Ascender's Bane, Carnage, Clumsy, Dazed, Ghostly Armor, Void; discard == Strike
a card drawn for an ethereal one stays in hand
    quiet; hand=Dazed, Strike; draw=9 Defend; you=Dark Embrace 1; end; hand == 6 Defend; discard == Strike
void takes energy when it is drawn and never below nothing
    hand=Battle Trance; draw=Void, 2 Strike; play Battle Trance; energy == 2
    hand=Battle Trance; draw=3 Void; you=energy 1; play Battle Trance; energy == 0
normality allows three cards: hand=Normality, 4 Anger; play Anger, Anger, Anger; moves == end
normality drawn later counts earlier cards
    hand=2 Anger, Battle Trance, Strike; draw=3 Normality; play Anger, Anger, Battle Trance; moves == end
pain costs hp for every other card before its effects
    hand=2 Pain, Strike, Defend; play Strike, Defend; hp == 46
    enemies=Cultist 6; hand=Pain, Strike; you=hp 1; play Strike; over == lost
pain draws with a puzzle before the card does: hand=Pain, Shrug It Off; draw=3 Strike; discard=9 Defend;
    relics=Centennial Puzzle; play Shrug It Off; hand == Defend, Pain, 3 Strike
curses and statuses cannot be upgraded: hand=Armaments+, Burn, Injury; play Armaments+; hand == Burn, Injury
cards in hand cost hp at the end of the turn and are discarded
    quiet; hand=Burn; draw=9 Defend; end; hp == 48; discard == Burn
    quiet; hand=Burn+; draw=9 Defend; end; hp == 46; discard == Burn+
    quiet; hand=2 Decay; draw=9 Defend; end; hp == 46; discard == 2 Decay
    quiet; hand=Regret, 3 Wound; draw=9 Defend; end; hp == 46; discard == Regret, 3 Wound
    quiet; hand=2 Regret; draw=9 Defend; end; hp == 46; discard == 2 Regret
    quiet; hand=Regret, Burn; draw=9 Defend; end; hp == 46; discard == Burn, Regret
    quiet; hand=Injury, Parasite, Wound, Curse of the Bell, Normality, Pain, Writhe; draw=9 Defend; end; hp == 50
innate cards are all drawn
    deck=20 Strike, Writhe; starts; hand == 4 Strike, Writhe
    deck=20 Strike, 7 Writhe; starts; hand == 7 Writhe
"""

test_scenario = scenario_test(SCENARIOS)


def test_statuses_and_curses_cannot_be_played():
    curses = [name for name, card in CARDS.items() if card.kind == "Curse"]
    for name in ("Burn", "Burn+", "Dazed", "Void", "Wound", *curses):
        assert not Table(hand=name).can_play(name), name
