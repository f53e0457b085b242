"""Keys of saved runs and their parts, such as "demo" and "demo:network", and names of the strategies in them."""

from typing import NamedTuple

from evodom.errors import UsageError, short
from evodom.files import plain_name

_MAX_KEY_LENGTH, _MAX_DIGITS = 64, 6

LONGEST_SETTING = 40
"""Maximum length of the name of a compared setting. With a hyphen and a seed it is the name of a part."""


def is_key(text: str) -> bool:
    """Return whether a text is 1 to 64 letters a-z, A-Z and digits, with hyphens between them."""
    return text.isascii() and len(text) <= _MAX_KEY_LENGTH and all(word.isalnum() for word in text.split("-"))


def check_key(key: str) -> str:
    """Return a key if it is valid, else raise UsageError. `RunStore.check_free` has more checks for new keys."""
    if is_key(key):
        return key
    got = repr(key) if len(key) <= _MAX_KEY_LENGTH else f"{len(key)} characters"
    allowed = f"1 to {_MAX_KEY_LENGTH} letters a-z, A-Z and digits, with hyphens between them"
    raise UsageError(f"a run's key is {allowed}, and got {got}. Try: {plain_name(key, 'demo', _MAX_KEY_LENGTH)}")


def is_part(text: str) -> bool:
    """Return whether a text is a key that begins with a letter."""
    return is_key(text) and text[0].isalpha()


def check_part(name: str, what: str = "part of a run", max_length: int = _MAX_KEY_LENGTH) -> None:
    """Raise UsageError unless a text of at most ``max_length`` characters is the name of a part."""
    if not isinstance(name, str) or not is_part(name) or len(name) > max_length:
        allowed = f"1 to {max_length} letters a-z, A-Z and digits, with hyphens between them, a letter first"
        raise UsageError(f"a {what} is called {short(name)}. Allowed: {allowed}.")


def split_key(key: str) -> tuple[str, str]:
    """Split the key of a part, such as "demo:network", into ("demo", "network"). For other keys the second is ""."""
    name, colon, part = key.partition(":")
    if check_key(name) and colon and not is_part(part):
        raise UsageError(f"{short(key)} names no part of a run. Allowed after the colon: a name, as in {name}:network")
    return name, part


class StrategyName(NamedTuple):
    """The name of a strategy in a run: the key of the run or part, and optionally a generation and a rank."""

    key: str
    generation: int | None
    rank: int | None

    @property
    def file(self) -> str:
        """The key of the file, without the part."""
        return self.key.partition(":")[0]

    @property
    def part(self) -> str:
        """The name of the part, "" without one."""
        return self.key.partition(":")[2]


def parse_name(text: str) -> StrategyName | None:
    """Split the name of a strategy, such as "demo@50:2" or "demo:network@3:2". Return None for other texts."""
    rest, _, rank = text.rpartition(":")
    if not (rest and _is_number(rank)):
        rest, rank = text, ""
    key, at, generation = rest.partition("@")
    name, colon, part = key.partition(":")
    is_valid = is_key(name) and (not colon or is_part(part)) and (not at or _is_number(generation))
    return StrategyName(key, int(generation) if at else None, int(rank) if rank else None) if is_valid else None


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS
