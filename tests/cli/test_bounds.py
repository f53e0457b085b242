"""Every option with bounds, of every command: a value below or above them is refused before anything is computed."""

from collections.abc import Iterator
from math import inf, nextafter

import click

from evodom.cli import cli
from evodom.cli.options import Bounded
from tests.cli.program import run_program


def commands(group: click.Group, *words: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Yield each command with the words that start it."""
    ctx = click.Context(group)
    for name in group.list_commands(ctx):
        command = group.get_command(ctx, name)
        assert command
        if isinstance(command, click.Group):
            yield from commands(command, *words, name)
        yield (*words, name), command


def bounds(kind: click.ParamType) -> tuple[float | None, float | None, type]:
    """Return the least and the most that a type allows, and whether it is for whole numbers."""
    if isinstance(kind, Bounded):
        return kind.low, kind.high, int if kind.name == "integer" else float
    if isinstance(kind, click.IntRange | click.FloatRange):
        return kind.min, kind.max, int if isinstance(kind, click.IntRange) else float
    return None, None, int


def outside() -> Iterator[tuple[tuple[str, ...], str, str, str]]:
    """Yield a command, a flag, a value outside the option's bounds, and the bound."""
    for words, command in commands(cli):
        for param in command.params:
            if not isinstance(param, click.Option):
                continue
            low, high, kind = bounds(param.type)
            for bound, away in ((low, -1), (high, 1)):
                if bound is None:
                    continue
                value = bound + away if kind is int else nextafter(bound, away * inf) if bound else away * 1e-9
                yield words, param.opts[-1], repr(value), f"{bound:,}" if kind is int else f"{bound:,g}"


def test_a_value_outside_its_bounds_is_refused_in_one_line():
    cases = list(outside())
    assert len({(words, flag) for words, flag, *_ in cases}) > 60
    for words, flag, value, bound in cases:
        result = run_program(*words, f"{flag}={value}")

        assert result.exit_code == 2, (words, flag, value)
        (line,) = result.stderr.splitlines()
        assert flag in line
        assert value.removesuffix(".0")[:6] in line
        assert bound in line or bound.replace(",", "") in line
