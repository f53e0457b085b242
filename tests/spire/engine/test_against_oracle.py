"""Differential test of the engine: the oracle in `tests.oracles.spire` lists the same outcomes of every move.

Random moves are played in the oracle. The oracle interprets the same rows, and supports a part of them.
"""

from collections import Counter

import numpy as np
import pytest

from evodom.distribution import certain
from evodom.spire.engine import layout as at
from evodom.spire.engine.compiler import Setup
from evodom.spire.engine.game import SpireFight
from evodom.spire.engine.moves import END, FIRST_CARD
from tests.effort import effort
from tests.oracles.spire.fight import CardFight, FightSetup, NewTurn, Over, TurnAction
from tests.oracles.spire.turn import CARDS, ENEMIES, PICKING, RELICS
from tests.spire.engine.helpers import NAMES

ENCOUNTERS = [
    ("Cultist",),
    ("Jaw Worm",),
    ("Gremlin Nob",),
    ("Lagavulin",),
    ("Red Louse", "Green Louse"),
    ("Spike Slime (S)", "Acid Slime (M)"),
    ("Sentry", "Middle Sentry", "Sentry"),
    ("Fat Gremlin", "Sneaky Gremlin", "Gremlin Wizard"),
    ("Blue Slaver",),
    ("Lagavulin (awake)",),
    ("Fungi Beast", "Red Slaver", "Mad Gremlin"),
]

COMPARED = [name for name in CARDS if name not in PICKING]
"""Cards of the oracle, without cards whose choice it combines with the play into one move."""


class Pair:
    """A fight in the engine and in the oracle."""

    def __init__(self, enemies, **options):
        self.oracle = CardFight(FightSetup(enemies=enemies, **options))
        self.engine = SpireFight(Setup(enemies=certain(enemies), **options))
        self.rules = self.engine.rules

    def oracle_key(self, state):
        """Return a state of the oracle as a comparable tuple."""
        if isinstance(state, Over):
            return 0 if state.late else state.hp
        combat = state.combat
        enemies = tuple((e.name, e.hp, e.block, e.move, tuple(sorted(e.statuses))) for e in combat.enemies)
        piles = state.hand, state.draw, state.discard
        return state.hp, combat.energy, combat.block, tuple(sorted(combat.statuses)), enemies, *piles

    def engine_key(self, state):
        """Return a state of the engine as a comparable tuple."""
        fight = self.engine.view(state)
        if fight.over:
            return self.engine.returns(state)[0]
        names, intents = self.rules.enemy_names, self.rules.intents
        enemies = tuple(
            (names[fight.row[e]], int(hp), int(fight.block[e]), intents[fight.intent[e]], self._has(fight, e))
            for e, hp in enumerate(fight.hp)
            if e and hp > 0
        )
        powers = tuple((NAMES[at.N_SHARED + i], int(n)) for i, n in enumerate(fight.powers) if n)
        you = tuple(sorted((*self._has(fight, 0), *powers)))
        return int(fight.hp[0]), int(fight.energy), int(fight.block[0]), you, enemies, *map(self._pile, fight.piles[:3])

    def _has(self, fight, who):
        return tuple(sorted((NAMES[i], int(n)) for i, n in enumerate(fight.status[who]) if n))

    def _pile(self, pile):
        return tuple(sorted((self.rules.kinds[kind].name, int(n)) for kind, n in enumerate(pile) if n))

    def engine_state(self, state):
        """Convert a state of the oracle to a state of the engine."""
        fight, combat = np.zeros(1, at.FIGHT)[0], state.combat
        fight.hp[0], fight.max_hp[0], fight.block[0] = state.hp, self.oracle.max_hp, combat.block
        fight.energy, fight.is_player_turn = combat.energy, 1
        fight.turn = min(combat.turn, self.rules.record.last_turn + 1)
        for name, n in combat.statuses:
            place = at.STATUS_INDEX[name]
            if place < at.N_SHARED:
                fight.status[0, place] = n
            else:
                fight.powers[place - at.N_SHARED] = n
        for place, enemy in enumerate(combat.enemies, 1):
            row = self.rules.enemy_names.index(enemy.name)
            fight.row[place], fight.hp[place], fight.max_hp[place] = row, enemy.hp, 500
            fight.block[place] = enemy.block
            for name, n in enemy.statuses:
                fight.status[place, at.STATUS_INDEX[name]] = n
            fight.intent[place] = self.rules.chains[row][enemy.move, enemy.run]
        for pile, packed in enumerate((state.hand, state.draw, state.discard)):
            for name, n in packed:
                fight.piles[pile, self.rules.kind(name)] = n
                fight.n_cards[pile] += n
        return fight.tobytes()

    def drawn(self, states):
        """Return a distribution of states of the oracle after the draw of the hand, up to the next decision."""
        return states.bind(
            lambda after: self.oracle.outcomes(after, TurnAction.DRAW) if isinstance(after, NewTurn) else certain(after)
        )

    def move(self, action):
        """Return the engine's number of a move of the oracle."""
        if action is TurnAction.END:
            return END
        place = action.target + 1 if CARDS[action.card].targeted else 0
        return FIRST_CARD + at.N_FIGHTERS * self.rules.kind(action.card) + place

    def compare(self, rng, n_moves):
        """Play random moves and compare the outcomes of each. Return the number of moves."""
        state, compared = self.oracle.start(rng), 0
        if isinstance(state, NewTurn):
            state = self.oracle.outcomes(state, TurnAction.DRAW).sample(rng)
        while not isinstance(state, Over) and compared < n_moves:
            mine, actions = self.engine_state(state), self.oracle.actions(state)
            assert self.engine_key(mine) == self.oracle_key(state)
            # The oracle lists one of several equivalent moves.
            assert set(self.engine.actions(mine)) >= {self.move(action) for action in actions}
            action = actions[int(rng.integers(len(actions)))]
            listed = self.drawn(self.oracle.outcomes(state, action))
            assert dict(self.engine.outcomes(mine, self.move(action)).map(self.engine_key)) == dict(
                listed.map(self.oracle_key)
            )
            state, compared = listed.sample(rng), compared + 1
        return compared


