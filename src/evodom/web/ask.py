"""Questions for advice: read from a page, checked, and put into the queue."""

import secrets
from dataclasses import replace
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from evodom.advice import (
    DEFAULT_GAMES,
    DEFAULT_MINUTES,
    DEFAULT_STRATEGIES,
    LEAST_LEARNED,
    LEAST_MINUTES,
    MAX_GAMES,
    MOST_LEARNED,
)
from evodom.advice.runs import MODELS, default_key, run_key
from evodom.advice.runs import Request as AdviceRequest
from evodom.advice.search import Question, saved_seed
from evodom.answers import LEARNED
from evodom.dominion.cards import BASIC, KINGDOM_SIZE, close_cards, why_lacking
from evodom.dominion.kingdom import CUSTOM, Kingdom, draw_cards, named_card
from evodom.errors import UsageError, short
from evodom.runs import check_writable
from evodom.web.app import api, page
from evodom.web.exchange import answer, body_of, flag, number, text, texts
from evodom.web.queue import Queue, summary
from evodom.web.site import site_of
from evodom.web.task import ADVICE

MOST_MINUTES = 60.0
MOST_GENERATIONS = 2000
LARGEST_SEED = 2**53 - 1
"""The largest whole number that a browser keeps exactly."""

FIELDS = ("cards", "players", "minutes", "seed", "learn", "generations", "games", "strategies", "anew", "drawn")


def read_question(body: dict[str, Any]) -> dict[str, Any]:
    """Return what a page asks as plain JSON types, checked; missing cards are drawn. Raises UsageError."""
    seed = number(body, "seed", 0, LARGEST_SEED) if body.get("seed") is not None else None
    given = [named_card(text({"card": name}, "card")) for name in texts(body, "cards", KINGDOM_SIZE)]
    Kingdom(tuple(card.name for card in given))  # refuses what cannot be one, before anything is drawn
    used = secrets.randbelow(2**32) if seed is None else seed
    drawn = [card.name for card in draw_cards(given, seed=used)]
    kingdom = Kingdom((*(card.name for card in given), *drawn))
    before = [name for name in texts(body, "drawn", KINGDOM_SIZE) if name in kingdom.cards] if "drawn" in body else []
    asked = {
        "cards": list(kingdom.cards),
        "drawn": sorted({*drawn, *before}),
        "players": number(body, "players", 2, 6, 2),
        "seed": used,
        "seed_given": seed is not None,
        "anew": flag(body, "anew"),
    }
    for name, field, least, most in (
        ("learned_games", "learn", LEAST_LEARNED, MOST_LEARNED),
        ("generations", "generations", 1, MOST_GENERATIONS),
    ):
        asked[name] = None if body.get(field) is None else number(body, field, least, most)
    asked["minutes"] = None if asked["generations"] else _minutes(body.get("minutes", DEFAULT_MINUTES))
    asked["games"] = number(body, "games", 100, MAX_GAMES, DEFAULT_GAMES)
    asked["strategies"] = number(body, "strategies", 8, 512, DEFAULT_STRATEGIES)
    return asked


def _minutes(value: Any) -> float:
    if type(value) not in (int, float) or not LEAST_MINUTES <= value <= MOST_MINUTES:
        raise UsageError(f"'minutes' is {short(value)}. Allowed: {LEAST_MINUTES:g} to {MOST_MINUTES:g}.")
    return float(value)


def make_question(asked: dict[str, Any], root: Path) -> Question:
    """Return the question of what was asked, checked against the runs that are saved; raises EvodomError."""
    kingdom = Kingdom(tuple(asked["cards"]), tuple(asked["drawn"]))
    players = asked["players"]
    request = AdviceRequest(kingdom, players, default_key(kingdom, players), asked["strategies"])
    for model in MODELS:
        request.options(model)
    question = Question(
        request,
        asked["seed"],
        minutes=asked["minutes"],
        n_generations=asked["generations"],
        learned_games=asked["learned_games"],
        games=asked["games"],
        overwrite=asked["anew"],
    )
    seed = saved_seed(question, asked["seed"] if asked["seed_given"] else None, root)
    check_writable(run_key(request.key, LEARNED), root)
    return replace(question, seed=seed)


def title_of(asked: dict[str, Any]) -> str:
    """Return what a question is called in a list: its kingdom, or its cards."""
    kingdom = Kingdom(tuple(asked["cards"]))
    return kingdom.name if kingdom.name != CUSTOM else ", ".join(kingdom.cards)


MOST_NAMES = 60
"""Names that are looked up in one request."""


async def _ask(request: Request) -> Response:
    """Put a question at the end of the queue; answers with its name."""
    site, body = site_of(request), await body_of(request, *FIELDS)
    queue = site.part(Queue)

    def add() -> dict[str, Any]:
        asked = read_question(body)
        make_question(asked, site.root)  # what cannot be is told at once
        return summary(queue, queue.add(ADVICE, title_of(asked), asked))

    return answer(await site.quickly(add))


async def _draw(request: Request) -> Response:
    """Draw the cards that are missing to ten, with ``firstEdition`` from both editions."""
    body = await body_of(request, "cards", "seed", "firstEdition")
    given = [named_card(text({"card": name}, "card")) for name in texts(body, "cards", KINGDOM_SIZE)]
    drawn = draw_cards(given, seed=number(body, "seed", 0, LARGEST_SEED), first_edition=flag(body, "firstEdition"))
    return answer({"cards": [card.name for card in (*given, *drawn)], "drawn": [card.name for card in drawn]})


async def _find_cards(request: Request) -> Response:
    """Find kingdom cards by the names that a user typed."""
    body = await body_of(request, "names")
    return answer({"cards": [_found(name) for name in texts(body, "names", MOST_NAMES)]})


def _found(name: str) -> dict[str, Any]:
    """Return the kingdom card of a name; for a name of none, the error and the names of close cards."""
    found: dict[str, Any] = {"text": name, "card": "", "why": "", "close": []}
    try:
        (found["card"],) = Kingdom((named_card(name).name,)).cards
    except UsageError as error:
        found["why"] = str(error)
        basic = [card.name for card in BASIC]
        found["close"] = [] if why_lacking(name) else [close for close in close_cards(name) if close not in basic]
    return found


routes = [
    page("/ask", "ask.html"),
    page("/ask/{name}", "answer.html"),
    api("/api/ask", _ask, "POST"),
    api("/api/ask/draw", _draw, "POST"),
    api("/api/ask/cards", _find_cards, "POST"),
]
