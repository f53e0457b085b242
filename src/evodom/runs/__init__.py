"""Save and load runs by key: one SQLite file each, written in transactions, with nothing pickled."""

from evodom.runs.file import FORMAT
from evodom.runs.lifecycle import (
    check_meta,
    created_of,
    new_meta,
    seed_of,
    shown_settings,
    versions_of,
)
from evodom.runs.file import Generation
from evodom.runs.run import (
    KEY,
    Run,
    RunInfo,
    check_free,
    check_key,
    check_saved,
    check_writable,
    data_dir,
    delete_run,
    describe,
    export_run,
    import_run,
    is_written,
    known_keys,
    list_runs,
    suggest_names,
    remove_leftovers,
)

__all__ = [
    "FORMAT",
    "KEY",
    "Generation",
    "Run",
    "RunInfo",
    "check_free",
    "check_key",
    "check_meta",
    "check_saved",
    "check_writable",
    "created_of",
    "data_dir",
    "delete_run",
    "describe",
    "export_run",
    "import_run",
    "is_written",
    "known_keys",
    "list_runs",
    "new_meta",
    "remove_leftovers",
    "seed_of",
    "shown_settings",
    "suggest_names",
    "versions_of",
]
