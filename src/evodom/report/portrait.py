"""A preference strategy as something a player can read: what it buys with which coins, and which Actions it plays."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.cards import ACTION_CLASS_NAMES, Card
from evodom.dominion.engine.effects import Type
from evodom.dominion.game import PASS_NAME
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.conditions import decode, effective_rules, format_rule
from evodom.dominion.strategies.preferences import BUY_SAMPLES
from evodom.dominion.strategies.record import ALWAYS, EARLY, KIND_MENU, LATE, Strategy, check_kingdom
from evodom.dominion.strategies.wording import conditions_in_words, phases_in_words

UNTOLD = 2e-9
"""A weight of no more than this is one that classic shapes give to all types they do not mention."""

MOST_CARDS = 12
"""No kingdom pile has more cards: a limit beyond it is none."""


@dataclass(frozen=True, slots=True)
class Buys:
    """What is bought with ``coins_from`` to ``coins_to`` coins (None: any number more): probabilities by card, and of
    passing."""

    coins_from: int
    coins_to: int | None
    probabilities: dict[str, float]


@dataclass(frozen=True, slots=True)
class Phase:
    """The preference of a phase, its cards in ``order``; ``when`` it is used, in words.

    What waits for the end is no early buy.
    """

    when: str
    weights: dict[str, float]
    buys: list[Buys]
    order: list[str]


@dataclass(frozen=True, slots=True)
class ActionClass:
    """A class of Actions and the kingdom's cards in it."""

    name: str
    cards: list[str]


@dataclass(frozen=True, slots=True)
class Worth:
    """What cards are worth to own, best first; which are trashed early and late, and the coins that Treasures keep."""

    order: list[str]
    trashed_early: list[str]
    trashed_late: list[str]
    coin_floor: int


@dataclass(frozen=True, slots=True)
class Portrait:
    """How a preference strategy buys early and late, and its classes of Actions, the one it plays first at the head.

    ``graded`` says that it draws among what it can buy, ``limits`` how many of a card it wants at most, ``conditions``
    when cards are wanted, in words, and ``worth`` what it trashes and keeps; None if it does not weigh cards.
    """

    early: Phase
    late: Phase
    actions: list[ActionClass]
    graded: bool
    limits: dict[str, int]
    conditions: list[str]
    worth: Worth | None


@dataclass(frozen=True, slots=True)
class MenuPortrait:
    """The rules of a menu in order: at each buy the first whose card can be had and whose conditions hold.

    Those that can never be the first are left out.
    """

    rules: list[str]


def portrait(strategy: Strategy, kingdom: Kingdom) -> Portrait | MenuPortrait:
    """Return the portrait of a preference strategy or of a menu; raises UsageError for one of another kingdom."""
    check_kingdom(strategy, kingdom.fingerprint)
    if strategy.kind == KIND_MENU:
        return MenuPortrait([format_rule(rule) for rule in effective_rules(decode(strategy, kingdom))])
    piles = kingdom.piles
    until, then = phases_in_words(strategy)
    return Portrait(
        early=_phase(strategy, EARLY, piles, until),
        late=_phase(strategy, LATE, piles, then),
        actions=_actions(strategy.class_weights, piles),
        graded=bool(strategy.graded),
        limits={card.name: int(n) for card, n in zip(piles, strategy.limits, strict=False) if n < MOST_CARDS},
        conditions=list(conditions_in_words(strategy, kingdom)),
        worth=_worth(strategy, piles) if strategy.weighs else None,
    )


def buy_probabilities(weights: npt.NDArray[Any], affordable: Collection[int]) -> tuple[npt.NDArray[np.float64], float]:
    """Return the probability of buying each pile, and of passing, for the piles one can afford.

    Exact: up to BUY_SAMPLES distinct piles are drawn by weight, and the first that can be bought is. All piles of
    ``weights`` are in the Supply, and no buy would end the game.
    """
    odds = np.zeros(len(weights))
    passing = 0.0

    def think(wanted: tuple[int, ...], probability: float, n_left: int) -> None:
        nonlocal passing
        if n_left == 0:
            passing += probability
            return
        total = sum(weights[pile] for pile in wanted)
        for pile in wanted:
            chance = probability * weights[pile] / total
            if pile in affordable:
                odds[pile] += chance
            else:
                think(tuple(other for other in wanted if other != pile), chance, n_left - 1)

    think(tuple(range(len(weights))), 1.0, BUY_SAMPLES)
    return odds, float(passing)


def graded_probabilities(
    weights: npt.NDArray[Any], affordable: Collection[int]
) -> tuple[npt.NDArray[np.float64], float]:
    """Return the same of a graded preference: drawn by weight among what one can afford, nothing if that has none."""
    odds = np.zeros(len(weights))
    chosen = list(affordable)
    total = float(weights[chosen].sum())
    if total == 0.0:
        return odds, 1.0
    odds[chosen] = weights[chosen] / total
    return odds, 0.0


def _phase(strategy: Strategy, phase: int, piles: tuple[Card, ...], when: str) -> Phase:
    names = [card.name for card in piles]
    own = strategy.weights[phase][: len(piles)]
    waits = (strategy.from_left[: len(piles)] < ALWAYS) & (phase == EARLY)
    bought = np.where(waits, 0.0, own)
    probabilities_of = graded_probabilities if strategy.graded else buy_probabilities
    costs = sorted({card.cost for card in piles})
    ends = [*(cost - 1 for cost in costs[1:]), None]
    buys = []
    for cost, end in zip(costs, ends, strict=True):
        odds, passing = probabilities_of(bought, {pile for pile, card in enumerate(piles) if card.cost <= cost})
        probabilities = {name: float(odd) for name, odd in zip(names, odds, strict=True) if odd > 0.0}
        buys.append(Buys(cost, end, probabilities | {PASS_NAME: passing}))
    least = 0.0 if strategy.graded else UNTOLD
    order = [names[pile] for pile in np.argsort(-own, kind="stable") if own[pile] > least]
    return Phase(when, dict(zip(names, map(float, own), strict=True)), buys, order)


def _actions(class_weights: npt.NDArray[Any], piles: tuple[Card, ...]) -> list[ActionClass]:
    classes = [
        ActionClass(
            ACTION_CLASS_NAMES[index],
            [card.name for card in piles if Type.ACTION in card.types and card.action_class == index],
        )
        for index in np.argsort(-class_weights, kind="stable")
    ]
    return [one for one in classes if one.cards]


def _worth(strategy: Strategy, piles: tuple[Card, ...]) -> Worth:
    order = sorted(range(len(piles)), key=lambda pile: -strategy.keep[pile])

    def trashed(phase: int) -> list[str]:
        return [piles[pile].name for pile in order if strategy.keep[pile] < strategy.trash_below[phase]]

    names = [piles[pile].name for pile in order]
    return Worth(names, trashed(EARLY), trashed(LATE), int(strategy.coin_floor))
