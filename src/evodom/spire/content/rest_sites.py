"""Rest sites: the player's options, and the relics that change them, one row each.

Open it to add a relic or an option. `fights.what_if` applies the options to a fight; routes use the HP of a rest.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import NamedTuple

OPTIONS = REST, UPGRADE, LIFT, REMOVE, DIG, RECALL = "rest", "upgrade", "lift", "remove", "dig", "recall"
"""Names of the options: heal, upgrade a card, lift Girya, remove a card, dig for a relic, take the Ruby Key."""

UNREMOVABLE = ("Ascender's Bane", "Curse of the Bell", "Necronomicurse")
"""Cards that Peace Pipe cannot remove."""

GIRYA, MAX_LIFTS = "Girya", 3
"""The relic that adds lifts, and its maximum number of lifts."""


@dataclass(frozen=True)
class RestSiteRelic:
    """Changes of rest sites by a relic.

    `adds` and `forbids` are options that the relic adds and forbids. `random` is an option that is refused: its result
    is random. `heals` are HP added to a rest. `heals_per_5_cards` are HP healed on entering for each five cards of the
    deck. `note` is a sentence on an effect that no command counts.
    """

    text: str
    adds: str = ""
    forbids: str = ""
    heals: int = 0
    heals_per_5_cards: int = 0
    random: str = ""
    note: str = ""


REST_SITE_RELICS = {
    "Coffee Dripper": RestSiteRelic("no rest at rest sites", forbids=REST),
    "Dream Catcher": RestSiteRelic("a card reward after a rest", note="its card reward is not counted"),
    "Eternal Feather": RestSiteRelic("heal 3 per 5 cards of the deck on entering a rest site", heals_per_5_cards=3),
    "Fusion Hammer": RestSiteRelic("no upgrade at rest sites", forbids=UPGRADE),
    GIRYA: RestSiteRelic("lift at rest sites", adds=LIFT),
    "Peace Pipe": RestSiteRelic("remove a card at a rest site", adds=REMOVE),
    "Regal Pillow": RestSiteRelic("15 more HP from a rest", heals=15),
    "Shovel": RestSiteRelic("dig for a relic at a rest site", adds=DIG, random=DIG),
}
"""All relics of rest sites by name."""


class RestSite(NamedTuple):
    """A rest site for a player.

    `on_entering` are HP healed on entering, `by_rest` HP healed by a rest. `refused` has the reason for each option
    that is impossible or random. `notes` are sentences on forbidden options and on effects that are not counted.
    """

    on_entering: int
    by_rest: int
    refused: Mapping[str, str]
    notes: tuple[str, ...]

    @property
    def heals(self) -> int:
        """Total HP of a visit with a rest; without a rest if it is impossible."""
        return self.on_entering + self.by_rest * (REST not in self.refused)


def rest_site(relics: Collection[str], n_cards: int, max_hp: int, lifts: int = MAX_LIFTS) -> RestSite:
    """Return the rest site of a player with a deck of `n_cards` cards. `lifts` are the lifts of Girya so far.

    A rest heals 30 % of the maximum HP, rounded down.
    """
    rows = {name: row for name, row in REST_SITE_RELICS.items() if name in relics}
    missing = {row.adds: f"it needs {name}" for name, row in REST_SITE_RELICS.items() if name not in rows and row.adds}
    forbidden = {row.forbids: f"{name} forbids it" for name, row in rows.items() if row.forbids}
    random = {row.random: f"the result of {name} is random" for name, row in rows.items() if row.random}
    refused = missing | forbidden | random
    if GIRYA in rows and lifts >= MAX_LIFTS:
        refused[LIFT] = f"{GIRYA} has {MAX_LIFTS} lifts, the maximum"
    notes = [f"Impossible at rest sites: {option}, {why}." for option, why in forbidden.items()]
    notes += [f"Not counted at rest sites: {option}, {why}." for option, why in random.items()]
    notes += [f"{name}: {row.note}." for name, row in rows.items() if row.note]
    on_entering = n_cards // 5 * sum(row.heals_per_5_cards for row in rows.values())
    by_rest = max_hp * 3 // 10 + sum(row.heals for row in rows.values())
    return RestSite(on_entering, by_rest, refused, tuple(notes))
