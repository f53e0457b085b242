"""Simulate routes of act 1 fight by fight with HP carried along: which share of runs survives, and where runs die.

Each run draws its lists of encounters by the act's rules. Every fight is played by search and begins with what the
player carries out of the one before it: HP, potions, counters of relics. The deck stays as it is. The same seed gives
the same runs for any number of threads, and routes that begin alike share the runs of their common part.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from evodom.errors import UsageError
from evodom.intervals import Share, wilson
from evodom.spire.engine.game import Carried, SpireFight
from evodom.spire.engine.rules import MARKS
from evodom.spire.fights.fight import Fight
from evodom.spire.fights.runs import LAMENT, LAMENT_FIGHTS
from evodom.spire.map.act import ActMap, Node, Room
from evodom.spire.map.generate import BUFFS
from evodom.spire.route.dynamic import Route
from evodom.spire.route.rules import LAST_ROW, WEAK, WEAK_FIGHTS, HpChanges
from evodom.spire.route.tables import room_name
from evodom.spire.route.uncertain import Chances
from evodom.spire.rows import encounters
from evodom.spire.rows.cards import rest_heals
from evodom.spire.search.player import Budget, play_games

TEA_SET = "Ancient Tea Set"
"""A relic that acts in the first fight after a rest."""

AT_ONCE = 8
"""Fights a thread plays between two reports of progress."""

_MARKS = dict(zip(BUFFS, MARKS[1:], strict=True))
"""Names of the buff of a burning elite: on maps, and in fights."""

_LISTS, _START, _LUCK, _ROOM = range(1, 5)
"""Uses of a run's random streams."""

Progress = Callable[[int], None]
Path = tuple[Node, ...]
Place = tuple[int, str]
"""A floor, and the encounter or room on it."""


@dataclass(frozen=True)
class _Run:
    """A run on its way. `monsters` and `elites` are how many it met, `death` is where it died."""

    number: int
    carried: Carried
    monsters: int = 0
    elites: int = 0
    rested: bool = False
    room: Room | None = None
    memory: Hashable = None
    death: Place | None = None

    @property
    def fights(self) -> int:
        """The number of fights so far, also those that a change of HP replaced."""
        return self.monsters + self.elites


@dataclass(frozen=True)
class SimulatedRoute:
    """A route and what came of its runs: `alive` and `hp` have a number for each room, after it.

    `alive` counts runs, `hp` are the mean HP of those. `deaths` count runs by place, in order of the floors.
    """

    route: Route
    n_runs: int
    alive: tuple[int, ...]
    hp: tuple[float | None, ...]
    deaths: Mapping[Place, int]

    @property
    def survived(self) -> Share:
        """The share of runs that survive the route, with Wilson's interval."""
        return wilson(self.alive[-1], self.n_runs)


def rank(simulated: Sequence[SimulatedRoute]) -> tuple[SimulatedRoute, ...]:
    """Return routes by the share of runs that survive, the highest first; ties keep their order."""
    return tuple(sorted(simulated, key=lambda one: -one.alive[-1]))


