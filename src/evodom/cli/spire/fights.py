"""Arguments that describe a fight of Slay the Spire and name the network that evaluates its positions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import click
from msgspec import structs

from evodom.cli.options import CommonArguments, RunKey, takes
from evodom.errors import EvodomError, UsageError
from evodom.learning.fights import ACT, UNTRAINED, is_for_fights
from evodom.options import OptionStruct, option, specs_of
from evodom.spire.content.cards import MAX_HP

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from evodom.runs import RunStore
    from evodom.spire.current_run import CurrentRun
    from evodom.spire.engine.compiler import Setup
    from evodom.spire.fights import Fight
    from evodom.spire.fights.run_files import RunFile
    from evodom.spire.play.network import NetworkEvaluator

T = TypeVar("T")
D = TypeVar("D", bound="DataclassInstance")

RUN = "run:"
"""Prefix of the key of a training, where names of enemies are valid too."""

NetworkKey = Annotated[
    str,
    option(
        "--network KEY",
        f"Network that evaluates positions: the key of a training, {ACT} (shipped) or {UNTRAINED}. Without a fight, "
        "the training's fight is used.",
        default_text=ACT,
        type=RunKey(),
    ),
]

SMALL_GRAPH = 20_000
"""Default of --solve-below. Such a graph takes up to 0.3 s."""

SolveBelow = Annotated[
    int,
    option(
        "--solve-below",
        "Solve exactly if the solver's graph has at most this many draws; 0 always searches.",
        ge=0,
        le=1_000_000,
        default_text=f"{SMALL_GRAPH:,}",
    ),
]

SaveFileOption = Annotated[
    Path | None,
    option("--save-file FILE", "Take the run in progress from an autosave, or a message of CommunicationMod."),
]

fight_argument = click.argument("name", metavar="[FIGHT]", required=False)


class SearchArguments(CommonArguments, frozen=True, kw_only=True):
    """The options of commands that play fights by search."""

    network: NetworkKey | None = None


class FightArguments(OptionStruct, frozen=True, kw_only=True):
    """The options that describe a fight of Slay the Spire."""

    file: Annotated[Path | None, option("--fight FILE", "TOML file of a fight, or CommunicationMod's JSON.")] = None
    enemies: Annotated[
        str | None, option("--enemy NAMES", "An encounter, or the enemies from left to right.", default_text="Cultist")
    ] = None
    hp: Annotated[
        str | None,
        option("--enemy-hp HP", "HP of the enemies, a number for each.", default_text="random, as in the game"),
    ] = None
    ascension: Annotated[int | None, option("--ascension", "Ascension level.", ge=0, le=20, default_text="20")] = None
    player_hp: Annotated[
        int | None, option("--player-hp", "Your HP.", ge=1, le=MAX_HP, default_text="as at the start of a run")
    ] = None
    max_hp: Annotated[
        int | None, option("--max-hp", "Your maximum HP.", ge=1, le=MAX_HP, default_text="by ascension level")
    ] = None
    deck: Annotated[
        str | None,
        option("--deck CARDS", 'Your deck, such as "Bash+, 5 Strike, 4 Defend".', default_text="the starter"),
    ] = None
    add: Annotated[str | None, option("--add CARDS", "Cards added to the deck.")] = None
    remove: Annotated[str | None, option("--remove CARDS", "Cards removed from the deck.")] = None
    relics: Annotated[tuple[str, ...], option("--relic NAME", "A relic. Repeat for several.")] = ()
    turns: Annotated[int | None, option("--turns N", "A fight not won in N turns is lost.", ge=1, le=100)] = None
    run_file: Annotated[Path | None, option("--run FILE", "Take the player from a .run file of the game.")] = None
    save_file: SaveFileOption = None
    skip_unknown: Annotated[bool, option("--skip-unknown", "Leave out unsupported parts of a file.")] = False
    no_relics: Annotated[bool, option("--no-relics", "Leave out Burning Blood too.")] = False
    potions: Annotated[tuple[str, ...], option("--potion NAME", "A potion. Repeat for several.")] = ()
    potion_price: Annotated[
        float | None,
        option(
            "--potion-price HP", "Price of each used potion, in HP.", ge=0, le=MAX_HP, default_text="4, or the file's"
        ),
    ] = None
    payoff: Annotated[
        str | None,
        option(
            "--payoff",
            "Value to maximise: mean HP left, the win, half of each, or (exact answers) the HP that no draw undercuts.",
            choices=("hp", "win", "both", "guaranteed"),
            default_text="hp",
        ),
    ] = None
    tie: Annotated[
        str | None,
        option("--tie", "Choice between equal exact values: more mean HP, or fewer turns.", choices=("hp", "turns")),
    ] = None


FILE_ENDINGS = (".toml", ".json")
"""Endings of the names of fight files. An argument with another ending names enemies or a training."""

takes_fight = takes(FightArguments, "asked")
takes_sampled_fight = takes(FightArguments, "asked", *(one for one in specs_of(FightArguments) if one != "tie"))
_UNUSED = ("run_file", "save_file", "no_relics")
takes_solvable_fight = takes(FightArguments, "asked", *(one for one in specs_of(FightArguments) if one not in _UNUSED))


def fight_of(asked: FightArguments, base: Fight | None = None) -> Fight:
    """Return the fight of --fight, or `base`, or the first fight of a run, with the changes of the options."""
    from evodom.distribution import certain
    from evodom.spire.engine.compiler import Setup
    from evodom.spire.fights import Fight, Payoff, read_fight, read_run
    from evodom.spire.fights.fight import POTION_PRICE
    from evodom.spire.fights.names import enemy_names_in, find_enemies, find_potion, find_relic

    own = base or Fight(Setup(), Payoff(potion=POTION_PRICE))
    fight = own if asked.file is None else read_fight(asked.file, skip=asked.skip_unknown, note=note_on(asked.file))
    setup, text = fight.setup, asked.enemies
    if asked.run_file is not None:
        if asked.save_file is not None:
            raise UsageError("two runs are named. Leave --run or --save-file out.")
        setup = with_player(setup, read_run(asked.run_file, skip=asked.skip_unknown), note_on(asked.run_file))
    elif asked.save_file is not None:
        current = current_run(asked.save_file)
        player = current.player(skip=asked.skip_unknown)
        setup = with_player(setup, player, note_on(asked.save_file), player.potions)
        text = current.encounter() if text is None and base is None and asked.file is None else text
    elif asked.skip_unknown and asked.file is None:
        raise UsageError("--skip-unknown applies to --run, --save-file and --fight. Add a file, or leave it out.")
    if text is not None:
        fight = replace(fight, encounters=certain(", ".join(enemy_names_in(text))))
        setup = replace(setup, enemies=find_enemies(text), enemy_hp=())
    setup = _changed(setup, ascension=asked.ascension, hp=asked.player_hp, max_hp=asked.max_hp, max_turns=asked.turns)
    if asked.hp is not None:
        sizes = {len(group) for group, _ in setup.enemies}
        setup = replace(setup, enemy_hp=enemy_hp(asked.hp, min(sizes) if len(sizes) == 1 else 0))
    if asked.deck is not None or asked.add or asked.remove:
        setup = replace(setup, deck=deck_of(asked, setup))
    relics = (*(() if asked.no_relics else setup.relics), *map(find_relic, asked.relics))
    potions = (*setup.potions, *map(find_potion, asked.potions))
    setup = replace(setup, relics=tuple(dict.fromkeys(relics)), potions=potions)
    _refuse_changes(fight, asked)
    payoff = _changed(fight.payoff, kind=asked.payoff, potion=asked.potion_price, tie=asked.tie)
    return replace(fight, setup=setup, payoff=payoff)


def _changed(one: D, **changes: Any) -> D:
    """Return a copy with other fields. None keeps a field."""
    return replace(one, **{name: value for name, value in changes.items() if value is not None})


def deck_of(asked: FightArguments, setup: Setup) -> Counter[str]:
    """Return the deck of a fight, changed by the options."""
    from evodom.spire.content.cards import ironclad
    from evodom.spire.fights.names import cards_from_text

    deck = Counter(ironclad(setup.ascension)[2] if setup.deck is None else setup.deck)
    if asked.deck is not None:
        deck = cards_from_text(asked.deck)
    deck += cards_from_text(asked.add or "")
    gone = cards_from_text(asked.remove or "")
    if missing := next((name for name, n in gone.items() if deck[name] < n), None):
        raise UsageError(f"--remove {gone[missing]} {missing}, and the deck has {deck[missing]}.")
    return deck - gone


def enemy_hp(text: str, n_enemies: int) -> tuple[int | None, ...]:
    """Read "53" or "38, 40, 39" into the HP of the enemies; ``n_enemies`` is 0 if unknown."""
    words = [word.strip() for word in text.split(",")]
    if not all(re.fullmatch(r"[1-9]\d{0,2}", word, re.ASCII) for word in words) or len(words) != n_enemies:
        what = f"{n_enemies} numbers" if n_enemies > 1 else "a number" if n_enemies else "numbers for a known group,"
        raise UsageError(
            f"--enemy-hp is the HP of the enemies, {what} from 1 to {MAX_HP}, got {text!r}. Your HP is --player-hp."
        )
    return tuple(int(word) for word in words)


def with_player(setup: Setup, run: RunFile, note: Callable[[str], None], potions: tuple[str, ...] = ()) -> Setup:
    """Return a setup with the player of a run, and with potions. Skipped items are noted."""
    from evodom.spire.fights.ids import notes_on

    for line in notes_on(run.skipped, run.idle):
        note(line)
    return replace(run.setup(setup.enemies, potions=potions), enemy_hp=setup.enemy_hp, max_turns=setup.max_turns)


def current_run(file: Path) -> CurrentRun:
    """Return the run of --save-file. Raise UsageError for a file without a run."""
    from evodom.spire.current_run import read_current_run

    if (run := read_current_run(file)) is None:
        raise UsageError(f"{file} has no run. Allowed: an autosave of the game, or a message of CommunicationMod.")
    return run


def note_on(file: Path | str) -> Callable[[str], None]:
    """Return a function that prints a line about a file to stderr, once per command, unless --quiet is given."""
    context = click.get_current_context()

    def note(line: str) -> None:
        noted = context.meta.setdefault("evodom.noted", set())
        if (file, line) not in noted and not context.params.get("quiet"):
            click.echo(f"{file}: {line}", err=True)
        noted.add((file, line))

    return note


def note_left_out(*fights: Fight) -> None:
    """Note how many changes of random cards a fight has no place for, the maximum of fights with the same text."""
    from evodom.spire.engine.compiler import FightRules

    if n := max(FightRules(next(fight.encounter_setups())[2]).n_left_out for fight in fights):
        note_on(fights[0].text)(f"random cards lack {n} of their upgrades and costs: too many kinds of cards.")


def _refuse_changes(fight: Fight, asked: FightArguments) -> None:
    """Raise UsageError for an option that changes the enemies or the deck of a fight that has begun."""
    fixed = ("enemies", "hp", "deck", "add", "remove", "run_file", "save_file")
    wrong = [specs_of(FightArguments)[name].flag for name in fixed if getattr(asked, name) is not None]
    if fight.state is not None and wrong:
        raise UsageError(f"{wrong[0]} cannot change a fight that has begun. Change the file, or remove its [state].")


def find_network(key: str | None, store: RunStore) -> tuple[Fight | None, NetworkEvaluator | None]:
    """Return the network of --network, and its fight if it is a training. The default is ACT if that fits the rules."""
    from evodom.spire.embedding.hypernetwork import shipped

    if key == UNTRAINED:
        return None, None
    if key in (ACT, None):
        network = shipped()
        if key and network is None:
            raise EvodomError(f"the shipped network of act 1 does not fit these rules. Use --network {UNTRAINED}.")
        return None, network
    from evodom.learning.fights.run import fights_of, network_of

    with store.open(key) as run:
        return fights_of(run)[0], network_of(run)


def fight_and_network(asked: FightArguments, key: str | None, store: RunStore) -> tuple[Fight, NetworkEvaluator | None]:
    """Return the fight of the options, by default that of the training, and the network of --network."""
    base, network = find_network(key, store)
    fight = fight_of(asked, base)
    check_known(key, network, fight)
    return fight, network


def name_fight(name: str | None, asked: FightArguments) -> FightArguments:
    """Return the options with the argument FIGHT, which is a file, an encounter or enemies."""
    if name is None:
        return asked
    if name.endswith(FILE_ENDINGS):
        return structs.replace(asked, file=_only(name, asked.file, Path(name)))
    return structs.replace(asked, enemies=_only(name, asked.enemies, name))


def name_fight_or_training(
    name: str | None, asked: FightArguments, network: str | None, store: RunStore
) -> tuple[FightArguments, str | None]:
    """Return the options and --network with the argument FIGHT, which may be a training.

    A name of enemies always means the enemies; `run:KEY` always means the training.
    """
    if name is None or name.endswith(FILE_ENDINGS) or not names_training(name, store):
        return name_fight(name, asked), network
    return asked, _only(name, network, name.removeprefix(RUN))


def _only(name: str, given: object, value: T) -> T:
    """Return ``value``. Raise UsageError if an option has named another fight."""
    if given is not None:
        raise UsageError(f"two fights are named, {name} and {given}. Leave one of them out.")
    return value


def names_training(name: str, store: RunStore) -> bool:
    """Return True if a name is `run:` and a key, or the key of a training and no enemies."""
    from evodom.runs import check_key

    if name.startswith(RUN):
        check_key(name.removeprefix(RUN))
        return True
    if names_enemies(name) or name not in store:
        return False
    with store.open(name) as run:
        return is_for_fights(run)


def names_enemies(name: str) -> bool:
    """Return True if a name is an encounter or enemies."""
    from evodom.spire.fights.names import find_enemies

    try:
        return bool(find_enemies(name))
    except UsageError:
        return False


def name_of(network: NetworkEvaluator | None, key: str | None) -> str | None:
    """Return a network's name in JSON: the key of a training, ACT for the network of act 1, or None."""
    return None if network is None else key or ACT


