"""Menus as genomes: an ordered list of what to buy, how many at most, and when.

A genome has ROOM rules, the most urgent first. A rule is a pile, how many of it to own at most, and when it holds:
always, from one turn to another, or once few Provinces or few gains to the end are left, or once the deck makes coins.
At every buy the first rule that holds and can be afforded is followed (`evodom.dominion.strategies.menu`); how its
cards are played is not evolved.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.cards import BASIC, COPPER, CURSE_PILE, DUCHY, ESTATE
from evodom.dominion.engine.rules import N_PILES
from evodom.dominion.strategies.conditions import (
    COMPARISONS,
    GAINS_TO_END,
    TOTAL_MONEY,
    TURN_NUMBER,
)
from evodom.dominion.strategies.menus import Menu, menu_strategy
from evodom.dominion.strategies.record import ANY_NUMBER, STRATEGY
from evodom.evolution.genome import BUY_NOISE, LIMITS, UNLIMITED, moved, orders_by_cost
from evodom.evolution.options import Options

ROOM = 16

AT_MOST, MORE, AT_LEAST = (COMPARISONS[sign] for sign in ("<=", ">", ">="))

ALWAYS, TURNS, PROVINCES_LEFT, GAINS_LEFT, MONEY = range(5)
"""When a rule holds: its kinds."""

LAST_TURN = 40
"""Turns count to here: a range that ends here has no end."""

MENU_GENOME = np.dtype(
    [
        ("pile", "u1", (ROOM,)),
        ("at_most", "u1", (ROOM,)),
        ("when", "u1", (ROOM,)),
        ("low", "u1", (ROOM,)),
        ("high", "u1", (ROOM,)),
    ]
)
"""One menu; ``low`` and ``high`` are the turns of a range, ``low`` alone the number of any other kind."""

FIELDS = ("pile", "at_most", "when", "low", "high")

NUMBERS = {PROVINCES_LEFT: (1, 8), GAINS_LEFT: (1, 10), MONEY: (6, 24)}
"""What the number of each kind is drawn from, both ends included."""

NUMBER_STEP = 2

CONDITIONS_PER_RULE = 2
"""The two ends of a range of turns, or one of another kind."""

Menus = npt.NDArray[Any]


def random_menus(n: int, options: Options, rng: np.random.Generator) -> Menus:
    """Return ``n`` menus that follow the costs, blurred: what costs more is mostly wanted first.

    Estates and Duchies wait for the end in most of them. Coppers and Curses are left to mutation.
    """
    orders = orders_by_cost(n, options, BUY_NOISE, rng)
    left_out = np.isin(orders, (COPPER, CURSE_PILE)) | (orders >= len(options.kingdom.piles))
    wanted = orders[~left_out].reshape(n, -1)[:, :ROOM]
    menus = np.zeros(n, MENU_GENOME)
    menus["pile"][:, : wanted.shape[1]] = wanted
    menus["at_most"][:, : wanted.shape[1]] = UNLIMITED
    kingdom = menus["pile"] >= len(BASIC)
    menus["at_most"][kingdom] = rng.choice(np.append(LIMITS, 0), size=int(kingdom.sum()))
    draw_when(menus, rng.random(menus["pile"].shape) < 0.15, options, rng)
    late = np.isin(menus["pile"], (ESTATE, DUCHY)) & (rng.random(menus["pile"].shape) < 0.9)
    menus["when"][late] = GAINS_LEFT
    menus["low"][late] = rng.integers(1, 9, size=int(late.sum()))
    return menus


def draw_when(menus: Menus, chosen: npt.NDArray[np.bool_], options: Options, rng: np.random.Generator) -> None:
    """Draw anew, in place, when the chosen rules hold; ``chosen`` is (n, ROOM)."""
    n = int(chosen.sum())
    kinds = rng.integers(len(NUMBERS) + 2, size=n)
    turns = np.sort(rng.integers(1, LAST_TURN // 2, size=(n, 2)), axis=1)
    # Most ranges are open at one end.
    turns[:, 1] = np.where(rng.random(n) < 0.5, LAST_TURN, turns[:, 1])
    turns[:, 0] = np.where(rng.random(n) < 0.5, 1, turns[:, 0])
    low = turns[:, 0]
    for kind, (least, most) in NUMBERS.items():
        low = np.where(kinds == kind, rng.integers(least, most + 1, size=n), low)
    menus["when"][chosen], menus["low"][chosen], menus["high"][chosen] = kinds, low, turns[:, 1]


def cross_menus(fitter: Menus, other: Menus, options: Options, rng: np.random.Generator) -> Menus:
    """Return one child of each pair: each rule mostly the fitter's, else the one at the same place of the other."""
    children = fitter.copy()
    from_other = rng.random((len(fitter), ROOM)) >= options.fitter_bias
    for field in FIELDS:
        children[field] = np.where(from_other, other[field], fitter[field])
    return children


