"""The vocabulary of Effects: one change to the game each, written the way a line of a card says it.

A card is a row of Effects (see `cards`). `rules` encodes them as integers for the kernel, one row an Effect, with the
columns of `ops.Column`; `resolve` resolves them. ``docs/effects.md`` shows how every Base Set card is said.
"""

from dataclasses import dataclass, replace
from enum import IntFlag

from evodom.dominion.engine.ops import Count, Op, Zone


class Type(IntFlag):
    """The types printed on a card."""

    ACTION = 1
    ATTACK = 2
    REACTION = 4
    TREASURE = 8
    VICTORY = 16
    CURSE = 32


@dataclass(frozen=True, slots=True)
class Effect:
    """One change to the game; the functions below are the way to write it."""

    op: Op
    text: str = ""
    """The line of the card, in our own words; "" where the text of the Effect before includes it."""
    verb: str = ""
    """For a choice: what happens to the chosen card, as it is asked ("discard", "trash", "gain to your hand"); for
    cards off a deck: what is told instead of "reveals" or "looks at"."""
    kind: str = ""
    """For a choice: its name for programs ("trash", "topdeck_victory"); `scenario` lists them."""
    n: int = 0
    count: Count = Count.N
    source: Zone = Zone.HAND
    target: Zone = Zone.DISCARD
    types: Type | None = None
    """Only cards with one of these types qualify."""
    name: str = ""
    """Only the card of this name qualifies."""
    but: str = ""
    """The card of this name does not qualify."""
    this: bool = False
    """Only the card itself qualifies."""
    max_cost: int | None = None
    plus: int | None = None
    """Only cards costing up to this much more than the card chosen before qualify."""
    same: bool = False
    """Only the card chosen before qualifies."""
    optional: bool = False
    if_chosen: bool = False
    """Resolved only if the choice before it chose a card."""
    unless_unaffected: bool = False
    of_active: bool = False
    """The player whose turn it is decides, whoever's cards they are."""
    hidden: bool = False
    """Only the player who resolves it sees the cards."""
    each: tuple["Effect", ...] = ()


# What a card gives.


def cards(n: int) -> Effect:
    """Draw ``n`` cards."""
    return Effect(Op.CARDS, f"+{n} Card{'s' * (n > 1)}", n=n)


def actions(n: int) -> Effect:
    """Add ``n`` Actions."""
    return Effect(Op.ACTIONS, f"+{n} Action{'s' * (n > 1)}", n=n)


def buys(n: int) -> Effect:
    """Add ``n`` Buys."""
    return Effect(Op.BUYS, f"+{n} Buy{'s' * (n > 1)}", n=n)


def coins(n: int) -> Effect:
    """Add ``n`` coins."""
    return Effect(Op.COINS, f"+${n}", n=n)


def first_play_bonus(name: str, n: int) -> Effect:
    """Add ``n`` coins when the first Treasure of a name is played this turn, if none has been."""
    return Effect(Op.BONUS, f"The first {name} you play this turn gives +${n}", n=n, name=name)


def cheaper(n: int, types: Type | None = None) -> Effect:
    """Reduce the cost of all cards, or of those of a type, by ``n`` for this turn; no cost falls below 0."""
    what = f"{_kind(types)}s" if types else "cards"
    return Effect(Op.CHEAPER, f"This turn, {what} cost ${n} less, but not less than $0", n=n, types=types)


def cards_per_chosen() -> Effect:
    """Draw as many cards as the choice before this one chose."""
    return Effect(Op.CARDS_PER_CHOSEN, "Then draw that many")


def if_chosen(effect: Effect) -> Effect:
    """Resolve an effect only if the choice before it chose a card."""
    return replace(effect, text=f"If you do, {effect.text}", if_chosen=True)


# Gaining.


def gain(name: str, target: Zone = Zone.DISCARD) -> Effect:
    """Gain the named card."""
    return Effect(Op.GAIN, f"Gain a {name}{_where(target)}", n=1, source=Zone.SUPPLY, target=target, name=name)


