"""Define Effects: the vocabulary in which cards are written. Open it to add a card or a new kind of Effect.

A card is a sequence of Effects (see `cards`). `rules` encodes each as integers with the columns of `ops.Column`, and
`resolve` resolves the encoded Effects. ``docs/reference/cards.md`` lists the Effects of every Base Set card.
"""

from dataclasses import dataclass, replace
from enum import IntFlag
from functools import reduce
from operator import or_

from evodom.dominion.engine.ops import Among, ChoiceSize, Count, Decider, EventKind, Moment, Op, Whose, Zone


class Type(IntFlag):
    """The types printed on a card."""

    ACTION = 1
    ATTACK = 2
    REACTION = 4
    TREASURE = 8
    VICTORY = 16
    CURSE = 32
    DURATION = 64


@dataclass(frozen=True, slots=True)
class Counted:
    """A `Count`, with the cards that it counts: all, or those of one of the ``types``."""

    count: Count
    types: Type | None = None


MANY = 1000
"""The upper bound of a condition without one."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """Require that a number is from ``least`` to ``most``. ``text`` is the beginning of the sentence: "If you do"."""

    counted: Counted
    text: str = ""
    least: int = 0
    most: int = MANY


@dataclass(frozen=True, slots=True)
class Effect:
    """One change to the game. Use the functions below to create Effects.

    ``types``, ``except_types``, ``name``, ``except_name``, ``only_this``, ``max_cost``, ``extra_cost``, ``exact`` and
    ``among`` restrict the cards that may be chosen or moved.
    """

    op: Op
    text: str = ""
    """The line of the card, in our own words. "" if the text of the previous Effect includes it."""
    verb: str = ""
    """Verb of a choice in its question: "discard", "trash", "gain to your hand"."""
    kind: str = ""
    """Identifier of a choice: "trash", "topdeck_victory". docs/reference/cards.md lists all."""
    n: int = 0
    """Number of cards, coins, Actions or Buys, depending on the operation."""
    size: ChoiceSize = ChoiceSize.N
    source: Zone = Zone.HAND
    target: Zone = Zone.DISCARD
    types: Type | None = None
    """Only cards with one of these types."""
    name: str = ""
    """Only the card of this name."""
    except_name: str = ""
    """Not the card of this name."""
    only_this: bool = False
    """Only the played card itself."""
    max_cost: int | None = None
    """Only cards costing up to this."""
    extra_cost: int | None = None
    """Only cards costing up to this much more than the previously chosen card."""
    exact: bool = False
    """Only cards costing exactly ``max_cost``, or ``extra_cost`` more than the previously chosen card."""
    of_all_chosen: bool = False
    """``extra_cost`` is added to the sum of the costs of all cards of the previous choice."""
    except_types: Type | None = None
    """Not cards with one of these types."""
    among: Among = Among.ALL
    optional: bool = False
    """The player may choose no card."""
    all_or_none: bool = False
    """The player may choose no card, but not fewer than ``n``."""
    per: Counted | None = None
    """``n`` is multiplied by this number."""
    per_n: int = 1
    """This number is divided by ``per_n`` and rounded down."""
    condition: Requirement | None = None
    """Resolved only if the condition holds."""
    skip_unaffected: bool = False
    """Players who revealed a Reaction to the Attack are skipped."""
    decider: Decider = Decider.SEAT
    option: str = ""
    """Identifier of an option of `choose_options`: "cards", "discard"."""
    hidden: bool = False
    """Only the player who resolves it sees the cards."""
    event: EventKind | None = None
    """Kind of the events of revealed cards, if it does not follow from the zones. The engine ignores it."""
    inner: tuple["Effect", ...] = ()
    """Effects of EACH_PLAYER and PASS_CARDS, resolved by each player, of DRAW_UP_TO, resolved for each drawn card of
    ``types``, of GROUP, or of LATER; the options of OPTIONS. They may have inner Effects.
    """

    @property
    def if_chosen(self) -> bool:
        """True if it is resolved only if the previous choice chose a card."""
        return self.condition is not None and self.condition.counted.count == Count.CHOSEN

    @property
    def is_fixed(self) -> bool:
        """True if it has no condition, and its number is not counted."""
        return self.condition is None and self.per is None


def with_inner(program: tuple[Effect, ...]) -> list[Effect]:
    """Return the Effects of a program, each followed by its inner Effects and theirs."""
    return [each for effect in program for each in (effect, *with_inner(effect.inner))]


def own_effects(program: tuple[Effect, ...]) -> list[Effect]:
    """Return the Effects of a program as `with_inner`, without the Effects of other players."""
    inner = ((effect, () if effect.op == Op.EACH_PLAYER else effect.inner) for effect in program)
    return [each for effect, others in inner for each in (effect, *own_effects(others))]


# Cards, Actions, Buys, coins and costs.


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
    """Add ``n`` coins for the first Treasure called ``name`` of this turn, if it is played after this Effect."""
    return Effect(Op.BONUS, f"The first {name} you play this turn gives +${n}", n=n, name=name)


def cheaper(n: int, types: Type | None = None) -> Effect:
    """Reduce the cost of all cards, or of all cards of a type, by ``n`` this turn. No cost falls below 0."""
    what = f"{_noun(types)}s" if types else "cards"
    return Effect(Op.CHEAPER, f"This turn, {what} cost ${n} less, but not less than $0", n=n, types=types)


def cards_per_chosen() -> Effect:
    """Draw one card for each card of the previous choice."""
    return Effect(Op.CARDS, "Then draw that many", n=1, per=CHOSEN)


CHOSEN = Counted(Count.CHOSEN)
IF_CHOSEN = Requirement(CHOSEN, "If you do", least=1)


def if_chosen(effect: Effect) -> Effect:
    """Resolve an Effect only if the previous choice chose a card."""
    return on_condition(IF_CHOSEN, effect)


def on_condition(condition: Requirement, effect: Effect) -> Effect:
    """Resolve an Effect only if a condition holds."""
    return replace(effect, text=f"{condition.text}, {_lower(effect.text)}", condition=condition)


def per(counted: Counted, text: str, effect: Effect, n: int = 1) -> Effect:
    """Multiply the number of an Effect by a number that is counted: "+1 Card" per "card you discarded".

    The counted number is divided by ``n`` and rounded down.
    """
    return replace(effect, text=f"{effect.text} per {text}", per=counted, per_n=n)


# Options.


def choose_options(n: int, *options: Effect, text: str | None = None, counted: Counted | None = None) -> Effect:
    """Choose ``n`` different options, one after the other; then resolve them in the order of the list.

    An option that does nothing may be chosen. ``counted`` is a number of options to choose instead of ``n``.
    """
    listed = f"{'; '.join(each.text for each in options[:-1])}; or {options[-1].text}"
    lead = text if text is not None else f"Choose {_NUMBERS[n]}: "
    return Effect(Op.OPTIONS, lead + listed, "choose", "choose", n=n, per=counted, inner=options)


_NUMBERS = {1: "one", 2: "two"}


def option(name: str, *effects: Effect, text: str = "") -> Effect:
    """Return an option of `choose_options`: its Effects. ``name`` identifies it among the options of its card."""
    return replace(group(*effects, text=text), option=name)


def group(*effects: Effect, text: str = "") -> Effect:
    """Resolve several Effects as one: with `on_condition`, all of them or none."""
    joined = ", ".join(_lower(effect.text) for effect in effects if effect.text)
    return Effect(Op.GROUP, text or joined, inner=effects)


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


# Gaining.


def gain(name: str, target: Zone = Zone.DISCARD) -> Effect:
    """Gain the named card."""
    return Effect(Op.GAIN, f"Gain {_a(name)}{_where(target)}", n=1, source=Zone.SUPPLY, target=target, name=name)


def gain_costing_up_to(
    max_cost: int, *, target: Zone = Zone.DISCARD, types: Type | None = None, among: Among = Among.ALL
) -> Effect:
    """Choose a card of the Supply costing up to ``max_cost`` and gain it."""
    text = f"Gain a {_noun(types)}{_AMONG[among]}{_where(target)} costing up to ${max_cost}"
    gained = Effect(Op.CHOOSE, text, "gain" + _where(target), "gain", n=1, source=Zone.SUPPLY, target=target)
    return replace(gained, max_cost=max_cost, types=types, among=among)


_AMONG = {
    Among.ALL: "",
    Among.NOT_NAMED: " that was not named for War Chests this turn,",
    Among.GAINED_BY_RIGHT: " that the player to your right gained in their last turn,",
}


def gain_copy() -> Effect:
    """Gain a copy of the chosen card from the Supply."""
    gained = Effect(Op.CHOOSE, "If you do, gain a copy of it", "gain", "gain", n=1, source=Zone.SUPPLY)
    return replace(gained, among=Among.CHOSEN, condition=IF_CHOSEN)


def gain_costing_sum() -> Effect:
    """Choose a card of the Supply costing exactly the sum of the costs of the chosen cards, and gain it."""
    text = "Gain a card costing exactly the total of the trashed cards"
    gained = Effect(Op.CHOOSE, text, "gain", "gain", n=1, source=Zone.SUPPLY)
    return replace(gained, extra_cost=0, exact=True, of_all_chosen=True)


def gain_from_trash(types: Type) -> Effect:
    """Choose a card of a type from the trash and gain it."""
    text = f"gain {_a(_noun(types))} from the trash"
    return Effect(Op.CHOOSE, text, "gain", "gain", n=1, source=Zone.TRASH, types=types)


def trash_from_supply(types: Type) -> Effect:
    """Choose a card of a type from the Supply and trash it."""
    text = f"trash {_a(_noun(types))} from the Supply"
    return Effect(Op.CHOOSE, text, "trash", "trash", n=1, source=Zone.SUPPLY, target=Zone.TRASH, types=types)


def name_and_take() -> tuple[Effect, ...]:
    """Name a card and reveal the top card of the deck. If it is that card, it goes to the hand, else it stays."""
    named = Effect(Op.CHOOSE, "Name a card", "name", "name", n=1, source=Zone.SUPPLY, target=Zone.SUPPLY)
    taken = move_all(Zone.REVEALED, Zone.HAND, text="If it is that card, put it into your hand")
    return named, reveal_own(1), replace(taken, among=Among.CHOSEN), move_all(Zone.REVEALED, Zone.DECK_TOP)


def swap_top() -> tuple[Effect, ...]:
    """Trash the top card of the deck and gain a card of the same cost, which the player of the card chooses."""
    gained = gain_costing_up_to_trashed(plus=0, exact=True)
    text = "gains a card of the same cost that you choose"
    return (
        replace(reveal(1), text=""),
        choose_revealed("trash", "trash", "trashes the top card of their deck", target=Zone.TRASH),
        replace(gained, text=text, verb="give", decider=Decider.PLAYER),
    )


def topdeck_gained(*types: Type, text: str) -> Effect:
    """Put the card just gained onto the deck if it has one of the types, and is still in the discard pile."""
    topdecked = Effect(Op.CHOOSE, text, "topdeck", "topdeck_gained", n=1, source=Zone.DISCARD, target=Zone.DECK_TOP)
    is_one = Requirement(Counted(Count.CHOSEN_OF, reduce(or_, types)), least=1)
    return replace(topdecked, among=Among.CHOSEN, condition=is_one)


def gain_costing_up_to_trashed(
    *, plus: int, types: Type | None = None, target: Zone = Zone.DISCARD, exact: bool = False
) -> Effect:
    """Choose a card of the Supply costing up to, or exactly, ``plus`` more than the card just trashed, and gain it."""
    gained = gain_costing_up_to(0, target=target)
    text = f"Gain a {_noun(types)}{_where(target)} costing {'exactly' if exact else 'up to'} ${plus} more than it"
    return replace(gained, text=text, types=types, max_cost=None, extra_cost=plus, exact=exact, condition=IF_CHOSEN)


# Choices of own cards.


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
    what = _a(name or _noun(types)) if name or types else f"{n} cards"
    discarded = replace(discard_from_hand(n, name=name), text=f"You may discard {what}", types=types)
    return replace(discarded, optional=True, all_or_none=n > 1)


def reveal_from_hand(types: Type | None = None, *, optional: bool = False) -> Effect:
    """Choose a card from hand, of a type, and reveal it. It stays there; following Effects refer to it."""
    text = f"{'You may reveal' if optional else 'Reveal'} {_a(_noun(types))} from your hand"
    shown = Effect(Op.CHOOSE, text, "reveal", "reveal", n=1, target=Zone.HAND, types=types)
    return replace(shown, optional=optional)


def reveal_hand() -> Effect:
    """Reveal the hand."""
    return Effect(Op.REVEAL, "Reveal your hand", size=ChoiceSize.ANY)


def discard_hand() -> Effect:
    """Discard the whole hand."""
    return move_all(Zone.HAND, Zone.DISCARD, text="discard your hand")


def discard_per_empty_pile() -> Effect:
    """Choose a card from hand for each empty Supply pile and discard it."""
    return per(Counted(Count.EMPTY_PILES), "empty Supply pile", discard_from_hand())


def trash_from_hand(types: Type | None = None, *, name: str = "", n: int = 1, optional: bool = False) -> Effect:
    """Choose ``n`` cards from hand, of a type or a name, and trash them."""
    what = name or _noun(types)
    many = f"a {what}" if n == 1 else f"{'up to ' if optional else ''}{n} {what}s"
    text = f"{'You may trash' if optional and n == 1 else 'Trash'} {many} from your hand"
    kind = f"trash_{name.lower()}" if name else "trash"
    return Effect(Op.CHOOSE, text, "trash", kind, n=n, target=Zone.TRASH, types=types, name=name, optional=optional)


def trash_any() -> Effect:
    """Choose any number of cards from hand and trash them."""
    text = "Trash any number of cards from your hand"
    return Effect(Op.CHOOSE, text, "trash", "trash", size=ChoiceSize.ANY, target=Zone.TRASH, optional=True)


def topdeck_from_hand(types: Type | None = None) -> Effect:
    """Choose a card from hand, of a type, and put it onto the deck."""
    own = "Put a card from your hand onto your deck"
    shown = f"reveals a {_noun(types)} from their hand and puts it onto their deck, or reveals a hand without one"
    kind = f"topdeck_{types.name.lower()}" if types and types.name else "topdeck"
    return Effect(
        Op.CHOOSE, shown if types else own, "put onto your deck", kind, n=1, target=Zone.DECK_TOP, types=types
    )


def put_into_deck() -> tuple[Effect, ...]:
    """Choose a card from hand and put it into the deck, under a chosen number of cards."""
    text, verb = "Put a card from your hand anywhere in your deck", "put into your deck"
    put = Effect(Op.CHOOSE, text, verb, "put", n=1, target=Zone.DECK_TOP)
    return put, Effect(Op.PLACE, verb="put", kind="position", condition=IF_CHOSEN)


def topdeck_from_discard() -> Effect:
    """Choose at most one card from the player's discard pile and put it onto the deck."""
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


