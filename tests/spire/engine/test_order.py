"""The order of effects: the start of a fight, turns, playing cards, the end of a fight."""

from fractions import Fraction

import pytest

from tests.spire.engine.helpers import scenario_test, started

pytestmark = pytest.mark.uncompiled

SCENARIOS = """
block and energy of relics at the start of a turn stay
    enemies=Gremlin Wizard 50, Charging; you=turn 1, block 9; relics=Horn Cleat, Happy Flower; end; block == 14
brutality draws behind the hand and before the loss
    quiet; draw=5 Strike; discard=Wound; you=Brutality 1, hp 1; end; over == lost
effects on a dead target do nothing: enemies=Cultist 8 | Cultist 50; hand=Bash; play Bash at 1; enemies == Cultist 50
an unaffordable card cannot be played
    hand=Bash; you=energy 1; cannot play Bash
    hand=Bash; moves == end, Bash at enemy 1
each enemy can be the target
    enemies=Cultist 50 | Cultist 40; hand=Strike, Cleave; moves == end, Strike at enemy 1, Strike at enemy 2, Cleave
kunai counts for the next card only
    hand=2 Anger, Iron Wave; relics=Kunai; play Anger, Anger, Iron Wave; block == 5; has Dexterity == 1
drawing stops at ten cards
    hand=Battle Trance, 9 Strike; draw=5 Defend; play Battle Trance; hand == Defend, 9 Strike; draw == 4 Defend
a pile with exactly enough is not refilled yet: hand=Shrug It Off; draw=Strike; discard=3 Defend; relics=The Abacus;
    play Shrug It Off; hand == Strike; draw == ; block == 8
a draw takes what there is then shuffles
    hand=Battle Trance; draw=Strike; discard=2 Defend; play Battle Trance; hand == 2 Defend, Strike
burn meets the block of metallicize: quiet; hand=Burn; you=Metallicize 3; end; hp == 50
combust acts after burn: enemies=Cultist 5; hand=Burn; you=hp 2, Combust 5, Combust cost 1; end; over == lost
regen heals before combust
    enemies=Cultist 5; you=hp 1, Combust 5, Combust cost 1, Regen 5; end; over == won; hp == 5
    quiet; you=hp 77, Combust 5, Combust cost 1, Regen 5; end; hp == 79; has Regen == 4
a fairy revives a player killed by combust before it kills
    enemies=Cultist 5; you=hp 1, Combust 5, Combust cost 1; potions=Fairy in a Bottle; end; over == won; hp == 24
no draw ends after combust
    quiet; draw=9 Defend; you=Combust 5, Combust cost 1; relics=Runic Cube; end; discard == Defend
    quiet; draw=9 Defend; you=Combust 5, Combust cost 1, No Draw 1; relics=Runic Cube; end; discard ==
a card for an enemy killed by combust is drawn behind the discard of the hand
    enemies=Gremlin Wizard 5, Charging | Gremlin Wizard 50, Charging; draw=9 Defend; hand=Strike;
        you=Combust 5, Combust cost 1; relics=Gremlin Horn; end; hand == 6 Defend; discard == Strike
    enemies=Gremlin Wizard 52, Charging | Gremlin Wizard 90, Charging; draw=9 Defend; hand=Strike; you=turn 7;
        relics=Stone Calendar, Gremlin Horn; end; hand == 5 Defend; discard == Defend, Strike
fire breathing for a card of dark embrace hits enemies that have lost their block
    enemies=Gremlin Wizard 50, Charging, block 9; hand=Dazed; draw=Dazed; discard=9 Defend;
        you=Dark Embrace 1, Fire Breathing 6; end; enemies == Gremlin Wizard 44
juggernaut answers the block of orichalcum and metallicize behind stone calendar
    enemies=Gremlin Wizard 52, Charging | Gremlin Wizard 90, Charging; you=turn 7, Juggernaut 5, Metallicize 3;
        relics=Orichalcum, Stone Calendar; chances end enemies == 1 Gremlin Wizard 28
a burn does not act if stone calendar wins the fight
    enemies=Cultist 52; hand=2 Burn; you=turn 7, hp 1; relics=Stone Calendar; end; over == won; hp == 1
a burn drawn at the end of the turn does not act
    quiet; hand=Burn; draw=Burn; relics=Runic Cube; end; hp == 48
    quiet; hand=Burn, Regret; draw=9 Burn; relics=Runic Cube; end; hp == 46
a card that acts in hand is in no pile while it acts
    # The draw of Runic Cube finds no card. The next hand needs two shuffles, each 6 block and 5 damage.
    quiet; hand=Decay; you=Juggernaut 5; relics=Runic Cube, The Abacus; end; hp == 48; enemies == Gremlin Wizard 40
a loss of hp that is queued when the last enemy dies counts
    enemies=Gremlin Wizard 3, Charging; draw=9 Defend; you=Brutality 2; relics=Mercury Hourglass; end; over == won;
        hp == 48; hand ==
    enemies=Gremlin Wizard 3, Charging; draw=9 Defend; you=Brutality 2, hp 2; relics=Mercury Hourglass; end;
        over == lost
    enemies=Gremlin Wizard 3, Charging; draw=9 Defend; you=Brutality 2; relics=Mercury Hourglass, Tungsten Rod; end;
        over == won; hp == 49
pain costs hp before the card acts
    hand=Sword Boomerang, Pain; you=Rupture 1; play Sword Boomerang; enemies == Cultist 38; has Strength == 1
damage is fixed before rupture and red skull give strength
    hand=Hemokinesis; you=Rupture 2; play Hemokinesis; enemies == Cultist 35; has Strength == 2
    hand=Hemokinesis; you=hp 41; relics=Red Skull; play Hemokinesis; enemies == Cultist 35; has Strength == 3
    hand=Cleave, Pain; you=Rupture 2; play Cleave; enemies == Cultist 42; has Strength == 2
    hand=Heavy Blade, Pain; you=Rupture 2, Strength 1; play Heavy Blade; enemies == Cultist 33; has Strength == 3
no draw ends before ethereal cards are exhausted
    quiet; hand=Dazed; draw=9 Strike; you=Dark Embrace 1, No Draw 1; end; hand == 6 Strike
burning elites metallicize is lost when the enemies turn begins: enemies=Gremlin Nob 85, Rush, Metallicize 4, block 4;
    you=Flame Barrier 4; end; enemies == Gremlin Nob 81, block 4, Metallicize 4
queued effects other than heals and block are dropped at the end: enemies=Cultist 5; hand=Pommel Strike; draw=Defend;
    you=Rage 3; relics=Toy Ornithopter; play Pommel Strike; over == won; hand == ; block == 3
headbutt that wins asks for no card
    enemies=Cultist 5; hand=Headbutt; discard=Strike, Defend; play Headbutt; over == won; moves ==
a double tapped attack that wins is over: enemies=Cultist 5; hand=Strike; you=Double Tap 1; play Strike; over == won
running out of cards is no loss: quiet; end; over ==
a fight starts with five cards and three energy: starts; hand == 5 Strike; energy == 3; turn == 1; you == hp 50
the ironclad starts with fewer hp on high ascensions
    hp=full; ascension=0; starts; hp == 80; max_hp == 80
    hp=full; ascension=6; starts; hp == 72; max_hp == 80
    hp=full; ascension=14; starts; hp == 68; max_hp == 75
on turn 1 relics act after the draw and later before it
    deck=5 Strike; relics=Mark of Pain; starts; hand == 5 Strike; draw == 2 Wound
    # The Hourglass kills the Fungi Beast before the draw: Gremlin Horn's card is added to the five.
    enemies=Fungi Beast 3 | Gremlin Wizard 50, Charging; draw=9 Strike; relics=Mercury Hourglass, Gremlin Horn; end;
        hand == 6 Strike; energy == 4
every hand has its probability
    quiet; draw=3 Strike, 3 Defend; chances end hand == 1/2 2 Defend, 3 Strike or 1/2 3 Defend, 2 Strike
a fight that is not won in time is lost: enemies=Gremlin Wizard; max_turns=2; starts; end 2; over == late; returns == 0
a state that is over has no pending effects: enemies=Cultist 5; hand=Pommel Strike; draw=Defend; you=Double Tap 1;
    play Pommel Strike; n_queue == 0; n_autoplays == 0; choosing == 0
"""

test_scenario = scenario_test(SCENARIOS)


@pytest.mark.parametrize(("ascension", "banes"), [(9, 0), (10, 1)])
def test_the_bane_is_in_the_deck_from_ascension_10(ascension, banes):
    assert started(ascension=ascension).rules.deck.get("Ascender's Bane", 0) == banes


def test_hp_of_enemies_are_rolled_uniformly():
    table = started(("Jaw Worm",), deck={"Strike": 5})
    chances = table.game.starts().map(lambda state: int(table.game.view(state).hp[1]))

    assert dict(chances) == {hp: Fraction(1, 5) for hp in range(42, 47)}
