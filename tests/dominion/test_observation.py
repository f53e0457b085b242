"""Features of positions: values by name, no hidden information, int8 bounds."""

import numpy as np
import pytest

from evodom.dominion.engine import observation
from evodom.dominion.game import DominionGame
from evodom.dominion.kingdom import FIRST_GAME, Kingdom, draw_cards
from evodom.dominion.strategies.models.networks.model import open_choices
from evodom.jit.kernel import COMPILED
from tests.dominion.helpers import after
from tests.dominion.strategies.models.networks.helpers import seen

uncompiled = pytest.mark.uncompiled

POSITION = (
    "P1: hand Militia, Village, 2 Copper, Silver; deck 3 Silver; discard Gold, Duchy | P2: hand 5 Copper; deck Militia"
)

MAY_BE_NEGATIVE = {"lead", "lead near the end", "terminals too many", "lead in VP tokens"}


def scalars(features: np.ndarray) -> dict[str, int]:
    """Return the single numbers that are not 0, by name."""
    return {
        name: int(value)
        for name, value in zip(observation.SCALAR_SCALES, features[observation.FIRST_SCALAR :], strict=True)
        if value != 0
    }


def block(features: np.ndarray, first: int, game: DominionGame) -> dict[str, int]:
    """Return a block's numbers that are not 0, by card."""
    return {card.name: int(features[first + pile]) for pile, card in enumerate(game.piles) if features[first + pile]}


@uncompiled
def test_features_of_an_action_phase():
    game = after(POSITION)
    features = seen(game)

    owned = {"Copper": 2, "Silver": 4, "Gold": 1, "Duchy": 1, "Village": 1, "Militia": 1}
    assert block(features, observation.OWNED, game) == owned
    assert block(features, observation.OWNS_ANY, game) == dict.fromkeys(owned, 1)
    assert block(features, observation.IN_HAND, game) == {"Copper": 2, "Silver": 1, "Village": 1, "Militia": 1}
    assert block(features, observation.PENDING, game) == {}
    found = scalars(features)
    told = {
        "one": 1, "own turn": 1, "may pass": 1, "Actions": 1, "cards in hand": 5, "terminals in hand": 1,
        "other Actions in hand": 1, "coins in hand": 4, "cards owned": 10, "coins owned": 13, "coins of ten cards": 13,
        "Actions owned": 2, "terminals owned": 1, "draw pile": 3, "discard pile": 2, "attacks of an opponent": 1,
        "lead": 3, "Provinces": 8, "largest hand of an opponent": 5,
    }  # fmt: skip
    assert {name: found.get(name, 0) for name in told} == told
    assert not {"no Action", "from hand", "a trade", "further players", "of another"} & set(found)


@uncompiled
@pytest.mark.parametrize(
    ("choices", "kingdom", "asks", "told", "not_told"),
    [
        (("Militia",), FIRST_GAME, "Militia", {"from hand", "to the discard pile", "choices left"}, {"own turn"}),
        (("Remodel",), FIRST_GAME, "Remodel", {"from hand", "a trade", "own turn"}, {"may pass", "by an Action"}),
        (("Remodel", "Gold"), FIRST_GAME, "Remodel", {"by an Action"}, {"a trade", "from hand"}),
        (("Harbinger",), ("Harbinger",), "Harbinger", {"from the discard pile", "onto the deck", "may pass"}, set()),
        (("Sentry",), ("Sentry",), "Sentry", {"from the deck", "may pass"}, {"cards of another"}),
        (("Spy", "pass"), ("Spy",), "Spy", {"from the deck", "cards of another", "own turn"}, set()),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, tuple) else None,
)
def test_features_of_the_pending_choice(choices, kingdom, asks, told, not_told):
    position = f"P1: hand {choices[0]}, Gold, Estate; deck 6 Copper; discard Silver, Gold"
    game = after(f"{position} | P2: hand 4 Copper, Silver; deck 3 Estate", *choices, kingdom=kingdom)

    features = seen(game)

    assert block(features, observation.PENDING, game) == {asks: 1}
    assert told <= set(scalars(features))
    assert not not_told & set(scalars(features))


@uncompiled
def test_features_of_the_turn_and_of_colonies():
    kingdom = Kingdom(("Bridge", "Quarry", "Pawn", "Platinum"))
    position = "P1: hand Bridge, Quarry, Copper | P2: hand 3 Copper | supply: 3 Colony | trash: 2 Pawn, Gold"
    game = after(f"{position} | turn: P1, 2 actions", "Bridge", "Quarry", kingdom=kingdom)

    found = scalars(seen(game))

    told = {
        "game with Colonies": 1, "Colonies": 3, "Colonies below five": 2, "cost reduction": 1,
        "cost reduction of Actions": 3, "Actions played": 1, "Actions in play": 1, "Treasures in play": 1,
        "largest hand of an opponent": 3, "Actions in the trash": 2,
    }  # fmt: skip
    assert {name: found.get(name, 0) for name in told} == told
    assert not told.keys() & scalars(seen(after("P1: hand Copper | P2:"))).keys()


