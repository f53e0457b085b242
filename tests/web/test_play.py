"""Games over the server: from the first request to the end, and whatever else pages may send."""

import json
import threading
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import fields

from benchmarks.serve import measure
from evodom.dominion.cards import CARDS, points_of
from evodom.dominion.kingdom import KINGDOMS
from evodom.dominion.strategies.baselines import BASELINES
from evodom.errors import EvodomError
from evodom.matches import playout_search as thinking
from evodom.reading import convert
from evodom.sessions.content import read_game
from evodom.sessions.files import games, write_session
from evodom.web.new_session import NewGame, setup_of
from tests.cli.program import run_program
from tests.crafted import save_evolved, save_learned
from tests.player_names import SERVED, WORDS, touched_files
from tests.sessions.helpers import write_signed

from .served import Player, Served

BODY = {"players": [{"person": "You"}, {"who": "big-money"}], "kingdom": "First Game", "seed": 1}


def play_on(player, rng, most=10_000):
    """Answer at random until the game is over, or so often; persons at one screen look before they choose."""
    for _ in range(most):
        if player.state["over"]:
            return
        if player.state["seat"] is None:
            player.look(player.state["asked"])
        player.choose(*player.answers(rng))


def match_of(served, player):
    return read_game(games(served.site.store.root).path / f"{player.state['name']}.json")


def test_a_whole_game_against_strategies_ends_as_the_engine_says(served, player):
    player.begin("@You", "random", "big-money-militia", kingdom="Militia, Chapel, Throne Room, Library", seed=3)
    play_on(player, np.random.default_rng(1))
    match = match_of(served, player)
    match.play_on()
    end = player.state["end"]
    assert [(one["place"], one["seat"], one["vp"]) for one in end["places"]] == [
        (place, seat, match.game.scores[seat]) for place, seat in match.game.standings
    ]
    assert end["seed"] == 3
    assert end["headline"].startswith("The game is over: ")
    assert games(served.site.store.root).saved()[0].over
    assert player.state["question"] is None


def test_the_command_told_at_the_end_plays_the_same_game_in_a_terminal(served, player):
    player.begin("big-money", "@You", kingdom="random", seed=11)
    play_on(player, np.random.default_rng(0))
    typed = "".join("0\n" if choice == "pass" else f"{choice}\n" for choice in match_of(served, player).choices)
    words = player.state["end"]["command"].split()
    result = run_program(*words[1:], "--data-dir", str(served.site.store.root / "other"), typed=typed)
    end = result.stdout[result.stdout.rindex("The game is over") :].splitlines()
    points = [line.split(" VP")[0].split()[-1] for line in end if " VP  " in line]
    assert sorted(map(int, points)) == sorted(one["vp"] for one in player.state["end"]["places"])


def test_the_page_and_the_terminal_go_on_with_the_same_games(served, player):
    player.begin("@You", "big-money", seed=7, name="both")
    player.choose("pass")
    turn = player.state["turn"]["number"]
    root = str(served.site.store.root)
    listed = run_program("play", "--list", "--data-dir", root).stdout
    assert any(line.split()[:3] == ["both", "turn", str(turn)] for line in listed.splitlines())
    run_program("play", "both", "--continue", "--data-dir", root, typed="0\n0\n")
    assert player.look()["turn"]["number"] == turn + 2

    player.begin("@Ann", "@Ben", seed=4, name="friends-only")
    result = run_program("play", "friends-only", "--continue", "--data-dir", root)
    assert result.exit_code == 2
    assert "2 people share 'friends-only'. Continue it in: evodom serve" in result.stderr


def test_several_cards_are_chosen_at_once(player):
    """Chapel is bought on turn 1 and played on the first turn it is drawn; then four cards go at once."""
    player.begin("@You", "big-money", kingdom="Chapel", seed=7)
    player.choose("Chapel")
    while player.state["question"]["kind"] != "play_action":
        player.choose("pass")
    player.choose("Chapel")
    asked = player.state["question"]
    assert (asked["most"], asked["least"], asked["zone"], asked["verb"]) == (4, 0, "hand", "trash")
    cards = [name for name, n in player.state["hand"] for _ in range(n)]
    player.choose(*cards[:2], "pass")
    assert sorted(cards[:2]) == sorted(name for name, n in player.state["trash"] for _ in range(n))