# Revealed cards. They are in the zone REVEALED, which all seats share, until an Effect moves them. The Effects of a
# seat must empty the zone before another seat reveals cards, or another card is played.


def reveal(n: int, text: str = "") -> Effect:
    """Reveal the top ``n`` cards of the deck."""
    return Effect(Op.REVEAL, text or f"reveals {_top(n)} of their deck", n=n)


def reveal_own(n: int) -> Effect:
    """Reveal the top ``n`` cards of the deck: `reveal` with the text of a card that its player resolves."""
    return reveal(n, f"Reveal {_top(n)} of your deck")


def look(n: int) -> Effect:
    """Look at the top ``n`` cards of the deck."""
    return replace(reveal(n, f"Look at {_top(n)} of your deck"), hidden=True)


def reveal_until(n: int, types: Type) -> Effect:
    """Reveal cards from the deck until ``n`` of a type are revealed."""
    return Effect(
        Op.REVEAL_UNTIL, f"Reveal cards from your deck until you reveal {n} {_noun(types)}s", n=n, types=types
    )


def choose_revealed(
    kind: str,
    verb: str,
    text: str = "",
    *,
    target: Zone,
    size: ChoiceSize = ChoiceSize.N,
    types: Type | None = None,
    except_name: str = "",
    optional: bool = False,
) -> Effect:
    """Choose one of the revealed cards, or any number of them, and move the chosen cards to ``target``."""
    chosen = Effect(Op.CHOOSE, text, verb, kind, 1, size, Zone.REVEALED, target, types)
    return replace(chosen, except_name=except_name, optional=optional)


