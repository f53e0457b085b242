"""`evodom spire solve`: solve a fight of act 1, and print its value and outcomes as text or JSON."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import click
from msgspec import structs

from evodom.api.progress import ensure_compiled
from evodom.cli.common import can_print, write_picture
from evodom.cli.options import CommonArguments, Overwrite, picture_option, takes
from evodom.cli.spire.fights import (
    FightArguments,
    fight_argument,
    fight_of,
    name_fight,
    note_left_out,
    takes_solvable_fight,
)
from evodom.options import OptionStruct, option
from evodom.presentation.histogram import EIGHTHS, Histogram, bars
from evodom.presentation.text import aligned_columns

if TYPE_CHECKING:
    from evodom.spire.fights import Fight
    from evodom.spire.solver.answer import GraphSize, SolvedFight


GIBIBYTE = 1 << 30

LONGEST_EXACT = 4000, 60, 40
"""Maximum numbers of characters of a fraction: in JSON, in the text, and in a list of plans."""

SHOWN = 12
"""Maximum number of plans in the text."""

PLAN = "plan: cards to play on turn 1"
"""Heading of the plans of a hand."""

FIRST_LINE_S = 5.0
"""Seconds before the first line of progress. The time between lines doubles."""


class Solved(NamedTuple):
    """A solved fight, and the time of its solution in seconds."""

    fight: Fight
    found: SolvedFight
    seconds: float


class SolveOptions(OptionStruct, frozen=True, kw_only=True):
    """Options of the solver and its output."""

    hand: Annotated[
        str | None, option("--hand CARDS", "Your first hand, if known. With --enemy-hp, list every plan for it.")
    ] = None
    in_floats: Annotated[bool, option("--float", "Compute in floats instead of fractions: faster in large fights.")] = (
        False
    )
    save: Annotated[Path | None, picture_option("the distribution of the HP left")] = None
    overwrite: Overwrite = False
    memory: Annotated[
        float | None,
        option(
            "--memory GIB",
            "Memory limit in GiB. A fight beyond it is refused.",
            ge=0.1,
            default_text="3/4 of the machine's",
        ),
    ] = None


@click.command("solve")
@fight_argument
@takes_solvable_fight
@takes(SolveOptions, "options")
@takes(CommonArguments, "common", "quiet", "as_json")
def solve_command(name: str | None, asked: FightArguments, options: SolveOptions, common: CommonArguments) -> None:
    """Solve a fight: print the highest expected HP left, and the probability of each result.

    FIGHT is a file, an encounter or enemies, such as nob or "jaw worm". Without it, the fight is the Ironclad's first
    at ascension 20, against a Cultist.

    The value is optimal over all plays and all possible draws. It is an exact fraction if that is not too large,
    otherwise a float with an error bound. The rules are in docs/reference/fight-rules.md.

    A long run prints its size so far and an estimate of its final size. Fights against several enemies are often too
    large; evodom spire search estimates them in seconds.
    """
    asked = name_fight(name, asked)
    fight = fight_of(structs.replace(asked, no_relics=asked.file is None))
    note_left_out(fight)
    ensure_compiled("solver", quiet=common.quiet)
    begin = time.perf_counter()
    found = _solve(fight, options, quiet=common.quiet)
    solved = Solved(fight, found, time.perf_counter() - begin)
    click.echo(_json(solved) if common.as_json else _text(solved))
    if options.save:
        title = f"HP left, %: Ironclad against {fight.text}"
        write_picture(Histogram(found.results.pairs()).svg(title), options.save, quiet=common.quiet)


def _solve(fight: Fight, options: SolveOptions, *, quiet: bool) -> SolvedFight:
    from evodom.solving import Limits
    from evodom.spire.solver.answer import FightTooLarge, SolverLimits
    from evodom.spire.solver.solve import solve_fight

    memory = int(options.memory * GIBIBYTE) if options.memory else Limits().memory
    try:
        return solve_fight(
            fight,
            SolverLimits(memory=memory),
            None if quiet else SizeReport(memory),
            fractions=not options.in_floats,
            hand=options.hand or "",
        )
    except FightTooLarge as error:
        turns = "" if fight.setup.max_turns else ", limit it with --turns 5"
        raise FightTooLarge(
            f"this fight is too large: {error}. Allow more{turns}, or estimate it: evodom spire search"
        ) from error


class SizeReport:
    """Print the size of a growing graph on stderr, after FIRST_LINE_S seconds and then at doubling intervals.

    The first line is followed by `hint`, the quicker way.
    """

    def __init__(
        self, memory: int | None, hint: str = "A large fight is estimated in seconds by: evodom spire search"
    ) -> None:
        self._hint = hint
        self._allowed = f" of {memory / GIBIBYTE:.1f}" if memory else ""
        self._began, self._next = time.monotonic(), FIRST_LINE_S
        self._before: GraphSize | None = None

    def __call__(self, size: GraphSize) -> None:
        """Print a line if it is due."""
        seconds = time.monotonic() - self._began
        before, self._before = self._before or size, size
        if seconds < self._next:
            return
        is_first, self._next = self._next == FIRST_LINE_S, max(2 * self._next, seconds)
        total = size.estimated_total(before)
        estimate = "the number still rises" if total is None else f"about {total:,} in the end"
        memory = f"{size.memory / GIBIBYTE:.1f}{self._allowed} GiB"
        click.echo(f"solving: {size.chance_nodes:,} draws in {seconds:.0f} s, {estimate}, {memory}", err=True)
        if is_first:
            click.echo(f"{self._hint} (Ctrl+C stops solving)", err=True)


def exact_text(value: Fraction | None, longest: int = LONGEST_EXACT[0]) -> str | None:
    """Return a fraction as text; None for one of more characters than `longest`."""
    if value is None or value.denominator.bit_length() > 2 * longest:
        return None
    text = str(value)
    return text if len(text) <= longest else None


def pays_hp(fight: Fight) -> bool:
    """Return whether the value of a fight is the HP left, and nothing else."""
    priced = fight.payoff.potion and fight.setup.potions
    return fight.payoff.kind == "hp" and not priced and not fight.payoff.gain


# Text.


def _text(solved: Solved) -> str:
    """Return the answer as one screen of text."""
    fight, found, effort = solved.fight, solved.found, solved.found.effort
    lines = [f"Ironclad against {fight.text}", *_facts(fight), ""]
    note = _precision(solved)
    if not pays_hp(fight):
        lines.append(f"Value        {found.value:.6f}   {payoff_to_text(fight)}{note}")
        note = "   of an optimal play"
    lines.append(f"Expected HP  {found.results.mean():.6f}{note}")
    if found.turns is not None:
        lines.append(f"Turns ended  {found.turns:.6f}   the fewest of the optimal plays")
    if found.upper_bound is not None:
        lines.append(
            f"             with a limit of {fight.setup.max_turns} turns; without the limit, at most "
            f"{found.upper_bound:.6f}"
        )
    size = f"{effort.memory / (1 << 20):,.0f} MiB"
    return "\n".join(
        [
            *lines,
            f"Death        {100 * found.results.death:.4g} %",
            "",
            *_choices_to_text(solved),
            bars(found.results.pairs(), label="HP left", block_characters=can_print(EIGHTHS)),
            "",
            f"{effort.states:,} states in {solved.seconds:.2f} s and {size}"
            + (f", {found.exact.n_decisions:,} decisions." if found.exact else ", in floats."),
        ]
    )


def _precision(solved: Solved) -> str:
    """Return the precision of the value: the optimum as a fraction, or the bound of its error."""
    found = solved.found
    if found.exact:
        fraction = exact_text(found.exact.value, LONGEST_EXACT[1])
        return f"   exactly {fraction}" if fraction else "   computed in fractions"
    if found.is_worst_case and not found.error:
        return ""
    return f"   error at most {found.error:.0e}" if found.error else "   error at most 1e-09"


def _facts(fight: Fight) -> list[str]:
    """Return the player's deck, relics and potions, a line each."""
    from evodom.spire.fights.names import cards_to_text

    setup = fight.setup
    facts = [f"Deck: {cards_to_text(setup.player()[2])}", f"Relics: {', '.join(setup.relics) or 'none'}"]
    return facts + ([f"Potions: {', '.join(setup.potions)}"] if setup.potions else [])


