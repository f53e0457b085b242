"""Reading the cases of `scenario` from JSON: everything is checked here, so that what runs them meets no surprise."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from evodom.dominion.cards import BASIC, KINGDOM_SIZE, find_card
from evodom.dominion.engine.ops import Phase
from evodom.dominion.engine.rules import MAX_SEATS
from evodom.dominion.kingdom import Kingdom
from evodom.errors import UsageError

OPS = ("play", "play_treasures", "buy", "end_turn")
PHASES = {"action": Phase.ACTION, "treasure": Phase.TREASURE, "buy": Phase.BUY}
"""The phases by name. The buy phase begins with the Treasures, which may be told apart as a phase of their own."""

ZONES = ("hand", "deck", "discard", "in_play")

CARDS, TRASHED, DISCARDED, PUT_BACK = "", "trash", "discard", "topdeck"
"""The parts of an answer: most have only CARDS, what is decided on a Sentry has the other three."""

SENTRY = "sentry"

NOTES = ("id", "desc", "note", "notes")
"""Keys that are for people, wherever they stand."""

MOST = 1_000_000
"""The largest number a case may give: nothing in a game comes near."""


class ScenarioError(UsageError):
    """A case that cannot be run: it does not keep to the format."""


@dataclass(slots=True)
class CaseAnswer:
    """What a case decides: the cards a player chooses when asked for them; none declines."""

    player: int
    kind: str
    cards: dict[str, list[str]] = field(default_factory=dict)
    """The cards not chosen yet, by part."""
    yes: bool = False
    """It takes the only card on offer."""
    used: bool = False

    @property
    def declines(self) -> bool:
        """True if it chooses nothing (any more)."""
        return not self.yes and not any(self.cards.values())

    @property
    def text(self) -> str:
        """It, in a few words."""
        cards = ", ".join(name for part in self.cards.values() for name in part)
        return f"{self.kind} of player {self.player} ({cards or ('yes' if self.yes else 'none')})"


@dataclass(frozen=True, slots=True)
class Step:
    """One thing the active player does; ``cards`` is None where the case names none."""

    op: str
    cards: tuple[str, ...] | None
    answers: tuple[CaseAnswer, ...]
    illegal: bool


@dataclass(frozen=True, slots=True)
class CasePlayer:
    """What a player has at first; the deck's top card comes first."""

    zones: Mapping[str, list[str]]
    turns: int


@dataclass(frozen=True, slots=True)
class Case:
    """A case as read."""

    players: tuple[CasePlayer, ...]
    kingdom: Kingdom
    """The kingdom piles to set up: those of the case, and piles for cards that belong to none."""
    extra: frozenset[str]
    """Which of them are no piles of the Supply."""
    supply: Mapping[str, int]
    trash: list[str]
    current: int
    turn: Mapping[str, int]
    phase: int
    steps: tuple[Step, ...]
    expect: Mapping[str, Any]


def read_case(raw: object) -> Case:
    """Return a case as read; raises ScenarioError where it does not keep to the format."""
    case = table(raw, "the case")
    setup = table(case.get("setup"), "setup")
    known(setup, ("players", "kingdom", "supply", "trash", "current", "turn"), "setup")
    seats = items(setup.get("players"), "players")
    if not 1 <= len(seats) <= MAX_SEATS:
        raise ScenarioError(f"the case has {len(seats)} players. Allowed: 1 to {MAX_SEATS}.")
    current = number(setup.get("current", 0), "current")
    if current >= len(seats):
        raise ScenarioError(f"current is {current}. Allowed: 0 to {len(seats) - 1}.")
    players = tuple(_read_player(seat, at, at == current) for at, seat in enumerate(seats))
    turn = dict(table(setup.get("turn", {}), "turn"))
    known(turn, ("actions", "buys", "coins", "phase"), "turn")
    phase = turn.pop("phase", "action")
    if phase not in list(PHASES):
        raise ScenarioError(f"phase is {phase!r}. Allowed: {', '.join(PHASES)}.")
    steps = tuple(_read_step(step, current) for step in items(case.get("steps", []), "steps"))
    supply = _numbers(setup.get("supply", {}), "supply")
    trash = names(setup.get("trash", []), "trash")
    listed = [*names(setup.get("kingdom", []), "kingdom"), *supply]
    kingdom, extra = _piles(listed, [*_mentioned(players, steps), *trash])
    starts = Phase.ACTION if phase == "action" else Phase.TREASURE
    counters = {key: number(value, key) for key, value in turn.items()}
    expect = table(case.get("expect", {}), "expect")
    return Case(players, kingdom, extra, supply, trash, current, counters, starts, steps, expect)


def _read_player(raw: object, seat: int, active: bool) -> CasePlayer:
    where = f"player {seat}"
    player = table(raw, where)
    known(player, (*ZONES, "turns"), where)
    zones = {zone: names(player.get(zone, []), f"{zone} of {where}") for zone in ZONES}
    if zones["in_play"] and not active:
        raise ScenarioError(f"{where} has cards in play out of turn. Allowed: the active player.")
    return CasePlayer(zones, number(player.get("turns", 1), f"turns of {where}"))


