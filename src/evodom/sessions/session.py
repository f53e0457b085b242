"""What a game of Dominion and a fight have in common: their kinds of files, and the protocol of a session."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class SessionKind:
    """A kind of session: what it is called, the folder and format of its files, and the commands about it."""

    noun: str
    folder: str
    program: str
    """The field `program` of its files."""
    formats: tuple[int, ...]
    """The formats that are read. The last one is written."""
    command: str
    example: str
    """A command that begins a session."""
    largest: int
    """Bytes of the largest file that is read."""


GAMES = SessionKind(
    noun="game",
    folder="games",
    program="evodom game",
    formats=(5,),
    command="evodom play",
    example="evodom play --opponent big-money",
    largest=20_000_000,  # a network takes 180 kB
)
FIGHTS = SessionKind(
    noun="fight",
    folder="fights",
    program="evodom fight",
    formats=(1, 2),
    command="evodom spire play",
    example="evodom spire play nob",
    largest=200_000,  # a fight of 600 moves takes 20 kB
)


class Session(Protocol):
    """A game or fight from its start to the present state. Its file holds the start and all choices.

    The same start and the same choices lead to the same state: random numbers follow from the seed.
    """

    @property
    def kind(self) -> SessionKind:
        """The kind of its file."""

    @property
    def at(self) -> int:
        """A number that differs between successive states. A request names it, to be refused if it comes too late."""

    @property
    def over(self) -> bool:
        """True if the session has ended."""

    @property
    def is_begun(self) -> bool:
        """True if something was chosen, so that the session is worth a file."""

    def members(self) -> Mapping[str, str]:
        """Return the content of its file by field, each value as JSON."""
