"""Settings of a run of evolution, which are saved with it.

docs/reference/evolution.md describes the algorithm and its defaults.
"""

from math import inf, isfinite
from typing import Annotated, Self

from msgspec import Meta, to_builtins
from msgspec.structs import force_setattr, replace

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.breeding import Breeding, rate
from evodom.errors import UsageError
from evodom.matches import check_rivals
from evodom.options import option, settings_in
from evodom.reading import convert

N_GENERATIONS = range(1, 10_000)
RACE_GAMES = 16
PARENT_SHARE = 0.125
UNSET = -1
"""Value of a setting that is not given. Its default depends on other settings, such as the model."""

MAX_PENALTY = 1000.0
STRATEGIES_PER_ROUND = 20

STARTS = RANDOM, MIXED = "random", "mixed"
"""The values of ``--start``."""

INFINITE = "inf"
"""An infinite penalty in JSON, which has no such number."""


class Options(Breeding, frozen=True, kw_only=True):
    """Settings of a run, except its seed. Raise UsageError for a value outside its bounds."""

    n_generations: Annotated[int, option("--ngen", "Number of generations.", ge=1, le=9999)] = 20
    n_strategies: Annotated[
        int,
        option("--nstrat", "Strategies in a generation.", ge=8, le=512),
        Meta(multiple_of=4),
    ] = 128
    games: Annotated[
        int,
        option("--match-games", "Games per match of the tournament, seats rotated.", ge=1, le=1000),
    ] = 4
    race: Annotated[
        int,
        option(
            "--halving-games",
            "Games of a strategy in the first stage of successive halving, which ranks the best eighth (without local "
            "search the better half) against training opponents; 0 skips it.",
            ge=0,
            le=1000,
            default_text=f"{RACE_GAMES}, with the classic model 0",
        ),
    ] = UNSET
    hall: Annotated[
        int,
        option(
            "--past-champions",
            "Champions of every tenth earlier generation among the training opponents, the latest first.",
            ge=0,
            le=20,
        ),
    ] = 4
    n_elite: Annotated[int, option("--n-elite", "Best strategies cloned without mutation.", ge=0, le=512)] = 1
    parent_share: Annotated[
        float,
        option(
            "--parent-share",
            "Share of the population, best first, that can be parents.",
            ge=0,
            le=1,
            default_text=f"{PARENT_SHARE}, without local search 0.5",
        ),
    ] = UNSET
    clone_share: Annotated[float, rate("--clone-share", "Share of a generation that are clones of the best.")] = 0.25
    crossover_share: Annotated[
        float, rate("--crossover-share", "Share that are offspring of two parents; the rest is new.")
    ] = 0.5
    vp_penalty: Annotated[
        float,
        option(
            "--vp-penalty",
            "Penalty for weights on Curses, and on Estates and Duchies early in the game: a weight of 1 costs this "
            "share of the population in ranking places. inf: the ranking sorts by these weights first.",
            ge=0,
            le=MAX_PENALTY,
            also=(inf,),
        ),
    ] = 1.0
    islands: Annotated[
        int,
        option(
            "--islands",
            "Number of populations, each of --nstrat strategies, which exchange their best.",
            ge=1,
            le=1024,
        ),
    ] = 1
    migrate_every: Annotated[
        int,
        option(
            "--migrate-every",
            "Generations between migrations of the islands; --ngen is a multiple of it.",
            ge=1,
            le=9999,
        ),
    ] = 10
    start: Annotated[
        str,
        option(
            "--start",
            "New strategies of all generations. random: random genomes; mixed: most are decks of a grammar, and some "
            "imitate the gains of the shipped network and of training baselines.",
            choices=STARTS,
            default_text=f"{MIXED}, with the classic model {RANDOM}",
        ),
    ] = ""
    search_rounds: Annotated[
        int,
        option(
            "--search-rounds",
            "Rounds of local search on match results in each generation; 0 skips it.",
            ge=0,
            le=100,
            default_text=f"1 for every {STRATEGIES_PER_ROUND} strategies, with the classic model 0",
        ),
    ] = UNSET
    rivals: tuple[str, ...] | None = None
    """Names of the rivals; None: the strongest training opponents and the guests (`evolution.runs.resolve_rivals`)."""
    guests: tuple[str, ...] = ()
    """Rivals other than baselines, as texts of `matches.agents`. A run keeps them with its settings."""
    players: Annotated[int, option("--players", "Players at a table.", ge=2, le=6)] = 4

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.race == UNSET:
            force_setattr(self, "race", RACE_GAMES if self.preset.meets_rivals else 0)
        if not self.start:
            force_setattr(self, "start", MIXED if self.preset.meets_rivals else RANDOM)
        if self.search_rounds == UNSET:
            rounds = max(self.n_strategies // STRATEGIES_PER_ROUND, 1)
            force_setattr(self, "search_rounds", rounds if self.race and self.n_clones else 0)
        if self.parent_share == UNSET:
            force_setattr(self, "parent_share", PARENT_SHARE if self.search_rounds else 0.5)
        if self.search_rounds and not self.race:
            raise UsageError(
                f"--search-rounds is {self.search_rounds}, and --halving-games is 0, so that there are no opponents. "
                f"Give --halving-games {RACE_GAMES} too."
            )
        if self.search_rounds and not self.n_clones:
            raise UsageError(
                f"--search-rounds is {self.search_rounds}, and with --clone-share {self.clone_share:g} no strategy "
                "survives to be improved. Give --clone-share 0.25 too."
            )
        check_rivals(self.rivals or (), self.guests)
        if self.n_generations % self.round_length:
            whole = -(-self.n_generations // self.round_length) * self.round_length
            raise UsageError(
                f"--ngen is {self.n_generations}, and islands migrate every {self.round_length} generations. "
                f"Allowed: a multiple of that. Use --ngen {whole}, or another --migrate-every."
            )
        if self.clone_share + self.crossover_share > 1.0:
            shares = f"{self.clone_share:g} + {self.crossover_share:g}"
            raise UsageError(f"--clone-share and --crossover-share are {shares}. Allowed: at most 1 together.")
        if not 0 <= self.n_elite <= self.n_clones:
            clones = f"with --clone-share {self.clone_share:g} there are {self.n_clones} clones"
            raise UsageError(f"--n-elite is {self.n_elite}, and {clones}. Allowed: 0 to {self.n_clones}.")

    @property
    def n_clones(self) -> int:
        """Number of genomes of a generation that are copies, unchanged or mutated. Lines are among them."""
        return round(self.n_strategies * self.clone_share)

    @property
    def n_offspring(self) -> int:
        """Number of genomes of a generation that have two parents."""
        return round(self.n_strategies * self.crossover_share)

    @property
    def n_parents(self) -> int:
        """Number of the best genomes, which can have children. It is even and at least 2."""
        return max(2, round(self.n_strategies * self.parent_share) // 2 * 2)

    @property
    def round_length(self) -> int:
        """Number of generations from one saved generation to the next: a round of islands, or 1 without islands."""
        return self.migrate_every if self.islands > 1 else 1

    @property
    def n_total(self) -> int:
        """Number of saved generations of a complete run. With islands, the last of each round is saved."""
        return self.n_generations // self.round_length

    @property
    def n_genomes(self) -> int:
        """Number of genomes in a saved generation, of all islands together."""
        return self.n_strategies * self.islands

    def to_json(self) -> dict[str, object]:
        """Return the settings as plain JSON types. Infinity, which JSON lacks, becomes the text "inf"."""
        plain = {name: list(one) if isinstance(one, tuple) else one for name, one in to_builtins(self).items()}
        plain |= {"kingdom_name": self.kingdom.name, "kingdom": list(self.kingdom.cards)}
        return plain | {"vp_penalty": self.vp_penalty if isfinite(self.vp_penalty) else INFINITE}

    @classmethod
    def from_json(cls, saved: object) -> Self:
        """Return saved settings. Raise UsageError for unknown or missing entries and for wrong types or sizes."""
        from evodom.matches.agents import named_rivals  # loads Numba, which `evodom evolve --help` does not need

        known = settings_in(saved, (*cls.__struct_fields__, "kingdom_name"))
        del known["kingdom_name"]
        kingdom = convert(known.pop("kingdom"), tuple[str, ...], source="kingdom")
        is_infinite = known.get("vp_penalty") == INFINITE
        if is_infinite:
            del known["vp_penalty"]
        options = replace(convert(known, cls), kingdom=Kingdom(kingdom))
        named_rivals(options.rivals or (), options.guests, options.kingdom)
        return replace(options, vp_penalty=inf) if is_infinite else options
