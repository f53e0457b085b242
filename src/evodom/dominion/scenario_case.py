"""Read the cases of `scenario` (their format as structs) and answer a card's questions with a case's decisions."""

from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Annotated, Literal, Self, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec import field as default

from evodom.dominion.cards import find_card
from evodom.dominion.engine.ops import Frame, Op
from evodom.dominion.engine.rules import MAX_SEATS, NONE
from evodom.dominion.engine.turn import apply_choice, step
from evodom.dominion.game import PASS_NAME, Consequence, Decision, DominionGame
from evodom.errors import IllegalChoice, UsageError
from evodom.reading import convert

Count = Annotated[int, Meta(ge=0, le=1_000_000)]
Counts = dict[str, Count]
Cards: TypeAlias = str | list[str] | Counts
"""Cards: a name, a list of names, or counts by name."""

PhaseName = Literal["action", "treasure", "buy"]
"""A phase. "treasure" is the first part of the buy phase."""

CARDS, TRASHED, DISCARDED, PUT_BACK = "", "trash", "discard", "topdeck"
"""The parts of an answer. Answers to a Sentry have the last three, all others only CARDS."""

SENTRY = "sentry"


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


class CaseStep(Noted):
    """One thing the active player does."""

    op: Literal["play", "play_treasures", "buy", "end_turn"]
    card: Cards | None = None
    cards: Cards | UnsetType | None = UNSET
    decisions: list[CaseDecision] | None = None
    illegal: bool = False

    @property
    def named(self) -> list[str] | None:
        """Names of its cards; None if it has no list of cards."""
        cards = self.card if isinstance(self.cards, UnsetType) else self.cards
        return None if cards is None else names(cards, f"cards of {self.op}")

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
    players: list[ExpectedPlayer | None] = default(default_factory=list)


class Case(Struct):
    """A case. Other fields of its object are notes."""

    setup: CaseSetup
    steps: list[CaseStep] = default(default_factory=list)
    expect: Expected = default(default_factory=Expected)


class EachPlayer(ExpectedPlayer):
    """Expected cards of each player after dealing. ``cards`` are all owned cards."""

    cards: Cards | None = None


class SetupCase(Noted):
    """A case about the position before the first turn."""

    players: Count
    supply_after_dealing: Counts
    kingdom_includes: Cards = default(default_factory=list)
    each_player: EachPlayer = default(default_factory=EachPlayer)
    edition: object = None
    card: object = None


@dataclass(slots=True)
class CaseAnswer:
    """A decision of a case: the cards that a player chooses. No cards means decline."""

    player: int
    kind: str
    cards: dict[str, list[str]] = field(default_factory=dict)
    """The cards not chosen yet, by part."""
    yes: bool = False
    """True to take the only card on offer."""
    used: bool = False

    @property
    def declines(self) -> bool:
        """True if no card is left to choose."""
        return not self.yes and not any(self.cards.values())

    @property
    def text(self) -> str:
        """Short description."""
        cards = ", ".join(name for part in self.cards.values() for name in part)
        return f"{self.kind} of player {self.player} ({cards or ('yes' if self.yes else 'none')})"


def read_case(raw: object) -> Case:
    """Read a case. Raise UsageError for a wrong format."""
    case = convert(raw, Case, source="the case")
    setup = case.setup
    if setup.current >= len(setup.players):
        raise UsageError(f"current is {setup.current}. Allowed: 0 to {len(setup.players) - 1}.")
    if len(case.expect.players) > len(setup.players):
        raise UsageError(f"{len(case.expect.players)} players are expected. Allowed: up to {len(setup.players)}.")
    for seat, player in enumerate(setup.players):
        if seat != setup.current and names(player.in_play, "in_play"):
            raise UsageError(f"player {seat} has cards in play out of turn. Allowed: the active player.")
    for each in case.steps:
        named = each.named or ()
        if (each.op == "play" and len(named) != 1) or (each.op == "buy" and not named):
            raise UsageError(f"a step {each.op} names {len(named)} cards. Allowed: one.")
    return case


