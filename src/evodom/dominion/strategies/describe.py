"""Types of descriptions of strategies in words, and helpers for words. Models fill them in."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.record import Strategy, check_kingdom
from evodom.dominion.strategies.registry import model_of


@dataclass(frozen=True, slots=True)
class StrategyDescription:
    """Description of a strategy in words. Its parts depend on the model.

    ``buying`` describes the choice of buys in one or two sentences. ``rules`` are the rules of a buy list in order.
    ``facts`` are further statements by topic ("trashes early").
    """

    buying: str
    rules: list[str] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BuyOrder:
    """Buys in words, most urgent first. ``when`` names their part of the game; "" is the whole game."""

    when: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BuyOrders:
    """The buys of a strategy in words: a list for each part of the game, and notes on all lists."""

    lists: tuple[BuyOrder, ...]
    notes: tuple[str, ...] = ()


def describe_buys(strategy: Strategy, kingdom: Kingdom) -> BuyOrders:
    """Return the buys of a strategy in words. Raise UsageError for a strategy of another kingdom."""
    check_kingdom(strategy, kingdom.fingerprint)
    return model_of(strategy).describe_buys(strategy, kingdom)


def end_near(n_gains: int) -> str:
    """Return "5 more cards can end the game" for ``n_gains`` 5. With 0 the game ends after this turn."""
    return "this turn ends the game" if n_gains == 0 else f"{counted(n_gains, 'more card')} can end the game"


def numbers_in_words(numbers: Mapping[str, float]) -> str:
    """Return "coins 2, trashing 0.5" for a table of numbers."""
    return ", ".join(f"{name} {n:g}" for name, n in numbers.items())


def counted(n: int, noun: str) -> str:
    """Return a number and its noun, in the plural unless the number is 1."""
    return f"{n} {noun if n == 1 else plural(noun)}"


def plural(noun: str) -> str:
    """Return a noun in the plural: "Villages", "Duchies", "Buys", "Witches"."""
    if noun.endswith("s"):
        return noun
    if noun.endswith("y") and noun[-2:] not in ("ay", "ey", "uy"):
        return f"{noun[:-1]}ies"
    return f"{noun}{'es' if noun.endswith('ch') else 's'}"
