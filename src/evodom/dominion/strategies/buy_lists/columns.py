"""The block of buy lists in the record of a strategy."""

from typing import Annotated, Protocol

from evodom.dominion.engine.rules import Numbers

MAX_RULES, MAX_CONDITIONS, MAX_TERMS = 32, 64, 96
"""Capacity of a buy list: rules, conditions of all rules, terms of all conditions."""


class BuyListColumns(Protocol):
    """Buy lists follow the first rule whose pile is available and whose conditions hold."""

    n_rules: int
    """A buy list follows the first rule whose pile is available and whose conditions hold."""
    rules: Annotated[Numbers, (MAX_RULES, 5)]
    """The columns of the three tables are in `buy_lists.rules`."""
    conditions: Annotated[Numbers, (MAX_CONDITIONS, 4)]
    terms: Annotated[Numbers, (MAX_TERMS, 3)]
    endgame_check: int
    """Whether no gain ends the game lost."""