def network_note(network: NetworkEvaluator | None, key: str | None) -> str:
    """Return a note if the network of act 1 is used by default; "" otherwise."""
    if network is None or key is not None:
        return ""
    return f"Positions are evaluated by the network of act 1 (--network {UNTRAINED}: by playouts)."


def heal_note(fight: Fight) -> str:
    """Return a sentence on the HP that relics heal after a won fight: which of them the HP left includes."""
    from evodom.spire.content.relics import RELICS

    healing = ("fight_end_heal", "fight_end_heal_at_half", "fight_end_max_hp")
    heals = [f"{name} ({RELICS[name].text})" for name in fight.setup.relics if set(healing) & set(RELICS[name].changes)]
    if not heals:
        return "HP left excludes the 6 HP that Burning Blood heals after a won fight."
    if any("magic_flower" in RELICS[name].changes for name in fight.setup.relics):
        heals.append("50 % more by Magic Flower")
    without = "; without it: --no-relics" if fight.setup.relics == ("Burning Blood",) else ""
    return f"HP left includes {' and '.join(heals)}{without}."


def check_known(key: str | None, network: NetworkEvaluator | None, fight: Fight) -> None:
    """Raise UsageError if a fight has cards or enemies that the network was not trained with."""
    from evodom.spire.engine.game import SpireFight
    from evodom.spire.play.network import Network

    if not isinstance(network, Network):
        return
    for _, _, setup in fight.encounter_setups():
        if unknown := network.features.first_unknown(SpireFight(setup)):
            raise UsageError(
                f"the network '{key}' was not trained with {unknown}. Train a network for it: evodom spire train"
            )
