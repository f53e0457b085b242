"""The threads that games are shared among."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

CHUNK = 16
"""Fewer games than this are not worth another thread."""


@dataclass(frozen=True, slots=True)
class Workers:
    """An executor and how many tasks it works on at once."""

    executor: ThreadPoolExecutor
    n: int

    def pool(self, n_games: int) -> tuple[ThreadPoolExecutor, int] | None:
        """Return the executor and how many chunks to split ``n_games`` into; None where they are too few to share."""
        n_chunks = min(self.n, n_games // CHUNK)
        return (self.executor, n_chunks) if n_chunks > 1 else None
