"""Solve a `Fight`, or rank the moves of one position: the functions to call from other packages."""

from dataclasses import replace
from fractions import Fraction

from evodom.errors import EvodomError, UsageError
from evodom.search.estimate import ActionEstimate
from evodom.spire.engine.game import SpireFight, State
from evodom.spire.fights.fight import GUARANTEED, Fight, Payoff
from evodom.spire.fights.names import cards_from_text
from evodom.spire.fights.states import state_from_fight
from evodom.spire.solver.answer import SolvedFight, SolverLimits
from evodom.spire.solver.building import Progress
from evodom.spire.solver.solver import Solver


def solve_fight(
    fight: Fight,
    limits: SolverLimits | None = None,
    progress: Progress | None = None,
    *,
    fractions: bool = False,
    hand: str = "",
) -> SolvedFight:
    """Solve a fight. With several possible encounters, return their mean, weighted by probability.

    Args:
        progress: called with the size of the graph, several times a second.
        fractions: whether to compute exact figures, where they exist.
        hand: the first hand, such as "3 Strike, 2 Defend". The solution lists the plans of the first turn if only one
            initial state has this hand.

    Raise `FightTooLarge` beyond the limits and `UsageError` for a hand that cannot be drawn.
    """
    if hand and fight.state is not None:
        raise UsageError("--hand is for a fight that has not begun. Leave it out, or [state] out of the file.")
    parts = list(fight.encounter_setups()) if fight.encounters else [("", 1, fight.setup)]
    if fight.state is not None:
        if len(parts) > 1:
            raise UsageError("a fight that has begun is against known enemies; name one encounter")
        solver = Solver(SpireFight(parts[0][2]), fight.payoff, limits, progress, fractions=fractions)
        return solver.solve_position(state_from_fight(fight, solver.game))
    found = SolvedFight.empty(is_worst_case=fight.payoff.kind == GUARANTEED, fractions=fractions)
    for _, probability, setup in parts:
        solver = Solver(SpireFight(setup), fight.payoff, limits, progress, fractions=fractions)
        if not hand:
            part = solver.solve()
            found.add(Fraction(probability), part)
            if limits and limits.moves is not None:
                limits = replace(limits, moves=limits.moves - part.effort.moves)
            continue
        starts = solver.game.starts_with(cards_from_text(hand, [card.name for card in solver.game.rules.kinds]))
        if len(parts) == len(starts) == 1:
            return solver.solve_turn(starts.most_likely())
        found.add(Fraction(probability), solver.solve_starts(starts))
    return found


def solve_if_small(fight: Fight, max_chance_nodes: int, progress: Progress | None = None) -> SolvedFight | None:
    """Return the solution of a fight, in floats; None if it is too large, too random or without an end.

    `max_chance_nodes` limits the size of the graph and, with `SolverLimits.below`, the time. 0 solves nothing.
    """
    try:
        return solve_fight(fight, SolverLimits.below(max_chance_nodes), progress) if max_chance_nodes else None
    except UsageError:
        raise
    except EvodomError:
        return None


def solve_moves(
    game: SpireFight, state: State, payoff: Payoff | None = None, *, max_chance_nodes: int = 20_000
) -> list[ActionEstimate[int]] | None:
    """Return the legal moves of a position with their exact values, best first; None if it cannot be solved.

    `max_chance_nodes` limits the size of the graph.
    """
    try:
        return Solver(game, payoff, SolverLimits(chance_nodes=max_chance_nodes)).move_estimates(state)
    except EvodomError:
        return None
