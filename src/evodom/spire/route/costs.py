"""Mean costs of the fights of act 1 with a deck, estimated by tree search.

Import it on use: it needs the compiled engine of fights.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from evodom.spire.fights.fight import Fight
from evodom.spire.map.act import Room
from evodom.spire.play.estimates import estimate
from evodom.spire.play.searcher import FightSearchOptions
from evodom.spire.route.rules import WEAK, HpChanges
from evodom.spire.route.tables import room_name
from evodom.spire.rows import encounters
from evodom.statistics import IntervalEstimate, Share, mean_interval

KINDS: Mapping[str, Room | str] = {
    encounters.WEAK: WEAK,
    encounters.STRONG: Room.MONSTER,
    encounters.ELITE: Room.ELITE,
    encounters.BOSS: Room.BOSS,
}
"""The pools of the act, each with the rooms where its fights are."""


@dataclass(frozen=True)
class Cost:
    """HP that fights of a kind cost (all of them if lost), the share of losses, and the mean cost of each encounter."""

    hp: IntervalEstimate
    death: Share
    each: Mapping[str, float]


@dataclass(frozen=True)
class DeckCosts:
    """Mean costs of fights by room, and how they were estimated; every fight begins with `hp` of `max_hp`."""

    costs: Mapping[Room | str, Cost]
    hp: int
    max_hp: int
    n_games: int
    n_simulations: int
    seed: int

    @property
    def changes(self) -> HpChanges:
        """The mean changes of HP, in whole HP."""
        return {room: -round(cost.hp.value) for room, cost in self.costs.items()}

    def __str__(self) -> str:
        parts = [
            f"{room_name(room)} {cost.hp.value:.0f} HP, {100 * cost.death.share:.0f} % lost"
            for room, cost in self.costs.items()
        ]
        return f"Fights with this deck cost: {'; '.join(parts)}"


def fight_costs(
    fight: Fight,
    n_games: int,
    budget: FightSearchOptions,
    seed: int,
    n_threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> DeckCosts:
    """Play `n_games` fights of every pool of the act with the deck, relics, potions and HP of `fight`.

    Its enemies are ignored. The same seed gives the same costs for any number of threads.
    """
    plain = replace(fight.setup, enemy_hp=(), burning="")
    hp, max_hp, _ = plain.player()
    found: dict[Room | str, Cost] = {}
    for pool, room in KINDS.items():
        part = replace(fight, setup=plain, state=None, encounters=encounters.of_pool(pool))
        played = estimate(part, n_games, budget, seed, n_threads, progress)
        cost = hp - played.results["hp"].astype(float)
        each = {
            name: float(cost[[other == name for other in played.encounters]].mean())
            for name, _ in encounters.of_pool(pool)
            if name in played.encounters
        }
        found[room] = Cost(mean_interval(cost), played.death, each)
    return DeckCosts(found, hp, max_hp, n_games, budget.simulations, seed)
