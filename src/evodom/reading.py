"""Convert plain data of files, requests and saved runs to typed values.

The types are msgspec structs whose `Meta` has the bounds. An error names the place, the value and the allowed values.
"""

import sys
from collections.abc import Iterator, Mapping
from functools import cache
from math import isfinite
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct, ValidationError
from msgspec import inspect as types

from evodom.errors import EvodomError, UsageError, did_you_mean, short
from evodom.files import MAX_INTEGER, MIN_INTEGER

T = TypeVar("T")

Count = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]
Proportion = Annotated[float, msgspec.Meta(ge=0, le=1)]
"""Types of figures in saved data."""

MAX_LISTED_NAMES = 40
"""Maximum number of allowed words that an error lists. Of more words it has the number and the most similar word."""


def convert(
    raw: object, kind: type[T], *, source: str = "", next_step: str = "", error: type[EvodomError] = UsageError
) -> T:
    """Convert plain data to a value of type ``kind``.

    Numbers that are not finite, integers of more than 64 bits, bools instead of numbers and unknown fields are refused.
    Raises ``error`` in one line: ``source`` (such as the file's name), the place, the value, the allowed values, and
    ``next_step``.
    """
    try:
        problem = next(_bad_numbers(raw, ""), None)
        if problem is None:
            return msgspec.convert(raw, kind)
    except ValidationError as invalid:
        problem = _problem(raw, kind, "", invalid)
    except RecursionError:
        problem = "it is nested too deep."
    raise error(" ".join(filter(None, (f"{source}: {problem}" if source else problem, next_step))))


def allowed_values(kind: object) -> str:
    """Return the allowed values of a type in words: "1 to 9,999, divisible by 4", "one of graded, classic"."""
    return _allowed(types.type_info(kind))


@cache
def hints_of(struct: type[Struct]) -> dict[str, object]:
    """Return the annotation of each field of a struct, with its `Meta`: of the type, without None."""
    return {name: _meta_of_type(hint) for name, hint in get_type_hints(struct, include_extras=True).items()}


def _meta_of_type(hint: Any) -> object:
    """Return ``Annotated[int | None, meta]`` as ``Annotated[int, meta] | None``: bounds do not apply to None."""
    kind, *meta = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    if not meta or type(None) not in get_args(kind):
        return hint
    return Annotated[(plain_type(kind), *meta)] | None


def plain_type(hint: object) -> object:
    """Return an annotation without `Annotated` and without None."""
    if get_origin(hint) is Annotated:
        return plain_type(get_args(hint)[0])
    if is_union(hint):
        members = [member for member in get_args(hint) if member is not type(None)]
        return plain_type(members[0]) if len(members) == 1 else hint
    return hint


def _problem(raw: object, kind: object, place: str, error: ValidationError) -> str:
    """Describe the innermost value that does not fit its type."""
    for inner, hint, where in _parts(raw, kind, place):
        try:
            msgspec.convert(inner, hint)
        except ValidationError as inner_error:
            return _problem(inner, hint, where, inner_error)
    struct = _struct_of(raw, kind)
    if struct is not None and isinstance(raw, Mapping) and (text := _wrong_fields(raw, struct, place)):
        return text
    if isinstance(error.__cause__, ValueError):  # of a struct's own check
        return f"{place}: {error.__cause__}" if place else str(error.__cause__)
    return f"{place or 'this'} is {short(raw) if raw is not None else 'null'}. {_advice(raw, kind)}"


def _advice(raw: object, kind: object) -> str:
    """Return the sentence with the allowed values, and the nearest word of an enumeration."""
    info = types.type_info(kind)
    members = info.types if isinstance(info, types.UnionType) else (info,)
    words = [word for member in members for word in _words(member)]
    near = did_you_mean(raw, map(str, words)) if isinstance(raw, str) and words else ""
    return " ".join(filter(None, (f"Allowed: {_allowed(info)}.", near)))


