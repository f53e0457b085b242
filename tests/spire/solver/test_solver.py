"""The compiled solver: values computed by hand, comparisons with two other solvers, and limits."""

import itertools
from collections import Counter
from functools import cache

import numpy as np
import pytest

from evodom.distribution import certain
from evodom.errors import EvodomError
from evodom.solving import solve
from evodom.spire.engine.compiler import Setup
from evodom.spire.engine.game import SpireFight
from evodom.spire.engine.moves import END
from evodom.spire.fights import Payoff
from evodom.spire.solver.answer import FightTooLarge, GraphSize, SolverLimits
from evodom.spire.solver.building import GrowableArray
from evodom.spire.solver.solve import solve_moves
from evodom.spire.solver.solver import Solver
from tests.oracles.spire.fight import CardFight, FightSetup, TurnAction
from tests.spire.engine.helpers import Table

SMALL = {"Strike": 3, "Defend": 2, "Bash": 1}
TINY = {"Strike": 2, "Defend": 1, "Bash": 1}
LATE = {"Strike": 1, "Wound": 14}
DRAWING = {"Strike": 2, "Bash": 1, "Pommel Strike": 1, "Shrug It Off": 1}
CHOOSING = {"Strike": 1, "Bash": 1, "True Grit": 1, "Inflame": 1}


def fight_of(*enemies, relics=(), **options):
    return SpireFight(Setup(enemies=certain(enemies), relics=relics, **options))


def solved(*enemies, payoff=None, memory=None, **options):
    return Solver(fight_of(*enemies, **options), payoff, SolverLimits(memory=memory)).solve()


def move_values(hand, *, hp, enemy_hp, payoff=None, **options):
    """Return the values of the moves of a hand, by name. The Cultist attacks for 6."""
    game = fight_of("Cultist", deck=Counter(hand), hp=hp, enemy_hp=(enemy_hp,), **options)
    record = game.view(game.start(np.random.default_rng(1))).copy()
    record.intent[1] = next(place for place, name in enumerate(game.rules.intents) if name == "Dark Strike")
    found = Solver(game, payoff).solve_position(record.tobytes())
    return {game.action_name(move): value for move, value in found.moves}


# Computed by hand.


@pytest.mark.parametrize(
    ("relics", "hp", "value"),
    [
        (("Face of Cleric",), 20, 21),
        (("Face of Cleric",), 80, 81),
        (("Face of Cleric", "Burning Blood"), 70, 77),
        (("Face of Cleric", "Burning Blood"), 78, 81),
        (("Face of Cleric", "Blood Vial"), 80, 81),  # Blood Vial: the HP are part of each state
    ],
)
def test_face_of_cleric_raises_hp_and_maximum_hp_after_a_victory(relics, hp, value):
    options = {"deck": TINY, "hp": hp, "max_hp": 80, "enemy_hp": (5,), "relics": relics}

    assert solved("Cultist", **options).value == value
    assert solved("Cultist", payoff=Payoff(gain=2.0), **options).value == value + 2


@pytest.mark.parametrize(
    ("options", "value", "results"),
    [
        # One Strike wins in the first turn.
        ({"deck": {"Strike": 1}, "hp": 40, "enemy_hp": (6,)}, 40, {40: 1}),
        ({"deck": {"Strike": 1}, "hp": 38, "max_hp": 40, "enemy_hp": (6,), "relics": ("Burning Blood",)}, 40, {40: 1}),
        # The Strike is in five of six first hands, otherwise in the second, before the Cultist attacks.
        ({"deck": {"Strike": 1, "Wound": 5}, "hp": 10, "enemy_hp": (6,)}, 10, {10: 1}),
        ({"deck": {"Defend": 1}, "hp": 10, "enemy_hp": (6,), "max_turns": 3}, 0, {0: 1}),
        # The Strike is in the first two hands with probability 2/3. Dark Strike costs 6 HP in turn 2.
        ({"deck": LATE, "hp": 6, "enemy_hp": (6,)}, 4, {6: 2 / 3, 0: 1 / 3}),
        ({"deck": LATE, "hp": 6, "enemy_hp": (6,), "payoff": Payoff("win")}, 2 / 3, {6: 2 / 3, 0: 1 / 3}),
        (
            {"deck": LATE, "hp": 6, "max_hp": 60, "enemy_hp": (6,), "payoff": Payoff("both")},
            11 / 30,
            {6: 2 / 3, 0: 1 / 3},
        ),
        ({"deck": {"Feed": 1}, "hp": 40, "enemy_hp": (10,), "payoff": Payoff(gain=2)}, 43 + 2 * 3, {43: 1}),
        # Defends cannot win, with or without a fairy.
        ({"deck": {"Defend": 1}, "hp": 3, "enemy_hp": (6,), "potions": ("Fairy in a Bottle",)}, 0, {0: 1}),
    ],
)
def test_values_computed_by_hand(options, value, results):
    found = solved("Cultist", **options)

    assert found.value == pytest.approx(value)
    assert dict(found.results.pairs()) == pytest.approx(results)
    assert found.results.death == pytest.approx(results.get(0, 0))


