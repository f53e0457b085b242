"""Tasks for another process. The module imports no Numba, so that the process starts quickly."""

import os


def second() -> None:
    """Write the number of this process to a file."""
    with open(os.environ["EVODOM_TEST_NOTE"], "w") as file:
        file.write(str(os.getpid()))


def failing_in_another_process() -> None:
    """Do the same, but fail in any process other than that of the test."""
    if os.environ["EVODOM_TEST_PID"] != str(os.getpid()):
        raise RuntimeError
    second()