def payoff_to_text(fight: Fight) -> str:
    """Return the payoff of a fight in words."""
    payoff = fight.payoff
    kinds = {"hp": "HP", "win": "probability to win", "both": "half the win, half the HP"}
    parts = [kinds.get(payoff.kind, "HP that no draw can undercut")]
    parts += [f"{payoff.potion:g} HP for each potion used"] if payoff.potion and fight.setup.potions else []
    parts += [f"{payoff.gain:g} HP for each maximum HP gained"] if payoff.gain else []
    return "; ".join(parts)


def _choices_to_text(solved: Solved) -> list[str]:
    """Return a line for each move of a fight that has begun, or each plan for a hand, the best first."""
    found = solved.found
    rows = [
        (f"{value:.5f}", exact_text(exact, LONGEST_EXACT[2]) or "", name) for name, value, exact in _choices(solved)
    ]
    if not rows:
        return []
    shown = rows if found.moves else rows[:SHOWN]
    value, name = "HP" if pays_hp(solved.fight) else "value", "move" if found.moves else PLAN
    is_exact = any(exact for _, exact, _ in shown)
    columns = (0, 1, 2) if is_exact else (0, 2)
    table = [[row[column] for column in columns] for row in ((value, "exactly", name), *shown)]
    more = [f"and {len(rows) - len(shown)} more"] if len(rows) > len(shown) else []
    return [*aligned_columns(table, left=(1, 2)), *more, ""]


