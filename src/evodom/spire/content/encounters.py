"""Encounters of act 1: their groups of enemies, pools and weights, and how an act draws them.

Open it to add an encounter or to change the draw.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import permutations
from typing import TYPE_CHECKING

from evodom.distribution import Distribution, certain, uniform, weighted

if TYPE_CHECKING:
    from numpy.random import Generator as Rng

WEAK, STRONG, ELITE, BOSS, EVENT = "weak", "strong", "elite", "boss", "event"

N_WEAK, N_STRONG, N_ELITES = 3, 13, 10
"""Lengths of the lists of encounters that an act draws at its start."""

EXCLUDED_AFTER = {"Small Slimes": ("Large Slime", "Lots of Slimes"), "Two Louses": ("Three Louses",)}
"""Strong encounters that cannot directly follow a weak encounter, by weak encounter."""

MAX_ENEMIES = 5
"""Maximum number of simultaneous enemies."""

Group = tuple[str, ...]
"""Names of enemies, left to right."""


@dataclass(frozen=True)
class Encounter:
    """An encounter of a pool of the act: its weight in the pool, and its groups of enemies with their chances."""

    pool: str
    weight: float
    groups: Distribution[Group]


def concatenated(parts: Iterable[Distribution[Group]]) -> Distribution[Group]:
    """Return the distribution of the concatenation of one group of each part."""
    found: Distribution[Group] = certain(())
    for part in parts:
        found = _appended(found, part)
    return found.merge()


def _appended(groups: Distribution[Group], others: Distribution[Group]) -> Distribution[Group]:
    return groups.bind(lambda group: others.map(lambda other: (*group, *other)))


def _one_of_each(*parts: Distribution[str]) -> Distribution[Group]:
    """Return the groups with one enemy drawn from each part."""
    return concatenated(part.map(lambda name: (name,)) for part in parts)


def _in_any_order(names: Group, n: int) -> Distribution[Group]:
    """Return the groups of `n` enemies drawn from `names` without replacement."""
    return uniform(tuple(group) for group in permutations(names, n)).merge()


_LOUSE = uniform(("Red Louse", "Green Louse"))
_WILDLIFE = weighted({"Red Louse": 1, "Green Louse": 1, "Spike Slime (M)": 2, "Acid Slime (M)": 2})
_HUMANOID = weighted({"Cultist": 2, "Red Slaver": 1, "Blue Slaver": 1, "Looter": 2})
_GREMLINS = ("Mad Gremlin",) * 2 + ("Sneaky Gremlin",) * 2 + ("Fat Gremlin",) * 2 + ("Shield Gremlin", "Gremlin Wizard")
_SMALL_SLIMES = ("Spike Slime (S)",) * 3 + ("Acid Slime (S)",) * 2


@cache
def encounters() -> dict[str, Encounter]:
    """Return all encounters by name."""
    return {
        "Cultist": Encounter(WEAK, 1, certain(("Cultist",))),
        "Jaw Worm": Encounter(WEAK, 1, certain(("Jaw Worm",))),
        "Two Louses": Encounter(WEAK, 1, _one_of_each(_LOUSE, _LOUSE)),
        "Small Slimes": Encounter(
            WEAK, 1, uniform([("Spike Slime (S)", "Acid Slime (M)"), ("Acid Slime (S)", "Spike Slime (M)")])
        ),
        "Gremlin Gang": Encounter(STRONG, 1, _in_any_order(_GREMLINS, 4)),
        "Lots of Slimes": Encounter(STRONG, 1, _in_any_order(_SMALL_SLIMES, 5)),
        "Red Slaver": Encounter(STRONG, 1, certain(("Red Slaver",))),
        "Exordium Thugs": Encounter(STRONG, 1.5, _one_of_each(_WILDLIFE, _HUMANOID)),
        "Exordium Wildlife": Encounter(STRONG, 1.5, _one_of_each(uniform(("Fungi Beast", "Jaw Worm")), _WILDLIFE)),
        "Blue Slaver": Encounter(STRONG, 2, certain(("Blue Slaver",))),
        "Looter": Encounter(STRONG, 2, certain(("Looter",))),
        "Large Slime": Encounter(STRONG, 2, uniform([("Acid Slime (L)",), ("Spike Slime (L)",)])),
        "Three Louses": Encounter(STRONG, 2, _one_of_each(_LOUSE, _LOUSE, _LOUSE)),
        "Two Fungi Beasts": Encounter(STRONG, 2, certain(("Fungi Beast", "Fungi Beast"))),
        "Gremlin Nob": Encounter(ELITE, 1, certain(("Gremlin Nob",))),
        "Lagavulin": Encounter(ELITE, 1, certain(("Lagavulin",))),
        "Three Sentries": Encounter(ELITE, 1, certain(("Sentry", "Middle Sentry", "Sentry"))),
        "Slime Boss": Encounter(BOSS, 1, certain(("Slime Boss",))),
        "The Guardian": Encounter(BOSS, 1, certain(("The Guardian",))),
        "Hexaghost": Encounter(BOSS, 1, certain(("Hexaghost",))),
        "Three Fungi Beasts": Encounter(EVENT, 1, certain(("Fungi Beast", "Fungi Beast", "Fungi Beast"))),
        "Lagavulin (awake)": Encounter(EVENT, 1, certain(("Lagavulin (awake)",))),
    }


@cache
def encounters_of_pool(pool: str) -> Distribution[str]:
    """Return the distribution of the encounters of a pool, by name."""
    return weighted({name: Fraction(one.weight) for name, one in encounters().items() if one.pool == pool})


def draw_monsters(rng: Rng) -> tuple[str, ...]:
    """Draw the N_WEAK weak and N_STRONG strong encounters of an act, in order.

    Each differs from the two before it. `EXCLUDED_AFTER` restricts the first strong encounter.
    """
    drawn: list[str] = []
    for place in range(N_WEAK + N_STRONG):
        excluded = {*drawn[-2:], *(EXCLUDED_AFTER.get(drawn[-1], ()) if place == N_WEAK else ())}
        drawn.append(_draw(WEAK if place < N_WEAK else STRONG, excluded, rng))
    return tuple(drawn)


def draw_elites(rng: Rng, drawn: Sequence[str] = ()) -> tuple[str, ...]:
    """Return `drawn` and N_ELITES further elites, in order. Each differs from the elite before it."""
    names = list(drawn)
    for _ in range(N_ELITES):
        names.append(_draw(ELITE, set(names[-1:]), rng))
    return tuple(names)


def _draw(pool: str, excluded: set[str], rng: Rng) -> str:
    """Draw an encounter of a pool by its weight, until it is not excluded."""
    while (name := encounters_of_pool(pool).sample(rng)) in excluded:
        pass
    return name


def groups_of(name: str) -> Distribution[Group]:
    """Return the groups of an encounter, or of a single enemy."""
    known = encounters()
    return known[name].groups if name in known else certain((name,))
