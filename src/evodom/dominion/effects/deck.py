"""Effects on the deck: "Look at the top 2 cards of your deck", "Reveal cards until you reveal a Treasure".

Open this module to write a card that looks at or reveals cards of a deck. Such cards are in the zone REVEALED until an
Effect moves them. All seats share this zone. The Effects of a seat must empty it before another seat reveals cards, or
another card is played. The functions describe Effects. Kernels of the same names execute them.
"""

from dataclasses import replace
from functools import reduce
from operator import or_

from evodom.dominion.effects.effect import IF_CHOSEN, Counted, Effect, Requirement, Type, choose_options, noun, option
from evodom.dominion.effects.hand import may_move_this, move_all, play_chosen
from evodom.dominion.effects.ops import Among, ChoiceSize, Count, Decider, EventKind, Op, Zone
from evodom.dominion.effects.supply import gain_costing_up_to_trashed

# Cards off the deck.


def reveal(n: int, text: str = "") -> Effect:
    """Reveal the top ``n`` cards of the deck."""
    return Effect(Op.REVEAL, text or f"reveals {_top(n)} of their deck", n=n)


def reveal_own(n: int) -> Effect:
    """Reveal the top ``n`` cards of the player's own deck: `reveal` with the text "Reveal ... of your deck"."""
    return reveal(n, f"Reveal {_top(n)} of your deck")


def look(n: int) -> Effect:
    """Look at the top ``n`` cards of the deck."""
    return replace(reveal(n, f"Look at {_top(n)} of your deck"), hidden=True)


def reveal_until(n: int, types: Type) -> Effect:
    """Reveal cards from the deck until ``n`` of a type are revealed."""
    return Effect(Op.REVEAL_UNTIL, f"Reveal cards from your deck until you reveal {n} {noun(types)}s", n=n, types=types)


def _top(n: int) -> str:
    return "the top card" if n == 1 else f"the top {n} cards"


# The revealed cards.


def choose_revealed(
    kind: str, verb: str, text: str = "", *, target: Zone, types: Type | None = None, optional: bool = False
) -> Effect:
    """Choose one of the revealed cards and move it to ``target``."""
    chosen = Effect(Op.CHOOSE, text, verb, kind, n=1, source=Zone.REVEALED, target=target)
    return replace(chosen, types=types, optional=optional)


def choose_any_revealed(kind: str, verb: str, text: str = "", *, target: Zone, optional: bool = False) -> Effect:
    """Choose all revealed cards, one after the other, and move them to ``target``. ``optional`` allows fewer."""
    return replace(choose_revealed(kind, verb, text, target=target, optional=optional), size=ChoiceSize.ANY)


def trash_revealed(types: Type, *, but: str = "", by_active: bool = False) -> Effect:
    """Choose a revealed card of a type and trash it. With ``by_active`` the active player chooses."""
    what = f"a revealed {noun(types)}{f' other than {but}' if but else ''}"
    kind = "thief_trash" if by_active else "trash_treasure"
    chosen = choose_revealed(kind, "trash", f"trashes {what}", target=Zone.TRASH, types=types)
    if by_active:
        chosen = replace(chosen, text="trashes a revealed Treasure of your choice", decider=Decider.PLAYER)
    return replace(chosen, except_name=but)


def move_revealed(target: Zone, *types: Type, text: str) -> Effect:
    """Move all revealed cards that have one of the ``types`` to another zone."""
    return move_all(Zone.REVEALED, target, reduce(or_, types), text)


def discard_revealed(text: str = "discards the rest") -> Effect:
    """Discard the remaining revealed cards."""
    return move_all(Zone.REVEALED, Zone.DISCARD, text=text)


def put_back_revealed(text: str = "Put the rest back in any order") -> Effect:
    """Put the remaining revealed cards onto the deck, one after the other. The card put back last is on top."""
    return choose_any_revealed("order", "put back first, under the others", text, target=Zone.DECK_TOP)


# Several Effects in order.


def discard_or_put_back() -> tuple[Effect, ...]:
    """Let the active player discard a revealed card. Otherwise it returns to the top of the deck."""
    text = "discards it or puts it back, as you choose"
    chosen = choose_revealed("spy_discard", "discard", text, target=Zone.DISCARD, optional=True)
    return replace(chosen, decider=Decider.PLAYER), move_all(Zone.REVEALED, Zone.DECK_TOP)


def sift_revealed() -> tuple[Effect, ...]:
    """Trash and discard any of the revealed cards, and put the rest back. The card put back last is on top."""
    text = "Trash and/or discard any of them, and put the rest back in any order"
    return (
        choose_any_revealed("sentry_trash", "trash", text, target=Zone.TRASH, optional=True),
        choose_any_revealed("sentry_discard", "discard", target=Zone.DISCARD, optional=True),
        replace(put_back_revealed(""), kind="sentry_topdeck"),
    )