def _choices(solved: Solved) -> Iterator[tuple[str, float, Fraction | None]]:
    """Yield each move of a fight that has begun, or each plan for a first hand: text, value and exact value."""
    found = solved.found
    if not (found.moves or found.plans):
        return
    from evodom.spire.engine.game import SpireFight
    from evodom.spire.fights.display import move_to_text, plan_to_text

    game = SpireFight(solved.fight.setup)
    names = [move_to_text(game, found.state, move) for move, _ in found.moves]
    names += [plan_to_text(game, found.state, plan) for plan, _ in found.plans]
    values = [value for _, value in (*found.moves, *found.plans)]
    yield from zip(names, values, found.exact.choices if found.exact else [None] * len(names), strict=True)


# JSON.


def _json(solved: Solved) -> str:
    """Return the answer with every figure, fractions as text."""
    fight, found, effort, exact = solved.fight, solved.found, solved.found.effort, solved.found.exact
    setup, payoff = fight.setup, fight.payoff
    hp, max_hp, deck = setup.player()
    groups = list(setup.enemies)
    chances = exact.by_hp if exact else {}
    mean = sum((left * share for left, share in chances.items()), Fraction(0)) if exact else None
    kind, worth = ("move", "value") if found.moves else ("plan", "expected_hp")
    facts = {
        "fight": fight.text,
        "enemies": list(groups[0][0]) if len(groups) == 1 else None,
        "enemy_hp": list(setup.enemy_hp) or None,
        "ascension": setup.ascension,
        "hp": hp,
        "max_hp": max_hp,
        "deck": dict(deck),
        "relics": list(setup.relics),
        "potions": list(setup.potions),
        "payoff": asdict(payoff),
        "max_turns": setup.max_turns,
        "value": found.value,
        "value_exact": exact_text(exact.value if exact else None),
        "expected_hp": found.results.mean() if mean is None else float(mean),
        "expected_hp_exact": exact_text(mean),
        "turns_ended": found.turns,
        "error": found.error,
        "at_most": found.upper_bound,
        "death": found.results.death,
        "choices": [{kind: name, worth: value} | _exact_json(share) for name, value, share in _choices(solved)],
        "results": [
            {"hp": left, "probability": chance} | _exact_json(chances.get(left))
            for left, chance in found.results.pairs()
        ],
        "decisions": exact.n_decisions if exact else None,
        "states": effort.states,
        "draws": effort.chance_nodes,
        "hands": effort.decisions,
        "moves": effort.moves,
        "memory": effort.memory,
        "seconds": solved.seconds,
    }
    return json.dumps(facts, indent=2, allow_nan=False)


def _exact_json(value: Fraction | None) -> dict[str, str]:
    text = exact_text(value)
    return {"exact": text} if text else {}
