"""Draw the game table as lines of text, and answer commands. Pure functions of a player's `View`."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from textwrap import wrap

from evodom.dominion import log
from evodom.dominion.cards import BASIC, CARDS, COLONY_CARDS, Card, counted
from evodom.dominion.contract import Pending
from evodom.dominion.effects.effect import Type
from evodom.dominion.effects.ops import Op, Phase, Zone
from evodom.dominion.engine.rules import PASS
from evodom.dominion.game import Decision, View
from evodom.dominion.strategies.models.networks.shipped import why_unusable
from evodom.dominion.zones import SET_ASIDE
from evodom.presentation.format import clipped
from evodom.presentation.format import counted as quantity
from evodom.sessions.dominion import own_vp
from evodom.sessions.questions import ENTER, question
from evodom.sessions.review import Hint, WinChances
from evodom.sessions.sentences import CHANCES_NOTE, OPPONENTS_TITLE
from evodom.statistics import Share
from evodom.terminal.console import WARNING, Size
from evodom.terminal.parser import COMMANDS

WIDTH, HEIGHT = Size().width, Size().height
_MAX_NAME = 20
_SIZE_WITH_TEXTS = Size(80, 36)
"""Minimum size for the texts of kingdom cards in the Supply."""


def screen(
    view: View, decision: Decision, names: Sequence[str], log: Sequence[str], *, trashed: str = "", warning: str = "",
    size: Size | None = None,
) -> list[str]:  # fmt: skip
    """Return the screen without its last line, on which the player types. The log fills the remaining lines.

    ``log`` has an entry for each turn. ``trashed`` is the card whose trashing led to the question, or "". ``warning``
    is the text of `end_warning`.
    """
    size = size or Size()
    above, middle = supply(view, decision, size), players(view, names, size.width)
    below = own_part(view, decision, trashed, warning, size.width)
    room = size.height - 1 - len(above) - len(middle) - len(below)
    upper = [separator(size.width)] if room - 3 >= min(len(log), len(names)) else []
    lower = [separator(size.width)] if room >= 4 else []  # two lines of the log between two separators
    shown = tail(log, room - len(upper) - 2 * len(lower), size.width)
    return [*above, *upper, *middle, *lower, *shown, *lower, *below][1 - size.height :]


def brief(
    view: View, decision: Decision, log: Sequence[str], *, trashed: str = "", warning: str = "", width: int = WIDTH
) -> list[str]:
    """Return the lower part of the screen only, with the end of the log."""
    return [separator(width), *tail(log, 2, width), *own_part(view, decision, trashed, warning, width)]


def separator(width: int = WIDTH) -> str:
    """Return a line between two parts of the screen."""
    return "-" * width


def supply(view: View, decision: Decision | None = None, size: Size | None = None) -> list[str]:
    """Return the piles: Treasures, Victory cards with Curses, and the kingdom, in as many columns as there is room for.

    Screens of _SIZE_WITH_TEXTS or larger also have the texts of the kingdom cards.
    """
    size = size or Size()
    legal = choosable(decision, Zone.SUPPLY)
    title = clipped("Supply: number, card, cost, cards left" + ("; ) marks legal choices" * bool(legal)), size.width)
    basic = [card.name for card in (*BASIC, *COLONY_CARDS) if card.name in view.supply]
    kingdom = [name for name in view.supply if name not in basic]
    if kingdom and size.width >= _SIZE_WITH_TEXTS.width and size.height >= _SIZE_WITH_TEXTS.height:
        shown = _column(view, kingdom, legal)
        return [
            title,
            *_side_by_side([_column(view, names, legal) for names in _halves(basic)], size.width),
            *_with_texts(shown, [CARDS[name].text for name in kingdom], size),
        ]
    for columns in _layouts(basic, kingdom):
        cells = [_column(view, names, legal) for names in columns if names]
        if sum(len(column[0]) for column in cells) + len(cells) - 1 <= size.width:
            break
    return [title, *_side_by_side(cells, size.width)]


def _with_texts(lines: list[str], texts: list[str], size: Size) -> list[str]:
    """Return lines followed by texts, wrapped if the screen is high enough, otherwise clipped."""
    told = [f"{line}  {text}" for line, text in zip(lines, texts, strict=True)]
    indent = " " * (len(lines[0]) + 2)
    whole = [part for line in told for part in wrap(line, size.width, subsequent_indent=indent)]
    if len(whole) - len(told) <= size.height - _SIZE_WITH_TEXTS.height:
        return whole
    return [clipped(line, size.width) for line in told]


def _layouts(basic: list[str], kingdom: list[str]) -> Iterator[list[list[str]]]:
    """Yield layouts of the piles, each with fewer columns."""
    half = (len(kingdom) + 1) // 2
    yield [*_halves(basic), kingdom[:half], kingdom[half:]]
    yield [basic, kingdom[:half], kingdom[half:]]
    yield [basic, kingdom]
    yield [[*basic, *kingdom]]


def _halves(basic: list[str]) -> list[list[str]]:
    """Return the Treasures, and the other basic piles."""
    treasures = [name for name in basic if Type.TREASURE in CARDS[name].types]
    return [treasures, [name for name in basic if name not in treasures]]


def _side_by_side(columns: list[list[str]], width: int) -> list[str]:
    """Return columns, each of lines of one width, as lines."""
    gap = " " * max(1, min(4, (width - sum(len(column[0]) for column in columns)) // max(len(columns) - 1, 1)))
    height = max(map(len, columns))
    filled = [column + [" " * len(column[0])] * (height - len(column)) for column in columns]
    return [gap.join(cells).rstrip() for cells in zip(*filled, strict=True)]


def players(view: View, names: Sequence[str], width: int = WIDTH) -> list[str]:
    """Return one line per player, in turn order, with the sizes of hand, deck and discard pile."""
    longest = min(max(map(len, names)), _MAX_NAME)
    lines = []
    for seat, name in enumerate(names):
        top = f" ({view.discard_tops[seat]} on top)" if view.discard_tops[seat] else ""
        who = f"{'>' if seat == view.active else ' '}P{seat + 1} {clipped(name, longest):{longest}}"
        sizes = f"hand {view.hand_sizes[seat]:2}  deck {view.deck_sizes[seat]:2}  discard {view.discard_sizes[seat]:2}"
        lines.append(clipped(f"{who}  turn {view.turns[seat]:2}  {sizes}{top}", width))
        if lasting := lasting_parts(view, seat):
            lines += wrap("; ".join(lasting), width, initial_indent=" " * 5, subsequent_indent=" " * 5)
    return lines


def lasting_parts(view: View, seat: int) -> list[str]:
    """Return texts of a player's tokens, pending cards, and places of cards outside of hand and deck.

    Left out are the active player's cards in play and the viewer's set-aside cards: other lines show them.
    """
    kept = (name for entry in view.pending[seat] for name in [_pending_text(entry)] * entry.times)
    parts = {
        "in play": counted(view.in_play[seat] if seat != view.active else ()),
        "next turn": counted(kept),
    }
    for name, seen in view.places[seat].items():
        if name != SET_ASIDE.name or seat != view.seat:
            parts[name] = [*counted(seen.cards), *([quantity(seen.unseen, "unseen card")] if seen.unseen else [])]
    tokens = [quantity(view.vp_tokens[seat], "VP token")] if view.vp_tokens[seat] else []
    return [*tokens, *(f"{place}: {', '.join(cards)}" for place, cards in parts.items() if cards)]


def _pending_text(entry: Pending) -> str:
    """Return the card of pending effects, and who is unaffected by its Attack: "Corsair (not P2)"."""
    unaffected = ", ".join(f"P{seat + 1}" for seat in entry.unaffected)
    return f"{entry.card} (not {unaffected})" if unaffected else entry.card


def own_part(view: View, decision: Decision, trashed: str = "", warning: str = "", width: int = WIDTH) -> list[str]:
    """Return the player's own part of the screen: play area, hand, the state of the turn, the question."""
    return [
        clipped(f"{in_play(view)} {', '.join(counted(view.in_play[view.active])) or 'nothing'}", width),
        *hand(view, decision, width),
        _turn_line(view, width),
        *_off_deck(view, decision, width),
        *(wrap(WARNING + warning, width) if warning else []),
        *wrap(question(view, decision, trashed), width),
    ]


