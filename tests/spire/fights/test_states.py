"""Fights in progress: conversion of a description to the record of the game, and back."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from evodom.distribution import certain
from evodom.errors import UsageError
from evodom.spire.content.cards import CARDS
from evodom.spire.content.encounters import encounters, groups_of
from evodom.spire.content.potions import POTIONS
from evodom.spire.content.relics import RELICS
from evodom.spire.engine import layout as at
from evodom.spire.engine.card_play import ATTACKED
from evodom.spire.engine.compiler import Setup
from evodom.spire.engine.game import SpireFight
from evodom.spire.fights import (
    EnemyState,
    Fight,
    FightState,
    fight_from_state,
    fight_from_toml,
    fight_to_toml,
    state_from_fight,
)
from tests.effort import effort

NOT_IN_FILES = ("buried", "n_buried", "bottom", "n_bottom", "gained", "tail", "used")
"""Fields that a file does not have: cards that cannot be drawn next or are last, earlier gains and used up things."""


def begun(enemies="Cultist", state=None, **changes):
    """Return a fight that has begun, against one enemy unless a state is given."""
    cultist = EnemyState(name="Cultist", hp=40, max_hp=50, intent="Incantation")
    usual = {"energy": 3, "hand": {"Strike": 1}, "draw": {}, "discard": {}, "enemies": (cultist,)}
    return Fight(Setup(enemies=groups_of(enemies), **changes), state=FightState(**usual | (state or {})))


def record_of(fight):
    """Return the record of a fight that has begun, and its game."""
    game = SpireFight(fight.setup)
    return game.view(state_from_fight(fight, game)), game


def comparable(game, state):
    """Return a state without the fields that a file lacks, and without the places of dead enemies."""
    record = game.view(state).copy()
    for name in NOT_IN_FILES:
        record[name] = 0
    living = [0, *(place for place in range(1, at.N_FIGHTERS) if record.hp[place] > 0)]
    for name in ("hp", "max_hp", "block", "row", "intent", "status"):
        left = record[name][living].copy()
        record[name] = 0
        record[name][: len(living)] = left
    return record.tobytes()


def random_setup(name, rng):
    """Return an encounter with a random deck, relics and potions."""
    return Setup(
        enemies=groups_of(name),
        ascension=int(rng.integers(21)),
        deck=Counter(rng.choice(list(CARDS), 6).tolist()) + Counter({"Strike": 3, "Defend": 3}),
        max_hp=90,
        hp=int(rng.integers(50, 90)),
        relics=tuple(rng.choice(list(RELICS), 4, replace=False).tolist()),
        potions=tuple(rng.choice(list(POTIONS), 3, replace=False).tolist()),
    )


@pytest.mark.parametrize("name", list(encounters()))
def test_states_of_played_fights_round_trip(name):
    rng = np.random.default_rng(len(name) * 31 + ord(name[0]))
    seen = 0
    while seen < effort(40, 3, 3):
        fight = Fight(random_setup(name, rng), encounters=certain(name))
        game = SpireFight(fight.setup)
        state = game.start(rng)
        for _ in range(30):
            actions = game.actions(state)
            if not actions:
                break
            if not game.view(state).choosing:
                now = fight_from_state(fight, game, state)
                same = SpireFight(now.setup)
                assert comparable(same, state_from_fight(now, same)) == comparable(game, state)
                seen += 1
                if seen % 10 == 1:
                    assert fight_from_toml(fight_to_toml(now)) == now
            state = game.sample(state, actions[int(rng.integers(len(actions)))], rng)


def test_a_state_is_the_record_of_the_game():
    cultist = EnemyState(name="Cultist", hp=30, max_hp=50, intent="Dark Strike", block=3, statuses={"Ritual": 5})
    state = {
        "turn": 9,
        "energy": 2,
        "block": 7,
        "statuses": {"Weak": 2, "Rage": 3},
        "hand": {"Strike": 2},
        "draw": {"Strike": 1, "Bash": 1},
        "discard": {"Defend": 4},
        "exhaust": {"Ascender's Bane": 1},
        "top": ("Bash", "Strike"),
        "potions": ("Fire Potion",),
        "played": ("Attack", "Skill"),
        "enemies": (cultist,),
    }
    fight = begun(
        state=state,
        hp=33,
        max_hp=66,
        relics=("Velvet Choker", "Nunchaku", "Pen Nib", "Red Skull"),
        potions=("Elixir", "Fire Potion"),
        counters={"Nunchaku": 4, "Pen Nib": 8},
    )
    record, game = record_of(fight)

    assert (record.hp[0], record.max_hp[0], record.block[0], record.energy, record.is_player_turn) == (33, 66, 7, 2, 1)
    assert (record.turn, record.over, record.new_statuses.any()) == (game.record.last_turn + 1, 0, False)
    assert (record.status[0, at.STATUS_INDEX["Weak"]], record.powers[at.STATUS_INDEX["Rage"] - at.N_SHARED]) == (2, 3)
    assert [record.n_cards[pile] for pile in (at.HAND, at.DRAW, at.DISCARD, at.EXHAUST)] == [2, 2, 4, 1]
    assert record.piles[at.DISCARD, game.rules.kind("Defend")] == 4
    assert [game.rules.kinds[kind].name for kind in record.top[: record.n_top]] == ["Strike", "Bash"]
    assert list(record.potions[:2]) == [0, 1]
    assert (record.used, record.counters[0], record.pen_nib, record.skull) == (1, 4, 8, 1)
    assert (record.played, record.types) == (2, 1 << at.ATTACK | ATTACKED | 1 << at.SKILL)
    assert (record.hp[1], record.max_hp[1], record.block[1]) == (30, 50, 3)
    assert game.rules.intents[record.intent[1]] == "Dark Strike"
    assert record.status[1, at.STATUS_INDEX["Ritual"]] == 5


def test_the_card_on_top_is_drawn_first():
    draw = {"Defend": 3, "Strike": 5, "Bash": 1}
    state = {"hand": {"Battle Trance": 1}, "draw": draw, "top": ("Bash", "Defend", "Strike")}
    fight = begun(state=state, deck=draw | {"Battle Trance": 1})
    game = SpireFight(fight.setup)
    state = state_from_fight(fight, game)
    ((after, chance),) = game.outcomes(state, game.actions(state)[1])

    assert chance == 1
    assert fight_from_state(fight, game, after).state.hand == {"Bash": 1, "Defend": 1, "Strike": 1}


def test_intents_have_their_first_history_by_default():
    def intent(run):
        worm = EnemyState(name="Jaw Worm", hp=40, max_hp=44, intent="Thrash", history=run)
        record, game = record_of(begun("Jaw Worm", {"enemies": (worm,)}))
        return next(key for key, place in game.rules.chains[1].items() if place == record.intent[1])

    assert intent(None) == intent(1) == ("Thrash", 1)
    assert intent(2) == ("Thrash", 2)


def test_both_sears_of_hexaghost_have_different_names():
    def sear(written):
        enemy = f'{{ name = "hexaghost", hp = 100, max_hp = 264, intent = "{written}" }}'
        state = f'energy = 3\nhand = "strike"\ndraw = ""\ndiscard = ""\nenemies = [{enemy}]'
        return fight_from_toml(f'enemies = "hexaghost"\n[state]\n{state}').state.enemies[0].intent

    assert (sear("Sear"), sear("sear"), sear("Sear+")) == ("Sear", "Sear", "Sear+")


def test_splitting_enemies_reserve_places():
    names = ("Spike Slime (L)", "Acid Slime (L)")
    slimes = tuple(EnemyState(name=name, hp=40, max_hp=40, intent="Lick") for name in names)
    record, game = record_of(begun("Slime Boss", {"enemies": slimes}))

    assert [game.rules.enemy_names[row] for row in record.row] == ["", "Spike Slime (L)", "", "Acid Slime (L)", "", ""]
    assert record.status[1, at.STATUS_INDEX["Splits"]] == 1


def test_sleeping_enemies_have_the_status_asleep():
    lagavulin = EnemyState(name="Lagavulin", hp=110, max_hp=112, intent="Sleep", statuses={"Metallicize": 8})
    record, _ = record_of(begun("Lagavulin", {"enemies": (lagavulin,)}))
    awake = replace(lagavulin, intent="Attack", statuses={})
    other, _ = record_of(begun("Lagavulin", {"enemies": (awake,)}))

    assert (record.status[1, at.STATUS_INDEX["Asleep"]], other.status[1, at.STATUS_INDEX["Asleep"]]) == (1, 0)


def test_orange_pellets_are_reset_after_all_three_types():
    def types(*played):
        record, _ = record_of(begun(state={"played": played}, relics=("Orange Pellets",)))
        return record.played, record.types

    assert types("Attack", "Power") == (2, 1 << at.ATTACK | ATTACKED | 1 << at.POWER)
    assert types("Attack", "Power", "Skill", "Skill") == (4, ATTACKED | 1 << at.SKILL)


@pytest.mark.parametrize(
    ("name", "intent", "status"),
    [
        ("Red Louse", "Grow", "Bite"),
        ("Hexaghost", "Divider", "Divider"),
        ("The Guardian", "Whirlwind", "Mode Shift"),
        ("Cultist", "Dark Strike", "Ritual"),
    ],
)
def test_required_statuses_are_checked(name, intent, status):
    enemy = EnemyState(name=name, hp=10, max_hp=250, intent=intent)

    with pytest.raises(UsageError, match=rf"^enemies\[0\]\.statuses lacks {status}: "):
        record_of(begun(name, {"enemies": (enemy,)}))
    record, _ = record_of(begun(name, {"enemies": (replace(enemy, statuses={status: 6}),)}))
    assert record.status[1, at.STATUS_INDEX[status]] == 6


def test_only_the_guardian_has_mode_shift():
    enemy = EnemyState(name="Cultist", hp=10, max_hp=50, intent="Incantation", statuses={"Mode Shift": 5})

    with pytest.raises(UsageError, match=r"^enemies\[0\]\.statuses has Mode Shift\. Allowed for The Guardian only"):
        record_of(begun(state={"enemies": (enemy,)}))


def test_only_fights_in_progress_have_a_state_and_no_pending_choice_is_saved():
    with pytest.raises(UsageError, match="the fight is not in progress"):
        state_from_fight(Fight(Setup()), SpireFight(Setup()))
    hand, draw = {"Warcry": 1, "Strike": 1}, {"Defend": 1}
    fight = begun(state={"hand": hand, "draw": draw}, deck=hand | draw)
    game = SpireFight(fight.setup)
    state = state_from_fight(fight, game)
    warcry = next(move for move in game.actions(state) if game.action_name(move) == "Warcry")
    ((asked, _),) = game.outcomes(state, warcry)

    with pytest.raises(UsageError, match="the fight has a pending choice"):
        fight_from_state(fight, game, asked)
    over = game.view(asked).copy()
    over.over = at.WON
    with pytest.raises(UsageError, match="the fight is over"):
        fight_from_state(fight, game, over.tobytes())
