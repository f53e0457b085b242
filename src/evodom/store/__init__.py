"""Runs saved by key: one SQLite file each, written in transactions, with nothing pickled."""

from evodom.store.file import FORMAT
from evodom.store.meta import adopt_rules, check_rules, checked_settings, new_meta, rules_of, seed_of, shown_settings
from evodom.store.rows import Generation
from evodom.store.runs import (
    KEY,
    Run,
    RunInfo,
    check_free,
    check_key,
    check_saved,
    check_writable,
    data_dir,
    delete_run,
    export_run,
    import_run,
    is_written,
    known_keys,
    list_runs,
    nearest_of,
)

__all__ = [
    "FORMAT",
    "KEY",
    "Generation",
    "Run",
    "RunInfo",
    "adopt_rules",
    "check_free",
    "check_key",
    "check_rules",
    "check_saved",
    "check_writable",
    "checked_settings",
    "data_dir",
    "delete_run",
    "export_run",
    "import_run",
    "is_written",
    "known_keys",
    "list_runs",
    "nearest_of",
    "new_meta",
    "rules_of",
    "seed_of",
    "shown_settings",
]
