"""Cards of the Ironclad, plain and upgraded, and Status and Curse cards: one row each.

Open it to add or change a card. Rows are written with the functions of `effects`.
docs/reference/fight-rules.md lists the rules that are not modelled.
"""

import re
from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from evodom.errors import UsageError, short
from evodom.spire.content import effects as e
from evodom.spire.content.effects import EffectPair, PerVersion, SpireEffect

ATTACK, SKILL, POWER, STATUS, CURSE = "Attack", "Skill", "Power", "Status", "Curse"
BASIC, COMMON, UNCOMMON, RARE, SPECIAL = "basic", "common", "uncommon", "rare", "special"
COLOURLESS = "colourless"

X = e.X
"""Cost of a card that uses all energy."""

_TARGETED_OPS = frozenset(
    (
        e.OP_HIT,
        e.OP_GIVE,
        e.OP_HIT_BLOCK,
        e.OP_HIT_STRIKES,
        e.OP_FEED,
        e.OP_DROPKICK,
        e.OP_SPOT,
        e.OP_EXHAUST_HAND,
        e.OP_SHACKLE,
    )
)
"""Operations of cards on a single enemy, unless `to` is another recipient."""


@dataclass(frozen=True)
class SpireCard:
    """A card: its cost in energy (None: unplayable, X: all), its type, and its effects in order."""

    name: str
    cost: int | None
    kind: str
    effects: tuple[SpireEffect, ...] = ()
    rarity: str = SPECIAL
    exhausts: bool = False
    ethereal: bool = False
    innate: bool = False
    needs_only_attacks: bool = False
    """Whether it is playable only if all cards in hand are Attacks."""
    needs_in_draw_pile: str = ""
    """Type of card without which in the draw pile it is not playable."""
    end_turn_damage: int = 0
    """Damage that it deals to the player at the end of a turn in hand. Strength does not change it."""
    end_turn_status: str = ""
    """Status that the player gains (amount 1) at the end of a turn in hand."""
    end_turn_hp_loss: bool = False
    """Whether the end of a turn in hand costs 1 HP for each card in hand."""
    energy_when_drawn: int = 0
    """Energy gained when it is drawn."""
    energy_when_exhausted: int = 0
    """Energy gained when it is exhausted."""
    returns: bool = False
    """Whether a new copy comes into the hand when it is exhausted."""
    max_cards_per_turn: int = 0
    """Maximum number of cards played in a turn while it is in hand, 0 for no limit."""
    hp_loss_per_other_card: int = 0
    """HP that the player loses for each other card played while this card is in hand."""

    @property
    def targeted(self) -> bool:
        """Whether it needs a target."""
        return any(effect.op in _TARGETED_OPS and effect.to == e.TARGET for effect in self.effects)

    @property
    def upgradable(self) -> bool:
        """Whether it is an Attack, Skill or Power without an upgrade. (Searing Blow has more upgrades than one.)"""
        return self.kind in (ATTACK, SKILL, POWER) and not self.name.endswith("+")


def _card(
    rarity: str, name: str, cost: PerVersion, kind: str, *effects: EffectPair, **traits: PerVersion
) -> tuple[SpireCard, SpireCard]:
    """Return the rows of a card, plain and upgraded ("+"). Costs and traits may be pairs (plain, upgraded)."""
    fields: dict[str, PerVersion] = {"cost": cost, "kind": kind, "rarity": rarity, **traits}

    def version(i: int) -> SpireCard:
        return SpireCard(name + "+" * i, effects=tuple(pair[i] for pair in effects), **e.fields_of_version(fields, i))

    return version(0), version(1)


