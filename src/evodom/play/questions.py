"""What a person is asked at the table, and what Enter answers."""

from evodom.dominion.cards import CARDS
from evodom.dominion.engine.effects import (
    COUNT_ANY,
    DECK_TOP,
    HAND,
    OP_BUY,
    OP_OFFER_REACTION,
    OP_PLAY_TREASURE,
    SUPPLY,
    Effect,
    Type,
)
from evodom.dominion.game import PASS_NAME, Decision, View

_YES_NO = {
    "reveal_moat": ("reveal", "no", True),
    "trash_copper": ("trash", "no", True),
    "play_discarded": ("play", "no", True),
    "thief_gain": ("gain", "no", True),
    "spy_discard": ("discard", "put back", False),
    "set_aside": ("set aside", "keep", False),
    "discard_deck": ("yes", "no", False),
}
"""Questions to be answered by yes or no, by kind: what yes and no mean, and whether Enter means yes."""


def question(view: View, decision: Decision, trashed: str = "") -> str:
    """Return what is asked, and what Enter does; ``trashed`` is the card that the question follows from, if any."""
    effect = decision.effect
    if decision.card is None:
        return _phase(view, decision)
    if effect.op == OP_OFFER_REACTION:
        asked = f"{decision.title} is played against you: reveal {decision.consequences[0].name}?"
    elif effect.plus is not None and trashed:
        asked = f"{decision.title}: you trashed {trashed}; {_gain(effect, CARDS[trashed].cost + effect.plus)}?"
    elif effect.source == SUPPLY:
        asked = f"{decision.title}: {_gain(effect, effect.max_cost or 0)}?"
    else:
        asked = decision.question.ask(_which(decision)) + _several(decision)
    return " ".join(filter(None, (asked, _reward(decision), _enter(decision))))


def default(view: View, decision: Decision) -> list[str]:
    """Return what Enter chooses."""
    if decision.effect.op == OP_PLAY_TREASURE:
        return [answer.name for answer in decision.consequences for _ in range(view.hand[answer.name])]
    return [decision.consequences[0].name if _enter_is_yes(decision) else PASS_NAME]


def _several(decision: Decision) -> str:
    """Say that one line may answer with several cards, and how many, where none have to be chosen."""
    effect, n = decision.effect, decision.n_left
    if n == 1 or effect.target == DECK_TOP:
        return ""
    if len(decision.question.names) == 1 and not _which(decision):
        return f" ({' '.join('y' * n)}: all {n})"
    limit = "" if effect.count == COUNT_ANY or not decision.optional else f"up to {n}, "
    return f" ({limit}several at once: 1 4)"


def _phase(view: View, decision: Decision) -> str:
    if decision.effect.op == OP_BUY:
        return f"Buy phase, ${view.coins}: buy which card? Enter = end your turn"
    if decision.effect.op == OP_PLAY_TREASURE:
        return "Treasures: Enter = play them all, a number = play one, 0 = play no more"
    return "Action phase: play which card? Enter = play no more Actions"


def _enter(decision: Decision) -> str:
    """Say what Enter does; nothing where a card has to be chosen."""
    if decision.kind in _YES_NO:
        yes, no, _ = _YES_NO[decision.kind]
        return f"Enter = {yes}, 0 = {no}" if _enter_is_yes(decision) else f"Enter = {no}, y = {yes}"
    if not decision.optional:
        return ""
    if len(decision.question.names) == 1 and not _which(decision) and decision.effect.source != SUPPLY:
        return "Enter = no, y = yes"
    return "Enter = no more" if decision.n_left > 1 or decision.n_left < decision.effect.n else "Enter = none"


def _enter_is_yes(decision: Decision) -> bool:
    """Tell whether Enter means yes: not for a card that costs nothing, which nobody wants to gain."""
    if decision.kind not in _YES_NO:
        return False
    worthless = decision.kind == "thief_gain" and not CARDS[decision.consequences[0].name].cost
    return _YES_NO[decision.kind][2] and not worthless


def _which(decision: Decision) -> str:
    """Return "which 2 cards", "which Action"; "" where the cards are better named."""
    effect, n = decision.effect, decision.n_left
    if effect.source != HAND and not decision.kind.endswith("_from_discard"):
        return ""
    if n == 1 or effect.types:
        return f"which {_kind(effect)}"
    return "which cards" if decision.optional else f"which {n} cards"


def _gain(effect: Effect, limit: int) -> str:
    """Return "which Treasure costing up to $6 do you gain to your hand"."""
    return f"which {_kind(effect)} costing up to ${limit} do you {effect.verb}"


def _kind(effect: Effect) -> str:
    if not effect.types:
        return "card"
    return "Victory card" if effect.types == Type.VICTORY else (effect.types.name or "").capitalize()


def _reward(decision: Decision) -> str:
    """Return what the card gives if a card is chosen: "If you do, +$3."."""
    assert decision.card is not None
    program = decision.card.program
    if decision.effect not in program:
        return ""
    following = program[program.index(decision.effect) + 1 :][:1]
    return "".join(
        f"{effect.text}." for effect in following if effect.if_chosen and effect.text.startswith("If you do")
    )