def move_all(source: Zone, target: Zone, types: Type | None = None, text: str = "") -> Effect:
    """Move all cards of a zone, or all of a type, to another zone.

    A deck is discarded as a whole and unseen, and its cards trigger nothing.
    """
    return Effect(Op.MOVE_ALL, text, source=source, target=target, types=types)


def move_revealed(target: Zone, *types: Type, text: str) -> Effect:
    """Move all revealed cards that have one of the ``types`` to another zone."""
    return move_all(Zone.REVEALED, target, reduce(or_, types), text)


def trash_revealed(types: Type, *, but: str = "", by_active: bool = False) -> Effect:
    """Choose one of the revealed cards, of a type, and trash it; with ``by_active`` the active player chooses."""
    what = f"a revealed {_noun(types)}{f' other than {but}' if but else ''}"
    kind = f"{'thief_trash' if by_active else 'trash_treasure'}"
    chosen = choose_revealed(kind, "trash", f"trashes {what}", target=Zone.TRASH, types=types, except_name=but)
    if by_active:
        return replace(chosen, text="trashes a revealed Treasure of your choice", decider=Decider.PLAYER)
    return chosen


def gain_trashed() -> Effect:
    """Let the active player choose whether to gain the card just trashed."""
    return Effect(
        Op.CHOOSE,
        "which you may gain",
        "gain",
        "thief_gain",
        n=1,
        source=Zone.TRASH,
        among=Among.CHOSEN,
        optional=True,
        condition=IF_CHOSEN,
        decider=Decider.PLAYER,
    )


