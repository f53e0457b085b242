"""What the commands answer, as lines of text: pure functions from what a player may see."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

from evodom.dominion import log
from evodom.dominion.cards import CARDS
from evodom.dominion.game import View
from evodom.dominion.log import counted
from evodom.learning.shipped import why_unusable
from evodom.play.hint import Chances, Hint
from evodom.play.match import own_vp
from evodom.play.prompt import COMMANDS
from evodom.play.questions import ENTER
from evodom.play.table import WIDTH, fold, hand

_MOST_SHOWN = 6
_LEAST_SHOWN = 0.005
"""What a strategy does more rarely is left out of a hint: it would read as 0 %."""


def about_help(width: int = WIDTH) -> list[str]:
    """List the commands and say how to choose."""
    choosing = (
        "Choose a card by the number of its pile or by name; the beginning of a name is enough. Several in one line "
        "are taken one after the other: 1 4, or copper x2. 0 passes; y and n answer a yes or no."
    )
    return [*wrap(choosing, width), *wrap(ENTER, width), "Commands:", *_commands(width)]


def _commands(width: int) -> Iterator[str]:
    """Give the lines of the commands; two that are short enough share one, so that the help fits a small screen."""
    told, half = [f"  {word:8} {text}" for word, text in COMMANDS.items()], width // 2
    while told:
        n = 2 if all(len(line) < half for line in told[:2]) else 1
        line = "".join(f"{line:{half}}" for line in told[:n]).rstrip()
        yield from wrap(line, width, subsequent_indent=" " * 11, drop_whitespace=n == 1)
        del told[:n]


def about_hand(view: View, width: int = WIDTH) -> list[str]:
    """Show the hand and what its cards do."""
    return [*hand(view, width=width), *(line for name in sorted(view.hand) for line in _card_line(name, width))]


def about_card(name: str, width: int = WIDTH) -> list[str]:
    """Say what is printed on a card."""
    card = CARDS[name]
    head = f"{card.name}: {card.type_line}, costs ${card.cost}" + (f", {card.vp} VP" if card.vp else "")
    return [head, *wrap(card.text, width, initial_indent="  ", subsequent_indent="  ")]


def about_deck(view: View, width: int = WIDTH) -> list[str]:
    """Count the deck and everything the player owns."""
    sizes = f"Your deck has {view.deck_sizes[view.seat]} cards, your discard pile {view.discard_sizes[view.seat]}."
    n_owned = sum(view.owned.values())
    return [sizes, *fold(f"You own {n_owned} cards, {own_vp(view)} VP:", counted(most_first(view.owned)), width)]


def about_discards(view: View, names: Sequence[str], width: int = WIDTH) -> list[str]:
    """Tell size and top card of every discard pile."""
    lines = []
    for seat, name in enumerate(names):
        top = f", {view.discard_tops[seat]} on top" if view.discard_tops[seat] else ""
        lines += wrapped(f"P{seat + 1} {name}: {view.discard_sizes[seat]} in the discard pile{top}", width=width)
    return lines


def about_cards(label: str, cards: Counter[str], width: int = WIDTH) -> list[str]:
    """List the cards of a place that lies open."""
    return fold(label, counted(most_first(cards)) or ["nothing"], width)


def about_hints(hints: Iterable[Hint], width: int = WIDTH) -> list[str]:
    """Tell what the strategies would do, likeliest first."""
    lines = []
    for hint in hints:
        told = [f"{choice} {100 * share:.0f} %" for choice, share in hint.shares if share >= _LEAST_SHOWN]
        shares, more = told[:_MOST_SHOWN], ["..."] if len(told) > _MOST_SHOWN else []
        lines += fold(f"{hint.name}:", [*shares, *more], width)
    return ["In your place they would choose:", *lines] if lines else ["Nobody at this table gives hints."]


CHANCES = "Your chances to win, if every player then played like the network of all kingdoms, your opponents too"
"""The explanation of the chances in a hint."""


def about_chances(chances: Chances | None, width: int = WIDTH) -> list[str]:
    """Tell the chances to win with each choice, best first."""
    if chances is None:
        return wrapped(f"The chances to win are not known: {why_unusable()}", width=width)
    told = [f"{one.name} {one.share:.0%} ± {100 * one.error:.1f}".replace("%", " %") for one in chances.best]
    return [*wrapped(f"{CHANCES}:", width=width), *fold(" ", told, width), *wrapped(chances.more, width=width)]


def about_log(
    turns: Sequence[log.Turn], names: Sequence[str], person: int | None, *, full: bool = False, width: int = WIDTH
) -> list[str]:
    """Tell turns, a line each, or event by event."""
    tell = log.story if full else log.line
    lines, number = [], 0
    for turn in turns:
        if turn.number != number:
            number = turn.number
            lines.append(f"Turn {number}")
        lines += wrap(tell(turn, names, person), width, initial_indent="  ", subsequent_indent="    ")
    return lines


def most_first(cards: Counter[str]) -> Counter[str]:
    """Return the cards in another order, the most numerous first."""
    return Counter(dict(cards.most_common()))


def _card_line(name: str, width: int) -> list[str]:
    return wrap(f"{name}: {CARDS[name].text}", width, initial_indent="  ", subsequent_indent="    ")


def wrapped(*texts: str, width: int = WIDTH) -> list[str]:
    """Return messages as lines."""
    return [line for text in texts for line in wrap(text, width, subsequent_indent="  ")]
