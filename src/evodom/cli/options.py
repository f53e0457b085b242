"""Turn declared options (`evodom.options`) into click options, and look up the names that users type.

Open this to add an option that several commands share, or a parameter type.

@click.command()
@takes(DrawOptions, "options")
@takes(CommonArguments, "common", "seed", "as_json")
def draw(options: DrawOptions, common: CommonArguments) -> None: ...
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, get_args, get_origin

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem
from msgspec import NODEFAULT, Meta, Struct, field
from msgspec.structs import fields

from evodom.errors import EvodomError, UsageError
from evodom.files import REPLACE, check_output
from evodom.options import SEED_BITS, OptionSpec, OptionStruct, allowed_text, bounds_of, option, refusal, specs_of
from evodom.reading import hints_of, plain_type

if TYPE_CHECKING:
    from evodom.dominion.kingdom import Kingdom
    from evodom.matches.entrants import Entrants
    from evodom.runs import RunStore

R = TypeVar("R")


MAX_DIGITS = 100
"""Maximum number of characters of an integer. All bounds have fewer."""


class Bounded(click.ParamType):  # type: ignore[type-arg]  # generic in new versions of click only
    """A number within the bounds of a struct's field."""

    def __init__(self, kind: type[Struct], name: str) -> None:
        self._kind, self._field = kind, name
        self._number = click.INT if plain_type(hints_of(kind)[name]) is int else click.FLOAT
        self.name = self._number.name
        self.low, self.high = bounds_of(hints_of(kind)[name])

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        # Python reads no integer of thousands of digits. A text is within no bounds.
        is_long = self._number is click.INT and isinstance(value, str) and len(value) > MAX_DIGITS
        number: Any = value if is_long else self._number(value, param, ctx)
        if text := refusal(self._kind, self._field, number):
            raise click.UsageError(f"{specs_of(self._kind)[self._field].flag} is {text}", ctx)
        return number


