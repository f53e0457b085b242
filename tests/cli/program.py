"""`evodom` with its arguments, as a shell would start it, but in this process: starting one takes a second."""

import json
import sys
from typing import Any
from unittest import mock

import click
import pytest
from click.testing import CliRunner, Result

from evodom.cli import main
from evodom.errors import EvodomError

PROGRAM = click.Command("evodom", callback=main)


def run_program(*arguments: str, typed: str | bytes = "", **environment: str) -> Result:
    """Run the program to its exit, on these lines of input; an error that would be a traceback is raised."""
    with mock.patch.object(sys, "argv", ["evodom", *arguments]):
        return CliRunner(env=environment).invoke(PROGRAM, [], input=typed, catch_exceptions=False)


def printed(*arguments: str, typed: str = "", **environment: str) -> str:
    """Return the text that a command prints. It must not fail."""
    result = run_program(*arguments, typed=typed, **environment)
    assert result.exit_code == 0, result.output
    return result.stdout


def facts(*arguments: str, **environment: str) -> Any:
    """Return the JSON that a command prints. It must not fail."""
    return json.loads(printed(*arguments, "--json", **environment), parse_constant=pytest.fail)


def refusal(result: Result, code: int = 2) -> str:
    """Return the error in a result, which has to be one short line with this exit code."""
    error = str(result.exception) if isinstance(result.exception, EvodomError) else result.stderr.splitlines()[-1]
    assert getattr(result.exception, "exit_code", result.exit_code) == code
    assert len(error) < 2200
    assert error.isprintable()
    return error


def once(function):
    """Return a function that computes its first call and returns that result for all calls."""
    found = []

    def first(*arguments, **options):
        if not found:
            found.append(function(*arguments, **options))
        return found[0]

    return first
