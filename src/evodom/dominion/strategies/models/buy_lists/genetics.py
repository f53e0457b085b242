"""Buy lists as genomes: an ordered list of cards to buy, with limits and conditions.

A genome has N_RULES rules, the most urgent first. A rule is a pile, a limit of cards to own and up to N_CONDITIONS
conditions. At every buy the first rule that holds and can be afforded is followed (`select`). A rule with limit 0 is
never followed: it is unused. `play_genes` has the genes of the play of cards. New lists have the default 0 in all.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.cards import COPPER, CURSE_PILE, DUCHY, ESTATE, PROVINCE
from evodom.dominion.effects.effect import Type
from evodom.dominion.engine.rules import ENDING_CARDS, N_MODEL_PILES
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies import operators, play_genes
from evodom.dominion.strategies.base import Genomes, Strategies
from evodom.dominion.strategies.breeding import Breeding
from evodom.dominion.strategies.models.buy_lists import columns as layout
from evodom.dominion.strategies.models.buy_lists import language
from evodom.dominion.strategies.models.buy_lists.buy_list import BuyList
from evodom.dominion.strategies.models.buy_lists.language import Quantity
from evodom.dominion.strategies.plans import BuyPlan
from evodom.dominion.strategies.record import UNLIMITED

N_RULES, N_CONDITIONS = 16, 3

RULE_FIELDS = {
    "pile": (N_RULES,),
    "at_most": (N_RULES,),
    "kind": (N_RULES, N_CONDITIONS),
    "argument": (N_RULES, N_CONDITIONS),
    "bound": (N_RULES, N_CONDITIONS),
}
"""The fields of rules, with their shapes."""

GENOME = np.dtype([*((name, "u1", shape) for name, shape in RULE_FIELDS.items()), *play_genes.PLAY_FIELDS])
"""One buy list. ``kind`` is an index into KINDS, ``argument`` a pile or an index into COUNTED_TYPES."""

ConditionGenes = tuple[int, int, int]
"""A condition as genes: kind, argument, bound."""

COUNTED_TYPES = (Type.ACTION, Type.TREASURE, Type.VICTORY)


@dataclass(frozen=True, slots=True)
class ConditionKind:
    """A comparison of a quantity with a bound.

    Random conditions have this kind with a probability proportional to ``weight``, and bounds from ``low`` to ``high``.
    ``argument`` is NO_ARGUMENT, OF_CARD or OF_TYPE.
    """

    quantity: Quantity
    comparison: str
    low: int
    high: int
    weight: float = 1.0
    argument: int = language.NO_ARGUMENT


NONE, TURN_UP_TO, TURN_FROM, GAINS_UP_TO, PROVINCES_UP_TO, MONEY_OVER = range(6)
EXCESS_UP_TO = 14
"""Indices of entries of KINDS. Saved genomes contain these numbers."""

KINDS = (
    ConditionKind(Quantity.TURN_NUMBER, ">=", 1, 1, 0.0),
    ConditionKind(Quantity.TURN_NUMBER, "<=", 1, 20, 3.0),
    ConditionKind(Quantity.TURN_NUMBER, ">=", 2, 20, 3.0),
    ConditionKind(Quantity.GAINS_TO_END, "<=", 1, 10, 3.0),
    ConditionKind(Quantity.COUNT_IN_SUPPLY, "<=", 1, 8, 2.0),
    ConditionKind(Quantity.TOTAL_MONEY, ">", 6, 24),
    ConditionKind(Quantity.TOTAL_MONEY, "<=", 6, 24),
    ConditionKind(Quantity.GAINS_TO_END, ">", 1, 10),
    ConditionKind(Quantity.CARDS_IN_DECK, ">=", 8, 40),
    ConditionKind(Quantity.COUNT_IN_DECK, ">=", 1, 6, 1.5, language.OF_CARD),
    ConditionKind(Quantity.COUNT_IN_DECK, "<=", 0, 4, 1.5, language.OF_CARD),
    ConditionKind(Quantity.COUNT_TYPE_IN_DECK, ">=", 1, 12, 0.5, language.OF_TYPE),
    ConditionKind(Quantity.COUNT_TYPE_IN_DECK, "<=", 0, 12, 0.5, language.OF_TYPE),
    ConditionKind(Quantity.COUNT_IN_PLAY, ">=", 1, 2, 0.0, language.OF_CARD),
    ConditionKind(Quantity.EXCESS_TERMINALS, "<=", 0, 3, 1.0),
    ConditionKind(Quantity.EXCESS_TERMINALS, ">=", 0, 3, 0.5),
)
"""Kinds of conditions. The first stands for no condition. COUNT_IN_SUPPLY counts a pile of `_ending_piles`.
COUNT_IN_PLAY is never drawn: only imitated lists have it.

