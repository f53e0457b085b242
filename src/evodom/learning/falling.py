"""What falls while a network learns: how far it steps, and how much it tries."""

from dataclasses import dataclass

Ends = tuple[float, float]
"""A first and a last value; from one to the other it falls by equal factors."""


def fallen(ends: Ends, done: float) -> float:
    """Return the value between a first and a last one when so much is done, from 0 to 1."""
    first, last = ends
    return float(first * (last / first) ** done)


@dataclass(frozen=True)
class Falling:
    """The learning rate and the entropy bonus, which fall from a first to a last value."""

    rate: Ends
    entropy: Ends

    def begun_lower(self, share: float) -> "Falling":
        """Return the same with a first rate that is lower by a factor, but no lower than the last."""
        first, last = self.rate
        return Falling((max(first * share, last), last), self.entropy)

    def at(self, done: float) -> tuple[float, float]:
        """Return the learning rate and the entropy bonus when so much is done, from 0 to 1."""
        return fallen(self.rate, done), fallen(self.entropy, done)
