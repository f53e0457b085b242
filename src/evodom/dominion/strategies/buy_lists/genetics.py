"""Buy lists as genomes: an ordered list of cards to buy, with limits and times.

A genome has N_RULES rules, the most urgent first. A rule is a pile, a limit of cards to own, and a time. It holds
always, between two turns, once few Provinces or few gains to the end are left, or once the deck has enough coins. At
every buy the first rule that holds and can be afforded is followed (`select`). The play of cards does not evolve.
"""

import numpy as np
import numpy.typing as npt

from evodom.dominion.cards import BASIC, COPPER, CURSE_PILE, DUCHY, ESTATE
from evodom.dominion.strategies.base import Genomes, Strategies
from evodom.dominion.strategies.breeding import Breeding
from evodom.dominion.strategies.buy_lists import rules as layout
from evodom.dominion.strategies.buy_lists.rules import COMPARISONS, BuyList, Quantity
from evodom.dominion.strategies.operators import (
    BUY_NOISE,
    LIMITS,
    check_genes,
    heterozygosity,
    move_one,
    orders_by_cost,
)
from evodom.dominion.strategies.record import UNLIMITED
from evodom.errors import UsageError

N_RULES = 16

AT_MOST, MORE, AT_LEAST = (COMPARISONS[sign] for sign in ("<=", ">", ">="))

ALWAYS, TURNS, PROVINCES_LEFT, GAINS_LEFT, MONEY = range(5)
"""Kinds of times of a rule."""

LAST_TURN = 40
"""Last turn of a range. A range that ends here has no end."""

GENOME = np.dtype(
    [
        ("pile", "u1", (N_RULES,)),
        ("at_most", "u1", (N_RULES,)),
        ("when", "u1", (N_RULES,)),
        ("low", "u1", (N_RULES,)),
        ("high", "u1", (N_RULES,)),
    ]
)
"""One buy list. ``low`` and ``high`` are the turns of a range; other kinds use ``low`` alone."""

FIELDS = ("pile", "at_most", "when", "low", "high")

THRESHOLDS = {PROVINCES_LEFT: (1, 8), GAINS_LEFT: (1, 10), MONEY: (6, 24)}
"""Range of the number of each kind, both ends included."""

THRESHOLD_STEP = 2

N_COMPARED_RULES = 5
"""Number of first rules whose piles are compared for the diversity of lists."""

CONDITIONS_PER_RULE = 2
"""Conditions of a rule: the two ends of a range of turns, or one of another kind."""

CONDITION_OF = {
    TURNS: (Quantity.TURN_NUMBER, AT_LEAST),
    GAINS_LEFT: (Quantity.GAINS_TO_END, AT_MOST),
    MONEY: (Quantity.TOTAL_MONEY, MORE),
}
"""Quantity and comparison with ``low`` of each kind. The bound of Provinces left is a column of the rule."""


def random_genomes(n: int, breeding: Breeding, rng: np.random.Generator) -> Genomes:
    """Return ``n`` lists ordered by falling cost with noise.

    Estates and Duchies wait for the end in most of them. Coppers and Curses are left to mutation.
    """
    orders = orders_by_cost(n, breeding.kingdom, BUY_NOISE, rng)
    left_out = np.isin(orders, (COPPER, CURSE_PILE)) | (orders >= len(breeding.kingdom.piles))
    wanted = orders[~left_out].reshape(n, -1)[:, :N_RULES]
    genomes = np.zeros(n, GENOME)
    genomes["pile"][:, : wanted.shape[1]] = wanted
    genomes["at_most"][:, : wanted.shape[1]] = UNLIMITED
    kingdom = genomes["pile"] >= len(BASIC)
    genomes["at_most"][kingdom] = draw_limits(int(kingdom.sum()), rng)
    draw_times(genomes, rng.random(genomes["pile"].shape) < 0.15, rng)
    late = np.isin(genomes["pile"], (ESTATE, DUCHY)) & (rng.random(genomes["pile"].shape) < 0.9)
    genomes["when"][late] = GAINS_LEFT
    genomes["low"][late] = rng.integers(1, 9, size=int(late.sum()))
    return genomes


