"""Parse and format positions as one line of text, for tests, bug reports and puzzles.

    P1: hand Militia, 3 Copper; top Gold; deck 2 Estate; discard Silver | P2: hand 5 Copper | supply: 1 Province

Players are ``P1``, ``P2``, ... with these parts; omitted zones are empty:

- ``hand``, ``discard``, ``in play``, ``turns``, and ``deck``, the unseen cards of the deck;
- ``top``, the known cards on the deck, the top card first; in ``top Gold, 2 unseen, Estate`` two of the unseen cards
  lie between;
- ``island`` and ``village``, the mats; ``tokens``, the number of VP tokens; ``gained``, the cards gained in the latest
  turn, in kingdoms with a card that refers to them;
- ``later``, the cards with effects for the next turn; in ``later 2 Caravan, Haven with Gold, Corsair not P2 P3`` the
  Haven has set a Gold aside, and the Corsair does not affect P2 and P3;
- ``due``, the cards with such effects when that turn has begun;
- ``staying``, the cards in play that stay there at the next clean-up, if they differ from the cards of ``later``.

``supply`` overrides sizes of piles; omitted piles are full. ``in play`` lists cards of the active player, ``trash`` the
trash. ``turn`` gives the active player, actions, buys, coins, phase, "extra turn", "extra turn follows", cards named
for War Chests ("Gold named") and the Victory cards gained in the Buy phase. By default each card in play has been
played once. If not, ``turn`` also gives the bonus of the first Silver ("2 for Silver"), cheaper cards ("1 off Silver"),
the number of plays ("3 Actions played"), Treasures played ("Silver played") and plays of cards that watch for gains
("2 plays of Hoard").
"""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from evodom.dominion.cards import ACTION, CARDS, TREASURE, find_card
from evodom.dominion.contract import Pending
from evodom.dominion.effects.ops import Later, Op, Phase, Zone
from evodom.dominion.engine.batch import undealt_state
from evodom.dominion.engine.compiler import list_effects
from evodom.dominion.engine.rules import N_PILES, NONE, Numbers
from evodom.dominion.engine.state import (
    MAX_KNOWN,
    MAX_LATER,
    PHASE_NAMES,
    State,
    begin_turn,
    recount_rows,
    row_of,
    seed_streams,
)
from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.dominion.zones import MATS
from evodom.errors import UsageError
from evodom.options import checked_seed

if TYPE_CHECKING:
    from evodom.dominion.game import DominionGame

UNSEEN = "unseen"
"""The word for an unseen card among the top cards of a deck. The card itself is listed in ``deck``."""

_ZONES = {
    "hand": Zone.HAND,
    "deck": Zone.DECK,
    "discard": Zone.DISCARD,
    "in play": Zone.IN_PLAY,
    **{mat.word: mat.zone for mat in MATS},
}
"""Zones of a player by name."""

_NUMBERS = {"turns": (999, "5"), "tokens": (9999, "12")}
"""Maximum of each number of a player, and an example for messages."""

_PARTS = (*_ZONES, "top", "staying", "tokens", "later", "due", "gained", "turns")


@dataclass
class SeatSetup:
    """The cards of a seat by name, its VP tokens and the turns that it has begun.

    ``top`` are the top cards of the deck, the top card first. Each is a name or UNSEEN. The last is a name.
    """

    zones: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """The cards in each zone, by its name in the text."""
    top: list[str] = field(default_factory=list)
    gained: list[str] = field(default_factory=list)
    pending: list[Pending] = field(default_factory=list)
    staying: list[str] | None = None
    """Cards that stay in play. With None, the cards with Effects for the next turn stay."""
    tokens: int = 0
    turns: int = 0


@dataclass
class Position:
    """A position. The defaults are those of the start of a turn with a full Supply."""

    seats: list[SeatSetup]
    active: int = 0
    counters: dict[str, int] = field(default_factory=dict)
    """Numbers of the turn by field of the record: Actions, Buys, coins, phase, Actions played and others."""
    supply: dict[str, int] = field(default_factory=dict)
    trash: list[str] = field(default_factory=list)
    numbers: dict[str, dict[str, int]] = field(default_factory=dict)
    """Numbers by word of _NUMBERS_OF_PILES and by card. A missing word has the usual numbers of the cards in play."""
    played: list[str] | None = None
    """Treasures played this turn. With None, the Treasures in play."""
    named: list[str] = field(default_factory=list)
    """Cards named for War Chests."""
    without_pile: Collection[str] = ()
    """Cards whose pile does not count as empty even with no cards."""


