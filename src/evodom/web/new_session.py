"""A new game, as a page asks for one: checked, and made into the setup that `evodom play` would make."""

import re
import secrets
from collections import Counter
from typing import Any

import numpy as np

from evodom.answers import is_saved
from evodom.dominion.kingdom import Kingdom, parse_kingdom, slug
from evodom.dominion.strategies.baselines import BASELINES
from evodom.dominion.strategies.networks.weights import lending, loan_of
from evodom.entrants import IN_RUN, NETWORK, find_entrants
from evodom.errors import UsageError, one_line, short
from evodom.sessions.dominion import MAX_PLAYERS, MIN_PLAYERS, PERSON, GameSetup, Participant, fill_seats
from evodom.web.exchange import flag, number, text
from evodom.web.site import Site

LONGEST_PERSON = 20
"""Characters of the longest name of a person."""

MOST_SEED = 2**53 - 1
"""The largest seed: every browser has whole numbers up to here."""

_THINKING = re.compile(r"network:[0-9]{0,2}(\.[0-9]{1,2})?s")

KEYS = ("kingdom", "firstEdition", "players", "drawSeats", "seed", "name")
"""What a request may say."""


def setup_of(body: dict[str, Any], site: Site) -> GameSetup:
    """Return the setup that a request describes; raises UsageError, in one line, for what cannot be played.

    ``players`` are in turn order, each with a ``person``'s name or with ``who`` plays, as one types it for
    --opponent, but no file: nothing that a page sends is taken for one.
    """
    seed = secrets.randbelow(2**32) if body.get("seed") is None else number(body, "seed", 0, MOST_SEED)
    kingdom = parse_kingdom(text(body, "kingdom", "", longest=400) or "random", seed=seed, first_edition=_first(body))
    asked = body.get("players")
    if not isinstance(asked, list) or not MIN_PLAYERS <= len(asked) <= MAX_PLAYERS:
        raise UsageError(f"'players' is {short(asked)}. Allowed: a list of {MIN_PLAYERS} to {MAX_PLAYERS}.")
    people = _people(asked)
    words = [_word(player, site) for player in asked if "person" not in player]
    named = _seated(words, kingdom, site) if words else []
    strategies, persons = iter(named), iter(people)
    seated = [Participant(next(persons)) if "person" in player else next(strategies) for player in asked]
    said = iter(words)
    spoken = ["" if "person" in player else next(said) for player in asked]
    order = _order(len(asked), seed, drawn=flag(body, "drawSeats", default=True))
    players, spoken = tuple(seated[place] for place in order), [spoken[place] for place in order]
    return GameSetup(kingdom, players, seed, _command(kingdom, spoken, seed))


def _seated(words: list[str], kingdom: Kingdom, site: Site) -> list[Participant]:
    """Return who was asked for; the networks among them leave the memory with whoever holds the participants."""
    with lending():
        entrants = find_entrants(words, root=site.root, kingdom=kingdom).entrants
        players = [Participant(one.name, one.strategy, loan_of(one.strategy)) for one in entrants]
    return fill_seats(players, len(players))


def name_for(setup: GameSetup) -> str:
    """Return what a game is called that was given no name: after the first opponent."""
    return next((player.name.split("#")[0] for player in setup.players if player.strategy is not None), "friends")


def _first(body: dict[str, Any]) -> bool:
    return flag(body, "firstEdition")


def _people(asked: list[Any]) -> list[str]:
    """Return the names of the persons; one alone is "You"."""
    if not all(isinstance(player, dict) and player.keys() in ({"person"}, {"who"}) for player in asked):
        raise UsageError("each of 'players' is a person or says who it is: {'person': NAME} or {'who': NAME}.")
    names = [one_line(text(player, "person", longest=LONGEST_PERSON)).strip() for player in asked if "person" in player]
    if not names:
        raise UsageError("nobody plays: one of the players has to be a person.")
    if len(names) == 1:
        return [PERSON]
    for name, n in Counter(name.casefold() for name in names).items():
        if not name or name == PERSON.casefold() or n > 1:
            raise UsageError(f"persons at one screen need names of their own, and not '{name or ' '}' more than once.")
    return names


def _word(player: dict[str, Any], site: Site) -> str:
    """Return who plays, if it is a baseline, a network, or of a saved run."""
    word = text(player, "who", longest=120)
    if word in BASELINES or word == NETWORK or _THINKING.fullmatch(word):
        return word
    found = IN_RUN.fullmatch(word)
    if found and is_saved(found[1], site.root):
        return word
    raise UsageError(f"nobody here is called {short(word, 60)}. Allowed: a baseline, network, network:0.5s, or a run.")


def _order(n: int, seed: int, *, drawn: bool) -> list[int]:
    """Return who sits where: as given, or drawn; which follows from the seed."""
    if not drawn:
        return list(range(n))
    return [int(place) for place in np.random.Generator(np.random.PCG64(seed)).permutation(n)]


def _command(kingdom: Kingdom, words: list[str], seed: int) -> str:
    """Return what plays the same game in a terminal; "" where several persons share a screen."""
    if words.count("") != 1:
        return ""
    opponents = "".join(f" --opponent {word}" for word in words if word)
    cards = ",".join(map(slug, kingdom.cards))
    return f"evodom play{opponents} --kingdom {cards} --players {len(words)} --seed {seed} --seat {words.index('') + 1}"
