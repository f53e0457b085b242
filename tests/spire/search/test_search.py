"""The search of a fight: what it finds where the best line is known, and what holds of every search."""

import numpy as np
import pytest

from evodom.distribution import certain
from evodom.spire.engine.game import SpireFight
from evodom.spire.engine.layout import FIGHT
from evodom.spire.engine.moves import END
from evodom.spire.engine.rules import Setup
from evodom.spire.engine.words import move_to_text
from evodom.spire.fights import Payoff
from evodom.spire.search.player import Budget, Searcher, play_fights, prices
from evodom.spire.search.tree import N_WORDS
from tests.spire.engine.helpers import Table

QUICK = Budget(200, rollouts=1)


def figures(table, simulations=200, *, seed=1, payoff=None):
    searcher = Searcher(table.game, payoff, Budget(simulations, rollouts=1))
    found = searcher.think(table.state, np.random.default_rng(seed))
    return [(move_to_text(table.game, table.state, one.move), one) for one in found]


def test_a_fight_is_a_whole_number_of_words():
    assert FIGHT.itemsize == 8 * N_WORDS


def test_a_kill_is_found_and_known_to_cost_nothing():
    name, best = figures(Table("Cultist 6, Dark Strike", hand="Strike, 2 Defend"))[0]

    assert name == "Strike at Cultist"
    assert (best.value, best.death) == (50, 0)


def test_what_cannot_be_survived_otherwise_is_blocked():
    enemy = "Cultist 13, Dark Strike, Strength 20"
    found = figures(Table(enemy, hand="Impervious, 2 Defend", draw="5 Strike", you="hp 9"))

    assert found[0][0] == "Impervious"
    assert {name: one.death for name, one in found}["end the turn"] == 1


def test_equal_positions_meet():
    table = Table("Cultist 50, Dark Strike", hand="Strike, Defend", draw="5 Strike")
    searcher = Searcher(table.game, budget=Budget(400, rollouts=1))
    searcher.think(table.state, np.random.default_rng(1))
    room = searcher._room
    keys = room.nodes["key"][1 : room.tree.n_nodes]
    in_turn = [node for node in range(1, room.tree.n_nodes) if room.states[node]["n_cards"][1] == 5]

    assert len(set(keys.tolist())) == len(keys)
    orders = {(int(room.states[node]["piles"][0].sum()), int(room.states[node]["hp"][1])) for node in in_turn}
    assert len(orders) == len(in_turn)  # nothing, a Strike, a Defend, both: whichever came first


def test_visits_add_up_and_are_kept_for_the_next_search():
    table = Table("Jaw Worm 40, Chomp", hand="2 Strike, 2 Defend, Bash", draw="3 Strike, 2 Defend")
    searcher = Searcher(table.game, budget=QUICK)
    rng = np.random.default_rng(1)
    once = sum(one.visits for one in searcher.think(table.state, rng))
    twice = sum(one.visits for one in searcher.think(table.state, rng))

    assert once == QUICK.simulations - 1  # the first one is the position itself
    assert twice == 2 * QUICK.simulations - 1


def test_the_same_seed_finds_the_same():
    def table():
        return Table("Sentry 40, Bolt | Middle Sentry 40, Beam", hand="2 Strike, 2 Defend, Bash", draw="3 Strike")

    assert figures(table()) == figures(table())
    assert figures(table()) != figures(table(), seed=2)


def test_a_price_keeps_a_potion_in_the_belt():
    def worth(price):
        table = Table(
            "Cultist 26, Dark Strike", hand="2 Strike, Defend", draw="3 Strike, 2 Defend", potions="Fire Potion"
        )
        found = dict(figures(table, 400, payoff=Payoff(potion=price)))
        return found["Fire Potion at Cultist"].value - found["Strike at Cultist"].value

    assert worth(0.0) > 0 > worth(40.0)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("hp", (1, 0, 5, 3)), ("win", (0, 1, 5 / 80, 3 / 80)), ("both", (1 / 160, 0.5, 5 / 160, 3 / 160))],
)
def test_payoffs(kind, expected):
    assert prices(Payoff(kind, 5, 3), 80) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("enemy", "optimum", "least"), [("Cultist", 63.548, 0.94), ("Gremlin Nob", 12.315, 0.75), ("Jaw Worm", 57.653, 0.9)]
)
def test_fights_whose_best_line_is_known(enemy, optimum, least):
    game = SpireFight(Setup(enemies=certain((enemy,)), relics=()))
    rng = np.random.default_rng(1)
    n = 24
    starts = [game.start(rng) for _ in range(n)]
    luck = rng.integers(2**64, size=(n, 2), dtype=np.uint64)
    hp = play_fights(game, starts, luck, Payoff(), Budget(200, rollouts=2), n_threads=2)["hp"]

    error = hp.std() / n**0.5
    assert least * optimum < hp.mean() < optimum + 3 * error


def test_any_number_of_threads_plays_the_same_fights():
    game = SpireFight(Setup(enemies=certain(("Red Louse", "Green Louse"))))
    rng = np.random.default_rng(3)
    starts = [game.start(rng) for _ in range(5)]
    luck = rng.integers(2**64, size=(5, 2), dtype=np.uint64)
    one, three = (play_fights(game, starts, luck, Payoff(), Budget(30), n_threads=n) for n in (1, 3))

    assert one.tobytes() == three.tobytes()
    assert one["n_moves"].min() > 0


def test_the_only_move_is_found():
    table = Table("Cultist 50, Dark Strike", hand="Wound", draw="5 Strike")

    assert [one.move for _, one in figures(table)] == [END]
