"""The pages of advice, and what they ask for."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from evodom.dominion.cards import BASIC, KINGDOM_SIZE, close_cards, why_lacking
from evodom.dominion.kingdom import Kingdom, draw_cards, named_card
from evodom.errors import UsageError
from evodom.web.app import api, page
from evodom.web.ask.question import FIELDS, LARGEST_SEED, make_question, read_question, title_of
from evodom.web.exchange import answer, body_of, flag, number, text, texts
from evodom.web.site import site_of
from evodom.web.tasks.queue import Queue
from evodom.web.tasks.routes import summary
from evodom.web.tasks.task import ADVICE

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
