"""Induce a buy list from a teacher's decisions: an ordered list that gains the cards that the teacher prefers.

The teacher rates each legal choice at each decision. The value of a list is the mean rating of its choices. Hill
climbing inserts, deletes, moves and varies rules. The best place of a new rule is computed exactly: its gain in value
is a sum over the decisions that no earlier rule takes.

The lists are the first candidates of a search on matches. A high value does not imply a high win rate.
"""

from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from evodom.dominion.engine import observation
from evodom.dominion.engine.rules import N_MODEL_PILES
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.base import Genomes
from evodom.dominion.strategies.models.buy_lists import genetics
from evodom.dominion.strategies.models.buy_lists.language import NO_ARGUMENT, OF_CARD, Quantity
from evodom.dominion.strategies.record import UNLIMITED

CONDITION_COST = 0.0005
"""Value that is subtracted for each condition of a list."""

BEST_CARD_SHARE = 0.8
"""Share of the new rules that gain the teacher's best choice at a decision."""

LIMIT_SHARE = 0.4
"""Share of the new rules with a limit."""

BOUND_SPREAD = 2
"""Maximum difference of a new bound from the quantity at the drawn decision."""

_FEATURES = {
    Quantity.TURN_NUMBER: observation.TURN,
    Quantity.GAINS_TO_END: observation.GAINS_LEFT,
    Quantity.COUNT_IN_SUPPLY: observation.PROVINCES,
    Quantity.TOTAL_MONEY: observation.COINS_OWNED,
    Quantity.CARDS_IN_DECK: observation.CARDS_OWNED,
    Quantity.EXCESS_TERMINALS: observation.TERMINALS_TOO_MANY,
}
"""The feature of each quantity that has no argument."""

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class GainDecisions:
    """A teacher's decisions to gain a card.

    Attributes:
        features: (n, N_FEATURES) int, features of the deciding seat.
        legal: (n, N_MODEL_PILES) bool, the piles that can be gained.
        values: (n, N_MODEL_PILES + 1) float, the teacher's rating of each choice; the last is to gain nothing.
    """

    features: npt.NDArray[np.int64]
    legal: Bools
    values: npt.NDArray[np.float64]

    def joined(self, other: "GainDecisions") -> "GainDecisions":
        """Return these decisions, followed by others."""
        return GainDecisions(
            *(np.concatenate([getattr(self, name), getattr(other, name)]) for name in ("features", "legal", "values"))
        )

    def quantity(self, kind: int, argument: int, kingdom: Kingdom) -> npt.NDArray[np.int64]:
        """Return the quantity of a condition's kind at each decision, (n,)."""
        quantity = genetics.KINDS[kind].quantity
        if genetics.KINDS[kind].argument == NO_ARGUMENT:
            counts_colonies = kind == genetics.PROVINCES_UP_TO and kingdom.has_colony and argument % 2 == 1
            return self.features[:, observation.COLONIES if counts_colonies else _FEATURES[quantity]]
        if genetics.KINDS[kind].argument == OF_CARD:
            return self.features[:, observation.OWNED + argument]
        piles = [p for p, card in enumerate(kingdom.piles) if genetics.COUNTED_TYPES[argument] & card.types]
        total: npt.NDArray[np.int64] = self.features[:, [observation.OWNED + pile for pile in piles]].sum(axis=1)
        return total


@dataclass(frozen=True)
class InducedRule:
    """A rule as genes: a pile, a limit of owned cards, conditions."""

    pile: int
    limit: int = UNLIMITED
    conditions: tuple[genetics.ConditionGenes, ...] = ()

    @property
    def n_conditions(self) -> int:
        """Number of conditions, including the limit."""
        return len(self.conditions) + (self.limit != UNLIMITED)

    def holds(self, decisions: GainDecisions, kingdom: Kingdom) -> Bools:
        """Return at which decisions the rule holds and its pile can be gained, (n,)."""
        held = decisions.legal[:, self.pile] & (decisions.features[:, observation.OWNED + self.pile] < self.limit)
        for kind, argument, bound in self.conditions:
            amount = decisions.quantity(kind, argument, kingdom)
            comparison = genetics.KINDS[kind].comparison
            held &= amount <= bound if comparison == "<=" else amount >= bound + (comparison == ">")
        return held


