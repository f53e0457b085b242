"""Compute battles of Risk: exact odds, simulated odds, and when to stop an invasion.

`attackers` counts every unit in the attacking territory. One of them must stay behind, so that the attacker throws
min(3, `attackers - 1`) dice. (Published tables often leave that unit out; Osborne's A is `attackers - 1`.) The defender
throws up to two dice. The highest dice are compared, then the second highest if both sides threw two. The lower die
loses a unit; the attacker loses ties. An invasion succeeds when no defenders are left. It fails when fewer than two
attackers are left.

>>> dict(battle(Battlefield(2, 1)))
{Battlefield(attackers=1, defenders=1): Fraction(7, 12), Battlefield(attackers=2, defenders=0): Fraction(5, 12)}
>>> success_probability(3, 3), success_probability(20, 20, number_type=float)
(Fraction(692225, 3359232), 0.5774574026425447)

All odds are counted over all results of the dice. The odds of a throw that costs k units are multiples of
1 / `_unit() ** k`. The odds of an invasion are multiples of 1 / `_unit()` to the power of all its units, so that
integers suffice to compute them. Floats are the exact odds, rounded once at the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from functools import cache
from itertools import islice, product
from math import lcm, sqrt
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar, cast

from evodom.distribution import Distribution, certain, uniform, weighted
from evodom.errors import UsageError
from evodom.games import ListedGame

if TYPE_CHECKING:
    import numpy as np
    from numpy.random import Generator as Rng

    from evodom.games import Policy

N = TypeVar("N", Fraction, float)

MAX_UNITS = 500
"""Maximum number of units on one side."""

MAX_ATTACKER_DICE = 3
MAX_DEFENDER_DICE = 2
THROWS = tuple(product(range(1, MAX_ATTACKER_DICE + 1), range(1, MAX_DEFENDER_DICE + 1)))
DIE = uniform(range(1, 7))

CHUNK = 100_000
"""Invasions simulated in one step. Their dice fit into the processor's cache."""

Column = list[int]
"""Chances of a attackers against d = 0, 1, 2, ... defenders, each times `_unit() ** (a + d)`."""


class NotEnough(UsageError):
    """The largest army allowed has less than the wanted probability of success."""


class Battlefield(NamedTuple):
    """The units on both sides. `attackers` includes the unit that must stay behind."""

    attackers: int
    defenders: int

    @property
    def won(self) -> bool:
        """True if no defender is left."""
        return self.defenders == 0

    @property
    def over(self) -> bool:
        """True if the invasion has succeeded or failed."""
        return self.won or self.attackers < 2

    @property
    def dice(self) -> tuple[int, int]:
        """The numbers of dice of attacker and defender."""
        return max(0, min(MAX_ATTACKER_DICE, self.attackers - 1)), min(MAX_DEFENDER_DICE, self.defenders)


class Losses(NamedTuple):
    """The units that each side loses in a throw."""

    attackers: int
    defenders: int


class SimulatedChance(NamedTuple):
    """A simulated probability and its standard error."""

    probability: float
    standard_error: float


def battle(field: Battlefield) -> Distribution[Battlefield]:
    """Return the distribution of the battlefield after one throw. If the invasion is over, it is unchanged."""
    attackers, defenders = field = _checked(*field)
    if field.over:
        return certain(field)
    return losses(*field.dice).map(lambda lost: Battlefield(attackers - lost.attackers, defenders - lost.defenders))


def invade(field: Battlefield) -> Distribution[Battlefield]:
    """Return the distribution of the final battlefield of an invasion without stopping."""
    field = _checked(*field)
    odds, unit = _odds(), _unit()
    reached = [[0] * (field.defenders + 1) for _ in range(field.attackers + 1)]
    reached[field.attackers][field.defenders] = 1
    ends: list[tuple[Battlefield, int]] = []
    for attackers in range(field.attackers, -1, -1):
        row = reached[attackers]
        for defenders in range(field.defenders, -1, -1):
            weight, here = row[defenders], Battlefield(attackers, defenders)
            if not weight:
                continue
            if here.over:
                ends.append((here, weight * unit ** sum(here)))
                continue
            for lost, share in odds[here.dice]:
                reached[attackers - lost.attackers][defenders - lost.defenders] += weight * share
    return Distribution(ends, unit ** sum(field)).merge()


@cache
def losses(attacker_dice: int, defender_dice: int) -> Distribution[Losses]:
    """Return the distribution of the losses of a throw, counted over all results of the dice."""
    defence = _throw(defender_dice)
    return _throw(attacker_dice).bind(lambda attack: defence.map(lambda defend: _compare(attack, defend))).merge()


