"""Draw genomes from a grammar of decks.

A deck has some Actions, with limits by their class. Gold is absent, limited or unlimited, and so is Silver. The grammar
depends on the classes of the kingdom's cards, and names no kingdom card.

Local search hardly leads from one kind of deck to another. So the grammar draws decks of every kind.
"""

import numpy as np

from evodom.dominion.cards import ACTION, COLONY_CARDS, DUCHY, ESTATE, GOLD, NONTERMINAL, PROVINCE, SILVER
from evodom.dominion.cards.card import Card
from evodom.dominion.effects.ops import Op
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.base import Genomes
from evodom.dominion.strategies.breeding import Breeding
from evodom.dominion.strategies.operators import terminal_piles
from evodom.dominion.strategies.plans import BuyPlan

MAX_ACTIONS = 7
"""Maximum number of Action piles of a deck, without cards that trash."""

TRASHER_PROBABILITY = 0.35  # Probability of each card that trashes.
OTHER_CARD_PROBABILITY = 0.35  # Probability of each kingdom card that neither trashes nor is an Action.

TRASHER_LIMITS = (1, 2)  # Range of the limit of a card that trashes.
TERMINAL_LIMITS = (1, 3)  # Range of the limit of another terminal Action.
NONTERMINAL_LIMITS = (1, 5)  # Range of the limit of another nonterminal Action. Half of them have no limit.

ABSENT_PROBABILITY = 0.22  # Probability that a deck has no Gold, and that it has no Silver.
LIMITED_PROBABILITY = 0.35  # Probability of a limit of Gold, and of Silver.
EARLY_SILVER_PROBABILITY = 0.15  # Probability that Silver is bought only until a turn of SILVER_LAST_TURNS.
GOLD_LIMITS, SILVER_LIMITS, SILVER_LAST_TURNS = (1, 4), (1, 3), (2, 6)

ORDER_NOISE = 1.5
"""Cards are ordered by cost plus noise with this standard deviation, in coins."""

EARLY_TRASHER_PROBABILITY = 0.5  # Probability that a card that trashes is ordered as if it cost more.
EARLY_TRASHER_COINS = 4  # Coins that are then added to its cost.

ENGINE_PROBABILITY = 0.5
"""Probability that terminal Actions of a deck with Villages have no limits, but a maximum excess over extra Actions."""

MAX_EXCESS = (0, 1)  # Range of this maximum.

MONEY_BOUND_PROBABILITY = 1 / 3  # Probability that Provinces are bought only by decks with more coins than a bound.
MONEY_BOUNDS = (7, 14)  # Range of this bound.

DUCHY_GAINS_LEFT, ESTATE_GAINS_LEFT = (2, 8), (1, 5)  # Ranges of `BuyPlan.gains_left` for both cards.
PROVINCE_GAINS_LEFT = (3, 9)  # The same for Provinces, in half of the decks of a kingdom with Colony.


def random_decks(n: int, breeding: Breeding, rng: np.random.Generator) -> Genomes:
    """Draw the genomes of ``n`` decks."""
    return breeding.genetics.from_plans([deck_plan(breeding.kingdom, rng) for _ in range(n)], breeding, rng)


def deck_plan(kingdom: Kingdom, rng: np.random.Generator) -> BuyPlan:
    """Draw the plan of a deck."""

    def between(bounds: tuple[int, int]) -> int:
        return int(rng.integers(bounds[0], bounds[1] + 1))

    last_turns: dict[int, int] = {}
    piles = _kingdom_piles(kingdom, rng)
    limits = {pile: between(bounds) for pile in piles if (bounds := _limits_of(kingdom.piles[pile], rng))}
    max_excess = None
    if any(_adds_actions(kingdom.piles[pile]) for pile in piles) and rng.random() < ENGINE_PROBABILITY:
        max_excess = between(MAX_EXCESS)
        for pile in terminal_piles(kingdom):
            if not kingdom.piles[pile].trashes:
                limits.pop(pile, None)
    for pile, bounds in ((GOLD, GOLD_LIMITS), (SILVER, SILVER_LIMITS)):
        chance = rng.random()
        if chance < ABSENT_PROBABILITY:
            continue
        piles.append(pile)
        if chance < ABSENT_PROBABILITY + LIMITED_PROBABILITY:
            limits[pile] = between(bounds)
        elif pile == SILVER and chance < ABSENT_PROBABILITY + LIMITED_PROBABILITY + EARLY_SILVER_PROBABILITY:
            last_turns[pile] = between(SILVER_LAST_TURNS)
    urgency = {pile: kingdom.piles[pile].cost + ORDER_NOISE * rng.standard_normal() for pile in piles}
    for pile in piles:
        if kingdom.piles[pile].trashes and rng.random() < EARLY_TRASHER_PROBABILITY:
            urgency[pile] += EARLY_TRASHER_COINS
    order = [PROVINCE, *sorted(piles, key=lambda pile: -urgency[pile])]
    for pile in (DUCHY, ESTATE):
        order.insert(1 if pile == DUCHY else len(order), pile)
    gains_left = {DUCHY: between(DUCHY_GAINS_LEFT), ESTATE: between(ESTATE_GAINS_LEFT)}
    if kingdom.has_colony:
        platinum, colony = map(kingdom.pile, (card.name for card in COLONY_CARDS))
        if rng.random() < 0.5:
            gains_left[PROVINCE] = between(PROVINCE_GAINS_LEFT)
            order = [colony, PROVINCE, platinum, *order[1:]]
        else:
            order = [colony, platinum, *order]
    return BuyPlan(
        order=order,
        limits=limits,
        gains_left=gains_left,
        last_turns=last_turns,
        money_over={PROVINCE: between(MONEY_BOUNDS)} if rng.random() < MONEY_BOUND_PROBABILITY else {},
        max_excess=max_excess,
    )


def _adds_actions(card: Card) -> bool:
    """Return whether a card adds more Actions than it uses (Village)."""
    return any(effect.op == Op.ACTIONS and effect.n > 1 for effect in card.effects)


def _limits_of(card: Card, rng: np.random.Generator) -> tuple[int, int] | None:
    """Return the range of the limit of a kingdom card, or None without a limit. Chance decides on nonterminals."""
    if card.trashes:
        return TRASHER_LIMITS
    if card.types & ACTION and card.action_class != NONTERMINAL:
        return TERMINAL_LIMITS
    return NONTERMINAL_LIMITS if card.types & ACTION and rng.random() < 0.5 else None


def _kingdom_piles(kingdom: Kingdom, rng: np.random.Generator) -> list[int]:
    """Draw the kingdom piles of a deck: some Actions, cards that trash, and other cards."""
    piles = kingdom.kingdom_piles
    actions = [pile for pile in piles if kingdom.piles[pile].types & ACTION and not kingdom.piles[pile].trashes]
    n = min(int(rng.integers(1, MAX_ACTIONS + 1)), len(actions))
    drawn = set(rng.permutation(actions)[:n].tolist())
    for pile in piles:
        card = kingdom.piles[pile]
        share = TRASHER_PROBABILITY if card.trashes else 0.0 if card.types & ACTION else OTHER_CARD_PROBABILITY
        if rng.random() < share:
            drawn.add(pile)
    return sorted(drawn)
