"""Ids of the game's cards, relics, potions, monsters, moves and powers, as its files and its mods write them.

Open it to add an id. The tables list ids that differ from the letters of the displayed name.
"""

from collections.abc import Iterable, Iterator, Mapping

from evodom.errors import short
from evodom.spire.content import cards, potions, relics
from evodom.spire.fights.names import INACTIVE_RELICS, find_card, normalise

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
    "WingedGreaves": "Wing Boots",
}

POTION_IDS = {"ElixirPotion": "Elixir", "FairyPotion": "Fairy in a Bottle", "SteroidPotion": "Flex Potion"}

BOMB = "Bomb in 1 turn"
"""Status of The Bomb, whatever its number of turns: the amount of its power."""

STATUS_IDS = {
    "Anger": "Enrage",
    "Confusion": "Confused",
    "DexLoss": "Dexterity Down",
    "Draw Card": "Next Turn Draw",
    "DuplicationPower": "Duplication",
    "Flex": "Strength Down",
    "IntangiblePlayer": "Intangible",
    "NoBlockPower": "No Block",
    "Regeneration": "Regen",
    "Sadistic": "Sadistic Nature",
    "TheBomb": BOMB,
    "Weakened": "Weak",
}
"""Statuses by the ids of the game's powers."""

POWERS_WITHOUT_STATUS = ("Pen Nib", "Split", "Thievery")
"""Powers without a status: Pen Nib is a counter, the enemy implies Split, and gold has no effect in fights."""

MONSTERS: dict[str, tuple[str, dict[int, tuple[str, ...]]]] = {
    "Cultist": ("Cultist", {1: ("Dark Strike",), 3: ("Incantation",)}),
    "JawWorm": ("Jaw Worm", {1: ("Chomp",), 2: ("Bellow",), 3: ("Thrash",)}),
    "FuzzyLouseNormal": ("Red Louse", {3: ("Bite",), 4: ("Grow",)}),
    "FuzzyLouseDefensive": ("Green Louse", {3: ("Bite",), 4: ("Spit Web",)}),
    "AcidSlime_S": ("Acid Slime (S)", {1: ("Tackle",), 2: ("Lick",)}),
    "AcidSlime_M": ("Acid Slime (M)", {1: ("Corrosive Spit",), 2: ("Tackle",), 4: ("Lick",)}),
    "AcidSlime_L": ("Acid Slime (L)", {1: ("Corrosive Spit",), 2: ("Tackle",), 3: ("Split",), 4: ("Lick",)}),
    "SpikeSlime_S": ("Spike Slime (S)", {1: ("Tackle",)}),
    "SpikeSlime_M": ("Spike Slime (M)", {1: ("Flame Tackle",), 4: ("Lick",)}),
    "SpikeSlime_L": ("Spike Slime (L)", {1: ("Flame Tackle",), 3: ("Split",), 4: ("Lick",)}),
    "FungiBeast": ("Fungi Beast", {1: ("Bite",), 2: ("Grow",)}),
    "SlaverBlue": ("Blue Slaver", {1: ("Stab",), 4: ("Rake",)}),
    "SlaverRed": ("Red Slaver", {1: ("Stab",), 2: ("Entangle",), 3: ("Scrape",)}),
    "Looter": ("Looter", {1: ("Mug",), 2: ("Smoke Bomb",), 3: ("Escape",), 4: ("Lunge",)}),
    "GremlinWarrior": ("Mad Gremlin", {1: ("Scratch",)}),
    "GremlinThief": ("Sneaky Gremlin", {1: ("Puncture",)}),
    "GremlinFat": ("Fat Gremlin", {2: ("Smash",)}),
    "GremlinTsundere": ("Shield Gremlin", {1: ("Protect",), 2: ("Shield Bash",)}),
    "GremlinWizard": ("Gremlin Wizard", {1: ("Ultimate Blast",), 2: ("Charging",)}),
    "GremlinNob": ("Gremlin Nob", {1: ("Rush",), 2: ("Skull Bash",), 3: ("Bellow",)}),
    "Lagavulin": ("Lagavulin", {1: ("Siphon Soul",), 3: ("Attack",), 4: ("Stunned",), 5: ("Sleep", "Wake")}),
    "Sentry": ("Sentry", {3: ("Bolt",), 4: ("Beam",)}),
    "SlimeBoss": ("Slime Boss", {1: ("Slam",), 2: ("Preparing",), 3: ("Split",), 4: ("Goop Spray",)}),
    "TheGuardian": (
        "The Guardian",
        {1: ("Defensive Mode",), 2: ("Fierce Bash",), 3: ("Roll Attack",), 4: ("Twin Slam",), 5: ("Whirlwind",),
         6: ("Charging Up",), 7: ("Vent Steam",)},
    ),
    "Hexaghost": (
        "Hexaghost",
        {1: ("Divider",), 2: ("Tackle",), 3: ("Inflame",), 4: ("Sear", "Sear+"), 5: ("Activate",), 6: ("Inferno",)},
    ),
}  # fmt: skip
"""Name and moves of each enemy, by the id of the monster. The moves are by their ids. An id may mean several moves."""


