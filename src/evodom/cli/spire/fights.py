"""The arguments that describe a fight of Slay the Spire and name the network that judges its positions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from evodom.cli.common import RunKey, data_dir_option
from evodom.errors import EvodomError, UsageError
from evodom.learning.fights import ACT, WITHOUT, is_for_fights
from evodom.spire.rows.cards import MAX_HP

if TYPE_CHECKING:
    from evodom.spire.fights import Fight
    from evodom.spire.play.network import Network, NetworkEvaluator


F = TypeVar("F", bound=Callable[..., Any])

_OF_ANY = (
    click.option("--fight", "file", type=click.Path(path_type=Path), metavar="FILE", help="A fight in a TOML file."),
    click.option(
        "--enemy", "enemies", metavar="NAMES", help="An encounter, or enemies, left to right.  [default: Cultist]"
    ),
    click.option(
        "--hp", metavar="HP", help="HP of the enemies, one number for each.  [default: as the game rolls them]"
    ),
    click.option("--ascension", type=click.IntRange(0, 20), help="The ascension.  [default: 20]"),
    click.option("--player-hp", type=click.IntRange(1, MAX_HP), help="Your HP.  [default: those of the first fight]"),
    click.option(
        "--max-hp", type=click.IntRange(1, MAX_HP), help="Your maximum of HP.  [default: as the ascension says]"
    ),
    click.option(
        "--deck", metavar="CARDS", help='Your deck, such as "Bash+, 5 Strike, 4 Defend".  [default: the starter]'
    ),
    click.option("--add", metavar="CARDS", help="Cards added to the deck."),
    click.option("--remove", metavar="CARDS", help="Cards removed from the deck."),
    click.option("--relic", "relics", metavar="NAME", multiple=True, help="A relic; may be given several times."),
    click.option(
        "--turns", type=click.IntRange(1, 100), metavar="N", help="A fight that is not won in N turns is lost."
    ),
)

_PAYING = (
    click.option("--potion", "potions", metavar="NAME", multiple=True, help="A potion; may be given several times."),
    click.option(
        "--potion-price",
        type=click.FloatRange(0, MAX_HP),
        metavar="HP",
        help="The price in HP of each potion that is used; 0: free.  [default: 4, or that of the file]",
    ),
    click.option(
        "--payoff",
        type=click.Choice(["hp", "win", "both"]),
        help="What counts: HP left, the win, or both.  [default: hp]",
    ),
)

_OF_SEARCH = (
    click.option(
        "--run", "run_file", type=click.Path(path_type=Path), metavar="FILE", help="Deck and HP of a .run file."
    ),
    click.option(
        "--skip-unknown", is_flag=True, help="Leave out the cards and relics of --run that no fight here can have."
    ),
    click.option("--no-relics", is_flag=True, help="Leave out Burning Blood too."),
    *_PAYING,
)


def exact_fight_options(function: F) -> F:
    """Add the options that describe a fight to be solved."""
    return _with(function, _OF_ANY + _PAYING)


def fight_options(function: F) -> F:
    """Add the options that describe any fight of act 1."""
    return _with(function, _OF_ANY + _OF_SEARCH)


def _with(function: F, options: Sequence[Callable[[F], F]]) -> F:
    for option in reversed(options):
        function = option(function)
    return function


def fight_of(given: dict[str, Any], base: Fight | None = None) -> Fight:
    """Return the fight of the options: that of --fight, or `base`, or the first of a run, and what changes it."""
    from evodom.distribution import certain
    from evodom.spire.engine.rules import Setup
    from evodom.spire.fights import Fight, Payoff, read_fight
    from evodom.spire.fights.fight import POTION_PRICE
    from evodom.spire.fights.names import find_enemies, find_potion, parts_of_enemies

    own = base or Fight(Setup(), Payoff(potion=POTION_PRICE))
    fight = read_fight(given["file"]) if given["file"] is not None else own
    setup = fight.setup
    if given["run_file"] is not None:
        setup = _with_run(setup, given["run_file"], skip=given["skip_unknown"])
    elif given.get("skip_unknown"):
        raise UsageError("--skip-unknown is for the cards and relics of a run. Add --run FILE, or leave it out.")
    if given["enemies"] is not None:
        text = given["enemies"]
        fight = replace(fight, encounters=certain(", ".join(parts_of_enemies(text))))
        setup = replace(setup, enemies=find_enemies(text), enemy_hp=())
    setup = replace(setup, **numbers_of(given))
    if given["hp"] is not None:
        sizes = {len(group) for group, _ in setup.enemies}
        setup = replace(setup, enemy_hp=enemy_hp(given["hp"], min(sizes) if len(sizes) == 1 else 0))
    if given["deck"] is not None or given["add"] or given["remove"] or given.get("bash_upgraded"):
        setup = replace(setup, deck=deck_of(given, setup))
    setup = replace(
        setup,
        relics=relics_of(given, () if given["no_relics"] else setup.relics),
        potions=(*setup.potions, *(find_potion(name) for name in given["potions"])),
    )
    _refuse_changes(fight, given)
    paying = {"kind": given["payoff"], "potion": given["potion_price"]}
    payoff = replace(fight.payoff, **{name: value for name, value in paying.items() if value is not None})
    return replace(fight, setup=setup, payoff=payoff)


def numbers_of(given: dict[str, Any]) -> dict[str, Any]:
    """Return the numbers of the options as fields of a fight's setup."""
    fields = {"ascension": "ascension", "player_hp": "hp", "max_hp": "max_hp", "turns": "max_turns"}
    return {field: given[option] for option, field in fields.items() if given[option] is not None}


