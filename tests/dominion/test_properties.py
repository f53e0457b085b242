"""Properties of every game, checked in games of random choices."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evodom.dominion.game import PASS_NAME, DominionGame
from evodom.dominion.position import format_position, parse_position
from evodom.errors import IllegalChoice
from tests.dominion.helpers import PILE_NAMES, answers
from tests.effort import effort

pytestmark = pytest.mark.uncompiled

N_CHOICES = effort(120, 40, 40)
"""How long the games are played."""


seeds = st.integers(0, 2**64 - 1)
players = st.integers(2, 6)
few = settings(max_examples=effort(12, 3, 3))


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


@few
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


@few
@given(players, seeds)
def test_a_formatted_position_parses_to_the_same_position(n_players, seed):
    for game in choices(random_game(n_players, seed), seed, 40):
        if game.state.depth == 0 and game.state.turns[0] % 2 == 0:
            text = format_position(game)
            read = parse_position(text, n_players=n_players)
            # The streams, what others have seen, and what is left over from cards resolved before.
            kept = (
                "deck_streams", "strategy_streams", "known_by", "unseen_discards", "chosen", "n_chosen", "unaffected",
            )  # fmt: skip
            for field in kept:
                read.state[field] = game.state[field]
            read.state.stack[:] = game.state.stack
            assert format_position(read) == text
            assert read.state == game.state
