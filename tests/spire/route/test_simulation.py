"""Fights along routes: mean costs with a deck, and runs compared with a simulation by other means."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from evodom.distribution import certain
from evodom.errors import UsageError
from evodom.spire.content.encounters import draw_elites, draw_monsters, encounters_of_pool
from evodom.spire.engine.compiler import Setup
from evodom.spire.fights import Fight
from evodom.spire.fights.names import find_enemies
from evodom.spire.map import ActMap, Edge, Node, Room, generate
from evodom.spire.play.estimates import estimate
from evodom.spire.play.searcher import FightSearchOptions
from evodom.spire.route import RISK, FixedChances, find_routes, route_along
from evodom.spire.route.costs import ROOM_OF_POOL, DeckCosts, FightCost, fight_costs
from evodom.spire.route.parsing import RoutePreferences
from evodom.spire.route.query import RouteQuery
from evodom.spire.route.rules import WEAK
from evodom.spire.route.simulation import RouteSimulation, rank_by_survivors
from evodom.statistics import IntervalEstimate, wilson
from tests.spire.engine.test_encounters import POOLS

QUICK = FightSearchOptions(2, playouts=1)

N_MAPS, N_RUNS, N_RUNS_BY_HAND = 6, 6, 2

LATER = {"Small Slimes": ["Large Slime", "Lots of Slimes"], "Two Louses": ["Three Louses"]}

DECK = {"Bash+": 1, "Strike+": 4, "Defend+": 5, "Whirlwind+": 3}


def tower(letters):
    """Return a map that is one column of these rooms, and its only route."""
    rooms = {Node(0, y): next(room for room in Room if room.letter == letter) for y, letter in enumerate(letters)}
    edges = tuple(Edge(Node(0, y), Node(0, y + 1)) for y in range(len(letters) - 1))
    act_map = ActMap(rooms, edges)
    return act_map, route_along(act_map, RISK, tuple(rooms))


def simulated(letters, setup, n_runs=4, budget=QUICK, seed=1, **options):
    act_map, route = tower(letters)
    return RouteSimulation(act_map, Fight(setup), n_runs, budget, seed, **options).simulate(route)


def rolled(pool, barred, rng):
    """Roll a name by weight, again until it is not barred."""
    shares = np.array(list(pool.values())) / sum(pool.values())
    while (name := str(rng.choice(list(pool), p=shares))) in barred:
        pass
    return name


def played_by_hand(act_map, path, setup, rng):
    """Return the HP at the end of a path, 0 if a fight is lost: every fight is estimated once, by itself."""
    hp, met, elites = setup.hp, [], []
    for node in path:
        room, name, mark = act_map.rooms[node], "", ""
        if room is Room.REST:
            hp = min(setup.max_hp, hp + int(0.3 * setup.max_hp))
        elif room is Room.MONSTER:
            later = LATER.get(met[-1], []) if len(met) == 3 else []
            name = rolled(POOLS["strong"] if len(met) >= 3 else POOLS["weak"], met[-2:] + later, rng)
            met.append(name)
        elif room is Room.ELITE:
            name = rolled(POOLS["elite"], elites[-1:], rng)
            elites.append(name)
            mark = act_map.burning[1].removeprefix("Max ") if act_map.burning[0] == node else ""
        if name:
            now = replace(setup, hp=hp, enemies=find_enemies(name), burning=mark)
            found = estimate(Fight(now, encounters=certain(name)), 1, QUICK, int(rng.integers(2**40)))
            hp = int(found.results["hp"][0])
            if hp == 0:
                return 0
    return hp


def test_survivors_agree_with_an_independent_simulation():
    setup, rng = Setup(hp=60, max_hp=75, deck=DECK), np.random.default_rng(7)
    ours: list[tuple[int, float]] = []
    by_hand: list[int] = []
    for seed in range(1, N_MAPS + 1):
        act_map = generate(seed, 1, ascension=setup.ascension)
        route = find_routes(act_map, RISK).best[0]
        found = RouteSimulation(act_map, Fight(setup), N_RUNS, QUICK, seed).simulate(route)
        ours.append((found.alive[-1], found.hp[-1] or 0.0))
        by_hand += [played_by_hand(act_map, route.path, setup, rng) for _ in range(N_RUNS_BY_HAND)]

    survived = sum(alive for alive, _ in ours) / (N_MAPS * N_RUNS)
    left = sum(alive * hp for alive, hp in ours) / (N_MAPS * N_RUNS)
    other = np.mean(np.array(by_hand) > 0)
    share = (survived + other) / 2
    # The variance of the difference of two means, in units of one run's.
    variance = 1 / (N_MAPS * N_RUNS) + 1 / (N_MAPS * N_RUNS_BY_HAND)
    assert 0.15 < share < 0.85  # else too little can differ
    assert abs(survived - other) < 3 * (share * (1 - share) * variance) ** 0.5
    assert abs(left - np.mean(by_hand)) < 3 * variance**0.5 * np.std(by_hand)


def test_runs_do_not_depend_on_threads_or_other_routes():
    act_map = generate(1, 1)
    routes = find_routes(act_map, RISK.at_tolerance(0), best=3).best
    fight = Fight(Setup(relics=("Burning Blood", "Nunchaku"), potions=("Fire Potion",)))
    done: list[int] = []

    def simulation(n_threads):
        return RouteSimulation(act_map, fight, 4, QUICK, 5, n_threads=n_threads)

    one, three = simulation(1), simulation(3)
    found = [one.simulate(route, done.append) for route in routes]

    assert sum(done) == one.n_rooms(routes) - 4 < 4 * 3 * 15
    assert found == [three.simulate(route) for route in reversed(routes)][::-1]
    assert found[2] == simulation(2).simulate(routes[2])
    assert one.boss(routes[0], done.append) == simulation(2).boss(routes[0])
    assert sum(done) == one.n_rooms(routes)


def test_hp_are_carried_and_rests_heal():
    strong = Setup(hp=40, max_hp=75, deck={"Bludgeon+": 5, "Offering+": 2}, relics=("Burning Blood",))

    assert simulated("R", strong).hp == (62,)
    assert simulated("$?T", strong).hp == (40, 40, 40)
    assert simulated("RR", strong).hp == (62, 75)
    one, two = (simulated(letters, strong, 8).hp[-1] for letters in ("M", "MR"))
    assert one != 40
    assert one + 15 <= two <= one + 22


def test_dead_runs_keep_their_place_of_death():
    found = simulated("MR", Setup(hp=1, deck={"Wound": 1}), 6)

    assert found.alive == (0, 0)
    assert found.hp == (None, None)
    assert sum(found.deaths.values()) == 6
    assert {floor for floor, _ in found.deaths} == {1}
    assert {name for _, name in found.deaths} <= set(POOLS["weak"])
    assert found.survived.share == 0


def test_given_changes_of_hp_replace_fights():
    wound = Setup(hp=30, max_hp=75, deck={"Wound": 1})
    changes = {WEAK: -4, Room.MONSTER: -9, Room.ELITE: -5, Room.EVENT: 1, Room.REST: 2}

    assert simulated("MM?MMER", wound, changes=changes).hp == (26, 22, 23, 19, 10, 5, 7)
    assert simulated("MMMMM", wound, changes=changes).deaths == {(5, "monster"): 4}
    assert simulated("MMM", wound, changes={Room.MONSTER: -9}).hp == (21, 12, 3)


def test_paths_may_have_more_than_ten_elites():
    strong = Setup(hp=999, max_hp=999, deck={"Bludgeon+": 5, "Offering+": 2})

    assert simulated("E" * 11, strong, n_runs=1).alive == (1,) * 11


def test_event_rooms_may_be_fights():
    wound = Setup(hp=30, deck={"Wound": 1})

    assert simulated("?", wound).alive == (4,)
    assert simulated("?", wound, chances=FixedChances({Room.MONSTER: 1})).alive == (0,)


def test_a_potion_is_used_once_and_counters_go_on():
    act_map, route = tower("MM")
    setup = Setup(relics=("Nunchaku",), counters={"Nunchaku": 7}, potions=("Fire Potion", "Fairy in a Bottle"))
    simulation = RouteSimulation(act_map, Fight(setup), 6, FightSearchOptions(20, playouts=1), 1)
    simulation.simulate(route)
    first, second = ([run.carried for run in simulation._runs[route.path[:n]]] for n in (1, 2))

    assert {carried.potions for carried in (*first, *second)} == {(False, True)}
    assert len({carried.counters["Nunchaku"] for carried in first}) > 1  # by how many Attacks were played


def games_of(act_map, route, setup, monkeypatch, **options):
    """Return the setups of the fights of one run."""
    met: list[Setup] = []
    game = RouteSimulation._game_of

    def noted(*given):
        found = game(*given)
        met.append(found.setup)
        return found

    monkeypatch.setattr(RouteSimulation, "_game_of", noted)
    RouteSimulation(act_map, Fight(setup), 1, QUICK, 1, **options).simulate(route)
    return met


STRONG = Setup(
    hp=75, deck={"Bludgeon+": 5, "Offering+": 2}, relics=("Burning Blood", "Neow's Lament", "Ancient Tea Set")
)


@pytest.mark.parametrize(
    ("relic", "letters", "changes", "acts"),
    [
        ("Neow's Lament", "MMMMM", {}, (1, 1, 1, 0, 0)),
        ("Ancient Tea Set", "MRMM", {}, (0, 1, 0)),
        # Rooms that change HP count as the rests and fights that they are.
        ("Ancient Tea Set", "MRMM", {Room.REST: 24}, (0, 1, 0)),
        ("Ancient Tea Set", "MREM", {Room.ELITE: -5}, (0, 0)),
        ("Neow's Lament", "MEMM", {Room.ELITE: -5}, (1, 1, 0)),
    ],
)
def test_relics_are_active_only_in_their_fights(relic, letters, changes, acts, monkeypatch):
    met = games_of(*tower(letters), STRONG, monkeypatch, changes=changes)

    assert [relic in setup.relics for setup in met] == [bool(one) for one in acts]


@pytest.mark.parametrize(("buff", "mark"), [("Metallicize", "Metallicize"), ("Max HP", "HP")])
def test_the_burning_elite_of_the_map_has_its_buff(buff, mark, monkeypatch):
    act_map, route = tower("MEE")

    met = games_of(replace(act_map, burning=(Node(0, 1), buff)), route, STRONG, monkeypatch)

    assert [setup.burning for setup in met] == ["", mark, ""]


def test_lists_of_encounters_follow_the_rules_of_the_act():
    rng = np.random.default_rng(1)
    lists = [draw_monsters(rng) for _ in range(400)]
    elites = [draw_elites(rng, draw_elites(rng)) for _ in range(50)]

    for names in lists:
        assert set(names[:3]) <= set(POOLS["weak"])
        assert set(names[3:]) <= set(POOLS["strong"])
        assert all(name not in names[max(0, place - 2) : place] for place, name in enumerate(names))
        assert names[3] not in LATER.get(names[2], [])
    assert any(names[4] in LATER.get(names[2], []) for names in lists)
    assert all(len(names) == 20 for names in elites)
    assert all(one != other for names in elites for one, other in pairwise(names))
    seen = Counter(names[3] for names in lists)
    assert seen["Looter"] > 1.3 * seen["Red Slaver"]  # twice as likely


def test_routes_are_ranked_by_survivors_stably():
    found = [simulated(letters, Setup(hp=1, deck={"Wound": 1})) for letters in ("M", "R", "$")]

    assert rank_by_survivors(found) == (found[1], found[2], found[0])


def test_no_runs_are_refused():
    with pytest.raises(UsageError, match="must be at least 1, got 0"):
        simulated("M", Setup(), 0)


def cost(hp, lost):
    return FightCost(IntervalEstimate(hp, hp, hp), wilson(lost, 10), {})


COSTS = {WEAK: cost(-1.6, 0), Room.MONSTER: cost(10.4, 1), Room.ELITE: cost(30, 5), Room.BOSS: cost(50, 10)}


def test_costs_do_not_depend_on_the_number_of_threads():
    fight = Fight(Setup(hp=40, deck={"Strike": 5, "Bludgeon": 5}, enemy_hp=(1,)))
    done: list[int] = []
    one, two = (fight_costs(fight, 6, FightSearchOptions(1, playouts=1), 1, n, done.append) for n in (1, 2))

    assert sum(done) == 2 * 4 * 6
    assert one == two
    for (pool, room), found in zip(ROOM_OF_POOL.items(), one.costs.values(), strict=True):
        assert one.costs[room] is found
        assert set(found.by_encounter) <= {name for name, _ in encounters_of_pool(pool)}
        assert -6 <= found.hp.value <= 40


def test_lost_fights_cost_all_hp():
    found = fight_costs(Fight(Setup(hp=1, deck={"Wound": 1})), 2, FightSearchOptions(1, playouts=1), 1)

    assert {room: (one.hp.value, one.death.share) for room, one in found.costs.items()} == dict.fromkeys(
        ROOM_OF_POOL.values(), (1, 1)
    )


def test_costs_become_changes_of_whole_hp():
    assert DeckCosts(COSTS, 70, 80, 10, 1, 1).changes == {WEAK: 2, Room.MONSTER: -10, Room.ELITE: -30, Room.BOSS: -50}


@pytest.mark.parametrize(
    ("relics", "hp"),
    [((), 52), (("Regal Pillow",), 67), (("Coffee Dripper",), 30), (("Coffee Dripper", "Eternal Feather"), 36)],
)
def test_relics_change_the_hp_of_rest_sites(relics, hp):
    setup = Setup(hp=30, max_hp=75, relics=relics)
    query = RouteQuery(tower("R")[0], RoutePreferences(RISK), hp=30, max_hp=75, relics=relics, n_cards=11)

    assert simulated("R", setup).hp == (hp,)
    assert query.answer().health.hp_along(query.answer().routes.best[0]) == [hp]


def test_a_continued_run_counts_its_earlier_rooms_and_knows_its_boss():
    act_map, route = tower("M")
    setup = Setup(hp=75, relics=("Ancient Tea Set",))
    continued = RouteSimulation(act_map, Fight(setup), 4, QUICK, 1)
    continued.continue_run(3, "Hexaghost", rested=True)
    continued.boss(route)

    drawn = [draw_monsters(np.random.default_rng((1, number, 0, 1)))[3] for number in range(4)]
    relics = {encounter: relics for encounter, _, relics in continued._games}
    assert relics == dict.fromkeys(drawn, ("Ancient Tea Set",)) | {"Hexaghost": ()}
