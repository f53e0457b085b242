"""Fights of CommunicationMod: game states written from random fights are read back."""

import json
from dataclasses import replace
from itertools import chain, islice

import numpy as np
import pytest

from evodom.errors import UsageError
from evodom.spire.content.cards import variant
from evodom.spire.content.encounters import encounters, groups_of
from evodom.spire.engine import layout as at
from evodom.spire.engine.compiler import Setup
from evodom.spire.engine.game import SpireFight
from evodom.spire.engine.moves import END
from evodom.spire.fights import Fight, fight_from_state, read_fight, state_from_fight
from evodom.spire.fights.game_states import max_shifts
from evodom.spire.fights.ids import CARD_IDS, MONSTERS, POTION_IDS, RELIC_IDS, STATUS_IDS
from evodom.spire.fights.states import compile_rules, likely_intents
from tests.effort import effort

HIDDEN = ("Bite", "Divider", "Shifts", "Stolen", "Combust cost", "Panache cards")
"""Statuses that are no powers of the game."""

SIMILAR = {"Middle Sentry": "Sentry", "Lagavulin (awake)": "Lagavulin"}


NOTED_TWICE = ("Sleep", "Split")
"""Moves with two entries in the game's list of moves, except in the first turn."""


def id_of(name, ids):
    """Return the id of a name."""
    return next((other for other, known in ids.items() if known == name), name)


def cards(counts):
    """Return cards as CommunicationMod writes them."""
    found = []
    for name, n in counts.items():
        one = variant(name)
        base, plus, upgrades = one.row.name.partition("+")
        upgrades = int(upgrades or 1) if plus else 0
        cost = -2 if one.cost is None else one.now
        found += [{"id": id_of(base, CARD_IDS), "name": name, "upgrades": upgrades, "cost": cost}] * n
    return found


def powers(statuses):
    """Return statuses as powers; Combust has the HP that it costs, Barricade and others have -1."""
    found = []
    for name, n in statuses.items():
        if name not in HIDDEN:
            amount = -1 if name in ("No Draw", "Barricade", "Corruption") else n
            found.append({"id": id_of(name, STATUS_IDS), "name": name, "amount": amount})
            if name == "Combust":
                found[-1]["misc"] = statuses["Combust cost"]
            elif name == "Panache":
                found[-1] |= {"damage": n, "amount": 5 - statuses.get("Panache cards", 0)}
            elif name.startswith("Bomb"):
                found[-1] |= {"id": f"TheBomb{len(found)}", "damage": n, "amount": int(name.split()[2])}
    return found


def monster(enemy, moves):
    """Return an enemy of a fight as a monster, with its last three moves."""
    name = SIMILAR.get(enemy.name, enemy.name)
    key, ids = next((key, ids) for key, (known, ids) in MONSTERS.items() if known == name)
    last = [next(number for number, names in ids.items() if move in names) for move in moves[-3:]]
    keys = ("move_id", "last_move_id", "second_last_move_id")
    damage = enemy.statuses.get("Bite" if enemy.intent == "Bite" else "Divider", -1)
    return {
        "id": key, "current_hp": enemy.hp, "max_hp": enemy.max_hp, "block": enemy.block, "is_gone": False,
        "powers": powers(enemy.statuses), "move_base_damage": damage, **dict(zip(keys, reversed(last), strict=False)),
    }  # fmt: skip


def message(fight, moves, gone=()):
    """Return the message of a fight; `moves` are all moves of each living enemy, `gone` the names of others."""
    setup, state = fight.setup, fight.state
    hp, max_hp, deck = setup.player()
    combat = {
        "player": {"energy": state.energy, "block": state.block, "powers": powers(state.statuses), "orbs": []},
        "monsters": [
            {"id": key, "current_hp": 0, "max_hp": 9, "is_gone": True}
            for key, (name, _) in MONSTERS.items() if name in gone
        ] + [monster(enemy, past) for enemy, past in zip(state.enemies, moves, strict=True)],
        "hand": cards(state.hand), "draw_pile": cards(state.draw), "discard_pile": cards(state.discard),
        "exhaust_pile": cards(state.exhaust), "limbo": [], "turn": state.turn, "times_damaged": 0,
    }  # fmt: skip
    held = setup.potions if state.potions is None else state.potions
    game = {
        "class": "IRONCLAD", "ascension_level": setup.ascension, "current_hp": hp, "max_hp": max_hp, "floor": 3,
        "deck": cards(deck), "screen_type": "NONE", "combat_state": combat,
        "relics": [{"id": id_of(name, RELIC_IDS), "counter": setup.counters.get(name, -1)} for name in setup.relics],
        "potions": [{"id": id_of(name, POTION_IDS)} for name in held] + [{"id": "Potion Slot"}],
    }  # fmt: skip
    return {"available_commands": ["end"], "ready_for_command": True, "in_game": True, "game_state": game}


