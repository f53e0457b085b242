"""Save and load runs by key: one SQLite file each, written in transactions, with nothing pickled."""

from evodom.runs.file import FORMAT, Contents, Generation
from evodom.runs.lifecycle import new_meta, shown_settings
from evodom.runs.names import StrategyName, check_key, is_key, parse_name, split_key
from evodom.runs.run import Provenance, Run
from evodom.runs.store import MemoryStore, RunInfo, RunStore

__all__ = [
    "FORMAT",
    "Contents",
    "Generation",
    "MemoryStore",
    "Provenance",
    "Run",
    "RunInfo",
    "RunStore",
    "StrategyName",
    "check_key",
    "is_key",
    "new_meta",
    "parse_name",
    "shown_settings",
    "split_key",
]