def test_every_move_of_a_position_has_its_value():
    # 18 HP are three Strikes, and all energy. A Defend leaves 1 of the 6 damage; after it two Strikes wait a turn.
    values = move_values({"Strike": 3, "Defend": 1}, hp=20, enemy_hp=18)

    assert values == {"Strike at enemy 1": 20, "Defend": 19, "end": 14}


def test_a_potion_is_used_if_its_value_exceeds_its_price():
    options = {"hp": 20, "enemy_hp": 20, "potions": ("Fire Potion",)}
    free = move_values({"Defend": 1, "Strike": 1}, **options)
    dear = move_values({"Defend": 1, "Strike": 1}, payoff=Payoff(potion=15), **options)

    assert free["Fire Potion (1) at enemy 1"] == 20
    assert dear["Fire Potion (1) at enemy 1"] == 5
    assert dear["Strike at enemy 1"] > dear["Fire Potion (1) at enemy 1"]


def test_a_position_with_regen_is_solved():
    """Strikes win immediately, but two Defends each turn stop the Cultist while Regen heals 5, 4 and 3."""
    table = Table("Cultist 20/48, Incantation", hand="3 Strike", draw="2 Defend", you="hp 40, Regen 5", ascension=0)
    solver = Solver(table.game, fractions=True)
    healed = Table("Cultist 20/48, Incantation", hand="3 Strike", draw="2 Defend", you="hp 40", ascension=0).state

    for _ in range(2):
        assert solver.solve_position(table.state).exact.value == 52
        assert solver.solve_position(healed).exact.value == 40


# Against the oracle.

FIGHTS = [
    (("Gremlin Nob",), {"deck": DRAWING, "hp": 20, "enemy_hp": (55,)}),
    (("Jaw Worm",), {"deck": TINY, "hp": 14, "enemy_hp": (24,)}),
    (("Lagavulin",), {"deck": TINY | {"Wound": 2}, "hp": 30, "enemy_hp": (40,)}),
    pytest.param(
        ("Red Louse", "Green Louse"),
        {"deck": {"Strike": 1, "Defend": 1}, "hp": 8, "enemy_hp": (6, 6), "max_turns": 2},
        marks=pytest.mark.full,
    ),
    (("Cultist",), {"deck": CHOOSING, "hp": 6, "enemy_hp": (50,)}),
    (("Cultist",), {"deck": TINY | {"Wound": 2}, "hp": 10, "enemy_hp": (45,), "relics": ("Burning Blood", "Vajra")}),
    (("Fat Gremlin", "Sneaky Gremlin"), {"deck": TINY, "hp": 15, "enemy_hp": (14, 14)}),
]


@pytest.mark.parametrize(("enemies", "options"), FIGHTS, ids=lambda part: part[0] if isinstance(part, tuple) else "")
def test_values_equal_those_of_the_oracle(enemies, options):
    exact = solve(CardFight(FightSetup(enemies=enemies, **options)), number_type=float)
    found = solved(*enemies, **options)

    assert found.value == pytest.approx(exact.value, abs=1e-9)
    assert found.results.mean() == pytest.approx(found.value, abs=1e-8)
    assert sum(chance for _, chance in found.results.pairs()) == pytest.approx(1)


def test_a_turn_limit_gives_the_bounds_of_the_oracle():
    options = {"deck": TINY | {"Wound": 2}, "hp": 20, "enemy_hp": (24,), "max_turns": 2}
    setup = FightSetup(enemies=("Acid Slime (M)",), **options)
    found = solved("Acid Slime (M)", **options)
    low, high = (solve(CardFight(setup, late_pays=late), number_type=float).value for late in (False, True))

    assert (found.value, found.upper_bound) == pytest.approx((low, high), abs=1e-9)
    assert low < high


def test_a_fight_with_cycles_is_solved():
    """Two Defends stop the slime's attack of 5, so that no HP are lost while the Strike is drawn twice."""
    options = {"deck": {"Strike": 1, "Defend": 9}, "hp": 12, "enemy_hp": (12,)}

    assert solved("Spike Slime (S)", **options).value == pytest.approx(12, abs=1e-7)


# Against the generic solver.

