"""Names of strategies that users type: runs, ranks, generations, baselines and files."""

import json

import pytest

from evodom.dominion.cards import KINGDOM_CARDS
from evodom.dominion.kingdom import FIRST_GAME, Kingdom, parse_kingdom
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.files import dump_strategy
from evodom.errors import RunError, UsageError
from evodom.evolution.runs import champions
from evodom.matches.entrants import find_entrants, own_kingdom
from evodom.runs import RunStore


@pytest.fixture
def find(root):
    return lambda *words, kingdom=None: find_entrants(words, store=RunStore(root), kingdom=kingdom)


def same(a, b):
    return a.tobytes() == b.tobytes()


def test_a_key_with_generation_and_rank_names_a_strategy_of_a_run(find, root):
    with RunStore(root).open("demo") as run:
        last, first = champions(run, 3), champions(run, 2, run.generation(0))

    found = find("demo", "demo:3", "demo@0", "demo@0:2").entrants
    assert [entrant.name for entrant in found[:2]] == ["demo", "demo:3"]
    for entrant, record in zip(found, (last[0], last[2], *first), strict=True):
        assert same(entrant.strategy, record)


def test_two_names_of_one_strategy_have_one_origin(find):
    entrants = find("demo", "demo:1", "demo@2", "demo@1", "demo:2").entrants

    assert len({entrant.origin for entrant in entrants[:3]}) == 1
    assert len({entrant.origin for entrant in entrants}) == 3


def test_the_kingdom_is_that_of_the_runs_else_the_first_game_and_a_baseline_is_made_for_it(find):
    assert find("big-money", "other").kingdom.name == "Deck Top"
    assert find("big-money", "random").kingdom.name == "First Game"
    given = parse_kingdom("deck-top")
    assert find("other", "big-money", kingdom=given).kingdom == given

    cards = parse_kingdom("deck-top")
    field = find("big-money-laboratory", kingdom=cards)

    assert same(field.entrants[0].strategy, baseline("big-money-laboratory", cards))
    assert field.kingdom == cards


def test_players_are_those_of_the_runs_and_must_agree(find):
    assert find("demo", "big-money").players == 4
    assert find("duel").players == 2
    assert find("big-money").players is None

    field = find("demo", "duel")

    assert len(field.entrants) == 2
    with pytest.raises(UsageError, match=r"'demo' for 4, 'duel' for 2. Say --players"):
        _ = field.players


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
        (["nosuch.toml"], r"nosuch.toml cannot be read: No such file"),
        (["nosuch@1:2"], "no run named 'nosuch'"),
        (["duell"], r"no run named 'duell', nor any other strategy. Nearest: duel, "),
    ],
)
def test_invalid_names_are_refused_in_one_line(find, words, message):
    with pytest.raises((UsageError, RunError), match=message) as refused:
        find(*words)
    assert "\n" not in str(refused.value)


def test_a_run_of_another_kingdom_than_the_given_one_is_refused(find):
    with pytest.raises(UsageError, match=r"run 'demo' was made in First Game, not in Deck Top. Play in its own"):
        find("demo", kingdom=parse_kingdom("deck-top"))
    with pytest.raises(UsageError, match="made in these ten cards without Platinum and Colony, and the game is with"):
        find("demo", kingdom=Kingdom((*FIRST_GAME.cards, "Colony")))


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "witches.toml"
    path.write_text('name = "Two Witches"\nbuy = ["Province", "Witch if count_in_deck(Witch) < 2", "Gold", "Silver"]\n')
    return path


def test_a_file_has_its_own_name_and_needs_the_cards_that_it_names(find, file):
    (entrant,) = find(str(file), kingdom=parse_kingdom("improvements")).entrants

    assert entrant.name == "Two Witches"
    assert entrant.origin == ("file", str(file.resolve()))

    with pytest.raises(UsageError, match="Two Witches names Witch, which the kingdom does not have"):
        find(str(file), "demo")
    with pytest.raises(UsageError, match=r"which the kingdom does not have\. Give --kingdom witch$"):
        find(str(file))
    more, gardens = file.with_name("more.toml"), KINGDOM_CARDS[:12]
    more.write_text('buy = ["Chapel", "Province"]\n')
    with pytest.raises(UsageError, match=r"Give --kingdom chapel,gardens,witch,workshop$"):
        find("gardens-rush", str(file), str(more), kingdom=Kingdom(("Gardens", "Workshop")))
    more.write_text(f"buy = {json.dumps([card.name for card in gardens])}\n")
    with pytest.raises(UsageError, match=r"name 1[23] cards, and a kingdom has 10"):
        find(str(file), str(more))

    assert own_kingdom("double-witch").cards == ("Witch",)
    assert own_kingdom("big-money").cards == ()
    assert own_kingdom(str(file)).cards == ("Witch",)
    assert own_kingdom("demo") is None


def test_an_exported_strategy_is_the_one_of_the_run(find, tmp_path):
    field = find("demo:2")
    path = tmp_path / "exported.toml"
    path.write_text(dump_strategy(field.entrants[0].strategy, field.kingdom, name="exported"))

    assert same(find("demo", str(path)).entrants[1].strategy, field.entrants[0].strategy)


@pytest.mark.parametrize("name", ["big-money", "network", "demo"])
def test_a_file_with_the_name_of_another_strategy_is_named_after_the_file(find, tmp_path, name):
    path = tmp_path / "mine.toml"
    path.write_text(f'name = "{name}"\nbuy = ["Gold"]\n')

    assert find(str(path), kingdom=parse_kingdom("improvements")).entrants[0].name == "mine.toml"


def test_files_with_one_name_are_named_after_their_files_or_paths(find, file, tmp_path):
    def found(*paths):
        return [entrant.name for entrant in find(*map(str, paths), kingdom=parse_kingdom("improvements")).entrants]

    other, same_name = tmp_path / "other.toml", tmp_path / "more" / "witches.toml"
    same_name.parent.mkdir()
    for copy in (other, same_name):
        copy.write_bytes(file.read_bytes())

    assert found(file, other) == ["witches.toml", "other.toml"]
    assert found(file, same_name, file) == [str(file), str(same_name), str(file)]
    assert found(file, file) == ["Two Witches"] * 2
