"""Rules of single cards: conditions, choices, piles, copies."""

from fractions import Fraction

import pytest

from evodom.spire.content.cards import POOLS, STARTER_DECK
from evodom.spire.engine.compiler import FightRules, Setup
from tests.spire.engine.helpers import Table, scenario_test

pytestmark = pytest.mark.uncompiled

SCENARIOS = """
body slam does its block and strength counts
    hand=Body Slam; you=block 14; play Body Slam; enemies == Cultist 36
    hand=Body Slam; you=block 14, Strength 3; play Body Slam; enemies == Cultist 33
clash needs a hand of attacks
    hand=Clash, Strike; can play Clash
    hand=Clash, Defend; cannot play Clash
    hand=Clash, Wound; cannot play Clash
perfected strike does not count itself off the draw pile
    hand=Havoc; draw=Perfected Strike; play Havoc; enemies == Cultist 44
sword boomerang hits four times when upgraded: hand=Sword Boomerang+; play Sword Boomerang+; enemies == Cultist 38
dropkick on a vulnerable enemy gives energy and a card: enemies=Cultist 50, Vulnerable 1; hand=Dropkick; draw=Defend;
    play Dropkick; enemies == Cultist 43, Vulnerable 1; energy == 3; hand == Defend
dropkick is not shuffled into its own draw
    enemies=Cultist 50, Vulnerable 1; hand=Dropkick; discard=Defend; play Dropkick; hand == Defend; discard == Dropkick
dropkick that kills a vulnerable enemy still draws: enemies=Cultist 5, Vulnerable 1 | Cultist 9; hand=Dropkick;
    draw=Defend; play Dropkick at 1; energy == 3; hand == Defend
hemokinesis is computed before the loss: hand=Hemokinesis; you=hp 41, Rupture 1; relics=Red Skull; play Hemokinesis;
    enemies == Cultist 35; you == hp 39, Strength 4, Rupture 1
whirlwind spends all energy and hits as often
    enemies=Cultist 50 | Cultist 50; hand=Whirlwind; play Whirlwind; enemies == Cultist 35 | Cultist 35; energy == 0
whirlwind can be played for nothing
    hand=Whirlwind; you=energy 0; play Whirlwind; enemies == Cultist 50; discard == Whirlwind
rampage grows with every play of the same card
    hand=Rampage; draw=5 Defend; relics=Runic Pyramid; play Rampage; discard == Rampage (13)
    enemies=Cultist 50; hand=Rampage (13); play Rampage (13); enemies == Cultist 37
upgraded rampage grows by eight: hand=Rampage+; play Rampage+; discard == Rampage+ (16)
blood for blood gets cheaper wherever it is with every loss of hp: hand=Bloodletting, Hemokinesis, Blood for Blood;
    draw=Blood for Blood+; discard=Blood for Blood; play Bloodletting, Hemokinesis; hand == Blood for Blood (costs 2);
    draw == Blood for Blood+ (costs 1); discard == Blood for Blood (costs 2), Bloodletting, Hemokinesis
blood for blood that is free for a turn gets cheaper too: quiet; draw=9 Defend;
    hand=Bloodletting, Blood for Blood, Blood for Blood (costs 0 this turn); play Bloodletting;
    play Blood for Blood (costs 3) (costs 0 this turn); end;
    discard == 2 Blood for Blood (costs 3), Bloodletting
another cost is part of the name
    hand=Clothesline (costs 0), Clash (costs 2); you=energy 1; moves == end, Clothesline (costs 0) at enemy 1
    hand=Strike (costs 3 this turn); you=energy 2; cannot play Strike (costs 3 this turn)
the costs of a turn end everywhere but in the exhaust pile: quiet; hand=Clothesline (costs 0 this turn);
    draw=5 Strike (costs 0), Bash (costs 3) (costs 0 this turn); discard=Rampage (13) (costs 0 this turn);
    exhaust=Bash (costs 0 this turn); play Clothesline (costs 0 this turn);
    discard == Clothesline, Rampage (13) (costs 0 this turn); end;
    discard == Clothesline, Rampage (13); exhaust == Bash (costs 0 this turn)
an upgrade keeps another cost unless it changes the cost: play Armaments+;
    hand=Armaments+, Bash (costs 0), Bash (costs 1 this turn), Body Slam (costs 3), Rampage (18) (costs 0 this turn);
    hand == Bash+ (costs 0), Bash+ (costs 1 this turn), Body Slam+, Rampage+ (16) (costs 0 this turn)
a rampage that is free for a turn grows: hand=Rampage (costs 0 this turn); play Rampage (costs 0 this turn);
    discard == Rampage (13); energy == 3
the copy of a rampage that is free for a turn increases the original: hand=Double Tap, Rampage (costs 0 this turn);
    play Double Tap; play Rampage (costs 0 this turn); discard == Double Tap, Rampage (18); energy == 2
a copy of itself has the same cost: hand=Anger (costs 1); play Anger (costs 1); discard == 2 Anger (costs 1)
feed that kills gives hp and more of them
    enemies=Cultist 10 | Cultist 9; hand=Feed; play Feed at 1; hp == 53; max_hp == 83
    enemies=Cultist 10; hand=Feed+; play Feed+; max_hp == 84
feed that does not kill gives nothing: enemies=Cultist 11; hand=Feed; play Feed; hp == 50
fiend fire exhausts the hand and hits once for each card: hand=Fiend Fire, 2 Strike, Wound; you=Strength 1;
    play Fiend Fire; enemies == Cultist 26; exhaust == Fiend Fire, 2 Strike, Wound
reaper heals the HP that enemies lost
    enemies=Cultist 3 | Cultist 50, block 1; hand=Reaper; play Reaper; enemies == Cultist 47; hp == 56
reaper heals even if it kills all: enemies=Cultist 3; hand=Reaper; play Reaper; hp == 53
pummel and twin strike hit each time with strength
    hand=Pummel; you=Strength 2; play Pummel; enemies == Cultist 34
    hand=Twin Strike; you=Strength 2; play Twin Strike; enemies == Cultist 36
sever soul exhausts all but attacks first
    hand=Sever Soul, Strike, Defend, Wound, Inflame; play Sever Soul; hand == Strike; exhaust == Defend, Inflame, Wound
spot weakness looks at the intent
    enemies=Jaw Worm 40, Thrash; hand=Spot Weakness; play Spot Weakness; has Strength == 3
    enemies=Jaw Worm 40, Bellow; hand=Spot Weakness; play Spot Weakness; has Strength == 0
armaments upgrades a chosen card: hand=Armaments, Strike, Bash, Defend+, Wound; play Armaments;
    moves == choose Bash, choose Strike; choose Bash; hand == Bash+, Defend+, Strike, Wound
armaments upgrades the only card by itself and none if there is none
    hand=Armaments, Bash, Defend+; play Armaments; hand == Bash+, Defend+
    hand=Armaments, Defend+, Wound; play Armaments; hand == Defend+, Wound
upgraded armaments upgrades all once
    hand=Armaments+, 2 Strike, Bash+, Searing Blow; play Armaments+; hand == Bash+, Searing Blow+, 2 Strike+
blood for blood keeps its lower cost when upgraded
    hand=Bloodletting, Armaments+, Blood for Blood; play Bloodletting, Armaments+; hand == Blood for Blood+ (costs 2)
havoc plays and exhausts the top card
    hand=Havoc; draw=Strike; play Havoc; enemies == Cultist 44; exhaust == Strike; discard == Havoc
havoc refills an empty draw pile and does nothing without cards
    hand=Havoc; discard=Strike; play Havoc; enemies == Cultist 44
    hand=Havoc; play Havoc; discard == Havoc
havoc plays whirlwind with the energy there is and spends none
    hand=Havoc; draw=Whirlwind; play Havoc; enemies == Cultist 40; energy == 2; exhaust == Whirlwind
havoc exhausts an unplayable card: hand=Havoc; draw=Wound; play Havoc; exhaust == Wound
havoc exhausts an attack that cannot be played now
    hand=Havoc; draw=Strike; you=Entangled 1; play Havoc; enemies == Cultist 50; exhaust == Strike
havoc of a power lets it vanish: hand=Havoc; draw=Inflame; play Havoc; has Strength == 2; exhaust == ; discard == Havoc
headbutt takes the only card and skips an empty pile
    hand=Headbutt; discard=Bash; play Headbutt; draw == Bash
    hand=Headbutt; play Headbutt; discard == Headbutt
true grit upgraded exhausts the only card by itself: hand=True Grit+, Wound; play True Grit+; exhaust == Wound
warcry draws and puts one card on top
    hand=Warcry+, Bash; draw=2 Defend; play Warcry+; choose Bash; hand == 2 Defend; draw == Bash; exhaust == Warcry+
burning pact exhausts then draws
    hand=Burning Pact, Wound; draw=2 Strike; play Burning Pact; hand == 2 Strike; exhaust == Wound
dual wield copies an attack or a power as it is: hand=Dual Wield+, Rampage (13), Defend, Inflame; play Dual Wield+;
    moves == choose Inflame, choose Rampage (13); choose Rampage (13); hand == Defend, Inflame, 3 Rampage (13)
dual wield without such a card does nothing: hand=Dual Wield, Defend; play Dual Wield; hand == Defend
exhume takes any card but an exhume: hand=Exhume; exhaust=Exhume, Strike, Wound; play Exhume;
    moves == choose Strike, choose Wound; choose Strike; hand == Strike; exhaust == 2 Exhume, Wound
exhume with a full hand does nothing: hand=Exhume, 10 Wound; exhaust=Strike; play Exhume; exhaust == Exhume, Strike
sentinel gives energy when it is exhausted
    hand=True Grit, Sentinel; play True Grit; energy == 4
    hand=True Grit, Sentinel+; play True Grit; energy == 5
power through puts wounds beyond ten cards into the discard pile
    hand=Power Through, 9 Strike; play Power Through; hand == 9 Strike, Wound; discard == Power Through, Wound
wild strike with an empty draw pile makes the wound the next card
    hand=Wild Strike, Shrug It Off; discard=5 Strike; play Wild Strike, Shrug It Off; hand == Wound
battle trance draws and then stops drawing
    hand=Battle Trance, Shrug It Off; draw=9 Strike; play Battle Trance, Shrug It Off; hand == 3 Strike
entrench doubles the block: hand=Entrench; you=block 7; play Entrench; block == 14
limit break doubles strength even a negative one
    hand=Limit Break; you=Strength 3; play Limit Break; has Strength == 6
    hand=Limit Break; you=Strength -2; play Limit Break; has Strength == -4
    hand=Limit Break; you=Strength -2, Artifact 1; play Limit Break; you == hp 50, Strength -2
    hand=Limit Break; you=Strength 3, Artifact 1; play Limit Break; you == hp 50, Strength 6, Artifact 1
double tap plays the next attack twice at no cost: hand=Double Tap, Strike, Bash; play Double Tap, Strike;
    enemies == Cultist 38; energy == 1; discard == Double Tap, Strike
double tap is skipped when its target is dead
    enemies=Cultist 6 | Cultist 50; hand=Double Tap, Strike; play Double Tap; play Strike at 1; enemies == Cultist 50
double tap plays whirlwind twice with the same energy
    enemies=Cultist 99; hand=Double Tap, Whirlwind; play Double Tap, Whirlwind; enemies == Cultist 79
double tap ends with the turn and upgraded is for two attacks
    hand=Double Tap; draw=5 Strike; play Double Tap; end; has Double Tap == 0
    enemies=Cultist 99; hand=Double Tap+, 2 Strike; play Double Tap+, Strike, Strike; enemies == Cultist 75
rampages copy has the increase and both stay on the card
    hand=Double Tap, Rampage; play Double Tap, Rampage; enemies == Cultist 29; discard == Double Tap, Rampage (18)
vigor and pen nib do not reach the copy
    hand=Strike; you=Vigor 8, Double Tap 1; play Strike; enemies == Cultist 30
    hand=Strike; you=pen_nib 9, Double Tap 1; relics=Pen Nib; play Strike; enemies == Cultist 32
a copy counts as a card played
    # twice 3 block, twice 3 damage
    enemies=The Guardian 240, Sharp Hide 3; hand=Strike; you=Double Tap 1, Rage 3; play Strike; hp == 50; block == 0
sword boomerang hits random enemies that live
    # Once the small one is dead all hits go to the other.
    enemies=Cultist 50 | Cultist 3; hand=Sword Boomerang;
        chances Sword Boomerang enemies == 1/8 Cultist 41 | Cultist 3 or 7/8 Cultist 44
havoc aims at a random enemy: enemies=Cultist 50 | Cultist 40; hand=Havoc; draw=Strike;
    chances Havoc enemies == 1/2 Cultist 44 | Cultist 40 or 1/2 Cultist 50 | Cultist 34
true grit exhausts at random and upgraded by choice
    hand=True Grit, Strike, 2 Defend; chances True Grit exhaust == 1/3 Strike or 2/3 Defend
    hand=True Grit+, Strike, 2 Defend; play True Grit+; choose Defend; hand == Defend, Strike; exhaust == Defend;
        block == 9
a card shuffled in is never on top
    hand=Wild Strike, Shrug It Off; draw=2 Strike; play Wild Strike; chances Shrug It Off hand == 1 Strike
a card put on top later does not bring a buried one up: hand=Wild Strike, Headbutt, Pommel Strike+; draw=2 Strike;
    discard=Bash; play Wild Strike, Headbutt; choose Bash; chances Pommel Strike+ hand == 1 Bash, Strike
a card shuffled in below a known one may come next but one
    # Three places below Bash; the first is the second card of the pile.
    hand=Headbutt, Wild Strike, Pommel Strike+; draw=2 Strike; discard=Bash; play Headbutt, Wild Strike;
        chances Pommel Strike+ hand == 1/3 Bash, Wound or 2/3 Bash, Strike
strength counts three or five times for heavy blade
    hand=Heavy Blade; you=Strength 2; play Heavy Blade; enemies == Cultist 30
    hand=Heavy Blade+; you=Strength 2; play Heavy Blade+; enemies == Cultist 26
perfected strike counts strikes in all piles and itself but not exhausted ones
    # 6 + 2 x 5
    hand=Perfected Strike, Strike, Pommel Strike; draw=Wild Strike+; discard=Twin Strike; exhaust=Strike;
        play Perfected Strike; enemies == Cultist 34
blood for blood costs at least 0: hand=6 Bloodletting, Blood for Blood+;
    play Bloodletting, Bloodletting, Bloodletting, Bloodletting, Bloodletting, Bloodletting;
    hand == Blood for Blood+ (costs 0)
fiend fire hits with vigor before the cards that exhausting draws
    hand=Fiend Fire+, 2 Strike; you=Vigor 8, Dark Embrace 1; draw=3 Defend; play Fiend Fire+; enemies == Cultist 14;
        hand == 3 Defend; has Vigor == 0
every move that deals damage is an attack for spot weakness
    enemies=Red Louse 15, Bite; hand=Spot Weakness; play Spot Weakness; has Strength == 3
    enemies=Hexaghost 250, Divider; hand=Spot Weakness; play Spot Weakness; has Strength == 3
    enemies=Looter 40, Mug; hand=Spot Weakness; play Spot Weakness; has Strength == 3
    enemies=Fat Gremlin 15, Smash; hand=Spot Weakness; play Spot Weakness; has Strength == 3
    enemies=The Guardian 240, Twin Slam; hand=Spot Weakness; play Spot Weakness; has Strength == 3
    enemies=The Guardian 240, Charging Up; hand=Spot Weakness; play Spot Weakness; has Strength == 0
    enemies=Hexaghost 250, Activate; hand=Spot Weakness; play Spot Weakness; has Strength == 0
    enemies=Sentry 40, Bolt; hand=Spot Weakness; play Spot Weakness; has Strength == 0
    enemies=Gremlin Wizard 22, Charging; hand=Spot Weakness; play Spot Weakness; has Strength == 0
    enemies=Lagavulin 110, Siphon Soul; hand=Spot Weakness; play Spot Weakness; has Strength == 0
searing blow can be upgraded twice
    hand=2 Armaments, Searing Blow+; play Armaments; choose Searing Blow+; hand == Armaments, Searing Blow+2
headbutt puts a chosen card on top: quiet; hand=Headbutt; draw=4 Strike; discard=Bash, Defend; play Headbutt;
    choose Bash; discard == Defend, Headbutt; chances end hand == 1 Bash, 4 Strike
second wind gives block once for each card with dexterity and frail
    hand=Second Wind, Strike, Defend, 2 Wound; play Second Wind; block == 15
    hand=Second Wind, Defend, Wound; you=Dexterity 2, Frail 1; play Second Wind; block == 10
apotheosis upgrades the cards of all piles once: hand=Apotheosis, Strike+, Searing Blow; draw=2 Defend; discard=Bash;
    exhaust=Anger; play Apotheosis; hand == Searing Blow+, Strike+; draw == 2 Defend+; discard == Bash+;
    exhaust == Anger+, Apotheosis
dark shackles last until the end of the round and artifact stops them
    enemies=Cultist 50, Dark Strike; hand=Dark Shackles; play Dark Shackles; end; hp == 50; enemies == Cultist 50
    enemies=Cultist 50, Dark Strike, Artifact 1; hand=Dark Shackles; play Dark Shackles; enemies == Cultist 50; end;
        hp == 44
deep breath shuffles the discard pile in and the order is unknown then
    hand=Headbutt, Deep Breath+; draw=Strike; discard=2 Bash; relics=The Abacus; play Headbutt;
        chances Deep Breath+ hand == 1/6 2 Bash or 1/3 Bash, Headbutt or 1/3 Bash, Strike or 1/6 Headbutt, Strike;
        block == 0; play Deep Breath+; block == 6
    hand=Headbutt, Deep Breath; discard=Bash; play Headbutt; chances Deep Breath hand == 1/2 Bash or 1/2 Headbutt
    hand=Deep Breath; draw=Strike; relics=The Abacus; play Deep Breath; block == 0; hand == Strike
impatience needs a hand without attacks
    hand=Impatience, Defend; draw=3 Strike; play Impatience; hand == Defend, 2 Strike
    hand=Impatience, Anger; draw=3 Strike; play Impatience; hand == Anger
mind blast counts the draw pile: hand=Mind Blast; draw=7 Defend, Strike; discard=Bash; you=Strength 2;
    play Mind Blast; enemies == Cultist 40
panic button gives block before it stops block of cards for two turns
    quiet; hand=Panic Button, Defend; you=Metallicize 3, Barricade 1; draw=5 Defend; play Panic Button, Defend;
        block == 30; end; block == 33; play Defend; block == 33; end; play Defend; block == 41
purity exhausts up to three or five cards
    hand=Purity, 2 Strike, 2 Defend; play Purity; moves == end, choose Strike, choose Defend;
        choose Strike, Strike, Defend; exhaust == Defend, Purity, 2 Strike; hand == Defend
    hand=Purity, Strike; play Purity; end; hand == Strike; exhaust == Purity; enemies == Cultist 50
    hand=Purity+, 4 Strike; play Purity+; choose Strike, Strike, Strike, Strike; hand ==; exhaust == Purity+, 4 Strike
secret weapon and technique take a card of the draw pile
    hand=Secret Weapon; draw=Strike, Bash, Defend; play Secret Weapon; moves == choose Bash, choose Strike;
        choose Bash; hand == Bash; draw == Defend, Strike
    hand=Secret Weapon; draw=Defend; cannot play Secret Weapon
    hand=Secret Technique; draw=Defend, Strike; play Secret Technique; hand == Defend; exhaust == Secret Technique
    hand=Secret Technique; draw=Strike; discard=Defend; cannot play Secret Technique
a known card can be taken from the draw pile
    # One of the two copies is the known next card.
    hand=Headbutt, Secret Weapon; discard=Strike; draw=Strike, Defend; play Headbutt;
        chances Secret Weapon n_top == 1/2 0 or 1/2 1
    hand=Headbutt, Secret Technique, Finesse; discard=Strike; draw=2 Defend; play Headbutt, Secret Technique;
        chances Finesse hand == 1 Defend, Strike
a buried card may come next if the next card is taken
    # Of two cards above the Wound one is taken: the Wound is the next card or behind the other with equal probability.
    hand=Wild Strike, Secret Technique, Finesse; draw=2 Defend; play Wild Strike;
        chances Secret Technique n_buried == 1/2 0 or 1/2 1
violence takes random attacks into the hand and others into the discard pile
    hand=Violence; draw=2 Strike, Bash, Anger, Defend; chances Violence hand == 1/2 Anger, Bash, Strike or
        1/4 Anger, 2 Strike or 1/4 Bash, 2 Strike
    hand=Violence, 9 Defend; draw=2 Strike; play Violence; hand == 9 Defend, Strike; discard == Strike
thinking ahead draws before a card goes back: hand=Thinking Ahead; draw=2 Strike; play Thinking Ahead; hand == Strike;
    draw == Strike
hand of greed and swift strike are attacks and swift strike is a strike
    hand=Swift Strike, Perfected Strike; play Perfected Strike; enemies == Cultist 40
necronomicurse comes back whenever it is exhausted
    hand=Second Wind, Necronomicurse; play Second Wind; hand == Necronomicurse; exhaust == Necronomicurse
enlightenment lowers costs above 1 for a turn or the fight
    quiet; hand=Enlightenment, Bash, Anger; draw=5 Defend; play Enlightenment;
        hand == Anger, Bash (costs 1 this turn); end; discard == Anger, Bash, Enlightenment
    hand=Enlightenment+, 2 Bash, Mayhem+; play Enlightenment+; hand == 2 Bash (costs 1), Mayhem+
madness frees a random card that costs something
    hand=Madness, Bash, Strike, Anger; chances Madness hand == 1/2 Anger, Bash (costs 0), Strike or
        1/2 Anger, Bash, Strike (costs 0)
    # A card that is free only in this turn is chosen if there is no other.
    hand=Madness, Bash (costs 0 this turn), Anger; play Madness; hand == Anger, Bash (costs 0)
forethought puts a card at the bottom and it is free until it is played
    hand=Forethought, Bash, Battle Trance; draw=2 Strike; play Forethought; choose Bash;
        chances Battle Trance hand == 1 Bash (free once), 2 Strike; play Battle Trance, Bash (free once);
        energy == 3; discard == Bash, Battle Trance, Forethought
    hand=Forethought, Anger, Finesse; draw=Strike; play Forethought; choose Anger; play Finesse; hand == Strike;
        draw == Anger
forethought plus puts any number of cards there in any order
    hand=Forethought+, Bash, Strike, Finesse, Defend; draw=Wound; play Forethought+; choose Strike, Bash; end;
        draw == Bash (free once), Strike (free once), Wound; play Finesse; hand == Defend, Wound; energy == 3
    hand=Forethought+, Bash, Strike, Flash of Steel, Finesse; draw=Wound; play Forethought+; choose Strike, Bash; end;
        play Flash of Steel, Finesse; hand == Strike (free once), Wound
what is known of the bottom is kept and forgotten
    hand=Forethought, Strike, Finesse, Deep Breath; draw=Wound; play Forethought; choose Strike;
        chances Finesse hand == 1 Deep Breath, Wound;
        chances Deep Breath hand == 1/3 Finesse, Forethought or 1/3 Finesse, Strike (free once) or 1/3 Finesse, Wound
    hand=Forethought, Strike, Secret Weapon; draw=Strike, Wound; play Forethought; choose Strike; play Secret Weapon;
        choose Strike (free once); n_bottom == 0; draw == Strike, Wound
    # Of three cards the Wound is second, or below the Strike at the bottom.
    hand=Forethought, Strike, Wild Strike; draw=Defend; play Forethought; choose Strike;
        chances Wild Strike n_bottom == 1 2
rampage and copies of a free card
    hand=Forethought, Rampage, Shrug It Off; you=Double Tap 1; play Forethought; choose Rampage; play Shrug It Off;
        play Rampage (free once); enemies == Cultist 29; energy == 2; discard == Forethought, Rampage (18), Shrug It Off
magnetism gives colourless cards before the draw: quiet; hand=Magnetism, Magnetism+; draw=9 Defend; you=energy 5;
    play Magnetism, Magnetism+; end; n_cards == [7 4 0 0]
transmutation makes a card for each energy: hand=Transmutation+; relics=Chemical X; you=energy 2; play Transmutation+;
    n_cards == [4 0 0 1]; energy == 0
metamorphosis and chrysalis shuffle free cards into the draw pile
    hand=Metamorphosis, Chrysalis+; you=energy 4; play Metamorphosis, Chrysalis+; n_cards == [0 8 0 2]
a card shuffled in has every place but the top
    # Three places of equal probability below the top; two of them are among the next three cards.
    hand=Wild Strike, Battle Trance; draw=3 Strike; play Wild Strike;
        chances Battle Trance hand == 2/3 2 Strike, Wound or 1/3 3 Strike
"""

