"""The content of a saved fight: its start, seed and steps, from which it is played again."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct, to_builtins

from evodom.errors import EvodomError
from evodom.reading import convert
from evodom.sessions.fight import MOST_MOVES, Entry, FightSession
from evodom.sessions.files import as_json, envelope, read_content, usable
from evodom.sessions.session import FIGHTS
from evodom.spire.fights import Fight, fight_from_toml
from evodom.spire.history import RULES
from evodom.spire.play.searcher import FightSearchOptions

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


def read_fight_session(
    path: Path, options: FightSearchOptions, before_replay: Callable[[], object] = lambda: None
) -> FightSession:
    """Return a saved fight, replayed up to where it was left. Raises RunError if it is missing or damaged."""
    content = read_content(path, FIGHTS, RULES.version)
    with usable(path, FIGHTS):
        saved = convert(content, FightContent)
        before_replay()
        try:
            fight = saved.form.fight() if saved.form else fight_from_toml(saved.fight, name="the fight")
            session = FightSession(fight, saved.seed, options, given=saved.given)
            session.replay(saved.moves, saved.start)
        except EvodomError as error:
            raise ValueError(str(error)) from error
        session.at = saved.at
        return session


def fight_members(session: FightSession) -> dict[str, str]:
    """Return the content of a fight's file by field, each value as JSON."""
    content = envelope(FIGHTS, RULES.version)
    content |= {"title": session.title, "stage": session.stage, "over": session.over, "fight": session.source}
    content |= {"seed": session.seed, "given": session.given, "at": session.at}
    content["moves"] = [to_builtins(one.entry) for one in session.history]
    if session.start_answers is not None:
        content["start"] = session.start_answers
    return {key: as_json(value) for key, value in content.items()}