first_genomes = random_genomes


def draw_limits(n: int, rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """Draw the limits of ``n`` rules. A rule with limit 0 is never followed."""
    return rng.choice(np.append(LIMITS, 0), size=n).astype(np.uint8)


def draw_times(genomes: Genomes, chosen: npt.NDArray[np.bool_], rng: np.random.Generator) -> None:
    """Redraw the times of the chosen rules in place. ``chosen`` is (n, N_RULES) bool."""
    n = int(chosen.sum())
    kinds = rng.integers(len(THRESHOLDS) + 2, size=n)
    turns = np.sort(rng.integers(1, LAST_TURN // 2, size=(n, 2)), axis=1)
    # Most ranges are open at one end.
    turns[:, 1] = np.where(rng.random(n) < 0.5, LAST_TURN, turns[:, 1])
    turns[:, 0] = np.where(rng.random(n) < 0.5, 1, turns[:, 0])
    low = turns[:, 0]
    for kind, (least, most) in THRESHOLDS.items():
        low = np.where(kinds == kind, rng.integers(least, most + 1, size=n), low)
    genomes["when"][chosen], genomes["low"][chosen], genomes["high"][chosen] = kinds, low, turns[:, 1]


def cross(fitter: Genomes, other: Genomes, breeding: Breeding, rng: np.random.Generator) -> Genomes:
    """Return one child of each pair. A rule is the fitter parent's with probability ``fitter_bias``."""
    children = fitter.copy()
    from_other = rng.random((len(fitter), N_RULES)) >= breeding.fitter_bias
    for field in FIELDS:
        children[field] = np.where(from_other, other[field], fitter[field])
    return children


def mutate(genomes: Genomes, breeding: Breeding, rng: np.random.Generator) -> Genomes:
    """Mutate lists in place and return them.

    The rates are probabilities: ``order_mutation`` that a rule moves, and that a rule gets another card;
    ``limit_mutation`` that a rule gets another limit; ``need_mutation`` that a rule gets another time. Each number of
    a time moves by up to THRESHOLD_STEP with half this probability.
    """
    n = len(genomes)
    move_rules(genomes, breeding.order_mutation, rng)

    def one_rule(rate: float) -> npt.NDArray[np.bool_]:
        """Choose a rule of some of the lists."""
        chosen = np.zeros((n, N_RULES), bool)
        chosen[np.arange(n), rng.integers(N_RULES, size=n)] = rng.random(n) < rate
        return chosen

    chosen = one_rule(breeding.order_mutation)
    genomes["pile"][chosen] = rng.integers(len(breeding.kingdom.piles), size=int(chosen.sum()))
    chosen = one_rule(breeding.limit_mutation)
    genomes["at_most"][chosen] = draw_limits(int(chosen.sum()), rng)
    draw_times(genomes, one_rule(breeding.need_mutation), rng)
    for field in ("low", "high"):
        chosen = rng.random((n, N_RULES)) < breeding.need_mutation / 2
        step = rng.integers(-THRESHOLD_STEP, THRESHOLD_STEP + 1, size=int(chosen.sum()))
        genomes[field][chosen] = np.clip(genomes[field][chosen].astype(int) + step, 1, LAST_TURN)
    return genomes


def move_rules(genomes: Genomes, rate: float, rng: np.random.Generator) -> None:
    """Move a rule of each list to another place with probability ``rate``, in place. Rules in between shift."""
    places = np.tile(np.arange(N_RULES, dtype=np.uint8), (len(genomes), 1))
    move_one(places, rate, rng)
    for field in FIELDS:
        genomes[field] = np.take_along_axis(genomes[field], places.astype(np.intp), axis=1)


def encode(genomes: Genomes, breeding: Breeding, strategies: Strategies) -> None:
    """Write the strategies of genomes into blank records."""
    # The first record is encoded and copied to the others. The slice allows an empty array.
    for strategy in strategies[:1]:
        BuyList((), endgame_check=True).encode(breeding.kingdom, strategy)
    strategies[1:] = strategies[:1]
    present, conditions, terms = _conditions(genomes)
    n = N_RULES * CONDITIONS_PER_RULE
    strategies["conditions"][:, :n], strategies["terms"][:, :n] = conditions, terms
    rules = strategies["rules"][:, :N_RULES]
    first = np.arange(N_RULES) * CONDITIONS_PER_RULE
    rules[..., layout.PILE] = genomes["pile"]
    rules[..., layout.FIRST_CONDITION] = first
    rules[..., layout.END_CONDITION] = first + present.sum(axis=2)
    rules[..., layout.OWNED_BELOW] = np.where(
        genomes["at_most"] < UNLIMITED, genomes["at_most"].astype(int), layout.ANY_NUMBER
    )
    few_provinces = genomes["when"] == PROVINCES_LEFT
    rules[..., layout.PROVINCES_AT_MOST] = np.where(few_provinces, genomes["low"].astype(int), layout.ANY_NUMBER)
    strategies["n_rules"] = N_RULES


def _conditions(
    genomes: Genomes,
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Return which conditions each rule has, (n, N_RULES, 2), and all conditions and their terms, as in a record.

    Each condition has one term, with the same index in the table of terms. The conditions in use are first among the
    rule's.
    """
    n, n_conditions = len(genomes), N_RULES * CONDITIONS_PER_RULE
    when, low, high = (genomes[field].astype(np.int64) for field in ("when", "low", "high"))
    conditions = np.zeros((n, N_RULES, CONDITIONS_PER_RULE, 4), np.int32)
    terms = np.zeros((n, N_RULES, CONDITIONS_PER_RULE, 3), np.int32)
    terms[..., layout.FACTOR] = 1
    for kind, (quantity, comparison) in CONDITION_OF.items():
        terms[:, :, 0, layout.QUANTITY] = np.where(when == kind, quantity, terms[:, :, 0, layout.QUANTITY])
        conditions[:, :, 0, layout.COMPARISON] = np.where(
            when == kind, comparison, conditions[:, :, 0, layout.COMPARISON]
        )
    conditions[:, :, 0, layout.CONSTANT] = low
    terms[:, :, 1, layout.QUANTITY] = Quantity.TURN_NUMBER
    conditions[:, :, 1, layout.COMPARISON] = AT_MOST
    conditions[:, :, 1, layout.CONSTANT] = high
    turns = when == TURNS
    begins = np.isin(when, (GAINS_LEFT, MONEY)) | (turns & (low > 1))
    present = np.stack([begins, turns & (high < LAST_TURN)], axis=2)
    order = np.argsort(~present, axis=2, kind="stable")[..., None]
    places = np.arange(n_conditions)
    all_conditions = np.take_along_axis(conditions, order, axis=2).reshape(n, n_conditions, 4)
    all_conditions[..., layout.FIRST_TERM], all_conditions[..., layout.END_TERM] = places, places + 1
    return present, all_conditions, np.take_along_axis(terms, order, axis=2).reshape(n, n_conditions, 3)


def upgrade(genomes: Genomes, breeding: Breeding) -> Genomes:
    """Return saved genomes with each gene checked. Raise UsageError for invalid genomes."""
    if genomes.dtype != GENOME:
        raise UsageError("its genomes have the format of another version. Evolve it again.")
    last_pile = len(breeding.kingdom.piles) - 1
    check_genes(genomes, {"pile": last_pile, "at_most": UNLIMITED, "when": MONEY, "low": LAST_TURN, "high": LAST_TURN})
    return genomes


def diversity(genomes: Genomes) -> float:
    """Return how much two random lists differ in the piles of their first five rules, from 0 to 1."""
    return heterozygosity(genomes["pile"][:, :N_COMPARED_RULES])


def early_victory_weight(strategies: Strategies) -> npt.NDArray[np.float64]:
    """Return 0 for each strategy: a buy list has no weights that could be too large."""
    return np.zeros(len(strategies))
