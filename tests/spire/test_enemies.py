"""The enemies of act 1 against a table typed from the game: HP, damage and behaviour at every ascension step."""

from collections import Counter
from fractions import Fraction

import pytest

from evodom.distribution import certain
from evodom.spire import effects as e
from evodom.spire.board import STUNNED
from evodom.spire.enemies import ENEMIES, enemy_row

HP = {  # below the step, and from it on: 7 for normal enemies, 8 for elites
    "Cultist": ((48, 54), (50, 56), 7),
    "Jaw Worm": ((40, 44), (42, 46), 7),
    "Red Louse": ((10, 15), (11, 16), 7),
    "Green Louse": ((11, 17), (12, 18), 7),
    "Acid Slime (S)": ((8, 12), (9, 13), 7),
    "Acid Slime (M)": ((28, 32), (29, 34), 7),
    "Spike Slime (S)": ((10, 14), (11, 15), 7),
    "Spike Slime (M)": ((28, 32), (29, 34), 7),
    "Gremlin Nob": ((82, 86), (85, 90), 8),
    "Lagavulin": ((109, 111), (112, 115), 8),
    "Sentry": ((38, 42), (39, 45), 8),
    "Middle Sentry": ((38, 42), (39, 45), 8),
}

MOVES = {  # ascension: moves, from that ascension on
    "Cultist": {
        0: {"Incantation": "Ritual 3 self", "Dark Strike": "damage 6"},
        2: {"Incantation": "Ritual 4 self", "Dark Strike": "damage 6"},
        17: {"Incantation": "Ritual 5 self", "Dark Strike": "damage 6"},
    },
    "Jaw Worm": {
        0: {"Chomp": "damage 11", "Thrash": "damage 7; block 5", "Bellow": "Strength 3 self; block 6"},
        2: {"Chomp": "damage 12", "Thrash": "damage 7; block 5", "Bellow": "Strength 4 self; block 6"},
        17: {"Chomp": "damage 12", "Thrash": "damage 7; block 5", "Bellow": "Strength 5 self; block 9"},
    },
    "Red Louse": {
        0: {"Bite": "bite", "Grow": "Strength 3 self"},
        17: {"Bite": "bite", "Grow": "Strength 4 self"},
    },
    "Green Louse": {0: {"Bite": "bite", "Spit Web": "Weak 2"}},
    "Acid Slime (S)": {
        0: {"Tackle": "damage 3", "Lick": "Weak 1"},
        2: {"Tackle": "damage 4", "Lick": "Weak 1"},
    },
    "Acid Slime (M)": {
        0: {"Corrosive Spit": "damage 7; 1 Slimed to discard pile", "Tackle": "damage 10", "Lick": "Weak 1"},
        2: {"Corrosive Spit": "damage 8; 1 Slimed to discard pile", "Tackle": "damage 12", "Lick": "Weak 1"},
    },
    "Spike Slime (S)": {0: {"Tackle": "damage 5"}, 2: {"Tackle": "damage 6"}},
    "Spike Slime (M)": {
        0: {"Flame Tackle": "damage 8; 1 Slimed to discard pile", "Lick": "Frail 1"},
        2: {"Flame Tackle": "damage 10; 1 Slimed to discard pile", "Lick": "Frail 1"},
    },
    "Gremlin Nob": {
        0: {"Bellow": "Enrage 2 self", "Rush": "damage 14", "Skull Bash": "damage 6; Vulnerable 2"},
        3: {"Bellow": "Enrage 2 self", "Rush": "damage 16", "Skull Bash": "damage 8; Vulnerable 2"},
        18: {"Bellow": "Enrage 3 self", "Rush": "damage 16", "Skull Bash": "damage 8; Vulnerable 2"},
    },
    "Lagavulin": {
        0: {"Attack": "damage 18", "Siphon Soul": "Strength -1; Dexterity -1"},
        3: {"Attack": "damage 20", "Siphon Soul": "Strength -1; Dexterity -1"},
        18: {"Attack": "damage 20", "Siphon Soul": "Strength -2; Dexterity -2"},
    },
    "Sentry": {
        0: {"Beam": "damage 9", "Bolt": "2 Dazed to discard pile"},
        3: {"Beam": "damage 10", "Bolt": "2 Dazed to discard pile"},
        18: {"Beam": "damage 10", "Bolt": "3 Dazed to discard pile"},
    },
}
MOVES["Middle Sentry"] = MOVES["Sentry"]

STATUSES = {"Lagavulin": {"Asleep": 1, "Metallicize": 8}, "Sentry": {"Artifact": 1}, "Middle Sentry": {"Artifact": 1}}

LOUSE_CURL_UP = {0: (3, 7), 6: (3, 7), 7: (4, 8), 16: (4, 8), 17: (9, 12), 20: (9, 12)}