def gain_costing_up_to(max_cost: int, *, target: Zone = Zone.DISCARD) -> Effect:
    """Choose a card of the Supply costing up to ``max_cost`` and gain it."""
    text = f"Gain a card{_where(target)} costing up to ${max_cost}"
    return Effect(
        Op.CHOOSE, text, "gain" + _where(target), "gain", n=1, source=Zone.SUPPLY, target=target, max_cost=max_cost
    )


def gain_costing_up_to_trashed(*, plus: int, types: Type | None = None, target: Zone = Zone.DISCARD) -> Effect:
    """Choose a card of the Supply costing up to ``plus`` more than the card just trashed, and gain it."""
    gained = gain_costing_up_to(0, target=target)
    text = f"Gain a {_kind(types)}{_where(target)} costing up to ${plus} more than it"
    return replace(gained, text=text, types=types, max_cost=None, plus=plus, if_chosen=True)


# Choosing cards of one's own.


def discard_any() -> Effect:
    """Choose any number of cards from hand and discard them."""
    return Effect(Op.CHOOSE, "Discard any number of cards", "discard", "discard", count=Count.ANY, optional=True)


def discard_down_to(n: int) -> Effect:
    """Choose cards from hand and discard them until ``n`` are left."""
    return Effect(Op.CHOOSE, f"discards down to {n} cards in hand", "discard", "discard", n=n, count=Count.DOWN_TO)


def discard_per_empty_pile() -> Effect:
    """Choose a card from hand for each empty Supply pile and discard it."""
    return Effect(Op.CHOOSE, "Discard a card per empty Supply pile", "discard", "discard", count=Count.EMPTY_PILES)


def trash_from_hand(types: Type | None = None, *, name: str = "", n: int = 1, optional: bool = False) -> Effect:
    """Choose ``n`` cards from hand, of a type or a name, and trash them."""
    what = name or _kind(types)
    many = f"a {what}" if n == 1 else f"up to {n} {what}s"
    text = f"{'You may trash' if optional and n == 1 else 'Trash'} {many} from your hand"
    kind = f"trash_{name.lower()}" if name else "trash"
    return Effect(Op.CHOOSE, text, "trash", kind, n=n, target=Zone.TRASH, types=types, name=name, optional=optional)


def topdeck_from_hand(types: Type | None = None) -> Effect:
    """Choose a card from hand, of a type, and put it onto the deck."""
    own = "Put a card from your hand onto your deck"
    shown = f"reveals a {_kind(types)} from their hand and puts it onto their deck, or reveals a hand without one"
    kind = f"topdeck_{types.name.lower()}" if types and types.name else "topdeck"
    return Effect(
        Op.CHOOSE, shown if types else own, "put onto your deck", kind, n=1, target=Zone.DECK_TOP, types=types
    )


def topdeck_from_discard() -> Effect:
    """Choose a card from one's discard pile, or none, and put it onto the deck."""
    text = "Look through your discard pile. You may put a card from it onto your deck"
    return Effect(
        Op.CHOOSE,
        text,
        "put onto your deck",
        "topdeck_from_discard",
        n=1,
        source=Zone.DISCARD,
        target=Zone.DECK_TOP,
        optional=True,
    )


# Cards off the deck. They lie in the row REVEALED until an effect moves them on. A card moves on all of them, in rows
# of the same seat, before it plays another card.


def reveal(n: int, text: str = "") -> Effect:
    """Reveal the top ``n`` cards of the deck."""
    return Effect(Op.REVEAL, text or f"reveals {_top(n)} of their deck", n=n)


def look(n: int) -> Effect:
    """Look at the top ``n`` cards of the deck."""
    return replace(reveal(n, f"Look at {_top(n)} of your deck"), hidden=True)


def reveal_until(n: int, types: Type) -> Effect:
    """Reveal cards from the deck until ``n`` of a type are revealed."""
    return Effect(
        Op.REVEAL_UNTIL, f"Reveal cards from your deck until you reveal {n} {_kind(types)}s", n=n, types=types
    )


