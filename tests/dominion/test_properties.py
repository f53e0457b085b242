"""What holds in every game, whoever plays: checked in games of random choices."""

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evodom.dominion.engine.ops import Zone
from evodom.dominion.engine.rules import MAX_TURNS, N_PILES
from evodom.dominion.game import PASS_NAME, DominionGame
from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.dominion.position import format_position, parse_position
from evodom.errors import IllegalChoice
from evodom.jit.kernel import COMPILED
from tests.dominion.helpers import PILE_NAMES, answers
from tests.effort import effort

pytestmark = pytest.mark.uncompiled

SHARED_ROWS = [Zone.IN_PLAY, Zone.SET_ASIDE, Zone.REVEALED, Zone.SUPPLY, Zone.TRASH]
N_CHOICES = effort(120, 60, 40)
"""How long the games are played."""

ALL_BUT_MINE = Kingdom(tuple(name for name in FIRST_GAME.cards if name != "Mine"))
"""The kingdom in which all gains go to the discard pile."""

seeds = st.integers(0, 2**64 - 1)
players = st.integers(2, 6)


def choices(game: DominionGame, seed: int, n: int = N_CHOICES):
    """Play a game with random choices and yield it before each; passing is rare, so that much happens."""
    pick = random.Random(seed)
    for _ in range(n):
        if game.is_over:
            return
        yield game
        names = answers(game)
        if len(names) > 1 and names[-1] == PASS_NAME and pick.random() < 0.8:
            names.pop()
        game.enact(pick.choice(names))


def random_game(n_players: int, seed: int) -> DominionGame:
    return DominionGame(n_players=n_players, seed=seed, log=False)


def known(game: DominionGame, seat: int) -> np.ndarray:
    """Return the known cards on a deck as counts."""
    return np.bincount(game.state.top[seat, : game.state.n_top[seat]], minlength=N_PILES)


@given(players, seeds)
def test_cards_are_conserved(n_players, seed):
    game = random_game(n_players, seed)
    total = game.state.cards.sum(axis=0)

    for _ in choices(game, seed):
        known_cards = sum(known(game, seat) for seat in range(n_players))
        assert (game.state.cards.sum(axis=0) + known_cards == total).all()
        assert (game.state.cards >= 0).all()


@given(players, seeds)
def test_sizes_and_masks_follow_the_cards(n_players, seed):
    for game in choices(random_game(n_players, seed), seed):
        assert (game.state.n_cards == game.state.cards.sum(axis=1)).all()
        assert (game.state.mask == ((game.state.cards > 0).astype(np.int64) << np.arange(N_PILES)).sum(axis=1)).all()
        assert game.state.n_empty == (game.state.cards[Zone.SUPPLY, : len(game.piles)] == 0).sum()


@given(players, seeds)
def test_what_a_seat_owns_is_the_sum_of_its_zones(n_players, seed):
    for game in choices(random_game(n_players, seed), seed):
        for seat in range(n_players):
            zones = sum(game.state.cards[row + seat] for row in (Zone.HAND, Zone.DECK, Zone.DISCARD)) + known(
                game, seat
            )
            if seat == game.state.active:
                zones = zones + game.state.cards[Zone.IN_PLAY]
            assert (game.state.owned[seat] == zones).all()


@given(players, seeds)
def test_every_decision_has_at_least_two_answers_of_one_player(n_players, seed):
    for game in choices(random_game(n_players, seed), seed):
        assert len(answers(game)) >= 2
        assert len(set(answers(game))) == len(answers(game))
        assert 0 <= game.decision.seat < n_players


@given(players, seeds)
def test_exactly_the_legal_answers_are_accepted(n_players, seed):
    for game in choices(random_game(n_players, seed), seed, 20):
        before = game.state.tobytes()
        for name in [*PILE_NAMES, PASS_NAME]:
            if name in answers(game):
                game.copy().enact(name)
            else:
                with pytest.raises(IllegalChoice):
                    game.enact(name)
            assert game.state.tobytes() == before


@given(players, seeds)
def test_equal_seeds_give_equal_games(n_players, seed):
    games = [random_game(n_players, seed) for _ in range(2)]
    for _ in zip(*(choices(game, seed) for game in games), strict=True):
        assert games[0].state.tobytes() == games[1].state.tobytes()


@given(players, seeds, st.integers(0, 40))
def test_a_copy_plays_on_like_the_original_and_leaves_it_alone(n_players, seed, n_before):
    game = random_game(n_players, seed)
    for _ in choices(game, seed, n_before):
        pass
    twin, before = game.copy(), game.state.tobytes()
    for _ in choices(twin, 5):
        pass

    assert game.state.tobytes() == before
    for _ in choices(game, 5):
        pass
    assert game.state.tobytes() == twin.state.tobytes()


@given(players, seeds)
def test_every_game_ends_or_is_cut(n_players, seed):
    game = random_game(n_players, seed)
    if not COMPILED:  # plain Python needs a head start
        game.state.turns[:n_players] += MAX_TURNS - 3
    for _ in choices(game, seed, 100_000):
        pass

    assert game.is_over
    assert game.end != "playing"
    assert game.state.turns.max() <= MAX_TURNS
    assert len(game.standings) == n_players


@given(players, seeds)
def test_events_alone_tell_what_every_player_holds(n_players, seed):
    game = DominionGame(ALL_BUT_MINE, n_players, seed=seed)
    held = [game.cards(Zone.HAND + seat) for seat in range(n_players)]  # in hand and in play
    for _ in choices(game, seed, 80):
        pass

    for event in game.events:
        for name in event.cards:
            held[event.seat][name] += {"draws": 1, "discards": -1, "trashes": -1}.get(event.verb, 0)
    for seat in range(n_players):
        playing = game.cards(Zone.IN_PLAY) if seat == game.state.active else Counter()
        assert +held[seat] == game.cards(Zone.HAND + seat) + playing


@given(players, seeds)
def test_a_position_written_and_read_is_the_same_position(n_players, seed):
    for game in choices(random_game(n_players, seed), seed, 40):
        if game.state.depth == 0 and game.state.turns[0] % 2 == 0:
            text = format_position(game)
            read = parse_position(text, n_players=n_players)
            # The streams, what others have seen, and what is left over from cards resolved before.
            for field in ("chance", "choices", "seen", "unseen_discards", "chosen", "n_chosen", "unaffected"):
                read.state[field] = game.state[field]
            read.state.stack[:] = game.state.stack
            assert format_position(read) == text
            assert read.state == game.state
