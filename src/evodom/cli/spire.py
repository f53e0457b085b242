"""`evodom spire`: Slay the Spire, its fights solved exactly, its maps drawn, routes found."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from evodom.cli.common import Number, chosen_seed, json_option, plot_option, quiet_option, seed_option, tell_picture
from evodom.cli.groups import Group
from evodom.cli.spire_ask import fight_command
from evodom.cli.spire_cards import cards_command
from evodom.cli.spire_compare import compare_command, pick_command
from evodom.cli.spire_fight import deck_of, enemy_hp, exact_fight_options, numbers_of, relics_of
from evodom.cli.spire_map import map_command
from evodom.cli.spire_network import fight_argument, name_fight
from evodom.cli.spire_play import play_command
from evodom.cli.spire_route import route_command
from evodom.cli.spire_search import search_command
from evodom.cli.spire_train import train_command
from evodom.errors import UsageError

if TYPE_CHECKING:
    from evodom.distribution import Distribution
    from evodom.spire.exact.fight import Fight, FightSetup, FightState, UpperBoundFight

GIBIBYTE = 1 << 30

_EXACT_ONLY = {"step": "--step", "hand": "--hand", "card_by_card": "--card-by-card", "spend_all": "--spend-all"}
"""Options of fights that are solved exactly, in fractions or floats, by plans for a turn."""


@click.group(cls=Group, short_help="Solve fights of Slay the Spire, and find routes through its maps.")
def spire() -> None:
    """Solve fights of Slay the Spire, the best line with proof of what it is worth; draw its maps, and find routes."""


spire.add_command(cards_command)
spire.add_command(map_command)
spire.add_command(route_command)
spire.add_command(search_command)
spire.add_command(play_command)
spire.add_command(fight_command)
spire.add_command(pick_command)
spire.add_command(train_command)
spire.add_command(compare_command)


@spire.command(short_help="Tell the most HP that can be expected of a fight.")
@fight_argument
@exact_fight_options
@click.option("--bash-upgraded", is_flag=True, help="Upgrade Bash.")
@click.option("--hand", metavar="CARDS", help="Your first hand, if it is known; with --hp each choice is told.")
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
    type=Number(0.1),
    metavar="GIB",
    help="Stop at so much memory.  [default: 3/4 of the machine's]",
)
@seed_option
@quiet_option
@json_option
def solve(name: str | None, as_json: bool, quiet: bool, **given: Any) -> None:
    """Tell the most HP that can be expected after a fight, and what may come of it.

    FIGHT is a file, an encounter or enemies, such as nob or "jaw worm".

    Without options it is the Ironclad's first fight at the highest ascension, against a Cultist. Every line of play is
    weighed with every hand that may be drawn: the number is exact, and no way to play is better. The model, rule by
    rule, is told in docs/spire.md.
    """
    from evodom.cli.spire_text import SolvedFight, solved_json, solved_text

    name_fight(given, name)
    if given["step"] and (as_json or given["plot"]):
        raise UsageError("--step asks questions, and --json and --plot do not wait for answers. Leave one of them out.")
    if given["seed"] is not None and not given["step"]:
        raise UsageError("--seed is for what chance decides in --step, and all else is exact. Leave it out.")
    if _is_for_any_solver(given):
        from evodom.cli.spire_solved import solve_any

        solve_any(given, as_json=as_json, quiet=quiet)
        return
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


def _is_for_any_solver(given: dict[str, Any]) -> bool:
    """Tell whether the compiled solver is to solve a fight: in floats, or with what the exact one does not know."""
    from evodom.spire.exact.known import UnknownToSolver

    walk = next((flag for name, flag in _EXACT_ONLY.items() if given[name]), None)
    paying = next(
        (f"--{name}" for name in ("payoff", "potion") if given[name if name == "payoff" else "potions"]), None
    )
    if walk and paying:
        raise UsageError(f"{walk} is for fights that are solved exactly, without {paying}. Leave one of them out.")
    if walk or given["in_floats"] or paying:
        return not walk
    try:
        _fight(given)
    except UnknownToSolver:
        return True
    return False


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

    setup = FightSetup() if given["file"] is None else _setup_of_file(given["file"])
    if given["enemies"] is not None:
        setup = replace(setup, enemies=find_group(given["enemies"]), enemy_hp=())
    setup = replace(setup, **numbers_of(given))
    if given["hp"] is not None:
        setup = replace(setup, enemy_hp=enemy_hp(given["hp"], len(setup.enemies)))
    return replace(setup, deck=deck_of(given, setup), relics=relics_of(given, setup.relics))


def _setup_of_file(file: Path) -> FightSetup:
    from evodom.spire.exact.known import setup_of
    from evodom.spire.fights import read_fight

    return setup_of(read_fight(file))


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

    memory = int(given["memory"] * GIBIBYTE) if given["memory"] else Limits().memory
    limits = Limits(states=None, memory=memory)
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
    from evodom.presentation.picture import plot_distribution

    plot_distribution(found.results, path, title=title(found.fight), label="HP left after the fight")
    tell_picture(path, quiet=quiet)