def _read_step(raw: object, current: int) -> Step:
    step = table(raw, "a step")
    op = step.get("op")
    if op not in OPS:
        raise ScenarioError(f"op is {op!r}. Allowed: {', '.join(OPS)}.")
    known(step, ("op", "card", "cards", "decisions", "illegal"), f"a step {op}")
    named = step.get("cards", step.get("card"))
    cards = None if named is None else tuple(names(named, f"cards of {op}"))
    if (op == "play" and len(cards or ()) != 1) or (op == "buy" and not cards):
        raise ScenarioError(f"a step {op} names {len(cards or ())} cards. Allowed: one.")
    decisions = items(step.get("decisions") or [], "decisions")
    return Step(op, cards, tuple(_read_answer(each, current) for each in decisions), bool(step.get("illegal", False)))


def _read_answer(raw: object, current: int) -> CaseAnswer:
    decision = table(raw, "a decision")
    kind = decision.get("kind")
    if not isinstance(kind, str):
        raise ScenarioError(f"the kind of a decision is {kind!r}. Allowed: a text, as in: discard.")
    player = number(decision.get("player", current), f"player of {kind}")
    given = [decision[key] for key in ("answer", "cards", "card") if key in decision]
    if not given:
        raise ScenarioError(f"the decision {kind} says neither card, nor cards, nor answer.")
    value = next((value for value in given if isinstance(value, str | list | dict)), None)
    if value is None:
        if any(value not in (None, True, False) for value in given):
            raise ScenarioError(f"the decision {kind} is {_short(given[0])}. Allowed: cards, true, false or null.")
        if kind == SENTRY and True in given:
            raise ScenarioError('the decision sentry is true. Allowed: an object, as in: {"trash": ["Copper"]}.')
        return CaseAnswer(player, kind, yes=True in given)
    if kind == SENTRY:
        return CaseAnswer(player, kind, _read_sentry(table(value, "the answer of sentry")))
    return CaseAnswer(player, kind, {CARDS: names(value, f"cards of {kind}")})


def _read_sentry(answer: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the parts of an answer; whatever is not trashed or discarded is the order of those put back.

    If several lists are left, as in ``keep`` and ``order``, they tell of the same cards, and "keep" gives way.
    """
    parts: dict[str, list[str]] = {TRASHED: [], DISCARDED: [], PUT_BACK: []}
    for key in sorted(answer, key=lambda key: key != "keep"):
        part = key if key in parts else PUT_BACK
        parts[part] = names(answer[key] or [], f"{key} of sentry") or parts[part]
    return parts


def _mentioned(players: tuple[CasePlayer, ...], steps: tuple[Step, ...]) -> Iterator[str]:
    """Go through the cards that the zones, steps and answers name."""
    for player in players:
        for zone in player.zones.values():
            yield from zone
    for step in steps:
        yield from step.cards or ()
        for answer in step.answers:
            for part in answer.cards.values():
                yield from part


def _piles(listed: list[str], mentioned: list[str]) -> tuple[Kingdom, frozenset[str]]:
    """Return the kingdom piles to set up, and those that are no piles; piles nobody mentions give way to those."""
    basic = {card.name for card in BASIC}
    used = dict.fromkeys(name for name in mentioned if name not in basic)
    listed = [name for name in dict.fromkeys(listed) if name not in basic]
    extra = [name for name in used if name not in listed]
    kept = [name for name in listed if name in used]
    room = max(KINGDOM_SIZE - len(extra) - len(kept), 0)
    kept += [name for name in listed if name not in used][:room]
    if len(kept) + len(extra) > KINGDOM_SIZE:
        raise ScenarioError(f"the case has {len(kept) + len(extra)} kingdom cards. Allowed: up to {KINGDOM_SIZE}.")
    return Kingdom((*kept, *extra)), frozenset(extra)


# Pieces of JSON.


def table(raw: object, where: str) -> Mapping[str, Any]:
    """Return an object of JSON."""
    if not isinstance(raw, dict):
        raise ScenarioError(f"{where} is {_short(raw)}. Allowed: an object.")
    return raw


def items(raw: object, where: str) -> list[Any]:
    """Return a list of JSON."""
    if not isinstance(raw, list):
        raise ScenarioError(f"{where}: {_short(raw)} is no list.")
    return raw


def number(raw: object, where: str) -> int:
    """Return a whole number from 0 to MOST."""
    if not isinstance(raw, int) or isinstance(raw, bool) or not 0 <= raw <= MOST:
        raise ScenarioError(f"{where} is {_short(raw)}. Allowed: a number from 0 to {MOST}.")
    return raw


def names(raw: object, where: str) -> list[str]:
    """Return cards by name: from a list, a single name, or counts by name."""
    if isinstance(raw, dict):
        return [name for name, n in _numbers(raw, where).items() for _ in range(n)]
    found = [raw] if isinstance(raw, str) else items(raw, where)
    for name in found:
        if not isinstance(name, str):
            raise ScenarioError(f"{where}: {_short(name)} is no card.")
    return [_card(name, where) for name in found]


def known(raw: Mapping[str, Any], keys: tuple[str, ...], where: str) -> None:
    """Refuse keys that nobody reads, notes aside."""
    for key in raw:
        if key not in (*keys, *NOTES):
            raise ScenarioError(f"{where} has '{key}'. Known: {', '.join(keys)}.")


def _numbers(raw: object, where: str) -> dict[str, int]:
    return {_card(name, where): number(n, f"{where}: {name}") for name, n in table(raw, where).items()}


def _card(name: str, where: str) -> str:
    try:
        return find_card(name).name
    except UsageError as error:
        raise ScenarioError(f"{where}: {error}") from None


def _short(raw: object) -> str:
    text = repr(raw)
    return text if len(text) < 40 else f"{text[:37]}..."
