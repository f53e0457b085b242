"""Who shares the work: threads that games are split among, and who does whole tasks."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from evodom.tasks import Executor, Here

CHUNK = 16
"""Fewer games than this are not worth another thread."""


@dataclass(frozen=True, slots=True)
class Workers:
    """An executor of threads and how many it has; ``tasks`` does what is sent elsewhere as a whole."""

    executor: ThreadPoolExecutor
    n: int
    tasks: Executor = field(default_factory=Here)

    def pool(self, n_games: int) -> tuple[ThreadPoolExecutor, int] | None:
        """Return the executor and how many chunks to split ``n_games`` into; None where they are too few to share."""
        n_chunks = min(self.n, n_games // CHUNK)
        return (self.executor, n_chunks) if n_chunks > 1 else None
