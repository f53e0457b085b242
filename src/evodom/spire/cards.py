"""The cards of the Ironclad, each with its plain and upgraded numbers, and the cards that enemies put into decks."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from evodom.spire import statuses as s
from evodom.spire.effects import (
    DRAW,
    ENEMIES,
    HAND,
    SELF,
    BoardEffect,
    ExhaustChosen,
    ExhaustRandom,
    HitForBlock,
    LoseHp,
    Pair,
    block,
    both,
    create,
    draw,
    energy,
    give,
    hit,
)

ATTACK, SKILL, POWER, STATUS, CURSE = "Attack", "Skill", "Power", "Status", "Curse"


@dataclass(frozen=True)
class SpireCard:
    """A card: its cost in energy (None: unplayable), its kind, and what playing it does, line by line."""

    name: str
    cost: int | None
    kind: str
    effects: tuple[BoardEffect, ...] = ()
    exhausts: bool = False
    ethereal: bool = False
    needs_attacks: bool = False
    """Can be played only if every card of the hand is an Attack."""
    burn: int = 0
    """Plain damage at the end of a turn with this card in hand."""

    @property
    def targeted(self) -> bool:
        """Whether it is aimed at one enemy."""
        return any(
            isinstance(effect, HitForBlock) or getattr(effect, "at", getattr(effect, "to", None)) == "target"
            for effect in self.effects
        )

    @property
    def picks(self) -> bool:
        """Whether playing it means choosing a card of the hand to exhaust."""
        return any(isinstance(effect, ExhaustChosen) for effect in self.effects)


def _both(
    name: str,
    cost: int | tuple[int, int],
    kind: str,
    *effects: Pair,
    exhausts: bool | tuple[bool, bool] = False,
    ethereal: bool = False,
    needs_attacks: bool = False,
) -> tuple[SpireCard, SpireCard]:
    """Make the two rows of a card, plain and upgraded ("+")."""
    costs = cost if isinstance(cost, tuple) else (cost, cost)
    gone = exhausts if isinstance(exhausts, tuple) else (exhausts, exhausts)
    plain, upgraded = (
        SpireCard(name + "+" * i, costs[i], kind, tuple(pair[i] for pair in effects), gone[i], ethereal, needs_attacks)
        for i in (0, 1)
    )
    return plain, upgraded


_ROWS: tuple[tuple[SpireCard, ...], ...] = (
    # basic
    _both("Bash", 2, ATTACK, hit(8, 10), give(s.VULNERABLE, 2, 3)),
    _both("Strike", 1, ATTACK, hit(6, 9)),
    _both("Defend", 1, SKILL, block(5, 8)),
    # common
    _both("Anger", 0, ATTACK, hit(6, 8), create("Anger", "Anger+")),
    _both("Body Slam", (1, 0), ATTACK, both(HitForBlock())),
    _both("Clash", 0, ATTACK, hit(14, 18), needs_attacks=True),
    _both("Cleave", 1, ATTACK, hit(8, 11, at=ENEMIES)),
    _both("Clothesline", 2, ATTACK, hit(12, 14), give(s.WEAK, 2, 3)),
    _both("Flex", 0, SKILL, give(s.STRENGTH, 2, 4, to=SELF), give(s.STRENGTH_DOWN, 2, 4, to=SELF)),
    _both("Iron Wave", 1, ATTACK, block(5, 7), hit(5, 7)),
    _both("Pommel Strike", 1, ATTACK, hit(9, 10), draw(1, 2)),
    _both("Shrug It Off", 1, SKILL, block(8, 11), draw(1)),
    _both("Thunderclap", 1, ATTACK, hit(4, 7, at=ENEMIES), give(s.VULNERABLE, 1, to=ENEMIES)),
    _both("True Grit", 1, SKILL, block(7, 9), (ExhaustRandom(), ExhaustChosen())),
    _both("Twin Strike", 1, ATTACK, hit(5, 7, times=(2, 2))),
    _both("Wild Strike", 1, ATTACK, hit(12, 17), create("Wound", pile=DRAW)),
    # uncommon
    _both("Battle Trance", 0, SKILL, draw(3, 4), give(s.NO_DRAW, 1, to=SELF)),
    _both("Bloodletting", 0, SKILL, both(LoseHp(3)), energy(2, 3)),
    _both("Carnage", 2, ATTACK, hit(20, 28), ethereal=True),
    _both("Disarm", 1, SKILL, give(s.STRENGTH, -2, -3), exhausts=True),
    _both("Ghostly Armor", 1, SKILL, block(10, 13), ethereal=True),
    _both("Hemokinesis", 1, ATTACK, both(LoseHp(2)), hit(15, 20)),
    _both("Inflame", 1, POWER, give(s.STRENGTH, 2, 3, to=SELF)),
    _both("Intimidate", 0, SKILL, give(s.WEAK, 1, 2, to=ENEMIES), exhausts=True),
    _both("Metallicize", 1, POWER, give(s.METALLICIZE, 3, 4, to=SELF)),
    _both("Power Through", 1, SKILL, create("Wound", amount=2, pile=HAND), block(15, 20)),
    _both("Pummel", 1, ATTACK, hit(2, times=(4, 5)), exhausts=True),
    _both("Reckless Charge", 0, ATTACK, hit(7, 10), create("Dazed", pile=DRAW)),
    _both("Seeing Red", (1, 0), SKILL, energy(2), exhausts=True),
    _both("Shockwave", 2, SKILL, give(s.WEAK, 3, 5, to=ENEMIES), give(s.VULNERABLE, 3, 5, to=ENEMIES), exhausts=True),
    _both("Uppercut", 2, ATTACK, hit(13), give(s.WEAK, 1, 2), give(s.VULNERABLE, 1, 2)),
    # rare
    _both("Bludgeon", 3, ATTACK, hit(32, 42)),
    _both("Demon Form", 3, POWER, give(s.DEMON_FORM, 2, 3, to=SELF)),
    _both("Immolate", 2, ATTACK, hit(21, 28, at=ENEMIES), create("Burn")),
    _both("Impervious", 2, SKILL, block(30, 40), exhausts=True),
    _both("Offering", 0, SKILL, both(LoseHp(6)), energy(2), draw(3, 5), exhausts=True),
    # not bought: what enemies and the ascent put into a deck
    (
        SpireCard("Ascender's Bane", None, CURSE, ethereal=True),
        SpireCard("Burn", None, STATUS, burn=2),
        SpireCard("Dazed", None, STATUS, ethereal=True),
        SpireCard("Slimed", 1, STATUS, exhausts=True),
        SpireCard("Wound", None, STATUS),
    ),
)

CARDS = {card.name: card for row in _ROWS for card in row}
"""Every card by its name; an upgraded one ends in "+"."""

STARTER = Counter({"Bash": 1, "Strike": 5, "Defend": 4})
"""The deck the Ironclad starts with."""

BANE = "Ascender's Bane"
"""The curse that is in every deck from ascension 10 on."""
