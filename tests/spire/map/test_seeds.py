"""Seeds as numbers and as text, and the random numbers that follow from them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evodom.errors import UsageError
from evodom.spire.map.generate import Random, parse_seed, seed_text
from tests.spire.map.reference import Stream

SEEDS = st.integers(-(2**63), 2**63 - 1)


@pytest.mark.parametrize(
    ("text", "seed"),
    [
        ("673465884448", 673465884448),
        ("AGCK93XT", 673465884448),
        (" agck93xt ", 673465884448),
        ("-5", -5),
        ("+5", 5),
        ("0", 0),
        ("A", 10),
        ("P", 24),
        ("Z", 34),
        ("A0", 350),
        ("AO", 350),
        ("ao", 350),
        ("text:10", 35),
        ("TEXT: 1O", 35),
        ("10", 10),
        (str(2**63), -(2**63)),
        (str(2**64 - 1), -1),
        (str(-(2**63)), -(2**63)),
        ("5G24A25UXKXFG", 0),
        ("5G24A25UXKXFF", -1),
    ],
)
def test_a_seed_is_a_number_or_the_games_text(text, seed):
    assert parse_seed(text) == seed


@given(SEEDS)
def test_a_seed_comes_back_from_its_text(seed):
    text = seed_text(seed)

    assert parse_seed(f"text:{text}") == seed
    assert set(text) <= set("0123456789ABCDEFGHIJKLMNPQRSTUVWXYZ")
    assert len(text) <= 13


@pytest.mark.parametrize(
    "text",
    ["", "  ", "text:", "AG-K", "1.5", "٣", "AGÇK", "ß", "Z" * 14, "9" * 20, "-9223372036854775809", "9" * 5000],
)
def test_what_is_no_seed_is_told_in_one_short_line(text):
    with pytest.raises(UsageError, match="a seed is a number") as error:
        parse_seed(text)

    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 200


@pytest.mark.parametrize("seed", [1, 0, -5, 673465884449, 2**63 - 1, -(2**63)])
def test_the_stream_is_that_of_the_game(seed):
    stream, reference = Random(seed), Stream(seed)

    assert [stream.word() for _ in range(200)] == [reference.word() for _ in range(200)]


def test_known_words_of_the_stream():
    # 0xB456BCFC34C2CB2C is what the last step of MurmurHash3 makes of 1, as its published implementations do.
    stream = Random(1)

    assert (stream._first, stream._second) == (0xB456BCFC34C2CB2C, Stream(1).b)
    assert Random(0).word() == Random(2**63).word() == Random(-(2**63)).word()


def test_numbers_below_a_limit_are_drawn_anew_in_the_last_incomplete_run(monkeypatch):
    words = iter([2**64 - 1, 2**64 - 2, 2 * 3 * 10**18])
    stream = Random(1)
    monkeypatch.setattr(stream, "word", lambda: next(words))

    # 2**63 - 1 is 7 modulo 10: 2**63 - 8 to 2**63 - 1 belong to no complete run of ten.
    assert stream.below(10) == 0
    assert next(words, None) is None


def test_a_power_of_two_needs_no_second_draw(monkeypatch):
    words = iter([2**64 - 1])
    stream = Random(1)
    monkeypatch.setattr(stream, "word", lambda: next(words))

    assert stream.below(4) == 3


def test_between_includes_both_ends():
    stream = Random(7)

    assert {stream.between(-1, 1) for _ in range(100)} == {-1, 0, 1}


def test_a_shuffle_goes_from_the_last_item_down(monkeypatch):
    asked = []
    stream = Random(1)
    monkeypatch.setattr(stream, "below", lambda n: asked.append(n) or 0)
    items = [1, 2, 3, 4]
    stream.shuffle(items)

    assert asked == [4, 3, 2]
    assert items == [2, 3, 4, 1]
