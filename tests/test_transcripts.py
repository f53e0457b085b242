"""Transcripts and tables: the documents show what the program and its benchmarks print.

    .venv/bin/pytest tests/test_transcripts.py --write-transcripts             # write the quick blocks
    .venv/bin/pytest tests/test_transcripts.py --full -n0 --write-transcripts   # write the long ones and the tables

A block that begins with `$ evodom` is a transcript. Lines of `...` stand for omitted lines, and times in seconds are
masked. Commands of QUICK run with every change, those of LONG weekly. A table below `<!-- python benchmarks/... -->` is
the output of that command, which runs weekly.
"""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.program import run_program

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"^(```\w*\n)(\$ evodom .*?\n)(```)$", re.DOTALL | re.MULTILINE)
QUICK = ("cards", "kingdoms", "risk", "spire map", "spire solve", "tournament")
LONG = ("advise",)
TABLE = re.compile(r"^<!-- (python benchmarks/.*?) -->\n\n((?:\|.*\n)+)", re.MULTILINE)
SECONDS = re.compile(r"\b[\d.,]+ (?=s\b|ms\b|seconds\b)")
OMITTED = "..."


def runs(command: str, beginnings: tuple[str, ...]) -> bool:
    """Return whether a command has one of these beginnings and depends on no saved run, file or time limit."""
    return command.removeprefix("evodom ").startswith(beginnings) and not re.search(
        r"network:|--minutes|\.py\b|\.toml|\.json|[<>|]|\bdemo\b", command
    )


def commands_of(block: str) -> list[str]:
    """Return the commands of a block. Lines that end with a backslash continue."""
    return re.findall(r"^\$ (evodom .*)$", block.replace("\\\n", " "), re.MULTILINE)


def found(pattern: re.Pattern[str]) -> list[tuple[Path, re.Match[str]]]:
    """Return the matches of a pattern in README.md and the documents."""
    documents = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [(path, match) for path in documents for match in pattern.finditer(path.read_text(encoding="utf-8"))]


def blocks(beginnings: tuple[str, ...]) -> list[tuple[Path, str]]:
    """Return the documents with their blocks of commands that have one of these beginnings."""
    return [
        (path, match[2])
        for path, match in found(BLOCK)
        if all(runs(command, beginnings) for command in commands_of(match[2]))
    ]


def transcript(block: str, folder: Path) -> str:
    """Run the commands of a block and return the block with their output."""
    parts = re.split(r"^(?=\$ evodom )", block, flags=re.MULTILINE)[1:]
    shown = []
    for part in parts:
        (command,) = commands_of(part)
        typed = part[: re.search(r"[^\\]\n", part).end()]
        result = run_program(*shlex.split(command)[1:], EVODOM_DATA_DIR=str(folder), COLUMNS="80")
        assert result.exit_code == 0, result.output
        shown.append(typed + result.stdout)
    return "".join(shown)


def agrees(shown: str, printed: str) -> bool:
    """Return whether a block shows a transcript, except for omitted lines and seconds."""
    parts = [re.escape(part.strip("\n")) for part in masked(shown).split(f"\n{OMITTED}")]
    pattern = r"\n(?:.*\n)*?".join(parts) + ("\n" if parts[-1] else "")
    return re.fullmatch(pattern, masked(printed).strip("\n") + "\n") is not None


def masked(text: str) -> str:
    """Return a text with its times in seconds masked and without trailing blanks."""
    return "\n".join(line.rstrip() for line in SECONDS.sub("T ", text).splitlines())


def replace_in(path: Path, shown: str, printed: str) -> None:
    """Replace a text of a document."""
    path.write_text(path.read_text(encoding="utf-8").replace(shown, printed), encoding="utf-8")


@pytest.mark.parametrize(
    ("path", "block"),
    [
        *blocks(QUICK),
        *(pytest.param(*block, marks=pytest.mark.full) for block in blocks(LONG)),
    ],
    ids=lambda value: getattr(value, "name", value)[:60].strip(),
)
def test_documents_show_what_commands_print(path, block, tmp_path, request):
    printed = transcript(block, tmp_path)
    if request.config.getoption("--write-transcripts") and not agrees(block, printed) and OMITTED not in block:
        replace_in(path, block, printed)
        return

    assert agrees(block, printed), f"{path} shows:\n{block}\nThe program prints:\n{printed}"


@pytest.mark.full
@pytest.mark.parametrize(
    ("path", "command", "table"),
    [(path, match[1], match[2]) for path, match in found(TABLE)],
    ids=lambda value: getattr(value, "name", value)[:60].strip(),
)
def test_documents_show_what_benchmarks_print(path, command, table, request):
    words = [sys.executable, *shlex.split(command)[1:]]
    result = subprocess.run(words, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert result.returncode == 0, result.stderr
    if request.config.getoption("--write-transcripts"):
        replace_in(path, table, result.stdout)
        return

    assert result.stdout == table, f"{path} shows:\n{table}\n{command} prints:\n{result.stdout}"


def test_transcripts_and_tables_are_found():
    assert len(blocks(QUICK)) >= 3
    assert len(blocks(LONG)) >= 2
    assert len(found(TABLE)) >= 3
