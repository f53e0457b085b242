"""`and`, `or` and parentheses around the comparisons of a rule, multiplied out: pure text, before conditions are read.

`and` binds more closely than `or`. "(A or B) and C" has two cases, in each of which all has to hold: A and C, B and C.
"""

import re
from itertools import product

from evodom.errors import UsageError

Case = tuple[str, ...]
"""Comparisons that all have to hold."""

MOST_CASES = 1000
"""More cases than any list has room for: a rule of many parentheses is refused before it fills the memory."""

_WORDS = re.compile(r"[()]|\b(?:and|or)\b")
_COMPARISON = re.compile(r"[<>=!]")


def cases_of(text: str) -> list[Case]:
    """Return the cases of a rule's conditions; raises UsageError for more than MOST_CASES."""
    parts = _split(text, "or")
    if len(parts) > 1:
        return _few([case for part in parts for case in cases_of(part)], text)
    parts = _split(text, "and")
    if len(parts) > 1:
        found: list[Case] = [()]
        for part in parts:
            found = _few([(*before, *case) for before, case in product(found, cases_of(part))], text)
        return found
    inside = _unwrapped(text)
    return cases_of(inside) if inside else [(text.strip(),)]


def _split(text: str, word: str) -> list[str]:
    """Return the parts of a text between the words ``word`` that stand in no parentheses."""
    parts, depth, start = [], 0, 0
    for found in _WORDS.finditer(text):
        depth += (found[0] == "(") - (found[0] == ")")
        if depth == 0 and found[0] == word:
            parts.append(text[start : found.start()])
            start = found.end()
    return [*parts, text[start:]]


def _unwrapped(text: str) -> str:
    """Return what stands in parentheses around a whole text with a comparison in it, else ""."""
    text = text.strip()
    depth = 0
    for place, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if depth == 0 and place < len(text) - 1:
            return ""
    wraps = text.startswith("(") and text.endswith(")") and _COMPARISON.search(text)
    return text[1:-1] if wraps else ""


def _few(cases: list[Case], text: str) -> list[Case]:
    if len(cases) > MOST_CASES:
        raise UsageError(f"'{text.strip()[:60]}' has {len(cases)} cases without 'or'. Allowed: up to {MOST_CASES}.")
    return cases
