"""Saved answers: their parts, their notes, and the meaning of their names."""

import pytest

from evodom.advice.answer import default_key
from evodom.dominion.kingdom import FIRST_GAME, KINGDOMS, Kingdom, parse_kingdom, slug
from evodom.dominion.strategies.baselines import BASELINES, baseline
from evodom.dominion.strategies.files import dump_strategy
from evodom.errors import EvodomError
from evodom.matches.entrants import find_answer, find_entrants
from evodom.runs import is_key
from tests.saved import save_answer

pytestmark = pytest.mark.uncompiled

PLAN = dump_strategy(baseline("big-money", FIRST_GAME), FIRST_GAME, name="list")


@pytest.mark.parametrize(
    ("notes", "best", "part"),
    [
        ({}, "first-game:network:1", "first-game:network"),
        ({"best": "buy-list:3"}, "first-game:buy-list:3", "first-game:buy-list"),
        ({"best": "network@3:2"}, "first-game:network@3:2", "first-game:network"),
        ({"best": "best-response:1", "list": PLAN}, "first-game:best-response:1", "first-game:best-response"),
        ({"best": "big-money", "list": PLAN}, "big-money", "first-game:best-response"),
    ],
)
def test_an_answer_is_its_best_strategy(tmp_path, store, notes, best, part):
    save_answer(tmp_path, **notes)

    found = find_answer("first-game", store)
    assert (found.best, found.best_part, found.plan) == (best, part, notes.get("list"))
    assert (found.kingdom, found.players) == (FIRST_GAME, 2)


@pytest.mark.parametrize(
    ("notes", "message"),
    [
        *(({"best": best}, "run 'first-game' ") for best in ("../../x.toml", "demo:1", ["network:1"], "list")),
        ({"list": 3}, "run 'first-game' "),
        ({"parts": ("network", "more")}, r"the part 'more'\. Allowed: network, graded, buy-list, best-response"),
        ({"parts": ("network",), "best": "buy-list:1"}, "first-game:buy-list:1"),
    ],
)
def test_invalid_notes_and_parts_are_refused(tmp_path, store, notes, message):
    save_answer(tmp_path, **notes)

    with pytest.raises(EvodomError, match=message):
        find_answer("first-game", store)


def test_an_answer_and_its_list_are_entrants_in_its_kingdom(tmp_path, store):
    save_answer(tmp_path, best="big-money", list=PLAN)
    store.create("big-money", {}, []).close()  # the name of a baseline means the baseline

    found = find_entrants(["first-game", "first-game:1", "first-game:list"], store=store)
    assert [one.name for one in found.entrants] == ["first-game", "first-game", "first-game:list"]
    assert [one.origin for one in found.entrants] == [("baseline", "big-money")] * 2 + [("list", "first-game")]
    assert (found.kingdom, found.players) == (FIRST_GAME, 2)


@pytest.mark.parametrize(
    ("word", "message"),
    [
        (
            "first-game:2",
            "an answer is one strategy. Allowed: first-game, first-game:list, or of its parts: first",
        ),
        ("first-game@1", "an answer is one strategy"),
        ("first-game:list:2", "an answer is one strategy"),
        ("first-game:list", "no list is saved with the answer 'first-game'"),
        ("first-game:graded", "run 'first-game' has no part 'graded'. Its parts: network"),
        ("first-game:nothing", "run 'first-game' has no part 'nothing'. Its parts: network"),
        ("demo:graded", "run 'demo' has no part 'graded'. Its parts: none"),
        ("demo:list", "run 'demo' has no part 'list'"),
        ("nosuch:graded", "no run named 'nosuch:graded'"),
    ],
)
def test_other_names_of_parts_are_refused(tmp_path, store, word, message):
    save_answer(tmp_path, parts=("network",))
    store.create("demo", {}, []).close()

    with pytest.raises(EvodomError) as error:
        find_entrants([word], store=store)
    assert message in str(error.value)


def test_the_default_key_is_the_name_of_the_kingdom_or_its_rarest_cards_and_a_digest():
    custom, other = parse_kingdom("Witch", seed=1), parse_kingdom("Witch", seed=2)

    assert default_key(FIRST_GAME, 2) == "first-game"
    assert default_key(FIRST_GAME, 4) == "first-game-4p"
    assert default_key(custom, 2) == default_key(Kingdom(custom.cards[::-1]), 2) != default_key(other, 2)
    assert len(default_key(custom, 2).split("-")[-1]) == 6
    kingdoms = [*map(Kingdom, KINGDOMS.values()), custom, other]
    assert all(is_key(default_key(kingdom, 6)) for kingdom in kingdoms)


def test_no_baseline_has_the_default_key_of_an_answer():
    assert not {slug(name) for name in KINGDOMS} & set(BASELINES)
