"""Print a game without a person, turn by turn."""

from evodom.dominion import log
from evodom.play import ending
from evodom.play.answers import wrapped
from evodom.play.console import Console
from evodom.play.match import Match


def watch(match: Match, console: Console) -> bool:
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
    console.show(["", *ending.standings(match.game, match.setup), *ending.play_again(match.setup)])
    return complete
