"""Scripted baselines: a random player, and menus such as Big Money, as data.

A menu is an ordered list of wishes; at every buy the first one that can be had is bought.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from evodom.dominion.cards import PROVINCE, kingdom_piles
from evodom.dominion.effects import (
    NO_LIMIT,
    OP,
    OP_BUY,
    OP_CHOOSE,
    OP_OFFER_REACTION,
    OP_PLAY_ACTION,
    OP_PLAY_TREASURE,
    PLUS,
    SOURCE,
    SUPPLY,
    TARGET,
    TRASH,
)
from evodom.dominion.resolve import END, PASS_BIT, lowest_pile
from evodom.dominion.rules import NONE, PASS, Rules
from evodom.dominion.state import State
from evodom.dominion.strategies.choices import lowest, select_card
from evodom.dominion.strategies.record import KIND_MENU, KIND_RANDOM, STRATEGY, Strategy
from evodom.dominion.strategies.sampling import sample_uniform
from evodom.errors import UsageError
from evodom.kernel import kernel

ANY_NUMBER = 999


@dataclass(frozen=True, slots=True)
class Wish:
    """Buy ``card`` while owning fewer than ``at_most`` and while at most ``provinces`` Provinces are left."""

    card: str
    at_most: int = ANY_NUMBER
    provinces: int = ANY_NUMBER


def big_money(*extra: Wish) -> tuple[Wish, ...]:
    """Return Big Money: Provinces, Gold, Silver, Duchies and Estates late, and ``extra`` wishes before Silver."""
    return (
        Wish("Province"),
        Wish("Duchy", provinces=4),
        Wish("Estate", provinces=2),
        Wish("Gold"),
        *extra,
        Wish("Silver"),
    )


MENUS: dict[str, tuple[Wish, ...]] = {
    "big-money": big_money(),
    "big-money-smithy": big_money(Wish("Smithy", at_most=2)),
    "big-money-militia": big_money(Wish("Militia", at_most=1)),
    "big-money-laboratory": big_money(Wish("Laboratory")),
    "workshop-gardens": (
        Wish("Workshop", at_most=9),
        Wish("Gardens"),
        Wish("Estate"),
        Wish("Silver"),
        Wish("Copper"),
    ),
    "chapel-witch": (
        Wish("Province"),
        Wish("Witch", at_most=1),
        Wish("Duchy", provinces=4),
        Wish("Estate", provinces=2),
        Wish("Gold"),
        Wish("Chapel", at_most=1),
        Wish("Silver"),
    ),
    "double-witch": (
        Wish("Province"),
        Wish("Duchy", provinces=5),
        Wish("Estate", provinces=2),
        Wish("Witch", at_most=1),
        Wish("Gold"),
        Wish("Witch", at_most=2),
        Wish("Silver"),
    ),
}
"""The menus by name; a kingdom that lacks one of their cards is not for them."""

BASELINES = ("random", *MENUS)
"""Names of all baselines."""

USE = {
    "Province": 7, "Duchy": 8, "Gardens": 8, "Estate": 9, "Curse": 10, "Copper": 15, "Chapel": 16, "Cellar": 17,
    "Chancellor": 18, "Thief": 18, "Harbinger": 19, "Merchant": 19, "Vassal": 19, "Remodel": 20, "Silver": 20,
    "Spy": 20, "Woodcutter": 20, "Village": 21, "Feast": 22, "Mine": 22, "Moneylender": 22, "Poacher": 22,
    "Workshop": 22, "Bureaucrat": 23, "Moat": 23, "Throne Room": 23, "Adventurer": 24, "Gold": 24, "Smithy": 24,
    "Militia": 25, "Artisan": 26, "Library": 26, "Bandit": 27, "Council Room": 27, "Festival": 27, "Sentry": 27,
    "Laboratory": 28, "Market": 30, "Witch": 32,
}  # fmt: skip
"""What a card is worth to a scripted player during a turn: the lowest is discarded first."""

KEEP = USE | {"Curse": 0, "Gardens": 30, "Duchy": 40, "Province": 60}
"""What a card is worth to own: the lowest is trashed first."""

RUBBISH = 16
"""Cards worth less than this to own are trashed when they may be, ..."""

COIN_FLOOR = 6
"""... but no Treasure that would leave the deck with fewer coins than this."""


def missing_cards(name: str, kingdom: tuple[str, ...]) -> list[str]:
    """Return the cards a baseline wants that a kingdom's Supply lacks."""
    supply = {card.name for card in kingdom_piles(kingdom)}
    return [wish.card for wish in MENUS.get(name, ()) if wish.card not in supply]