def success_probability(attackers: int, defenders: int, *, number_type: type[N] = Fraction) -> N:  # type: ignore[assignment]
    """Return the probability that the invasion succeeds, as a Fraction or as a float."""
    _checked(attackers, defenders)
    column = next(islice(_columns(defenders), attackers, None))
    return _as_number(column[defenders], attackers + defenders, number_type)


def success_table(
    attackers: int,
    defenders: int,
    *,
    number_type: type[N] = Fraction,  # type: ignore[assignment]  # a default for a type variable
) -> list[list[N]]:
    """Return the probabilities of success of 0 to `attackers` units (rows) against 0 to `defenders` (columns)."""
    _checked(attackers, defenders)
    columns = islice(_columns(defenders), attackers + 1)
    return [
        [_as_number(chance, a + d, number_type) for d, chance in enumerate(column)] for a, column in enumerate(columns)
    ]


def smallest_army(
    defenders: int,
    min_probability: Fraction | float,
    *,
    number_type: type[N] = Fraction,  # type: ignore[assignment]  # a default for a type variable
    max_attackers: int = MAX_UNITS,
) -> tuple[int, N]:
    """Return the least number of attackers that succeed with `min_probability` or more, and their probability.

    Raises UsageError unless 0 < `min_probability` < 1 (no army is certain to succeed), NotEnough if `max_attackers` are
    too few.
    """
    _checked(max_attackers, defenders)
    if not 0 < min_probability < 1:
        raise UsageError(f"the wanted probability must be above 0 and below 1, got {min_probability}")
    for attackers, column in enumerate(islice(_columns(defenders), max_attackers + 1)):
        chance = _as_number(column[defenders], attackers + defenders, number_type)
        if chance >= min_probability:
            return attackers, chance
    raise NotEnough(
        f"{max_attackers:,} attackers against {defenders:,} defenders succeed less often than {min_probability}. "
        "Want less."
    )


def simulate_battle(field: Battlefield, rng: Rng) -> Battlefield:
    """Return the battlefield after one throw with `rng`."""
    return battle(field).sample(rng)


def simulate_invasions(field: Battlefield, n: int, rng: Rng) -> Distribution[Battlefield]:
    """Return the distribution of the final battlefields of `n` simulated invasions.

    Dice are drawn and compared individually. The odds of `losses` are not used, so that a simulation also checks them.
    """
    field = _checked(*field)
    if n < 1:
        raise UsageError(f"at least 1 invasion must be simulated, got {n}")
    ends: Counter[Battlefield] = Counter()
    for done in range(0, n, CHUNK):
        ends += _simulated(field, min(CHUNK, n - done), rng)
    return weighted(ends)


def estimate(ends: Distribution[Battlefield], n: int) -> SimulatedChance:
    """Return the probability of success found in `n` simulated invasions that ended in `ends`."""
    share = float(success(ends))
    return SimulatedChance(share, sqrt(share * (1 - share) / n))


def success(ends: Distribution[Battlefield]) -> Fraction | float:
    """Return the probability of success in a distribution of final battlefields."""
    return cast("Fraction | float", ends.expectation(lambda field: int(field.won)))


@dataclass(frozen=True)
class Invasion(ListedGame[Battlefield, str]):
    """The invasion from `begin` without stopping, as a game without choices. It pays 1 for a success, else 0."""

    all_actions: ClassVar[tuple[str, ...]] = ("attack",)

    begin: Battlefield

    def starts(self) -> Distribution[Battlefield]:
        """Return the first battlefield."""
        return certain(self.begin)

    def actions(self, state: Battlefield) -> Sequence[str]:
        """Return the only action, or none if the invasion is over."""
        return () if state.over else ("attack",)

    def outcomes(self, state: Battlefield, action: str) -> Distribution[Battlefield]:
        """Return the distribution of the state after one throw."""
        return battle(state)

    def returns(self, state: Battlefield) -> tuple[int]:
        """Return 1 for a success, 0 for a failure."""
        return (int(state.won),)


class InvasionState(NamedTuple):
    """A battlefield. `stopped` is True if the attacker has called the invasion off."""

    field: Battlefield
    stopped: bool = False