GENERIC = [
    (("Jaw Worm",), {"deck": {"Strike": 2, "Defend": 2, "Feed": 1}, "hp": 16, "enemy_hp": (23,)}),
    (("Jaw Worm",), {"deck": {"Strike": 2, "Wild Strike": 1, "Havoc": 1}, "hp": 16, "enemy_hp": (30,)}),
    (("Mad Gremlin", "Shield Gremlin"), {"deck": {"Strike": 3, "Whirlwind": 1}, "hp": 7, "enemy_hp": (12, 13)}),
    (("Jaw Worm",), {"deck": {"Strike": 1, "Burning Pact": 1, "Evolve": 1, "Wound": 3}, "hp": 13, "enemy_hp": (12,)}),
    (("Jaw Worm",), {"deck": {"Strike": 1, "Warcry": 1, "Reaper": 1, "Wound": 2}, "hp": 15, "enemy_hp": (12,)}),
    (("Jaw Worm",), {"deck": {"Strike": 2, "Dazed": 4}, "hp": 13, "enemy_hp": (18,), "potions": ("Blood Potion",)}),
    (("Jaw Worm",), {"deck": {"Strike": 2, "Headbutt": 1, "Wound": 2}, "hp": 14, "enemy_hp": (24,)}),
    (("Spike Slime (L)",), {"deck": {"Strike": 1, "Bludgeon": 1}, "hp": 40, "enemy_hp": (34,)}),
    (("Sentry", "Sentry"), {"deck": {"Cleave": 1, "Fire Breathing": 1}, "hp": 12, "enemy_hp": (12, 9)}),
]  # fmt: skip
"""Small fights with rules that the oracle does not support, with a limit of two turns."""


@pytest.mark.parametrize(("enemies", "options"), GENERIC)
def test_values_equal_those_of_the_generic_solver(enemies, options):
    whole = solve(fight_of(*enemies, max_turns=2, **options), number_type=float)

    assert solved(*enemies, max_turns=2, **options).value == pytest.approx(float(whole.value), abs=1e-9)


def test_moves_of_a_position_equal_those_of_the_generic_solver():
    game = fight_of("Jaw Worm", deck=SMALL, hp=14, enemy_hp=(32,), max_turns=2)
    state = game.start(np.random.default_rng(3))
    solution = solve(game, state, number_type=float)

    found = solve_moves(game, state)

    assert {one.action: one.value for one in found} == pytest.approx(
        {one.action: one.value for one in solution.action_values(state)}, abs=1e-9
    )
    assert found[0].value == max(one.value for one in found)


# Guaranteed values and tie-breaks, against an enumeration.


def enumerated(game, ends_turn):
    """Return the guaranteed HP and their mean, and the mean HP and minus the number of ended turns."""

    def joined(outcomes, turns=0):
        parts = [(best(state), probability) for state, probability in outcomes]
        means = [[sum(p * part[kind][n] for part, p in parts) for n in (0, 1)] for kind in (0, 1)]
        return (min(part[0][0] for part, _ in parts), means[0][1]), (means[1][0], means[1][1] - turns)

    @cache
    def best(state):
        parts = [joined(game.outcomes(state, move), ends_turn(state, move)) for move in game.actions(state)]
        hp = game.returns(state)[0] if not parts else 0
        return tuple(max(part) for part in zip(*parts, strict=True)) or ((hp, hp), (hp, 0))

    return joined(game.starts())


def ends_turn(game):
    """Return a function of a state and a move: whether the move ends the turn."""
    if isinstance(game, CardFight):
        return lambda _, move: move == TurnAction.END
    return lambda state, move: move == END and not game.view(state).choosing


@pytest.mark.parametrize(
    ("of", "enemies", "options"),
    [
        (CardFight, *FIGHTS[4]),
        (CardFight, *FIGHTS[6]),
        *((fight_of, enemies, options | {"max_turns": 2}) for enemies, options in GENERIC[1:2]),
    ],
)
def test_guaranteed_values_and_tie_breaks_equal_an_enumeration(of, enemies, options):
    game = CardFight(FightSetup(enemies=enemies, **options)) if of is CardFight else of(*enemies, **options)
    guaranteed, fastest = enumerated(game, ends_turn(game))
    worst = solved(*enemies, payoff=Payoff("guaranteed"), **options)
    fast = Solver(fight_of(*enemies, **options), Payoff(tie="turns"), fractions=True).solve()

    assert worst.value == guaranteed[0] == min(hp for hp, chance in worst.results.pairs() if chance > 0)
    assert worst.results.mean() == pytest.approx(float(guaranteed[1]), abs=1e-9)
    assert (fast.exact.value, fast.turns) == (fastest[0], pytest.approx(-float(fastest[1]), abs=1e-9))


