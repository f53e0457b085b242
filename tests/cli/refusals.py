"""What a command says that refuses its arguments."""

from click.testing import Result

from evodom.errors import EvodomError


def refusal(result: Result) -> str:
    """Return the error in a result, which has to be one line with exit code 2."""
    error = str(result.exception) if isinstance(result.exception, EvodomError) else result.stderr.splitlines()[-1]
    assert getattr(result.exception, "exit_code", result.exit_code) == 2
    assert "\n" not in error
    return error
