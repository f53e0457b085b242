"""Redeals: hidden cards have the exact distribution, and cards that the seat has seen stay."""

import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from evodom.dominion.cards import SETS
from evodom.dominion.effects.ops import Zone
from evodom.dominion.engine.observation import N_FEATURES, observe
from evodom.dominion.game import DominionGame
from evodom.dominion.zones import PLACES, SeenCards
from tests.chi_square import fits
from tests.dominion.helpers import after, hypergeometric, lively, rich_game
from tests.effort import effort

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

    counts = Counter(
        redealt.cards(Zone.HAND + 1)["Silver"] for redealt in redeals(game, 0, effort(5_000, 1_000, 1_000))
    )

    assert fits(counts, hypergeometric(3, 9, 4))


def test_a_hand_and_unseen_discards_are_drawn_from_the_same_cards():
    game = after("P1: hand Smithy | P2: hand 2 Gold; deck 3 Estate; discard 3 Copper")
    game.state.unseen_discards[1] = game.state.cards[Zone.DISCARD + 1]

    found = [
        (redealt.cards(Zone.HAND + 1)["Gold"], redealt.cards(Zone.DISCARD + 1)["Gold"])
        for redealt in redeals(game, 0, effort(5_000, 1_000, 1_000))
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


PASSING = "P1: hand Masquerade, Gold, 2 Copper; deck 5 Copper | P2: hand Silver, 2 Estate; deck 5 Estate | P3: hand "
THREE = f"{PASSING}Curse, Duchy; deck 3 Duchy"


def test_a_card_that_an_opponent_has_chosen_to_pass_is_resampled_and_the_own_stays():
    game = after(THREE, "Masquerade", "Gold", "Silver", kingdom=["Masquerade"])
    names = game.kingdom.names

    for seat, own in ((0, "Gold"), (1, "Silver")):
        chosen = [redealt.state.passed.tolist() for redealt in redeals(game, seat, 200)]
        assert {names[each[seat]] for each in chosen} == {own}
        others = [other for other in (0, 1) if other != seat]
        assert all(len({each[other] for each in chosen}) > 1 for other in others)
        assert {each[2] for each in chosen} == {-1}
    for redealt in redeals(game, 2, 50):
        state = redealt.state
        assert all(state.cards[Zone.HAND + seat, state.passed[seat]] > 0 for seat in (0, 1))


def test_a_passed_card_is_seen_by_two_players_only():
    """P1 passes a Gold to P2, P2 a Silver to P3, P3 a Curse to P1. P3 does not see the Gold: one of three cards and
    five of the deck, of which any may have been passed."""
    game = after(THREE, "Masquerade", "Gold", "Silver", "Curse", "pass", kingdom=["Masquerade"])
    owned = [[dict(game.owned_seen(owner, viewer)) for owner in range(3)] for viewer in (0, 1, 2, None)]
    before = [{"Copper": 7, "Gold": 1, "Masquerade": 1}, {"Silver": 1, "Estate": 7}, {"Curse": 1, "Duchy": 4}]

    assert [dict(game.owned(seat)) for seat in range(3)] == [owned[seat][seat] for seat in range(3)]
    assert owned[3] == before
    assert owned[2][0] == {"Copper": 7, "Gold": 1, "Masquerade": 1, "Curse": 1}, "the Gold still counts for P1"
    assert owned[2][1] == {"Estate": 7}, "the Silver went to P3"
    passed = Counter(redealt.owned(1)["Gold"] for redealt in redeals(game, 2, 2000))
    assert fits(passed, {1: 1 / 8, 0: 7 / 8})
    assert {redealt.owned(1)["Gold"] for redealt in redeals(game, 1, 20)} == {1}
    two = after("P1: hand Masquerade, Gold, Copper | P2: hand Silver, Estate", "Masquerade", "Gold", "Silver", "pass",
                kingdom=["Masquerade"])  # fmt: skip
    assert two.owned_seen(0, 1) == two.owned(0)


def test_a_card_put_into_a_deck_keeps_its_place_and_is_resampled_for_others():
    position = "P1: hand Secret Passage, Province, Copper; deck 3 Gold, 5 Silver | P2: hand Copper"
    asked = after(position, "Secret Passage", "Province", kingdom=["Secret Passage"])
    put = asked.copy().enact("under 2")

    def places(seat):
        return {tuple(each.contract.known_tops(each.state, 0, 0)) for each in redeals(put, seat, 100)}

    assert places(0) == {(None, None, put.kingdom.pile("Province"))}
    assert {tops[:2] for tops in places(1)} == {(None, None)}
    assert len({tops[2] for tops in places(1)}) > 2
    assert {redealt.decision for redealt in redeals(asked, 1, 20)} == {asked.decision}
    assert put.contract.observe(put.state, 1)["players"][0]["known tops"] == [None, None, None]


def features(rules, state, seat):
    """Return what a network observes if it is asked now; () if another seat is."""
    found = np.zeros(N_FEATURES, np.int8)
    if state.decider == seat:
        observe(rules, state, seat, found)
    return tuple(found.tolist())


HIDING = ("Masquerade", "Secret Passage", "Courtyard", "Village", "Sentry", "Throne Room", "Library", "Militia")
KEEPING = ("Haven", "Native Village", "Island", "Blockade", "Crystal Ball", "Watchtower", "Caravan", "Clerk")


def started(names):
    """Return a game of three players with these cards in each hand and deck."""
    seats = [f"P{seat}: hand {', '.join(names)}; deck {', '.join(names)}, 3 Gold" for seat in (1, 2, 3)]
    return after(" | ".join(seats) + " | turn: P1, 4 actions", kingdom=[*names, "Moat", "Cellar"])


def shown(game, seat):
    """Return all that a seat sees of a game: its view, observations, features and question."""
    # A redealt game does not keep the order of the other players' discard piles.
    view = replace(game.view(seat), discard_tops=())
    decision = game.decision if game.decision and game.decision.seat == seat else None
    return view, game.observation(seat), features(game.rules, game.state, seat), decision


@pytest.mark.parametrize(
    "game",
    [started(HIDING), started(KEEPING), *(rich_game(3, seed, SETS) for seed in range(effort(5, 1, 1)))],
    ids=lambda game: str(game.kingdom.cards[:2]),
)
def test_nothing_that_a_seat_sees_in_a_whole_game_depends_on_hidden_cards(game):
    pick, rng = random.Random(3), np.random.default_rng(3)
    kinds, n_changed = Counter(), 0
    for _ in range(effort(90, 40, 30)):
        if game.decision is None:
            break
        kinds[game.decision.kind] += 1
        game.enact(lively(game, pick))
        seat = pick.randrange(game.n_players)
        redealt = game.redeal(seat, rng)
        n_changed += (redealt.state.cards != game.state.cards).any()
        assert shown(redealt, seat) == shown(game, seat)
    assert n_changed > 20
    if "Masquerade" in game.kingdom.cards and len(game.kingdom.cards) == len(HIDING) + 2:
        assert min(kinds["pass"], kinds["position"]) > 1


@pytest.mark.parametrize(
    ("choices", "zone"), [(("Haven", "Gold"), Zone.SET_ASIDE), (("Native Village", "set_aside"), Zone.VILLAGE_MAT)]
)
def test_a_card_set_aside_face_down_and_the_mat_of_native_village_are_resampled_for_others_only(choices, zone):
    position = f"P1: hand {choices[0]}, Gold, Estate; deck 3 Copper; village Duchy | P2: hand 2 Silver; deck 5 Curse"
    game = after(position, *choices, kingdom=["Haven", "Native Village"])

    kept = game.cards(zone)
    own, of_others = ({tuple(each.cards(zone).elements()) for each in redeals(game, seat, 60)} for seat in (0, 1))
    view, other = game.view(0), game.view(1)

    assert own == {tuple(kept.elements())}
    assert len(of_others) > 2
    place = next(place.name for place in PLACES if place.zone == zone)
    assert view.places[0][place].cards.items() >= kept.items()
    assert other.places[0][place] == SeenCards(Counter(), kept.total())


def test_a_redeal_replaces_the_random_streams():
    game = after("P1: hand Smithy; deck 5 Copper, 5 Silver, 5 Gold | P2: hand Copper", "Smithy")

    streams = {tuple(redealt.state.deck_streams.tolist()) for redealt in redeals(game, 0, 20)}

    assert len(streams) == 20
    assert tuple(game.state.deck_streams.tolist()) not in streams
