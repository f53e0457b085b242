"""Effects on the player's turn, hand and cards in play: "+1 Card", "Discard a card", "You may play an Action".

Open this module to write a card that draws, gives Actions, Buys or coins, discards, trashes, sets aside or plays cards.
The functions describe Effects. Kernels of the same names execute them. Conditions, options, other players and later
turns are in `effect`.
"""

from dataclasses import replace

from evodom.dominion.effects.effect import CHOSEN, IF_CHOSEN, Counted, Effect, Type, later, noun, per, with_article
from evodom.dominion.effects.ops import Among, ChoiceSize, Count, Op, Zone

# Cards, Actions, Buys, coins and VP tokens.


def cards(n: int) -> Effect:
    """Draw ``n`` cards."""
    return Effect(Op.CARDS, f"+{n} Card{'s' * (n > 1)}", n=n)


def cards_per_chosen() -> Effect:
    """Draw one card for each card of the previous choice."""
    return Effect(Op.CARDS, "Then draw that many", n=1, per=CHOSEN)


def draw_to_hand_size(n: int) -> Effect:
    """Draw until ``n`` cards are in hand."""
    return Effect(Op.CARDS, f"Draw until you have {n} cards in hand", n=n, size=ChoiceSize.DOWN_TO)


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
    """Add ``n`` coins when the first Treasure called ``name`` is played this turn, after this Effect."""
    return Effect(Op.BONUS, f"The first {name} you play this turn gives +${n}", n=n, name=name)


def vp_tokens(n: int) -> Effect:
    """Take ``n`` VP tokens."""
    return Effect(Op.VP, f"+{n} VP", n=n)


# Choices of cards in hand and in the discard pile.


def discard_any() -> Effect:
    """Choose any number of cards from hand and discard them."""
    return Effect(Op.CHOOSE, "Discard any number of cards", "discard", "discard", size=ChoiceSize.ANY, optional=True)


def discard_down_to(n: int) -> Effect:
    """Choose cards from hand and discard them until ``n`` are left."""
    return Effect(Op.CHOOSE, f"discards down to {n} cards in hand", "discard", "discard", n=n, size=ChoiceSize.DOWN_TO)


def discard_from_hand(n: int = 1, *, name: str = "") -> Effect:
    """Choose ``n`` cards from hand, or one called ``name``, and discard them. A hand without that card is revealed."""
    text = f"Discard a {name}, or reveal a hand without one" if name else f"Discard {n} card{'s' * (n > 1)}"
    return Effect(Op.CHOOSE, text, "discard", "discard", n=n, name=name)


def may_discard(n: int = 1, *, name: str = "", types: Type | None = None) -> Effect:
    """Let the player choose to discard ``n`` cards from hand, or one of a type, or one called ``name``."""
    what = with_article(name or noun(types)) if name or types else f"{n} cards"
    discarded = replace(discard_from_hand(n, name=name), text=f"You may discard {what}", types=types)
    return replace(discarded, optional=True, all_or_none=n > 1)


def discard_per_empty_pile() -> Effect:
    """Choose a card from hand for each empty Supply pile and discard it."""
    return per(Counted(Count.EMPTY_PILES), "empty Supply pile", discard_from_hand())


def reveal_from_hand(types: Type | None = None, *, optional: bool = False) -> Effect:
    """Choose a card of a type from hand and reveal it. The card stays in hand. Following Effects refer to it."""
    text = f"{'You may reveal' if optional else 'Reveal'} {with_article(noun(types))} from your hand"
    shown = Effect(Op.CHOOSE, text, "reveal", "reveal", n=1, target=Zone.HAND, types=types)
    return replace(shown, optional=optional)


def trash_from_hand(types: Type | None = None, *, name: str = "", n: int = 1, optional: bool = False) -> Effect:
    """Choose ``n`` cards of a type or a name from hand and trash them."""
    what = name or noun(types)
    many = f"a {what}" if n == 1 else f"{'up to ' if optional else ''}{n} {what}s"
    text = f"{'You may trash' if optional and n == 1 else 'Trash'} {many} from your hand"
    kind = f"trash_{name.lower()}" if name else "trash"
    return Effect(Op.CHOOSE, text, "trash", kind, n=n, target=Zone.TRASH, types=types, name=name, optional=optional)


def trash_any() -> Effect:
    """Choose any number of cards from hand and trash them."""
    text = "Trash any number of cards from your hand"
    return Effect(Op.CHOOSE, text, "trash", "trash", size=ChoiceSize.ANY, target=Zone.TRASH, optional=True)