def in_play(view: View) -> str:
    """Return the label of the active player's cards in play."""
    return "In play:" if view.active == view.seat else f"In play by P{view.active + 1}:"


def hand(view: View, decision: Decision | None = None, width: int = WIDTH) -> list[str]:
    """Return the hand; a card that can be chosen now has the number of its pile: "11) Village  Copper x3"."""
    cards = _numbered(view, list(view.hand), choosable(decision, Zone.HAND), view.hand)
    return fold("Hand:", cards or ["nothing"], width)


def choosable(decision: Decision | None, zone: int) -> frozenset[str]:
    """Return the names of the cards of a zone that the Decision allows."""
    if decision is None or decision.effect.source != zone or decision.effect.op == Op.START:
        return frozenset()
    return frozenset(answer.name for answer in decision.consequences if answer.pile != PASS)


def tail(log: Sequence[str], room: int, width: int = WIDTH) -> list[str]:
    """Return the last entries of the log that fit in ``room`` lines. If the last is too long, return its end."""
    lines: list[str] = []
    for entry in reversed(log):
        block = wrap(entry, width, subsequent_indent="  ")
        if len(lines) + len(block) > room:
            return lines or _end_of(entry, room, width)
        lines = [*block, *lines]
    return lines


def _end_of(entry: str, room: int, width: int) -> list[str]:
    """Return the last parts of an entry that fit, after the name it begins with: "You: ...; $5; buy Gold"."""
    who, _, told = entry.partition(": ")
    parts = told.split("; ")
    for n_left_out in range(1, len(parts)):
        lines = wrap(f"{who}: ...; {'; '.join(parts[n_left_out:])}", width, subsequent_indent="  ")
        if len(lines) <= room:
            return lines
    return [clipped(entry, width)] if room > 0 else []


