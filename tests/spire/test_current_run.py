"""The run in progress: messages of CommunicationMod, and autosaves that are encoded here as the game does."""

import json
from base64 import b64encode
from itertools import cycle

import pytest

from evodom.errors import UsageError
from evodom.spire.current_run import read_current_run
from evodom.spire.fights.names import find_enemies
from evodom.spire.map import Room, generate, map_from_json
from evodom.spire.route import GAME_CHANCES, RISK
from evodom.spire.route.parsing import RoutePreferences
from evodom.spire.route.query import RouteQuery
from tests.spire.map.test_files import message as message_of_map

SEED = 673465884448
ACT_MAP = generate(SEED)


def path_to(row):
    """Return the leftmost path to a row."""
    path = [ACT_MAP.starts[0]]
    while len(path) <= row:
        path.append(ACT_MAP.successors[path[-1]][0])
    return path


def save(row=5, **changes):
    """Return an autosave written on entering a room."""
    path = path_to(row)
    fought = sum(ACT_MAP.rooms[node] is Room.MONSTER for node in path[:-1])
    return {
        "name": "Müller", "current_health": 50, "max_health": 75, "gold": 99, "ascension_level": 20, "seed": SEED,
        "cards": [{"id": "Strike_R", "upgrades": 0, "misc": 0}] * 5 + [{"id": "Bash", "upgrades": 1, "misc": 0}],
        "relics": ["Burning Blood", "Nunchaku", "Regal Pillow", "Lizard Tail", "Girya", "Omamori"],
        "relic_counters": [-1, 7, -1, -2, 1, 2], "potions": ["Fire Potion", "Potion Slot"],
        "act_num": 1, "floor_num": row + 1, "room_x": path[-1].x, "room_y": path[-1].y,
        "path_x": [node.x for node in path], "path_y": [node.y for node in path],
        "current_room": f"com.megacrit.cardcrawl.rooms.{ACT_MAP.rooms[path[-1]].value}", "post_combat": False,
        "boss": "Hexaghost", "monster_list": ["2 Louse"] * (16 - fought), "elite_monster_list": ["3 Sentries"] * 10,
        "is_final_act_on": True, "has_ruby_key": False, "has_emerald_key": False,
        "event_chances": [0.0, 0.3, 0.14999999, 0.02], "is_daily": False, "daily_mods": [], "custom_mods": None,
    } | changes  # fmt: skip


def encoded(content):
    """Return the text of an autosave."""
    return b64encode(bytes(a ^ b for a, b in zip(json.dumps(content).encode(), cycle(b"key")))).decode()


def message(row=5, **changes):
    """Return a message of CommunicationMod with the map open after a room."""
    here = path_to(row)[-1]
    nexts = [{"x": node.x, "y": node.y} for node in ACT_MAP.successors[here]]
    state = message_of_map(ACT_MAP)["game_state"] | {
        "screen_state": {"current_node": {"x": here.x, "y": here.y, "symbol": "M"}, "next_nodes": nexts},
        "current_hp": 78, "max_hp": 80, "class": "IRONCLAD", "act_boss": "The Guardian", "floor": row + 1, "gold": 9,
        "deck": [{"id": "Bash", "upgrades": 0}], "room_type": ACT_MAP.rooms[here].value, "room_phase": "COMPLETE",
        "relics": [{"id": "Coffee Dripper", "counter": -1}], "potions": [{"id": "Potion Slot"}, {"id": "Elixir"}],
    }  # fmt: skip
    return {"in_game": True, "game_state": state | changes}


def write(folder, content):
    """Write a file of the game, JSON unless the content is a text. Return its name."""
    file = folder / "IRONCLAD.autosave"
    file.write_text(content if isinstance(content, str) else json.dumps(content))
    return str(file)


@pytest.fixture
def read(tmp_path):
    return lambda content: read_current_run(write(tmp_path, content))


def query(chances=None):
    return RouteQuery(ACT_MAP, RoutePreferences(RISK), chances=chances)


@pytest.mark.parametrize("form", [encoded, json.dumps])
def test_an_autosave_has_the_player_and_the_place(read, form):
    run = read(form(save(5)))
    player = run.player()

    assert run.act_map == map_from_json(form(save(5))) == ACT_MAP
    assert run.text() == "act 1, floor 6, boss Hexaghost; 50 of 75 HP, 99 gold"
    assert run.here() == path_to(5)[-1]
    assert (player.deck, player.hp, player.max_hp, player.ascension) == ({"Strike": 5, "Bash+": 1}, 50, 75, 20)
    assert player.relics == ("Burning Blood", "Nunchaku", "Regal Pillow", "Girya")  # Lizard Tail is used up
    assert (player.potions, player.idle) == (("Fire Potion",), ("Omamori",))
    assert player.counters == {"Nunchaku": 7, "Girya": 1}
    assert run.can_recall()
    assert run.chances(None).initial_memory == (2, 4, 0)
    assert read(form(save(has_emerald_key=True))).act_map.burning is None
    assert not read(form(save(has_ruby_key=True))).can_recall()


def test_routes_begin_at_the_room_of_an_autosave_and_after_a_won_fight(read):
    for row in range(15):
        before, after = (read(encoded(save(row, post_combat=done))) for done in (False, True))
        here = path_to(row)[-1]
        assert before.next_rooms() == (here,)
        assert before.n_monsters() == sum(ACT_MAP.rooms[node] is Room.MONSTER for node in path_to(row)[:-1])
        if row < 14:
            assert after.next_rooms() == ACT_MAP.successors[here]
    assert read(save(0, room_x=0, room_y=-1, floor_num=0, path_x=[], path_y=[])).next_rooms() == ACT_MAP.starts
    for done in (save(14, post_combat=True), save(14, room_x=-1, room_y=15), message(14)):
        with pytest.raises(UsageError, match="no room is left before the boss of act 1"):
            read(done).next_rooms()