@pytest.mark.parametrize("ascension", [0, 20])
@pytest.mark.parametrize("enemies", ENCOUNTERS, ids=lambda enemies: enemies[0])
def test_outcomes_with_the_starter_deck_equal_those_of_the_oracle(enemies, ascension):
    deck = {"Strike": 3, "Defend": 3, "Bash": 1}
    pair = Pair(enemies, ascension=ascension, deck=deck, relics=("Burning Blood",))

    assert pair.compare(np.random.default_rng(ascension), effort(25, 5, 5)) > 3


def test_every_enemy_of_the_oracle_is_compared():
    compared = {name for group in ENCOUNTERS for name in group}
    assert compared | {"Acid Slime (S)", "Spike Slime (M)"} == {*ENEMIES}


@pytest.mark.parametrize("seed", range(effort(12, 3, 3)))
def test_outcomes_with_random_decks_and_relics_equal_those_of_the_oracle(seed):
    rng = np.random.default_rng(seed)
    deck = Counter(rng.choice(COMPARED, 7).tolist())
    relics = tuple(rng.choice(list(RELICS), 3, replace=False).tolist())
    pair = Pair(ENCOUNTERS[seed % len(ENCOUNTERS)], deck=deck, relics=relics)

    assert pair.compare(rng, effort(20, 5, 5)) > 0


@pytest.mark.parametrize("seed", range(effort(20, 4, 4)))
def test_starts_with_relics_in_random_order_equal_those_of_the_oracle(seed):
    relics = tuple(np.random.default_rng(seed).permutation(list(RELICS)).tolist())
    pair = Pair(("Sentry",), deck={"Strike": 3, "Bash": 3}, relics=relics[:12], enemy_hp=(30,))

    assert dict(pair.engine.starts().map(pair.engine_key)) == dict(
        pair.drawn(pair.oracle.starts()).map(pair.oracle_key)
    )
