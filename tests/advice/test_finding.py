"""Advice as a whole."""

import json

import numpy as np
import pytest

from evodom.advice.ablation import NEEDED, OWNED, TRAP
from evodom.advice.finding import BIG_MONEY, DIFFERENT, Learning, Reply, attacked, find_advice, hardest
from evodom.advice.search import Request, evolve, open_runs
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.networks.layout import GAIN
from evodom.dominion.strategies.wording import in_words
from evodom.intervals import Share
from evodom.matches.copies import wins_against
from evodom.matches.entrant import Entrant
from evodom.matches.streams import Figure
from tests.advice.conftest import WITCH_KINGDOM
from tests.dominion.strategies.networks.helpers import wanting


@pytest.fixture(scope="module")
def advice(tmp_path_factory, workers, venue_in):
    asked = Request(WITCH_KINGDOM, 2, "ask", 8)
    with open_runs(asked, 1, root=tmp_path_factory.mktemp("runs"), overwrite=False, workers=workers) as runs:
        n = evolve(
            runs,
            workers,
            n_generations=2,
            has_time=lambda step: False,
            on_generation=lambda run, generation: None,
            should_stop=lambda: False,
        )
        return find_advice(venue_in(), runs, n, 400)


def test_the_list_that_is_told_is_the_one_that_is_measured(advice, venue_in):
    assert advice.wording == in_words(advice.record, WITCH_KINGDOM)
    money = baseline(BIG_MONEY, WITCH_KINGDOM)
    assert advice.against_big_money == wins_against(venue_in(), advice.record, money, 400, Figure.EXPECTED)


def test_the_best_leads_the_ranking_and_the_runner_up_is_another_deck(advice):
    assert advice.name == advice.ranking[0]
    assert advice.runner_up in advice.ranking[1:]
    decks = [np.array(list(deck.values())) for deck in (advice.deck, advice.runner_up_deck)]
    assert advice.changes or np.abs(decks[0] - decks[1]).sum() > DIFFERENT / 2


def test_the_advice_beats_big_money_with_the_cards_it_needs_and_without_the_traps(advice):
    cards = {verdict: [one.card for one in advice.trials if one.verdict == verdict] for verdict in (NEEDED, TRAP)}

    assert advice.against_big_money.low > 0.6
    assert cards[NEEDED]
    assert all(advice.deck[card] >= OWNED for card in cards[NEEDED])
    assert cards[TRAP]
    assert all(advice.deck[card] < OWNED for card in cards[TRAP])


def test_every_kingdom_card_is_tried_and_all_of_it_is_plain_json(advice):
    told = json.loads(json.dumps(advice.to_json(), allow_nan=False))

    assert sorted(trial["card"] for trial in told["trials"]) == sorted(WITCH_KINGDOM.cards)
    assert [opening["coins"] for opening in told["openings"]] == [[4, 3], [3, 4], [5, 2], [2, 5]]
    assert "record" not in told


def test_the_reply_meets_those_that_beat_the_best_too(venue_in, monkeypatch):
    money, witches, random = (
        Entrant(name, ("baseline", name), baseline(name, WITCH_KINGDOM))
        for name in ("big-money", "double-witch", "random")
    )
    learned = Entrant("run:1", ("start", "run 0"), wanting(GAIN, WITCH_KINGDOM.pile("Curse"), WITCH_KINGDOM))
    asked = []

    def attack(venue, start, rivals, n_games, games):
        asked.append([start, *rivals])
        return witches.strategy, Share(0.4, 0.38, 0.42, 400)

    monkeypatch.setattr("evodom.advice.finding.attack", attack)
    ranked, reply = attacked(venue_in(), [money, witches, random, learned], Learning((), 100), 400)

    assert [[one.tobytes() for one in each] for each in asked] == [
        [one.strategy.tobytes() for one in (learned, money, witches)]
    ]
    assert [one.name for one in ranked].count("reply") == (ranked[0].name == "reply")
    assert {one.name for one in ranked} >= {"big-money", "double-witch", "random", "run:1"}
    assert reply == Reply(100, Share(0.4, 0.38, 0.42, 400), taken=ranked[0].name == "reply")
    assert ranked.index(money) > 0


def test_a_reply_that_wins_clearly_and_that_nobody_beats_is_the_answer(venue_in, monkeypatch):
    money, ultimate, random = (
        Entrant(name, ("baseline", name), baseline(name, WITCH_KINGDOM))
        for name in ("big-money", "big-money-ultimate", "random")
    )
    learned = Entrant("run:1", ("start", "run 0"), wanting(GAIN, WITCH_KINGDOM.pile("Curse"), WITCH_KINGDOM))
    found, wins = baseline("double-witch", WITCH_KINGDOM), Share(0.9, 0.88, 0.92, 400)
    monkeypatch.setattr("evodom.advice.finding.attack", lambda *given: (found, wins))

    ranked, reply = attacked(venue_in(), [money, ultimate, random, learned], Learning((), 100), 400)

    assert [one.name for one in ranked] == ["reply", "big-money", "big-money-ultimate", "random", "run:1"]
    assert reply == Reply(100, wins, taken=True)


@pytest.mark.parametrize(("hardened", "taken"), [("double-witch", True), ("random", False)])
def test_a_reply_that_somebody_beats_learns_to_stand_him_and_is_no_answer_if_it_cannot(
    venue_in, monkeypatch, hardened, taken
):
    ultimate, witches, random = (
        Entrant(name, ("baseline", name), baseline(name, WITCH_KINGDOM))
        for name in ("big-money-ultimate", "double-witch", "random")
    )
    learned = Entrant("run:1", ("start", "run 0"), wanting(GAIN, WITCH_KINGDOM.pile("Curse"), WITCH_KINGDOM))
    met, wins = [], Share(0.9, 0.88, 0.92, 400)
    monkeypatch.setattr("evodom.advice.finding.attack", lambda *given: (random.strategy, wins))

    def learned_reply(venue, start, rivals, n_games, stream):
        met.append((start, rivals, n_games))
        return baseline(hardened, WITCH_KINGDOM)

    monkeypatch.setattr("evodom.advice.finding.learned_reply", learned_reply)
    ranked, reply = attacked(venue_in(), [ultimate, witches, learned], Learning((), 100), 400)

    ((start, rivals, n_games),) = met
    assert (start.tobytes(), n_games) == (random.strategy.tobytes(), 50)
    assert [one.tobytes() for one in rivals[:2]] == [ultimate.strategy.tobytes(), witches.strategy.tobytes()]
    assert (ranked[0].name == "reply") == reply.taken == taken
    assert reply.n_games == (150 if taken else 100)
    assert (reply.wins == wins) is not taken  # what is told is measured of the one that became the answer


def test_the_hardest_is_the_one_it_wins_least_against(venue_in):
    strong = Entrant("mine.toml", ("file", "mine.toml"), baseline("double-witch", WITCH_KINGDOM))
    weak = Entrant("random", ("baseline", "random"), baseline("random", WITCH_KINGDOM))
    money = baseline(BIG_MONEY, WITCH_KINGDOM)

    met = hardest(venue_in(), money, [weak, strong], 400)

    assert met.name == "mine.toml"
    assert met.wins.high < 0.5