def deck_of(given: dict[str, Any], setup: Any) -> Counter[str]:
    """Return the deck of a fight, changed by the options."""
    from evodom.spire.fights.names import cards_from_text
    from evodom.spire.rows.cards import ironclad

    deck = Counter(ironclad(setup.ascension)[2] if setup.deck is None else setup.deck)
    if given["deck"] is not None:
        deck = cards_from_text(given["deck"])
    if given.get("bash_upgraded"):
        if not deck["Bash"]:
            raise UsageError("--bash-upgraded upgrades a Bash, and the deck has none. Leave it out.")
        deck += Counter({"Bash+": deck.pop("Bash")})
    deck += cards_from_text(given["add"] or "")
    gone = cards_from_text(given["remove"] or "")
    if missing := next((name for name, n in gone.items() if deck[name] < n), None):
        raise UsageError(f"--remove {gone[missing]} {missing}, and the deck has {deck[missing]}.")
    return deck - gone


def relics_of(given: dict[str, Any], before: Sequence[str]) -> tuple[str, ...]:
    """Return the relics of a fight and those of the options, each once."""
    from evodom.spire.fights.names import find_relic

    return tuple(dict.fromkeys((*before, *(find_relic(name) for name in given["relics"]))))


def enemy_hp(text: str, n_enemies: int) -> tuple[int | None, ...]:
    """Read "53" or "38, 40, 39" into the HP of the enemies; their number is 0 where it is not known."""
    words = [word.strip() for word in text.split(",")]
    if not all(re.fullmatch(r"[1-9]\d{0,2}", word, re.ASCII) for word in words) or len(words) != n_enemies:
        what = f"{n_enemies} numbers" if n_enemies > 1 else "a number" if n_enemies else "numbers for a known group,"
        raise UsageError(
            f"--hp is the HP of the enemies, {what} from 1 to {MAX_HP}, got {text!r}. Yours are --player-hp."
        )
    return tuple(int(word) for word in words)


def _with_run(setup: Any, file: Path, *, skip: bool) -> Any:
    """Return a setup with the deck, relics, HP and ascension of a run; what is skipped is listed on stderr."""
    from evodom.spire.fights import read_run

    run = read_run(file, skip=skip)
    if run.skipped:
        _list_skipped(file, run.skipped)
    return replace(setup, deck=run.deck, relics=run.relics, ascension=run.ascension, hp=run.hp, max_hp=run.max_hp)


def _list_skipped(file: Path, skipped: Sequence[str]) -> None:
    """Print what of a run is left out, once a command, and not with --quiet."""
    context = click.get_current_context()
    listed = context.meta.setdefault("evodom.skipped", set())
    if file not in listed and not context.params.get("quiet"):
        click.echo(f"Skipped of {file}: {'; '.join(skipped)}.", err=True)
    listed.add(file)


def _refuse_changes(fight: Fight, given: dict[str, Any]) -> None:
    """Raise UsageError for an option that would change who fights, or with which cards, in a fight that has begun."""
    options = {
        "enemies": "--enemy",
        "hp": "--hp",
        "deck": "--deck",
        "add": "--add",
        "remove": "--remove",
        "run_file": "--run",
    }
    wrong = [option for name, option in options.items() if given[name] is not None]
    if fight.state is not None and wrong:
        raise UsageError(f"{wrong[0]} cannot change a fight that has begun; change the file, or leave its [state] out.")


RUN = "run:"
"""Prefix of the key of a training, where names of enemies are valid too."""


