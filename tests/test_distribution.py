"""Distributions: the laws they keep, drawing, sampling, and what stays exact."""

from collections import Counter
from fractions import Fraction
from math import factorial, isclose, prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evodom.distribution import Distribution, certain, comprehension, draw, draw_counts, uniform, weighted
from evodom.errors import UsageError

DIE = uniform(range(1, 7))

weights = st.one_of(st.integers(1, 50), st.fractions(Fraction(1, 50), 50))
distributions = st.dictionaries(st.integers(-5, 5), weights, min_size=1, max_size=4).map(weighted)
floats = st.dictionaries(st.integers(-5, 5), st.floats(1e-3, 1e3), min_size=1, max_size=4).map(weighted)
kernels = st.lists(distributions, min_size=3, max_size=3).map(lambda listed: lambda outcome: listed[outcome % 3])


@given(distributions, kernels)
def test_weights_sum_to_one(distribution, kernel):
    for one in (distribution, distribution.map(abs), distribution.bind(kernel), distribution.bind(kernel).merge()):
        assert sum(share for _, share in one) == 1
        assert all(share > 0 for _, share in one)
        assert sum(weight for _, weight in one.pairs) == one.total


@given(distributions, kernels, kernels)
def test_bind_is_associative(distribution, first, second):
    assert distribution.bind(first).bind(second) == distribution.bind(lambda outcome: first(outcome).bind(second))


@given(distributions, kernels, st.integers(-5, 5))
def test_certain_is_the_identity_of_bind(distribution, kernel, outcome):
    assert certain(outcome).bind(kernel) == kernel(outcome)
    assert distribution.bind(certain) == distribution
    assert distribution.map(abs) == distribution.bind(lambda one: certain(abs(one)))


@given(distributions, kernels)
def test_expectation_of_bind_is_that_of_expectations(distribution, kernel):
    assert distribution.bind(kernel).expectation() == distribution.expectation(lambda one: kernel(one).expectation())


@given(distributions)
def test_variance_is_that_of_the_definition(distribution):
    mean = distribution.expectation()

    assert distribution.variance() == sum(share * (outcome - mean) ** 2 for outcome, share in distribution)
    assert distribution.variance(lambda outcome: 3 - 2 * outcome) == 4 * distribution.variance()


@given(floats, kernels)
def test_floats_stay_floats_and_sum_to_one(distribution, kernel):
    bound = distribution.bind(kernel), certain(0).bind(lambda _: distribution)
    for one in (distribution, distribution.map(abs), *bound):
        assert not one.exact
        assert isclose(sum(share for _, share in one), 1, rel_tol=1e-12)
        assert isinstance(one.expectation(), float)


@given(distributions)
def test_floats_are_the_fractions_rounded(distribution):
    rounded = distribution.to_float()

    assert distribution.exact
    assert not rounded.exact
    assert dict(rounded) == pytest.approx({outcome: float(share) for outcome, share in distribution})


@given(
    st.lists(st.integers(0, 4), min_size=1, max_size=4).flatmap(
        lambda counts: st.tuples(st.just(counts), st.integers(0, sum(counts)))
    )
)
def test_drawing_is_hypergeometric(case):
    counts, n = case

    def choose(total, k):
        return factorial(total) // factorial(k) // factorial(total - k)

    found = dict(draw_counts(counts, n))

    ways = {taken: prod(map(choose, counts, taken)) for taken in found}
    assert found == {taken: Fraction(way, choose(sum(counts), n)) for taken, way in ways.items()}
    assert sum(found.values()) == 1
    assert all(sum(taken) == n for taken in found)


def test_draws_are_told_in_the_order_of_the_multiset():
    assert dict(draw("baab", 2)) == {("a", "a"): Fraction(1, 6), ("b", "a"): Fraction(2, 3), ("b", "b"): Fraction(1, 6)}
    assert dict(draw({"x": 2, "y": 0}, 2)) == {("x", "x"): 1}
    assert dict(draw([], 0)) == {(): 1}


def test_drawing_from_many_kinds_looks_at_possible_hands_only():
    # 20 kinds of 3: more than 10**12 tuples of counts up to 3, 210 hands of 2
    assert len(draw_counts([3] * 20, 2)) == 210


@given(distributions, st.fractions(0, 1))
def test_quantiles_are_the_smallest_outcomes_that_reach_their_share(distribution, share):
    def reached(limit):
        return sum(one for outcome, one in distribution if outcome <= limit)

    quantile = distribution.quantile(share)

    assert reached(quantile) >= share
    assert all(reached(outcome) < share for outcome, _ in distribution if outcome < quantile)


