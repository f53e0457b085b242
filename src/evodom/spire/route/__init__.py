"""The best route through an act: evaluations, rules, two methods that agree, all tolerances, chance and HP.

`program` (the linear program) is a module of its own, for it needs NumPy and SciPy.
"""

from evodom.spire.route.dynamic import Route, Routes, Stretch, clashing, find_routes, route_along, stretches
from evodom.spire.route.query import HpRange, by_hp, hp_changes
from evodom.spire.route.rules import (
    ALL_ROOMS,
    COUNTS,
    LAST_ROOM,
    NOTHING,
    RANK,
    RISK,
    Counts,
    Evaluation,
    Limit,
    Memory,
    NoRoute,
    RoomTable,
    RouteRule,
    Survive,
    at_least,
    at_most,
    avoid,
    through,
)
from evodom.spire.route.uncertain import GAME, FixedChances, GameChances, RouteGame, along

__all__ = [
    "ALL_ROOMS",
    "COUNTS",
    "GAME",
    "LAST_ROOM",
    "NOTHING",
    "RANK",
    "RISK",
    "Counts",
    "Evaluation",
    "FixedChances",
    "GameChances",
    "HpRange",
    "Limit",
    "Memory",
    "NoRoute",
    "RoomTable",
    "Route",
    "RouteGame",
    "RouteRule",
    "Routes",
    "Stretch",
    "Survive",
    "along",
    "at_least",
    "at_most",
    "avoid",
    "by_hp",
    "clashing",
    "find_routes",
    "hp_changes",
    "route_along",
    "stretches",
    "through",
]