def answers_of(each: CaseStep, current: int) -> list[CaseAnswer]:
    """Return the decisions of a step."""
    return [_answer_of(decision, current) for decision in each.decisions or ()]


def _answer_of(decision: CaseDecision, current: int) -> CaseAnswer:
    kind, player = decision.kind, current if isinstance(decision.player, UnsetType) else decision.player
    given = [value for value in (decision.answer, decision.cards, decision.card) if value is not UNSET]
    if not given:
        raise UsageError(f"the decision {kind} is incomplete. Give one of: card, cards, answer.")
    value = next((value for value in given if isinstance(value, str | list | dict)), None)
    if value is None:
        if any(value not in (None, True, False) for value in given):
            raise UsageError(f"the decision {kind} is {given[0]!r:.40}. Allowed: cards, true, false or null.")
        if kind == SENTRY and True in given:
            raise UsageError('the decision sentry is true. Allowed: an object, as in: {"trash": ["Copper"]}.')
        return CaseAnswer(player, kind, yes=True in given)
    if kind == SENTRY:
        return CaseAnswer(player, kind, _sentry_parts(convert(value, dict[str, Cards | None], source="sentry")))
    cards = convert({kind: value}, dict[str, Cards])[kind]
    return CaseAnswer(player, kind, {CARDS: names(cards, f"cards of {kind}")})


def _sentry_parts(answer: Mapping[str, Cards | None]) -> dict[str, list[str]]:
    """Return the parts of an answer. A list that is neither trashed nor discarded is the order of the cards put back.

    With several such lists, as ``keep`` and ``order``, they name the same cards, and other lists override "keep".
    """
    parts: dict[str, list[str]] = {TRASHED: [], DISCARDED: [], PUT_BACK: []}
    for key in sorted(answer, key=lambda key: key != "keep"):
        part = key if key in parts else PUT_BACK
        parts[part] = names(answer[key] or [], f"{key} of sentry") or parts[part]
    return parts


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


_ONE_BY_ONE = ("discard_deck", "play_discarded", "reveal_moat", "set_aside", "spy_discard", "thief_gain", "thief_trash")
"""Kinds that ask for one card at a time: one answer that names several cards may answer as many questions."""


