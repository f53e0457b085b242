"""Import public names at their first use, so that `evodom --help` loads neither NumPy nor Numba."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # type checkers treat it as typing's
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Attached = tuple[Callable[[str], Any], Callable[[], list[str]]]


def attach(package: str) -> Attached:
    """Return `__getattr__` and `__dir__` of a package.

    The first ``if`` of the package's source is TYPE_CHECKING. The imports under it are the public names, and `__all__`.
    """
    module, module_of = sys.modules[package], dict[str, str]()

    def read() -> dict[str, str]:
        if not module_of:
            import ast
            from inspect import getsource

            source = ast.parse(getsource(module))
            block = next(node for node in source.body if isinstance(node, ast.If))
            lines = [node for node in block.body if isinstance(node, ast.ImportFrom)]
            module_of.update((alias.name, node.module or "") for node in lines for alias in node.names)
        return module_of

    def find(name: str) -> Any:
        if name == "__all__":
            return sorted(read())
        if name.startswith("__") or name not in read():
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        from importlib import import_module

        value = getattr(import_module(read()[name], package), name)
        setattr(module, name, value)
        return value

    return find, lambda: [*vars(module), *sorted(read())]
