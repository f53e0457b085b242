"""Traits of cards and options: numbers of about 0 to 1. `hypernetwork` computes the weights of networks with them.

The traits of a card are computed from its row in the tables of cards. Each Effect, condition, count, event and other
part of a row has a trait. `SHARED_COLUMNS` and `CARD_COLUMNS` are append-only: saved networks have weights for their
first columns.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from evodom.dominion.cards import ACTION as ACTION_TYPE
from evodom.dominion.cards import ATTACK, BASIC, REACTION, TERMINAL, TERMINAL_DRAW, TREASURE, VICTORY
from evodom.dominion.cards import CARDS as ALL_CARDS
from evodom.dominion.cards.card import DURATION, Card
from evodom.dominion.effects.effect import CHOSEN, IF_CHOSEN, NO_MAXIMUM, Effect, Watch, with_inner
from evodom.dominion.effects.ops import ChoiceSize, Count, Moment, Op, Whose, Zone
from evodom.dominion.engine.compiler import list_effects

PASSING = "passing"
OTHER = "another effect"
"""The trait of Effects, conditions and counts without a column. No card of the package has it."""

SHARED_COLUMNS = (
    "any card", "cost", "Action", "Treasure", "Victory", "Attack", "Reaction", "terminal", "draws only", "coins",
    "bonus for a Treasure", "cards", "Actions", "Buys", "points", "points for others", "draws up to",
    "draws for discards", "discards own", "discards for empty piles", "looks at the deck", "sorts the discard pile",
    "puts onto the deck", "trashes from hand", "must trash", "trashes Copper", "trades", "trades by", "trashes itself",
    "gains up to", "gains to hand", "gains a card worth", "plays another", "plays again", "attacks the hand",
    "gives Curses", "trashes others' Treasures", "topdecks others' cards", "gives others cards",
    *(card.name for card in BASIC), PASSING,
    # Of further sets.
    OTHER, "points per card", "points per name", "cheaper", "cheaper Actions", "exact cost", "gains a Curse",
    "reveals the hand", "others reveal", "each player", "options", "others choose options", "when attack",
    # Conditions and counts.
    "if chosen", "if chosen of", "if hand", "if actions played", "per chosen", "per chosen types", "per empty piles",
    # Moves from zone to zone.
    "deck to discard", "discard to deck top", "hand to deck top", "hand to discard", "hand to hand", "hand to in play",
    "hand to trash", "in play to in play", "in play to trash", "revealed to deck top", "revealed to discard",
    "revealed to hand", "revealed to in play", "revealed to set aside", "revealed to trash", "set aside to discard",
    "supply to deck top", "supply to discard", "supply to hand", "supply to supply", "supply to trash",
    "trash to discard", "others' hand to deck top", "others' hand to discard", "others' revealed to deck top",
    "others' revealed to discard", "others' revealed to trash", "others' supply to discard", "others' supply to hand",
    "others' trash to discard",
    # Masquerade and Secret Passage.
    "passes cards", "hand to next hand", "places in the deck",
    # Prosperity and Seaside: parts of rows and events.
    "Duration", "this turn", "until next turn", "end of buys", "in games", "cheaper per Action", "not bought with",
    "protects", "when gain", "when others gain", "when treasure", "when turn", "when gained",
    # Effects, conditions and counts.
    "next turn", "cards next turn", "coins next turn", "Actions next turn", "Buys next turn", "extra turn",
    "VP tokens", "notes the name", "once", "among some", "if empty piles", "if extra turns", "if revealed",
    "if victories gained", "per chosen cost", "per hand", "per hand names", "per in play",
    # Moves.
    "gained to deck top", "gained to in play", "gained to trash", "hand to mat", "hand to set aside",
    "in play to deck top", "in play to mat", "mat to hand", "revealed to mat", "set aside to hand",
    "supply to set aside", "others' hand to trash",
)  # fmt: skip
"""Columns of an embedding in every kingdom: the traits, one for each basic card, and passing."""

CARD_COLUMNS = (
    "Cellar", "Chapel", "Moat", "Chancellor", "Harbinger", "Merchant", "Vassal", "Village", "Woodcutter", "Workshop",
    "Bureaucrat", "Feast", "Gardens", "Militia", "Moneylender", "Poacher", "Remodel", "Smithy", "Spy", "Thief",
    "Throne Room", "Bandit", "Council Room", "Festival", "Laboratory", "Library", "Market", "Mine", "Sentry", "Witch",
    "Adventurer", "Artisan", "Platinum", "Colony", "Courtyard", "Lurker", "Pawn", "Shanty Town", "Steward", "Swindler",
    "Wishing Well", "Baron", "Bridge", "Conspirator", "Diplomat", "Ironworks", "Mill", "Mining Village", "Courtier",
    "Duke", "Minion", "Patrol", "Replace", "Torturer", "Trading Post", "Upgrade", "Farm", "Nobles", "Lookout",
    "Warehouse", "Cutpurse", "Bazaar", "Quarry", "Worker's Village", "Rabble", "Expand", "King's Court",
    "Masquerade", "Secret Passage", "Anvil", "Watchtower", "Bishop", "Clerk", "Investment", "Monument", "Tiara",
    "Charlatan", "City", "Collection", "Crystal Ball", "Magnate", "Mint", "Vault", "War Chest", "Grand Market", "Hoard",
    "Bank", "Forge", "Peddler", "Haven", "Lighthouse", "Native Village", "Astrolabe", "Fishing Village", "Monkey",
    "Sea Chart", "Smugglers", "Blockade", "Caravan", "Island", "Sailor", "Salvager", "Tide Pools", "Treasure Map",
    "Corsair", "Merchant Ship", "Outpost", "Pirate", "Sea Witch", "Tactician", "Treasury", "Wharf",
)  # fmt: skip
"""Cards with a column. Another card is described by its traits alone."""

TRAITS = frozenset(SHARED_COLUMNS) - {PASSING, *(card.name for card in BASIC)}

UNCERTAIN = 0.5
"""Factor of the traits of an Effect with a condition other than IF_CHOSEN."""

AT_EVENT = 0.25
"""Factor of the traits of Effects for an event."""

NEXT_TURN = 0.5
"""Factor of the traits of Effects in the next turn if no column is for that turn."""

_NEXT_TURN_COLUMNS = {Op.CARDS: "cards", Op.COINS: "coins", Op.ACTIONS: "Actions", Op.BUYS: "Buys"}

IN_PLAY = "in play"
"""Name of the played card's place in moves."""