def network_option(function: F) -> F:
    """Add the option that has a network judge positions; the network of act 1 does if it is not given."""
    option = click.option(
        "--network",
        type=RunKey(),
        metavar="KEY",
        help="The network of this training judges positions; if no fight is given, it is the one it was trained for. "
        f"By default, and as {ACT}, the one of all act 1 that comes with evodom does; {WITHOUT}: none does.",
    )
    return option(data_dir_option(function))


def fight_and_network(given: dict[str, Any]) -> tuple[Fight, NetworkEvaluator | None]:
    """Return the fight of the options and the network that they name, or that of act 1."""
    key, data_dir = given.pop("network"), given.pop("data_dir")
    if key is None:
        return fight_of(given), shipped_network()
    if key == WITHOUT:
        return fight_of(given), None
    if key == ACT:
        return fight_of(given), named_network()
    fights, network = trained(key, data_dir)
    fight = fight_of(given, fights[0])
    check_known(key, network, fight)
    return fight, network


def fight_argument(function: F) -> F:
    """Add the argument that names the fight."""
    return click.argument("name", metavar="[FIGHT]", required=False)(function)


def name_fight(given: dict[str, Any], name: str | None) -> None:
    """Put the argument FIGHT into the options: a file, an encounter or enemies, or else a training.

    A name of enemies always means the enemies. A training is also named with `run:` before its key.
    """
    if name is None:
        return
    option = "file" if name.endswith(".toml") else "enemies"
    value: Any = Path(name) if option == "file" else name
    if option == "enemies" and "network" in given and names_training(name, given["data_dir"]):
        option, value = "network", name.removeprefix(RUN)
    if given[option] is not None:
        raise UsageError(f"two fights are named, {name} and {given[option]}. Leave one of them out.")
    given[option] = value


def names_training(name: str, data_dir: Path | None) -> bool:
    """Return True if a name is `run:` and a key, or the key of a training and no enemies."""
    from evodom.runs import check_key

    if name.startswith(RUN):
        check_key(name.removeprefix(RUN))
        return True
    return not names_enemies(name) and is_training(name, data_dir)


def names_enemies(name: str) -> bool:
    """Return True if a name is an encounter or enemies."""
    from evodom.spire.fights.names import find_enemies

    try:
        return bool(find_enemies(name))
    except UsageError:
        return False


def shipped_network() -> NetworkEvaluator | None:
    """Return the network of act 1 that comes with evodom, None where none is there that fits."""
    from evodom.spire.embedding.hypernetwork import shipped

    return shipped()


def named_network() -> NetworkEvaluator:
    """Return the network of act 1 that comes with evodom; EvodomError where none is there that fits."""
    found = shipped_network()
    if found is None:
        raise EvodomError(f"no network of act 1 is there that fits these rules. Use --network {WITHOUT}.")
    return found


def name_of(network: NetworkEvaluator | None, key: str | None) -> str | None:
    """Return what a network is called for programs: the key of a training, that of act 1, or None."""
    return None if network is None else key or ACT


def told(network: NetworkEvaluator | None, key: str | None) -> str:
    """Return a line that says that the network of act 1 is used, where nobody has named it; "" otherwise."""
    if network is None or key is not None:
        return ""
    return f"The network of act 1 judges positions (--network {WITHOUT}: quick play alone does)."


def trained(key: str, data_dir: Path | None) -> tuple[list[Fight], Network]:
    """Return the fights of a training, and its network."""
    from evodom.learning.fights.run import fights_of, network_of
    from evodom.runs import Run
    from evodom.runs import data_dir as find_data_dir

    with Run.open(key, root=find_data_dir(data_dir)) as run:
        return fights_of(run), network_of(run)


def check_known(key: str | None, network: NetworkEvaluator | None, fight: Fight) -> None:
    """Raise UsageError if a fight has cards or enemies that a network was not trained with; that of act 1 knows all."""
    from evodom.spire.engine.game import SpireFight
    from evodom.spire.play.network import Network

    if not isinstance(network, Network):
        return
    for _, _, setup in fight.parts():
        if unknown := network.sight.unknown(SpireFight(setup)):
            raise UsageError(
                f"the network '{key}' has never seen {unknown}. Train one for this fight: evodom spire train."
            )


def is_training(name: str, data_dir: Path | None) -> bool:
    """Tell whether a name is the key of a saved training for fights."""
    from evodom.runs import Run, known_keys
    from evodom.runs import data_dir as find_data_dir

    root = find_data_dir(data_dir)
    if name not in known_keys(root):
        return False
    with Run.open(name, root=root) as run:
        return is_for_fights(run)
