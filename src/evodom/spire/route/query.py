"""Queries about the routes of a map: `RouteQuery` and `RouteAnswer`.

Open it to add a question about routes. `hp_changes` are rough defaults for an Ironclad in act 1; only the healing of a
rest is exact. `costs.fight_costs` estimates the costs of fights with a deck.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING

from evodom.errors import UsageError
from evodom.solving.limits import Progress, no_progress
from evodom.spire.content.cards import ironclad
from evodom.spire.content.rest_sites import rest_site
from evodom.spire.map.act import ActMap, Node, Room
from evodom.spire.route import rules as route_rules
from evodom.spire.route.dynamic_programming import (
    BestPaths,
    Route,
    Routes,
    ToleranceRange,
    build_states,
    find_routes,
    start_states,
    tolerance_ranges,
)
from evodom.spire.route.event_rooms import Chances, EventPlan, plan_events
from evodom.spire.route.parsing import RoutePreferences, parse_limit, parse_node


def hp_changes(max_hp: int, relics: Sequence[str] = (), n_cards: int = 0) -> dict[Room | str, int]:
    """Return rough default changes of HP by room. Relics and a deck of `n_cards` cards change those of rest sites."""
    return {Room.MONSTER: -8, Room.ELITE: -20, Room.EVENT: 0, Room.REST: rest_site(relics, n_cards, max_hp).heals}


@dataclass(frozen=True)
class HpRange:
    """A range of HP at the start, `low` to `high`. `routes` are its best routes, None if all paths are deadly."""

    low: int
    high: int
    routes: Routes | None


@dataclass(frozen=True)
class Health:
    """HP of the player.

    `changes` are the changes of HP by room. `ranges` are the best routes for each number of HP at the start.
    `n_monsters` monster rooms were entered before.
    """

    hp: int
    max_hp: int
    changes: route_rules.HpChanges
    ranges: tuple[HpRange, ...]
    n_monsters: int = 0

    @property
    def rule(self) -> route_rules.Survive:
        """The rule to survive with these HP."""
        return route_rules.Survive(self.hp, self.changes, self.max_hp, self.n_monsters)

    def hp_along(self, route: Route) -> list[int]:
        """Return the HP after each room of a route, 0 after a death."""
        rule = self.rule
        steps = zip(route.path, route.rooms, strict=True)
        tallies = accumulate(steps, lambda tally, step: rule.after(tally, *step) or 0, initial=rule.initial_tally)
        return [rule.hp_of(tally) for tally in tallies][1:]


def hp_ranges(
    act_map: ActMap,
    evaluation: route_rules.EvaluationLike,
    changes: route_rules.HpChanges,
    rules: Sequence[route_rules.RouteRule] = (),
    *,
    max_hp: int,
    n_monsters: int = 0,
) -> tuple[HpRange, ...]:
    """Return the best routes by HP at the start, 1 to `max_hp`. Adjacent HP with the same best route form a range.

    `n_monsters` is the number of monster rooms before the start.
    """
    evaluator = route_rules.as_evaluation(evaluation)
    all_rules = (*rules, route_rules.Survive(max_hp, changes, max_hp, n_monsters))
    initial_tallies = [(*(rule.initial_tally for rule in rules), hp) for hp in range(1, max_hp + 1)]
    # One dynamic program solves all HP at the start: paths with equal HP later share states.
    states = build_states(act_map, evaluator, all_rules, initial_tallies=initial_tallies)
    solved = BestPaths(act_map, states)
    grouped: list[HpRange] = []
    for hp, tallies in enumerate(initial_tallies, start=1):
        starts = [s for s in start_states(act_map, evaluator, all_rules, tallies) if s in states.values]
        routes = solved.routes(starts) if starts else None
        if grouped and _best_route(grouped[-1].routes) == _best_route(routes):
            grouped[-1] = HpRange(grouped[-1].low, hp, grouped[-1].routes)
        else:
            grouped.append(HpRange(hp, hp, routes))
    return tuple(grouped)


def _best_route(routes: Routes | None) -> Route | None:
    return routes.best[0] if routes else None


if TYPE_CHECKING:
    from evodom.spire.route.costs import DeckCosts
    from evodom.spire.route.linear_program import SolvedProgram
    from evodom.spire.route.simulation import DeckRuns

    Simulate = Callable[
        [route_rules.Evaluation, Sequence[route_rules.RouteRule], Sequence[Route], route_rules.HpChanges], DeckRuns
    ]
    """Function of the evaluation, rules, best routes and changes of HP. It simulates candidate routes."""

Texts = Sequence[str]

BURNING = "burning"
"""Word that users write instead of a node for the burning elite."""


@dataclass(frozen=True)
class RouteQuery:
    """A query about the routes of a map.

    `tolerance` is None for preferences without risks. `hp` is None if HP do not matter. `max_hp` is by default the
    maximum HP of the `ascension`. `changes` replaces the default changes of HP. With `chances`, event rooms are
    uncertain. `relics` and the number of cards `n_cards` change rest sites. Before the start, the player has entered
    `n_monsters` monster rooms; the last room was `previous`.
    """

    act_map: ActMap
    preferences: RoutePreferences
    tolerance: Fraction | None = None
    limits: tuple[route_rules.Limit, ...] = ()
    n_best: int = 1
    ascension: int = 20
    hp: int | None = None
    max_hp: int | None = None
    changes: route_rules.HpChanges | None = None
    chances: Chances | None = None
    with_tolerances: bool = False
    with_linear_program: bool = False
    relics: tuple[str, ...] = ()
    n_cards: int = 0
    n_monsters: int = 0
    previous: Room | None = None

    @property
    def evaluation(self) -> route_rules.Evaluation:
        """The evaluation of rooms at the tolerance."""
        return self._evaluation_at(1 if self.tolerance is None else self.tolerance)

    def _evaluation_at(self, tolerance: route_rules.Number) -> route_rules.Evaluation:
        return self.preferences.table.at_tolerance(tolerance).following(self.previous)

    def check(self) -> None:
        """Raise NoRoute if no path keeps all limits."""
        find_routes(self.act_map, self.evaluation, self.limits)

    def fixed_changes(self, deck_costs: DeckCosts) -> route_rules.HpChanges:
        """Return the changes of HP that simulations apply instead of playing fights.

        They are the changes of the query, and for rooms without `deck_costs` also the changes of the preferences.
        """
        other = {room: n for room, n in (self.preferences.hp or {}).items() if room not in deck_costs.costs}
        return {**other, **(self.changes or {})}

    def answer(self, deck_costs: DeckCosts | None = None, simulate: Simulate | None = None) -> RouteAnswer:
        """Compute the answer without a plan for event rooms.

        With `deck_costs`, mean costs of fights replace changes of HP. `simulate` ranks candidate routes by survivors.
        """
        evaluation = self.evaluation
        health = self._health(evaluation, deck_costs)
        rules: list[route_rules.RouteRule] = list(self.limits)
        if health:
            rules.append(health.rule)
        try:
            routes = find_routes(self.act_map, evaluation, rules, best=self.n_best)
            runs = simulate(evaluation, rules, routes.best, health.changes if health else {}) if simulate else None
        except route_rules.NoRoute as error:
            if deck_costs is None:
                raise
            raise route_rules.NoRoute(f"{str(error).rstrip('.')}. {deck_costs}") from error
        ranges = tolerance_ranges(self.act_map, self._evaluation_at, rules) if self.with_tolerances else ()
        program = self._program(rules, routes.value) if self.with_linear_program else None
        return RouteAnswer(self, tuple(rules), routes, ranges, health, deck_costs, runs, program=program)

    def _program(self, rules: Sequence[route_rules.RouteRule], value: Fraction) -> SolvedProgram:
        """Solve the linear program. Import its module here: it needs NumPy."""
        from evodom.spire.route.linear_program import solve_and_check

        return solve_and_check(self.act_map, self.evaluation, rules, value)

    def _health(self, evaluation: route_rules.Evaluation, deck_costs: DeckCosts | None) -> Health | None:
        """Return the player's HP and the best routes for other HP; None if HP do not matter."""
        if deck_costs is not None:
            hp, max_hp = deck_costs.hp, deck_costs.max_hp
        elif self.hp is None:
            return None
        else:
            hp, max_hp = self.hp, self.max_hp or max(ironclad(self.ascension)[1], self.hp)
        changes = self._changes(max_hp, deck_costs)
        ranges = hp_ranges(self.act_map, evaluation, changes, self.limits, max_hp=max_hp, n_monsters=self.n_monsters)
        return Health(hp, max_hp, changes, ranges, self.n_monsters)

    def _changes(self, max_hp: int, deck_costs: DeckCosts | None) -> route_rules.HpChanges:
        """Return the changes of HP by room. Precedence: the query, searched fights, preferences, defaults."""
        by_default = hp_changes(max_hp, self.relics, self.n_cards)
        if deck_costs is None:
            return self.changes or self.preferences.hp or by_default
        fixed = dict(self.changes or {})
        if Room.MONSTER in fixed:
            fixed.setdefault(
                route_rules.WEAK, fixed[Room.MONSTER]
            )  # a change for `monster` alone also counts for the first three
        # From the lowest precedence to the highest. The rooms of `deck_costs` come first in the order of the result.
        changes: dict[Room | str, int] = dict(deck_costs.changes)
        for source in (by_default, self.preferences.hp or {}, deck_costs.changes, fixed):
            changes.update(source)
        return changes


