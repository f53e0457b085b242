"""What a page shows of a fight: the player, the enemies and what they intend, the piles, and every move."""

from collections.abc import Sequence
from typing import Any

from evodom.search.options import ActionEstimate
from evodom.sessions.fight import FightTable
from evodom.spire.engine.layout import DISCARD, DRAW, EXHAUST, FLED, HAND, LATE, LOST, N_FIGHTERS
from evodom.spire.engine.moves import END, FIRST_CARD, FIRST_CHOICE, FIRST_POTION
from evodom.spire.fights.text import choice_to_text, intent_of, statuses_of
from evodom.spire.rows.cards import Card, X
from evodom.spire.rows.wording import card_to_text
from evodom.web.fights.form import Json

_ENDS = {LOST: "You are dead.", LATE: "Not won in time, which counts as lost.", FLED: "You have fled."}

PILES = {"draw": DRAW, "discard": DISCARD, "exhaust": EXHAUST}


def position(table: FightTable) -> Json:
    """Return a position as plain JSON types."""
    fight = table.view
    told: Json = {
        "over": table.over,
        "played": table.n_played,
        "you": {"hp": int(fight.hp[0]), "max_hp": int(fight.max_hp[0]), "block": int(fight.block[0])}
        | {"energy": int(fight.energy), "statuses": _statuses(fight, 0)},
        "enemies": [_enemy(table, fight, place) for place in range(1, N_FIGHTERS) if fight.hp[place] > 0],
        "hand": _cards(table, fight, HAND),
        "piles": {name: _cards(table, fight, pile) for name, pile in PILES.items()},
        "next": [table.game.rules.kinds[fight.top[place]].name for place in range(fight.n_top - 1, -1, -1)],
        "potions": [name for name, here in zip(table.game.rules.potions, fight.potions, strict=False) if here],
        "question": "" if table.over else choice_to_text(fight),
        "moves": [] if table.over else [_move(table, move) for move in table.moves()],
        "can_end": table.can_end(),
    }
    if table.over:
        (hp,) = table.game.returns(table.state)
        told["end"] = _ENDS.get(int(fight.over), f"Won, with {hp} HP left.")
        told["won"] = int(fight.over) not in _ENDS
    return told


def _enemy(table: FightTable, fight: Any, place: int) -> Json:
    intent, damage = intent_of(table.game, fight, place)
    return {
        "place": place,
        "name": table.game.rules.rows[fight.row[place]],
        "hp": int(fight.hp[place]),
        "max_hp": int(fight.max_hp[place]),
        "block": int(fight.block[place]),
        "intent": intent,
        "damage": damage,
        "statuses": _statuses(fight, place),
    }


def _statuses(fight: Any, who: int) -> list[Json]:
    return [{"name": name, "n": n} for name, n in statuses_of(fight, who)]


def _cards(table: FightTable, fight: Any, pile: int) -> list[Json]:
    """Return the cards of a pile by name."""
    kinds = table.game.rules.kinds
    return [_card(kinds[kind]) | {"n": int(n)} for kind, n in enumerate(fight.piles[pile]) if n]


def _card(card: Card) -> Json:
    cost = "" if card.cost is None else "X" if card.cost == X else str(card.cost)
    return {"name": card.name, "kind": card.kind, "cost": cost, "text": card_to_text(card)}


def _move(table: FightTable, move: int) -> Json:
    """Return a move: in words, with the card or potion that is used and the enemy it is aimed at (0: none).

    ``hand`` tells whether the card is played, or chosen, out of the hand.
    """
    told: Json = {"move": move, "text": table.text(move), "card": "", "enemy": 0, "hand": False}
    if move == END:
        return told
    if move >= FIRST_CHOICE:
        in_hand = bool(table.view.choose_pile == HAND)
        return told | {"card": table.game.rules.kinds[move - FIRST_CHOICE].name, "hand": in_hand}
    if move >= FIRST_POTION:
        what, enemy = divmod(move - FIRST_POTION, N_FIGHTERS)
        return told | {"potion": table.game.rules.potions[what], "enemy": enemy}
    what, enemy = divmod(move - FIRST_CARD, N_FIGHTERS)
    return told | {"card": table.game.rules.kinds[what].name, "enemy": enemy, "hand": True}


def figures(found: Sequence[ActionEstimate[int]]) -> list[Json]:
    """Return what a search found of each move."""
    return [
        {"move": one.action, "visits": one.visits, "worth": round(one.value, 3), "death": round(one.loss, 4)}
        for one in found
    ]
