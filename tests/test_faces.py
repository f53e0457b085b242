"""The public face of each package: what it lists is there, typed as it is found, and costs nothing until it is used."""

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

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


def test_a_package_that_lists_names_as_texts_imports_the_same_for_type_checkers():
    listed, typed = import_module("evodom.dominion.strategies"), dict[str, object]()
    for block in ast.parse(Path(listed.__file__).read_text(encoding="utf-8")).body:
        for line in block.body if isinstance(block, ast.If) else ():
            typed |= {alias.name: getattr(import_module(line.module), alias.name) for alias in line.names}

    assert sorted(typed) == sorted(listed.__all__)
    assert all(getattr(listed, name) is value for name, value in typed.items())


@pytest.mark.parametrize("name", FACES)
def test_a_name_that_is_not_there_is_refused(name):
    with pytest.raises(AttributeError, match=f"module 'evodom.{name}' has no attribute 'nothing'"):
        import_module(f"evodom.{name}").nothing  # noqa: B018  # to look it up is the test


def test_importing_the_packages_loads_neither_numpy_nor_numba():
    imports = "; ".join(f"import evodom.{name}" for name in FACES)
    check = f"import sys; {imports}; sys.exit(bool({{'numpy', 'numba'}} & set(sys.modules)))"

    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0
