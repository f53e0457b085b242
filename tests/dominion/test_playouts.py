"""Complete answers of several cards: all multisets, with their probabilities over all orders."""

from collections import Counter
from itertools import product

import numpy as np
import pytest

from evodom.dominion.effects.ops import Zone
from evodom.dominion.engine.rules import N_ANSWERS, N_PILES, PASS
from evodom.dominion.engine.turn import enact
from evodom.dominion.playouts import complete_answers, n_complete_answers
from tests.dominion.helpers import after

pytestmark = pytest.mark.uncompiled

KINGDOM = ("Chapel", "Cellar", "Militia", "Poacher")
OTHER = "deck 5 Copper | P2: hand 2 Estate, Copper, Silver, Gold; deck 5 Copper"

MILITIA = after(f"P1: hand Militia; {OTHER}", "Militia", kingdom=KINGDOM)
CHAPEL = after(f"P1: hand Chapel, 3 Copper, 2 Estate, Curse; {OTHER}", "Chapel", kingdom=KINGDOM)
CELLAR = after(f"P1: hand Cellar, 2 Copper, 2 Estate; {OTHER}", "Cellar", kingdom=KINGDOM)
FORCED = after("P1: hand Militia; deck Copper | P2: hand 4 Copper, Silver; deck Copper", "Militia", kingdom=KINGDOM)
"""Here the second card is forced if the first one is the Silver."""

CASES = [(MILITIA, (2, 2)), (CHAPEL, (0, 4)), (CELLAR, (0, 4)), (FORCED, (2, 2))]


def there_of(game):
    row = game.state.cards[Zone.HAND + game.decision.seat]
    return {pile: int(row[pile]) for pile in range(N_PILES) if row[pile]}


def policy(state, mass):
    """Return probabilities that depend on what has been chosen so far."""
    weights = np.array([1 + pile + 3 * int(state.cards[:, pile].max()) for pile in range(N_PILES)] + [4.0])
    legal = int(state.legal)
    weights *= [bool(legal >> pile & 1) for pile in range(N_PILES)] + [bool(legal >> PASS & 1)]
    return weights / weights.sum()


def in_order(game, state, asking, size, most):
    """Give the probability of each ordered answer: all sequences of single choices, one by one."""
    probabilities = policy(state, 1.0)
    for choice in range(N_ANSWERS):
        if not int(state.legal) >> choice & 1:
            continue
        if choice == PASS:
            yield (), probabilities[PASS]
            continue
        twin = state.copy()
        enact(game.rules, twin, choice)
        if size + 1 < most and (twin.asked_effect, twin.decider) == asking:
            for rest, share in in_order(game, twin, asking, size + 1, most):
                yield (choice, *rest), probabilities[choice] * share
        else:
            yield (choice,), probabilities[choice]


@pytest.mark.parametrize(("game", "sizes"), CASES)
def test_the_probability_of_an_answer_is_that_of_all_its_orders(game, sizes):
    asking = game.state.asked_effect, game.state.decider
    expected = Counter()
    for cards, share in in_order(game, game.state, asking, 0, sizes[1]):
        whole = Counter(cards)
        if len(cards) < sizes[0]:
            whole.update([next(pile for pile in there_of(game) if pile not in cards)])
        expected[tuple(sorted(whole.elements()))] += share

    found = complete_answers(game.rules, game.state, there_of(game), sizes, policy)

    assert {one.cards: one.probability for one in found} == pytest.approx(dict(expected))
    assert sum(expected.values()) == pytest.approx(1)


@pytest.mark.parametrize(("game", "sizes"), CASES)
def test_the_choices_of_an_answer_take_its_cards_from_the_hand(game, sizes):
    seat, before = game.decision.seat, game.state.tobytes()

    for one in complete_answers(game.rules, game.state, there_of(game), sizes, policy):
        twin = game.copy()
        for choice in one.choices:
            hand = twin.cards(Zone.HAND + seat)
            twin.enact("pass" if choice == PASS else twin.piles[choice].name)
        taken = Counter(twin.piles[pile].name for pile in one.cards)
        if game is not CELLAR:  # which draws as many
            assert game.cards(Zone.HAND + seat) - taken == twin.cards(Zone.HAND + seat)
        elif PASS in one.choices:
            assert game.cards(Zone.HAND + seat) - taken == hand

    assert game.state.tobytes() == before


def test_the_number_of_answers_is_that_of_all_multisets():
    for counts in ((1,), (2, 1), (3, 2, 2), (1, 1, 1, 1, 4)):
        totals = [sum(one) for one in product(*(range(n + 1) for n in counts))]
        for least, most in ((0, 0), (0, 2), (2, 2), (0, 4), (1, 9)):
            expected = sum(least <= total <= most for total in totals)
            assert n_complete_answers(dict(enumerate(counts)), (least, most)) == expected
