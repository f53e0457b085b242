"""The answer as a whole."""

import json

import numpy as np
import pytest

from evodom.advice.ablation import NEEDED, OWNED, TRAP
from evodom.advice.answer import BIG_MONEY, DIFFERENT, Place, find_answer
from evodom.advice.bench import EXPECTED, Bench
from evodom.advice.search import Question, evolve, open_runs
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.wording import in_words
from tests.advice.conftest import WITCH_KINGDOM


@pytest.fixture
def answer(tmp_path, workers):
    question = Question(Kingdom(WITCH_KINGDOM), 2, "ask", 8)
    with open_runs(question, 1, root=tmp_path, overwrite=False, workers=workers) as runs:
        n = evolve(
            runs,
            workers,
            n_generations=2,
            has_time=lambda step: False,
            on_generation=lambda generation: None,
            should_stop=lambda: False,
        )
        return find_answer(Place(WITCH_KINGDOM, 2, 1, 400, workers), runs, n)


def test_the_list_that_is_told_is_the_one_that_is_measured(answer, workers):
    bench = Bench(WITCH_KINGDOM, 2, 1, workers)

    assert answer.wording == in_words(answer.record, WITCH_KINGDOM)
    money = baseline(BIG_MONEY, WITCH_KINGDOM)
    assert answer.against_big_money == bench.share(answer.record, money, 400, EXPECTED)


def test_the_best_leads_the_ranking_and_the_runner_up_is_another_deck(answer):
    assert answer.name == answer.ranking[0]
    assert answer.runner_up in answer.ranking[1:]
    decks = [np.array(list(deck.values())) for deck in (answer.deck, answer.runner_up_deck)]
    assert answer.changes or np.abs(decks[0] - decks[1]).sum() > DIFFERENT / 2


def test_the_answer_beats_big_money_with_the_cards_it_needs_and_without_the_traps(answer):
    cards = {verdict: [one.card for one in answer.trials if one.verdict == verdict] for verdict in (NEEDED, TRAP)}

    assert answer.against_big_money.low > 0.6
    assert cards[NEEDED]
    assert all(answer.deck[card] >= OWNED for card in cards[NEEDED])
    assert cards[TRAP]
    assert all(answer.deck[card] < OWNED for card in cards[TRAP])


def test_every_kingdom_card_is_tried_and_all_of_it_is_plain_json(answer):
    told = json.loads(json.dumps(answer.to_json(), allow_nan=False))

    assert sorted(trial["card"] for trial in told["trials"]) == sorted(WITCH_KINGDOM)
    assert [opening["coins"] for opening in told["openings"]] == [[4, 3], [3, 4], [5, 2], [2, 5]]
    assert "record" not in told
