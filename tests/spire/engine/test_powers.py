"""Statuses and powers: when they act, add up and end."""

import pytest

from tests.spire.engine.helpers import scenario_test

pytestmark = pytest.mark.uncompiled

SCENARIOS = """
strength and weak and vulnerable are rounded once
    # floor(7 x 0.75 x 1.5) = 7
    enemies=Cultist 50, Vulnerable 1; hand=Strike; you=Strength 1, Weak 1; play Strike;
        enemies == Cultist 43, Vulnerable 1
negative strength does no negative damage: hand=Twin Strike; you=Strength -9; play Twin Strike; enemies == Cultist 50
dexterity and frail count for block of cards only
    hand=Defend; you=Dexterity 2, Frail 1; play Defend; block == 5
    hand=Defend; you=Dexterity -9; play Defend; block == 0
    quiet; you=Dexterity 2, Frail 1, Metallicize 3, Barricade 1; end; block == 3
flex is lost at the end of the turn and artifact keeps it
    quiet; hand=Flex; play Flex; end; has Strength == 0
    quiet; hand=Flex; you=Artifact 1; play Flex; you == hp 50, Strength 2; end; has Strength == 2
artifact takes one application each: enemies=Sentry 40, Artifact 1; hand=Thunderclap, Bash; you=Weak 0;
    play Thunderclap, Bash; enemies == Sentry 28, Vulnerable 2
disarm is a debuff: enemies=Sentry 40; hand=2 Disarm; play Disarm, Disarm; enemies == Sentry 40, Strength -2
metallicize and plated armor give block at the end of the turn
    quiet; you=Metallicize 3, Plated Armor 4, Barricade 1; end; block == 7
plated armor shrinks with every attack that costs hp
    # 6 x 2
    enemies=Hexaghost 250, Tackle; you=Plated Armor 3; end; has Plated Armor == 1
plated armor stays when the player loses hp otherwise
    hand=Bloodletting; you=Plated Armor 3; play Bloodletting; has Plated Armor == 3
barricade keeps block and does not add up
    quiet; hand=Barricade, Barricade+; you=energy 5, block 9; play Barricade, Barricade+; has Barricade == 1; end;
        block == 9
    quiet; you=block 9; end; block == 0
berserk gives energy on later turns and vulnerable fades immediately
    quiet; hand=2 Berserk+; play Berserk+, Berserk+; end; energy == 5; has Vulnerable == 1
brutality draws then costs hp after the draw: quiet; draw=9 Strike; you=Brutality 2; end; hand == 7 Strike; hp == 48
demon form gives strength at the start of the turn: quiet; hand=Demon Form; play Demon Form; end; has Strength == 2
combust costs hp for each and damages all: enemies=Gremlin Wizard 50, Charging | Gremlin Wizard 50, Charging, block 3;
    hand=Combust, Combust+; play Combust, Combust+; end; enemies == Gremlin Wizard 38 | Gremlin Wizard 41; hp == 48
corruption makes skills free and exhausts them
    hand=Defend, Strike; you=Corruption 1, energy 0; play Defend; exhaust == Defend; energy == 0; cannot play Strike
dark embrace and feel no pain act for each exhausted card: hand=Second Wind, 2 Wound; draw=3 Strike;
    you=Dark Embrace 1, Feel No Pain 3; play Second Wind; hand == 2 Strike; block == 16
evolve draws for a status but not under no draw
    # at the back of the queue: the card has been discarded by then
    hand=Shrug It Off; draw=Wound; you=Evolve 2; play Shrug It Off; hand == Shrug It Off, Wound
    hand=Battle Trance; draw=3 Wound; discard=2 Strike; you=Evolve 1; play Battle Trance; hand == 3 Wound
fire breathing damages all for a status or curse
    hand=Battle Trance; draw=Wound, Injury, Strike; you=Fire Breathing 6; play Battle Trance; enemies == Cultist 38
flame barrier answers every hit until the next turn: enemies=Hexaghost 250, Tackle; hand=Flame Barrier;
    play Flame Barrier; end; enemies == Hexaghost 242; has Flame Barrier == 0
thorns answer a hit that is fully blocked: you=Thorns 3, block 50; end; enemies == Cultist 47
thorns that kill cancel the remaining hits
    enemies=Hexaghost 3, Tackle | Cultist 50, Incantation; you=Thorns 3; end; hp == 44
the other parts of a move happen though thorns have killed
    enemies=Gremlin Nob 3, Skull Bash | Cultist 50, Incantation; you=Thorns 3; end; has Vulnerable == 2
juggernaut hits for every gain of block also of entrench
    hand=Entrench, Defend; you=Juggernaut 5, block 1; play Defend, Entrench; enemies == Cultist 40
    hand=Entrench; you=Juggernaut 5; play Entrench; enemies == Cultist 50
metallicize and plated armor are two gains of block
    quiet; you=Juggernaut 5, Metallicize 1, Plated Armor 1; end; enemies == Gremlin Wizard 40
rage gives block for attacks of this turn behind the card: quiet; hand=Rage, Body Slam, Strike;
    play Rage, Body Slam, Strike; enemies == Gremlin Wizard 44; block == 6; end; has Rage == 0
rupture is for own losses only
    hand=Bloodletting; you=Rupture 2; play Bloodletting; has Strength == 2
    you=Rupture 2; end; has Strength == 0
    quiet; hand=Burn, Decay, Regret; you=Rupture 1; end; has Strength == 3
    quiet; you=Rupture 1, Combust 5, Combust cost 1, Brutality 1; end; has Strength == 2
    quiet; hand=Burn; you=Rupture 1, block 9; end; has Strength == 0
powers of one name add up
    hand=Rupture, Rupture+; play Rupture, Rupture+; has Rupture == 3
    hand=Evolve, Evolve+; play Evolve, Evolve+; has Evolve == 3
vigor counts for every hit of one attack
    hand=Twin Strike, Strike, Defend; you=Vigor 8; play Defend, Twin Strike, Strike; enemies == Cultist 18
ritual of the player acts at the end of this turn: quiet; you=Ritual 1; end; has Strength == 1
intangible makes every loss one and ends with the round: enemies=Hexaghost 250, Tackle; hand=Bloodletting;
    you=Intangible 1; play Bloodletting; end; hp == 47; has Intangible == 0
buffer takes a loss: enemies=Hexaghost 250, Tackle; you=Buffer 1; end; hp == 44; has Buffer == 0
buffer is not used up by what block stops: you=Buffer 1, block 6; end; has Buffer == 1
duplication plays any card twice and ends with the round
    hand=Defend; you=Duplication 1; play Defend; block == 10
    quiet; you=Duplication 1; end; has Duplication == 0
weak and vulnerable and frail add up: hand=2 Bash; you=energy 4; play Bash, Bash; enemies == Cultist 30, Vulnerable 4
a debuff of an enemy does not fade in the round it came
    # 1 + 2, and it was there before, so it fades
    enemies=Green Louse 15, Spit Web; end; has Weak == 2
    enemies=Green Louse 15, Spit Web; you=Weak 1; end; has Weak == 2
an enemys vulnerable lasts this turn and the next
    quiet; hand=Bash; play Bash; end; enemies == Gremlin Wizard 42, Vulnerable 1
a dead fungi beast makes vulnerable if others live
    # it came in the enemies' turn
    # it came in the player's
    enemies=Fungi Beast 6 | Fungi Beast 20, Grow; hand=Strike; play Strike at 1; has Vulnerable == 2; end;
        has Vulnerable == 1
    enemies=Fungi Beast 6, Bite | Fungi Beast 20, Grow; you=Thorns 6; end; has Vulnerable == 2
    enemies=Fungi Beast 5, Bite | Fungi Beast 20, Grow; you=Combust 5, Combust cost 1; end; has Vulnerable == 1
    enemies=Fungi Beast 6; hand=Strike; play Strike; has Vulnerable == 0
curl up blocks behind the whole card and once
    enemies=Red Louse 30, Curl Up 9; hand=Bash, Twin Strike; play Twin Strike; enemies == Red Louse 20, block 9
    enemies=Red Louse 30, Curl Up 9; hand=Bash; play Bash; enemies == Red Louse 22, block 9, Vulnerable 2
curl up waits for an attack that costs hp and does not kill
    enemies=Red Louse 30, block 6, Curl Up 9; hand=Strike; play Strike; enemies == Red Louse 30, Curl Up 9
    enemies=Red Louse 5, Curl Up 9; hand=Strike; play Strike; over == won
plain damage does not curl up
    enemies=Red Louse 30, Curl Up 9; potions=Fire Potion; drink Fire Potion; enemies == Red Louse 10, Curl Up 9
angry counts hits that cost hp: enemies=Mad Gremlin 30, block 5; hand=Twin Strike; potions=Fire Potion; ascension=0;
    play Twin Strike; drink Fire Potion; enemies == Mad Gremlin 5, Strength 1, Angry 1
enrage is for skills and behind them
    enemies=Gremlin Nob 80, Enrage 3; hand=Defend, Strike, Inflame, Slimed; you=energy 4; play Strike, Inflame, Slimed;
        enemies == Gremlin Nob 74, Enrage 3; play Defend; enemies == Gremlin Nob 74, Strength 3, Enrage 3
sharp hide hurts behind the card even if it kills
    enemies=The Guardian 6, Sharp Hide 3; hand=Strike; you=hp 3; play Strike; over == lost
    enemies=The Guardian 50, Sharp Hide 3; hand=Iron Wave; play Iron Wave; hp == 50; block == 2
rage block comes before the damage of sharp hide if the card kills
    enemies=The Guardian 6, Sharp Hide 3; hand=Strike; you=hp 3, Rage 3; play Strike; over == won; hp == 3
the player dies before an attack can kill
    enemies=Cultist 15; hand=Hemokinesis; you=hp 2; play Hemokinesis; over == lost
panache counts the cards of a turn that follow it
    enemies=Cultist 50, block 4 | Cultist 40; hand=Panache, 6 Finesse; play Panache, Finesse, Finesse, Finesse, Finesse;
        has Panache cards == 4; play Finesse; enemies == Cultist 44 | Cultist 30; has Panache cards == 0
    quiet; draw=9 Finesse; hand=Finesse; you=Panache 10; play Finesse; end; has Panache cards == 0
sadistic nature hurts for every debuff given to an enemy
    enemies=Cultist 50 | Sentry 40; hand=Shockwave; you=Sadistic Nature 5; play Shockwave;
        enemies == Cultist 40, Vulnerable 3, Weak 3 | Sentry 35, Vulnerable 3
    hand=Disarm, Dark Shackles; you=Sadistic Nature 5; play Disarm, Dark Shackles;
        enemies == Cultist 40, Strength -11, Shackled 9
    hand=Bash, Inflame; you=Sadistic Nature 5; relics=Champion Belt; play Inflame, Bash;
        enemies == Cultist 30, Vulnerable 2, Weak 1
    you=Sadistic Nature 5, Weak 1; hand=Strike; end; enemies == Cultist 50
the bomb explodes at the end of the third turn
    enemies=Gremlin Wizard 99, Charging | Gremlin Wizard 99, Charging; hand=The Bomb; draw=9 Defend; you=block 99;
        play The Bomb; end 2; enemies == Gremlin Wizard 99 | Gremlin Wizard 99; has Bomb in 1 turn == 40; end;
        enemies == Gremlin Wizard 59 | Gremlin Wizard 59; has Bomb in 1 turn == 0
mayhem plays the top card behind the hand and brutality
    quiet; draw=6 Strike; you=Mayhem 1; end; enemies == Gremlin Wizard 44; hand == 5 Strike; discard == Strike
    quiet; draw=6 Strike; discard=Wound; you=Mayhem 2, Brutality 1; end; enemies == Gremlin Wizard 50;
        discard == Wound
combust that kills the player first loses: enemies=Cultist 5; you=hp 1, Combust 5, Combust cost 1; end; over == lost
entangled forbids attacks for one turn
    enemies=Red Slaver 48, Entangle; hand=Strike; draw=5 Strike; end; cannot play Strike; end; can play Strike
"""

test_scenario = scenario_test(SCENARIOS)
