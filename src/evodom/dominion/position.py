"""Positions as one line of text, for tests, bug reports and puzzles.

    P1: hand Militia, 3 Copper; top Gold; deck 2 Estate; discard Silver | P2: hand 5 Copper | supply: 1 Province

Players start with ``P1``; their zones are ``hand``, ``top`` (known cards on the deck, the next to be drawn first),
``deck`` (unseen cards), ``discard`` and ``turns``. ``supply`` overrides piles. ``turn`` gives the active player,
actions, buys and coins, and what the first Silver brings ("2 for Silver") if it is not what the Merchants in play
promise; ``in play`` and ``trash`` list cards. What is not mentioned is empty, or full for the Supply.
"""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from evodom.dominion.cards import CARDS, TREASURE, find_card
from evodom.dominion.engine.ops import Op, Zone
from evodom.dominion.engine.rules import N_PILES, Numbers
from evodom.dominion.engine.state import PHASE_NAMES, State, begin_turn, refresh, seed_streams, undealt_state
from evodom.dominion.game import DominionGame
from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.errors import UsageError

_ZONES = {"hand": Zone.HAND, "deck": Zone.DECK, "discard": Zone.DISCARD}
_SHARED = {"in play": Zone.IN_PLAY, "trash": Zone.TRASH}
_COUNTERS = {"action": "actions", "buy": "buys", "coin": "coins"}


def parse_position(
    text: str, kingdom: Kingdom = FIRST_GAME, n_players: int | None = None, *, seed: int = 0
) -> DominionGame:
    """Return the game a position describes, at its first Decision; raises UsageError where the text is not understood.

    ``n_players`` defaults to the number of players in the text.
    """
    sections = [section.strip().partition(":") for section in text.split("|") if section.strip()]
    players = [int(name[1:]) for name, _, _ in sections if re.fullmatch(r"P\d+", name)]
    n_players = n_players or max(players, default=1)
    rules = kingdom.rules(n_players)
    named = [int(player) - 1 for player in re.findall(r"\bP(\d+)", text)]
    if any(seat not in range(n_players) for seat in named):
        raise UsageError(f"the position names a player who does not play. Allowed: P1 to P{n_players}.")
    state = undealt_state(rules)
    seed_streams(state, np.uint64(seed))
    state.cards[: Zone.IN_PLAY] = 0
    state.owned[:] = 0
    begin_turn(state, 0)
    piles = [card.name for card in DominionGame(kingdom, n_players).piles]
    # The turn comes first: it says whose the cards in play are.
    for name, _, body in sorted(sections, key=lambda section: section[0].strip() != "turn"):
        _read_section(state, name.strip(), body.strip(), piles)
    refresh(state)
    told = state.bonus.copy()
    note_treasures(state, piles)
    if any(name.strip() == "turn" and re.search(r"\d for ", body) for name, _, body in sections):
        _set_bonuses(state, told)
    n_piles = len(piles)
    state.n_empty = int((state.cards[Zone.SUPPLY, :n_piles] == 0).sum())
    return DominionGame.from_state(state, kingdom, n_players)


def format_position(game: DominionGame) -> str:
    """Return the position of a game as text; between Decisions of one card it cannot be told (UsageError)."""
    state = game.state
    if state.depth:
        raise UsageError("a card is being resolved: a position can be written down before or after it.")
    sections = []
    for seat in range(game.n_players):
        zones = {zone: state.cards[row + seat] for zone, row in _ZONES.items()}
        parts = [f"{zone} {_list(game, counts)}" for zone, counts in zones.items() if counts.any()]
        top = [game.piles[pile].name for pile in reversed(state.top[seat, : state.n_top[seat]])]
        parts += [f"top {', '.join(top)}"] if top else []
        sections.append(f"P{seat + 1}: " + "; ".join([*parts, f"turns {state.turns[seat]}"]))
    sections += [f"{zone}: {_list(game, state.cards[row])}" for zone, row in _SHARED.items() if state.cards[row].any()]
    changed = [pile for pile in range(len(game.piles)) if state.cards[Zone.SUPPLY, pile] != game.rules.supply[pile]]
    if changed:
        sections.append("supply: " + ", ".join(f"{state.cards[Zone.SUPPLY, p]} {game.piles[p].name}" for p in changed))
    phase = PHASE_NAMES[state.phase]
    counters = f"{state.actions} actions, {state.buys} buys, {state.coins} coins, {phase} phase"
    promised = _promised(state, game.kingdom.names)
    if (state.bonus != promised).any():
        told = [pile for pile in range(N_PILES) if state.bonus[pile] or promised[pile]]
        counters += "".join(f", {state.bonus[pile]} for {game.piles[pile].name}" for pile in told)
    return " | ".join([*sections, f"turn: P{state.active + 1}, {counters}"])