GAINED = "gained"
"""Name of the gained card's place in moves."""

_ZONES = {zone: zone.name.lower().replace("_", " ") for zone in Zone}
_ZONES |= {Zone.THIS: IN_PLAY, Zone.ISLAND_MAT: "mat", Zone.VILLAGE_MAT: "mat"}

Found = Iterator[tuple[str, float]]


@lru_cache(1024)
def traits_of(card: Card) -> dict[str, float]:
    """Return the traits of a card by name. Traits of 0 may be missing."""
    traits = {
        "any card": 1.0,
        "cost": card.cost / 5,
        "Action": float(ACTION_TYPE in card.types),
        "Treasure": float(TREASURE in card.types),
        "Victory": float(VICTORY in card.types),
        "Attack": float(ATTACK in card.types),
        "Reaction": float(REACTION in card.types),
        "Duration": float(DURATION in card.types),
        "points": card.vp / 6,
        "points for others": float(card.vp_per is not None),
    }
    if ACTION_TYPE in card.types:
        traits["terminal"] = float(card.action_class in (TERMINAL, TERMINAL_DRAW))
        traits["draws only"] = float(card.action_class == TERMINAL_DRAW)
    if card.vp_per is not None:
        traits["points per card"] = card.vp_per.vp / card.vp_per.n
        traits["points per name"] = float(card.vp_per.name != "")
    traits["cheaper per Action"] = card.cheaper_per_action / 2
    traits["in games"] = float(card.changes is not None)
    traits["not bought with"] = float(card.not_bought_with != "")
    found = list(_traits_of_effects(card.effects))
    for event, effects in card.on_event.items():
        found += [(f"when {event.name.lower()}", 1.0), *_weighted(AT_EVENT, _traits_of_effects(effects))]
    if card.end_of_buys:
        found += [("end of buys", 1.0), *_weighted(AT_EVENT, _traits_of_effects(card.end_of_buys))]
    for part, watch in (("", card.reaction), ("this turn", card.this_turn), ("until next turn", card.until_next_turn)):
        if watch is not None:
            found += [(part, 1.0)] * (part != "")
            found += _traits_of_watch(watch)
    return _summed(found, traits)


def _traits_of_watch(watch: Watch) -> Found:
    """Yield the traits of a part of a card that watches for an event."""
    others = "others " if watch.moment == Moment.GAIN and watch.whose != Whose.OWN else ""
    yield "protects" if watch.protects else f"when {others}{watch.moment.name.lower()}", 1.0
    this = GAINED if watch.moment == Moment.GAIN else IN_PLAY
    yield from _weighted(AT_EVENT, _traits_of_effects(watch.effects, by_others=watch.by_gainer, this=this))