def mutate_menus(menus: Menus, options: Options, rng: np.random.Generator) -> Menus:
    """Mutate menus in place and return them: a rule moves, is about another card, or holds at another time."""
    n = len(menus)
    n_piles = len(options.kingdom.piles)
    _move_rules(menus, options.order_mutation, rng)

    def one_rule(rate: float) -> npt.NDArray[np.bool_]:
        """Choose a rule of some of the menus."""
        chosen = np.zeros((n, ROOM), bool)
        chosen[np.arange(n), rng.integers(ROOM, size=n)] = rng.random(n) < rate
        return chosen

    chosen = one_rule(options.limit_mutation)
    menus["pile"][chosen] = rng.integers(n_piles, size=int(chosen.sum()))
    chosen = one_rule(options.limit_mutation)
    menus["at_most"][chosen] = rng.choice(np.append(LIMITS, 0), size=int(chosen.sum()))
    draw_when(menus, one_rule(options.need_mutation), options, rng)
    for field in ("low", "high"):
        chosen = rng.random((n, ROOM)) < options.need_mutation / 2
        step = rng.integers(-NUMBER_STEP, NUMBER_STEP + 1, size=int(chosen.sum()))
        menus[field][chosen] = np.clip(menus[field][chosen].astype(int) + step, 1, LAST_TURN)
    return menus


def _move_rules(menus: Menus, rate: float, rng: np.random.Generator) -> None:
    rows = np.flatnonzero(rng.random(len(menus)) < rate)
    sources = rng.integers(ROOM, size=len(rows))
    targets = (sources + rng.integers(1, ROOM, size=len(rows))) % ROOM
    places = moved(np.tile(np.arange(ROOM, dtype=np.uint8), (len(rows), 1)), sources, targets).astype(np.intp)
    for field in FIELDS:
        menus[field][rows] = np.take_along_axis(menus[field][rows], places, axis=1)


def menus_as_strategies(menus: Menus, options: Options) -> npt.NDArray[Any]:
    """Return the strategies the menus play as, an array of STRATEGY records."""
    strategies = np.zeros(len(menus), STRATEGY)
    strategies[:] = menu_strategy(Menu((), endgame_check=True), options.kingdom)
    present, conditions = _conditions(menus)
    # Those present stand first among the places of their rule.
    order = np.argsort(~present, axis=2, kind="stable")
    n_conditions = ROOM * CONDITIONS_PER_RULE
    conditions = np.take_along_axis(conditions, order[..., None], axis=2).reshape(len(menus), n_conditions, 4)
    places = np.arange(n_conditions)
    quantity, argument, comparison, constant = (conditions[..., column] for column in range(4))
    strategies["terms"][:, :n_conditions] = np.stack([quantity, argument, np.ones_like(quantity)], axis=2)
    strategies["conditions"][:, :n_conditions, 0] = comparison
    strategies["conditions"][:, :n_conditions, 1] = places
    strategies["conditions"][:, :n_conditions, 2] = places + 1
    strategies["conditions"][:, :n_conditions, 3] = constant
    first = np.broadcast_to(np.arange(ROOM) * CONDITIONS_PER_RULE, menus["pile"].shape)
    own_below = np.where(menus["at_most"] < UNLIMITED, menus["at_most"].astype(int), ANY_NUMBER)
    provinces = np.where(menus["when"] == PROVINCES_LEFT, menus["low"].astype(int), ANY_NUMBER)
    rules = [menus["pile"], first, first + present.sum(axis=2), own_below, provinces]
    strategies["rules"][:, :ROOM] = np.stack(rules, axis=2)
    strategies["n_rules"] = ROOM
    return strategies


def _conditions(menus: Menus) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.int64]]:
    """Return which conditions each rule has, (n, ROOM, 2), and these as (quantity, argument, comparison, constant).

    How many are owned and how many Provinces are left are no conditions of their own, but columns of the rule.
    """
    when, low, high = (menus[field].astype(np.int64) for field in ("when", "low", "high"))
    rows = np.zeros((*when.shape, CONDITIONS_PER_RULE, 4), np.int64)
    kinds = {
        TURNS: (TURN_NUMBER, 0, AT_LEAST),
        GAINS_LEFT: (GAINS_TO_END, 0, AT_MOST),
        MONEY: (TOTAL_MONEY, 0, MORE),
    }
    for kind, said in kinds.items():
        rows[:, :, 0, :3] = np.where((when == kind)[..., None], said, rows[:, :, 0, :3])
    rows[:, :, 0, 3] = low
    rows[:, :, 1, :3] = TURN_NUMBER, 0, AT_MOST
    rows[:, :, 1, 3] = high
    turns = when == TURNS
    begins = np.isin(when, (GAINS_LEFT, MONEY)) | (turns & (low > 1))
    return np.stack([begins, turns & (high < LAST_TURN)], axis=2), rows


def upgraded_menus(menus: Menus) -> Menus:
    """Return menus of an older version as they are now; there is none yet."""
    return menus


def menu_diversity(menus: Menus) -> float:
    """Return how much two random menus differ in the piles of their first five rules, from 0 to 1 (as `diversity`)."""
    frequencies = np.stack([np.bincount(menus["pile"][:, place], minlength=N_PILES) for place in range(5)]) / len(menus)
    return float((1.0 - (frequencies**2).sum(axis=1)).mean())
