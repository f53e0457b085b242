"""Budgets of the test files' CPU time, as a plugin of pytest. A run fails if a file exceeds its budget.

    PYTHONPATH=.ci python -m pytest --full -p budgets

The unit is the time of a calibration loop, so that budgets hold on any machine. `tests/budgets.toml` lists the files
that may take more than DEFAULT. CPU times of all files are printed at the end, longest first.
"""

import os
import time
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

DEFAULT = 10
"""Budget of a file that is not listed."""

TIMES: Counter[str] = Counter()
"""CPU seconds of each file, in this process and its subprocesses. The controller adds up those of its workers."""


def calibrate() -> float:
    """Return the CPU seconds of the calibration loop: the minimum of five."""
    times = []
    for _ in range(5):
        began = time.process_time()
        sum(i % 7 for i in range(10_000_000))
        times.append(time.process_time() - began)
    return min(times)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Measure a test with its fixtures."""
    began = sum(os.times()[:4])
    result = yield
    TIMES[item.nodeid.partition("::")[0]] += sum(os.times()[:4]) - began
    return result


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Add the times of a worker."""
    TIMES.update(getattr(node, "workeroutput", {}).get("times", {}))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Send the times from a worker to its controller; there, fail if a file exceeds its budget."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["times"] = dict(TIMES)
        return
    budgets = tomllib.loads(Path("tests/budgets.toml").read_text("utf-8"))
    unit = calibrate()
    for file, seconds in TIMES.most_common():
        budget = budgets.get(file, DEFAULT)
        is_above = seconds > budget * unit
        mark = "  ABOVE ITS BUDGET" if is_above else ""
        print(f"{seconds:8.2f} s  {seconds / unit:6.2f} of {budget:6.2f}  {file}{mark}")
        session.exitstatus = session.exitstatus or int(is_above)
