"""`evodom spire solve --step`: a walk through a fight, with the value of every choice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import click

from evodom.errors import UsageError
from evodom.solve import Choice, Solution
from evodom.spire.fight import DRAW_HAND, Decision, Fight, NewTurn, Over, State
from evodom.spire.plans import Plan
from evodom.spire.text import cards_of_fight, enemy_label, intent_to_text, pile_to_text, plan_to_text, state_to_text

SHOWN = 12
"""The most choices that are listed before being asked for all."""

HELP = "Enter: what stands in brackets; all: every choice; q: stop."


class Stopped(Exception):
    """The person has seen enough."""


def walk(fight: Fight, solution: Solution[State, Plan, Any]) -> None:
    """Walk through a fight: ask what the enemies are and what was drawn, print every choice with its value."""
    click.echo(HELP)
    try:
        state = _reveal(fight, [state for state, _ in solution.start])
        while not isinstance(state, Over):
            state = _turn(fight, solution, state)
        click.echo("\n" + state_to_text(fight, state))
    except Stopped:
        click.echo("Stopped.")


def _turn(fight: Fight, solution: Solution[State, Plan, Any], state: State) -> State:
    """Show a decision, ask for a plan and for what came of it."""
    if isinstance(state, NewTurn):
        return _reveal(fight, [after for after, _ in fight.outcomes(state, DRAW_HAND)])
    assert isinstance(state, Decision)
    choices = solution.step(state)
    click.echo(f"\n{state_to_text(fight, state)}\n\n{choices_to_text(state, choices)}")
    plan = _chosen(state, choices)
    click.echo(f"You: {plan_to_text(state.combat, plan)}.")
    return _reveal(fight, [after for after, _ in fight.outcomes(state, plan)])


def choices_to_text(state: Decision, choices: Sequence[Choice[Plan, Any]], shown: int = SHOWN) -> str:
    """Return a line for each choice, the best first: its number, its value, exactly too, and what it is."""
    lines = []
    for number, (plan, value) in enumerate(choices[:shown], start=1):
        exact = "" if isinstance(value, float) else f"  ({value})"
        lines.append(f"{number:>3}  {float(value):>9.5f}  {plan_to_text(state.combat, plan)}{exact}")
    more = len(choices) - shown
    return "\n".join(["      value  choice", *lines] + ([f"     and {more} more: all"] if more > 0 else []))


def _chosen(state: Decision, choices: Sequence[Choice[Plan, Any]]) -> Plan:
    while True:
        answer = _ask("Your choice [1]")
        if answer == "all":
            click.echo(choices_to_text(state, choices, len(choices)))
        elif answer in ("", *map(str, range(1, len(choices) + 1))):
            return choices[int(answer or 1) - 1].action
        else:
            click.echo(f"{answer!r} is no choice: 1 to {len(choices)}, or all, or q.")


def _reveal(fight: Fight, states: list[State]) -> State:
    """Ask what has become known until a single state is left: the enemies, then the hand."""
    states = list(dict.fromkeys(states))
    if isinstance(states[0], Over):
        return states[0]
    for place in range(len(states[0].combat.enemies)):
        label = enemy_label(states[0].combat, place)
        states = _narrowed(states, f"{label}: HP", partial(_hp_of, place))
        states = _narrowed(states, f"{label} intends", partial(_intent_of, fight, place))
        states = _narrowed(states, f"{label} has", partial(_statuses_of, place))
    return _drawn(fight, states) if len(states) > 1 else states[0]


def _narrowed(states: list[State], question: str, key: Callable[[Any], str]) -> list[State]:
    """Ask which of the values of `key` it is, if there are several."""
    groups: dict[str, list[State]] = {}
    for state in states:
        groups.setdefault(key(state), []).append(state)
    if len(groups) == 1:
        return states
    names = sorted(groups, key=lambda name: (len(name), name))
    while True:
        answer = _ask(f"{question} ({', '.join(names)}) [{names[0]}]") or names[0]
        fitting = [name for name in names if name == answer] or [name for name in names if name.startswith(answer)]
        if len(fitting) == 1:
            return groups[fitting[0]]
        click.echo(f"{answer!r} cannot be. Allowed: {', '.join(names)}")


def _drawn(fight: Fight, states: list[State]) -> State:
    """Ask for the hand that was drawn."""
    hands = {state.hand: state for state in states if isinstance(state, Decision)}
    while True:
        answer = _ask(f"Your hand [{pile_to_text(fight, next(iter(hands)))}]")
        if not answer:
            return next(iter(hands.values()))
        try:
            hand = cards_of_fight(fight, answer)
        except UsageError as error:
            click.echo(f"{error}")
            continue
        if hand in hands:
            return hands[hand]
        click.echo(_impossible(fight, hand, list(hands)))


def _impossible(fight: Fight, hand: int, hands: list[int]) -> str:
    """Return why a hand cannot be."""
    n_cards, wanted = fight.kinds.size(hand), fight.kinds.size(hands[0])
    if n_cards != wanted:
        return f"That is a hand of {n_cards} cards, and you have {wanted}."
    most = fight.kinds.pack({name: max(fight.kinds.unpack(h)[name] for h in hands) for name in fight.kinds.units})
    return f"{pile_to_text(fight, hand)} cannot be your hand now: it is taken from {pile_to_text(fight, most)}."


def _hp_of(place: int, state: Any) -> str:
    return str(state.combat.enemies[place].hp)


def _intent_of(fight: Fight, place: int, state: Any) -> str:
    return intent_to_text(fight, state.combat, place).casefold()


def _statuses_of(place: int, state: Any) -> str:
    return ", ".join(f"{name} {amount}" for name, amount in state.combat.enemies[place].statuses).casefold()


def _ask(question: str) -> str:
    """Return the answer, without spaces around it and in small letters; the end of the input stops the walk."""
    try:
        answer: str = click.prompt(question, default="", show_default=False)
    except click.Abort:
        click.echo()
        raise Stopped from None
    if answer.strip().casefold() in ("q", "quit", "exit"):
        raise Stopped
    return answer.strip().casefold()
