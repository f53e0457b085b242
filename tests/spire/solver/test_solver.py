"""The compiled solver: hand-computed fights, what it may leave out, its limits, and the whole against other solvers."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from evodom.distribution import certain
from evodom.solve import as_point, solve, solve_or_bound
from evodom.spire.engine.game import SpireFight
from evodom.spire.engine.rules import Setup
from evodom.spire.fights import Payoff
from evodom.spire.solver.answer import SolverLimits
from evodom.spire.solver.graph import OUTCOMES_FULL, POSITIONS_FULL, SOLVER_WORKSPACE, FightTooLarge, Graph
from evodom.spire.solver.solve import solve_moves
from evodom.spire.solver.solver import Solver
from tests.oracles.spire.fight import CardFight, FightSetup

SMALL = {"Strike": 3, "Defend": 2, "Bash": 1}
TINY = {"Strike": 2, "Defend": 1, "Bash": 1}


def fight_of(*enemies, relics=(), **options):
    return SpireFight(Setup(enemies=certain(enemies), relics=relics, **options))


def solved(*enemies, payoff=None, memory=None, **options):
    return Solver(fight_of(*enemies, **options), payoff, SolverLimits(memory=memory)).solve()


def by_hand(hand, *, hp, enemy_hp, payoff=None, **options):
    """Return the values by name of the moves with a hand against a Cultist that is about to strike for 6."""
    game = fight_of("Cultist", deck=Counter(hand), hp=hp, enemy_hp=(enemy_hp,), **options)
    state = game.start(np.random.default_rng(1))
    record = game.view(state).copy()
    record.intent[1] = next(place for place, name in enumerate(game.rules.intents) if name == "Dark Strike")
    found = Solver(game, payoff).solve_position(record.tobytes())
    return {game.action_name(move): value for move, value in found.moves}


# By hand.


def test_a_fight_that_one_strike_wins_costs_nothing():
    assert solved("Cultist", deck={"Strike": 1}, hp=40, enemy_hp=(6,)).value == 40


def test_every_move_of_a_position_has_its_value():
    # 18 HP are three Strikes, and all energy. A Defend leaves 1 of the 6 damage; after it two Strikes wait a turn.
    values = by_hand({"Strike": 3, "Defend": 1}, hp=20, enemy_hp=18)

    assert values == {"Strike at enemy 1": 20, "Defend": 19, "end": 14}


def test_what_is_drawn_counts_by_its_chance():
    # One of three cards is left for the second turn; each of the three Strikes is needed, so the hand decides.
    deck = {"Strike": 1, "Wound": 5}
    found = solved("Cultist", deck=deck, hp=10, enemy_hp=(6,))

    # The Strike is in five of six first hands; otherwise it comes in the second turn, before the Cultist has struck.
    assert found.value == 10
    assert found.results.pairs() == [(10, 1.0)]


def test_a_fight_that_cannot_be_won_pays_nothing():
    found = solved("Cultist", deck={"Defend": 1}, hp=10, enemy_hp=(6,), max_turns=3)

    assert (found.value, found.results.death) == (0, 1)


def test_the_chance_of_death_is_that_of_the_hands_that_lose():
    # With 6 HP only a first hand without the Strike dies: Incantation comes first, Dark Strike costs 6 in turn 2.
    deck = {"Strike": 1, "Wound": 14}
    found = solved("Cultist", deck=deck, hp=6, enemy_hp=(6,))

    assert found.results.death == pytest.approx(1 - Fraction(10, 15))
    assert found.value == pytest.approx(4)


# Payoffs and potions.


def test_a_potion_is_used_if_it_is_worth_its_price():
    options = {"hp": 20, "enemy_hp": 20, "potions": ("Fire Potion",)}
    free = by_hand({"Defend": 1, "Strike": 1}, **options)
    dear = by_hand({"Defend": 1, "Strike": 1}, payoff=Payoff(potion=15), **options)

    assert free["Fire Potion (1) at enemy 1"] == 20
    assert dear["Fire Potion (1) at enemy 1"] == 5
    assert dear["Strike at enemy 1"] > dear["Fire Potion (1) at enemy 1"]


def test_a_win_counts_the_same_with_any_hp():
    found = solved("Cultist", deck={"Strike": 1, "Wound": 14}, hp=6, enemy_hp=(6,), payoff=Payoff("win"))

    assert found.value == pytest.approx(10 / 15)
    assert found.results.mean() == pytest.approx(4)


def test_both_is_half_of_each():
    options = {"deck": {"Strike": 1, "Wound": 14}, "hp": 6, "max_hp": 60, "enemy_hp": (6,)}
    found = solved("Cultist", payoff=Payoff("both"), **options)

    assert found.value == pytest.approx((10 / 15 + found.results.mean() / 60) / 2)


def test_what_is_gained_has_its_prize():
    found = solved("Cultist", deck={"Feed": 1}, hp=40, enemy_hp=(10,), payoff=Payoff(gain=2))

    assert found.value == 43 + 2 * 3
    assert found.results.pairs() == [(43, 1.0)]


def test_a_fairy_saves_where_hp_are_part_of_the_state():
    found = solved("Cultist", deck={"Defend": 1}, hp=3, max_hp=80, enemy_hp=(6,), potions=("Fairy in a Bottle",))

    assert found.results.death == 1  # nobody wins with Defends alone, fairy or not


def test_burning_blood_heals_up_to_the_maximum():
    found = solved("Cultist", deck={"Strike": 1}, hp=38, max_hp=40, enemy_hp=(6,), relics=("Burning Blood",))

    assert found.value == 40


# Against the oracle.

FIGHTS = [
    (("Cultist",), {"deck": SMALL, "hp": 30, "enemy_hp": (42,)}),
    (("Gremlin Nob",), {"deck": SMALL, "hp": 40, "enemy_hp": (45,)}),
    (("Jaw Worm",), {"deck": TINY, "hp": 14, "enemy_hp": (24,)}),
    (("Lagavulin",), {"deck": SMALL, "hp": 30, "enemy_hp": (40,)}),
    (("Red Louse", "Green Louse"), {"deck": {"Strike": 2, "Defend": 1, "Wound": 1}, "hp": 8, "enemy_hp": (7, 6)}),
    (("Gremlin Nob",), {"deck": SMALL | {"Pommel Strike": 1, "Shrug It Off": 1}, "hp": 24, "enemy_hp": (40,)}),
    (("Cultist",), {"deck": TINY | {"True Grit": 1, "Inflame": 1}, "hp": 10, "enemy_hp": (40,)}),
    (("Cultist",), {"deck": SMALL, "hp": 20, "enemy_hp": (45,), "relics": ("Burning Blood", "Vajra", "Anchor")}),
    (("Fat Gremlin", "Sneaky Gremlin"), {"deck": TINY, "hp": 15, "enemy_hp": (14, 14)}),
]


@pytest.mark.parametrize(("enemies", "options"), FIGHTS, ids=lambda part: part[0] if isinstance(part, tuple) else "")
def test_values_are_those_of_the_oracle(enemies, options):
    exact = solve_or_bound(CardFight(FightSetup(enemies=enemies, **options)), number_type=float)
    found = solved(*enemies, **options)

    assert found.value == pytest.approx(float(as_point(exact.value)), abs=1e-9)
    assert found.results.mean() == pytest.approx(found.value, abs=1e-8)
    assert sum(chance for _, chance in found.results.pairs()) == pytest.approx(1)


def test_the_published_value_comes_out():
    assert solved("Cultist").value == pytest.approx(32627274131 / 513429840, abs=1e-12)


def test_a_limit_of_turns_bounds_from_both_sides_as_the_oracle_does():
    options = {"deck": SMALL, "hp": 20, "enemy_hp": (29,), "max_turns": 2}
    setup = FightSetup(enemies=("Acid Slime (M)",), **options)
    found = solved("Acid Slime (M)", **options)

    assert found.value == pytest.approx(float(solve(CardFight(setup)).value), abs=1e-9)
    assert found.upper_bound == pytest.approx(float(solve(CardFight(setup, late_pays=True)).value), abs=1e-9)


def test_positions_that_come_back_are_bounded():
    found = solved("Spike Slime (S)", deck={"Strike": 1, "Defend": 9}, hp=12, enemy_hp=(12,))
    exact = solve_or_bound(
        CardFight(FightSetup(enemies=("Spike Slime (S)",), deck={"Strike": 1, "Defend": 9}, hp=12, enemy_hp=(12,)))
    )

    assert found.value == pytest.approx(float(as_point(exact.value)), abs=1e-7)


# Against the whole game, state by state.

WHOLE = [
    (("Jaw Worm",), {"deck": {"Strike": 2, "Defend": 2, "Feed": 1}, "hp": 16, "enemy_hp": (23,)}),
    (("Jaw Worm",), {"deck": {"Strike": 3, "Wild Strike": 1, "Havoc": 1, "Defend": 1}, "hp": 16, "enemy_hp": (37,)}),
    (("Mad Gremlin", "Shield Gremlin"), {"deck": {"Strike": 3, "Whirlwind": 1}, "hp": 7, "enemy_hp": (12, 13)}),
    (("Jaw Worm",), {"deck": {"Strike": 3, "Burning Pact": 1, "Evolve": 1, "Wound": 2}, "hp": 13, "enemy_hp": (30,)}),
    (("Jaw Worm",), {"deck": {"Strike": 2, "Defend": 1, "Warcry": 1, "Reaper": 1}, "hp": 15, "enemy_hp": (22,)}),
    (("Jaw Worm",), {"deck": {"Strike": 2, "Dazed": 3}, "hp": 11, "enemy_hp": (25,), "potions": ("Blood Potion",)}),
    (("Jaw Worm",), {"deck": {"Strike": 2, "Headbutt": 1, "Wound": 2}, "hp": 14, "enemy_hp": (24,)}),
    (("Spike Slime (L)",), {"deck": {"Strike": 1, "Bludgeon": 1}, "hp": 20, "enemy_hp": (40,)}),
    (("Sentry", "Sentry"), {"deck": {"Cleave": 1, "Fire Breathing": 1}, "hp": 12, "enemy_hp": (12, 9)}),
]  # fmt: skip
"""Small fights with what the oracle does not know: they are played twice, with a limit of two turns."""


@pytest.mark.parametrize(("enemies", "options"), WHOLE)
def test_values_are_those_of_the_game_state_by_state(enemies, options):
    whole = solve(fight_of(*enemies, max_turns=2, **options), number_type=float)

    assert solved(*enemies, max_turns=2, **options).value == pytest.approx(float(whole.value), abs=1e-9)


def test_the_moves_of_a_position_are_those_of_the_game_state_by_state():
    game = fight_of("Jaw Worm", deck=SMALL, hp=14, enemy_hp=(32,), max_turns=2)
    state = game.start(np.random.default_rng(3))
    solution = solve(game, state, number_type=float)

    found = solve_moves(game, state)

    assert {one.action: one.value for one in found} == pytest.approx(
        {one.action: one.value for one in solution.action_values(state)}, abs=1e-9
    )
    assert found[0].value == max(one.value for one in found)


# Limits.


def test_too_little_memory_is_refused():
    with pytest.raises(FightTooLarge, match="GiB of memory are needed"):
        solved("Gremlin Nob", memory=1 << 20)


def test_starts_are_solved_in_parts_where_the_memory_is_short():
    whole = solved("Cultist", deck=SMALL, hp=20)
    least = Solver(fight_of("Cultist", deck=SMALL, hp=20, enemy_hp=(56,)))._graph.n_bytes
    parts = solved("Cultist", deck=SMALL, hp=20, memory=least + (1 << 19))

    assert parts.value == pytest.approx(whole.value, abs=1e-12)


def test_moves_that_take_too_much_are_not_told():
    game = fight_of("Gremlin Nob")
    state = game.start(np.random.default_rng(1))

    assert solve_moves(game, state, max_states=500) is None


def test_a_fight_that_need_not_end_is_refused():
    with pytest.raises(FightTooLarge):
        solved("Acid Slime (M)", hp=20, enemy_hp=(29,), memory=12 << 20)


def test_what_grows_together_stays_equally_long(monkeypatch):
    monkeypatch.setattr("evodom.spire.solver.graph.LARGE_ARRAY", 1 << 20)
    graph, work = Graph(10, None, None), np.zeros(1, SOLVER_WORKSPACE)[0]
    for _ in range(6):
        graph.grow(OUTCOMES_FULL, work)
        graph.grow(POSITIONS_FULL, work)

    assert len(graph.words) == len(graph.outcomes) > 4000
    assert len(graph.position_words) == len(graph.positions) > 1000