@dataclass(frozen=True)
class StoppableInvasion(ListedGame[InvasionState, str]):
    """The invasion from `begin` that may be called off before every throw, as a game.

    It pays `unit` for every attacker left, plus `territory` if it is taken, minus `defender` for every defender left.
    All three are int, Fraction or float. By default a unit counts 1, an enemy's unit 1/2 (there are several enemies),
    and the territory 3.

    "stop" is the first action, so that an attack without gain is not made.
    """

    all_actions: ClassVar[tuple[str, ...]] = ("stop", "attack")

    begin: Battlefield
    _: KW_ONLY
    unit: Any = 1
    territory: Any = 3
    defender: Any = Fraction(1, 2)

    def starts(self) -> Distribution[InvasionState]:
        """Return the first battlefield."""
        return certain(InvasionState(self.begin))

    def actions(self, state: InvasionState) -> Sequence[str]:
        """Return the actions, or none if the invasion is over or called off."""
        return () if state.stopped or state.field.over else self.all_actions

    def outcomes(self, state: InvasionState, action: str) -> Distribution[InvasionState]:
        """Return the distribution of the state after one throw, or the stopped invasion."""
        return certain(InvasionState(state.field, True)) if action == "stop" else battle(state.field).map(InvasionState)

    def returns(self, state: InvasionState) -> tuple[Any]:
        """Return the value of attackers and territory, minus the value of the defenders left."""
        units = state.field
        return (units.attackers * self.unit + units.won * self.territory - units.defenders * self.defender,)


@dataclass(frozen=True)
class StoppingPlan:
    """The expected result of a policy: its value, the probability of success, and the units left."""

    value: float
    success: float
    attackers: float
    defenders: float


@dataclass(frozen=True)
class Stopping:
    """The solution of an invasion that may be stopped: the best action now, expected results, and when to attack.

    `attack_when` maps each number of defenders to the numbers of attackers that should attack, of 2 to `max_attackers`.
    """

    field: Battlefield
    values: dict[str, Fraction]
    advice: str
    stop_now: float
    best: StoppingPlan
    to_the_end: StoppingPlan
    max_attackers: int
    attack_when: dict[int, list[int]]

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON types. Values are those of `StoppableInvasion.returns`."""
        return {
            "attackers": self.field.attackers,
            "defenders": self.field.defenders,
            "values": {name: float(value) for name, value in self.values.items()},
            "advice": self.advice,
            "stop_now": {"value": self.stop_now},
            "best": vars(self.best),
            "to_the_end": vars(self.to_the_end),
            "attack_when": [
                {
                    "defenders": d,
                    "attackers": [
                        {"from": a, "to": None if b == self.max_attackers else b} for a, b in consecutive_ranges(who)
                    ],
                }
                for d, who in self.attack_when.items()
            ],
        }


def consecutive_ranges(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Return the first and last of each run of successive numbers."""
    starts = [n for n in numbers if n - 1 not in numbers]
    ends = [n for n in numbers if n + 1 not in numbers]
    return list(zip(starts, ends, strict=True))


def when_to_stop(attackers: int, defenders: int, values: dict[str, Fraction], min_table_size: int = 30) -> Stopping:
    """Solve the invasion that may be stopped, and evaluate the best policy.

    `attack_when` covers up to max(`attackers`, `min_table_size`) attackers.
    """
    from evodom.solve import evaluate, no_progress, solve

    begin = Battlefield(attackers, defenders)
    game, start = StoppableInvasion(begin, **values), InvasionState(begin)
    solution = solve(game, number_type=float, progress=no_progress)
    max_attackers = max(attackers, min_table_size)

    def expected_value(policy: Policy[InvasionState, str], **counted_units: int) -> float:
        counting_game = (
            StoppableInvasion(begin, **({"unit": 0, "territory": 0, "defender": 0} | counted_units))
            if counted_units
            else game
        )
        return float(evaluate(counting_game, policy, number_type=float, progress=no_progress).value)

    def plan(policy: Policy[InvasionState, str]) -> StoppingPlan:
        return StoppingPlan(
            value=expected_value(policy),
            success=expected_value(policy, territory=1),
            attackers=expected_value(policy, unit=1),
            defenders=-expected_value(policy, defender=1),
        )

    def attackers_that_attack(against: int) -> list[int]:
        fields = (Battlefield(units, against) for units in range(2, max_attackers + 1))
        return [field.attackers for field in fields if solution.policy(InvasionState(field)) == "attack"]

    return Stopping(
        begin,
        values,
        advice=solution.policy(start),
        stop_now=float(game.returns(start)[0]),
        best=plan(solution.policy),
        to_the_end=plan(lambda front: "attack"),
        max_attackers=max_attackers,
        attack_when={d: attackers_that_attack(d) for d in range(1, defenders + 1)},
    )


@cache
def _throw(n_dice: int) -> Distribution[tuple[int, ...]]:
    """Return the distribution of the results of `n_dice` dice, the highest first."""
    thrown: Distribution[tuple[int, ...]] = certain(())
    for _ in range(n_dice):
        thrown = thrown.bind(lambda dice: DIE.map(lambda die: tuple(sorted((*dice, die), reverse=True)))).merge()
    return thrown


