"""Lists of cards as text."""

from collections import Counter
from collections.abc import Iterable


def counted(cards: Iterable[str]) -> list[str]:
    """Return each card once, in the order given, with its number if there are several: "Copper x3", "Silver".

    A Counter gives its own numbers.
    """
    return [name if n == 1 else f"{name} x{n}" for name, n in Counter(cards).items()]
