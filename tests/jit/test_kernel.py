"""Random streams of kernels: known answers, exact uniformity, bounds."""

import subprocess
import sys

import numpy as np
import pytest

from evodom.jit.kernel import next_word, random_below, random_float
from tests.chi_square import fits

MASK_64 = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15
KNOWN_WORDS = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821]
"""The first words of SplitMix64 from seed 1234567."""


def stream(seed: int) -> np.ndarray:
    """Return an array of one stream."""
    return np.array([seed], np.uint64)


def reference_words(seed: int):
    """Yield the words of SplitMix64, in Python's unbounded integers."""
    while True:
        seed = (seed + GOLDEN) & MASK_64
        word = ((seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9) & MASK_64
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & MASK_64
        yield word ^ (word >> 31)


def seed_before(word: int) -> int:
    """Return the seed from which the next word is ``word``: SplitMix64 undone step by step."""

    def unshift(value: int, shift: int) -> int:
        undone = value
        for _ in range(64 // shift):
            undone = value ^ (undone >> shift)
        return undone

    word = unshift(word, 31) * pow(0x94D049BB133111EB, -1, 2**64) & MASK_64
    word = unshift(word, 27) * pow(0xBF58476D1CE4E5B9, -1, 2**64) & MASK_64
    return (unshift(word, 30) - GOLDEN) & MASK_64


@pytest.mark.uncompiled
def test_splitmix_gives_the_known_answers_and_wraps_around():
    streams = stream(1234567)

    assert seed_before(KNOWN_WORDS[0]) == 1234567
    assert [int(next_word(streams, 0)) for _ in KNOWN_WORDS] == KNOWN_WORDS
    for seed in (0, 1, 2**63, MASK_64, MASK_64 - GOLDEN):
        streams, words = stream(seed), reference_words(seed)
        assert [int(next_word(streams, 0)) for _ in range(50)] == [next(words) for _ in range(50)]


@pytest.mark.uncompiled
def test_random_below_multiplies_the_high_half_of_a_word():
    for n in (1, 2, 3, 7, 52, 2**31, 2**32 - 1):
        streams, words = stream(5), reference_words(5)
        for _ in range(100):
            while ((product := (next(words) >> 32) * n) & 0xFFFFFFFF) < (2**32 - n) % n:
                pass
            assert random_below(streams, 0, n) == product >> 32


@pytest.mark.uncompiled
def test_random_below_rejects_exactly_the_surplus_words():
    """Of the 2**32 halves, 2**32 mod n are rejected: those whose product's low half is below that."""
    for n in (3, 7, 10, 60, 3 * 2**30):
        surplus = 2**32 % n
        rejected = 0  # the half 0 gives the product 0, which is below any surplus
        accepted = next(half for half in range(1, 2**32) if (half * n & 0xFFFFFFFF) >= surplus)
        assert _words_used(rejected << 32, n) > 1
        assert _words_used(accepted << 32, n) == 1
    assert _words_used(0, 8) == 1, "a power of two has no surplus"


@pytest.mark.uncompiled
def test_random_below_reaches_both_ends():
    for n in (1, 5, 60):
        lowest = next(half for half in range(2**32) if (half * n & 0xFFFFFFFF) >= 2**32 % n)
        assert random_below(stream(seed_before(lowest << 32)), 0, n) == 0
        assert random_below(stream(seed_before(MASK_64)), 0, n) == n - 1


@pytest.mark.parametrize("n", [2, 5, 17, 20])
def test_random_numbers_are_uniform(n):
    streams = stream(n)
    for draw in (lambda: random_below(streams, 0, n), lambda: int(random_float(streams, 0) * n)):
        counts = np.bincount([draw() for _ in range(50_000)], minlength=n)
        assert fits(dict(enumerate(counts.tolist())), dict.fromkeys(range(n), 1 / n))


@pytest.mark.uncompiled
def test_random_float_has_53_bits_of_a_word_and_is_below_1():
    assert random_float(stream(seed_before(0)), 0) == 0.0
    assert random_float(stream(seed_before(MASK_64)), 0) == 1 - 2.0**-53
    assert random_float(stream(1234567), 0) == (KNOWN_WORDS[0] >> 11) * 2.0**-53


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have other cache folders")
def test_kernels_are_not_cached_if_a_file_is_in_the_place_of_the_folder(tmp_path, monkeypatch):
    """Kernels of a folder that can be created: `test_other_processes_compile_exactly_what_an_edit_concerns`."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "evodom").touch()
    code = "from evodom.jit import cache; print(cache.can_cache(), cache.cache_folder())"

    result = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)

    assert result.stdout.split() == ["False", str(tmp_path / "evodom" / "kernels")]


def _words_used(first_word: int, n: int) -> int:
    """Return the number of words that `random_below` takes if the first is ``first_word``."""
    seed = seed_before(first_word)
    streams = stream(seed)
    random_below(streams, 0, n)
    return ((int(streams[0]) - seed) * pow(GOLDEN, -1, 2**64)) & MASK_64