def topdeck_from_hand(types: Type | None = None) -> Effect:
    """Choose a card of a type from hand and put it onto the deck."""
    own = "Put a card from your hand onto your deck"
    shown = f"reveals a {noun(types)} from their hand and puts it onto their deck, or reveals a hand without one"
    kind = f"topdeck_{types.name.lower()}" if types and types.name else "topdeck"
    text, verb = shown if types else own, "put onto your deck"
    return Effect(Op.CHOOSE, text, verb, kind, n=1, target=Zone.DECK_TOP, types=types)


def topdeck_from_discard() -> Effect:
    """Choose at most one card from the player's discard pile and put it onto the deck."""
    text = "Look through your discard pile. You may put a card from it onto your deck"
    put = Effect(Op.CHOOSE, text, "put onto your deck", "topdeck_from_discard", n=1, source=Zone.DISCARD)
    return replace(put, target=Zone.DECK_TOP, optional=True)


def put_into_deck() -> tuple[Effect, ...]:
    """Choose a card from hand and put it into the deck, under a chosen number of cards."""
    text, verb = "Put a card from your hand anywhere in your deck", "put into your deck"
    put = Effect(Op.CHOOSE, text, verb, "put", n=1, target=Zone.DECK_TOP)
    return put, Effect(Op.PLACE, verb="put", kind="position", condition=IF_CHOSEN)


def set_aside_from_hand() -> Effect:
    """Choose a card from hand and set it aside, face down."""
    text = "Set aside a card from your hand, face down"
    return Effect(Op.CHOOSE, text, "set aside", "set_aside", n=1, target=Zone.SET_ASIDE)


def put_on_mat_from_hand(mat: Zone) -> Effect:
    """Choose a card from hand and put it onto a mat."""
    return Effect(Op.CHOOSE, verb="put onto the mat", kind="set_aside", n=1, target=mat)


def pass_cards() -> Effect:
    """Let every player with cards in hand pass one to the next such player, all at the same time."""
    text = "Each player with cards in hand passes one to the next such player to their left, all at the same time"
    chosen = Effect(Op.CHOOSE, verb="pass", kind="pass", n=1, target=Zone.NEXT_HAND)
    return Effect(Op.PASS_CARDS, text, inner=(chosen,))


# Cards that move without a choice.


def move_all(source: Zone, target: Zone, types: Type | None = None, text: str = "") -> Effect:
    """Move all cards of a zone, or all of a type, to another zone.

    A whole deck is discarded unseen. Its cards trigger nothing.
    """
    return Effect(Op.MOVE_ALL, text, source=source, target=target, types=types)


def discard_hand() -> Effect:
    """Discard the whole hand."""
    return move_all(Zone.HAND, Zone.DISCARD, text="discard your hand")


def reveal_hand() -> Effect:
    """Reveal the hand."""
    return Effect(Op.REVEAL, "Reveal your hand", size=ChoiceSize.ANY)


def later_to_hand(*, hidden: bool = False) -> Effect:
    """Put the card just set aside into the hand at the start of the next turn.

    With ``hidden`` the card is face down until then. Do nothing if the card has left its place.
    """
    back = replace(move_all(Zone.SET_ASIDE, Zone.HAND, text="put it into your hand"), among=Among.CHOSEN)
    return replace(later(back), among=Among.CHOSEN, condition=IF_CHOSEN, hidden=hidden)


# Playing cards, and the played card itself.


def choose_to_play(times: int = 2, types: Type = Type.ACTION) -> Effect:
    """Choose at most one card of a type from hand and put it into play. `play_chosen` with ``times`` must follow."""
    often = _OFTEN[times]
    text = f"You may play {with_article(noun(types))} from your hand {often}"
    return Effect(Op.CHOOSE, text, f"play {often}", "throne", n=1, target=Zone.IN_PLAY, types=types, optional=True)


_OFTEN = {1: "once", 2: "twice", 3: "three times"}


def play_chosen(times: int) -> Effect:
    """Play the previously chosen card ``times`` times."""
    return Effect(Op.PLAY_CHOSEN, n=times, condition=IF_CHOSEN)


def move_this(target: Zone, text: str) -> Effect:
    """Move the played card. In the Effects of a watch, move the gained card. Do nothing if it was moved before.

    A moved card counts as a chosen card.
    """
    return Effect(Op.MOVE_THIS, text, source=Zone.THIS, target=target)


def trash_this() -> Effect:
    """Trash the played card itself (see `move_this`)."""
    return move_this(Zone.TRASH, "Trash this")


def may_move_this(target: Zone, text: str, verb: str, kind: str) -> Effect:
    """Let the player choose whether to move the played or gained card (see `move_this`)."""
    return Effect(Op.CHOOSE, text, verb, kind, n=1, source=Zone.THIS, target=target, optional=True)


def may_trash_this() -> Effect:
    """Let the player choose whether to trash the played card itself, if it is in play."""
    return may_move_this(Zone.TRASH, "You may trash this", "trash", "trash_this")
