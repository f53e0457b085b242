"""Finite probability distributions, with exact or floating-point weights.

A `Distribution` has outcomes with weights. Integer and fractional weights stay exact: they are stored as integers over
a common denominator, and probabilities and expectations are `Fraction`s. If any weight is a float, all weights are.

>>> die = uniform(range(1, 7))
>>> two_dice = die.bind(lambda first: die.map(lambda second: first + second))
>>> two_dice.probability(7), two_dice.expectation(), two_dice.most_likely()
(Fraction(1, 6), Fraction(7, 1), 7)

The same, written as a generator:

>>> @comprehension
... def two_dice():
...     first = yield die
...     second = yield die
...     return first + second
>>> two_dice().probability(12)
Fraction(1, 36)
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Generator, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import wraps
from itertools import accumulate
from math import comb, fsum, gcd, isfinite, lcm
from numbers import Rational
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar, cast

from evodom.errors import UsageError

if TYPE_CHECKING:
    from numpy.random import Generator as Rng

T = TypeVar("T")
U = TypeVar("U")
K = TypeVar("K", bound=Hashable)
P = ParamSpec("P")

Number = int | Fraction | float
"""The type of weights and values; `Fraction` and `int` are exact, `float` is not."""


class Distribution(Generic[T]):
    """Outcomes with positive weights; the probability of an outcome is its weight divided by `total`.

    Outcomes are hashable. `map` and `bind` may produce an outcome several times: the weights of equal outcomes are
    added up when the distribution is next read, or by `merge`. Outcomes are in the order of their first appearance.
    Make a distribution with `certain`, `uniform`, `weighted` or `draw`.
    """

    __slots__ = ("_merged", "pairs", "total")

    pairs: Sequence[tuple[T, Any]]
    """Pairs of (outcome, weight); before `merge`, an outcome may be in several of them."""
    total: int | float
    """The sum of the weights."""

    def __init__(self, pairs: Sequence[tuple[T, Any]], total: Any = None, *, merged: bool = False) -> None:
        """Store `pairs` of (outcome, weight); weights are positive, all int or all float, and sum to `total`."""
        if total is None:
            raise TypeError(
                "Distribution(pairs, total) is internal. Make a distribution with weighted({outcome: weight})"
            )
        self.pairs = pairs
        self._merged = merged
        self.total = total

    @property
    def exact(self) -> bool:
        """True if the weights are integers, so that all results are exact."""
        return not isinstance(self.total, float)

    def merge(self) -> Distribution[T]:
        """Add up the weights of equal outcomes, divide out a common factor, and return this distribution."""
        if self._merged:
            return self
        weights: dict[T, Any] = {}
        for outcome, weight in self.pairs:
            weights[outcome] = weights.get(outcome, 0) + weight
        if self.exact and (common := gcd(*weights.values())) > 1:
            self.total = self.total // common
            weights = {outcome: weight // common for outcome, weight in weights.items()}
        self.pairs, self._merged = tuple(weights.items()), True
        return self

    def map(self, function: Callable[[T], U]) -> Distribution[U]:
        """Return the distribution of `function` applied to the outcome."""
        return Distribution([(function(outcome), weight) for outcome, weight in self.merge().pairs], self.total)

    def bind(self, function: Callable[[T], Distribution[U]]) -> Distribution[U]:
        """Replace each outcome by the distribution that `function` returns for it, and return the overall one."""
        parts = [(function(outcome), weight) for outcome, weight in self.merge().pairs]
        if not self.exact or not all(part.exact for part, _ in parts):
            return _normalised(
                [
                    (outcome, weight / self.total * (w / part.total))
                    for part, weight in parts
                    for outcome, w in part.pairs
                ]
            )
        common = lcm(*(cast(int, part.total) for part, _ in parts))
        pairs = [(outcome, weight * w * (common // part.total)) for part, weight in parts for outcome, w in part.pairs]
        return Distribution(pairs, self.total * common)

    def given(self, condition: Callable[[T], bool]) -> Distribution[T]:
        """Return the conditional distribution of the outcomes that meet `condition`; raise UsageError if none does."""
        pairs = [(outcome, weight) for outcome, weight in self.merge().pairs if condition(outcome)]
        if not pairs:
            raise UsageError("no outcome of the distribution meets the condition")
        return Distribution(pairs, sum(weight for _, weight in pairs)) if self.exact else _normalised(pairs)

    def to_float(self) -> Distribution[T]:
        """Return the same distribution with float weights."""
        return _normalised([(outcome, weight / self.total) for outcome, weight in self.merge().pairs])

    def probability(self, outcome: T) -> Fraction | float:
        """Return the probability of `outcome`, 0 if it is impossible."""
        return self._share(dict(self.merge().pairs).get(outcome, 0))

    def expectation(self, function: Callable[[T], Any] | None = None) -> Any:
        """Return the mean of the outcomes, or of `function` of them: a Fraction if all is exact, else a float."""
        values = [(function(outcome) if function else outcome, weight) for outcome, weight in self.merge().pairs]
        if self.exact and all(isinstance(value, Rational) for value, _ in values):
            return Fraction(sum(weight * value for value, weight in values)) / self.total
        return fsum(weight / self.total * float(cast(Any, value)) for value, weight in values)

    def variance(self, function: Callable[[T], Any] | None = None) -> Any:
        """Return the variance of the outcomes, or of `function` of them."""
        numbers = self.map(function) if function else self
        mean = numbers.expectation()
        return numbers.expectation(lambda outcome: (cast(Any, outcome) - mean) ** 2)

    def quantile(self, share: Number) -> T:
        """Return the smallest outcome x with P(outcome <= x) >= `share`, a number from 0 to 1.

        In an exact distribution, a float means the decimal it prints as: 0.1 is one tenth.
        """
        if not 0 <= share <= 1:
            raise UsageError(f"a quantile needs a share of the probability, got {share}; allowed: 0 to 1")
        pairs = sorted(self.merge().pairs, key=lambda pair: cast(Any, pair[0]))
        reached = accumulate(weight for _, weight in pairs)
        needed = Fraction(str(share)) * self.total if self.exact else share * (1 - 1e-12)
        return next(
            (outcome for (outcome, _), sum_ in zip(pairs, reached, strict=True) if sum_ >= needed), pairs[-1][0]
        )

    def quantiles(self, *shares: Number) -> tuple[T, ...]:
        """Return the `quantile` of each share; without shares, the three quartiles."""
        return tuple(self.quantile(share) for share in shares or (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)))

    def sample(self, rng: Rng) -> T:
        """Draw one outcome with `rng` (numpy.random.Generator); exact weights are sampled without rounding."""
        pairs = self.merge().pairs
        sums = list(accumulate(weight for _, weight in pairs))
        ticket = _random_below(cast(int, self.total), rng) if self.exact else rng.random() * sums[-1]
        return pairs[min(bisect_right(sums, ticket), len(pairs) - 1)][0]

    def most_likely(self) -> T:
        """Return the most probable outcome; if there are several, the first of them."""
        return max(self.merge().pairs, key=lambda pair: pair[1])[0]

    def __iter__(self) -> Iterator[tuple[T, Fraction | float]]:
        """Yield (outcome, probability), each outcome once."""
        return ((outcome, self._share(weight)) for outcome, weight in self.merge().pairs)

    def __len__(self) -> int:
        return len(self.merge().pairs)

    def __eq__(self, other: object) -> bool:
        """Return True if both have the same outcomes with the same probabilities, in any order."""
        if not isinstance(other, Distribution):
            return NotImplemented
        return dict(self) == dict(other)

    __hash__ = None  # type: ignore[assignment]  # compared by value, and float weights are seldom exactly equal

    def __repr__(self) -> str:
        return "Distribution({" + ", ".join(f"{outcome!r}: {share}" for outcome, share in self) + "})"

    def _share(self, weight: Any) -> Fraction | float:
        return Fraction(weight, cast(int, self.total)) if self.exact else weight / self.total


def certain(outcome: T) -> Distribution[T]:
    """Return the distribution with a single, certain outcome."""
    return Distribution(((outcome, 1),), 1, merged=True)


def uniform(outcomes: Iterable[T]) -> Distribution[T]:
    """Return the uniform distribution of `outcomes`. An outcome listed twice counts twice."""
    pairs = [(outcome, 1) for outcome in outcomes]
    if not pairs:
        raise UsageError("a distribution needs at least one outcome, got none")
    return Distribution(pairs, len(pairs))


def weighted(weights: Mapping[T, Number] | Iterable[tuple[T, Number]]) -> Distribution[T]:
    """Return the distribution whose probabilities are in proportion to the given weights.

    Weights are numbers of at least 0, not all 0; an outcome of weight 0 is left out. Integers and fractions give an
    exact distribution; with a float among them, all weights are floats.
    """
    items = weights.items() if isinstance(weights, Mapping) else weights
    pairs = [(outcome, weight) for outcome, weight in items if _checked_weight(weight) > 0]
    if not pairs:
        raise UsageError("a distribution needs at least one outcome of positive weight, got none")
    if any(isinstance(weight, float) for _, weight in pairs):
        return _normalised([(outcome, float(weight)) for outcome, weight in pairs])
    fractions = [Fraction(weight) for _, weight in pairs]
    common = lcm(*(weight.denominator for weight in fractions))
    whole = [int(weight * common) for weight in fractions]
    return Distribution([(outcome, n) for (outcome, _), n in zip(pairs, whole, strict=True)], sum(whole))


def draw(multiset: Iterable[K] | Mapping[K, int], n: int) -> Distribution[tuple[K, ...]]:
    """Return the distribution of `n` draws without replacement from `multiset` (multivariate hypergeometric).

    `multiset` is an iterable of items or a mapping from item to count. An outcome is a tuple of the items drawn, with
    equal items next to each other, in the order in which the multiset first names them.

    >>> draw("aab", 2)
    Distribution({('a', 'b'): 2/3, ('a', 'a'): 1/3})
    """
    counts = Counter(multiset)
    items = tuple(counts)
    return draw_counts(tuple(counts.values()), n).map(
        lambda taken: tuple(item for item, k in zip(items, taken, strict=True) for _ in range(k))
    )


def draw_counts(counts: Sequence[int], n: int) -> Distribution[tuple[int, ...]]:
    """Return the distribution of the counts of each kind in `n` draws without replacement from `counts`."""
    if min(counts, default=0) < 0:
        raise UsageError(f"a multiset holds at least 0 of each kind, got {min(counts)}")
    left = sum(counts)
    if not 0 <= n <= left:
        raise UsageError(f"{n} items cannot be drawn from {left}; allowed: 0 to {left}")
    ways = comb(left, n)
    partial: list[tuple[tuple[int, ...], int, int]] = [((), n, 1)]  # taken so far, still to take, number of ways
    for count in counts:
        left -= count
        partial = [
            ((*taken, k), needed - k, weight * comb(count, k))
            for taken, needed, weight in partial
            for k in range(max(0, needed - left), min(count, needed) + 1)
        ]
    return Distribution([(taken, weight) for taken, _, weight in partial], ways)


def comprehension(function: Callable[P, Generator[Distribution[Any], Any, T]]) -> Callable[P, Distribution[T]]:
    """Decorate a generator that yields a distribution at each random step. It then returns the overall distribution.

    `x = yield distribution` means "for every x", and the generator's return value is the outcome. The generator is run
    again from its start for every combination of outcomes, so it must have no side effects.
    """

    @wraps(function)
    def distribution(*args: P.args, **kwargs: P.kwargs) -> Distribution[T]:
        def continued(outcomes: tuple[Any, ...]) -> Distribution[T]:
            steps = function(*args, **kwargs)
            try:
                step = next(steps)
                for outcome in outcomes:
                    step = steps.send(outcome)
            except StopIteration as stop:
                return certain(cast(T, stop.value))
            return step.bind(lambda outcome: continued((*outcomes, outcome)))

        return continued(())

    return distribution


def _normalised(pairs: list[tuple[T, float]]) -> Distribution[T]:
    """Scale float weights so that they sum to one."""
    total = fsum(weight for _, weight in pairs)
    shares = ((outcome, weight / total) for outcome, weight in pairs)
    return Distribution([(outcome, share) for outcome, share in shares if share > 0], 1.0)


def _checked_weight(weight: Number) -> Number:
    if weight < 0 or (isinstance(weight, float) and not isfinite(weight)):
        raise UsageError(f"a weight must be a number of at least 0, got {weight}")
    return weight


def _random_below(limit: int, rng: Rng) -> int:
    """Return a uniform integer from 0 to limit - 1, for a limit of any size, by rejection sampling."""
    n_bits = (limit - 1).bit_length()
    n_bytes = (n_bits + 7) // 8
    while True:
        ticket = int.from_bytes(rng.bytes(n_bytes), "little") & ((1 << n_bits) - 1) if n_bits else 0
        if ticket < limit:
            return ticket