def read(tmp_path, content, **more):
    """Read a message from a file, and return the fight and the notes."""
    file, notes = tmp_path / "state.json", []
    file.write_text(json.dumps(content))
    return read_fight(file, note=notes.append, **more), notes


def positions(setup, rng):
    """Yield decisions of a fight with random moves: the fight, and the moves of each living enemy so far."""
    game = SpireFight(setup)
    state, moves, turn, is_new = game.start(rng), {}, 1, True
    while not game.view(state).over:
        record = game.view(state)
        living = [(place, int(record.row[place])) for place in range(1, at.N_FIGHTERS) if record.hp[place] > 0]
        for key in living:
            name = game.rules.intents[record.intent[key[0]]].strip()
            past = moves.setdefault(key, [])
            if is_new or not past or past[-1] != name:
                past += [name] * (2 if past and name in NOTED_TWICE else 1)
        if not record.choosing:
            fight = fight_from_state(Fight(setup), game, state)
            # The record of a fight counts turns only as far as its rules depend on them.
            yield replace(fight, state=replace(fight.state, turn=turn)), [list(moves[key]) for key in living]
        action = int(rng.choice(game.actions(state)))
        is_new = action == END and not record.choosing
        turn += is_new
        state = game.sample(state, action, rng)


def seen(fight):
    """Return the parts of a fight that a game state has: HP, piles, counters, enemies with statuses and next moves."""
    state, setup = fight.state, fight.setup
    return {
        "hp": setup.player()[:2], "counters": dict(setup.counters), "relics": set(setup.relics),
        "piles": (state.hand, state.draw, state.discard, state.exhaust),
        "player": (state.turn, state.energy, state.block, dict(state.statuses)),
        "potions": setup.potions if state.potions is None else state.potions,
        "enemies": [
            (SIMILAR.get(one.name, one.name), one.hp, one.max_hp, one.intent, one.block,
             {name: n for name, n in one.statuses.items() if name not in HIDDEN})
            for one in state.enemies
        ],
    }  # fmt: skip


CARDS = (
    "Strike Defend Bash+ Inflame Combust Flex Barricade Armaments Disarm Shockwave Flame-Barrier Rage Searing-Blow+2"
)
RELICS_OF_TEST = ("Burning Blood", "Nunchaku", "Happy Flower", "Kunai", "Pen Nib", "Paper Phrog", "The Boot")
KNOWN_HISTORY = ("Gremlin Nob", "Lagavulin", "Hexaghost", "The Guardian", "Jaw Worm", "Large Slime", "Gremlin Gang")
"""Encounters whose last three moves and turn determine the next moves."""


@pytest.mark.parametrize("name", encounters())
def test_messages_of_random_fights_are_read_back(name, tmp_path):
    rng = np.random.default_rng(len(name))
    deck = {card.replace("-", " "): 3 for card in CARDS.split()}
    setup = Setup(
        enemies=groups_of(name), ascension=int(rng.integers(21)), deck=deck, hp=400, max_hp=400,
        relics=RELICS_OF_TEST, potions=("Fire Potion", "Elixir"),
    )  # fmt: skip

    for fight, moves in islice(chain(positions(setup, rng), positions(setup, rng)), 0, None, effort(4, 16, 16)):
        living = [enemy.name for enemy in fight.state.enemies]
        parents = ("Slime Boss", "Spike Slime (L)", "Acid Slime (L)") if name == "Slime Boss" else ()
        gone = [parent for parent in parents if parent not in living and "Slime Boss" not in living]
        found, _ = read(tmp_path, message(fight, moves, gone=gone))

        assert seen(found) == seen(fight)
        if name in KNOWN_HISTORY:
            assert [one.history for one in found.state.enemies] == [one.history for one in fight.state.enemies]
        state_from_fight(found, SpireFight(found.setup))


@pytest.fixture(scope="module")
def begun():
    """Return a fight against two louses in its first turn, with the moves of the louses."""
    setup = Setup(enemies=groups_of("Two Louses"), relics=("Burning Blood",))
    return next(positions(setup, np.random.default_rng(1)))


