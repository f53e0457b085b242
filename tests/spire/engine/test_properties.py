"""Invariants of random fights with any deck, relics, potions and enemies."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evodom.spire.content.cards import CARDS, HAND_LIMIT
from evodom.spire.content.encounters import encounters, groups_of
from evodom.spire.content.potions import POTIONS
from evodom.spire.content.relics import RELICS
from evodom.spire.engine import layout as at
from evodom.spire.engine.compiler import BURNING_MARKS, Setup
from evodom.spire.engine.game import SpireFight
from evodom.spire.engine.moves import END
from tests.effort import effort

pytestmark = pytest.mark.uncompiled

DECKS = st.lists(st.sampled_from(sorted(CARDS)), min_size=4, max_size=12).map(Counter)

SETUPS = st.builds(
    Setup,
    enemies=st.sampled_from([encounter.groups for encounter in encounters().values()]),
    ascension=st.integers(0, 20),
    deck=DECKS,
    hp=st.integers(1, 75),
    max_hp=st.just(75),
    relics=st.lists(st.sampled_from(sorted(RELICS)), max_size=6, unique=True).map(tuple),
    potions=st.lists(st.sampled_from(sorted(POTIONS)), max_size=3).map(tuple),
    burning=st.sampled_from(BURNING_MARKS),
    max_turns=st.integers(1, 6),
)

BUSY = ("Dark Embrace", "Feel No Pain", "Juggernaut", "Second Wind", "Fiend Fire", "Sever Soul", "Corruption", "Havoc")
"""Cards with many reactions."""

BUSY_RELICS = ("Charon's Ashes", "Runic Cube", "Gremlin Horn", "Letter Opener", "The Abacus", "Unceasing Top", "Kunai")


def steps(game, seed, n_moves=200):
    """Play random moves. Yield each move with the states before and after it."""
    rng = np.random.default_rng(seed)
    state = game.start(rng)
    for _ in range(n_moves):
        actions = game.actions(state)
        if not actions:
            return
        # End a turn less often than other moves.
        action = actions[int(rng.integers(len(actions)))]
        action = actions[-1] if action == END and rng.random() < 0.5 else action
        after = game.sample(state, action, rng)
        yield state, action, after
        state = after


def check_state(game, state):
    """Check the invariants of a state between two moves."""
    fight, record = game.view(state), game.record
    n_kinds = int(record.n_kinds)
    assert (fight.piles >= 0).all()
    assert not fight.piles[:, n_kinds:].any()
    assert list(fight.n_cards) == [int(pile.sum()) for pile in fight.piles]
    assert fight.n_cards[at.HAND] <= HAND_LIMIT
    assert fight.n_buried == fight.buried.sum()
    assert (fight.buried <= fight.piles[at.DRAW]).all()
    known = Counter(int(kind) for kind in fight.top[: fight.n_top])
    assert all(n <= fight.piles[at.DRAW, kind] for kind, n in known.items())
    assert not fight.top[fight.n_top :].any()
    assert fight.n_cards[at.DRAW] == 0 or fight.n_buried + fight.n_top <= fight.n_cards[at.DRAW]
    assert not fight.queue[fight.n_queue :].any()
    assert not fight.autoplays[fight.n_autoplays :].any()
    assert (fight.hp >= 0).all()
    assert (fight.hp <= fight.max_hp).all()
    assert (fight.block >= 0).all()
    assert fight.energy >= 0
    assert fight.n_overflows == 0
    if not fight.choosing:
        assert fight.n_queue == fight.n_autoplays == 0
    for enemy in range(1, at.N_FIGHTERS):
        assert fight.hp[enemy] > 0 or not (fight.row[enemy] or fight.status[enemy].any() or fight.block[enemy])
    if fight.over:
        assert not fight.queue.any()
        assert not fight.autoplays.any()
        assert not fight.choosing
        assert (fight.hp[0] == 0) <= (fight.over == at.LOST)


@settings(max_examples=effort(60, 6, 6))
@given(SETUPS, st.integers(0, 2**32))
def test_random_fights_end_and_conserve_cards(setup, seed):
    game = SpireFight(setup)
    state = None
    for _, _, state in steps(game, seed, 400):
        check_state(game, state)
    assert state is None or game.view(state).over


@settings(max_examples=effort(40, 4, 4))
@given(
    st.lists(st.sampled_from(BUSY), min_size=6, max_size=10),
    st.sampled_from(["", "+"]),
    st.sampled_from(["Gremlin Gang", "Slime Boss", "Three Sentries", "Lots of Slimes"]),
    st.sampled_from([("Distilled Chaos",) * 2, ("Duplication Potion", "Elixir")]),
    st.integers(0, 2**32),
)
def test_long_chains_of_reactions_conserve_cards(names, plus, encounter, potions, seed):
    deck = Counter(name + plus for name in names) + Counter({"Double Tap+": 2, "Burn": 4, "Offering": 1})
    setup = Setup(
        enemies=encounters()[encounter].groups,
        deck=deck,
        hp=75,
        relics=(*BUSY_RELICS, "Sacred Bark", "Ice Cream", "Ectoplasm"),
        potions=potions,
        max_turns=8,
    )
    game = SpireFight(setup)

    for _, _, state in steps(game, seed, 120):
        check_state(game, state)


@settings(max_examples=effort(30, 3, 3))
@given(SETUPS, st.integers(0, 2**32))
def test_the_same_seed_gives_the_same_fight(setup, seed):
    game, again = SpireFight(setup), SpireFight(setup)

    first = [(action, after) for _, action, after in steps(game, seed, 30)]

    assert first == [(action, after) for _, action, after in steps(again, seed, 30)]


@settings(max_examples=effort(15, 3, 3))
@given(
    st.lists(st.sampled_from(sorted(set(CARDS) - {"Battle Trance", "Battle Trance+"})), min_size=4, max_size=6),
    st.sampled_from(["Cultist", "Jaw Worm", "Red Slaver", "Lagavulin"]),
    st.integers(0, 2**32),
)
def test_sampled_states_are_among_the_listed_outcomes(names, enemy, seed):
    game = SpireFight(Setup(enemies=groups_of(enemy), deck=Counter(names)))
    for before, action, after in steps(game, seed, 6):
        listed = game.outcomes(before, action)
        assert listed.probability(after) > 0
        assert sum(share for _, share in listed) == 1
