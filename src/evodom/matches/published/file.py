"""Reading files of known results, checked: every error is one line that says where it is."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evodom.dominion.cards import BASIC, KINGDOM_SIZE, find_card
from evodom.dominion.engine.rules import MAX_SEATS
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.baselines import buy_list_strategy
from evodom.dominion.strategies.buy_lists.buy_list import BuyList
from evodom.dominion.strategies.buy_lists.rules import MAX_NUMBER
from evodom.errors import UsageError, short
from evodom.files import parse_json, read_text

CHECKS = {"with_endgame_check": True, "without_endgame_check": False}

FIGURES = (
    "win_pct",
    "tie_pct",
    "share_pct",
    "seat_win_pct",
    "mean_vp",
    "mean_turns",
    "sd_turns",
    "three_pile_pct",
)
"""What is compared of a match."""

BY_LIMIT = ("at_least_one_hand_>=", "both_hands_>=")
NEITHER, MEAN_COINS = "neither_>=", "mean_total_coins"
"""What is compared of an opening: tables of probabilities by coins, one of them alone, and a mean."""

LARGEST = 5_000_000
"""Bytes of the longest file that is read."""

MOST_EXPECTED = 10**12
"""Games that a figure comes from."""

MOST_CARDS = 10
"""Cards of an opening."""

PROVINCES = tuple(map(str, range(1, 9)))
"""The numbers of Provinces that a result alone may be about."""

PER_PLAYER = ("win_pct", "share_pct", "seat_win_pct", "mean_vp")
"""Those of them that are a list with a number for each player or seat."""


@dataclass(frozen=True)
class Matchup:
    """One match and what came of it, once for each setting of the endgame check."""

    players: tuple[str, ...]
    expected: Mapping[bool, Mapping[str, Any]]

    @property
    def name(self) -> str:
        """The players with "v" between them."""
        return " v ".join(self.players)


@dataclass(frozen=True)
class KnownResults:
    """What a file says: strategies, matches among them, and results without opponents.

    ``solitaire`` has for each strategy (mean, standard deviation) of the turn of its n-th Province; ``openings`` for
    the two cards bought first the probabilities of what the hands of turns 3 and 4 are worth; ``splits`` those of the
    coins of turns 1 and 2, "5/2" for 5, then 2.
    """

    strategies: Mapping[str, BuyList]
    matchups: tuple[Matchup, ...]
    solitaire: Mapping[str, Mapping[int, tuple[float, float]]] = field(default_factory=dict)
    openings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    splits: Mapping[str, float] = field(default_factory=dict)

    def kingdom(self, players: tuple[str, ...]) -> Kingdom:
        """Return the kingdom cards that the rules of these players name; raises UsageError for more than ten."""
        basic = {card.name for card in BASIC}
        named = dict.fromkeys(name for player in players for name in self.strategies[player].cards)
        cards = tuple(name for name in named if name not in basic)
        if len(cards) > KINGDOM_SIZE:
            raise UsageError(f"{' v '.join(players)}: {len(cards)} kingdom cards are named. Allowed: {KINGDOM_SIZE}.")
        return Kingdom(cards)


def read_results(path: Path) -> KnownResults:
    """Return the known results of a file; raises UsageError for what cannot be read or is not understood."""
    try:
        content = parse_json(read_text(path, "known results", "JSON", LARGEST))
    except UsageError:
        raise
    except ValueError as error:
        raise UsageError(f"{path} is not JSON: {error}.") from None
    table = _table(content, str(path))
    strategies = {
        name: _buy_list(rules, f"strategy {name}")
        for name, rules in _table(table.get("strategies", {}), "strategies").items()
    }
    matchups = tuple(
        _matchup(each, nth, strategies) for nth, each in enumerate(_list(table.get("matchups", []), "matchups"), 1)
    )
    known = KnownResults(
        strategies,
        matchups,
        _solitaire(
            _table(table.get("solitaire_turns_to_n_provinces", {}), "solitaire_turns_to_n_provinces"), strategies
        ),
        *_openings(_table(table.get("exact_opening_probabilities", {}), "exact_opening_probabilities")),
    )
    if not (matchups or known.solitaire or known.openings):
        raise UsageError(f"{path} holds no matchups. Allowed: an object with strategies and matchups.")
    for matchup in matchups:
        kingdom = known.kingdom(matchup.players)
        for player in set(matchup.players):
            buy_list_strategy(strategies[player], kingdom)
    return known


def _buy_list(rules: Any, where: str) -> BuyList:
    """Return the buy list of a list of {"card": ..., "if": [...]}; a rule may also be text."""
    places = [(each, f"{where}, rule {nth}") for nth, each in enumerate(_list(rules, where), 1)]
    buy = tuple(_rule(each, place) for each, place in places)
    for rule, (_, place) in zip(buy, places, strict=True):
        _checked(lambda rule=rule: BuyList((rule,)).rules, place)
    return BuyList(buy)


def _rule(each: Any, where: str) -> Any:
    """Return a rule as text."""
    if not isinstance(each, dict):
        return each
    _known(each, ("card", "if"), where)
    if not isinstance(each.get("card"), str):
        raise UsageError(f"{where}: card is {short(each.get('card'))}. Allowed: the name of a card.")
    conditions = each.get("if", [])
    if isinstance(conditions, str):
        conditions = [conditions]
    if not all(isinstance(condition, str) for condition in _list(conditions, f"{where}, if")):
        raise UsageError(f"{where}, if is {short(conditions)}. Allowed: a list of conditions as text.")
    return f"{each['card']} if {' and '.join(conditions)}" if conditions else each["card"]


def _checked(call: Any, where: str) -> Any:
    """Return what a call returns; where it is in the file stands before its error."""
    try:
        return call()
    except UsageError as error:
        raise UsageError(f"{where}: {error}") from None


def _matchup(each: Any, nth: int, strategies: Mapping[str, BuyList]) -> Matchup:
    where = f"matchup {nth}"
    players = tuple(_list(_table(each, where).get("players"), f"{where}, players"))
    for player in players:
        if not isinstance(player, str) or player not in strategies:
            raise UsageError(f"{where}: no strategy named {player!r}. Known: {', '.join(strategies)}.")
    if not 2 <= len(players) <= MAX_SEATS:
        raise UsageError(f"{where} has {len(players)} players. Allowed: 2 to {MAX_SEATS}.")
    _known(each, ("players", *CHECKS, "note"), where)
    expected = {
        check: _expected(each[key], f"{where}, {key}", len(players))
        for key, check in CHECKS.items()
        if each.get(key) is not None
    }
    if not expected:
        raise UsageError(f"{where} expects nothing. Allowed: {' and '.join(CHECKS)}.")
    return Matchup(players, expected)


def _expected(block: Any, where: str, n_players: int) -> Mapping[str, Any]:
    """Return the figures of one setting, those of FIGURES checked."""
    figures = _table(block, where)
    for name in FIGURES:
        if name not in figures:
            continue
        values = _list(figures[name], f"{where}, {name}") if name in PER_PLAYER else [figures[name]]
        if name in PER_PLAYER and len(values) != n_players:
            raise UsageError(f"{where}: {name} has {len(values)} numbers for {n_players} players.")
        for value in values:
            _number(value, f"{where}, {name}")
            most = 100 if name.endswith("_pct") else MAX_NUMBER
            if not (0 <= value <= most or name == "mean_vp"):
                raise UsageError(f"{where}: {name} is {value}. Allowed: 0 to {most}.")
    if not any(name in figures for name in FIGURES):
        raise UsageError(f"{where} holds no figure that is known. Known: {', '.join(FIGURES)}.")
    games = figures.get("games", 1)
    if type(games) is not int or not 1 <= games <= MOST_EXPECTED:
        raise UsageError(f"{where}: games is {short(games)}. Allowed: 1 to {MOST_EXPECTED}.")
    return figures


def _solitaire(
    table: Mapping[str, Any], strategies: Mapping[str, BuyList]
) -> dict[str, dict[int, tuple[float, float]]]:
    found: dict[str, dict[int, tuple[float, float]]] = {}
    for name, turns in table.items():
        if name in ("note", "about"):
            continue
        if name not in strategies:
            raise UsageError(f"solitaire: no strategy named '{name}'. Known: {', '.join(strategies)}.")
        found[name] = {}
        for n, figures in _table(turns, f"solitaire, {name}").items():
            where = f"solitaire, {name}, {n} Provinces"
            if n not in PROVINCES:
                raise UsageError(f"{where}: the number of Provinces is '{n}'. Allowed: 1 to 8.")
            values = [_number(_table(figures, where).get(key), f"{where}, {key}") for key in ("mean_turns", "sd")]
            if values[1] < 0:
                raise UsageError(f"{where}, sd is {values[1]:g}. Allowed: 0 or more.")
            found[name][int(n)] = (values[0], values[1])
    return found


def _openings(table: Mapping[str, Any]) -> tuple[dict[str, Mapping[str, Any]], dict[str, float]]:
    splits = {
        _split(pair): _probability(p, f"opening_split, {pair}")
        for pair, p in _table(table.get("opening_split", {}), "opening_split").items()
    }
    openings = {}
    for name, figures in table.items():
        if name in ("opening_split", "note", "about"):
            continue
        cards = name.split("/")
        if len(cards) > MOST_CARDS:
            raise UsageError(f"opening {name} has {len(cards)} cards. Allowed: {MOST_CARDS}.")
        named = [_checked(lambda card=card: find_card(card), f"opening {name}").name for card in cards]
        openings["/".join(named)] = _opening(_table(figures, f"opening {name}"), f"opening {name}")
    return openings, splits


def _opening(figures: Mapping[str, Any], where: str) -> Mapping[str, Any]:
    """Return the figures of an opening, those that are compared checked."""
    for key, value in figures.items():
        place = f"{where}, {key}"
        if key in BY_LIMIT:
            for limit, p in _table(value, place).items():
                _coins(limit, place)
                _probability(p, f"{place}, {limit}")
        elif key.startswith(NEITHER):
            _coins(key.removeprefix(NEITHER), place)
            _probability(value, place)
        elif key.startswith(MEAN_COINS):
            _number(value, place)
    return figures


def _split(pairs: str) -> str:
    """Return the coins of two hands, such as "5/2 or 2/5", as they are."""
    for pair in pairs.split(" or "):
        coins = pair.split("/")
        if len(coins) != 2:
            raise UsageError(f'opening_split has {short(pairs)}. Allowed: coins such as "5/2 or 2/5".')
        for number in coins:
            _coins(number, "opening_split")
    return pairs


def _coins(text: str, where: str) -> None:
    if not (text.isascii() and text.isdecimal() and len(text) <= 2):
        raise UsageError(f"{where}: {short(text)} is no number of coins. Allowed: 0 to 99.")


def _probability(value: Any, where: str) -> float:
    if not 0 <= _number(value, where) <= 1:
        raise UsageError(f"{where} is {short(value)}. Allowed: 0 to 1.")
    return float(value)


def _known(table: Mapping[str, Any], keys: tuple[str, ...], where: str) -> None:
    for key in table:
        if key not in keys:
            raise UsageError(f"{where}: '{key}' is not known. Allowed: {', '.join(keys)}.")


def _table(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise UsageError(f"{where} is {short(value)}. Allowed: an object.")
    return value


def _list(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise UsageError(f"{where} is {short(value)}. Allowed: a list.")
    return value


def _number(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= MAX_NUMBER:
        raise UsageError(f"{where} is {short(value)}. Allowed: a number.")
    return float(value)
