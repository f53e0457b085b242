"""Special rules of enemies: split, shift, divide, wake, steal and escape; burning elites."""

from fractions import Fraction

import pytest

from evodom.distribution import certain
from evodom.errors import UsageError
from evodom.spire.engine.compiler import FightRules, Setup
from tests.spire.engine.helpers import Table, scenario_test, started

pytestmark = pytest.mark.uncompiled

SCENARIOS = """
damage may go on after the intent has changed: enemies=Slime Boss 72/140, Slam; hand=3 Strike;
    play Strike, Strike, Strike; end; enemies == Spike Slime (L) 54 | Acid Slime (L) 54
a large slime makes two of its kind that move next turn
    enemies=Acid Slime (L) 30/60, Split, Strength 3, Weak 1, block 9; you=hp 70; end;
        enemies == Acid Slime (M) 30 | Acid Slime (M) 30; hp == 70
combust that kills it after the intent has changed leaves no children
    enemies=Slime Boss 5/140, Split; you=Combust 5, Combust cost 1; end; over == won
a split that thorns bring about stays
    enemies=Acid Slime (L) 32/60, Tackle; you=Thorns 3; end; intents == Split; enemies == Acid Slime (L) 29
the guardian shifts when it has lost enough and the surplus is lost: enemies=The Guardian 240, Fierce Bash;
    hand=Bludgeon; ascension=0; play Bludgeon; enemies == The Guardian 208, block 20; intents == Defensive Mode; end;
    enemies == The Guardian 208, Sharp Hide 3; intents == Roll Attack
the block of the shift comes behind the card: enemies=The Guardian 240, Mode Shift 5, Fierce Bash; hand=Twin Strike;
    ascension=0; play Twin Strike; enemies == The Guardian 230, block 20
the guardian queues its change of mode and that its block
    ascension=0; enemies=The Guardian 200, Mode Shift 4, Fierce Bash; you=Combust 5, Combust cost 1; end;
        enemies == The Guardian 195, block 20, Sharp Hide 3; intents == Roll Attack; hp == 49
    ascension=0; enemies=The Guardian 200, Mode Shift 4, Fierce Bash; you=Fire Breathing 6; hand=Pommel Strike;
        draw=Wound; play Pommel Strike; enemies == The Guardian 185, block 20; intents == Defensive Mode
    ascension=0; enemies=The Guardian 200, Mode Shift 4, Fierce Bash; you=Rage 3, Juggernaut 5; hand=Strike;
        play Strike; enemies == The Guardian 189, block 20
a card that asks in between comes before the change of mode: enemies=The Guardian 200, Mode Shift 4, Fierce Bash;
    hand=Headbutt; discard=Strike, Defend; play Headbutt; enemies == The Guardian 191; intents == Fierce Bash;
    choose Strike; enemies == The Guardian 191, block 20; intents == Defensive Mode
feed that shifts and a shift that is not survived
    enemies=The Guardian 10, Mode Shift 4, Fierce Bash; hand=Feed; play Feed; over == won; max_hp == 83
    enemies=The Guardian 10, Mode Shift 4, Fierce Bash; you=Juggernaut 5, Rage 3; hand=Strike; play Strike; over == won
blocked damage does not count for the shift: enemies=The Guardian 240, Mode Shift 5, block 9; hand=Strike; ascension=0;
    play Strike; enemies == The Guardian 240, block 3, Mode Shift 5
a shift that flame barrier brings about stays
    # the block comes behind all hits of the move
    enemies=The Guardian 240, Mode Shift 4, Whirlwind; you=Flame Barrier 4; end; intents == Defensive Mode;
        enemies == The Guardian 224, block 20
divider counts strength and vulnerable
    enemies=Hexaghost 250, Divider, Divider 4, Strength 2; you=Vulnerable 2; end; over == lost
    enemies=Hexaghost 250, Divider, Divider 3, Strength 1; you=Vulnerable 2; end; hp == 14
lagavulin wakes from any loss of hp and is stunned
    enemies=Lagavulin 110, Sleep, block 8; hand=2 Strike; ascension=0; play Strike;
        enemies == Lagavulin 110, block 2, Metallicize 8, Asleep 1; intents == Sleep; play Strike;
        enemies == Lagavulin 106; intents == Stunned; end; hp == 50; intents == Attack
    enemies=Lagavulin 110, Sleep; potions=Fire Potion; drink Fire Potion; intents == Stunned
lagavulin keeps the metallicize of a burning elite
    enemies=Lagavulin 110, Metallicize 12; hand=Strike; play Strike; enemies == Lagavulin 104, Metallicize 4
    enemies=Lagavulin 110, Wake, Metallicize 12; end; enemies == Lagavulin 110, block 4, Metallicize 4
metallicize of a woken enemy is not negative
    enemies=Lagavulin 60, Sleep, Asleep 1, Metallicize 3; hand=Strike; play Strike; enemies == Lagavulin 54
siphon soul is two debuffs: enemies=Lagavulin (awake) 110, Siphon Soul; you=Artifact 1; end; you == hp 50, Strength -2
the looter leaves and the fight is won
    enemies=Looter 40, Escape; end; over == won
    enemies=Looter 40, Escape | Cultist 50, Incantation; end; enemies == Cultist 50, Ritual 5
an escape is no death
    enemies=Looter 40, Escape | Cultist 50; relics=Gremlin Horn; draw=9 Strike; end; energy == 3; hand == 5 Strike
the shield gremlin alone protects itself and bashes from then on: enemies=Shield Gremlin 15; end;
    enemies == Shield Gremlin 15, block 11; intents == Shield Bash; end; intents == Shield Bash
the slime boss splits at half of its hp
    enemies=Slime Boss 76/140, Slam; hand=Strike; play Strike; intents == Split; end; hp == 50;
        enemies == Spike Slime (L) 70 | Acid Slime (L) 70
    enemies=Slime Boss 77/140, Slam; hand=Strike; play Strike; intents == Slam
every slime of the boss has a place: enemies=Spike Slime (L) 20/40, Split | Acid Slime (L) 20/40, Split; end;
    enemies == Spike Slime (M) 20 | Spike Slime (M) 20 | Acid Slime (M) 20 | Acid Slime (M) 20
the guardian loses its block when it attacks again
    enemies=The Guardian 240, Mode Shift 0, Sharp Hide 3, Twin Slam, block 9; end;
        enemies == The Guardian 240, Mode Shift 50, Shifts 1; intents == Whirlwind; hp == 34
divider is fixed when hexaghost activates
    enemies=Hexaghost 250, Activate; you=hp 80; end; enemies == Hexaghost 250, Divider 7
    enemies=Hexaghost 250, Activate; you=hp 72; end; enemies == Hexaghost 250, Divider 7
    enemies=Hexaghost 250, Activate; you=hp 71; potions=Blood Potion; end; enemies == Hexaghost 250, Divider 6;
        drink Blood Potion; hp == 80; end; hp == 44
    enemies=Hexaghost 250, Activate; you=hp 1; end; enemies == Hexaghost 250, Divider 1
inferno upgrades every burn and adds three: enemies=Hexaghost 250, Inferno; hand=Defend; draw=5 Strike, Burn;
    discard=2 Burn; also=Burn; you=Barricade 1; end; hp == 32; discard == 5 Burn+, Defend
lagavulin sleeps three turns and has no block on the fourth: enemies=Lagavulin; enemy_hp=110; deck=9 Defend; hp=75;
    starts; enemies == Lagavulin 110, block 8, Metallicize 8, Asleep 1; end 2;
    enemies == Lagavulin 110, block 8, Metallicize 8, Asleep 1; end; enemies == Lagavulin 110; intents == Attack
the shield gremlin protects a random other enemy
    enemies=Shield Gremlin 15 | Cultist 50, Incantation | Cultist 40, Incantation;
        chances end enemies == 1/2 Shield Gremlin 15 | Cultist 50, block 11, Ritual 5 | Cultist 40, Ritual 5 or
        1/2 Shield Gremlin 15 | Cultist 50, Ritual 5 | Cultist 40, block 11, Ritual 5
a burning elite has the bonus of its mark
    enemies=Gremlin Nob; enemy_hp=85; starts; enemies == Gremlin Nob 85
    enemies=Gremlin Nob; enemy_hp=85; burning=Strength; starts; enemies == Gremlin Nob 85, Strength 2
    enemies=Gremlin Nob; enemy_hp=85; burning=HP; starts; enemies == Gremlin Nob 106
    enemies=Gremlin Nob; enemy_hp=85; burning=Metallicize; starts; enemies == Gremlin Nob 85, Metallicize 4
    enemies=Gremlin Nob; enemy_hp=85; burning=Regenerate; starts; enemies == Gremlin Nob 85, Regenerate 3
every sentry has the bonus of a burning elite
    enemies=Sentry | Middle Sentry | Sentry; enemy_hp=40, 40, 40; burning=Strength; starts;
        enemies == Sentry 40, Strength 2, Artifact 1 | Middle Sentry 40, Strength 2, Artifact 1 |
        Sentry 40, Strength 2, Artifact 1
regenerate heals every round and metallicize blocks: enemies=Gremlin Nob 80/85, Bellow, Regenerate 3, Metallicize 4;
    you=block 50, Barricade 1; end; enemies == Gremlin Nob 83, block 4, Metallicize 4, Enrage 3, Regenerate 3; end;
    enemies == Gremlin Nob 85, block 4, Metallicize 4, Enrage 3, Regenerate 3
"""

