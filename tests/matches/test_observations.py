"""Observations by card: the same shapes in every kingdom, traits of piles and of the pending menu, action numbers."""

import numpy as np
import pytest

from evodom.dominion.contract import Dominion
from evodom.dominion.engine.observation import FIRST_SCALAR, SCALES
from evodom.dominion.engine.rules import N_MODEL_PILES
from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.dominion.strategies.models.networks.traits import SHARED_COLUMNS
from evodom.matches.batch import CALLER, PLACE_ANSWERS, GameBatch
from evodom.matches.observations import FIRST_OPTION_PLACE, N_PLACES, PASS_PLACE, CardPlaces, PlaceRows

MENUS = Kingdom(("Pawn", "Nobles", "Secret Passage", "Watchtower", "Torturer", "Crystal Ball", "Colony"))
TRAIT = {name: number for number, name in enumerate(SHARED_COLUMNS)}


def played(kingdom, n=32, steps=400):
    """Yield the observations and masks of random games."""
    batch = GameBatch(kingdom, np.full((n, 2), CALLER, np.int32), np.arange(n, dtype=np.uint64))
    for _ in range(steps):
        batch.restart_finished()
        rows = batch.step()
        yield rows.observations, rows.masks, batch
        batch.choose(batch.sample_actions())


@pytest.mark.parametrize("kingdom", [FIRST_GAME, MENUS, Kingdom(("Chapel",))], ids=["ten cards", "menus", "one card"])
def test_action_numbers_and_places_are_the_same_answers(kingdom):
    places, game = CardPlaces(kingdom), Dominion(kingdom)
    assert PLACE_ANSWERS[places.actions].tolist() == list(game.all_actions)
    masks = np.random.default_rng(1).random((8, len(game.all_actions))) < 0.5
    legal = places.masks(masks)
    assert (legal[:, places.actions] == masks).all()
    assert legal.sum() == masks.sum()
    assert places.numbers(places.actions).tolist() == list(range(len(game.all_actions)))
    assert places.numbers(np.array([N_MODEL_PILES - 1])) == [-1], "no kingdom of these has twenty piles"


def test_places_have_the_features_and_traits_of_their_cards():
    places = CardPlaces(MENUS, FIRST_GAME)
    features, masks, _ = next(played(FIRST_GAME))
    found = places.observations(features, CardPlaces(FIRST_GAME).masks(masks), np.ones(len(features), np.int64))
    assert [one.shape[1:] for one in found] == [(60,), (N_PLACES, 4), (N_PLACES, len(TRAIT)), (N_PLACES,)]
    assert found.state == pytest.approx(features[:, FIRST_SCALAR:] * SCALES[FIRST_SCALAR:])
    assert found.piles[0, FIRST_GAME.pile("Copper")] == pytest.approx([7 * 0.25, 1, features[0, 40] * 0.5, 0])
    village = found.traits[3, FIRST_GAME.pile("Village")]
    assert village[[TRAIT[name] for name in ("cost", "Action", "Actions", "points")]] == pytest.approx([0.6, 1, 1, 0])
    assert found.traits[:, FIRST_GAME.pile("Province"), TRAIT["Province"]] == pytest.approx(1)
    assert found.traits[:, PASS_PLACE].sum(axis=1) == pytest.approx(1)
    assert found.present[0].nonzero()[0].tolist() == [*range(17), PASS_PLACE]
    assert not found.traits[found.present == 0].any()


def test_options_have_the_traits_of_the_pending_menu():
    places, rows, seen = CardPlaces(MENUS), PlaceRows(CardPlaces(MENUS), 32), set()
    for features, masks, batch in played(MENUS, steps=500):
        legal = places.masks(masks)
        found, again = places.observations(features, legal), rows.update(features, legal)
        for fresh, kept in zip(found, again, strict=True):
            assert (fresh == kept).all(), "a row keeps no traits of a menu that is over"
        asked = legal[:, FIRST_OPTION_PLACE:].any(axis=1)
        assert (found.present[asked] >= legal[asked]).all()
        assert not found.present[~asked, FIRST_OPTION_PLACE:].any()
        for row in np.flatnonzero(asked):
            state, game = batch.state(row), Dominion(MENUS)
            card, effect = game.card_effects[state.asked_effect]
            seen.add(card.name)
            if effect.inner:
                assert found.present[row, FIRST_OPTION_PLACE:].sum() == len(effect.inner), card.name
            if card.name == "Pawn":
                options = found.traits[row, FIRST_OPTION_PLACE : FIRST_OPTION_PLACE + 4]
                assert [SHARED_COLUMNS[one.argmax()] for one in options] == ["cards", "Actions", "Buys", "coins"]
    assert seen == {"Pawn", "Nobles", "Secret Passage", "Watchtower", "Torturer", "Crystal Ball"}
