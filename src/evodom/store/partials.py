"""Remove the partial files that killed processes left in the data folder. Call it before a process writes there."""

from contextlib import suppress
from pathlib import Path

from evodom.errors import EvodomError
from evodom.files import remove_partials
from evodom.store.runs import lock


def remove_leftovers(root: Path) -> None:
    """Remove partial files of games, fights, tasks and runs. Files of running processes stay."""
    with suppress(OSError):
        for folder in filter(Path.is_dir, root.iterdir()):
            remove_partials(folder)
    with suppress(OSError):
        for path in (root / "runs").glob("*.sqlite.partial"):
            with suppress(EvodomError), lock(path.name.removesuffix(".sqlite.partial"), root):
                pass  # the lock removes what was left under its key
