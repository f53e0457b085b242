"""Comparing a game with what a case of `scenario` expects of it."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from evodom.dominion.engine.effects import DECK, DISCARD, HAND, IN_PLAY, SET_ASIDE, TRASH
from evodom.dominion.events import name_cards
from evodom.dominion.game import DominionGame
from evodom.dominion.scenario.case import PHASES, ScenarioError, items, names, number, table

_ROWS = {"hand": HAND, "discard": DISCARD}
_OF_THE_ACTIVE = {"in_play": IN_PLAY, "set_aside": SET_ASIDE}


def mismatches(game: DominionGame, expect: Mapping[str, Any]) -> list[str]:
    """Return a text for each thing that is not as expected; what is not mentioned is not compared."""
    found = []
    for key, value in expect.items():
        if key == "players":
            found += _of_players(game, value)
        elif key == "supply":
            found += _of_supply(game, value)
        elif key in _COMPARED:
            found += _COMPARED[key](game, value)
        else:
            known = ", ".join([*_COMPARED, "supply", "players"])
            found.append(f"nothing is known of '{key}', which is expected. Known: {known}.")
    return found


def _of_players(game: DominionGame, expected: Any) -> list[str]:
    seats = items(expected, "expected players")
    if len(seats) > game.n_players:
        raise ScenarioError(f"{len(seats)} players are expected. Allowed: up to {game.n_players}.")
    found = []
    for seat, player in enumerate(seats):
        for key, value in table(player or {}, f"expected player {seat}").items():
            found += _of_player(game, seat, key, value)
    return found


def _of_player(game: DominionGame, seat: int, key: str, value: Any) -> list[str]:
    what = f"{key} of player {seat}"
    state = game.state
    if key in _ROWS:
        return _cards(what, value, game.cards(_ROWS[key] + seat))
    if key in _OF_THE_ACTIVE:
        return _cards(what, value, game.cards(_OF_THE_ACTIVE[key]) if seat == state.active else Counter())
    if key == "deck":
        return _deck(what, value, game, seat)
    sizes = {
        "hand_size": state.n_cards[HAND + seat],
        "deck_size": state.n_cards[DECK + seat] + state.n_top[seat],
        "discard_size": state.n_cards[DISCARD + seat],
        "turns": state.turns[seat],
    }
    if key in sizes:
        return _equal(what, number(value, what), int(sizes[key]))
    return [f"nothing is known of '{key}' of a player. Known: {', '.join([*_ROWS, *_OF_THE_ACTIVE, 'deck', *sizes])}."]


def _of_supply(game: DominionGame, expected: Any) -> list[str]:
    found = []
    piles = game.view(0).supply
    for name, n in table(expected, "the expected supply").items():
        [card] = names([name], "the expected supply")
        found += _equal(f"supply of {card}", number(n, f"supply of {card}"), piles.get(card, 0))
    return found


def _deck(what: str, value: Any, game: DominionGame, seat: int) -> list[str]:
    """Compare a deck: what is known of it in order, the rest, which was shuffled, in any order."""
    expected = names(value, what)
    known = [game.piles[pile].name for pile in reversed(game.state.top[seat, : game.state.n_top[seat]])]
    shuffled = game.cards(DECK + seat)
    if expected[: len(known)] == known and Counter(expected[len(known) :]) == shuffled:
        return []
    got = ", ".join(known) or ("nothing" if not shuffled else "")
    rest = f"{', then ' if got else ''}shuffled {_listed(shuffled)}" if shuffled else ""
    return [f"{what}: expected {', '.join(expected) or 'nothing'}; got {got}{rest}"]


def _cards(what: str, value: Any, got: Counter[str]) -> list[str]:
    expected = Counter(names(value, what))
    return [] if expected == got else [f"{what}: expected {_listed(expected)}; got {_listed(got)}"]


def _equal(what: str, expected: Any, got: Any) -> list[str]:
    return [] if expected == got else [f"{what}: expected {expected}, got {got}"]


def _listed(counts: Counter[str]) -> str:
    return name_cards(tuple(counts.elements())) or "nothing"


def _winners(game: DominionGame, value: Any) -> list[str]:
    """Compare who stands first as of now; equals share the place."""
    expected = sorted(number(seat, "winners") for seat in items(value, "winners"))
    return _equal("winners", expected, sorted(seat for place, seat in game.standings if place == 1))


def _scores(game: DominionGame, value: Any) -> list[str]:
    return _equal("scores", items(value, "scores"), list(game.scores))


def _phase(game: DominionGame, value: Any) -> list[str]:
    """Compare the phase; playing Treasures is part of the buy phase, and may be told apart from it."""
    if value not in list(PHASES):
        raise ScenarioError(f"phase is expected to be {value!r}. Allowed: {', '.join(PHASES)}.")
    got = next(name for name, phase in PHASES.items() if phase == game.state.phase)
    return [] if (value, got) == ("buy", "treasure") else _equal("phase", value, got)


def _of_turn(key: str, column: str) -> "_Comparison":
    return lambda game, value: _equal(key, number(value, key), int(game.state[column]))


_Comparison = Callable[[DominionGame, Any], Iterable[str]]

_COMPARED: dict[str, _Comparison] = {
    "actions": _of_turn("actions", "actions"),
    "buys": _of_turn("buys", "buys"),
    "coins": _of_turn("coins", "coins"),
    "current": _of_turn("current", "active"),
    "phase": _phase,
    "trash": lambda game, value: _cards("trash", value, game.cards(TRASH)),
    "game_over": lambda game, value: _equal("game_over", value, game.is_over),
    "scores": _scores,
    "winners": _winners,
}
