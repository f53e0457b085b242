"""Turn questions of a game of Dominion into text, find their legal answers, and apply lines with several answers."""

from collections import Counter
from dataclasses import dataclass

from evodom.dominion.cards import CARDS, counted
from evodom.dominion.effects.effect import Type, noun
from evodom.dominion.effects.ops import ChoiceSize, Op, Zone
from evodom.dominion.engine.rules import ENDING_CARDS, PASS
from evodom.dominion.game import PASS_NAME, Decision, DominionGame, View, verb_phrase
from evodom.sessions.dominion import DominionSession

ALL = "all"
"""The word that plays all Treasures. It answers only the Treasure question."""

ENTER = (
    "Enter means: no more cards. It stops an optional choice, and ends your turn in the buy phase. Elsewhere it does "
    "nothing: it never chooses a card and never answers yes or no (type y or n). It does not end the Action phase and "
    "does not skip Treasures (type 0)."
)
"""The rule for Enter."""

MAX_LISTED = 5
"""Maximum number of options that a question lists in full."""

_PHASES = {
    Op.START: ("start of the turn", "Start of your turn: which comes next?"),
    Op.PLAY_ACTION: ("action phase", "Action phase: play which card?"),
    Op.PLAY_TREASURE: ("Treasure phase", "Treasures: play which?"),
    Op.BUY: ("buy phase", "Buy phase, ${coins}: buy which card?"),
}
"""The name and the question of each phase of a turn."""

_YES_NO = {
    "reveal_moat": ("reveal", "no"),
    "trash_copper": ("trash", "no"),
    "play_discarded": ("play", "no"),
    "thief_gain": ("gain", "no"),
    "spy_discard": ("discard", "put back"),
    "set_aside": ("set aside", "keep"),
    "discard_deck": ("yes", "no"),
    "topdeck_gained": ("topdeck", "no"),
    "topdeck_treasury": ("topdeck", "keep"),
    "play_gained": ("play", "no"),
    "play_pirate": ("play", "no"),
}
"""The meaning of yes and of no, by the kind of the question."""


def question(view: View, decision: Decision, trashed: str = "") -> str:
    """Return the question and its hint on typing. ``trashed`` is the card trashed just before, or ""."""
    if decision.card is None:
        return _phase_question(view, decision)
    if decision.has_options:
        options = [f"{n}) {answer.text}" for n, answer in enumerate(decision.consequences, start=1)]
        if len(options) > MAX_LISTED:
            options[2:-1] = ["..."]  # places in a deck
        options += ["Enter = none"] * enter_is_taken(decision)
        several = " (both in one line: 1 2)" if decision.n_left == 2 else ""
        return f"{_sentence(view, decision, trashed)}{several}  {'  '.join(options)}"
    is_single = decision.effect.op == Op.OFFER_REACTION or decision.effect.source == Zone.SUPPLY
    typed = "" if is_single else _several_hint(decision)
    sentence = _sentence(view, decision, trashed) + typed
    return " ".join(filter(None, (sentence, _reward(decision), _enter_hint(decision))))


def plain_question(view: View, decision: Decision, trashed: str = "") -> str:
    """Return the question without the hint on typing."""
    if decision.card is None:
        return decision.prompt if _is_yes_no(decision) else _PHASES[decision.effect.op][1].format(coins=view.coins)
    return " ".join(filter(None, (_sentence(view, decision, trashed), _reward(decision))))


def yes_and_no(decision: Decision) -> tuple[str, str] | None:
    """Return the meaning of yes and of no for a question about a single card; None for other questions."""
    return _YES_NO.get(decision.kind, ("yes", "no")) if _is_yes_no(decision) else None


def max_at_once(view: View, decision: Decision) -> int:
    """Return the largest number of cards in one answer to the pending question; 1 for single choices."""
    there = cards_at_once(view, decision)
    return min(decision.n_left, there.total()) if there else 1


def cards_at_once(view: View, decision: Decision) -> Counter[str]:
    """Return the cards if one answer can name several of them; no cards for single choices.

    Cards put onto a deck, gained or played are single choices: their order matters or changes the next question.
    """
    effect = decision.effect
    if effect.op != Op.CHOOSE or effect.source == Zone.SUPPLY or effect.target in (Zone.DECK_TOP, Zone.IN_PLAY):
        return Counter()
    there = {Zone.HAND: view.hand, Zone.REVEALED: view.revealed}.get(effect.source, Counter())
    return Counter({answer.name: n for answer in decision.consequences if (n := there[answer.name])})


def enter_is_taken(decision: Decision) -> bool:
    """Return whether Enter answers a question. Enter always means "no more cards"."""
    if decision.card is None:
        return decision.effect.op == Op.BUY
    return decision.optional and not _is_yes_no(decision)


