"""The public face of each package: what it lists is there, typed as it is found, and costs nothing until it is used."""

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import evodom

ROOT = Path(evodom.__file__).parent
FACES = (
    "advice",
    "dominion",
    "dominion.strategies",
    "evolution",
    "learning",
    "matches",
    "sessions",
    "spire.fights",
    "spire",
)


@pytest.mark.parametrize("name", FACES)
def test_all_that_a_package_lists_can_be_had_and_is_documented(name):
    package = import_module(f"evodom.{name}")

    found = {public: getattr(package, public) for public in package.__all__}

    assert not [public for public, value in found.items() if isinstance(value, ModuleType)]
    assert [public for public, value in found.items() if not value.__doc__] == []
    assert all(value.__module__.startswith("evodom.") for value in found.values())


@pytest.mark.parametrize("name", FACES)
def test_type_checkers_find_the_names_where_they_are_loaded_from(name):
    package = import_module(f"evodom.{name}")
    tree = ast.parse((ROOT / name.replace(".", "/") / "__init__.py").read_text(encoding="utf-8"))
    typed = {
        alias.name: line.module
        for block in tree.body
        if isinstance(block, ast.If)
        for line in block.body
        for alias in line.names
    }

    assert sorted(typed) == sorted(package.__all__)
    assert all(getattr(package, public) is getattr(import_module(typed[public]), public) for public in typed)


@pytest.mark.parametrize("name", FACES)
def test_a_name_that_is_not_there_is_refused(name):
    with pytest.raises(AttributeError, match=f"module 'evodom.{name}' has no attribute 'nothing'"):
        import_module(f"evodom.{name}").nothing  # noqa: B018  # to look it up is the test


def test_importing_the_packages_loads_neither_numpy_nor_numba():
    imports = "; ".join(f"import evodom.{name}" for name in FACES)
    check = f"import sys; {imports}; sys.exit(bool({{'numpy', 'numba'}} & set(sys.modules)))"

    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0