def _wrong_fields(raw: Mapping[object, object], struct: type[Struct], place: str) -> str:
    """Describe the first field that is unknown or missing, "" if there is none."""
    fields = msgspec.structs.fields(struct)
    known = [field.encode_name for field in fields]
    tag = struct.__struct_config__.tag_field
    where = f" of {place}" if place else ""
    if struct.__struct_config__.forbid_unknown_fields:
        for name in raw:
            if name not in known and name != tag:
                near = did_you_mean(name, known) if isinstance(name, str) else ""
                allowed = ", ".join(known) or "nothing"
                return f"{short(name)}{where} is unknown. Allowed: {allowed}.{f' {near}' * bool(near)}"
    missing = next((field for field in fields if field.required and field.encode_name not in raw), None)
    if missing is None:
        return ""
    allowed = _stated(types.type_info(hints_of(struct)[missing.name]))
    return f"{missing.encode_name}{where} is missing.{f' Allowed: {allowed}.' * bool(allowed)}"


def _parts(raw: object, kind: object, place: str) -> Iterator[tuple[object, object, str]]:
    """Yield (part, type, place) for each part of a value."""
    kind = _member_for(raw, kind)
    origin, arguments = get_origin(kind) or kind, get_args(kind)
    if struct := _struct_of(raw, kind):
        hints = hints_of(struct)
        if isinstance(raw, Mapping):
            for field in msgspec.structs.fields(struct):
                if field.encode_name in raw:
                    name = field.encode_name
                    yield raw[name], hints[field.name], f"{place}.{name}" if place else name
    elif origin in (list, tuple) and arguments and isinstance(raw, list | tuple):
        is_fixed = origin is tuple and arguments[-1] is not Ellipsis
        if not is_fixed or len(raw) == len(arguments):
            hints_of_items = arguments if is_fixed else arguments[:1] * len(raw)
            for index, (item, hint) in enumerate(zip(raw, hints_of_items, strict=True)):
                yield item, hint, f"{place}[{index}]"
    elif isinstance(origin, type) and issubclass(origin, Mapping) and arguments and isinstance(raw, Mapping):
        for name, item in raw.items():
            yield name, arguments[0], f"a key of {place or 'this'}"
            yield item, arguments[1], f"{place}.{short(name)}" if place else short(name)


def _member_for(raw: object, kind: object) -> object:
    """Return the member of a union that has the shape of a value. Return another type without its `Meta`."""
    if get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    if not is_union(kind):
        return kind
    members = [_member_for(raw, member) for member in get_args(kind)]
    structs = [member for member in members if isinstance(member, type) and issubclass(member, Struct)]
    if isinstance(raw, Mapping) and structs:
        tags = [one for one in structs if raw.get(one.__struct_config__.tag_field) == one.__struct_config__.tag]
        return (tags or structs)[0] if tags or len(structs) == 1 else None
    shape = list | tuple if isinstance(raw, list | tuple) else type(raw)
    fitting = [member for member in members if issubclass(_origin(member), shape)]
    return fitting[0] if len(fitting) == 1 else None


def _origin(kind: object) -> type:
    origin = get_origin(kind) or kind
    return origin if isinstance(origin, type) else object


def is_union(kind: object) -> bool:
    """Return True for a union of types."""
    return get_origin(kind) in (Union, UnionType)


def _struct_of(raw: object, kind: object) -> type[Struct] | None:
    """Return the struct that a value is converted to, None for another type."""
    kind = _member_for(raw, kind)
    return kind if isinstance(kind, type) and issubclass(kind, Struct) else None


