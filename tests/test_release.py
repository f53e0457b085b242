"""What a release is told in: the section of its version in the changelog."""

import os
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

CHANGELOG = (
    "# Changelog\n\n## 1.10.0 (unreleased)\n\n- Tenth.\n\n## 1.1.0 (2030-01-02)\n\n- First.\n- Second.\n\n## 1.0.0\n"
)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no POSIX shell")
@pytest.mark.parametrize(
    ("version", "code", "told"),
    [
        ("1.1.0", 0, "- First.\n- Second."),
        ("1.10.0", 1, "CHANGELOG.md calls version 1.10.0 unreleased: put its date there"),
        ("1.0.0", 1, "CHANGELOG.md has no section '## 1.0.0'"),
        ("1.1", 1, "CHANGELOG.md has no section '## 1.1'"),
    ],
)
def test_the_changelog_gives_the_section_of_a_version(tmp_path, version, code, told):
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "changelog", tmp_path / ".ci")
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG)

    ended = subprocess.run(
        ["bash", tmp_path / ".ci" / "changelog", version], check=False, capture_output=True, text=True
    )

    assert (ended.returncode, (ended.stdout + ended.stderr).strip()) == (code, told)


def test_the_version_of_the_package_stands_first_in_the_changelog():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]

    assert (ROOT / "CHANGELOG.md").read_text().splitlines()[2].startswith(f"## {version} ")
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text()