def options_of(card: Card) -> list[dict[str, float]]:
    """Return the traits of all options of a card, in the order of `list_effects`."""
    watches = [each for watch in card.watches if watch.moment == Moment.GAIN for each in with_inner(watch.effects)]
    menus = [effect for _, effect in list_effects((card,)) if effect.op == Op.OPTIONS]
    return [traits_of_option(each, GAINED if menu in watches else IN_PLAY) for menu in menus for each in menu.inner]


def traits_of_option(option: Effect, this: str = IN_PLAY) -> dict[str, float]:
    """Return the traits of an option of `choose_options` by name: those of its Effects, for the deciding player.

    ``this`` is IN_PLAY for an option of a play, GAINED for an option at a gain.
    """
    return _summed(_traits_of_effects(option.inner, this=this), {})


def _summed(found: Iterable[tuple[str, float]], traits: dict[str, float]) -> dict[str, float]:
    """Add traits to a dictionary and return it. Names without a column count as OTHER."""
    for name, value in found:
        column = name if name in TRAITS else OTHER
        traits[column] = traits.get(column, 0.0) + value
    return traits


def _weighted(weight: float, traits: Iterable[tuple[str, float]]) -> Found:
    return ((name, weight * value) for name, value in traits)


def _traits_of_effects(effects: tuple[Effect, ...], *, by_others: bool = False, this: str = IN_PLAY) -> Found:
    """Yield the traits of effects as (name, value). ``by_others`` is for effects that other players resolve.

    ``this`` names the place of the card that the Effects move as `Zone.THIS`.
    """
    for place, effect in enumerate(effects):
        next_effect = effects[place + 1] if place + 1 < len(effects) else None
        weight = 1.0
        if effect.condition is not None:
            yield f"if {_name(effect.condition.counted.count)}", 0.5 if effect.condition.most == NO_MAXIMUM else -0.5
            weight = 1.0 if effect.condition == IF_CHOSEN else UNCERTAIN
        if effect.per is not None:
            yield f"per {_name(effect.per.count)}", 1.0 / effect.per_n
        if effect.among:
            yield "among some", 1.0
        yield from _weighted(weight, _traits_of_effect(effect, next_effect, by_others=by_others, this=this))


def _name(count: Count) -> str:
    return count.name.lower().replace("_", " ")


def _traits_of_effect(effect: Effect, next_effect: Effect | None, *, by_others: bool, this: str) -> Found:
    """Yield the traits of one effect and of its inner effects. ``next_effect`` is the next effect of the card."""
    if effect.op == Op.EACH_PLAYER:
        if effect.n == 0:
            yield "each player", 1.0
        yield from _traits_of_effects(effect.inner, by_others=True)
        return
    if effect.op == Op.LATER:
        yield "next turn", 1.0
        for each in effect.inner:
            if each.op in _NEXT_TURN_COLUMNS and each.is_fixed:
                yield from ((f"{name} next turn", value) for name, value in _traits_of_own(each, None))
            else:
                yield from _weighted(NEXT_TURN, _traits_of_effects((each,)))
        return
    if effect.op in (Op.GROUP, Op.OPTIONS):
        share = 1.0
        if effect.op == Op.OPTIONS:
            share = effect.n / len(effect.inner)
            yield "others choose options" if by_others else "options", share
        yield from _weighted(share, _traits_of_effects(effect.inner, by_others=by_others, this=this))
        return
    found = list(_traits_of_attack(effect) if by_others else _traits_of_own(effect, next_effect))
    source = this if effect.source == Zone.THIS else _ZONES[effect.source]
    if effect.op == Op.MOVE_THIS and (this, effect.target) == (IN_PLAY, Zone.TRASH):
        found.append(("trashes itself", 1.0))
    elif effect.op == Op.MOVE_THIS:
        found.append((f"{source} to {_ZONES[effect.target]}", 1.0))
    elif effect.op in (Op.CHOOSE, Op.GAIN, Op.MOVE_ALL):
        several = effect.n / 2 if effect.size == ChoiceSize.N and effect.n else 1.0
        whose = "others' " if by_others else ""
        found.append((f"{whose}{source} to {_ZONES[effect.target]}", several))
    if effect.exact:
        found.append(("exact cost", 1.0))
    yield from found or [(OTHER, 1.0)]
    yield from _traits_of_effects(effect.inner, by_others=by_others)


