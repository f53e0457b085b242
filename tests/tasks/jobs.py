"""Tasks for tests, which other processes can import."""

import os
import time
from pathlib import Path

from evodom.errors import EvodomError


def shout(job: bytes) -> bytes:
    return job.upper()


def late(job: bytes) -> bytes:
    """Take as many hundredths of a second as the job says."""
    time.sleep(int(job) / 100)
    return job


def deadly_once(job: bytes) -> bytes:
    """Kill the process that does it, unless the file that the job names says that this was done."""
    flag = Path(os.fsdecode(job))
    if not flag.exists():
        flag.touch()
        os._exit(9)
    return b"survived"


def refused(job: bytes) -> bytes:
    raise EvodomError(f"no: {job.decode()}")
