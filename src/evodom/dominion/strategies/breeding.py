"""The settings that breeding needs, whatever the model: how genomes are drawn, crossed and mutated."""

from dataclasses import dataclass, field, fields
from typing import Any

from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.dominion.strategies.base import EVOLVED_CHOICES, SIMPLE_CHOICES, Setting
from evodom.dominion.strategies.registry import SETTINGS
from evodom.errors import UsageError

CELLAR_CHOICES = ("preferences", "victory")
CHOICES = (EVOLVED_CHOICES, SIMPLE_CHOICES)
MOST_TURNS = 100
"""The last turn that a switch can stand at."""


def setting(default: Any, flag: str, text: str, **metadata: Any) -> Any:
    """Return a dataclass field with its command-line flag and help."""
    return field(default=default, metadata={"flag": flag, "help": text, **metadata})


def rate(default: float, flag: str, text: str) -> Any:
    """Return the field of a share or probability in [0, 1], with its command-line flag and help."""
    return setting(default, flag, text, rate=True)


@dataclass(frozen=True, slots=True)
class Breeding:
    """How genomes are drawn and bred; raises UsageError for a value outside its bounds.

    ``model`` is a value of ``--model``: what is left open (``choices`` "", switch 0) is filled in as its `Setting`
    says. Genomes are for the piles of ``kingdom``.
    """

    cellar: str = setting(
        "preferences",
        "--cellar",
        "What a Cellar discards: what is preferred less than a new card, or all Victory cards as the original did.",
        choices=CELLAR_CHOICES,
    )
    model: str = setting(
        next(iter(SETTINGS)),
        "--model",
        f"{'; '.join(f'{name}: {each.help}' for name, each in SETTINGS.items())}.",
        choices=tuple(SETTINGS),
    )
    choices: str = setting(
        "",
        "--choices",
        "How cards are trashed, discarded and put onto the deck: by evolved worths, or simply, by what is preferred "
        "least, where nothing is trashed that may be kept.",
        choices=CHOICES,
        default_text="evolved, with the classic model simple",
    )
    fitter_bias: float = rate(0.85, "--fitter-bias", "Probability that a gene comes from the fitter parent.")
    shape_mutation: float = rate(0.1, "--shape-mutation", "Probability that a preference's shape moves 1 to 4 places.")
    order_mutation: float = rate(
        0.1,
        "--order-mutation",
        "Probability that a pile of a preference moves (classic: that two swap); in a buy list, that a rule moves, and "
        "that one is about another card.",
    )
    class_mutation: float = rate(0.01, "--class-mutation", "Probability that two classes of Actions are swapped.")
    switch_mutation: float = rate(0.1, "--switch-mutation", "Probability that an evolved switch moves 1 to 3 turns.")
    limit_mutation: float = rate(
        0.1,
        "--limit-mutation",
        "Probability that a kingdom card gets another limit, or is tried; in a buy list, that a rule wants another "
        "number of its card.",
    )
    need_mutation: float = rate(
        0.1, "--need-mutation", "Probability that one of the conditions under which cards are wanted changes."
    )
    worth_mutation: float = rate(
        0.1, "--worth-mutation", "Probability that what cards are worth, or a threshold for trashing, changes."
    )
    switch_low: int = 0
    switch_high: int = 0
    """The turns between which the switch to the late preference evolves; 0: as the model's setting says."""
    kingdom: Kingdom = FIRST_GAME

    def __post_init__(self) -> None:
        for each in fields(Breeding):
            if "choices" in each.metadata and each.name != "choices":
                self._one_of(each.metadata["flag"], getattr(self, each.name), each.metadata["choices"])
        if not self.choices:
            object.__setattr__(self, "choices", self.setting.choices)
        if not self.switch_low and not self.switch_high:
            low, high = self.setting.switch
            object.__setattr__(self, "switch_low", low)
            object.__setattr__(self, "switch_high", high)
        self._one_of("--choices", self.choices, CHOICES)
        for each in fields(self):
            value = getattr(self, each.name)
            if each.metadata.get("rate") and not 0.0 <= value <= 1.0:
                raise UsageError(f"{each.metadata['flag']} is {value:g}. Allowed: 0 to 1.")
        if not 1 <= self.switch_low <= self.switch_high <= MOST_TURNS:
            raise UsageError(f"--switch-index is {self.switch_low}. Allowed: 1 to {MOST_TURNS}, or evolved.")

    @property
    def setting(self) -> Setting:
        """What the model's name on the command line stands for."""
        return SETTINGS[self.model]

    @property
    def evolves_worths(self) -> bool:
        """True if what cards are worth is evolved, and decides the choices among them."""
        return self.choices == EVOLVED_CHOICES

    @property
    def evolves_switch(self) -> bool:
        """True if the switch to the late preference is evolved."""
        return self.switch_low < self.switch_high

    @staticmethod
    def _one_of(flag: str, value: str, allowed: tuple[str, ...]) -> None:
        if value not in allowed:
            raise UsageError(f"{flag} is '{value}'. Allowed: {', '.join(allowed)}.")
