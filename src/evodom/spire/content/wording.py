"""Descriptions of cards, enemies and effects in English. Open it to change their wording."""

from collections.abc import Callable, Iterable

from evodom.spire.content import effects as e
from evodom.spire.content.cards import SpireCard, cheaper, grown
from evodom.spire.content.effects import SpireEffect
from evodom.spire.content.enemies import EnemyRow

_RECIPIENTS = ("", "", " to all enemies", " to random enemies", " to another enemy")
"""Words for the recipients TARGET, SELF, ENEMIES, RANDOM and OTHER."""

_CHOICES = {
    e.TO_EXHAUST: "exhaust {}",
    e.TO_DRAW_TOP: "put {} on top of the draw pile",
    e.TO_HAND: "take {} into the hand",
    e.TO_UPGRADE: "upgrade {}",
    e.TO_COPY: "copy {}",
    e.TO_HAND_FREE: "take {} into the hand",
    e.TO_DISCARD_AND_DRAW: "discard {} and draw as many",
    e.TO_DRAW_BOTTOM: "put {} at the bottom of the draw pile, free until played",
    e.TO_TAKE_ATTACK: "take an Attack{} into the hand",
    e.TO_TAKE_SKILL: "take a Skill{} into the hand",
}

_DESCRIPTIONS: dict[int, Callable[[SpireEffect], str]] = {
    e.OP_HIT: lambda x: f"{_hits(x)}{_RECIPIENTS[x.to]}",
    e.OP_HIT_BLOCK: lambda x: f"damage equal to {'the number of cards in the draw pile' if x.more else 'your block'}",
    e.OP_HIT_STRIKES: lambda x: f"{x.n} damage and {x.more} more for every card with Strike in its name",
    e.OP_HIT_X: lambda x: f"{x.n} damage X times{_RECIPIENTS[x.to]}",
    e.OP_BITE: lambda x: "damage as rolled for this louse",
    e.OP_DIVIDE: lambda x: f"damage as fixed {x.times} times",
    e.OP_FEED: lambda x: f"{x.n} damage, maximum of HP +{x.more} if it kills",
    e.OP_REAP: lambda x: f"{x.n} damage{_RECIPIENTS[x.to]}, heal the HP they lose",
    e.OP_DROPKICK: lambda x: f"{x.n} damage, 1 energy and draw 1 if the enemy is Vulnerable",
    e.OP_DAMAGE: lambda x: f"{x.n} damage{_RECIPIENTS[x.to]}",
    e.OP_BLOCK: lambda x: f"{x.n} block",
    e.OP_PLAIN_BLOCK: lambda x: f"{x.n} block",
    e.OP_DOUBLE_BLOCK: lambda x: "double your block",
    e.OP_LOSE_HP: lambda x: f"lose {x.n} HP",
    e.OP_HEAL: lambda x: f"heal {x.n}{' % of the maximum' if x.more else ''}",
    e.OP_MAX_HP: lambda x: f"maximum of HP +{x.n}",
    e.OP_GIVE: lambda x: f"{x.name} {x.n}{_RECIPIENTS[x.to]}",
    e.OP_LOSE: lambda x: f"loses {x.name}",
    e.OP_DOUBLE_STRENGTH: lambda x: "double your Strength",
    e.OP_SPOT: lambda x: f"Strength {x.n} if the enemy intends to attack",
    e.OP_ENERGY: lambda x: f"{x.n} energy",
    e.OP_SHACKLE: lambda x: f"Strength {-x.n} until the end of the round",
    e.OP_DRAW: lambda x: f"draw {x.n}",
    e.OP_CREATE: lambda x: f"{x.n} {x.name} into the {_pile(x)}",
    e.OP_EXHAUST_RANDOM: lambda x: "exhaust a random card",
    e.OP_EXHAUST_HAND: lambda x: f"exhaust the hand, {x.n} damage for every card",
    e.OP_EXHAUST_OTHERS: lambda x: f"exhaust all cards but Attacks{f', {x.n} block for each' if x.n else ''}",
    e.OP_UPGRADE_HAND: lambda x: f"upgrade {'all cards' if x.more else 'the hand'}",
    e.OP_DRAW_WITHOUT_ATTACKS: lambda x: f"draw {x.n} if no Attack is in hand",
    e.OP_SHUFFLE_ALL: lambda x: "shuffle the discard pile into the draw pile",
    e.OP_TAKE_ATTACKS: lambda x: f"take {x.n} random Attacks of the draw pile into the hand",
    e.OP_UPGRADE_RANDOM: lambda x: "upgrade a random card",
    e.OP_PLAY_TOP: lambda x: f"play the top {f'{x.n} cards' if x.n > 1 else 'card'} of the draw pile{_and_exhausts(x)}",
    e.OP_CHOOSE: lambda x: _CHOICES[x.to].format(_cards(x)) + _at_cost(x),
    e.OP_UPGRADE_COPIES: lambda x: f"every {x.name} is upgraded",
    e.OP_STEAL: lambda x: f"steals {x.n} gold",
    e.OP_ESCAPE: lambda x: "escapes",
    e.OP_PROTECT: lambda x: f"{x.n} block{_RECIPIENTS[x.to]}",
    e.OP_SPLIT: lambda x: "splits into two",
    e.OP_ACTIVATE: lambda x: "fixes the damage of Divider: a twelfth of your HP, rounded down, and 1",
    e.OP_ATTACK_MODE: lambda x: "turns to attack",
    e.OP_FLEE: lambda x: "flee from the fight",
    e.OP_MAKE: lambda x: f"{'X' if x.n == e.X else x.n} random {_of_pool(x)} into the {_pile(x)}{_at_cost(x)}",
    e.OP_OFFER: lambda x: f"choose 1 of 3 random {_of_pool(x)}{_at_cost(x)}",
    e.OP_FREE_RANDOM: lambda x: f"a random card of the hand{_at_cost(x)}",
    e.OP_LIMIT_COSTS: lambda x: f"cards of the hand cost at most {x.n}{_for(x)}",
    e.OP_RANDOM_COSTS: lambda x: "every card of the hand gets a random cost of 0 to 3",
}


