"""Every enemy: its HP, the effects of its moves, and the ascensions at which they change."""

import pytest

from evodom.spire.content.enemies import ENEMIES, enemy_kind, enemy_row
from tests.spire.engine.helpers import Table, scenario_test

SCENARIOS = """
an enemys attack counts its strength weak and vulnerable rounded once
    # floor(7 x 0.75 x 1.5) = 7
    enemies=Cultist 50, Dark Strike, Strength 1, Weak 1; you=Vulnerable 1; end; hp == 43
ritual gives strength at the end of every round but its first: enemies=Cultist 50, Incantation; you=hp 70; end;
    enemies == Cultist 50, Ritual 5; end; enemies == Cultist 50, Strength 5, Ritual 5
enemies move from left to right: enemies=Red Slaver 48, Scrape | Cultist 50, Dark Strike; ascension=0; end; hp == 33
all enemies lose their block before the first of them moves
    enemies=Shield Gremlin 15, Protect | Cultist 50, Dark Strike, block 9; end;
        enemies == Shield Gremlin 15 | Cultist 50, block 11
"""

test_scenario = scenario_test(SCENARIOS)


# name | HP / raised HP | kind
HP = """
Cultist | 48-54 / 50-56 | normal
Jaw Worm | 40-44 / 42-46 | normal
Red Louse | 10-15 / 11-16 | normal
Green Louse | 11-17 / 12-18 | normal
Acid Slime (S) | 8-12 / 9-13 | normal
Acid Slime (M) | 28-32 / 29-34 | normal
Acid Slime (L) | 65-69 / 68-72 | normal
Spike Slime (S) | 10-14 / 11-15 | normal
Spike Slime (M) | 28-32 / 29-34 | normal
Spike Slime (L) | 64-70 / 67-73 | normal
Fungi Beast | 22-28 / 24-28 | normal
Blue Slaver | 46-50 / 48-52 | normal
Red Slaver | 46-50 / 48-52 | normal
Looter | 44-48 / 46-50 | normal
Mad Gremlin | 20-24 / 21-25 | normal
Sneaky Gremlin | 10-14 / 11-15 | normal
Fat Gremlin | 13-17 / 14-18 | normal
Shield Gremlin | 12-15 / 13-17 | normal
Gremlin Wizard | 21-25 / 22-26 | normal
Gremlin Nob | 82-86 / 85-90 | elite
Lagavulin | 109-111 / 112-115 | elite
Lagavulin (awake) | 109-111 / 112-115 | elite
Sentry | 38-42 / 39-45 | elite
Middle Sentry | 38-42 / 39-45 | elite
Slime Boss | 140-140 / 150-150 | boss
The Guardian | 240-240 / 250-250 | boss
Hexaghost | 250-250 / 264-264 | boss
"""

STEPS = {"normal": (7, 2, 17), "elite": (8, 3, 18), "boss": (9, 4, 19)}

