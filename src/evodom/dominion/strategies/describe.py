"""Describe a strategy in words: what it buys in which order, its rules, and other facts."""

from dataclasses import dataclass, field

from evodom.dominion.engine.effects import Type
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.base import Strategy, model_of
from evodom.dominion.strategies.record import check_kingdom


@dataclass(frozen=True, slots=True)
class Traits:
    """A strategy as a player can read it; which parts it has depends on its model.

    ``buying`` says in a sentence or two how it chooses what to buy; ``rules`` are those it follows, in order; ``facts``
    are other things to know, by what they are about ("trashes early").
    """

    buying: str
    rules: list[str] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BuyOrder:
    """What is bought first to last, each line in words; ``when`` it holds, "" for the whole game."""

    when: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Wording:
    """A strategy in words: its orders of buying, and what holds for all of them."""

    lists: tuple[BuyOrder, ...]
    notes: tuple[str, ...] = ()


def in_words(strategy: Strategy, kingdom: Kingdom) -> Wording:
    """Return a strategy in words; raises UsageError for one of another kingdom."""
    check_kingdom(strategy, kingdom.fingerprint)
    return model_of(strategy).in_words(strategy, kingdom)


def greening(strategy: Strategy, kingdom: Kingdom) -> tuple[str, ...]:
    """Return when Victory cards are bought: their lines, each with the time of its order unless another is earlier."""
    victories = [card.name for card in kingdom.piles if Type.VICTORY in card.types]
    found: dict[str, str] = {}
    for order in in_words(strategy, kingdom).lists:
        begins = f" {order.when}" if order.when and not order.when.startswith("until") else ""
        for line in order.lines:
            if any(name in (line, *line.split()[:2]) for name in victories):
                found.setdefault(line, line + begins)
    return tuple(found.values())


def end_near(n_gains: int) -> str:
    """Return in words that the fewest gains that can end the game are so many."""
    return f"{counted(n_gains, 'gain')} {'ends' if n_gains == 1 else 'end'} the game"


def counted(n: int, noun: str) -> str:
    """Return a number and its noun, in the plural unless there is one."""
    return f"{n} {noun if n == 1 else plural(noun)}"


def plural(noun: str) -> str:
    """Return a noun in the plural: "Villages", "Duchies", "Witches"."""
    if noun.endswith("s"):
        return noun
    if noun.endswith("y"):
        return f"{noun[:-1]}ies"
    return f"{noun}{'es' if noun.endswith('ch') else 's'}"
