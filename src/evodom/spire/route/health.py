"""HP along a route: what rooms cost or restore, and how the best route depends on the HP at the start.

The numbers of `hp_changes` are our own rough figures for an Ironclad in the first act, to be replaced by yours, or by
the mean costs of searched fights (`costs`). Only what a rest restores is the game's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from evodom.spire.map.act import ActMap, Room
from evodom.spire.route.dynamic import BestPaths, Route, Routes
from evodom.spire.route.evaluation import Evaluating, as_evaluation
from evodom.spire.route.rules import HpChanges, RouteRule, Survive
from evodom.spire.route.states import entries, unroll
from evodom.spire.rows.cards import ironclad, rest_heals
from evodom.spire.rows.enemies import MAX_ASCENSION


def most_hp(ascension: int = MAX_ASCENSION) -> int:
    """Return the maximum of HP of an Ironclad at the start of a run: 80, from ascension 14 on 75."""
    return ironclad(ascension)[1]


def hp_changes(max_hp: int) -> dict[Room | str, int]:
    """Return how many HP each room changes, as a rough default."""
    return {Room.MONSTER: -8, Room.ELITE: -20, Room.EVENT: 0, Room.REST: rest_heals(max_hp)}


@dataclass(frozen=True)
class HpRange:
    """A range of HP at the start, `low` to `high`, with the same best routes; None if all paths are deadly."""

    low: int
    high: int
    routes: Routes | None


@dataclass(frozen=True)
class Health:
    """The HP at the start, and the best routes for other HP."""

    hp: int
    max_hp: int
    changes: HpChanges
    starts: tuple[HpRange, ...]

    def along(self, route: Route) -> list[int]:
        """Return the HP after each room of a route."""
        rule = Survive(self.hp, self.changes, self.max_hp)
        steps = zip(route.path, route.rooms, strict=True)
        tallies = accumulate(steps, lambda tally, step: rule.after(tally, *step) or 0, initial=rule.start)
        return [rule.hp(tally) for tally in tallies][1:]


def by_hp(
    act_map: ActMap,
    evaluation: Evaluating,
    changes: HpChanges,
    rules: Sequence[RouteRule] = (),
    *,
    max_hp: int,
) -> tuple[HpRange, ...]:
    """Return the best routes for every HP at the start from 1 to `max_hp`, joined where the best route is the same."""
    judge = as_evaluation(evaluation)
    all_rules = (*rules, Survive(max_hp, changes, max_hp))
    begins = [(*(rule.start for rule in rules), hp) for hp in range(1, max_hp + 1)]
    states = unroll(
        act_map, judge, all_rules, begins=begins
    )  # paths with different HP at the start meet, so all are solved at once
    solved = BestPaths(act_map, states)
    grouped: list[HpRange] = []
    for hp, begin in enumerate(begins, start=1):
        starts = [s for s in entries(act_map, judge, all_rules, begin) if s in states.worth]
        routes = solved.routes(starts) if starts else None
        if grouped and _first(grouped[-1].routes) == _first(routes):
            grouped[-1] = HpRange(grouped[-1].low, hp, grouped[-1].routes)
        else:
            grouped.append(HpRange(hp, hp, routes))
    return tuple(grouped)


def _first(routes: Routes | None) -> object:
    return routes and routes.best[0]
