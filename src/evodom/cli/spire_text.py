"""The output of `evodom spire solve`, as text and as JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from evodom.cli.common import can_print
from evodom.cli.spire_step import Choices, choices_of, choices_to_text, exact_text
from evodom.distribution import Distribution
from evodom.presentation.histogram import EIGHTHS, bars
from evodom.solve import Interval, Solution, as_point
from evodom.spire.exact.fight import Fight, FightState, PlayerTurn
from evodom.spire.exact.plans import Plan
from evodom.spire.exact.text import plan_to_text, state_to_text
from evodom.spire.fights.names import cards_to_text
from evodom.spire.rows.enemies import enemy_row

if TYPE_CHECKING:
    from evodom.solve.cycles import Enclosure

EXACT_DIGITS = 60
"""A fraction of more characters is not printed in the text; the JSON has it."""


@dataclass(frozen=True)
class SolvedFight:
    """A fight that was solved, and how long that took."""

    fight: Fight
    solution: Solution[FightState, Plan, Any] | Enclosure[FightState, Plan]
    seconds: float
    most: Any = None
    """With a limit of turns: an upper bound of the HP that can be expected without it."""

    @property
    def value(self) -> Any:
        """The expected HP: exact, a float, or the middle of the bounds where states come back."""
        return as_point(self.solution.value)

    @property
    def error(self) -> float:
        """How far the value may be off, apart from the rounding of floats."""
        value = self.solution.value
        return (value.high - value.low) / 2 if isinstance(value, Interval) else 0.0

    @cached_property
    def choices(self) -> Choices:
        """The choices of the first turn with their values, where there is just one first turn."""
        first = [state for state, _ in self.solution.start]
        return choices_of(self.solution, first[0]) if len(first) == 1 and isinstance(first[0], PlayerTurn) else ()

    @cached_property
    def results(self) -> Distribution[int]:
        """The distribution of the HP that are left."""
        return self.solution.results()

    @cached_property
    def n_decisions(self) -> int:
        """The number of states in which there is something to decide."""
        return sum(type(state) is PlayerTurn for state in self.solution.states)


def title(fight: Fight) -> str:
    """Return a fight in one line."""
    setup = fight.setup
    return f"Ironclad ({fight.hp}/{fight.max_hp} HP) against {_enemies(fight)}, ascension {setup.ascension}"


def _enemies(fight: Fight) -> str:
    """Return the enemies with their HP."""
    setup = fight.setup
    known = setup.enemy_hp or (None,) * len(setup.enemies)
    parts = []
    for name, hp in zip(setup.enemies, known, strict=True):
        least, most = enemy_row(name, setup.ascension).hp
        parts.append(f"{name} ({f'{least} to {most}' if hp is None else hp} HP)")
    return ", ".join(parts)


def solved_text(found: SolvedFight) -> str:
    """Return the answer as one screen of text."""
    fight, value = found.fight, found.value
    dead = float(found.results.probability(0))
    fraction = exact_text(value, EXACT_DIGITS)
    exact = f"   exactly {fraction}" if fraction else ""
    exact += f"   proved to within {found.error:.0e}" if found.error else ""
    facts = [f"Deck: {cards_to_text(fight.deck)}"]
    facts += [f"Relics: {', '.join(fight.setup.relics)}"] if fight.setup.relics else []
    energy = ", all energy spent" if fight.spend_all else ""
    return "\n".join(
        [
            title(fight),
            *facts,
            "",
            f"Expected HP  {float(value):.6f}{exact}",
            *_limit(found),
            f"Death        {100 * dead:.4g} %",
            "",
            *_first_turn(found),
            bars(found.results, label="HP left", blocks=can_print(EIGHTHS)),
            "",
            f"{found.n_decisions:,} decisions in {found.seconds:.2f} s, {fight.mode}{energy}.",
        ]
    )


def _limit(found: SolvedFight) -> list[str]:
    """Return the line that says what a limit of turns means; none without a limit."""
    if found.most is None:
        return []
    turns = found.fight.setup.max_turns
    return [f"             if a fight not won in {turns} turns is lost; without that, at most {float(found.most):.6f}"]


def _first_turn(found: SolvedFight) -> list[str]:
    """Return the first turn and what each choice is worth, if it is known."""
    if not found.choices:
        return []
    state = next(state for state, _ in found.solution.start)
    assert isinstance(state, PlayerTurn)
    return [state_to_text(found.fight, state), "", choices_to_text(state, found.choices), ""]


def _choice_json(found: SolvedFight, plan: Plan, value: Any) -> dict[str, Any]:
    state = next(state for state, _ in found.solution.start)
    assert isinstance(state, PlayerTurn)
    return {"plan": plan_to_text(state.combat, plan), "expected_hp": float(value)} | _exact_json(value)


def _exact_json(value: Any) -> dict[str, str]:
    text = exact_text(value)
    return {"exact": text} if text else {}


def solved_json(found: SolvedFight) -> str:
    """Return the answer with every figure, fractions as text."""
    fight, solution = found.fight, found.solution
    facts = {
        "enemies": list(fight.setup.enemies),
        "enemy_hp": list(fight.setup.enemy_hp) or None,
        "ascension": fight.setup.ascension,
        "hp": fight.hp,
        "max_hp": fight.max_hp,
        "deck": dict(fight.deck),
        "relics": list(fight.setup.relics),
        "mode": fight.mode,
        "spend_all": fight.spend_all,
        "max_turns": fight.setup.max_turns,
        "expected_hp": float(found.value),
        "expected_hp_exact": exact_text(found.value),
        "error": found.error,
        "at_most": None if found.most is None else float(found.most),
        "death": float(found.results.probability(0)),
        "choices": [_choice_json(found, plan, value) for plan, value in found.choices],
        "results": [
            {"hp": hp, "probability": float(share)} | _exact_json(share) for hp, share in sorted(found.results)
        ],
        "decisions": found.n_decisions,
        "states": solution.n_states,
        "seconds": found.seconds,
    }
    return json.dumps(facts, indent=2, allow_nan=False)
