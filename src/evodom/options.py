"""Declare options as fields of a struct: type, default, bounds, allowed words, flag and help in one place.

    class DrawOptions(OptionStruct, frozen=True, kw_only=True):
        n_cards: Annotated[int, option("--cards", "Cards to draw.", ge=1, le=10)] = 5

`DrawOptions(n_cards=11)` raises UsageError. `cli.options` makes click options of a struct. `arguments` returns the
command line that repeats it. `reading.convert` reads the same struct from JSON or TOML: a number that may be missing
is ``Annotated[int, option(...)] | None`` there, and ``Annotated[int | None, option(...)]`` elsewhere.
"""

import inspect
import operator
import secrets
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from math import isfinite
from typing import Annotated, Any, SupportsIndex, TypeVar, get_args, get_origin

import msgspec
from msgspec import Meta, Struct, ValidationError

from evodom.errors import UsageError, did_you_mean, short
from evodom.reading import allowed_values, hints_of, is_union, plain_type

S = TypeVar("S", bound=Struct)

SEED_BITS = 63
"""Seeds of saved runs have at most this number of bits, so that JSON and SQLite can hold them."""

Seed = Annotated[int, Meta(ge=0, le=2**SEED_BITS - 1)]


@dataclass(frozen=True)
class OptionSpec:
    """How the command line names and describes a field.

    ``choices`` are the allowed words of a text. ``also`` are allowed values outside the bounds. ``click`` has
    further arguments of `click.option`.
    """

    flags: tuple[str, ...]
    help: str
    choices: tuple[str, ...] = ()
    also: tuple[object, ...] = ()
    default_text: str = ""
    click: Mapping[str, object] = field(default_factory=dict)

    @property
    def flag(self) -> str:
        """The long flag."""
        return self.flags[-1]


def option(
    flags: str,
    text: str,
    *,
    ge: float | None = None,
    le: float | None = None,
    choices: tuple[str, ...] = (),
    also: tuple[object, ...] = (),
    default_text: str = "",
    **click: object,
) -> Meta:
    """Return the `Meta` of an option with its `OptionSpec`.

    ``flags`` are one or two flags, the long one last, and perhaps the word for the value in the help: "--turns N".
    """
    *names, last = flags.split()
    if last.startswith("-"):
        names.append(last)
    else:
        click["metavar"] = last
    spec = OptionSpec(tuple(names), text, choices, also, default_text, click)
    return Meta(ge=ge, le=le, description=text, extra={"option": spec})