def choose_revealed(
    kind: str,
    verb: str,
    text: str = "",
    *,
    target: Zone,
    count: Count = Count.N,
    types: Type | None = None,
    but: str = "",
    optional: bool = False,
) -> Effect:
    """Choose one of the revealed cards, or any number of them, and move it."""
    return Effect(Op.CHOOSE, text, verb, kind, 1, count, Zone.REVEALED, target, types=types, but=but, optional=optional)


def move_all(source: Zone, target: Zone, types: Type | None = None, text: str = "") -> Effect:
    """Move all cards of a zone, or those of a type, to another; a deck goes to the discard pile as a whole."""
    return Effect(Op.MOVE_ALL, text, source=source, target=target, types=types)


def trash_revealed(types: Type, *, but: str = "", by_active: bool = False) -> Effect:
    """Choose one of the revealed cards, of a type, and trash it; with ``by_active`` the active player chooses."""
    what = f"a revealed {_kind(types)}{f' other than {but}' if but else ''}"
    kind = f"{'thief_trash' if by_active else 'trash_treasure'}"
    chosen = choose_revealed(kind, "trash", f"trashes {what}", target=Zone.TRASH, types=types, but=but)
    return replace(chosen, text="trashes a revealed Treasure of your choice", of_active=True) if by_active else chosen


def gain_trashed() -> Effect:
    """Let the active player choose whether to gain the card just trashed."""
    return Effect(
        Op.CHOOSE,
        "which you may gain",
        "gain",
        "thief_gain",
        n=1,
        source=Zone.TRASH,
        same=True,
        optional=True,
        if_chosen=True,
        of_active=True,
    )


def discard_or_put_back() -> tuple[Effect, ...]:
    """Let the active player have a revealed card discarded; else it goes back onto the deck."""
    text = "discards it or puts it back, as you choose"
    chosen = choose_revealed("spy_discard", "discard", text, target=Zone.DISCARD, optional=True)
    return replace(chosen, of_active=True), move_all(Zone.REVEALED, Zone.DECK_TOP)


def sift_revealed() -> tuple[Effect, ...]:
    """Trash and discard any of the revealed cards, and put the others back in any order: the last one is on top."""
    text = "Trash and/or discard any of them, and put the rest back in any order"
    return (
        choose_revealed("sentry_trash", "trash", text, target=Zone.TRASH, count=Count.ANY, optional=True),
        choose_revealed("sentry_discard", "discard", target=Zone.DISCARD, count=Count.ANY, optional=True),
        choose_revealed("sentry_topdeck", "put back first, under the others", target=Zone.DECK_TOP, count=Count.ANY),
    )


def discard_revealed(text: str = "discards the rest") -> Effect:
    """Discard all revealed cards that are left."""
    return move_all(Zone.REVEALED, Zone.DISCARD, text=text)


def draw_up_to(n: int) -> tuple[Effect, ...]:
    """Draw until ``n`` cards are in hand; each Action drawn may be set aside, to be discarded afterwards."""
    text = f"Draw until you have {n} cards in hand. You may set aside any Actions you draw; discard them afterwards"
    drawn = choose_revealed("set_aside", "set aside", target=Zone.SET_ASIDE, types=Type.ACTION, optional=True)
    one_by_one = Effect(
        Op.DRAW_UP_TO, text, n=n, types=Type.ACTION, hidden=True, each=(drawn, move_all(Zone.REVEALED, Zone.HAND))
    )
    return one_by_one, move_all(Zone.SET_ASIDE, Zone.DISCARD)


# Playing cards.


def choose_action() -> Effect:
    """Choose an Action from hand, or none, and put it into play; ``play_chosen`` follows."""
    text = "You may play an Action from your hand twice"
    return Effect(Op.CHOOSE, text, "play twice", "throne", n=1, target=Zone.IN_PLAY, types=Type.ACTION, optional=True)


