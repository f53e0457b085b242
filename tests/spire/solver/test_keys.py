"""Keys of positions do not collide, and the order of cards in a deck changes no result."""

from collections import Counter

import numpy as np
import pytest

from evodom.distribution import certain
from evodom.jit.kernel import key_of
from evodom.spire.content.encounters import encounters
from evodom.spire.engine.compiler import Setup
from evodom.spire.engine.game import SpireFight
from evodom.spire.engine.layout import FIGHT
from evodom.spire.engine.moves import END
from evodom.spire.fights import Payoff
from evodom.spire.play.estimates import play_fights
from evodom.spire.play.searcher import FightSearchOptions
from evodom.spire.solver.graph import SOLVER_WORKSPACE
from evodom.spire.solver.solver import Solver
from evodom.spire.solver.table import set_key
from tests.spire.engine.helpers import cards

DECK = "4 Strike, 4 Defend, Bash, Ascender's Bane, Pommel Strike, Shrug It Off, Twin Strike+, Inflame, True Grit+"


def random_positions(game, n, seed):
    """Return different positions of random fights."""
    rng, found = np.random.default_rng(seed), {}
    while len(found) < n:
        state = game.start(rng)
        while moves := game.actions(state):
            found[state] = None
            some = [move for move in moves if move != END]
            state = game.sample(state, int(rng.choice(some)) if some and rng.random() < 0.8 else moves[0], rng)
    return list(found)


@pytest.mark.parametrize("name", ["Three Sentries", "Slime Boss"])
def test_keys_of_positions_do_not_collide(name):
    game = SpireFight(Setup(enemies=encounters()[name].groups, deck=cards(DECK), potions=("Fire Potion",)))
    states = random_positions(game, 2000, 1)
    words = np.frombuffer(b"".join(states), np.uint64).reshape(-1, FIGHT.itemsize // 8)
    work = np.zeros(1, SOLVER_WORKSPACE)[0]
    searched, solved = set(), set()
    for place, state in enumerate(states):
        searched.add(int(key_of(words, place)))
        set_key(words, place, game.view(state), work)
        solved.add(tuple(work.key.tolist()))

    assert len(searched) == len(solved) == len(states)


def test_similar_positions_have_different_keys():
    """Change one number of a position. Sums of words would confuse such positions most easily."""
    game = SpireFight(Setup(enemies=certain(("Gremlin Nob",))))
    base = np.frombuffer(game.start(np.random.default_rng(1)), np.int16)
    work, keys, searched = np.zeros(1, SOLVER_WORKSPACE)[0], set(), set()
    for place in range(400):
        for change in (1, -1, 256):
            changed = base.copy()
            changed[place] += change
            words = changed.view(np.uint64).reshape(1, -1)
            set_key(words, 0, game.view(changed.tobytes()), work)
            keys.add(tuple(work.key.tolist()))
            searched.add(int(key_of(words, 0)))

    assert len(keys) == len(searched) == 1200


def orders(deck):
    """Return the same deck, written in several orders."""
    names = list(deck)
    return [Counter({name: deck[name] for name in some}) for some in (names, names[::-1], sorted(names))]


def test_the_order_of_a_deck_changes_no_value():
    deck = cards("Defend, 2 Strike, Bash, Pommel Strike, Ascender's Bane")
    values = [
        Solver(SpireFight(Setup(enemies=certain(("Cultist",)), enemy_hp=(30,), deck=one, relics=()))).solve().value
        for one in orders(deck)
    ]

    assert values == pytest.approx([values[0]] * 3, abs=1e-12)


def test_the_order_of_a_deck_changes_no_search():
    results = []
    for deck in orders(cards(DECK)):
        game = SpireFight(Setup(enemies=certain(("Cultist",)), deck=deck))
        rng = np.random.default_rng(1)
        starts = [game.start(rng) for _ in range(4)]
        luck = rng.integers(2**64, size=(4, 2), dtype=np.uint64)
        results.append(play_fights(game, starts, luck, Payoff(), FightSearchOptions(30)).tobytes())

    assert len(set(results)) == 1