def fold(label: str, items: Sequence[str], width: int = WIDTH) -> list[str]:
    """Return a label and items as lines. The lines are filled, and all but the first are indented."""
    lines, indent = [label], " " * len(label)
    for item in items:
        if len(lines[-1]) + 2 + len(item) > width and lines[-1] != label:
            lines.append(indent)
        lines[-1] += ("  " if lines[-1] not in (label, indent) else " ") + item
    return lines


def wrap_lines(text: str) -> str:
    """Return a text with its long lines wrapped. Continuation lines are indented."""
    lines = (wrap(line, WIDTH, subsequent_indent="    ") if len(line) > WIDTH else [line] for line in text.split("\n"))
    return "\n".join(part for parts in lines for part in parts)


def _turn_line(view: View, width: int) -> str:
    """Return the turn's number and player, and the remaining Actions, Buys and coins."""
    whose = "" if view.active == view.seat else f" of P{view.active + 1}"
    left = f"{quantity(view.actions, 'Action')}, {quantity(view.buys, 'Buy')}, ${view.coins}"
    if view.active == view.seat and view.phase == Phase.ACTION and view.coins_in_hand:
        left += f" (+${view.coins_in_hand} in Treasures)"
    extra = " (extra turn)" * view.is_extra
    turn = f"Turn {view.turns[view.active]}{extra}{whose}: {left}; you have {own_vp(view)} VP"
    return f"{clipped(turn, width - 8):{width - 8}}? = help"


