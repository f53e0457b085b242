"""The settings of a run of learning, which are saved with it."""

from typing import Annotated, Self

from msgspec import Meta
from msgspec.structs import force_setattr, replace

from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.errors import UsageError
from evodom.matches import check_rivals
from evodom.matches.guests import rival_records
from evodom.options import OptionStruct, settings_in
from evodom.reading import convert

KIND = "train"
"""What stands as "kind" in the meta of a run of learning."""

PLAYERS = range(2, 7)
GAMES = range(2_000, 100_000_001)
DEFAULT_GAMES = 300_000

N_CHECKPOINTS = 12

FEW_GAMES, MANY_GAMES = 500_000, 1_000_000
"""With fewer games there is one start, with fewer than MANY_GAMES there are two, else three."""

MOST_MINUTES = 1440.0

STARTS = range(10)
"""How many starts there may be; 0 leaves it to the number of games."""


class TrainOptions(OptionStruct, frozen=True):
    """All settings of a run of learning except its seed; raises UsageError for a value outside its bounds.

    ``games`` are those of all starts together; ``rivals`` names those who are met besides earlier selves and teachers,
    and ``guests`` has what is saved of them (`matches.guests`). With ``minutes`` the run has a time limit instead, and
    ``games`` is an estimate until the run has ended.
    """

    kingdom: Kingdom = FIRST_GAME
    players: int = 4
    games: int = DEFAULT_GAMES
    n_starts: int = 0
    rivals: tuple[str, ...] = ()
    guests: tuple[str, ...] = ()
    minutes: Annotated[float, Meta(ge=0, le=MOST_MINUTES)] = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_rivals(self.rivals, self.guests)
        if self.players not in PLAYERS:
            raise UsageError(f"--players is {self.players}. Allowed: 2 to 6.")
        if self.games not in GAMES:
            raise UsageError(f"--games is {self.games}. Allowed: {GAMES.start:,} to {GAMES.stop - 1:,}.")
        if self.n_starts not in STARTS:
            raise UsageError(f"there are {self.n_starts} starts. Allowed: 0 to {STARTS.stop - 1}.")
        if not self.n_starts:
            n = 1 if self.games < FEW_GAMES else 2 if self.games < MANY_GAMES else 3
            force_setattr(self, "n_starts", n)

    def n_alive(self, checkpoint: int) -> int:
        """Return how many starts are still trained before a checkpoint, counted from 1.

        All of them for the first half, so that each has its chance; then the better ones, at the end the best.
        """
        if 2 * checkpoint <= N_CHECKPOINTS + 1:
            return self.n_starts
        return min(self.n_starts, 2) if 4 * checkpoint <= 3 * N_CHECKPOINTS else 1

    def lessons_from(self, checkpoint: int) -> list[int]:
        """Return the number of lessons, one a start, before each checkpoint from this one to the last."""
        return [self.n_alive(number) for number in range(checkpoint, N_CHECKPOINTS + 1)]

    @property
    def games_each(self) -> int:
        """The games that a start plays from one checkpoint to the next."""
        return max(self.games // sum(self.lessons_from(1)), 1)

    def to_json(self) -> dict[str, object]:
        """Return the settings as plain JSON types."""
        plain = {"players": self.players, "games": self.games, "n_starts": self.n_starts, "rivals": list(self.rivals)}
        plain |= {"guests": list(self.guests)} | ({"minutes": self.minutes} if self.minutes else {})
        return plain | {"kingdom_name": self.kingdom.name, "kingdom": list(self.kingdom.cards)}

    @classmethod
    def from_json(cls, saved: object) -> Self:
        """Read saved settings; raises UsageError for what is unknown, missing, or of the wrong kind or size."""
        known = settings_in(saved, ("players", "games", "n_starts", "rivals", "kingdom", "kingdom_name"))
        del known["kingdom_name"]
        kingdom = Kingdom(convert(known.pop("kingdom"), tuple[str, ...], source="kingdom"))
        options = replace(convert(known, cls), kingdom=kingdom)
        rival_records(options.rivals, options.guests, kingdom)
        return options
