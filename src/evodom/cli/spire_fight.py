"""The options that describe a fight of Slay the Spire, shared by the commands that search."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from evodom.errors import UsageError

if TYPE_CHECKING:
    from evodom.spire.fights import Fight

F = TypeVar("F", bound=Callable[..., Any])

MAX_HP = 999
DEFAULT_ENEMY = "Cultist"

_OPTIONS = (
    click.option("--fight", "file", type=click.Path(path_type=Path), metavar="FILE", help="A fight in a TOML file."),
    click.option("--enemy", "enemies", metavar="NAMES", help=f"An encounter, or enemies.  [default: {DEFAULT_ENEMY}]"),
    click.option("--hp", metavar="HP", help="HP of the enemies, one number for each.  [default: rolled]"),
    click.option("--ascension", type=click.IntRange(0, 20), help="The ascension.  [default: 20]"),
    click.option("--player-hp", type=click.IntRange(1, MAX_HP), help="Your HP.  [default: those of the first fight]"),
    click.option("--max-hp", type=click.IntRange(1, MAX_HP), help="Your maximum of HP.  [default: by the ascension]"),
    click.option("--deck", metavar="CARDS", help='Your deck, such as "Bash+, 5 Strike".  [default: the starter]'),
    click.option("--add", metavar="CARDS", help="Cards added to the deck."),
    click.option("--remove", metavar="CARDS", help="Cards removed from the deck."),
    click.option(
        "--run", "run_file", type=click.Path(path_type=Path), metavar="FILE", help="Deck and HP of a .run file."
    ),
    click.option("--relic", "relics", metavar="NAME", multiple=True, help="A relic; may be given several times."),
    click.option("--no-relics", is_flag=True, help="Leave out Burning Blood too."),
    click.option("--potion", "potions", metavar="NAME", multiple=True, help="A potion; may be given several times."),
    click.option("--turns", type=click.IntRange(1, 100), metavar="N", help="A fight not won in N turns is lost."),
    click.option(
        "--payoff",
        type=click.Choice(["hp", "win", "both"]),
        help="What counts: HP left, the win, or both.  [default: hp]",
    ),
)


def fight_options(function: F) -> F:
    """Add the options that describe a fight."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def fight_of(given: dict[str, Any]) -> Fight:
    """Return the fight of the options: that of --fight, changed by what else is given."""
    from evodom.spire.fights import Fight, read_fight
    from evodom.spire.fights.naming import find_enemies

    fight = read_fight(given["file"]) if given["file"] is not None else Fight(_default_setup(given["ascension"]))
    setup = fight.setup
    changes: dict[str, Any] = {}
    if given["enemies"] is not None:
        _refuse_state(fight, "--enemy")
        fight = replace(fight, encounters=None)
        changes["enemies"], changes["enemy_hp"] = find_enemies(given["enemies"]), ()
    for option, name in (("ascension", "ascension"), ("player_hp", "hp"), ("max_hp", "max_hp"), ("turns", "max_turns")):
        if given[option] is not None:
            changes[name] = given[option]
    changes |= _belongings(given, fight)
    setup = replace(setup, **changes)
    if given["hp"] is not None:
        _refuse_state(fight, "--hp")
        setup = replace(setup, enemy_hp=_enemy_hp(given["hp"], setup))
    payoff = replace(fight.payoff, kind=given["payoff"]) if given["payoff"] else fight.payoff
    return replace(fight, setup=setup, payoff=payoff)


def _default_setup(ascension: int | None) -> Any:
    from evodom.spire.engine.rules import Setup

    return Setup() if ascension is None else Setup(ascension=ascension)


def _belongings(given: dict[str, Any], fight: Fight) -> dict[str, Any]:
    """Return what the options say of deck, relics and potions."""
    from evodom.spire.engine.rules import ironclad
    from evodom.spire.fights import read_run
    from evodom.spire.fights.naming import cards_from_text, find_potion, find_relic

    found: dict[str, Any] = {}
    setup = fight.setup
    if given["run_file"] is not None:
        run = read_run(given["run_file"])
        found |= {
            "deck": run.deck,
            "relics": run.relics,
            "ascension": run.ascension,
            "hp": run.hp,
            "max_hp": run.max_hp,
        }
    ascension = given["ascension"] if given["ascension"] is not None else setup.ascension
    deck = Counter(found.get("deck") or setup.deck or ironclad(ascension)[2])
    if given["deck"] is not None:
        deck = cards_from_text(given["deck"])
    deck += cards_from_text(given["add"] or "")
    gone = cards_from_text(given["remove"] or "")
    if missing := next((name for name, n in gone.items() if deck[name] < n), None):
        raise UsageError(f"--remove {gone[missing]} {missing}, and the deck has {deck[missing]}.")
    if given["deck"] is not None or given["add"] or given["remove"]:
        _refuse_state(fight, "--deck, --add and --remove")
        found["deck"] = deck - gone
    relics = () if given["no_relics"] else found.get("relics", setup.relics)
    found["relics"] = tuple(dict.fromkeys((*relics, *(find_relic(name) for name in given["relics"]))))
    found["potions"] = (*setup.potions, *(find_potion(name) for name in given["potions"]))
    return found


def _refuse_state(fight: Fight, option: str) -> None:
    if fight.state is not None:
        raise UsageError(f"{option} cannot change a fight that has begun; change the file, or leave its [state] out.")


def _enemy_hp(text: str, setup: Any) -> tuple[int | None, ...]:
    """Read "53" or "38, 40, 39" into the HP of the enemies."""
    sizes = {len(group) for group, _ in setup.enemies}
    words = [word.strip() for word in text.split(",")]
    fits = all(re.fullmatch(r"[1-9]\d{0,2}", word, re.ASCII) for word in words)
    if not fits or sizes != {len(words)}:
        numbers = f"{min(sizes)} numbers" if min(sizes) > 1 else "a number"
        what = f"--hp is the HP of the enemies, {numbers} from 1 to {MAX_HP}"
        raise UsageError(f"{what}, got {text!r}. Yours are --player-hp.")
    return tuple(int(word) for word in words)


def n_threads() -> int:
    """Return how many threads may work."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def describe(fight: Fight) -> str:
    """Return a fight in a few words: "Gremlin Nob, ascension 20, 68 of 75 HP"."""
    from evodom.spire.engine.rules import ironclad

    setup = fight.setup
    hp, max_hp, _ = ironclad(setup.ascension)
    max_hp = setup.max_hp or max_hp
    hp = setup.hp or min(hp, max_hp)
    names = [name for name, _ in fight.named()]
    many = f"{len(names)} encounters" if len(names) > 4 else " or ".join(names)
    return f"{many}, ascension {setup.ascension}, {hp} of {max_hp} HP"