def _column(view: View, names: Sequence[str], legal: frozenset[str]) -> list[str]:
    """Return a line for each of these piles, all of one width: " 4) Estate   $2 12"."""
    numbers = {name: number for number, name in enumerate(view.supply, 1)}
    width, widest = max(map(len, names)), max(len(str(view.costs[name])) for name in names)
    return [
        f"{numbers[name]:2}{')' if name in legal else ' '} {name:{width}} {f'${view.costs[name]}':{widest + 1}} "
        f"{view.supply[name]:2}"
        for name in names
    ]


def _numbered(view: View, names: Sequence[str], legal: frozenset[str], counts: Counter[str]) -> list[str]:
    """Return cards in the order of the piles. Legal cards have their number: "1) Copper x3"."""
    numbers = {name: number for number, name in enumerate(view.supply, 1)}
    ordered = Counter({name: counts[name] for name in sorted(names, key=numbers.__getitem__)})
    labels = (f"{numbers[name]}) " if name in legal else "" for name in ordered)
    return [label + card for label, card in zip(labels, counted(ordered), strict=True)]


def _off_deck(view: View, decision: Decision, width: int) -> list[str]:
    """Return lines with cards outside the hand for the question: off a deck, set aside, discarded or just trashed."""
    legal = frozenset(answer.name for answer in decision.consequences if answer.pile != PASS)
    revealed = view.revealed if decision.effect.source == Zone.REVEALED else Counter[str]()
    trashed = Counter(legal if decision.effect.source == Zone.TRASH else ())
    places = (
        ("Off your deck:" if decision.owner == decision.seat else f"Revealed by P{decision.owner + 1}:", revealed),
        ("Discard pile:", view.looked_through),
        ("Trashed:", trashed),
        ("Next:", Counter(legal if decision.effect.op == Op.START else ())),
    )
    lines = [fold(label, _numbered(view, list(cards), legal, cards), width) for label, cards in places if cards]
    if set_aside := view.places[view.seat][SET_ASIDE.name].cards:
        lines.append(fold("Set aside:", counted(set_aside), width))
    return [line for folded in lines for line in folded]


_MAX_SHOWN = 6


def about_help(width: int = WIDTH) -> list[str]:
    """Return the help: how to choose, and the commands."""
    choosing = (
        "Choose a card by the number of its pile or by name, an option by its number or text; the beginning is enough. "
        "Several in one line are chosen in order: 1 4, or copper x2. 0 passes; y and n answer yes or no."
    )
    return [*wrap(choosing, width), *wrap(ENTER, width), "Commands:", *_commands(width)]


def _commands(width: int) -> Iterator[str]:
    """Yield the lines of the commands. Two short commands share a line, so that the help fits a small screen."""
    told, half = [f"  {word:8} {text}" for word, text in COMMANDS.items()], width // 2
    while told:
        n = 2 if all(len(line) < half for line in told[:2]) else 1
        line = "".join(f"{line:{half}}" for line in told[:n]).rstrip()
        yield from wrap(line, width, subsequent_indent=" " * 11, drop_whitespace=n == 1)
        del told[:n]


def about_hand(view: View, card_of: Callable[[str], Card], width: int = WIDTH) -> list[str]:
    """Return the hand and the texts of its cards. ``card_of`` returns the card of a name as it is in the game."""
    texts = [f"{card.name}: {card.text}" for card in map(card_of, sorted(view.hand))]
    lines = (wrap(text, width, initial_indent="  ", subsequent_indent="    ") for text in texts)
    return [*hand(view, width=width), *chain.from_iterable(lines)]


def about_card(card: Card, costs: Mapping[str, int], width: int = WIDTH) -> list[str]:
    """Return a card's types, cost, set and text. ``costs`` are the present costs, which Bridge can lower."""
    now = f" (${costs[card.name]} now)" if costs.get(card.name, card.cost) != card.cost else ""
    points = f", {card.vp} VP" if card.vp else ""
    card_set = f" {card.card_set}." if card.card_set else ""
    head = f"{card.name}: {card.type_line}, costs ${card.cost}{now}{points}.{card_set}"
    return [*wrapped(head, width=width), *wrap(card.text, width, initial_indent="  ", subsequent_indent="  ")]


