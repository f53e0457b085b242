"""The settings of a run of evolution, which are saved with it.

The defaults are those of the original algorithm, but for the number of games (docs/evolution.md has the measurement).
"""

from dataclasses import Field, dataclass, fields
from math import inf, isfinite
from typing import Any, Self

from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.dominion.strategies.breeding import Breeding, rate, setting
from evodom.errors import UsageError, short
from evodom.matches import check_rivals
from evodom.runs import checked_settings

N_STRATEGIES = range(8, 513, 4)
N_GENERATIONS = range(1, 10_000)
GAMES = range(1, 1001)
RACE = range(1001)
RACE_GAMES = 8
AS_THE_MODEL = -1
HALL = range(21)
ISLANDS = range(1, 1025)
PLAYERS = range(2, 7)
MAX_PENALTY = 1000.0

INFINITE = "inf"
"""How JSON, which has no such number, says an infinite penalty."""

LATER = ("kingdom", "kingdom_name", "players", "guests", "islands", "migrate_every")
"""The settings that the first saved runs lack: they are of First Game for four, of one population, and met baselines
only."""

RENAMED_MODELS = {"menu": "buy-list"}
"""The present names of models, by the names they have in older saved runs."""


@dataclass(frozen=True, slots=True)
class Options(Breeding):
    """All settings of a run except its seed; raises UsageError for a value outside its bounds."""

    n_generations: int = setting(20, "--ngen", "Generations in all, 1 to 9999.")
    n_strategies: int = setting(128, "--nstrat", "Strategies in a generation, 8 to 512, divisible by 4.")
    games: int = setting(4, "--games", "Games per match of the tournament, seats rotated, 1 to 1000.")
    race: int = setting(
        AS_THE_MODEL,
        "--race",
        "Games against each rival in the first lap of the race that ranks the better half, 0 to 1000; 0: no race.",
        default_text=f"{RACE_GAMES}, with the classic model 0",
    )
    hall: int = setting(4, "--hall", "Champions of earlier generations among the rivals, every tenth's, 0 to 20.")
    n_elite: int = setting(1, "--n-elite", "Best strategies cloned without mutation.")
    parent_share: float = rate(0.5, "--parent-share", "Share of the population, best first, that may be parents.")
    clone_share: float = rate(0.25, "--clone-share", "Share of a generation that are clones of the best.")
    crossover_share: float = rate(0.5, "--crossover-share", "Share that are offspring of two parents; the rest is new.")
    vp_penalty: float = setting(
        1.0,
        "--vp-penalty",
        "Places, as a share of the population, that a full preference for Curses, or for Estates and Duchies early, "
        "costs in the ranking; inf: it stands behind all others.",
    )
    islands: int = setting(
        1, "--islands", "Populations of --nstrat strategies that evolve apart and exchange their best, 1 to 1024."
    )
    migrate_every: int = setting(
        10,
        "--migrate-every",
        "Generations of a round, after which islands exchange their best; --ngen is a multiple of it.",
    )
    rivals: tuple[str, ...] | None = None
    """Names of those to race against; None: the strongest teachers and the guests, as `evolution.runs.with_rivals`
    finds them."""
    guests: tuple[str, ...] = ()
    """The rivals that are no baselines, as texts of `matches.guests`: a run keeps those it meets."""
    players: int = 4

    def __post_init__(self) -> None:
        Breeding.__post_init__(self)
        if self.race == AS_THE_MODEL:
            object.__setattr__(self, "race", RACE_GAMES if self.setting.meets_rivals else 0)
        check_rivals(self.rivals or (), self.guests)
        _within("--players", self.players, PLAYERS, "2 to 6")
        _within("--nstrat", self.n_strategies, N_STRATEGIES, "8 to 512, divisible by 4")
        _within("--ngen", self.n_generations, N_GENERATIONS, "1 to 9999")
        _within("--games", self.games, GAMES, "1 to 1000")
        _within("--race", self.race, RACE, "0 to 1000")
        _within("--hall", self.hall, HALL, "0 to 20")
        _within("--islands", self.islands, ISLANDS, "1 to 1024")
        _within("--migrate-every", self.migrate_every, N_GENERATIONS, "1 to 9999")
        if self.n_generations % self.round_length:
            whole = -(-self.n_generations // self.round_length) * self.round_length
            raise UsageError(
                f"--ngen is {self.n_generations}, and islands migrate every {self.round_length} generations. "
                f"Allowed: a multiple of those. Say --ngen {whole}, or another --migrate-every."
            )
        if not (0.0 <= self.vp_penalty <= MAX_PENALTY or self.vp_penalty == inf):
            raise UsageError(f"--vp-penalty is {self.vp_penalty:g}. Allowed: 0 to {MAX_PENALTY:g}, or inf.")
        if self.clone_share + self.crossover_share > 1.0:
            shares = f"{self.clone_share:g} + {self.crossover_share:g}"
            raise UsageError(f"--clone-share and --crossover-share are {shares}. Allowed: at most 1 together.")
        if not 0 <= self.n_elite <= self.n_clones:
            clones = f"with --clone-share {self.clone_share:g} there are {self.n_clones} clones"
            raise UsageError(f"--n-elite is {self.n_elite}, and {clones}. Allowed: 0 to {self.n_clones}.")

    @property
    def n_clones(self) -> int:
        """How many genomes of a generation are clones of the best."""
        return round(self.n_strategies * self.clone_share)

    @property
    def n_offspring(self) -> int:
        """How many genomes of a generation have two parents."""
        return round(self.n_strategies * self.crossover_share)

    @property
    def n_parents(self) -> int:
        """How many of the best genomes may be parents: an even number, at least 2."""
        return max(2, round(self.n_strategies * self.parent_share) // 2 * 2)

    @property
    def round_length(self) -> int:
        """How many generations one saved generation stands for: those of a round of islands; of one population, 1."""
        return self.migrate_every if self.islands > 1 else 1

    @property
    def n_saved(self) -> int:
        """How many generations are saved of a whole run: of islands, the last of each round."""
        return self.n_generations // self.round_length

    @property
    def n_genomes(self) -> int:
        """How many genomes a saved generation has: those of all islands."""
        return self.n_strategies * self.islands

    def to_json(self) -> dict[str, Any]:
        """Return the settings as plain JSON types; infinity, which JSON lacks, becomes the text "inf"."""
        plain = {option.name: getattr(self, option.name) for option in fields(self)}
        plain = {name: list(value) if isinstance(value, tuple) else value for name, value in plain.items()}
        plain |= {"kingdom_name": self.kingdom.name, "kingdom": list(self.kingdom.cards)}
        return plain | {"vp_penalty": self.vp_penalty if isfinite(self.vp_penalty) else INFINITE}

    @classmethod
    def from_json(cls, saved: Any) -> Self:
        """Read saved settings; raises ValueError for what is unknown, missing, or of the wrong kind or size."""
        from evodom.matches.guests import rival_records  # loads Numba, for which `evodom evolve --help` need not wait

        kinds: dict[str, tuple[type, ...]] = {name: (type(value),) for name, value in cls().to_json().items()}
        kinds |= {"rivals": (list, type(None)), "vp_penalty": (float, str)}
        values = dict(checked_settings(saved, kinds, LATER))
        values.pop("kingdom_name", None)
        values["kingdom"] = Kingdom(tuple(values.get("kingdom", FIRST_GAME.cards)))
        values["guests"] = tuple(values.get("guests", ()))
        if values["rivals"] is not None:
            values["rivals"] = tuple(values["rivals"])
        rival_records(values["rivals"] or (), values["guests"], values["kingdom"])
        values["model"] = RENAMED_MODELS.get(values["model"], values["model"])
        if values["vp_penalty"] == INFINITE:
            values["vp_penalty"] = inf
        if isinstance(values["vp_penalty"], str):
            raise ValueError(f"vp_penalty is {short(values['vp_penalty'])}")
        return cls(**values)


def flagged() -> tuple[Field[Any], ...]:
    """Return the settings with a command-line flag, as --help lists them: those of the run, then those of breeding."""
    bred = {option.name for option in fields(Breeding)}
    return tuple(sorted((each for each in fields(Options) if each.metadata), key=lambda each: each.name in bred))


def _within(flag: str, value: int, allowed: range, text: str) -> None:
    if value not in allowed:
        raise UsageError(f"{flag} is {value}. Allowed: {text}.")
