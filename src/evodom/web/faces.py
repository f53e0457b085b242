"""The faces of Dominion cards as JSON."""

from evodom.dominion.cards import BASIC, CARDS, COLONY_CARDS, Card, is_dropped
from evodom.dominion.cards.base import BASE_SET
from evodom.web.site import Json

_COLONY_NAMES = {card.name for card in COLONY_CARDS}


def card_face(card: Card) -> Json:
    """Return a card as JSON for drawing."""
    return {
        "name": card.name,
        "cost": card.cost,
        "types": card.type_line.split(" - "),
        "lines": [line.rstrip(".") for line in card.text.split(". ")],
        "basic": card.name in [basic.name for basic in BASIC],
        "colony": card.name in _COLONY_NAMES,
        "group": _group(card),
        "set": card.card_set,
    }


def changed_faces(piles: tuple[Card, ...]) -> list[Json]:
    """Return the faces of the cards that differ in a game. Charlatan, for example, changes Curse."""
    return [card_face(card) for card in piles if card != CARDS[card.name]]


def _group(card: Card) -> str:
    """Return the heading for a card in lists of cards: "First edition only", else its set.

    Platinum and Colony are listed with the Base Set.
    """
    if is_dropped(card):
        return "First edition only"
    return BASE_SET.name if card.name in _COLONY_NAMES else card.card_set