_ROWS: tuple[tuple[SpireCard, ...], ...] = (
    _card(BASIC, "Bash", 2, ATTACK, e.hit(8, 10), e.give("Vulnerable", 2, 3)),
    _card(BASIC, "Strike", 1, ATTACK, e.hit(6, 9)),
    _card(BASIC, "Defend", 1, SKILL, e.block(5, 8)),
    # common
    _card(COMMON, "Anger", 0, ATTACK, e.hit(6, 8), e.create("Anger", "Anger+")),
    _card(
        COMMON, "Armaments", 1, SKILL, e.block(5),
        (e.choose(e.TO_UPGRADE)[0], SpireEffect(e.OP_UPGRADE_HAND, to=e.SELF)),  # plain, upgraded: different operations
    ),
    _card(COMMON, "Body Slam", (1, 0), ATTACK, e.effect_pair(e.OP_HIT_BLOCK)),
    _card(COMMON, "Clash", 0, ATTACK, e.hit(14, 18), needs_only_attacks=True),
    _card(COMMON, "Cleave", 1, ATTACK, e.hit(8, 11, to=e.ENEMIES)),
    _card(COMMON, "Clothesline", 2, ATTACK, e.hit(12, 14), e.give("Weak", 2, 3)),
    _card(COMMON, "Flex", 0, SKILL, e.give("Strength", 2, 4, to=e.SELF), e.give("Strength Down", 2, 4, to=e.SELF)),
    _card(COMMON, "Havoc", (1, 0), SKILL, e.effect_pair(e.OP_PLAY_TOP, 1, more=(1, 1), to=e.SELF)),
    _card(COMMON, "Headbutt", 1, ATTACK, e.hit(9, 12), e.choose(e.TO_DRAW_TOP, pile=e.DISCARD)),
    _card(COMMON, "Heavy Blade", 2, ATTACK, e.effect_pair(e.OP_HIT, 14, strength=(3, 5))),
    _card(COMMON, "Iron Wave", 1, ATTACK, e.block(5, 7), e.hit(5, 7)),
    _card(COMMON, "Perfected Strike", 2, ATTACK, e.effect_pair(e.OP_HIT_STRIKES, 6, more=(2, 3))),
    _card(COMMON, "Pommel Strike", 1, ATTACK, e.hit(9, 10), e.draw(1, 2)),
    _card(COMMON, "Shrug It Off", 1, SKILL, e.block(8, 11), e.draw(1)),
    _card(COMMON, "Sword Boomerang", 1, ATTACK, e.hit(3, times=(3, 4), to=e.RANDOM)),
    _card(COMMON, "Thunderclap", 1, ATTACK, e.hit(4, 7, to=e.ENEMIES), e.give("Vulnerable", 1, to=e.ENEMIES)),
    _card(
        COMMON, "True Grit", 1, SKILL, e.block(7, 9),
        (SpireEffect(e.OP_EXHAUST_RANDOM, 1, to=e.SELF), e.choose(e.TO_EXHAUST)[1]),  # plain, upgraded
    ),
    _card(COMMON, "Twin Strike", 1, ATTACK, e.hit(5, 7, times=(2, 2))),
    _card(COMMON, "Warcry", 0, SKILL, e.draw(1, 2), e.choose(e.TO_DRAW_TOP), exhausts=True),
    _card(COMMON, "Wild Strike", 1, ATTACK, e.hit(12, 17), e.create("Wound", pile=e.DRAW)),
    # uncommon
    _card(UNCOMMON, "Battle Trance", 0, SKILL, e.draw(3, 4), e.give("No Draw", 1, to=e.SELF)),
    _card(UNCOMMON, "Blood for Blood", (4, 3), ATTACK, e.hit(18, 22)),
    _card(UNCOMMON, "Bloodletting", 0, SKILL, e.lose_hp(3), e.energy(2, 3)),
    _card(UNCOMMON, "Burning Pact", 1, SKILL, e.choose(e.TO_EXHAUST), e.draw(2, 3)),
    _card(UNCOMMON, "Carnage", 2, ATTACK, e.hit(20, 28), ethereal=True),
    _card(UNCOMMON, "Combust", 1, POWER, e.give("Combust", 5, 7, to=e.SELF), e.give("Combust cost", 1, to=e.SELF)),
    _card(UNCOMMON, "Dark Embrace", (2, 1), POWER, e.give("Dark Embrace", 1, to=e.SELF)),
    _card(UNCOMMON, "Disarm", 1, SKILL, e.give("Strength", -2, -3), exhausts=True),
    _card(UNCOMMON, "Dropkick", 1, ATTACK, e.effect_pair(e.OP_DROPKICK, 5, 8)),
    _card(UNCOMMON, "Dual Wield", 1, SKILL, e.choose(e.TO_COPY, 1, 2)),
    _card(UNCOMMON, "Entrench", (2, 1), SKILL, e.effect_pair(e.OP_DOUBLE_BLOCK, to=e.SELF)),
    _card(UNCOMMON, "Evolve", 1, POWER, e.give("Evolve", 1, 2, to=e.SELF)),
    _card(UNCOMMON, "Feel No Pain", 1, POWER, e.give("Feel No Pain", 3, 4, to=e.SELF)),
    _card(UNCOMMON, "Fire Breathing", 1, POWER, e.give("Fire Breathing", 6, 10, to=e.SELF)),
    _card(UNCOMMON, "Flame Barrier", 2, SKILL, e.block(12, 16), e.give("Flame Barrier", 4, 6, to=e.SELF)),
    _card(UNCOMMON, "Ghostly Armor", 1, SKILL, e.block(10, 13), ethereal=True),
    _card(UNCOMMON, "Hemokinesis", 1, ATTACK, e.lose_hp(2), e.hit(15, 20)),
    _card(UNCOMMON, "Infernal Blade", (1, 0), SKILL, e.make("Attack", scope=e.THIS_TURN), exhausts=True),
    _card(UNCOMMON, "Inflame", 1, POWER, e.give("Strength", 2, 3, to=e.SELF)),
    _card(UNCOMMON, "Intimidate", 0, SKILL, e.give("Weak", 1, 2, to=e.ENEMIES), exhausts=True),
    _card(UNCOMMON, "Metallicize", 1, POWER, e.give("Metallicize", 3, 4, to=e.SELF)),
    _card(UNCOMMON, "Power Through", 1, SKILL, e.create("Wound", n=2, pile=e.HAND), e.block(15, 20)),
    _card(UNCOMMON, "Pummel", 1, ATTACK, e.hit(2, times=(4, 5)), exhausts=True),
    _card(UNCOMMON, "Rage", 0, SKILL, e.give("Rage", 3, 5, to=e.SELF)),
    _card(UNCOMMON, "Rampage", 1, ATTACK, e.hit(8)),
    _card(UNCOMMON, "Reckless Charge", 0, ATTACK, e.hit(7, 10), e.create("Dazed", pile=e.DRAW)),
    _card(UNCOMMON, "Rupture", 1, POWER, e.give("Rupture", 1, 2, to=e.SELF)),
    _card(UNCOMMON, "Searing Blow", 2, ATTACK, e.hit(12, 16)),
    _card(UNCOMMON, "Second Wind", 1, SKILL, e.effect_pair(e.OP_EXHAUST_OTHERS, 5, 7, to=e.SELF)),
    _card(UNCOMMON, "Seeing Red", (1, 0), SKILL, e.energy(2), exhausts=True),
    _card(UNCOMMON, "Sentinel", 1, SKILL, e.block(5, 8), energy_when_exhausted=(2, 3)),
    _card(UNCOMMON, "Sever Soul", 2, ATTACK, e.effect_pair(e.OP_EXHAUST_OTHERS, to=e.SELF), e.hit(16, 22)),
    _card(
        UNCOMMON, "Shockwave", 2, SKILL, e.give("Weak", 3, 5, to=e.ENEMIES), e.give("Vulnerable", 3, 5, to=e.ENEMIES),
        exhausts=True,
    ),
    _card(UNCOMMON, "Spot Weakness", 1, SKILL, e.effect_pair(e.OP_SPOT, 3, 4)),
    _card(UNCOMMON, "Uppercut", 2, ATTACK, e.hit(13), e.give("Weak", 1, 2), e.give("Vulnerable", 1, 2)),
    _card(UNCOMMON, "Whirlwind", X, ATTACK, e.effect_pair(e.OP_HIT_X, 5, 8, to=e.ENEMIES)),
    # rare
    _card(RARE, "Barricade", (3, 2), POWER, e.give("Barricade", 1, to=e.SELF)),
    _card(RARE, "Berserk", 0, POWER, e.give("Vulnerable", 2, 1, to=e.SELF), e.give("Berserk", 1, to=e.SELF)),
    _card(RARE, "Bludgeon", 3, ATTACK, e.hit(32, 42)),
    _card(RARE, "Brutality", 0, POWER, e.give("Brutality", 1, to=e.SELF), innate=(False, True)),
    _card(RARE, "Corruption", (3, 2), POWER, e.give("Corruption", 1, to=e.SELF)),
    _card(RARE, "Demon Form", 3, POWER, e.give("Demon Form", 2, 3, to=e.SELF)),
    _card(RARE, "Double Tap", 1, SKILL, e.give("Double Tap", 1, 2, to=e.SELF)),
    _card(RARE, "Exhume", (1, 0), SKILL, e.choose(e.TO_HAND, pile=e.EXHAUST), exhausts=True),
    _card(RARE, "Feed", 1, ATTACK, e.effect_pair(e.OP_FEED, 10, 12, more=(3, 4)), exhausts=True),
    _card(RARE, "Fiend Fire", 2, ATTACK, e.effect_pair(e.OP_EXHAUST_HAND, 7, 10), exhausts=True),
    _card(RARE, "Immolate", 2, ATTACK, e.hit(21, 28, to=e.ENEMIES), e.create("Burn")),
    _card(RARE, "Impervious", 2, SKILL, e.block(30, 40), exhausts=True),
    _card(RARE, "Juggernaut", 2, POWER, e.give("Juggernaut", 5, 7, to=e.SELF)),
    _card(RARE, "Limit Break", 1, SKILL, e.effect_pair(e.OP_DOUBLE_STRENGTH, to=e.SELF), exhausts=(True, False)),
    _card(RARE, "Offering", 0, SKILL, e.lose_hp(6), e.energy(2), e.draw(3, 5), exhausts=True),
    _card(RARE, "Reaper", 2, ATTACK, e.effect_pair(e.OP_REAP, 4, 5, to=e.ENEMIES), exhausts=True),
    # colourless
    _card(COLOURLESS, "Apotheosis", (2, 1), SKILL, e.effect_pair(e.OP_UPGRADE_HAND, more=1, to=e.SELF), exhausts=True),
    _card(COLOURLESS, "Bandage Up", 0, SKILL, e.heal(4, 6), exhausts=True),
    _card(COLOURLESS, "Blind", 0, SKILL, e.effect_pair(e.OP_GIVE, 2, name="Weak", to=(e.TARGET, e.ENEMIES))),
    _card(COLOURLESS, "Chrysalis", 2, SKILL, e.make(SKILL, 3, 5, pile=e.DRAW, scope=e.THIS_FIGHT), exhausts=True),
    _card(COLOURLESS, "Dark Shackles", 0, SKILL, e.effect_pair(e.OP_SHACKLE, 9, 15), exhausts=True),
    _card(COLOURLESS, "Deep Breath", 0, SKILL, e.effect_pair(e.OP_SHUFFLE_ALL, to=e.SELF), e.draw(1, 2)),
    _card(COLOURLESS, "Discovery", 1, SKILL, e.offer("class"), exhausts=(True, False)),
    _card(COLOURLESS, "Dramatic Entrance", 0, ATTACK, e.hit(8, 12, to=e.ENEMIES), innate=True, exhausts=True),
    _card(
        COLOURLESS, "Enlightenment", 0, SKILL,
        e.effect_pair(e.OP_LIMIT_COSTS, 1, scope=(e.THIS_TURN, e.THIS_FIGHT), to=e.SELF),
    ),
    _card(COLOURLESS, "Finesse", 0, SKILL, e.block(2, 4), e.draw(1)),
    _card(COLOURLESS, "Flash of Steel", 0, ATTACK, e.hit(3, 6), e.draw(1)),
    _card(COLOURLESS, "Forethought", 0, SKILL, e.choose(e.TO_DRAW_BOTTOM, 1, e.ANY_NUMBER)),
    _card(COLOURLESS, "Good Instincts", 0, SKILL, e.block(6, 9)),
    _card(COLOURLESS, "Hand of Greed", 2, ATTACK, e.hit(20, 25)),  # its gold has no effect in a fight
    _card(COLOURLESS, "Impatience", 0, SKILL, e.effect_pair(e.OP_DRAW_WITHOUT_ATTACKS, 2, 3, to=e.SELF)),
    _card(COLOURLESS, "Jack of All Trades", 0, SKILL, e.make(COLOURLESS, 1, 2), exhausts=True),
    _card(
        COLOURLESS, "Madness", (1, 0), SKILL, e.effect_pair(e.OP_FREE_RANDOM, scope=e.THIS_FIGHT, to=e.SELF),
        exhausts=True,
    ),
    _card(COLOURLESS, "Magnetism", (2, 1), POWER, e.give("Magnetism", 1, to=e.SELF)),
    _card(COLOURLESS, "Master of Strategy", 0, SKILL, e.draw(3, 4), exhausts=True),
    _card(COLOURLESS, "Mayhem", (2, 1), POWER, e.give("Mayhem", 1, to=e.SELF)),
    _card(COLOURLESS, "Metamorphosis", 2, SKILL, e.make(ATTACK, 3, 5, pile=e.DRAW, scope=e.THIS_FIGHT), exhausts=True),
    _card(COLOURLESS, "Mind Blast", (2, 1), ATTACK, e.effect_pair(e.OP_HIT_BLOCK, more=1), innate=True),
    _card(COLOURLESS, "Panacea", 0, SKILL, e.give("Artifact", 1, 2, to=e.SELF), exhausts=True),
    _card(COLOURLESS, "Panache", 0, POWER, e.give("Panache", 10, 14, to=e.SELF)),
    _card(COLOURLESS, "Panic Button", 0, SKILL, e.block(30, 40), e.give("No Block", 2, to=e.SELF), exhausts=True),
    _card(COLOURLESS, "Purity", 0, SKILL, e.choose(e.TO_EXHAUST, e.UP_TO + 3, e.UP_TO + 5), exhausts=True),
    _card(COLOURLESS, "Sadistic Nature", 0, POWER, e.give("Sadistic Nature", 5, 7, to=e.SELF)),
    _card(
        COLOURLESS, "Secret Technique", 0, SKILL, e.choose(e.TO_TAKE_SKILL, pile=e.DRAW),
        needs_in_draw_pile=SKILL, exhausts=(True, False),
    ),
    _card(
        COLOURLESS, "Secret Weapon", 0, SKILL, e.choose(e.TO_TAKE_ATTACK, pile=e.DRAW),
        needs_in_draw_pile=ATTACK, exhausts=(True, False),
    ),
    _card(COLOURLESS, "Swift Strike", 0, ATTACK, e.hit(7, 10)),
    _card(COLOURLESS, "The Bomb", 2, SKILL, e.give("Bomb in 3 turns", 40, 50, to=e.SELF)),
    _card(COLOURLESS, "Thinking Ahead", 0, SKILL, e.draw(2), e.choose(e.TO_DRAW_TOP), exhausts=(True, False)),
    _card(
        COLOURLESS, "Transmutation", X, SKILL,
        e.effect_pair(e.OP_MAKE, X, name=(COLOURLESS, "upgraded " + COLOURLESS), scope=e.THIS_TURN, to=e.SELF),
        exhausts=True,
    ),
    _card(COLOURLESS, "Trip", 0, SKILL, e.effect_pair(e.OP_GIVE, 2, name="Vulnerable", to=(e.TARGET, e.ENEMIES))),
    _card(COLOURLESS, "Violence", 0, SKILL, e.effect_pair(e.OP_TAKE_ATTACKS, 3, 4, to=e.SELF), exhausts=True),
    # Status cards, and Curses
    (
        SpireCard("Burn", None, STATUS, end_turn_damage=2),
        SpireCard("Burn+", None, STATUS, end_turn_damage=4),
        SpireCard("Dazed", None, STATUS, ethereal=True),
        SpireCard("Slimed", 1, STATUS, exhausts=True),
        SpireCard("Void", None, STATUS, ethereal=True, energy_when_drawn=-1),
        SpireCard("Wound", None, STATUS),
        SpireCard("Ascender's Bane", None, CURSE, ethereal=True),
        SpireCard("Clumsy", None, CURSE, ethereal=True),
        SpireCard("Curse of the Bell", None, CURSE),
        SpireCard("Decay", None, CURSE, end_turn_damage=2),
        SpireCard("Doubt", None, CURSE, end_turn_status="Weak"),
        SpireCard("Injury", None, CURSE),
        SpireCard("Necronomicurse", None, CURSE, returns=True),
        SpireCard("Normality", None, CURSE, max_cards_per_turn=3),
        SpireCard("Pain", None, CURSE, hp_loss_per_other_card=1),
        SpireCard("Parasite", None, CURSE),
        SpireCard("Regret", None, CURSE, end_turn_hp_loss=True),
        SpireCard("Shame", None, CURSE, end_turn_status="Frail"),
        SpireCard("Writhe", None, CURSE, innate=True),
    ),
)  # fmt: skip

