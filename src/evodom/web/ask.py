"""Routes of the page that asks for advice: check a request, draw missing cards, and start the task."""

from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace as replace_fields

from evodom.advice.answer import default_key
from evodom.advice.runs import Request as AdviceRequest
from evodom.advice.search import Question, checked_question
from evodom.dominion.cards import BASIC, close_cards, find_card, missing_card_text
from evodom.dominion.kingdom import CUSTOM, RANDOM, Kingdom, parse_kingdom
from evodom.errors import UsageError
from evodom.options import chosen_seed
from evodom.runs import RunStore
from evodom.web.site import Json, Seed, Site, action, page
from evodom.web.task import AdviceAsked, CardNames
from evodom.web.tasks import SiteTasks, summary

MAX_NAMES = 60
"""Maximum number of names in one request."""


class DrawBody(Struct, forbid_unknown_fields=True, rename="camel"):
    """A request to complete a kingdom to ten cards. ``first_edition`` also draws cards of the first edition."""

    cards: CardNames
    seed: Seed
    first_edition: bool = False


class FindCards(Struct, forbid_unknown_fields=True):
    """A request to find cards by the names that a user typed."""

    names: Annotated[list[Annotated[str, Meta(max_length=200)]], Meta(max_length=MAX_NAMES)]


def completed(asked: AdviceAsked, store: RunStore) -> AdviceAsked:
    """Return a request with its missing cards drawn, and with the seed of its saved runs or a new seed.

    Raises UsageError for an invalid kingdom, EvodomError if the search cannot be saved.
    """
    cards, drawn = _drawn(asked.cards, chosen_seed(asked.seed))
    before = [name for name in asked.drawn if name in cards]
    whole = replace_fields(asked, cards=list(Kingdom(tuple(cards)).cards), drawn=sorted({*drawn, *before}))
    return replace_fields(whole, seed=make_question(whole, store).seed)


def _drawn(names: list[str], seed: int, *, first_edition: bool = False) -> tuple[list[str], list[str]]:
    """Complete a kingdom as --kingdom does, Platinum and Colony by chance. Return all cards, and the drawn ones."""
    given = [find_card(name).name for name in names]
    kingdom = parse_kingdom(", ".join(given) or RANDOM, seed=seed, first_edition=first_edition)
    drawn = [name for name in kingdom.cards if name not in Kingdom(tuple(given)).cards]
    return [*given, *drawn], drawn


def make_question(asked: AdviceAsked, store: RunStore) -> Question:
    """Return a question for the search, checked against the saved runs. Raises EvodomError."""
    kingdom, players = Kingdom(tuple(asked.cards), tuple(asked.drawn)), asked.players
    request = AdviceRequest(kingdom, players, default_key(kingdom, players), asked.strategies)
    question = Question(
        request,
        chosen_seed(asked.seed),
        minutes=None if asked.generations else asked.minutes,
        n_generations=asked.generations,
        learned_games=asked.learned_games,
        games=asked.games,
        overwrite=asked.overwrite,
    )
    return checked_question(question, asked.seed, store)


def title_of(asked: AdviceAsked) -> str:
    """Return the title of a question: its kingdom's name, or its cards."""
    kingdom = Kingdom(tuple(asked.cards))
    return kingdom.name if kingdom.name != CUSTOM else ", ".join(kingdom.cards)


async def _ask(site: Site, _: str, body: AdviceAsked) -> Json:
    """Start the search for an answer. Return the summary of its task."""
    tasks = site.part(SiteTasks)

    def add() -> Json:
        asked = completed(body, site.store)  # refuse an invalid question before a task starts
        return summary(tasks.add(title_of(asked), asked))

    return await site.quickly(add)


async def _draw(_: Site, __: str, body: DrawBody) -> Json:
    """Complete a kingdom to ten cards."""
    cards, drawn = _drawn(body.cards, body.seed, first_edition=body.first_edition)
    return {"cards": cards, "drawn": drawn}


async def _find_cards(_: Site, __: str, body: FindCards) -> Json:
    """Find kingdom cards by the names that a user typed."""
    return {"cards": [_found(name) for name in body.names]}


def _found(name: str) -> Json:
    """Return the kingdom card of a name. For an unknown name, return the error and similar names."""
    found: Json = {"text": name, "card": "", "why": "", "close": []}
    try:
        found["card"] = Kingdom((find_card(name).name,)).cards[-1]
    except UsageError as error:
        found["why"] = str(error)
        basic = [card.name for card in BASIC]
        found["close"] = [] if missing_card_text(name) else [close for close in close_cards(name) if close not in basic]
    return found


routes = [
    page("/ask", "ask", "Ask", "pictures app panels picker"),
    page("/ask/{name}", "answer", "Answer", "pictures app panels"),
    action("/api/ask", AdviceAsked, _ask),
    action("/api/ask/draw", DrawBody, _draw),
    action("/api/ask/cards", FindCards, _find_cards),
]