# enemy, move | effects at ascension 0 | at 20
MOVES = """
Cultist, Incantation | Ritual 3 | Ritual 5
Cultist, Dark Strike | hp -6 | hp -6
Jaw Worm, Chomp | hp -11 | hp -12
Jaw Worm, Thrash | hp -7, block 5 | hp -7, block 5
Jaw Worm, Bellow | block 6, Strength 3 | block 9, Strength 5
Red Louse, Bite, Bite 6 | hp -6 | hp -6
Red Louse, Grow | Strength 3 | Strength 4
Green Louse, Spit Web | you Weak 2 | you Weak 2
Acid Slime (S), Tackle | hp -3 | hp -4
Acid Slime (S), Lick | you Weak 1 | you Weak 1
Acid Slime (M), Corrosive Spit | hp -7, discard Slimed | hp -8, discard Slimed
Acid Slime (M), Tackle | hp -10 | hp -12
Acid Slime (M), Lick | you Weak 1 | you Weak 1
Acid Slime (L), Corrosive Spit | hp -11, discard 2 Slimed | hp -12, discard 2 Slimed
Acid Slime (L), Tackle | hp -16 | hp -18
Acid Slime (L), Lick | you Weak 2 | you Weak 2
Spike Slime (S), Tackle | hp -5 | hp -6
Spike Slime (M), Flame Tackle | hp -8, discard Slimed | hp -10, discard Slimed
Spike Slime (M), Lick | you Frail 1 | you Frail 1
Spike Slime (L), Flame Tackle | hp -16, discard 2 Slimed | hp -18, discard 2 Slimed
Spike Slime (L), Lick | you Frail 2 | you Frail 3
Fungi Beast, Bite | hp -6 | hp -6
Fungi Beast, Grow | Strength 3 | Strength 5
Blue Slaver, Stab | hp -12 | hp -13
Blue Slaver, Rake | hp -7, you Weak 1 | hp -8, you Weak 2
Red Slaver, Stab | hp -13 | hp -14
Red Slaver, Scrape | hp -8, you Vulnerable 1 | hp -9, you Vulnerable 2
Red Slaver, Entangle | you Entangled 1 | you Entangled 1
Looter, Mug | hp -10, Stolen 15 | hp -11, Stolen 20
Looter, Lunge | hp -12, Stolen 15 | hp -14, Stolen 20
Looter, Smoke Bomb | block 6 | block 6
Mad Gremlin, Scratch | hp -4 | hp -5
Sneaky Gremlin, Puncture | hp -9 | hp -10
Fat Gremlin, Smash | hp -4, you Weak 1 | hp -5, you Frail 1, you Weak 1
Shield Gremlin, Protect | block 7 | block 11
Shield Gremlin, Shield Bash | hp -6 | hp -8
Gremlin Wizard, Charging | - | -
Gremlin Wizard, Ultimate Blast | hp -25 | hp -30
Gremlin Nob, Bellow | Enrage 2 | Enrage 3
Gremlin Nob, Rush | hp -14 | hp -16
Gremlin Nob, Skull Bash | hp -6, you Vulnerable 2 | hp -8, you Vulnerable 2
Lagavulin (awake), Attack | hp -18 | hp -20
Lagavulin (awake), Siphon Soul | you Dexterity -1, you Strength -1 | you Dexterity -2, you Strength -2
Sentry, Bolt | discard 2 Dazed | discard 3 Dazed
Sentry, Beam | hp -9 | hp -10
Slime Boss, Goop Spray | discard 3 Slimed | discard 5 Slimed
Slime Boss, Preparing | - | -
Slime Boss, Slam | hp -35 | hp -38
The Guardian, Charging Up | block 9 | block 9
The Guardian, Fierce Bash | hp -32 | hp -36
The Guardian, Vent Steam | you Vulnerable 2, you Weak 2 | you Vulnerable 2, you Weak 2
The Guardian, Whirlwind | hp -20 | hp -20
The Guardian, Defensive Mode | Sharp Hide 3 | Sharp Hide 4
The Guardian, Roll Attack | hp -9 | hp -10
Hexaghost, Activate | Divider 6 | Divider 6
Hexaghost, Divider, Divider 3 | hp -18 | hp -18
Hexaghost, Sear | hp -6, discard Burn | hp -6, discard 2 Burn
Hexaghost, Sear+ | hp -6, discard Burn+ | hp -6, discard 2 Burn+
Hexaghost, Tackle | hp -10 | hp -12
Hexaghost, Inflame | block 12, Strength 2 | block 12, Strength 3
Hexaghost, Inferno | hp -12, discard 3 Burn+ | hp -18, discard 3 Burn+
"""

# move | ascension just below a step, and at it | before | after
MARKS = """
Cultist, Incantation | 1 2 | Ritual 3 | Ritual 4
Cultist, Incantation | 16 17 | Ritual 4 | Ritual 5
Jaw Worm, Bellow | 1 2 | block 6, Strength 3 | block 6, Strength 4
Jaw Worm, Bellow | 16 17 | block 6, Strength 4 | block 9, Strength 5
Fungi Beast, Grow | 1 2 | Strength 3 | Strength 4
Shield Gremlin, Protect | 6 7 | block 7 | block 8
Shield Gremlin, Protect | 16 17 | block 8 | block 11
Red Louse, Grow | 16 17 | Strength 3 | Strength 4
Looter, Mug | 16 17 | hp -11, Stolen 15 | hp -11, Stolen 20
Gremlin Nob, Rush | 2 3 | hp -14 | hp -16
Gremlin Nob, Bellow | 17 18 | Enrage 2 | Enrage 3
Sentry, Bolt | 17 18 | discard 2 Dazed | discard 3 Dazed
Lagavulin (awake), Siphon Soul | 17 18 | you Dexterity -1, you Strength -1 | you Dexterity -2, you Strength -2
Slime Boss, Slam | 3 4 | hp -35 | hp -38
Slime Boss, Goop Spray | 18 19 | discard 3 Slimed | discard 5 Slimed
Hexaghost, Sear | 18 19 | hp -6, discard Burn | hp -6, discard 2 Burn
The Guardian, Fierce Bash | 3 4 | hp -32 | hp -36
"""