@pytest.mark.parametrize("row", range(14))
def test_routes_begin_at_the_next_rooms_of_a_message_with_its_hp_and_relics(read, row):
    run = read(message(row))
    asked = run.route_query(query(GAME_CHANCES))
    answer = asked.answer()

    here = path_to(row)[-1]
    assert asked.act_map.starts == run.next_rooms() == ACT_MAP.successors[here]
    assert all(route.path[0] in ACT_MAP.successors[here] for route in answer.routes.best)
    assert (answer.health.hp, answer.health.max_hp, answer.health.changes[Room.REST]) == (78, 80, 0)
    assert (asked.relics, asked.n_cards, asked.previous) == (("Coffee Dripper",), 1, ACT_MAP.rooms[here])
    assert asked.chances.outcomes((0, 0, 0), None) == GAME_CHANCES.outcomes((0, 0, 0), asked.previous)
    assert run.player().potions == ("Elixir",)


def test_wing_boots_open_rooms_without_an_edge(read):
    far = ACT_MAP.ends[-1]
    state = message(13)["game_state"]["screen_state"] | {"next_nodes": [{"x": far.x, "y": far.y}]}

    assert read(message(13, screen_state=state)).route_query(query()).answer().proposed.path == (far,)


def test_monster_rooms_so_far_are_counted_or_estimated(read):
    lament = [{"id": "NeowsBlessing", "counter": 1}]

    assert read(message(5, relics=lament)).n_monsters() == 2
    assert [read(message(5, relics=[lament[0] | {"counter": n}])).n_monsters() for n in (10, 0, -1)] == [0, 4, 4]
    assert [read(save(5, monster_list=["2 Louse"] * n)).n_monsters() for n in (0, 10, 17)] == [5, 5, 0]
    assert [read(message(row)).n_monsters() for row in (0, 3, 13)] == [1, 3, 6]
    left = {2: ["Chosen"] * 13, 3: ["Maw"] * 13}
    acts = (save(act_num=act, path_x=[], path_y=[], monster_list=monsters) for act, monsters in left.items())
    assert [read(one).n_monsters() for one in acts] == [2, 2]


def test_the_fight_is_that_of_the_room_or_the_boss(read):
    assert [read(save(row)).encounter() for row in (0, 5, 6)] == ["2 Louse", "Hexaghost", "3 Sentries"]
    assert read(save(0, post_combat=True)).encounter() == "Hexaghost"
    assert read(message()).encounter() == "The Guardian"
    turned = read(save(5, current_room="com.megacrit.cardcrawl.rooms.MonsterRoom"))
    assert (turned.encounter(), turned.route_query(query()).act_map.rooms[turned.here()]) == ("2 Louse", Room.MONSTER)
    assert all(map(find_enemies, ("2 Louse", "3 Louse", "2 Fungi Beasts", "3 Sentries", "Slime Boss")))


@pytest.mark.parametrize(
    ("content", "refusal"),
    [
        ("no autosave", r"is not JSON: .* and no autosave"),
        (b64encode(b"anything").decode(), r"is not JSON: .* and no autosave"),
        (encoded(save())[:-200], r"is not JSON: .* and no autosave .* Copy the autosave again, or save a message\.$"),
        (encoded(save(seed=2**64)), "is not a map: an integer has more than 64 bits. Copy the autosave again"),
        (save(act_num=5), "there are acts 1 to 4, got 5"),
        (save(current_health=0), "current_hp is 0. Allowed: 1 to 999"),
        (save(current_health=76), "76 HP are above the maximum, 75"),
        (save(floor_num=61), "floor is 61. Allowed: 0 to 60"),
        (save(gold=-1), "gold is -1. Allowed: 0 or more"),
        (message() | {"in_game": False}, "in_game is false, or game_state is missing: no run is in progress"),
        (save(relics="Anchor"), "relics is 'Anchor'. Allowed: a list"),
        (save(is_daily=True), "the run is a daily, custom or endless one. Allowed: a run of the standard mode"),
        (save(daily_mods=["Hoarder"]), "the run is a daily, custom or endless one"),
        (save(custom_mods=["Draft"]), "the run is a daily, custom or endless one"),
        (save(is_endless_mode=True), "the run is a daily, custom or endless one"),
        (save(seed=1), "the map of seed 1 has no room 0,1 .* Runs with modifiers, such as daily climbs"),
        (save(cards=[{"id": "Strike_G"}]), "the run is of another character. Allowed: IRONCLAD"),
        (message(**{"class": "DEFECT"}), "the run is of another character. Allowed: IRONCLAD"),
        (save(cards=[{"id": "Bash"}, {"id": "Blur"}]), r"not supported: 'Blur' \(not in the tables\)"),
        (save(act_num=2, path_x=[], path_y=[]), "the run is in act 2. Fights of act 1 are supported"),
        (message(combat_state={}), "the run is in a fight. Use --fight FILE for it"),
        (message(screen_state={}), "the message lacks your room. Open the map in the game"),
    ],
)
def test_other_runs_are_refused_in_one_line(read, content, refusal):
    def facts():
        run = read(content)
        return run.player(), run.encounter(), run.next_rooms()

    with pytest.raises(UsageError, match=refusal) as error:
        facts()

    assert "\n" not in str(error.value)
