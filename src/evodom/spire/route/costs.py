"""What the fights of act 1 cost with a deck, found by playing them with a search, for routes to reckon with.

A module of its own, for it needs the engine of fights.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from evodom.spire.fights.fight import Fight
from evodom.spire.map.act import Room
from evodom.spire.play.estimates import estimate
from evodom.spire.play.searcher import Budget
from evodom.spire.route.rules import WEAK, HpChanges
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
    """What fights of a kind come to: the HP that they cost, all of them if lost, and how often they are lost.

    `each` are the mean costs of the encounters that were met.
    """

    hp: IntervalEstimate
    death: Share
    each: Mapping[str, float]


def fight_costs(
    fight: Fight,
    n_games: int,
    budget: Budget,
    seed: int,
    n_threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> dict[Room | str, Cost]:
    """Play fights of all pools of the act with the deck, relics, potions and HP of a fight, `n_games` of each.

    Whom that fight is against does not matter. The same seed gives the same costs, for any number of threads.
    """
    plain = replace(fight.setup, enemy_hp=(), burning="")
    before = plain.player()[0]
    found: dict[Room | str, Cost] = {}
    for pool, room in KINDS.items():
        part = replace(fight, setup=plain, state=None, encounters=encounters.of_pool(pool))
        played = estimate(part, n_games, budget, seed, n_threads, progress)
        cost = before - played.results["hp"].astype(float)
        each = {
            name: float(cost[[other == name for other in played.encounters]].mean())
            for name, _ in encounters.of_pool(pool)
            if name in played.encounters
        }
        found[room] = Cost(mean_interval(cost), played.death, each)
    return found


def changes_of(costs: Mapping[Room | str, Cost]) -> HpChanges:
    """Return what fights change on average, in whole HP."""
    return {room: -round(cost.hp.value) for room, cost in costs.items()}
