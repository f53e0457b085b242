"""`select`: the choice of any strategy for the pending Decision."""

from typing import Any

from evodom.dominion.engine.rules import Rules
from evodom.dominion.engine.state import State
from evodom.dominion.strategies.menu import select_from_menu
from evodom.dominion.strategies.preferences import select_preferred
from evodom.dominion.strategies.record import KIND_MENU, KIND_PREFERENCE, Strategy
from evodom.dominion.strategies.scripted import select_random
from evodom.kernel import kernel


@kernel
def select(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Return the pile a strategy chooses for the pending Decision, or PASS; draws from the state's random stream."""
    if strategy.kind == KIND_PREFERENCE:
        return select_preferred(rules, state, strategy)
    if strategy.kind == KIND_MENU:
        return select_from_menu(rules, state, strategy)
    return select_random(rules, state, strategy)
