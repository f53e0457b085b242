"""The end of a game as lines of text: standings, purchases, and the review. `watch` prints a whole game."""

from collections import Counter
from collections.abc import Iterator

from evodom.dominion import events as log
from evodom.dominion.cards import counted
from evodom.dominion.engine.rules import PASS
from evodom.dominion.game import DominionGame, verb_phrase
from evodom.matches.playout_search import Verdict
from evodom.sessions.dominion import PERSON, DominionSession, GameSetup
from evodom.sessions.review import AskedChoice, Review
from evodom.sessions.screen import WIDTH, clip, fold, most_first, wrapped
from evodom.sessions.terminal import Console

_BOUGHT = "Cards bought"
_SHORTEST_HEAD = 12
"""Minimum number of characters of a clipped name in a table's head."""


def standings(game: DominionGame, setup: GameSetup, width: int = WIDTH) -> list[str]:
    """Return lines with the result so far, and each player's place and points.

    All cards are shown after the game and in games without persons. Before the end a single person sees only their own
    cards; several persons see none.
    """
    return [*wrapped(headline(game, setup), width=width), *_places(game, setup, width)]


def purchases(game: DominionGame, setup: GameSetup, width: int = WIDTH) -> list[str]:
    """Return a table of each player's purchases: the person first, then the others by place.

    Cards are sorted by falling cost. Players beyond the width are left out.
    """
    counted_by_seat = bought(game)
    order = sorted((seat for _, seat in game.standings), key=lambda seat: seat != setup.seat)
    piles = sorted(game.piles, key=lambda card: (-card.cost, card.name))
    cards = [card.name for card in piles if any(counts[card.name] for counts in counted_by_seat)]
    first = max(map(len, (_BOUGHT, *cards)))
    widest = max(_SHORTEST_HEAD, (width - first) // len(order) - 2)
    heads = [clip(setup.names[seat], widest) for seat in order]
    shown = list(zip(order, heads, strict=True))[: (width - first) // (max(map(len, heads)) + 2)]
    lines = [f"{_BOUGHT:{first}}" + "".join(f"  {head}" for _, head in shown)]
    for name in cards:
        cells = (f"  {counted_by_seat[seat][name] or '-':>{len(head)}}" for seat, head in shown)
        lines.append(f"{name:{first}}" + "".join(cells))
    return lines


def bought(game: DominionGame) -> list[Counter[str]]:
    """Return the purchases of each player so far."""
    counts = [Counter[str]() for _ in range(game.n_players)]
    for event in game.events:
        if event.verb == "buys":
            counts[event.seat].update(event.cards)
    return counts


def play_again(setup: GameSetup) -> list[str]:
    """Return lines with the seed and the command that plays the same game again."""
    return [f"Seed {setup.seed}. To play this game again:", f"  {setup.command}"]


def headline(game: DominionGame, setup: GameSetup) -> str:
    """Return a sentence on the end of the game and its winners, or that it is not over."""
    if not game.is_over:
        return f"The game is not over (turn {max(game.state.turns)}). It stands:"
    how = {
        "Provinces": "the Provinces are gone",
        "empty piles": f"{game.rules.piles_to_end} piles are empty",
        "cut": "nobody ended it, so it was cut",
    }[game.end]
    winners = [setup.players[seat].name for place, seat in game.standings if place == 1]
    return f"The game is over: {how}. {_winners(winners)}"


def _winners(names: list[str]) -> str:
    if len(names) == 1:
        return "You win!" if names == [PERSON] else f"{names[0]} wins."
    names = sorted(names, key=lambda name: name != PERSON)
    return f"{', '.join(names[:-1])} and {names[-1]} share the victory."


def _places(game: DominionGame, setup: GameSetup, width: int) -> Iterator[str]:
    longest = min(max(map(len, setup.names)), 30)
    for place, seat in game.standings:
        owned, turns = game.owned(seat), int(game.state.turns[seat])
        yield (
            f"{place}. {clip(setup.names[seat], longest):{longest}} {game.scores[seat]:3} VP"
            f"  {turns:2} turn{'s' if turns != 1 else ' '}  {sum(owned.values())} cards"
        )
        if game.is_over or setup.people in ((), (seat,)):
            yield from fold("    ", counted(most_first(owned)), width)


def watch(match: DominionSession, console: Console) -> bool:
    """Play a game without a person, printing each turn when it ends; returns False if Ctrl-C ended it."""
    names = match.setup.names
    n_shown = 0

    def show_finished() -> None:
        nonlocal n_shown
        turns = log.turns(match.game.events)
        finished = [turn for turn in turns if turn.finished]
        for turn in finished[n_shown:]:
            if turn.seat == 0:
                provinces = match.game.view(0).supply["Province"]
                plural = "" if provinces == 1 else "s"
                console.show([f"Turn {turn.number} ({provinces} Province{plural} left)"])
            console.show(wrapped(log.turn_line(turn, names, None)))
        n_shown = len(finished)

    complete = True
    try:
        match.play_on(show_finished)
    except KeyboardInterrupt:
        complete = False
    console.show(["", *standings(match.game, match.setup), *play_again(match.setup)])
    return complete


N_TOLD = 3
"""Maximum number of mistakes in a review, costliest first."""

BLOCKS, DIGITS = "▁▂▃▄▅▆▇█", "0123456789"
"""Characters of a curve, from win probability 0 to 1. Terminals without block characters use digits."""

_MOST_NAME = 20


def in_words(found: Review, *, block_characters: bool = True) -> list[str]:
    """Return the lines of a review: total loss, costliest mistakes, causes, and the curve of the win probability.

    Without `block_characters` the curve is made of digits.
    """
    return [
        *wrapped(_summary(found)),
        *_dearest(found),
        "",
        *split_lines(found),
        "",
        *curve_lines(found, block_characters=block_characters),
    ]


def _summary(found: Review) -> str:
    lost = [verdict.lost for verdict in found.verdicts]
    n_lost = sum(verdict > 0 for verdict in lost)
    judged = f"{len(lost)} choices were judged by playing on from them with the network of all kingdoms"
    if not n_lost:
        return f"{judged}: none gave anything away."
    return f"{judged}: {n_lost} gave something away, {_points(sum(lost))} of the win in sum."


def _dearest(found: Review) -> Iterator[str]:
    """Yield the lines of the costliest mistakes, the costliest first."""
    dearest = sorted((verdict for verdict in found.verdicts if verdict.lost > 0), key=lambda verdict: -verdict.lost)[
        :N_TOLD
    ]
    if dearest:
        yield "The dearest:" if len(dearest) > 1 else "It was:"
    for verdict in dearest:
        yield from wrapped("  " + told(found, verdict))


def told(found: Review, verdict: Verdict) -> str:
    """Return a mistake as text: "turn 9, $6: Gold 41 %, better Laboratory 47 % (6.0 points, give or take 1.0)"."""
    asked = found.asked[verdict.moment]
    where = f"${asked.coins}" if asked.coins is not None else asked.title
    ours, better = choice_name(found, asked, verdict.choice), choice_name(found, asked, verdict.best)
    return (
        f"turn {asked.turn}, {where}: {ours} {verdict.share:.0%}, better {better} {verdict.best_share:.0%} "
        f"({_points(verdict.lost)}, give or take {100 * verdict.error:.1f})"
    ).replace("%", " %")


def split_lines(found: Review) -> list[str]:
    """Return how the chance to win changed in all, and a line for each cause with its sum."""
    start, end = found.chances[[0, -1], found.seat]
    last = "at the end" if found.over else "now"
    change = f"{100 * (end - start):+.1f} points"
    head = f"From {start:.0%} at your turn {found.turns[0]} to {end:.0%} {last}: {change}".replace("%", " %")
    sums = found.split.sums
    width = max(map(len, sums))
    lines = [
        f"  {cause:{width}} {100 * sum_:+6.1f} points, give or take {100 * error:.1f}"
        for cause, (sum_, error) in sums.items()
    ]
    return [head, *lines, *wrapped("Decisions are measured against the network's; luck is the rest.")]


def curve_lines(found: Review, *, block_characters: bool = True) -> list[str]:
    """Return a line for each player: how the chances went from turn to turn, and the last one."""
    signs = BLOCKS if block_characters else DIGITS
    width = min(max(map(len, found.names)), _MOST_NAME)
    last = "at the end" if found.over else "now"
    lines = [f"Chances to win by your turns {found.turns[0]} to {found.turns[-1] - found.over}, {last}:"]
    for seat, name in enumerate(found.names):
        drawn = "".join(signs[min(int(share * len(signs)), len(signs) - 1)] for share in found.chances[:, seat])
        lines.append(f"  {clip(name, width):{width}} {drawn} {found.chances[-1, seat]:4.0%}".replace("%", " %"))
    return lines


def choice_name(found: Review, asked: AskedChoice, choice: int) -> str:
    """Return the text of a choice: a card's name for a buy, otherwise with its verb."""
    name = "nothing" if choice == PASS else found.piles[choice]
    return name if asked.coins is not None else verb_phrase(asked.verb, name)


def _points(share: float) -> str:
    points = 100 * share
    return f"{points:.1f} points" if points < 9.95 else f"{points:.0f} points"
