"""Answering what a card asks with what a case of `scenario` decides."""

from copy import deepcopy
from dataclasses import dataclass, field
from typing import Self

from evodom.dominion.engine.ops import Frame, Op
from evodom.dominion.engine.rules import NONE
from evodom.dominion.engine.turn import resolve_choice, step
from evodom.dominion.game import PASS_NAME, Consequence, Decision, DominionGame
from evodom.dominion.scenario.case import CARDS, PUT_BACK, SENTRY, TRASHED, CaseAnswer
from evodom.errors import IllegalChoice

_ONE_BY_ONE = ("discard_deck", "play_discarded", "reveal_moat", "set_aside", "spy_discard", "thief_gain", "thief_trash")
"""Kinds that ask for one card at a time: one answer that names several cards may answer as many questions."""


@dataclass(slots=True)
class Resolution:
    """A card being resolved: the game, and what the case decides."""

    game: DominionGame
    answers: list[CaseAnswer]
    current: int = NONE
    """Which answer the choice in progress has: it may ask for several cards."""
    looked_at: list[str] = field(default_factory=list)
    """The cards last taken off a deck to look at, as far as they were known, top card first."""

    def resolve(self) -> Self:
        """Resolve the card to its end and return the resolution; raises IllegalChoice if an answer is not allowed.

        A question without a choice need not be answered. Whether an answer is meant for it or for a later one shows in
        the end: the first is tried on a copy.
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
        """Raise IllegalChoice if the case decides what nobody asks for; to decline that is harmless."""
        for answer in self.answers:
            if any(answer.cards.values()) or (answer.yes and not answer.used):
                raise IllegalChoice(f"nobody asks for {answer.text}.")

    @property
    def _answer(self) -> CaseAnswer:
        return self.answers[self.current]

    def _step(self) -> None:
        """Take one step; note in which order cards to look at are taken off a deck."""
        state = self.game.state
        frame = state.stack[state.depth - 1]
        if frame[Frame.NEXT] < frame[Frame.END]:
            _, effect = self.game.rows[frame[Frame.NEXT]]
            if effect.op == Op.REVEAL:
                seat = frame[Frame.SEAT]
                known = [self.game.piles[pile].name for pile in reversed(state.top[seat, : state.n_top[seat]])]
                self.looked_at = known[: effect.n]
        step(self.game.rules, state)

    def _resolve_forced(self, decision: Decision) -> Self:
        """Go on with the current answer for a question without a choice; if that fails, keep the answer for later."""
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
        """Tell whether a question begins a choice, or asks for another card of the one in progress."""
        kind, part = _kind_and_part(decision)
        if kind in _ONE_BY_ONE:
            return True
        return part in (CARDS, TRASHED) and bool(self.game.state.n_chosen == 0)

    def _find(self, decision: Decision) -> int:
        """Return the first answer that is left for a question, or NONE."""
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
        """Have the pending question answered."""
        resolve_choice(self.game.rules, self.game.state, self._choice(decision).pile)

    def _choice(self, decision: Decision) -> Consequence:
        """Return what the current answer says to a question, or what goes without saying."""
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
                raise IllegalChoice(f"{kind}: it must be said which. Allowed: {', '.join(offered)}.")
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
        """Return the card to lie deepest of those to be put back: as the case orders them, else as they lay."""
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
    """Return the kind by which a case answers a question, and which part of the answer; only Sentry's has parts."""
    kind, _, part = decision.kind.partition("_")
    return (kind, part) if kind == SENTRY else (decision.kind, CARDS)