CARDS = {card.name: card for row in _ROWS for card in row}
"""All cards by name. Names of upgraded cards end in "+"."""

HEALING_OPS = frozenset((e.OP_HEAL, e.OP_REAP, e.OP_FEED))


def _pool(*rarities: str, kinds: tuple[str, ...] = (ATTACK, SKILL, POWER), version: int = 0) -> tuple[SpireCard, ...]:
    """Return the cards of a pool: plain (version 0) or upgraded (1). Cards that heal are in no pool."""
    found = (row[version] for row in _ROWS if row[0].rarity in rarities and row[0].kind in kinds)
    return tuple(card for card in found if HEALING_OPS.isdisjoint(effect.op for effect in card.effects))


POOLS = {kind: _pool(COMMON, UNCOMMON, RARE, kinds=(kind,)) for kind in (ATTACK, SKILL, POWER)}
POOLS |= {"class": _pool(COMMON, UNCOMMON, RARE), COLOURLESS: _pool(COLOURLESS)}
POOLS[f"upgraded {COLOURLESS}"] = _pool(COLOURLESS, version=1)
"""Cards that effects make at random, by the name of the pool."""

STARTER_DECK = Counter({"Bash": 1, "Strike": 5, "Defend": 4})
"""Deck of the Ironclad at the start of a run, without curses."""

