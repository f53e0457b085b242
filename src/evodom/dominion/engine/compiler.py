"""Compile the cards of a kingdom into a record of RULES: masks of piles and encoded Effects.

Open it to see how a card becomes numbers. `rules` declares the record.
"""

import numpy as np

from evodom.dominion.cards import Card, fingerprint
from evodom.dominion.effects.effect import PHASE_EFFECTS, Counted, Effect, Type, Watch, with_inner
from evodom.dominion.effects.ops import (
    ALL_OR_NONE,
    EXACTLY,
    N_COLUMNS,
    NO_LIMIT,
    SUM,
    Among,
    Column,
    Count,
    Moment,
    Op,
    SeenBy,
    Trigger,
    Watcher,
    WatchKind,
    Whose,
    Zone,
)
from evodom.dominion.effects.ops import MAX_SEATS as MAX_SEATS
from evodom.dominion.engine.rules import (
    ENDING_CARDS,
    MAX_COINS,
    MAX_EFFECTS,
    MAX_TURNS,
    MAX_WATCHERS,
    N_PILES,
    RULES,
    Rules,
)
from evodom.errors import UsageError


def pile_sizes(piles: tuple[Card, ...], n_seats: int) -> list[int]:
    """Return the size of each pile of the Supply after dealing (rulebook: "Preparation")."""
    victory = 8 if n_seats == 2 else 12
    large = n_seats > 4
    basic = {
        "Copper": (120 if large else 60) - 7 * n_seats,
        "Silver": 80 if large else 40,
        "Gold": 60 if large else 30,
        "Province": {5: 15, 6: 18}.get(n_seats, victory),
        "Platinum": 12,
        "Curse": 10 * max(n_seats - 1, 1),
    }
    return [basic.get(card.name, victory if Type.VICTORY in card.types else 10) for card in piles]


def make_rules(piles: tuple[Card, ...], n_seats: int) -> Rules:
    """Return the RULES record of a Supply's piles for 1 to 6 players.

    Raise UsageError for another number of players, more than N_PILES piles or more than MAX_EFFECTS Effects.
    `evodom.dominion.kingdom.Kingdom.rules` caches the record.
    """
    if not 1 <= n_seats <= MAX_SEATS:
        raise UsageError(f"{n_seats} players cannot play. Allowed: 1 to {MAX_SEATS}.")
    if len(piles) > N_PILES:
        raise UsageError(f"the game has {len(piles)} piles. Allowed: up to {N_PILES}.")
    rules: Rules = np.zeros(1, RULES)[0]
    rules.kingdom = fingerprint(piles)
    rules.n_seats, rules.n_piles = n_seats, len(piles)
    rules.piles_to_end = 4 if n_seats > 4 else 3
    rules.ending_piles = sum(1 << pile for pile, card in enumerate(piles) if card.name in ENDING_CARDS)
    rules.max_turns = MAX_TURNS
    rules.supply[: len(piles)] = pile_sizes(piles, n_seats)
    rules.cost[: len(piles)] = [card.cost for card in piles]
    rules.n_types[: len(piles)] = [card.types.bit_count() for card in piles]
    rules.coins[: len(piles)] = [card.coins for card in piles]
    rules.money[: len(piles)] = [card.money for card in piles]
    rules.vp[: len(piles)] = [card.vp for card in piles]
    rules.actions = _mask(piles, Type.ACTION)
    rules.treasures = _mask(piles, Type.TREASURE)
    plain = [card.only_gives_coins and not _is_referred_to(card, piles) for card in piles]
    rules.plain_treasures = sum(1 << pile for pile, is_plain in enumerate(plain) if is_plain)
    rules.reactions = sum(1 << pile for pile, card in enumerate(piles) if card.protects)
    rules.attacks = _mask(piles, Type.ATTACK)
    rules.victories = _mask(piles, Type.VICTORY)
    rules.useless = sum(1 << pile for pile, card in enumerate(piles) if card.is_useless)
    for limit in range(MAX_COINS + 1):
        rules.affordable[limit] = sum(1 << pile for pile, card in enumerate(piles) if card.cost <= limit)
    for pile, card in enumerate(piles):
        if Type.ACTION in card.types:
            rules.action_classes[card.action_class] |= 1 << pile
            given = sum(effect.n for effect in card.effects if effect.op == Op.ACTIONS and effect.condition is None)
            rules.extra_actions[pile] = max(given - 1, 0)
    _encode_programs(rules, piles)
    _encode_turn(rules, piles)
    _encode_scores(rules, piles)
    return rules