@pytest.mark.parametrize(("kingdom", "types"), [("Charlatan", ["Treasure", "Curse"]), ("Chapel", None)])
def test_a_game_has_the_faces_of_cards_that_its_kingdom_changes(player, kingdom, types):
    faces = player.begin("@You", "big-money", kingdom=kingdom, seed=7)["faces"]
    assert {face["name"]: set(face["types"]) for face in faces} == ({"Curse": set(types)} if types else {})
    assert all("$1" in face["lines"] and face["basic"] for face in faces)


def test_treasures_are_played_one_by_one_if_asked_for(player):
    player.begin("@You", "big-money", seed=7)
    player.treasures(ask=True)
    player.choose("pass")
    asked = player.state["question"]
    assert asked["kind"] == "play_treasure"
    assert sorted(asked["all"]) == sorted(["Copper"] * dict(player.state["hand"])["Copper"])
    player.choose(*asked["all"])
    assert player.state["question"]["kind"] == "buy"
    assert player.state["turn"]["coins"] == len(asked["all"])
    player.treasures(ask=False)
    assert not player.state["asksTreasures"]


def test_persons_at_one_screen_see_a_hand_only_when_it_is_theirs_to_choose(player):
    state = player.begin("@Ann", "@Ben", kingdom="Militia, Moat", seed=4)
    assert state["asked"] == 0
    assert state["seat"] is None
    assert not {"hand", "owned", "vp", "question"} & state.keys()
    assert "hand" not in player.look(1)
    player.look(0)
    assert [one["name"] for one in player.state["players"]] == ["You", "Ben"]
    player.choose("pass")
    assert (player.state["seat"], player.state["asked"]) == (None, 1)
    refused = player.served.post(f"{player.home}/choose", {"seat": 0, "at": player.state["at"], "names": ["pass"]})
    assert refused.status == 409
    assert refused.json == {"error": "Ben has to choose now."}
    play_on(player, np.random.default_rng(5))
    assert player.state["end"]["command"] == ""


def test_a_choice_is_taken_back_before_the_other_person_has_looked(player):
    player.begin("@Ann", "@Ben", kingdom="Militia", seed=4)
    asked = player.look(0)["question"]
    player.choose("pass")
    assert (player.state["asked"], player.state["canUndo"]) == (1, True)
    player.undo()
    assert player.state["asked"] == 0
    assert player.look(0)["question"] == asked


def test_the_champions_of_saved_runs_are_offered_and_play_in_their_kingdom(tmp_path):
    save_evolved(tmp_path, "evolved")
    save_learned(tmp_path, "learned")
    (tmp_path / "runs" / "damaged.sqlite").write_bytes(b"no run")
    with Served(tmp_path) as served:
        runs = served.get("/api/play/offers").json["runs"]
        assert [(run["key"], run["kingdom"], run["players"]) for run in runs] == [
            ("evolved", "First Game", 4),
            ("learned", "First Game", 4),
        ]
        player = Player(served)
        player.begin("@You", "evolved:1", "learned:2", kingdom=", ".join(runs[0]["cards"]))
        assert [one["name"] for one in player.state["players"]] == ["You", "evolved:1", "learned:2"]
        play_on(player, np.random.default_rng(0), most=5)
        body = BODY | {"players": [{"person": "You"}, {"who": "evolved:1"}], "kingdom": "Deck Top"}
        refused = served.post("/api/play/games", body)
        assert refused.status == 400
        assert refused.json["error"].startswith("run 'evolved' was made in First Game, not in Deck Top.")


def test_what_cannot_be_chosen_is_refused_and_changes_nothing(served, player):
    player.begin("@You", "big-money", seed=1)
    for names, why in (
        (["Province"], "Province costs $8, and you have $4."),
        (["Nonsense"], "'Nonsense' is no card of this game."),
        ([], "names is []. Allowed: a list of 1 to 60 items."),
        ([1], "names[0] is 1. Allowed: a text of at most 40 characters."),
    ):
        answer = served.post(f"{player.home}/choose", {"seat": 0, "at": 0, "names": names})
        assert (answer.status, answer.json) == (400, {"error": why})
        assert match_of(served, player).choices == []
    answer = served.post(f"{player.home}/choose", {"seat": 0, "at": 0, "names": ["Village", "Village"]})
    assert answer.json["news"] == ["Village was not taken: no more cards can be chosen."]


