"""New games of Dominion: the choices that the page offers, and the `GameSetup` of its request."""

from collections import Counter
from contextlib import suppress
from functools import cache
from typing import Annotated

import numpy as np
from msgspec import Meta, Struct

from evodom.dominion.cards import CARDS
from evodom.dominion.kingdom import FIRST_GAME, KINGDOMS, Kingdom, parse_kingdom, slug
from evodom.dominion.strategies.baselines import BASELINES, missing_cards
from evodom.dominion.strategies.models.networks.shipped import usable_weights
from evodom.errors import EvodomError, UsageError, one_line
from evodom.learning.fights import is_for_fights
from evodom.matches.entrants import find_entrants, settings_of
from evodom.matches.names import NETWORK
from evodom.options import chosen_seed
from evodom.runs import RunStore
from evodom.sessions.dominion import (
    MAX_PLAYERS,
    MIN_PLAYERS,
    PERSON,
    GameSetup,
    Participant,
    fill_seats,
    named_opponents,
)
from evodom.web.faces import card_face
from evodom.web.site import Json, Seed, Site


class PlayerAsked(Struct, forbid_unknown_fields=True):
    """A player of a new game: the name of a ``person``, or ``who``, an opponent in the notation of --opponent."""

    person: Annotated[str, Meta(max_length=20)] | None = None
    who: Annotated[str, Meta(max_length=120)] | None = None


class NewGame(Struct, forbid_unknown_fields=True, rename="camel"):
    """A new game. ``players`` are in turn order; ``draw_seats`` shuffles them."""

    players: Annotated[list[PlayerAsked], Meta(min_length=MIN_PLAYERS, max_length=MAX_PLAYERS)]
    kingdom: Annotated[str, Meta(max_length=400)] = ""
    first_edition: bool = False
    draw_seats: bool = True
    seed: Seed | None = None
    name: Annotated[str, Meta(max_length=80)] = ""


def setup_of(asked: NewGame, site: Site) -> GameSetup:
    """Return the setup of a request. Raises UsageError for an invalid request.

    Agents and files are not accepted: a page must not name code or files of this machine.
    """
    seed = chosen_seed(asked.seed)
    kingdom = parse_kingdom(asked.kingdom or "random", seed=seed, first_edition=asked.first_edition)
    people = iter(_people(asked.players))
    named = [player.who for player in asked.players if player.who is not None]
    found = find_entrants(named, store=site.store, kingdom=kingdom, agents=False, files=False)
    strategies = iter(fill_seats(named_opponents(found.entrants, seed), len(named)))
    seated = [Participant(next(people)) if player.who is None else next(strategies) for player in asked.players]
    order = range(len(seated))
    if asked.draw_seats:
        order = np.random.Generator(np.random.PCG64(seed)).permutation(len(seated)).tolist()
    spoken = [asked.players[place].who for place in order]
    return GameSetup(kingdom, tuple(seated[place] for place in order), seed, _command(kingdom, spoken, seed))


def name_for(setup: GameSetup) -> str:
    """Return the default name of a game: the first opponent's name, or "friends"."""
    return next((player.name.split("#")[0] for player in setup.players if player.strategy is not None), "friends")


def _people(asked: list[PlayerAsked]) -> list[str]:
    """Return the names of the persons; a single person is "You"."""
    if any((player.person is None) == (player.who is None) for player in asked):
        raise UsageError("each of 'players' must be {'person': NAME} or {'who': NAME}.")
    names = [one_line(player.person).strip() for player in asked if player.person is not None]
    if not names:
        raise UsageError("no person plays. At least one of the players must be a person.")
    if len(names) == 1:
        return [PERSON]
    for name, n in Counter(name.casefold() for name in names).items():
        if not name or name == PERSON.casefold() or n > 1:
            raise UsageError(f"names of persons must differ: '{name or ' '}' is used twice, empty or reserved.")
    return names


def _command(kingdom: Kingdom, words: list[str | None], seed: int) -> str:
    """Return the command that plays the same game in a terminal; "" unless exactly one person, a None, plays."""
    if words.count(None) != 1:
        return ""
    opponents = "".join(f" --opponent {word}" for word in words if word is not None)
    cards = ",".join(map(slug, kingdom.cards))
    return (
        f"evodom play{opponents} --kingdom {cards} --players {len(words)} --seed {seed} --seat {words.index(None) + 1}"
    )


@cache
def fixed_choices() -> Json:
    """Return the choices of every machine: cards, recommended kingdoms, networks, baselines and their cards."""
    has_network = usable_weights(FIRST_GAME) is not None
    return {
        "cards": [card_face(card) for card in CARDS.values()],
        "kingdoms": [{"name": name, "cards": sorted(cards)} for name, cards in KINGDOMS.items()],
        "baselines": [{"name": name, "needs": missing_cards(name, Kingdom(()))} for name in BASELINES],
        "networks": [NETWORK, *(f"{NETWORK}:{time}" for time in ("0.2s", "1s", "5s"))] if has_network else [],
    }


def saved_opponents(store: RunStore) -> list[Json]:
    """Return the saved runs and answers whose strategies can play, with their kingdoms."""
    found: list[Json] = []
    for key in store:
        with suppress(EvodomError), store.open(key) as run:
            if not is_for_fights(run) and (run.n_generations or run.parts):
                options = settings_of(run)
                kingdom = {"kingdom": options.kingdom.name, "cards": list(options.kingdom.cards)}
                found.append({"key": key} | kingdom | {"players": options.players})
    return found