def discard_or_put_back() -> tuple[Effect, ...]:
    """Let the active player discard a revealed card. Otherwise it returns to the top of the deck."""
    text = "discards it or puts it back, as you choose"
    chosen = choose_revealed("spy_discard", "discard", text, target=Zone.DISCARD, optional=True)
    return replace(chosen, decider=Decider.PLAYER), move_all(Zone.REVEALED, Zone.DECK_TOP)


def sift_revealed() -> tuple[Effect, ...]:
    """Trash and discard any of the revealed cards, and put the rest back. The card put back last is on top."""
    text = "Trash and/or discard any of them, and put the rest back in any order"
    return (
        choose_revealed("sentry_trash", "trash", text, target=Zone.TRASH, size=ChoiceSize.ANY, optional=True),
        choose_revealed("sentry_discard", "discard", target=Zone.DISCARD, size=ChoiceSize.ANY, optional=True),
        replace(put_back_revealed(""), kind="sentry_topdeck"),
    )


def put_back_revealed(text: str = "Put the rest back in any order") -> Effect:
    """Put the remaining revealed cards onto the deck, one after the other. The card put back last is on top."""
    verb = "put back first, under the others"
    return choose_revealed("order", verb, text, target=Zone.DECK_TOP, size=ChoiceSize.ANY)