ODD = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=30), st.just("random"),
    st.sampled_from(["Chapel", "Chapel, Witch", "First Game", "network", "big-money", "network:1s", "a:1", "a@1:2"]),
)  # fmt: skip
PLAYERS = st.lists(
    st.one_of(ODD, st.dictionaries(st.sampled_from(["person", "who", "x"]), ODD, max_size=2)), max_size=7
)


@given(
    st.dictionaries(st.sampled_from([one.encode_name for one in fields(NewGame)]), st.one_of(ODD, PLAYERS)),
    st.one_of(ODD, PLAYERS),
)
def test_whatever_a_page_asks_for_is_a_game_or_refused_in_one_line(served, body, players):
    setup, why = None, ""
    try:
        setup = setup_of(convert(body | {"players": players}, NewGame), served.site)
    except EvodomError as error:
        why = str(error)
    assert "\n" not in why
    assert setup.people if setup else why


def test_no_name_that_a_page_or_a_saved_game_gives_a_player_reads_a_file_or_imports_a_module(
    served, player, tmp_path, monkeypatch
):
    player.begin("@You", "big-money", name="named")
    file = games(served.site.store.root).path / "named.json"
    content = json.loads(file.read_text())
    with touched_files(tmp_path, monkeypatch) as touched:
        for word in [*(word for word, kind in WORDS.items() if kind not in SERVED), "network:0s", "network:61s"]:
            content["players"][1] = {"name": "big-money", "strategy": None, "agent": word}
            write_signed(file, content)
            answers = [
                served.post("/api/play/games", BODY | {"players": [{"person": "You"}, {"who": word}]}),
                served.post("/api/tournaments", {"entrants": [word, "big-money-smithy"]}),
                served.get("/api/play/games/named"),
                served.post("/api/play/games/named/choose", {"seat": 0, "at": 0, "names": ["pass"]}),
            ]
            assert all(one.status == 400 and "\n" not in one.json["error"] for one in answers), (word, answers)
        content["players"][1]["agent"] = "mine.py:agent"
        write_signed(file, content)
        assert "names the agent" in served.get("/api/play/games/named").json["error"]
        listed = next(one for one in served.get("/api/play/games").json["games"] if one["name"] == "named")
        assert listed["terminal"] == "evodom play named --continue --trust-agent"
    assert touched == []


def test_while_the_engine_is_compiled_pages_are_there_and_say_so(tmp_path):
    go_on = threading.Event()

    def prepare(doing):
        doing("Compiling the engine")
        go_on.wait(20)

    with Served(tmp_path, prepare) as served:
        assert served.get("/play").status == 200
        answer = served.get("/api/play/games")
        assert answer.status == 200
        assert answer.json["state"] == "compiling"
        assert answer.json["doing"] == "Compiling the engine"
        assert 0 <= answer.json["seconds"] < 20
        assert served.post("/api/play/games", BODY).json["state"] == "compiling"
        assert not games(tmp_path).path.exists()
        assert served.get("/api/site").json["doing"] == "Compiling the engine"
        go_on.set()
        while served.get("/api/site").json["doing"]:
            time.sleep(0.01)
        assert served.get("/api/play/games").json == {"games": []}


def test_a_failure_to_compile_is_told(tmp_path):
    def prepare(doing):
        raise OSError("no space left")

    with Served(tmp_path, prepare) as served:
        while not served.site.problem:
            time.sleep(0.01)
        answer = served.get("/api/play/games")
        assert (answer.status, answer.json) == (500, {"error": "the engine could not be compiled: no space left"})


def test_what_can_be_chosen_for_a_game_names_every_card_kingdom_and_baseline(served):
    offers = served.get("/api/play/offers").json
    cards, baselines = ({one["name"]: one for one in offers[kind]} for kind in ("cards", "baselines"))
    assert [list(cards), list(baselines)] == [list(CARDS), list(BASELINES)]
    assert [one["name"] for one in offers["kingdoms"]] == list(KINGDOMS)
    assert baselines["gardens-rush"]["needs"] == ["Gardens", "Workshop"]
    assert cards["Village"]["lines"] == ["+1 Card", "+2 Actions"]


def test_a_hint_tells_the_chances_of_choices_and_what_opponents_would_do(player):
    player.begin("@You", "big-money", seed=1)
    body = {"seat": 0, "at": 0}
    found = player.served.post(f"{player.home}/hint", body).json
    assert {one["name"] for one in found["chances"]} <= {*player.state["question"]["choices"], "pass"}
    assert all(one["low"] <= one["share"] <= one["high"] < one["low"] + 0.2 for one in found["chances"])
    assert found["hints"] == [{"name": "big-money", "shares": [["Silver", 1.0]]}]
    assert player.served.post(f"{player.home}/hint", body).json == found
    assert player.served.post(f"{player.home}/hint", body | {"at": 3}).status == 409