def list_effects(piles: tuple[Card, ...]) -> list[tuple[Card | None, Effect]]:
    """Return a pair of card and Effect for each row of `Rules.effects`. PHASE_EFFECTS come first, with None as card."""
    listed: list[tuple[Card | None, Effect]] = [(None, effect) for effect in PHASE_EFFECTS]
    for card in piles:
        for program in _programs(card):
            listed += [(card, effect) for effect in with_inner(program)]
    return listed


def _programs(card: Card) -> list[tuple[Effect, ...]]:
    """Return the programs of a card: its play, one for each `Trigger`, and one for each watch for gains."""
    gain_watches = (watch.effects for watch in card.watches if watch.moment == Moment.GAIN)
    return [card.program, *card.trigger_effects, *gain_watches]


def _encode_programs(rules: Rules, piles: tuple[Card, ...]) -> None:
    """Write the Effects of every card, in the order of `list_effects`."""
    encoded = [_encode(effect, None, piles) for effect in PHASE_EFFECTS]
    watchers: list[list[int]] = []
    for pile, card in enumerate(piles):
        gain_watches = [watch for watch in card.watches if watch.moment == Moment.GAIN]
        for event, program in zip((None, *Trigger, *gain_watches), _programs(card), strict=True):
            first = len(encoded)
            for effect, seen_by in zip(with_inner(program), visibility(program), strict=True):
                encoded.append(_encode(effect, card, piles, seen_by))
            if event is None:
                rules.first_effect[pile], rules.end_effect[pile] = (first, len(encoded)) if program else (0, 0)
            elif isinstance(event, Watch):
                watchers.append(_watcher(pile, _kind_of(card, event), event, first, len(encoded), piles))
            elif event == Trigger.GAINED and program:
                own = Watch(Moment.GAIN, "", program, names=(card.name,))
                watchers.append(_watcher(pile, WatchKind.ITSELF, own, first, len(encoded), piles))
            elif program:
                rules.triggers[event] |= 1 << pile
                rules.trigger_first[event, pile], rules.trigger_end[event, pile] = first, len(encoded)
    if len(encoded) > MAX_EFFECTS:
        raise UsageError(f"the cards of this kingdom have {len(encoded)} Effects. Allowed: up to {MAX_EFFECTS}.")
    rules.effects[: len(encoded)] = encoded
    _write_watchers(rules, watchers)


def _kind_of(card: Card, watch: Watch) -> WatchKind:
    """Return the kind of a card's watch for gains."""
    if watch is card.this_turn:
        return WatchKind.THIS_TURN
    if watch is card.until_next_turn:
        return WatchKind.UNTIL_NEXT_TURN
    return WatchKind.ANY_HAND if watch.whose == Whose.ANY else WatchKind.HAND


def _watcher(pile: int, kind: WatchKind, watch: Watch, first: int, end: int, piles: tuple[Card, ...]) -> list[int]:
    """Return the row of `Rules.watchers` for a watch. Its Effects have the indices from ``first`` to before ``end``."""
    row = [0] * len(Watcher)
    row[Watcher.PILE], row[Watcher.KIND], row[Watcher.WHOSE] = pile, kind, watch.whose
    row[Watcher.MASK] = sum(1 << other for other, each in enumerate(piles) if watch.is_for(each.name, each.types))
    row[Watcher.FIRST], row[Watcher.END] = first, end
    row[Watcher.ASKS] = watch.effects[0].op in (Op.CHOOSE, Op.OPTIONS)
    row[Watcher.MOVES] = any(effect.source == Zone.THIS for effect in with_inner(watch.effects))
    row[Watcher.BOUGHT], row[Watcher.COPIES], row[Watcher.BY_GAINER] = watch.bought, watch.copies, watch.by_gainer
    return row