ASCENDERS_BANE = "Ascender's Bane"
"""Curse in every deck from ascension 10 on."""


MAX_HP = 999
"""Upper limit of the maximum HP."""

ENERGY = 3
"""Energy at the start of a turn, without relics."""

HAND_SIZE = 5
"""Cards drawn at the start of a turn."""

HAND_LIMIT = 10
"""Maximum size of the hand. At the limit no card is drawn, and created cards go to the discard pile."""


def ironclad(ascension: int) -> tuple[int, int, Counter[str]]:
    """Return (HP, maximum HP, deck) at the start of a run: at ascension 20, 68 of 75 HP and Ascender's Bane."""
    max_hp = 75 if ascension >= 14 else 80
    hp = max_hp if ascension < 6 else int(Fraction(max_hp * 9, 10) + Fraction(1, 2))
    return hp, max_hp, STARTER_DECK + Counter({ASCENDERS_BANE: int(ascension >= 10)})


SEARING_BLOW, RAMPAGE, BLOOD_FOR_BLOOD = "Searing Blow", "Rampage", "Blood for Blood"

RAMPAGE_DAMAGE = 8
RAMPAGE_GROWTH = 5
"""Increase of Rampage's damage each time it is played."""
RAMPAGE_GROWTH_UPGRADED = 8
"""The same increase for the upgraded card."""

