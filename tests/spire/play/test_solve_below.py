"""Positions that are small enough go to the solver: searched moves and fights, with exact figures in them."""

import numpy as np
import pytest

from evodom.distribution import certain
from evodom.spire.engine.game import SpireFight
from evodom.spire.engine.rules import Setup
from evodom.spire.fights import Payoff
from evodom.spire.fights.states import move_to_text
from evodom.spire.play.estimates import play_fights, regret
from evodom.spire.play.searcher import FightSearchOptions, Searcher
from evodom.spire.solver.solve import solve_moves
from evodom.spire.solver.solver import Solver
from tests.spire.engine.helpers import Table

DECK = {"Strike": 3, "Defend": 2, "Bash": 1}


def fight(enemy="Jaw Worm", hp=24, **options):
    return SpireFight(Setup(enemies=certain((enemy,)), enemy_hp=(hp,), deck=DECK, relics=(), hp=14, **options))


def played(game, budget, n=6, n_threads=1):
    starts = [game.start(np.random.default_rng(number)) for number in range(n)]
    luck = np.random.default_rng(9).integers(2**64, size=(n, 2), dtype=np.uint64)
    return play_fights(game, starts, luck, Payoff(), budget, n_threads).tolist()


def test_a_small_position_is_solved_and_its_figures_are_exact():
    game = fight()
    state = game.start(np.random.default_rng(3))
    found = Searcher(game, options=FightSearchOptions(20, solve_below=20_000)).search(state, np.random.default_rng(1))
    solved = Solver(game).position(state)

    assert all(one.exact and one.visits == 0 for one in found)
    assert [(one.action, one.value) for one in found] == solved.moves
    assert found[0].value == pytest.approx(solved.value)
    assert found[0].loss == pytest.approx(solved.results.death)
    assert [(one.action, one.value, one.loss) for one in solve_moves(game, state)] == [
        (one.action, one.value, one.loss) for one in found
    ]


def test_the_chance_to_lose_after_a_move_is_told_for_each():
    table = Table("Cultist 6, Dark Strike, Strength 20", hand="Strike, Defend", draw="5 Strike", you="hp 9, energy 1")
    found = {move_to_text(table.game, table.state, one.action): one for one in solve_moves(table.game, table.state)}

    assert found["Strike at Cultist"].loss == 0
    assert found["Defend"].loss == found["end the turn"].loss == 1


def test_a_number_of_simulations_is_searched_all_the_same():
    game = fight()
    searcher = Searcher(game, options=FightSearchOptions(20, solve_below=20_000))
    found = searcher.search(game.start(np.random.default_rng(3)), np.random.default_rng(1), 50)

    assert not any(one.exact for one in found)
    assert sum(one.visits for one in found) == 49


def test_what_is_too_large_or_too_random_is_searched():
    table = Table("Jaw Worm 40, Chomp", hand="2 Strike, 2 Defend, Bash", draw="3 Strike, 2 Defend")
    found = Searcher(table.game, options=FightSearchOptions(20, solve_below=3)).search(
        table.state, np.random.default_rng(1)
    )

    assert not any(one.exact for one in found)
    assert sum(one.visits for one in found) == 19


@pytest.mark.parametrize("gumbel", [0, 3])
def test_fights_in_which_nothing_is_solved_are_those_that_are_played_without_a_solver(gumbel):
    game = fight()

    assert played(game, FightSearchOptions(30, gumbel=gumbel, solve_below=1)) == played(
        game, FightSearchOptions(30, gumbel=gumbel)
    )


def test_fights_are_the_same_for_any_number_of_threads():
    game, budget = fight(), FightSearchOptions(2, solve_below=100_000)

    assert played(game, budget, n_threads=3) == played(game, budget)
    assert played(game, budget) != played(game, FightSearchOptions(2))


def test_what_is_solved_gives_nothing_away():
    searched, solved = (
        regret(fight(), Payoff(), FightSearchOptions(2, solve_below=rows), 12, seed=1)[0].mean()
        for rows in (0, 100_000)
    )

    assert searched > 0.1
    assert solved == pytest.approx(0, abs=1e-9)


def test_a_fight_without_an_end_is_over_after_so_many_moves():
    """A gremlin that only gives block, and a deck without attacks: what is too large to be solved is searched."""
    game = SpireFight(Setup(enemies=certain(("Shield Gremlin",)), deck={"Defend": 8}, relics=(), max_turns=4))
    hp, over, n_moves, *_ = played(game, FightSearchOptions(4, solve_below=50), 1)[0]

    assert n_moves > 0
    assert (hp, over) == played(game, FightSearchOptions(4), 1)[0][:2]
