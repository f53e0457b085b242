"""Runs and results of an earlier version: resumed, they have the same contents, bit for bit, as in that version."""

import gzip
import hashlib
import sqlite3
from pathlib import Path

import pytest

from evodom.web.queue import Queue
from tests.cli.program import run_program
from tests.web.served import Served

RESUMABLE = Path(__file__).parents[1] / "data" / "released" / "resumable"

EVOLVE = ("evolve", "old", "--resume", "--ngen", "4", "--quiet", "--jobs", "1")
TRAIN = ("spire", "train", "old", "--resume", "--quiet")

RESUMED = [
    ("graded", EVOLVE, "f5552783b7702561"),
    ("classic", EVOLVE, "734eccc512321d68"),
    ("buy-list", EVOLVE, "7e29c2957397788d"),
    ("islands", EVOLVE, "d3d8dc3d9ab4a7a3"),
    ("fights", TRAIN, "5ed4b71f50ef596a"),
]
"""Runs, the command that resumes each, and the digest of all its genomes afterwards."""


def unpack(name: str, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.decompress((RESUMABLE / f"{name}.gz").read_bytes()))


def digest(path: Path) -> str:
    """Hash the arrays of all generations."""
    found = hashlib.blake2b(digest_size=8)
    with sqlite3.connect(path) as store:
        for row in store.execute("SELECT ranking, genomes FROM generation ORDER BY number"):
            for array in row:
                found.update(array)
    return found.hexdigest()


@pytest.mark.parametrize(("name", "command", "expected"), RESUMED, ids=[name for name, *_ in RESUMED])
def test_a_resumed_run_continues_bit_for_bit(tmp_path, name, command, expected):
    run = tmp_path / "runs" / "old.sqlite"
    unpack(f"{name}.sqlite", run)

    result = run_program(*command, EVODOM_DATA_DIR=str(tmp_path))

    assert result.exit_code == 0, result.output
    assert digest(run) == expected


def test_a_saved_tournament_is_shown(tmp_path):
    for suffix in ("", ".result"):
        unpack(f"tournament{suffix}.json", tmp_path / "asked" / f"a1b2c3d4e5f60718{suffix}.json")

    with Served(tmp_path) as served:
        assert [task.title for task in served.site.part(Queue).tasks()] == ["big-money, big-money-smithy"]
        task = served.get("/api/tasks/a1b2c3d4e5f60718").json

    assert task["state"] == "done"
    assert [one["name"] for one in task["result"]["result"]["standings"]] == ["big-money-smithy", "big-money"]
