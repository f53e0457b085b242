"""The page of maps: the best routes of a seed's map."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from evodom.errors import UsageError, short
from evodom.presentation.map_svg import map_svg, sign_svg
from evodom.spire.map import ActMap, Room, generate, parse_seed, seed_text
from evodom.spire.map.drawing import NAMES
from evodom.spire.route import RISK, Limit, NoRoute, RoomTable, Route, Routes
from evodom.spire.route.query import RouteQuery, read_limits
from evodom.spire.route.tables import RoutePreferences, parse_number
from evodom.web.app import api, page
from evodom.web.exchange import answer, body_of, number, text, texts
from evodom.web.site import site_of

Json = dict[str, Any]

FIELDS = (
    "seed",
    "act",
    "ascension",
    "value",
    "risk",
    "tolerance",
    "at_least",
    "at_most",
    "through",
    "avoid",
    "hp",
    "best",
)

VALUED = (Room.MONSTER, Room.ELITE, Room.EVENT, Room.SHOP, Room.REST, Room.TREASURE)
"""The rooms that a page gives a value."""

MOST_RULES = 8
MOST_BEST = 10


def usual() -> Json:
    """Return what rooms are worth unless told otherwise, and the names of rooms."""
    return {
        "rooms": [
            {
                "name": room.name.lower(),
                "value": float(Fraction(RISK.value.get(room, 0))),
                "risk": float(Fraction(RISK.risk.get(room, 0))),
                "sign": sign_svg(room),
            }
            for room in VALUED
        ]
    }


def answer_to(body: Json) -> Json:
    """Return the map of a seed with its best routes; raises EvodomError, in one line, for what cannot be."""
    act, ascension = number(body, "act", 1, 4, 1), number(body, "ascension", 0, 20, 20)
    seed = parse_seed(text(body, "seed", longest=60))
    act_map = generate(seed, act, ascension=ascension)
    query = RouteQuery(
        act_map,
        RoutePreferences(RoomTable(_numbers(body, "value"), _numbers(body, "risk"))),
        _tolerance(body),
        _limits(body, act_map),
        n_best=number(body, "best", 1, MOST_BEST, 5),
        ascension=ascension,
        hp=None if body.get("hp") is None else number(body, "hp", 1, 999),
    )
    try:
        found = query.answer()
    except NoRoute as error:
        raise UsageError(str(error)) from error
    title = f"Act {act} of seed {seed_text(seed)}, ascension {ascension}"
    return {
        "title": title,
        "seed": str(seed),
        "seed_text": seed_text(seed),
        "burning": act_map.burning[1] if act_map.burning else "",
        "rooms": _counts(act_map),
        "told": _told(found.routes),
        "routes": [_route(act_map, route, title) for route in found.routes.best],
        "rules": [str(rule) for rule in found.rules],
    }


def _numbers(body: Json, name: str) -> dict[Room, Fraction]:
    """Return the numbers of a table of rooms; those that are not named count 0."""
    table = body.get(name, {})
    known = {room.name.lower(): room for room in VALUED}
    if not isinstance(table, dict) or not set(table) <= set(known):
        raise UsageError(f"'{name}' is {short(table)}. Allowed: a table of {', '.join(known)}.")
    return {known[room]: parse_number(text(table, room, longest=40)) for room in table}


def _tolerance(body: Json) -> Fraction:
    tolerance = parse_number(text(body, "tolerance", "1/2", longest=40))
    if not 0 <= tolerance <= 1:
        raise UsageError(f"'tolerance' is {float(tolerance):g}. Allowed: 0 to 1.")
    return tolerance


def _limits(body: Json, act_map: ActMap) -> tuple[Limit, ...]:
    """Return the rules of a request."""

    def given(name: str) -> list[str]:
        return [one for one in texts(body, name, MOST_RULES, longest=80) if one.strip()] if name in body else []

    return read_limits(
        act_map,
        least=given("at_least"),
        most=given("at_most"),
        through_nodes=given("through"),
        avoided_nodes=given("avoid"),
    )


def _counts(act_map: ActMap) -> list[Json]:
    rooms = list(act_map.rooms.values())
    return [{"name": NAMES[room], "n": rooms.count(room), "sign": sign_svg(room)} for room in NAMES if room in rooms]


def _told(routes: Routes) -> str:
    """Say how many routes are as good."""
    if routes.n_paths == 1:
        return "It is the only path there is."
    paths = f"{routes.n_paths:,} paths"
    if routes.n_optimal == 1:
        return f"It is the one best of {paths}."
    return f"{routes.n_optimal:,} of {paths} are as good; the leftmost is shown."


def _route(act_map: ActMap, route: Route, title: str) -> Json:
    """Return a route: what it is worth, its rooms from the bottom up, and the map with it."""
    kinds: Mapping[Room, int] = {room: route.rooms.count(room) for room in Room if room in route.rooms}
    told = ", ".join(f"{n} {NAMES[room]}" for room, n in kinds.items())
    worths = [_short(worth) for worth in route.worths]
    return {
        "value": _short(route.value),
        "rooms": [{"name": NAMES[room], "n": n} for room, n in kinds.items()],
        "steps": [
            {"floor": node.floor, "column": node.x, "room": NAMES[room], "worth": worth}
            for node, room, worth in zip(route.path, route.rooms, worths, strict=True)
        ],
        "svg": map_svg(act_map, path=route.path, worths=worths, title=f"{title}; the route has {told}"),
    }


def _short(value: Fraction) -> str:
    """Return a number as a short decimal."""
    return f"{float(value):.3f}".rstrip("0").rstrip(".")


async def _usual(request: Request) -> Response:
    """Tell what rooms are worth unless told otherwise."""
    return answer(usual())


async def _find(request: Request) -> Response:
    """Find the best routes of a map."""
    site, body = site_of(request), await body_of(request, *FIELDS)
    return answer(await site.quickly(lambda: answer_to(body)))


routes = [page("/map", "map.html"), api("/api/map", _usual), api("/api/map", _find, "POST")]
