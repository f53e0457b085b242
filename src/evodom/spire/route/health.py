"""HP on the way: what rooms cost or restore, and how the best route changes with the HP one starts with.

The numbers of `hp_changes` are rough figures of ours for an Ironclad in the first act, to be replaced by your own: only
the rest is the game's (30 % of the maximum, rounded down).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evodom.spire.map.act import ActMap, Room
from evodom.spire.route.dynamic import BestPaths, Routes
from evodom.spire.route.evaluation import Evaluating, as_evaluation
from evodom.spire.route.rules import RouteRule, Survive
from evodom.spire.route.states import entries, unroll

MAX_HP = 80
"""The Ironclad's, below ascension 14."""


def hp_changes(max_hp: int = MAX_HP) -> dict[Room, int]:
    """Return what rooms do to HP if nothing better is known."""
    return {Room.MONSTER: -8, Room.ELITE: -20, Room.EVENT: 0, Room.REST: max_hp * 3 // 10}


@dataclass(frozen=True)
class HpRange:
    """From `low` to `high` HP at the start the same route is best; without routes none is survived."""

    low: int
    high: int
    routes: Routes | None


def by_hp(
    act_map: ActMap,
    evaluation: Evaluating,
    changes: Mapping[Room, int],
    rules: Sequence[RouteRule] = (),
    *,
    max_hp: int = MAX_HP,
) -> tuple[HpRange, ...]:
    """Return the best routes for every HP at the start from 1 to `max_hp`, those with the same first route as one."""
    judge = as_evaluation(evaluation)
    all_rules = (*rules, Survive(max_hp, changes, max_hp))
    begins = [(*(rule.start for rule in rules), hp) for hp in range(1, max_hp + 1)]
    states = unroll(act_map, judge, all_rules, begins=begins)  # HP meet on the way, so all are solved in one
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