def _bad_numbers(raw: object, place: str) -> Iterator[str]:
    """Yield a message for each number of plain data that is not finite or has more than 64 bits."""
    if isinstance(raw, float):
        if not isfinite(raw):
            yield f"{place or 'this'} is {raw}. Allowed: a finite number."
    elif isinstance(raw, int):
        if not MIN_INTEGER <= raw <= MAX_INTEGER:
            yield f"{place or 'this'} is a number of more than 64 bits. Allowed: {MIN_INTEGER} to {MAX_INTEGER}."
    elif isinstance(raw, list | tuple):
        for index, item in enumerate(raw):
            if type(item) is not str:
                yield from _bad_numbers(item, f"{place}[{index}]")
    elif isinstance(raw, dict):
        for name, item in raw.items():
            if type(item) is not str:
                yield from _bad_numbers(item, f"{place}.{short(name)[1:-1]}".removeprefix("."))


def _allowed(info: types.Type) -> str:
    """Return the allowed values of a type in words: those stated in its `Meta`, or else its bounds."""
    if isinstance(info, types.Metadata):
        return _stated(info) or _allowed(info.type)
    if isinstance(info, types.IntType | types.FloatType):
        return _range(info)
    if isinstance(info, types.UnionType):
        return " or ".join(map(_allowed, info.types))
    if words := _words(info):
        return (
            f"one of {', '.join(map(str, words))}" if len(words) <= MAX_LISTED_NAMES else f"one of {len(words)} names"
        )
    if isinstance(info, types.StrType):
        return f"a text{_size(info, 'characters')}"
    if isinstance(info, types.ListType | types.VarTupleType | types.SetType | types.FrozenSetType):
        return f"a list{_size(info, 'items')}"
    if isinstance(info, types.TupleType):
        return f"a list of {len(info.item_types)} items"
    if isinstance(info, types.StructType):
        return f"an object with {', '.join(field.encode_name for field in info.fields)}"
    names = {
        types.BoolType: "true or false",
        types.NoneType: "null",
        types.DictType: "an object",
        types.DateTimeType: "a date and time with a time zone",
    }
    return names.get(type(info), "another kind of value")


def _stated(info: types.Type) -> str:
    """Return the allowed values that a `Meta` states as `extra={"allowed": text}`, "" if it states none."""
    extra = info.extra if isinstance(info, types.Metadata) else None
    return str((extra or {}).get("allowed", ""))


def _words(info: types.Type) -> tuple[object, ...]:
    """Return the words of an enumeration, none for another type."""
    if isinstance(info, types.Metadata):
        return _words(info.type)
    if isinstance(info, types.LiteralType):
        return tuple(info.values)
    return tuple(member.value for member in info.cls) if isinstance(info, types.EnumType) else ()


def _range(info: types.IntType | types.FloatType) -> str:
    """Return the bounds of a number in words."""
    whole = isinstance(info, types.IntType)
    step = f", divisible by {info.multiple_of}" if info.multiple_of else ""
    low, high = (_shown(bound) for bound in (info.ge, info.le))
    above = f"more than {_shown(info.gt)}" if info.gt is not None else ""
    below = f"less than {_shown(info.lt)}" if info.lt is not None else ""
    if above or below:
        text = " and ".join(filter(None, (above, f"{low} or more" * bool(low), below, f"at most {high}" * bool(high))))
        return text + step
    if low and high:
        return f"{low} to {high}{step}"
    text = f"{low} or more" if low else f"{high} or less" if high else "a whole number" if whole else "a number"
    return text + step


def _shown(bound: float | None) -> str:
    if bound is None:
        return ""
    return "any" if abs(bound) >= sys.float_info.max else f"{bound:,g}" if isinstance(bound, float) else f"{bound:,}"


def _size(info: types.StrType | types.CollectionType, unit: str) -> str:
    """Return the allowed length of a text or list in words, "" without limits."""
    least, most = info.min_length or 0, info.max_length
    if most is not None and least:
        return f" of {least} to {most} {unit}" if least < most else f" of {most} {unit}"
    return f" of at most {most:,} {unit}" if most is not None else f" of at least {least} {unit}" if least else ""
