"""Sequential halving: how a small budget is spent."""

import pytest

from evodom.search.halving import halve


def test_every_round_gives_equal_shares_to_the_better_half():
    tried = []

    ranked = halve("abcd", 16, tried.append, score="dbca".index)

    assert [tried.count(item) for item in "abcd"] == [6, 2, 6, 2]
    assert ranked == ["a", "c", "b", "d"]


@pytest.mark.parametrize("n_items", [1, 2, 3, 5, 16])
@pytest.mark.parametrize("n", [0, 1, 5, 24, 100])
def test_the_whole_budget_is_spent_and_no_more(n_items, n):
    tried = []

    ranked = halve(range(n_items), n, tried.append, score=lambda item: -item)

    assert len(tried) == n
    assert sorted(ranked) == list(range(n_items))
    assert ranked[0] == 0