def fitting_baselines(kingdom: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of the baselines that lack no card in a kingdom, weakest first."""
    return tuple(name for name in BASELINES if not missing_cards(name, kingdom))


def baseline(name: str, kingdom: tuple[str, ...]) -> Strategy:
    """Return a baseline for a kingdom as a record of STRATEGY; wishes for cards outside it are left out."""
    if name not in BASELINES:
        raise UsageError(f"no baseline named '{name}'. Known: {', '.join(BASELINES)}.")
    return menu_strategy(MENUS.get(name, ()), kingdom, kind=KIND_RANDOM if name == "random" else KIND_MENU)


def menu_strategy(menu: tuple[Wish, ...], kingdom: tuple[str, ...], *, kind: int = KIND_MENU) -> Strategy:
    """Return a menu as a record of STRATEGY."""
    names = [card.name for card in kingdom_piles(kingdom)]
    strategy = np.zeros(1, STRATEGY)[0]
    strategy.kind = kind
    rows = [(names.index(wish.card), wish.at_most, wish.provinces) for wish in menu if wish.card in names]
    strategy.n_menu = len(rows)
    strategy.menu[: len(rows)] = np.array(rows, dtype=np.int32).reshape(-1, 3)
    strategy.weighs = 1
    strategy.use[: len(names)] = [USE[name] for name in names]
    strategy.keep[: len(names)] = [KEEP[name] for name in names]
    strategy.trash_below[:] = RUBBISH
    strategy.coin_floor = COIN_FLOOR
    return strategy


@kernel
def select_random(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Return any legal choice, all equally likely."""
    return sample_uniform(state, state.legal)


@kernel
def select_from_menu(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Return the choice of a menu strategy for the pending Decision."""
    row = state.asking
    op = rules.effects[row, OP]
    if op == OP_BUY:
        wish = first_wish(state, strategy)
        return PASS if wish == NONE else wish
    if op == OP_PLAY_ACTION:
        return next_action(rules, state)
    if op in (OP_OFFER_REACTION, OP_PLAY_TREASURE):
        return lowest_pile(state.legal)
    if op == OP_CHOOSE and rules.effects[row, SOURCE] == SUPPLY:
        return gain_wished(state, strategy)
    is_last = row + 1 == state.stack[state.depth - 1, END]
    if rules.effects[row, TARGET] == TRASH and not is_last and rules.effects[row + 1, PLUS] != NO_LIMIT:
        return lowest(strategy.keep, state.legal & ~PASS_BIT)
    return select_card(rules, state, strategy)


@kernel
def gain_wished(state: State, strategy: Strategy) -> Any:
    """Gain what is wished for; if nothing is, the dearest card."""
    wish = first_wish(state, strategy)
    return highest_pile(state.legal & ~PASS_BIT) if wish == NONE else wish


@kernel
def first_wish(state: State, strategy: Strategy) -> Any:
    """Return the first pile of the menu that is legal now and still wanted, or NONE."""
    for wish in range(strategy.n_menu):
        pile = strategy.menu[wish, 0]
        if (
            (state.legal >> pile) & 1
            and state.owned[state.decider, pile] < strategy.menu[wish, 1]
            and state.cards[SUPPLY, PROVINCE] <= strategy.menu[wish, 2]
        ):
            return np.int64(pile)
    return np.int64(NONE)


@kernel
def next_action(rules: Rules, state: State) -> Any:
    """Return the Action to play: nonterminals, then those that draw, then the rest; the dearest first."""
    for index in range(3):
        playable = state.legal & rules.classes[index]
        if playable != 0:
            return highest_pile(playable)
    return PASS


@kernel
def highest_pile(mask: Any) -> Any:
    """Return the highest set bit of a mask that has one."""
    pile = PASS
    while (mask >> pile) & 1 == 0:
        pile -= 1
    return pile
