"""The pages of games, and what they ask for."""

from starlette.requests import Request
from starlette.responses import Response

from evodom.play.shelf import SavedGame, saved_games
from evodom.web.app import api, page
from evodom.web.exchange import answer
from evodom.web.site import site_of


async def _list_games(request: Request) -> Response:
    """List the saved games, the last one played first."""
    site = site_of(request)
    games = await site.quickly(lambda: saved_games(site.root))
    return answer({"games": [_described(game) for game in games]})


def _described(game: SavedGame) -> dict[str, object]:
    return {
        "name": game.name,
        "stage": game.stage,
        "over": game.over,
        "players": game.players,
        "modified": game.modified.isoformat(),
        "problem": game.problem,
    }


routes = [
    page("/play", "play.html"),
    page("/play/{name}", "play.html"),
    api("/api/play/games", _list_games),
]