def write_position(state: State, kingdom: Kingdom, position: Position) -> None:
    """Write a position into the record of a new game. The random streams stay unchanged."""
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
        unseen = [*cards.zones.get("deck", []), *(cards.top[place] for place in rest)]
        zones = {row: cards.zones.get(name, []) for name, row in _ZONES.items()}
        set_aside = [entry.set_aside for entry in cards.pending if entry.set_aside]
        for row, names in (zones | {Zone.DECK: unseen, Zone.SET_ASIDE: set_aside}).items():
            for name in names:
                state.cards[row_of(row, seat), piles[name]] += 1
        for name in (*cards.top, *set_aside, *(name for names in zones.values() for name in names)):
            if name != UNSEEN:
                state.owned[seat, piles[name]] += 1
        state.vp_tokens[seat] = cards.tokens
        state.gained[seat] = sum(1 << piles[name] for name in set(cards.gained))
        _write_later_effects(state, kingdom, seat, cards)
    for name in position.trash:
        state.cards[Zone.TRASH, piles[name]] += 1
    for name, n in position.supply.items():
        state.cards[Zone.SUPPLY, piles[name]] = n
    recount_rows(state)
    state.n_empty = sum(
        state.cards[Zone.SUPPLY, pile] == 0 for name, pile in piles.items() if name not in position.without_pile
    )
    _write_usual_numbers(state, kingdom.names)
    for counter, n in position.counters.items():
        state[counter] = n
    for word, numbers in position.numbers.items():
        _set_numbers(state, word, [numbers.get(name, 0) for name in kingdom.names])
    if position.played is not None:
        state.treasures_played = sum(1 << piles[name] for name in set(position.played))
    state.named = sum(1 << piles[name] for name in set(position.named))


def _write_later_effects(state: State, kingdom: Kingdom, seat: int, cards: SeatSetup) -> None:
    """Write the effects for the next turn of a seat, and its cards that stay in play."""
    piles = {name: pile for pile, name in enumerate(kingdom.names)}
    effects = {
        card.name: row for row, (card, each) in enumerate(list_effects(kingdom.piles)) if each.op == Op.LATER and card
    }
    for entry in cards.pending:
        if state.n_later == MAX_LATER:
            raise UsageError(f"the position has more than {MAX_LATER} cards with effects for the next turn.")
        row = state.later[state.n_later]
        row[[Later.SEAT, Later.EFFECT, Later.PILE]] = seat, effects[entry.card], piles[entry.card]
        row[Later.CARD] = piles[entry.set_aside] if entry.set_aside else NONE
        row[Later.UNAFFECTED] = sum(1 << other for other in entry.unaffected)
        row[[Later.DUE, Later.TIMES]] = entry.is_due, entry.times
        state.n_later += 1
    staying = _in_play_with_effects(state, seat) if cards.staying is None else np.zeros(N_PILES, np.uint8)
    for name in cards.staying or ():
        staying[piles[name]] += 1
    state.staying[seat] = staying


def _in_play_with_effects(state: State, seat: int) -> Any:
    """Return the cards in play of a seat with Effects not yet due: the cards that usually stay in play."""
    plays = np.zeros(N_PILES, np.uint8)
    for entry in state.later[: state.n_later]:
        if entry[Later.SEAT] == seat and not entry[Later.DUE]:
            plays[entry[Later.PILE]] += entry[Later.TIMES]
    return np.minimum(plays, state.cards[Zone.IN_PLAY + seat])


def read_position(
    text: str, kingdom: Kingdom = FIRST_GAME, n_players: int | None = None, *, seed: int = 0
) -> tuple[State, int]:
    """Return the record of a position before its first Decision, and the number of players.

    ``n_players`` defaults to the highest player number in the text. Raise UsageError for invalid text.
    """
    text = " ".join(text.split())
    sections = [section.strip().partition(":") for section in text.split("|") if section.strip()]
    players = [int(name[1:]) for name, _, _ in sections if re.fullmatch(r"P[0-9]{1,3}", name)]
    n_players = n_players or max(players, default=1)
    named = [int(player) - 1 for player in re.findall(r"\bP([0-9]{1,3})", text)]
    if any(seat not in range(n_players) for seat in named):
        raise UsageError(f"the position names a player who does not take part. Allowed: P1 to P{n_players}.")
    position = Position([SeatSetup() for _ in range(n_players)])
    position.seats[0].turns = 1
    # Read the turn first: the cards in play belong to the active player.
    for name, _, body in sorted(sections, key=lambda section: section[0].strip() != "turn"):
        _read_section(position, name.strip(), body.strip(), kingdom)
    for seat, cards in enumerate(position.seats, start=1):
        n, n_deck = cards.top.count(UNSEEN), len(cards.zones.get("deck", []))
        if n > n_deck:
            raise UsageError(f"P{seat} has {n} unseen cards above known ones, and a deck of {n_deck} cards.")
    return state_of(position, kingdom, seed), n_players


