"""Enemies of act 1, one row each: HP, initial statuses, moves and move pattern.

Open it to add or change an enemy. Numbers rise with the ascension, at thresholds that depend on the kind of enemy:

    kind     HP  damage  behaviour
    normal    7       2         17
    elite     8       3         18
    boss      9       4         19
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TypeVar

from evodom.spire.content import effects as e
from evodom.spire.content.effects import SpireEffect, adds, blocks, gets, hits
from evodom.spire.content.intents import Chain, MoveOption, Pattern, RedSlaver, Roll, Script, rolled

T = TypeVar("T")

NORMAL, ELITE, BOSS = "normal", "elite", "boss"
MAX_ASCENSION = 20

_STEPS = {NORMAL: (7, 2, 17), ELITE: (8, 3, 18), BOSS: (9, 4, 19)}
"""Ascensions at which HP, damage and behaviour change."""

STUNNED, SPLIT, DEFENSIVE = "Stunned", "Split", "Defensive Mode"
"""Moves that are set by events instead of the pattern."""


@dataclass(frozen=True)
class Steps:
    """Selects the numbers of a row by ascension and kind of enemy: `plain` below the threshold, `raised` from it on."""

    ascension: int
    kind: str

    def hp(self, plain: T, raised: T) -> T:
        """Select by the threshold of HP."""
        return raised if self.ascension >= _STEPS[self.kind][0] else plain

    def damage(self, plain: T, raised: T) -> T:
        """Select by the threshold of damage."""
        return raised if self.ascension >= _STEPS[self.kind][1] else plain

    def behaviour(self, plain: T, raised: T) -> T:
        """Select by the threshold of behaviour."""
        return raised if self.ascension >= _STEPS[self.kind][2] else plain


Range = tuple[int, int]
"""Minimum and maximum of a uniformly distributed integer."""

Moves = Mapping[str, tuple[SpireEffect, ...]]
"""Effects of each move, by name."""


@dataclass(frozen=True)
class EnemyRow:
    """An enemy at one ascension. `rolled` are initial statuses with random amounts."""

    hp: Range
    moves: Moves
    pattern: Pattern
    statuses: Mapping[str, int] = field(default_factory=dict)
    rolled: Mapping[str, Range] = field(default_factory=dict)
    block: int = 0
    interrupt_move: str = ""
    """Move that replaces the intent when the enemy wakes, splits or shifts to defence."""
    move_when_alone: str = ""
    """Next move whenever it chooses one as the last living enemy, "" to follow the pattern."""
    children: tuple[str, str] | tuple[()] = ()
    """Names of the two enemies after a split."""


def _cultist(at: Steps) -> EnemyRow:
    ritual = at.behaviour(at.damage(3, 4), 5)
    moves: Moves = {"Incantation": (gets("Ritual", ritual),), "Dark Strike": (hits(6),)}
    return EnemyRow(at.hp((48, 54), (50, 56)), moves, Script(("Incantation", "Dark Strike"), loop_start=1))


def _jaw_worm(at: Steps) -> EnemyRow:
    strength = at.behaviour(at.damage(3, 4), 5)
    moves: Moves = {
        "Chomp": (hits(at.damage(11, 12)),),
        "Thrash": (hits(7), blocks(5)),
        "Bellow": (gets("Strength", strength), blocks(at.behaviour(6, 9))),
    }
    options = {
        "Chomp": MoveOption(25, 1, {"Bellow": 5625, "Thrash": 4375}),
        "Thrash": MoveOption(30, 2, {"Chomp": 357, "Bellow": 643}),
        "Bellow": MoveOption(45, 1, {"Chomp": 416, "Thrash": 584}),
    }
    return EnemyRow(at.hp((40, 44), (42, 46)), moves, Roll({"Chomp": 1}, options))


def _louse(at: Steps, other: str, effect: SpireEffect, hp: Range) -> EnemyRow:
    options = {
        other: MoveOption(25, at.behaviour(2, 1), {"Bite": 1}),
        "Bite": MoveOption(75, 2, {other: 1}),
    }
    amounts = {"Curl Up": at.behaviour(at.hp((3, 7), (4, 8)), (9, 12)), "Bite": at.damage((5, 7), (6, 8))}
    moves: Moves = {other: (effect,), "Bite": (SpireEffect(e.OP_BITE),)}
    return EnemyRow(hp, moves, Roll({other: 25, "Bite": 75}, options), rolled=amounts)


def _red_louse(at: Steps) -> EnemyRow:
    return _louse(at, "Grow", gets("Strength", at.behaviour(3, 4)), at.hp((10, 15), (11, 16)))


def _green_louse(at: Steps) -> EnemyRow:
    return _louse(at, "Spit Web", gets("Weak", 2, e.TARGET), at.hp((11, 17), (12, 18)))


def _acid_slime_s(at: Steps) -> EnemyRow:
    options = {"Tackle": MoveOption(1, 1, {"Lick": 1}), "Lick": MoveOption(1, 1, {"Tackle": 1})}
    moves: Moves = {"Tackle": (hits(at.damage(3, 4)),), "Lick": (gets("Weak", 1, e.TARGET),)}
    opening = at.behaviour({"Tackle": 1, "Lick": 1}, {"Lick": 1})
    return EnemyRow(at.hp((8, 12), (9, 13)), moves, Roll(opening, options))


_ACID_EARLY = {
    "Corrosive Spit": MoveOption(30, 2, {"Tackle": 50, "Lick": 50}),
    "Tackle": MoveOption(40, 1, {"Corrosive Spit": 40, "Lick": 60}),
    "Lick": MoveOption(30, 2, {"Corrosive Spit": 40, "Tackle": 60}),
}


def _acid_slime_m(at: Steps) -> EnemyRow:
    moves: Moves = {
        "Corrosive Spit": (hits(at.damage(7, 8)), adds("Slimed", 1)),
        "Tackle": (hits(at.damage(10, 12)),),
        "Lick": (gets("Weak", 1, e.TARGET),),
    }
    late = {
        "Corrosive Spit": MoveOption(40, 2, {"Tackle": 50, "Lick": 50}),
        "Tackle": MoveOption(40, 2, {"Corrosive Spit": 50, "Lick": 50}),
        "Lick": MoveOption(20, 1, {"Corrosive Spit": 40, "Tackle": 60}),
    }
    return EnemyRow(at.hp((28, 32), (29, 34)), moves, rolled(at.behaviour(_ACID_EARLY, late)))


def _acid_slime_l(at: Steps) -> EnemyRow:
    moves: Moves = {
        "Corrosive Spit": (hits(at.damage(11, 12)), adds("Slimed", 2)),
        "Tackle": (hits(at.damage(16, 18)),),
        "Lick": (gets("Weak", 2, e.TARGET),),
        SPLIT: (SpireEffect(e.OP_SPLIT, to=e.SELF),),
    }
    late = {
        "Corrosive Spit": MoveOption(40, 2, {"Tackle": 60, "Lick": 40}),
        "Tackle": MoveOption(30, 2, {"Corrosive Spit": 60, "Lick": 40}),
        "Lick": MoveOption(30, 1, {"Corrosive Spit": 40, "Tackle": 60}),
    }
    return _splitting(at.hp((65, 69), (68, 72)), moves, rolled(at.behaviour(_ACID_EARLY, late)), "Acid Slime (M)")


def _spike_slime_s(at: Steps) -> EnemyRow:
    return EnemyRow(at.hp((10, 14), (11, 15)), {"Tackle": (hits(at.damage(5, 6)),)}, Script(("Tackle",)))


def _spike_pattern(at: Steps) -> Pattern:
    return rolled(
        {
            "Flame Tackle": MoveOption(30, 2, {"Lick": 1}),
            "Lick": MoveOption(70, at.behaviour(2, 1), {"Flame Tackle": 1}),
        }
    )


def _spike_slime_m(at: Steps) -> EnemyRow:
    moves: Moves = {
        "Flame Tackle": (hits(at.damage(8, 10)), adds("Slimed", 1)),
        "Lick": (gets("Frail", 1, e.TARGET),),
    }
    return EnemyRow(at.hp((28, 32), (29, 34)), moves, _spike_pattern(at))


def _spike_slime_l(at: Steps) -> EnemyRow:
    moves: Moves = {
        "Flame Tackle": (hits(at.damage(16, 18)), adds("Slimed", 2)),
        "Lick": (gets("Frail", at.behaviour(2, 3), e.TARGET),),
        SPLIT: (SpireEffect(e.OP_SPLIT, to=e.SELF),),
    }
    return _splitting(at.hp((64, 70), (67, 73)), moves, _spike_pattern(at), "Spike Slime (M)")


def _splitting(hp: Range, moves: Moves, pattern: Pattern, child: str) -> EnemyRow:
    return EnemyRow(hp, moves, pattern, {"Splits": 1}, interrupt_move=SPLIT, children=(child, child))


def _fungi_beast(at: Steps) -> EnemyRow:
    moves: Moves = {"Bite": (hits(6),), "Grow": (gets("Strength", at.behaviour(at.damage(3, 4), 5)),)}
    options = {"Bite": MoveOption(60, 2, {"Grow": 1}), "Grow": MoveOption(40, 1, {"Bite": 1})}
    return EnemyRow(at.hp((22, 28), (24, 28)), moves, rolled(options), {"Spore Cloud": 2})


def _blue_slaver(at: Steps) -> EnemyRow:
    moves: Moves = {
        "Stab": (hits(at.damage(12, 13)),),
        "Rake": (hits(at.damage(7, 8)), gets("Weak", at.behaviour(1, 2), e.TARGET)),
    }
    options = {"Stab": MoveOption(60, 2, {"Rake": 1}), "Rake": MoveOption(40, at.behaviour(2, 1), {"Stab": 1})}
    return EnemyRow(at.hp((46, 50), (48, 52)), moves, rolled(options))


def _red_slaver(at: Steps) -> EnemyRow:
    moves: Moves = {
        "Stab": (hits(at.damage(13, 14)),),
        "Scrape": (hits(at.damage(8, 9)), gets("Vulnerable", at.behaviour(1, 2), e.TARGET)),
        "Entangle": (gets("Entangled", 1, e.TARGET),),
    }
    return EnemyRow(at.hp((46, 50), (48, 52)), moves, RedSlaver(at.behaviour(2, 1)))


def _thief(hp: Range, mug: int, lunge: int, smoke: int, gold: int) -> EnemyRow:
    moves: Moves = {
        "Mug": (SpireEffect(e.OP_STEAL, gold, to=e.SELF), hits(mug)),
        "Lunge": (SpireEffect(e.OP_STEAL, gold, to=e.SELF), hits(lunge)),
        "Smoke Bomb": (blocks(smoke),),
        "Escape": (SpireEffect(e.OP_ESCAPE, to=e.SELF),),
    }
    script = Chain(
        (
            ("Mug", {1: 1}),
            ("Mug", {2: 1, 4: 1}),
            ("Lunge", {3: 1}),
            ("Smoke Bomb", {5: 1}),
            ("Smoke Bomb", {5: 1}),
            ("Escape", {5: 1}),
        )
    )
    return EnemyRow(hp, moves, script)


def _looter(at: Steps) -> EnemyRow:
    return _thief(at.hp((44, 48), (46, 50)), at.damage(10, 11), at.damage(12, 14), 6, at.behaviour(15, 20))


def _mad_gremlin(at: Steps) -> EnemyRow:
    moves: Moves = {"Scratch": (hits(at.damage(4, 5)),)}
    return EnemyRow(at.hp((20, 24), (21, 25)), moves, Script(("Scratch",)), {"Angry": at.behaviour(1, 2)})


def _sneaky_gremlin(at: Steps) -> EnemyRow:
    return EnemyRow(at.hp((10, 14), (11, 15)), {"Puncture": (hits(at.damage(9, 10)),)}, Script(("Puncture",)))


def _fat_gremlin(at: Steps) -> EnemyRow:
    frail = at.behaviour((), (gets("Frail", 1, e.TARGET),))
    moves: Moves = {"Smash": (hits(at.damage(4, 5)), gets("Weak", 1, e.TARGET), *frail)}
    return EnemyRow(at.hp((13, 17), (14, 18)), moves, Script(("Smash",)))


def _shield_gremlin(at: Steps) -> EnemyRow:
    moves: Moves = {
        "Protect": (SpireEffect(e.OP_PROTECT, at.behaviour(at.hp(7, 8), 11), to=e.OTHER),),
        "Shield Bash": (hits(at.damage(6, 8)),),
    }
    chain = Chain((("Protect", {0: 1}), ("Shield Bash", {1: 1})))
    return EnemyRow(at.hp((12, 15), (13, 17)), moves, chain, move_when_alone="Shield Bash")


def _gremlin_wizard(at: Steps) -> EnemyRow:
    moves: Moves = {"Charging": (), "Ultimate Blast": (hits(at.damage(25, 30)),)}
    early, late = ("Charging",) * 2 + ("Ultimate Blast",) + ("Charging",) * 3, ("Charging",) * 2 + ("Ultimate Blast",)
    return EnemyRow(at.hp((21, 25), (22, 26)), moves, Script(at.behaviour(early, late), loop_start=2))


def _gremlin_nob(at: Steps) -> EnemyRow:
    moves: Moves = {
        "Bellow": (gets("Enrage", at.behaviour(2, 3)),),
        "Rush": (hits(at.damage(14, 16)),),
        "Skull Bash": (hits(at.damage(6, 8)), gets("Vulnerable", 2, e.TARGET)),
    }
    early: Pattern = Roll({"Bellow": 1}, {"Skull Bash": MoveOption(33), "Rush": MoveOption(67, 2, {"Skull Bash": 1})})
    late: Pattern = Script(("Bellow", "Skull Bash", "Rush", "Rush"), loop_start=1)
    return EnemyRow(at.hp((82, 86), (85, 90)), moves, at.behaviour(early, late))


def _lagavulin(at: Steps) -> EnemyRow:
    script = Script(("Sleep", "Sleep", "Wake", "Attack", "Attack", "Siphon Soul"), loop_start=3)
    asleep = {"Asleep": 1, "Metallicize": 8}
    return EnemyRow(
        at.hp((109, 111), (112, 115)), _lagavulin_moves(at), script, asleep, block=8, interrupt_move=STUNNED
    )


def _lagavulin_awake(at: Steps) -> EnemyRow:
    script = Script(("Siphon Soul", "Attack", "Attack"))
    return EnemyRow(at.hp((109, 111), (112, 115)), _lagavulin_moves(at), script)


def _lagavulin_moves(at: Steps) -> Moves:
    drain = at.behaviour(-1, -2)
    return {
        "Sleep": (),
        "Wake": (
            SpireEffect(e.OP_LOSE, to=e.SELF, name="Asleep"),
            SpireEffect(e.OP_LOSE, to=e.SELF, name="Metallicize"),
        ),
        "Attack": (hits(at.damage(18, 20)),),
        "Siphon Soul": (gets("Dexterity", drain, e.TARGET), gets("Strength", drain, e.TARGET)),
        STUNNED: (),
    }


def _sentry(at: Steps, first: str, second: str) -> EnemyRow:
    moves: Moves = {
        "Bolt": (adds("Dazed", at.behaviour(2, 3)),),
        "Beam": (hits(at.damage(9, 10)),),
    }
    return EnemyRow(at.hp((38, 42), (39, 45)), moves, Script((first, second)), {"Artifact": 1})


def _slime_boss(at: Steps) -> EnemyRow:
    moves: Moves = {
        "Goop Spray": (adds("Slimed", at.behaviour(3, 5)),),
        "Preparing": (),
        "Slam": (hits(at.damage(35, 38)),),
        SPLIT: (SpireEffect(e.OP_SPLIT, to=e.SELF),),
    }
    script = Script(("Goop Spray", "Preparing", "Slam"))
    hp = at.hp((140, 140), (150, 150))
    children = ("Spike Slime (L)", "Acid Slime (L)")
    return EnemyRow(hp, moves, script, {"Splits": 1}, interrupt_move=SPLIT, children=children)


def _guardian(at: Steps) -> EnemyRow:
    shift = at.behaviour(at.hp(30, 35), 40)
    moves: Moves = {
        "Charging Up": (blocks(9),),
        "Fierce Bash": (hits(at.damage(32, 36)),),
        "Vent Steam": (gets("Weak", 2, e.TARGET), gets("Vulnerable", 2, e.TARGET)),
        "Whirlwind": (hits(5, 4),),
        DEFENSIVE: (gets("Sharp Hide", at.behaviour(3, 4)),),
        "Roll Attack": (hits(at.damage(9, 10)),),
        "Twin Slam": (hits(8, 2), SpireEffect(e.OP_ATTACK_MODE, shift, to=e.SELF)),
    }
    chain = Chain(
        (
            ("Charging Up", {1: 1}),
            ("Fierce Bash", {2: 1}),
            ("Vent Steam", {3: 1}),
            ("Whirlwind", {0: 1}),
            (DEFENSIVE, {5: 1}),
            ("Roll Attack", {6: 1}),
            ("Twin Slam", {3: 1}),
        )
    )
    return EnemyRow(at.hp((240, 240), (250, 250)), moves, chain, {"Mode Shift": shift}, interrupt_move=DEFENSIVE)


def _hexaghost(at: Steps) -> EnemyRow:
    burns = at.behaviour(1, 2)
    inferno = (hits(at.damage(2, 3), 6), SpireEffect(e.OP_TURN_INTO, name="Burn"), adds("Burn+", 3))
    moves: Moves = {
        "Activate": (SpireEffect(e.OP_ACTIVATE, to=e.SELF),),
        "Divider": (SpireEffect(e.OP_DIVIDE, times=6),),
        "Sear": (hits(6), adds("Burn", burns)),
        "Sear+": (hits(6), adds("Burn+", burns)),
        "Tackle": (hits(at.damage(5, 6), 2),),
        "Inflame": (gets("Strength", at.behaviour(2, 3)), blocks(12)),
        "Inferno": inferno,
    }
    cycle = ("Sear", "Tackle", "Sear", "Inflame", "Tackle", "Sear", "Inferno")
    later = tuple("Sear+" if move == "Sear" else move for move in cycle)
    return EnemyRow(at.hp((250, 250), (264, 264)), moves, Script(("Activate", "Divider", *cycle, *later), loop_start=9))


_ROWS: dict[str, tuple[str, Callable[[Steps], EnemyRow]]] = {
    "Cultist": (NORMAL, _cultist),
    "Jaw Worm": (NORMAL, _jaw_worm),
    "Red Louse": (NORMAL, _red_louse),
    "Green Louse": (NORMAL, _green_louse),
    "Acid Slime (S)": (NORMAL, _acid_slime_s),
    "Acid Slime (M)": (NORMAL, _acid_slime_m),
    "Acid Slime (L)": (NORMAL, _acid_slime_l),
    "Spike Slime (S)": (NORMAL, _spike_slime_s),
    "Spike Slime (M)": (NORMAL, _spike_slime_m),
    "Spike Slime (L)": (NORMAL, _spike_slime_l),
    "Fungi Beast": (NORMAL, _fungi_beast),
    "Blue Slaver": (NORMAL, _blue_slaver),
    "Red Slaver": (NORMAL, _red_slaver),
    "Looter": (NORMAL, _looter),
    "Mad Gremlin": (NORMAL, _mad_gremlin),
    "Sneaky Gremlin": (NORMAL, _sneaky_gremlin),
    "Fat Gremlin": (NORMAL, _fat_gremlin),
    "Shield Gremlin": (NORMAL, _shield_gremlin),
    "Gremlin Wizard": (NORMAL, _gremlin_wizard),
    "Gremlin Nob": (ELITE, _gremlin_nob),
    "Lagavulin": (ELITE, _lagavulin),
    "Lagavulin (awake)": (ELITE, _lagavulin_awake),
    "Sentry": (ELITE, lambda at: _sentry(at, "Bolt", "Beam")),
    "Middle Sentry": (ELITE, lambda at: _sentry(at, "Beam", "Bolt")),
    "Slime Boss": (BOSS, _slime_boss),
    "The Guardian": (BOSS, _guardian),
    "Hexaghost": (BOSS, _hexaghost),
}

ENEMIES = tuple(_ROWS)
"""Names of all enemies."""


def enemy_kind(name: str) -> str:
    """Return whether an enemy is NORMAL, an ELITE or a BOSS."""
    return _ROWS[name][0]


def n_places(name: str) -> int:
    """Return the number of places that an enemy needs: 1, or those of its children."""
    return sum(map(n_places, enemy_row(name, 0).children)) or 1


def with_children(names: Iterable[str]) -> list[str]:
    """Return the given names and those of all children, without duplicates."""
    found = list(dict.fromkeys(names))
    for name in found:
        found += [child for child in enemy_row(name, 0).children if child not in found]
    return list(dict.fromkeys(found))


@cache
def enemy_row(name: str, ascension: int) -> EnemyRow:
    """Return the row of an enemy at an ascension (0 to 20)."""
    kind, row = _ROWS[name]
    return row(Steps(ascension, kind))