Turns, gains and Provinces have the highest weights. Lists with only these kinds win as often and are shorter.
"""

KIND_PROBABILITIES = np.array([kind.weight for kind in KINDS]) / sum(kind.weight for kind in KINDS)
_LOW, _HIGH = (np.array([getattr(kind, end) for kind in KINDS]) for end in ("low", "high"))
_ARGUMENTS = np.array([kind.argument for kind in KINDS])

MAX_BOUND = 99

BOUND_STEP = 2
"""Maximum step of a bound in a mutation."""

N_COMPARED_RULES = 5
"""Number of rules, from the first, whose piles `diversity` compares."""


def random_genomes(n: int, breeding: Breeding, rng: np.random.Generator) -> Genomes:
    """Return ``n`` lists ordered by falling cost with noise.

    With probability 0.9 a rule for Estate or Duchy holds only near the end. Coppers and Curses are left out.
    """
    orders = operators.orders_by_cost(n, breeding.kingdom, operators.BUY_NOISE, rng)
    left_out = np.isin(orders, (COPPER, CURSE_PILE)) | (orders >= len(breeding.kingdom.piles))
    wanted = orders[~left_out].reshape(n, len(breeding.kingdom.piles) - 2)[:, :N_RULES]
    genomes = np.zeros(n, GENOME)
    genomes["pile"][:, : wanted.shape[1]] = wanted
    genomes["at_most"][:, : wanted.shape[1]] = UNLIMITED
    kingdom = np.isin(genomes["pile"], breeding.kingdom.kingdom_piles)
    genomes["at_most"][kingdom] = draw_limits(int(kingdom.sum()), rng)
    draw_conditions(genomes, rng.random(genomes["pile"].shape) < 0.15, breeding.kingdom, rng)
    late = np.isin(genomes["pile"], (ESTATE, DUCHY)) & (rng.random(genomes["pile"].shape) < 0.9)
    genomes["kind"][late, 0] = GAINS_UP_TO
    genomes["bound"][late, 0] = rng.integers(1, 9, size=int(late.sum()))
    return genomes


first_genomes = random_genomes


def from_plans(plans: Sequence[BuyPlan], breeding: Breeding, rng: np.random.Generator) -> Genomes:
    """Return a list for each plan: a rule of limit 1 for each opening buy, then a rule for each pile of the order."""
    genomes = [pack_rules(_rules_of(plan, breeding.kingdom)) for plan in plans]
    return np.concatenate([np.zeros(0, GENOME), *genomes])


def _rules_of(plan: BuyPlan, kingdom: Kingdom) -> list[tuple[int, int, list[ConditionGenes]]]:
    """Return the rules of a plan for `pack_rules`."""
    excess = {} if plan.max_excess is None else dict.fromkeys(operators.terminal_piles(kingdom), plan.max_excess)
    conditions = (
        (GAINS_UP_TO, plan.gains_left),
        (TURN_UP_TO, plan.last_turns),
        (MONEY_OVER, plan.money_over),
        (EXCESS_UP_TO, excess),
    )
    return [
        *((pile, 1, []) for pile in plan.opening),
        *(
            (pile, plan.limits.get(pile, UNLIMITED), [(kind, 0, of[pile]) for kind, of in conditions if pile in of])
            for pile in plan.order
        ),
    ]


def draw_limits(n: int, rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """Draw the limits of ``n`` rules. A rule with limit 0 is never followed."""
    return rng.choice(np.append(operators.LIMITS, 0), size=n).astype(np.uint8)


def draw_conditions(
    genomes: Genomes, chosen: npt.NDArray[np.bool_], kingdom: Kingdom, rng: np.random.Generator
) -> None:
    """Redraw a condition of each rule in the mask ``chosen``, (n, N_RULES), in place, or remove it (1 in 3)."""
    rows, places = np.nonzero(chosen)
    n = len(rows)
    slots = rng.integers(N_CONDITIONS, size=n)
    kinds = np.where(rng.random(n) < 1 / 3, NONE, rng.choice(len(KINDS), size=n, p=KIND_PROBABILITIES))
    genomes["kind"][rows, places, slots] = kinds
    genomes["bound"][rows, places, slots] = rng.integers(_LOW[kinds], _HIGH[kinds] + 1)
    genomes["argument"][rows, places, slots] = np.where(
        _ARGUMENTS[kinds] == language.OF_TYPE,
        rng.integers(len(COUNTED_TYPES), size=n),
        rng.integers(len(kingdom.piles), size=n),
    )


ADDED_SHARE = 0.75
"""Probability that a child has the other parent's rule for a card that the fitter parent lacks."""


