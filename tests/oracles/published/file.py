"""Read files of known results. Each error is one line with the place, the value and the allowed values."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

from evodom.dominion.cards import BASIC, KINGDOM_SIZE, find_card
from evodom.dominion.engine.rules import MAX_SEATS
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.baselines import buy_list_strategy
from evodom.dominion.strategies.models.buy_lists.buy_list import BuyList
from evodom.dominion.strategies.models.buy_lists.language import MAX_NUMBER
from evodom.dominion.strategies.record import PUBLISHED_VALUES
from evodom.errors import UsageError, short
from evodom.files import parse_json, read_text
from evodom.reading import convert

MAX_BYTES = 5_000_000
"""Maximum size of a file."""

MAX_CARDS = 10
"""Maximum number of cards of an opening."""

BY_LIMIT = ("at_least_one_hand_>=", "both_hands_>=")
"""Figures of an opening that are tables of probabilities by coins."""
NEITHER = "neither_>="
"""Beginning of a figure that is one probability."""
MEAN_COINS = "mean_total_coins"
"""Beginning of a figure that is a mean."""

NOTES = ("note", "about")

Number = Annotated[float, Meta(ge=-MAX_NUMBER, le=MAX_NUMBER)]
Positive = Annotated[float, Meta(ge=0, le=MAX_NUMBER)]
Percentage = Annotated[float, Meta(ge=0, le=100)]
Probability = Annotated[float, Meta(ge=0, le=1)]
COINS, SPLITS = r"[0-9]{1,2}", r"[0-9]{1,2}/[0-9]{1,2}( or [0-9]{1,2}/[0-9]{1,2})*"

PER_PLAYER = ("win_pct", "share_pct", "seat_win_pct", "mean_vp")


class Figures(Struct, frozen=True, kw_only=True):
    """The expected figures of a match. A list has a number for each player or seat."""

    games: Annotated[int, Meta(ge=1, le=10**12)] = 1_000_000
    """Games that the figures come from."""
    win_pct: list[Percentage] | None = None
    tie_pct: Percentage | None = None
    share_pct: list[Percentage] | None = None
    seat_win_pct: list[Percentage] | None = None
    mean_vp: list[Number] | None = None
    mean_turns: Positive | None = None
    sd_turns: Positive | None = None
    three_pile_pct: Percentage | None = None


FIGURES = tuple(name for name in Figures.__struct_fields__ if name != "games")


class Matchup(Struct, frozen=True, forbid_unknown_fields=True):
    """One match and its figures, once for each setting of the endgame check."""

    players: Annotated[tuple[str, ...], Meta(min_length=2, max_length=MAX_SEATS)]
    with_endgame_check: Figures | None = None
    without_endgame_check: Figures | None = None
    note: Any = None

    def __post_init__(self) -> None:
        if not self.expected:
            raise ValueError("it expects nothing. Allowed: with_endgame_check and without_endgame_check.")
        for figures in self.expected.values():
            given = {name: getattr(figures, name) for name in FIGURES if getattr(figures, name) is not None}
            if not given:
                raise ValueError(f"it holds no figure that is known. Known: {', '.join(FIGURES)}.")
            for name in PER_PLAYER:
                if name in given and len(given[name]) != len(self.players):
                    raise ValueError(f"{name} has {len(given[name])} numbers for {len(self.players)} players.")

    @property
    def expected(self) -> dict[bool, Figures]:
        """The figures with and without the endgame check, where they are given."""
        both = {True: self.with_endgame_check, False: self.without_endgame_check}
        return {check: figures for check, figures in both.items() if figures is not None}

    @property
    def name(self) -> str:
        """The players with "v" between them."""
        return " v ".join(self.players)


class Rule(Struct, frozen=True, forbid_unknown_fields=True):
    """A rule of a buy list: a card and its conditions."""

    card: str
    conditions: list[str] | str = field(default_factory=list, name="if")

    @property
    def text(self) -> str:
        """The rule in the language of buy lists."""
        conditions = [self.conditions] if isinstance(self.conditions, str) else self.conditions
        return f"{self.card} if {' and '.join(conditions)}" if conditions else self.card


class Turns(Struct, frozen=True):
    """On which turn a Province is gained: mean and standard deviation."""

    mean_turns: Number
    sd: Positive


class File(Struct, frozen=True):
    """A file as it is written; other fields are notes."""

    strategies: dict[str, list[Rule | str]] = field(default_factory=dict)
    matchups: list[Matchup] = field(default_factory=list)
    solitaire_turns_to_n_provinces: dict[str, Any] = field(default_factory=dict)
    exact_opening_probabilities: dict[str, Any] = field(default_factory=dict)


class KnownResults(Struct, frozen=True):
    """Strategies, matches among them, and results without opponents.

    ``solitaire`` has the turn of each strategy's n-th Province. ``openings`` has, by the cards bought
    first, the probabilities of the coins of turns 3 and 4. ``splits`` has the probabilities of the coins of turns 1 and
    2, "5/2" for 5, then 2. ``not_compared`` are the names of other figures of matches.
    """

    strategies: Mapping[str, BuyList]
    matchups: tuple[Matchup, ...]
    solitaire: Mapping[str, Mapping[int, Turns]]
    openings: Mapping[str, Mapping[str, Any]]
    splits: Mapping[str, float]
    not_compared: tuple[str, ...] = ()

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
        content = parse_json(read_text(path, "known results", "JSON", MAX_BYTES))
    except UsageError:
        raise
    except ValueError as error:
        raise UsageError(f"{path} is not JSON: {error}.") from None
    file = convert(content, File, source=str(path))
    strategies = {name: _buy_list(rules, f"strategy {name}") for name, rules in file.strategies.items()}
    solitaire, openings = file.solitaire_turns_to_n_provinces, dict(file.exact_opening_probabilities)
    splits = _probabilities(openings.pop("opening_split", {}), "opening_split", SPLITS, 'coins such as "5/2 or 2/5"')
    known = KnownResults(
        strategies,
        tuple(file.matchups),
        {name: _turns(turns, name) for name, turns in solitaire.items() if name not in NOTES},
        dict(_opening(figures, name) for name, figures in openings.items() if name not in NOTES),
        splits,
        _not_compared(content),
    )
    if not (known.matchups or known.solitaire or known.openings):
        raise UsageError(f"{path} holds no matchups. Allowed: an object with strategies and matchups.")
    for player in {*known.solitaire, *(player for matchup in known.matchups for player in matchup.players)}:
        if player not in strategies:
            raise UsageError(f"no strategy is named {player!r}. Known: {', '.join(strategies)}.")
    for matchup in known.matchups:
        kingdom = known.kingdom(matchup.players)
        for player in set(matchup.players):
            buy_list_strategy(strategies[player], kingdom)
    return known


def _buy_list(rules: list[Rule | str], where: str) -> BuyList:
    buy = tuple(rule.text if isinstance(rule, Rule) else rule for rule in rules)
    for nth, rule in enumerate(buy, 1):
        _checked(lambda rule=rule: BuyList((rule,)).rules, f"{where}, rule {nth}")
    return BuyList(buy, play_values=PUBLISHED_VALUES)


def _turns(turns: object, name: str) -> dict[int, Turns]:
    provinces = Literal["1", "2", "3", "4", "5", "6", "7", "8"]
    found = convert(turns, dict[provinces, Turns], source=f"solitaire, {name}")  # type: ignore[valid-type]
    return {int(n): one for n, one in found.items()}


def _opening(figures: object, name: str) -> tuple[str, dict[str, Any]]:
    """Return the names of an opening's cards, and its figures. Check the figures that are compared."""
    where, cards = f"opening {name}", name.split("/")
    if len(cards) > MAX_CARDS:
        raise UsageError(f"{where} has {len(cards)} cards. Allowed: {MAX_CARDS}.")
    named = [_checked(lambda card=card: find_card(card), where).name for card in cards]
    found = convert(figures, dict[str, Any], source=where)
    for key, value in found.items():
        if key in BY_LIMIT:
            _probabilities(value, f"{where}, {key}")
        elif key.startswith(NEITHER):
            _probabilities({key.removeprefix(NEITHER): value}, f"{where}, {key}")
        elif key.startswith(MEAN_COINS):
            convert(value, Number, source=f"{where}, {key}")
    return "/".join(named), found


def _probabilities(raw: object, where: str, pattern: str = COINS, allowed: str = "0 to 99 coins") -> dict[str, float]:
    """Return a table of probabilities by coins."""
    found = convert(raw, dict[str, Probability], source=where)
    for coins in found:
        if not re.fullmatch(pattern, coins):
            raise UsageError(f"{where}: the key is {short(coins)}. Allowed: {allowed}.")
    return found


def _checked(call: Callable[[], Any], where: str) -> Any:
    """Return the result of a call. Add its place in the file to the message of an error."""
    try:
        return call()
    except UsageError as error:
        raise UsageError(f"{where}: {error}") from None


def _not_compared(content: dict[str, Any]) -> tuple[str, ...]:
    """Return the names of figures in a file that are not compared."""
    blocks = [each.get(check) or {} for each in content.get("matchups", []) for check in Matchup.__struct_fields__[1:3]]
    return tuple(sorted({name for block in blocks for name in block} - {*FIGURES, "games", "note"}))
