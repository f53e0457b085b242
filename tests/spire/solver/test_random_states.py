"""Exact values of random states of fights in progress, against simulation, foresight and an independent enumeration."""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from hashlib import blake2b

import numpy as np
import pytest

from evodom.solving import Cyclic, Limits, TooLarge, solve
from evodom.spire.content.enemies import ENEMIES
from evodom.spire.engine import layout as at
from evodom.spire.engine.game import SpireFight
from evodom.spire.engine.moves import END, hp_left
from evodom.spire.fights.fight import Fight
from evodom.spire.fights.states import state_from_fight
from evodom.spire.solver.answer import FightTooLarge, SolvedFight, SolverLimits
from evodom.spire.solver.solver import Solver
from tests.effort import effort
from tests.oracles.spire.board import Combat, Enemy
from tests.oracles.spire.fight import CardFight, FightSetup, PlayerTurn
from tests.spire.solver.random_states import ALL, OF_COLOURLESS_CARDS, OF_ORACLE, Pool, random_fight

N_STATES = effort(300, 30, 10)
"""Number of states. Every fifth is a state that the oracle supports."""
N_ENUMERATED = effort(60, 6, 6)
"""Number of states that the oracle enumerates."""

MAX_STATES = 60
"""Maximum size of an enumeration. Larger fights are drawn again."""


@dataclass(frozen=True)
class Begun:
    """A random fight in progress, and its state."""

    fight: Fight
    game: SpireFight
    state: bytes

    def solve(self, *, fractions: bool) -> SolvedFight:
        """Solve the state. Raise `FightTooLarge` if its graph is large."""
        limits = SolverLimits(chance_nodes=1000, memory=1 << 28)
        return Solver(self.game, self.fight.payoff, limits, fractions=fractions).solve_position(self.state)

    def payoff(self, state: bytes) -> float:
        """Return the payoff of a state at the end of the fight."""
        record, (hp, win, potion, gain) = self.game.view(state), self.fight.payoff.prices(self.game.rules.max_hp)
        survived = record.over in (at.WON, at.FLED)
        paid = hp * hp_left(self.game.record, record) + (win + gain * record.gained) * survived
        return float(paid - potion * record.used)

    @property
    def extremes(self) -> tuple[float, float]:
        """A low and a high payoff."""
        hp, win, potion, _ = self.fight.payoff.prices(self.game.rules.max_hp)
        return -potion * len(self.game.rules.potions), hp * self.game.rules.max_hp + win

    def simulated(self, seed: int) -> float:
        """Return the payoff of one game of a simple policy: a random move, and the end of a turn one time in eight."""
        rng, state = np.random.default_rng(seed), self.state
        while moves := self.game.actions(state):
            others = [move for move in moves if move != END]
            move = int(rng.choice(others)) if others and rng.random() < 0.875 else moves[0]
            state = self.game.sample(state, move, rng)
        return self.payoff(state)

    def foreseen(self, world: int) -> float:
        """Return the highest payoff if the player knows the random results of a world. Raise `TooLarge` if it is hard.

        The result of a move in a state is a function of world, state and move.
        """
        known: dict[bytes, float] = {}

        def value(state: bytes) -> float:
            if state not in known:
                if len(known) == MAX_STATES:
                    raise TooLarge("the foreseen fight is too large")
                known[state] = -np.inf  # a state that recurs gains nothing
                moves = self.game.actions(state)
                after = [self.game.sample(state, move, World(world, state, move)) for move in moves]
                known[state] = max(map(value, after)) if moves else self.payoff(state)
            return known[state]

        return value(self.state)


@dataclass(frozen=True)
class World:
    """A generator of one number that depends on a world, a state and a move."""

    number: int
    state: bytes
    move: int

    def integers(self, high: int, dtype: type) -> int:
        key = b"%d %d" % (self.number, self.move)
        return dtype(int.from_bytes(blake2b(self.state, key=key, digest_size=8).digest()))


@cache
def small(number: int, pool: Pool) -> tuple[Begun, SolvedFight, list[float]]:
    """Return a small fight of a number, its solution, and its payoffs with foresight."""
    for attempt in range(200):
        fight = random_fight(number, attempt, pool)
        game = SpireFight(fight.setup)
        case = Begun(fight, game, state_from_fight(fight, game))
        try:
            foreseen = [case.foreseen(world) for world in range(8)]
            return case, case.solve(fractions=pool is OF_ORACLE), foreseen
        except (FightTooLarge, TooLarge):
            continue
    raise AssertionError(f"all random fights number {number} are large")


