"""Simulated runs along routes of act 1: every fight is played by tree search.

Import it on use: it needs the compiled engine of fights. A simulated run:

- Draw the encounters of the run in advance, by the rules of the act.
- Play every fight by tree search. Carry HP, potions and relic counters into the next fight. The deck does not change.
- Routes with a common prefix share the simulation of that prefix.
- The same seed gives the same runs for any number of threads.
"""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any

import numpy as np

from evodom.errors import UsageError
from evodom.options import checked_seed
from evodom.spire.content import encounters
from evodom.spire.content.relics import NEOWS_LAMENT, NEOWS_LAMENT_FIGHTS
from evodom.spire.content.rest_sites import rest_site
from evodom.spire.engine.compiler import BURNING_MARKS
from evodom.spire.engine.game import CarriedState, SpireFight
from evodom.spire.fights.fight import Fight
from evodom.spire.map.act import ActMap, Node, Room
from evodom.spire.map.generate import BURNING_BUFFS
from evodom.spire.play.estimates import FIGHTS_PER_REPORT, Progress, play_fights_of_games
from evodom.spire.play.searcher import FightSearchOptions
from evodom.spire.route.dynamic_programming import Route, find_routes, route_along
from evodom.spire.route.event_rooms import Chances
from evodom.spire.route.parsing import room_name
from evodom.spire.route.rules import LAST_ROW, Evaluation, HpChanges, NoRoute, RoomTable, RouteRule, at_most, hp_key
from evodom.statistics import Share, wilson

TEA_SET = "Ancient Tea Set"
"""Relic with an effect in the first fight after a rest."""

_MARK_OF_BUFF = dict(zip(BURNING_BUFFS, BURNING_MARKS[1:], strict=True))
"""Mark of a burning elite in a fight, by the name of the buff on the map."""


class _Stream(IntEnum):
    """Purposes of random streams. Each run has a stream for each purpose in each row of the map."""

    ENCOUNTER_LISTS = 1
    FIGHT_START = 2
    FIGHT_SEEDS = 3
    EVENT_ROOM = 4


Path = tuple[Node, ...]
DeathPlace = tuple[int, str]
"""A floor, and the encounter or room on it."""


@dataclass(frozen=True)
class _Run:
    """State of one simulated run. `monsters` and `elites` count the entered rooms. `death` is None for a living run.

    `chance_memory` is the memory of `Chances`.
    """

    number: int
    carried: CarriedState
    monsters: int = 0
    elites: int = 0
    rested: bool = False
    room: Room | None = None
    chance_memory: Hashable = None
    death: DeathPlace | None = None

    @property
    def fights(self) -> int:
        """Number of rooms with fights so far, including those where a change of HP replaced the fight."""
        return self.monsters + self.elites


@dataclass(frozen=True)
class SimulatedRoute:
    """Results of the runs along a route. `alive` and `hp` have one entry per room.

    `alive` is the number of living runs after the room. `hp` is the mean HP of these runs. `deaths` counts runs by
    place of death, in order of the floors.
    """

    route: Route
    n_runs: int
    alive: tuple[int, ...]
    hp: tuple[float | None, ...]
    deaths: Mapping[DeathPlace, int]

    @property
    def survived(self) -> Share:
        """The share of runs that survive the route, with Wilson's interval."""
        return wilson(self.alive[-1], self.n_runs)


@dataclass(frozen=True)
class DeckRuns:
    """Simulated routes, most survivors first. `boss` is the share of runs that survive the first route and the boss."""

    routes: tuple[SimulatedRoute, ...]
    boss: Share

    @property
    def best(self) -> SimulatedRoute:
        """The route with the highest share of survivors."""
        return self.routes[0]