PATTERNS = {  # (enemy, ascension, last moves): the chances of the next move, in percent
    ("Cultist", 20, ""): {"Incantation": 100},
    ("Cultist", 20, "Incantation"): {"Dark Strike": 100},
    ("Cultist", 20, "Incantation, Dark Strike"): {"Dark Strike": 100},
    ("Jaw Worm", 0, ""): {"Chomp": 100},
    ("Jaw Worm", 0, "Chomp"): {"Thrash": "40.9375", "Bellow": "59.0625"},
    ("Jaw Worm", 0, "Chomp, Thrash"): {"Chomp": 25, "Thrash": 30, "Bellow": 45},
    ("Jaw Worm", 0, "Chomp, Thrash, Thrash"): {"Chomp": "35.71", "Bellow": "64.29"},
    ("Jaw Worm", 0, "Chomp, Bellow"): {"Chomp": "43.72", "Thrash": "56.28"},
    ("Red Louse", 0, ""): {"Grow": 25, "Bite": 75},
    ("Red Louse", 0, "Grow"): {"Grow": 25, "Bite": 75},
    ("Red Louse", 0, "Grow, Grow"): {"Bite": 100},
    ("Red Louse", 0, "Bite, Bite"): {"Grow": 100},
    ("Red Louse", 16, "Grow, Bite, Grow"): {"Grow": 25, "Bite": 75},
    ("Red Louse", 17, "Grow"): {"Bite": 100},
    ("Red Louse", 17, "Bite"): {"Grow": 25, "Bite": 75},
    ("Red Louse", 17, "Bite, Bite"): {"Grow": 100},
    ("Green Louse", 0, "Spit Web"): {"Spit Web": 25, "Bite": 75},
    ("Green Louse", 17, "Spit Web"): {"Bite": 100},
    ("Acid Slime (S)", 16, ""): {"Tackle": 50, "Lick": 50},
    ("Acid Slime (S)", 17, ""): {"Lick": 100},
    ("Acid Slime (S)", 0, "Lick"): {"Tackle": 100},
    ("Acid Slime (S)", 0, "Lick, Tackle"): {"Lick": 100},
    ("Acid Slime (M)", 16, ""): {"Corrosive Spit": 30, "Tackle": 40, "Lick": 30},
    ("Acid Slime (M)", 16, "Corrosive Spit, Corrosive Spit"): {"Tackle": 55, "Lick": 45},
    ("Acid Slime (M)", 16, "Lick, Tackle"): {"Corrosive Spit": 46, "Lick": 54},
    ("Acid Slime (M)", 16, "Lick, Lick"): {"Corrosive Spit": 42, "Tackle": 58},
    ("Acid Slime (M)", 17, ""): {"Corrosive Spit": 40, "Tackle": 40, "Lick": 20},
    ("Acid Slime (M)", 17, "Corrosive Spit, Corrosive Spit"): {"Tackle": 60, "Lick": 40},
    ("Acid Slime (M)", 17, "Tackle"): {"Corrosive Spit": 40, "Tackle": 40, "Lick": 20},
    ("Acid Slime (M)", 17, "Tackle, Tackle"): {"Corrosive Spit": 60, "Lick": 40},
    ("Acid Slime (M)", 17, "Lick"): {"Corrosive Spit": 48, "Tackle": 52},
    ("Spike Slime (S)", 0, ""): {"Tackle": 100},
    ("Spike Slime (S)", 20, "Tackle, Tackle, Tackle"): {"Tackle": 100},
    ("Spike Slime (M)", 16, ""): {"Flame Tackle": 30, "Lick": 70},
    ("Spike Slime (M)", 16, "Lick"): {"Flame Tackle": 30, "Lick": 70},
    ("Spike Slime (M)", 16, "Lick, Lick"): {"Flame Tackle": 100},
    ("Spike Slime (M)", 16, "Flame Tackle, Flame Tackle"): {"Lick": 100},
    ("Spike Slime (M)", 17, "Lick"): {"Flame Tackle": 100},
    ("Gremlin Nob", 0, ""): {"Bellow": 100},
    ("Gremlin Nob", 17, "Bellow"): {"Skull Bash": 33, "Rush": 67},
    ("Gremlin Nob", 17, "Bellow, Rush, Rush"): {"Skull Bash": 100},
    ("Gremlin Nob", 17, "Bellow, Rush, Skull Bash"): {"Skull Bash": 33, "Rush": 67},
    ("Gremlin Nob", 18, "Bellow"): {"Skull Bash": 100},
    ("Gremlin Nob", 18, "Bellow, Skull Bash"): {"Rush": 100},
    ("Gremlin Nob", 18, "Bellow, Skull Bash, Rush"): {"Rush": 100},
    ("Gremlin Nob", 18, "Bellow, Skull Bash, Rush, Rush"): {"Skull Bash": 100},
    ("Sentry", 0, ""): {"Bolt": 100},
    ("Sentry", 0, "Bolt"): {"Beam": 100},
    ("Sentry", 0, "Bolt, Beam"): {"Bolt": 100},
    ("Middle Sentry", 0, ""): {"Beam": 100},
    ("Middle Sentry", 0, "Beam"): {"Bolt": 100},
}

