"""Compute battles of Risk: odds, losses, the army that is needed, and when to stop.

`attackers` counts every unit in the attacking territory. One of them must stay behind, so that the attacker throws
min(3, `attackers - 1`) dice. (Published tables often leave that unit out; Osborne's A is `attackers - 1`.) The highest
dice are compared, then the second highest, as long as both sides have one. The lower die loses a unit.

An invasion takes one territory, or a chain of them. It succeeds when no defenders are left. It fails when at most
`BattleRules.keep` attackers are left. After each conquest but the last, one unit stays behind; the others attack on.

>>> success(invade(3, (3,))), success_table(20, (20,))[20, 20]
(Fraction(692225, 3359232), 0.5774574026425447)

A throw costs both sides together min(dice) units. So all battlefields with n units are computed as one array, from
those with fewer. Exact values are integers: those of n units are multiples of 1 / unit ** n. Floats are exact values,
rounded once at the end, for at most EXACT_UNITS units (`n_units`).
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from math import comb, log10
from operator import mul, truediv
from typing import Annotated, Any, NamedTuple

import numpy as np

from evodom.errors import UsageError, short
from evodom.options import OptionStruct, option

MAX_ATTACKER_DICE = 3
EXACT_UNITS = 400  # number of units up to which floats are computed from exact values
MAX_DIGITS = 4_000  # maximum number of digits of an exact value: 3 s. Python prints at most 4,300
MAX_UNITS = 20_000  # maximum number of units: 5 s
MAX_CELLS = 10_000_000  # maximum number of battlefields (attackers times defenders): 80 MB of floats
MIN_TABLE = 30  # minimum number of attackers in the rule for stopping
TIE = 1e-12  # attacking is better than stopping only by more than this, relative to values above 1
PAD = 3  # rows and columns of a board before those of 0 units: no loss of a throw leads out of it


class BattleRules(OptionStruct, frozen=True, kw_only=True):
    """Rules of a throw, and the number of units at which the attacker gives up."""

    keep: Annotated[int, option("--keep", "The attacker stops with this number of units.", ge=1, le=10_000)] = 1
    defender_dice: Annotated[int, option("--defender-dice", "Maximum dice of the defender.", ge=1, le=PAD)] = 2
    sides: Annotated[int, option("--sides", "Sides of the dice.", ge=2, le=1000)] = 6
    attacker_wins_ties: Annotated[bool, option("--attacker-wins-ties", "The defender loses ties.")] = False


class Worths(OptionStruct, frozen=True, kw_only=True):
    """Values of units and the territory for an attacker who may stop."""

    unit: Annotated[float, option("--unit", "Value of each attacker left.", ge=0, le=1e6)] = 1.0
    territory: Annotated[float, option("--territory", "Value of the territory.", ge=0, le=1e6)] = 3.0
    defender: Annotated[float, option("--defender", "Value of each defender destroyed.", ge=0, le=1e6)] = 0.5


class End(NamedTuple):
    """The result of an invasion: territories taken, units left of the attacker in all of them, defenders left."""

    taken: int
    attackers: int
    defenders: int


DEFAULT = BattleRules()

Ends = dict[End, Any]  # the probability of each End


def mean(ends: Ends, number: Callable[[End], Any]) -> Any:
    """Return the mean of a number of the end."""
    return sum(number(end) * share for end, share in ends.items())


def success(ends: Ends) -> Any:
    """Return the probability that no defenders are left."""
    return mean(ends, lambda end: int(not end.defenders))


@cache
def losses(attack: int, defend: int, rules: BattleRules = DEFAULT) -> tuple[Fraction, ...]:
    """Return the probabilities that the attacker loses 0, 1, ... units in a throw of `attack` against `defend` dice.

    Dice are placed from the highest face to the lowest. The counts are those of (dice placed of both, attacker's loss).
    """
    counts = {(0, 0, 0): 1}
    for face in range(rules.sides):
        placed: dict[tuple[int, int, int], int] = {}
        is_last = face == rules.sides - 1
        for (i, j, lost), count in counts.items():
            for x in range(attack - i if is_last else 0, attack - i + 1):
                for y in range(defend - j if is_last else 0, defend - j + 1):
                    # Die p of the attacker is now beaten by a higher die, or by a tie with a die of the same face.
                    beaten = sum(p < j or (p < j + y and not rules.attacker_wins_ties) for p in range(i, i + x))
                    key = i + x, j + y, lost + min(beaten, max(min(attack, defend) - i, 0))
                    placed[key] = placed.get(key, 0) + count * comb(attack - i, x) * comb(defend - j, y)
        counts = placed
    shares = (counts.get((attack, defend, lost), 0) for lost in range(min(attack, defend) + 1))
    return tuple(Fraction(count, rules.sides ** (attack + defend)) for count in shares)


def invade(
    attackers: int, chain: Sequence[int], rules: BattleRules = DEFAULT, *, is_exact: bool = False, stops: Any = None
) -> Ends:
    """Return the distribution of the end of an invasion. `stops[a, d]` is True where the attacker calls it off.

    Probabilities are Fractions with `is_exact` or up to EXACT_UNITS units, otherwise floats.
    """
    _check(attackers, chain, int(MAX_DIGITS / log10(_unit(rules))) if is_exact else MAX_UNITS)
    unit, odds = _odds(rules, exact=is_exact or n_units(attackers, chain) <= EXACT_UNITS)
    arriving, whole = [0] * attackers + [1], 1
    ends: Ends = {}
    for number, defenders in enumerate(chain):
        mass = _board(attackers, defenders, unit)
        mass[:, PAD + defenders] = [0] * PAD + [n * unit ** (attackers - a) for a, n in enumerate(arriving)]
        whole *= unit ** (attackers + defenders)
        for a, d, dice in _fields(attackers, defenders, rules, stops=stops, down=True):
            here = mass[a + PAD, d + PAD]
            for (lost, killed), share in odds.items():
                mass[a + PAD - lost, d + PAD - killed] += share[dice] * here
            mass[a + PAD, d + PAD] = 0
        last, later = number == len(chain) - 1, sum(chain[number + 1 :])
        arriving = [0] * (attackers + 1)
        for a, d in np.argwhere(mass[PAD:, PAD:] != 0).tolist():
            weight = mass[a + PAD, d + PAD] * unit ** (a + d)
            if d or last:
                end = End(number + (d == 0), a + number, d + later)
                ends[end] = Fraction(weight, whole) if unit > 1 else float(weight)
            else:
                arriving[max(a - 1, 0)] += weight
    return dict(sorted(ends.items()))


def success_table(
    attackers: int, chain: Sequence[int], rules: BattleRules = DEFAULT, *, number_type: type = float
) -> Any:
    """Return the probability of success of 0 to `attackers` units (rows) against 0 to `chain[0]` units (columns).

    The later territories of the chain have all their units.
    """
    unit, odds = _odds(rules, exact=number_type is Fraction or n_units(attackers, chain) <= EXACT_UNITS)
    won, whole = [unit**a for a in range(attackers + 1)], 1
    for number, defenders in enumerate(reversed(chain)):
        board = _board(attackers, defenders, unit)
        board[PAD:, PAD] = won
        for a, d, dice in _fields(attackers, defenders, rules):
            board[a + PAD, d + PAD] = _expected(board, a, d, dice, odds)
        won = [0, *(board[PAD:-1, -1] * unit)]
        whole *= unit**defenders if number < len(chain) - 1 else 1
    if unit == 1:
        return board[PAD:, PAD:]
    scale = np.array([whole * unit**n for n in range(attackers + chain[0] + 1)], object)
    n = np.add.outer(np.arange(attackers + 1), np.arange(chain[0] + 1))
    return np.frompyfunc(Fraction if number_type is Fraction else truediv, 2, 1)(board[PAD:, PAD:], scale[n])


def smallest_army(
    chain: Sequence[int], wanted: Fraction | float, rules: BattleRules = DEFAULT
) -> tuple[int, Any] | None:
    """Return the least number of attackers that succeed with probability `wanted`, and their probability.

    Return None if that needs more than MAX_CELLS or MAX_UNITS. Raise UsageError unless 0 < `wanted` < 1.
    """
    if not 0 < wanted < 1:
        raise UsageError(f"the wanted probability must be above 0 and below 1, got {wanted}")
    limit = min(MAX_CELLS // max(sum(chain), 1), (MAX_UNITS - sum(chain)) // len(chain))
    size, last = max(chain) + sum(chain) // 2 + len(chain) + rules.keep + 8, 0
    while last < (size := min(size, limit)):
        column = success_table(size, chain, rules)[:, -1]
        if (enough := np.flatnonzero(column >= wanted)).size:
            return int(enough[0]), column[enough[0]]
        size, last = 2 * size, size
    return None


class Stopping(NamedTuple):
    """The solution of an invasion that may be stopped before every throw: the ends of two plans, and when to attack.

    `attack_when` maps each number of defenders to the numbers of attackers, of 2 to `max_attackers`, that attack.
    """

    best: Ends
    to_the_end: Ends
    max_attackers: int
    attack_when: dict[int, list[int]]


def value(ends: Ends, worths: Worths) -> float:
    """Return the expected value of units and territories left, minus that of the defenders left."""
    weights = worths.territory, worths.unit, -worths.defender
    return float(mean(ends, lambda end: sum(map(mul, weights, end))))


def when_to_stop(attackers: int, defenders: int, worths: Worths, rules: BattleRules = DEFAULT) -> Stopping:
    """Solve the invasion of one territory that may be stopped. Of two equal choices, stopping is best."""
    n = max(attackers, MIN_TABLE)
    _check(attackers, [defenders], MAX_UNITS)
    _, odds = _odds(rules, exact=False)
    board = _board(n, defenders, 1)
    stop = np.add.outer(worths.unit * np.arange(n + 1), -worths.defender * np.arange(defenders + 1))
    stop[:, 0] += worths.territory
    board[PAD:, PAD:] = stop
    attacks = np.zeros(stop.shape, bool)
    for a, d, dice in _fields(n, defenders, rules):
        attack = _expected(board, a, d, dice, odds)
        attacks[a, d] = attack > stop[a, d] + TIE * np.maximum(1, abs(attack))
        board[a + PAD, d + PAD] = np.where(attacks[a, d], attack, stop[a, d])
    return Stopping(
        invade(attackers, [defenders], rules, stops=~attacks),
        invade(attackers, [defenders], rules),
        n,
        {d: np.flatnonzero(attacks[:, d]).tolist() for d in range(1, defenders + 1)},
    )


def _board(attackers: int, defenders: int, unit: int) -> Any:
    return np.full((attackers + 1 + PAD, defenders + 1 + PAD), 0, object if unit > 1 else float)


def _fields(
    attackers: int, defenders: int, rules: BattleRules, *, stops: Any = None, down: bool = False
) -> Iterator[tuple[Any, Any, Any]]:
    """Yield the battlefields that go on, as arrays of attackers, defenders, and dice: those of n units, for each n."""
    for n in range(rules.keep + 2, attackers + defenders + 1)[:: -1 if down else 1]:
        a = np.arange(max(rules.keep + 1, n - defenders), min(attackers, n - 1) + 1)
        a = a if stops is None else a[~stops[a, n - a]]
        yield a, n - a, (np.minimum(a - 1, MAX_ATTACKER_DICE), np.minimum(n - a, rules.defender_dice))


def _expected(board: Any, a: Any, d: Any, dice: Any, odds: Any) -> Any:
    """Return the means of the values of the next battlefields."""
    return sum(share[dice] * board[a + PAD - lost, d + PAD - killed] for (lost, killed), share in odds.items())


def _unit(rules: BattleRules) -> int:
    return int(rules.sides ** (1 + MAX_ATTACKER_DICE))


@cache
def _odds(rules: BattleRules, *, exact: bool) -> tuple[int, dict[tuple[int, int], Any]]:
    """Return the unit, and for each pair of losses its odds by the numbers of dice.

    Exact odds are integers: the probability times unit ** losses. The unit of floats is 1.
    """
    unit = _unit(rules) if exact else 1
    odds: dict[tuple[int, int], Any] = {}
    for attack in range(1, MAX_ATTACKER_DICE + 1):
        for defend in range(1, rules.defender_dice + 1):
            for lost, share in enumerate(losses(attack, defend, rules)):
                pair = lost, min(attack, defend) - lost
                table = odds.setdefault(pair, np.full((MAX_ATTACKER_DICE + 1, rules.defender_dice + 1), 0, object))
                table[attack, defend] = int(share * unit ** sum(pair)) if exact else float(share)
    return unit, odds if exact else {pair: table.astype(float) for pair, table in odds.items()}


def n_units(attackers: int, chain: Sequence[int]) -> int:
    """Return the number of units of both sides. In a chain the attackers count once for each territory."""
    return attackers * len(chain) + sum(chain)


def _check(attackers: int, chain: Sequence[int], most: int) -> None:
    defenders = f"{short(sum(chain))} defenders{f' in {len(chain)} territories' if len(chain) > 1 else ''}"
    exactly = " with --exact" if most < MAX_UNITS else ""
    if min(attackers, *chain) < 0 or attackers * sum(chain) > MAX_CELLS or n_units(attackers, chain) > most:
        raise UsageError(
            f"{attackers} attackers against {defenders}. Allowed: numbers of at least 0, attackers times defenders at "
            f"most {MAX_CELLS:,}, and at most {most:,} units in all{exactly} (attackers count for each territory)."
        )