def _traits_of_own(effect: Effect, next_effect: Effect | None) -> Found:
    """Yield the traits of an effect that the card's player resolves."""
    if effect.op == Op.CHOOSE:
        yield from _traits_of_choice(effect, next_effect)
        return
    plain = {
        Op.COINS: ("coins", effect.n / 2),
        Op.BONUS: ("bonus for a Treasure", 1.0),
        Op.CHEAPER: ("cheaper Actions" if effect.types else "cheaper", effect.n / 2),
        Op.VP: ("VP tokens", float(effect.n)),
        Op.NOTE_NAME: ("notes the name", 1.0),
        Op.EXTRA_TURN: ("extra turn", 1.0),
        Op.STOP_WATCHING: ("once", 1.0),
        Op.CARDS: _drawn(effect),
        Op.ACTIONS: ("Actions", effect.n / 2),
        Op.BUYS: ("Buys", float(effect.n)),
        Op.DRAW_OR_SET_ASIDE: ("draws up to", effect.n / 7),
        Op.REVEAL: ("looks at the deck", effect.n / 2) if effect.n else ("reveals the hand", 1.0),
        Op.REVEAL_UNTIL: ("cards", effect.n / 3),
        Op.PLAY_CHOSEN: ("plays again", effect.n - 1.0),
        Op.PASS_CARDS: ("passes cards", 1.0),
        Op.PLACE: ("places in the deck", 1.0),
    }
    if effect.op in plain:
        yield plain[effect.op]
    elif effect.op == Op.GAIN:
        yield "gains a card worth", ALL_CARDS[effect.name].cost / 6
        if ALL_CARDS[effect.name].vp < 0:
            yield "gains a Curse", 1.0


def _drawn(effect: Effect) -> tuple[str, float]:
    if effect.size == ChoiceSize.DOWN_TO:
        return "draws up to", effect.n / 7
    return ("draws for discards", 1.0) if effect.per == CHOSEN else ("cards", effect.n / 3)


def _traits_of_choice(effect: Effect, next_effect: Effect | None) -> Found:
    """Yield the traits of a choice."""
    if effect.source == Zone.SUPPLY and effect.target in (Zone.DISCARD, Zone.HAND, Zone.DECK_TOP, Zone.SET_ASIDE):
        if effect.extra_cost is None:
            yield "gains up to", (effect.max_cost or 0) / 5
        else:
            yield "trades", 1.0
            yield "trades by", effect.extra_cost / 3
        if effect.target == Zone.HAND:
            yield "gains to hand", 1.0
    elif effect.source == Zone.SUPPLY:
        return  # the move describes it: a card is named, or trashed from the Supply
    elif effect.target == Zone.TRASH:
        if effect.name == "Copper":
            yield "trashes Copper", 1.0
        elif effect.source != Zone.THIS and (next_effect is None or next_effect.extra_cost is None):
            yield "trashes from hand", (2 if effect.source == Zone.REVEALED else effect.n) / 4
        if not effect.optional and effect.source == Zone.HAND:
            yield "must trash", 1.0
    elif effect.target == Zone.DISCARD and effect.source == Zone.HAND:
        yield ("discards for empty piles" if effect.per else "discards own"), 1.0
    elif effect.target == Zone.DISCARD and effect.source == Zone.REVEALED and effect.size == ChoiceSize.ANY:
        yield "discards own", 0.5
    elif effect.target == Zone.DECK_TOP:
        yield ("sorts the discard pile" if effect.source == Zone.DISCARD else "puts onto the deck"), 1.0
    elif effect.target == Zone.IN_PLAY and not effect.only_this:
        yield "plays another", 1.0


def _traits_of_attack(effect: Effect) -> Found:
    """Yield the traits of an effect that other players resolve."""
    if effect.op == Op.CARDS:
        yield "gives others cards", effect.n / 2
    elif effect.op == Op.REVEAL:
        yield "others reveal", effect.n / 3
    elif effect.op == Op.GAIN:
        yield "gives Curses", 1.0
    elif effect.op == Op.CHOOSE and effect.size == ChoiceSize.DOWN_TO:
        yield "attacks the hand", 1.0
    elif effect.op == Op.CHOOSE and effect.target == Zone.TRASH and effect.source != Zone.HAND:
        yield "trashes others' Treasures", 1.0
    elif effect.op == Op.CHOOSE and effect.target == Zone.DECK_TOP:
        yield "topdecks others' cards", 1.0