MAX_RAMPAGE_GROWTHS = 9
"""Maximum number of increases of Rampage's damage in a fight."""

MAX_SEARING_BLOW_IN_FIGHT = 6
"""Maximum number of upgrades that a Searing Blow can reach in a fight."""


def searing_blow(upgrades: int) -> SpireCard:
    """Return Searing Blow with n = `upgrades` upgrades: n (n + 7) / 2 + 12 damage."""
    name = SEARING_BLOW + ("" if not upgrades else "+" if upgrades == 1 else f"+{upgrades}")
    damage = upgrades * (upgrades + 7) // 2 + 12
    return replace(CARDS[SEARING_BLOW], name=name, effects=(e.hit(damage)[0],))


# Variants. A card that a fight has changed is another card, with the changes in its name.

_VARIANT_NAME = re.compile(
    r"(?P<row>[^(]*[^( ])(?: \((?P<damage>[0-9]{1,3})\))?"
    r"(?: \(costs (?P<cost>[0-9])\))?(?: \(costs (?P<now>[0-9]) this turn\))?(?P<once> \(free once\))?"
)
"""Name of a variant: the row, the damage of a Rampage, the cost in this fight and in this turn, and free once."""


class Variant(NamedTuple):
    """A row and the changes of a fight. `damage` is 0 or that of a grown Rampage. `now` is the cost in this turn.

    `once` is true for a card that costs nothing until it is played.
    """

    row: SpireCard
    damage: int
    cost: int | None
    now: int | None
    once: bool = False

    @property
    def name(self) -> str:
        """The row's name and the changes."""
        name = self.row.name + (f" ({self.damage})" if self.damage else "")
        name += f" (costs {self.cost})" if self.cost != self.row.cost else ""
        name += f" (costs {self.now} this turn)" if self.now != self.cost else ""
        return name + " (free once)" * self.once

    @property
    def growth(self) -> int:
        """Increase of the damage each time it is played."""
        grows = {RAMPAGE: RAMPAGE_GROWTH, f"{RAMPAGE}+": RAMPAGE_GROWTH_UPGRADED}
        return grows.get(self.row.name, 0)


