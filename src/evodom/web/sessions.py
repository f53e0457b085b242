"""Routes of the pages of games and fights: start, view, choose, undo, search, review."""

import re
from collections.abc import Callable
from functools import cache
from typing import Annotated, TypeVar

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from evodom.errors import UsageError
from evodom.options import chosen_seed
from evodom.sessions.content import MAX_CHANGES, MAX_MOVES, FightForm
from evodom.sessions.dominion import MAX_PLAYERS, DominionSession
from evodom.sessions.fight import FightSession, name_of
from evodom.sessions.files import SavedSession, check_name, fights, games, session_name
from evodom.spire.content.cards import CARDS, ironclad
from evodom.spire.content.encounters import encounters
from evodom.spire.content.potions import POTIONS
from evodom.spire.content.relics import RELICS
from evodom.spire.fights import fight_from_toml
from evodom.web.dominion_view import GamePool, GameSeat
from evodom.web.fight_view import MAX_SIMULATIONS, SIMULATIONS, FightPool, FightSeat, search_options
from evodom.web.new_session import NewGame, fixed_choices, name_for, saved_opponents, setup_of
from evodom.web.reviews import Reviews
from evodom.web.site import Json, Site, action, answer, api, name_in, page, site_of, view

T = TypeVar("T")

_GAME, _FIGHT = "/api/play/games/{name}", "/api/fights/{name}"

At = Annotated[int, Meta(ge=0, le=MAX_CHANGES)]
"""Number of the state that the page shows. A request is refused if it is not the current state."""

CardName = Annotated[str, Meta(max_length=40)]


# Bodies of requests.


class OfSeat(Struct, forbid_unknown_fields=True):
    """A request of the player at ``seat``."""

    seat: Annotated[int, Meta(ge=0, le=MAX_PLAYERS - 1)]


class OfState(OfSeat):
    """A request of the player at ``seat`` about the state ``at``."""

    at: At


class Choose(OfState):
    """Choose 1 to 60 cards."""

    names: Annotated[list[CardName], Meta(min_length=1, max_length=60)]


class PlayFrom(OfSeat):
    """Play a game that is over again, after its first ``number`` choices."""

    number: At


class SwitchTreasures(OfState):
    """From now on, play Treasures one by one (``ask``) or all together."""

    ask: bool = False


class OfFight(Struct, forbid_unknown_fields=True):
    """A request about the state ``at`` of a fight."""

    at: At


class PlayMove(OfFight):
    """Play a move, given by its number in the engine."""

    move: Annotated[int, Meta(ge=0, le=2**31)]


class TakeBack(OfFight):
    """Take back ``n`` moves; 0 takes all."""

    n: Annotated[int, Meta(ge=0, le=MAX_MOVES)] = 1


class AskSearch(OfFight):
    """Search the position."""

    simulations: Annotated[int, Meta(ge=1, le=MAX_SIMULATIONS)] = SIMULATIONS


class NewFight(FightForm):
    """Start the fight of a form, or the fight of the saved session ``like``."""

    like: Annotated[str, Meta(max_length=80)] = ""


# Games.


async def _list_games(site: Site, name: str) -> Json:
    """List the saved games, last played first. ``terminal`` is the command for games with agents."""
    return {"games": await site.quickly(lambda: [_game(one) for one in games(site.store.root).saved()])}


def _game(game: SavedSession) -> Json:
    facts = {"name": game.name, "stage": game.stage, "over": game.over, "players": game.players}
    terminal = game.slot.continue_command if game.slot.has_agents else ""
    return facts | {"modified": game.modified.isoformat(), "problem": game.problem, "terminal": terminal}


async def _offers(site: Site, name: str) -> Json:
    """Return the choices for a new game."""
    return await site.quickly(lambda: fixed_choices() | {"runs": saved_opponents(site.store)})


async def _begin_game(site: Site, _: str, body: NewGame) -> Json:
    """Start a game. Return its name and its public view."""
    setup = await site.quickly(lambda: setup_of(body, site))
    pool = site.part(GamePool)
    name = check_name(body.name, known=()) if body.name else session_name(name_for(setup))
    return await pool.begin(name, lambda: DominionSession(setup, workers=pool.workers))


async def _look_at_game(request: Request) -> Response:
    """Return the view of the player at ``seat``; without a seat, the public view. ``log=all`` sends the whole log."""
    seat, whole = _asked_seat(request), request.query_params.get("log") == "all"
    pool = site_of(request).part(GamePool)
    return answer(await pool.do(name_in(request), lambda table: table.look(seat, whole_log=whole)))


async def _step(request: Request) -> Response:
    """Return the view at the end of ``turn``, counted over all players from 0."""
    asked = request.query_params.get("turn", "")
    if not re.fullmatch("[0-9]{1,6}", asked):
        raise UsageError(f"'turn' is '{asked[:20]}'. Allowed: a number from 0.")
    pool = site_of(request).part(GamePool)
    return answer(await pool.look_into(name_in(request), lambda table: table.step(int(asked))))


