"""The table as lines of text: pure functions from what a player may see.

A screen is at most 24 lines of 80 columns, the line to type on included.
"""

from collections import Counter
from collections.abc import Sequence
from textwrap import wrap

from evodom.dominion.cards import BASIC, CARDS
from evodom.dominion.engine.effects import HAND, REVEALED, SUPPLY, TRASH, Type
from evodom.dominion.engine.rules import PASS
from evodom.dominion.engine.state import PHASE_ACTION
from evodom.dominion.game import Decision, View
from evodom.dominion.words import counted
from evodom.play.match import own_vp
from evodom.play.questions import question

WIDTH, HEIGHT = 80, 24
RULE = "-" * WIDTH
_MAX_NAME = 20
_MIN_LOG = 2
"""With fewer lines for the log the rules around it give way; that below the Supply does for a round of turns."""


def screen(view: View, decision: Decision, names: Sequence[str], log: Sequence[str], trashed: str = "") -> list[str]:
    """Return the whole screen but for its last line, on which the player types; the log fills what room is left.

    ``trashed`` is the card that the question follows from, if any.
    """
    above, middle, below = supply(view, decision), players(view, names), mine(view, decision, trashed)
    room = HEIGHT - 1 - len(above) - len(middle) - len(below)
    upper = [RULE] if room - 3 >= min(len(log), len(names)) else []
    lower = [RULE] if room - 2 >= _MIN_LOG else []
    shown = tail(log, room - len(upper) - 2 * len(lower))
    return [*above, *upper, *middle, *lower, *shown, *lower, *below][1 - HEIGHT :]


def brief(view: View, decision: Decision, log: Sequence[str], trashed: str = "") -> list[str]:
    """Return the lower part of the screen only, with the end of the log."""
    return [RULE, *tail(log, 2), *mine(view, decision, trashed)]


