"""`evodom spire`: Slay the Spire, its fights solved exactly, its maps drawn, routes found."""

from __future__ import annotations

import re
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from evodom.cli.common import chosen_seed, json_option, plot_option, quiet_option, seed_option, tell_picture
from evodom.cli.spire_cards import cards_command
from evodom.cli.spire_map import map_command
from evodom.cli.spire_play import play_command
from evodom.cli.spire_route import route_command
from evodom.cli.spire_search import pick_command, search_command
from evodom.errors import UsageError

if TYPE_CHECKING:
    from evodom.distribution import Distribution
    from evodom.spire.exact.fight import Fight, FightSetup, FightState, UpperBoundFight

MAX_HP = 999
GIBIBYTE = 1 << 30


@click.group(short_help="Solve fights of Slay the Spire, and find routes through its maps.")
def spire() -> None:
    """Solve fights of Slay the Spire, the best line with proof of what it is worth; draw its maps, and find routes."""


spire.add_command(cards_command)
spire.add_command(map_command)
spire.add_command(route_command)
spire.add_command(search_command)
spire.add_command(play_command)
spire.add_command(pick_command)


@spire.command(short_help="Tell the most HP that can be expected of a fight.")
@click.option(
    "--fight", "file", type=click.Path(path_type=Path), metavar="FILE", help="A fight in a TOML file, not yet begun."
)
@click.option("--enemy", "enemies", metavar="NAMES", help="The enemies, left to right.  [default: Cultist]")
@click.option(
    "--hp", metavar="HP", help="HP of the enemies, one number for each.  [default: as the game rolls them, all known]"
)
@click.option("--ascension", type=click.IntRange(0, 20), help="The ascension.  [default: 20]")
@click.option("--player-hp", type=click.IntRange(1, MAX_HP), help="Your HP.  [default: those of the first fight]")
@click.option("--max-hp", type=click.IntRange(1, MAX_HP), help="Your maximum of HP.  [default: as the ascension says]")
@click.option("--deck", metavar="CARDS", help='Your deck, such as "Bash+, 5 Strike, 4 Defend".  [default: the starter]')
@click.option("--add", metavar="CARDS", help="Cards added to the deck.")
@click.option("--remove", metavar="CARDS", help="Cards removed from the deck.")
@click.option("--bash-upgraded", is_flag=True, help="Upgrade Bash.")
@click.option("--hand", metavar="CARDS", help="Your first hand, if it is known; with --hp each choice is told.")
@click.option("--relic", "relics", metavar="NAME", multiple=True, help="A relic; may be given several times.")
@click.option(
    "--turns",
    type=click.IntRange(1, 100),
    metavar="N",
    help="Bound a fight that may be long: lost if not won in N turns.",
)
@click.option("--float", "in_floats", is_flag=True, help="Compute in floats: quicker in big fights.")
@click.option("--card-by-card", is_flag=True, help="Decide card by card instead of turn by turn: the same, slower.")
@click.option(
    "--spend-all", is_flag=True, help="Look only at plans that spend all energy, where there are any: fewer states."
)
@click.option(
    "--step", is_flag=True, help="Walk through a fight: say what was drawn, and see what each choice is worth."
)
@plot_option("the HP left")
@click.option(
    "--memory",
    type=click.FloatRange(0.1),
    metavar="GIB",
    help="Stop at so much memory.  [default: 3/4 of the machine's]",
)
@seed_option
@quiet_option
@json_option
def solve(as_json: bool, quiet: bool, **given: Any) -> None:
    """Tell the most HP that can be expected after a fight, and what may come of it.

    Without options it is the Ironclad's first fight at the highest ascension, against a Cultist. Every line of play is
    weighed with every hand that may be drawn: the number is exact, and no way to play is better. The model, rule by
    rule, is told in docs/spire.md.
    """
    from evodom.cli.spire_text import SolvedFight, solved_json, solved_text

    if given["step"] and (as_json or given["plot"]):
        raise UsageError("--step asks questions, and --json and --plot do not wait for answers. Leave one of them out.")
    if given["seed"] is not None and not given["step"]:
        raise UsageError("--seed is for what chance decides in --step, and all else is exact. Leave it out.")
    fight = _fight(given)
    begin = time.perf_counter()
    solution = _solution(fight, given, quiet=quiet)
    most = _upper_bound(fight, given, quiet=quiet) if fight.setup.max_turns and not given["step"] else None
    seconds = time.perf_counter() - begin
    if given["step"]:
        from numpy.random import default_rng

        from evodom.cli.spire_step import Walk

        Walk(fight, solution, default_rng(chosen_seed(given["seed"]))).run()
        return
    found = SolvedFight(fight, solution, seconds, most)
    click.echo(solved_json(found) if as_json else solved_text(found))
    if given["plot"]:
        _plot(found, given["plot"], quiet=quiet)


def _fight(given: dict[str, Any]) -> Fight:
    """Return the fight that the options describe."""
    from evodom.spire.exact.fight import Fight
    from evodom.spire.exact.plans import CARD_BY_CARD, TURN_BY_TURN

    mode = CARD_BY_CARD if given["card_by_card"] else TURN_BY_TURN
    return Fight(_setup(given), mode=mode, spend_all=given["spend_all"])


