"""Sentences of advice: the first in the ranking, lists that are drawn at random, and networks beyond their list."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from evodom.advice.ablation import NEEDED, NO_DIFFERENCE, Trial
from evodom.advice.best_response import ResponseResult
from evodom.advice.figures import Course, OpponentResult, UnexpectedOrder
from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.strategies.base import PREFERENCES
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.describe import BuyOrder, BuyOrders
from evodom.dominion.strategies.registry import MODELS
from evodom.learning.habits import Habits
from evodom.matches.results import GamesSummary
from evodom.presentation import document as doc
from evodom.presentation.documents.advice import _checks, _expected, _list, _origin, check_sentences, course_text
from evodom.presentation.documents.beyond_list import beyond_list, short_search_note
from evodom.presentation.format import NO_BREAK
from evodom.statistics import Share

QUESTION = {
    "players": 2, "games": 2000, "learned_games": 60_000, "generations": 30,
    "kingdom": {"name": "First Game", "cards": [], "drawn": []},
}  # fmt: skip
LEVEL, LOW, HIGH = Share(0.5, 0.48, 0.52, 2000), Share(0.43, 0.41, 0.45, 2000), Share(0.9, 0.88, 0.92, 2000)
ENDED = {"provinces": 0.25, "empty_piles": 0.7474, "cut": 0.0026}
COURSE = Course(GamesSummary(1000, 14.7, 30.0, ENDED), {"Wharf": 0.9, "City": 0.6, "Estate": 0.5, "Curse": 0.3}, None)
RANKING = ("first:network:1", "first:graded:2", "big-money")


def advice(**fields):
    """Return advice whose answer is a network, with some fields replaced."""
    shown = {
        "list_against_network": LEVEL, "against_big_money": HIGH, "against_runner_up": HIGH,
        "plan_against_big_money": HIGH, "plan_rival": OpponentResult("big-money", HIGH), "plan_name": "",
        "plan": baseline("big-money", FIRST_GAME), "plan_deck": {"Silver": 4.0},
        "wording": BuyOrders((BuyOrder("", ("Silver",)),)), "hardest": OpponentResult("first:graded:2", LEVEL),
        "runner_up": "big-money", "ranking": RANKING, "best_response": None,
        "deck": {"Silver": 5.0, "Chapel": 1.0, "Copper": 0.5}, "course": COURSE, "habits": None, "trials": [],
    }  # fmt: skip
    return SimpleNamespace(**(shown | fields))


def facts(blocks):
    """Return the facts of blocks by term, with plain spaces."""
    found = (block.rows for block in blocks if isinstance(block, doc.Facts))
    return {term: text.replace(NO_BREAK, " ") for rows in found for term, text in rows.items()}


def test_a_strategy_that_loses_to_another_is_not_called_the_best():
    first = facts(_expected(QUESTION, advice(hardest=OpponentResult("first:graded:2", LOW)), full=False))
    best = facts(_expected(QUESTION, advice(), full=False))

    assert "Best" not in first
    assert "It is not the best against all: it wins 43 % against evolved preferences 2, place 2 of" in first["First"]
    assert "not the best" not in best["Best"]
    beaten = advice(hardest=OpponentResult("first:graded:2", LOW))
    (lede,) = (block for block in _expected(QUESTION, beaten, full=False) if getattr(block, "style", "") == "lede")
    assert lede.text.startswith("First in the ranking is a neural network. It is not the best against all: ")


def test_each_opponent_has_one_bar_and_one_result():
    results = {name: OpponentResult(name, LEVEL) for name in ("first:graded:1", "first:graded:2", "mine", "wharf")}
    for hardest in results:
        yours, searches = (results["mine"],), (results["first:graded:2"], results["first:graded:1"])
        found = advice(hardest=results[hardest], user_opponents=yours, searches=searches, best_response=None)
        (chart,) = (block for block in _checks(QUESTION, found, full=True) if isinstance(block, doc.Chart))
        labels = [bar.label for bar in chart.drawing.rows]
        assert len(labels) == len(set(labels)) == 3 + (hardest == "wharf")
        searched = [one for one in check_sentences(QUESTION, found, full=True) if "other searches" in one]
        assert " ".join(searched).count("preferences") == 2 - hardest.startswith("first")


def test_preferences_that_draw_at_random_are_not_to_be_bought_from_the_top():
    preferences = {"kind": MODELS.index(PREFERENCES)}
    by_rule, drawn = (facts(_list(QUESTION, advice(plan=plan)))["By hand"] for plan in (advice().plan, preferences))

    assert by_rule.endswith("Buy the first card you can:")
    assert drawn.endswith("It draws each buy at random, by weight. Its preferences, the most likely card first:")


@pytest.mark.parametrize(
    ("share", "players", "n_sentences"), [(0.149, 2, 2), (0.151, 2, 1), (0.399, 2, 1), (0.401, 2, 0), (0.076, 4, 1)]
)
def test_a_list_that_loses_to_the_network_is_followed_by_the_largest_difference(share, players, n_sentences):
    one = advice(list_against_network=Share(share, 0.0, 1.0, 100), deck={"Silver": 5.0, "Chapel": 1.1, "Copper": 0.5})

    found = list(beyond_list(QUESTION | {"players": players}, one))

    assert len(found) == n_sentences
    shown = facts(_list(QUESTION | {"players": players}, one)).get("Network")
    if n_sentences:
        assert found[0] == "Largest difference: at the end the network owns 1.1 Chapel, the list 0.0."
        assert shown == f"{' '.join(found)} More: --full."
    else:
        assert shown is None
    assert not list(beyond_list(QUESTION, advice(list_against_network=None)))


def test_the_plan_says_in_one_sentence_how_games_end_and_what_is_out_of_the_order_of_costs():
    ends = (
        "Its games end on turn 15 on average, 75 % with empty piles (Wharf, City, Estate), 25 % with the last Province"
    )
    order = UnexpectedOrder("City", "Colony", Share(0.412, 0.4, 0.42, 9000))

    assert course_text(advice()) == f"{ends}."
    assert course_text(advice(course=replace(COURSE, unexpected=order))) == (
        f"{ends}; it buys City before Colony: in the other order it wins 41 % against this list."
    )
    colonies = replace(COURSE, games=replace(COURSE.games, ended={"colonies": 1.0}))
    assert course_text(advice(course=colonies)).endswith(", 100 % with the last Colony.")


@pytest.mark.parametrize(
    ("question", "fields", "expected"),
    [
        ({}, {}, ""),
        ({"minutes": 1.0}, {}, ""),
        ({"minutes": 1.0, "generations": 4}, {}, "repeat the command to continue it"),
        ({"generations": 4}, {}, "repeat the command with a larger --ngen to continue it"),
        ({"minutes": 1.0}, {"against_runner_up": LOW}, "repeat the command to continue it"),
        ({"minutes": 1.0}, {"best_response": ResponseResult(64, LEVEL)}, "repeat the command to continue it"),
        ({"minutes": 1.0}, {"against_runner_up": replace(HIGH, n_games=90)}, "repeat the command to continue it"),
        ({"minutes": 1.0}, {"against_runner_up": Share(0.49, 0.48, 0.5, 9000)}, ""),
        ({"games": 100}, {"against_runner_up": replace(HIGH, n_games=100)}, ""),
        ({"minutes": 1.0, "learned_games": 640}, {}, "repeat it with more effort (--minutes 5 --overwrite)"),
        ({"minutes": 4.0, "learned_games": 640}, {}, "repeat it with more effort (--minutes 8 --overwrite)"),
        ({"learned_games": 640}, {}, "repeat it with more effort (--training-games 60000 --overwrite)"),
    ],
)
def test_the_first_line_says_that_a_search_was_short_and_how_to_continue(question, fields, expected):
    first = next(iter(_expected(QUESTION | question, advice(**fields), full=False)))

    assert first.text == short_search_note(QUESTION | question, advice(**fields))
    assert first.text == (f"The search was short: {expected}." if expected else "")


def trial(card, share, verdict):
    return Trial(card, 1.0, Share(share, share, share, 1000), 0.5 - share, verdict, looks_good=True, bought_by=())


def test_beside_a_weak_list_is_what_the_network_needs_trashes_and_turns_to():
    weak = Share(0.02, 0.01, 0.03, 2000)
    habits = Habits(
        buys={},
        trashed={"Copper": 6.12, "Estate": 2.9, "Silver": 0.1},
        played={},
        plays_first=(),
        deck={"Province": 4.0, "Duchy": 2.0, "Gardens": 0.1, "Estate": 1.0},
        greens_from={"Estate": 12.0, "Duchy": 13.2, "Province": 10.6, "Gardens": 9.0},
        swings=(),
    )
    trials = [trial("Chapel", 0.028, NEEDED), trial("Silver", 0.3, NEEDED), trial("Moat", 0.5, NO_DIFFERENCE)]
    one = advice(list_against_network=weak, habits=habits, trials=trials)

    assert facts(_list(QUESTION | {"minutes": 1.0}, one))["Network"] == (
        "Largest difference: at the end the network owns 5.0 Silver, the list 4.0. "
        "The network needs Chapel (wins 3 % without it; not in the list), Silver (30 %). The network trashes "
        "6.1 Copper, 2.9 Estate a game. The network buys its first Province on turn 11, Duchy on turn 13. "
        "A search of 5 minutes finds a better list: after it, two weak lists won 22 and 33 % instead of 12 and 19 %. "
        "More: --full."
    )
    assert list(beyond_list(QUESTION, one))[-1] == "A longer search may find a better list."
    assert "Network" not in facts(_list(QUESTION, advice(habits=habits, trials=trials)))


def test_advice_without_commands_has_its_origin_but_no_command():
    question = QUESTION | {"minutes": 1.0}

    assert not any(isinstance(block, doc.Command) for block in _origin(question, advice(changes=()), 60.0, full=False))
    *_, repeat = _origin(question | {"command": "evodom advise"}, advice(changes=()), 60.0, full=False)
    assert repeat.label == "Same effort without a time limit"
