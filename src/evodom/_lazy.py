"""Import public names at their first use, so that `evodom --help` loads neither NumPy nor Numba."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # type checkers treat it as typing's
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def attach(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` of a package.

    Its source lists the public names once: as imports under TYPE_CHECKING, the first ``if``. `__all__` is their list.
    """
    module, homes = sys.modules[package], dict[str, str]()

    def names() -> list[str]:
        if not homes:
            import ast
            from inspect import getsource

            block = next(node for node in ast.parse(getsource(module)).body if isinstance(node, ast.If))
            imports = (node for node in block.body if isinstance(node, ast.ImportFrom))
            homes.update((alias.name, node.module or "") for node in imports for alias in node.names)
        return sorted(homes)

    def find(name: str) -> Any:
        if name == "__all__":
            return names()
        if name.startswith("__") or name not in names():
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        from importlib import import_module

        value = getattr(import_module(homes[name]), name)
        setattr(module, name, value)
        return value

    return find, lambda: [*vars(module), *names()]
