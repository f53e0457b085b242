"""A `Fight`: setup, payoff, and the state of a fight in progress.

Open it to add a field to these classes, or a kind of payoff.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from evodom.distribution import Distribution
from evodom.errors import UsageError
from evodom.spire.engine.compiler import Setup
from evodom.spire.fights.names import find_enemies

HP, WIN, BOTH, GUARANTEED = "hp", "win", "both", "guaranteed"
TURNS = "turns"

POTION_PRICE = 4.0
"""Default price of a used potion, in HP.

It is the number of HP that a potion saves in a later fight, rounded. Against strong monsters of act 1, eight common
potions save 1.2 to 7.5 HP, on average 4.2. Each was measured in 80 fights, by searches of 100 simulations, at ascension
20 with 75 HP and the starter deck with Pommel Strike and Shrug It Off.
"""


@dataclass(frozen=True)
class Payoff:
    """Payoff of a fight: the HP left, the win, or both.

    `kind` is HP, WIN, BOTH or GUARANTEED: the HP of the worst outcome of chance instead of the mean. `potion` is the
    price of a used potion, in HP. `gain` is the reward in HP for each point of maximum HP that the player gains. `tie`
    decides between plays of equal value: the highest mean payoff HP, or the fewest TURNS. None means HP for GUARANTEED,
    no tie-break for other payoffs. Only exact values have tie-breaks and the payoff GUARANTEED.
    """

    kind: str = HP
    potion: float = 0.0
    gain: float = 0.0
    tie: str | None = None

    def check_mean(self, next_step: str = "Use evodom spire solve or search") -> None:
        """Raise `UsageError` for the payoff GUARANTEED, which is no mean of played fights."""
        if self.kind == GUARANTEED:
            another = f"{next_step}, or choose another --payoff: hp, win, both"
            raise UsageError(f"guaranteed HP need the exact solver. {another}")

    def check_searchable(self, max_turns: int | None) -> None:
        """Raise `UsageError` for the payoff GUARANTEED in a fight that is too large to be solved."""
        self.check_mean("Raise --solve-below" + (", set --turns 5" if (max_turns or 6) > 5 else ""))

    def prices(self, max_hp: int) -> tuple[float, float, float, float]:
        """Return four prices: of an HP left, a win, a used potion, and a point of maximum HP gained.

        The payoff BOTH is (win + HP / maximum HP) / 2. For WIN, HP left have the price 0. Then the prices of potions
        and maximum HP are converted: the maximum HP are equal to a win.
        """
        hp, win = {WIN: (0.0, 1.0), BOTH: (0.5 / max_hp, 0.5)}.get(self.kind, (1.0, 0.0))
        price_of_hp = hp or 1.0 / max_hp
        return hp, win, self.potion * price_of_hp, self.gain * price_of_hp


@dataclass(frozen=True, kw_only=True)
class EnemyState:
    """An enemy in a fight in progress.

    `intent` is its next move. `history` is the number that `content.intents` adds to this move, such as its
    repetitions. None means the lowest possible number.
    """

    name: str
    hp: int
    max_hp: int
    intent: str
    history: int | None = None
    block: int = 0
    statuses: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class FightState:
    """A fight in progress, at a decision of the player. HP and relic counters are in the `Setup`.

    Piles are counts of cards by name.

    Attributes:
        draw: the draw pile, including `top`.
        top: known cards on top of the draw pile, next card first.
        potions: potions that are not used yet; None for all.
        played: types of the cards played this turn, in order.
    """

    energy: int
    hand: Mapping[str, int]
    draw: Mapping[str, int]
    discard: Mapping[str, int]
    enemies: tuple[EnemyState, ...]
    turn: int = 1
    block: int = 0
    statuses: Mapping[str, int] = field(default_factory=dict)
    exhaust: Mapping[str, int] = field(default_factory=dict)
    top: tuple[str, ...] = ()
    potions: tuple[str, ...] | None = None
    played: tuple[str, ...] = ()


@dataclass(frozen=True)
class Fight:
    """A fight: its setup, its payoff, and its state if it is in progress.

    `encounters` is a distribution of names; None means the groups of enemies in the setup.
    """

    setup: Setup
    payoff: Payoff = field(default_factory=Payoff)
    state: FightState | None = None
    encounters: Distribution[str] | None = None

    def encounter_names(self) -> Distribution[str]:
        """Return the distribution of encounters by name."""
        return self.encounters or self.setup.enemies.map(", ".join).merge()

    @property
    def text(self) -> str:
        """Short description: "Gremlin Nob, ascension 20, 68 of 75 HP"."""
        hp, max_hp, _ = self.setup.player()
        names = [name for name, _ in self.encounter_names()]
        enemies = f"{len(names)} encounters" if len(names) > 4 else " or ".join(names)
        return f"{enemies}, ascension {self.setup.ascension}, {hp} of {max_hp} HP"

    def encounter_setups(self) -> Iterator[tuple[str, Fraction, Setup]]:
        """Yield (name, probability, setup) of each encounter.

        Each setup has one encounter, because a compiled setup holds only a few kinds of enemies.
        """
        for name, chance in self.encounter_names():
            yield name, Fraction(chance), replace(self.setup, enemies=find_enemies(name))
