"""Fights satisfy the protocol of explicit games; invalid setups are refused; state between two fights."""

import numpy as np
import pytest

from evodom.distribution import certain
from evodom.errors import UsageError
from evodom.games import ExplicitGame
from evodom.spire.engine import layout as at
from evodom.spire.engine.compiler import FightRules, Setup
from evodom.spire.engine.game import CarriedState, SpireFight
from tests.effort import effort
from tests.games.conformance import check

SMALL = {"Strike": 4, "Defend": 2}

FIGHTS = {
    "two enemies": Setup(
        enemies=certain(("Acid Slime (S)", "Cultist")),
        deck={"Strike": 4, "True Grit+": 1, "Sword Boomerang": 1},
        hp=25,
        enemy_hp=(10, 30),
        max_turns=4,
    ),
    "a slime that splits": Setup(
        enemies=certain(("Spike Slime (L)",)), deck=SMALL, hp=50, enemy_hp=(30,), ascension=0, max_turns=4
    ),
    "potions and relics": Setup(
        enemies=certain(("Jaw Worm",)),
        deck=SMALL,
        hp=20,
        enemy_hp=(25,),
        relics=("Burning Blood", "Red Skull", "Gambling Chip", "Unceasing Top"),
        potions=("Elixir", "Fairy in a Bottle", "Fruit Juice", "Distilled Chaos"),
        max_turns=3,
    ),
    "Feed and Reaper": Setup(
        enemies=certain(("Spike Slime (S)", "Spike Slime (S)")),
        deck={"Feed+": 2, "Reaper": 1, "Exhume": 1, "Strike": 2},
        hp=30,
        enemy_hp=(11, 12),
        relics=("Magic Flower", "Meat on the Bone"),
        max_turns=5,
    ),
    "no heal": Setup(enemies=certain(("Sneaky Gremlin",)), deck=SMALL, hp=30, relics=(), enemy_hp=(12,), max_turns=8),
}


@pytest.mark.parametrize("name", FIGHTS)
def test_fights_satisfy_the_protocol(name):
    game = SpireFight(FIGHTS[name])
    assert isinstance(game, ExplicitGame)

    checked = check(game, np.random.default_rng(7), n_games=effort(5, 2, 1), n_samples=effort(150, 30, 30))

    assert checked.n_states > 10
    assert checked.n_distributions > 1


@pytest.mark.uncompiled
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"deck": {"Bish": 1}}, "no card named 'Bish'"),
        ({"deck": {"Bash (costs 99)": 1}}, r"no card named 'Bash \(costs 99\)': costs in brackets are 0 to 9"),
        ({"deck": {"Searing Blow+" + "9" * 5000: 1}}, "no card named 'Searing Blow\\+9"),
        ({"deck": {"Searing Blow+\u00b2": 1}}, "no card named 'Searing Blow"),
        ({"deck": {}}, "at least one card"),
        ({"deck": {"Writhe": 13}}, "13 innate cards; at most 12"),
        ({"relics": ("Sun",)}, "no relic named 'Sun'"),
        ({"potions": ("Tea",)}, "no potion named 'Tea'"),
        ({"potions": ("Fire Potion",) * 6}, "6 potions; at most 5"),
        ({"hp": 0}, "0 HP of at most"),
        ({"hp": 81, "max_hp": 80}, "81 HP of at most 80"),
        ({"max_hp": 5000}, "up to 999"),
        ({"ascension": 21}, "ascension 21 does not exist"),
        ({"max_turns": 0}, "0 turns"),
        ({"enemies": certain(("Snake",))}, "Snake"),
        ({"enemies": certain(())}, "a fight needs enemies"),
        ({"enemy_hp": (1, 2)}, "HP for 2 enemies"),
        ({"enemy_hp": (1000,)}, "1000 HP"),
    ],
)
def test_invalid_setups_are_refused_in_one_line(options, message):
    with pytest.raises(UsageError, match=message) as error:
        FightRules(Setup(**options))

    assert "\n" not in str(error.value)


def test_carried_state_is_the_start_of_the_next_fight():
    setup = Setup(
        enemies=certain(("Cultist",)),
        deck={"Strike": 5},
        relics=("Burning Blood", "Red Skull", "Nunchaku", "Pen Nib", "Centennial Puzzle", "Lizard Tail"),
        counters={"Nunchaku": 2},
        potions=("Fire Potion", "Block Potion"),
    )
    game = SpireFight(setup)
    rng = np.random.default_rng(1)
    given = CarriedState(20, 90, (False, True), {"Nunchaku": 5, "Pen Nib": 8}, lizard_tail_used=True)

    state = game.start_with(rng, given)
    fight = game.view(state)

    assert (fight.hp[0], fight.max_hp[0], fight.tail, fight.pen_nib) == (20, 90, 1, 8)
    assert list(fight.potions[:2]) == [0, 1]
    assert fight.status[0][at.STATUS_INDEX["Strength"]] == 3  # Red Skull: 20 is less than half of 90
    assert game.view(game.start(rng)).hp[0] == 68
    assert game.view(game.start(rng)).counters[game.rules.triggered_relics.index("Nunchaku")] == 2
    assert game.carried(state) == given  # Centennial Puzzle counts within a fight only


def test_burning_blood_heals_before_the_next_fight():
    setup = Setup(enemies=certain(("Cultist",)), enemy_hp=(1,), deck={"Strike": 5}, hp=60)
    game = SpireFight(setup)
    state = game.start_with(np.random.default_rng(1), CarriedState(30, 75))
    strike = next(move for move in game.actions(state) if game.action_name(move).startswith("Strike"))
    state = game.sample(state, strike, np.random.default_rng(1))

    assert (game.carried(state).hp, game.carried(state).max_hp) == (36, 75)
