"""The map as a graph of states: a state is a node with everything that still matters of the path to it.

What matters is what the evaluation remembers and the tallies of the rules; without either, the states are the nodes.
Every path of the map is one path of states, so that best paths, counts and the k best are found as in any graph.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from math import lcm
from typing import NamedTuple

from evodom.errors import EvodomError, UsageError
from evodom.spire.map.act import ActMap, Node
from evodom.spire.route.evaluation import Evaluation
from evodom.spire.route.rules import RouteRule

MAX_STATES = 1_000_000
"""More are refused: they would take more than a gigabyte."""


class PathState(NamedTuple):
    """A node, what is remembered of the rooms before it, and the tallies of the rules, its own room counted."""

    node: Node
    before: Hashable
    tallies: tuple[int, ...]


@dataclass(frozen=True)
class PathStates:
    """The states from which a path can still keep all rules, the lowest row first.

    `worth` is what entering a state is worth, times `scale`: whole numbers, which are much quicker to add and compare
    than fractions. `following` are the next states from left to right, empty where a path ends; `starts` are those of
    the lowest row.
    """

    worth: dict[PathState, int]
    scale: int
    following: dict[PathState, tuple[PathState, ...]]
    starts: tuple[PathState, ...]

    def downwards(self) -> Iterator[PathState]:
        """Yield every state after all that follow it."""
        return reversed(self.worth)


def unroll(
    act_map: ActMap,
    evaluation: Evaluation,
    rules: Sequence[RouteRule],
    *,
    begins: Sequence[tuple[int, ...]] | None = None,
) -> PathStates:
    """Return the states of a map; there are none if no path keeps the rules.

    `begins` are the tallies that paths may begin with, by default those of the rules.
    """
    check_upwards(act_map)
    if begins is None:
        begins = [tuple(rule.start for rule in rules)]
    starts = [state for tallies in begins for state in entries(act_map, evaluation, rules, tallies)]
    found: dict[Node, dict[PathState, None]] = {
        node: {} for node in sorted(act_map.rooms, key=lambda node: (node.y, node.x))
    }
    for state in starts:
        found[state.node][state] = None
    following: dict[PathState, tuple[PathState, ...]] = {}
    for node, states in found.items():
        room = act_map.rooms[node]
        for state in states:
            before = evaluation.memory.after(state.before, room)
            nexts = (enter(act_map, n, before, state.tallies, rules) for n in act_map.following[node])
            following[state] = tuple(dict.fromkeys(s for s in nexts if s))
            for successor in following[state]:
                found[successor.node][successor] = None
            if len(following) > MAX_STATES:
                raise EvodomError(
                    f"more than {MAX_STATES:,} states: let the evaluation remember less, or give fewer rules"
                )
    return _alive(act_map, evaluation, rules, starts, following)


def entries(
    act_map: ActMap, evaluation: Evaluation, rules: Sequence[RouteRule], tallies: tuple[int, ...]
) -> tuple[PathState, ...]:
    """Return the states in which paths with these tallies begin, from left to right."""
    entered = (enter(act_map, node, evaluation.memory.start, tallies, rules) for node in act_map.starts)
    return tuple(state for state in entered if state)


def enter(
    act_map: ActMap, node: Node, before: Hashable, tallies: tuple[int, ...], rules: Sequence[RouteRule]
) -> PathState | None:
    """Return the state after entering a node, None if that breaks a rule."""
    room = act_map.rooms[node]
    counted = []
    for rule, tally in zip(rules, tallies, strict=True):
        new = rule.after(tally, node, room)
        if new is None:
            return None
        counted.append(new)
    return PathState(node, before, tuple(counted))


def check_upwards(act_map: ActMap) -> None:
    """Raise UsageError unless every way of the map leads up."""
    for source, destination in act_map.edges:
        if destination.y <= source.y:
            raise UsageError(f"ways lead up, and one leads from row {source.y} to row {destination.y}")


def _alive(
    act_map: ActMap,
    evaluation: Evaluation,
    rules: Sequence[RouteRule],
    starts: Sequence[PathState],
    following: dict[PathState, tuple[PathState, ...]],
) -> PathStates:
    """Keep the states from which a path can reach the highest row with all rules kept."""
    ends = set(act_map.ends)
    kept: dict[PathState, tuple[PathState, ...]] = {}
    for state in reversed(following):
        if state.node in ends:
            if all(rule.kept(tally) for rule, tally in zip(rules, state.tallies, strict=True)):
                kept[state] = ()
        elif nexts := tuple(successor for successor in following[state] if successor in kept):
            kept[state] = nexts
    order = [state for state in following if state in kept]
    worth = {s: evaluation.exact(act_map.rooms[s.node], s.node.y, s.before) for s in order}
    scale = lcm(*(value.denominator for value in worth.values()))
    scaled = {state: value.numerator * (scale // value.denominator) for state, value in worth.items()}
    return PathStates(scaled, scale, kept, tuple(dict.fromkeys(state for state in starts if state in kept)))
