"""A whole game as readable text: every Decision, every choice, every event.

The text in tests/data/golden_game.txt is compared with what the engine plays now. When the rules, a strategy or the
random stream change on purpose, look at the difference and write it anew:

    python -m tests.dominion.test_golden
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from evodom.dominion.game import DominionGame
from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.strategies.baselines import baseline
from tests.dominion.helpers import EPSILON, hand, preference

GOLDEN_FILE = Path(__file__).parents[1] / "data" / "golden_game.txt"

HEADER = """\
A game of Big Money with a Militia (P1), a preference strategy (P2) and two random players (P3, P4).
P1 and P2 have their Treasures played without being asked.
"?" is a Decision with its answers, ">" the answer taken, the other lines are what happened.
Written by: python -m tests.dominion.test_golden
"""


def golden_text() -> str:
    """Play the game and return its text."""
    return "\n".join([HEADER, *_lines(), ""])


def _lines() -> Iterator[str]:
    wanted = {"Province": 0.4, "Gold": 0.3, "Market": 0.1, "Remodel": 0.08, "Village": 0.06, "Moat": 0.06}
    random_player = baseline("random", FIRST_GAME)
    table = [
        baseline("big-money-militia", FIRST_GAME),
        preference(wanted, wanted | {"Duchy": 0.2, "Silver": 0.3}, classes=(1, EPSILON, EPSILON), switch=2),
        random_player,
        random_player,
    ]
    game = DominionGame(seed=2)
    for player in range(1, 5):
        yield f"P{player} begins with {hand(game, player)}"
    game.play_treasures_automatically(0, 1)
    yield "P1 turn 1"
    yield from _told(game)
    while (decision := game.decision) is not None:
        choice = game.strategy_choice(table[decision.seat])
        answers = ", ".join(answer.name for answer in decision.consequences)
        yield f"  ? P{decision.seat + 1} {decision.title}: {answers}"
        yield f"  > {choice.text}"
        yield from _told(game.enact(choice))
    for place, seat in game.standings:
        yield f"{place}. P{seat + 1}: {game.scores[seat]} VP in {game.state.turns[seat]} turns"


def _told(game: DominionGame) -> Iterator[str]:
    for event in game.events:
        if event.verb == "turn":
            yield f"P{event.seat + 1} turn {event.number}"
        else:
            yield f"  P{event.seat + 1} {event.text}"
    game.events.clear()


@pytest.mark.uncompiled
def test_the_golden_game_is_played_move_by_move_as_written():
    assert golden_text() == GOLDEN_FILE.read_text()


if __name__ == "__main__":
    GOLDEN_FILE.write_text(golden_text())