def look_and_decide() -> tuple[Effect, ...]:
    """Look at the top card of the deck. Choose to trash, discard or leave it. An Action or a Treasure may be played."""
    is_playable = Requirement(Counted(Count.REVEALED, Type.ACTION | Type.TREASURE), least=1)
    played = choose_revealed("play_revealed", "play", target=Zone.IN_PLAY)
    options = choose_options(
        1,
        option("trash", move_all(Zone.REVEALED, Zone.TRASH), text="trash it"),
        option("discard", move_all(Zone.REVEALED, Zone.DISCARD), text="discard it"),
        replace(option("play", played, play_chosen(1), text="play it"), condition=is_playable),
        option("leave", move_all(Zone.REVEALED, Zone.DECK_TOP), text="leave it there"),
        text="",
    )
    text = "Trash it, discard it, play it if it is an Action or a Treasure, or leave it there"
    return look(1), replace(options, text=text, condition=Requirement(Counted(Count.REVEALED), least=1))


def name_and_take() -> tuple[Effect, ...]:
    """Name a card and reveal the top card of the deck. If both are equal, take the card into the hand."""
    named = Effect(Op.CHOOSE, "Name a card", "name", "name", n=1, source=Zone.SUPPLY, target=Zone.SUPPLY)
    taken = move_all(Zone.REVEALED, Zone.HAND, text="If it is that card, put it into your hand")
    return named, reveal_own(1), replace(taken, among=Among.CHOSEN), move_all(Zone.REVEALED, Zone.DECK_TOP)


def take_copy_in_play() -> tuple[Effect, ...]:
    """Reveal the top card of the deck. If a copy is in play, take the card into the hand."""
    taken = move_all(Zone.REVEALED, Zone.HAND, text="If a copy of it is in play, put it into your hand")
    return reveal_own(1), replace(taken, among=Among.IN_PLAY), move_all(Zone.REVEALED, Zone.DECK_TOP)


def replace_top_card() -> tuple[Effect, ...]:
    """Trash the top card of the deck, and gain a card of equal cost. The player of the Attack chooses this card."""
    gained = gain_costing_up_to_trashed(plus=0, exact=True)
    text = "gains a card of the same cost that you choose"
    return (
        replace(reveal(1), text=""),
        choose_revealed("trash", "trash", "trashes the top card of their deck", target=Zone.TRASH),
        replace(gained, text=text, verb="give", decider=Decider.PLAYER),
    )


def draw_or_set_aside(n: int) -> tuple[Effect, ...]:
    """Draw until ``n`` cards are in hand. Drawn Actions may be set aside and are discarded afterwards."""
    text = f"Draw until you have {n} cards in hand. You may set aside any Actions you draw; discard them afterwards"
    drawn = choose_revealed("set_aside", "set aside", target=Zone.SET_ASIDE, types=Type.ACTION, optional=True)
    kept = replace(move_all(Zone.REVEALED, Zone.HAND), event=EventKind.ARRIVE)
    one_by_one = Effect(Op.DRAW_OR_SET_ASIDE, text, n=n, types=Type.ACTION, hidden=True, inner=(drawn, kept))
    return one_by_one, move_all(Zone.SET_ASIDE, Zone.DISCARD)


def discard_top_and_may_play() -> tuple[Effect, ...]:
    """Discard the top card of the deck. If it is an Action, the player may play it.

    The card stays in the zone REVEALED until the choice is made, so that it is the only candidate. No shuffle can
    happen before.
    """
    text = "If it is an Action, you may play it"
    discarded = replace(reveal(1, "Discard the top card of your deck"), event=EventKind.DISCARD)
    played = choose_revealed("play_discarded", "play", text, target=Zone.IN_PLAY, types=Type.ACTION, optional=True)
    return discarded, played, replace(discard_revealed(""), event=EventKind.ARRIVE), play_chosen(1)


def mat_or_hand() -> Effect:
    """Put the top card of the deck onto the mat of Native Village, or take all cards of the mat."""
    return choose_options(
        1,
        option(
            "set_aside",
            replace(look(1), text=""),
            move_all(Zone.REVEALED, Zone.VILLAGE_MAT),
            text="put the top card of your deck face down onto your Native Village mat",
        ),
        option(
            "take",
            replace(move_all(Zone.VILLAGE_MAT, Zone.HAND), hidden=True),
            text="put all the cards from your mat into your hand",
        ),
    )


def may_discard_deck() -> tuple[Effect, ...]:
    """Let the player discard the whole deck. The choice has one candidate: the answer "yes" is the played card."""
    ask = may_move_this(Zone.THIS, "You may put your deck into your discard pile", "use", "discard_deck")
    return ask, replace(move_all(Zone.DECK, Zone.DISCARD), condition=IF_CHOSEN)
