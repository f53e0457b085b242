"""Which baselines fit a kingdom: those that find all the cards they want in it."""

from evodom.dominion.cards import kingdom_piles
from evodom.dominion.strategies.scripted import BASELINES, MENUS


def missing_cards(name: str, kingdom: tuple[str, ...]) -> list[str]:
    """Return the cards a baseline wants that a kingdom's Supply lacks."""
    supply = {card.name for card in kingdom_piles(kingdom)}
    return [wish.card for wish in MENUS.get(name, ()) if wish.card not in supply]


def fitting_baselines(kingdom: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of the baselines that lack no card in a kingdom, weakest first."""
    return tuple(name for name in BASELINES if not missing_cards(name, kingdom))
