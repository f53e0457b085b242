"""Settings of breeding for all models: how genomes are drawn, crossed and mutated."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta
from msgspec.structs import force_setattr

from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.dominion.strategies.base import EVOLVED_CHOICES, SIMPLE_CHOICES, Change, Genetics, ModelPreset
from evodom.dominion.strategies.registry import MODEL_PRESETS, genetics_of, model_named
from evodom.errors import UsageError
from evodom.options import OptionStruct, option

CELLAR_CHOICES = ("preferences", "victory")
CHOICES = (EVOLVED_CHOICES, SIMPLE_CHOICES)
MAX_SWITCH_TURN = 100
"""Maximum turn of a switch from the early to the late preference."""


def rate(flag: str, text: str) -> Meta:
    """Return the declaration of a share or probability in [0, 1]."""
    return option(flag, text, ge=0, le=1)


class Breeding(OptionStruct, frozen=True, kw_only=True):
    """Settings of drawing and breeding genomes. Raise UsageError for a value outside its bounds.

    ``model`` is a value of ``--model``. If ``choices`` is empty or the switch range is 0, they have the values of the
    `ModelPreset`. Genomes are for the piles of ``kingdom``.
    """

    cellar: Annotated[
        str,
        option(
            "--cellar",
            "Cards that a Cellar discards: those with a lower preference than the average card of the deck, or all "
            "Victory cards (the original algorithm).",
            choices=CELLAR_CHOICES,
        ),
    ] = "preferences"
    model: Annotated[
        str,
        option(
            "--model",
            f"{'; '.join(f'{name}: {each.help}' for name, each in MODEL_PRESETS.items())}.",
            choices=tuple(MODEL_PRESETS),
        ),
    ] = next(iter(MODEL_PRESETS))
    choices: Annotated[
        str,
        option(
            "--choices",
            "Choices of cards to trash, discard or put onto the deck. evolved: by card values that evolve; simple: the "
            "card with the lowest preference, and only if the choice is mandatory.",
            choices=CHOICES,
            default_text="evolved, with the classic model simple",
        ),
    ] = ""
    fitter_bias: Annotated[float, rate("--fitter-bias", "Probability that a gene comes from the fitter parent.")] = 0.85
    shape_mutation: Annotated[
        float, rate("--shape-mutation", "Probability that a shape becomes flatter or sharper by 1 to 4 places.")
    ] = 0.1
    order_mutation: Annotated[
        float,
        rate(
            "--order-mutation",
            "Probability that a card changes its place in a preference (classic: that two cards swap). In a buy list: "
            "that a rule moves, and that a rule gets another card.",
        ),
    ] = 0.1
    class_mutation: Annotated[
        float, rate("--class-mutation", "Probability that two classes of Actions are swapped.")
    ] = 0.01
    switch_mutation: Annotated[
        float, rate("--switch-mutation", "Probability that an evolved switch moves 1 to 3 turns.")
    ] = 0.1
    limit_mutation: Annotated[
        float,
        rate(
            "--limit-mutation",
            "Probability that a kingdom card gets another limit. In a buy list: that the limit of a rule changes.",
        ),
    ] = 0.1
    need_mutation: Annotated[
        float, rate("--need-mutation", "Probability that each condition of the cards to buy changes.")
    ] = 0.1
    worth_mutation: Annotated[
        float,
        rate(
            "--worth-mutation",
            "Probability that a play value changes: of trashing, discards or a card.",
        ),
    ] = 0.1
    switch_low: int = 0
    switch_high: int = 0
    """Range of turns for the switch to the late preference. 0 stands for the range of the preset."""
    kingdom: Kingdom = FIRST_GAME

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.choices:
            force_setattr(self, "choices", self.preset.choices)
        if not self.switch_low and not self.switch_high:
            low, high = self.preset.switch
            force_setattr(self, "switch_low", low)
            force_setattr(self, "switch_high", high)
        if not 1 <= self.switch_low <= self.switch_high <= MAX_SWITCH_TURN:
            raise UsageError(f"--switch-index is {self.switch_low}. Allowed: 1 to {MAX_SWITCH_TURN}, or evolved.")

    @property
    def preset(self) -> ModelPreset:
        """The preset of ``model``."""
        return MODEL_PRESETS[self.model]

    @property
    def genetics(self) -> Genetics:
        """The genetics of the model. A subclass may return any other genetics."""
        return genetics_of(self.model)

    @property
    def changes(self) -> Sequence[Change]:
        """The changes of local search. A subclass may return any others."""
        return model_named(self.preset.model).changes

    @property
    def evolves_card_values(self) -> bool:
        """True if card values evolve and determine the choices among cards."""
        return self.choices == EVOLVED_CHOICES

    @property
    def evolves_switch(self) -> bool:
        """True if the switch to the late preference is evolved."""
        return self.switch_low < self.switch_high