@lru_cache(4096)
def variant(name: str) -> Variant:
    """Return the parts of a card by its exact name. Raise `UsageError` if there is no such card."""
    match = _VARIANT_NAME.fullmatch(name)
    base, plus, upgrades = match["row"].partition("+") if match else ("", "", "")
    if match and match["row"] in CARDS:
        row = CARDS[match["row"]]
    elif match and base == SEARING_BLOW and plus and re.fullmatch("[1-9][0-9]{0,3}", upgrades):
        row = searing_blow(int(upgrades))
    elif name.partition(" (")[0] in CARDS:
        raise UsageError(f"no card named {short(name)}: costs in brackets are 0 to 9, damage 0 to 999")
    else:
        raise UsageError(f"no card named {short(name)}. Known: {', '.join(sorted(CARDS))}")
    cost = row.cost if match["cost"] is None else int(match["cost"])
    now = cost if match["now"] is None else int(match["now"])
    found = Variant(row, int(match["damage"] or 0), cost, now, match["once"] is not None)
    growths, left = divmod(found.damage - RAMPAGE_DAMAGE, found.growth or 1)
    if found.damage and not (found.growth and not left and 0 < growths <= MAX_RAMPAGE_GROWTHS):
        raise UsageError(f"no card named {short(name)}: {row.name} never has this damage")
    if (match["cost"] or match["now"] or match["once"]) and (row.cost is None or row.cost == X):
        raise UsageError(f"no card named {short(name)}: the cost of {row.name} never changes")
    return found


