"""Compiled sweeps over the states of a loop: the inner kernels of `cycles`.

A loop of n states is the tuple of flat arrays (first_action, first_edge, targets, weights, constants, factors,
greatest):

- State i has the actions from `first_action[i]` up to, but not including, `first_action[i + 1]`.
- Action a has the edges from `first_edge[a]` up to `first_edge[a + 1]`. Each has a state in `targets` and a probability
  in `weights`.
- The value of action a is `factors[a]` times the sum of `constants[a]` and the weighted values of its states.
- `greatest[i]` is True if the best action of state i has the greatest value, False if it has the least.

Values are float64 (n,), at least 0.
"""

from typing import Any

from evodom.jit.kernel import kernel


@kernel
def rise(values: Any, chosen: Any, goal: Any, n_sweeps: Any, loop: Any) -> Any:
    """Raise `values` by sweeps until none rises by more than `goal`; return the last sweep's largest relative rise.

    `chosen` receives the action that raised each state last. This action eventually realises the value. Another action
    of the same value may only lead back to its own state.
    """
    largest = 0.0
    for _ in range(n_sweeps):
        largest = 0.0
        for state in range(len(values) - 1, -1, -1):
            best, at = update(state, values, loop)
            gain = best - values[state]
            if gain > 0.0:
                largest = max(largest, gain / max(1.0, best))
                values[state] = best
                chosen[state] = at
        if largest <= goal:
            break
    return largest


@kernel
def fall(values: Any, loop: Any) -> Any:
    """Update `values` once in place and return the number that rose. If none rose, they are upper bounds.

    States are updated one after the other. The proof still holds: if none rose, each new value was computed from values
    that have only fallen since.
    """
    n_risen = 0
    for state in range(len(values) - 1, -1, -1):
        best, _ = update(state, values, loop)
        n_risen += best > values[state]
        values[state] = best
    return n_risen


@kernel
def update(state: Any, values: Any, loop: Any) -> Any:
    """Return the best value of a state's actions and the index of that action among them."""
    first_action, first_edge, targets, weights, constants, factors, greatest = loop
    begin = first_action[state]
    best, at = 0.0, -1
    for action in range(begin, first_action[state + 1]):
        value = constants[action]
        for edge in range(first_edge[action], first_edge[action + 1]):
            value += weights[edge] * values[targets[edge]]
        value *= factors[action]
        if at < 0 or (value > best if greatest[state] else value < best):
            best, at = value, action - begin
    return best, at
