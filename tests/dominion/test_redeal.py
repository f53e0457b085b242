"""Redeals: hidden cards have the exact distribution, and cards that the seat has seen stay."""

from collections import Counter

import numpy as np
import pytest

from evodom.dominion.contract import Dominion
from evodom.dominion.engine.ops import Zone
from evodom.dominion.game import DominionGame
from tests.chi_square import fits
from tests.dominion.helpers import after, hypergeometric

RNG_SEED = 5


def redeals(game: DominionGame, seat: int, n: int):
    """Yield ``n`` games redealt for a seat."""
    rng = np.random.default_rng(RNG_SEED)
    return (game.redeal(seat, rng) for _ in range(n))


def tops(game: DominionGame, seat: int) -> list[str]:
    """Return the known cards on a deck, the next to be drawn first."""
    return [game.piles[pile].name for pile in game.state.known[seat, : game.state.n_known[seat]][::-1]]


def test_a_hand_is_drawn_from_the_hidden_cards_of_its_owner():
    """Of nine hidden cards, three Silvers, the hand holds four: hypergeometric."""
    game = after("P1: hand Smithy | P2: hand 3 Copper, Silver; deck 2 Silver, 3 Estate; discard 2 Gold")

    counts = Counter(redealt.cards(Zone.HAND + 1)["Silver"] for redealt in redeals(game, 0, 5000))

    assert fits(counts, hypergeometric(3, 9, 4))


def test_a_hand_and_unseen_discards_are_drawn_from_the_same_cards():
    game = after("P1: hand Smithy | P2: hand 2 Gold; deck 3 Estate; discard 3 Copper")
    game.state.unseen_discards[1] = game.state.cards[Zone.DISCARD + 1]

    found = [
        (redealt.cards(Zone.HAND + 1)["Gold"], redealt.cards(Zone.DISCARD + 1)["Gold"])
        for redealt in redeals(game, 0, 5000)
    ]

    assert fits(Counter(hand for hand, _ in found), hypergeometric(2, 8, 2))
    assert fits(Counter(discard for _, discard in found), hypergeometric(2, 8, 3))


def test_own_cards_and_open_cards_stay():
    game = after("P1: hand 2 Copper, Silver; deck Gold, Estate; discard Duchy | P2: hand 5 Copper; deck 3 Silver")

    redealt = next(redeals(game, 0, 1))

    for row in (Zone.HAND, Zone.DECK, Zone.DISCARD, Zone.DISCARD + 1):
        assert redealt.cards(row) == game.cards(row)


def test_a_card_seen_on_a_deck_stays_there():
    bureaucrat = "P1: hand Bureaucrat | P2: hand Estate, 4 Copper; deck 5 Silver"
    shown = after(bureaucrat, "Bureaucrat", kingdom=["Bureaucrat"])
    spy = "P1: hand Spy, Copper; deck 3 Copper | P2: hand 5 Copper; top Gold; deck 5 Silver"
    spied = after(spy, "Spy", "pass", "pass", kingdom=["Spy"])

    assert {tuple(tops(redealt, 1)) for redealt in redeals(shown, 0, 50)} == {("Estate",)}
    assert {tuple(tops(redealt, 1)) for redealt in redeals(spied, 0, 50)} == {("Gold",)}


def test_a_card_put_onto_the_deck_unseen_is_resampled_for_others_only():
    game = after(
        "P1: hand Artisan, Province, 3 Copper; deck 5 Silver | P2: hand Copper",
        "Artisan", "Duchy", "Province",
        kingdom=["Artisan", "Village"],
    )  # fmt: skip

    assert {tuple(tops(redealt, 0)) for redealt in redeals(game, 0, 20)} == {("Province",)}
    assert {tuple(tops(redealt, 0)) for redealt in redeals(game, 1, 200)} >= {("Province",), ("Duchy",), ("Silver",)}


def test_cards_that_an_opponent_looks_at_are_resampled_and_the_question_stays():
    position = "P1: hand Sentry; top Copper, Gold, Estate; deck 6 Silver | P2: hand Copper"
    game = after(position, "Sentry", kingdom=["Sentry", "Village"])

    seen = [
        (tuple(sorted(redealt.cards(Zone.REVEALED).elements())), redealt.decision) for redealt in redeals(game, 1, 200)
    ]

    assert len({cards for cards, _ in seen}) > 2
    assert all({answer.name for answer in decision.consequences} == {*cards, "pass"} for cards, decision in seen)


def test_a_card_that_an_opponent_may_set_aside_is_still_an_action():
    position = "P1: hand Library, Copper; top Village; deck 4 Smithy, 4 Copper | P2: hand Copper"
    game = after(position, "Library", kingdom=["Library", "Village", "Smithy"])

    drawn = {next(redealt.cards(Zone.REVEALED).elements()) for redealt in redeals(game, 1, 100)}

    assert drawn == {"Village", "Smithy"}


def test_discards_from_play_are_seen_and_discards_from_hand_are_not():
    game = after("P1: hand Village, Estate, Curse; deck 7 Copper | P2: hand 5 Copper", "Village")
    game.enact("pass")
    while game.decision is not None and game.decision.seat == 0:
        game.enact("pass")

    assert game.state.unseen_discards[0].sum() == game.state.n_cards[Zone.DISCARD] - 1
    assert all(redealt.cards(Zone.DISCARD)["Village"] == 1 for redealt in redeals(game, 1, 50))
    assert len({redealt.cards(Zone.DISCARD)["Curse"] for redealt in redeals(game, 1, 50)}) == 2


def test_a_redeal_replaces_the_random_streams():
    game = after("P1: hand Smithy; deck 5 Copper, 5 Silver, 5 Gold | P2: hand Copper", "Smithy")

    streams = {tuple(redealt.state.deck_streams.tolist()) for redealt in redeals(game, 0, 20)}

    assert len(streams) == 20
    assert tuple(game.state.deck_streams.tolist()) not in streams


@pytest.mark.parametrize("seat", [0, 1])
def test_an_observation_has_a_name_for_each_entry_and_survives_a_redeal(seat):
    game = after("P1: hand Militia, Copper; deck Gold | P2: hand 3 Copper, 2 Estate; deck 3 Silver", "Militia")
    layout = Dominion(game.kingdom, 2).observation_layout

    seen = game.observation(seat)

    assert len(seen) == len(layout) == len(set(layout))
    named = dict(zip(layout, seen.tolist(), strict=True))
    assert named["asked"] == 1 - seat
    assert named["hand: Copper"] == (1, 3)[seat]
    assert named["hand, next 1"] == (5, 1)[seat]
    assert all((redealt.observation(seat) == seen).all() for redealt in redeals(game, seat, 20))