def test_unsupported_parts_are_named_all_together_and_skipped_on_request(begun, tmp_path):
    content = message(*begun)
    game = content["game_state"]
    game["relics"] += [{"id": "Nilry's Codex"}, {"id": "Omamori", "counter": 2}]
    game["relics"] += [{"id": "WingedGreaves"}, {"id": "Frozen Eye"}]
    game["deck"].append({"id": "Blade Dance"})
    game["combat_state"]["hand"].append({"id": "Blade Dance"})
    game["combat_state"]["player"]["powers"].append({"id": "Blur", "amount": 5})
    game["potions"].append({"id": "EntropicBrew"})

    with pytest.raises(UsageError) as refusal:
        read(tmp_path, content)
    fight, notes = read(tmp_path, content, skip=True)

    unsupported = ("Blade Dance", "'Blur' (power)", "Nilry's Codex (makes random cards)")
    assert all(part in str(refusal.value) for part in unsupported)
    assert notes[0].startswith("Skipped, not supported: 'Blade Dance'")
    assert notes[1] == "Without effect in fights: Omamori; Wing Boots; Frozen Eye (shows the order of the draw pile)."
    assert seen(fight) == seen(begun[0])


def test_colourless_powers_are_read(begun, tmp_path):
    fight, moves = begun
    statuses = {"Bomb in 1 turn": 40, "Bomb in 3 turns": 90, "Panache": 14, "Panache cards": 3, "No Block": 2}
    louses = tuple(replace(one, statuses=one.statuses | {"Shackled": 9}) for one in fight.state.enemies)
    changed = replace(fight, state=replace(fight.state, statuses=statuses, enemies=louses))
    content = message(changed, moves)
    powers = content["game_state"]["combat_state"]["player"]["powers"]
    powers += [{"id": "TheBomb9", "amount": 3, "damage": 50}]
    powers[1]["damage"] = 40

    assert seen(read(tmp_path, content)[0]) == seen(changed)


def test_facts_that_a_message_lacks_are_assumed_and_named(begun, tmp_path):
    fight, moves = begun
    growing = replace(fight.state.enemies[0], intent="Grow" if "Red" in fight.state.enemies[0].name else "Spit Web")
    changed = replace(fight, state=replace(fight.state, enemies=(growing, *fight.state.enemies[1:])))

    found, notes = read(tmp_path, message(changed, [[growing.intent], *moves[1:]]))

    assert found.state.enemies[0].statuses["Bite"] == 7
    assert any(note.startswith(f"Not in the file, assumed: bite of {growing.name}: 7 (6 to 8)") for note in notes)


@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        ({"combat_state": None}, "combat_state is missing"),
        ({"class": "DEFECT"}, "IRONCLAD"),
        ({"screen_type": "HAND_SELECT"}, "choice of cards is pending"),
        ({"current_hp": 0}, "current_hp is 0"),
        ({"current_hp": 76}, "current_hp is 76. Allowed: 1 to 75"),
        ({"ascension_level": 21}, "ascension_level is 21"),
        ({"deck": 3}, "deck is 3"),
    ],
)
def test_other_game_states_are_refused(begun, tmp_path, change, refusal):
    content = message(*begun)
    content["game_state"] |= change

    with pytest.raises(UsageError, match=refusal):
        read(tmp_path, content)


def test_other_enemies_and_moves_are_refused(begun, tmp_path):
    for change, refusal in (
        ({"id": "Byrd"}, "enemies 'Byrd' are not supported"),
        ({"move_id": 9}, "move_id of .* is 9"),
    ):
        content = message(*begun)
        content["game_state"]["combat_state"]["monsters"][0] |= change
        with pytest.raises(UsageError, match=refusal):
            read(tmp_path, content)
    for change, refusal in (
        ({"monsters": []}, r"combat_state\.monsters is \[\]\. Allowed: a list of 1 to"),
        ({"hand": [{"id": "Bash", "cost": 99}]}, r"combat_state\.hand\[0\]\.cost is 99\. Allowed: -2 to 9 "),
    ):
        content = message(*begun)
        content["game_state"]["combat_state"] |= change
        with pytest.raises(UsageError, match=refusal):
            read(tmp_path, content)
    with pytest.raises(UsageError, match="no run is in progress"):
        read(tmp_path, {"in_game": False, "available_commands": ["start"]})


