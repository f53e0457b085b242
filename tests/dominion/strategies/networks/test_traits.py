"""Card traits and embeddings."""

import numpy as np
import pytest

from evodom.dominion.cards import BASIC, CARDS, SETS, find_card
from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.dominion.strategies.networks.hypernetwork import (
    EMBEDDING_SIZE,
    N_SHARED_COLUMNS,
    PASSING,
    SHARED_COLUMNS,
    TRAITS,
    card_embeddings,
    traits_of,
)

BY_HAND = {
    "Chapel": {"cost": 0.4, "Action": 1, "terminal": 1, "trashes from hand": 1},
    "Witch": {
        "cost": 1, "Action": 1, "Attack": 1, "terminal": 1, "draws only": 1, "cards": 2 / 3, "gives Curses": 1,
    },
    "Militia": {"cost": 0.8, "Action": 1, "Attack": 1, "terminal": 1, "coins": 1, "attacks the hand": 1},
    "Mine": {"cost": 1, "Action": 1, "terminal": 1, "trades": 1, "trades by": 1, "gains to hand": 1},
    "Laboratory": {"cost": 1, "Action": 1, "cards": 2 / 3, "Actions": 0.5},
    "Moneylender": {"cost": 0.8, "Action": 1, "terminal": 1, "trashes Copper": 1, "coins": 1.5},
    "Gold": {"cost": 1.2, "Treasure": 1, "coins": 1.5},
    "Gardens": {"cost": 0.8, "Victory": 1, "points for others": 1},
    "Curse": {"points": -1 / 6},
    "Chancellor": {"cost": 0.6, "Action": 1, "terminal": 1, "coins": 1},
    "Throne Room": {"cost": 0.8, "Action": 1, "plays another": 1, "plays again": 1},
}  # fmt: skip


def test_traits_of_cards():
    for name, expected in BY_HAND.items():
        found = {trait: value for trait, value in traits_of(find_card(name)).items() if value}
        assert found == pytest.approx({"any card": 1, **expected})


def test_all_traits_are_listed_used_and_about_one():
    used = set()
    for card in CARDS.values():
        traits = traits_of(card)
        used |= {name for name, value in traits.items() if value}
        assert max(map(abs, traits.values())) <= 2.5
    assert used == set(TRAITS)


def test_embeddings_have_a_row_for_each_pile_and_passing():
    found = card_embeddings(FIRST_GAME)

    assert found.shape == (len(FIRST_GAME.piles) + 1, EMBEDDING_SIZE)
    assert found[-1].nonzero()[0].tolist() == [SHARED_COLUMNS.index(PASSING)]
    for row, card in zip(found, FIRST_GAME.piles, strict=False):
        assert {trait: row[SHARED_COLUMNS.index(trait)] for trait in TRAITS} == pytest.approx(
            dict.fromkeys(TRAITS, 0.0) | traits_of(card)
        )


def test_each_card_has_its_own_column():
    rows = [
        card_embeddings(Kingdom((card.name,)))[Kingdom((card.name,)).pile(card.name)] for card in SETS["Base"].cards
    ]
    own = np.array(rows)[:, N_SHARED_COLUMNS:]

    assert (own == np.eye(len(SETS["Base"].cards))).all()
    basic = card_embeddings(Kingdom(()))[:-1]
    assert not basic[:, N_SHARED_COLUMNS:].any()
    assert len({tuple(row) for row in basic.tolist()}) == len(BASIC)
    for name in ("Copper", "Silver", "Gold", "Estate", "Duchy", "Province", "Curse"):
        assert basic[:, SHARED_COLUMNS.index(name)].nonzero()[0].tolist() == [Kingdom(()).pile(name)]
