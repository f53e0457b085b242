"""Find the strategies that a user names on the command line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from evodom.cli.common import KingdomText, RunKey, chosen_kingdom
from evodom.dominion.strategies.baselines import BASELINES
from evodom.errors import UsageError

if TYPE_CHECKING:
    from evodom.dominion.kingdom import Kingdom
    from evodom.entrants import Entrants
    from evodom.matches.agents import Entrant


class EntrantName(click.ParamType):  # type: ignore[type-arg]  # generic in new versions of click only
    """A run's key, perhaps with a generation and a rank, a baseline, or a file; completed by the shell."""

    name = "strategy"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        keys = RunKey().shell_complete(ctx, param, incomplete)
        names = [CompletionItem(name) for name in (*BASELINES, "network") if name.startswith(incomplete)]
        folder, _, start = incomplete.rpartition("/")
        place = Path(folder or ".")
        files = sorted([*place.glob(f"{start}*.toml"), *place.glob(f"{start}*.py")]) if "*" not in start else []
        return [*keys, *names, *(CompletionItem(str(path)) for path in files)]


shared_kingdom_option = click.option(
    "--kingdom",
    type=KingdomText(),
    help="Kingdom to play in: its name, random, or cards with commas between them, and the rest is drawn; "
    "evodom kingdoms lists them.  [default: that of the runs, else First Game]",
)


def rivals(words: Sequence[str], flag: str, *, root: Path, kingdom: Kingdom) -> tuple[Entrant, ...]:
    """Return the strategies that an option names, in a kingdom; raises UsageError for an agent written in Python."""
    from evodom.entrants import find_entrants
    from evodom.matches.agents import names_agent

    if not words:
        return ()
    too_slow = UsageError(
        f"{flag}: an agent written in Python cannot be a rival, nor a network that thinks: they are too slow. "
        "Name a strategy."
    )
    if any(map(names_agent, words)):  # before it is run: a saved run may name it
        raise too_slow
    found = find_entrants(words, root=root, kingdom=kingdom, by_file_name=True)
    if found.has_agents:
        raise too_slow
    return found.entrants


def saved_rivals(
    words: Sequence[str], flag: str, *, root: Path, kingdom: Kingdom
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of the strategies that an option names, and the texts in which a run saves them."""
    from evodom.matches import check_rivals
    from evodom.matches.agents import guest_text

    check_rivals(words)
    found = {entrant.name: entrant for entrant in rivals(words, flag, root=root, kingdom=kingdom)}
    return tuple(found), tuple(guest_text(entrant, kingdom) for entrant in found.values())


def chosen_entrants(
    words: Sequence[str], *, root: Path, kingdom: str | None, seed: int, first_edition: bool = False
) -> Entrants:
    """Return the strategies that ``words`` name, in the kingdom of the options, else in that of their runs."""
    from evodom.entrants import find_entrants

    asked = kingdom is not None or first_edition
    given = chosen_kingdom(kingdom, seed=seed, first_edition=first_edition) if asked else None
    return find_entrants(words, root=root, kingdom=given)
