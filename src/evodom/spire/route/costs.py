"""Mean costs of the fights of act 1 with a deck, estimated by tree search.

Import it on use: it needs the compiled engine of fights. `query` finds routes with these costs.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from evodom.distribution import certain
from evodom.spire.content import encounters
from evodom.spire.fights.fight import Fight
from evodom.spire.map.act import Room
from evodom.spire.play.estimates import Progress, estimate
from evodom.spire.play.searcher import FightSearchOptions
from evodom.spire.route.parsing import room_name
from evodom.spire.route.rules import WEAK, HpChanges
from evodom.statistics import IntervalEstimate, Share, mean_interval

ROOM_OF_POOL: Mapping[str, Room | str] = {
    encounters.WEAK: WEAK,
    encounters.STRONG: Room.MONSTER,
    encounters.ELITE: Room.ELITE,
    encounters.BOSS: Room.BOSS,
}
"""Key of `HpChanges` for each pool of encounters."""


@dataclass(frozen=True)
class FightCost:
    """Cost of the fights of a pool: mean HP lost (all HP in a lost fight), share of lost fights, mean by encounter."""

    hp: IntervalEstimate
    death: Share
    by_encounter: Mapping[str, float]


@dataclass(frozen=True)
class DeckCosts:
    """Mean costs of fights by room, and the settings of the estimate. Every fight begins with `hp` of `max_hp`."""

    costs: Mapping[Room | str, FightCost]
    hp: int
    max_hp: int
    n_games: int
    n_simulations: int
    seed: int

    @property
    def changes(self) -> HpChanges:
        """Mean changes of HP by room, rounded."""
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
    options: FightSearchOptions,
    seed: int,
    n_threads: int = 1,
    progress: Progress | None = None,
    boss: str | None = None,
) -> DeckCosts:
    """Play `n_games` fights of every pool of the act with the deck, relics, potions and HP of `fight`.

    All boss fights are of `boss` if it is given. The enemies of `fight` are ignored. The same seed gives the same costs
    for any number of threads.
    """
    setup = replace(fight.setup, enemy_hp=(), burning="")
    hp, max_hp, _ = setup.player()
    costs: dict[Room | str, FightCost] = {}
    for pool, room in ROOM_OF_POOL.items():
        names = certain(boss) if boss and room is Room.BOSS else encounters.encounters_of_pool(pool)
        fight_of_pool = replace(fight, setup=setup, state=None, encounters=names)
        played = estimate(fight_of_pool, n_games, options, seed, n_threads, progress)
        hp_lost = hp - played.results["hp"].astype(float)
        by_encounter = {
            name: float(hp_lost[[other == name for other in played.encounters]].mean())
            for name, _ in names
            if name in played.encounters
        }
        costs[room] = FightCost(mean_interval(hp_lost), played.death, by_encounter)
    return DeckCosts(costs, hp, max_hp, n_games, options.simulations, seed)