def cross(fitter: Genomes, other: Genomes, breeding: Breeding, rng: np.random.Generator) -> Genomes:
    """Return one child of each pair, which unites the rules of its parents.

    A child begins as a copy of the fitter parent. If both parents have rules for a card, each is replaced by the other
    parent's rule with probability 1 - ``fitter_bias``. Rules for cards that the fitter parent lacks are added with
    probability ADDED_SHARE, at their relative place. Rules after the first N_RULES are left out. A gene of the play is
    the fitter parent's with probability ``fitter_bias``.
    """
    children = fitter.copy()
    for number, (first, second) in enumerate(zip(fitter, other, strict=True)):
        set_rules(children[number : number + 1], _child_rules(first, second, breeding.fitter_bias, rng))
    operators.cross_fields(children, other, play_genes.genes_of(breeding.kingdom), breeding.fitter_bias, rng)
    return children


RuleGenes = tuple[bytes, ...]
"""The genes of a rule, by RULE_FIELDS. Equal rules have equal genes."""


def rules_in_use(genome: Any) -> list[RuleGenes]:
    """Return the genes of the rules in use of one list, in order."""
    return [
        tuple(genome[field][place].tobytes() for field in RULE_FIELDS) for place in np.flatnonzero(genome["at_most"])
    ]


def set_rules(genome: Genomes, rules: Sequence[RuleGenes]) -> None:
    """Replace the rules of a genome, an array of one, by the first N_RULES of some rules."""
    for number, field in enumerate(RULE_FIELDS):
        genome[field] = 0
        for place, rule in enumerate(rules[:N_RULES]):
            genome[field][0, place] = np.frombuffer(rule[number], np.uint8).reshape(genome[field].shape[2:])


def _child_rules(first: Any, second: Any, bias: float, rng: np.random.Generator) -> list[RuleGenes]:
    """Return the rules of a child of two genomes, the first the fitter."""
    rules, others = rules_in_use(first), rules_in_use(second)
    placed = [(place + 0.5, rule) for place, rule in enumerate(rules)]
    n_before = Counter[bytes]()
    for number, rule in enumerate(others):
        card = rule[0]
        of_card = [place for place, one in enumerate(rules) if one[0] == card]
        if not of_card:
            if rng.random() < ADDED_SHARE:
                placed.append(((number + 0.5) / len(others) * len(rules), rule))
        elif n_before[card] < len(of_card) and rng.random() >= bias:
            place = of_card[n_before[card]]
            placed[place] = (place + 0.5, rule)
        n_before[card] += 1
    return [rule for _, rule in sorted(placed, key=lambda one: one[0])]


