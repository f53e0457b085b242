"""Data model of rulings, and their reader. The format is described in `tests.rulings`."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec import field as default

from evodom.dominion import zones
from evodom.dominion.cards import find_card
from evodom.dominion.engine.rules import MAX_SEATS
from evodom.errors import UsageError
from evodom.files import parse_json
from evodom.reading import convert

Count = Annotated[int, Meta(ge=0, le=1_000_000)]
Counts = dict[str, Count]
Cards: TypeAlias = str | list[str] | Counts
"""Cards: a name, a list of names, or counts by name."""

PhaseName = Literal["action", "treasure", "buy"]
"""A phase. "treasure" is the first part of the buy phase."""


SENTRY, ORDER, POSITION, ORDER_EFFECTS = "sentry", "order", "position", "order_effects"

LEAVE = "leave"
"""The option that declines a choice of options."""

_OPTIONS = "cards actions buys coins trash gain gold discard curse set_aside take play"
OPTION_NAMES = {"choose": (*_OPTIONS.split(), LEAVE), "reveal_watchtower": ("trash", "topdeck")}
"""The kinds of decisions that name options, and their options."""

MATS = [mat.card for mat in zones.MATS]
"""The names of the mats."""


class Noted(Struct, kw_only=True, forbid_unknown_fields=True):
    """A part of a case. It may have notes for people."""

    id: object = None
    desc: object = None
    note: object = None
    notes: object = None


class CasePlayer(Noted):
    """Cards of a player at the start. The deck lists its top card first."""

    hand: Cards = default(default_factory=list)
    deck: Cards = default(default_factory=list)
    discard: Cards = default(default_factory=list)
    in_play: Cards = default(default_factory=list)
    turns: Count = 1
    vp_tokens: Count = 0
    mats: dict[str, Cards] = default(default_factory=dict)


class CaseTurn(Noted):
    """State of the turn at the start."""

    actions: Count = 1
    buys: Count = 1
    coins: Count = 0
    phase: PhaseName = "action"


class CaseSetup(Noted):
    """The position of a case."""

    players: Annotated[list[CasePlayer], Meta(min_length=1, max_length=MAX_SEATS)]
    kingdom: Cards = default(default_factory=list)
    platinum_colony: bool = False
    supply: Counts = default(default_factory=dict)
    trash: Cards = default(default_factory=list)
    current: Count = 0
    turn: CaseTurn = default(default_factory=CaseTurn)


class CaseDecision(Noted):
    """A decision of a case, as in the file."""

    kind: str
    player: Count | UnsetType = UNSET
    answer: object = UNSET
    cards: object = UNSET
    card: object = UNSET
    if_asked: bool = False

    @property
    def given(self) -> list[object]:
        """The choices given. There is one of them in most decisions."""
        return [value for value in (self.answer, self.cards, self.card) if value is not UNSET]

    @property
    def cards_given(self) -> str | list[object] | dict[object, object] | None:
        """The cards chosen; None if the choice is true, false or null."""
        return next((value for value in self.given if isinstance(value, str | list | dict)), None)


class CaseStep(Noted):
    """One thing the active player does."""

    op: Literal["play", "play_treasures", "buy", "end_turn"]
    card: Cards | None = None
    cards: Cards | UnsetType | None = UNSET
    decisions: list[CaseDecision] | None = None
    illegal: bool = False

    @property
    def given(self) -> Cards | None:
        """Its cards as in the file."""
        return self.card if isinstance(self.cards, UnsetType) else self.cards

    @property
    def named(self) -> list[str] | None:
        """Names of its cards; None if it has no list of cards."""
        return None if self.given is None else names(self.given, f"cards of {self.op}")

    @property
    def text(self) -> str:
        """The step in a few words."""
        return f"{self.op} {', '.join(self.named)}" if self.named else self.op


class ExpectedPlayer(Noted):
    """Expected cards of a player at the end. Only listed entries are compared."""

    hand: Cards | None = None
    deck: Cards | None = None
    discard: Cards | None = None
    in_play: Cards | None = None
    set_aside: Cards | None = None
    mats: dict[str, Cards] | None = None
    vp_tokens: Count | None = None
    hand_size: Count | None = None
    deck_size: Count | None = None
    discard_size: Count | None = None
    turns: Count | None = None


class Expected(Noted):
    """Expected result of a case. Only listed entries are compared."""

    actions: Count | None = None
    buys: Count | None = None
    coins: Count | None = None
    current: Count | None = None
    phase: PhaseName | None = None
    trash: Cards | None = None
    game_over: bool | None = None
    scores: list[int] | None = None
    winners: list[Count] | None = None
    supply: Counts = default(default_factory=dict)
    costs: Counts = default(default_factory=dict)
    players: list[ExpectedPlayer | None] = default(default_factory=list)


class Case(Struct, kw_only=True):
    """A case. Other fields of its object are notes."""

    id: object = None
    setup: CaseSetup
    steps: list[CaseStep] = default(default_factory=list)
    expect: Expected


class EachPlayer(ExpectedPlayer):
    """Expected cards of each player after dealing. ``cards`` are all owned cards."""

    cards: Cards | None = None


class SetupCase(Noted):
    """A case about the position before the first turn."""

    players: Count
    supply_after_dealing: Counts
    kingdom_includes: Cards = default(default_factory=list)
    platinum_colony: bool = False
    each_player: EachPlayer = default(default_factory=EachPlayer)
    edition: object = None
    card: object = None


def read_cases(path: Path) -> list[Case | SetupCase]:
    """Return the cases of a file. Raise UsageError for a malformed one."""
    try:
        content = parse_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise UsageError(f"{path} is not JSON: {error}.") from None
    if isinstance(content, dict) and ("steps" in content or "supply_after_dealing" in content):
        content = [content]
    if isinstance(content, dict):
        lists = [content[key] for key in ("setup_scenarios", "scenarios") if key in content]
        if not lists:
            raise UsageError(f"{path} holds no cases. Allowed: an object with scenarios, or a list of cases.")
        content = [case for part in lists for case in convert(part, list[object], source=str(path))]
    return [read_case(case, f"case {nth}") for nth, case in enumerate(convert(content, list[object]), start=1)]


def read_case(raw: object, nth: str = "the case") -> Case | SetupCase:
    """Return a case, as parsed from JSON. Raise UsageError for a wrong format; the message names the case."""
    is_setup = isinstance(raw, dict) and "supply_after_dealing" in raw
    name = f"{nth} ({raw['id']})" if isinstance(raw, dict) and "id" in raw else nth
    case: Case | SetupCase = convert(raw, SetupCase if is_setup else Case, source=name)
    if isinstance(case, Case):
        _check(case, name)
    return case


def _check(case: Case, name: str) -> None:
    setup = case.setup
    if setup.current >= len(setup.players):
        raise UsageError(f"{name}: current is {setup.current}. Allowed: 0 to {len(setup.players) - 1}.")
    if len(case.expect.players) > len(setup.players):
        n, most = len(case.expect.players), len(setup.players)
        raise UsageError(f"{name}: {n} players are expected. Allowed: up to {most}.")
    for player in [*setup.players, *case.expect.players]:
        for mat in player.mats or () if player else ():
            if mat not in MATS:
                raise UsageError(f"{name}: '{mat:.40}' is no mat. Allowed: {', '.join(MATS)}.")
    for each in case.steps:
        given = each.given
        n = 0 if not given else 1 if isinstance(given, str) else len(given)
        if (each.op == "play" and n != 1) or (each.op == "buy" and not n):
            raise UsageError(f"{name}: a step {each.op} names {n} cards. Allowed: one.")
        for decision in each.decisions or ():
            _check_decision(decision, name)


def _check_decision(decision: CaseDecision, name: str) -> None:
    kind, given = decision.kind, decision.given
    if not given:
        raise UsageError(f"{name}: the decision {kind} is incomplete. Give one of: card, cards, answer.")
    if kind == POSITION:
        convert(given[0], Count, source=name)
        return
    if decision.cards_given is None and any(value not in (None, True, False) for value in given):
        raise UsageError(f"{name}: the decision {kind} is {given[0]!r:.40}. Allowed: cards, true, false or null.")
    if kind in OPTION_NAMES:
        convert(decision.cards_given, str | list[str] | None, source=name)
        return
    if kind == SENTRY and decision.cards_given is None and True in given:
        raise UsageError(f'{name}: the decision sentry is true. Allowed: an object, as in: {{"trash": ["Copper"]}}.')
    convert(decision.cards_given, dict[str, Cards | None] | None if kind == SENTRY else Cards | None, source=name)


def names(cards: Cards, where: str) -> list[str]:
    """Return the full names of the cards. Raise UsageError for an unknown card."""
    if isinstance(cards, dict):
        return [name for name, n in counts(cards, where).items() for _ in range(n)]
    return list(_cards_named([cards] if isinstance(cards, str) else cards, where))


def counts(numbers: Counts, where: str) -> dict[str, int]:
    """Return the counts of cards by full name. Raise UsageError for an unknown card."""
    return dict(zip(_cards_named(numbers, where), numbers.values(), strict=True))


def _cards_named(cards: Iterable[str], where: str) -> Iterator[str]:
    try:
        yield from (find_card(name).name for name in cards)
    except UsageError as error:
        raise UsageError(f"{where}: {error}") from None
