"""What fights of the act cost with a deck."""

from evodom.spire.engine.rules import Setup
from evodom.spire.fights import Fight
from evodom.spire.map import Room
from evodom.spire.play.searcher import FightSearchOptions
from evodom.spire.route.rules import WEAK
from evodom.spire.route.simulation import KINDS, Cost, DeckCosts, fight_costs
from evodom.spire.rows.encounters import of_pool
from evodom.statistics import IntervalEstimate, wilson


def cost(hp, lost):
    return Cost(IntervalEstimate(hp, hp, hp), wilson(lost, 10), {})


COSTS = {WEAK: cost(-1.6, 0), Room.MONSTER: cost(10.4, 1), Room.ELITE: cost(30, 5), Room.BOSS: cost(50, 10)}


def test_costs_are_the_same_for_any_number_of_threads():
    fight = Fight(Setup(hp=40, deck={"Strike": 5, "Bludgeon": 5}, enemy_hp=(1,)))
    told: list[int] = []
    one, two = (fight_costs(fight, 6, FightSearchOptions(1, rollouts=1), 1, n, told.append) for n in (1, 2))

    assert sum(told) == 2 * 4 * 6
    assert one == two
    for (pool, room), found in zip(KINDS.items(), one.costs.values(), strict=True):
        assert one.costs[room] is found
        assert set(found.each) <= {name for name, _ in of_pool(pool)}
        assert -6 <= found.hp.value <= 40


def test_a_fight_that_is_lost_costs_all_hp():
    found = fight_costs(Fight(Setup(hp=1, deck={"Wound": 1})), 2, FightSearchOptions(1, rollouts=1), 1)

    assert {room: (one.hp.value, one.death.share) for room, one in found.costs.items()} == dict.fromkeys(
        KINDS.values(), (1, 1)
    )


def test_costs_become_changes_of_whole_hp():
    assert DeckCosts(COSTS, 70, 80, 10, 1, 1).changes == {WEAK: 2, Room.MONSTER: -10, Room.ELITE: -30, Room.BOSS: -50}
