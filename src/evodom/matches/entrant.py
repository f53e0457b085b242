"""A strategy as it takes part in matches."""

from dataclasses import dataclass

from evodom.dominion.strategies.record import Strategy
from evodom.matches.agents import PythonAgent


@dataclass(frozen=True)
class Entrant:
    """Who plays under a name: a strategy's record, or an agent written in Python.

    Two entrants of one ``origin`` are copies of each other.
    """

    name: str
    origin: tuple[str, ...]
    strategy: Strategy | PythonAgent
