"""The faces of Dominion cards as JSON."""

from evodom.dominion.cards import BASIC, CARDS, COLONY_CARDS, Card, is_dropped
from evodom.dominion.cards.base import BASE_SET
from evodom.web.site import Json

_BASIC_NAMES = {card.name for card in BASIC}


def card_face(card: Card) -> Json:
    """Return a card as JSON for drawing."""
    return {
        "name": card.name,
        "cost": card.cost,
        "types": card.type_line.split(" - "),
        "lines": [line.rstrip(".") for line in card.text.split(". ")],
        "basic": card.name in _BASIC_NAMES,
        "colony": card in COLONY_CARDS,
        "group": _group(card),
        "set": card.card_set,
    }


def changed_faces(piles: tuple[Card, ...]) -> list[Json]:
    """Return the faces of the piles that a kingdom card changes, as Charlatan changes Curse."""
    return [card_face(card) for card in piles if card != CARDS[card.name]]


def _group(card: Card) -> str:
    """Return the heading under which pages offer a card: its set. Platinum and Colony stand with the Base Set."""
    return "First edition only" if is_dropped(card) else BASE_SET.name if card in COLONY_CARDS else card.card_set