def unspent_warning(view: View, decision: Decision) -> str:
    """Return a warning that the coins can still buy a card above $0; "" if there is no such card.

    The warning names the most expensive card. Of equal costs, a pure Victory card comes last.
    """
    prices = [answer for answer in decision.consequences if view.costs.get(answer.name)]
    if decision.effect.op != Op.BUY or not prices:
        return ""
    names = [answer.name for answer in prices]
    best = max(names, key=lambda name: (view.costs[name], CARDS[name].types != Type.VICTORY))
    return f"You have ${view.coins} and could buy a card, such as {best}. Enter again ends your turn."


def aim(game: DominionGame) -> list[str]:
    """Return the aim and the end of the game, a line each."""
    names = game.kingdom.names
    victory = ("Colony", "Province", "Duchy", "Estate")
    points = ", ".join(f"{name} {CARDS[name].vp}" for name in victory if name in names)
    ends = ", ".join(f"no {name}" for name in ENDING_CARDS if name in names)
    return [
        f"Aim: most victory points (VP) in your cards. {points}.",
        f"The game ends after a turn that leaves {ends} or {game.rules.piles_to_end} empty piles.",
    ]


def all_treasures(view: View, decision: Decision) -> list[str]:
    """Return the playable Treasures, once per copy in hand, in order: those with Effects first, Bank last."""

    def rank(name: str) -> int:
        card = CARDS[name]
        return 2 if any(effect.per for effect in card.effects) else int(card.only_gives_coins)

    names = sorted((answer.name for answer in decision.consequences if answer.pile != PASS), key=rank)
    return [name for name in names for _ in range(view.hand[name])]


def _sentence(view: View, decision: Decision, trashed: str) -> str:
    """Return the question of a card."""
    effect = decision.effect
    if effect.op == Op.OPTIONS:
        offered = [answer.name for answer in decision.consequences]
        more = " more" * any(each.option not in offered for each in effect.inner if each.condition is None)
        about = f"you gain {decision.gained}. Choose" if decision.gained else "choose"
        about = f"you look at {', '.join(decision.revealed)}. Choose" if decision.revealed else about
        return f"{decision.title}: {about} {_NUMBERS[decision.n_left]}{more}:"
    if effect.op == Op.OFFER_REACTION:
        return f"{decision.title} is played against you: reveal {' or '.join(decision.question.names)}?"
    if effect.source == Zone.SUPPLY and decision.cost is not None:
        who = "you" if decision.owner == decision.seat else f"P{decision.owner + 1}"
        follows = f"{who} trashed {trashed}; " if trashed else ""
        limit = f"{'exactly' if effect.exact else 'up to'} ${decision.cost}"
        return f"{decision.title}: {follows}which {noun(effect.types)} costing {limit} do you {effect.verb}?"
    if effect.target == Zone.SUPPLY and decision.owner != decision.seat:
        return f"P{decision.owner + 1} plays {decision.title}: which card do you name? They cannot gain it with this."
    if effect.source == Zone.SUPPLY:
        return f"{decision.title}: which {noun(effect.types)} do you {effect.verb}?"
    return decision.question.ask(_which(decision))


_NUMBERS = ("no", "one", "two", "three", "four")


def _is_yes_no(decision: Decision) -> bool:
    """Return whether a question is answered by yes or no, because it offers a single card."""
    if decision.effect.op == Op.START:
        return decision.optional and len(decision.consequences) == 2
    if decision.kind in _YES_NO:
        return len(decision.question.names) == 1
    effect = decision.effect
    single = len(decision.question.names) == 1 and not _which(decision) and effect.source != Zone.SUPPLY
    return decision.optional and single and effect.n <= 1 and effect.size != ChoiceSize.ANY


def _several_hint(decision: Decision) -> str:
    """Return the hint that one line may name several cards, or ""."""
    effect, n = decision.effect, decision.n_left
    if n == 1 or effect.target == Zone.DECK_TOP:
        return ""
    if len(decision.question.names) == 1 and not _which(decision):
        return f" ({' '.join('y' * n)}: all {n})"
    if not decision.optional and n == 2:
        return " (both in one line: 1 4)"
    limit = "" if effect.size == ChoiceSize.ANY or not decision.optional else f"up to {n}, "
    return f" ({limit}several in one line: 1 1 4)"


def _phase_question(view: View, decision: Decision) -> str:
    """Return the question of a phase, and what to type."""
    sentence = plain_question(view, decision)
    if decision.effect.op == Op.BUY:
        return f"{sentence} Enter = end your turn"
    if decision.effect.op == Op.START:
        return f"{sentence} {_enter_hint(decision) or 'Type its number or name.'}"
    if decision.effect.op == Op.PLAY_TREASURE:
        return f"Treasures: {ALL} = play them all, a number = play one, 0 = stop"
    return f"{sentence} 0 = play no more Actions"


def _enter_hint(decision: Decision) -> str:
    """Return the hint on answering no or Enter; "" if a card has to be chosen."""
    if labels := yes_and_no(decision):
        return "y = {}, n = {}".format(*labels)
    if not decision.optional:
        return ""
    effect, n = decision.effect, decision.n_left
    several = effect.size == ChoiceSize.ANY or n > 1 or n < effect.n
    return "Enter = no more" if several else "Enter = none"


