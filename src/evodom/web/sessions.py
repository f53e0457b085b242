"""The pages of games, and what they ask for."""

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response

from evodom.errors import UsageError
from evodom.sessions.dominion import ASK_TREASURES, MAX_PLAYERS, PLAY_TREASURES
from evodom.sessions.slots import SavedGame, check_name, plain, saved_games
from evodom.web import new_session as beginning
from evodom.web import offers
from evodom.web.app import api, page
from evodom.web.dominion_view import Json
from evodom.web.exchange import answer, body_of, flag, number, text, texts
from evodom.web.pool import Table, Tables
from evodom.web.reviews import Advice
from evodom.web.site import site_of

MOST_NAMES = 60
"""Cards chosen at once: no hand is larger."""

MOST_CHOICES = 1_000_000


async def _list_games(request: Request) -> Response:
    """List the saved games, the last one played first; ``terminal`` is the command for those the page does not play."""
    site = site_of(request)
    games = await site.quickly(lambda: saved_games(site.root))
    return answer({"games": [_described(game) for game in games]})


async def _tell_offers(request: Request) -> Response:
    """Tell what can be chosen for a new game."""
    site = site_of(request)
    return answer(await site.quickly(lambda: offers.always() | {"runs": offers.runs(site.root)}))


async def _begin(request: Request) -> Response:
    """Begin a game; answers with its name, and what can be seen of it."""
    site, body = site_of(request), await body_of(request, *beginning.KEYS)
    setup = await site.quickly(lambda: beginning.setup_of(body, site))
    asked = text(body, "name", "", longest=80)
    name = check_name(asked) if asked else plain(beginning.name_for(setup))
    return answer(await site.part(Tables).begin(name, setup))


async def _look(request: Request) -> Response:
    """Tell what the person at ``seat`` sees; without a seat, what everybody does. ``log=all`` tells the whole log."""
    seat, whole = _asked_seat(request), request.query_params.get("log") == "all"
    return await _do(request, lambda table: table.look(seat, whole_log=whole))


async def _choose(request: Request) -> Response:
    """Choose ``names`` for who is asked."""
    body = await body_of(request, "seat", "at", "names")
    seat, at, names = _seat(body), _at(body), texts(body, "names", MOST_NAMES, longest=40)
    if not names:
        raise UsageError("'names' is empty. Allowed: the cards that are chosen, or 'pass'.")
    return await _do(request, lambda table: table.choose(seat, at, names))


async def _treasures(request: Request) -> Response:
    """Have Treasures played one by one from now on, or all at once."""
    body = await body_of(request, "seat", "at", "ask")
    seat, at, choice = _seat(body), _at(body), ASK_TREASURES if flag(body, "ask") else PLAY_TREASURES
    return await _do(request, lambda table: table.switch_treasures(seat, at, choice))


async def _undo(request: Request) -> Response:
    """Take back what was chosen last."""
    body = await body_of(request, "seat", "at")
    seat, at = _seat(body), _at(body)
    return await _do(request, lambda table: table.undo(seat, at))


async def _hint(request: Request) -> Response:
    """Tell the chances of each choice."""
    body = await body_of(request, "seat", "at")
    advice = site_of(request).part(Advice)
    return answer(await advice.hint(_name(request), _seat(body), _at(body)))


async def _review(request: Request) -> Response:
    """Tell the review of a game that is over, or how far it is."""
    body = await body_of(request, "seat")
    return answer(await site_of(request).part(Advice).review(_name(request), _seat(body)))


async def _do(request: Request, work: Callable[[Table], Json]) -> Response:
    return answer(await site_of(request).part(Tables).do(_name(request), work))


def _name(request: Request) -> str:
    return str(request.path_params["name"])


def _seat(body: Json) -> int:
    return number(body, "seat", 0, MAX_PLAYERS - 1)


def _at(body: Json) -> int:
    return number(body, "at", 0, MOST_CHOICES)


def _asked_seat(request: Request) -> int | None:
    asked = request.query_params.get("seat")
    if asked is None:
        return None
    if asked not in map(str, range(MAX_PLAYERS)):
        raise UsageError(f"'seat' is '{asked[:20]}'. Allowed: 0 to {MAX_PLAYERS - 1}.")
    return int(asked)


def _described(game: SavedGame) -> Json:
    return {
        "name": game.name,
        "stage": game.stage,
        "over": game.over,
        "players": game.players,
        "modified": game.modified.isoformat(),
        "problem": game.problem,
        "terminal": game.going_on if game.has_agents else "",
    }


_GAMES, _GAME = "/api/play/games", "/api/play/games/{name}"

routes = [
    page("/play", "play.html"),
    page("/play/{name}", "table.html"),
    api("/api/play/offers", _tell_offers),
    api(_GAMES, _list_games),
    api(_GAMES, _begin, "POST"),
    api(_GAME, _look),
    api(f"{_GAME}/choose", _choose, "POST"),
    api(f"{_GAME}/treasures", _treasures, "POST"),
    api(f"{_GAME}/undo", _undo, "POST"),
    api(f"{_GAME}/hint", _hint, "POST"),
    api(f"{_GAME}/review", _review, "POST"),
]
