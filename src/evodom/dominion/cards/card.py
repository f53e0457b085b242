"""Define `Card`, the data of one card, and `CardSet`, a set of cards.

Read this module before you add a card. A card is an instance of `Card`; the modules of sets list one after the other.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from evodom.dominion.effects.effect import Effect, Type, Watch, affected_only, offer_reaction, own_effects
from evodom.dominion.effects.ops import Moment, Op, Trigger, Zone

ACTION, ATTACK, REACTION = Type.ACTION, Type.ATTACK, Type.REACTION
TREASURE, VICTORY, CURSE, DURATION = Type.TREASURE, Type.VICTORY, Type.CURSE, Type.DURATION

# Classes of Actions (`Card.action_class`). Strategies order their Actions by class.
NONTERMINAL, TERMINAL_DRAW, TERMINAL = 0, 1, 2

ACTION_CLASS_NAMES = ("nonterminal", "terminal draw", "terminal")


@dataclass(frozen=True, slots=True)
class VpPer:
    """Victory points that depend on the owned cards: ``vp`` for every ``n`` counted cards, rounded down.

    All cards count, or only cards with one of the ``types``, or only the card called ``name``.
    """

    n: int
    types: Type | None = None
    name: str = ""
    vp: int = 1

    def counts(self, card: "Card") -> bool:
        """Return whether a card is counted."""
        return (self.types is None or bool(card.types & self.types)) and self.name in ("", card.name)

    @property
    def kind(self) -> str:
        """The counted cards: a card's name, "Victory card" or "card"."""
        return self.name or (f"{(self.types.name or '').capitalize()} card" if self.types else "card")

    @property
    def text(self) -> str:
        """The rule as a phrase, in our own words."""
        if self.n == 1:
            return f"{self.vp} VP for every {self.kind} you have"
        return f"{self.vp} VP for every {self.n} {self.kind}s you have, rounded down"


@dataclass(frozen=True, slots=True)
class CardChange:
    """Types and Effects that a card adds to the card ``name`` in every game with both cards."""

    name: str
    types: Type
    effects: tuple[Effect, ...]
    text: str

    def applied_to(self, card: "Card") -> "Card":
        """Return a card with the change, if it is the card ``name``; else unchanged."""
        if card.name != self.name:
            return card
        return replace(card, types=card.types | self.types, effects=card.effects + self.effects)


