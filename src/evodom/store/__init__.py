"""Runs saved by key: one SQLite file each, written in transactions, with nothing pickled."""

from evodom.store.file import FORMAT
from evodom.store.meta import new_meta, seed_of
from evodom.store.runs import (
    Generation,
    Run,
    RunInfo,
    check_free,
    check_key,
    data_dir,
    delete_run,
    export_run,
    import_run,
    known_keys,
    list_runs,
)

__all__ = [
    "FORMAT",
    "Generation",
    "Run",
    "RunInfo",
    "check_free",
    "check_key",
    "data_dir",
    "delete_run",
    "export_run",
    "import_run",
    "known_keys",
    "list_runs",
    "new_meta",
    "seed_of",
]