def test_the_game_is_shown_turn_by_turn_and_deck_lists_are_public(served, player):
    player.begin("@You", "random", "big-money-militia", kingdom="Militia, Chapel, Cellar, Moat", seed=2)
    rng, first_of = np.random.default_rng(2), {}
    for _ in range(40):
        if player.state["turn"]["seat"] == 0:
            first_of.setdefault(player.state["log"][-1]["index"], player.state)
        player.choose(*player.answers(rng))
    names = ("supply", "players", "trash", "hand", "owned", "turn", "log")
    for index, then in first_of.items():
        if index:
            found = served.get(f"{player.home}/step?turn={index - 1}").json
            assert (found["step"], found["of"]) == (index - 1, player.state["log"][-1]["index"] + 1)
            assert {name: found[name] for name in names} == {name: then[name] for name in names}
    for words in ("turn=9999", "turn=-1", "turn=x", ""):
        assert served.get(f"{player.home}/step?{words}").status == 400
    match = match_of(served, player)
    match.play_on()
    for seat, one in enumerate(player.state["players"]):
        assert dict(one["cards"]) == dict(match.game.owned(seat))
        assert one["vp"] == points_of(match.game.owned(seat))


def test_of_several_persons_none_sees_an_earlier_hand_of_another(served, player):
    player.begin("@Ann", "@Ben", seed=2)
    player.look(player.state["asked"])
    player.choose("pass")
    found = served.get(f"{player.home}/step?turn=0").json
    assert found["seat"] is None
    assert "hand" not in found


def test_a_review_shows_each_dear_choice_on_its_position(served, player, monkeypatch):
    for name, n in (("", 20), ("RECHECK_", 50), ("CHANCES_", 20), ("EFFECTS_", 20)):
        monkeypatch.setattr(thinking, f"{name}PLAYOUTS", n)
    monkeypatch.setattr(thinking, "N_RECHECKED", 2)
    player.begin("@You", "big-money-ultimate", seed=2, kingdom="First Game")
    assert served.post(f"{player.home}/review", {"seat": 0}).status == 409
    play_on(player, np.random.default_rng(3), most=3)
    match = match_of(served, player)
    match.play_on()
    while match.decision is not None:  # the opponent takes the Provinces
        match.choose("pass" if match.decision.optional else match.decision.consequences[0].name)
        match.play_on()
    write_session(games(served.site.store.root).path / f"{player.state['name']}.json", match)
    found = served.post(f"{player.home}/review", {"seat": 0}).json
    while "mistakes" not in found:
        assert found.keys() == {"done", "of"}, found
        time.sleep(0.01)
        found = served.post(f"{player.home}/review", {"seat": 0}).json
    assert np.array(found["chances"]).sum(axis=0) == pytest.approx(1)
    assert found["over"]
    curve = np.array(found["chances"][found["seat"]])
    parts = found["split"]["changes"]
    assert np.sum([parts["own"], parts["others"], parts["luck"]], axis=0) == pytest.approx(np.diff(curve))
    assert sum(one["sum"] for one in found["split"]["sums"]) == pytest.approx(curve[-1] - curve[0])
    assert len(found["mistakes"]) == int(found["summary"].split()[0])
    for one in found["mistakes"]:
        assert one["lost"] > 0
        assert str(one["position"]["turn"]["number"]) == one["turn"]
        assert {one["choiceName"], one["bestName"]} <= {*one["position"]["question"]["choices"], "pass"}
    one, home = found["mistakes"][0], player.home
    begun = served.post(f"{home}/play-from", {"seat": 0, "number": one["number"]}).json
    assert begun["name"] != player.state["name"]
    assert (begun["at"], begun["question"]) == (one["number"], one["position"]["question"])
    refused = served.post(f"{home}/play-from", {"seat": 0, "number": 10**5})
    assert (refused.status, "Allowed: 0 to " in refused.text) == (400, True)


def test_many_games_at_once_are_played_without_an_error(served):
    clients = measure(served.port, 8, ["network"], n_moves=4, think=0)
    assert [problem for client in clients for problem in client.problems] == []
    assert sum(len(client.times) for client in clients) == 8 * 4
