"""Answer the questions of a step with the decisions of a ruling."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any, Self

from msgspec import UnsetType

from evodom.dominion.effects.ops import Frame, Later, Op, Phase, PhaseEffect, Zone
from evodom.dominion.engine.rules import NONE, PASS
from evodom.dominion.engine.turn import apply_choice, step
from evodom.dominion.game import Consequence, Decision, DominionGame
from evodom.errors import IllegalChoice, UsageError
from tests.rulings.case import (
    LEAVE,
    OPTION_NAMES,
    ORDER,
    ORDER_EFFECTS,
    POSITION,
    SENTRY,
    Cards,
    CaseDecision,
    CaseStep,
    names,
)

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
    is_refused: bool = False
    """True if it declines a forced question. It must be used for another one."""

    @property
    def declines(self) -> bool:
        """True if no card is left to choose."""
        return not self.yes and not any(self.cards.values())

    @property
    def takes(self) -> bool:
        """True if it is unused and does not decline."""
        return not self.used and not self.declines

    def use(self, name: str) -> None:
        """Use it for one card of a name."""
        cards = self.cards.get(CARDS, [])
        if name in cards:
            cards.remove(name)
        self.used = not cards

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
    elif kind in OPTION_NAMES:
        found.cards = {CHOSEN: _options(kind, [given] if isinstance(given, str) else list(given))}
    elif kind == SENTRY:
        found.cards = _sentry_parts(given)
    else:
        found.cards = {PUT_BACK if kind == ORDER else CARDS: names(given, f"cards of {kind}")}
    return found


def _options(kind: str, given: list[str]) -> list[str]:
    """Return the options of an answer. Raise UsageError for an unknown one."""
    for name in given:
        if name not in OPTION_NAMES[kind]:
            raise UsageError(f"'{name:.40}' is no option of {kind}. Allowed: {', '.join(OPTION_NAMES[kind])}.")
    return given


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

PLAY_AT_START = "play_clerk"
"""The kind of the question whether to play a card from hand at the start of a turn."""

_REPEATED = (PLAY_AT_START, "topdeck_treasury")
"""Kinds that ask again until they are declined. An answer that takes a card comes before one that declines."""

_ONE_BY_ONE = (
    "discard_deck",
    "play_discarded",
    "play_gained",
    "play_pirate",
    REVEAL,
    "reveal_watchtower",
    "set_aside",
    "spy_discard",
    "thief_gain",
    "thief_trash",
    "topdeck_gained",
    *_REPEATED,
)
"""Kinds that ask for one card at a time: one answer that names several cards may answer as many questions."""


_MOST_TRIED = 8
"""Maximum number of forced questions in a step of which two readings are tried: each doubles the time."""


@dataclass(slots=True)
class Resolution:
    """A step being taken: the game, the cards of the step and the decisions of the case."""

    game: DominionGame
    answers: list[CaseAnswer]
    choose: Callable[[DominionGame, str], None]
    """Chooses a card in the phase of the step."""
    cards: list[str] = field(default_factory=list)
    """The cards that the step plays or buys, from now on."""
    plays_what_is_left: bool = False
    """True to leave out cards that are no longer in the hand."""
    current: int = NONE
    """Index of the answer to the choice in progress, which may ask for several cards."""
    looked_at: list[str] = field(default_factory=list)
    """The known cards that were last revealed from a deck and not yet put back, top card first."""
    n_tried: int = 0
    """The number of questions of which two readings were tried."""
    ends_turn: bool = False
    """True if the step runs the clean-up and the start of the next turn."""

    def resolve(self) -> Self:
        """Take the step to its end and return the resolution. Raise IllegalChoice if an answer is not allowed.

        A forced question needs no answer. A matching answer may belong to it or to a later question. It is used for the
        forced question first, on a copy. A player may reveal one Reaction and decline another. The declining answer may
        belong to this question or to the next one. It is first kept for the next one.
        """
        while self._goes_on:
            if self.game.state.depth == 0 and self.cards:
                name = self.cards.pop(0)
                if not self.plays_what_is_left or name in self.game.cards(Zone.HAND + self.game.state.active):
                    self.choose(self.game, name)
                continue
            if self.game.state.decider == NONE:
                self._step()
                continue
            decision = self.game.decision
            assert decision is not None
            if self.game.state.asked_effect == PhaseEffect.START:
                self._enact(self._next_effect(decision))
                continue
            if self._begins(decision):
                found = self._matching(decision)
                self.current = found[0] if found else NONE
                if len(decision.consequences) == 1 and self.current != NONE:
                    if not self._answer.declines and self.n_tried < _MOST_TRIED:
                        return self._resolve_either(decision, ())
                    if self._answer.declines:
                        self._answer.is_refused, self.current = True, NONE
                if decision.kind == REVEAL:
                    declined = [nth for nth in found if self.answers[nth].declines]
                    if declined == found:
                        self._use(declined)
                    elif earlier := [nth for nth in declined if nth < self.current]:
                        return self._resolve_either(decision, earlier)
            self._enact(self._choice(decision))
        self.finish()
        return self

    def finish(self) -> None:
        """Raise IllegalChoice for unused cards or an unused yes. Other unused answers that decline are allowed."""
        for answer in self.answers:
            if answer.if_asked or answer.kind == ORDER_EFFECTS:
                continue
            if answer.is_refused and not answer.used:
                raise IllegalChoice(f"{answer.kind}: player {answer.player} must choose.")
            left = [name for part in answer.cards.values() for name in part if name != LEAVE]
            if left or (answer.yes and not answer.used):
                raise IllegalChoice(f"no question was asked for the decision {answer.text}.")

    @property
    def _goes_on(self) -> bool:
        """True before the end of the step: while a card is resolved, or before the first Action of the next turn."""
        state = self.game.state
        is_between = state.phase in (Phase.CLEANUP, Phase.START) or (state.phase == Phase.BUY and state.buys == 0)
        return state.depth > 0 or bool(self.cards) or (self.ends_turn and is_between and not self.game.is_over)

    @property
    def _answer(self) -> CaseAnswer:
        return self.answers[self.current]

    def _next_effect(self, decision: Decision) -> Consequence:
        """Return the effect to resolve next at the start of a turn, in the order of the case or else of the plays.

        A card in hand is played after the effects, unless the case orders it or no other decision comes before it. The
        last place of a name in the order is the place of all its remaining effects.
        """
        offered = {answer.name: answer for answer in decision.consequences if answer.pile != PASS}
        due = [name for name in _due(self.game, decision.seat) if name in offered]
        waiting = [answer for answer in self.answers if answer.player == decision.seat and answer.takes]
        play = next((answer for answer in waiting if answer.kind == PLAY_AT_START), None)
        orders = [answer.cards[CARDS] for answer in waiting if answer.kind == ORDER_EFFECTS]
        ordered = [name for names in orders for name in names]
        name = next((name for name in ordered if name in due or (name in offered and play)), due[0] if due else "")
        in_hand = [name for name in offered if name not in due]
        if play and in_hand and (play is waiting[0] or not name):
            name = in_hand[0]
        if name in in_hand and play:
            play.use(name)
        if name in ordered and (ordered.count(name) > 1 or name in in_hand):
            next(names for names in orders if name in names).remove(name)
        return offered[name] if name else decision.consequences[-1]

    def _step(self) -> None:
        """Take one step. Record the order of known cards that an Effect reveals from a deck."""
        state = self.game.state
        frame = state.stack[state.depth - 1]
        if frame[Frame.NEXT] < frame[Frame.END]:
            _, effect = self.game.card_effects[frame[Frame.NEXT]]
            if effect.op == Op.REVEAL:
                seat = frame[Frame.SEAT]
                self.looked_at = [name for name in deck_to_lowest_known(self.game, seat)[: effect.n] if name]
        step(self.game.rules, state)

    def _use(self, numbers: Iterable[int]) -> None:
        """Mark answers as used."""
        for nth in numbers:
            self.answers[nth].used = True

    def _resolve_either(self, decision: Decision, declined: Sequence[int]) -> Self:
        """Use the current answer for this question on a copy, and finish the step. If that fails, try another reading.

        For a forced question, ``declined`` is empty: keep the current answer for a later question. For a Reaction, use
        the current answer here, and the answers ``declined``, which decline other Reactions, too. Return the resolution
        that succeeds. Raise the error of the first reading if both fail.
        """
        self.n_tried += 1
        twin = replace(
            self,
            game=self.game.copy(),
            answers=deepcopy(self.answers),
            cards=list(self.cards),
            looked_at=list(self.looked_at),
        )
        try:
            twin._enact(twin._choice(decision))
            return twin.resolve()
        except IllegalChoice as error:
            refused = error
        self._use(declined)
        if not declined:
            self.current = NONE
        self._enact(self._choice(decision))
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

    def _matching(self, decision: Decision) -> list[int]:
        """Return the indices of the unused answers that match a question. The first is the one to use.

        For Reactions and repeated questions, answers that take a card come first. Each Reaction has its own answers.
        """
        kind, _ = _kind_and_part(decision)
        offered = {answer.name for answer in decision.consequences}
        kinds = {f"reveal_{name.lower()}" for name in offered} if kind == REVEAL else {kind}
        found = []
        for nth, answer in enumerate(self.answers):
            if answer.used or answer.player != decision.seat or answer.kind not in kinds:
                continue
            cards = answer.cards.get(CARDS)
            if kind not in _ONE_BY_ONE or not cards or not offered.isdisjoint(cards):
                found.append(nth)
        if kind == REVEAL:
            first: dict[str, int] = {}
            for nth in found:
                first.setdefault(self.answers[nth].kind, nth)
            found = list(first.values())
        if kind in (REVEAL, *_REPEATED):
            found.sort(key=lambda nth: self.answers[nth].declines)
        return found

    def _enact(self, choice: Consequence) -> None:
        """Answer the pending question."""
        apply_choice(self.game.rules, self.game.state, choice.pile)

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
        offered = {answer.name: answer for answer in decision.consequences if answer.pile != PASS}
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
        if (declined := _declined(decision)) is None:
            if self.game.state.n_chosen and (found := self._matching(decision)):
                self.current = found[0]
                return self._choice(decision)
            raise IllegalChoice(f"{kind}: player {decision.seat} must choose more. Allowed: {', '.join(offered)}.")
        return declined

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
        """Return the deepest of the cards to put back, in the order of the case or else of the deck.

        Remove it from that order.
        """
        if order:
            self._answer.used = True
        places = order or self.looked_at
        depth = {name: nth for nth, name in enumerate(places)}
        deepest = max(decision.consequences, key=lambda answer: depth.get(answer.name, len(places)))
        if deepest.name in depth:
            del places[depth[deepest.name]]
        return deepest


def deck_to_lowest_known(game: DominionGame, seat: int) -> list[str]:
    """Return the names of the cards from the top of a deck to its lowest known card. An unseen card is ""."""
    state, found = game.state, list[str]()
    for index in reversed(range(int(state.n_known[seat]))):
        found += [*[""] * int(state.unseen_above[seat, index]), game.piles[state.known[seat, index]].name]
    return found


def _unanswered(decision: Decision) -> Consequence:
    """Return the only answer to a question, or decline it."""
    declined = _declined(decision) or (decision.consequences[0] if len(decision.consequences) == 1 else None)
    if declined is None:
        allowed = ", ".join(answer.name for answer in decision.consequences)
        raise IllegalChoice(
            f"player {decision.seat} is asked for {decision.kind} and has no answer. Allowed: {allowed}."
        )
    return declined


def _declined(decision: Decision) -> Consequence | None:
    """Return the answer that declines a question: to pass, or to leave a card. None for a mandatory choice."""
    return next((answer for answer in decision.consequences if answer.pile == PASS or answer.name == LEAVE), None)


def _due(game: DominionGame, seat: int) -> list[str]:
    """Return the names of the cards with an effect due at the start of a turn of a seat, the oldest play first."""
    later = game.state.later[: game.state.n_later]
    return [game.piles[row[Later.PILE]].name for row in later if row[Later.SEAT] == seat and row[Later.DUE]]


def _kind_and_part(decision: Decision) -> tuple[str, str]:
    """Return the kind of a question in cases, and the part of the answer. Only Sentry's answer has several parts."""
    kind, _, part = decision.kind.partition("_")
    if kind == SENTRY:
        return kind, part
    if decision.kind in OPTION_NAMES:
        is_reaction = decision.card is not None and decision.effect.optional
        return f"reveal_{decision.card.name.lower()}" if is_reaction else decision.kind, CHOSEN
    return decision.kind, PUT_BACK if kind == ORDER else CARDS
