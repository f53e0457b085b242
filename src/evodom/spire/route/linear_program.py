"""The best route as a linear program: a unit flow from a source below the map to a sink above it.

Open it to change the formulation. `--method lp` solves it, and compares its value with the dynamic program's.

Each edge is a variable. Each node is a row of the incidence matrix: +1 for incoming and -1 for outgoing edges. The
right side is -1 at the source, 1 at the sink, 0 elsewhere. Without rules every vertex of the feasible set is a path,
because the matrix is totally unimodular. Rules add rows, and the program becomes an integer program. Formulation: Alan
Sultan, Linear Programming: An Introduction with Applications, section 1.13. SciPy (HiGHS) is the extra `routes`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from evodom.errors import EvodomError, UsageError, install_advice
from evodom.spire.map.act import ActMap, Edge, Node
from evodom.spire.route.dynamic_programming import check_upwards
from evodom.spire.route.rules import NO_MEMORY, Evaluation, EvaluationLike, Limit, NoRoute, RouteRule, as_evaluation

SOURCE = Node(-1, -1)
VALUE_TOLERANCE = 1e-6  # maximum difference of HiGHS's value from the exact value, relative for values above 1
INTEGER_TOLERANCE = 1e-6  # maximum distance from an integer at which HiGHS accepts a variable as integral
INFEASIBLE = 2


@dataclass(frozen=True)
class Program:
    """A linear program: maximize weights @ x, x >= 0, incidence @ x = rhs, low <= limits @ x <= high.

    Rows of `incidence` are nodes by (y, x), the source first and the sink last. Columns are edges by the (y, x) of
    their destinations. `weights` are the values of the destinations.
    """

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    incidence: NDArray[np.int64]
    rhs: NDArray[np.int64]
    weights: NDArray[np.float64]
    limits: NDArray[np.int64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


@dataclass(frozen=True)
class Flow:
    """The solution: the value, the flow on each edge, and the nodes of the map with incoming flow."""

    value: float
    flow: NDArray[np.float64]
    path: tuple[Node, ...]

    @property
    def integral(self) -> bool:
        """Whether the flow on every edge is integral."""
        return bool(np.all(np.abs(self.flow - self.flow.round()) < INTEGER_TOLERANCE))


def build_program(act_map: ActMap, evaluation: EvaluationLike, rules: Sequence[RouteRule] = ()) -> Program:
    """Return the linear program of the best route.

    Raise UsageError for an evaluation with a memory, and for rules other than `Limit`: neither is linear.
    """
    evaluator = as_evaluation(evaluation)
    if evaluator.memory is not NO_MEMORY:
        raise UsageError("a linear program needs an evaluation of the room and its row alone, without a memory")
    if unsupported := next((rule for rule in rules if not isinstance(rule, Limit)), None):
        raise UsageError(f"a linear program cannot express: {unsupported}. The dynamic program can.")
    check_upwards(act_map)
    sink = Node(max(node.x for node in act_map.rooms) + 1, max(node.y for node in act_map.rooms) + 1)
    edges = [*act_map.edges, *(Edge(SOURCE, n) for n in act_map.starts), *(Edge(n, sink) for n in act_map.ends)]
    edges = sorted(set(edges), key=lambda edge: (edge.destination.y, edge.destination.x, edge.source.x))
    nodes = [SOURCE, *sorted(act_map.rooms, key=lambda node: (node.y, node.x)), sink]
    index = {node: i for i, node in enumerate(nodes)}
    incidence = np.zeros((len(nodes), len(edges)), np.int64)
    weights = np.zeros(len(edges))
    limits = np.zeros((len(rules), len(edges)), np.int64)
    for column, (source, destination) in enumerate(edges):
        incidence[index[source], column] = -1
        incidence[index[destination], column] = 1
        if destination != sink:
            room = act_map.rooms[destination]
            weights[column] = float(evaluator.exact_value(room, destination.y, None))
            limits[:, column] = [isinstance(rule, Limit) and rule.matches(destination, room) for rule in rules]
    rhs = np.zeros(len(nodes), np.int64)
    rhs[0], rhs[-1] = -1, 1
    bounds = [(rule.least, np.inf if rule.most is None else rule.most) for rule in rules if isinstance(rule, Limit)]
    low, high = np.array(bounds, float).reshape(-1, 2).T
    return Program(tuple(nodes), tuple(edges), incidence, rhs, weights, limits, low, high)


def solve_program(program: Program, *, integral: bool | None = None) -> Flow:
    """Solve a linear program with HiGHS. Raise NoRoute if it is infeasible.

    `integral` restricts the variables to integers. By default they are restricted only if there are rules.
    """
    try:
        from scipy.optimize import Bounds, LinearConstraint, milp
    except ImportError as error:
        raise EvodomError(f"linear programs need SciPy, not installed: {install_advice('routes')}") from error
    rows = [LinearConstraint(program.incidence, program.rhs, program.rhs)]
    if len(program.limits):
        rows.append(LinearConstraint(program.limits, program.low, program.high))
    integer = int(len(program.limits) > 0 if integral is None else integral)
    result = milp(-program.weights, constraints=rows, bounds=Bounds(0, np.inf), integrality=integer)
    if result.status == INFEASIBLE:
        raise NoRoute("the linear program is infeasible: no path keeps all rules")
    if result.x is None:
        raise EvodomError(f"the linear program was not solved: {result.message}")
    taken = [edge for edge, x in zip(program.edges, result.x, strict=True) if x > INTEGER_TOLERANCE]
    path = tuple(edge.destination for edge in taken if edge.destination != program.nodes[-1])
    return Flow(float(-result.fun), np.asarray(result.x, float), path)


@dataclass(frozen=True)
class SolvedProgram:
    """The linear program and its solutions. `relaxed` may have fractional flows."""

    program: Program
    flow: Flow
    relaxed: Flow


def solve_and_check(
    act_map: ActMap, evaluation: Evaluation, rules: Sequence[RouteRule], value: Fraction
) -> SolvedProgram:
    """Solve the linear program of a map. Raise EvodomError if its value differs from the exact `value`."""
    program = build_program(act_map, evaluation, rules)
    relaxed, flow = solve_program(program, integral=False), solve_program(program)
    if abs(flow.value - value) > VALUE_TOLERANCE * max(1.0, abs(float(value))):
        raise EvodomError(f"the methods disagree: linear program {flow.value}, dynamic program {float(value)}")
    return SolvedProgram(program, flow, relaxed)
