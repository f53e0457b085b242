"""`evodom spire solve` for any fight of act 1: solved by the compiled solver, as text and as JSON."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from evodom.cli.common import can_print, solving, tell_picture, warm_up_solver
from evodom.cli.spire_fight import fight_of
from evodom.presentation.histogram import EIGHTHS, bars

if TYPE_CHECKING:
    from evodom.spire.fights import Fight
    from evodom.spire.solver.answer import SolvedFight

MEBIBYTE = 1 << 20
GIBIBYTE = 1 << 30


@dataclass(frozen=True)
class Answer:
    """A fight that was solved, and how long that took."""

    fight: Fight
    solved: SolvedFight
    seconds: float


def solve_any(given: dict[str, Any], *, as_json: bool, quiet: bool) -> None:
    """Solve the fight of the options, and tell what it is worth."""
    fight = fight_of(given | {"run_file": None, "no_relics": given["file"] is None})
    warm_up_solver(quiet=quiet)
    begin = time.perf_counter()
    solved = _solved(fight, given["memory"], quiet=quiet)
    answer = Answer(fight, solved, time.perf_counter() - begin)
    click.echo(_json(answer) if as_json else _text(answer))
    if given["plot"]:
        from evodom.presentation.picture import plot_distribution

        title = f"Ironclad against {fight.text}"
        plot_distribution(solved.results.pairs(), given["plot"], title=title, label="HP left after the fight")
        tell_picture(given["plot"], quiet=quiet)


def _solved(fight: Fight, memory: float | None, *, quiet: bool) -> SolvedFight:
    from evodom.solve import Limits
    from evodom.spire.solver.answer import SolverLimits
    from evodom.spire.solver.graph import TooLarge
    from evodom.spire.solver.solve import solve_fight

    limits = SolverLimits(memory=int(memory * GIBIBYTE) if memory else Limits().memory)
    with solving(quiet=quiet, unit="moves") as progress:
        try:
            return solve_fight(fight, limits, progress)
        except TooLarge as error:
            turns = "" if fight.setup.max_turns else ", --turns 5 makes it smaller"
            raise TooLarge(
                f"this fight cannot be solved here: {error}. Allow more{turns}, or play it: evodom spire search"
            ) from error


def _plain(fight: Fight) -> bool:
    """Tell whether a fight is worth the HP that are left, and nothing else."""
    priced = fight.payoff.potion and fight.setup.potions
    return fight.payoff.kind == "hp" and not priced and not fight.payoff.gain


def _text(answer: Answer) -> str:
    """Return the answer as one screen of text."""
    fight, solved, effort = answer.fight, answer.solved, answer.solved.effort
    exact = f"   proved to within {solved.error:.0e}" if solved.error else ""
    lines = [f"Ironclad against {fight.text}", *_facts(fight), ""]
    if not _plain(fight):
        lines.append(f"Worth        {solved.value:.6f}   {_payoff_to_text(fight)}{exact}")
    lines.append(f"Expected HP  {solved.results.mean():.6f}{exact if _plain(fight) else ''}")
    if solved.at_most is not None:
        lines.append(
            f"             if a fight not won in {fight.setup.max_turns} turns is lost; without that, at most "
            f"{solved.at_most:.6f}"
        )
    size = f"{effort.memory / MEBIBYTE:,.0f} MiB"
    return "\n".join(
        [
            *lines,
            f"Death        {100 * solved.results.death:.4g} %",
            "",
            *_moves_to_text(answer),
            bars(solved.results.pairs(), label="HP left", blocks=can_print(EIGHTHS)),
            "",
            f"{effort.states:,} states in {answer.seconds:.2f} s and {size}, in floats.",
        ]
    )


def _facts(fight: Fight) -> list[str]:
    """Return what the player has, a line each."""
    from evodom.spire.fights.names import cards_to_text
    from evodom.spire.rows.cards import ironclad

    setup = fight.setup
    deck = ironclad(setup.ascension)[2] if setup.deck is None else setup.deck
    facts = [f"Deck: {cards_to_text(deck)}"]
    facts += [f"Relics: {', '.join(setup.relics)}"] if setup.relics else []
    return facts + ([f"Potions: {', '.join(setup.potions)}"] if setup.potions else [])


def _payoff_to_text(fight: Fight) -> str:
    payoff = fight.payoff
    parts = [{"hp": "HP", "win": "the chance to win", "both": "half the win, half the HP"}[payoff.kind]]
    parts += [f"{payoff.potion:g} HP for each potion used"] if payoff.potion and fight.setup.potions else []
    parts += [f"{payoff.gain:g} HP for each maximum HP gained"] if payoff.gain else []
    return "; ".join(parts)


def _named_moves(answer: Answer) -> list[tuple[str, float]]:
    """Return the moves of a fight that has begun in words, with their values."""
    if not answer.solved.moves:
        return []
    from evodom.spire.engine.game import SpireFight
    from evodom.spire.fights import state_of
    from evodom.spire.fights.text import move_to_text

    game = SpireFight(answer.fight.setup)
    state = state_of(answer.fight, game)
    return [(move_to_text(game, state, move), value) for move, value in answer.solved.moves]


def _moves_to_text(answer: Answer) -> list[str]:
    """Return a line for each move of a fight that has begun, the best first."""
    rows = [(f"{value:.5f}", name) for name, value in _named_moves(answer)]
    if not rows:
        return []
    width = max(len(value) for value, _ in rows)
    head = "HP" if _plain(answer.fight) else "worth"
    return [f"{head:>{width}}  move", *(f"{value:>{width}}  {name}" for value, name in rows), ""]


def _json(answer: Answer) -> str:
    """Return the answer with every figure."""
    fight, solved, effort = answer.fight, answer.solved, answer.solved.effort
    setup, payoff = fight.setup, fight.payoff
    facts = {
        "fight": fight.text,
        "enemy_hp": list(setup.enemy_hp) or None,
        "ascension": setup.ascension,
        "deck": None if setup.deck is None else dict(setup.deck),
        "relics": list(setup.relics),
        "potions": list(setup.potions),
        "payoff": {"kind": payoff.kind, "potion": payoff.potion, "gain": payoff.gain},
        "max_turns": setup.max_turns,
        "value": solved.value,
        "expected_hp": solved.results.mean(),
        "expected_hp_exact": None,
        "error": solved.error,
        "at_most": solved.at_most,
        "death": solved.results.death,
        "choices": [{"move": name, "value": value} for name, value in _named_moves(answer)],
        "results": [{"hp": hp, "probability": chance} for hp, chance in solved.results.pairs()],
        "states": effort.states,
        "draws": effort.rows,
        "hands": effort.turns,
        "moves": effort.moves,
        "memory": effort.memory,
        "seconds": answer.seconds,
    }
    return json.dumps(facts, indent=2, allow_nan=False)
