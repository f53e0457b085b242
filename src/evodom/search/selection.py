"""Selection at the nodes of a search: PUCT, Gumbel noise with sequential halving, and the arithmetic of its rounds.

Flat search by playouts calls the arithmetic of rounds from Python. Kernels call the compiled copies, `compiled_*`.

- PUCT (Rosin 2011, "Multi-armed bandits with episode context"): the scaled value plus a bonus for untried actions.
- Sequential halving (Karnin, Koren, Somekh 2013, "Almost optimal exploration in multi-armed bandits"): all actions of a
  round get equal shares of the simulations, and the better half goes on to the next.
- Gumbel (Danihelka, Guez, Schrittwieser, Silver 2022, "Policy improvement by planning with Gumbel"): noise and the
  logarithm of the prior draw the actions of the first round. With exact values, the expected value of the chosen action
  is at least that of an action drawn from the priors.

Priors are relative: the average over the actions of a node is 1.
"""

import numpy as np

from evodom.jit.kernel import kernel

C_VISIT, C_SCALE = 50.0, 1.0
"""Weight of scaled values relative to priors: C_SCALE * (C_VISIT + maximum number of visits)."""

MIN_PRIOR = 1e-12


@kernel
def exploration_bonus(c_puct: float, n_actions: int, visits: int) -> float:
    """Return the bonus of an untried action with an average prior, at a node with `visits`."""
    return c_puct / n_actions * float(np.sqrt(float(visits)))


@kernel
def puct(value: float, scale: float, prior: float, bonus: float, visits: int) -> float:
    """Return the PUCT score of an action: its scaled value plus the bonus, which decreases with visits."""
    return value * scale + prior * bonus / (1.0 + visits)


@kernel
def range_scale(low: float, high: float) -> float:
    """Return the factor that scales differences of values to at most 1; 0 if all values are equal."""
    return 1.0 / (high - low) if high > low else 0.0


@kernel
def logit(prior: float) -> float:
    """Return the logarithm of a prior, at least that of MIN_PRIOR."""
    return float(np.log(max(prior, MIN_PRIOR)))


@kernel
def gumbel(uniform: float) -> float:
    """Return Gumbel noise from a number that is uniform in [0, 1)."""
    return float(-np.log(-np.log(max(uniform, MIN_PRIOR))))


@kernel
def completed_logit(prior_logit: float, max_visits: int, advantage: float, scale: float) -> float:
    """Return the logit of the improved policy: the prior's logit plus the weighted, scaled advantage.

    `advantage` is the action's value minus the minimum value of the tree.
    """
    return prior_logit + C_SCALE * (C_VISIT + max_visits) * advantage * scale


def n_advancing(n: int) -> int:
    """Return the number of `n` candidates that advance to the next round."""
    return max((n + 1) // 2, 1)


def n_rounds(n: int) -> int:
    """Return the number of rounds until one of `n` candidates is left, at least 1."""
    rounds = 1
    while n > 2:
        n = (n + 1) // 2
        rounds += 1
    return rounds


def round_size(n_left: int, n: int, rounds_left: int) -> int:
    """Return the number of simulations for a round of `n` candidates, if `rounds_left` rounds share `n_left`."""
    return n_left if n == 1 else n * max(n_left // (rounds_left * n), 1)


compiled_n_advancing = kernel(n_advancing)
compiled_n_rounds = kernel(n_rounds)
compiled_round_size = kernel(round_size)
