"""Emit genomes from a grammar of decks: Actions with limits by class, Gold and Silver absent, limited or unlimited.

No card is named: the grammar depends on the classes of the kingdom's cards. It draws decks of every kind. Small changes
of a genome do not lead from one kind to another.
"""

import numpy as np

from evodom.dominion.cards import ACTION, COLONY_CARDS, DUCHY, ESTATE, GOLD, NONTERMINAL, PROVINCE, SILVER
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.base import Genomes
from evodom.dominion.strategies.breeding import Breeding
from evodom.dominion.strategies.plans import BuyPlan
from evodom.evolution.emitters.base import Emitted, Parents
from evodom.evolution.options import Options

MOST_ACTIONS = 7
"""Largest number of Action piles of a deck, apart from cards that trash."""

TRASHER_SHARE, OTHER_CARD_SHARE = 0.35, 0.35
"""Probabilities that a deck has a card that trashes, and a kingdom card that is no Action."""

TRASHERS, TERMINALS, NONTERMINALS = (1, 2), (1, 3), (1, 5)
"""Ranges of limits. Half of the limits of NONTERMINALS are dropped."""

ABSENT_SHARE, LIMITED_SHARE, EARLY_SHARE = 0.22, 0.35, 0.15
"""Probabilities that Gold or Silver is absent, has a limit, or (Silver) is bought in the first turns only."""

GOLD_LIMITS, SILVER_LIMITS, LAST_TURNS = (1, 4), (1, 3), (2, 6)

ORDER_NOISE = 1.5
"""Standard deviation of the noise of the order by cost, in coins."""

FIRST_SHARE, FIRST_COINS = 0.5, 4
"""Probability that a card that trashes is bought early: it then has the place of a card that costs more."""

MONEY_SHARE, MONEY_OVER = 1 / 3, (7, 14)
"""Probability of a condition on the coins of the deck for Provinces, and the range of the coins."""

PROVINCE_GAINS, DUCHY_GAINS, ESTATE_GAINS = (3, 9), (2, 8), (1, 5)
"""Ranges of bounds: Duchies and Estates are bought once this number of gains can end the game. With Colony, half of the
decks have such a bound for Provinces.
"""


def emit(parents: Parents | None, n: int, options: Options, rng: np.random.Generator) -> Emitted:
    """Return genomes of random decks."""
    return Emitted.new(random_decks(n, options, rng))


def random_decks(n: int, breeding: Breeding, rng: np.random.Generator) -> Genomes:
    """Draw the genomes of ``n`` decks."""
    plans = [deck_plan(breeding.kingdom, rng) for _ in range(n)]
    return breeding.genetics.follow(plans, breeding, rng)


def deck_plan(kingdom: Kingdom, rng: np.random.Generator) -> BuyPlan:
    """Draw the plan of a deck."""

    def between(bounds: tuple[int, int]) -> int:
        return int(rng.integers(bounds[0], bounds[1] + 1))

    limits: dict[int, int] = {}
    last_turns: dict[int, int] = {}
    piles = _kingdom_piles(kingdom, rng)
    for pile in piles:
        card = kingdom.piles[pile]
        if card.trashes:
            limits[pile] = between(TRASHERS)
        elif card.types & ACTION and card.action_class != NONTERMINAL:
            limits[pile] = between(TERMINALS)
        elif card.types & ACTION and rng.random() < 0.5:
            limits[pile] = between(NONTERMINALS)
    for pile, bounds in ((GOLD, GOLD_LIMITS), (SILVER, SILVER_LIMITS)):
        chance = rng.random()
        if chance < ABSENT_SHARE:
            continue
        piles.append(pile)
        if chance < ABSENT_SHARE + LIMITED_SHARE:
            limits[pile] = between(bounds)
        elif pile == SILVER and chance < ABSENT_SHARE + LIMITED_SHARE + EARLY_SHARE:
            last_turns[pile] = between(LAST_TURNS)
    urgency = {pile: kingdom.piles[pile].cost + ORDER_NOISE * rng.standard_normal() for pile in piles}
    for pile in piles:
        if kingdom.piles[pile].trashes and rng.random() < FIRST_SHARE:
            urgency[pile] += FIRST_COINS
    order = [PROVINCE, *sorted(piles, key=lambda pile: -urgency[pile])]
    for pile in (DUCHY, ESTATE):
        order.insert(1 if pile == DUCHY else len(order), pile)
    gains_left = {DUCHY: between(DUCHY_GAINS), ESTATE: between(ESTATE_GAINS)}
    if kingdom.has_colony:
        platinum, colony = map(kingdom.pile, (card.name for card in COLONY_CARDS))
        if rng.random() < 0.5:
            gains_left[PROVINCE] = between(PROVINCE_GAINS)
            order = [colony, PROVINCE, platinum, *order[1:]]
        else:
            order = [colony, platinum, *order]
    return BuyPlan(
        order=order,
        limits=limits,
        gains_left=gains_left,
        last_turns=last_turns,
        money_over={PROVINCE: between(MONEY_OVER)} if rng.random() < MONEY_SHARE else {},
    )


def _kingdom_piles(kingdom: Kingdom, rng: np.random.Generator) -> list[int]:
    """Draw kingdom piles: some Actions, cards that trash, and other cards."""
    piles = kingdom.kingdom_piles
    actions = [pile for pile in piles if kingdom.piles[pile].types & ACTION and not kingdom.piles[pile].trashes]
    n = min(int(rng.integers(1, MOST_ACTIONS + 1)), len(actions))
    drawn = set(rng.permutation(actions)[:n].tolist())
    for pile in piles:
        card = kingdom.piles[pile]
        share = TRASHER_SHARE if card.trashes else 0.0 if card.types & ACTION else OTHER_CARD_SHARE
        if rng.random() < share:
            drawn.add(pile)
    return sorted(drawn)