def test_a_used_up_relic_is_left_out(begun, tmp_path):
    content = message(*begun)
    content["game_state"]["relics"] += [{"id": "Lizard Tail", "counter": -2}, {"id": "Girya", "counter": 0}]
    setup = read(tmp_path, content)[0].setup

    assert (setup.relics, setup.counters) == (("Burning Blood", "Girya"), {"Girya": 0})


def test_shifts_of_the_guardian_follow_from_its_losses_and_turns():
    # It shifts after 40, 50, 60 HP; `left` is the rest of the current one. It is back three turns after a shift.
    cases = (
        (0, 40, 40, 9),
        (39, 40, 1, 9),
        (40, 40, 0, 9),
        (40, 40, 50, 9),
        (95, 40, 55, 9),
        (95, 40, 0, 3),
        (95, 40, 0, 4),
    )
    assert [max_shifts(*case) for case in cases] == [0, 0, 0, 1, 2, 0, 1]


def intents_of(name, group, turn, *move_ids):
    """Return the possible intents of the first enemy of a group, given its last moves."""
    rules = compile_rules(Setup(enemies=groups_of(group), ascension=20))
    moves = next(moves for known, moves in MONSTERS.values() if known == SIMILAR.get(name, name))
    return likely_intents(name, rules, [None if move is None else moves[move] for move in move_ids], turn)


@pytest.mark.parametrize(
    ("name", "group", "turn", "move_ids", "expected"),
    [
        # Asleep, the game notes two entries a turn. It wakes after three turns.
        ("Lagavulin", "Lagavulin", 1, (5,), [("Sleep", 0)]),
        ("Lagavulin", "Lagavulin", 2, (5, 5, 5), [("Sleep", 1)]),
        ("Lagavulin", "Lagavulin", 3, (5, 5, 5), [("Wake", 2)]),
        ("Lagavulin", "Lagavulin", 4, (5, 5, 3), [("Attack", 3)]),
        # Woken by a hit.
        ("Lagavulin", "Lagavulin", 1, (5, 4), [("Stunned", -1)]),
        ("Lagavulin", "Lagavulin", 2, (5, 5, 4), [("Stunned", -1)]),
        ("Lagavulin", "Lagavulin", 2, (5, 4, 3), [("Attack", 3)]),
        ("Lagavulin", "Lagavulin", 6, (4, 3, 3), [("Attack", 4)]),
        # Awake from the start.
        ("Lagavulin", "Lagavulin", 1, (1,), [("Siphon Soul", 5)]),
        ("Lagavulin", "Lagavulin", 3, (1, 3, 3), [("Attack", 4)]),
        # Its shift to defence is one entry, a split is two.
        ("The Guardian", "The Guardian", 2, (6, 2, 1), [("Defensive Mode", 4)]),
        ("The Guardian", "The Guardian", 4, (1, 3, 4), [("Twin Slam", 6)]),
        ("The Guardian", "The Guardian", 5, (3, 4, 5), [("Whirlwind", 3)]),
        ("Slime Boss", "Slime Boss", 1, (4, 3, 3), [("Split", -1)]),
        ("Slime Boss", "Slime Boss", 6, (2, 1, 4), [("Goop Spray", 0)]),
        # The child of a split has fewer moves than the fight has turns.
        ("Spike Slime (M)", "Large Slime", 9, (4,), [("Lick", 1)]),
        ("Spike Slime (M)", "Large Slime", 9, (4, 1, 1), [("Flame Tackle", 2)]),
        ("Shield Gremlin", "Shield Gremlin", 3, (1, 1, 2), [("Shield Bash", 1)]),
        ("Looter", "Looter", 5, (4, 2, 3), [("Escape", 5)]),
        ("Looter", "Looter", 3, (1, 1, 2), [("Smoke Bomb", 4)]),
        # Entangle, used once a fight, may have been used before.
        ("Red Slaver", "Red Slaver", 6, (3, 1, 3), [("Scrape", 1), ("Scrape", 11)]),
        # Runic Dome hides the last move.
        ("Hexaghost", "Hexaghost", 3, (5, 1, None), [("Sear", 2)]),
        ("Hexaghost", "Hexaghost", 10, (4, 6, None), [("Sear+", 9)]),
        ("Jaw Worm", "Jaw Worm", 1, (None,), [("Chomp", 1)]),
        ("Jaw Worm", "Jaw Worm", 2, (1, None), [("Bellow", 1), ("Thrash", 1)]),
    ],
)
def test_the_last_moves_of_an_enemy_give_its_intent_whatever_the_length_of_its_history(
    name, group, turn, move_ids, expected
):
    assert intents_of(name, group, turn, *move_ids) == expected


