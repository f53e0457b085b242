"""Save and load runs by key: one SQLite file each, written in transactions, with nothing pickled."""

from typing import TYPE_CHECKING

from evodom._lazy import attach

if TYPE_CHECKING:
    from evodom.runs.file import FORMAT as FORMAT
    from evodom.runs.generation import Contents as Contents, Generation as Generation
    from evodom.runs.lifecycle import new_meta as new_meta, shown_settings as shown_settings
    from evodom.runs.names import StrategyName as StrategyName, check_key as check_key, is_key as is_key
    from evodom.runs.names import parse_name as parse_name, split_key as split_key
    from evodom.runs.run import Provenance as Provenance, Run as Run
    from evodom.runs.store import MemoryStore as MemoryStore, RunInfo as RunInfo, RunStore as RunStore


__getattr__, __dir__ = attach(__name__)
