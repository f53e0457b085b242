"""Routes of the page that asks for advice: read and check a question, draw cards, and start the task."""

import secrets
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

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
from evodom.dominion.cards import BASIC, KINGDOM_SIZE, close_cards, find_card, missing_card_text
from evodom.dominion.kingdom import CUSTOM, Kingdom, draw_cards
from evodom.errors import UsageError
from evodom.runs import check_writable
from evodom.web.queue import Queue, summary
from evodom.web.site import Json, Seed, Site, action, page
from evodom.web.task import ADVICE, AdviceAsked

MOST_MINUTES = 60.0
MOST_GENERATIONS = 2000

MOST_NAMES = 60
"""Maximum number of names in one request."""

CardNames = Annotated[list[Annotated[str, Meta(max_length=200)]], Meta(max_length=KINGDOM_SIZE)]


class AskBody(Struct, forbid_unknown_fields=True):
    """A question for advice. Missing ``cards`` are drawn; ``drawn`` names the cards that the page drew earlier."""

    cards: CardNames
    players: Annotated[int, Meta(ge=2, le=6)] = 2
    minutes: Annotated[float, Meta(ge=LEAST_MINUTES, le=MOST_MINUTES)] = DEFAULT_MINUTES
    seed: Seed | None = None
    learn: Annotated[int, Meta(ge=LEAST_LEARNED, le=MOST_LEARNED)] | None = None
    generations: Annotated[int, Meta(ge=1, le=MOST_GENERATIONS)] | None = None
    games: Annotated[int, Meta(ge=100, le=MAX_GAMES)] = DEFAULT_GAMES
    strategies: Annotated[int, Meta(ge=8, le=512)] = DEFAULT_STRATEGIES
    anew: bool = False
    drawn: CardNames = []


class DrawBody(Struct, forbid_unknown_fields=True, rename="camel"):
    """A request to complete a kingdom to ten cards. ``first_edition`` also draws cards of the first edition."""

    cards: CardNames
    seed: Seed
    first_edition: bool = False


class FindCards(Struct, forbid_unknown_fields=True):
    """A request to find cards by the names that a user typed."""

    names: Annotated[list[Annotated[str, Meta(max_length=200)]], Meta(max_length=MOST_NAMES)]


def read_question(body: AskBody) -> AdviceAsked:
    """Return the question of a request, with missing cards drawn. Raises UsageError for an invalid kingdom."""
    given = [find_card(name) for name in body.cards]
    Kingdom(tuple(card.name for card in given))  # refuse an invalid kingdom before cards are drawn
    used = secrets.randbelow(2**32) if body.seed is None else body.seed
    drawn = [card.name for card in draw_cards(given, seed=used)]
    kingdom = Kingdom((*(card.name for card in given), *drawn))
    before = [name for name in body.drawn if name in kingdom.cards]
    return AdviceAsked(
        cards=list(kingdom.cards),
        drawn=sorted({*drawn, *before}),
        players=body.players,
        seed=used,
        seed_given=body.seed is not None,
        anew=body.anew,
        learned_games=body.learn,
        generations=body.generations,
        minutes=None if body.generations else body.minutes,
        games=body.games,
        strategies=body.strategies,
    )


def make_question(asked: AdviceAsked, root: Path) -> Question:
    """Return a question for the search, checked against the saved runs. Raises EvodomError."""
    kingdom = Kingdom(tuple(asked.cards), tuple(asked.drawn))
    players = asked.players
    request = AdviceRequest(kingdom, players, default_key(kingdom, players), asked.strategies)
    for model in MODELS:
        request.options(model)
    question = Question(
        request,
        asked.seed,
        minutes=asked.minutes,
        n_generations=asked.generations,
        learned_games=asked.learned_games,
        games=asked.games,
        overwrite=asked.anew,
    )
    seed = saved_seed(question, asked.seed if asked.seed_given else None, root)
    check_writable(run_key(request.key, LEARNED), root)
    return replace(question, seed=seed)


def title_of(asked: AdviceAsked) -> str:
    """Return the title of a question: its kingdom's name, or its cards."""
    kingdom = Kingdom(tuple(asked.cards))
    return kingdom.name if kingdom.name != CUSTOM else ", ".join(kingdom.cards)


async def _ask(site: Site, _: str, body: AskBody) -> Json:
    """Start the search for an answer. Return the summary of its task."""
    queue = site.part(Queue)

    def add() -> Json:
        asked = read_question(body)
        make_question(asked, site.root)  # refuse an invalid question before a task starts
        return summary(queue.add(ADVICE, title_of(asked), asked))

    return await site.quickly(add)


async def _draw(_: Site, __: str, body: DrawBody) -> Json:
    """Complete a kingdom to ten cards."""
    given = [find_card(name) for name in body.cards]
    drawn = draw_cards(given, seed=body.seed, first_edition=body.first_edition)
    return {"cards": [card.name for card in (*given, *drawn)], "drawn": [card.name for card in drawn]}


async def _find_cards(_: Site, __: str, body: FindCards) -> Json:
    """Find kingdom cards by the names that a user typed."""
    return {"cards": [_found(name) for name in body.names]}


def _found(name: str) -> Json:
    """Return the kingdom card of a name. For an unknown name, return the error and similar names."""
    found: Json = {"text": name, "card": "", "why": "", "close": []}
    try:
        (found["card"],) = Kingdom((find_card(name).name,)).cards
    except UsageError as error:
        found["why"] = str(error)
        basic = [card.name for card in BASIC]
        found["close"] = [] if missing_card_text(name) else [close for close in close_cards(name) if close not in basic]
    return found


routes = [
    page("/ask", "ask", "Ask", "pictures app panels picker"),
    page("/ask/{name}", "answer", "Answer", "pictures app panels"),
    action("/api/ask", AskBody, _ask),
    action("/api/ask/draw", DrawBody, _draw),
    action("/api/ask/cards", FindCards, _find_cards),
]
