"""How menus play their cards unless they say otherwise: tables of numbers by card.

The numbers are those of published simulations of such strategies; cards which those leave out (Remodel, Artisan and
the first edition's) are fitted in.
"""

PLAY = {
    "Sentry": 2, "Festival": 3, "Village": 5, "Harbinger": 5, "Merchant": 7, "Throne Room": 7, "Laboratory": 8,
    "Spy": 9, "Poacher": 10, "Market": 13, "Cellar": 16, "Witch": 18, "Artisan": 19, "Library": 20, "Adventurer": 22,
    "Moneylender": 23, "Bandit": 23, "Mine": 24, "Smithy": 25, "Council Room": 25, "Vassal": 25, "Remodel": 26,
    "Feast": 27, "Chancellor": 28, "Woodcutter": 28, "Bureaucrat": 29, "Militia": 30, "Thief": 31, "Moat": 33,
    "Chapel": 37, "Workshop": 38,
}  # fmt: skip
"""The Action in hand with the lowest number is played first, ..."""

PLAY_WITH_SPARE_ACTIONS = {"Smithy": 6, "Council Room": 6}
"""... these with other numbers while more than one Action is left, ..."""

PLAY_WITHOUT_CURSES = {"Witch": 33}
"""... and these once no Curses are left."""

DISCARD = {
    "Province": 7, "Duchy": 8, "Estate": 9, "Gardens": 9, "Curse": 10, "Copper": 15, "Harbinger": 16, "Cellar": 17,
    "Chapel": 18, "Chancellor": 18, "Thief": 18, "Merchant": 19, "Silver": 20, "Bureaucrat": 20, "Remodel": 20,
    "Woodcutter": 20, "Moneylender": 21, "Village": 21, "Mine": 22, "Sentry": 22, "Workshop": 22, "Throne Room": 22,
    "Feast": 22, "Moat": 23, "Bandit": 23, "Vassal": 23, "Spy": 23, "Smithy": 24, "Gold": 24, "Adventurer": 24,
    "Militia": 25, "Festival": 26, "Artisan": 26, "Council Room": 27, "Market": 30, "Poacher": 30, "Library": 30,
    "Laboratory": 40, "Witch": 40,
}  # fmt: skip
"""What a card is worth in hand: the lowest is discarded first."""

KEEP = DISCARD | {"Curse": 0, "Province": 60}
"""What a card is worth to own: the lowest is trashed first, ..."""

KEEP_WANTED = {"Estate": 35, "Duchy": 40}
"""... these with other values while the conditions of one of their rules hold."""

TRASH_BELOW = 16
"""Cards worth less than this to own are trashed when they may be, ..."""

COIN_FLOOR = 6
"""... but by Chapel no Treasure that would leave the deck with fewer coins than this."""

DISCARD_TO = 20
"""Cards worth at most this in hand are discarded where they may be (Cellar, Sentry)."""
