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
from typing import Any

from evodom.distribution import Distribution
from evodom.errors import UsageError
from evodom.files import parse_json, read_text
from evodom.spire.engine.rules import Setup
from evodom.spire.fights.fields import kind, under, whole
from evodom.spire.fights.files import MAX_HP
from evodom.spire.fights.names import IDLE, MAX_COPIES, find_card, letters, short
from evodom.spire.rows import cards, potions, relics
from evodom.spire.rows.cards import ironclad
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

CHARACTER = "IRONCLAD"
LAMENT, LAMENT_FIGHTS = "Neow's Lament", 3
MAX_BYTES = 2_000_000
MAX_LENGTH = 1000
"""The longest list that is read."""

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
    with under(name):
        if not isinstance(page, dict):
            raise UsageError(f"it is {kind(page)}. Allowed: an object with master_deck and relics.")
        run = _run(page)
        if run.skipped and not skip:
            raise UsageError(
                f"a fight here cannot have {'; '.join(run.skipped)}. Skip them with --skip-unknown (Python: skip=True)."
            )
    return run


def _run(page: dict[str, Any]) -> RunFile:
    if page.get("character_chosen", CHARACTER) != CHARACTER:
        raise UsageError(f"character_chosen is {kind(page['character_chosen'])}. Allowed: {CHARACTER}.")
    ascension = whole(page.get("ascension_level", 0), "ascension_level", 0, MAX_ASCENSION)
    skipped: list[str] = []
    deck = _deck(_texts(page, "master_deck"), skipped)
    if not deck:
        raise UsageError("master_deck has no card that a fight here can have. Allowed: at least one.")
    held = _relics(_texts(page, "relics"), skipped)
    if LAMENT in held and len(_list(page, "damage_taken", needed=False)) >= LAMENT_FIGHTS:
        held.remove(LAMENT)
    hp, max_hp = _hp(page, ascension)
    return RunFile(deck, tuple(held), hp, max_hp, ascension, tuple(_potions(page)), tuple(dict.fromkeys(skipped)))


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
        with under("master_deck"):
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


def _potions(page: dict[str, Any]) -> list[str]:
    """Return the potions of the rows that were obtained."""
    known = _by_letters(potions.POTIONS)
    found: list[str] = []
    for place, one in enumerate(_list(page, "potions_obtained", needed=False)):
        key = one.get("key") if isinstance(one, dict) else None
        if not isinstance(key, str):
            raise UsageError(
                f'potions_obtained[{place}] is {kind(one)}. Allowed: such as {{"floor": 3, "key": "Elixir"}}.'
            )
        name = known.get(letters(POTION_IDS.get(key, key)))
        found += [name] if name else []
    return found


def _hp(page: dict[str, Any], ascension: int) -> tuple[int, int]:
    """Return the last HP above 0, with their maximum: where the run ended, or before the fight that was lost."""
    now, most = (_list(page, f"{which}_hp_per_floor", needed=False) for which in ("current", "max"))
    if len(now) != len(most):
        raise UsageError(
            f"max_hp_per_floor has {len(most)} floors. Allowed: {len(now)}, as many as current_hp_per_floor."
        )
    found = ironclad(ascension)[:2]
    for floor, (hp, max_hp) in enumerate(zip(now, most, strict=True)):
        limit = whole(max_hp, f"max_hp_per_floor[{floor}]", 0, MAX_HP)
        if whole(hp, f"current_hp_per_floor[{floor}]", 0, limit):
            found = hp, limit
    return found


def _by_letters(names: Iterable[str]) -> dict[str, str]:
    return {letters(name): name for name in names}


def _reason(name: str, left_out: Mapping[str, str]) -> str:
    """Return a name with the reason why no fight here has it."""
    for other, why in left_out.items():
        if letters(other) == letters(name):
            return f"{other} ({why})"
    return f"{short(name)} (not in the tables)"


def _texts(page: dict[str, Any], key: str) -> list[str]:
    """Return a list of texts."""
    found = _list(page, key)
    if wrong := [place for place, one in enumerate(found) if not isinstance(one, str)]:
        raise UsageError(f"{key}[{wrong[0]}] is {kind(found[wrong[0]])}. Allowed: a text.")
    return found


def _list(page: dict[str, Any], key: str, *, needed: bool = True) -> list[Any]:
    """Return the list under a key."""
    if key not in page:
        if needed:
            raise UsageError(f"{key} is missing. Allowed: a list.")
        return []
    found = page[key]
    if not isinstance(found, list) or len(found) > MAX_LENGTH:
        raise UsageError(f"{key} is {kind(found)}. Allowed: a list of at most {MAX_LENGTH}.")
    return found
