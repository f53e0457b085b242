"""The pages of fights, and what they ask for."""

from collections.abc import Callable
from dataclasses import asdict
from functools import cache
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from evodom.spire.rows.cards import CARDS, ironclad
from evodom.spire.rows.encounters import encounters
from evodom.spire.rows.potions import POTIONS
from evodom.spire.rows.relics import RELICS
from evodom.web.app import api, page
from evodom.web.exchange import answer, body_of, number
from evodom.web.fights.form import FIELDS, Json
from evodom.web.fights.saved import MOST_CHANGES, MOST_MOVES, SavedFight, saved_fights
from evodom.web.fights.sitting import MOST_SIMULATIONS, SIMULATIONS, Fights, Seat
from evodom.web.site import site_of


@cache
def _offers() -> Json:
    """Return the names that a form may use."""
    hp, max_hp, deck = ironclad(20)
    return {
        "encounters": [{"name": name, "pool": one.pool} for name, one in encounters().items()],
        "cards": sorted(CARDS),
        "relics": sorted(RELICS),
        "potions": sorted(POTIONS),
        "starter": {"hp": hp, "max_hp": max_hp, "deck": dict(deck)},
    }


async def _tell_offers(request: Request) -> Response:
    """Tell the names that a form may use, and which fights are saved."""
    site = site_of(request)
    found = await site.quickly(lambda: saved_fights(site.root))
    return answer(_offers() | {"fights": [_described(fight) for fight in found]})


def _described(fight: SavedFight) -> Json:
    return asdict(fight) | {"modified": fight.modified.isoformat()}


async def _begin(request: Request) -> Response:
    """Begin a fight."""
    site, form = site_of(request), await body_of(request, *FIELDS)
    fights = site.part(Fights)
    seat = await site.quickly(lambda: fights.begin(form))
    return answer({"name": seat.slot.name})


async def _look(request: Request) -> Response:
    site, name = site_of(request), _name(request)
    fights = site.part(Fights)
    return answer(await site.quickly(lambda: fights.look(name)))


async def _play(request: Request) -> Response:
    body = await body_of(request, "at", "move")
    move = number(body, "move", 0, 2**31)
    return await _do(request, _at(body), lambda seat: seat.play(move))


async def _undo(request: Request) -> Response:
    """Take moves back: ``n`` of them, 0 all."""
    body = await body_of(request, "at", "n")
    n = number(body, "n", 0, MOST_MOVES, 1)
    return await _do(request, _at(body), lambda seat: seat.undo(n))


async def _weigh(request: Request) -> Response:
    body = await body_of(request, "at", "simulations")
    n = number(body, "simulations", 1, MOST_SIMULATIONS, SIMULATIONS)
    return await _do_slowly(request, _at(body), lambda seat: seat.weigh(n))


async def _prove(request: Request) -> Response:
    body = await body_of(request, "at")
    return await _do_slowly(request, _at(body), lambda seat: seat.prove())


async def _line(request: Request) -> Response:
    body = await body_of(request, "at", "simulations")
    n = number(body, "simulations", 1, MOST_SIMULATIONS, SIMULATIONS)
    return await _do_slowly(request, _at(body), lambda seat: seat.find_line(n))


async def _play_line(request: Request) -> Response:
    body = await body_of(request, "at")
    return await _do(request, _at(body), lambda seat: seat.play_line())


async def _do(request: Request, at: int, act: Callable[[Seat], object]) -> Response:
    site, name = site_of(request), _name(request)
    fights = site.part(Fights)
    return answer(await site.quickly(lambda: fights.do(name, at, act)))


async def _do_slowly(request: Request, at: int, act: Callable[[Seat], object]) -> Response:
    return answer(await site_of(request).part(Fights).slowly(_name(request), at, act))


def _name(request: Request) -> str:
    return str(request.path_params["name"])


def _at(body: dict[str, Any]) -> int:
    return number(body, "at", 0, MOST_CHANGES)


_FIGHT = "/api/fights/{name}"

routes = [
    page("/fights", "fights.html"),
    page("/fights/{name}", "fight.html"),
    api("/api/fights", _tell_offers),
    api("/api/fights", _begin, "POST"),
    api(_FIGHT, _look),
    api(f"{_FIGHT}/play", _play, "POST"),
    api(f"{_FIGHT}/undo", _undo, "POST"),
    api(f"{_FIGHT}/weigh", _weigh, "POST"),
    api(f"{_FIGHT}/prove", _prove, "POST"),
    api(f"{_FIGHT}/line", _line, "POST"),
    api(f"{_FIGHT}/play-line", _play_line, "POST"),
]