def state_of(position: Position, kingdom: Kingdom, seed: int) -> State:
    """Return the record of a position before its first Decision."""
    rules = kingdom.rules(len(position.seats))
    state = undealt_state(rules)
    seed_streams(state, np.uint64(checked_seed(seed, 64)))
    write_position(state, kingdom, position)
    if state.phase == Phase.START and not rules.needs_mechanics:
        state.phase = Phase.ACTION  # no card has Effects at the start of a turn
    return state


def format_position(game: "DominionGame") -> str:
    """Return the position of a game as text. Raise UsageError while a card is being resolved."""
    state = game.state
    if state.depth:
        raise UsageError("a card is being resolved. Format the position before or after it.")
    sections = [f"P{seat + 1}: {'; '.join(_parts_of(game, seat))}" for seat in range(game.n_players)]
    shared = {"in play": state.cards[Zone.IN_PLAY + state.active], "trash": state.cards[Zone.TRASH]}
    sections += [f"{zone}: {_cards_text(game, counts)}" for zone, counts in shared.items() if counts.any()]
    changed = [pile for pile in range(len(game.piles)) if state.cards[Zone.SUPPLY, pile] != game.rules.supply[pile]]
    if changed:
        sections.append("supply: " + ", ".join(f"{state.cards[Zone.SUPPLY, p]} {game.piles[p].name}" for p in changed))
    counters = f"{state.actions} actions, {state.buys} buys, {state.coins} coins, {PHASE_NAMES[state.phase]} phase"
    names = game.kingdom.names
    for word, (column, _, usual) in _NUMBERS_OF_PILES.items():
        numbers, usual_numbers = state[column], usual(state, names)
        if numbers[: len(names)].tolist() != usual_numbers:
            differing = [pile for pile, coins in enumerate(usual_numbers) if numbers[pile] or coins]
            counters += "".join(f", {numbers[pile]} {word} {names[pile]}" for pile in differing)
    if state.actions_played != _actions_in_play(state, names):
        counters += f", {state.actions_played} Actions played"
    if state.treasures_played != _treasures_in_play(state, names):
        played = game.contract.names_in(state.treasures_played) or ["no Treasure"]
        counters += "".join(f", {name} played" for name in played)
    counters += "".join(f", {name} named" for name in game.contract.names_in(state.named))
    if state.victories_gained:
        counters += f", {state.victories_gained} Victory cards gained"
    counters += ", extra turn" * state.is_extra + ", extra turn follows" * state.extra_turn
    return " | ".join([*sections, f"turn: P{state.active + 1}, {counters}"])


def _parts_of(game: "DominionGame", seat: int) -> list[str]:
    """Return the parts of a player. The cards in play of the active player are in a section of the position."""
    state, contract = game.state, game.contract
    zones = {zone: state.cards[row + seat] for zone, row in _ZONES.items()}
    if seat == state.active:
        del zones["in play"]
    parts = [f"{zone} {_cards_text(game, counts)}" for zone, counts in zones.items() if counts.any()]
    tops = contract.known_tops(state, seat, seat)
    top = [game.piles[pile].name if pile is not None else UNSEEN for pile in tops]
    pending = contract.pending(state, seat, seat)
    kept = {"top": top} | {
        word: [_entry_text(entry) for entry in pending if entry.is_due == is_due]
        for word, is_due in (("due", True), ("later", False))
    }
    kept["gained"] = contract.names_in(state.gained[seat])
    if (state.staying[seat] != _in_play_with_effects(state, seat)).any():
        kept["staying"] = [_cards_text(game, state.staying[seat]) or "nothing"]
    parts += [f"{word} {', '.join(listed)}" for word, listed in kept.items() if listed]
    parts += [f"tokens {state.vp_tokens[seat]}"] if state.vp_tokens[seat] else []
    return [*parts, f"turns {state.turns[seat]}"]


def _entry_text(entry: Pending) -> str:
    """Return the text of effects for the next turn: "2 Caravan", "Haven with Gold", "Corsair not P2 P3"."""
    text = f"{entry.times} {entry.card}" if entry.times > 1 else entry.card
    text += f" with {entry.set_aside}" if entry.set_aside else ""
    return f"{text} not {' '.join(f'P{seat + 1}' for seat in entry.unaffected)}" if entry.unaffected else text


