"""`evodom` with its arguments, as a shell would start it, but in this process: starting one takes a second."""

import sys
from unittest import mock

import click
from click.testing import CliRunner, Result

from evodom.cli import main
from evodom.errors import EvodomError

PROGRAM = click.Command("evodom", callback=main)


def run_program(*arguments: str, typed: str | bytes = "", **environment: str) -> Result:
    """Run the program to its exit, on these lines of input; an error that would be a traceback is raised."""
    with mock.patch.object(sys, "argv", ["evodom", *arguments]):
        return CliRunner(env=environment).invoke(PROGRAM, [], input=typed, catch_exceptions=False)


def refusal(result: Result) -> str:
    """Return the error in a result, which has to be one line with exit code 2."""
    error = str(result.exception) if isinstance(result.exception, EvodomError) else result.stderr.splitlines()[-1]
    assert getattr(result.exception, "exit_code", result.exit_code) == 2
    assert "\n" not in error
    return error


def once(function):
    """Return a function that computes its first call and returns that result for all calls."""
    found = []

    def first(*arguments, **options):
        if not found:
            found.append(function(*arguments, **options))
        return found[0]

    return first