def merge(genome: Genomes, changed: Genomes) -> Genomes:
    """Return ``genome`` with its differences from each of ``changed``. It and the result are arrays of one list.

    A change removes rules and inserts others, or moves one rule. An inserted rule is before the rule that follows it in
    the changed list. If two changes set the same gene of the play, the last counts.
    """
    basis = rules_in_use(genome[0])
    merged = list(basis)
    for one in changed:
        rules = rules_in_use(one)
        moved = _moved_rule(basis, rules)
        merged = [rule for rule in merged if rule != moved and (rule not in basis or rule in rules)]
        for place in reversed(range(len(rules))):
            if (rules[place] == moved or rules[place] not in basis) and rules[place] not in merged:
                below = next((rule for rule in rules[place + 1 :] if rule in merged), None)
                merged.insert(len(merged) if below is None else merged.index(below), rules[place])
    found = operators.merge_changes(genome, changed)
    set_rules(found, merged)
    return found


def _moved_rule(before: Sequence[RuleGenes], after: Sequence[RuleGenes]) -> RuleGenes | None:
    """Return the rule whose place alone differs in two lists of rules; None if there is no such rule."""

    def without(rules: Sequence[RuleGenes], rule: RuleGenes) -> list[RuleGenes]:
        return [one for one in rules if one != rule]

    if before == after or len(before) != len(after):
        return None
    return next((rule for rule in before if rule in after and without(before, rule) == without(after, rule)), None)


