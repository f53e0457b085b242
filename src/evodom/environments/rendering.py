"""A game of Dominion as text or as a picture, for ``render_mode``."""

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

from evodom.dominion.cards import find_card
from evodom.dominion.contract import Dominion
from evodom.dominion.engine.state import State
from evodom.dominion.zones import PLACES
from evodom.environments.pictures import CardTile, Picture, draw_table
from evodom.errors import short

ANSI, HUMAN, RGB = RENDER_MODES = ("ansi", "human", "rgb_array")

_TILED = ("supply", "hand")
"""Zones that a picture shows as tiles."""

# Names of the places whose cards all players see, and of those whose cards only the owner sees.
_OPEN, _CLOSED = ([place.name for place in PLACES if place.is_open == is_open] for is_open in (True, False))


def check_render_mode(mode: str | None) -> str | None:
    """Return a render mode. Warn of a mode that is not one of RENDER_MODES, and return None."""
    if mode is None or mode in RENDER_MODES:
        return mode
    from gymnasium import logger

    logger.warn(f"render_mode is {short(mode)} and counts as None. Allowed: {', '.join(RENDER_MODES)} or None.")
    return None


def show_text(text: str, mode: str | None) -> str | Picture | None:
    """Return a text for the mode "ansi" or its picture for "rgb_array", print it for "human", do nothing for None."""
    if mode == HUMAN:
        print(text)
    if mode == RGB:
        return draw_table(text.splitlines(), {})
    return text if mode == ANSI else None


def show_state(game: Dominion, state: State, seat: int, mode: str | None) -> str | Picture | None:
    """Show a seat's view of a game in a render mode, as `show_text` does. A picture has tiles for Supply and hand."""
    if mode != RGB:
        return show_text(render_state(game, state, seat), mode)
    seen = game.observe(state, seat)
    costs = {name: find_card(name).cost for name in game.kingdom.names} | seen["costs"]
    supply = [CardTile(name, f"${cost}   {seen['supply'][name]} left") for name, cost in costs.items()]
    hand = [CardTile(name, f"{n} card{'s' * (n > 1)}") for name, n in seen["hand"].items()]
    lines = render_state(game, state, seat, without=_TILED).splitlines()
    return draw_table(lines, {"Supply": supply, f"Hand of player {seat}": hand})


def render_state(game: Dominion, state: State, seat: int, without: Collection[str] = ()) -> str:
    """Return a seat's view of a game as lines of text: the turn, all players, the Supply, the hand, the answers.

    Zones in ``without`` are left out.
    """
    seen = game.observe(state, seat)
    turn = seen["turn"]
    resources = f"Actions {turn['actions']}, Buys {turn['buys']}, ${turn['coins']}"
    lines = [f"Turn of player {turn['player']} ({turn['phase']}): {resources}"]
    for player, one in enumerate(seen["players"]):
        sizes = f"hand {one['hand']}, deck {one['deck']}, discards {one['discards']}"
        tokens = f", {one['VP tokens']} VP tokens" if one["VP tokens"] else ""
        lines.append(f"Player {player}: turn {one['turns']}, {sizes}{tokens}, owns {_counts(one['owned'])}")
        parts = [f"{name} {_counts(one[name])}" for name in ("in play", *_OPEN) if one[name]]
        hidden = {name: n for name in ("set aside face down", *_CLOSED) if (n := one[name])}
        parts += [f"{name} {n} card{'s' * (n > 1)}" for name, n in hidden.items()]
        kept = Counter(each["card"] for each in one["pending"] for _ in range(each["times"]))
        parts += [f"effects of the next turn: {_counts(kept)}"] if kept else []
        lines += [f"  {'; '.join(parts)}"] if parts else []
    zones = ("supply", "revealed", *_CLOSED, "trash")
    lines += [
        f"{zone[0].upper()}{zone[1:]}: {_counts(seen[zone])}" for zone in zones if seen[zone] and zone not in without
    ]
    if seen["costs"]:
        lines.append(f"Costs now: {', '.join(f'{name} ${cost}' for name, cost in seen['costs'].items())}")
    if "hand" not in without:
        lines.append(f"Hand of player {seat}: {_counts(seen['hand'])}")
    if seen["over"]:
        points = ", ".join(f"player {player} {vp} VP" for player, vp in enumerate(game.points(state)))
        lines.append(f"The game is over: {points}")
    elif seen["asked"] == seat:
        asks = f"{seen['question']['card'] or turn['phase']}, {seen['question']['kind']}"
        lines.append(f"Decision of player {seat} ({asks}): {', '.join(seen['answers'])}")
    return "\n".join(lines)


def _counts(cards: Mapping[str, Any]) -> str:
    """Return counts by name as text: "3 Copper, Estate"."""
    return ", ".join(name if n == 1 else f"{n} {name}" for name, n in cards.items()) or "nothing"
