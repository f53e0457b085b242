"""`evodom spire solve --step`: walk through a solved fight, with the value of every choice."""

from __future__ import annotations

from collections import Counter
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
Tell what your game shows, and see what every choice is worth. A choice is
typed by its number or its cards, which may be short: 3 s, d; end ends the turn.
Enter takes the best choice, or lets chance decide what you are asked for; all
lists every choice; undo takes back your last answer; ? repeats this; q stops."""


class Stopped(Exception):
    """The person wants to stop."""


class TakenBack(Exception):
    """The person wants to go back to the question before."""


Position = FightState | Distribution[FightState]
"""Where a walk is: in a state, or before some of which one is the actual one."""


Choices = Sequence[tuple[Plan, Any]]
"""Plans with their values, the best first."""


class Walk:
    """A walk through a solved fight that asks a person at the terminal."""

    def __init__(self, fight: Fight, solution: Any, rng: Rng) -> None:
        self._fight = fight
        self._solution = solution
        self._rng = rng
        self._answered: list[Position] = []
        """The positions in which a question was answered, the last one last."""
        self._has_asked = False

    def run(self) -> None:
        """Walk from the first turn to the end of the fight, or until the person stops."""
        click.echo(HELP)
        position: Position = self._solution.start
        try:
            while not isinstance(position, Over):
                position = self._after(position)
            click.echo("\n" + state_to_text(self._fight, position))
        except Stopped:
            click.echo("Stopped.")

    def _after(self, position: Position) -> Position:
        """Return the next position, or after an undo the last one in which a question was answered."""
        self._has_asked = False
        try:
            following = self._next(position)
        except TakenBack:
            if not self._answered:
                click.echo("There is nothing to take back.")
                return position
            click.echo("Taken back.")
            return self._answered.pop()
        if self._has_asked:
            self._answered.append(position)
        return following

    def _next(self, position: Position) -> Position:
        """Ask one question at most, and return the position after it."""
        if isinstance(position, Distribution):
            return self._revealed(position)
        if isinstance(position, NewTurn):
            return self._fight.outcomes(position, DRAW_HAND)
        assert isinstance(position, PlayerTurn)
        choices = choices_of(self._solution, position)
        click.echo(f"\n{state_to_text(self._fight, position)}\n\n{choices_to_text(position, choices)}")
        plan = self._chosen(position, choices)
        click.echo(f"You: {plan_to_text(position.combat, plan)}.")
        return self._fight.outcomes(position, plan)

    def _revealed(self, states: Distribution[FightState]) -> Position:
        """Ask for the first thing that was revealed, of the enemies and then the hand; without any return the state."""
        first = next(state for state, _ in states)
        if isinstance(first, Over) or len(states) == 1:
            return first
        for place in range(len(first.combat.enemies)):
            label = enemy_label(first.combat, place)
            for question, key in (
                (f"HP of {label}", partial(_hp_of, place)),
                (f"{label} intends", partial(_intent_of, self._fight, place)),
                (f"{label} has", partial(_statuses_of, place)),
            ):
                names = sorted({key(state) for state, _ in states}, key=lambda name: (len(name), name))
                if len(names) > 1:
                    return self._narrowed(states, question, key, names)
        return self._drawn(states)

    def _narrowed(
        self, states: Distribution[FightState], question: str, key: Callable[[Any], str], names: Sequence[str]
    ) -> Distribution[FightState]:
        """Ask which of the values of `key` is the actual one, and return the states that have it."""
        while True:
            answer = self._ask(f"{question} ({', '.join(names)})")
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
            answer = self._ask("Your hand")
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

    def _chosen(self, state: PlayerTurn, choices: Choices) -> Plan:
        """Ask for a choice by its number or its cards."""
        while True:
            answer = self._ask("Your choice [1]")
            if answer.casefold() == "all":
                click.echo(choices_to_text(state, choices, len(choices)))
                continue
            if answer in ("", *map(str, range(1, len(choices) + 1))):
                return choices[int(answer or 1) - 1][0]
            meant = self._meant(state, choices, answer)
            if len(meant) == 1:
                return choices[meant[0]][0]
            if meant:
                click.echo(f"{answer!r} may be {', '.join(str(number + 1) for number in meant)}. Type the number.")
            else:
                click.echo(f"{answer!r} is no choice. Allowed: 1 to {len(choices)}, its cards, end, all, undo, ?, q")

    def _meant(self, state: PlayerTurn, choices: Choices, answer: str) -> list[int]:
        """Return the places of the choices that a text may mean: the words of one, or the cards it plays."""
        words = answer.casefold()
        told = [plan_to_text(state.combat, plan).casefold() for plan, _ in choices]
        if words in told:
            return [told.index(words)]
        if words in ("end", "end turn"):
            return [place for place, (plan, _) in enumerate(choices) if not plan.plays]
        try:
            wanted = self._fight.kinds.unpack(cards_of_fight(self._fight, answer))
        except UsageError:
            return []
        played = [Counter(play.card.name for play in plan.plays) for plan, _ in choices]
        return [place for place, cards in enumerate(played) if cards == Counter(wanted)]

    def _ask(self, question: str) -> str:
        """Ask a question and return the answer; raises `TakenBack` for undo, `Stopped` for q and without an answer."""
        self._has_asked = True
        while True:
            answer = _typed(question)
            word = answer.casefold()
            if word in ("q", "quit", "exit"):
                raise Stopped
            if word == "undo":
                raise TakenBack
            if word not in ("?", "help"):
                return answer
            click.echo(HELP)


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


def _hp_of(place: int, state: Any) -> str:
    return str(state.combat.enemies[place].hp)


def _intent_of(fight: Fight, place: int, state: Any) -> str:
    return intent_to_text(fight, state.combat, place)


def _statuses_of(place: int, state: Any) -> str:
    return ", ".join(f"{name} {amount}" for name, amount in state.combat.enemies[place].statuses)


def _typed(question: str) -> str:
    """Return what a person types; raise `Stopped` at the end of the input."""
    try:
        answer: str = click.prompt(question, default="", show_default=False)
    except click.Abort:
        click.echo()
        raise Stopped from None
    return answer.strip()