test_scenario = scenario_test(SCENARIOS)


def test_children_of_a_split_leave_places_for_their_own_split():
    assert list(Table("Slime Boss 70/140, Split").end().now.max_hp[1:]) == [70, 0, 70, 0, 0]


def test_children_choose_by_their_own_rules():
    chances = Table("Acid Slime (L) 30/60, Split").chances("end", lambda after: after.intents.split(", ")[0])

    assert chances == {"Corrosive Spit": Fraction(2, 5), "Tackle": Fraction(2, 5), "Lick": Fraction(1, 5)}


def test_every_mode_shift_needs_ten_more():
    for ascension, first in ((0, 40), (9, 45), (19, 50)):
        for n in (0, 1):
            after = Table(f"The Guardian 240, Mode Shift 0, Shifts {n}, Twin Slam", ascension=ascension).end()
            assert after.enemies == f"The Guardian 240, Mode Shift {first + 10 * n}, Shifts {n + 1}"


def test_hp_of_a_burning_elite_are_rounded_to_the_nearest():
    raised = [("HP", hp, burning) for hp, burning in ((82, 103), (83, 104), (84, 105), (86, 108), (110, 138))]
    others = [(mark, 85, 85) for mark in ("", "Strength", "Metallicize", "Regenerate")]
    for mark, hp, burning in raised + others:
        now = started(("Gremlin Nob",), enemy_hp=(hp,), burning=mark).now
        assert now.hp[1] == now.max_hp[1] == burning


def test_an_unknown_mark_is_refused():
    with pytest.raises(UsageError, match="allowed: Strength, HP, Metallicize, Regenerate"):
        FightRules(Setup(enemies=certain(("Gremlin Nob",)), burning="Fire"))