test_scenario = scenario_test(SCENARIOS)


@pytest.mark.parametrize(
    ("name", "n", "also"), [("Jack of All Trades", 1, "Madness"), ("Jack of All Trades+", 2, "Panache")]
)
def test_jack_of_all_trades_makes_random_colourless_cards(name, n, also):
    found = Table(hand=name).chances(name, lambda after: after.hand)

    assert len(found) == (34 if n == 1 else 34 * 35 // 2)
    assert found["Madness" if n == 1 else "2 Madness"] == Fraction(1, 34**n)
    assert not any("Bandage Up" in hand or "+" in hand for hand in found)  # no card that heals, no upgraded card


def test_discovery_offers_a_card_of_the_class_at_no_cost_and_cannot_be_skipped():
    table = Table(hand="Discovery").play("Discovery")

    assert len(table.moves) == 3
    assert all(move.startswith("choose ") for move in table.moves)
    table.choose(table.moves[0].removeprefix("choose "))
    assert table.hand in table.rules._kinds_by_name
    assert table.rules.kinds[table.rules.kind(table.hand)].cost == 0
    assert table.exhaust == "Discovery"


@pytest.mark.parametrize(
    ("pools", "setup"),
    [
        (POOLS, {"deck": STARTER_DECK | {"Jack of All Trades": 1}}),
        (POOLS, {"deck": STARTER_DECK | {"Transmutation": 1}}),
        (POOLS, {"deck": STARTER_DECK | {"Magnetism": 1}}),
        (POOLS, {"potions": ("Colorless Potion",)}),
        (("class",), {"potions": ("Attack Potion", "Skill Potion", "Power Potion")}),
    ],
)
def test_every_card_of_a_pool_can_occur_even_if_upgrades_and_costs_have_no_place(pools, setup):
    rules = FightRules(Setup(**setup))

    assert {card.name for card in rules.kinds} >= {card.name for pool in pools for card in POOLS[pool]}
    assert rules.n_left_out


def test_infernal_blade_makes_a_random_attack_that_costs_0_this_turn():
    found = Table(hand="Infernal Blade").chances("Infernal Blade", lambda after: (after.hand, after.exhaust))

    assert set(found.values()) == {Fraction(1, 28)}
    assert {hand for hand, _ in found} >= {"Anger", "Bludgeon (costs 0 this turn)", "Whirlwind"}
    assert {exhaust for _, exhaust in found} == {"Infernal Blade"}
