"""Copy fights."""

from typing import Any

from evodom.kernel import kernel


@kernel
def copy(target: Any, source: Any) -> None:
    """Copy the first record of an array to that of another."""
    target[0] = source[0]
