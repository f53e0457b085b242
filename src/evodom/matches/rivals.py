"""The limit on the rivals of a run, checked on the command line and when a saved run is read."""

from collections.abc import Sized

from evodom.errors import UsageError

MOST_RIVALS = 64
"""The most rivals of a run. 64 networks are read from a saved run in 0.1 s."""


def check_rivals(*named: Sized) -> None:
    """Raise UsageError if a list has more than MOST_RIVALS rivals."""
    n = max(map(len, named))
    if n > MOST_RIVALS:
        raise UsageError(f"there are {n:,} rivals. Allowed: at most {MOST_RIVALS}.")
