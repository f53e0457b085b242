"""The search of a fight: its results in fights with a known best line, and its invariants."""

import numpy as np
import pytest

from evodom.distribution import certain
from evodom.errors import UsageError
from evodom.spire.engine.compiler import Setup
from evodom.spire.engine.game import SpireFight
from evodom.spire.engine.layout import FIGHT, LATE
from evodom.spire.engine.moves import N_MOVES, legal
from evodom.spire.fights import Fight, Payoff
from evodom.spire.fights.display import move_to_text
from evodom.spire.play.estimates import play_fights, regret
from evodom.spire.play.playouts import PLAYOUT_POLICY, set_playout_policy, weigh_moves
from evodom.spire.play.searcher import FightSearchOptions, FightTree, Searcher, state_words
from evodom.spire.solver.solve import solve_fight, solve_moves
from evodom.spire.solver.solver import Solver
from tests.spire.engine.helpers import Table

QUICK = FightSearchOptions(200, playouts=1)


def figures(table, simulations=200, *, seed=1, payoff=None):
    searcher = Searcher(table.game, payoff, FightSearchOptions(simulations, playouts=1))
    found = searcher.search(table.state, np.random.default_rng(seed))
    return [(move_to_text(table.game, table.state, one.action), one) for one in found]


def test_lethal_moves_have_no_regret():
    name, best = figures(Table("Cultist 6, Dark Strike", hand="Strike, 2 Defend"))[0]

    assert name == "Strike at Cultist"
    assert (best.value, best.loss_probability) == (50, 0)


def test_necessary_blocks_are_found():
    enemy = "Cultist 13, Dark Strike, Strength 20"
    found = figures(Table(enemy, hand="Impervious, 2 Defend", draw="5 Strike", you="hp 9"))

    assert found[0][0] == "Impervious"
    assert {name: one.loss_probability for name, one in found}["end the turn"] == 1


@pytest.mark.parametrize("gumbel", [0, 3])
def test_the_best_move_and_its_value_are_those_of_the_solver(gumbel):
    table = Table("Cultist 20, Dark Strike", hand="Bash, 2 Strike, Defend", draw="2 Strike, 3 Defend", you="hp 12")
    value_of = {one.action: one.value for one in solve_moves(table.game, table.state)}
    best = max(value_of.values())
    searcher = Searcher(table.game, options=FightSearchOptions(400, gumbel=gumbel))

    found = searcher.search(table.state, np.random.default_rng(1))[0]

    assert best - value_of[found.action] < 0.01 * best
    assert found.value == pytest.approx(best, abs=0.05 * best)


def test_a_tree_that_is_full_ends_the_search():
    table = Table("Jaw Worm 40, Chomp", hand="2 Strike, 2 Defend, Bash", draw="3 Strike, 2 Defend")
    tree = FightTree(capacity=6)
    tree.prepare(table.game, Payoff(), QUICK)

    assert 0 < sum(one.visits for one in tree.search_position(state_words(table.state), 50)) < 49


def test_equal_positions_share_a_node():
    table = Table("Cultist 50, Dark Strike", hand="Strike, Defend", draw="5 Strike")
    searcher = Searcher(table.game, options=FightSearchOptions(400, playouts=1))
    searcher.search(table.state, np.random.default_rng(1))
    tree = searcher._tree
    keys = tree.nodes["key"][1 : tree.record.n_nodes]
    in_turn = [node for node in range(1, tree.record.n_nodes) if tree.states[node]["n_cards"][1] == 5]

    assert len(set(keys.tolist())) == len(keys)
    orders = {(int(tree.states[node]["piles"][0].sum()), int(tree.states[node]["hp"][1])) for node in in_turn}
    assert len(orders) == len(in_turn)  # nothing, a Strike, a Defend, both: whichever came first


def test_visits_are_consistent_and_kept_for_the_next_search():
    table = Table("Jaw Worm 40, Chomp", hand="2 Strike, 2 Defend, Bash", draw="3 Strike, 2 Defend")
    searcher = Searcher(table.game, options=QUICK)
    rng = np.random.default_rng(1)
    once = sum(one.visits for one in searcher.search(table.state, rng))
    twice = sum(one.visits for one in searcher.search(table.state, rng))

    assert once == QUICK.simulations - 1  # the first one is the position itself
    assert twice == 2 * QUICK.simulations - 1


def test_potions_with_a_high_price_are_kept():
    table = Table("Cultist 26, Dark Strike", hand="2 Strike, Defend", draw="3 Strike, 2 Defend", potions="Fire Potion")
    free, dear = (figures(table, 400, payoff=Payoff(potion=price)) for price in (0.0, 40.0))

    assert free[0][1].value > 49.5  # 26 damage this turn
    assert dict(free)["Fire Potion at Cultist"].value > 49.5
    assert 44 < dear[0][1].value < 50
    assert dict(dear)["Fire Potion at Cultist"].value == 10


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("hp", (1, 0, 5, 3)), ("win", (0, 1, 5 / 80, 3 / 80)), ("both", (1 / 160, 0.5, 5 / 160, 3 / 160))],
)
def test_payoffs(kind, expected):
    assert Payoff(kind, 5, 3).prices(80) == pytest.approx(expected)


