"""Public names that are imported when they are first used, so that `evodom --help` loads neither NumPy nor Numba."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # as typing has it, without importing it
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any


def exports(package: str, modules: Mapping[str, Sequence[str]]) -> Callable[[str], Any]:
    """Return a module's `__getattr__` that finds the names of each of a package's ``modules`` there.

    A module that begins with a dot stands beside the package.

    For type checkers the package imports the same names under TYPE_CHECKING, and lists them in `__all__`.
    """
    homes = {name: module for module, names in modules.items() for name in names}

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        from importlib import import_module

        value = getattr(import_module(f".{homes[name]}", package), name)
        setattr(sys.modules[package], name, value)
        return value

    return find