def about_deck(view: View, width: int = WIDTH) -> list[str]:
    """Return the sizes of deck and discard pile, and all cards that the player owns."""
    sizes = f"Your deck has {view.deck_sizes[view.seat]} cards, your discard pile {view.discard_sizes[view.seat]}."
    n_owned = sum(view.owned.values())
    tokens = f" ({view.vp_tokens[view.seat]} of them tokens)" * (view.vp_tokens[view.seat] > 0)
    owned = f"You own {n_owned} cards, {own_vp(view)} VP{tokens}:"
    return [sizes, *fold(owned, counted(most_first(view.owned)), width)]


def about_play(view: View, width: int = WIDTH) -> list[str]:
    """Return the cards in play of all players."""
    lines = about_cards(in_play(view), view.in_play[view.active], width)
    for seat, cards in enumerate(view.in_play):
        if cards and seat != view.active:
            lines += about_cards("In play:" if seat == view.seat else f"In play by P{seat + 1}:", cards, width)
    return lines


def about_discards(view: View, names: Sequence[str], width: int = WIDTH) -> list[str]:
    """Return the size and the top card of every discard pile."""
    lines = []
    for seat, name in enumerate(names):
        top = f", {view.discard_tops[seat]} on top" if view.discard_tops[seat] else ""
        lines += wrapped(f"P{seat + 1} {name}: {view.discard_sizes[seat]} in the discard pile{top}", width=width)
    return lines


def about_cards(label: str, cards: Counter[str], width: int = WIDTH) -> list[str]:
    """List the cards of a public zone."""
    return fold(label, counted(most_first(cards)) or ["nothing"], width)


def about_hints(hints: Iterable[Hint], width: int = WIDTH) -> list[str]:
    """Return the choices of the strategies at the table, likeliest first."""
    lines = []
    for hint in hints:
        # A smaller probability would be shown as 0 %.
        told = [f"{choice} {100 * share:.0f} %" for choice, share in hint.shares if share >= 0.005]
        shares, more = told[:_MAX_SHOWN], ["..."] if len(told) > _MAX_SHOWN else []
        lines += fold(f"{hint.name}:", [*shares, *more], width)
    return [OPPONENTS_TITLE, *lines] if lines else []


def about_chances(chances: WinChances | None, width: int = WIDTH) -> list[str]:
    """Return the win probability of each choice, by rank."""
    if chances is None:
        return wrapped(f"No win probabilities: {why_unusable()}", width=width)
    lines = wrapped(chances.recommendation, CHANCES_NOTE, width=width)
    for number, rank in enumerate(chances.ranks, 1):
        told = [f"{one.text} {one.win.share:.0%} ({_interval(one.win)})" for one in rank if one.win]
        if told:
            lines += fold(f"  {number}.", [text.replace("%", " %") for text in told], width)
        else:
            lines += fold("  too few playouts:", [one.text for one in rank], width)
    return [*lines, *wrapped(chances.more, width=width)]


def _interval(win: Share) -> str:
    return f"{100 * win.low:.0f} to {100 * win.high:.0f}"


def about_log(
    turns: Sequence[log.Turn], names: Sequence[str], person: int | None, *, full: bool = False, width: int = WIDTH
) -> list[str]:
    """Return turns as lines: one line per turn, or with ``full`` each event."""
    tell = log.turn_story if full else log.turn_line
    lines, number = [], 0
    for turn in turns:
        if turn.number != number:
            number = turn.number
            lines.append(f"Turn {number}")
        lines += wrap(tell(turn, names, person), width, initial_indent="  ", subsequent_indent="    ")
    return lines


def most_first(cards: Counter[str]) -> Counter[str]:
    """Return the cards sorted by their number of copies, most copies first."""
    return Counter(dict(cards.most_common()))


def wrapped(*texts: str, width: int = WIDTH) -> list[str]:
    """Return messages as lines."""
    return [line for text in texts for line in wrap(text, width, subsequent_indent="  ")]
