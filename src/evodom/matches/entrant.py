"""A strategy as it takes part in matches."""

from dataclasses import dataclass

from evodom.dominion.strategies.record import Strategy


@dataclass(frozen=True)
class Entrant:
    """A strategy with the name it plays under; two entrants of one ``origin`` are copies of each other."""

    name: str
    origin: tuple[str, ...]
    strategy: Strategy