def _which(decision: Decision) -> str:
    """Return "which 2 cards" or "which Action"; "" if the question names its cards."""
    effect, n = decision.effect, decision.n_left
    if effect.name or (effect.source != Zone.HAND and not decision.kind.endswith("_from_discard")):
        return ""
    if n == 1 or effect.types:
        return f"which {noun(effect.types)}"
    return "which cards" if decision.optional else f"which {n} cards"


def _reward(decision: Decision) -> str:
    """Return the reward of choosing a card: "If you do, +$3."."""
    assert decision.card is not None
    program = decision.card.program
    if decision.effect not in program:
        return ""
    following = program[program.index(decision.effect) + 1 :][:1]
    return "".join(
        f"{effect.text}." for effect in following if effect.if_chosen and effect.text.startswith("If you do")
    )


def wrong_verb(decision: Decision, verb: str) -> str:
    """Return why a typed verb does not fit a Decision; "" if it fits or no verb was typed."""
    asked = decision.effect.verb.split()[0]
    if verb in ("", asked) or (asked, verb) in (("put", "topdeck"), ("resolve", "play")):
        return ""
    where = f"{decision.card.name} asks" if decision.card else f"This is the {_PHASES[decision.effect.op][0]}"
    return f"{where}: you can {asked}, not {verb}."


def why_not(view: View, decision: Decision, name: str) -> str:
    """Return the reason why ``name`` ("pass" or a card) is no answer to a Decision."""
    effect = decision.effect
    if decision.has_options:
        return f"{decision.title}: you can choose {' or '.join(answer.text for answer in decision.consequences)}."
    if name == PASS_NAME:
        return f"{decision.title}: you have to choose a card."
    if effect.source == Zone.SUPPLY and not view.supply[name]:
        return f"The {name} pile is empty."
    forbidden = CARDS[name].not_bought_with
    if effect.op == Op.BUY and view.costs[name] <= view.coins and forbidden:
        return f"You cannot buy {name} while you have a {forbidden} in play."
    if effect.op == Op.BUY:
        return f"{name} costs ${view.costs[name]}, and you have ${view.coins}."
    if effect.op == Op.PLAY_ACTION:
        return f"{name} is no Action in your hand. 0 goes on to the buy phase."
    if effect.source == Zone.HAND and effect.op != Op.START and not view.hand[name]:
        return f"There is no {name} in your hand."
    allowed = ", ".join(answer.name for answer in decision.consequences)
    return f"You cannot {verb_phrase(effect.verb, name)} here. Allowed: {allowed}."


@dataclass(frozen=True)
class NamesChosen:
    """The result of `choose_names`: the reason why the next name is no answer (or ""), and the names not taken."""

    objection: str = ""
    left: tuple[str, ...] = ()
    is_new_question: bool = False
    """True if another question of a card is pending, which the names were not meant for."""

    @property
    def notes(self) -> list[str]:
        """The messages to the player. There is none if all names were taken."""
        return [note for note in (self.objection, self._not_taken()) if note]

    def _not_taken(self) -> str:
        left = [name for name in self.left if name != PASS_NAME and not (self.objection and name == self.left[0])]
        if not left:
            return ""
        were = f"{', '.join(counted(left))} {'was' if len(left) == 1 else 'were'} not taken"
        if self.objection:
            return f"{were} either."
        return (
            f"{were}: {'a line answers one question only' if self.is_new_question else 'no more cards can be chosen'}."
        )


def choose_names(session: DominionSession, names: list[str]) -> NamesChosen:
    """Answer the pending Decision with the names in order, "pass" included, until another question follows."""
    was = asked = session.decision
    left = list(names)
    while left and asked is not None:
        if left[0] not in [answer.name for answer in asked.consequences]:
            return NamesChosen(why_not(session.view, asked, left[0]), tuple(left))
        row, n_events = session.game.state.asked_effect, len(session.game.events)
        session.choose(left.pop(0))
        _strike_forced(session, left, n_events)
        asked = _asked_again(session, asked, row)
    now = session.game.decision
    is_new = now is not None and now.card is not None
    if is_new and was is not None and was.effect.op == Op.PLAY_TREASURE:
        left = []  # the question about Treasures comes again
    return NamesChosen("", tuple(left), is_new)


def _asked_again(session: DominionSession, asked: Decision, row: int) -> Decision | None:
    """Return the pending Decision if it repeats a question for its next card, otherwise None."""
    now = session.decision
    if now is None or now.seat != asked.seat or session.game.state.asked_effect != row:
        return None
    return now if now.card is None or now.n_left < asked.n_left else None


def _strike_forced(session: DominionSession, names: list[str], n_events: int) -> None:
    """Remove the names of cards that the game moved with the chosen card because no choice was left."""
    events = session.game.events[n_events:]
    alike = [card for one in events if (one.seat, one.kind) == (events[0].seat, events[0].kind) for card in one.cards]
    for name in alike[1:]:
        if name in names:
            names.remove(name)