def test_quantiles_of_a_die():
    assert DIE.quantiles() == (2, 3, 5)
    assert DIE.quantiles(0, 0.5, 1) == (1, 3, 6)
    assert DIE.to_float().quantiles(0.5, 1) == (3, 6)
    assert uniform(range(10)).quantile(0.1) == 0  # one tenth, although the float 0.1 is a little more


def test_quantiles_and_means_of_weights_beyond_all_floats():
    huge = weighted({1: 10**400, 2: 3 * 10**400 + 1})

    assert huge.quantile(0.5) == 2
    assert huge.to_float().expectation() == pytest.approx(1.75)
    assert huge.bind(lambda n: weighted({n: 0.5, 0: 0.5})).expectation() == pytest.approx(0.875)
    assert weighted({0: 0.5, 1: 0.5}).bind(lambda n: huge).probability(1) == pytest.approx(0.25)


def test_a_weight_too_small_for_a_float_is_no_outcome():
    assert dict(weighted({"a": 5e-324, "b": 1e10})) == {"b": 1}


def test_given_keeps_the_proportions():
    assert dict(DIE.given(lambda n: n % 2 == 0)) == dict.fromkeys((2, 4, 6), Fraction(1, 3))
    assert dict(DIE.to_float().given(lambda n: n > 4)) == pytest.approx({5: 0.5, 6: 0.5})
    with pytest.raises(UsageError, match="no outcome"):
        DIE.given(lambda n: n > 6)


def test_a_comprehension_reads_like_a_loop():
    @comprehension
    def sums(dice):
        total = 0
        for _ in range(dice):
            total += yield DIE
        return total

    assert sums(0) == certain(0)
    assert sums(3).probability(18) == Fraction(1, 216)
    assert sums(3) == DIE.bind(lambda a: DIE.bind(lambda b: DIE.map(lambda c: a + b + c)))


def test_samples_come_as_often_as_they_are_likely():
    rng, n = np.random.default_rng(3), 6000
    distribution = weighted({"a": 1, "b": 2, "c": 3})

    for one in (distribution, distribution.to_float()):
        counts = Counter(one.sample(rng) for _ in range(n))
        expected = {outcome: n * float(share) for outcome, share in one}
        chi_squared = sum((counts[outcome] - mean) ** 2 / mean for outcome, mean in expected.items())
        assert chi_squared < 13.8  # two degrees of freedom: exceeded once in a thousand


def test_the_same_seed_draws_the_same():
    first, second = ([DIE.sample(np.random.default_rng(8)) for _ in range(20)] for _ in range(2))

    assert first == second


def test_sampling_is_exact_where_floats_would_not_be():
    # Against 2**80 a float cannot tell the weight 1 from 0: only exact tickets can draw it.
    class Tickets:
        def __init__(self, ticket):
            self.ticket = ticket

        def bytes(self, n):
            return self.ticket.to_bytes(n, "little")

    rare = weighted({"common": 2**80 - 1, "rare": 1})

    assert rare.sample(Tickets(2**80 - 2)) == "common"
    assert rare.sample(Tickets(2**80 - 1)) == "rare"


def test_sampling_redraws_a_ticket_beyond_the_last():
    class Tickets:
        listed = iter((7, 6, 2))

        def bytes(self, n):
            return next(self.listed).to_bytes(n, "little")

    assert uniform("abcdef").sample(Tickets()) == "c"


def test_equal_outcomes_are_one():
    distribution = uniform("abba")

    assert len(distribution) == 2
    assert distribution == uniform("ab")
    assert distribution.most_likely() == "a"
    assert distribution.probability("c") == 0
    assert repr(distribution) == "Distribution({'a': 1/2, 'b': 1/2})"
    assert distribution != "ab"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: uniform([]), "at least one outcome"),
        (lambda: weighted({"a": 0}), "at least one outcome of positive weight"),
        (lambda: weighted({"a": -1, "b": 2}), "at least 0, got -1"),
        (lambda: weighted({"a": float("nan")}), "got nan"),
        (lambda: weighted({"a": float("inf")}), "got inf"),
        (lambda: draw("abc", 4), "4 items cannot be drawn from 3; allowed: 0 to 3"),
        (lambda: draw("abc", -1), "allowed: 0 to 3"),
        (lambda: draw({"a": -1, "b": 3}, 1), "at least 0 of each kind, got -1"),
        (lambda: DIE.quantile(1.5), "got 1.5; allowed: 0 to 1"),
    ],
)
def test_what_is_no_distribution_is_refused(make, message):
    with pytest.raises(UsageError, match=message):
        make()


def test_a_distribution_made_of_weights_alone_names_the_function():
    with pytest.raises(TypeError, match=r"Make a distribution with weighted\(\{outcome: weight\}\)"):
        Distribution({"heads": 1, "tails": 1})
