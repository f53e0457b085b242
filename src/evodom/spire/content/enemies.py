"""Enemies of act 1, one row each: HP, initial statuses, moves and move pattern.

Open it to add or change an enemy. Numbers rise with the ascension, at thresholds that depend on the kind of enemy:

    kind     HP  damage  behaviour
    normal    7       2         17
    elite     8       3         18
    boss      9       4         19
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TypeVar

from evodom.spire.content import effects as e
from evodom.spire.content.effects import SpireEffect, add_cards, apply_status, attack, plain_block
from evodom.spire.content.intents import Chain, MoveOption, Pattern, RedSlaver, Roll, Script

T = TypeVar("T")

NORMAL, ELITE, BOSS = "normal", "elite", "boss"
MAX_ASCENSION = 20

_THRESHOLDS = {NORMAL: (7, 2, 17), ELITE: (8, 3, 18), BOSS: (9, 4, 19)}
"""Ascensions at which HP, damage and behaviour change, by kind of enemy."""

STUNNED, SPLIT, DEFENSIVE = "Stunned", "Split", "Defensive Mode"
"""Moves that are set by events instead of the pattern."""


@dataclass(frozen=True)
class AscensionLevel:
    """An ascension and a kind of enemy, with methods to select a number of that enemy.

    Each method returns `plain` below a threshold of the kind, and `raised` from the threshold on. The method's name is
    that of the threshold, not of the number: Curl Up and Mode Shift also rise at the threshold of HP.
    """

    ascension: int
    kind: str

    def hp(self, plain: T, raised: T) -> T:
        """Select by the threshold of HP."""
        return raised if self.ascension >= _THRESHOLDS[self.kind][0] else plain

    def damage(self, plain: T, raised: T) -> T:
        """Select by the threshold of damage."""
        return raised if self.ascension >= _THRESHOLDS[self.kind][1] else plain

    def behaviour(self, plain: T, raised: T) -> T:
        """Select by the threshold of behaviour."""
        return raised if self.ascension >= _THRESHOLDS[self.kind][2] else plain


Range = tuple[int, int]
"""Minimum and maximum of a uniformly distributed integer."""

Moves = Mapping[str, tuple[SpireEffect, ...]]
"""Effects of each move, by name."""


@dataclass(frozen=True)
class EnemyRow:
    """An enemy at one ascension. `random_statuses` are initial statuses with random amounts."""

    hp: Range
    moves: Moves
    pattern: Pattern
    statuses: Mapping[str, int] = field(default_factory=dict)
    random_statuses: Mapping[str, Range] = field(default_factory=dict)
    block: int = 0
    interrupt_move: str = ""
    """Move that replaces the intent when the enemy wakes, splits or shifts to defence."""
    move_when_alone: str = ""
    """Next move whenever it is the last living enemy; "" if the pattern continues."""
    children: tuple[str, str] | tuple[()] = ()
    """Names of the two enemies after a split."""


def _cultist(level: AscensionLevel) -> EnemyRow:
    ritual = level.behaviour(level.damage(3, 4), 5)
    moves: Moves = {"Incantation": (apply_status("Ritual", ritual),), "Dark Strike": (attack(6),)}
    return EnemyRow(level.hp((48, 54), (50, 56)), moves, Script(("Incantation", "Dark Strike"), loop_start=1))


def _jaw_worm(level: AscensionLevel) -> EnemyRow:
    strength = level.behaviour(level.damage(3, 4), 5)
    moves: Moves = {
        "Chomp": (attack(level.damage(11, 12)),),
        "Thrash": (attack(7), plain_block(5)),
        "Bellow": (apply_status("Strength", strength), plain_block(level.behaviour(6, 9))),
    }
    # The game rolls replacements with probabilities such as 0.5625, which are independent of the weights of the moves.
    options = {
        "Chomp": MoveOption(25, 1, {"Bellow": 5625, "Thrash": 4375}),
        "Thrash": MoveOption(30, 2, {"Chomp": 357, "Bellow": 643}),
        "Bellow": MoveOption(45, 1, {"Chomp": 416, "Thrash": 584}),
    }
    return EnemyRow(level.hp((40, 44), (42, 46)), moves, Roll({"Chomp": 1}, options))


def _louse(level: AscensionLevel, other: str, effect: SpireEffect, hp: Range) -> EnemyRow:
    options = {
        other: MoveOption(25, level.behaviour(2, 1), {"Bite": 1}),
        "Bite": MoveOption(75, 2, {other: 1}),
    }
    amounts = {"Curl Up": level.behaviour(level.hp((3, 7), (4, 8)), (9, 12)), "Bite": level.damage((5, 7), (6, 8))}
    moves: Moves = {other: (effect,), "Bite": (SpireEffect(e.OP_BITE),)}
    return EnemyRow(hp, moves, Roll({other: 25, "Bite": 75}, options), random_statuses=amounts)


def _red_louse(level: AscensionLevel) -> EnemyRow:
    return _louse(level, "Grow", apply_status("Strength", level.behaviour(3, 4)), level.hp((10, 15), (11, 16)))


def _green_louse(level: AscensionLevel) -> EnemyRow:
    return _louse(level, "Spit Web", apply_status("Weak", 2, e.TARGET), level.hp((11, 17), (12, 18)))


def _acid_slime_s(level: AscensionLevel) -> EnemyRow:
    options = {"Tackle": MoveOption(1, 1, {"Lick": 1}), "Lick": MoveOption(1, 1, {"Tackle": 1})}
    moves: Moves = {"Tackle": (attack(level.damage(3, 4)),), "Lick": (apply_status("Weak", 1, e.TARGET),)}
    opening = level.behaviour({"Tackle": 1, "Lick": 1}, {"Lick": 1})
    return EnemyRow(level.hp((8, 12), (9, 13)), moves, Roll(opening, options))


_ACID_PLAIN = {
    "Corrosive Spit": MoveOption(30, 2, {"Tackle": 50, "Lick": 50}),
    "Tackle": MoveOption(40, 1, {"Corrosive Spit": 40, "Lick": 60}),
    "Lick": MoveOption(30, 2, {"Corrosive Spit": 40, "Tackle": 60}),
}


def _acid_slime_m(level: AscensionLevel) -> EnemyRow:
    moves: Moves = {
        "Corrosive Spit": (attack(level.damage(7, 8)), add_cards("Slimed", 1)),
        "Tackle": (attack(level.damage(10, 12)),),
        "Lick": (apply_status("Weak", 1, e.TARGET),),
    }
    raised = {
        "Corrosive Spit": MoveOption(40, 2, {"Tackle": 50, "Lick": 50}),
        "Tackle": MoveOption(40, 2, {"Corrosive Spit": 50, "Lick": 50}),
        "Lick": MoveOption(20, 1, {"Corrosive Spit": 40, "Tackle": 60}),
    }
    return EnemyRow(level.hp((28, 32), (29, 34)), moves, Roll.from_options(level.behaviour(_ACID_PLAIN, raised)))


def _acid_slime_l(level: AscensionLevel) -> EnemyRow:
    moves: Moves = {
        "Corrosive Spit": (attack(level.damage(11, 12)), add_cards("Slimed", 2)),
        "Tackle": (attack(level.damage(16, 18)),),
        "Lick": (apply_status("Weak", 2, e.TARGET),),
    }
    raised = {
        "Corrosive Spit": MoveOption(40, 2, {"Tackle": 60, "Lick": 40}),
        "Tackle": MoveOption(30, 2, {"Corrosive Spit": 60, "Lick": 40}),
        "Lick": MoveOption(30, 1, {"Corrosive Spit": 40, "Tackle": 60}),
    }
    pattern = Roll.from_options(level.behaviour(_ACID_PLAIN, raised))
    return _splitting(level.hp((65, 69), (68, 72)), moves, pattern, ("Acid Slime (M)", "Acid Slime (M)"))


def _spike_slime_s(level: AscensionLevel) -> EnemyRow:
    return EnemyRow(level.hp((10, 14), (11, 15)), {"Tackle": (attack(level.damage(5, 6)),)}, Script(("Tackle",)))


def _spike_pattern(level: AscensionLevel) -> Pattern:
    lick = MoveOption(70, level.behaviour(2, 1), {"Flame Tackle": 1})
    return Roll.from_options({"Flame Tackle": MoveOption(30, 2, {"Lick": 1}), "Lick": lick})


def _spike_slime_m(level: AscensionLevel) -> EnemyRow:
    moves: Moves = {
        "Flame Tackle": (attack(level.damage(8, 10)), add_cards("Slimed", 1)),
        "Lick": (apply_status("Frail", 1, e.TARGET),),
    }
    return EnemyRow(level.hp((28, 32), (29, 34)), moves, _spike_pattern(level))


def _spike_slime_l(level: AscensionLevel) -> EnemyRow:
    moves: Moves = {
        "Flame Tackle": (attack(level.damage(16, 18)), add_cards("Slimed", 2)),
        "Lick": (apply_status("Frail", level.behaviour(2, 3), e.TARGET),),
    }
    children = ("Spike Slime (M)", "Spike Slime (M)")
    return _splitting(level.hp((64, 70), (67, 73)), moves, _spike_pattern(level), children)


def _splitting(hp: Range, moves: Moves, pattern: Pattern, children: tuple[str, str]) -> EnemyRow:
    moves = {**moves, SPLIT: (SpireEffect(e.OP_SPLIT, to=e.SELF),)}
    return EnemyRow(hp, moves, pattern, {"Splits": 1}, interrupt_move=SPLIT, children=children)


def _fungi_beast(level: AscensionLevel) -> EnemyRow:
    moves: Moves = {"Bite": (attack(6),), "Grow": (apply_status("Strength", level.behaviour(level.damage(3, 4), 5)),)}
    options = {"Bite": MoveOption(60, 2, {"Grow": 1}), "Grow": MoveOption(40, 1, {"Bite": 1})}
    return EnemyRow(level.hp((22, 28), (24, 28)), moves, Roll.from_options(options), {"Spore Cloud": 2})


def _blue_slaver(level: AscensionLevel) -> EnemyRow:
    moves: Moves = {
        "Stab": (attack(level.damage(12, 13)),),
        "Rake": (attack(level.damage(7, 8)), apply_status("Weak", level.behaviour(1, 2), e.TARGET)),
    }
    options = {"Stab": MoveOption(60, 2, {"Rake": 1}), "Rake": MoveOption(40, level.behaviour(2, 1), {"Stab": 1})}
    return EnemyRow(level.hp((46, 50), (48, 52)), moves, Roll.from_options(options))


def _red_slaver(level: AscensionLevel) -> EnemyRow:
    moves: Moves = {
        "Stab": (attack(level.damage(13, 14)),),
        "Scrape": (attack(level.damage(8, 9)), apply_status("Vulnerable", level.behaviour(1, 2), e.TARGET)),
        "Entangle": (apply_status("Entangled", 1, e.TARGET),),
    }
    return EnemyRow(level.hp((46, 50), (48, 52)), moves, RedSlaver(level.behaviour(2, 1)))


def _looter(level: AscensionLevel) -> EnemyRow:
    steal = SpireEffect(e.OP_STEAL, level.behaviour(15, 20), to=e.SELF)
    moves: Moves = {
        "Mug": (steal, attack(level.damage(10, 11))),
        "Lunge": (steal, attack(level.damage(12, 14))),
        "Smoke Bomb": (plain_block(6),),
        "Escape": (SpireEffect(e.OP_ESCAPE, to=e.SELF),),
    }
    # Mug twice, Lunge with probability 1/2, Smoke Bomb, Escape. The Smoke Bomb without a Lunge is a separate node.
    chain = Chain(
        (
            ("Mug", {1: 1}),  # 0
            ("Mug", {2: 1, 4: 1}),  # 1
            ("Lunge", {3: 1}),  # 2
            ("Smoke Bomb", {5: 1}),  # 3
            ("Smoke Bomb", {5: 1}),  # 4
            ("Escape", {5: 1}),  # 5
        )
    )
    return EnemyRow(level.hp((44, 48), (46, 50)), moves, chain)


def _mad_gremlin(level: AscensionLevel) -> EnemyRow:
    moves: Moves = {"Scratch": (attack(level.damage(4, 5)),)}
    return EnemyRow(level.hp((20, 24), (21, 25)), moves, Script(("Scratch",)), {"Angry": level.behaviour(1, 2)})


def _sneaky_gremlin(level: AscensionLevel) -> EnemyRow:
    return EnemyRow(level.hp((10, 14), (11, 15)), {"Puncture": (attack(level.damage(9, 10)),)}, Script(("Puncture",)))


def _fat_gremlin(level: AscensionLevel) -> EnemyRow:
    frail = level.behaviour((), (apply_status("Frail", 1, e.TARGET),))
    moves: Moves = {"Smash": (attack(level.damage(4, 5)), apply_status("Weak", 1, e.TARGET), *frail)}
    return EnemyRow(level.hp((13, 17), (14, 18)), moves, Script(("Smash",)))


def _shield_gremlin(level: AscensionLevel) -> EnemyRow:
    moves: Moves = {
        "Protect": (SpireEffect(e.OP_PROTECT, level.behaviour(level.hp(7, 8), 11), to=e.OTHER),),
        "Shield Bash": (attack(level.damage(6, 8)),),
    }
    chain = Chain((("Protect", {0: 1}), ("Shield Bash", {1: 1})))
    return EnemyRow(level.hp((12, 15), (13, 17)), moves, chain, move_when_alone="Shield Bash")


def _gremlin_wizard(level: AscensionLevel) -> EnemyRow:
    moves: Moves = {"Charging": (), "Ultimate Blast": (attack(level.damage(25, 30)),)}
    raised = ("Charging", "Charging", "Ultimate Blast")
    plain = (*raised, "Charging", "Charging", "Charging")
    return EnemyRow(level.hp((21, 25), (22, 26)), moves, Script(level.behaviour(plain, raised), loop_start=2))


def _gremlin_nob(level: AscensionLevel) -> EnemyRow:
    moves: Moves = {
        "Bellow": (apply_status("Enrage", level.behaviour(2, 3)),),
        "Rush": (attack(level.damage(14, 16)),),
        "Skull Bash": (attack(level.damage(6, 8)), apply_status("Vulnerable", 2, e.TARGET)),
    }
    plain: Pattern = Roll({"Bellow": 1}, {"Skull Bash": MoveOption(33), "Rush": MoveOption(67, 2, {"Skull Bash": 1})})
    raised: Pattern = Script(("Bellow", "Skull Bash", "Rush", "Rush"), loop_start=1)
    return EnemyRow(level.hp((82, 86), (85, 90)), moves, level.behaviour(plain, raised))


def _lagavulin(level: AscensionLevel, *, awake: bool = False) -> EnemyRow:
    hp, drain = level.hp((109, 111), (112, 115)), level.behaviour(-1, -2)
    moves: Moves = {
        "Sleep": (),
        "Wake": (
            SpireEffect(e.OP_LOSE, to=e.SELF, name="Asleep"),
            SpireEffect(e.OP_LOSE, to=e.SELF, name="Metallicize"),
        ),
        "Attack": (attack(level.damage(18, 20)),),
        "Siphon Soul": (apply_status("Dexterity", drain, e.TARGET), apply_status("Strength", drain, e.TARGET)),
        STUNNED: (),
    }
    if awake:
        return EnemyRow(hp, moves, Script(("Siphon Soul", "Attack", "Attack")))
    script = Script(("Sleep", "Sleep", "Wake", "Attack", "Attack", "Siphon Soul"), loop_start=3)
    return EnemyRow(hp, moves, script, {"Asleep": 1, "Metallicize": 8}, block=8, interrupt_move=STUNNED)


def _sentry(level: AscensionLevel, first: str, second: str) -> EnemyRow:
    moves: Moves = {
        "Bolt": (add_cards("Dazed", level.behaviour(2, 3)),),
        "Beam": (attack(level.damage(9, 10)),),
    }
    return EnemyRow(level.hp((38, 42), (39, 45)), moves, Script((first, second)), {"Artifact": 1})


def _slime_boss(level: AscensionLevel) -> EnemyRow:
    moves: Moves = {
        "Goop Spray": (add_cards("Slimed", level.behaviour(3, 5)),),
        "Preparing": (),
        "Slam": (attack(level.damage(35, 38)),),
    }
    script = Script(("Goop Spray", "Preparing", "Slam"))
    return _splitting(level.hp((140, 140), (150, 150)), moves, script, ("Spike Slime (L)", "Acid Slime (L)"))


def _guardian(level: AscensionLevel) -> EnemyRow:
    shift = level.behaviour(level.hp(30, 35), 40)
    moves: Moves = {
        "Charging Up": (plain_block(9),),
        "Fierce Bash": (attack(level.damage(32, 36)),),
        "Vent Steam": (apply_status("Weak", 2, e.TARGET), apply_status("Vulnerable", 2, e.TARGET)),
        "Whirlwind": (attack(5, 4),),
        DEFENSIVE: (apply_status("Sharp Hide", level.behaviour(3, 4)),),
        "Roll Attack": (attack(level.damage(9, 10)),),
        "Twin Slam": (attack(8, 2), SpireEffect(e.OP_ATTACK_MODE, shift, to=e.SELF)),
    }
    # Nodes 0 to 3 are a cycle. The loss of `shift` HP interrupts it with node 4; Twin Slam returns to it.
    chain = Chain(
        (
            ("Charging Up", {1: 1}),  # 0
            ("Fierce Bash", {2: 1}),  # 1
            ("Vent Steam", {3: 1}),  # 2
            ("Whirlwind", {0: 1}),  # 3
            (DEFENSIVE, {5: 1}),  # 4
            ("Roll Attack", {6: 1}),  # 5
            ("Twin Slam", {3: 1}),  # 6
        )
    )
    return EnemyRow(level.hp((240, 240), (250, 250)), moves, chain, {"Mode Shift": shift}, interrupt_move=DEFENSIVE)


def _hexaghost(level: AscensionLevel) -> EnemyRow:
    burns = level.behaviour(1, 2)
    inferno = (attack(level.damage(2, 3), 6), SpireEffect(e.OP_UPGRADE_COPIES, name="Burn"), add_cards("Burn+", 3))
    moves: Moves = {
        "Activate": (SpireEffect(e.OP_ACTIVATE, to=e.SELF),),
        "Divider": (SpireEffect(e.OP_DIVIDE, times=6),),
        "Sear": (attack(6), add_cards("Burn", burns)),
        "Sear+": (attack(6), add_cards("Burn+", burns)),
        "Tackle": (attack(level.damage(5, 6), 2),),
        "Inflame": (apply_status("Strength", level.behaviour(2, 3)), plain_block(12)),
        "Inferno": inferno,
    }
    cycle = ("Sear", "Tackle", "Sear", "Inflame", "Tackle", "Sear", "Inferno")
    later = tuple("Sear+" if move == "Sear" else move for move in cycle)
    script = Script(("Activate", "Divider", *cycle, *later), loop_start=9)
    return EnemyRow(level.hp((250, 250), (264, 264)), moves, script)


_ROWS: dict[str, tuple[str, Callable[[AscensionLevel], EnemyRow]]] = {
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
    "Lagavulin (awake)": (ELITE, lambda level: _lagavulin(level, awake=True)),
    "Sentry": (ELITE, lambda level: _sentry(level, "Bolt", "Beam")),
    "Middle Sentry": (ELITE, lambda level: _sentry(level, "Beam", "Bolt")),
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
    """Return the number of places of the fight that an enemy reserves.

    An enemy that splits reserves the places of its children, and they may split too. Other enemies need one place.
    """
    children = enemy_row(name, 0).children
    return sum(n_places(child) for child in children) if children else 1


def with_children(names: Iterable[str]) -> list[str]:
    """Return the given names and those of all children, without duplicates."""
    found = dict.fromkeys(names)
    parents = list(found)
    while parents:
        children = dict.fromkeys(child for name in parents for child in enemy_row(name, 0).children)
        parents = [child for child in children if child not in found]
        found |= dict.fromkeys(parents)
    return list(found)


@cache
def enemy_row(name: str, ascension: int) -> EnemyRow:
    """Return the row of an enemy at an ascension (0 to 20)."""
    kind, row = _ROWS[name]
    return row(AscensionLevel(ascension, kind))
