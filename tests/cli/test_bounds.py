"""All commands: values outside their bounds, and files that exist."""

from collections.abc import Iterator
from math import inf, nextafter
from pathlib import Path

import click
import pytest

from evodom.cli import cli
from evodom.cli.options import Bounded, OutputFile
from tests.cli.program import refusal, run_program


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


def outputs() -> Iterator[tuple[tuple[str, ...], click.Parameter]]:
    """Yield the words and the parameter of each file that a command writes."""
    for words, command in commands(cli):
        yield from ((words, param) for param in command.params if isinstance(param.type, OutputFile))


OUTPUTS = list(outputs())


def call(words: tuple[str, ...], param: click.Parameter, file: Path, *more: str) -> str:
    """Return the refusal of a command that writes to this file."""
    given = {"advise": (), "compare": ("5",), "report": ("5",)}.get(words[0], ("5", "5"))
    if isinstance(param, click.Argument):
        return refusal(run_program(*words, str(file), *more))
    return refusal(run_program(*words, *given[: 1 if words[0] == "spire" else None], param.opts[-1], str(file), *more))


def test_all_commands_that_write_files_are_known():
    assert {(" ".join(words), param.opts[-1]) for words, param in OUTPUTS} == {
        ("advise", "--export"), ("compare", "--html"), ("match", "--csv"), ("report", "--html"),
        ("risk odds", "--save"),
        ("spire fight", "target"), ("spire map", "--save"), ("spire route", "--save"), ("spire solve", "--save"),
        ("tournament", "--csv"),
    }  # fmt: skip


@pytest.mark.parametrize(("words", "param"), OUTPUTS, ids=[" ".join(words) for words, _ in OUTPUTS])
def test_a_file_is_replaced_only_with_overwrite_and_has_to_be_in_a_folder(words, param, tmp_path):
    file = tmp_path / "mine.svg"
    file.write_text("mine")

    assert f"{file} exists. " in call(words, param, file)
    assert "--overwrite" in call(words, param, file)
    assert f"there is no folder {tmp_path / 'none'}" in call(words, param, tmp_path / "none" / "a.svg", "--overwrite")
    (tmp_path / "folder.svg").mkdir()
    assert "folder.svg' is a directory" in call(words, param, tmp_path / "folder.svg", "-o")
    assert file.read_text() == "mine"


def test_with_overwrite_the_file_is_replaced_and_a_device_is_written_to(tmp_path):
    (file := tmp_path / "out.csv").write_text("mine")
    match = ("match", "random", "big-money", "--games", "10", "--quiet", "--csv")

    assert run_program(*match, str(file), "-o").exit_code == 0
    assert file.read_text().startswith("rank,strategy,")
    if Path("/dev/full").exists():
        full = run_program(*match, "/dev/full")
        assert (full.exit_code, full.stdout) == (1, "")
        assert full.stderr == "Error: /dev/full cannot be written: No space left on device. Choose another file.\n"
