"""Rest sites: the player's options, and the relics that change them, one row each.

Open it to add a relic or an option. `fights.what_if` applies the options to a fight; routes use the HP of a rest.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

OPTIONS = REST, UPGRADE, LIFT, REMOVE, DIG, RECALL = "rest", "upgrade", "lift", "remove", "dig", "recall"
"""Names of the options. `RECALL` takes the Ruby Key."""

UNREMOVABLE = ("Ascender's Bane", "Curse of the Bell", "Necronomicurse")
"""Cards that Peace Pipe cannot remove."""

GIRYA, MAX_LIFTS = "Girya", 3


@dataclass(frozen=True)
class RestSiteRelic:
    """Changes of rest sites by a relic.

    `adds` is an option that the relic adds, `forbids` an option that it forbids. `heals` are HP added to a rest.
    `heals_per_5_cards` are HP healed on entering, for each five cards of the deck. `uncounted` describes a random
    result of an option: no command counts its value.
    """

    text: str
    adds: str = ""
    forbids: str = ""
    heals: int = 0
    heals_per_5_cards: int = 0
    uncounted: Mapping[str, str] = field(default_factory=dict)


REST_SITE_RELICS = {
    "Coffee Dripper": RestSiteRelic("no rest at rest sites", forbids=REST),
    "Dream Catcher": RestSiteRelic("a card reward after a rest", uncounted={REST: "the card after it is random"}),
    "Eternal Feather": RestSiteRelic("heal 3 per 5 cards of the deck on entering a rest site", heals_per_5_cards=3),
    "Fusion Hammer": RestSiteRelic("no upgrade at rest sites", forbids=UPGRADE),
    GIRYA: RestSiteRelic("lift at rest sites", adds=LIFT),
    "Peace Pipe": RestSiteRelic("remove a card at a rest site", adds=REMOVE),
    "Regal Pillow": RestSiteRelic("15 more HP from a rest", heals=15),
    "Shovel": RestSiteRelic("dig for a relic at a rest site", adds=DIG, uncounted={DIG: "its relic is random"}),
}
"""All relics of rest sites by name."""


class RestSite(NamedTuple):
    """A rest site for a player.

    `on_entering` are HP healed on entering, `by_rest` those of a rest. `options` are the possible options. `refused`
    are the reasons why the other options are impossible, or without a value.
    """

    on_entering: int
    by_rest: int
    options: tuple[str, ...]
    refused: Mapping[str, str]
    uncounted: Mapping[str, str]

    @property
    def heals(self) -> int:
        """Total HP of a visit with a rest; without a rest if it is impossible."""
        return self.on_entering + self.by_rest * (REST in self.options)

    def notes(self) -> Iterator[str]:
        """Yield a line each on forbidden options and on effects that no command counts, if there are any."""
        forbidden = {option: self.refused[option] for option in (REST, UPGRADE) if option in self.refused}
        for what, reasons in (("Impossible", forbidden), ("Not counted", self.uncounted)):
            if reasons:
                yield f"{what} at rest sites: {'; '.join(f'{option}, {why}' for option, why in reasons.items())}."


def rest_site(relics: Collection[str], n_cards: int, max_hp: int, lifts: int = MAX_LIFTS) -> RestSite:
    """Return the rest site of a player with a deck of `n_cards` cards. `lifts` are the lifts of Girya so far.

    A rest heals 30 % of the maximum HP, rounded down. The option to recall is included: only some runs have it.
    """
    rows = {name: row for name, row in REST_SITE_RELICS.items() if name in relics}
    refused = {LIFT: f"it needs {GIRYA}", REMOVE: "it needs Peace Pipe", DIG: "it needs Shovel"}
    for name, row in rows.items():
        refused.pop(row.adds, None)
        refused |= {row.forbids: f"{name} forbids it"} if row.forbids else {}
    uncounted = {option: f"{why} ({name})" for name, row in rows.items() for option, why in row.uncounted.items()}
    refused |= {DIG: uncounted[DIG]} if DIG in uncounted else {}
    if GIRYA in rows and lifts >= MAX_LIFTS:
        refused[LIFT] = f"{GIRYA} has {MAX_LIFTS} lifts, the maximum"
    return RestSite(
        on_entering=n_cards // 5 * sum(row.heals_per_5_cards for row in rows.values()),
        by_rest=max_hp * 3 // 10 + sum(row.heals for row in rows.values()),
        options=tuple(option for option in OPTIONS if option not in refused),
        refused=refused,
        uncounted={option: why for option, why in uncounted.items() if option not in refused or option == DIG},
    )
