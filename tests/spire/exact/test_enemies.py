"""The moves of the enemies that the exact solver knows, against the table that was typed from the game."""

import pytest

from evodom.spire.exact.board import Board, Combat, Enemy
from evodom.spire.exact.known import ENEMIES, moves_of
from evodom.spire.rows.enemies import enemy_row
from tests.spire.engine.test_enemies import MOVES, rows

KNOWN = """Acid Slime (M), Acid Slime (S), Blue Slaver, Cultist, Fat Gremlin, Green Louse, Gremlin Nob, Gremlin Wizard,
Jaw Worm, Lagavulin, Lagavulin (awake), Middle Sentry, Red Louse, Sentry, Sneaky Gremlin, Spike Slime (M),
Spike Slime (S)"""

TOLD = [row for row in rows(MOVES) if row[0].split(", ")[0] in ENEMIES]


def does(enemy, ascension):
    """Let an enemy, as "name, move" with a status, make its move and tell what has changed."""
    name, move, *statuses = enemy.split(", ")
    has = tuple((words.rpartition(" ")[0], int(words.rpartition(" ")[2])) for words in statuses)
    board = Board(Combat(0, 3, 1, (), (Enemy(name, 99, 0, move, 0, has),)))
    mover, before = board.enemies[0], dict(has)
    for act in moves_of(name, ascension)[move]:
        act(board, mover, board.player)
    found = [f"hp {-board.lost}"] * (board.lost > 0) + [f"block {mover.block}"] * (mover.block > 0)
    found += [f"{status} {n}" for status, n in mover.statuses.items() if before.get(status) != n]
    found += [f"you {status} {n}" for status, n in board.player.statuses.items()]
    names = [name for name, _ in board.created]
    return sorted(found + [f"discard {f'{names.count(n)} ' * (names.count(n) > 1)}{n}" for n in dict.fromkeys(names)])


def test_these_enemies_are_known():
    assert sorted(ENEMIES) == [name.strip() for name in KNOWN.replace("\n", " ").split(",")]
    assert len(TOLD) > 20


@pytest.mark.parametrize(("enemy", "plain", "hard"), TOLD)
def test_a_move_does_what_the_table_says(enemy, plain, hard):
    assert does(enemy, 0) == sorted(part for part in plain.split(", ") if part != "-")
    assert does(enemy, 20) == sorted(part for part in hard.split(", ") if part != "-")


@pytest.mark.parametrize("ascension", range(21))
@pytest.mark.parametrize("name", ENEMIES)
def test_every_move_that_may_be_chosen_has_acts(name, ascension):
    pattern, moves = enemy_row(name, ascension).pattern, moves_of(name, ascension)
    intents = list(dict(pattern.first()))

    for intent in intents:
        assert intent[0] in moves
        intents += [after for after, _ in pattern.following(*intent) if after not in intents]
