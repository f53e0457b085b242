"""Routes with uncertain event rooms: chance decides on entering whether the room is an event or another room.

Open it to change the chances of event rooms or the plan for them. A map is solved as a game of one player against
chance. Rules must hold for all outcomes: an action is illegal if chance could then make a rule impossible to keep. An
event room that becomes another room counts as that room for its value, for HP and for the rules.

The game's chances (`GAME_CHANCES`) begin at 10 % for a fight, 3 % for a shop and 2 % for a treasure. An event room
resets the chance of the room that it becomes, and raises the others by their initial values. A new act resets all
chances. A shop never directly follows a shop.

Source: the public description of the game's class EventHelper. Its arithmetic is reproduced: chances are 32-bit floats,
truncated to whole percent. Fights, shops and treasures fill 100 slots in this order, one slot for each percent. The
free slots are events. If no slot is free, the next kind overwrites the last slot.

Both this module and `dynamic_programming` search a map, and share its rules, tallies and evaluations. They have
different states and answers:

- Without chance a route is a path. `dynamic_programming` counts the paths, and returns the k best for each tolerance or
  each number of HP at the start. It has few states, and integers instead of fractions.
- With chance a plan is a policy. There are no k best plans and no number of paths. A state also has the actual room and
  the memory of the chances. A `RouteGame` is solved by `evodom.solving`, and a fixed path is a policy of the same game.

With `FixedChances({})` both give the same value; a test compares them.
"""

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

from evodom.distribution import Distribution, certain, weighted
from evodom.errors import UsageError
from evodom.games import ListedGame, Policy
from evodom.solving import Solution, evaluate, no_progress, solve
from evodom.solving.limits import Progress
from evodom.spire.map.act import ActMap, Node, Room
from evodom.spire.route import rules as route_rules
from evodom.spire.route.dynamic_programming import Route, check_upwards, conflicting_rules, find_routes

SLOTS = 100
PERCENT_BY_MISSES = {
    Room.MONSTER: (10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150),
    Room.SHOP: (3, 6, 9, 12, 14, 18, 21, 24, 26, 29, 33, 36, 39, 42, 45),
    Room.TREASURE: (2, 4, 6, 8, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29),
}
"""Chance of each kind in percent, by the number of event rooms since the last room of the kind.

The numbers are truncated sums of 32-bit floats: 5 * 0.03 is 14 instead of 15, for instance.
"""


class Chances(Protocol):
    """Protocol of chances: the distribution of the actual room of an event room, given a memory of earlier ones."""

    @property
    def initial_memory(self) -> Hashable:
        """Return the memory before the first event room."""

    def outcomes(self, memory: Any, previous: Room | None) -> Distribution[Room]:
        """Return the distribution of the next event room after the room `previous` (None at the start of the path)."""

    def after(self, memory: Any, room: Room) -> Hashable:
        """Return the memory after an event room that turned out to be `room`."""


@dataclass(frozen=True)
class FixedChances:
    """The same chances in every event room. An event has the remaining probability."""

    table: Mapping[Room, Fraction]
    initial_memory: None = None

    def __post_init__(self) -> None:
        if any(share < 0 for share in self.table.values()) or sum(self.table.values()) > 1:
            shares = ", ".join(f"{room.name.lower()}={float(share):g}" for room, share in self.table.items())
            raise UsageError(f"chances must be at least 0 with a sum of at most 1 (100 %), got {shares}")

    def outcomes(self, memory: None, previous: Room | None) -> Distribution[Room]:
        """Return the chances."""
        shares = {room: Fraction(share) for room, share in self.table.items()}
        return weighted({**shares, Room.EVENT: 1 - sum(shares.values()) + shares.get(Room.EVENT, 0)})

    def after(self, memory: None, room: Room) -> None:
        """Remember nothing."""


@dataclass(frozen=True)
class GameChances:
    """The game's chances. The memory counts the event rooms since each room of `PERCENT_BY_MISSES` was found.

    `previous` is the room before the start of the path.
    """

    initial_memory: tuple[int, ...] = (0,) * len(PERCENT_BY_MISSES)
    previous: Room | None = None

    def outcomes(self, memory: tuple[int, ...], previous: Room | None) -> Distribution[Room]:
        """Return the distribution, filled into slots like the game."""
        slots = [Room.EVENT] * SLOTS
        first = 0
        for (room, growth), misses in zip(PERCENT_BY_MISSES.items(), memory, strict=True):
            n = 0 if room is Room.SHOP and (previous or self.previous) is Room.SHOP else growth[misses]
            # If `first` is at least SLOTS, the kind overwrites the last slot, even with n = 0.
            for slot in range(min(SLOTS - 1, first), min(SLOTS, first + n)):
                slots[slot] = room
            first += n
        return weighted({room: slots.count(room) for room in dict.fromkeys(slots)})

    def after(self, memory: tuple[int, ...], room: Room) -> tuple[int, ...]:
        """Reset the count of `room` and increment the others."""
        return tuple(
            0 if room is kind else min(misses + 1, len(PERCENT_BY_MISSES[kind]) - 1)
            for kind, misses in zip(PERCENT_BY_MISSES, memory, strict=True)
        )


