"""Seeds of runs, as numbers and as the game writes them, and the stream of random numbers of a seed.

The numbers are those of libGDX's RandomXS128: xorshift128+ (Vigna 2017, "Further scramblings of Marsaglia's xorshift
generators") on two words that MurmurHash3's last step makes of the seed.
"""

from __future__ import annotations

import re

from evodom.errors import UsageError, short

DIGITS = "0123456789ABCDEFGHIJKLMNPQRSTUVWXYZ"
"""The digits of the game's seeds, base 35: the letter O is left out, and read as 0."""

LONGEST = 13
"""The characters of the largest seed; more cannot be typed into the game either."""

AS_TEXT = "text:"
"""The prefix of a seed of figures only that is meant as the game's text."""

MASK = (1 << 64) - 1
SIGN = 1 << 63


def parse_seed(text: str) -> int:
    """Read a seed: a number such as -5 or 673465884448, or the game's text such as AGCK93XT.

    Figures alone are a number; "text:1234" is the text 1234. Returns a signed 64-bit integer; larger numbers wrap
    around, as in the game. Raises UsageError for anything else.
    """
    word = text.strip()
    if re.fullmatch(r"[+-]?[0-9]{1,40}", word):
        return _from_number(int(word))
    is_marked = word.lower().startswith(AS_TEXT)
    figures = (word[len(AS_TEXT) :] if is_marked else word).strip().upper().replace("O", "0")
    # Some letters of other scripts become letters of the game when they are made capitals.
    if not text.isascii() or not figures or not set(figures) <= set(DIGITS) or len(figures) > LONGEST:
        raise UsageError(
            f"a seed is a number such as -5, or up to {LONGEST} figures and letters as the game shows them, such as "
            f"AGCK93XT, got {short(text)}."
        )
    value = 0
    for figure in figures:
        value = 35 * value + DIGITS.index(figure)
    return signed(value)


def seed_text(seed: int) -> str:
    """Return a seed as the game shows it: seed_text(673465884448) is "AGCK93XT"."""
    value, figures = seed & MASK, ""
    while value:
        value, figure = divmod(value, 35)
        figures = DIGITS[figure] + figures
    return figures or "0"


def signed(value: int) -> int:
    """Return the signed 64-bit integer that is equal to `value` modulo 2**64."""
    return ((value + SIGN) & MASK) - SIGN


def _from_number(value: int) -> int:
    """Return a seed given as a number; from 2**63 on it stands for the negative number of the same bits."""
    if not -SIGN <= value <= MASK:
        raise UsageError(f"a seed is a number from {-SIGN} to {MASK}, got {short(value)}.")
    return signed(value)


class Random:
    """The stream of random numbers of a seed: a signed or unsigned 64-bit integer."""

    def __init__(self, seed: int) -> None:
        self._first = _mixed(seed & MASK or SIGN)
        self._second = _mixed(self._first)

    def word(self) -> int:
        """Return the next 64 bits."""
        first, second = self._first, self._second
        first ^= first << 23 & MASK
        first ^= second ^ first >> 17 ^ second >> 26
        self._first, self._second = second, first
        return first + second & MASK

    def below(self, n: int) -> int:
        """Return an integer from 0 to n - 1; every one is as likely as the others."""
        while True:
            bits = self.word() >> 1
            value = bits % n
            if bits - value + n <= SIGN:  # else `bits` lies in the last, incomplete run of n numbers
                return value

    def between(self, low: int, high: int) -> int:
        """Return an integer from `low` to `high`, both included."""
        return low + self.below(high - low + 1)

    def shuffle(self, items: list[int]) -> None:
        """Shuffle a list in place."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]


def _mixed(word: int) -> int:
    """Return the result of the last step of MurmurHash3 on 64 bits."""
    word ^= word >> 33
    word = word * 0xFF51AFD7ED558CCD & MASK
    word ^= word >> 33
    word = word * 0xC4CEB9FE1A85EC53 & MASK
    return word ^ word >> 33
