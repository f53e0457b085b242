"""`evodom` with its arguments, as a shell would start it, but in this process: starting one takes a second."""

import sys
from unittest import mock

import click
from click.testing import CliRunner, Result

from evodom.cli import main

PROGRAM = click.Command("evodom", callback=main)


def run_program(*arguments: str, typed: str | bytes = "", **environment: str) -> Result:
    """Run the program to its exit, on these lines of input; an error that would be a traceback is raised."""
    with mock.patch.object(sys, "argv", ["evodom", *arguments]):
        return CliRunner(env=environment).invoke(PROGRAM, [], input=typed, catch_exceptions=False)
