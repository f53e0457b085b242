"""Write in words what cards, enemies and relics do."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from evodom.spire import effects as e
from evodom.spire.cards import SpireCard
from evodom.spire.enemies import EnemyRow

_TO = {e.SELF: "", e.TARGET: "", e.ENEMIES: " to all enemies"}

_WORDS: dict[type, Callable[[Any], str]] = {
    e.Hit: lambda x: f"{x.amount} damage{f' {x.times} times' if x.times > 1 else ''}{_TO[x.at]}",
    e.HitForBlock: lambda x: "damage equal to your block",
    e.BiteFor: lambda x: "damage as rolled for this louse",
    e.Damage: lambda x: f"{x.amount} damage to all enemies",
    e.Block: lambda x: f"{x.amount} block",
    e.PlainBlock: lambda x: f"{x.amount} block",
    e.Give: lambda x: f"{x.status} {x.amount}{_TO[x.to]}",
    e.Lose: lambda x: f"loses {x.status}",
    e.LoseHp: lambda x: f"lose {x.amount} HP",
    e.Energy: lambda x: f"{x.amount} energy",
    e.Draw: lambda x: f"draw {x.amount}",
    e.Create: lambda x: f"{x.amount} {x.card} into the {x.pile}",
    e.ExhaustRandom: lambda x: "exhaust a random card",
    e.ExhaustChosen: lambda x: "exhaust a card",
}


def effects_to_text(effects: Iterable[e.BoardEffect]) -> str:
    """Write effects: "8 damage, Vulnerable 2"."""
    return ", ".join(_WORDS[type(effect)](effect) for effect in effects)


def card_to_text(card: SpireCard) -> str:
    """Write what a card does, and what becomes of it."""
    parts = [effects_to_text(card.effects)] if card.effects else []
    parts += [f"{card.burn} damage at the end of a turn in hand"] if card.burn else []
    parts += ["only if every card in hand is an Attack"] if card.needs_attacks else []
    parts += ["ethereal"] if card.ethereal else []
    parts += ["exhausts"] if card.exhausts else []
    return "; ".join(parts) or "nothing"


def enemy_to_text(row: EnemyRow) -> str:
    """Write an enemy: its HP, what it starts with, and what its moves do."""
    least, most = row.hp
    parts = [f"{least}-{most} HP"]
    parts += [f"block {row.block}"] if row.block else []
    parts += [f"{status} {amount}" for status, amount in row.statuses.items()]
    parts += [f"{status} {low}-{high}" for status, (low, high) in row.rolled.items()]
    moves = [f"{name} ({effects_to_text(effects) or 'nothing'})" for name, effects in row.moves.items()]
    return ", ".join(parts) + ": " + "; ".join(moves)
