"""What a card is: a row of data, and what follows from it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from evodom.dominion.engine.effects import Effect, Type, affected_only, offer_reaction
from evodom.dominion.engine.ops import Op, Trigger, Zone

ACTION, ATTACK, REACTION = Type.ACTION, Type.ATTACK, Type.REACTION
TREASURE, VICTORY, CURSE = Type.TREASURE, Type.VICTORY, Type.CURSE

NONTERMINAL, TERMINAL_DRAW, TERMINAL = 0, 1, 2
"""The three classes by which strategies order their Actions."""

ACTION_CLASS_NAMES = ("nonterminal", "terminal draw", "terminal")

_PLAY_ORDER = (10, 25, 30)
"""When an Action is played whose row does not say it, by class."""


@dataclass(frozen=True, slots=True)
class VpPer:
    """Victory points for what the owner of a card has: ``vp`` for every ``n`` cards, rounded down.

    Of all cards, or only of those of one of the ``types``, or of the card called ``name``.
    """

    n: int
    types: Type | None = None
    name: str = ""
    vp: int = 1

    def counts(self, card: "Card") -> bool:
        """Tell whether a card is one of those that are counted."""
        return (self.types is None or bool(card.types & self.types)) and self.name in ("", card.name)

    @property
    def kind(self) -> str:
        """What is counted: a card's name, "Victory card" or "card"."""
        return self.name or (f"{(self.types.name or '').capitalize()} card" if self.types else "card")

    @property
    def text(self) -> str:
        """What it says, in our own words."""
        if self.n == 1:
            return f"{self.vp} VP for every {self.kind} you have"
        return f"{self.vp} VP for every {self.n} {self.kind}s you have, rounded down"


@dataclass(frozen=True, slots=True)
class Card:
    """A card: what is printed on it, and how buy lists play it unless they say otherwise.

    ``vp`` is what the card scores, and ``vp_per`` what it scores for other cards. ``editions`` are those of its set
    that have it. The rest are numbers for buy lists: ``play`` orders the Actions in hand (the lowest is played first),
    ``play_with_spare_actions`` while more than one Action is left, ``play_without_curses`` once no Curses are left;
    ``discard`` is what the card is worth in hand (the lowest is discarded first), ``keep`` what it is worth to own (the
    lowest is trashed first; None: as in hand), and ``keep_wanted`` that while a rule for it holds.
    """

    name: str
    cost: int
    types: Type
    effects: tuple[Effect, ...] = ()
    vp: int = 0
    vp_per: VpPer | None = None
    editions: tuple[int, ...] = (1, 2)
    play: int | None = None
    play_with_spare_actions: int | None = None
    play_without_curses: int | None = None
    discard: int = 20
    keep: int | None = None
    keep_wanted: int | None = None
    when: Mapping[Trigger, tuple[Effect, ...]] = field(default_factory=dict, hash=False)
    """What its owner does when the card is gained, trashed or discarded."""
    card_set: str = ""
    """The name of its set, or "" for the seven cards of every Supply."""

    @property
    def program(self) -> tuple[Effect, ...]:
        """The effects as they are resolved: an Attack begins with the offer to reveal a Reaction."""
        if Type.ATTACK not in self.types:
            return self.effects
        return (offer_reaction(), *(affected_only(effect) for effect in self.effects))

    @property
    def triggered(self) -> tuple[tuple[Effect, ...], ...]:
        """The effects for each `Trigger`, in order."""
        return tuple(self.when.get(event, ()) for event in Trigger)

    @property
    def action_class(self) -> int:
        """NONTERMINAL if it leaves an Action to play or plays another twice, TERMINAL_DRAW if it only draws, else
        TERMINAL."""
        ops = {effect.op for effect in self.effects}
        if Op.ACTIONS in ops or any(effect.op == Op.PLAY_CHOSEN and effect.n > 1 for effect in self.effects):
            return NONTERMINAL
        return TERMINAL_DRAW if ops & {Op.CARDS, Op.DRAW_UP_TO, Op.REVEAL_UNTIL} else TERMINAL

    @property
    def money(self) -> int:
        """The coins printed on it: those a Treasure or an Action gives; 1 for those that depend on a choice."""
        return sum(1 if effect.if_chosen else effect.n for effect in self.effects if effect.op == Op.COINS)

    @property
    def coins(self) -> int:
        """The coins that a Treasure gives when it is played, whatever is chosen; 0 for other cards."""
        if Type.TREASURE not in self.types:
            return 0
        return sum(effect.n for effect in self.effects if effect.op == Op.COINS and not effect.if_chosen)

    @property
    def only_gives_coins(self) -> bool:
        """True for a Treasure that does nothing else: all such cards of a hand can be played at once."""
        plain = all(effect.op == Op.COINS and not effect.if_chosen for effect in self.effects)
        return plain and self.types == Type.TREASURE

    @property
    def play_order(self) -> int:
        """The number by which buy lists order the Actions in hand; what a row does not say follows from the class."""
        return _PLAY_ORDER[self.action_class] if self.play is None else self.play

    @property
    def is_useless(self) -> bool:
        """True if the card does nothing in a turn."""
        return not self.types & (Type.ACTION | Type.TREASURE)

    @property
    def trashes(self) -> bool:
        """True if its player chooses cards of their own to trash."""
        return any(effect.op == Op.CHOOSE and effect.target == Zone.TRASH for effect in self.effects)

    @property
    def text(self) -> str:
        """What the card does, in our own words."""
        lines = [effect.text for effect in self.effects if effect.text]
        if self.only_gives_coins:
            lines = [line.removeprefix("+") for line in lines]  # as it is printed on a Treasure
        for event, effects in self.when.items():
            told = ", then ".join(effect.text for effect in effects if effect.text)
            lines.append(f"When this is {event.name.lower()}: {told}")
        if self.vp:
            lines.append(f"{self.vp} VP")
        if self.vp_per:
            lines.append(self.vp_per.text)
        if Type.REACTION in self.types:
            lines.append(
                "When another player plays an Attack, you may first reveal this from your hand: that Attack then does "
                "nothing to you"
            )
        return ". ".join(line[0].upper() + line[1:] for line in lines) + "."

    @property
    def type_line(self) -> str:
        """The types as printed, for example "Action - Attack"."""
        return " - ".join((kind.name or "").capitalize() for kind in Type if kind in self.types)


class CardSet:
    """A set of kingdom cards by name, with the kingdoms that its rulebooks recommend."""

    def __init__(self, name: str, cards: tuple[Card, ...], kingdoms: Mapping[str, tuple[str, ...]]) -> None:
        self.name = name
        self.cards = tuple(replace(card, card_set=name) for card in cards)
        self.kingdoms = dict(kingdoms)

    @property
    def newest_edition(self) -> int:
        """The number of its newest edition."""
        return max(max(card.editions) for card in self.cards)

    def cards_in(self, *, dropped: bool) -> tuple[Card, ...]:
        """Return the cards of the newest edition; with ``dropped`` also those that it no longer has."""
        return tuple(card for card in self.cards if dropped or self.newest_edition in card.editions)
