"""Lists that buy what a learned player bought."""

import numpy as np

from evodom.advice.buy_list import like
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.breeding import Breeding
from evodom.dominion.strategies.describe import in_words
from evodom.dominion.strategies.record import strategies_of
from evodom.learning.habits import Bought

KINGDOM = Kingdom(("Chapel", "Laboratory", "Militia", "Village", "Smithy"))


def bought(**by_card):
    """Return what was bought: by card (a game, on which turn at the latest, gains left, in the opening)."""
    n = 17
    figures = np.zeros((4, n))
    for name, values in by_card.items():
        figures[:, KINGDOM.pile(name)] = values
    prefers = np.zeros((n, n))
    order = [KINGDOM.pile(name) for name in by_card]
    for place, pile in enumerate(order):
        prefers[pile, order[place + 1 :]] = 1
    return Bought(*figures, prefers)


def test_a_list_opens_as_the_player_does_and_then_buys_in_its_order():
    games = bought(
        Province=(4.2, 15, 6, 0), Gold=(3.0, 12, 9, 0), Laboratory=(3.1, 14, 9, 0.1), Duchy=(1.0, 18, 4, 0),
        Militia=(1.0, 2, 20, 0.8), Silver=(1.0, 6, 20, 0.6), Chapel=(1.0, 2, 20, 0.9),
    )  # fmt: skip
    genomes = like(games, KINGDOM, 1, np.random.default_rng(1))
    (strategy,) = strategies_of(genomes, Breeding(model="buy-list", kingdom=KINGDOM))

    lines = [line for line in in_words(strategy, KINGDOM).lists[0].lines if not line.startswith("0 ")]

    assert lines == [
        "1 Militia", "1 Chapel", "Province", "Gold", "3 Laboratory", "Duchy once 4 gains end the game", "1 Militia",
        "Silver", "1 Chapel",
    ]  # fmt: skip


def test_no_list_stops_buying_gold_or_provinces():
    games = bought(Province=(4.2, 15, 6, 0), Gold=(3.0, 12, 9, 0), Silver=(1.0, 6, 20, 0.6))
    genomes = like(games, KINGDOM, 40, np.random.default_rng(1))
    strategies = strategies_of(genomes, Breeding(model="buy-list", kingdom=KINGDOM))

    lines = [line for one in strategies for line in in_words(one, KINGDOM).lists[0].lines]

    assert {line for line in lines if line.startswith(("Province", "Gold"))} == {"Province", "Gold"}
    assert any(line.startswith("Silver until") for line in lines)
