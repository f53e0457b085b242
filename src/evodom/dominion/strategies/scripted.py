"""Scripted players by name: a random one, and the menus of `baselines`."""

from difflib import get_close_matches
from typing import Any

from evodom.dominion.engine.rules import Rules
from evodom.dominion.engine.state import State
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.baselines import MENUS
from evodom.dominion.strategies.menus import menu_strategy
from evodom.dominion.strategies.record import KIND_RANDOM, Strategy, blank_strategies
from evodom.dominion.strategies.sampling import sample_uniform
from evodom.errors import UsageError
from evodom.kernel import kernel

RANDOM = "random"

BASELINES = (RANDOM, *MENUS)
"""Names of all baselines."""


def missing_cards(name: str, kingdom: Kingdom) -> list[str]:
    """Return the cards a baseline wants to buy that a kingdom's Supply lacks."""
    supply = {card.name for card in kingdom.piles}
    wanted = [rule.card for rule in MENUS[name].rules] if name in MENUS else []
    return [card for card in dict.fromkeys(wanted) if card not in supply]


def fitting_baselines(kingdom: Kingdom) -> tuple[str, ...]:
    """Return the names of the baselines that lack no card in a kingdom."""
    return tuple(name for name in BASELINES if not missing_cards(name, kingdom))


def baseline(name: str, kingdom: Kingdom) -> Strategy:
    """Return a baseline for a kingdom as a record of STRATEGY; wishes for cards outside it are left out."""
    if name not in BASELINES:
        near = get_close_matches(name, BASELINES, n=1)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise UsageError(f"no baseline named '{name}'.{hint} Known: {', '.join(BASELINES)}.")
    if name != RANDOM:
        return menu_strategy(MENUS[name], kingdom)
    strategy = blank_strategies(1)[0]
    strategy.kind = KIND_RANDOM
    return strategy


@kernel
def select_random(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Return any legal choice, all equally likely."""
    return sample_uniform(state, state.legal)