WORDS = {
    e.Hit: lambda x: f"damage {x.amount}",
    e.BiteFor: lambda x: "bite",
    e.PlainBlock: lambda x: f"block {x.amount}",
    e.Give: lambda x: f"{x.status} {x.amount}" + (" self" if x.to == e.SELF else ""),
    e.Create: lambda x: f"{x.amount} {x.card} to {x.pile}",
}


def _following(row, moves):
    """Return the chances of the next move after these, as (move, run) pairs."""
    state = row.pattern.first()
    for move in moves:
        state = state.given(lambda found, wanted=move: found[0] == wanted).bind(
            lambda found: row.pattern.following(*found)
        )
    return state


def test_every_enemy_stands_in_the_tables():
    assert set(ENEMIES) == set(HP) == set(MOVES)


@pytest.mark.parametrize("name", HP)
def test_hp_rise_at_their_step(name):
    plain, raised, step = HP[name]

    assert [enemy_row(name, ascension).hp for ascension in (0, step - 1, step, 20)] == [plain, plain, raised, raised]


@pytest.mark.parametrize("name", MOVES)
@pytest.mark.parametrize("ascension", range(21))
def test_moves_do_what_the_table_says(name, ascension):
    expected = MOVES[name][max(step for step in MOVES[name] if step <= ascension)]

    moves = enemy_row(name, ascension).moves

    words = {move: "; ".join(WORDS[type(effect)](effect) for effect in moves[move]) for move in expected}
    assert words == expected
    assert set(moves) - set(expected) <= {"Sleep", "Wake"}


@pytest.mark.parametrize("name", ENEMIES)
def test_enemies_start_with_their_statuses(name):
    row = enemy_row(name, 20)

    assert (dict(row.statuses), row.block) == (STATUSES.get(name, {}), 8 if name == "Lagavulin" else 0)


@pytest.mark.parametrize("name", ["Red Louse", "Green Louse"])
def test_curl_up_and_bite_are_rolled_for_each_louse(name):
    assert {a: enemy_row(name, a).rolled["Curl Up"] for a in LOUSE_CURL_UP} == LOUSE_CURL_UP
    assert [enemy_row(name, a).rolled["Bite"] for a in (0, 1, 2, 20)] == [(5, 7), (5, 7), (6, 8), (6, 8)]


@pytest.mark.parametrize(("name", "ascension", "before"), PATTERNS)
def test_the_next_move_has_these_chances(name, ascension, before):
    expected = {move: Fraction(n) / 100 for move, n in PATTERNS[name, ascension, before].items()}

    chances = _following(enemy_row(name, ascension), list(filter(None, before.split(", "))))

    assert dict(chances.map(lambda found: found[0])) == expected


def test_lagavulin_sleeps_three_turns_and_then_attacks_twice_and_drains():
    pattern, place, moves = enemy_row("Lagavulin", 20).pattern, ("Sleep", 0), []
    assert pattern.first() == certain(place)

    for _ in range(9):
        moves.append(place[0])
        place = pattern.following(*place).most_likely()

    assert moves == ["Sleep", "Sleep", "Wake"] + ["Attack", "Attack", "Siphon Soul"] * 2


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_lagavulin_that_was_woken_attacks_after_its_stunned_turn(place):
    pattern = enemy_row("Lagavulin", 20).pattern

    assert pattern.following(STUNNED, place) == certain(("Attack", 3))


def test_four_moves_of_a_jaw_worm_have_chances_that_sum_to_one_and_keep_its_limits():
    row, paths = enemy_row("Jaw Worm", 20), certain(("Chomp", 1)).map(lambda found: (found,))

    for _ in range(4):
        paths = paths.bind(lambda path: row.pattern.following(*path[-1]).map(lambda found, path=path: (*path, found)))
    names = [tuple(move for move, _ in path) for path, _ in paths]

    assert sum(p for _, p in paths) == 1
    assert not any(a == b != "Thrash" for path in names for a, b in zip(path, path[1:], strict=False))
    assert not any(path[i : i + 3] == ("Thrash",) * 3 for path in names for i in range(3))
    assert Counter(len(path) for path in names) == {5: len(names)}
