"""Plain fights: pruning and sorting change no value, and which fights are plain."""

from collections import Counter

import numpy as np
import pytest

from evodom.distribution import certain, uniform
from evodom.spire.engine.compiler import Setup
from evodom.spire.engine.game import SpireFight
from evodom.spire.engine.layout import FIGHT
from evodom.spire.solver import dominance
from evodom.spire.solver.dominance import (
    Shortcuts,
    canonicalise_enemies,
    is_plain,
    shortcuts_of_fight,
    shortcuts_of_positions,
)
from evodom.spire.solver.graph import N_WORDS
from evodom.spire.solver.solver import Solver
from tests.spire.engine.helpers import Table

TINY = {"Strike": 2, "Defend": 1, "Bash": 1}
WITH_WEAK = {"Strike": 2, "Defend": 1, "Clothesline": 1, "Ascender's Bane": 1}
RED_GREEN, GREEN_RED = ("Red Louse", "Green Louse"), ("Green Louse", "Red Louse")
THREE_SLIMES = ("Acid Slime (S)", "Acid Slime (S)", "Spike Slime (S)")


def fight_of(enemies, **options):
    return SpireFight(Setup(enemies=certain(enemies), **({"relics": ()} | options)))


@pytest.mark.parametrize(
    ("enemies", "options"),
    [
        (RED_GREEN, {"deck": WITH_WEAK, "enemy_hp": (9, 9), "hp": 20, "max_turns": 3}),
        (("Green Louse", "Green Louse"), {"deck": TINY, "enemy_hp": (5, 13), "hp": 9, "max_turns": 3}),
        (THREE_SLIMES, {"deck": TINY, "enemy_hp": (13, 11, 12), "hp": 25, "max_turns": 3}),
    ],
    ids=["red and green", "two greens", "three small slimes"],
)
def test_pruning_changes_no_value(enemies, options, monkeypatch):
    game = fight_of(enemies, **options)
    assert is_plain(game)
    small = Solver(game).solve()
    monkeypatch.setattr(dominance, "is_plain", lambda game: False)
    whole = Solver(game).solve()

    assert small.value == pytest.approx(whole.value, abs=1e-9)
    assert small.upper_bound == pytest.approx(whole.upper_bound, abs=1e-9)
    assert small.effort.chance_nodes < 0.75 * whole.effort.chance_nodes


def test_groups_in_another_order_are_merged():
    both = SpireFight(Setup(enemies=uniform([RED_GREEN, GREEN_RED]), relics=(), deck=TINY))

    assert Solver(both)._graph.group_probabilities() == {0: 1.0}


def test_simplifications_of_a_fight_are_checked_for_each_position():
    """A position of a file can have any status and enemies. One solver solves positions with and without them."""
    plain, single = "Red Louse 9, Grow | Red Louse 9, Grow", "Fungi Beast 9"
    for enemies, begun, other in (
        (plain, {}, Shortcuts(True, False, True)),
        (plain, {"you": "Frail 1, Weak 2"}, Shortcuts(True, False, True)),
        (plain, {"you": "Thorns 3"}, Shortcuts(True, False, False)),
        (plain, {"you": "Rage 3"}, Shortcuts(True, False, False)),
        (plain.replace("Grow |", "Grow, Angry 2 |"), {}, Shortcuts(True, False, False)),
        (plain, {"you": "Regen 1"}, Shortcuts(False, False, False)),
        (single, {}, Shortcuts(True, True, False)),
        (single, {"you": "Regen 1"}, Shortcuts(False, False, False)),
    ):
        table = Table(enemies, hand="2 Strike", relics="", **begun)
        assert shortcuts_of_positions(shortcuts_of_fight(table.game), positions(table.state)) == other
    table = Table(single, hand="2 Strike")
    two = Table("Fungi Beast 9 | Fungi Beast 9", hand="2 Strike").state
    assert shortcuts_of_positions(shortcuts_of_fight(table.game), positions(two)) == (True, False, False)


def positions(*states):
    return np.frombuffer(b"".join(states), FIGHT)


def test_which_fights_are_plain():
    assert is_plain(fight_of(RED_GREEN, relics=("Burning Blood",)))
    for enemies in (
        ("Cultist",),
        ("Spike Slime (S)", "Acid Slime (M)"),  # adds Slimed cards
        ("Fungi Beast", "Fungi Beast"),  # Spore Cloud
        ("Sentry", "Sentry"),  # Artifact, and Dazed cards
    ):
        assert not is_plain(fight_of(enemies))
    for card in ("Pommel Strike", "Cleave", "True Grit", "Inflame"):
        assert not is_plain(fight_of(RED_GREEN, deck=Counter(TINY) + Counter([card])))
    assert not is_plain(fight_of(RED_GREEN, relics=("Vajra",)))
    assert not is_plain(fight_of(RED_GREEN, potions=("Fire Potion",)))


def test_enemies_are_sorted():
    game = fight_of(("Green Louse", "Red Louse", "Green Louse"))
    for seed in range(5):
        words = np.frombuffer(bytearray(game.start(np.random.default_rng(seed))), np.uint64)
        assert len(words) == N_WORDS
        fight = np.frombuffer(bytearray(words.tobytes()), game.view(words.tobytes()).dtype)[0]
        other = fight.copy()
        for column in ("hp", "max_hp", "block", "row", "intent", "new_statuses", "status"):
            other[column][1:4] = fight[column][[3, 1, 2]]
        canonicalise_enemies(fight)
        canonicalise_enemies(other)

        assert fight.tobytes() == other.tobytes()
        assert sorted(fight.row[1:4]) == list(fight.row[1:4])
