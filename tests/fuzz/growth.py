"""How the time of a reader grows with the length of a content: doubled length, at most tripled time."""

import random
import time

from tests.fuzz.mutations import TOKEN, WORDS
from tests.fuzz.readers import Reader

MOST_GROWTH = 3.0
SHORTEST, LONGEST = 500, 64_000
"""Lengths of what is put into a content. It is doubled from the first to the last."""

NOTICED = 0.1
"""Seconds; shorter times are not compared."""

UNITS = (
    b" ", b"\t", b"\n", b" \n", b"\r\n", b"1", b"1 ", b"a", b"a ", b".", b"a.", b"1.", b"'", b'"', b"\\", b'\\"',
    b'"a".', b"(", b")", b"()", b"[", b"{", b"a=1\n", b"[a]\n", b"[[a]]\n", b"a.a=", b"{a=", b",", b"x,", b"1,",
    b"[1],", b'"a",', b'"a":', b"{}", b"+", b"+1", b"-", b"- ", b"a-", b" if ", b" and ", b" or ", b"not ", b":", b"1:",
    b"|", b"P1:", b";", b"#", b"%", b"/", b"<", b"x", b"2x", b"1x ", b"\xff", b"\x00", b"\xc3\xa9", b"\xe2\x80\x83",
    b"\x1b", b'"""', b"'''", b".py", b"s\n",
)  # fmt: skip
"""What is repeated, besides pieces of the content itself."""


def places(content: bytes) -> list[int]:
    """Return the places between the tokens of a content."""
    return sorted({0, len(content), *(end for token in TOKEN.finditer(content) for end in token.span())})


def grown(content: bytes, place: int, unit: bytes, length: int) -> bytes:
    """Return a content with a unit repeated at a place."""
    return content[:place] + unit * (length // len(unit)) + content[place:]


def drawn(reader: Reader, rng: random.Random) -> tuple[bytes, int, bytes]:
    """Draw a content of a reader's corpus, a place in it, and what to repeat there."""
    content = rng.choice([path.read_bytes() for path in reader.corpus])
    tokens = [token[0] for token in TOKEN.finditer(content[:2000])] or [b" "]
    unit = rng.choice((rng.choice(UNITS), rng.choice(UNITS), rng.choice(WORDS), rng.choice(tokens) + rng.choice(UNITS)))
    return content, rng.choice(places(content)), unit


def growth(reader: Reader, content: bytes, place: int, unit: bytes) -> tuple[int, float, float] | None:
    """Return (length, seconds, seconds of twice the length) if the time grows too fast, None otherwise."""
    before, length = 0.0, SHORTEST
    while length <= LONGEST:
        now = seconds(reader, grown(content, place, unit, length))
        for _ in range(3):
            if now <= max(NOTICED, MOST_GROWTH * before):
                break
            before = max(before, seconds(reader, grown(content, place, unit, length // 2)))
            now = min(now, seconds(reader, grown(content, place, unit, length)))
        else:
            return length // 2, before, now
        before, length = now, 2 * length
    return None


def seconds(reader: Reader, content: bytes) -> float:
    """Return the processor time of reading a content."""
    began = time.process_time()
    reader.is_read(content)
    return time.process_time() - began
