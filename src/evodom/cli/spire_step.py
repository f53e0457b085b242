"""`evodom spire solve --step`: walk through a solved fight, with the value of every choice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from evodom.distribution import Distribution, weighted
from evodom.errors import UsageError
from evodom.solve import as_point
from evodom.spire.exact.fight import DRAW_HAND, Fight, FightState, NewTurn, Over, PlayerTurn
from evodom.spire.exact.plans import Plan
from evodom.spire.exact.text import (
    cards_of_fight,
    enemy_label,
    impossible_hand,
    intent_to_text,
    plan_to_text,
    state_to_text,
)

if TYPE_CHECKING:
    from numpy.random import Generator as Rng

EXACT_WIDTH = 40
"""A fraction of more characters is not listed."""

SHOWN = 12
"""The most choices that are listed before being asked for all."""

HELP = """\
Tell what your game shows, and see what every choice is worth. Cards may be
short: 3 s, d. Enter takes the best choice, or lets chance decide what you are
asked for; all lists every choice; q stops."""


class Stopped(Exception):
    """The person wants to stop."""


Choices = Sequence[tuple[Plan, Any]]
"""Plans with their values, the best first."""


class Walk:
    """A walk through a solved fight that asks a person at the terminal."""

    def __init__(self, fight: Fight, solution: Any, rng: Rng) -> None:
        self._fight = fight
        self._solution = solution
        self._rng = rng

    def run(self) -> None:
        """Walk from the first turn to the end of the fight, or until the person stops."""
        click.echo(HELP)
        try:
            state = self._revealed(self._solution.start)
            while not isinstance(state, Over):
                state = self._revealed(self._fight.outcomes(state, self._action(state)))
            click.echo("\n" + state_to_text(self._fight, state))
        except Stopped:
            click.echo("Stopped.")

    def _action(self, state: FightState) -> Plan:
        """Ask for a plan and return it; at the start of a turn there is nothing to choose."""
        if isinstance(state, NewTurn):
            return DRAW_HAND
        assert isinstance(state, PlayerTurn)
        choices = choices_of(self._solution, state)
        click.echo(f"\n{state_to_text(self._fight, state)}\n\n{choices_to_text(state, choices)}")
        plan = _chosen(state, choices)
        click.echo(f"You: {plan_to_text(state.combat, plan)}.")
        return plan

    def _revealed(self, states: Distribution[FightState]) -> FightState:
        """Ask what was revealed, the enemies and then the hand, until a single state is left; return it."""
        first = next(state for state, _ in states)
        if isinstance(first, Over):
            return first
        for place in range(len(first.combat.enemies)):
            label = enemy_label(first.combat, place)
            states = self._narrowed(states, f"HP of {label}", partial(_hp_of, place))
            states = self._narrowed(states, f"{label} intends", partial(_intent_of, self._fight, place))
            states = self._narrowed(states, f"{label} has", partial(_statuses_of, place))
        return self._drawn(states) if len(states) > 1 else next(state for state, _ in states)

    def _narrowed(
        self, states: Distribution[FightState], question: str, key: Callable[[Any], str]
    ) -> Distribution[FightState]:
        """Ask which value of `key` is the actual one, if there are several, and return the states that have it."""
        names = sorted({key(state) for state, _ in states}, key=lambda name: (len(name), name))
        if len(names) == 1:
            return states
        while True:
            answer = _ask(f"{question} ({', '.join(names)})")
            if not answer:
                answer = key(states.sample(self._rng))
                click.echo(f"{question}: {answer}.")
            fitting = [name for name in names if name.casefold() == answer.casefold()]
            fitting = fitting or [name for name in names if name.casefold().startswith(answer.casefold())]
            if len(fitting) == 1:
                return weighted((state, share) for state, share in states if key(state) == fitting[0])
            click.echo(f"{answer!r} cannot be. Allowed: {', '.join(names)}")

    def _drawn(self, states: Distribution[FightState]) -> FightState:
        """Ask for the hand that was drawn and return its state."""
        hands = {state.hand: state for state, _ in states if isinstance(state, PlayerTurn)}
        while True:
            answer = _ask("Your hand")
            if not answer:
                return states.sample(self._rng)
            try:
                hand = cards_of_fight(self._fight, answer)
            except UsageError as error:
                click.echo(f"{error}")
                continue
            if hand in hands:
                return hands[hand]
            click.echo(f"That is {impossible_hand(self._fight, hand, list(hands))}.")


def exact_text(value: Any, longest: int = 4000) -> str | None:
    """Return an exact value as text; None for a float, and for a fraction of more characters than `longest`."""
    if not isinstance(value, Fraction) or value.denominator.bit_length() > 2 * longest:
        return None
    text = str(value)
    return text if len(text) <= longest else None


def choices_of(solution: Any, state: PlayerTurn) -> Choices:
    """Return the plans of a decision with their values; the value of an interval is its middle."""
    return [(plan, as_point(value)) for plan, value in solution.step(state)]


def choices_to_text(state: PlayerTurn, choices: Choices, shown: int = SHOWN) -> str:
    """Return a line for each choice, the best first: its number, its value, exactly too, and what it is."""
    rows = [
        (f"{float(value):.5f}", exact_text(value, EXACT_WIDTH) or "", plan_to_text(state.combat, plan))
        for plan, value in choices[:shown]
    ]
    widths = [max(map(len, column)) for column in zip(*rows, ("HP", "", ""), strict=True)]
    lines = [f"     {'HP':>{widths[0]}}  {'exactly' if widths[1] else '':<{widths[1]}}  choice"]
    for number, (value, exact, text) in enumerate(rows, start=1):
        lines.append(f"{number:>3}  {value:>{widths[0]}}  {exact:<{widths[1]}}  {text}")
    more = len(choices) - shown
    return "\n".join(lines + ([f"     and {more} more: all"] if more > 0 else []))


def _chosen(state: PlayerTurn, choices: Choices) -> Plan:
    """Ask for a choice by its number."""
    while True:
        answer = _ask("Your choice [1]")
        if answer.casefold() == "all":
            click.echo(choices_to_text(state, choices, len(choices)))
        elif answer in ("", *map(str, range(1, len(choices) + 1))):
            return choices[int(answer or 1) - 1][0]
        else:
            click.echo(f"{answer!r} is no choice. Allowed: 1 to {len(choices)}, all, q")


def _hp_of(place: int, state: Any) -> str:
    return str(state.combat.enemies[place].hp)


def _intent_of(fight: Fight, place: int, state: Any) -> str:
    return intent_to_text(fight, state.combat, place)


def _statuses_of(place: int, state: Any) -> str:
    return ", ".join(f"{name} {amount}" for name, amount in state.combat.enemies[place].statuses)


def _ask(question: str) -> str:
    """Ask a question and return the stripped answer; raise `Stopped` for q and at the end of the input."""
    try:
        answer: str = click.prompt(question, default="", show_default=False)
    except click.Abort:
        click.echo()
        raise Stopped from None
    if answer.strip().casefold() in ("q", "quit", "exit"):
        raise Stopped
    return answer.strip()