def supply(view: View, decision: Decision | None = None) -> list[str]:
    """Return the piles in columns: Treasures, Victory cards with Curses, and the kingdom in two."""
    legal = choosable(decision, SUPPLY)
    columns = [_column(view, names, legal) for names in _columns(list(view.supply))]
    gap = " " * max(1, min(4, (WIDTH - sum(len(column[0]) for column in columns)) // (len(columns) - 1)))
    height = max(map(len, columns))
    filled = [column + [" " * len(column[0])] * (height - len(column)) for column in columns]
    title = "Supply: number, card, cost, cards left" + ("; ) marks what you can take" if legal else "")
    return [title, *(gap.join(cells).rstrip() for cells in zip(*filled, strict=True))]


def players(view: View, names: Sequence[str]) -> list[str]:
    """Return a line a player, in turn order: the sizes of hand, deck and discard pile."""
    width = min(max(map(len, names)), _MAX_NAME)
    lines = []
    for seat, name in enumerate(names):
        top = f" ({view.discard_tops[seat]} on top)" if view.discard_tops[seat] else ""
        who = f"{'>' if seat == view.active else ' '}P{seat + 1} {clip(name, width):{width}}"
        sizes = f"hand {view.hand_sizes[seat]:2}  deck {view.deck_sizes[seat]:2}  discard {view.discard_sizes[seat]:2}"
        lines.append(clip(f"{who}  turn {view.turns[seat]:2}  {sizes}{top}"))
    return lines


def mine(view: View, decision: Decision, trashed: str = "") -> list[str]:
    """Return what is nearest to the player: play area, hand, the state of the turn, the question."""
    return [
        clip(f"In play: {', '.join(counted(view.in_play)) or 'nothing'}"),
        *hand(view, decision),
        _turn_line(view),
        *_off_deck(view, decision),
        *wrap(question(view, decision, trashed), WIDTH),
    ]


def hand(view: View, decision: Decision | None = None) -> list[str]:
    """Return the hand; a card that can be chosen now has the number of its pile: "11) Village  Copper x3"."""
    legal = choosable(decision, HAND)
    cards = _numbered(view, list(view.hand), legal, view.hand)
    return fold("Hand:", cards or ["nothing"])


def choosable(decision: Decision | None, zone: int) -> frozenset[str]:
    """Return the names of the cards the Decision lets one choose from a zone."""
    if decision is None or decision.effect.source != zone:
        return frozenset()
    return frozenset(answer.name for answer in decision.consequences if answer.pile != PASS)


def tail(lines: Sequence[str], room: int) -> list[str]:
    """Return the last lines that fit."""
    return [clip(line) for line in lines[-room:]] if room > 0 else []


def fold(label: str, items: Sequence[str]) -> list[str]:
    """Return a label and items, as many to a line as fit, the next lines indented."""
    lines, indent = [label], " " * len(label)
    for item in items:
        if len(lines[-1]) + 2 + len(item) > WIDTH and lines[-1] != label:
            lines.append(indent)
        lines[-1] += ("  " if lines[-1] not in (label, indent) else " ") + item
    return lines


def clip(line: str, width: int = WIDTH) -> str:
    """Return a line cut to ``width``, the cut shown by dots."""
    return line if len(line) <= width else line[: width - 3] + "..."


def _turn_line(view: View) -> str:
    """Return whose turn it is and what the player may still do in it."""
    whose = "" if view.active == view.seat else f" of P{view.active + 1}"
    left = f"{_n(view.actions, 'Action')}, {_n(view.buys, 'Buy')}, ${view.coins}{_in_treasures(view)}"
    turn = f"Turn {view.turns[view.active]}{whose}: {left}; you have {own_vp(view)} VP"
    return f"{clip(turn, WIDTH - 8):{WIDTH - 8}}? = help"


def _in_treasures(view: View) -> str:
    """Return the coins that the Treasures in hand will add, before they are played."""
    coins = sum(CARDS[name].coins * n for name, n in view.hand.items())
    before = view.active == view.seat and view.phase == PHASE_ACTION
    return f" (+${coins} in Treasures)" if before and coins else ""


def _columns(piles: list[str]) -> list[list[str]]:
    """Return the names of the piles as the columns show them."""
    basic, kingdom = piles[: len(BASIC)], piles[len(BASIC) :]
    treasures = [name for name in basic if Type.TREASURE in CARDS[name].types]
    others = [name for name in basic if name not in treasures]
    half = (len(kingdom) + 1) // 2
    return [column for column in (treasures, others, kingdom[:half], kingdom[half:]) if column]


def _column(view: View, names: Sequence[str], legal: frozenset[str]) -> list[str]:
    """Return a line for each of these piles, all of one width: " 4) Estate   $2 12"."""
    numbers = {name: number for number, name in enumerate(view.supply, 1)}
    width = max(map(len, names))
    return [
        f"{numbers[name]:2}{')' if name in legal else ' '} {name:{width}} ${CARDS[name].cost} {view.supply[name]:2}"
        for name in names
    ]


def _numbered(view: View, names: Sequence[str], legal: frozenset[str], counts: Counter[str]) -> list[str]:
    """Return cards in the order of the piles, those that can be chosen with the number: "1) Copper x3"."""
    numbers = {name: number for number, name in enumerate(view.supply, 1)}
    ordered = Counter({name: counts[name] for name in sorted(names, key=numbers.__getitem__)})
    labels = (f"{numbers[name]}) " if name in legal else "" for name in ordered)
    return [label + card for label, card in zip(labels, counted(ordered), strict=True)]


def _off_deck(view: View, decision: Decision) -> list[str]:
    """Return the cards that lie open for the question: off a deck, set aside, in the discard pile or just trashed."""
    legal = frozenset(answer.name for answer in decision.consequences if answer.pile != PASS)
    revealed = view.revealed if decision.effect.source == REVEALED else Counter[str]()
    trashed = Counter(legal if decision.effect.source == TRASH else ())
    places = (
        (_whose(decision), revealed),
        ("Discard pile:", view.looked_through),
        ("Trashed:", trashed),
    )
    lines = [fold(label, _numbered(view, list(cards), legal, cards)) for label, cards in places if cards]
    if view.set_aside:
        lines.append(fold("Set aside:", counted(view.set_aside)))
    return [line for folded in lines for line in folded]


def _whose(decision: Decision) -> str:
    """Return the label of the revealed cards."""
    if decision.owner != decision.seat:
        return f"Revealed by P{decision.owner + 1}:"
    return "Off your deck:"


def _n(n: int, what: str) -> str:
    return f"{n} {what}{'' if n == 1 else 's'}"