def discard_revealed(text: str = "discards the rest") -> Effect:
    """Discard the remaining revealed cards."""
    return move_all(Zone.REVEALED, Zone.DISCARD, text=text)


def draw_to(n: int) -> Effect:
    """Draw until ``n`` cards are in hand."""
    return Effect(Op.CARDS, f"Draw until you have {n} cards in hand", n=n, size=ChoiceSize.DOWN_TO)


def draw_up_to(n: int) -> tuple[Effect, ...]:
    """Draw until ``n`` cards are in hand. Drawn Actions may be set aside and are discarded afterwards."""
    text = f"Draw until you have {n} cards in hand. You may set aside any Actions you draw; discard them afterwards"
    drawn = choose_revealed("set_aside", "set aside", target=Zone.SET_ASIDE, types=Type.ACTION, optional=True)
    kept = replace(move_all(Zone.REVEALED, Zone.HAND), event=EventKind.SETTLE)
    one_by_one = Effect(Op.DRAW_UP_TO, text, n=n, types=Type.ACTION, hidden=True, inner=(drawn, kept))
    return one_by_one, move_all(Zone.SET_ASIDE, Zone.DISCARD)


def look_and_decide() -> tuple[Effect, ...]:
    """Look at the top card of the deck; trash it, discard it, play it if it is an Action or a Treasure, or leave it."""
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


def take_copy_in_play() -> tuple[Effect, ...]:
    """Reveal the top card of the deck. If a copy of it is in play, it goes to the hand, else it stays."""
    taken = move_all(Zone.REVEALED, Zone.HAND, text="If a copy of it is in play, put it into your hand")
    return reveal_own(1), replace(taken, among=Among.IN_PLAY), move_all(Zone.REVEALED, Zone.DECK_TOP)


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


# Playing cards.


