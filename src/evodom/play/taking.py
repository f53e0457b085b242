"""Several cards named at once: they are chosen one after the other, as long as the same question is asked."""

from dataclasses import dataclass

from evodom.dominion.game import PASS_NAME, Decision
from evodom.dominion.log import counted
from evodom.play.match import Match
from evodom.play.refusal import why_not


@dataclass(frozen=True)
class Taken:
    """What came of several names: why the next one cannot be chosen, "" if all were, and what was left over."""

    objection: str = ""
    left: tuple[str, ...] = ()
    is_new_question: bool = False
    """True if a card asks something else now, for which the rest may have been meant."""

    @property
    def notes(self) -> list[str]:
        """What the player is told, a sentence each; nothing if all was taken."""
        return [note for note in (self.objection, self._not_taken()) if note]

    def _not_taken(self) -> str:
        left = [name for name in self.left if name != PASS_NAME and not (self.objection and name == self.left[0])]
        if not left:
            return ""
        were = f"{', '.join(counted(left))} {'was' if len(left) == 1 else 'were'} not taken"
        if self.objection:
            return f"{were} either."
        return (
            f"{were}: {'a line answers one question' if self.is_new_question else 'there was nothing more to choose'}."
        )


def take(match: Match, names: list[str]) -> Taken:
    """Choose names ("pass" among them) for the pending Decision, from the front, until something else is asked."""
    asked, left = match.decision, list(names)
    while left and asked is not None:
        if left[0] not in [answer.name for answer in asked.consequences]:
            return Taken(why_not(match.view, asked, left[0]), tuple(left))
        row, n_events = match.game.state.asking, len(match.game.events)
        match.choose(left.pop(0))
        _strike_forced(match, left, n_events)
        asked = _asked_again(match, asked, row)
    now = match.decision
    return Taken("", tuple(left), now is not None and now.card is not None)


def _asked_again(match: Match, asked: Decision, row: int) -> Decision | None:
    """Return the pending Decision if it is the same question about the next card."""
    now = match.decision
    if now is None or now.seat != asked.seat or match.game.state.asking != row:
        return None
    return now if now.card is None or now.n_left < asked.n_left else None


def _strike_forced(match: Match, names: list[str], n_events: int) -> None:
    """Strike from the names the cards that went the way of the chosen one because there was no other choice."""
    events = match.game.events[n_events:]
    forced = [event for event in events[1:] if (event.seat, event.verb) == (events[0].seat, events[0].verb)]
    for name in (name for event in forced for name in event.cards if name in names):
        names.remove(name)