def _write_watchers(rules: Rules, watchers: list[list[int]]) -> None:
    """Write the watches for gains, in the order of resolution."""
    watchers.sort(key=lambda row: (row[Watcher.KIND], -row[Watcher.BY_GAINER], -row[Watcher.ASKS], row[Watcher.PILE]))
    if len(watchers) > MAX_WATCHERS:
        raise UsageError(f"{len(watchers)} cards of this kingdom watch for gains. Allowed: up to {MAX_WATCHERS}.")
    rules.n_watchers = len(watchers)
    for index, row in enumerate(watchers):
        rules.watchers[index] = row
        rules.watched |= row[Watcher.MASK]


def _encode_turn(rules: Rules, piles: tuple[Card, ...]) -> None:
    """Write the fields for Durations, watches, reduced costs, forbidden purchases and counted gains."""
    for pile, card in enumerate(piles):
        rules.start_cards |= (Type.DURATION in card.types) << pile
        rules.counted_plays |= (card.this_turn is not None) << pile
        rules.cheaper_piles |= (card.cheaper_per_action > 0) << pile
        rules.cheaper_per_action[pile] = card.cheaper_per_action
        rules.not_bought_with[pile] = sum(1 << p for p, each in enumerate(piles) if each.name == card.not_bought_with)
        rules.restricted_piles |= (card.not_bought_with != "") << pile
        for watch in card.watches:
            if watch.moment == Moment.TURN:
                rules.start_from_hand |= 1 << pile
            elif watch.moment == Moment.TREASURE:
                rules.seizers |= 1 << pile
                rules.seized |= sum(1 << p for p, each in enumerate(piles) if watch.is_for(each.name, each.types))
            elif watch.moment == Moment.ATTACK and watch is card.until_next_turn:
                rules.shields |= 1 << pile
        counts = {effect.condition.counted.count for effect in card.end_of_buys if effect.condition}
        if Count.VICTORIES_GAINED in counts:
            rules.watched |= _mask(piles, Type.VICTORY)
        if any(effect.among == Among.GAINED_BY_RIGHT for effect in with_inner(card.effects)):
            rules.watched |= (1 << len(piles)) - 1
    rules.start_cards |= rules.start_from_hand
    is_named = any(effect.op == Op.NOTE_NAME for card in piles for effect in card.effects)
    has_end = any(card.end_of_buys for card in piles)
    rules.needs_mechanics = bool(rules.start_cards or rules.counted_plays or rules.watched or has_end or is_named)


def _is_referred_to(treasure: Card, piles: tuple[Card, ...]) -> bool:
    """Return whether a card in the game depends on a Treasure being played or in play."""
    watches = (watch for card in piles for watch in card.watches if watch.moment == Moment.TREASURE)
    is_seized = any(watch.is_for(treasure.name, treasure.types) for watch in watches)
    gained = ((card, effect) for card in piles for effect in card.trigger_effects[Trigger.GAINED])
    is_lost = any(effect.source == Zone.IN_PLAY and _qualifies(treasure, effect, card) for card, effect in gained)
    return is_seized or is_lost or any(card.not_bought_with == treasure.name for card in piles)


def visibility(program: tuple[Effect, ...], outer: SeenBy = SeenBy.ALL) -> list[SeenBy]:
    """Return the `SeenBy` of each Effect of a program, in the order of `with_inner`: who sees the revealed cards.

    Only the seat that resolves a hidden Effect sees the cards that the Effect reveals. This holds to the end of the
    program, because the cards may stay in the zone REVEALED. Inner Effects of EACH_PLAYER have frames of other seats.
    In these frames only the active player sees the cards. ``outer`` is the `SeenBy` before the program.
    """
    found = []
    for effect in program:
        outer = SeenBy.SEAT if effect.hidden else outer
        inner = SeenBy.ACTIVE if effect.op == Op.EACH_PLAYER and outer == SeenBy.SEAT else outer
        found += [outer, *visibility(effect.inner, inner)]
    return found


