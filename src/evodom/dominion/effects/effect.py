"""Define `Effect`, one change to the game, and the Effects that combine others: conditions, options, players, turns.

Open this module to add a field to Effects, or to write a condition, a choice among options or an Attack. Other Effects
of cards are in `hand`, `supply` and `deck`. `compiler` encodes an Effect as
integers with the columns of `ops.Column`. `resolve` resolves the encoded Effects.
"""

from dataclasses import dataclass, replace
from enum import IntFlag

from evodom.dominion.effects.ops import Among, ChoiceSize, Count, Decider, EventKind, Moment, Op, Whose, Zone


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
    """A `Count` of all cards, or of the cards with one of the ``types``."""

    count: Count
    types: Type | None = None


NO_MAXIMUM = 1000
"""`Requirement.most` without an upper bound."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """Require that a number is from ``least`` to ``most``. ``text`` is the phrase before the Effect: "If you do"."""

    counted: Counted
    text: str = ""
    least: int = 0
    most: int = NO_MAXIMUM


@dataclass(frozen=True, slots=True)
class Effect:
    """One change to the game. Functions such as `hand.cards` create Effects, with the line of the card's text.

    ``types``, ``except_types``, ``name``, ``except_name``, ``only_this``, ``max_cost``, ``extra_cost``, ``exact`` and
    ``among`` restrict the cards that may be chosen or moved. The ``inner`` Effects are resolved

    - by each player, for EACH_PLAYER and PASS_CARDS;
    - for each drawn card of ``types``, for DRAW_OR_SET_ASIDE;
    - together, for GROUP; next turn, for LATER;
    - if the player has chosen the option, for OPTIONS: each is an option.
    """

    op: Op
    text: str = ""
    """The line on the card, in our own words. "" if the previous Effect's text includes it."""
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
    """Only cards with one of these types may be chosen or moved."""
    name: str = ""
    """Only the card of this name."""
    except_name: str = ""
    """Not the card of this name."""
    only_this: bool = False
    """Only the played card itself."""
    max_cost: int | None = None
    """Only cards costing up to this."""
    extra_cost: int | None = None
    """Only cards costing at most ``extra_cost`` more than the previously chosen card."""
    exact: bool = False
    """Only cards costing exactly ``max_cost``, or ``extra_cost`` more than the previously chosen card."""
    of_all_chosen: bool = False
    """``extra_cost`` is relative to the total cost of all cards of the previous choice."""
    except_types: Type | None = None
    """Not cards with one of these types."""
    among: Among = Among.ALL
    optional: bool = False
    """The player may choose no card."""
    all_or_none: bool = False
    """The player may choose no card, but not fewer than ``n``."""
    per: Counted | None = None
    """A count. It multiplies ``n`` after the division by ``per_n``."""
    per_n: int = 1
    """Divisor of the count ``per``. The quotient is rounded down."""
    condition: Requirement | None = None
    """The Effect is resolved only if the condition holds."""
    skip_unaffected: bool = False
    """Players who revealed a Reaction to the Attack are skipped."""
    decider: Decider = Decider.SEAT
    option: str = ""
    """Identifier of an option of `choose_options`: "cards", "discard"."""
    hidden: bool = False
    """Only the player who resolves the Effect sees the cards."""
    event: EventKind | None = None
    """Kind of the events of revealed cards, if the zones do not determine the kind. The engine ignores it."""
    inner: tuple["Effect", ...] = ()
    """Effects inside this Effect. `Effect` lists when they are resolved."""

    @property
    def if_chosen(self) -> bool:
        """True if the condition is that the previous choice chose a card."""
        return self.condition is not None and self.condition.counted.count == Count.CHOSEN

    @property
    def is_fixed(self) -> bool:
        """True if the Effect has neither a condition nor a counted number."""
        return self.condition is None and self.per is None


def with_inner(program: tuple[Effect, ...]) -> list[Effect]:
    """Return the Effects of a program, each followed by its inner Effects at all depths."""
    return [each for effect in program for each in (effect, *with_inner(effect.inner))]


def own_effects(program: tuple[Effect, ...]) -> list[Effect]:
    """Return the Effects of a program like `with_inner`, without Effects of other players."""
    pairs = ((effect, () if effect.op == Op.EACH_PLAYER else effect.inner) for effect in program)
    return [each for effect, inner in pairs for each in (effect, *own_effects(inner))]


@dataclass(frozen=True, slots=True)
class Watch:
    """Effects of a card for an event while the card is in hand, or after it was played. The card watches for the event.

    The owner of the card resolves ``effects``. With ``by_gainer`` the player who gained a card resolves them.
    """

    moment: Moment
    text: str
    effects: tuple[Effect, ...] = ()
    whose: Whose = Whose.OWN
    """Players whose gains the card watches for."""
    types: Type | None = None
    """Watch only for cards with one of these types."""
    names: tuple[str, ...] = ()
    """Watch only for cards with these names."""
    bought: bool = False
    """Watch only for bought cards."""
    copies: bool = False
    """Watch only for copies of the card that this card has set aside, if players gain them on their own turns."""
    by_gainer: bool = False
    protects: bool = False
    """The Attack does not affect its owner."""

    def is_for(self, name: str, types: Type) -> bool:
        """Return whether a card of this name and types is watched for."""
        return (not self.types or bool(types & self.types)) and (not self.names or name in self.names)


