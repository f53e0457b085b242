"""What can be read off a strategy: how it buys, its rules or preferences, and what else it does."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Traits:
    """A strategy as a player can read it; which parts it has depends on its model.

    ``buying`` says in a sentence or two how it chooses what to buy; ``rules`` are those it follows, in order; ``facts``
    are other things to know, by what they are about ("trashes early").
    """

    buying: str
    rules: list[str] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)