def _hits(effect: SpireEffect) -> str:
    strength = f", Strength counting {effect.strength} times" if effect.strength > 1 else ""
    return f"{effect.n} damage{f' {effect.times} times' if effect.times > 1 else ''}{strength}"


def _of_pool(effect: SpireEffect) -> str:
    plural = "" if effect.op == e.OP_MAKE and effect.n == 1 else "s"
    return f"card{plural}" if effect.name == "class" else f"{effect.name} card{plural}"


def _at_cost(effect: SpireEffect) -> str:
    return f", at cost 0{_for(effect)}" if effect.scope else ""


def _for(effect: SpireEffect) -> str:
    return " this turn" if effect.scope == e.THIS_TURN else " in this fight"


def _and_exhausts(effect: SpireEffect) -> str:
    return ", and exhaust it" if effect.more else ""


def _cards(effect: SpireEffect) -> str:
    n = {1: "a card", e.ANY_NUMBER: "any number of cards"}.get(effect.n, f"{effect.n} cards")
    if effect.n > e.UP_TO and effect.n != e.ANY_NUMBER:
        n = f"up to {effect.n - e.UP_TO} cards"
    if effect.to in (e.TO_TAKE_ATTACK, e.TO_TAKE_SKILL):
        n = ""
    if effect.to == e.TO_COPY:
        n = "an Attack or Power" + (f" {effect.n} times" if effect.n > 1 else "")
    return n + (f" of the {_pile(effect)}" if effect.pile != e.HAND else "")


def _pile(effect: SpireEffect) -> str:
    return e.PILES[effect.pile] + (" pile" if effect.pile != e.HAND else "")


def effects_to_text(effects: Iterable[SpireEffect]) -> str:
    """Return effects in words, such as "8 damage, Vulnerable 2"."""
    return ", ".join(_DESCRIPTIONS[effect.op](effect) for effect in effects)


def card_to_text(card: SpireCard) -> str:
    """Return the effects and properties of a card in words."""
    parts = [effects_to_text(card.effects)] if card.effects else []
    at_the_end = "at the end of a turn in hand"
    parts += [f"{card.end_turn_damage} damage {at_the_end}"] if card.end_turn_damage else []
    parts += [f"{card.end_turn_status} 1 {at_the_end}"] if card.end_turn_status else []
    parts += [f"lose as many HP as there are cards in hand {at_the_end}"] if card.end_turn_hp_loss else []
    parts += [f"{card.energy_when_drawn} energy when drawn"] if card.energy_when_drawn else []
    parts += [f"{card.energy_when_exhausted} energy when exhausted"] if card.energy_when_exhausted else []
    parts += [f"no more than {card.max_cards_per_turn} cards a turn while in hand"] if card.max_cards_per_turn else []
    if card.hp_loss_per_other_card:
        parts.append(f"every other card costs {card.hp_loss_per_other_card} HP while in hand")
    parts += _growth(card)
    parts += ["only if every card in hand is an Attack"] if card.needs_only_attacks else []
    parts += ["a new copy comes into the hand when it is exhausted"] if card.returns else []
    parts += [word for word in ("innate", "ethereal") if getattr(card, word)]
    parts += ["exhausts"] if card.exhausts else []
    return "; ".join(parts) or "nothing"


def _growth(card: SpireCard) -> list[str]:
    """Return in words how a card changes during a fight: the difference between the card and its next variant."""
    stronger = grown(card)
    growth = [f"{stronger.effects[0].n - card.effects[0].n} more every time it is played"] if stronger else []
    return [*growth, *["costs 1 less for every loss of HP"] * (cheaper(card) is not None)]


def enemy_to_text(row: EnemyRow) -> str:
    """Return an enemy in words: its HP, initial statuses and moves."""
    parts = [_range(row.hp) + " HP"]
    parts += [f"block {row.block}"] if row.block else []
    parts += [f"{status} {amount}" for status, amount in row.statuses.items() if status != "Splits"]
    parts += [f"{status} {_range(bounds)}" for status, bounds in row.random_statuses.items()]
    parts += [f"splits into {' and '.join(row.children)}"] if row.children else []
    moves = [f"{name} ({effects_to_text(effects) or 'nothing'})" for name, effects in row.moves.items()]
    return ", ".join(parts) + ": " + "; ".join(moves)


def _range(bounds: tuple[int, int]) -> str:
    """Return the minimum and maximum of a number as text."""
    least, most = bounds
    return f"{least}-{most}" if least < most else str(least)
