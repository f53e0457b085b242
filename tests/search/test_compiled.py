"""Both trees, compiled and in Python, against exact solving: random games of tables, and fights."""

import numpy as np
import pytest

from evodom.distribution import certain, weighted
from evodom.games import ListedGame, compiled
from evodom.jit.kernel import lean_kernel, random_float
from evodom.search import TreeOptions, TreeSearch
from evodom.search.compiled import CompiledTree, run_in_threads
from evodom.search.tree import set_value
from evodom.solve import solve
from evodom.spire.play.searcher import FightSearchOptions, Searcher
from evodom.spire.solver.solve import solve_moves
from tests.spire.engine.helpers import Table

N_STATES, N_ACTIONS = 24, 3
TABLES = np.dtype(
    (
        np.record,
        [
            ("tables_of_a_test", "<i4"),
            ("n_actions", "<i4", (N_STATES,)),
            ("next", "<i4", (N_STATES, N_ACTIONS, 2)),
            ("chance", "<f8", (N_STATES, N_ACTIONS)),  # of the first of two outcomes
            ("payoff", "<f8", (N_STATES,)),
        ],
    )
)
STATE = np.dtype((np.record, [("place", "<i8")]))
CHANCE = np.dtype((np.record, [("stream", "<u8", (1,))]))


@lean_kernel
def legal(rules, state, actions):
    for action in range(rules.n_actions[state.place]):
        actions[action] = action
    return rules.n_actions[state.place]


@lean_kernel
def step(rules, state, action, chance):
    share = rules.chance[state.place, action]
    outcome = 0 if share == 1.0 or random_float(chance.stream, 0) < share else 1
    state.place = rules.next[state.place, action, outcome]


@lean_kernel
def is_over(rules, state):
    return rules.n_actions[state.place] == 0


@lean_kernel
def evaluate(rules, workspace, node):
    """Play to the end at random."""
    state = workspace.states[0]
    state.place = workspace.states[node].place
    while not is_over(rules, state):
        n = rules.n_actions[state.place]
        step(rules, state, int(random_float(workspace.chance.stream, 0) * n), workspace.chance)
    set_value(workspace, node, rules.payoff[state.place], 0.0)


for name, kernel in {"legal": legal, "step": step, "is_over": is_over, "evaluate": evaluate}.items():
    getattr(compiled, name).register(TABLES, kernel)


class Tables(ListedGame):
    """A random game for one player: states are numbers, and each action leads to one or two greater ones."""

    n_players = 1
    all_actions = tuple(range(N_ACTIONS))

    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        self.rules = np.zeros(1, TABLES)[0]
        for place in range(N_STATES):
            self.rules.next[place] = rng.integers(place + 1, N_STATES, (N_ACTIONS, 2)) if place < N_STATES - 1 else 0
        self.rules.n_actions[:-4] = rng.integers(1, N_ACTIONS + 1, N_STATES - 4)
        self.rules.n_actions[0] = N_ACTIONS
        self.rules.chance[:] = rng.choice([0.25, 0.5, 1.0], (N_STATES, N_ACTIONS))
        self.rules.payoff[:] = rng.random(N_STATES)

    def starts(self):
        return certain(0)

    def actions(self, state):
        return self.all_actions[: self.rules.n_actions[state]]

    def outcomes(self, state, action):
        one, other = map(int, self.rules.next[state, action])
        share = float(self.rules.chance[state, action])
        return certain(one) if share == 1.0 or one == other else weighted({one: share, other: 1.0 - share})

    def returns(self, state):
        return (float(self.rules.payoff[state]),)


def by_python(game, seed, simulations, gumbel):
    return TreeSearch(game, np.random.default_rng(seed), TreeOptions(simulations, gumbel=gumbel)).search(0)


def by_kernels(game, seed, simulations, gumbel):
    tree = CompiledTree(STATE, CHANCE, N_ACTIONS, 100)
    tree.record.exploration, tree.record.gumbel, tree.chance.stream[0] = 1.25, gumbel, seed
    return tree.search(game.rules, np.zeros((1, 1), np.uint64), simulations)


@pytest.mark.uncompiled
@pytest.mark.parametrize("search", [by_python, by_kernels])
@pytest.mark.parametrize("gumbel", [0, 3])
def test_both_trees_find_the_best_actions_of_random_games(search, gumbel):
    lost = []
    for seed in range(8):
        game = Tables(seed)
        value_of = dict(solve(game, number_type=float).action_values(0))
        found = search(game, seed, 300, gumbel)
        lost.append(max(value_of.values()) - value_of[found[0].action])
        assert found[0].value == pytest.approx(value_of[found[0].action], abs=0.12)
        assert sum(one.visits for one in found) in (299, 300)
        assert sum(one.prior for one in found) == pytest.approx(1.0)

    assert np.mean(lost) < 0.01


@pytest.mark.uncompiled
def test_threads_share_numbers_and_keep_their_trees():
    game, found = Tables(1), {}

    def search(tree, number):
        tree.clear()
        tree.chance.stream[0] = number
        found[number] = tree.search(game.rules, np.zeros((1, 1), np.uint64), 50)

    for n_threads in (1, 3):
        before, found = found, {}
        run_in_threads(lambda: CompiledTree(STATE, CHANCE, N_ACTIONS, 60), search, 7, n_threads)

    assert found == before


def test_a_tree_that_is_full_ends_the_search():
    tree = CompiledTree(STATE, CHANCE, N_ACTIONS, 6)
    tree.record.exploration = 1.0

    assert sum(one.visits for one in tree.search(Tables(1).rules, np.zeros((1, 1), np.uint64), 50)) < 50


def test_games_need_rules_of_their_own_and_kernels():
    compiled.legal.register(TABLES, legal)  # again
    with pytest.raises(ValueError, match="legal has a kernel for rules of this dtype"):
        compiled.legal.register(TABLES, step)
    with pytest.raises(TypeError, match="no game has registered legal"):
        compiled.legal(np.zeros(1, CHANCE)[0], None, None)


def test_both_trees_find_the_best_move_of_a_fight():
    table = Table("Cultist 20, Dark Strike", hand="Bash, 2 Strike, Defend", draw="2 Strike, 3 Defend", you="hp 12")
    value_of = {one.action: one.value for one in solve_moves(table.game, table.state)}
    best = max(value_of.values())
    rng = np.random.default_rng(1)

    fast = Searcher(table.game, options=FightSearchOptions(400)).search(table.state, rng)
    slow = TreeSearch(table.game, rng, TreeOptions(200)).search(table.state)

    assert best - value_of[fast[0].action] < 0.01 * best
    assert best - value_of[slow[0].action] < 0.01 * best
    assert fast[0].value == pytest.approx(best, abs=0.05 * best)
