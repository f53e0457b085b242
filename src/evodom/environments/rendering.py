"""A game of Dominion as text, for ``render_mode``."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from evodom.dominion.contract import Dominion
from evodom.dominion.engine.state import State
from evodom.dominion.zones import PLACES
from evodom.errors import UsageError, short

RENDER_MODES = ("ansi", "human")

# Names of the places whose cards all players see, and of those whose cards only the owner sees.
_OPEN, _CLOSED = ([place.name for place in PLACES if place.is_open == is_open] for is_open in (True, False))


def check_render_mode(mode: str | None) -> str | None:
    """Return a render mode. Raise UsageError unless it is one of RENDER_MODES or None."""
    if mode is not None and mode not in RENDER_MODES:
        raise UsageError(f"render_mode is {short(mode)}. Allowed: {', '.join(RENDER_MODES)} or None.")
    return mode


def shown(text: str, mode: str | None) -> str | None:
    """Return a text for the mode "ansi", print it for "human", and do neither for None."""
    if mode == "human":
        print(text)
    return text if mode == "ansi" else None


def render_state(game: Dominion, state: State, seat: int) -> str:
    """Return a seat's view of a game as lines of text: the turn, all players, the Supply, the hand, the answers."""
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
    lines += [f"{zone[0].upper()}{zone[1:]}: {_counts(seen[zone])}" for zone in zones if seen[zone]]
    if seen["costs"]:
        lines.append(f"Costs now: {', '.join(f'{name} ${cost}' for name, cost in seen['costs'].items())}")
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