@dataclass(frozen=True)
class RouteAnswer:
    """The answer to a query. Parts that were not requested are None or empty."""

    query: RouteQuery
    rules: tuple[route_rules.RouteRule, ...]
    routes: Routes
    tolerance_ranges: tuple[ToleranceRange, ...] = ()
    health: Health | None = None
    deck_costs: DeckCosts | None = None
    runs: DeckRuns | None = None
    plan: EventPlan | None = None
    program: SolvedProgram | None = None

    @property
    def proposed(self) -> Route:
        """The route with the most survivors if routes are simulated, else the best one."""
        return self.runs.best.route if self.runs else self.routes.best[0]

    def with_plan(self, progress: Progress = no_progress) -> RouteAnswer:
        """Return the answer with a plan for event rooms, if the query gives their chances."""
        query = self.query
        if query.chances is None:
            return self
        plan = plan_events(query.act_map, query.evaluation, self.rules, query.chances, self.proposed, progress)
        return replace(self, plan=plan)


def read_limits(
    act_map: ActMap, least: Texts, most: Texts, through_nodes: Texts, avoided_nodes: Texts
) -> tuple[route_rules.Limit, ...]:
    """Parse rules such as "1 shop before 8", and nodes given as column,floor or "burning"."""
    return (
        *(parse_limit(text, "least") for text in least),
        *(parse_limit(text, "most") for text in most),
        *(route_rules.through(_read_node(act_map, text)) for text in through_nodes),
        *(route_rules.avoid(_read_node(act_map, text)) for text in avoided_nodes),
    )


def _read_node(act_map: ActMap, text: str) -> Node:
    if text.strip().lower() != BURNING:
        return route_rules.check_node(act_map, parse_node(text))
    if act_map.burning is None:
        raise UsageError("the burning elite of this map is unknown. Give a room as column,floor such as 3,5.")
    return act_map.burning[0]
