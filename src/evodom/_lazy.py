"""Import public names at their first use, so that `evodom --help` loads neither NumPy nor Numba."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # type checkers treat it as typing's
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    Attached = tuple[Callable[[str], Any], Callable[[], list[str]]]


def attach_typed(package: str) -> Attached:
    """Return `__getattr__` and `__dir__` of a package.

    Its source lists the public names: as imports under TYPE_CHECKING, the first ``if``. `__all__` is their list.
    """
    homes: dict[str, str] = {}

    def read() -> dict[str, str]:
        if not homes:
            import ast
            from inspect import getsource

            source = ast.parse(getsource(sys.modules[package]))
            block = next(node for node in source.body if isinstance(node, ast.If))
            lines = [node for node in block.body if isinstance(node, ast.ImportFrom)]
            homes.update((alias.name, node.module or "") for node in lines for alias in node.names)
        return homes

    return _attached(package, read)


def attach(package: str, modules: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return `__getattr__`, `__dir__` and `__all__` of a package that lists its public names as texts.

    ``modules`` maps a module, relative to the package, to its names, separated by spaces.
    """
    homes = {name: f".{module}" for module, names in modules.items() for name in names.split()}
    return *_attached(package, lambda: homes), sorted(homes)


def _attached(package: str, homes: Callable[[], dict[str, str]]) -> Attached:
    """Return `__getattr__` and `__dir__`. ``homes`` returns the module of each public name."""
    module = sys.modules[package]

    def find(name: str) -> Any:
        if name == "__all__":
            return sorted(homes())
        if name.startswith("__") or name not in homes():
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        from importlib import import_module

        value = getattr(import_module(homes()[name], package), name)
        setattr(module, name, value)
        return value

    return find, lambda: [*vars(module), *sorted(homes())]