GAME_CHANCES = GameChances()


class RoutePosition(NamedTuple):
    """A state of the game: the node, its actual room, and the relevant history of the path.

    `memory` is the evaluation's memory of the earlier rooms. `chance_memory` is the memory of `Chances`. `tallies` are
    those of the rules; None if a rule is broken. The initial position has no node.
    """

    node: Node | None
    room: Room | None
    memory: Hashable
    chance_memory: Any
    tallies: tuple[int, ...] | None


class RouteGame(ListedGame[RoutePosition, Node]):
    """A path up the map as a game of one player. An action is the next node; chance decides its room.

    The return of a game is the sum of the rooms' values. The reward of an action is the value of the room before it.
    `all_actions` are the nodes of the map, in order of (y, x).
    """

    def __init__(
        self,
        act_map: ActMap,
        evaluation: route_rules.EvaluationLike,
        chances: Chances = GAME_CHANCES,
        rules: Sequence[route_rules.RouteRule] = (),
    ) -> None:
        """Prepare the game. Raise `NoRoute` if no policy is certain to keep the rules."""
        check_upwards(act_map)
        self.act_map = act_map
        self.chances = chances
        self.rules = tuple(rules)
        self.all_actions = tuple(act_map.rooms)
        self._evaluation = route_rules.as_evaluation(evaluation)
        self._ends = frozenset(act_map.ends)
        self._safe: dict[RoutePosition, bool] = {}
        if not self._is_safe(self.first):
            if not rules or conflicting_rules(act_map, rules):
                find_routes(act_map, evaluation, rules)  # raises an error with the reason
            listed = "; ".join(map(str, rules))
            raise route_rules.NoRoute(
                f"no path certainly keeps the rules, because event rooms may break them: {listed}"
            )

    @property
    def first(self) -> RoutePosition:
        """Initial position below the map."""
        tallies = tuple(rule.initial_tally for rule in self.rules)
        return RoutePosition(None, None, self._evaluation.memory.initial, self.chances.initial_memory, tallies)

    def starts(self) -> Distribution[RoutePosition]:
        """Return the initial position."""
        return certain(self.first)

    def actions(self, state: RoutePosition) -> tuple[Node, ...]:
        """Return the next nodes from left to right, except nodes after which a rule may be broken."""
        return tuple(node for node in self._next(state) if self._is_safe_action(state, node))

    def action_name(self, action: Node) -> str:
        """Return the node as column,floor."""
        return action.name

    def outcomes(self, state: RoutePosition, action: Node) -> Distribution[RoutePosition]:
        """Return the distribution of positions after entering a node."""
        room = self.act_map.rooms[action]
        rooms = self.chances.outcomes(state.chance_memory, state.room) if room is Room.EVENT else certain(room)
        return rooms.map(lambda actual: self._entered(state, action, actual))

    def rewards(self, state: RoutePosition, action: Node) -> tuple[Fraction]:
        """Return the value of the room before the action."""
        return self.returns(state)

    def returns(self, state: RoutePosition) -> tuple[Fraction]:
        """Return the value of the position's room: the last part of the return of the game."""
        if state.node is None or state.room is None:
            return (Fraction(0),)
        return (Fraction(self._evaluation.exact_value(state.room, state.node.y, state.memory)),)

    def can_follow(self, path: Sequence[Node]) -> bool:
        """Return whether a path can be followed to its end for all outcomes of event rooms."""
        positions = {self.first}
        for node in path:
            if not all(node in self.actions(position) for position in positions):
                return False
            positions = {after for position in positions for after, _ in self.outcomes(position, node)}
        return True

    def _next(self, state: RoutePosition) -> tuple[Node, ...]:
        if state.node is None:
            return self.act_map.starts
        return () if state.node in self._ends else self.act_map.successors[state.node]

    def _entered(self, state: RoutePosition, node: Node, room: Room) -> RoutePosition:
        """Return the position after entering a node that turned out to be `room`."""
        memory = state.memory if state.room is None else self._evaluation.memory.after(state.memory, state.room)
        chance_memory = state.chance_memory
        if self.act_map.rooms[node] is Room.EVENT:
            chance_memory = self.chances.after(chance_memory, room)
        tallies = None if state.tallies is None else route_rules.next_tallies(self.rules, state.tallies, node, room)
        return RoutePosition(node, room, memory, chance_memory, tallies)

    def _is_safe_action(self, state: RoutePosition, node: Node) -> bool:
        return all(self._is_safe(position) for position, _ in self.outcomes(state, node).pairs)

    def _is_safe(self, state: RoutePosition) -> bool:
        """Return whether the rules can be kept from here on for all outcomes. Results are cached."""
        if state not in self._safe:
            self._safe[state] = self._compute_safety(state)
        return self._safe[state]

    def _compute_safety(self, state: RoutePosition) -> bool:
        if state.tallies is None:
            return False
        if state.node in self._ends:
            return all(rule.is_kept(tally) for rule, tally in zip(self.rules, state.tallies, strict=True))
        return any(self._is_safe_action(state, node) for node in self._next(state))