@lru_cache(4096)
def card_row(name: str) -> SpireCard:
    """Return a card by its exact name, which may be that of a variant or a Searing Blow with several upgrades."""
    found = variant(name)
    if name != found.name:
        return card_row(found.name)
    if name == found.row.name:
        return found.row
    effects = (e.hit(found.damage)[0],) if found.damage else found.row.effects
    # A card that creates a copy of itself creates one with the same cost.
    effects = tuple(
        replace(effect, name=name) if (effect.op, effect.name) == (e.OP_CREATE, found.row.name) else effect
        for effect in effects
    )
    return replace(found.row, name=name, cost=0 if found.once else found.now, effects=effects)


def upgraded_in_fight(card: SpireCard) -> SpireCard | None:
    """Return a card after an upgrade in a fight, None if it cannot be upgraded."""
    row, damage, cost, now, once = variant(card.name)
    if row.name.startswith(SEARING_BLOW):
        upgrades = int(row.name.partition("+")[2] or "+" in row.name)
        better = searing_blow(upgrades + 1) if upgrades < MAX_SEARING_BLOW_IN_FIGHT else None
    else:
        better = CARDS.get(f"{row.name}+") if row.upgradable else None
    if better is None:
        return None
    # The damage of upgraded variants of Rampage is 8, 16, 24, ... Other damages are rounded down to one of these.
    damage = damage // RAMPAGE_GROWTH_UPGRADED * RAMPAGE_GROWTH_UPGRADED
    if cost is None or now is None or cost == X:
        return better
    before = cost
    if row.name == BLOOD_FOR_BLOOD and row.cost != cost:
        cost = max(cost - 1, 0)
    elif row.cost != better.cost:
        cost = better.cost or 0
    damage = damage if damage > RAMPAGE_DAMAGE else 0
    return card_row(Variant(better, damage, cost, max(now + cost - before, 0) if now else 0, once).name)


