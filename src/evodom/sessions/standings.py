"""The result of a game or its present standing: places, points, decks, purchases. `watch` prints a whole game."""

from collections import Counter
from collections.abc import Iterator

from evodom.dominion import events as log
from evodom.dominion.events import counted
from evodom.dominion.game import DominionGame
from evodom.sessions.dominion import DominionSession
from evodom.sessions.screen import WIDTH, clip, fold, most_first, wrapped
from evodom.sessions.setup import PERSON, GameSetup
from evodom.sessions.terminal import Console

_BOUGHT = "Cards bought"
_SHORTEST_HEAD = 12
"""Names are cut down to so many letters so that all players find room."""


def standings(game: DominionGame, setup: GameSetup, width: int = WIDTH) -> list[str]:
    """Tell how the game ended or stands, and each player's place and points.

    While a person's game can go on, only the person's own cards are shown; else everybody's.
    """
    return [*wrapped(headline(game, setup), width=width), *_places(game, setup, width)]


def purchases(game: DominionGame, setup: GameSetup, width: int = WIDTH) -> list[str]:
    """Return a table of what each player bought over the game, the person first, then the others as they came in.

    Dear cards come first; as many players are shown as there is room for.
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
    """Return what each player bought so far."""
    counts = [Counter[str]() for _ in range(game.n_players)]
    for event in game.events:
        if event.verb == "buys":
            counts[event.seat].update(event.cards)
    return counts


def play_again(setup: GameSetup) -> list[str]:
    """Tell the seed and the command that plays the same game again."""
    return [f"Seed {setup.seed}. To play this game again:", f"  {setup.command}"]


def headline(game: DominionGame, setup: GameSetup) -> str:
    """Say that the game is over, how it ended and who won; or that it is not over."""
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
            console.show(wrapped(log.line(turn, names, None)))
        n_shown = len(finished)

    complete = True
    try:
        match.play_on(show_finished)
    except KeyboardInterrupt:
        complete = False
    console.show(["", *standings(match.game, match.setup), *play_again(match.setup)])
    return complete
