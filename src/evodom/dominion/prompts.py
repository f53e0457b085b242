"""What a Decision asks, as sentences."""

from collections.abc import Sequence
from dataclasses import dataclass

from evodom.dominion.engine.effects import OP_BUY, OP_CHOOSE, OP_PLAY_ACTION, OP_PLAY_TREASURE, Effect

PHASE_TITLES = {OP_PLAY_ACTION: "Action", OP_PLAY_TREASURE: "Treasures", OP_BUY: "Buy"}

_SENTENCE = "{which} do you {verb}?"
_SENTENCE_OF_ONE = "do you {act}?"
_SENTENCES = {
    "reveal_moat": "do you reveal {names}?",
    "trash_copper": "do you trash a Copper?",
    "topdeck_from_discard": "{which} from your discard pile do you put onto your deck?",
    "trash_treasure": "{reveals} {seen}: which do you trash?",
    "thief_trash": "{reveals} {seen}: which do you trash?",
    "thief_gain": "{trashes} {names}: do you gain it?",
    "spy_discard": "{reveals} {names}: do you have it discarded?",
    "sentry_topdeck": "{which} do you put back first? The other goes on top of it.",
    "set_aside": "you draw {names}: do you set it aside?",
    "play_discarded": "you discard {names} from your deck: do you play it?",
    "discard_deck": "do you put your deck into your discard pile?",
}
"""The questions by kind, where they are not asked in one of the forms above."""


@dataclass(frozen=True, slots=True)
class QuestionText:
    """What a question is about: the cards that may be chosen, those that lie revealed, and whose they are."""

    title: str
    effect: Effect
    names: Sequence[str]
    seen: Sequence[str] = ()
    owner: int | None = None
    """The seat whose cards are chosen from; None for the one who is asked."""

    def ask(self, which: str = "") -> str:
        """Return the question as a sentence; ``which`` is said of the cards instead of naming them."""
        names = ", ".join(self.names)
        who = "you" if self.owner is None else f"P{self.owner + 1}"
        of_one = len(self.names) == 1 and not which and self.effect.op == OP_CHOOSE
        template = _SENTENCES.get(self.effect.kind, _SENTENCE_OF_ONE if of_one else _SENTENCE)
        sentence = template.format(
            which=which or f"which of {names}",
            names=names,
            seen=", ".join(self.seen),
            verb=self.effect.verb,
            act=act(self.effect.verb, names),
            reveals="you reveal" if self.owner is None else f"{who} reveals",
            trashes="you trash" if self.owner is None else f"{who} trashes",
        )
        return f"{self.title}: {sentence}"


def act(verb: str, name: str) -> str:
    """Return what is done to a card: "put Estate onto your deck"."""
    first, _, rest = verb.partition(" ")
    return f"{first} {name} {rest}".rstrip()
