"""`evodom spire route`: the best route drawn, listed and told, and one line for what cannot be."""

import json
import shlex
import sys

import pytest
from click.testing import CliRunner

from evodom.cli.spire import spire
from evodom.errors import UsageError
from evodom.presentation.documents.route import _next_rooms
from evodom.spire.map import Room
from evodom.spire.map.act import Node
from evodom.spire.route import RISK, find_routes
from evodom.spire.route.query import RouteQuery
from tests.cli.program import once, run_program
from tests.spire.route.maps import FOLDER, from_file
from tests.spire.test_current_run import encoded, message, path_to, save, write

SEED, SEED_TEXT = "673465884448", "AGCK93XT"
NOTEBOOK = FOLDER / f"{SEED}_Act1.json"


def run(*arguments):
    return CliRunner().invoke(spire, ["route", *arguments], catch_exceptions=False)


def page(*arguments):
    return json.loads(run(*arguments, "--json").stdout, parse_constant=pytest.fail)


def both(*arguments):
    """Return the page and the text of a route that is searched once for both."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RouteQuery, "answer", once(RouteQuery.answer))
        return page(*arguments), run(*arguments).stdout


@pytest.mark.parametrize(
    ("options", "value", "n_optimal"),
    [
        (("--preferences", "rank"), 48, 1),
        (("--tolerance", "1"), 480, 1),
        ((), 357.5, 2),
        (("--tolerance", "0"), 265, 2),
        (("--preferences", "monster=3,elite=5,event=2,rest=4,shop=1"), 48, 1),
    ],
)
@pytest.mark.parametrize("source", [SEED, SEED_TEXT, str(NOTEBOOK)])
def test_the_notebooks_values_come_from_its_seed_and_from_its_file(source, options, value, n_optimal):
    told = page(source, *options)

    assert (told["value"]["value"], told["optimal"], told["paths"]) == (value, n_optimal, 77)


def test_the_best_route_is_marked_on_the_map_and_its_rooms_are_told():
    text = run(SEED).stdout
    best = find_routes(from_file(f"{SEED}_Act1"), RISK.at_tolerance(0.5)).best[0]

    assert text.startswith("Act 1 of seed 673465884448 (AGCK93XT), ascension 20\n")
    assert text.count("[") == len(best.path) + 1  # and once in the legend
    assert "Value   357.5   2 of 77 paths" in text
    columns = next(line for line in text.splitlines() if line.startswith("Column"))
    letters = next(line for line in text.splitlines() if line.startswith("Room "))
    assert columns.split()[1:] == [str(node.x) for node in best.path]
    assert letters.split()[1:] == [room.letter for room in best.rooms]
    assert max(map(len, text.splitlines())) <= 80


def test_rules_are_kept_and_told():
    options = ["--at-most", "1 elite", "--at-least", "1 shop before 9", "--through", "1,12", "--avoid", "1,15"]
    told = page(SEED, *options)

    path = told["routes"][0]["path"]
    assert told["rules"] == ["at least 1 shop before floor 9", "at most 1 elite", "through 1,12", "avoid 1,15"]
    assert len([room for room in path if room["class"] == "MonsterRoomElite"]) == 1
    assert [room["y"] for room in path if room["class"] == "ShopRoom" and room["y"] < 8]
    assert (path[11]["x"], path[14]["x"]) == (1, 0)
    assert [room["floor"] for room in path] == list(range(1, 16))

    none = page(SEED, "--tolerance", "1", "--at-most", "0 elites")
    assert none["rules"] == ["at most 0 elites"]
    assert "MonsterRoomElite" not in [room["class"] for room in none["routes"][0]["path"]]
    sought, shunned = (page(SEED, option, "burning")["routes"][0]["path"] for option in ("--through", "--avoid"))
    assert sought[12]["x"] == 5 != shunned[12]["x"]


def test_the_best_routes_are_listed_by_value():
    told, text = both(SEED, "--best", "4")
    lines = text.split("Best  value")[1].splitlines()

    values = [route["value"]["value"] for route in told["routes"]]
    assert values == sorted(values, reverse=True)
    assert [line.split()[1] for line in lines[1:5]] == [f"{value:g}" for value in values]


def test_all_tolerances_are_told_with_exact_bounds():
    told, text = both(SEED, "--tolerances")

    bounds = [(one["low"]["exact"], one["high"]["exact"]) for one in told["tolerances"]]
    assert bounds == [("0", "1/4"), ("1/4", "2/3"), ("2/3", "1")]
    assert "1/4 to 2/3  255 + 205 t" in text


def test_with_hp_the_route_is_survived_and_other_starts_are_told():
    told, text = both(SEED, "--player-hp", "66")

    path = told["routes"][0]["path"]
    assert path[0]["hp"] == 66 - 8
    assert min(room["hp"] for room in path) > 0
    assert [told["hp"]["starts"][0][key] for key in ("low", "high", "route")] == [1, 44, None]
    assert told["hp"]["starts"][-1]["high"] == told["hp"]["max_hp"] == 75
    assert page(SEED, "--player-hp", "66", "--ascension", "13")["hp"]["max_hp"] == 80
    assert "1 to 44 no route survives" in [" ".join(line.split()) for line in text.splitlines()]
    assert text.count("\nHP ") == 1


def test_hp_changes_and_their_maximum_can_be_given():
    told = page(SEED, "--player-hp", "90", "--hp-changes", "monster=-1,rest=5", "--max-hp", "95")

    assert told["hp"]["changes"] == {"monster": -1, "rest": 5}
    assert [room["hp"] for room in told["routes"][0]["path"]][:2] == [89, 88]


@pytest.fixture
def deck(tmp_path):
    file = tmp_path / "fight.toml"
    file.write_text('enemies = "cultist"\nascension = 15\nhp = 60\ndeck = "5 Strike+, 5 Defend+, 3 Whirlwind+"\n')
    return str(file)


QUICK = ("--samples", "2", "--simulations", "3", "--seed", "1", "--jobs", "1", "--quiet")


def test_what_fights_cost_with_a_deck_is_searched(deck):
    told = page(SEED, "--deck", deck, *QUICK, "--hp-changes", "elite=-7, event=-1")
    costs = told["fights"]["costs"]

    assert told["title"].endswith("ascension 15")
    assert told["rules"] == ["survive with 60 HP"]
    assert list(costs) == ["weak", "monster", "elite", "boss"]
    searched = {room: -round(cost["hp"]["mean"]) for room, cost in costs.items()}
    assert told["hp"]["changes"] == searched | {"elite": -7, "event": -1, "rest": 22}
    assert 0 <= told["fights"]["won_with_boss"]["mean"] <= told["fights"]["won"]["mean"] <= 1
    # A change for monsters holds for the first three unless they have their own.
    for text, weak in (("monster=-1", -1), ("monster=-1, weak=-2", -2)):
        changes = page(SEED, "--deck", deck, *QUICK, "--hp-changes", text)["hp"]["changes"]
        assert (changes["weak"], changes["monster"]) == (weak, -1)


@pytest.fixture(scope="module")
def deadly(tmp_path_factory):
    """The page and the lines of a deck whose best route by mean costs is deadlier than the best without elites."""
    file = tmp_path_factory.mktemp("deck") / "deadly.toml"
    deck = "Bash, 5 Strike, 4 Defend, Ascender's Bane, Pommel Strike, Shrug It Off, Uppercut"
    file.write_text(f'enemies = "Cultist"\nhp = 68\nmax_hp = 75\ndeck = "{deck}"\n')
    told, text = both(SEED_TEXT, "--deck", str(file), *shlex.split("--samples 6 --simulations 10 --seed 11 --quiet"))
    return told, text.splitlines()


def test_the_route_with_the_most_survivors_is_proposed(deadly):
    told, _ = deadly
    first, second = told["routes"]

    assert first["survived"]["mean"] > second["survived"]["mean"]
    assert first["value"]["value"] < second["value"]["value"] == told["value"]["value"]
    assert "MonsterRoomElite" not in {node["class"] for node in first["path"]}
    assert "MonsterRoomElite" in {node["class"] for node in second["path"]}
    assert told["fights"]["won"] == first["survived"]
    for one in told["routes"]:
        assert sum(death["runs"] for death in one["deaths"]) == round(6 * (1 - one["survived"]["mean"]))
        assert one["path"][-1]["alive"] == one["survived"]["mean"]


def test_the_share_of_survivors_is_the_headline_and_deaths_are_located(deadly):
    told, lines = deadly

    assert "2 routes by risk, tolerance 0.5" in lines[1]
    share = told["routes"][0]["survived"]
    shares = f"{100 * share['mean']:.1f} % ({100 * share['low']:.1f} to {100 * share['high']:.1f})"
    assert lines[2].endswith(f": {shares}, {round(6 * share['mean'])} of 6 simulated runs")
    deaths = "\n".join(lines).split("Deaths: ")[1].split("Survive the boss")[0].replace("\n ", "")
    assert [death.strip() for death in deaths.split(",")] == [
        f"{death['encounter']} (floor {death['floor']}) {death['runs']}" for death in told["routes"][0]["deaths"]
    ]
    assert "survive with 68 HP" not in "\n".join(lines)


def test_the_k_best_routes_are_simulated_one_without_elites_and_the_one_that_costs_least_hp(deck):
    told = page(SEED, "--deck", deck, *QUICK, "--best", "3")

    assert 3 <= len(told["routes"]) <= 5
    changes = {name: n for name, n in told["hp"]["changes"].items() if name in ("monster", "elite", "event", "rest")}
    spelled = ",".join(f"{name}={n}" for name, n in changes.items())
    cheapest = page(SEED, "--ascension", "15", "--preferences", spelled)["routes"][0]
    rooms = [[node["class"] for node in route["path"]] for route in told["routes"]]
    by_letter = {Room[name.upper()].value: n for name, n in changes.items()}
    assert max(sum(by_letter.get(room, 0) for room in route) for route in rooms) == cheapest["value"]["value"]


def test_searched_costs_can_be_given_again_without_a_search(deck):
    told, text = both(SEED, "--deck", deck, *QUICK, "--player-hp", "70")
    again = page(SEED, "--ascension", "15", *shlex.split(text.splitlines()[-1]))

    assert "begun with 70 HP" in text
    assert again["hp"] == told["hp"]
    assert again["value"] == told["value"]


def test_a_deck_that_dies_on_every_way_is_told_what_fights_cost(tmp_path):
    weak = tmp_path / "weak.toml"
    weak.write_text('enemies = "cultist"\nascension = 15\nhp = 60\ndeck = "2 Strike, 4 Defend"\n')

    result = run_program("spire", "route", SEED, "--deck", str(weak), *QUICK, "--player-hp", "5")

    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (1, "", 1)
    assert "lets you survive with 5 HP" in result.stderr
    assert "Fights with this deck cost: weak " in result.stderr


AFTER = "  After 5,7 (monster: to 6,8 in 73% or to 5,8 in 27%)"


@pytest.mark.parametrize(
    ("seed", "act", "line"), [("2", "1", ""), pytest.param("4", "2", AFTER, marks=pytest.mark.full)]
)
def test_event_rooms_may_be_something_else(seed, act, line):
    told, text = both(seed, "--act", act, "--tolerance", "0", "--events")
    game = told["events"]

    assert game["chances"] == "game"
    assert game["expected"]["value"] > game["expected_of_route"]["value"]
    assert sum(one["probability"] for one in game["results"]) == pytest.approx(1)
    mean = sum(one["probability"] * one["value"]["value"] for one in game["results"])
    assert mean == pytest.approx(game["expected"]["value"])
    assert line in text


def test_the_rooms_after_an_event_room_have_their_chances():
    assert _next_rooms({Node(6, 7): 0.73, Node(5, 7): 0.27}) == "to 6,8 in 73% or to 5,8 in 27%"


def test_chances_of_yours_replace_the_games():
    told = page(SEED, "--event-chances", "monster=100%", "--preferences", "monster=1")

    assert told["events"]["expected"]["value"] == max(
        sum(room["class"] in ("MonsterRoom", "EventRoom") for room in route["path"])
        for route in page(SEED, "--preferences", "monster=1,event=1")["routes"]
    )
    assert "the same for all outcomes" in run(SEED, "--event-chances", "monster=100%").stdout


def test_a_file_says_what_rooms_are_worth(tmp_path):
    file = tmp_path / "taste.toml"
    file.write_text("[value]\nelite = 10\n[risk]\nelite = 4\n[hp]\nmonster = -1\n[events]\nmonster = 0.5\n")

    told = page(SEED, "--preferences", str(file), "--tolerance", "0.25", "--player-hp", "20", "--events")

    assert told["value"]["value"] % 7 == 0
    assert told["hp"]["changes"] == {"monster": -1}
    assert told["events"]["chances"]["monster"]["exact"] == "1/2"


def test_the_linear_program_agrees():
    told = page(SEED, "--method", "lp", "--at-most", "1 elite")

    assert told["linear_program"]["value"] == pytest.approx(told["value"]["value"])
    assert (told["linear_program"]["rows"], told["linear_program"]["columns"]) == (65, 76)
    assert "64 rows, 76 columns" in run(SEED, "--method", "lp").stdout


def test_the_fourth_act_and_negative_seeds_have_routes():
    assert page("-5", "--act", "4")["paths"] == 1
    assert "the only path" in run("-5", "--act", "4").stdout


def test_the_picture_has_the_path(tmp_path):
    file = tmp_path / "route.svg"

    assert f"Picture: {file}" in run(SEED, "--save", str(file)).stderr
    assert file.read_text().count('class="room on"') == 16  # 15 rooms and the boss


def test_without_scipy_only_the_linear_program_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)

    result = run_program("spire", "route", SEED, "--method", "lp")

    assert result.exit_code == 1
    assert "evodom[routes]" in result.stderr
    assert run(SEED, "--at-most", "2 elites", "--best", "2").exit_code == 0


def test_the_route_of_a_run_begins_at_its_room_with_its_hp(tmp_path):
    file = write(tmp_path, message(8, relics=[{"id": "Shovel"}]))
    told, result = page(file), run(file, "--events")

    here, path = path_to(8)[-1], told["routes"][0]["path"]
    assert told["here"] == {"x": here.x, "y": 8, "floor": 9}
    assert (path[0]["floor"], path[0]["hp"], told["hp"]["max_hp"]) == (10, 70, 80)
    assert result.stdout.startswith("IRONCLAD.autosave: act 1, floor 9, boss The Guardian; 78 of 80 HP, 9 gold\n")
    assert result.stdout.count("[") == len(path) + 2  # the room of the player, and the legend
    assert result.stderr.endswith("Not counted at rest sites: dig, the result of Shovel is random.\n")
    assert page(file, "--player-hp", "50")["hp"]["hp"] == 50


def test_an_autosave_is_named_by_an_option_or_as_the_file(tmp_path):
    file = write(tmp_path, encoded(save(5)))
    told = page("--save-file", file)

    assert told == page(file)
    assert [(room["floor"], room["hp"]) for room in told["routes"][0]["path"]][:1] == [(6, 75)]  # 22 + 15 HP
    assert told["routes"][0]["path"][0]["class"] == "RestRoom"


def test_routes_of_a_run_are_simulated_with_its_deck_on_request(tmp_path):
    told = page(write(tmp_path, encoded(save(11))), *QUICK)

    assert (told["fights"]["hp"], len(told["routes"][0]["path"])) == (50, 4)
    assert list(told["fights"]["costs"]["boss"]["encounters"]) == ["Hexaghost"]
    assert told["routes"][0]["survived"]["mean"] == 1  # an event, a rest site, an event and a rest site


def test_a_run_that_no_route_survives_by_rough_costs_gets_a_route_without_hp(tmp_path):
    result = run(write(tmp_path, message(3, current_hp=2)))

    assert "\nHP " not in result.stdout
    assert "survive with 2 HP: it takes" in result.stderr
    assert "These are rough costs: HP are left out. --samples 100 simulates the fights." in result.stderr


def test_routes_of_another_character_are_refused(tmp_path):
    for content in (message(3, **{"class": "DEFECT"}), save(3, cards=[{"id": "Strike_G"}])):
        with pytest.raises(UsageError, match="the run is of another character"):
            run(write(tmp_path, content))


def test_simulated_routes_are_of_act_1(tmp_path):
    file = write(tmp_path, save(0, act_num=2, floor_num=17, room_y=-1, path_x=[], path_y=[]))

    assert page(file)["routes"][0]["path"][0]["floor"] == 1
    with pytest.raises(UsageError, match="Simulated routes are of act 1, and this is act 2"):
        run(file, "--samples", "2")
