"""Answer the questions of a step with the decisions of a ruling."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any, Self

from msgspec import UnsetType

from evodom.dominion.engine.ops import Frame, Op
from evodom.dominion.engine.rules import NONE
from evodom.dominion.engine.turn import apply_choice, step
from evodom.dominion.game import PASS_NAME, Consequence, Decision, DominionGame
from evodom.errors import IllegalChoice
from tests.rulings.case import OPTIONS, ORDER, POSITION, SENTRY, Cards, CaseDecision, CaseStep, names

CARDS, TRASHED, DISCARDED, PUT_BACK, CHOSEN = "", "trash", "discard", "topdeck", "options"
"""The parts of an answer. Answers to a Sentry have three; others have PUT_BACK, CHOSEN (options) or CARDS."""


@dataclass(slots=True)
class CaseAnswer:
    """A decision of a case: the cards that a player chooses. No cards means decline."""

    player: int
    kind: str
    cards: dict[str, list[str]] = field(default_factory=dict)
    """The cards not chosen yet, by part."""
    yes: bool = False
    """True to take the only card on offer."""
    place: int = 0
    """The number of cards above a place in a deck."""
    used: bool = False
    if_asked: bool = False
    """True if the answer may be left over."""

    @property
    def declines(self) -> bool:
        """True if no card is left to choose."""
        return not self.yes and not any(self.cards.values())

    @property
    def text(self) -> str:
        """Short description."""
        cards = ", ".join(name for part in self.cards.values() for name in part)
        return f"{self.kind} of player {self.player} ({cards or ('yes' if self.yes else 'none')})"


def answers_of(each: CaseStep, current: int) -> list[CaseAnswer]:
    """Return the decisions of a step."""
    return [_answer_of(decision, current) for decision in each.decisions or ()]


def _answer_of(decision: CaseDecision, current: int) -> CaseAnswer:
    kind, player = decision.kind, current if isinstance(decision.player, UnsetType) else decision.player
    given: Any = decision.cards_given
    found = CaseAnswer(player, kind, if_asked=decision.if_asked)
    if kind == POSITION:
        found.yes, found.place = True, int(str(decision.given[0]))
    elif given is None:
        found.yes = True in decision.given
    elif kind == OPTIONS:
        found.cards = {CHOSEN: [given] if isinstance(given, str) else list(given)}
    elif kind == SENTRY:
        found.cards = _sentry_parts(given)
    else:
        found.cards = {PUT_BACK if kind == ORDER else CARDS: names(given, f"cards of {kind}")}
    return found


def _sentry_parts(answer: Mapping[str, Cards | None]) -> dict[str, list[str]]:
    """Return the parts of an answer. A list that is neither trashed nor discarded is the order of the cards put back.

    With several such lists, as ``keep`` and ``order``, they name the same cards, and other lists override "keep".
    """
    parts: dict[str, list[str]] = {TRASHED: [], DISCARDED: [], PUT_BACK: []}
    for key in sorted(answer, key=lambda key: key != "keep"):
        part = key if key in parts else PUT_BACK
        parts[part] = names(answer[key] or [], f"{key} of sentry") or parts[part]
    return parts


REVEAL = "reveal_moat"
"""The kind of the question whether to react to an Attack. The kind of an answer names the card: "reveal_diplomat"."""

_ONE_BY_ONE = ("discard_deck", "play_discarded", REVEAL, "set_aside", "spy_discard", "thief_gain", "thief_trash")
"""Kinds that ask for one card at a time: one answer that names several cards may answer as many questions."""


@dataclass(slots=True)
class Resolution:
    """A step being taken: the game, the cards of the step and the decisions of the case."""

    game: DominionGame
    answers: list[CaseAnswer]
    choose: Callable[[DominionGame, str], None]
    """Chooses a card in the phase of the step."""
    cards: list[str] = field(default_factory=list)
    """The cards that the step plays or buys, from now on."""
    current: int = NONE
    """Index of the answer to the choice in progress, which may ask for several cards."""
    looked_at: list[str] = field(default_factory=list)
    """The cards last taken off a deck to look at, as far as they were known, top card first."""

    def resolve(self) -> Self:
        """Take the step to its end and return the resolution. Raise IllegalChoice if an answer is not allowed.

        A forced question needs no answer. A matching answer may belong to it or to a later question; the former is
        tried first, on a copy.
        """
        while self.game.state.depth > 0 or self.cards:
            if self.game.state.depth == 0:
                self.choose(self.game, self.cards.pop(0))
                continue
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
            if not answer.if_asked and (any(answer.cards.values()) or (answer.yes and not answer.used)):
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
        twin = replace(
            self,
            game=self.game.copy(),
            answers=deepcopy(self.answers),
            cards=list(self.cards),
            looked_at=list(self.looked_at),
        )
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
        state = self.game.state
        if kind == POSITION:
            return bool(state.stack[state.depth - 1, Frame.CARDS_LEFT] == 0)
        if part == CHOSEN:
            return bool(state.stack[state.depth - 1, Frame.OPTIONS] == 0)
        begins = part in (CARDS, TRASHED) or kind == ORDER
        return begins and bool(state.n_chosen == 0)

    def _find(self, decision: Decision) -> int:
        """Return the index of the first unused answer to a question, or NONE."""
        kind, _ = _kind_and_part(decision)
        offered = {answer.name for answer in decision.consequences}
        kinds = {kind, *(f"reveal_{name.lower()}" for name in offered if kind == REVEAL)}
        for nth, answer in enumerate(self.answers):
            if answer.used or answer.player != decision.seat or answer.kind not in kinds:
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
        if kind == POSITION:
            return self._place(decision)
        offered = {answer.name: answer for answer in decision.consequences if answer.name != PASS_NAME}
        fresh, self._answer.used = not self._answer.used, True
        if self._answer.yes and fresh:
            if kind == REVEAL:
                return next(offered[name] for name in offered if self._answer.kind == f"reveal_{name.lower()}")
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

    def _place(self, decision: Decision) -> Consequence:
        """Return the place of the current answer, or the places further down."""
        state, answer = self.game.state, self._answer
        nth = answer.place - int(state.stack[state.depth - 1, Frame.CARDS_LEFT])
        last = decision.consequences[-1]
        answer.used = True
        if last.name == "further down" and nth >= len(decision.consequences) - 1:
            return last
        if nth >= len(decision.consequences):
            raise IllegalChoice(f"position: the deck has no place under {answer.place} cards.")
        return decision.consequences[nth]

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
    if kind == SENTRY:
        return kind, part
    return decision.kind, {ORDER: PUT_BACK, OPTIONS: CHOSEN}.get(kind, CARDS)
