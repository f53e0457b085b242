"""Transcripts: blocks of the documents that begin with `$ evodom` show what the program prints.

    .venv/bin/pytest tests/test_transcripts.py --write-transcripts    # write the documents from the program

Lines of `...` stand for omitted lines, and times in seconds are masked. Only the commands of QUICK run.
"""

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.program import run_program

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"^(```\w*\n)(\$ evodom .*?\n)(```)$", re.DOTALL | re.MULTILINE)
QUICK = ("cards", "kingdoms", "risk", "spire map", "spire solve", "tournament")
SECONDS = re.compile(r"\b[\d.,]+ (?=s\b|ms\b|seconds\b)")
OMITTED = "..."


def is_quick(command: str) -> bool:
    """Return whether a test runs the command: it is quick and depends on no saved run, file or search by time."""
    return command.removeprefix("evodom ").startswith(QUICK) and not re.search(
        r"network:|\.py\b|\.toml|\.json|[<>|]|\bdemo\b", command
    )


def commands_of(block: str) -> list[str]:
    """Return the commands of a block. Lines that end with a backslash continue."""
    return re.findall(r"^\$ (evodom .*)$", block.replace("\\\n", " "), re.MULTILINE)


def blocks() -> list[tuple[Path, str]]:
    """Return the documents with their blocks of quick commands."""
    documents = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    found = [(path, match[2]) for path in documents for match in BLOCK.finditer(path.read_text(encoding="utf-8"))]
    return [(path, block) for path, block in found if all(map(is_quick, commands_of(block)))]


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


@pytest.mark.parametrize(("path", "block"), blocks(), ids=lambda value: getattr(value, "name", value)[:60].strip())
def test_documents_show_what_commands_print(path, block, tmp_path, request):
    printed = transcript(block, tmp_path)
    if request.config.getoption("--write-transcripts") and not agrees(block, printed) and OMITTED not in block:
        path.write_text(path.read_text(encoding="utf-8").replace(block, printed), encoding="utf-8")
        return

    assert agrees(block, printed), f"{path} shows:\n{block}\nThe program prints:\n{printed}"


def test_transcripts_are_found():
    assert len(blocks()) >= 5