def with_cost(card: SpireCard, cost: int, *, this_turn: bool) -> SpireCard | None:
    """Return a card with another cost in this turn or in this fight. None if that is its cost, or none can be set."""
    found = variant(card.name)
    if found.cost is None or found.cost == X or cost == (found.now if this_turn else found.cost):
        return None
    return card_row((found._replace(now=cost) if this_turn else found._replace(cost=cost, now=cost)).name)


def free_once(card: SpireCard) -> SpireCard | None:
    """Return a card that costs nothing until it is played. None if it costs nothing anyway."""
    found = variant(card.name)
    return card_row(found._replace(once=True).name) if (found.cost or 0) > 0 and not found.once else None


def grown(card: SpireCard) -> SpireCard | None:
    """Return a Rampage, or a card that was free once, after it was played. None for others, and at maximum damage."""
    found = variant(card.name)
    damage = (found.damage or RAMPAGE_DAMAGE) + found.growth
    is_full = damage > RAMPAGE_DAMAGE + found.growth * MAX_RAMPAGE_GROWTHS
    if found.growth and not is_full:
        found = found._replace(damage=damage)
    elif not found.once:
        return None
    return card_row(found._replace(once=False).name)


def cheaper(card: SpireCard) -> SpireCard | None:
    """Return a Blood for Blood after a loss of HP. None for other cards, and if it costs 0."""
    found = variant(card.name)
    if not card.name.startswith(BLOOD_FOR_BLOOD) or not found.cost:
        return None
    return card_row(found._replace(cost=found.cost - 1, now=max((found.now or 0) - 1, 0)).name)


def reverted(card: SpireCard) -> SpireCard | None:
    """Return a card with another cost in this turn after the turn. None for other cards."""
    found = variant(card.name)
    return card_row(found._replace(now=found.cost).name) if found.now != found.cost else None
