"""Known counts: how many sequences of Decisions follow from a position, to a depth of a few Decisions.

Chess engines call it "perft". A sequence is one of (seat, question, answer); choices with a single answer are not asked
and do not count, and what ends the game ends a sequence, which then counts no deeper. Nothing random may happen on the
way: the positions put known cards on top of the decks, and the counting sees to it.

The table in tests/data/perft.json is compared with what the engine counts now. After a change of the rules on purpose,
look at the difference and write the counts anew (positions and depths are taken from the table):

    python -m tests.dominion.perft
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

from evodom.dominion.effects.ops import Ending
from evodom.dominion.engine.rules import N_ANSWERS, Rules
from evodom.dominion.engine.state import State
from evodom.dominion.engine.turn import enact
from evodom.dominion.game import DominionGame
from evodom.dominion.kingdom import KINGDOMS, Kingdom

PERFT_FILE = Path(__file__).parents[1] / "data" / "perft.json"

Case: TypeAlias = dict[str, Any]
"""``name``, ``kingdom`` (a name, or cards with commas), ``position``, ``counts`` from depth 1 on, and ``divide``: the
last of the counts by first answer."""


def cases() -> list[Case]:
    """Return the table."""
    return json.loads(PERFT_FILE.read_text())


def cards_of(case: Case) -> tuple[str, ...]:
    """Return the cards of a case's kingdom."""
    return KINGDOMS.get(case["kingdom"]) or tuple(case["kingdom"].split(","))


def start(case: Case) -> DominionGame:
    """Return the game at the first Decision of a case."""
    kingdom = Kingdom(cards_of(case))
    game = DominionGame.from_position(case["position"], kingdom)
    undrawn = DominionGame.from_position("P1: hand Copper", kingdom).state.deck_streams
    assert (game.state.deck_streams == undrawn).all(), f"{case['name']}: a random event before the first Decision"
    return game


def perft(game: DominionGame, depth: int) -> int:
    """Return the number of sequences of ``depth`` Decisions."""
    return _count(game.rules, game.state, depth)


def divide(game: DominionGame, depth: int) -> dict[str, int]:
    """Return the number of sequences of ``depth`` Decisions by first answer."""
    names = {answer.pile: answer.name for answer in game.decision.consequences}
    return {names[pile]: _count_after(game.rules, game.state, pile, depth) for pile in _legal(game.state)}


def _count(rules: Rules, state: State, depth: int) -> int:
    if state.ended != Ending.PLAYING:
        return 0
    if depth == 1:
        return int(state.legal).bit_count()
    return sum(_count_after(rules, state, pile, depth) for pile in _legal(state))


def _count_after(rules: Rules, state: State, pile: int, depth: int) -> int:
    if depth == 1:
        return 1
    after = state.copy()
    enact(rules, after, pile)
    assert (after.deck_streams == state.deck_streams).all(), "something random happens: give the decks more known cards"
    return _count(rules, after, depth - 1)


def _legal(state: State) -> Iterator[int]:
    legal = int(state.legal)
    return (answer for answer in range(N_ANSWERS) if legal >> answer & 1)


def counted(case: Case, depth: int) -> Case:
    """Return a case with the counts of now."""
    game = start(case)
    by_first_answer = divide(game, depth)
    counts = [*(perft(game, n) for n in range(1, depth)), sum(by_first_answer.values())]
    return {**case, "counts": counts, "divide": by_first_answer}


def table_text(table: list[Case]) -> str:
    """Return the table as JSON, a line for each part of a case."""
    parts = [",\n  ".join(f"{json.dumps(key)}: {json.dumps(case[key])}" for key in case) for case in table]
    return "[\n" + ",\n".join(f" {{\n  {part}\n }}" for part in parts) + "\n]\n"


if __name__ == "__main__":
    PERFT_FILE.write_text(table_text([counted(case, len(case["counts"])) for case in cases()]))
