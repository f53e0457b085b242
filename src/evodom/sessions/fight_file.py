"""The content of a saved fight: its start, seed and steps, from which it is played again."""

import json
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

from evodom.reading import convert
from evodom.sessions.files import read_content, usable
from evodom.sessions.session import FIGHTS
from evodom.spire.fights import Fight, fight_from_toml
from evodom.spire.history import RULES

MOST_MOVES = 600
"""The largest number of moves and changes in a fight."""

MOST_CHANGES = 1_000_000
"""The largest number of changes in a file, moves taken back included."""

LARGEST_SEED = 2**53 - 1
"""The largest whole number that a browser keeps exactly."""


class FightForm(Struct, forbid_unknown_fields=True, kw_only=True):
    """A fight in names as people type them, as a page describes it. Files of format 1 hold it."""

    enemies: Annotated[str, Meta(max_length=600)] = "Cultist"
    deck: Annotated[str, Meta(max_length=600)] = ""
    relics: Annotated[str, Meta(max_length=600)] = ""
    potions: Annotated[str, Meta(max_length=600)] = ""
    ascension: Annotated[int, Meta(ge=0, le=20)] | None = None
    hp: Annotated[int, Meta(ge=1, le=999)] | None = None
    max_hp: Annotated[int, Meta(ge=1, le=999)] | None = None
    payoff: Annotated[str, Meta(max_length=200)] = "hp"
    seed: Annotated[int, Meta(ge=0, le=LARGEST_SEED)] | None = None

    def fight(self) -> Fight:
        """Return the fight. Raises UsageError, in one line, if there is no such fight."""
        words = {"enemies": self.enemies.strip() or "Cultist", "deck": self.deck.strip(), "relics": self.relics.strip()}
        words["potions"] = self.potions.strip()
        numbers = {"ascension": self.ascension, "hp": self.hp, "max_hp": self.max_hp}
        lines = [f"{name} = {json.dumps(word)}" for name, word in words.items() if word]
        lines += [f"{name} = {number}" for name, number in numbers.items() if number is not None]
        lines += ["[payoff]", f"kind = {json.dumps(self.payoff)}"]
        return fight_from_toml("\n".join(lines).replace("\x7f", ""), name="the fight")


class ShownMove(Struct, tag="move", frozen=True):
    """A move whose chance the user's own game decided, with the answers to the questions about it."""

    move: str
    answers: tuple[str, ...] = ()


class NextCards(Struct, tag="next cards", frozen=True):
    """A change by hand: the next cards of the draw pile, the first one first."""

    cards: tuple[str, ...] = ()


class ChangedHp(Struct, tag="hp", frozen=True):
    """A change by hand: the HP of the player (place 0) or of an enemy."""

    place: int
    hp: int


Entry = str | ShownMove | NextCards | ChangedHp
"""A step of a fight: the name of a move in the engine, a move with shown chance, or a change by hand."""


class FightContent(Struct, forbid_unknown_fields=True, kw_only=True):
    """The content of a file. ``fight`` is TOML; format 1 has a ``form`` instead.

    ``given`` is True if the user chose the seed, and so may see it before the end. ``at`` counts all changes.
    ``start`` has the answers about the start, if chance was shown there.
    """

    title: str = ""
    stage: str = ""
    over: bool = False
    fight: str = ""
    form: FightForm | None = None
    seed: Annotated[int, Meta(ge=0)]
    given: bool
    at: Annotated[int, Meta(ge=0, le=MOST_CHANGES)]
    moves: Annotated[list[Entry], Meta(max_length=MOST_MOVES)]
    start: list[str] | None = None


def read_fight_content(path: Path) -> FightContent:
    """Return the content of a saved fight. Raises RunError if it is missing or damaged."""
    content = read_content(path, FIGHTS, RULES.version)
    with usable(path, FIGHTS):
        return convert(content, FightContent)
