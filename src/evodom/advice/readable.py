"""A strategy as a list that a person can read and edit, and that plays as well."""

from collections.abc import Iterator
from dataclasses import dataclass

from evodom.advice.edits import plays_alike, simplified
from evodom.dominion.strategies.baselines import baseline, buy_list_strategy
from evodom.dominion.strategies.buy_lists.buy_list import BuyList
from evodom.dominion.strategies.record import Strategy
from evodom.dominion.strategies.registry import edits_of
from evodom.dominion.strategies.wording import Wording, in_words
from evodom.errors import UsageError
from evodom.matches.copies import wins_against
from evodom.matches.streams import Figure
from evodom.matches.venue import Venue
from evodom.statistics import Share

BIG_MONEY = "big-money"

GAMES = 8000
"""Games of each figure: a list that is a point and a half worse is found out."""

AGAINST_ITSELF, AGAINST_BIG_MONEY = 0, 1


@dataclass(frozen=True)
class Readable:
    """A strategy that can be read, in words too, and how it compares with the one it was made from.

    ``against_original`` is what it wins against copies of that; ``before`` and ``after`` are what the original and the
    readable one win against Big Money. All three are None if nothing could be left out.
    """

    record: Strategy
    wording: Wording
    against_original: Share | None = None
    before: Share | None = None
    after: Share | None = None


def readable(venue: Venue, strategy: Strategy) -> Readable:
    """Return the most readable of a few forms of a strategy that is not found to play worse.

    First as a buy list without all that hardly matters, then as what it is without all that hardly matters, else as it
    is. Raises UsageError for a strategy that cannot be changed, such as the random player.
    """
    money = baseline(BIG_MONEY, venue.kingdom)
    before = wins_against(venue, strategy, money, GAMES, Figure.READABLE, AGAINST_BIG_MONEY)
    for record in _forms(venue, strategy, money):
        against = wins_against(venue, record, strategy, GAMES, Figure.READABLE, AGAINST_ITSELF)
        after = wins_against(venue, record, money, GAMES, Figure.READABLE, AGAINST_BIG_MONEY)
        if against.high >= 1.0 / venue.n_seats and after.high >= before.low:
            return Readable(record, in_words(record, venue.kingdom), against, before, after)
    return Readable(strategy, in_words(strategy, venue.kingdom))


def _forms(venue: Venue, strategy: Strategy, money: Strategy) -> Iterator[Strategy]:
    """Give the forms in which a strategy may be told, the easiest to read first."""
    rules = edits_of(strategy).as_rules(strategy, venue.kingdom)
    as_list = _as_list(venue, rules) if rules else None
    for form in (as_list, strategy):
        if form is not None:
            yield simplified(form, venue.kingdom, plays_alike(venue, form, (money, form)))


def _as_list(venue: Venue, rules: tuple[str, ...]) -> Strategy | None:
    """Return a buy list of these rules, None if they are more than a list has room for."""
    try:
        return buy_list_strategy(BuyList(rules, endgame_check=True), venue.kingdom)
    except UsageError:
        return None
