"""A kit that proves by playing that a game keeps the contract of `evodom.games`: for the games here and for yours.

    from numpy.random import default_rng
    from evodom.games.conformance import check

    print(check(MyGame(), default_rng(1)))

`check` plays random games and looks at every state it meets. It raises `ConformanceError`, whose text names the rule
that is broken, or returns how much it has looked at. The rules are listed in `RULES`. What a game may add to the base
is checked where it is there: listed outcomes, rewards, hidden information.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum, isclose
from typing import TYPE_CHECKING, Any, TypeVar, cast

from evodom.distribution import Distribution
from evodom.games.checker import RULES, ConformanceError, GameChecker, Snapshot, take_snapshot
from evodom.games.chi_square import fit_probability
from evodom.games.contract import A, Game, HiddenInformationGame, ListsStarts, S, Solvable
from evodom.games.hidden import check_hidden
from evodom.games.play import Transition

if TYPE_CHECKING:
    from numpy.random import Generator as Rng

__all__ = ["RULES", "ConformanceError", "Conformity", "check", "take_snapshot"]

SIGNIFICANCE = 1e-6
"""Samples that fit listed outcomes as badly as this, one in a million, break the rule."""

N_FITTED = 20
"""So many listed distributions are held against samples."""

T = TypeVar("T")


@dataclass(frozen=True)
class Conformity:
    """How much a check has looked at: all of it kept the rules."""

    n_games: int
    n_states: int
    n_distributions: int
    n_redeals: int


def check(
    game: Game[S, A],
    rng: Rng,
    *,
    n_games: int = 20,
    n_samples: int = 1000,
    max_actions: int = 10_000,
    snapshot: Snapshot | None = None,
) -> Conformity:
    """Prove by playing that `game` keeps the contract; raise `ConformanceError` for the first rule that it breaks.

    `n_games` are played with random actions, none longer than `max_actions`. `n_samples` are drawn from each of a few
    listed distributions (`N_FITTED`). `snapshot` returns a copy of a state that compares equal as long as the state is
    the same. The default, `take_snapshot`, knows NumPy arrays and records, tuples, lists, dicts, dataclasses, and
    everything else that has an `__eq__` of its own.
    """
    checker = GameChecker(game, snapshot or take_snapshot)
    checker.check_methods()
    checker.check_all_actions()
    played = [checker.check_game(int(rng.integers(2**63)), max_actions) for _ in range(n_games)]
    steps = [step for one in played for step in one]
    n_fitted = _check_listed(checker, steps, n_samples, rng) if isinstance(game, Solvable) else 0
    n_redeals = check_hidden(checker, steps, rng) if isinstance(game, HiddenInformationGame) else 0
    return Conformity(n_games, sum(len(one) + 1 for one in played), n_fitted, n_redeals)


def _check_listed(checker: GameChecker, steps: list[Transition[Any, Any]], n_samples: int, rng: Rng) -> int:
    """Check the outcomes that a game lists, compare samples with some of them, and return with how many."""
    game = checker.game
    branching: dict[tuple[Any, Any], Distribution[Any]] = {}
    for state, action, after in steps:
        outcomes = _checked_distribution(checker, checker.ask(game.outcomes, state, action), f"outcomes of {action!r}")
        if not outcomes.probability(after):
            checker.fail("sampled", f"{after!r} was drawn, which {action!r} does not list")
        if len(outcomes) > 1:
            branching[state, action] = outcomes
    if isinstance(game, ListsStarts):
        starts = _checked_distribution(checker, game.starts(), "starts()")
        _fit(checker, starts, [checker.game.start(rng) for _ in range(n_samples)], "starts")
    pairs = list(branching)
    chosen = [pairs[i] for i in rng.permutation(len(pairs))[:N_FITTED]]
    for state, action in chosen:
        samples = [game.sample(state, action, rng) for _ in range(n_samples)]
        _fit(checker, branching[state, action], samples, f"{action!r} in {state!r}")
    return isinstance(game, ListsStarts) + len(chosen)


def _checked_distribution(checker: GameChecker, listed: Distribution[T], where: str) -> Distribution[T]:
    weights = [weight for _, weight in listed.pairs]
    checker.demand(weights and min(weights) > 0, "listed", f"weights {weights!r} in {where}")
    total = sum(weights) if listed.exact else fsum(weights)
    checker.demand(isclose(total, listed.total, rel_tol=1e-9), "listed", f"{total} is not {listed.total} in {where}")
    try:
        for outcome, _ in listed.pairs:
            hash(outcome)
    except TypeError as error:
        raise ConformanceError(checker.game, "listed", f"{error} in {where}") from error
    return listed


def _fit(checker: GameChecker, listed: Distribution[T], samples: list[T], where: str) -> None:
    """See to it that samples could have come from what is listed."""
    chances = [(outcome, float(share)) for outcome, share in listed]
    known = {outcome for outcome, _ in chances}
    strange = next((sample for sample in samples if sample not in known), None)
    checker.demand(strange is None, "sampled", f"{strange!r} was drawn, which is not listed: {where}")
    chance = fit_probability(cast("Any", samples), cast("Any", chances))
    checker.demand(chance > SIGNIFICANCE, "sampled", f"chi-square has a probability of {chance:.1g}: {where}")
