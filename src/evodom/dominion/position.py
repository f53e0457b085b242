"""Parse and format positions as one line of text, for tests, bug reports and puzzles.

    P1: hand Militia, 3 Copper; top Gold; deck 2 Estate; discard Silver | P2: hand 5 Copper | supply: 1 Province

Players are ``P1``, ``P2``, ... with ``hand``, ``top``, ``deck`` (unseen cards), ``discard`` and ``turns``. ``top`` are
the known cards on the deck, the top card first; in ``top Gold, 2 unseen, Estate`` two of the unseen cards lie between.
``supply`` overrides sizes of piles. ``turn`` gives the active player, actions, buys, coins and phase. Three parts are
written if they do not follow from playing each card in play once: the bonus of the first Silver ("2 for Silver"),
cheaper cards ("1 off Silver"), the number of plays ("3 Actions played"). ``in play`` and ``trash`` list cards. Omitted
zones are empty; omitted piles are full.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import numpy as np

from evodom.dominion.cards import ACTION, CARDS, TREASURE, find_card
from evodom.dominion.engine.batch import undealt_state
from evodom.dominion.engine.ops import Op, Zone
from evodom.dominion.engine.rules import N_PILES, Numbers
from evodom.dominion.engine.state import MAX_KNOWN, PHASE_NAMES, State, begin_turn, recount_rows, row_of, seed_streams
from evodom.dominion.game import DominionGame
from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.errors import UsageError

UNSEEN = "unseen"
"""The word for an unseen card among the top cards of a deck. Its name is among those of the deck."""

_ZONES = {"hand": Zone.HAND, "deck": Zone.DECK, "discard": Zone.DISCARD}


@dataclass
class SeatSetup:
    """The cards of a seat by name, and its turns taken.

    ``top`` are the top cards of its deck, the first on top, each a name or UNSEEN. The last is a name.
    """

    hand: list[str] = field(default_factory=list)
    top: list[str] = field(default_factory=list)
    deck: list[str] = field(default_factory=list)
    discard: list[str] = field(default_factory=list)
    in_play: list[str] = field(default_factory=list)
    turns: int = 0


@dataclass
class Position:
    """A position: the seats, the active player, and what differs from the start of a turn with a full Supply."""

    seats: list[SeatSetup]
    active: int = 0
    counters: dict[str, int] = field(default_factory=dict)
    """Actions, buys, coins, phase and Actions played of the turn."""
    supply: dict[str, int] = field(default_factory=dict)
    trash: list[str] = field(default_factory=list)
    bonus: dict[str, int] | None = None
    """Coins for the first Treasure of each name. None: the sum of the cards in play."""
    discount: dict[str, int] | None = None
    """Reduction of the cost of each name. None: the sum of the cards in play."""
    without_pile: Collection[str] = ()
    """Cards of the kingdom whose empty pile is not counted as empty."""


def arrange(state: State, kingdom: Kingdom, position: Position) -> None:
    """Write a position into the record of a game before its first turn. Keep the random streams."""
    piles = {name: pile for pile, name in enumerate(kingdom.names)}
    state.cards[: Zone.SUPPLY] = state.cards[Zone.TRASH] = state.owned[:] = state.n_known[:] = 0
    begin_turn(state, position.active)
    for seat, cards in enumerate(position.seats):
        state.turns[seat] = cards.turns
        places = [place for place, name in enumerate(cards.top) if name != UNSEEN]
        known, rest = places[:MAX_KNOWN], places[MAX_KNOWN:]
        state.n_known[seat] = len(known)
        state.known[seat, : len(known)] = [piles[cards.top[place]] for place in reversed(known)]
        above = [place - before - 1 for before, place in zip([-1, *known], known, strict=False)]
        state.unseen_above[seat, : len(known)] = above[::-1]
        unseen = [*cards.deck, *(cards.top[place] for place in rest)]
        rows = {Zone.HAND: cards.hand, Zone.DECK: unseen, Zone.DISCARD: cards.discard, Zone.IN_PLAY: cards.in_play}
        for zone, names in rows.items():
            for name in names:
                state.cards[row_of(zone, seat), piles[name]] += 1
        for name in (*cards.top, *cards.deck, *cards.hand, *cards.discard, *cards.in_play):
            if name != UNSEEN:
                state.owned[seat, piles[name]] += 1
    for name in position.trash:
        state.cards[Zone.TRASH, piles[name]] += 1
    for name, n in position.supply.items():
        state.cards[Zone.SUPPLY, piles[name]] = n
    recount_rows(state)
    state.n_empty = sum(
        state.cards[Zone.SUPPLY, pile] == 0 for name, pile in piles.items() if name not in position.without_pile
    )
    _note_cards_in_play(state, kingdom.names)
    for counter, n in position.counters.items():
        state[counter] = n
    if position.bonus is not None:
        _set_bonuses(state, [position.bonus.get(name, 0) for name in kingdom.names])
    if position.discount is not None:
        _set_discounts(state, [position.discount.get(name, 0) for name in kingdom.names])


def parse_position(
    text: str, kingdom: Kingdom = FIRST_GAME, n_players: int | None = None, *, seed: int = 0
) -> DominionGame:
    """Return the game of a position at its first Decision. Raise UsageError for invalid text.

    ``n_players`` defaults to the highest player number in the text.
    """
    text = " ".join(text.split())
    sections = [section.strip().partition(":") for section in text.split("|") if section.strip()]
    players = [int(name[1:]) for name, _, _ in sections if re.fullmatch(r"P[0-9]{1,3}", name)]
    n_players = n_players or max(players, default=1)
    rules = kingdom.rules(n_players)
    named = [int(player) - 1 for player in re.findall(r"\bP([0-9]{1,3})", text)]
    if any(seat not in range(n_players) for seat in named):
        raise UsageError(f"the position names a player who does not take part. Allowed: P1 to P{n_players}.")
    position = Position([SeatSetup() for _ in range(n_players)])
    position.seats[0].turns = 1
    # Read the turn first: the cards in play belong to the active player.
    for name, _, body in sorted(sections, key=lambda section: section[0].strip() != "turn"):
        _read_section(position, name.strip(), body.strip(), kingdom)
    for seat, cards in enumerate(position.seats, start=1):
        if (n := cards.top.count(UNSEEN)) > len(cards.deck):
            raise UsageError(f"P{seat} has {n} unseen cards above known ones, and a deck of {len(cards.deck)} cards.")
    state = undealt_state(rules)
    seed_streams(state, np.uint64(seed))
    arrange(state, kingdom, position)
    return DominionGame.from_state(state, kingdom, n_players)


def format_position(game: DominionGame) -> str:
    """Return the position of a game as text. Raise UsageError while a card is being resolved."""
    state = game.state
    if state.depth:
        raise UsageError("a card is being resolved. Format the position before or after it.")
    sections = []
    for seat in range(game.n_players):
        zones = {zone: state.cards[row + seat] for zone, row in _ZONES.items()}
        parts = [f"{zone} {_list(game, counts)}" for zone, counts in zones.items() if counts.any()]
        tops = game.contract.known_tops(state, seat, seat)
        top = [game.piles[pile].name if pile is not None else UNSEEN for pile in tops]
        parts += [f"top {', '.join(top)}"] if top else []
        sections.append(f"P{seat + 1}: " + "; ".join([*parts, f"turns {state.turns[seat]}"]))
    shared = {"in play": state.cards[Zone.IN_PLAY + state.active], "trash": state.cards[Zone.TRASH]}
    sections += [f"{zone}: {_list(game, counts)}" for zone, counts in shared.items() if counts.any()]
    changed = [pile for pile in range(len(game.piles)) if state.cards[Zone.SUPPLY, pile] != game.rules.supply[pile]]
    if changed:
        sections.append("supply: " + ", ".join(f"{state.cards[Zone.SUPPLY, p]} {game.piles[p].name}" for p in changed))
    phase = PHASE_NAMES[state.phase]
    counters = f"{state.actions} actions, {state.buys} buys, {state.coins} coins, {phase} phase"
    names = game.kingdom.names
    for numbers, follows, word in (
        (state.bonus, _promised(state, names), "for"),
        (state.discount, _discounts(state, names), "off"),
    ):
        if numbers[: len(names)].tolist() != follows:
            differing = [pile for pile, coins in enumerate(follows) if numbers[pile] or coins]
            counters += "".join(f", {numbers[pile]} {word} {names[pile]}" for pile in differing)
    if state.actions_played != _actions_in_play(state, names):
        counters += f", {state.actions_played} Actions played"
    return " | ".join([*sections, f"turn: P{state.active + 1}, {counters}"])


def _list(game: DominionGame, counts: Numbers) -> str:
    return ", ".join(f"{counts[pile]} {game.piles[pile].name}" for pile in range(N_PILES) if counts[pile])


def _note_cards_in_play(state: State, names: Sequence[str]) -> None:
    """Write the plays, Treasures played, bonuses and discounts that result from playing each card in play once."""
    in_play = state.cards[Zone.IN_PLAY + state.active]
    played = (pile for pile, name in enumerate(names) if in_play[pile] and TREASURE in CARDS[name].types)
    state.treasures_played = sum(1 << pile for pile in played)
    state.actions_played = _actions_in_play(state, names)
    _set_bonuses(state, _promised(state, names))
    _set_discounts(state, _discounts(state, names))


def _actions_in_play(state: State, names: Sequence[str]) -> int:
    in_play = state.cards[Zone.IN_PLAY + state.active]
    return sum(int(in_play[pile]) for pile, name in enumerate(names) if ACTION in CARDS[name].types)


def _discounts(state: State, names: Sequence[str]) -> list[int]:
    """Return the reduction of the cost of each pile if each card in play was played once."""
    discount = [0] * len(names)
    for pile, name in enumerate(names):
        n = int(state.cards[Zone.IN_PLAY + state.active, pile])
        for effect in CARDS[name].effects if n else ():
            if effect.op == Op.CHEAPER:
                for other, card in enumerate(names):
                    discount[other] += effect.n * n if not effect.types or CARDS[card].types & effect.types else 0
    return discount


def _set_discounts(state: State, discount: list[int]) -> None:
    state.discount[: len(discount)] = discount
    state.discounted = sum(1 << pile for pile, coins in enumerate(discount) if coins)


def _promised(state: State, names: Sequence[str]) -> list[int]:
    """Return the bonus of the first Treasure of each pile if each card in play was played once."""
    bonus = [0] * len(names)
    for pile, name in enumerate(names):
        for effect in CARDS[name].effects:
            if effect.op == Op.BONUS and effect.name in names:
                bonus[names.index(effect.name)] += effect.n * int(state.cards[Zone.IN_PLAY + state.active, pile])
    return bonus


def _set_bonuses(state: State, bonus: list[int]) -> None:
    state.bonus[: len(bonus)] = bonus
    state.bonus_piles = sum(1 << pile for pile, coins in enumerate(bonus) if coins)


def _read_section(position: Position, name: str, body: str, kingdom: Kingdom) -> None:
    if re.fullmatch(r"P[0-9]{1,3}", name):
        _read_player(position.seats[int(name[1:]) - 1], body, kingdom)
    elif name == "supply":
        position.supply |= dict(_read_cards(body, kingdom))
    elif name == "in play":
        position.seats[position.active].in_play += _read_names(body, kingdom)
    elif name == "trash":
        position.trash += _read_names(body, kingdom)
    elif name == "turn":
        _read_turn(position, body, kingdom)
    else:
        raise UsageError(f"'{name}' is no part of a position. Known: P1, P2, ..., supply, turn, in play, trash.")


def _read_player(seat: SeatSetup, body: str, kingdom: Kingdom) -> None:
    for part in filter(None, (part.strip() for part in body.split(";"))):
        zone, _, rest = part.partition(" ")
        if zone == "turns":
            if not re.fullmatch(r"[0-9]{1,3}", rest):
                raise UsageError(f"turns are '{rest}'. Allowed: a number up to 999, as in: turns 5.")
            seat.turns = int(rest)
        elif zone == "top":
            seat.top += [name for item in rest.split(",") for name in _read_top(item.strip(), kingdom)]
            while seat.top and seat.top[-1] == UNSEEN:
                seat.top.pop()
        elif zone in _ZONES:
            getattr(seat, zone).extend(_read_names(rest, kingdom))
        else:
            raise UsageError(f"'{zone}' is no zone of a player. Known: hand, top, deck, discard, turns.")


def _read_top(item: str, kingdom: Kingdom) -> list[str]:
    """Read "2 Gold" or "2 unseen" as a list of names."""
    unseen = re.fullmatch(rf"(?:([0-9]{{1,3}}) )?{UNSEEN}", item)
    return [UNSEEN] * int(unseen[1] or 1) if unseen else _read_names(item, kingdom)


def _read_turn(position: Position, body: str, kingdom: Kingdom) -> None:
    for part in (part.strip() for part in body.split(",")):
        counter = re.fullmatch(r"([0-9]{1,3}) (action|buy|coin)s?", part)
        if re.fullmatch(r"P[0-9]{1,3}", part):
            position.active = int(part[1:]) - 1
        elif counter:
            position.counters[f"{counter[2]}s"] = int(counter[1])
        elif played := re.fullmatch(r"([0-9]{1,3}) Actions? played", part):
            position.counters["actions_played"] = int(played[1])
        elif coins := re.fullmatch(r"([0-9]{1,3}) (for|off) (.+)", part):
            [(name, _)] = _read_cards(coins[3], kingdom)
            field_name = "bonus" if coins[2] == "for" else "discount"
            setattr(position, field_name, {**(getattr(position, field_name) or {}), name: int(coins[1])})
        elif part.removesuffix(" phase") in PHASE_NAMES:
            position.counters["phase"] = PHASE_NAMES.index(part.removesuffix(" phase"))
        else:
            raise UsageError(f"'{part}' is no part of a turn. Example: turn: P1, 1 action, 1 buy, 0 coins.")


def _read_cards(text: str, kingdom: Kingdom) -> list[tuple[str, int]]:
    """Read "Militia, 3 Copper" as (name, count) pairs."""
    found = []
    for item in filter(None, (item.strip() for item in text.split(","))):
        match = re.fullmatch(r"(?:([0-9]{1,3}) )?(.+)", item)
        assert match
        card = find_card(match[2])
        kingdom.pile(card.name)
        found.append((card.name, int(match[1] or 1)))
    return found


def _read_names(text: str, kingdom: Kingdom) -> list[str]:
    """Read "Militia, 3 Copper" as a list of names."""
    return [name for name, n in _read_cards(text, kingdom) for _ in range(n)]