@dataclass(slots=True)
class Resolution:
    """A card being resolved: the game and the decisions of the case."""

    game: DominionGame
    answers: list[CaseAnswer]
    current: int = NONE
    """Index of the answer to the choice in progress, which may ask for several cards."""
    looked_at: list[str] = field(default_factory=list)
    """The cards last taken off a deck to look at, as far as they were known, top card first."""

    def resolve(self) -> Self:
        """Resolve the card to its end and return the resolution. Raise IllegalChoice if an answer is not allowed.

        A forced question needs no answer. A matching answer may belong to it or to a later question; the former is
        tried first, on a copy.
        """
        while self.game.state.depth > 0:
            if self.game.state.decider == NONE:
                self._step()
                continue
            decision = self.game.decision
            assert decision is not None
            if self._begins(decision):
                self.current = self._find(decision)
                if len(decision.consequences) == 1 and self.current != NONE and not self._answer.declines:
                    return self._resolve_forced(decision)
            self._enact(decision)
        self.finish()
        return self

    def finish(self) -> None:
        """Raise IllegalChoice for unused cards or an unused yes. Unused answers that decline are allowed."""
        for answer in self.answers:
            if any(answer.cards.values()) or (answer.yes and not answer.used):
                raise IllegalChoice(f"no question was asked for the decision {answer.text}.")

    @property
    def _answer(self) -> CaseAnswer:
        return self.answers[self.current]

    def _step(self) -> None:
        """Take one step. Record the order of known cards that are taken off a deck."""
        state = self.game.state
        frame = state.stack[state.depth - 1]
        if frame[Frame.NEXT] < frame[Frame.END]:
            _, effect = self.game.card_effects[frame[Frame.NEXT]]
            if effect.op == Op.REVEAL:
                seat = frame[Frame.SEAT]
                known = [self.game.piles[pile].name for pile in reversed(state.known[seat, : state.n_known[seat]])]
                self.looked_at = known[: effect.n]
        step(self.game.rules, state)

    def _resolve_forced(self, decision: Decision) -> Self:
        """Use the current answer for a forced question. If that fails, keep the answer for a later question."""
        twin = type(self)(self.game.copy(), deepcopy(self.answers), self.current, list(self.looked_at))
        try:
            twin._enact(decision)
            return twin.resolve()
        except IllegalChoice as error:
            refused = error
        self.current = NONE
        self._enact(decision)
        try:
            return self.resolve()
        except IllegalChoice:
            raise refused from None

    def _begins(self, decision: Decision) -> bool:
        """Return True if a question begins a choice, False if it continues the choice in progress."""
        kind, part = _kind_and_part(decision)
        if kind in _ONE_BY_ONE:
            return True
        return part in (CARDS, TRASHED) and bool(self.game.state.n_chosen == 0)

    def _find(self, decision: Decision) -> int:
        """Return the index of the first unused answer to a question, or NONE."""
        kind, _ = _kind_and_part(decision)
        offered = {answer.name for answer in decision.consequences}
        for nth, answer in enumerate(self.answers):
            if answer.used or (answer.player, answer.kind) != (decision.seat, kind):
                continue
            cards = answer.cards.get(CARDS)
            if kind not in _ONE_BY_ONE or not cards or not offered.isdisjoint(cards):
                return nth
        return NONE

    def _enact(self, decision: Decision) -> None:
        """Answer the pending question."""
        apply_choice(self.game.rules, self.game.state, self._choice(decision).pile)

    def _choice(self, decision: Decision) -> Consequence:
        """Return the choice of the current answer, or the default of a question without an answer."""
        kind, part = _kind_and_part(decision)
        cards = [] if self.current == NONE else self._answer.cards.get(part, [])
        if part == PUT_BACK:
            return self._put_back(decision, cards)
        if self.current == NONE:
            return _unanswered(decision)
        offered = {answer.name: answer for answer in decision.consequences if answer.name != PASS_NAME}
        fresh, self._answer.used = not self._answer.used, True
        if self._answer.yes and fresh:
            if len(offered) > 1:
                raise IllegalChoice(f"{kind}: true is ambiguous. Name one of: {', '.join(offered)}.")
            return next(iter(offered.values()))
        for name in cards:
            if name in offered:
                cards.remove(name)
                self._answer.used = kind not in _ONE_BY_ONE or not cards
                return offered[name]
        if cards:
            raise IllegalChoice(f"{kind}: {cards[0]} cannot be chosen. Allowed: {', '.join(offered)}.")
        if not decision.optional:
            self.current = self._find(decision) if self.game.state.n_chosen else NONE
            if self.current != NONE:
                return self._choice(decision)
            raise IllegalChoice(f"{kind}: player {decision.seat} must choose more. Allowed: {', '.join(offered)}.")
        return decision.consequences[-1]

    def _put_back(self, decision: Decision, order: list[str]) -> Consequence:
        """Return the deepest of the cards to put back, in the order of the case or else of the deck."""
        depth = {name: nth for nth, name in enumerate(order or self.looked_at)}
        deepest = max(decision.consequences, key=lambda answer: depth.get(answer.name, len(depth)))
        if deepest.name in order:
            order.remove(deepest.name)
        return deepest


def _unanswered(decision: Decision) -> Consequence:
    """Return the only answer to a question, or decline it."""
    if len(decision.consequences) > 1 and not decision.optional:
        allowed = ", ".join(answer.name for answer in decision.consequences)
        raise IllegalChoice(
            f"player {decision.seat} is asked for {decision.kind} and has no answer. Allowed: {allowed}."
        )
    return decision.consequences[-1]


def _kind_and_part(decision: Decision) -> tuple[str, str]:
    """Return the kind of a question in cases, and the part of the answer. Only Sentry's answer has several parts."""
    kind, _, part = decision.kind.partition("_")
    return (kind, part) if kind == SENTRY else (decision.kind, CARDS)