def candidate_routes(
    act_map: ActMap, evaluation: Evaluation, rules: Sequence[RouteRule], best: Sequence[Route], changes: HpChanges
) -> list[Route]:
    """Return the routes to simulate: `best`, the route that costs the least HP, and the best route without elites.

    The costs in HP are those of `changes` without `WEAK`: the first monster rooms cost the same as the later ones.
    """
    table = RoomTable({room: change for room, change in changes.items() if isinstance(room, Room)})
    cheapest = find_routes(act_map, table, rules).best[0]
    found = [*best, route_along(act_map, evaluation, cheapest.path)]
    with suppress(NoRoute):
        found.append(find_routes(act_map, evaluation, [*rules, at_most(0, Room.ELITE)]).best[0])
    return list(dict.fromkeys(found))


def rank_by_survivors(simulated: Sequence[SimulatedRoute]) -> tuple[SimulatedRoute, ...]:
    """Sort routes by their share of survivors, in descending order. Keep the order of ties."""
    return tuple(sorted(simulated, key=lambda route: -route.alive[-1]))


class RouteSimulation:
    """Simulate routes of a map. Take deck, relics, potions and HP from `fight`, and ignore its enemies.

    A room in `changes` changes HP by a fixed number, without a fight. `chances` are the probabilities that event rooms
    become other rooms. Without `chances`, an event room has no effect unless it is in `changes`.
    """

    def __init__(
        self,
        act_map: ActMap,
        fight: Fight,
        n_runs: int,
        options: FightSearchOptions,
        seed: int,
        *,
        n_threads: int = 1,
        changes: HpChanges | None = None,
        chances: Chances | None = None,
    ) -> None:
        """Draw the encounters of all runs."""
        if n_runs < 1:
            raise UsageError(f"the number of runs must be at least 1, got {n_runs}")
        self._map, self._fight, self._options = act_map, fight, options
        self._seed, self._n_threads = checked_seed(seed, 64), n_threads
        self._changes, self._chances = changes or {}, chances
        hp, max_hp, _ = fight.setup.player()
        carried = CarriedState(hp, max_hp, counters=fight.setup.counters)
        memory = chances.initial_memory if chances else None
        self._runs: dict[Path, list[_Run]] = {(): [_Run(n, carried, chance_memory=memory) for n in range(n_runs)]}
        self._games: dict[Any, SpireFight] = {}
        lists = [self._generator(number, 0, _Stream.ENCOUNTER_LISTS) for number in range(n_runs)]
        self._monsters = [encounters.draw_monsters(rng) for rng in lists]
        elites = [encounters.draw_elites(rng) for rng in lists]
        self._bosses = [encounters.encounters_of_pool(encounters.BOSS).sample(rng) for rng in lists]
        # A path may have more than ten elites, so another ten are drawn. They are drawn after the bosses, so that the
        # earlier draws are the same as in versions without them.
        self._elites = [encounters.draw_elites(rng, drawn) for rng, drawn in zip(lists, elites, strict=True)]

    def continue_run(self, n_monsters: int, boss: str | None, *, rested: bool) -> None:
        """Begin all runs after `n_monsters` monster rooms. The boss is known if it is given.

        `rested` is True after a rest site without a fight since. Call it before the first simulation.
        """
        self._runs[()] = [replace(run, monsters=n_monsters, rested=rested) for run in self._runs[()]]
        self._bosses = [boss or drawn for drawn in self._bosses]

    def n_rooms(self, routes: Sequence[Route]) -> int:
        """Return the total that `compare` reports to its `progress`: the visits of rooms by all runs.

        Runs that have died count too. A common prefix of several routes counts once. The boss is one more room.
        """
        paths = {route.path[: n + 1] for route in routes for n in range(len(route.path))}
        return len(self._runs[()]) * (1 + len(paths))

    def compare(self, routes: Sequence[Route], progress: Progress | None = None) -> DeckRuns:
        """Simulate routes, rank them by survivors, and simulate the boss after the best one."""
        ranked = rank_by_survivors([self.simulate(route, progress) for route in routes])
        return DeckRuns(ranked, self.boss(ranked[0].route, progress))

    def simulate(self, route: Route, progress: Progress | None = None) -> SimulatedRoute:
        """Simulate all runs along a route. Call `progress` with the number of room visits since the last call."""
        runs_by_room = [self._runs_after(route.path[: n + 1], progress) for n in range(len(route.path))]
        living = [[run.carried.hp for run in runs if run.death is None] for runs in runs_by_room]
        deaths = Counter(run.death for run in runs_by_room[-1] if run.death is not None)
        means = tuple(sum(hp) / len(hp) if hp else None for hp in living)
        n_runs, alive = len(runs_by_room[-1]), tuple(map(len, living))
        return SimulatedRoute(route, n_runs, alive, means, dict(sorted(deaths.items())))

    def boss(self, route: Route, progress: Progress | None = None) -> Share:
        """Return the share of runs that survive the route and its boss. Each run draws one boss uniformly."""
        top = Node(route.path[-1].x, LAST_ROW + 1)
        runs = self._enter_with_all(self._runs_after(route.path, progress), top, Room.BOSS, progress)
        return wilson(sum(run.death is None for run in runs), len(runs))

    def _runs_after(self, path: Path, progress: Progress | None) -> list[_Run]:
        """Return all runs after the rooms of a path. Simulate each path once."""
        if path not in self._runs:
            before, node = self._runs_after(path[:-1], progress), path[-1]
            self._runs[path] = self._enter_with_all(before, node, self._map.rooms[node], progress)
        return self._runs[path]

    def _enter_with_all(self, runs: list[_Run], node: Node, room: Room, progress: Progress | None) -> list[_Run]:
        """Return the runs after a room, which all living runs enter."""
        updated = list(runs)
        fights: dict[int, tuple[str, SpireFight]] = {}
        for index, run in enumerate(runs):
            if run.death is None:
                updated[index], fight = self._enter_with_one(run, node, room)
                if fight:
                    fights[index] = fight
        self._play_in_batches(updated, fights, node, progress)
        if progress:
            progress(len(runs) - len(fights))
        return [run if run.death is not None else _with_room_counted(run) for run in updated]

    def _enter_with_one(self, run: _Run, node: Node, room: Room) -> tuple[_Run, tuple[str, SpireFight] | None]:
        """Let one run enter a room. Return the run, and the encounter and game of its fight, or None without a fight.

        Apply the change of HP if there is no fight.
        """
        entered = self._resolve_event_room(run, node, room)
        assert entered.room is not None
        key = hp_key(entered.room, entered.monsters, self._changes)
        if key in self._changes:
            return _with_hp_change(entered, self._changes[key], (node.floor, room_name(key))), None
        if encounter := self._encounter_of(entered):
            return entered, (encounter, self._game_of(encounter, entered, node))
        if entered.room is Room.REST:
            setup, max_hp = self._fight.setup, entered.carried.max_hp
            site = rest_site(setup.relics, setup.player()[2].total(), max_hp)
            return _with_hp_change(entered, site.heals, None), None
        return entered, None

    def _play_in_batches(
        self, runs: list[_Run], fights: dict[int, tuple[str, SpireFight]], node: Node, progress: Progress | None
    ) -> None:
        """Play `fights`, the encounter and game by index of a run, and update `runs`.

        Sort the fights by game, as `play_fights_of_games` recommends.
        """
        indices = sorted(fights, key=lambda index: (fights[index][0], fights[index][1].setup.relics))
        size = FIGHTS_PER_REPORT * self._n_threads
        for begin in range(0, len(indices), size):
            batch = indices[begin : begin + size]
            played = self._play_fights([runs[index] for index in batch], [fights[index] for index in batch], node)
            for index, run in zip(batch, played, strict=True):
                runs[index] = run
            if progress:
                progress(len(batch))

    def _play_fights(self, runs: list[_Run], fights: list[tuple[str, SpireFight]], node: Node) -> list[_Run]:
        """Play one fight per run. Return the runs after their fights."""
        games = [game for _, game in fights]
        purposes = _Stream.FIGHT_START, _Stream.FIGHT_SEEDS
        streams = [[self._generator(run.number, node.y, purpose) for purpose in purposes] for run in runs]
        starts = [
            game.start_with(start, run.carried) for game, run, (start, _) in zip(games, runs, streams, strict=True)
        ]
        seeds = np.array([stream.integers(2**64, size=2, dtype=np.uint64) for _, stream in streams])
        results, ends = play_fights_of_games(games, starts, seeds, self._fight.payoff, self._options, self._n_threads)
        played = []
        for run, (name, game), hp, end in zip(runs, fights, results["hp"], ends, strict=True):
            if hp <= 0:
                played.append(replace(run, death=(node.floor, name)))
                continue
            carried = game.carried(end)
            carried = replace(carried, counters={**run.carried.counters, **carried.counters})
            played.append(replace(run, carried=carried))
        return played

    def _resolve_event_room(self, run: _Run, node: Node, room: Room) -> _Run:
        """Record the room that a run enters. Draw the actual room if it is an event room."""
        if room is not Room.EVENT or self._chances is None:
            return replace(run, room=room)
        rooms = self._chances.outcomes(run.chance_memory, run.room)
        actual = rooms.sample(self._generator(run.number, node.y, _Stream.EVENT_ROOM))
        return replace(run, room=actual, chance_memory=self._chances.after(run.chance_memory, actual))

    def _encounter_of(self, run: _Run) -> str | None:
        """Return the encounter in the room of a run, or None if the room has no fight."""
        if run.room is Room.MONSTER:
            return self._monsters[run.number][run.monsters]
        if run.room is Room.ELITE:
            return self._elites[run.number][run.elites]
        return self._bosses[run.number] if run.room is Room.BOSS else None

    def _game_of(self, encounter: str, run: _Run, node: Node) -> SpireFight:
        """Return the game of a fight. Fights with the same encounter, burning buff and active relics share a game."""
        burning = self._map.burning
        mark = ""
        if burning is not None and burning[0] == node and run.room is Room.ELITE:
            mark = _MARK_OF_BUFF[burning[1]]
        relics = tuple(name for name in self._fight.setup.relics if _is_active(name, run))
        key = encounter, mark, relics
        if key not in self._games:
            enemies = encounters.groups_of(encounter)
            setup = replace(self._fight.setup, enemies=enemies, enemy_hp=(), burning=mark, relics=relics)
            self._games[key] = SpireFight(setup)
        return self._games[key]

    def _generator(self, number: int, row: int, stream: _Stream) -> np.random.Generator:
        """Return a random stream of a run in a row of the map."""
        return np.random.default_rng((self._seed, number, row, int(stream)))


def _is_active(relic: str, run: _Run) -> bool:
    """Return whether a relic acts in the next fight of a run."""
    if relic == NEOWS_LAMENT:
        return run.fights < NEOWS_LAMENT_FIGHTS
    return run.rested or relic != TEA_SET


def _with_room_counted(run: _Run) -> _Run:
    """Update the counts of monsters and elites, and whether the run has rested since its last fight."""
    is_monster, is_elite = run.room is Room.MONSTER, run.room is Room.ELITE
    rested = run.room is Room.REST or (run.rested and not (is_monster or is_elite))
    return replace(run, monsters=run.monsters + is_monster, elites=run.elites + is_elite, rested=rested)


def _with_hp_change(run: _Run, change: int, place: DeathPlace | None) -> _Run:
    """Apply a change of HP. Record the death at `place` if no HP are left."""
    hp = min(run.carried.max_hp, run.carried.hp + change)
    return replace(run, carried=replace(run.carried, hp=hp)) if hp > 0 else replace(run, death=place)
