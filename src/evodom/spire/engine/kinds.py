"""Find all cards that can occur in a fight, and how they change into each other.

Open it to add a change of cards in a fight, or an effect that creates or changes cards.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial

from evodom.errors import UsageError
from evodom.spire.content import cards as card_rows
from evodom.spire.content import effects as e
from evodom.spire.content.cards import SpireCard, cheaper, free_once, grown, reverted, upgraded_in_fight
from evodom.spire.engine.layout import N_COSTS, N_KINDS

Change = Callable[[SpireCard], SpireCard | None]
"""A change of a card in a fight. It returns None for a card that does not change."""

CHANGES_OF_CARDS: dict[str, Change] = {
    "upgraded": upgraded_in_fight, "cheaper": cheaper, "grown": grown, "reverts": reverted, "free_once": free_once,
}  # fmt: skip
"""Changes, each by the name of its field in `CompiledRules`."""

COSTS: dict[int, tuple[Change, ...]] = {
    scope: tuple(partial(card_rows.with_cost, cost=cost, this_turn=scope == e.THIS_TURN) for cost in range(N_COSTS))
    for scope in (e.THIS_TURN, e.THIS_FIGHT)
}
"""Changes that set a cost, by `scope` of an effect and by the cost."""

MAX_CARDS = 10_000
"""Upper bound of the number of cards in a deck with their changes."""

POOL_OPS = frozenset((e.OP_MAKE, e.OP_OFFER))

_UPGRADE_OPS = frozenset((e.OP_UPGRADE_HAND, e.OP_UPGRADE_RANDOM))


class Kinds:
    """Find the cards that can occur in a fight.

    `found` are these cards by name, in order of discovery. `left_out` are the names of cards beyond N_KINDS.
    """

    def __init__(self, roots: Iterable[SpireCard], effects: Iterable[e.SpireEffect]) -> None:
        self.found = {card.name: card for card in roots}
        self.left_out: set[str] = set()
        self._changes: list[Change] = [reverted, grown, cheaper]
        self._makers: list[tuple[str, int]] = []  # pool and scope of random cards
        self._learn(effects)
        self._spread(MAX_CARDS)

    def add_random_cards(self) -> None:
        """Add the cards that effects make at random and all they can become, while there are places.

        All pools come first, then their cards at cost 0, then other changes of cards.
        """
        n = 0, 0
        while n != (n := (len(self._makers), len(self._changes))):
            self._add((card for pool, _ in self._makers for card in card_rows.POOLS[pool]), N_KINDS)
            cards = list(self.found.values())
            upgraded = map(upgraded_in_fight, cards) if upgraded_in_fight in self._changes else ()
            for card in filter(None, (*cards, *upgraded)):
                self._learn(card.effects)
        free = (COSTS[scope][0](card) for pool, scope in self._makers if scope for card in card_rows.POOLS[pool])
        self._add(free, N_KINDS)
        self._spread(N_KINDS)

    def _learn(self, effects: Iterable[e.SpireEffect]) -> bool:
        """Add the changes of effects, and the pools of their random cards. Return whether a change is new."""
        n = len(self._changes)
        for effect in effects:
            self._changes += [change for change in _changes_by(effect) if change not in self._changes]
            is_magnetism = effect.op == e.OP_GIVE and effect.name == "Magnetism"
            maker = card_rows.COLOURLESS if is_magnetism else effect.name, effect.scope
            if (is_magnetism or effect.op in POOL_OPS) and maker not in self._makers:
                self._makers.append(maker)
        return len(self._changes) > n

    def _spread(self, limit: int) -> None:
        """Add the cards that the found cards can create or become, breadth first."""
        to_do = list(self.found.values())
        for card in to_do:  # the list grows
            if self._learn(card.effects):
                to_do += self.found.values()
            to_do += self._add((change(card) for change in self._changes), limit)

    def _add(self, cards: Iterable[SpireCard | None], limit: int) -> list[SpireCard]:
        """Add cards, each with the cards that it creates or becomes at the end of the turn. Return the new cards."""
        added: dict[str, SpireCard] = {}
        for card in cards:
            if card is not None and card.name not in self.found:
                needed = [card, reverted(card), *(one for effect in card.effects for one in _created_by(effect))]
                new = {one.name: one for one in needed if one is not None and one.name not in self.found}
                if len(self.found) + len(new) > limit:
                    self.left_out.add(card.name)
                else:
                    self.found |= new
                    added |= new
        return list(added.values())


def kinds_of_fight(deck: Iterable[SpireCard], effects: Iterable[e.SpireEffect]) -> Kinds:
    """Return the cards that can occur in a fight: deck, created and random cards, and changes of these.

    `effects` are the effects of enemies, relics and potions. Random cards are left out if there are too many. Raise
    `UsageError` if the others are too many.
    """
    cards = list(deck)
    sources = [*effects, *(effect for card in cards for effect in card.effects)]
    cards += [card for effect in sources for card in _created_by(effect)]
    kinds = Kinds(cards, sources)
    n = len(kinds.found)
    if n > N_KINDS:
        raise UsageError(f"{n} kinds of cards may come into this fight; at most {N_KINDS}. Leave some out.")
    kinds.add_random_cards()
    return kinds


def _created_by(effect: e.SpireEffect) -> Iterator[SpireCard]:
    """Yield the cards that an effect creates."""
    if effect.op in (e.OP_CREATE, e.OP_UPGRADE_COPIES):
        yield card_rows.card_row(effect.name)
    if effect.op == e.OP_UPGRADE_COPIES:
        yield card_rows.card_row(effect.name + "+")


@cache
def _limited(scope: int, limit: int) -> Change:
    """Return the change of costs above a limit to the limit."""
    return lambda card: COSTS[scope][limit](card) if (card.cost or 0) > limit else None


def _changes_by(effect: e.SpireEffect) -> list[Change]:
    """Return the changes of cards by an effect."""
    if effect.op in _UPGRADE_OPS or (effect.op == e.OP_CHOOSE and effect.to == e.TO_UPGRADE):
        return [upgraded_in_fight]
    if effect.op == e.OP_RANDOM_COSTS or (effect.op == e.OP_GIVE and effect.name == "Confused"):
        return list(COSTS[e.THIS_FIGHT])
    if effect.op == e.OP_CHOOSE and effect.to == e.TO_DRAW_BOTTOM:
        return [free_once]
    if effect.op == e.OP_LIMIT_COSTS:
        return [_limited(effect.scope, effect.n)]
    return [COSTS[effect.scope][0]] if effect.scope and effect.op not in POOL_OPS else []
