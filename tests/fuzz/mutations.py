"""Changes of a content as strangers make them: bits, bytes, slices, and words that readers stumble over."""

import random
import re

WORDS = (
    b"0", b"-1", b"1", b"2.5", b"4.0", b"-0.0", b"1e400", b"1e999999999", b"nan", b"NaN", b"inf", b"Infinity", b"true",
    b"null", b'""', b"[]", b"{}", b"[[]]", b'"x"', b'"\\u001b[2J"', b'"\\ud800"', b"99", b"255", b"256", b"2147483648",
    b"18446744073709551616", b"9" * 400, b"9" * 5000, b"0x" + b"F" * 5000, b"[" * 70 + b"]" * 70, b"(" * 70, b"- " * 70,
    b"{0}", b"%s", b"\x00", b"\xff", b"\xf0\x9f\x83\x8f", b"\n", b" ", b"=", b":", b",", b"#", b"'", b'"',
)  # fmt: skip
"""Words to put in."""

TOKEN = re.compile(rb'"(?:[^"\\\n]|\\.)*"|-?\d[\d.]*|[A-Za-z_]+|[^\sA-Za-z0-9_]')
"""What a text is made of."""


def mutated(content: bytes, others: list[bytes], rng: random.Random) -> bytes:
    """Return a content with one to four changes."""
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        content = rng.choice(CHANGES)(content, others, rng)
    return content


def _place(content: bytes, rng: random.Random) -> int:
    return rng.randrange(len(content) + 1)


def _flip(content: bytes, others: list[bytes], rng: random.Random) -> bytes:
    if not content:
        return content
    place = rng.randrange(len(content))
    return content[:place] + bytes([content[place] ^ 1 << rng.randrange(8)]) + content[place + 1 :]


def _insert(content: bytes, others: list[bytes], rng: random.Random) -> bytes:
    place = _place(content, rng)
    return content[:place] + rng.choice(WORDS) + content[place:]


def _cut(content: bytes, others: list[bytes], rng: random.Random) -> bytes:
    first, last = sorted((_place(content, rng), _place(content, rng)))
    return content[:first] + content[last:] if rng.random() < 0.8 else content[:first]


def _repeat(content: bytes, others: list[bytes], rng: random.Random) -> bytes:
    first, last = sorted((_place(content, rng), _place(content, rng)))
    return content[:last] + content[first : min(last, first + 2000)] + content[last:]


def _splice(content: bytes, others: list[bytes], rng: random.Random) -> bytes:
    other = rng.choice(others)
    return content[: _place(content, rng)] + other[_place(other, rng) :]


def _replace_token(content: bytes, others: list[bytes], rng: random.Random) -> bytes:
    """Put a word, or another token of the same content, in the place of a token."""
    tokens = list(TOKEN.finditer(content))
    if not tokens:
        return rng.choice(WORDS)
    token = rng.choice(tokens)
    new = rng.choice(WORDS) if rng.random() < 0.7 else rng.choice(tokens)[0]
    return content[: token.start()] + new + content[token.end() :]


CHANGES = (_flip, _insert, _cut, _repeat, _splice, *[_replace_token] * 5)
