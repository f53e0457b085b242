"""Make click options of a struct of options, and pass the command an instance of it.

@click.command()
@takes(DrawOptions, "options")
def draw(options: DrawOptions) -> None: ...
"""

import os
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Literal, TypeVar, get_args, get_origin

import click
from click.core import ParameterSource
from msgspec import NODEFAULT, Meta, Struct, field
from msgspec.structs import fields

from evodom.cli.common import KingdomText
from evodom.errors import UsageError
from evodom.options import OptionSpec, OptionStruct, allowed_text, bounds_of, option, refusal, specs_of
from evodom.reading import hints_of, plain_type

R = TypeVar("R")


class Bounded(click.ParamType):  # type: ignore[type-arg]  # generic in new versions of click only
    """A number within the bounds of a struct's field."""

    def __init__(self, kind: type[Struct], name: str) -> None:
        self._kind, self._field = kind, name
        self._number = click.INT if plain_type(hints_of(kind)[name]) is int else click.FLOAT
        self.name = self._number.name
        self.low, self.high = bounds_of(hints_of(kind)[name])

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int | float:
        number: int | float = self._number(value, param, ctx)
        if text := refusal(self._kind, self._field, number):
            raise click.UsageError(f"{specs_of(self._kind)[self._field].flag} is {text}", ctx)
        return number


def takes(kind: type[Struct], name: str) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """Return a decorator that adds an option for each declared field of a struct.

    The command gets an instance as its argument ``name``. What is not given has the struct's default.
    """
    specs = specs_of(kind)

    def decorate(command: Callable[..., R]) -> Callable[..., R]:
        @wraps(command)
        def packed(*args: object, **given: object) -> R:
            values = {each: given.pop(each) for each in specs}
            found = kind(**{each: value for each, value in values.items() if value is not None})
            return command(*args, **{name: found}, **given)

        adding: Callable[..., R] = packed
        for each, spec in reversed(specs.items()):
            adding = click.option(*spec.flags, each, **_click_arguments(kind, each, spec))(adding)  # type: ignore[arg-type]
        return adding

    return decorate


def given_flags(ctx: click.Context) -> dict[str, str]:
    """Return the options that the user typed: the name of each parameter with its long flag."""
    return {
        param.name: param.opts[-1]
        for param in ctx.command.params
        if isinstance(param, click.Option)
        and param.name
        and ctx.get_parameter_source(param.name) is ParameterSource.COMMANDLINE
    }


def refuse_changes(ctx: click.Context, **changeable: str) -> None:
    """Raise UsageError for an option that --resume excludes; ``changeable`` are the names and flags of others."""
    given, allowed = given_flags(ctx), {*changeable, *specs_of(RunArguments)} - {"seed"}
    if "overwrite" in given:
        raise UsageError("--resume and --overwrite exclude each other. Give one of them.")
    if changed := [flag for name, flag in given.items() if name not in allowed]:
        can = f"Allowed: {', '.join(changeable.values())}. " if changeable else ""
        raise UsageError(f"{', '.join(changed)} cannot change on --resume. {can}Start another run instead.")


def n_processors() -> int:
    """Return the default of --jobs: the number of processors, at most 256."""
    return min(256, os.cpu_count() or 1)


class CommonArguments(OptionStruct, frozen=True, kw_only=True):
    """The options of all commands that play games."""

    seed: (
        Annotated[int, option("--seed", "Make everything random follow from this number.", ge=0, le=2**63 - 1)] | None
    ) = None
    jobs: Annotated[
        int,
        option(
            "--jobs",
            "Use this many threads. The result does not depend on it.",
            ge=1,
            le=256,
            default_text="all processors",
        ),
    ] = field(default_factory=n_processors)
    data_dir: (
        Annotated[
            Path,
            option(
                "--data-dir",
                "Folder that runs are saved in.",
                metavar="PATH",
                default_text="$EVODOM_DATA_DIR, else the user's data folder",
                type=click.Path(file_okay=False, path_type=Path),
            ),
        ]
        | None
    ) = None
    as_json: Annotated[bool, option("--json", "Print JSON.")] = False
    quiet: Annotated[bool, option("--quiet", "Print no progress and no messages but errors.")] = False


class ClusterArguments(CommonArguments, frozen=True, kw_only=True):
    """The options of commands whose games the workers of a cluster can play."""

    cluster: (
        Annotated[
            str,
            option(
                "--cluster",
                "Let the workers of a dask scheduler do it, as tcp://host:8786. The result does not depend on it.",
                metavar="ADDRESS",
            ),
        ]
        | None
    ) = None


class RunArguments(ClusterArguments, frozen=True, kw_only=True):
    """The options of all commands that make runs."""

    resume: Annotated[bool, option("--resume", "Go on with a saved run, as if it had never stopped.")] = False
    overwrite: Annotated[bool, option("-o --overwrite", "Replace a saved run of this key.")] = False


def kingdom_option(default_text: str) -> Meta:
    """Return the declaration of --kingdom with a default in words."""
    return option(
        "--kingdom",
        "Kingdom to play in: its name, random, or cards with commas between them, and the rest is drawn; "
        "evodom kingdoms lists them.",
        default_text=default_text,
        type=KingdomText(),
    )


class KingdomArguments(OptionStruct, frozen=True, kw_only=True):
    """The options that say which kingdom is played."""

    kingdom: Annotated[str, kingdom_option("First Game")] | None = None
    first_edition: Annotated[
        bool, option("--first-edition", "Draw from the cards too that only the first edition has.")
    ] = False


def _click_arguments(kind: type[Struct], name: str, spec: OptionSpec) -> dict[str, object]:
    """Return the arguments of `click.option` for a field."""
    hint = plain_type(hints_of(kind)[name])
    default = next(each.default for each in fields(kind) if each.name == name)
    notes: list[str] = []
    several = get_origin(hint) is tuple
    inner = plain_type(get_args(hint)[0]) if several else hint
    arguments: dict[str, object] = {"multiple": True} if several else {}
    if hint is bool:
        arguments["is_flag"] = True
    elif spec.choices or get_origin(inner) is Literal:
        arguments["type"] = click.Choice(spec.choices or get_args(inner))
    elif inner in (int, float):
        arguments["type"] = Bounded(kind, name)
        if (allowed := allowed_text(kind, name)) not in ("a number", "a whole number") and name != "seed":
            notes.append(allowed)
    elif inner is Path:
        arguments["type"] = click.Path(path_type=Path)
    if spec.default_text or default not in (None, "", (), False, NODEFAULT):
        notes.append(f"default: {spec.default_text or default}")
    return arguments | {"help": spec.help + (f"  [{'; '.join(notes)}]" if notes else "")} | dict(spec.click)