def _compare(attack: Sequence[int], defend: Sequence[int]) -> Losses:
    """Return the losses of both sides. The attacker loses ties."""
    pairs = list(zip(attack, defend, strict=False))
    fallen = sum(a <= d for a, d in pairs)
    return Losses(fallen, len(pairs) - fallen)


@cache
def _unit() -> int:
    """Return the common denominator u: the odds of every throw for k units are multiples of 1 / u ** k.

    It follows from the throws for one unit. The denominators of throws for two units divide its square.
    """
    for_one = ((attack, defend) for attack, defend in THROWS if min(attack, defend) == 1)
    return lcm(*(cast(int, losses(*dice).total) for dice in for_one))


@cache
def _odds() -> dict[tuple[int, int], list[tuple[Losses, int]]]:
    """Map the dice of both sides to (losses, odds times `_unit() ** (units lost)`)."""
    return {
        dice: [(lost, weight * _unit() ** sum(lost) // cast(int, losses(*dice).total)) for lost, weight in pairs]
        for dice in THROWS
        for pairs in [losses(*dice).pairs]
    }


def _columns(defenders: int) -> Iterator[Column]:
    """Yield the column of success chances against 0, 1, ... `defenders` for 0, 1, 2, ... attackers."""
    odds, unit = _odds(), _unit()
    before, last = [0] * (defenders + 1), [1] + [0] * defenders
    for attackers in range(1, MAX_UNITS + 2):
        yield last
        column = [unit**attackers] + [0] * defenders
        recent = (column, last, before)
        dice, _ = Battlefield(attackers, 1).dice
        for d in range(1, defenders + 1) if dice else ():
            throw = odds[dice, min(d, MAX_DEFENDER_DICE)]
            column[d] = sum([share * recent[lost][d - killed] for (lost, killed), share in throw])
        before, last = last, column


def _as_number(chance: int, n_units: int, number_type: type[N]) -> N:
    """Return a chance of `_columns` as a number. Division of Python integers of any length is rounded correctly."""
    whole = _power(n_units)
    return cast(N, Fraction(chance, whole) if number_type is Fraction else chance / whole)


@cache
def _power(n_units: int) -> int:
    return cast(int, _unit() ** n_units)


def _checked(attackers: int, defenders: int) -> Battlefield:
    for side, n in (("attackers", attackers), ("defenders", defenders)):
        if not (isinstance(n, Integral) and 0 <= n <= MAX_UNITS):
            raise UsageError(f"the number of {side} must be a whole number from 0 to {MAX_UNITS:,}, got {n}")
    return Battlefield(attackers, defenders)


def _simulated(field: Battlefield, n: int, rng: Rng) -> Counter[Battlefield]:
    """Simulate `n` invasions in parallel and return the counts of their final battlefields."""
    import numpy as np

    attackers, defenders = (np.full(n, units, np.int32) for units in field)
    ends: Counter[Battlefield] = Counter()
    while True:
        over = (defenders == 0) | (attackers < 2)
        codes, counts = np.unique(attackers[over] * (MAX_UNITS + 1) + defenders[over], return_counts=True)
        for code, count in zip(codes.tolist(), counts.tolist(), strict=True):
            ends[Battlefield(*divmod(code, MAX_UNITS + 1))] += count
        attackers, defenders = attackers[~over], defenders[~over]
        if not attackers.size:
            return ends
        fallen, at_stake = _fallen(attackers, defenders, rng)
        attackers = attackers - fallen
        defenders = defenders - (at_stake - fallen)


def _fallen(attackers: np.ndarray, defenders: np.ndarray, rng: Rng) -> tuple[np.ndarray, np.ndarray]:
    """Throw once on every battlefield. Return the numbers of attackers lost and of units at stake."""
    import numpy as np

    dice = rng.integers(1, 7, (MAX_ATTACKER_DICE + MAX_DEFENDER_DICE, attackers.size), np.int8)
    attack, defend = dice[:MAX_ATTACKER_DICE], dice[MAX_ATTACKER_DICE:]
    for i in range(MAX_ATTACKER_DICE):  # a die that is not thrown shows 0, lower than any thrown die
        attack[i] *= attackers - 1 > i
    for i in range(MAX_DEFENDER_DICE):
        defend[i] *= defenders > i
    low, high = np.minimum(attack[0], attack[1]), np.maximum(attack[0], attack[1])
    first, second = np.maximum(high, attack[2]), np.maximum(low, np.minimum(high, attack[2]))
    two = (attackers > 2) & (defenders > 1)
    fallen = (first <= np.maximum(*defend)).astype(np.int32) + (two & (second <= np.minimum(*defend)))
    return fallen, two + np.int32(1)
