"""What a run of evolution can be told; saved with the run.

The defaults are those of the original algorithm, but for the number of games (docs/evolution.md has the measurement).
"""

from dataclasses import dataclass, field, fields
from math import isfinite, isinf
from typing import Any, Self

from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.errors import UsageError
from evodom.evolution.model import CLASSIC, GRADED, MODELS

N_STRATEGIES = range(8, 513, 4)
N_GENERATIONS = range(1, 10_000)
GAMES = range(1, 1001)
RACE = range(1001)
RACE_GAMES = 8
AS_THE_MODEL = -1
HALL = range(21)
PLAYERS = range(2, 7)
MAX_PENALTY = 1000.0
DEFAULT_SWITCH = 12
SWITCH_EVOLVED = (6, 25)

CELLAR_CHOICES = ("preferences", "victory")
EVOLVED_CHOICES, SIMPLE_CHOICES = "evolved", "simple"
CHOICES = (EVOLVED_CHOICES, SIMPLE_CHOICES)


def _setting(default: Any, flag: str, text: str, **metadata: Any) -> Any:
    """Return a dataclass field with its command-line flag and help."""
    return field(default=default, metadata={"flag": flag, "help": text, **metadata})


def _rate(default: float, flag: str, text: str) -> Any:
    """Return the field of a share or probability in [0, 1]."""
    return _setting(default, flag, text, rate=True)