def bound(payoffs: Sequence[float], extreme: float, errors: float) -> float:
    """Return the mean of sampled payoffs plus a number of standard errors. An `extreme` stands for rare payoffs."""
    sample = np.array([*payoffs, extreme])
    return float(sample.mean() + errors * sample.std(ddof=1) / np.sqrt(len(sample)))


@pytest.mark.parametrize("part", [0, 1, *(pytest.param(part, marks=pytest.mark.full) for part in (2, 3, 4))])
def test_values_are_between_a_simple_policy_and_foresight(part):
    for number in range(part, N_STATES, 5):
        case, found, foreseen = small(number, OF_ORACLE if part == 0 else ALL)
        played = [case.simulated(seed) for seed in range(12)]
        low, high = bound(played, case.extremes[0], -4), bound(foreseen, case.extremes[1], 4)

        assert low - 1e-9 <= found.value <= high + 1e-9, case.fight
        assert found.value == pytest.approx(max(value for _, value in found.moves)), case.fight


def test_values_equal_a_plain_search_of_the_engine_with_colourless_cards():
    n_equal = 0
    for number in range(effort(300, 2, 1)):
        case, found, _ = small(number, OF_COLOURLESS_CARDS)
        game = copy(case.game)
        game.returns = lambda state, case=case: (case.payoff(state),)
        try:
            searched = solve(game, case.state, limits=Limits(states=100 * MAX_STATES))
        except (Cyclic, TooLarge):
            continue
        assert found.value == pytest.approx(searched.value, rel=1e-9, abs=1e-9), case.fight
        n_equal += 1

    assert n_equal >= effort(200, 1, 0)


@pytest.mark.full
def test_the_random_states_have_all_statuses_relics_potions_and_encounters():
    cases = [small(number, ALL)[0] for number in range(N_STATES) if number % 5]
    statuses = {name for case in cases for name in case.fight.state.statuses}
    enemies = [enemy for case in cases for enemy in case.fight.state.enemies]

    assert statuses == {*ALL.statuses}
    assert {name for enemy in enemies for name in enemy.statuses} >= {*ALL.enemy_statuses}
    assert {name for case in cases for name in case.fight.setup.relics} == {*ALL.relics}
    assert {name for case in cases for name in case.fight.setup.potions} == {*ALL.potions}
    assert {enemy.name for enemy in enemies} == {*ENEMIES}


def turn_of(fight: Fight) -> tuple[CardFight, PlayerTurn]:
    """Return a fight in progress as a game and a state of the oracle."""
    setup, state = fight.setup, fight.state
    names = tuple(enemy.name for enemy in state.enemies)
    hp, max_hp, deck = setup.player()
    game = CardFight(
        FightSetup(
            enemies=names, ascension=setup.ascension, deck=deck, hp=hp, max_hp=max_hp, relics=setup.relics,
            max_turns=setup.max_turns, potions=setup.potions,
        )
    )  # fmt: skip
    enemies = tuple(
        Enemy(one.name, one.hp, one.block, one.intent, one.history, amounts(one.statuses | asleep(one.intent)))
        for one in state.enemies
    )
    combat = Combat(state.block, state.energy, game.rules.counted(state.turn), amounts(state.statuses), enemies)
    piles = [amounts(pile) for pile in (state.hand, state.draw, state.discard)]
    return game, PlayerTurn(hp, combat, *piles, setup.potions)


def amounts(counts):
    return tuple(sorted((name, n) for name, n in counts.items() if n))


def asleep(intent):
    return {"Asleep": 1} if intent in ("Sleep", "Wake") else {}


def test_values_equal_an_independent_enumeration_in_fractions():
    n_equal = 0
    for number in range(0, 5 * N_ENUMERATED, 5):
        case, found, _ = small(number, OF_ORACLE)
        game, start = turn_of(case.fight)
        try:
            enumerated = solve(game, start, limits=Limits(states=100 * MAX_STATES))
        except (Cyclic, TooLarge):
            continue
        assert found.exact.value == Fraction(enumerated.value), case.fight
        n_equal += 1

    assert n_equal >= N_ENUMERATED - 2