@uncompiled
def test_features_of_the_next_turn_mats_and_tokens():
    kingdom = Kingdom(("Lighthouse", "Wharf", "Haven", "Native Village", "Outpost", "Bishop"))
    position = "P1: hand 2 Wharf, Lighthouse, Haven, Native Village, Outpost, Bishop, Copper; deck 6 Silver, 3 Copper"
    answers = ("Wharf", "Wharf", "Lighthouse", "Haven", "Copper", "Native Village", "set_aside", "Outpost", "Bishop")
    game = after(f"{position} | P2: hand 3 Copper | turn: P1, 9 actions", *answers, kingdom=kingdom)

    found = scalars(seen(game))

    told = {
        "cards next turn": 4, "coins next turn": 1, "Actions next turn": 0, "Buys next turn": 2, "cards on the mat": 1,
        "cards set aside": 1, "protected": 1, "lead in VP tokens": 1, "extra turn": 1,
    }  # fmt: skip
    assert {name: found.get(name, 0) for name in told} == told
    other = scalars(seen(game, 1))
    assert {name: other.get(name, 0) for name in told} == dict.fromkeys(told, 0) | {"lead in VP tokens": -1}


@pytest.mark.parametrize("seed", range(4))
def test_features_and_choices_do_not_depend_on_hidden_cards(seed):
    rng = np.random.default_rng(seed)
    sets = (("Base",), ("Base",), ("Intrigue",), ("Prosperity", "Seaside"))[seed]
    cards = draw_cards((), seed=seed, first_edition=seed == 1, sets=sets)
    game = DominionGame(Kingdom(tuple(card.name for card in cards)), 2 + seed % 3, seed=seed, log=False)
    n_changed = 0
    for number in range(500):
        if game.decision is None:
            break
        if number % 4 == 0:
            seat = game.decision.seat
            redealt = game.redeal(seat, rng)
            assert (seen(redealt, seat) == seen(game, seat)).all()
            assert open_choices(redealt.rules, redealt.state) == open_choices(game.rules, game.state)
            n_changed += (redealt.state.cards != game.state.cards).any()
        legal = game.decision.consequences
        game.enact(legal[int(rng.integers(len(legal)))])
    # The redeals did change what is hidden.
    assert n_changed > 20


@uncompiled
def test_features_are_scaled_to_about_one_and_clipped():
    game = after(POSITION)
    assert np.abs(seen(game) * observation.SCALES).max() < 2.0
    assert observation.SCALES.shape == (observation.N_FEATURES,)
    state, seat = game.state, 0
    for value in (1, 300):
        state.owned[:] = 0
        state.owned[seat] = value
        state.cards[:] = value
        state.n_cards[:] = 17 * value
        state.coins = state.buys = state.actions = state.turns[seat] = value

        features = seen(game, seat)

        named = scalars(features)
        assert [name for name in named if named[name] < 0 and name not in MAY_BE_NEGATIVE] == []
        assert np.abs(features).max() <= observation.MAX_FEATURE
        assert (features[: observation.FIRST_SCALAR] >= 0).all()
    clipped = [named[name] for name in ("cards owned", "coins owned", "terminals too many")]
    assert clipped == [observation.MAX_FEATURE] * 3
    assert (features[observation.OWNED : observation.OWNED + len(game.piles)] == observation.MAX_FEATURE).all()


@pytest.mark.skipif(not COMPILED, reason="long games take long in plain Python")
@pytest.mark.parametrize("n_seats", [2, 6])
def test_features_stay_within_bounds_in_long_games(n_seats):
    kingdom = Kingdom(("Gardens", "Workshop", "Council Room", "Witch", "Village", "Festival", "Bandit", "Library"))
    rng = np.random.default_rng(n_seats)
    largest = np.zeros(observation.N_FEATURES, np.int64)
    game = DominionGame(kingdom, n_seats, seed=3, log=False)
    n = 0
    while game.decision is not None and n < 2500:
        legal = [answer for answer in game.decision.consequences if answer.name != "Province"]
        if game.decision.seat == 0:
            features = seen(game)
            named = scalars(features)
            assert [name for name in named if named[name] < 0 and name not in MAY_BE_NEGATIVE] == []
            largest = np.maximum(largest, np.abs(features.astype(int)))
        game.enact((legal or game.decision.consequences)[int(rng.integers(max(len(legal), 1)))])
        n += 1
    assert largest.max() <= observation.MAX_FEATURE
    assert n > 250
