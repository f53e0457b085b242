"""Routes of the map page: find the best routes through the act map of a seed."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

from evodom.errors import UsageError
from evodom.presentation.act_map import map_svg, sign_svg
from evodom.spire.map import ActMap, Room, generate, parse_seed, seed_text
from evodom.spire.map.act import ROOM_ROWS
from evodom.spire.route import RISK, NoRoute, RoomTable, Route, Routes
from evodom.spire.route.parsing import RoutePreferences, parse_number
from evodom.spire.route.query import RouteQuery, read_limits
from evodom.web.site import Json, Site, action, page, view

RoomName = Literal["monster", "elite", "event", "shop", "rest", "treasure"]
RoomNumbers = dict[RoomName, Annotated[str, Meta(max_length=40)]]
Limits = Annotated[list[Annotated[str, Meta(max_length=80)]], Meta(max_length=8)]


class FindRoutes(Struct, forbid_unknown_fields=True):
    """A query of the page. Numbers are strings such as "1/3"; missing rooms count 0."""

    seed: Annotated[str, Meta(max_length=60)]
    act: Annotated[int, Meta(ge=1, le=4)] = 1
    ascension: Annotated[int, Meta(ge=0, le=20)] = 20
    value: RoomNumbers = {}
    risk: RoomNumbers = {}
    tolerance: Annotated[str, Meta(max_length=40)] = "1/2"
    at_least: Limits = []
    at_most: Limits = []
    through: Limits = []
    avoid: Limits = []
    hp: Annotated[int, Meta(ge=1, le=999)] | None = None
    best: Annotated[int, Meta(ge=1, le=10)] = 5


async def _usual(_: Site, __: str) -> Json:
    """Return the rooms with their names, signs, and default values and risks."""
    return {
        "rooms": [
            {
                "name": room.name.lower(),
                "value": float(Fraction(RISK.value.get(room, 0))),
                "risk": float(Fraction(RISK.risk.get(room, 0))),
                "sign": sign_svg(room),
            }
            for room in (Room[name.upper()] for name in get_args(RoomName))
        ]
    }


def answer_to(asked: FindRoutes) -> Json:
    """Return the map of a seed with its best routes. Raises EvodomError for an invalid query."""
    seed = parse_seed(asked.seed)
    act_map = generate(seed, asked.act, ascension=asked.ascension)
    if not 0 <= (tolerance := parse_number(asked.tolerance)) <= 1:
        raise UsageError(f"'tolerance' is {float(tolerance):g}. Allowed: 0 to 1.")
    least, most, through, avoided = (
        [one for one in words if one.strip()] for words in (asked.at_least, asked.at_most, asked.through, asked.avoid)
    )
    query = RouteQuery(
        act_map,
        RoutePreferences(RoomTable(_numbers(asked.value), _numbers(asked.risk))),
        tolerance,
        read_limits(act_map, least=least, most=most, through_nodes=through, avoided_nodes=avoided),
        n_best=asked.best,
        ascension=asked.ascension,
        hp=asked.hp,
    )
    try:
        found = query.answer()
    except NoRoute as error:
        raise UsageError(str(error)) from error
    title = f"Act {asked.act} of seed {seed_text(seed)}, ascension {asked.ascension}"
    return {
        "title": title,
        "seed": str(seed),
        "seed_text": seed_text(seed),
        "burning": act_map.burning[1] if act_map.burning else "",
        "rooms": _counts(act_map),
        "summary": _summary(found.routes),
        "routes": [_route(act_map, route, title) for route in found.routes.best],
        "rules": [str(rule) for rule in found.rules],
    }


def _numbers(table: RoomNumbers) -> dict[Room, Fraction]:
    """Return the parsed numbers of each room."""
    return {Room[name.upper()]: parse_number(text) for name, text in table.items()}


def _counts(act_map: ActMap) -> list[Json]:
    rooms = list(act_map.rooms.values())
    return [
        {"name": ROOM_ROWS[room].name, "n": rooms.count(room), "sign": sign_svg(room)}
        for room in ROOM_ROWS
        if room in rooms
    ]


def _summary(routes: Routes) -> str:
    """Return a sentence with the number of optimal routes."""
    if routes.n_paths == 1:
        return "It is the only path."
    paths = f"{routes.n_paths:,} paths"
    if routes.n_optimal == 1:
        return f"It is the only best route among {paths}."
    return f"{routes.n_optimal:,} of {paths} have this value. The leftmost is shown."


def _route(act_map: ActMap, route: Route, title: str) -> Json:
    """Return a route: its value, its rooms from the bottom up, and the map with the route drawn."""
    kinds: Mapping[Room, int] = {room: route.rooms.count(room) for room in Room if room in route.rooms}
    room_list = ", ".join(f"{n} {ROOM_ROWS[room].name}" for room, n in kinds.items())
    worths = [_short(worth) for worth in route.values]
    return {
        "value": _short(route.value),
        "rooms": [{"name": ROOM_ROWS[room].name, "n": n} for room, n in kinds.items()],
        "steps": [
            {"floor": node.floor, "column": node.x, "room": ROOM_ROWS[room].name, "worth": worth}
            for node, room, worth in zip(route.path, route.rooms, worths, strict=True)
        ],
        "svg": map_svg(act_map, path=route.path, worths=worths, title=f"{title}; the route has {room_list}"),
    }


def _short(value: Fraction) -> str:
    """Return a number as a short decimal."""
    return f"{float(value):.3f}".rstrip("0").rstrip(".")


async def _find(site: Site, _: str, body: FindRoutes) -> Json:
    return await site.quickly(lambda: answer_to(body))


routes = [
    page("/map", "map", "Map", "pictures app panels"),
    view("/api/map", _usual),
    action("/api/map", FindRoutes, _find),
]
