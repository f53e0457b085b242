"""The page of maps, and what it asks for."""

from starlette.requests import Request
from starlette.responses import Response

from evodom.web.app import api, page
from evodom.web.exchange import answer, body_of
from evodom.web.maps.finding import FIELDS, answer_to, usual
from evodom.web.site import site_of


async def _usual(request: Request) -> Response:
    """Tell what rooms are worth unless told otherwise."""
    return answer(usual())


async def _find(request: Request) -> Response:
    """Find the best routes of a map."""
    site, body = site_of(request), await body_of(request, *FIELDS)
    return answer(await site.quickly(lambda: answer_to(body)))


routes = [page("/map", "map.html"), api("/api/map", _usual), api("/api/map", _find, "POST")]