class OptionStruct(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A struct of options; raises UsageError for a value outside its bounds. A field's default is always allowed."""

    def __post_init__(self) -> None:
        kind = type(self)
        for each in msgspec.structs.fields(kind):
            value = getattr(self, each.name)
            is_default = type(value) is type(each.default) and value == each.default
            if is_default or not _is_bounded(hints_of(kind)[each.name]):
                continue
            if text := refusal(kind, each.name, value):
                spec = specs_of(kind).get(each.name)
                raise UsageError(f"{spec.flag if spec else each.name} is {text}")


def _is_bounded(hint: object) -> bool:
    """Return True for an annotation with a `Meta`, also inside a union."""
    return get_origin(hint) is Annotated or (is_union(hint) and any(map(_is_bounded, get_args(hint))))


@cache
def specs_of(kind: type[Struct]) -> dict[str, OptionSpec]:
    """Return the `OptionSpec` of each field that has one: first the struct's own fields, then inherited ones."""
    hints = hints_of(kind)
    own_first = dict.fromkeys(name for base in kind.__mro__ for name in inspect.get_annotations(base))
    return {name: spec for name in own_first if (spec := spec_of(hints.get(name)))}


def spec_of(hint: object) -> OptionSpec | None:
    """Return the `OptionSpec` of an annotation, None without one."""
    if is_union(hint):
        return next(filter(None, map(spec_of, get_args(hint))), None)
    if get_origin(hint) is not Annotated:
        return None
    specs = ((each.extra or {}).get("option") for each in get_args(hint)[1:] if isinstance(each, Meta))
    return next((spec for spec in specs if isinstance(spec, OptionSpec)), None)


def bounds_of(hint: object) -> tuple[float | None, float | None]:
    """Return the minimum and the maximum of an annotation, None for a missing bound."""
    if is_union(hint):
        return next((bounds for bounds in map(bounds_of, get_args(hint)) if bounds != (None, None)), (None, None))
    metas = (each for each in get_args(hint)[1:] if isinstance(each, Meta)) if get_origin(hint) is Annotated else ()
    return next(((meta.ge, meta.le) for meta in metas), (None, None))


def refusal(kind: type[Struct], name: str, value: object) -> str:
    """Return an error text with the value and the allowed values; "" if the field allows the value."""
    hint, spec = hints_of(kind)[name], specs_of(kind).get(name)
    if spec and value in spec.also:
        return ""
    if spec and spec.choices:
        return "" if value in spec.choices else f"{short(value)}. Allowed: {', '.join(spec.choices)}."
    try:
        if not isinstance(value, float) or isfinite(value):
            msgspec.convert(value, hint)
            return ""
    except ValidationError:
        pass
    is_short = isinstance(value, float) and plain_type(hint) is not int and float(f"{value:g}") == value
    shown = f"{value:g}" if is_short else short(value)
    return f"{shown}. Allowed: {allowed_text(kind, name)}."


def allowed_text(kind: type[Struct], name: str) -> str:
    """Return the allowed values of a field in words."""
    spec = specs_of(kind).get(name)
    allowed = allowed_values(hints_of(kind)[name]).removesuffix(" or null")
    return ", or ".join((allowed, *map(str, spec.also if spec else ())))


def arguments(options: Struct, *only: str) -> list[str]:
    """Return the command-line arguments that differ from the defaults, of all fields or of ``only`` some."""
    words: list[str] = []
    for each in msgspec.structs.fields(type(options)):
        spec, value = specs_of(type(options)).get(each.name), getattr(options, each.name)
        if spec and value != each.default and (not only or each.name in only):
            values = value if isinstance(value, tuple) else (value,)
            words += [spec.flag] if value is True else [word for one in values for word in (spec.flag, str(one))]
    return words


def chosen_seed(seed: int | None = None) -> int:
    """Return the seed that the user gave, or a random seed that is short enough to type."""
    return secrets.randbelow(2**32) if seed is None else checked_seed(seed)


def checked_seed(seed: SupportsIndex, bits: int = SEED_BITS) -> int:
    """Return a seed as an int. Integers of NumPy are allowed. Raise UsageError for any other value."""
    with suppress(TypeError):
        number = operator.index(seed)
        if not isinstance(seed, bool) and 0 <= number < 2**bits:
            return number
    raise UsageError(f"seed is {short(seed)}. Allowed: a whole number from 0 to 2**{bits} - 1.")


def checked_seeds(seeds: Iterable[SupportsIndex], least: int, most: int) -> tuple[int, ...]:
    """Return different seeds as ints. Raise UsageError unless they are ``least`` to ``most`` different valid seeds."""
    allowed = f"Allowed: {least} to {most} different seeds."
    if not isinstance(seeds, Iterable):
        raise UsageError(f"seeds is {short(seeds)}. {allowed}")
    found = [checked_seed(seed) for seed in islice(seeds, most + 1)]
    if repeated := [seed for seed in found if found.count(seed) > 1]:
        raise UsageError(f"seed {repeated[0]} is given twice. {allowed}")
    if not least <= len(found) <= most:
        raise UsageError(f"{len(found)}{' or more' * (len(found) > most)} seeds are given. {allowed}")
    return tuple(found)


def options_of_call(kind: type[S], call: str, own: Mapping[str, Any], further: Mapping[str, Any]) -> S:
    """Return the options of a call in Python: its ``own`` arguments, and ``further`` fields by name.

    Raise UsageError for a name that is no further field, and for a value of another type.
    """
    allowed = [each.name for each in msgspec.structs.fields(kind) if each.name not in own]
    for name, value in further.items():
        if name not in allowed:
            near = did_you_mean(name, allowed)
            text = f"'{name}' is no argument of {call}. Allowed: its named arguments, and {', '.join(allowed)}."
            raise UsageError(" ".join(filter(None, (text, near))))
        if text := refusal(kind, name, value):
            raise UsageError(f"{name} is {text}")
    return kind(**own, **further)


def settings_in(saved: object, required: Iterable[str]) -> dict[str, object]:
    """Return a copy of the settings in a run's meta; raise UsageError without any or without a required one."""
    if not isinstance(saved, dict):
        raise UsageError("there are none")
    if missing := next((name for name in required if name not in saved), None):
        raise UsageError(f"{missing} is missing")
    return dict(saved)