def stop_watching() -> Effect:
    """End the watch of one play for this turn, if the player chose the gained card. Each play thus reacts once."""
    return Effect(Op.STOP_WATCHING, only_this=True, condition=IF_CHOSEN)


# Conditions and counts.

CHOSEN = Counted(Count.CHOSEN)
IF_CHOSEN = Requirement(CHOSEN, "If you do", least=1)


def if_chosen(effect: Effect) -> Effect:
    """Resolve an Effect only if the previous choice chose a card."""
    return on_condition(IF_CHOSEN, effect)


def on_condition(condition: Requirement, effect: Effect) -> Effect:
    """Resolve an Effect only if a condition holds."""
    return replace(effect, text=f"{condition.text}, {_lower(effect.text)}", condition=condition)


def per(counted: Counted, text: str, effect: Effect, n: int = 1) -> Effect:
    """Multiply the number of an Effect by a count, divided by ``n`` and rounded down.

    ``text`` names the count: "+1 Card" per "card you discarded".
    """
    return replace(effect, text=f"{effect.text} per {text}", per=counted, per_n=n)


# Options.


def choose_options(n: int, *options: Effect, text: str | None = None, counted: Counted | None = None) -> Effect:
    """Choose ``n`` different options, one after the other. Then resolve them in the order of the list.

    An option that does nothing may be chosen. ``counted`` multiplies ``n``.
    """
    listed = f"{'; '.join(each.text for each in options[:-1])}; or {options[-1].text}"
    lead = text if text is not None else f"Choose {_NUMBERS[n]}: "
    return Effect(Op.OPTIONS, lead + listed, "choose", "choose", n=n, per=counted, inner=options)


_NUMBERS = {1: "one", 2: "two"}


def option(name: str, *effects: Effect, text: str = "") -> Effect:
    """Combine Effects into one option of `choose_options`. ``name`` identifies the option on its card."""
    return replace(group(*effects, text=text), option=name)


def group(*effects: Effect, text: str = "") -> Effect:
    """Combine several Effects into one, for example for `on_condition`."""
    return Effect(Op.GROUP, text or _listed(effects), inner=effects)


# The next turn. When one of the following Effects is resolved, its card stays in play until that turn's clean-up.


def later(*effects: Effect) -> Effect:
    """Keep Effects for the start of the player's next turn."""
    return Effect(Op.LATER, f"At the start of your next turn: {_listed(effects)}", inner=effects)


def extra_turn() -> Effect:
    """Draw a hand of three cards at the end of the turn, and take an extra turn."""
    return Effect(Op.EXTRA_TURN, "You draw 3 cards for your next hand, and take an extra turn after this one")


# Several players.


def each_opponent(*effects: Effect) -> Effect:
    """Let every other player, in turn order, resolve ``effects``."""
    return Effect(Op.EACH_PLAYER, "Each other player " + _joined(effects), n=1, inner=effects)


def each_player(*effects: Effect) -> Effect:
    """Let every player, the active one first, resolve ``effects``."""
    return Effect(Op.EACH_PLAYER, "Each player, you too, " + _joined(effects), inner=effects)


def offer_reaction() -> Effect:
    """Let every opponent reveal a Reaction from hand to be unaffected. Every Attack begins with this Effect."""
    return Effect(Op.OFFER_REACTION, verb="reveal", kind="reveal_moat", optional=True)


def affected_only(effect: Effect) -> Effect:
    """Return an Effect whose `each_opponent` Effects, at all depths, skip players who revealed a Reaction."""
    inner = tuple(affected_only(each) for each in effect.inner)
    return replace(effect, inner=inner, skip_unaffected=effect.op == Op.EACH_PLAYER)


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


# Words of the texts.


def _listed(effects: tuple[Effect, ...]) -> str:
    """Join the texts of Effects with commas: "+1 Card, discard a card"."""
    return ", ".join(_lower(effect.text) for effect in effects if effect.text)


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def noun(types: Type | None) -> str:
    """Return the noun for cards of a type: "Victory card", "Treasure"; "card" for all cards."""
    if not types:
        return "card"
    return "Victory card" if types == Type.VICTORY else (types.name or "").capitalize()


def with_article(what: str) -> str:
    """Return a noun or the name of a card with its article: "an Estate"."""
    return f"a{'n' * (what[0] in 'AEIOU')} {what}"


# The phases of a turn.

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
"""Choices of the phases of a turn, in the order of `PhaseEffect`. The engine asks them like choices of cards."""