@pytest.mark.parametrize(("enemy", "optimum", "minimum"), [("Cultist", 63.548, 0.98), ("Gremlin Nob", 12.315, 0.94)])
def test_searched_fights_come_close_to_exact_values(enemy, optimum, minimum):
    """The loss of each move does not depend on luck."""
    game = SpireFight(Setup(enemies=certain((enemy,)), relics=()))
    lost, results = regret(game, Payoff(), FightSearchOptions(100), 16, seed=1, n_threads=2)

    assert (lost > -1e-6).all()
    assert lost.mean() < (1 - minimum) * optimum
    error = results["hp"].std() / 4 + 1
    assert abs(results["hp"].mean() + lost.mean() - optimum) < 4 * error


def test_mean_regret_is_the_distance_to_the_exact_value():
    """Without chance the value of the start is the payoff plus the regret."""
    enemies, deck = certain(("Cultist",)), {"Strike": 2, "Defend": 1}
    setup = Setup(enemies=enemies, enemy_hp=(30,), deck=deck, relics=(), hp=40, max_hp=40)
    game = SpireFight(setup)
    best = solve_fight(Fight(setup)).value
    for budget in (FightSearchOptions(1), FightSearchOptions(40)):  # with one simulation turns are only ended
        lost, results = regret(game, Payoff(), budget, 3, seed=1)

        assert (results["hp"] < best).all() == (budget.simulations == 1)
        assert results["hp"] + lost == pytest.approx(best)


def test_all_root_policies_find_lethal_moves():
    table = Table("Cultist 12, Dark Strike", hand="2 Strike, 3 Defend", draw="5 Defend")
    for budget in (FightSearchOptions(40), FightSearchOptions(40, gumbel=2), FightSearchOptions(40, gumbel=16)):
        found = Searcher(table.game, options=budget).search(table.state, np.random.default_rng(1))

        assert found[0].value > 49.5
        assert sum(one.visits for one in found) == 39


def test_sequential_halving_considers_the_given_number_of_moves():
    table = Table("Jaw Worm 40, Chomp", hand="Strike, Defend, Bash", draw="3 Strike, 2 Defend")

    def tried(n):
        searcher = Searcher(table.game, options=FightSearchOptions(41, gumbel=n))
        return sorted(one.visits for one in searcher.search(table.state, np.random.default_rng(1)))

    assert tried(1) == [0, 0, 0, 40]
    assert tried(2) == [0, 0, 20, 20]
    assert tried(4) == [5, 5, 15, 15]


@pytest.mark.parametrize(
    ("relics", "more", "searched"),
    [((), {}, False), (("Meat on the Bone",), {}, True), ((), {"Feed": 1}, True), ((), {"Reaper": 1}, True)],
)
def test_lethal_sequences_without_loss_are_played_without_a_search(relics, more, searched):
    """A fight in which HP can be gained is searched."""
    setup = Setup(enemies=certain(("Cultist",)), enemy_hp=(12,), deck={"Strike": 9, **more}, relics=relics)
    game = SpireFight(setup)
    start = game.start(np.random.default_rng(1))
    (result,) = play_fights(game, [start], np.ones((1, 2), np.uint64), Payoff(), FightSearchOptions(50))

    assert result["hp"] >= 68
    assert (result["n_moves"] > 0) == searched


def test_other_positions_are_searched():
    for enemies in ("Cultist 13, Dark Strike", "Red Louse 12, Curl Up 9", "Cultist 9, Dark Strike | Cultist 9"):
        table, luck = Table(enemies, hand="2 Strike", draw="5 Strike", you="energy 2"), np.ones((1, 2), np.uint64)
        assert play_fights(table.game, [table.state], luck, Payoff(), FightSearchOptions(20))[0]["n_moves"] > 0


def test_playouts_do_not_wake_sleeping_enemies():
    """The damage of Bash equals the block of Lagavulin, so that it gives Vulnerable without waking it."""
    asleep = "Lagavulin 112, Sleep, Asleep 1, block 8, Metallicize 8"
    table = Table(asleep, hand="Bash, 2 Strike, 2 Defend", draw="3 Strike, 2 Defend")
    moves = np.zeros(N_MOVES, np.int32)
    policy = np.zeros(1, PLAYOUT_POLICY)[0]
    set_playout_policy(policy, table.game)
    fight = np.frombuffer(bytearray(table.state), FIGHT)[0]
    n = legal(table.game.record, fight, moves)
    weigh_moves(table.game.record, fight, n, policy, moves)
    names = (table.game.action_name(int(move)) for move in moves[:n])
    weights = dict(zip(names, policy.weights, strict=False))

    assert weights["Strike at enemy 1"] == 1  # 6 of the 8 block
    assert weights["end"] == 1
    assert weights["Bash at enemy 1"] == 3


DECK = {"Strike": 3, "Defend": 2, "Bash": 1}