def _setup(given: dict[str, Any]) -> FightSetup:
    """Return the fight of the options: that of --fight, changed by what else is given."""
    from evodom.spire.exact.fight import FightSetup
    from evodom.spire.exact.groups import find_group
    from evodom.spire.fights.naming import find_relic

    setup = FightSetup() if given["file"] is None else _setup_of_file(given["file"])
    changes: dict[str, Any] = {}
    if given["enemies"] is not None:
        changes |= {"enemies": find_group(given["enemies"]), "enemy_hp": ()}
    for option, name in (("ascension", "ascension"), ("player_hp", "hp"), ("max_hp", "max_hp"), ("turns", "max_turns")):
        if given[option] is not None:
            changes[name] = given[option]
    setup = replace(setup, **changes)
    if given["hp"] is not None:
        setup = replace(setup, enemy_hp=_enemy_hp(given["hp"], len(setup.enemies)))
    relics = tuple(find_relic(name) for name in given["relics"])
    return replace(setup, deck=_deck(given, setup), relics=tuple(dict.fromkeys((*setup.relics, *relics))))


def _setup_of_file(file: Path) -> FightSetup:
    from evodom.spire.exact.known import setup_of
    from evodom.spire.fights import read_fight

    return setup_of(read_fight(file))


def _deck(given: dict[str, Any], setup: FightSetup) -> Counter[str]:
    """Return the deck of a fight, changed by the options."""
    from evodom.spire.fights.naming import cards_from_text
    from evodom.spire.rows.cards import ironclad

    deck = Counter(ironclad(setup.ascension)[2] if setup.deck is None else setup.deck)
    if given["deck"] is not None:
        deck = cards_from_text(given["deck"])
    if given["bash_upgraded"]:
        if not deck["Bash"]:
            raise UsageError("--bash-upgraded upgrades a Bash, and the deck has none. Leave it out.")
        deck += Counter({"Bash+": deck.pop("Bash")})
    deck += cards_from_text(given["add"] or "")
    gone = cards_from_text(given["remove"] or "")
    if missing := next((name for name, n in gone.items() if deck[name] < n), None):
        raise UsageError(f"--remove {gone[missing]} {missing}, and the deck has {deck[missing]}.")
    return deck - gone


def _enemy_hp(text: str, n_enemies: int) -> tuple[int | None, ...]:
    """Read "53" or "38, 40, 39" into the HP of the enemies."""
    words = [word.strip() for word in text.split(",")]
    if not all(re.fullmatch(r"[1-9]\d{0,2}", word) for word in words) or len(words) != n_enemies:
        what = f"{n_enemies} numbers" if n_enemies > 1 else "a number"
        raise UsageError(
            f"--hp is the HP of the enemies, {what} from 1 to {MAX_HP}, got {text!r}. Yours are --player-hp."
        )
    return tuple(int(word) for word in words)


def _solution(fight: Fight, given: dict[str, Any], *, quiet: bool) -> Any:
    """Solve the fight, or enclose its value where states come back, with progress on stderr."""
    return _solved(fight, _start(fight, given["hand"]), given, quiet=quiet)


def _solved(
    game: Fight | UpperBoundFight, start: Distribution[FightState], given: dict[str, Any], *, quiet: bool
) -> Any:
    from fractions import Fraction

    from evodom.cli.common import solving
    from evodom.solve import Cyclic, Limits, TooLarge, solve_or_enclose
    from evodom.spire.exact.piles import Overflow

    limits = Limits(memory=int(given["memory"] * GIBIBYTE)) if given["memory"] else Limits()
    number = float if given["in_floats"] else Fraction
    with solving(quiet=quiet) as progress:
        try:
            return solve_or_enclose(game, start, number=number, limits=limits, progress=progress)
        except (TooLarge, Overflow) as error:
            if isinstance(error.__cause__, Cyclic):
                text = f"this fight may go on for ever, and is too large; --turns 5 ends it. {error}"
            else:
                text = f"this fight cannot be solved here: {error}"
            raise TooLarge(text) from error


def _upper_bound(fight: Fight, given: dict[str, Any], *, quiet: bool) -> Any:
    """Return an upper bound for the fight without the limit of --turns."""
    from evodom.spire.exact.fight import UpperBoundFight

    return _solved(UpperBoundFight(fight), _start(fight, given["hand"]), given, quiet=quiet).value


def _start(fight: Fight, hand: str | None) -> Distribution[FightState]:
    """Return the first states of a fight; only those with the hand of --hand if that is given."""
    from evodom.spire.exact.fight import PlayerTurn
    from evodom.spire.exact.text import cards_of_fight, impossible_hand

    start = fight.starts()
    if hand is None:
        return start
    wanted = cards_of_fight(fight, hand)
    hands = [state.hand for state, _ in start if isinstance(state, PlayerTurn)]
    if wanted not in hands:
        raise UsageError(impossible_hand(fight, wanted, hands))
    return start.given(lambda state: isinstance(state, PlayerTurn) and state.hand == wanted)


def _plot(found: Any, path: Path, *, quiet: bool) -> None:
    from evodom.cli.spire_text import title
    from evodom.report.plot import plot_distribution

    plot_distribution(found.results, path, title=title(found.fight), label="HP left after the fight")
    tell_picture(path, quiet=quiet)
