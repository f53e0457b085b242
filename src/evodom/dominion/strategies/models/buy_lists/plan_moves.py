"""Changes of a buy list's whole plan, for local search: a card, a block of rules, a part of another list."""

from collections.abc import Sequence

import numpy as np

from evodom.dominion.cards import BASIC, COPPER, CURSE_PILE
from evodom.dominion.strategies import operators, play_genes
from evodom.dominion.strategies.base import Genomes
from evodom.dominion.strategies.models.buy_lists import genetics, language
from evodom.dominion.strategies.record import UNLIMITED

Rules = list[genetics.RuleGenes]


def _each(genomes: Genomes, others: Genomes, rng: np.random.Generator, change) -> None:
    for number in range(len(genomes)):
        own = genetics._rules_in_use(genomes[number])
        other = genetics._rules_in_use(others[rng.integers(len(others))]) if len(others) else own
        genetics.set_rules(genomes[number : number + 1], change(own, other))


def _between(rng, low: int, high: int) -> int:
    return int(rng.integers(low, high + 1))


def replace_everywhere(genomes, others, breeding, rng) -> None:
    """Replace a kingdom card of each list by another pile in all rules and conditions."""
    piles = np.array([pile for pile in range(len(breeding.kingdom.piles)) if pile not in (CURSE_PILE, COPPER)])
    of_card = genetics._ARGUMENTS[genomes["kind"]] == language.OF_CARD
    for number in range(len(genomes)):
        used = np.unique(genomes["pile"][number][genomes["at_most"][number] > 0])
        used = used[used >= len(BASIC)] if (used >= len(BASIC)).any() else used
        if not len(used):
            continue
        old, new = rng.choice(used), rng.choice(piles)
        genomes["pile"][number][genomes["pile"][number] == old] = new
        argument = genomes["argument"][number]
        argument[of_card[number] & (argument == old)] = new


def swap_blocks(genomes, others, breeding, rng) -> None:
    """Exchange two neighbouring blocks of rules of each list."""

    def change(own: Rules, _: Rules) -> Rules:
        if len(own) < 2:
            return own
        a, b, c = np.sort(rng.choice(len(own) + 1, size=3, replace=False))
        return [*own[:a], *own[b:c], *own[a:b], *own[c:]]

    _each(genomes, others, rng, change)


def take_opening(genomes, others, breeding, rng) -> None:
    """Replace the first rules of each list by the first rules of another."""

    def change(own: Rules, other: Rules) -> Rules:
        first = other[: _between(rng, 1, max(len(other) - 1, 1))]
        rest = own[_between(rng, 0, len(own)) :]
        return [*first, *(rule for rule in rest if rule not in first)]

    _each(genomes, others, rng, change)


def take_end(genomes, others, breeding, rng) -> None:
    """Replace the last rules of each list by the last rules of another."""

    def change(own: Rules, other: Rules) -> Rules:
        last = other[_between(rng, min(1, len(other)), len(other)) :]
        first = own[: _between(rng, min(1, len(own)), len(own))]
        return [*first, *(rule for rule in last if rule not in first)]

    _each(genomes, others, rng, change)


def take_rule(genomes, others, breeding, rng) -> None:
    """Insert one or two rules of another list, at a similar place."""

    def change(own: Rules, other: Rules) -> Rules:
        missing = [place for place, rule in enumerate(other) if rule not in own]
        rules = list(own)
        for place in rng.permutation(missing)[: _between(rng, 1, 2)]:
            target = round(place / max(len(other), 1) * len(rules)) + _between(rng, -2, 2)
            rules.insert(min(max(target, 0), len(rules)), other[place])
        return rules[: genetics.N_RULES] if len(rules) <= genetics.N_RULES else own

    _each(genomes, others, rng, change)


def drop_card(genomes, others, breeding, rng) -> None:
    """Delete all rules for a card of each list."""
    for number in range(len(genomes)):
        used = np.unique(genomes["pile"][number][genomes["at_most"][number] > 0])
        if len(used) > 1:
            genomes["at_most"][number][genomes["pile"][number] == rng.choice(used)] = 0


def step_limits(genomes, others, breeding, rng) -> None:
    """Change the limits of two rules of each list, in the same or in opposite directions."""
    for number in range(len(genomes)):
        limits = genomes["at_most"][number]
        kingdom = np.flatnonzero((limits > 0) & (limits < UNLIMITED))
        if len(kingdom) < 2:
            continue
        sign = rng.choice((-1, 1))
        for place, step in zip(rng.permutation(kingdom)[:2], (sign, sign * rng.choice((-1, 1))), strict=True):
            limits[place] = np.clip(int(limits[place]) + step, 1, 12)


def take_play(genomes, others, breeding, rng) -> None:
    """Take all genes of the play from another list."""
    if len(others):
        sources = others[rng.integers(len(others), size=len(genomes))]
        for key in play_genes.genes_of(breeding.kingdom):
            genomes[key] = sources[key]


PLAN_MOVES: Sequence[tuple[operators.Change, float]] = (
    (replace_everywhere, 0.06),
    (swap_blocks, 0.06),
    (take_opening, 0.05),
    (take_end, 0.05),
    (take_rule, 0.08),
    (drop_card, 0.03),
    (step_limits, 0.05),
    (take_play, 0.02),
)
