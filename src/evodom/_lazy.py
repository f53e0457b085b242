"""Import public names at their first use, so that `evodom --help` loads neither NumPy nor Numba."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # type checkers treat it as typing's
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any


def attach(package: str, modules: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return `__getattr__`, `__dir__` and `__all__` of a package that exports names of ``modules``.

    ``modules`` maps a module to its names, separated by spaces. Modules are relative to the package; a leading dot goes
    up to its parent. For type checkers the package imports each name as itself under TYPE_CHECKING.
    """
    homes = {name: module for module, names in modules.items() for name in names.split()}
    listed = sorted(homes)

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        from importlib import import_module

        value = getattr(import_module(f".{homes[name]}", package), name)
        setattr(sys.modules[package], name, value)
        return value

    return find, lambda: [*vars(sys.modules[package]), *listed], listed