STARTS_WITH = {
    "Fungi Beast": {"Spore Cloud": 2},
    "Lagavulin": {"Asleep": 1, "Metallicize": 8},
    "Sentry": {"Artifact": 1},
    "Middle Sentry": {"Artifact": 1},
    "Acid Slime (L)": {"Splits": 1},
    "Spike Slime (L)": {"Splits": 1},
    "Slime Boss": {"Splits": 1},
}


def rows(table):
    """Return the cells of a table, row by row."""
    return [[cell.strip() for cell in row.split(" | ")] for row in table.strip().split("\n")]


def does(enemy, ascension):
    """Return the changes when an enemy, given as "name, move", makes its move."""
    name, _, move = enemy.partition(", ")
    table = Table(f"{name} 99, {move}", draw="9 Defend", also="Strike", you="hp 70", ascension=ascension)
    before = table.enemies.split(", ")
    table.end()
    found = [f"hp {table.hp - 70}"] * (table.hp < 70)
    found += [part for part in table.enemies.split(", ") if part not in before]
    found += [f"you {status} {n}" for status, n in table.has.items() if n]
    return sorted(found + [f"discard {part}" for part in table.discard.split(", ") if part])


@pytest.mark.parametrize(("name", "hp", "kind"), rows(HP))
def test_hp_rise_at_the_ascension_of_their_kind(name, hp, kind):
    plain, raised = (tuple(int(n) for n in part.split("-")) for part in hp.split(" / "))
    step = STEPS[kind][0]

    assert enemy_kind(name) == kind
    assert [enemy_row(name, ascension).hp for ascension in (0, step - 1, step, 20)] == [plain, plain, raised, raised]


def test_every_enemy_and_every_move_is_in_the_tables():
    moves = {tuple(cells[0].split(", ")[:2]) for cells in rows(MOVES)}
    known = {(name, move) for name in ENEMIES for move in enemy_row(name, 20).moves}
    alike = {(name, move) for name, move in known if name in ("Lagavulin", "Middle Sentry")}

    assert {cells[0] for cells in rows(HP)} == set(ENEMIES)
    special = {"Split", "Escape", "Stunned", "Twin Slam", "Sleep", "Wake"}  # which have tests of their own
    assert {(name, move) for name, move in known - moves - alike if move not in special} == {("Green Louse", "Bite")}


@pytest.mark.parametrize(("enemy", "plain", "hard"), rows(MOVES))
def test_moves_have_the_effects_of_the_table(enemy, plain, hard):
    assert does(enemy, 0) == sorted(part for part in plain.split(", ") if part != "-")
    assert does(enemy, 20) == sorted(part for part in hard.split(", ") if part != "-")


@pytest.mark.parametrize(("enemy", "ascensions", "before", "after"), rows(MARKS))
def test_numbers_rise_exactly_at_their_ascension(enemy, ascensions, before, after):
    low, high = (int(n) for n in ascensions.split())

    assert [does(enemy, at) for at in (low, high)] == [sorted(text.split(", ")) for text in (before, after)]


def test_statuses_and_block_at_the_start():
    special = {"Mad Gremlin": {"Angry": 1}, "The Guardian": {"Mode Shift": 30}}
    for name in ENEMIES:
        row = enemy_row(name, 0)
        assert dict(row.statuses) == STARTS_WITH.get(name, special.get(name, {}))
        assert row.block == (8 if name == "Lagavulin" else 0)
    for ascension, angry, shift in ((0, 1, 30), (9, 1, 35), (16, 1, 35), (17, 2, 35), (19, 2, 40)):
        assert enemy_row("Mad Gremlin", ascension).statuses["Angry"] == angry
        assert enemy_row("The Guardian", ascension).statuses["Mode Shift"] == shift


def test_a_louse_rolls_its_bite_and_curl_up():
    bounds = ((0, (5, 7), (3, 7)), (2, (6, 8), (3, 7)), (7, (6, 8), (4, 8)), (17, (6, 8), (9, 12)))
    for ascension, bite, curl in bounds:
        for name in ("Red Louse", "Green Louse"):
            assert dict(enemy_row(name, ascension).random_statuses) == {"Bite": bite, "Curl Up": curl}