def play_chosen(times: int) -> Effect:
    """Play the card just put into play, ``times`` times."""
    return Effect(Op.PLAY_CHOSEN, n=times, if_chosen=True)


def discard_top_and_may_play() -> tuple[Effect, ...]:
    """Discard the top card of the deck; if it is an Action, it may be played.

    It waits among the revealed cards for the answer: nothing can be shuffled in between.
    """
    return (
        replace(reveal(1, "Discard the top card of your deck"), verb="discards"),
        choose_revealed(
            "play_discarded",
            "play",
            "If it is an Action, you may play it",
            target=Zone.IN_PLAY,
            types=Type.ACTION,
            optional=True,
        ),
        discard_revealed(""),
        play_chosen(1),
    )


def trash_this() -> Effect:
    """Trash the card that says so, once."""
    return Effect(Op.TRASH_THIS, "Trash this", this=True)


def may_discard_deck() -> tuple[Effect, ...]:
    """Put the deck into the discard pile, or do not; asked as a choice of the card itself."""
    text = "You may put your deck into your discard pile"
    ask = Effect(
        Op.CHOOSE, text, "use", "discard_deck", n=1, source=Zone.IN_PLAY, target=Zone.IN_PLAY, this=True, optional=True
    )
    return ask, replace(move_all(Zone.DECK, Zone.DISCARD), if_chosen=True)


# Several players.


def each_opponent(*effects: Effect) -> Effect:
    """Let every other player, in turn order, resolve ``effects``."""
    return Effect(Op.EACH_PLAYER, "Each other player " + _joined(effects), n=1, each=effects)


def each_player(*effects: Effect) -> Effect:
    """Let every player, the active one first, resolve ``effects``."""
    return Effect(Op.EACH_PLAYER, "Each player, you too, " + _joined(effects), each=effects)


def offer_reaction() -> Effect:
    """Let every other player who can reveal a Reaction do so and be unaffected; an Attack begins with it."""
    return Effect(Op.OFFER_REACTION, verb="reveal", kind="reveal_moat", optional=True)


def affected_only(effect: Effect) -> Effect:
    """Spare the players who revealed a Reaction: what ``each_opponent`` means on an Attack."""
    return replace(effect, unless_unaffected=True) if effect.op == Op.EACH_PLAYER else effect


def _kind(types: Type | None) -> str:
    if not types:
        return "card"
    return "Victory card" if types == Type.VICTORY else (types.name or "").capitalize()


def _where(target: Zone) -> str:
    return {Zone.HAND: " to your hand", Zone.DECK_TOP: " onto your deck"}.get(target, "")


def _top(n: int) -> str:
    return "the top card" if n == 1 else f"the top {n} cards"


def _joined(effects: tuple[Effect, ...]) -> str:
    """Return what a player does, told of others: "reveals the top card of their deck and discards the rest"."""
    *before, last = [_of_others(effect) for effect in effects if effect.text]
    if not before:
        return last
    return f"{', '.join(before)}{',' * (len(before) > 1)} and {last}"


def _of_others(effect: Effect) -> str:
    if effect.op == Op.CARDS:
        return "draws a card" if effect.n == 1 else f"draws {effect.n} cards"
    return effect.text.replace("Gain", "gains", 1)


PHASE_EFFECTS = (
    Effect(
        Op.PLAY_ACTION, "Play an Action", "play", "play_action", target=Zone.IN_PLAY, types=Type.ACTION, optional=True
    ),
    Effect(
        Op.PLAY_TREASURE,
        "Play a Treasure",
        "play",
        "play_treasure",
        target=Zone.IN_PLAY,
        types=Type.TREASURE,
        optional=True,
    ),
    Effect(Op.BUY, "Buy a card", "buy", "buy", source=Zone.SUPPLY, target=Zone.DISCARD, optional=True),
)
"""What a player may do in the phases of a turn, asked like the choice on a card: the rows of `PhaseRow`."""