def _list(game: DominionGame, counts: Numbers) -> str:
    return ", ".join(f"{counts[pile]} {game.piles[pile].name}" for pile in range(N_PILES) if counts[pile])


def note_treasures(state: State, names: Sequence[str]) -> None:
    """Write what follows from the cards in play, each played once: Treasures played, bonuses for them, discounts."""
    in_play = state.cards[Zone.IN_PLAY]
    played = (pile for pile, name in enumerate(names) if in_play[pile] and TREASURE in CARDS[name].types)
    state.treasures_played = sum(1 << pile for pile in played)
    _set_bonuses(state, _promised(state, names))
    for pile, name in enumerate(names):
        for effect in CARDS[name].effects:
            if effect.op == Op.CHEAPER:
                cheaper = [
                    each for each, other in enumerate(names) if not effect.types or CARDS[other].types & effect.types
                ]
                state.discount[cheaper] += effect.n * in_play[pile]
    state.discounted = sum(1 << int(pile) for pile in np.flatnonzero(state.discount))


def _promised(state: State, names: Sequence[str]) -> Any:
    """Return what the cards in play, each played once, promise for the first Treasure of each pile."""
    bonus = np.zeros(N_PILES, np.int32)
    for pile, name in enumerate(names):
        for effect in CARDS[name].effects:
            if effect.op == Op.BONUS and effect.name in names:
                bonus[names.index(effect.name)] += effect.n * int(state.cards[Zone.IN_PLAY, pile])
    return bonus


def _set_bonuses(state: State, bonus: Numbers) -> None:
    state.bonus[:] = bonus
    state.bonus_piles = sum(1 << int(pile) for pile in np.flatnonzero(bonus))


def _read_section(state: State, name: str, body: str, piles: list[str]) -> None:
    if re.fullmatch(r"P\d+", name):
        _read_player(state, int(name[1:]) - 1, body, piles)
    elif name == "supply":
        for pile, n in _read_cards(body, piles):
            state.cards[Zone.SUPPLY, pile] = n
    elif name in _SHARED:
        for pile, n in _read_cards(body, piles):
            state.cards[_SHARED[name], pile] += n
            if name == "in play":
                state.owned[state.active, pile] += n
    elif name == "turn":
        _read_turn(state, body, piles)
    else:
        raise UsageError(f"'{name}' is no part of a position. Known: P1, P2, ..., supply, turn, in play, trash.")


def _read_player(state: State, seat: int, body: str, piles: list[str]) -> None:
    for part in filter(None, (part.strip() for part in body.split(";"))):
        zone, _, rest = part.partition(" ")
        if zone == "turns":
            if not rest.isdecimal():
                raise UsageError(f"turns are '{rest}'. Allowed: a number, as in: turns 5.")
            state.turns[seat] = int(rest)
            continue
        if zone != "top" and zone not in _ZONES:
            raise UsageError(f"'{zone}' is no zone of a player. Known: hand, top, deck, discard, turns.")
        for pile, n in _read_cards(rest, piles):
            state.owned[seat, pile] += n
            if zone == "top":
                known = [*reversed(state.top[seat, : state.n_top[seat]]), *([pile] * n)]
                state.n_top[seat] = len(known)
                state.top[seat, : len(known)] = np.array(known[::-1])
            else:
                state.cards[_ZONES[zone] + seat, pile] += n


def _read_turn(state: State, body: str, piles: list[str]) -> None:
    for part in (part.strip() for part in body.split(",")):
        counter = re.fullmatch(r"(\d+) (action|buy|coin)s?", part)
        if re.fullmatch(r"P\d+", part):
            state.active = int(part[1:]) - 1
        elif counter:
            setattr(state, _COUNTERS[counter[2]], int(counter[1]))
        elif bonus := re.fullmatch(r"(\d+) for (.+)", part):
            ((pile, _),) = _read_cards(bonus[2], piles)
            state.bonus[pile] = int(bonus[1])
        elif part.removesuffix(" phase") in PHASE_NAMES:
            state.phase = PHASE_NAMES.index(part.removesuffix(" phase"))
        else:
            raise UsageError(f"'{part}' is no part of a turn. Example: turn: P1, 1 action, 1 buy, 0 coins.")


def _read_cards(text: str, piles: list[str]) -> list[tuple[int, int]]:
    """Read "Militia, 3 Copper" as (pile, count) pairs."""
    found = []
    for item in filter(None, (item.strip() for item in text.split(","))):
        match = re.fullmatch(r"(?:(\d+) )?(.+)", item)
        assert match
        card = find_card(match[2])
        if card.name not in piles:
            raise UsageError(f"{card.name} is not in this kingdom. Its piles: {', '.join(piles)}.")
        found.append((piles.index(card.name), int(match[1] or 1)))
    return found
