"""Print the end of a game: standings, purchases and the review. `watch` prints a whole game."""

from collections.abc import Iterator

from evodom.dominion import log
from evodom.dominion.cards import counted
from evodom.dominion.engine.rules import ENDING_CARDS
from evodom.dominion.game import DominionGame
from evodom.dominion.strategies.describe import counted as counted_cards
from evodom.matches.mistakes import Mistake
from evodom.presentation.format import clipped, mistake_text
from evodom.presentation.format import counted as quantity
from evodom.presentation.text import SPARK_BLOCKS, aligned_columns
from evodom.sessions import sentences
from evodom.sessions.dominion import DominionSession, GameSetup
from evodom.sessions.files import Slot
from evodom.sessions.review import Review
from evodom.statistics import half_width
from evodom.terminal.console import Console
from evodom.terminal.screen import WIDTH, fold, most_first, wrapped

_BOUGHT = "Cards bought"


def standings(game: DominionGame, setup: GameSetup, width: int = WIDTH) -> list[str]:
    """Return lines with the result so far, and each player's place and points.

    All cards are shown after the game and in games without persons. Before the end a single person sees only their own
    cards; several persons see none.
    """
    return [*wrapped(sentences.headline(game, setup), width=width), *_places(game, setup, width)]


def purchases(game: DominionGame, setup: GameSetup, width: int = WIDTH) -> list[str]:
    """Return a table of each player's purchases: the person first, then the others by place.

    Cards are sorted by falling cost. Players beyond the width are left out.
    """
    counted_by_seat = sentences.bought(game)
    order = sorted((seat for _, seat in game.standings), key=lambda seat: seat != setup.seat)
    piles = sorted(game.piles, key=lambda card: (-card.cost, card.name))
    cards = [card.name for card in piles if any(counts[card.name] for counts in counted_by_seat)]
    first = max(map(len, (_BOUGHT, *cards)))
    widest = max(12, (width - first) // len(order) - 2)
    heads = [clipped(setup.names[seat], widest) for seat in order]
    shown = list(zip(order, heads, strict=True))[: (width - first) // (max(map(len, heads)) + 2)]
    rows = [[name, *(str(counted_by_seat[seat][name] or "-") for seat, _ in shown)] for name in cards]
    return aligned_columns([[_BOUGHT, *(head for _, head in shown)], *rows])


def play_again(setup: GameSetup) -> list[str]:
    """Return lines with the seed and the command that plays the same game again."""
    return [f"Seed {setup.seed}. To play this game again:", f"  {setup.command}"]


def _places(game: DominionGame, setup: GameSetup, width: int) -> Iterator[str]:
    longest = min(max(map(len, setup.names)), 30)
    for place, seat in game.standings:
        owned, turns, n_tokens = game.owned(seat), int(game.state.turns[seat]), int(game.state.vp_tokens[seat])
        tokens = f", {quantity(n_tokens, 'VP token')}" if n_tokens else ""
        yield (
            f"{place}. {clipped(setup.names[seat], longest):{longest}} {game.scores[seat]:3} VP"
            f"  {turns:2} turn{'s' if turns != 1 else ' '}  {sum(owned.values())} cards{tokens}"
        )
        if game.is_over or setup.people in ((), (seat,)):
            yield from fold("    ", counted(most_first(owned)), width)


def watch(session: DominionSession, console: Console) -> bool:
    """Play a game without persons, and print each finished turn. Return False if Ctrl-C ended the game."""
    names = session.setup.names
    n_shown = 0

    def show_finished() -> None:
        nonlocal n_shown
        finished = [turn for turn in log.turns(session.game.events) if turn.finished]
        for turn in finished[n_shown:]:
            if turn.seat == 0 and not turn.is_extra:
                supply = session.game.view(0).supply
                left = " and ".join(counted_cards(supply[card], card) for card in ENDING_CARDS if card in supply)
                console.show([f"Turn {turn.number} ({left} left)"])
            console.show(wrapped(log.turn_line(turn, names, None)))
        n_shown = len(finished)

    complete = True
    try:
        session.play_on(show_finished)
    except KeyboardInterrupt:
        complete = False
    console.show(["", *standings(session.game, session.setup), *play_again(session.setup)])
    return complete


DIGITS = "0123456789"
"""Characters of a curve, from win probability 0 to 1, for terminals without block characters."""

_MAX_NAME = 20


def review_lines(found: Review, slot: Slot, *, full: bool = False, block_characters: bool = True) -> list[str]:
    """Return the lines of a review: total loss, costliest mistakes, causes, and the curve of the win probability.

    With ``full`` the lines have all mistakes. ``slot`` is the game's file, which the printed commands name. Without
    ``block_characters`` the curve is made of digits.
    """
    return [
        *wrapped(sentences.review_summary(found)),
        *_mistake_lines(found, slot, full=full),
        "",
        *cause_lines(found),
        "",
        *curve_lines(found, block_characters=block_characters),
    ]


def _mistake_lines(found: Review, slot: Slot, *, full: bool) -> Iterator[str]:
    costliest = sentences.costliest_mistakes(found)
    shown = costliest if full else costliest[: sentences.MAX_MISTAKES]
    if shown:
        yield "The mistake:" if len(costliest) == 1 else "All mistakes:" if shown == costliest else "The costliest:"
    for verdict in shown:
        mistake = Mistake.of(found.asked[verdict.moment], verdict)
        loss = sentences.points(verdict.lost, half_width(verdict.error))
        yield from wrapped(f"  {mistake_text(mistake, loss)}")
    if n_more := len(costliest) - len(shown):
        yield from (f"{n_more} more {'mistake' if n_more == 1 else 'mistakes'}:", f"  {slot.review_command} --full")
    turn = found.asked[costliest[0].moment].turn if costliest else found.turns[0]
    yield from ("Play again from the beginning of a turn:", f"  {slot.again_command(turn)}")


def cause_lines(found: Review) -> list[str]:
    """Return the total change of the win probability, and a line for each cause with its share of the change."""
    start, end = found.chances[[0, -1], found.seat]
    last = "at the end" if found.over else "now"
    change = f"{100 * (end - start):+z.1f} points"
    head = f"Win probability: {start:.0%} at your turn {found.turns[0]}, {end:.0%} {last}: {change}".replace("%", " %")
    causes = found.causes
    width = max(map(len, causes))
    lines = [
        f"  {cause:{width}} {100 * sum_:+z6.1f} ± {100 * margin:.1f} points" for cause, (sum_, margin) in causes.items()
    ]
    return [head, *lines, *wrapped(sentences.CAUSES_NOTE)]


def curve_lines(found: Review, *, block_characters: bool = True) -> list[str]:
    """Return a line for each player: the curve of the win probability by turn, and its last value."""
    signs = SPARK_BLOCKS if block_characters else DIGITS
    width = min(max(map(len, found.names)), _MAX_NAME)
    last = "at the end" if found.over else "now"
    lines = [f"Win probability by your turns {found.turns[0]} to {found.turns[-1] - found.over}, {last}:"]
    for seat, name in enumerate(found.names):
        drawn = "".join(signs[min(int(share * len(signs)), len(signs) - 1)] for share in found.chances[:, seat])
        lines.append(f"  {clipped(name, width):{width}} {drawn} {found.chances[-1, seat]:4.0%}".replace("%", " %"))
    return lines