@pytest.mark.parametrize("name", ["Hexaghost", "Lagavulin", "The Guardian", "Gremlin Nob"])
def test_hidden_intents_follow_from_earlier_moves_and_statuses(name, tmp_path):
    setup = Setup(enemies=groups_of(name), ascension=20, deck={"Strike": 5, "Bash": 3}, hp=400, max_hp=400)

    for fight, moves in islice(positions(setup, np.random.default_rng(3)), 0, None, effort(4, 16, 16)):
        content = message(fight, moves)
        for one in content["game_state"]["combat_state"]["monsters"]:
            del one["move_id"], one["move_base_damage"]
        found, notes = read(tmp_path, content)

        assert [one.intent for one in found.state.enemies] == [one.intent for one in fight.state.enemies]
        assert f"intent of {name}: {fight.state.enemies[0].intent}" in notes[-1]


def test_unsupported_parts_that_are_not_used_do_not_block_a_fight(begun, tmp_path):
    content = message(*begun)
    content["game_state"]["potions"].append({"id": "GhostInAJar"})
    content["game_state"]["deck"].append({"id": "Blur"})
    content["game_state"]["combat_state"]["exhaust_pile"].append({"id": "Blur"})

    fight, notes = read(tmp_path, content)

    assert seen(fight) == seen(begun[0])
    assert notes[0] == "Skipped, not supported: 'Blur' (not in the tables); 'GhostInAJar' (not in the tables)."


def test_cards_played_this_turn_are_the_last_ones_of_the_discard_pile(begun, tmp_path):
    content = message(*begun)
    content["game_state"]["relics"].append({"id": "Art of War"})
    combat = content["game_state"]["combat_state"]
    combat["hand"] = combat["hand"][:3]
    combat["discard_pile"] = [{"id": name} for name in ("Inflame", "Bash", "Defend_R")]

    fight, notes = read(tmp_path, content)

    assert fight.state.played == ("Attack", "Skill")
    assert "cards played this turn: Attack, Skill" in notes[-1]


def card(card_id, cost):
    """Return a card with a cost."""
    return {"id": card_id, "cost": cost}


@pytest.mark.parametrize(
    ("in_hand", "exhausted", "power", "hand", "is_playable"),
    [
        (card("Clothesline", 0), [], None, "Clothesline (costs 0 this turn)", True),
        (card("Clothesline", 2), [card("Bash", 0)], None, "Clothesline", False),
        ({"id": "Clothesline"}, [], None, "Clothesline", False),
        # Madness and Enlightenment+ change costs for the fight. Only random costs rise, and they last too.
        (card("Clothesline", 0), [card("Madness", 1)], None, "Clothesline (costs 0)", True),
        (card("Clothesline", 1), [card("Enlightenment", 0) | {"upgrades": 1}], None, "Clothesline (costs 1)", False),
        (card("Clothesline", 0), [card("Enlightenment", 0)], None, "Clothesline (costs 0 this turn)", True),
        (card("Clothesline", 1), [], "Confusion", "Clothesline (costs 1)", False),
        (card("Clothesline", 3), [], None, "Clothesline (costs 3)", False),
        (card("Blood for Blood", 2), [], None, "Blood for Blood (costs 2)", False),
        # Corruption makes Skills free without a change of the card.
        (card("Defend_R", 0), [], "Corruption", "Defend", True),
        (card("Whirlwind", -1), [], None, "Whirlwind", True),
        (card("AscendersBane", -2), [], None, "Ascender's Bane", False),
    ],
)
def test_costs_are_those_of_the_message(begun, tmp_path, in_hand, exhausted, power, hand, is_playable):
    content = message(*begun)
    combat = content["game_state"]["combat_state"]
    combat |= {"hand": [in_hand], "exhaust_pile": exhausted}
    combat["player"] |= {"energy": 0, "powers": [{"id": power, "amount": -1}] if power else []}

    fight, notes = read(tmp_path, content)
    game = SpireFight(fight.setup)

    assert fight.state.hand == {hand: 1}
    assert "Bash (costs 0 this turn)" not in fight.state.exhaust
    assert (
        any(game.action_name(move).startswith(hand) for move in game.actions(state_from_fight(fight, game)))
        == is_playable
    )
    assert any("cost 0 of Clothesline: this turn" in note for note in notes) == ("this turn" in hand)
