"""The pages of advice, and what they ask for."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from evodom.dominion.cards import KINGDOM_SIZE
from evodom.dominion.kingdom import draw_cards, named_card
from evodom.web.app import api, page
from evodom.web.ask.question import FIELDS, LARGEST_SEED, make_question, read_question, title_of
from evodom.web.exchange import answer, body_of, number, text, texts
from evodom.web.site import site_of
from evodom.web.tasks.queue import Queue
from evodom.web.tasks.routes import summary
from evodom.web.tasks.task import ADVICE


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
    """Draw what is missing to ten cards."""
    body = await body_of(request, "cards", "seed")
    given = [named_card(text({"card": name}, "card")) for name in texts(body, "cards", KINGDOM_SIZE)]
    drawn = draw_cards(given, seed=number(body, "seed", 0, LARGEST_SEED))
    return answer({"cards": [card.name for card in (*given, *drawn)], "drawn": [card.name for card in drawn]})


routes = [
    page("/ask", "ask.html"),
    page("/ask/{name}", "answer.html"),
    api("/api/ask", _ask, "POST"),
    api("/api/ask/draw", _draw, "POST"),
]
