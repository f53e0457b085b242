"""What a run of the game left: the deck, relics, HP and ascension in a `.run` file.

The game writes such a file, JSON, at the end of every run. It names cards, relics and potions by ids, which have the
letters of the names that it shows, but for those listed here. Which potions were left, and what relics have counted, it
does not say.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, Struct

from evodom.distribution import Distribution
from evodom.errors import UsageError, errors_at, short
from evodom.files import parse_json, read_text
from evodom.reading import convert
from evodom.spire.engine.rules import Setup
from evodom.spire.fights.names import IDLE, MAX_COPIES, find_card, letters
from evodom.spire.rows import cards, potions, relics
from evodom.spire.rows.cards import MAX_HP, ironclad
from evodom.spire.rows.encounters import Group
from evodom.spire.rows.enemies import MAX_ASCENSION

CARD_IDS = {"Strike_R": "Strike", "Defend_R": "Defend"}

RELIC_IDS = {
    "Boot": "The Boot",
    "CultistMask": "Cultist Headpiece",
    "Frozen Egg 2": "Frozen Egg",
    "GremlinMask": "Gremlin Visage",
    "Molten Egg 2": "Molten Egg",
    "NeowsBlessing": "Neow's Lament",
    "NlothsMask": "N'loth's Hungry Face",
    "Paper Frog": "Paper Phrog",
    "Sling": "Sling of Courage",
    "Toxic Egg 2": "Toxic Egg",
    "WingedGreaves": "Winged Boots",
}

POTION_IDS = {"ElixirPotion": "Elixir", "FairyPotion": "Fairy in a Bottle", "SteroidPotion": "Flex Potion"}

LAMENT, LAMENT_FIGHTS = "Neow's Lament", 3
MAX_BYTES = 2_000_000
MAX_LENGTH = 1000
"""The longest list that is read."""

Ids = Annotated[list[str], Meta(max_length=MAX_LENGTH)]
FloorHp = Annotated[list[Annotated[int, Meta(ge=0, le=MAX_HP)]], Meta(max_length=MAX_LENGTH)]


class ObtainedPotion(Struct):
    """A potion of a `.run` file; further fields are ignored."""

    key: str


class RunPage(Struct):
    """The contents of a `.run` file; further fields are ignored."""

    master_deck: Ids
    relics: Ids
    ascension_level: Annotated[int, Meta(ge=0, le=MAX_ASCENSION)] = 0
    character_chosen: Literal["IRONCLAD"] = "IRONCLAD"
    potions_obtained: Annotated[list[ObtainedPotion], Meta(max_length=MAX_LENGTH)] = []
    current_hp_per_floor: FloorHp = []
    max_hp_per_floor: FloorHp = []
    damage_taken: Annotated[list[object], Meta(max_length=MAX_LENGTH)] = []


_CARD = re.compile(r"(.*?)(?:\+([0-9]{1,2}))?", re.DOTALL)


@dataclass(frozen=True)
class RunFile:
    """The Ironclad of a run, as it was at its end, or when the fight began that was lost.

    `potions` are those that were obtained in the run, in their order. `skipped` are the cards and relics that no fight
    here has, each with the reason.
    """

    deck: Mapping[str, int]
    relics: tuple[str, ...]
    hp: int
    max_hp: int
    ascension: int
    potions: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()

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
        )


def read_run(path: Path | str, *, skip: bool = False) -> RunFile:
    """Read a `.run` file. Raises UsageError, in one line, for what is none.

    Cards and relics that no fight here can have are an error that names them, unless they are to be skipped.
    """
    return run_from_json(read_text(path, "a run", "JSON", MAX_BYTES), name=str(path), skip=skip)


def run_from_json(text: str, *, name: str = "the run", skip: bool = False) -> RunFile:
    """Read a run from JSON; `name` is what errors call it. Raises UsageError, in one line, for what is none."""
    try:
        page = parse_json(text)
    except ValueError as error:
        raise UsageError(f"{name} is not JSON: {str(error)[:200]}.") from error
    with errors_at(name):
        run = _run(convert(page, RunPage))
        if run.skipped and not skip:
            raise UsageError(
                f"a fight here cannot have {'; '.join(run.skipped)}. Skip them with --skip-unknown (Python: skip=True)."
            )
    return run


def _run(page: RunPage) -> RunFile:
    skipped: list[str] = []
    deck = _deck(page.master_deck, skipped)
    if not deck:
        raise UsageError("master_deck has no card that a fight here can have. Allowed: at least one.")
    held = _relics(page.relics, skipped)
    if LAMENT in held and len(page.damage_taken) >= LAMENT_FIGHTS:
        held.remove(LAMENT)
    known = _by_letters(potions.POTIONS)
    keys = [letters(POTION_IDS.get(one.key, one.key)) for one in page.potions_obtained]
    obtained = tuple(known[key] for key in keys if key in known)
    hp, max_hp = _hp(page)
    return RunFile(deck, tuple(held), hp, max_hp, page.ascension_level, obtained, tuple(dict.fromkeys(skipped)))


def _deck(ids: list[str], skipped: list[str]) -> dict[str, int]:
    """Return the cards, and add those that no fight here has to `skipped`."""
    known = _by_letters(card for card in cards.CARDS if "+" not in card)
    deck: Counter[str] = Counter()
    for one in ids:
        match = _CARD.fullmatch(one)
        base, upgrades = (match[1], match[2]) if match else (one, None)
        name = known.get(letters(CARD_IDS.get(base, base)))
        if name is None:
            skipped.append(_reason(base, cards.LEFT_OUT))
            continue
        with errors_at("master_deck"):
            deck[find_card(f"{name}+{upgrades}" if upgrades else name)] += 1
    if many := [name for name, n in deck.items() if n > MAX_COPIES]:
        raise UsageError(f"master_deck has {many[0]} {deck[many[0]]} times. Allowed: at most {MAX_COPIES}.")
    return dict(deck)


def _relics(ids: list[str], skipped: list[str]) -> list[str]:
    """Return the relics that act in fights, and add those that no fight here has to `skipped`."""
    known = _by_letters((*relics.RELICS, *IDLE))
    found: list[str] = []
    for one in ids:
        name = known.get(letters(RELIC_IDS.get(one, one)))
        if name is None:
            skipped.append(_reason(one, relics.LEFT_OUT))
        elif name in relics.RELICS and name not in found:
            found.append(name)
    return found


def _hp(page: RunPage) -> tuple[int, int]:
    """Return the last HP above 0, with their maximum: where the run ended, or before the fight that was lost."""
    now, most = page.current_hp_per_floor, page.max_hp_per_floor
    if len(now) != len(most):
        raise UsageError(
            f"max_hp_per_floor has {len(most)} floors. Allowed: {len(now)}, as many as current_hp_per_floor."
        )
    found = ironclad(page.ascension_level)[:2]
    for floor, (hp, limit) in enumerate(zip(now, most, strict=True)):
        if hp > limit:
            raise UsageError(f"current_hp_per_floor[{floor}] is {hp}. Allowed: 0 to {limit}.")
        found = (hp, limit) if hp else found
    return found


def _by_letters(names: Iterable[str]) -> dict[str, str]:
    return {letters(name): name for name in names}


def _reason(name: str, left_out: Mapping[str, str]) -> str:
    """Return a name with the reason why no fight here has it."""
    for other, why in left_out.items():
        if letters(other) == letters(name):
            return f"{other} ({why})"
    return f"{short(name)} (not in the tables)"
