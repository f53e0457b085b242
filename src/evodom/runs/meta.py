"""What every run notes of itself, however its strategies were found: settings, seed, time, versions."""

from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

from evodom import __version__
from evodom.errors import RunError, short
from evodom.runs.run import Run

FIRST = 1
"""The version of the rules that a game began with, and of what was saved before runs noted one."""


@dataclass(frozen=True)
class RulesVersion:
    """The rules of a game as evodom plays it; their version is the number of changes so far, and one.

    ``changes`` says in a few words what each version changed, from version 2 on.
    """

    game: str
    changes: tuple[str, ...] = ()

    @property
    def version(self) -> int:
        """The version that is played now."""
        return FIRST + len(self.changes)

    def since(self, version: int) -> tuple[str, ...]:
        """Return what was changed since a version, in order; nothing for the present one."""
        return self.changes[version - FIRST :]


GUESTS = "guests"
"""The setting that holds the strategies a run meets: a network is 180 kB."""


LONGEST_VERSION, MOST_VERSIONS = 80, 50
"""Characters of a version or of a package's name, and how many a run may note."""


def new_meta(options: dict[str, Any], seed: int, rules: RulesVersion) -> dict[str, Any]:
    """Return the meta of a run that begins now; ``options`` are its settings as plain JSON types."""
    from importlib.metadata import version

    return {
        "options": options,
        "seed": seed,
        "rules": [rules.version],
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": {"evodom": __version__, "numpy": version("numpy"), "numba": version("numba")},
    }


def shown_settings(options: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of a run as they are shown: without the strategies that it keeps, whom ``rivals`` names."""
    return {name: value for name, value in options.items() if name != GUESTS}


def seed_of(run: Run) -> int:
    """Return the seed of a run; raise RunError if the file holds none."""
    seed = run.meta.get("seed")
    if type(seed) is not int or not 0 <= seed < 2**64:
        raise RunError(f"run '{run.key}' holds no seed ({short(seed)}). Delete it, or make it anew.")
    return seed


def created_of(run: Run) -> str:
    """Return the date and time at which a run was started, or "" without one. Raise RunError for anything else."""
    created = run.meta.get("created", "")
    try:
        if created:
            datetime.fromisoformat(created)
        elif created != "":
            raise ValueError
    except (TypeError, ValueError):
        raise RunError(f"run '{run.key}' has no date and time of its start ({short(created)}). Delete it.") from None
    return str(created)


def versions_of(run: Run) -> dict[str, str]:
    """Return the versions of the packages that a run was started with, by name. Raise RunError for anything else."""
    versions = run.meta.get("versions", {})
    if not isinstance(versions, dict) or len(versions) > MOST_VERSIONS:
        raise RunError(f"run '{run.key}' has no versions of packages ({short(versions)}). Delete it.")
    for text in (*versions, *versions.values()):
        if not isinstance(text, str) or not text.isprintable() or len(text) > LONGEST_VERSION:
            raise RunError(f"run '{run.key}' has a version of a package that is none ({short(text)}). Delete it.")
    return versions


def check_meta(run: Run) -> None:
    """Raise RunError unless the fields of `meta` that all kinds of runs share have the right types."""
    seed_of(run), rules_of(run), created_of(run), versions_of(run)


def rules_of(run: Run) -> list[int]:
    """Return the versions of the rules that a run was made under and, since, adopted; the last one is what it plays.

    Raises RunError if the file says something else there.
    """
    versions = run.meta.get("rules", [FIRST])
    if not (type(versions) is list and versions and all(type(version) is int for version in versions)):
        raise RunError(f"run '{run.key}' does not say under which rules it was made ({short(versions)}). Delete it.")
    if versions[0] < FIRST or any(a >= b for a, b in pairwise(versions)):
        raise RunError(f"run '{run.key}' has versions of rules that cannot be ({short(versions)}). Delete it.")
    return versions


def check_rules(run: Run, rules: RulesVersion) -> None:
    """Raise RunError unless the run was made under these rules, or has adopted them."""
    made = rules_of(run)[-1]
    if made > rules.version:
        raise RunError(_of_later(run, made, rules))
    if made < rules.version:
        raise RunError(
            f"run '{run.key}' was made under version {made} of the rules of {rules.game}; this is version "
            f"{rules.version} ({'; '.join(rules.since(made))}). To play it under these: evodom runs adopt {run.key}"
        )


def adopt_rules(run: Run, rules: RulesVersion) -> int:
    """Let a run play under these rules from now on, and return under which it did; the run is open for writing."""
    versions = rules_of(run)
    if versions[-1] > rules.version:
        raise RunError(_of_later(run, versions[-1], rules))
    if versions[-1] < rules.version:
        run.set_meta(rules=[*versions, rules.version])
    return versions[-1]


def _of_later(run: Run, made: int, rules: RulesVersion) -> str:
    return (
        f"run '{run.key}' was made under version {made} of the rules of {rules.game}, and evodom {__version__} knows "
        f"them up to {rules.version}. Upgrade evodom"
    )