@dataclass(frozen=True, slots=True)
class Options:
    """All settings of a run but its seed; raises UsageError for a value outside its bounds."""

    n_generations: int = _setting(20, "--ngen", "Generations in all, 1 to 9999.")
    n_strategies: int = _setting(128, "--nstrat", "Strategies in a generation, 8 to 512, divisible by 4.")
    games: int = _setting(4, "--games", "Games per match of the tournament, seats rotated, 1 to 1000.")
    race: int = _setting(
        AS_THE_MODEL,
        "--race",
        "Games against each rival in the first lap of the race that ranks the better half, 0 to 1000; 0: no race.",
        default_text=f"{RACE_GAMES}, with the classic model 0",
    )
    hall: int = _setting(4, "--hall", "Champions of earlier generations among the rivals, every tenth's, 0 to 20.")
    cellar: str = _setting(
        "preferences",
        "--cellar",
        "What a Cellar discards: what is preferred less than a new card, or all Victory cards as the original did.",
        choices=CELLAR_CHOICES,
    )
    model: str = _setting(
        GRADED,
        "--model",
        "graded: preferences near a strict order among what can be had, and conditions under which cards are wanted; "
        "menu: an ordered list of what to buy, how many and when; classic: three draws from flat preferences, as the "
        "original did, and simple choices.",
        choices=MODELS,
    )
    choices: str = _setting(
        "",
        "--choices",
        "How cards are trashed, discarded and put onto the deck: by evolved worths, or simply, by what is preferred "
        "least, where nothing is trashed that may be kept.",
        choices=CHOICES,
        default_text="evolved, with the classic model simple",
    )
    n_elite: int = _setting(1, "--n-elite", "Best strategies cloned without mutation.")
    parent_share: float = _rate(0.5, "--parent-share", "Share of the population, best first, that may be parents.")
    clone_share: float = _rate(0.25, "--clone-share", "Share of a generation that are clones of the best.")
    crossover_share: float = _rate(
        0.5, "--crossover-share", "Share that are offspring of two parents; the rest is new."
    )
    fitter_bias: float = _rate(0.85, "--fitter-bias", "Probability that a gene comes from the fitter parent.")
    shape_mutation: float = _rate(0.1, "--shape-mutation", "Probability that a preference's shape moves 1 to 4 places.")
    order_mutation: float = _rate(
        0.1, "--order-mutation", "Probability that a pile of a preference moves; classic: that two swap."
    )
    class_mutation: float = _rate(0.01, "--class-mutation", "Probability that two classes of Actions are swapped.")
    switch_mutation: float = _rate(0.1, "--switch-mutation", "Probability that an evolved switch moves 1 to 3 turns.")
    limit_mutation: float = _rate(
        0.1, "--limit-mutation", "Probability that a kingdom card gets another limit, or is tried."
    )
    need_mutation: float = _rate(
        0.1, "--need-mutation", "Probability that one of the conditions under which cards are wanted changes."
    )
    worth_mutation: float = _rate(
        0.1, "--worth-mutation", "Probability that what cards are worth, or a threshold for trashing, changes."
    )
    vp_penalty: float = _setting(
        1.0,
        "--vp-penalty",
        "Places, as a share of the population, that a full preference for Curses, or for Estates and Duchies early, "
        "costs in the ranking; inf: it stands behind all others.",
    )
    switch_low: int = 0
    switch_high: int = 0
    """0: as the model has it, SWITCH_EVOLVED or, with the classic one, DEFAULT_SWITCH."""
    rivals: tuple[str, ...] | None = None
    """Baselines to race against; None: the strongest of the kingdom, which `evodom.evolution.run.with_rivals` finds."""
    players: int = 4
    kingdom: Kingdom = FIRST_GAME

    def __post_init__(self) -> None:
        self._fill_in()
        _within("--players", self.players, PLAYERS, "2 to 6")
        _within("--nstrat", self.n_strategies, N_STRATEGIES, "8 to 512, divisible by 4")
        _within("--ngen", self.n_generations, N_GENERATIONS, "1 to 9999")
        _within("--games", self.games, GAMES, "1 to 1000")
        _within("--race", self.race, RACE, "0 to 1000")
        _within("--hall", self.hall, HALL, "0 to 20")
        for option in fields(self):
            value = getattr(self, option.name)
            if option.metadata.get("rate") and not 0.0 <= value <= 1.0:
                raise UsageError(f"{option.metadata['flag']} is {value:g}. Allowed: 0 to 1.")
        if self.cellar not in CELLAR_CHOICES:
            raise UsageError(f"--cellar is '{self.cellar}'. Allowed: {', '.join(CELLAR_CHOICES)}.")
        if self.model not in MODELS:
            raise UsageError(f"--model is '{self.model}'. Allowed: {', '.join(MODELS)}.")
        if self.choices not in CHOICES:
            raise UsageError(f"--choices is '{self.choices}'. Allowed: {', '.join(CHOICES)}.")
        if not (0.0 <= self.vp_penalty <= MAX_PENALTY or isinf(self.vp_penalty)):
            raise UsageError(f"--vp-penalty is {self.vp_penalty:g}. Allowed: 0 to {MAX_PENALTY:g}, or inf.")
        if self.clone_share + self.crossover_share > 1.0:
            shares = f"{self.clone_share:g} + {self.crossover_share:g}"
            raise UsageError(f"--clone-share and --crossover-share are {shares}. Allowed: at most 1 together.")
        if not 0 <= self.n_elite <= self.n_clones:
            clones = f"with --clone-share {self.clone_share:g} there are {self.n_clones} clones"
            raise UsageError(f"--n-elite is {self.n_elite}, and {clones}. Allowed: 0 to {self.n_clones}.")
        if not 1 <= self.switch_low <= self.switch_high <= 100:
            raise UsageError(f"--switch-index is {self.switch_low}. Allowed: 1 to 100, or evolved.")

    def _fill_in(self) -> None:
        """Replace what was not chosen by what the model has."""
        if not self.choices:
            object.__setattr__(self, "choices", SIMPLE_CHOICES if self.model == CLASSIC else EVOLVED_CHOICES)
        if self.race == AS_THE_MODEL:
            object.__setattr__(self, "race", 0 if self.model == CLASSIC else RACE_GAMES)
        if not self.switch_low and not self.switch_high:
            low, high = (DEFAULT_SWITCH, DEFAULT_SWITCH) if self.model == CLASSIC else SWITCH_EVOLVED
            object.__setattr__(self, "switch_low", low)
            object.__setattr__(self, "switch_high", high)

    @property
    def n_clones(self) -> int:
        """How many of a generation are clones of the best."""
        return round(self.n_strategies * self.clone_share)

    @property
    def n_offspring(self) -> int:
        """How many of a generation have two parents."""
        return round(self.n_strategies * self.crossover_share)

    @property
    def n_parents(self) -> int:
        """How many of the best may be parents: an even number, at least 2."""
        return max(2, round(self.n_strategies * self.parent_share) // 2 * 2)

    def to_json(self) -> dict[str, Any]:
        """Return the settings as plain JSON types; JSON has no infinity, so that is the text "inf"."""
        plain = {option.name: getattr(self, option.name) for option in fields(self)}
        plain = {name: list(value) if isinstance(value, tuple) else value for name, value in plain.items()}
        plain |= {"kingdom_name": self.kingdom.name, "kingdom": list(self.kingdom.cards)}
        return plain | {"vp_penalty": self.vp_penalty if isfinite(self.vp_penalty) else "inf"}

    @classmethod
    def from_json(cls, saved: dict[str, Any]) -> Self:
        """Return saved settings; what a run did not know yet has its default, what is unknown now is left out."""
        known = {option.name for option in fields(cls)}
        values: dict[str, Any] = {name: value for name, value in saved.items() if name in known}
        values["kingdom"] = Kingdom(tuple(saved.get("kingdom", FIRST_GAME.cards)))
        if values.get("rivals") is not None:
            values["rivals"] = tuple(values["rivals"])
        # Runs from before there was another model, and a race.
        values.setdefault("model", CLASSIC)
        values.setdefault("race", 0)
        values["vp_penalty"] = float(values.get("vp_penalty", cls().vp_penalty))
        return cls(**values)


def _within(flag: str, value: int, allowed: range, text: str) -> None:
    if value not in allowed:
        raise UsageError(f"{flag} is {value}. Allowed: {text}.")