def choose_to_play(times: int = 2, types: Type = Type.ACTION) -> Effect:
    """Choose at most one card of a type from hand and put it into play. `play_chosen` with ``times`` must follow."""
    often = _OFTEN[times]
    text = f"You may play {_a(_noun(types))} from your hand {often}"
    verb = f"play {often}"
    return Effect(Op.CHOOSE, text, verb, "throne", n=1, target=Zone.IN_PLAY, types=types, optional=True)


_OFTEN = {1: "once", 2: "twice", 3: "three times"}


def play_chosen(times: int) -> Effect:
    """Play the previously chosen card ``times`` times."""
    return Effect(Op.PLAY_CHOSEN, n=times, condition=IF_CHOSEN)


def discard_top_and_may_play() -> tuple[Effect, ...]:
    """Discard the top card of the deck. If it is an Action, the player may play it.

    The card stays in the zone REVEALED until the choice is made, so that it is the only candidate.
    No shuffle can happen in between.
    """
    return (
        replace(reveal(1, "Discard the top card of your deck"), event=EventKind.DISCARD),
        choose_revealed(
            "play_discarded",
            "play",
            "If it is an Action, you may play it",
            target=Zone.IN_PLAY,
            types=Type.ACTION,
            optional=True,
        ),
        replace(discard_revealed(""), event=EventKind.SETTLE),
        play_chosen(1),
    )


def trash_this() -> Effect:
    """Trash the played card itself, if it is where its play expects it. It counts as a chosen card."""
    return move_this(Zone.TRASH, "Trash this")


def move_this(target: Zone, text: str) -> Effect:
    """Move the played card, or the gained card, if it is where it is expected. It counts as a chosen card."""
    return Effect(Op.MOVE_THIS, text, source=Zone.THIS, target=target)


def may_move_this(target: Zone, text: str, verb: str, kind: str) -> Effect:
    """Let the player choose whether to move the played card, or the gained card, if it is where it is expected."""
    return Effect(Op.CHOOSE, text, verb, kind, n=1, source=Zone.THIS, target=target, optional=True)


def may_trash_this() -> Effect:
    """Let the player choose whether to trash the played card itself, if it is in play."""
    return may_move_this(Zone.TRASH, "You may trash this", "trash", "trash_this")


def may_discard_deck() -> tuple[Effect, ...]:
    """Let the player discard the whole deck. The choice has one candidate, the played card: choosing it means yes."""
    ask = may_move_this(Zone.THIS, "You may put your deck into your discard pile", "use", "discard_deck")
    return ask, replace(move_all(Zone.DECK, Zone.DISCARD), condition=IF_CHOSEN)


# Effects at the start of the next turn. A Duration stays in play if one of them was reached.


def later(*effects: Effect) -> Effect:
    """Keep Effects for the start of the player's next turn."""
    text = ", ".join(_lower(effect.text) for effect in effects if effect.text)
    return Effect(Op.LATER, f"At the start of your next turn: {text}", inner=effects)


def later_to_hand(*, hidden: bool = False) -> Effect:
    """Put the card just set aside into the hand at the start of the next turn. ``hidden``: it is face down until then.

    If the card has left that place meanwhile, nothing follows.
    """
    back = replace(move_all(Zone.SET_ASIDE, Zone.HAND, text="put it into your hand"), among=Among.CHOSEN)
    return replace(later(back), among=Among.CHOSEN, condition=IF_CHOSEN, hidden=hidden)


def set_aside_from_hand() -> Effect:
    """Choose a card from hand and set it aside, face down."""
    text = "Set aside a card from your hand, face down"
    return Effect(Op.CHOOSE, text, "set aside", "set_aside", n=1, target=Zone.SET_ASIDE)


def put_on_mat_from_hand(mat: Zone) -> Effect:
    """Choose a card from hand and put it onto a mat."""
    return Effect(Op.CHOOSE, verb="put onto the mat", kind="set_aside", n=1, target=mat)


def extra_turn() -> Effect:
    """Draw a hand of three cards at the end of the turn, and take an extra turn."""
    text = "You draw 3 cards for your next hand, and take an extra turn after this one"
    return Effect(Op.EXTRA_TURN, text)


# Tokens, names, and cards that watch.


def vp_tokens(n: int) -> Effect:
    """Take ``n`` VP tokens."""
    return Effect(Op.VP, f"+{n} VP", n=n)