@dataclass(frozen=True)
class Card:
    """The data printed on a card.

    ``vp`` are its fixed victory points. ``vp_per`` adds points for owned cards. ``editions`` are the editions
    of its set that contain it.
    """

    name: str
    cost: int
    types: Type
    effects: tuple[Effect, ...] = ()
    vp: int = 0
    vp_per: VpPer | None = None
    editions: tuple[int, ...] = (1, 2)
    on_event: Mapping[Trigger, tuple[Effect, ...]] = field(default_factory=dict, hash=False)
    """Effects that the owner resolves when the card is gained, trashed or discarded."""
    reaction: Watch | None = None
    """Watch while the card is in hand."""
    this_turn: Watch | None = None
    """Watch for gains until the end of the turn in which the card is played. Each play watches separately."""
    until_next_turn: Watch | None = None
    """Watch from the play of the card to the start of its player's next turn."""
    end_of_buys: tuple[Effect, ...] = ()
    """Effects at the end of the Buy phase while the card is in play."""
    changes: CardChange | None = None
    """Change of another card in every game with both cards."""
    cheaper_per_action: int = 0
    """Reduction of the cost in a Buy phase for each Action that the active player has in play."""
    not_bought_with: str = ""
    """Name of another card. With that card in play, a player cannot buy this card."""
    card_set: str = ""
    """The name of its set, or "" for the seven cards of every Supply."""

    @property
    def program(self) -> tuple[Effect, ...]:
        """The Effects of a play as the engine resolves them. An Attack first lets opponents reveal Reactions."""
        if Type.ATTACK not in self.types:
            return self.effects
        return (offer_reaction(), *(affected_only(effect) for effect in self.effects))

    @cached_property
    def own_effects(self) -> list[Effect]:
        """The Effects at all depths that the player of the card resolves, without those of other players."""
        return own_effects(self.effects)

    @property
    def trigger_effects(self) -> tuple[tuple[Effect, ...], ...]:
        """The Effects for each `Trigger`, in the order of `Trigger`."""
        attacked = self.reaction.effects if self.reaction and self.reaction.moment == Moment.ATTACK else ()
        in_fields = {Trigger.ATTACK: attacked, Trigger.END_OF_BUYS: self.end_of_buys}
        return tuple(in_fields.get(event, self.on_event.get(event, ())) for event in Trigger)

    @property
    def watches(self) -> tuple[Watch, ...]:
        """The parts of the card that watch for events."""
        return tuple(watch for watch in (self.reaction, self.this_turn, self.until_next_turn) if watch)

    @cached_property
    def action_class(self) -> int:
        """The class of an Action: NONTERMINAL, TERMINAL_DRAW or TERMINAL.

        NONTERMINAL cards give Actions or play another card several times. TERMINAL_DRAW cards draw. Effects of the next
        turn do not count. Neither do Effects with a condition, except the condition that a card was chosen.
        """
        certain = tuple(
            effect
            for effect in self.effects
            if (effect.condition is None or effect.if_chosen) and effect.op != Op.LATER
        )
        ops = {effect.op for effect in own_effects(certain)}
        if Op.ACTIONS in ops or any(effect.op == Op.PLAY_CHOSEN and effect.n > 1 for effect in self.effects):
            return NONTERMINAL
        return TERMINAL_DRAW if ops & {Op.CARDS, Op.DRAW_OR_SET_ASIDE, Op.REVEAL_UNTIL} else TERMINAL

    @property
    def money(self) -> int:
        """Approximate coins of a card of any type, for buy lists.

        Coins with a condition count 1. Coins of an option or of the next turn count 1 if the card gives no others.
        """
        now = sum(1 if effect.condition else effect.n for effect in self.effects if effect.op == Op.COINS)
        return now or int(any(effect.op == Op.COINS for effect in self.own_effects))

    @property
    def coins(self) -> int:
        """Certain coins of a Treasure, without Effects with a condition or a count. 0 for other cards."""
        if Type.TREASURE not in self.types:
            return 0
        return sum(effect.n for effect in self.effects if effect.op == Op.COINS and effect.is_fixed)

    @property
    def only_gives_coins(self) -> bool:
        """True for a Treasure that only gives certain coins. All such cards in hand can be played together."""
        plain = all(effect.op == Op.COINS and effect.is_fixed for effect in self.effects)
        return plain and not self.watches and Type.TREASURE in self.types and not self.types & Type.ACTION

    @property
    def is_useless(self) -> bool:
        """True if the card cannot be played: it is neither an Action nor a Treasure."""
        return not self.types & (Type.ACTION | Type.TREASURE)

    @cached_property
    def trashes(self) -> bool:
        """True if the card lets its player choose a card to trash."""
        return any(effect.op == Op.CHOOSE and effect.target == Zone.TRASH for effect in self.own_effects)

    @property
    def protects(self) -> bool:
        """True for a Reaction that protects from an Attack when it is revealed."""
        return bool(self.reaction and self.reaction.protects)

    @property
    def text(self) -> str:
        """The card's text, in our own words."""
        lines = [effect.text for effect in self.effects if effect.text]
        if self.only_gives_coins:
            lines = [line.removeprefix("+") for line in lines]  # as it is printed on a Treasure
        for event, effects in self.on_event.items():
            text = ", then ".join(effect.text for effect in effects if effect.text)
            lines.append(f"When this is {event.name.lower()}: {text}")
        lines += [watch.text for watch in self.watches]
        lines += [effect.text for effect in self.end_of_buys]
        if self.cheaper_per_action:
            lines.append(f"In a Buy phase, this costs ${self.cheaper_per_action} less per Action you have in play")
        if self.not_bought_with:
            lines.append(f"You cannot buy this while you have a {self.not_bought_with} in play")
        if self.changes:
            lines.append(self.changes.text)
        if self.vp:
            lines.append(f"{self.vp} VP")
        if self.vp_per:
            lines.append(self.vp_per.text)
        return ". ".join(line[0].upper() + line[1:] for line in lines) + "."

    @property
    def type_line(self) -> str:
        """The types as printed, for example "Action - Attack"."""
        return " - ".join((kind.name or "").capitalize() for kind in Type if kind in self.types)


class CardSet:
    """A set of kingdom cards, and the kingdoms that its rulebooks recommend.

    ``kingdoms`` has the cards of each kingdom in one text, separated by commas.
    """

    def __init__(self, name: str, cards: tuple[Card, ...], kingdoms: Mapping[str, str]) -> None:
        self.name = name
        self.cards = tuple(replace(card, card_set=name) for card in cards)
        self.kingdoms = {kingdom: tuple(names.split(", ")) for kingdom, names in kingdoms.items()}

    @property
    def newest_edition(self) -> int:
        """The number of its newest edition."""
        return max(max(card.editions) for card in self.cards)

    def cards_in(self, *, dropped: bool) -> tuple[Card, ...]:
        """Return the cards of the newest edition. With ``dropped`` include cards of older editions."""
        return tuple(card for card in self.cards if dropped or self.newest_edition in card.editions)