def supported_cards(ids: Iterable[tuple[str, int]], skipped: list[str]) -> list[str]:
    """Return the names of cards, given as pairs (id, upgrades). Add unsupported cards to `skipped`."""
    known = [card for card in cards.CARDS if "+" not in card]
    found = [(_name_of(card_id, known, CARD_IDS, {}, skipped), upgrades) for card_id, upgrades in ids]
    return [find_card(f"{name}+{upgrades}" if upgrades else name) for name, upgrades in found if name]


def supported_relics(ids: Iterable[str], skipped: list[str]) -> tuple[list[str], list[str]]:
    """Return the relics that affect fights, and the other known relics. Add other unsupported relics to `skipped`."""
    known = (*relics.RELICS, *INACTIVE_RELICS, *relics.HARMLESS)
    names = [_name_of(relic_id, known, RELIC_IDS, relics.UNSUPPORTED, skipped) for relic_id in ids]
    found = dict.fromkeys(name for name in names if name)
    return [name for name in found if name in relics.RELICS], [name for name in found if name not in relics.RELICS]


def supported_potions(ids: Iterable[str], skipped: list[str]) -> list[str]:
    """Return the names of potions. Add unsupported potions to `skipped`, with the reason."""
    names = [_name_of(potion_id, potions.POTIONS, POTION_IDS, potions.UNSUPPORTED, skipped) for potion_id in ids]
    return [name for name in names if name]


def status_of(power_id: str, statuses: Iterable[str]) -> str | None:
    """Return the status of a power, None if it is not one of `statuses`."""
    return _names_by_letters(statuses).get(normalise(STATUS_IDS.get(power_id, power_id)))


def notes_on(skipped: Iterable[str], idle: Iterable[str]) -> Iterator[str]:
    """Yield a line with the skipped items, and one with the relics without effect in fights, if there are any."""
    idle = [f"{name} ({relics.UNSUPPORTED[name]})" if name in relics.UNSUPPORTED else name for name in idle]
    for what, names in (("Skipped, not supported", list(skipped)), ("Without effect in fights", idle)):
        if names:
            yield f"{what}: {'; '.join(names)}."


def _names_by_letters(names: Iterable[str]) -> dict[str, str]:
    return {normalise(name): name for name in names}


def _name_of(
    item_id: str, names: Iterable[str], ids: Mapping[str, str], unsupported: Mapping[str, str], skipped: list[str]
) -> str | None:
    """Return the name of an id. For an unknown id, add the reason to `skipped` and return None."""
    letters = normalise(ids.get(item_id, item_id))
    name = _names_by_letters(names).get(letters)
    if name is None:
        reasons = (f"{other} ({why})" for other, why in unsupported.items() if normalise(other) == normalise(item_id))
        skipped.append(next(reasons, f"{short(item_id)} (not in the tables)"))
    return name