def name_for_left() -> tuple[Effect, ...]:
    """Let the player to the left name a card, which may not be gained by cards with this Effect this turn."""
    text = "The player to your left names a card"
    named = Effect(Op.CHOOSE, text, "name", "name", n=1, source=Zone.SUPPLY, target=Zone.SUPPLY, decider=Decider.LEFT)
    return named, Effect(Op.NOTE_NAME)


def use_up() -> Effect:
    """Use up a play of a card that watches this turn, if the gained card was chosen."""
    return Effect(Op.USE_UP, only_this=True, condition=IF_CHOSEN)


@dataclass(frozen=True, slots=True)
class Watch:
    """A part of a card: Effects for an event while the card is in hand, or after it was played.

    ``effects`` are resolved by the owner of the card, or with ``by_gainer`` by the player who gained.
    """

    moment: Moment
    text: str
    effects: tuple[Effect, ...] = ()
    whose: Whose = Whose.OWN
    """Players whose gains it watches for."""
    types: Type | None = None
    """Only gained or played cards with one of these types."""
    names: tuple[str, ...] = ()
    """Only cards with these names."""
    bought: bool = False
    """Only bought cards."""
    copies: bool = False
    """Only copies of the card that it has set aside, gained on the turn of the player who gains."""
    by_gainer: bool = False
    protects: bool = False
    """The Attack does not affect its owner."""

    def is_for(self, name: str, types: Type) -> bool:
        """Return whether it watches for cards of a name and types."""
        return (not self.types or bool(types & self.types)) and (not self.names or name in self.names)


# Several players.


def each_opponent(*effects: Effect) -> Effect:
    """Let every other player, in turn order, resolve ``effects``."""
    return Effect(Op.EACH_PLAYER, "Each other player " + _joined(effects), n=1, inner=effects)


def each_player(*effects: Effect) -> Effect:
    """Let every player, the active one first, resolve ``effects``."""
    return Effect(Op.EACH_PLAYER, "Each player, you too, " + _joined(effects), inner=effects)


def pass_cards() -> Effect:
    """Let every player with cards in hand pass one to the next such player, all at the same time."""
    text = "Each player with cards in hand passes one to the next such player to their left, all at the same time"
    chosen = Effect(Op.CHOOSE, verb="pass", kind="pass", n=1, target=Zone.NEXT_HAND)
    return Effect(Op.PASS_CARDS, text, inner=(chosen,))


def offer_reaction() -> Effect:
    """Let every opponent reveal a Reaction from hand to be unaffected. Every Attack begins with this Effect."""
    return Effect(Op.OFFER_REACTION, verb="reveal", kind="reveal_moat", optional=True)


def affected_only(effect: Effect) -> Effect:
    """Return an Effect whose `each_opponent`, itself or inside, skips players who revealed a Reaction."""
    inner = tuple(affected_only(each) for each in effect.inner)
    return replace(effect, inner=inner, skip_unaffected=effect.op == Op.EACH_PLAYER)


def _noun(types: Type | None) -> str:
    if not types:
        return "card"
    return "Victory card" if types == Type.VICTORY else (types.name or "").capitalize()


def _a(noun: str) -> str:
    return f"a{'n' * (noun[0] in 'AEIOU')} {noun}"


def _where(target: Zone) -> str:
    return {Zone.HAND: " to your hand", Zone.DECK_TOP: " onto your deck"}.get(target, "")


def _top(n: int) -> str:
    return "the top card" if n == 1 else f"the top {n} cards"


def _joined(effects: tuple[Effect, ...]) -> str:
    """Join the texts of Effects in the third person: "reveals the top card of their deck and discards the rest"."""
    *before, last = [_third_person(effect) for effect in effects if effect.text] or [""]
    if not before:
        return last
    return f"{', '.join(before)}{',' * (len(before) > 1)} and {last}"


def _third_person(effect: Effect) -> str:
    """Return the text of an Effect that other players resolve: "draws a card", "gains a Curse"."""
    if effect.op == Op.CARDS:
        return "draws a card" if effect.n == 1 else f"draws {effect.n} cards"
    text = effect.text.replace(", or reveal ", ", or reveals ")
    first, _, rest = text.partition(" ")
    return f"{first.lower()}s {rest}" if first in ("Gain", "Discard") else text


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
    Effect(Op.START, "Resolve an effect of the start of your turn", "resolve", "order_effects", optional=True),
    Effect(Op.GAINED),
)
"""Choices of the phases of a turn, in the order of `PhaseEffect`. They are asked like the choices of cards."""