def _asked_seat(request: Request) -> int | None:
    asked = request.query_params.get("seat")
    if asked is None:
        return None
    if asked not in map(str, range(MAX_PLAYERS)):
        raise UsageError(f"'seat' is '{asked[:20]}'. Allowed: 0 to {MAX_PLAYERS - 1}.")
    return int(asked)


def _in_game(what: str, kind: type[T], act: Callable[[GameSeat, T], Json]) -> Route:
    """Return the route of an action on a game."""

    async def do(site: Site, name: str, body: T) -> Json:
        return await site.part(GamePool).do(name, lambda table: act(table, body))

    return action(f"{_GAME}/{what}", kind, do)


# Fights.


@cache
def _names() -> Json:
    """Return the valid names of a form's fields."""
    hp, max_hp, deck = ironclad(20)
    return {
        "encounters": [{"name": name, "pool": one.pool} for name, one in encounters().items()],
        "cards": sorted(CARDS),
        "relics": sorted(RELICS),
        "potions": sorted(POTIONS),
        "starter": {"hp": hp, "max_hp": max_hp, "deck": dict(deck)},
    }


async def _list_fights(site: Site, name: str) -> Json:
    """Return the saved fights, last played first, and the valid names of a form's fields."""
    found = await site.quickly(lambda: [_fight(one) for one in fights(site.store.root).saved()])
    return _names() | {"fights": found}


def _fight(fight: SavedSession) -> Json:
    facts = {"name": fight.name, "title": fight.title, "stage": fight.progress, "over": fight.over}
    return facts | {"modified": fight.modified.isoformat(), "problem": fight.problem}


async def _begin_fight(site: Site, _: str, body: NewFight) -> Json:
    """Start a fight, named after its enemies."""
    pool = site.part(FightPool)
    pool.check_ready()
    if body.like:
        fight = await pool.look_into(body.like, lambda seat: fight_from_toml(seat.session.source))
    else:
        fight = body.fight()
    seed = chosen_seed(body.seed)

    def make() -> FightSession:
        return FightSession(fight, seed, search_options(), given=body.seed is not None)

    return await pool.begin(name_of(fight), make)


def _in_fight(what: str, kind: type[T], act: Callable[[FightSeat, T], Json], *, is_search: bool = False) -> Route:
    """Return the route of an action on a fight."""

    async def do(site: Site, name: str, body: T) -> Json:
        pool = site.part(FightPool)
        return await (pool.slowly if is_search else pool.do_at_once)(name, lambda seat: act(seat, body))

    return action(f"{_FIGHT}/{what}", kind, do)


# Routes.


routes = [
    page("/play", "play", "Play", "app panels picker"),
    page("/play/{name}", "table", "Play", "app play"),
    view("/api/play/offers", _offers),
    view("/api/play/games", _list_games),
    action("/api/play/games", NewGame, _begin_game),
    api(_GAME, _look_at_game),
    api(f"{_GAME}/step", _step),
    _in_game("choose", Choose, lambda table, body: table.choose(body.seat, body.at, body.names)),
    _in_game("treasures", SwitchTreasures, lambda table, body: table.switch_treasures(body.seat, body.at, body.ask)),
    _in_game("undo", OfState, lambda table, body: table.undo(body.seat, body.at)),
    action(f"{_GAME}/hint", OfState, lambda site, name, body: site.part(Reviews).hint(name, body.seat, body.at)),
    action(f"{_GAME}/review", OfSeat, lambda site, name, body: site.part(Reviews).review(name, body.seat)),
    action(
        f"{_GAME}/play-from",
        PlayFrom,
        lambda site, name, body: site.part(Reviews).play_from(name, body.seat, body.number),
    ),
    page("/fights", "fights", "Fights", "pictures app panels"),
    page("/fights/{name}", "fight", "Fight", "pictures app panels"),
    view("/api/fights", _list_fights),
    action("/api/fights", NewFight, _begin_fight),
    view(_FIGHT, lambda site, name: site.part(FightPool).look(name)),
    _in_fight("play", PlayMove, lambda seat, body: seat.change(body.at, lambda fight: fight.play(body.move))),
    _in_fight("undo", TakeBack, lambda seat, body: seat.change(body.at, lambda fight: fight.undo(body.n))),
    _in_fight("play-line", OfFight, lambda seat, body: seat.change(body.at, FightSession.play_line)),
    _in_fight("weigh", AskSearch, lambda seat, body: seat.weigh(body.at, body.simulations), is_search=True),
    _in_fight("line", AskSearch, lambda seat, body: seat.find_line(body.at, body.simulations), is_search=True),
    _in_fight("prove", OfFight, lambda seat, body: seat.prove(body.at), is_search=True),
]
