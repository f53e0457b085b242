"""Best routes through an act.

query                a query about routes and its answer
parsing              preferences and rules as text
rules                values of rooms, and rules of paths
dynamic_programming  exact optimum, k best routes, tolerances
linear_program       the same optimum by SciPy, imported on use
event_rooms          uncertain event rooms
costs                mean costs of searched fights, imported on use
simulation           simulated runs with searched fights, imported on use
"""

from evodom.spire.route.dynamic_programming import Route as Route, Routes as Routes, ToleranceRange as ToleranceRange
from evodom.spire.route.dynamic_programming import conflicting_rules as conflicting_rules, find_routes as find_routes
from evodom.spire.route.dynamic_programming import route_along as route_along, tolerance_ranges as tolerance_ranges
from evodom.spire.route.event_rooms import GAME_CHANCES as GAME_CHANCES, FixedChances as FixedChances
from evodom.spire.route.event_rooms import GameChances as GameChances, RouteGame as RouteGame
from evodom.spire.route.event_rooms import follow_path as follow_path
from evodom.spire.route.query import HpRange as HpRange, hp_changes as hp_changes, hp_ranges as hp_ranges
from evodom.spire.route.rules import ALL_ROOMS as ALL_ROOMS, COUNTS as COUNTS, LAST_ROOM as LAST_ROOM, RANK as RANK
from evodom.spire.route.rules import NO_MEMORY as NO_MEMORY, RISK as RISK, Counts as Counts, Evaluation as Evaluation
from evodom.spire.route.rules import Limit as Limit, Memory as Memory, NoRoute as NoRoute, RoomTable as RoomTable
from evodom.spire.route.rules import RouteRule as RouteRule, Survive as Survive, at_least as at_least
from evodom.spire.route.rules import at_most as at_most, avoid as avoid, through as through