def is_face_up(effect: Effect, seen_by: SeenBy) -> bool:
    """Return whether all players see the cards that an Effect moves. ``seen_by`` is its entry of `visibility`.

    Cards from the zone REVEALED are face up if all seats see that zone. A card from a hand is face down on a deck or
    set aside, unless the Effect requires a type: then the player shows the card to prove its type.
    """
    if effect.source == Zone.REVEALED and effect.target == Zone.SET_ASIDE:
        return True
    if effect.op == Op.LATER or effect.source in (Zone.REVEALED, Zone.SET_ASIDE, Zone.VILLAGE_MAT):
        return seen_by == SeenBy.ALL
    is_hidden = effect.target in (Zone.DECK_TOP, Zone.SET_ASIDE)
    return not (effect.op == Op.CHOOSE and effect.source == Zone.HAND and is_hidden and effect.types is None)


def _encode_scores(rules: Rules, piles: tuple[Card, ...]) -> None:
    """Write the fields of cards whose victory points depend on the owned cards, such as Gardens."""
    rules.vp_per_n[:] = 1
    for pile, card in enumerate(piles):
        if card.vp_per:
            rules.vp_per[pile], rules.vp_per_n[pile] = card.vp_per.vp, card.vp_per.n
            rules.vp_per_mask[pile] = sum(1 << other for other, each in enumerate(piles) if card.vp_per.counts(each))
            rules.variable_vp |= 1 << pile


def _encode(effect: Effect, owner: Card | None, piles: tuple[Card, ...], seen_by: SeenBy = SeenBy.ALL) -> list[int]:
    """Return the columns of one Effect of the card ``owner``. ``seen_by`` is its entry of `visibility`."""
    row = [0] * N_COLUMNS
    row[Column.OP], row[Column.N], row[Column.CHOICE_SIZE] = effect.op, effect.n, effect.size
    row[Column.SOURCE], row[Column.TARGET] = effect.source, effect.target
    row[Column.MASK] = sum(1 << pile for pile, card in enumerate(piles) if _qualifies(card, effect, owner))
    row[Column.MAX_COST] = NO_LIMIT if effect.max_cost is None else effect.max_cost
    row[Column.EXTRA_COST] = NO_LIMIT if effect.extra_cost is None else effect.extra_cost
    row[Column.EXACT] = SUM if effect.of_all_chosen else EXACTLY if effect.exact else 0
    row[Column.AMONG] = effect.among
    row[Column.OPTIONAL] = ALL_OR_NONE if effect.all_or_none else effect.optional
    if effect.op == Op.LATER:
        row[Column.OPTIONAL] = any(each.op not in _UNORDERED for each in effect.inner)
    row[Column.COUNT_PER] = effect.per_n
    if effect.per is not None:
        row[Column.COUNT], row[Column.COUNT_MASK] = effect.per.count, _counted_mask(effect.per, piles)
    if effect.condition is not None:
        counted = effect.condition.counted
        row[Column.IF], row[Column.IF_MASK] = counted.count, _counted_mask(counted, piles)
        row[Column.IF_MIN], row[Column.IF_MAX] = effect.condition.least, effect.condition.most
    row[Column.SKIP_UNAFFECTED], row[Column.DECIDER] = effect.skip_unaffected, effect.decider
    row[Column.FACE_UP] = owner is None or is_face_up(effect, seen_by)
    row[Column.N_INNER], row[Column.SEEN_BY] = len(with_inner(effect.inner)), seen_by
    return row


_UNORDERED = (Op.CARDS, Op.ACTIONS, Op.BUYS, Op.COINS, Op.MOVE_ALL)
"""Operations that give the same result in any order at the start of a turn."""


def _qualifies(card: Card, effect: Effect, owner: Card | None) -> bool:
    """Return whether a card meets the restrictions of an Effect of the card ``owner``."""
    if effect.types is not None and not card.types & effect.types:
        return False
    if effect.except_types is not None and card.types & effect.except_types:
        return False
    if effect.only_this and card is not owner:
        return False
    return effect.name in ("", card.name) and effect.except_name != card.name


def _counted_mask(counted: Counted, piles: tuple[Card, ...]) -> int:
    """Return the mask of the piles whose cards a count includes."""
    return _mask(piles, counted.types) if counted.types else (1 << len(piles)) - 1


def _mask(piles: tuple[Card, ...], type_: Type) -> int:
    return sum(1 << pile for pile, card in enumerate(piles) if card.types & type_)