def _cards_text(game: "DominionGame", counts: Numbers) -> str:
    return ", ".join(f"{counts[pile]} {game.piles[pile].name}" for pile in range(N_PILES) if counts[pile])


def _write_usual_numbers(state: State, names: Sequence[str]) -> None:
    """Write the plays, Treasures played, bonuses and discounts, as if each card in play was played once."""
    state.treasures_played = _treasures_in_play(state, names)
    state.actions_played = _actions_in_play(state, names)
    for word, (_, _, usual) in _NUMBERS_OF_PILES.items():
        _set_numbers(state, word, usual(state, names))


def _treasures_in_play(state: State, names: Sequence[str]) -> int:
    in_play = state.cards[Zone.IN_PLAY + state.active]
    return sum(1 << pile for pile, name in enumerate(names) if in_play[pile] and TREASURE in CARDS[name].types)


def _usual_watching(state: State, names: Sequence[str]) -> list[int]:
    """Return the plays of each card that watches for gains this turn if each card in play was played once."""
    in_play = state.cards[Zone.IN_PLAY + state.active]
    return [int(in_play[pile]) if CARDS[name].this_turn else 0 for pile, name in enumerate(names)]


def _actions_in_play(state: State, names: Sequence[str]) -> int:
    in_play = state.cards[Zone.IN_PLAY + state.active]
    return sum(int(in_play[pile]) for pile, name in enumerate(names) if ACTION in CARDS[name].types)


def _usual_discounts(state: State, names: Sequence[str]) -> list[int]:
    """Return the reduction of the cost of each pile if each card in play was played once."""
    discount = [0] * len(names)
    for pile, name in enumerate(names):
        n = int(state.cards[Zone.IN_PLAY + state.active, pile])
        for effect in CARDS[name].effects if n else ():
            if effect.op == Op.CHEAPER:
                for other, card in enumerate(names):
                    discount[other] += effect.n * n if not effect.types or CARDS[card].types & effect.types else 0
    return discount


def _usual_bonuses(state: State, names: Sequence[str]) -> list[int]:
    """Return the bonus of the first Treasure of each pile if each card in play was played once."""
    bonus = [0] * len(names)
    for pile, name in enumerate(names):
        for effect in CARDS[name].effects:
            if effect.op == Op.BONUS and effect.name in names:
                bonus[names.index(effect.name)] += effect.n * int(state.cards[Zone.IN_PLAY + state.active, pile])
    return bonus


_NUMBERS_OF_PILES: dict[str, tuple[str, str, Callable[[State, Sequence[str]], list[int]]]] = {
    "for": ("bonus", "bonus_piles", _usual_bonuses),
    "off": ("discount", "discounted", _usual_discounts),
    "plays of": ("plays_this_turn", "", _usual_watching),
}
"""Numbers of piles by their word in ``turn``: their field of the record, the field of the mask of piles with a number,
and the function for their usual values (each card in play was played once).
"""


def _set_numbers(state: State, word: str, numbers: list[int]) -> None:
    column, mask, _ = _NUMBERS_OF_PILES[word]
    state[column][: len(numbers)] = numbers
    if mask:
        state[mask] = sum(1 << pile for pile, number in enumerate(numbers) if number)


def _read_section(position: Position, name: str, body: str, kingdom: Kingdom) -> None:
    if re.fullmatch(r"P[0-9]{1,3}", name):
        _read_player(position.seats[int(name[1:]) - 1], body, kingdom)
    elif name == "supply":
        position.supply |= dict(_read_cards(body, kingdom))
    elif name == "in play":
        position.seats[position.active].zones["in play"] += _read_names(body, kingdom)
    elif name == "trash":
        position.trash += _read_names(body, kingdom)
    elif name == "turn":
        _read_turn(position, body, kingdom)
    else:
        raise UsageError(f"'{name}' is no part of a position. Known: P1, P2, ..., supply, turn, in play, trash.")


