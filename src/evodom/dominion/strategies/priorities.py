"""How buy lists play their cards unless they say otherwise: what the rows of the cards say, as tables by name.

The numbers are those of published simulations of such strategies; cards which those leave out (Remodel, Artisan and
the first edition's) are fitted in.
"""

from evodom.dominion.cards import ACTION, CARDS


def _said(column: str) -> dict[str, int]:
    """Return a column of the cards whose rows say it."""
    return {name: n for name, card in CARDS.items() if (n := getattr(card, column)) is not None}


PLAY = {name: card.play_order for name, card in CARDS.items() if ACTION in card.types}
"""The Action in hand with the lowest number is played first, ..."""

PLAY_WITH_SPARE_ACTIONS = _said("play_with_spare_actions")
"""... these with other numbers while more than one Action is left, ..."""

PLAY_WITHOUT_CURSES = _said("play_without_curses")
"""... and these once no Curses are left."""

DISCARD = _said("discard")
"""What a card is worth in hand: the lowest is discarded first."""

KEEP = DISCARD | _said("keep")
"""What a card is worth to own: the lowest is trashed first, ..."""

KEEP_WANTED = _said("keep_wanted")
"""... these with other values while the conditions of one of their rules hold."""

TRASH_BELOW = 16
"""Cards worth less than this to own are trashed when they may be, ..."""

COIN_FLOOR = 6
"""... but by Chapel no Treasure that would leave the deck with fewer coins than this."""

DISCARD_TO = 20
"""Cards worth at most this in hand are discarded where they may be (Cellar, Sentry)."""
