"""The answers of advice among the saved runs: their parts, their names, and what those mean."""

import pytest

from evodom.answers import BEST, GIVEN, META_KEY, PLAN, answers, default_key, find_answer, is_saved, real_key, resolved
from evodom.answers import shown_names as shown
from evodom.dominion.kingdom import FIRST_GAME, KINGDOMS, Kingdom, slug
from evodom.dominion.strategies.baselines import BASELINES
from evodom.errors import UsageError
from evodom.runs import Run, known_keys

CARDS = ("Chapel", "Gardens", "Witch", "Bureaucrat", "Library", "Market", "Moat", "Vassal", "Village", "Smithy")
TEN = Kingdom(CARDS)
ENDS = ("graded", "buylist", "network", "reply")


def save(root, key, end, kingdom, players=2, **meta):
    """Save a run without generations, as a part of an answer."""
    options = {"kingdom": list(kingdom.cards), "players": players}
    kind = {"kind": "train"} if end in ("network", "reply") else {}
    options |= {"model": {"graded": "graded", "buylist": "buy-list"}[end]} if not kind else {}
    Run.create(f"{key}{end}", kind | {"options": options, "seed": 1} | meta, [], root=root).close()


def answer(root, kingdom, players=2, ends=ENDS, key=None, note=None):
    """Save the runs of an answer, and return its key."""
    key = key or default_key(kingdom, players)
    for end in ends:
        save(root, key, end, kingdom, players, **({META_KEY: note} if end == "network" and note is not None else {}))
    return key


def names(root):
    return [one.name for one in answers(root)]


@pytest.mark.parametrize("ends", [ENDS, ("network",), ("graded", "buylist")])
def test_the_runs_of_an_answer_are_one_entry_under_the_name_of_the_kingdom(tmp_path, ends):
    answer(tmp_path, FIRST_GAME, ends=ends)
    Run.create("demo", {}, [], root=tmp_path).close()

    (found,) = answers(tmp_path)
    assert (found.name, found.key, found.players) == ("first-game", "adviseFirstGame", 2)
    assert sorted(run.key for run in found.runs.values()) == sorted(f"adviseFirstGame{end}" for end in ends)
    assert shown(tmp_path) == ["demo", "first-game"]


@pytest.mark.parametrize(
    ("players", "options", "name"),
    [
        (3, {"note": {GIVEN: ["Witch", "Chapel", "Gardens"]}}, "chapel-gardens-witch-3p"),
        (2, {}, "vassal-gardens-library"),  # without a note: its rarest cards
        (2, {"key": "mine"}, "mine"),
    ],
)
def test_a_kingdom_without_a_name_is_called_by_its_key_or_cards(tmp_path, players, options, name):
    answer(tmp_path, TEN, players, **options)

    assert names(tmp_path) == [name]


def test_names_that_answers_would_share_get_more_cards_until_they_differ(tmp_path):
    note = {GIVEN: ["Chapel", "Gardens", "Witch"]}
    answer(tmp_path, TEN, note=note)
    answer(tmp_path, Kingdom((*CARDS[:-1], "Bandit")), note=note)

    assert sorted(names(tmp_path)) == ["chapel-gardens-witch-bandit", "chapel-gardens-witch-vassal"]


@pytest.mark.parametrize("taken", ["first-game", "first-game-network"])
def test_a_name_that_a_run_has_is_left_to_the_run(tmp_path, taken):
    answer(tmp_path, FIRST_GAME)
    Run.create(taken, {}, [], root=tmp_path).close()

    assert names(tmp_path) == ["adviseFirstGame"]
    assert resolved(taken, tmp_path).word == taken


def test_runs_that_only_end_like_parts_are_no_answer(tmp_path):
    save(tmp_path, "mine", "network", TEN)
    save(tmp_path, "mine", "graded", TEN)
    save(tmp_path, "adviseFirstGame", "network", FIRST_GAME)
    save(tmp_path, "adviseFirstGame", "reply", FIRST_GAME, 4)
    save(tmp_path, "advisedeadbeef", "network", TEN)
    Run.create("network", {"kind": "train"}, [], root=tmp_path).close()

    (found,) = answers(tmp_path)
    assert [run.key for run in found.runs.values()] == ["adviseFirstGamenetwork"]
    assert shown(tmp_path) == sorted(set(known_keys(tmp_path)) - {"adviseFirstGamenetwork"} | {"first-game"})


def test_a_damaged_part_stays_a_part(tmp_path):
    answer(tmp_path, FIRST_GAME)
    (tmp_path / "runs" / "adviseFirstGamereply.sqlite").write_bytes(b"no run")

    (found,) = answers(tmp_path)
    assert found.runs["reply"].problem
    assert len(found.runs) == 4


@pytest.mark.parametrize(
    ("note", "best"),
    [
        (None, "adviseFirstGamereply:1"),
        ({GIVEN: []}, "adviseFirstGamenetwork:1"),
        ({BEST: "buylist:3"}, "adviseFirstGamebuylist:3"),
        ({BEST: "network@3:2"}, "adviseFirstGamenetwork@3:2"),
        ({BEST: "big-money"}, "big-money"),
        ({BEST: "a-run-of-the-user"}, "adviseFirstGamenetwork:1"),
        ({BEST: "../../x.py", PLAN: 3, GIVEN: {"a": 1}}, "adviseFirstGamenetwork:1"),
        ({BEST: ["reply:1"]}, "adviseFirstGamenetwork:1"),
    ],
)
def test_an_answer_is_the_strategy_that_was_noted(tmp_path, note, best):
    answer(tmp_path, FIRST_GAME, note=note)

    found = find_answer("first-game", tmp_path)
    assert found.best == best
    assert found.plan is None
    for word in ("first-game", "first-game:1", "adviseFirstGame"):
        assert resolved(word, tmp_path)[:2] == (best, "first-game")


def test_parts_are_reached_by_name_and_the_keys_of_runs_mean_what_they_did(tmp_path):
    answer(tmp_path, FIRST_GAME)

    assert resolved("first-game-buylist@2:3", tmp_path)[:2] == ("adviseFirstGamebuylist@2:3", "first-game-buylist@2:3")
    assert real_key("first-game-network", tmp_path) == "adviseFirstGamenetwork"
    for word in ("adviseFirstGamenetwork:2", "nosuch", "big-money"):
        assert resolved(word, tmp_path)[:2] == (word, word)
    assert is_saved("first-game", tmp_path)
    assert not is_saved("nosuch", tmp_path)


def test_an_answer_that_is_a_baseline_resolves_to_its_own_run_although_another_run_has_the_name(tmp_path):
    answer(tmp_path, FIRST_GAME, note={BEST: "smithy-duchies"})
    Run.create("smithy-duchies", {}, [], root=tmp_path).close()

    for word in ("first-game", "first-game:1", "adviseFirstGame"):
        assert real_key(word, tmp_path) == "adviseFirstGamebuylist"
    assert real_key("smithy-duchies", tmp_path) == "smithy-duchies"


@pytest.mark.parametrize("word", ["first-game:2", "first-game@1"])
def test_an_answer_has_no_ranks_and_no_generations(tmp_path, word):
    answer(tmp_path, FIRST_GAME)

    message = r"an answer is one strategy. Allowed: first-game, or of its parts: first-game-"
    with pytest.raises(UsageError, match=message):
        resolved(word, tmp_path)


def test_no_baseline_is_called_like_an_answer():
    assert not {slug(name) for name in KINGDOMS} & set(BASELINES)
