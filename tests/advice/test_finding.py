"""Advice as a whole, without networks."""

import json

import numpy as np
import pytest

from evodom.advice import search
from evodom.advice.ablation import BETTER_WITHOUT, HARMFUL, MIN_OWNED, NEEDED, WORTH_TRYING
from evodom.advice.finding import BIG_MONEY, MIN_DECK_DIFFERENCE
from evodom.advice.runs import Request
from evodom.advice.search import Question, find_advice
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.describe import describe_buys
from evodom.dominion.strategies.models.buy_lists.encoding import decode
from evodom.dominion.strategies.models.buy_lists.reachable import effective_rules
from evodom.matches.seating import Purpose
from evodom.matches.tournament import wins_against
from evodom.runs import RunStore
from tests.advice.conftest import WITCH_KINGDOM
from tests.saved import save_answer


@pytest.fixture(scope="module")
def advice(tmp_path_factory, workers):
    question = Question(Request(WITCH_KINGDOM, 2, "ask", 8), 1, n_generations=2, games=400)
    root = tmp_path_factory.mktemp("runs")
    save_answer(root, "ask", WITCH_KINGDOM, parts=("network",))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search._Search, "learn", lambda _: ((), 0))
        return find_advice(question, store=RunStore(root), workers=workers).advice


def test_the_list_that_is_told_is_the_one_that_is_measured(advice, venue_in):
    assert advice.wording == describe_buys(advice.record, WITCH_KINGDOM)
    money = baseline(BIG_MONEY, WITCH_KINGDOM)
    assert advice.against_big_money == wins_against(venue_in(), advice.record, money, 400, Purpose.EXPECTED)


def test_the_best_leads_the_ranking_and_the_runner_up_is_another_deck(advice):
    assert advice.name == advice.ranking[0]
    assert advice.runner_up in advice.ranking[1:]
    decks = [np.array(list(deck.values())) for deck in (advice.deck, advice.runner_up_deck)]
    assert advice.changes or np.abs(decks[0] - decks[1]).sum() > MIN_DECK_DIFFERENCE / 2


def test_the_advice_beats_big_money_with_the_cards_it_needs_and_without_the_traps(advice):
    cards = {verdict: [one.card for one in advice.trials if one.verdict == verdict] for verdict in (NEEDED, HARMFUL)}

    assert advice.against_big_money.low > 0.6
    assert cards[NEEDED]
    assert all(advice.deck[card] >= MIN_OWNED for card in cards[NEEDED])
    assert cards[HARMFUL]
    assert all(advice.deck[card] < MIN_OWNED for card in cards[HARMFUL])


def test_no_change_that_wins_is_left_and_the_course_of_the_games_is_measured(advice):
    assert not {trial.verdict for trial in advice.plan_trials} & {WORTH_TRYING, BETTER_WITHOUT}
    assert sum(advice.course.games.ended.values()) == pytest.approx(1.0)
    assert 8 < advice.course.games.rounds < 40
    assert effective_rules(decode(advice.plan, WITCH_KINGDOM)) == decode(advice.plan, WITCH_KINGDOM)


def test_every_kingdom_card_is_tried_and_all_of_it_is_plain_json(advice):
    told = json.loads(json.dumps(advice.to_json(), allow_nan=False))

    assert sorted(trial["card"] for trial in told["trials"]) == sorted(WITCH_KINGDOM.cards)
    assert [opening["coins"] for opening in told["openings"]] == [[4, 3], [3, 4], [5, 2], [2, 5]]
    assert "record" not in told