def mutate(genomes: Genomes, breeding: Breeding, rng: np.random.Generator) -> Genomes:
    """Mutate lists in place and return them.

    Probabilities for each list:

    - ``order_mutation``: a rule moves. With the same probability a rule gets another card.
    - ``limit_mutation``: a rule gets another limit.
    - ``need_mutation``: a condition is redrawn. Each bound moves by up to BOUND_STEP with half this probability.
    - ``worth_mutation``: a gene of the play is redrawn.
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
    draw_conditions(genomes, one_rule(breeding.need_mutation), breeding.kingdom, rng)
    step_bounds(genomes, rng.random(genomes["bound"].shape) < breeding.need_mutation / 2, rng)
    played = rng.random(n) < breeding.worth_mutation
    part = genomes[played]
    play_genes.change_play(part, cards_of(part), breeding, rng)
    genomes[played] = part
    return genomes


def cards_of(genomes: Genomes) -> npt.NDArray[np.bool_]:
    """Return which piles the rules in use of each list gain, (n, N_MODEL_PILES)."""
    gained = (genomes["pile"][..., None] == np.arange(N_MODEL_PILES)) & (genomes["at_most"] > 0)[..., None]
    return np.asarray(gained.any(axis=1))


def is_of_card(genomes: Genomes) -> npt.NDArray[np.bool_]:
    """Return whether the argument of each condition is a card, (n, N_RULES, N_CONDITIONS)."""
    return np.asarray(_ARGUMENTS[genomes["kind"]] == language.OF_CARD)


def step_bounds(genomes: Genomes, chosen: npt.NDArray[np.bool_], rng: np.random.Generator) -> None:
    """Move the chosen bounds (n, N_RULES, N_CONDITIONS) by up to BOUND_STEP in place."""
    step = rng.integers(-BOUND_STEP, BOUND_STEP + 1, size=int(chosen.sum()))
    genomes["bound"][chosen] = np.clip(genomes["bound"][chosen].astype(int) + step, 0, MAX_BOUND)


def move_rules(genomes: Genomes, rate: float, rng: np.random.Generator) -> None:
    """Move a rule of each list to another place with probability ``rate``, in place. Rules in between shift."""
    places = np.tile(np.arange(N_RULES, dtype=np.uint8), (len(genomes), 1))
    operators.move_one(places, rate, rng)
    reorder(genomes, places.astype(np.intp))


def reorder(genomes: Genomes, places: npt.NDArray[np.intp]) -> None:
    """Put the rules of each list in the order of ``places`` (n, N_RULES), in place."""
    rows = np.arange(len(genomes))[:, None]
    for field in RULE_FIELDS:
        genomes[field] = genomes[field][rows, places]


def without_one_part(genome: Genomes, breeding: Breeding) -> Genomes:
    """Return copies of the only list of an array, each without one condition, limit, rule or explicit play value."""
    limits = genome["at_most"][0]
    genes: list[operators.Gene] = [
        ("kind", (place, slot), NONE)
        for place in np.flatnonzero(limits).tolist()
        for slot in np.flatnonzero(genome["kind"][0, place]).tolist()
    ]
    limited = np.flatnonzero((limits != UNLIMITED) & (limits > 0))
    genes += [("at_most", (place,), UNLIMITED) for place in limited.tolist()]
    genes += play_genes.genes_in_use(genome)
    return np.concatenate([operators.single_changes(genome, genes), without_one_rule(genome)])


def without_one_rule(genome: Genomes) -> Genomes:
    """Return copies of the only list of an array, each without one rule."""
    in_use = np.flatnonzero(genome["at_most"][0])
    return operators.single_changes(genome, [("at_most", (place,), 0) for place in in_use.tolist()])


def encode(genomes: Genomes, breeding: Breeding, strategies: Strategies) -> None:
    """Write the strategies of genomes into blank records."""
    # Encode the first record, if there is one, and copy it to the others.
    for strategy in strategies[:1]:
        BuyList((), endgame_check=True).encode(breeding.kingdom, strategy)
    strategies[1:] = strategies[:1]
    play_genes.encode_play(genomes, strategies)
    n_conditions = N_RULES * N_CONDITIONS
    kinds, numbers = genomes["kind"].astype(np.intp), genomes["bound"].astype(np.int64)
    arguments = _arguments(kinds, genomes["argument"].astype(np.intp), breeding.kingdom)
    is_province = (kinds == PROVINCES_UP_TO) & (arguments == PROVINCE)
    present = (kinds != NONE) & ~is_province
    # A rule's conditions are adjacent in the table, those in use first.
    order = np.argsort(~present, axis=2, kind="stable")
    kinds, bounds_in_order, arguments = (
        np.take_along_axis(values, order, axis=2).reshape(len(genomes), n_conditions)
        for values in (kinds, numbers, arguments)
    )
    places = np.arange(n_conditions)
    lists = strategies["buy_lists"]
    conditions, terms = lists["conditions"][:, :n_conditions], lists["terms"][:, :n_conditions]
    conditions[..., layout.COMPARISON] = _COMPARISONS[kinds]
    conditions[..., layout.FIRST_TERM], conditions[..., layout.END_TERM] = places, places + 1
    lists["constants"][:, :n_conditions] = bounds_in_order
    terms[..., layout.QUANTITY] = _QUANTITIES[kinds]
    terms[..., layout.ARGUMENT] = arguments
    lists["factors"][:, :n_conditions] = 1
    rules, bounds_of_rules = lists["rules"][:, :N_RULES], lists["bounds"][:, :N_RULES]
    first = np.arange(N_RULES) * N_CONDITIONS
    rules[..., layout.PILE] = genomes["pile"]
    rules[..., layout.FIRST_CONDITION] = first
    rules[..., layout.END_CONDITION] = first + present.sum(axis=2)
    bounds_of_rules[..., layout.OWNED_BELOW] = np.where(
        genomes["at_most"] < UNLIMITED, genomes["at_most"].astype(int), layout.ANY_NUMBER
    )
    bounds_of_rules[..., layout.PROVINCES_AT_MOST] = np.where(is_province, numbers, layout.ANY_NUMBER).min(axis=2)
    lists["n_rules"] = N_RULES


_COMPARISONS = np.array([language.COMPARISONS[kind.comparison] for kind in KINDS])
_QUANTITIES = np.array([kind.quantity for kind in KINDS])


_TYPES = np.array([list(layout.TYPES.values()).index(kind) for kind in COUNTED_TYPES])


def _arguments(kinds: npt.NDArray[np.intp], arguments: npt.NDArray[np.intp], kingdom: Kingdom) -> npt.NDArray[np.intp]:
    """Return the arguments of terms: a pile, the index of a type, or 0."""
    wanted, ends = _ARGUMENTS[kinds], np.array(_ending_piles(kingdom))
    of_type = _TYPES[np.minimum(arguments, len(_TYPES) - 1)]
    cases = [wanted == language.OF_CARD, wanted == language.OF_TYPE, kinds == PROVINCES_UP_TO]
    return np.select(cases, [arguments, of_type, ends[arguments % len(ends)]], 0)


def _ending_piles(kingdom: Kingdom) -> tuple[int, ...]:
    """Return the piles of Province and Colony. A condition on the Supply has an index of them as its argument."""
    return kingdom.piles_where(lambda card: card.name in ENDING_CARDS)


def genome_of(rules: Sequence[language.Rule], kingdom: Kingdom) -> Genomes:
    """Return rules as an array of one genome.

    Rules for cards outside the kingdom and rules after the first N_RULES are left out. So are conditions that no genome
    can express, and those after the first N_CONDITIONS.
    """
    packed: list[tuple[int, int, list[ConditionGenes]]] = []
    for rule in rules:
        if rule.card not in kingdom.names:
            continue
        limit, conditions = UNLIMITED, []
        for condition in rule.conditions:
            found = language.owned_limit(condition, rule.card)
            if found is not None:
                limit = min(limit, found)
            elif genes := _genes(condition, kingdom):
                conditions.append(genes)
        packed.append((kingdom.names.index(rule.card), limit, conditions))
    return pack_rules(packed)


def pack_rules(rules: Sequence[tuple[int, int, Sequence[ConditionGenes]]]) -> Genomes:
    """Return an array of one genome. A rule is its pile, the limit of owned cards, and conditions.

    Rules after the first N_RULES and conditions after the first N_CONDITIONS are left out.
    """
    genome = np.zeros(1, GENOME)
    for place, (pile, limit, conditions) in enumerate(rules[:N_RULES]):
        genome["pile"][0, place], genome["at_most"][0, place] = pile, min(limit, UNLIMITED)
        for slot, (kind, argument, bound) in enumerate(conditions[:N_CONDITIONS]):
            genome["kind"][0, place, slot], genome["argument"][0, place, slot] = kind, argument
            genome["bound"][0, place, slot] = min(bound, MAX_BOUND)
    return genome


def _genes(condition: language.Condition, kingdom: Kingdom) -> ConditionGenes | None:
    """Return a condition as genes; None if no genome can express it."""
    if len(condition.terms) != 1 or condition.terms[0][1] != 1:
        return None
    (((name, argument), _),) = condition.terms
    least, most = language.bounds(condition) if condition.comparison != "==" else (None, None)
    for number, kind in enumerate(KINDS[1:], 1):
        if kind.quantity.name.lower() != name:
            continue
        bound = {">=": least, ">": None if least is None else least - 1, "<=": most}[kind.comparison]
        if bound is None or not 0 <= bound <= MAX_BOUND:
            continue
        if kind.quantity == Quantity.COUNT_IN_SUPPLY:
            counted = [kingdom.names[pile] for pile in _ending_piles(kingdom)]
            return (number, counted.index(argument), bound) if argument in counted else None
        if kind.argument == language.OF_CARD and argument in kingdom.names:
            return number, kingdom.names.index(argument), bound
        types = [one.name.capitalize() for one in COUNTED_TYPES if one.name]
        if kind.argument == language.OF_TYPE and argument in types:
            return number, types.index(argument), bound
        if kind.argument == language.NO_ARGUMENT:
            return number, 0, bound
    return None


def check_genomes(genomes: Genomes, breeding: Breeding) -> None:
    """Raise UsageError unless each gene of saved genomes is valid."""
    operators.check_dtype(genomes, GENOME)
    of_rules = {"at_most": UNLIMITED, "kind": len(KINDS) - 1, "bound": MAX_BOUND}
    of_piles = dict.fromkeys(("pile", "argument"), len(breeding.kingdom.piles) - 1)
    operators.check_genes(genomes, of_rules | of_piles | play_genes.MAX_GENES)


def diversity(genomes: Genomes) -> float:
    """Return how much two random lists differ in the piles of their first five rules, from 0 to 1."""
    return operators.heterozygosity(genomes["pile"][:, :N_COMPARED_RULES])


def early_victory_weight(strategies: Strategies) -> npt.NDArray[np.float64]:
    """Return 0 for each strategy: a buy list has no weights that could be too large."""
    return np.zeros(len(strategies))
