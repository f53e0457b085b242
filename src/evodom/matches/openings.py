"""What a strategy buys on its first two turns, for each way in which seven Coppers can fall into two hands."""

from collections import Counter
from dataclasses import dataclass
from itertools import chain, repeat

from evodom.budget import NO_LIMIT, Budget
from evodom.dominion.engine.effects import OP_BUY
from evodom.dominion.engine.rules import PASS_NAME
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.position import parse_position
from evodom.dominion.strategies.model import Strategy
from evodom.dominion.strategies.registry import parts_of

SPLITS = ((4, 3), (3, 4), (5, 2), (2, 5))
"""Coppers in the hands of the first two turns."""

TRIES = 40
"""How often a strategy that draws its buys is asked."""

NOTHING = "nothing"
AND = " + "
"""What stands between several buys of a turn."""

OTHERS = "deck 7 Copper, 3 Estate"


@dataclass(frozen=True, slots=True)
class OpeningBuys:
    """The most frequent buys of turns 1 and 2, and how frequent they are, in [0, 1]."""

    coins: tuple[int, int]
    buys: tuple[str, str]
    share: float

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards bought, by name."""
        return tuple(card for turn in self.buys for card in turn.split(AND))


def openings(
    strategy: Strategy, kingdom: Kingdom, n_players: int, seed: int, budget: Budget = NO_LIMIT
) -> list[OpeningBuys]:
    """Return the opening for each of SPLITS, found by letting the strategy play its first two turns.

    No player can attack that early, so the opponents do not matter. A strategy that draws its buys is asked TRIES
    times, or once and as often as the budget allows.
    """
    tries = TRIES if parts_of(strategy).draws else 1
    found = []
    for split, part in zip(SPLITS, budget.divided([1.0] * len(SPLITS)), strict=True):
        asked = chain.from_iterable(repeat(None, n) for n in part.portions(tries, 1))
        seen = Counter(
            _first_buys(strategy, kingdom, n_players, split, seed + number) for number, _ in enumerate(asked)
        )
        buys, n = seen.most_common(1)[0]
        found.append(OpeningBuys(split, buys, n / seen.total()))
    return found


def _first_buys(
    strategy: Strategy, kingdom: Kingdom, n_players: int, split: tuple[int, int], seed: int
) -> tuple[str, str]:
    """Return what is bought on turns 1 and 2; with more than one buy all of it."""
    first, second = split
    hand = f"P1: hand {_cards(first)}; deck {_cards(second)}"
    others = [f"P{seat}: {OTHERS}" for seat in range(2, n_players + 1)]
    game = parse_position(" | ".join([hand, *others]), kingdom, n_players, seed=seed)
    game.play_treasures_automatically(*range(n_players))
    bought: dict[int, list[str]] = {1: [], 2: []}
    while (decision := game.decision) is not None and game.state.turns[0] <= 2:
        choice = game.strategy_choice(strategy)
        if decision.seat == 0 and decision.effect.op == OP_BUY and choice.name != PASS_NAME:
            bought[int(game.state.turns[0])].append(choice.name)
        game.enact(choice)
    one, two = (AND.join(bought[turn]) or NOTHING for turn in (1, 2))
    return one, two


def _cards(coppers: int) -> str:
    """Return a hand of five with so many Coppers."""
    estates = 5 - coppers
    return f"{coppers} Copper" + (f", {estates} Estate" if estates else "")
