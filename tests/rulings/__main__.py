"""Run the cases of a file. The package's docstring describes the command."""

import sys
from collections.abc import Sequence
from pathlib import Path

from evodom.errors import UsageError
from tests.rulings import read_cases, run


def main(arguments: Sequence[str]) -> int:
    """Run the cases of a file, print a line for each that fails, and return the exit code."""
    try:
        if len(arguments) != 1:
            raise UsageError("name one file of cases: python -m tests.rulings FILE")
        cases = read_cases(Path(arguments[0]))
    except UsageError as error:
        print(f"Error: {error}", file=sys.stderr)
        return error.exit_code
    failed = [(nth, case, found) for nth, case in enumerate(cases, start=1) if (found := run(case))]
    for nth, case, found in failed:
        print(f"FAIL {case.id or f'case {nth}'}: {'; '.join(found)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