def follow_path(path: Sequence[Node]) -> Policy[RoutePosition, Node]:
    """Return the policy that follows a fixed path."""
    successors: dict[Node | None, Node] = {None: path[0], **dict(pairwise(path))}
    return lambda state: successors[state.node]


NextNodes = dict[Room, dict[Node, float]]
"""Next nodes after a node, by the actual room of the node, each with a probability.

It is the probability that a path of the plan enters the node, has this room there, and continues to the next node.
"""


@dataclass(frozen=True)
class EventPlan:
    """The solved game of a map. `value_of_route` is the expected value of a fixed route, None if rules forbid it."""

    game: RouteGame
    solution: Solution[RoutePosition, Node, Fraction]
    value_of_route: Fraction | None

    @cached_property
    def next_nodes(self) -> dict[Node, NextNodes]:
        """Next nodes of each node that the plan may reach, in order of the rows."""
        reached: dict[RoutePosition, float] = {self.game.first: 1.0}
        found: dict[Node, NextNodes] = {}
        while reached:
            next_reached: dict[RoutePosition, float] = defaultdict(float)
            for position, probability in sorted(reached.items(), key=lambda item: item[0].node or Node(0, 0)):
                if not self.game.actions(position):
                    continue
                node = self.solution.policy(position)
                for successor, chance in self.game.outcomes(position, node):
                    next_reached[successor] += probability * float(chance)
                if position.node and position.room:
                    nexts = found.setdefault(position.node, {}).setdefault(position.room, {})
                    nexts[node] = nexts.get(node, 0.0) + probability
            reached = next_reached
        return found

    @cached_property
    def branches(self) -> dict[Node, NextNodes]:
        """Nodes after which the plan depends on the outcomes of event rooms."""
        return {
            node: by_room
            for node, by_room in self.next_nodes.items()
            if len({successor for nexts in by_room.values() for successor in nexts}) > 1
        }

    @cached_property
    def path(self) -> tuple[Node, ...]:
        """Path of the plan if every event room is an event, or its most likely kind if it cannot be an event."""
        position, path = self.game.first, []
        while self.game.actions(position):
            node = self.solution.policy(position)
            path.append(node)
            outcomes = self.game.outcomes(position, node)
            position = next((outcome for outcome, _ in outcomes if outcome.room is Room.EVENT), outcomes.most_likely())
        return tuple(path)


def plan_events(
    act_map: ActMap,
    evaluation: route_rules.Evaluation,
    rules: Sequence[route_rules.RouteRule],
    chances: Chances,
    route: Route,
    progress: Progress = no_progress,
) -> EventPlan:
    """Solve the map with uncertain event rooms, and evaluate a fixed route."""
    game = _make_game(act_map, evaluation, chances, rules)
    path = route.path
    value = evaluate(game, follow_path(path), progress=no_progress).value if game.can_follow(path) else None
    return EventPlan(game, solve(game, progress=progress), value)


def _make_game(
    act_map: ActMap, evaluation: route_rules.Evaluation, chances: Chances, rules: Sequence[route_rules.RouteRule]
) -> RouteGame:
    """Return the game. If more HP would make survival certain, the error message has the minimum of HP."""

    def can_keep(other_rules: Sequence[route_rules.RouteRule]) -> bool:
        try:
            RouteGame(act_map, evaluation, chances, other_rules)
        except route_rules.NoRoute:
            return False
        return True

    try:
        return RouteGame(act_map, evaluation, chances, rules)
    except route_rules.NoRoute as error:
        enough = route_rules.sufficient_hp(rules, can_keep)
        if enough is None:
            raise
        raise route_rules.NoRoute(f"{error}. {enough} HP suffice.") from error