def fight(enemy="Jaw Worm", hp=24, **options):
    return SpireFight(Setup(enemies=certain((enemy,)), enemy_hp=(hp,), deck=DECK, relics=(), hp=14, **options))


def played(game, budget, n=3, n_threads=1):
    starts = [game.start(np.random.default_rng(number)) for number in range(n)]
    luck = np.random.default_rng(9).integers(2**64, size=(n, 2), dtype=np.uint64)
    return play_fights(game, starts, luck, Payoff(), budget, n_threads).tolist()


def test_small_positions_are_solved_exactly():
    game = fight()
    state = game.start(np.random.default_rng(3))
    found = Searcher(game, options=FightSearchOptions(20, solve_below=20_000)).search(state, np.random.default_rng(1))
    solved = Solver(game).solve_position(state)

    assert all(one.exact and one.visits == 0 for one in found)
    assert [(one.action, one.value) for one in found] == solved.moves
    assert found[0].value == pytest.approx(solved.value)
    assert found[0].loss_probability == pytest.approx(solved.results.death)
    assert [(one.action, one.value, one.loss_probability) for one in solve_moves(game, state)] == [
        (one.action, one.value, one.loss_probability) for one in found
    ]


def test_a_lethal_sequence_is_not_played_without_a_search_while_regen_heals():
    table = Table("Cultist 6, Incantation", hand="Strike, 4 Defend", you="hp 20, Regen 5")
    won = play_fights(table.game, [table.state], np.ones((1, 2), np.uint64), Payoff(), FightSearchOptions(1000))

    assert won["hp"][0] >= 25


def test_each_move_has_a_probability_of_losing():
    table = Table("Cultist 6, Dark Strike, Strength 20", hand="Strike, Defend", draw="5 Strike", you="hp 9, energy 1")
    found = {move_to_text(table.game, table.state, one.action): one for one in solve_moves(table.game, table.state)}

    assert found["Strike at Cultist"].loss_probability == 0
    assert found["Defend"].loss_probability == found["end the turn"].loss_probability == 1


def test_unsolvable_positions_are_searched_and_those_with_a_given_number_of_simulations():
    game = fight()
    for solve_below, given, n in ((20_000, 50, 49), (3, None, 19)):
        searcher = Searcher(game, options=FightSearchOptions(20, solve_below=solve_below))
        found = searcher.search(game.start(np.random.default_rng(3)), np.random.default_rng(1), given)
        assert not any(one.exact for one in found)
        assert sum(one.visits for one in found) == n


@pytest.mark.parametrize("gumbel", [0, 3])
def test_an_unused_solver_changes_nothing(gumbel):
    game = fight()

    with_solver, without = (FightSearchOptions(30, gumbel=gumbel, solve_below=n) for n in (1, 0))
    assert played(game, with_solver) == played(game, without)


def test_guaranteed_values_are_solved_or_refused():
    game, payoff = fight(), Payoff("guaranteed")
    state, rng = game.start(np.random.default_rng(3)), np.random.default_rng(1)
    solved = Searcher(game, payoff, FightSearchOptions(20, solve_below=20_000)).search(state, rng)

    assert solved[0].exact
    assert solved[0].value <= Solver(game).solve_position(state).value
    with pytest.raises(UsageError, match="guaranteed HP need the exact solver"):
        Searcher(game, payoff, FightSearchOptions(20)).search(state, rng)


def test_solved_fights_do_not_depend_on_the_number_of_threads():
    game, budget = fight(), FightSearchOptions(1, solve_below=100_000)
    solved = played(game, budget)

    assert solved == played(game, budget, n_threads=3)
    assert solved != played(game, FightSearchOptions(1))


def test_solved_fights_have_no_regret():
    searched, solved = (
        regret(fight(), Payoff(), FightSearchOptions(2, solve_below=rows), 4, seed=1)[0].mean() for rows in (0, 100_000)
    )

    assert searched > 0.1
    assert solved == pytest.approx(0, abs=1e-9)


def test_endless_fights_are_not_won_in_time(monkeypatch):
    monkeypatch.setattr("evodom.spire.play.searcher.MAX_MOVES_OF_FIGHT", 60)
    game = SpireFight(Setup(enemies=certain(("Shield Gremlin",)), deck={"Defend": 12}, relics=()))
    hp, over, n_moves, *_ = played(game, FightSearchOptions(4, playouts=1), 1)[0]

    assert (hp, over) == (0, LATE)
    assert n_moves <= 60


def test_solved_fights_end_after_the_maximum_number_of_moves():
    """The gremlin only gives block, and the deck has no attacks. Positions too large for the solver are searched."""
    game = SpireFight(Setup(enemies=certain(("Shield Gremlin",)), deck={"Defend": 8}, relics=(), max_turns=4))
    hp, over, n_moves, *_ = played(game, FightSearchOptions(4, solve_below=50), 1)[0]

    assert n_moves > 0
    assert (hp, over) == played(game, FightSearchOptions(4), 1)[0][:2]
