"""What can be chosen for a new game: cards, kingdoms, and whom to play against."""

from functools import cache
from pathlib import Path
from typing import Any

from evodom.answers import Answer, answers
from evodom.dominion.cards import BASIC, CARDS, Card, is_dropped
from evodom.dominion.kingdom import FIRST_GAME, KINGDOMS, Kingdom
from evodom.dominion.strategies.baselines import BASELINES, missing_cards
from evodom.entrants import NETWORK, settings_of
from evodom.errors import EvodomError
from evodom.learning.fights import is_for_fights
from evodom.learning.general import preferred_weights
from evodom.runs import Run, known_keys

Json = dict[str, Any]

THINKERS = ("network:0.2s", "network:1s", "network:5s")
"""The networks that think, by how long."""


@cache
def always() -> Json:
    """Return what is there on every machine: cards, recommended kingdoms, baselines with the cards that they need."""
    has_network = preferred_weights(FIRST_GAME) is not None
    return {
        "cards": [_card(card) for card in CARDS.values()],
        "kingdoms": [{"name": name, "cards": sorted(cards)} for name, cards in KINGDOMS.items()],
        "baselines": [{"name": name, "needs": missing_cards(name, Kingdom(()))} for name in BASELINES],
        "networks": [NETWORK, *THINKERS] if has_network else [],
    }


def runs(root: Path) -> list[Json]:
    """Return the saved runs and answers whose strategies can play, with their kingdoms.

    An answer replaces its runs. The server reads ``key``, pages show ``name``.
    """
    saved = answers(root)
    parts = {run.key for answer in saved for run in answer.runs.values()}
    found = (_run(key, root) for key in known_keys(root) if key not in parts)
    return [*map(_answer, saved), *(run for run in found if run is not None)]


def _answer(answer: Answer) -> Json:
    kingdom = answer.kingdom
    facts = {"kingdom": kingdom.name, "cards": list(kingdom.cards), "players": answer.players}
    return {"key": answer.key, "name": answer.name} | facts


def _run(key: str, root: Path) -> Json | None:
    """Return a run; None for one of fights, and for one that cannot be read."""
    try:
        with Run.open(key, root=root) as run:
            if is_for_fights(run) or not run.n_generations:
                return None
            options = settings_of(run)
    except EvodomError:
        return None
    kingdom = options.kingdom
    facts = {"kingdom": kingdom.name, "cards": list(kingdom.cards), "players": options.players}
    return {"key": key, "name": key} | facts


def _card(card: Card) -> Json:
    """Return a card as it is drawn."""
    return {
        "name": card.name,
        "cost": card.cost,
        "types": card.type_line.split(" - "),
        "lines": [line.rstrip(".") for line in card.text.split(". ")],
        "basic": card in BASIC,
        "dropped": is_dropped(card),
    }
