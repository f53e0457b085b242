"""Dominion with chosen piles, starting decks and turns: games that are small enough for exact algorithms.

>>> from numpy.random import default_rng
>>> game = small_dominion("2 Province, 2 Gold, Smithy", "3 Copper, 2 Silver", turns=3)
>>> state = game.start(default_rng(1))
>>> [game.action_name(action) for action in game.actions(state)]
['Gold', 'Smithy', 'pass']
"""

from evodom.dominion.cards import BASIC
from evodom.dominion.contract import Dominion
from evodom.dominion.engine.rules import MAX_TURNS
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.position import read_counts
from evodom.errors import UsageError, short


def small_dominion(supply: str, deck: str = "", turns: int = MAX_TURNS, *, n_players: int = 2) -> Dominion:
    """Return a game that pays wins. Its Supply and starting decks have only the given cards.

    Args:
        supply: sizes of the piles, such as "2 Province, 2 Gold, Smithy". It must have a Province. A game without these
            piles has no kingdom of ten cards, so it is no `Kingdom` of other commands.
        deck: cards of each starting deck, such as "3 Copper, 2 Silver". "" is the usual deck.
        turns: number of turns of each player.
    """
    piles, cards = dict(read_counts(supply)), dict(read_counts(deck))
    if not piles.get("Province"):
        raise UsageError(f"supply is {short(supply)}. Allowed: sizes of piles with Province, such as 2 Province, Moat.")
    if isinstance(turns, bool) or turns not in range(1, MAX_TURNS + 1):
        raise UsageError(f"turns is {short(turns)}. Allowed: 1 to {MAX_TURNS}.")
    basic = {card.name for card in BASIC}
    kingdom = Kingdom(tuple(dict.fromkeys(name for name in (*piles, *cards) if name not in basic)))
    game = Dominion(kingdom, n_players, pays="win")
    game.rules = game.rules.copy()
    game.rules.supply[: len(kingdom.names)] = [piles.get(name, 0) for name in kingdom.names]
    game.rules.max_turns = turns
    game.deck = {kingdom.pile(name): n for name, n in cards.items()}
    return game
