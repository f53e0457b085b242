"""`.run` files, which the game writes at the end of each run: JSON with ids of cards, relics and potions.

Open it to change how they are read. The files do not have the potions held at the end and the counters of relics.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, Struct

from evodom.distribution import Distribution
from evodom.errors import UsageError, errors_at
from evodom.files import parse_json, read_text
from evodom.reading import convert
from evodom.spire.content.cards import MAX_HP, ironclad
from evodom.spire.content.encounters import Group
from evodom.spire.content.enemies import MAX_ASCENSION
from evodom.spire.content.relics import NEOWS_LAMENT, NEOWS_LAMENT_FIGHTS
from evodom.spire.engine.compiler import Setup
from evodom.spire.fights.ids import supported_cards, supported_potions, supported_relics
from evodom.spire.fights.names import MAX_COPIES

MAX_BYTES = 2_000_000
MAX_LENGTH = 1000
"""Maximum length of lists in files."""

Ids = Annotated[list[str], Meta(max_length=MAX_LENGTH)]
FloorHp = Annotated[list[Annotated[int, Meta(ge=0, le=MAX_HP)]], Meta(max_length=MAX_LENGTH)]


class ObtainedPotion(Struct):
    """A potion of a `.run` file. Unknown fields are ignored."""

    key: str


class RunContents(Struct):
    """The contents of a `.run` file. Unknown fields are ignored."""

    master_deck: Ids
    relics: Ids
    ascension_level: Annotated[int, Meta(ge=0, le=MAX_ASCENSION)] = 0
    character_chosen: Literal["IRONCLAD"] = "IRONCLAD"
    potions_obtained: Annotated[list[ObtainedPotion], Meta(max_length=MAX_LENGTH)] = []
    current_hp_per_floor: FloorHp = []
    max_hp_per_floor: FloorHp = []
    damage_taken: Annotated[list[object], Meta(max_length=MAX_LENGTH)] = []


_CARD_ID = re.compile(r"(.*?)(?:\+([0-9]{1,2}))?", re.DOTALL)


@dataclass(frozen=True)
class RunFile:
    """The Ironclad at the end of a run. After a lost fight, the HP are those before that fight.

    `potions` are the potions obtained during the run, in order. `skipped` are the unsupported cards and relics, with
    the reasons. `idle` are the relics without effect in fights. A `.run` file has no counters of relics.
    """

    deck: Mapping[str, int]
    relics: tuple[str, ...]
    hp: int
    max_hp: int
    ascension: int
    potions: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()
    counters: Mapping[str, int] = field(default_factory=dict)

    def setup(self, enemies: Distribution[Group], *, potions: tuple[str, ...] = ()) -> Setup:
        """Return a fight of this Ironclad."""
        return Setup(
            enemies=enemies,
            ascension=self.ascension,
            deck=self.deck,
            hp=self.hp,
            max_hp=self.max_hp,
            relics=self.relics,
            potions=potions,
            counters=self.counters,
        )


def read_run(path: Path | str, *, skip: bool = False) -> RunFile:
    """Read a `.run` file. Raise UsageError if it is invalid.

    Unsupported cards and relics are an error, unless `skip` is true.
    """
    return run_from_json(read_text(path, "a run", "JSON", MAX_BYTES), name=str(path), skip=skip)


def run_from_json(text: str, *, name: str = "the run", skip: bool = False) -> RunFile:
    """Read a run from JSON. `name` is its name in error messages. Raise UsageError if it is invalid."""
    try:
        contents = parse_json(text)
    except ValueError as error:
        raise UsageError(f"{name} is not JSON: {str(error)[:200]}.") from error
    with errors_at(name):
        run = _run(convert(contents, RunContents))
        check_supported(run.skipped, skip=skip)
    return run


def check_supported(skipped: Sequence[str], *, skip: bool) -> None:
    """Raise UsageError if there are unsupported parts, unless `skip` is true."""
    if skipped and not skip:
        raise UsageError(f"not supported: {'; '.join(skipped)}. Skip with --skip-unknown (Python: skip=True).")


def _run(contents: RunContents) -> RunFile:
    skipped: list[str] = []
    matches = filter(None, map(_CARD_ID.fullmatch, contents.master_deck))
    deck = deck_of([(match[1], int(match[2] or 0)) for match in matches], skipped, "master_deck")
    active_relics, idle = supported_relics(contents.relics, skipped)
    if NEOWS_LAMENT in active_relics and len(contents.damage_taken) >= NEOWS_LAMENT_FIGHTS:
        active_relics.remove(NEOWS_LAMENT)
    obtained = supported_potions([one.key for one in contents.potions_obtained], [])
    hp, max_hp = _hp(contents)
    return RunFile(
        deck=deck,
        relics=tuple(active_relics),
        hp=hp,
        max_hp=max_hp,
        ascension=contents.ascension_level,
        potions=tuple(obtained),
        skipped=tuple(dict.fromkeys(skipped)),
        idle=tuple(idle),
    )


def deck_of(cards: Iterable[tuple[str, int]], skipped: list[str], place: str) -> dict[str, int]:
    """Return the supported cards of pairs (id, upgrades), and add the others to `skipped`. `place` is for errors."""
    with errors_at(place):
        deck = Counter(supported_cards(cards, skipped))
    if not deck:
        raise UsageError(f"{place} has no supported card. Allowed: at least one.")
    for name, n in deck.items():
        if n > MAX_COPIES:
            raise UsageError(f"{place} has {name} {n} times. Allowed: at most {MAX_COPIES}.")
    return dict(deck)


def _hp(contents: RunContents) -> tuple[int, int]:
    """Return the last HP above 0 and the maximum HP on that floor."""
    hps, max_hps = contents.current_hp_per_floor, contents.max_hp_per_floor
    if len(hps) != len(max_hps):
        raise UsageError(
            f"max_hp_per_floor has {len(max_hps)} floors. Allowed: {len(hps)}, as many as current_hp_per_floor."
        )
    last = ironclad(contents.ascension_level)[:2]
    for floor, (hp, max_hp) in enumerate(zip(hps, max_hps, strict=True)):
        if hp > max_hp:
            raise UsageError(f"current_hp_per_floor[{floor}] is {hp}. Allowed: 0 to {max_hp}.")
        last = (hp, max_hp) if hp else last
    return last