# Limits.


@pytest.mark.parametrize(
    ("before", "after", "total"),
    [
        # 60 nodes are expanded and 30 added: each of the 40 waiting nodes adds 1/2 + 1/4 + ... = 1 node.
        ((100, 70), (130, 40), 170),
        ((100, 70), (160, 70), None),
        ((100, 70), (100, 0), 100),
        ((100, 70), (50, 10), None),  # a new graph
        ((100, 70), (100, 70), None),
    ],
)
def test_the_final_size_of_a_graph_is_estimated(before, after, total):
    assert GraphSize(*after, 0).estimated_total(GraphSize(*before, 0)) == total


def test_the_size_of_a_growing_graph_is_reported(monkeypatch):
    monkeypatch.setattr("evodom.spire.solver.building.MOVES_PER_CALL", 20_000)
    sizes = []
    found = Solver(fight_of("Gremlin Nob"), progress=sizes.append).solve()
    estimates = [after.estimated_total(before) for before, after in itertools.pairwise(sizes)]

    assert len(sizes) > 4
    assert sizes[-1].waiting < 0.01 * sizes[-1].chance_nodes  # nodes that are not reached alive
    assert sizes[-1].chance_nodes >= found.effort.chance_nodes > 0.9 * sizes[-1].chance_nodes
    assert [size.chance_nodes for size in sizes] == sorted(size.chance_nodes for size in sizes)
    assert estimates[-1] == pytest.approx(found.effort.chance_nodes, rel=0.02)


def test_a_graph_beyond_the_memory_limit_is_refused():
    with pytest.raises(FightTooLarge, match="GiB of memory are needed"):
        solved("Gremlin Nob", memory=1 << 20)


def test_starts_are_solved_in_parts_within_a_small_memory_limit():
    whole = solved("Cultist", deck=SMALL, hp=20)
    least = Solver(fight_of("Cultist", deck=SMALL, hp=20, enemy_hp=(56,)))._graph.n_bytes
    parts = solved("Cultist", deck=SMALL, hp=20, memory=least + (1 << 19))

    assert parts.value == pytest.approx(whole.value, abs=1e-12)


def test_moves_of_a_graph_beyond_the_limit_are_none():
    game = fight_of("Gremlin Nob")

    assert solve_moves(game, game.start(np.random.default_rng(1)), max_chance_nodes=500) is None


def test_the_limit_of_moves_does_not_depend_on_earlier_graphs():
    game = fight_of("Jaw Worm", deck=SMALL, hp=8, enemy_hp=(30,))
    starts = [game.start(np.random.default_rng(seed)) for seed in range(4)]

    def is_solved(solver, state):
        try:
            return bool(solver.move_estimates(state))
        except FightTooLarge:
            return False

    alone = [is_solved(Solver(game, limits=SolverLimits.below(1930)), state) for state in starts]
    solver = Solver(game, limits=SolverLimits.below(1930))
    assert alone == [is_solved(solver, state) for state in reversed(starts)][::-1]
    assert alone == [False, True, True, True]  # 58,088, 57,824 and 14,332 moves of at most 57,900
    with pytest.raises(FightTooLarge, match="more than 2,000 moves"):
        Solver(game, limits=SolverLimits(moves=2000)).solve()


def test_a_fight_in_which_cards_can_be_made_without_end_is_refused():
    game = fight_of("Cultist", deck={"True Grit": 2}, relics=("Dead Branch",))

    with pytest.raises(EvodomError, match="cards can be made without end in this fight, so it cannot be solved"):
        Solver(game, limits=SolverLimits(memory=1 << 30)).solve()


def test_a_fight_that_can_last_forever_is_refused():
    with pytest.raises(FightTooLarge):
        solved("Acid Slime (M)", hp=20, enemy_hp=(29,), memory=12 << 20)


def test_a_growable_array_keeps_its_entries(monkeypatch):
    monkeypatch.setattr("evodom.spire.solver.building.LARGE_ARRAY", 3 << 19)
    reserved = []
    table = GrowableArray(np.arange(400), lambda n: np.full(2 * n, -1), has_words=True)
    table.words[:, 0] = np.arange(400)
    for n in (800, 1200):  # it doubles up to LARGE_ARRAY bytes
        assert table.next_length() == n
        table.grow(n, reserved.append)

    assert table.records.tolist() == table.words[:, 0].tolist() == [*range(400), *[0] * 800]
    assert len(table.index) == 2400
    assert reserved[3:] == [table.words.nbytes, table.records.nbytes, table.index.nbytes]
