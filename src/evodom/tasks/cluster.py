"""Connect to a dask.distributed cluster, whose executor runs tasks (docs/guide/cluster.md)."""

import logging
import re
import warnings
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager, suppress

from evodom.errors import EvodomError, UsageError, install_advice

ADDRESS = re.compile(r"(?:tcp|tls)://[^\s/:]+:[0-9]{1,5}")

TIMEOUT_S = 30.0
"""Seconds to wait for a scheduler, and then for a worker."""


@contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """Yield the executor of a cluster with at least one worker, by the address of its scheduler."""
    if not ADDRESS.fullmatch(address):
        raise UsageError(f"--cluster is '{address}'. Allowed: the address of a scheduler, as tcp://host:8786.")
    try:
        from distributed import Client
    except ImportError as error:
        raise EvodomError(f"--cluster needs dask.distributed, not installed: {install_advice('cluster')}") from error
    # This module and `Tasks` raise errors instead of the messages of distributed.
    for name in [name for name in logging.root.manager.loggerDict if name.partition(".")[0] == "distributed"]:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    warnings.filterwarnings("ignore", module="distributed")
    try:
        client = Client(address, timeout=TIMEOUT_S, set_as_default=False)
    except (OSError, ValueError) as error:
        raise EvodomError(
            f"no scheduler answers at {address}. Start one with: dask scheduler; or look at address and firewall."
        ) from error
    try:
        try:
            client.wait_for_workers(1, timeout=TIMEOUT_S)
        except TimeoutError as error:
            raise EvodomError(
                f"the scheduler at {address} has no workers. Start some: dask worker {address} --nthreads 1"
            ) from error
        yield client.get_executor(pure=False)
    finally:
        with suppress(Exception):  # the connection may be lost
            client.close(timeout=1)
