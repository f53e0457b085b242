"""Piles as numbers: what is packed comes out again, and draws are those of a shuffled pile."""

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evodom.errors import UsageError
from evodom.spire.exact.known import CARDS
from evodom.spire.exact.piles import MOST, CardKinds, Overflow

KINDS = CardKinds(["Strike", "Defend", "Bash", "Ascender's Bane"])
PILES = st.dictionaries(st.sampled_from(["Strike", "Defend", "Bash", "Ascender's Bane"]), st.integers(0, 4))


@given(PILES)
def test_a_pile_is_unpacked_as_it_was_packed(cards):
    pile = KINDS.pack(cards)

    assert KINDS.unpack(pile) == +Counter(cards)
    assert KINDS.size(pile) == sum(cards.values())


@given(PILES, PILES, st.integers(0, 10))
def test_drawing_keeps_all_cards_and_sums_to_one(cards, discarded, n):
    pile, discard = KINDS.pack(cards), KINDS.pack(discarded)

    drawn = KINDS.draw(pile, discard, n)

    assert sum(p for _, p in drawn) == 1
    for (taken, left, rest), _ in drawn:
        assert KINDS.unpack(taken) + KINDS.unpack(left) + KINDS.unpack(rest) == +Counter(cards) + Counter(discarded)
        assert KINDS.size(taken) == min(n, sum(cards.values()) + sum(discarded.values()))


def test_a_pile_with_just_enough_cards_is_not_reshuffled_yet():
    pile, discard = KINDS.pack({"Strike": 5}), KINDS.pack({"Defend": 3})

    assert dict(KINDS.draw(pile, discard, 5)) == {(pile, 0, discard): 1}


def test_cards_drawn_before_a_shuffle_are_certain():
    pile, discard = KINDS.pack({"Bash": 1}), KINDS.pack({"Strike": 3, "Defend": 1})

    drawn = {tuple(KINDS.unpack(taken).items()): p for (taken, _, _), p in KINDS.draw(pile, discard, 2)}

    assert drawn == {
        (("Strike", 1), ("Bash", 1)): Fraction(3, 4),
        (("Defend", 1), ("Bash", 1)): Fraction(1, 4),
    }


def test_kinds_can_be_taken_out_of_a_pile():
    pile = KINDS.pack({"Strike": 2, "Ascender's Bane": 3})

    assert KINDS.without(pile, [CARDS["Ascender's Bane"]]) == KINDS.pack({"Strike": 2})


def test_a_card_that_cannot_be_in_the_fight_is_refused():
    with pytest.raises(
        UsageError, match=r"^Anger is not in this fight\. Allowed: Strike, Defend, Bash, Ascender's Bane$"
    ):
        KINDS.pack({"Anger": 1})


def test_too_many_cards_of_a_kind_are_refused():
    with pytest.raises(UsageError, match=r"^64 Strike in a pile; allowed: 0 to 63$"):
        KINDS.pack({"Strike": 64})


def test_a_pile_that_grew_too_large_is_refused_before_it_overflows():
    grown = KINDS.pack({"Strike": MOST}) + KINDS.pack({"Strike": 20})

    assert KINDS.unpack(grown) == {"Strike": MOST + 20}
    with pytest.raises(Overflow, match=r"^83 Strike in a pile, and 63 are allowed: "):
        KINDS.draw(0, grown, 5)