def _read_player(seat: SeatSetup, body: str, kingdom: Kingdom) -> None:
    for part in filter(None, (part.strip() for part in body.split(";"))):
        word = next((word for word in _PARTS if part == word or part.startswith(f"{word} ")), "")
        rest = part[len(word) :].strip()
        if word in _NUMBERS:
            most, example = _NUMBERS[word]
            if not re.fullmatch(r"[0-9]{1,4}", rest) or int(rest) > most:
                raise UsageError(f"{word} are '{rest}'. Allowed: a number up to {most}, as in: {word} {example}.")
            setattr(seat, word, int(rest))
        elif word == "top":
            seat.top += [name for item in rest.split(",") for name in _read_top(item.strip(), kingdom)]
            while seat.top and seat.top[-1] == UNSEEN:
                seat.top.pop()
        elif word in ("later", "due"):
            seat.pending += [_read_entry(item.strip(), word == "due", kingdom) for item in rest.split(",")]
        elif word == "staying":
            seat.staying = [*(seat.staying or []), *(_read_names(rest, kingdom) if rest != "nothing" else [])]
        elif word == "gained":
            seat.gained += _read_names(rest, kingdom)
        elif word:
            seat.zones[word] += _read_names(rest, kingdom)
        else:
            raise UsageError(f"'{part.partition(' ')[0]}' is no part of a player. Known: {', '.join(_PARTS)}.")


def _read_entry(item: str, is_due: bool, kingdom: Kingdom) -> Pending:
    """Read "2 Caravan", "Haven with Gold" or "Corsair not P2 P3"."""
    text, _, unaffected = item.partition(" not ")
    text, _, set_aside = text.partition(" with ")
    [(name, n)] = _read_cards(text, kingdom)
    if all(effect.op != Op.LATER for effect in CARDS[name].own_effects):
        raise UsageError(f"{name} has no effects for the next turn.")
    aside = _read_cards(set_aside, kingdom)[0][0] if set_aside else ""
    seats = tuple(int(player) - 1 for player in re.findall(r"P([0-9]{1,3})", unaffected))
    return Pending(name, n, is_due, aside, seats)


def _read_top(item: str, kingdom: Kingdom) -> list[str]:
    """Read "2 Gold" or "2 unseen" as a list of names."""
    unseen = re.fullmatch(rf"(?:([0-9]{{1,3}}) )?{UNSEEN}", item)
    return [UNSEEN] * int(unseen[1] or 1) if unseen else _read_names(item, kingdom)


_EXTRA_TURNS = {"extra turn": "is_extra", "extra turn follows": "extra_turn"}
"""Fields of the record by their texts in ``turn``."""


def _read_turn(position: Position, body: str, kingdom: Kingdom) -> None:
    for part in (part.strip() for part in body.split(",")):
        counter = re.fullmatch(r"([0-9]{1,3}) (action|buy|coin)s?", part)
        if re.fullmatch(r"P[0-9]{1,3}", part):
            position.active = int(part[1:]) - 1
        elif counter:
            position.counters[f"{counter[2]}s"] = int(counter[1])
        elif played := re.fullmatch(r"([0-9]{1,3}) Actions? played", part):
            position.counters["actions_played"] = int(played[1])
        elif gained := re.fullmatch(r"([0-9]{1,3}) Victory cards? gained", part):
            position.counters["victories_gained"] = int(gained[1])
        elif part in _EXTRA_TURNS:
            position.counters[_EXTRA_TURNS[part]] = 1
        elif named := re.fullmatch(r"(.+) named", part):
            position.named += _read_names(named[1], kingdom)
        elif part == "no Treasure played":
            position.played = []
        elif treasure := re.fullmatch(r"(.+) played", part):
            position.played = [*(position.played or []), *_read_names(treasure[1], kingdom)]
        elif coins := re.fullmatch(r"([0-9]{1,3}) (for|off|plays of) (.+)", part):
            [(name, _)] = _read_cards(coins[3], kingdom)
            position.numbers.setdefault(coins[2], {})[name] = int(coins[1])
        elif part.removesuffix(" phase") in PHASE_NAMES:
            position.counters["phase"] = PHASE_NAMES.index(part.removesuffix(" phase"))
        else:
            raise UsageError(f"'{part}' is no part of a turn. Example: turn: P1, 1 action, 1 buy, 0 coins.")


def read_counts(text: str) -> list[tuple[str, int]]:
    """Read "Militia, 3 Copper" as (name, count) pairs."""
    found = []
    for item in filter(None, (item.strip() for item in text.split(","))):
        match = re.fullmatch(r"(?:([0-9]{1,3}) )?(.+)", item)
        assert match
        found.append((find_card(match[2]).name, int(match[1] or 1)))
    return found


def _read_cards(text: str, kingdom: Kingdom) -> list[tuple[str, int]]:
    """Read "Militia, 3 Copper" as (name, count) pairs of cards in a kingdom."""
    found = read_counts(text)
    for name, _ in found:
        kingdom.pile(name)
    return found


def _read_names(text: str, kingdom: Kingdom) -> list[str]:
    """Read "Militia, 3 Copper" as a list of names."""
    return [name for name, n in _read_cards(text, kingdom) for _ in range(n)]