class RouteSimulation:
    """Simulates routes of a map with the deck, relics, potions and HP of a fight; its enemies do not matter.

    In rooms that are named in `changes` no fight is played: they change HP by that number. `chances` are those of event
    rooms to be something else; without them an event room has no fight.
    """

    def __init__(
        self,
        act_map: ActMap,
        fight: Fight,
        n_runs: int,
        budget: Budget,
        seed: int,
        *,
        n_threads: int = 1,
        changes: HpChanges | None = None,
        chances: Chances | None = None,
    ) -> None:
        """Draw the encounters of all runs."""
        if n_runs < 1:
            raise UsageError(f"at least one run is simulated, got {n_runs}")
        self._map, self._fight, self._budget = act_map, fight, budget
        self._seed, self._n_threads = seed, n_threads
        self._changes, self._chances = changes or {}, chances
        hp, max_hp, _ = fight.setup.player()
        carried = Carried(hp, max_hp, counters=fight.setup.counters)
        memory = chances.start if chances else None
        self._runs: dict[Path, list[_Run]] = {(): [_Run(n, carried, memory=memory) for n in range(n_runs)]}
        self._games: dict[Any, SpireFight] = {}
        lists = [self._generator(number, 0, _LISTS) for number in range(n_runs)]
        self._monsters = [encounters.draw_monsters(rng) for rng in lists]
        elites = [encounters.draw_elites(rng) for rng in lists]
        self._bosses = [encounters.of_pool(encounters.BOSS).sample(rng) for rng in lists]
        # Ten elites are fewer than the rooms of a path. The second ten are drawn last: earlier draws stay the same.
        self._elites = [encounters.draw_elites(rng, drawn) for rng, drawn in zip(lists, elites, strict=True)]

    def n_rooms(self, routes: Sequence[Route]) -> int:
        """Return how many rooms all runs enter on routes and the boss after one of them.

        Common beginnings are entered once.
        """
        return len(self._runs[()]) * (
            1 + len({route.path[: n + 1] for route in routes for n in range(len(route.path))})
        )

    def walk(self, route: Route, progress: Progress | None = None) -> SimulatedRoute:
        """Return what comes of the runs along a route; `progress` is called with the number of rooms entered."""
        places = [self._after(route.path[: n + 1], progress) for n in range(len(route.path))]
        living = [[run.carried.hp for run in runs if run.death is None] for runs in places]
        deaths = Counter(run.death for run in places[-1] if run.death is not None)
        return SimulatedRoute(
            route,
            len(places[-1]),
            alive=tuple(map(len, living)),
            hp=tuple(sum(hp) / len(hp) if hp else None for hp in living),
            deaths=dict(sorted(deaths.items())),
        )

    def boss(self, route: Route, progress: Progress | None = None) -> Share:
        """Return the share of runs that survive a route and the boss after it, each boss equally likely."""
        top = Node(route.path[-1].x, LAST_ROW + 1)
        runs = self._entered(self._after(route.path, progress), top, Room.BOSS, progress)
        return wilson(sum(run.death is None for run in runs), len(runs))

    def _after(self, path: Path, progress: Progress | None) -> list[_Run]:
        """Return all runs as they are after the rooms of a path."""
        if path not in self._runs:
            node = path[-1]
            self._runs[path] = self._entered(self._after(path[:-1], progress), node, self._map.rooms[node], progress)
        return self._runs[path]

    def _entered(self, runs: list[_Run], node: Node, room: Room, progress: Progress | None) -> list[_Run]:
        """Return runs after the room of a node; all fights in it are one batch."""
        found = list(runs)
        fights: dict[int, tuple[str, SpireFight]] = {}
        for place, run in enumerate(found):
            if run.death is not None:
                continue
            met = self._turned_out(run, node, room)
            found[place] = met
            if (kind := _kind(met, self._changes)) in self._changes:
                found[place] = _changed(met, self._changes[kind], (node.floor, room_name(kind)))
            elif encounter := self._encounter(met):
                fights[place] = encounter, self._game(encounter, met, node)
            elif met.room is Room.REST:
                found[place] = _rested(met)
        numbers = sorted(fights, key=lambda place: (fights[place][0], fights[place][1].setup.relics))
        n = AT_ONCE * self._n_threads
        for begin in range(0, len(numbers), n):
            some = numbers[begin : begin + n]
            played = self._fought([found[place] for place in some], [fights[place] for place in some], node)
            for place, run in zip(some, played, strict=True):
                found[place] = run
            if progress:
                progress(len(some))
        if progress:
            progress(len(runs) - len(numbers))
        return [run if run.death is not None else _counted(run) for run in found]

    def _fought(self, runs: list[_Run], fights: list[tuple[str, SpireFight]], node: Node) -> list[_Run]:
        """Return runs after a fight each."""
        games = [game for _, game in fights]
        streams = [[self._generator(run.number, node.y, use) for use in (_START, _LUCK)] for run in runs]
        starts = [
            game.start_with(start, run.carried) for game, run, (start, _) in zip(games, runs, streams, strict=True)
        ]
        luck = np.array([stream.integers(2**64, size=2, dtype=np.uint64) for _, stream in streams])
        results, ends = play_games(games, starts, luck, self._fight.payoff, self._budget, self._n_threads)
        found = []
        for run, (name, game), hp, end in zip(runs, fights, results["hp"], ends, strict=True):
            if hp <= 0:
                found.append(replace(run, death=(node.floor, name)))
                continue
            carried = game.carried(end)
            carried = replace(carried, counters={**run.carried.counters, **carried.counters})
            found.append(replace(run, carried=carried))
        return found

    def _turned_out(self, run: _Run, node: Node, room: Room) -> _Run:
        """Return a run that enters a room; an event room may turn out to be another."""
        if room is not Room.EVENT or self._chances is None:
            return replace(run, room=room)
        rooms = self._chances.outcomes(run.memory, run.room)
        met = rooms.sample(self._generator(run.number, node.y, _ROOM))
        return replace(run, room=met, memory=self._chances.after(run.memory, met))

    def _encounter(self, run: _Run) -> str | None:
        """Return the encounter of the room that a run is in, None if there is no fight."""
        if run.room is Room.MONSTER:
            return self._monsters[run.number][run.monsters]
        if run.room is Room.ELITE:
            return self._elites[run.number][run.elites]
        return self._bosses[run.number] if run.room is Room.BOSS else None

    def _game(self, encounter: str, run: _Run, node: Node) -> SpireFight:
        """Return the game of a fight; it is compiled once for all runs."""
        burning = self._map.burning
        mark = ""
        if burning is not None and burning[0] == node and run.room is Room.ELITE:
            mark = _MARKS[burning[1]]
        idle = {LAMENT} if run.fights >= LAMENT_FIGHTS else set()
        idle |= set() if run.rested else {TEA_SET}
        relics = tuple(name for name in self._fight.setup.relics if name not in idle)
        key = encounter, mark, relics
        if key not in self._games:
            enemies = encounters.groups_of(encounter)
            setup = replace(self._fight.setup, enemies=enemies, enemy_hp=(), burning=mark, relics=relics)
            self._games[key] = SpireFight(setup)
        return self._games[key]

    def _generator(self, number: int, row: int, use: int) -> np.random.Generator:
        """Return the random stream of a run in a row."""
        return np.random.default_rng((self._seed, number, row, use))


def _kind(run: _Run, changes: HpChanges) -> Room | str:
    """Return the kind of the room that a run is in, as changes of HP name it."""
    assert run.room is not None
    is_weak = run.room is Room.MONSTER and WEAK in changes and run.monsters < WEAK_FIGHTS
    return WEAK if is_weak else run.room


def _counted(run: _Run) -> _Run:
    """Return a run with its room counted."""
    is_monster, is_elite = run.room is Room.MONSTER, run.room is Room.ELITE
    rested = run.room is Room.REST or (run.rested and not (is_monster or is_elite))
    return replace(run, monsters=run.monsters + is_monster, elites=run.elites + is_elite, rested=rested)


def _rested(run: _Run) -> _Run:
    """Return a run after a rest."""
    return _healed(run, rest_heals(run.carried.max_hp))


def _changed(run: _Run, change: int, place: Place) -> _Run:
    """Return a run after a change of HP."""
    return _healed(run, change) if run.carried.hp + change > 0 else replace(run, death=place)


def _healed(run: _Run, change: int) -> _Run:
    carried = run.carried
    return replace(run, carried=replace(carried, hp=min(carried.max_hp, carried.hp + change)))