class RunKey(click.ParamType):  # type: ignore[type-arg]  # generic in new versions of click only
    """The key of a run, completed by the shell. With ``parts`` it may name a part of a saved answer."""

    name = "key"

    def __init__(self, *, parts: bool = False) -> None:
        self.parts = parts

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from evodom.runs import check_key, split_key

        if self.parts:
            split_key(value)
            return str(value)
        return check_key(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from evodom.runs import RunStore

        inherited = ctx.parent.params.get("data_dir") if ctx.parent else None
        try:
            keys = [*RunStore(ctx.params.get("data_dir") or inherited)]
        except EvodomError:
            return []
        return [CompletionItem(key) for key in keys if key.startswith(incomplete)]


class CardName(click.ParamType):  # type: ignore[type-arg]
    """The name of a card. The shell completes it in a form without quotes."""

    name = "name"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from evodom.dominion.cards import CARDS

        return _completed("", incomplete, list(CARDS))


class KingdomText(click.ParamType):  # type: ignore[type-arg]
    """A kingdom as text: its name, "random", or cards separated by commas. The shell completes it."""

    name = "text"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from evodom.dominion.cards import KINGDOM_CARDS
        from evodom.dominion.kingdom import KINGDOMS, RANDOM

        before, comma, last = incomplete.rpartition(",")
        cards = [card.name for card in KINGDOM_CARDS]
        return _completed(before + comma, last, cards if comma else [*KINGDOMS, RANDOM, *cards])


class EntrantName(click.ParamType):  # type: ignore[type-arg]  # generic in new versions of click only
    """The name of a strategy: a run's key, perhaps with a generation and a rank, a baseline or a file.

    The shell completes it.
    """

    name = "strategy"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from evodom.dominion.strategies.baselines import BASELINES

        keys = RunKey().shell_complete(ctx, param, incomplete)
        names = [CompletionItem(name) for name in (*BASELINES, "network") if name.startswith(incomplete)]
        folder, _, start = incomplete.rpartition("/")
        place = Path(folder or ".")
        files = sorted([*place.glob(f"{start}*.toml"), *place.glob(f"{start}*.py")]) if "*" not in start else []
        return [*keys, *names, *(CompletionItem(str(path)) for path in files)]


Rivals = Annotated[
    tuple[str, ...],
    option(
        "--training-opponent",
        "Train against this strategy too: a run, the network, a baseline or a file. Repeat for several, at most "
        "64. They are saved with the run.",
        type=EntrantName(),
    ),
]
"""Type of the option for opponents of evolution and training."""


class OutputFile(click.Path):
    """A file that a command writes. A file that cannot be written is refused before anything is computed.

    The command also has the option `Overwrite`, or another one named ``overwrite`` that is eager.
    """

    def __init__(self, advice: str = REPLACE) -> None:
        super().__init__(dir_okay=False, path_type=Path)
        self._advice = advice

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        check_output(path, overwrite=ctx is not None and ctx.params["overwrite"], advice=self._advice)
        return path


class Picture(OutputFile):
    """The file of a picture. An unsupported file type is refused too."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from evodom.presentation.picture import check_picture

        check_picture(Path(os.fsdecode(value)))
        return super().convert(value, param, ctx)


CsvFolder = Annotated[
    Path | None,
    option(
        "--csv DIR",
        "Write each table as a CSV file into this folder.",
        type=click.Path(file_okay=False, path_type=Path),
    ),
]
"""Type of the option for the tables of a report."""

Overwrite = Annotated[bool, option("-o --overwrite", "Replace existing files.", is_eager=True)]
"""Type of the option for commands that write files. It is eager: `OutputFile` needs its value."""


def takes(kind: type[Struct], name: str, *only: str) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """Return a decorator that adds an option for each declared field of a struct, or for ``only`` some of them.

    The command gets an instance as its argument ``name``. Missing options have the struct's defaults.
    """
    specs = specs_of(kind)
    specs = {each: specs[each] for each in only or specs}

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
    if spec.default_text or (default is not False and default not in (None, "", (), NODEFAULT)):
        notes.append(f"default: {spec.default_text or default}")
    return arguments | {"help": spec.help + (f"  [{'; '.join(notes)}]" if notes else "")} | dict(spec.click)


def given_flags(ctx: click.Context) -> dict[str, str]:
    """Return the long flag of each option that the user typed, by parameter name."""
    return {
        param.name: param.opts[-1]
        for param in ctx.command.params
        if isinstance(param, click.Option)
        and param.name
        and ctx.get_parameter_source(param.name) is ParameterSource.COMMANDLINE
    }


def refuse_changes(ctx: click.Context, changeable: Sequence[str]) -> None:
    """Raise UsageError for an option that --resume excludes. ``changeable`` are the parameters it allows."""
    given, allowed = given_flags(ctx), {*changeable, *specs_of(RunArguments), "cluster"} - {"seed"}
    if "overwrite" in given:
        raise UsageError("--resume and --overwrite exclude each other. Give one of them.")
    if changed := [flag for name, flag in given.items() if name not in allowed]:
        flags = {param.name: param.opts[-1] for param in ctx.command.params}
        can = f"Allowed: {', '.join(flags[name] for name in changeable)}. " if changeable else ""
        raise UsageError(f"{', '.join(changed)} cannot change on --resume. {can}Start another run instead.")


class CommonArguments(OptionStruct, frozen=True, kw_only=True):
    """Options that commands share."""

    seed: Annotated[
        int | None, option("--seed", "Random seed. The same seed gives the same result.", ge=0, le=2**SEED_BITS - 1)
    ] = None
    jobs: Annotated[
        int,
        option(
            "--jobs",
            "Number of threads. The result does not depend on it.",
            ge=1,
            le=256,
            default_text="all processors",
        ),
    ] = field(default_factory=lambda: min(256, os.cpu_count() or 1))
    data_dir: Annotated[
        Path | None,
        option(
            "--data-dir PATH",
            "Folder of the saved runs.",
            default_text="$EVODOM_DATA_DIR, else the user's data folder",
            type=click.Path(file_okay=False, path_type=Path),
        ),
    ] = None
    as_json: Annotated[bool, option("--json", "Print JSON.")] = False
    quiet: Annotated[
        bool,
        option(
            "--quiet", "Print no progress and no messages, only errors. Commands that save a run print nothing else."
        ),
    ] = False

    @property
    def store(self) -> RunStore:
        """The saved runs in the folder of --data-dir."""
        from evodom.runs import RunStore

        return RunStore(self.data_dir)


class RunArguments(CommonArguments, frozen=True, kw_only=True):
    """Options of commands that create runs."""

    resume: Annotated[
        bool, option("--resume", "Continue a saved run. The result equals that of an uninterrupted run.")
    ] = False
    overwrite: Annotated[bool, option("-o --overwrite", "Replace the saved run of this key.")] = False


def cluster_option(work: str) -> Meta:
    """Return the declaration of --cluster; ``work`` is the task of the workers as a verb phrase."""
    text = f"Dask scheduler whose workers {work}, e.g. tcp://host:8786. The result does not depend on it."
    return option("--cluster ADDRESS", text)


def kingdom_option(default_text: str) -> Meta:
    """Return the declaration of --kingdom with a default in words."""
    return option(
        "--kingdom",
        "Kingdom: a name, random, or cards separated by commas. Missing cards are drawn. See: evodom kingdoms.",
        default_text=default_text,
        type=KingdomText(),
    )


FirstEdition = Annotated[bool, option("--first-edition", "Include the cards of the first edition in the draw.")]

Sets = Annotated[
    str | None,
    option(
        "--sets NAMES",
        "Sets to draw cards from, separated by commas. See: evodom cards.",
        default_text="Base",
    ),
]

Colonies = Annotated[
    str,
    option(
        "--colonies",
        "Play with Platinum and Colony. auto: as in the kingdom's list; in drawn kingdoms with the share of Prosperity "
        "cards as probability.",
        choices=("auto", "yes", "no"),
    ),
]


class DrawArguments(OptionStruct, frozen=True, kw_only=True):
    """Options of the drawn cards of a kingdom, and of Platinum and Colony."""

    first_edition: FirstEdition = False
    sets: Sets = None
    colonies: Colonies = "auto"


class KingdomArguments(DrawArguments, frozen=True, kw_only=True):
    """Options that choose the kingdom."""

    kingdom: Annotated[str | None, kingdom_option("First Game")] = None


def html_option(what: str, advice: str = REPLACE) -> Meta:
    """Return the declaration of --html for a page about ``what``."""
    text = f"Write the {what} as a single HTML page with charts, which opens offline."
    return option("--html FILE", text, type=OutputFile(advice))


def picture_option(what: str) -> Meta:
    """Return the declaration of --save for a picture; ``what`` names the subject of the picture."""
    return option("--save FILE.svg", f"Save {what} as a picture.", type=Picture())


def chosen_kingdom(text: str | None, draw: DrawArguments, *, seed: int) -> Kingdom:
    """Return the kingdom that ``text`` names, First Game if it is None. Missing cards are drawn with the seed."""
    from evodom.dominion.kingdom import DRAWN_SETS, KINGDOMS, parse_kingdom

    kingdom = parse_kingdom(
        next(iter(KINGDOMS)) if text is None else text,
        seed=seed,
        first_edition=draw.first_edition,
        sets=DRAWN_SETS if draw.sets is None else draw.sets,
        colonies=draw.colonies,
    )
    flag = "--first-edition" if draw.first_edition else "--sets" if draw.sets is not None else ""
    if flag and not kingdom.drawn:
        raise UsageError(f"{flag} applies to drawn cards, and none is drawn. Leave it out, or give --kingdom random.")
    return kingdom


def _completed(before: str, incomplete: str, names: list[str]) -> list[CompletionItem]:
    """Return completions of a word in a form that needs no quotes, each prefixed by ``before``."""
    from evodom.dominion.kingdom import slug

    return [CompletionItem(before + slug(name)) for name in names if slug(name).startswith(incomplete.casefold())]


def rivals(words: Sequence[str], flag: str, *, store: RunStore, kingdom: Kingdom | None) -> Entrants:
    """Return the strategies that an option names. Raise UsageError for a Python agent or a network with search."""
    from evodom.matches.entrants import find_entrants
    from evodom.matches.names import parse_player

    too_slow = UsageError(
        f"{flag}: Python agents and networks with search are too slow for this. Name a strategy, run, baseline or "
        "network."
    )
    if any(parse_player(word).is_agent for word in words):  # before the file is run: a saved run may name it
        raise too_slow
    found = find_entrants(words, store=store, kingdom=kingdom, by_file_name=True)
    if found.has_agents:
        raise too_slow
    return found


def saved_rivals(
    words: Sequence[str], flag: str, *, store: RunStore, kingdom: Kingdom
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of an option's strategies, and the texts that a run saves for them."""
    from evodom.matches import check_rivals
    from evodom.matches.agents import guest_text

    check_rivals(words)
    found = {entrant.name: entrant for entrant in rivals(words, flag, store=store, kingdom=kingdom).entrants}
    return tuple(found), tuple(guest_text(entrant, kingdom) for entrant in found.values())


def chosen_entrants(
    words: Sequence[str], draw: DrawArguments, *, store: RunStore, kingdom: str | None, seed: int
) -> Entrants:
    """Return the strategies that ``words`` name, in the given kingdom or in that of their runs."""
    from evodom.matches.entrants import find_entrants

    asked = kingdom is not None or is_drawing(draw)
    given = _kingdom_or_answer(kingdom, draw, store, seed=seed) if asked else None
    return find_entrants(words, store=store, kingdom=given)


def is_drawing(draw: DrawArguments) -> bool:
    """Return whether an option of the drawn cards, or of Platinum and Colony, is given."""
    return (draw.first_edition, draw.sets, draw.colonies) != (False, None, "auto")


def _kingdom_or_answer(text: str | None, draw: DrawArguments, store: RunStore, *, seed: int) -> Kingdom:
    """Return the kingdom that ``text`` names, else that of the saved answer with this name."""
    try:
        return chosen_kingdom(text, draw, seed=seed)
    except UsageError:
        from evodom.matches.entrants import find_answer

        answer = find_answer(text, store) if text else None
        if answer is None:
            raise
        return answer.kingdom
