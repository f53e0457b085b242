"""The vocabulary of Effects: one change to the game each, written the way a line of a card says it.

A card is a row of Effects (see `cards`). `rules` encodes them as integers for the kernel, one row an Effect, with the
columns at the end of this module; `engine` resolves them. ``docs/effects.md`` shows how every Base Set card is said.
"""

from dataclasses import dataclass, replace
from enum import IntFlag


class Type(IntFlag):
    """The types printed on a card."""

    ACTION = 1
    ATTACK = 2
    REACTION = 4
    TREASURE = 8
    VICTORY = 16
    CURSE = 32


# Zones. A player has a hand, a deck and a discard pile; the rest exist once. `state.row_of` finds a zone's row.
HAND, DECK, DISCARD = 0, 6, 12
IN_PLAY, SET_ASIDE, REVEALED, SUPPLY, TRASH = 18, 19, 20, 21, 22
DECK_TOP = 23
"""A place to put a card: onto the deck, where its owner knows it to be."""

# Operations.
OP_CARDS, OP_ACTIONS, OP_BUYS, OP_COINS, OP_SILVER_BONUS = 0, 1, 2, 3, 4
OP_GAIN, OP_CHOOSE, OP_CARDS_PER_CHOSEN, OP_EACH_OPPONENT, OP_OFFER_REACTION = 5, 6, 7, 8, 9
OP_PLAY_ACTION, OP_PLAY_TREASURE, OP_BUY = 10, 11, 12

# How many choices a choice comes to: n, all above n in hand, or as many as wanted.
COUNT_N, COUNT_DOWN_TO, COUNT_ANY = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Effect:
    """One change to the game; the functions below are the way to write it."""

    op: int
    text: str = ""
    """The line of the card, in our own words."""
    verb: str = ""
    """For a choice: what happens to the chosen card, as it is asked ("discard", "trash", "gain to your hand")."""
    n: int = 0
    count: int = COUNT_N
    source: int = HAND
    target: int = DISCARD
    types: Type | None = None
    """Only cards with one of these types qualify."""
    name: str = ""
    """Only the card of this name qualifies."""
    max_cost: int | None = None
    plus: int | None = None
    """Only cards costing up to this much more than the card chosen before qualify."""
    optional: bool = False
    if_chosen: bool = False
    """Resolved only if the choice before it chose a card."""
    unless_unaffected: bool = False
    each: tuple["Effect", ...] = ()


def cards(n: int) -> Effect:
    """Draw ``n`` cards."""
    return Effect(OP_CARDS, f"+{n} Card{'s' * (n > 1)}", n=n)


def actions(n: int) -> Effect:
    """Add ``n`` Actions."""
    return Effect(OP_ACTIONS, f"+{n} Action{'s' * (n > 1)}", n=n)


def buys(n: int) -> Effect:
    """Add ``n`` Buys."""
    return Effect(OP_BUYS, f"+{n} Buy{'s' * (n > 1)}", n=n)


def coins(n: int) -> Effect:
    """Add ``n`` coins."""
    return Effect(OP_COINS, f"+${n}", n=n)


def silver_bonus(n: int) -> Effect:
    """Add ``n`` coins when the first Silver of the turn is played, if none has been."""
    return Effect(OP_SILVER_BONUS, f"The first Silver you play this turn gives +${n}", n=n)


def gain(name: str, target: int = DISCARD) -> Effect:
    """Gain the named card."""
    return Effect(OP_GAIN, f"Gain a {name}", n=1, source=SUPPLY, target=target, name=name)


def cards_per_chosen() -> Effect:
    """Draw as many cards as the choice before this one chose."""
    return Effect(OP_CARDS_PER_CHOSEN, "Draw as many cards")


def discard_any() -> Effect:
    """Choose any number of cards from hand and discard them."""
    return Effect(OP_CHOOSE, "Discard any number of cards", "discard", count=COUNT_ANY, optional=True)


def discard_down_to(n: int) -> Effect:
    """Choose cards from hand and discard them until ``n`` are left."""
    return Effect(OP_CHOOSE, f"discard down to {n} cards in hand", "discard", n=n, count=COUNT_DOWN_TO)


def trash_from_hand(types: Type | None = None, *, name: str = "", n: int = 1, optional: bool = False) -> Effect:
    """Choose ``n`` cards from hand, of a type or a name, and trash them."""
    what = name or _kind(types)
    many = f"a {what}" if n == 1 else f"up to {n} {what}s"
    text = f"{'You may trash' if optional and n == 1 else 'Trash'} {many} from your hand"
    return Effect(OP_CHOOSE, text, "trash", n=n, target=TRASH, types=types, name=name, optional=optional)


def gain_costing_up_to(max_cost: int, *, target: int = DISCARD) -> Effect:
    """Choose a card of the Supply costing up to ``max_cost`` and gain it."""
    text = f"Gain a card costing up to ${max_cost}" + _where(target)
    return Effect(OP_CHOOSE, text, "gain" + _where(target), n=1, source=SUPPLY, target=target, max_cost=max_cost)


def gain_costing_up_to_trashed(*, plus: int, types: Type | None = None, target: int = DISCARD) -> Effect:
    """Choose a card of the Supply costing up to ``plus`` more than the card just trashed, and gain it."""
    what = _kind(types)
    text = f"Gain a {what} costing up to ${plus} more{_where(target)}"
    return Effect(
        OP_CHOOSE,
        text,
        "gain" + _where(target),
        n=1,
        source=SUPPLY,
        target=target,
        types=types,
        plus=plus,
        if_chosen=True,
    )


def each_opponent(*effects: Effect) -> Effect:
    """Let every other player, in turn order, resolve ``effects``."""
    return Effect(OP_EACH_OPPONENT, "Each other player: " + ", ".join(e.text for e in effects), each=effects)


def offer_reaction() -> Effect:
    """Let every other player who can reveal a Reaction do so and be unaffected; an Attack begins with it."""
    return Effect(OP_OFFER_REACTION, verb="reveal", optional=True)


def affected_only(effect: Effect) -> Effect:
    """Spare the players who revealed a Reaction: what ``each_opponent`` means on an Attack."""
    return replace(effect, unless_unaffected=True) if effect.op == OP_EACH_OPPONENT else effect


def _kind(types: Type | None) -> str:
    return (types.name or "").capitalize() if types else "card"


def _where(target: int) -> str:
    return {HAND: " to your hand", DECK_TOP: " onto your deck"}.get(target, "")


PHASE_EFFECTS = (
    Effect(OP_PLAY_ACTION, "Play an Action", "play", target=IN_PLAY, types=Type.ACTION, optional=True),
    Effect(OP_PLAY_TREASURE, "Play a Treasure", "play", target=IN_PLAY, types=Type.TREASURE, optional=True),
    Effect(OP_BUY, "Buy a card", "buy", source=SUPPLY, target=DISCARD, optional=True),
)
"""What a player may do in the phases of a turn, asked like the choice on a card: the first rows of every table."""

PLAY_ACTION_ROW, PLAY_TREASURE_ROW, BUY_ROW = range(len(PHASE_EFFECTS))

# Columns of an encoded Effect.
OP, N, COUNT, SOURCE, TARGET, MASK, MAX_COST, PLUS, OPTIONAL, IF_CHOSEN, UNLESS_UNAFFECTED, SIZE = range(12)
N_COLUMNS = 12
NO_LIMIT = -1
