"""What a user types for a strategy, and what it means."""

import numpy as np
import pytest

from evodom.dominion.kingdom import parse_kingdom
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.files import dump_strategy
from evodom.entrants import find_entrants, own_kingdom
from evodom.errors import RunError, UsageError
from evodom.evolution.runs import champions
from evodom.runs import Run


@pytest.fixture
def find(root):
    return lambda *words, kingdom=None: find_entrants(words, root=root, kingdom=kingdom)


def same(a, b):
    return a.tobytes() == b.tobytes()


def test_a_key_is_the_champion_of_its_last_generation(find, root):
    with Run.open("demo", root=root) as run:
        best = champions(run, 3)

    found = find("demo", "demo:3").entrants
    assert [entrant.name for entrant in found] == ["demo", "demo:3"]
    assert same(found[0].strategy, best[0])
    assert same(found[1].strategy, best[2])


def test_an_at_sign_chooses_the_generation(find, root):
    with Run.open("demo", root=root) as run:
        first, second = champions(run, 2, run.generation(0))

    found = find("demo@0", "demo@0:2").entrants
    assert same(found[0].strategy, first)
    assert same(found[1].strategy, second)


def test_two_ways_to_say_the_same_have_one_origin(find):
    entrants = find("demo", "demo:1", "demo@2", "demo@1", "demo:2").entrants

    assert len({entrant.origin for entrant in entrants[:3]}) == 1
    assert len({entrant.origin for entrant in entrants}) == 3


def test_a_baseline_is_made_for_the_kingdom(find):
    cards = parse_kingdom("deck-top")
    field = find("big-money-laboratory", kingdom=cards)

    assert same(field.entrants[0].strategy, baseline("big-money-laboratory", cards))
    assert field.kingdom == cards


def test_the_kingdom_is_that_of_the_runs_else_the_first_game(find):
    assert find("big-money", "other").kingdom.name == "Deck Top"
    assert find("big-money", "random").kingdom.name == "First Game"


def test_the_kingdom_may_be_given_if_it_is_that_of_the_runs(find):
    given = parse_kingdom("deck-top")
    assert find("other", "big-money", kingdom=given).kingdom == given


def test_players_are_those_of_the_runs(find):
    assert find("demo", "big-money").players == 4
    assert find("duel").players == 2
    assert find("big-money").players is None


def test_a_run_named_like_a_baseline_is_reached_by_rank(find):
    with pytest.raises(RunError, match="no run named 'random'"):
        find("random:1")
    assert find("random").entrants[0].origin == ("baseline", "random")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["big-mony"], "'big-mony' names no strategy. Allowed: a run's key .* Did you mean big-money?"),
        (["what is this"], "'what is this' names no strategy"),
        ([""], "'' names no strategy"),
        (["demo:x"], "'demo:x': there is no module 'demo'.* or a number after the colon: demo:2"),
        (["demo:0"], "'demo:0': run 'demo' has no strategy 0. Allowed: demo:1 to demo:8"),
        (["demo:9"], "run 'demo' has no strategy 9"),
        (["demo@3"], "run 'demo' has no generation 3. It has 3, counted from 0"),
        (["demo", "other"], "run 'other' was made in Deck Top, and 'demo' in First Game: they cannot meet"),
        (["demo", "big-money-laboratory"], "big-money-laboratory buys Laboratory, which the kingdom does not have"),
    ],
)
def test_what_cannot_play_is_refused_in_one_line(find, words, message):
    with pytest.raises(UsageError, match=message) as refused:
        find(*words)
    assert "\n" not in str(refused.value)


def test_runs_of_another_kingdom_than_asked_for_are_refused(find):
    with pytest.raises(UsageError, match=r"run 'demo' was made in First Game, not in Deck Top. Leave out --kingdom"):
        find("demo", kingdom=parse_kingdom("deck-top"))


def test_runs_for_different_numbers_of_players_need_a_number(find):
    field = find("demo", "duel")

    assert len(field.entrants) == 2
    with pytest.raises(UsageError, match=r"'demo' for 4, 'duel' for 2. Say --players"):
        _ = field.players


def test_a_missing_run_is_told(find):
    with pytest.raises(RunError, match="no run named 'nosuch'"):
        find("nosuch@1:2")


def test_close_names_are_listed_for_an_unknown_one(find):
    with pytest.raises(RunError, match=r"no run named 'duell', nor any other strategy. Nearest: duel, "):
        find("duell")


def test_strategies_of_one_field_can_be_played_together(find):
    entrants = find("demo", "big-money").entrants

    assert np.array([entrant.strategy for entrant in entrants]).shape == (2,)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "witches.toml"
    path.write_text('name = "Two Witches"\nbuy = ["Province", "Witch if count_in_deck(Witch) < 2", "Gold", "Silver"]\n')
    return path


def test_a_file_is_played_under_the_name_that_it_says(find, file):
    (entrant,) = find(str(file), kingdom=parse_kingdom("improvements")).entrants

    assert entrant.name == "Two Witches"
    assert entrant.origin == ("file", str(file.resolve()))


def test_a_file_that_needs_a_card_the_kingdom_lacks_is_refused(find, file):
    with pytest.raises(UsageError, match="Two Witches names Witch, which the kingdom does not have"):
        find(str(file), "demo")


def test_a_missing_file_is_told(find):
    with pytest.raises(UsageError, match=r"nosuch.toml cannot be read: No such file"):
        find("nosuch.toml")


def test_an_exported_strategy_is_the_one_of_the_run(find, tmp_path):
    field = find("demo:2")
    path = tmp_path / "exported.toml"
    path.write_text(dump_strategy(field.entrants[0].strategy, field.kingdom, name="exported"))

    assert same(find("demo", str(path)).entrants[1].strategy, field.entrants[0].strategy)


def test_a_baseline_and_a_file_have_kingdoms_of_their_own(file):
    assert own_kingdom("double-witch").cards == ("Witch",)
    assert own_kingdom("big-money").cards == ()
    assert own_kingdom(str(file)).cards == ("Witch",)
    assert own_kingdom("demo") is None


@pytest.mark.parametrize("name", ["big-money", "network", "demo"])
def test_a_file_that_says_the_name_of_another_strategy_is_called_by_its_file(find, tmp_path, name):
    path = tmp_path / "mine.toml"
    path.write_text(f'name = "{name}"\nbuy = ["Gold"]\n')

    assert find(str(path), kingdom=parse_kingdom("improvements")).entrants[0].name == "mine.toml"


def test_files_that_say_the_same_name_are_told_apart_by_their_files(find, file):
    other = file.with_name("other.toml")
    other.write_bytes(file.read_bytes())
    found = find(str(file), str(other), kingdom=parse_kingdom("improvements")).entrants

    assert [entrant.name for entrant in found] == ["witches.toml", "other.toml"]


def test_files_of_one_name_are_told_apart_by_their_folders(find, file, tmp_path):
    other = tmp_path / "more" / "witches.toml"
    other.parent.mkdir()
    other.write_bytes(file.read_bytes())
    found = find(str(file), str(other), str(file), kingdom=parse_kingdom("improvements")).entrants

    assert [entrant.name for entrant in found] == [str(file), str(other), str(file)]
    assert [entrant.name for entrant in find(str(file), str(file), kingdom=parse_kingdom("improvements")).entrants] == [
        "Two Witches"
    ] * 2