@dataclass
class ListInduction:
    """Hill climbing on lists for the decisions of one teacher."""

    decisions: GainDecisions
    kingdom: Kingdom
    rng: np.random.Generator
    rules: list[InducedRule] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._masks = [rule.holds(self.decisions, self.kingdom) for rule in self.rules]
        self._value = self._evaluate(self.rules, self._masks)

    def run(self, n_steps: int) -> Genomes:
        """Try ``n_steps`` changes and return the list as an array of one genome."""
        for _ in range(n_steps):
            draw = self.rng.random()
            if draw < 0.4 or not self.rules:
                self._insert()
            else:
                self._keep_if_better(self._changed_rules(draw))
        return genetics.pack_rules([(rule.pile, rule.limit, rule.conditions) for rule in self.rules])

    def _changed_rules(self, draw: float) -> list[InducedRule]:
        """Return the rules after a deletion, or with a rule moved, replaced or varied. ``draw`` is from 0.4 to 1.

        A deletion removes each of the n rules with probability 1 / n. It can remove none or several.
        """
        rules = list(self.rules)
        if draw < 0.55:
            return [rule for place, rule in enumerate(rules) if place != self._random_place()]
        if draw < 0.7:
            rules.insert(int(self.rng.integers(len(rules))), rules.pop(self._random_place()))
        elif draw < 0.85:
            rules[self._random_place()] = self._drawn_rule()
        else:
            place = self._random_place()
            rules[place] = self._varied(rules[place])
        return rules

    def _random_place(self) -> int:
        return int(self.rng.integers(len(self.rules)))

    def _followed(
        self, rules: list[InducedRule], masks: list[Bools]
    ) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.float64]]:
        """Return the index of the rule followed at each decision (len(rules): none), and the choices' ratings."""
        n = len(self.decisions.features)
        first = np.vstack([*masks, np.ones((1, n), bool)]).argmax(axis=0)
        choices = np.array([*(rule.pile for rule in rules), N_MODEL_PILES])
        return first, self.decisions.values[np.arange(n), choices[first]]

    def _evaluate(self, rules: list[InducedRule], masks: list[Bools]) -> float:
        """Return the value of a list."""
        _, ratings = self._followed(rules, masks)
        return float(ratings.mean()) - CONDITION_COST * sum(rule.n_conditions for rule in rules)

    def _keep_if_better(self, rules: list[InducedRule]) -> None:
        """Keep changed rules if their value is higher."""
        known = {id(rule): mask for rule, mask in zip(self.rules, self._masks, strict=True)}
        masks = [known.get(id(rule)) for rule in rules]
        found = [
            rule.holds(self.decisions, self.kingdom) if mask is None else mask
            for rule, mask in zip(rules, masks, strict=True)
        ]
        value = self._evaluate(rules, found)
        if value > self._value:
            self.rules, self._masks, self._value = rules, found, value

    def _insert(self) -> None:
        """Insert a drawn rule at its best place if the value is higher there."""
        if len(self.rules) == genetics.N_RULES:
            return
        first, ratings = self._followed(self.rules, self._masks)
        rule = self._drawn_rule(ratings)
        mask = rule.holds(self.decisions, self.kingdom)
        gains = np.where(mask, self.decisions.values[:, rule.pile] - ratings, 0.0)
        by_rule = np.bincount(first, weights=gains, minlength=len(self.rules) + 1)
        # At place p the rule takes the decisions that no rule before p takes.
        gain_at_place = by_rule[::-1].cumsum()[::-1]
        place = int(gain_at_place.argmax())
        gain = gain_at_place[place] / len(ratings) - CONDITION_COST * rule.n_conditions
        if gain > 0.0:
            self.rules.insert(place, rule)
            self._masks.insert(place, mask)
            self._value += gain

    def _drawn_rule(self, ratings: npt.NDArray[np.float64] | None = None) -> InducedRule:
        """Draw a decision, with probability proportional to the list's loss, and return a rule that holds there."""
        if ratings is None:
            ratings = self._followed(self.rules, self._masks)[1]
        best = self.decisions.values[:, :N_MODEL_PILES].max(axis=1)
        loss = np.maximum(best - ratings, 0.0).cumsum()
        drawn = int(np.searchsorted(loss, self.rng.random() * loss[-1])) if loss[-1] > 0 else 0
        decision = min(drawn, len(ratings) - 1)
        legal = np.flatnonzero(self.decisions.legal[decision])
        is_best = self.rng.random() < BEST_CARD_SHARE or not len(legal)
        values = self.decisions.values[decision, :N_MODEL_PILES]
        pile = int(values.argmax()) if is_best else int(self.rng.choice(legal))
        limit = UNLIMITED
        if self.rng.random() < LIMIT_SHARE:
            limit = int(
                self.decisions.features[decision, observation.OWNED + pile] + self.rng.integers(1, BOUND_SPREAD + 1)
            )
        n_conditions = int(self.rng.choice(genetics.N_CONDITIONS + 1, p=(0.4, 0.35, 0.2, 0.05)))
        return InducedRule(pile, limit, tuple(self._drawn_condition(decision) for _ in range(n_conditions)))

    def _drawn_condition(self, decision: int) -> genetics.ConditionGenes:
        """Draw a condition that holds at a decision."""
        kind = int(self.rng.choice(len(genetics.KINDS), p=genetics.KIND_PROBABILITIES))
        of_card = genetics.KINDS[kind].argument == OF_CARD
        argument = int(self.rng.integers(len(self.kingdom.piles) if of_card else len(genetics.COUNTED_TYPES)))
        amount = int(self.decisions.quantity(kind, argument, self.kingdom)[decision])
        spread = int(self.rng.integers(BOUND_SPREAD + 1))
        if genetics.KINDS[kind].comparison == "<=":
            return kind, argument, amount + spread
        return kind, argument, max(amount - spread - (genetics.KINDS[kind].comparison == ">"), 0)

    def _varied(self, rule: InducedRule) -> InducedRule:
        """Return a rule with a changed limit or bound, or with one condition less or more."""
        draw = self.rng.random()
        if draw < 0.3:
            limit = UNLIMITED if rule.limit != UNLIMITED and self.rng.random() < 0.3 else int(self.rng.integers(1, 8))
            return replace(rule, limit=limit)
        if rule.conditions and draw < 0.75:
            place = int(self.rng.integers(len(rule.conditions)))
            kind, argument, bound = rule.conditions[place]
            changed = [(kind, argument, max(bound + int(self.rng.choice((-2, -1, 1, 2))), 0))] if draw < 0.55 else []
            return replace(rule, conditions=(*rule.conditions[:place], *changed, *rule.conditions[place + 1 :]))
        if len(rule.conditions) < genetics.N_CONDITIONS:
            decision = int(self.rng.integers(len(self.decisions.features)))
            return replace(rule, conditions=(*rule.conditions, self._drawn_condition(decision)))
        return rule
