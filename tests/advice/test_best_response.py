"""Best responses: their opponents in training, and the choice of the answer."""

import pytest

from evodom.advice import best_response
from evodom.advice.best_response import MARGIN, ResponseResult, find_best_response
from evodom.advice.figures import strongest_opponent
from evodom.advice.finding import BIG_MONEY
from evodom.advice.stages import STAGES
from evodom.dominion.engine.observation import ONE
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.models.networks.layers import FIRST_OUTPUT, GAIN, network_arrays
from evodom.dominion.strategies.models.networks.model import softened, weights_of
from evodom.matches.agents import Entrant
from evodom.statistics import Share
from tests.advice.conftest import WITCH_KINGDOM
from tests.advice.small import SMALL
from tests.dominion.strategies.models.networks.helpers import wanting

N_GAMES, GAMES = 100, 400
PLANNED = SMALL.planned(GAMES, 0)
TRAINED = PLANNED._replace(best_response=PLANNED.best_response._replace(training=N_GAMES))


def share(value):
    return Share(value, value - 0.02, value + 0.02, 2_500)


@pytest.fixture
def made_up(monkeypatch, venue_in):
    """Return a function that finds best responses to "best" with made-up win rates, and the opponents of training."""

    def make(wins):
        """Use win rates of 0.5 except ``wins``, by strategy and opponent."""
        asked = []

        def train_best_response(venue, start, rivals, n_games, stream, iteration):
            asked.append([start, *rivals])
            return ("first", "second")[len(asked) - 1]

        def wins_against(venue, one, other, games, *which):
            return share(wins[one, other] if (one, other) in wins else 1 - wins.get((other, one), 0.5))

        def wins_against_each(venue, one, others, games, *which):
            return [wins_against(venue, one, other, games) for other in others]

        for function in (train_best_response, wins_against, wins_against_each):
            monkeypatch.setattr(best_response, function.__name__, function)
        monkeypatch.setattr(best_response, "was_learned", lambda strategy: strategy == "network")
        monkeypatch.setattr(best_response, "softened", lambda strategy: strategy)
        known = [Entrant(name.upper(), ("run", name), name) for name in ("best", "network", "list", "rush", "money")]
        return *find_best_response(venue_in(), known, TRAINED), asked

    return make


def test_it_meets_the_best_and_who_beats_that_and_then_everybody(made_up):
    _, _, asked = made_up({("rush", "best"): 0.6})

    assert asked == [["network", "best", "rush"], ["first", "best", "network", "list", "rush", "money"]]


def response(wins, n=1, *, is_new=False):
    """Return the result of `n` trainings; with `is_new` a best response became the answer."""
    return ResponseResult(n * N_GAMES, share(wins), answer_holds=not is_new, became_answer=is_new)


RESPONSES = {
    "as good as the best": ({}, response(0.5)),
    "hardly better against the finalists": ({("second", "list"): 0.5 + 4 * MARGIN - 0.001}, response(0.5)),
    "the first beats the best": ({("first", "best"): 0.6}, response(0.6, is_new=True)),
    "an opponent beats the first, none the second": (
        {("first", "best"): 0.6, ("rush", "first"): 0.6, ("second", "best"): 0.55},
        response(0.55, 2, is_new=True),
    ),
    "the second is better against the others": (
        {("second", "list"): 0.7, ("second", "rush"): 0.7},
        response(0.5, 2, is_new=True),
    ),
    "better against the weak counts for nothing": ({("second", "money"): 0.9}, response(0.5)),
    "all are beaten, the best by the least": (
        {("first", "best"): 0.55, ("rush", "first"): 0.6, ("list", "second"): 0.7},
        response(0.55),
    ),
    "all are beaten, the first by the least": (
        {("first", "best"): 0.65, ("rush", "first"): 0.6, ("list", "second"): 0.7},
        response(0.65, is_new=True),
    ),
}


@pytest.mark.parametrize(("wins", "expected"), RESPONSES.values(), ids=RESPONSES)
def test_the_answer_is_beaten_by_nobody_and_wins_most_against_the_finalists(made_up, wins, expected):
    ranked, found, _ = made_up(wins)

    names = ["reply"] * expected.became_answer + ["BEST", "NETWORK", "LIST", "RUSH", "MONEY"]
    assert found == expected
    assert [one.name for one in ranked] == names
    if expected.became_answer:
        assert ranked[0].strategy == ("first" if expected.n_games == N_GAMES else "second")


def test_a_best_response_that_was_trained_becomes_the_answer(venue_in):
    """A network that wants Curses is a start from which much is learned in a few games."""
    learned = Entrant("run:1", ("start", "run 0"), wanting(GAIN, WITCH_KINGDOM.pile("Curse"), WITCH_KINGDOM))
    nothing = Entrant("run:2", ("start", "run 1"), wanting(GAIN, WITCH_KINGDOM.pile("Curse"), WITCH_KINGDOM))

    stages = PLANNED._replace(best_response=PLANNED.best_response._replace(training=96))
    ranked, response = find_best_response(venue_in(), [learned, nothing], stages)

    assert response.became_answer
    assert [one.name for one in ranked] == ["reply", "run:1", "run:2"]
    assert response.wins.low > 0.5


@pytest.mark.parametrize("beats", [(True, False), (True, True), (False,)])
def test_an_answer_that_was_replaced_has_a_best_response_of_its_own(monkeypatch, venue_in, beats):
    """The win rate is that of the last best response. The answer does not hold if that replaced it, too."""
    responses = iter(beats)

    def respond(venue, ranked, stages, number):
        beaten = next(responses)
        new = [Entrant("reply", ("reply", ranked[0].name), f"reply {number}")] * beaten
        others = [one for one in ranked if not beaten or one.name != "reply"]
        return [*new, *others], ResponseResult(1, share(0.5), not beaten)

    monkeypatch.setattr(best_response, "_respond", respond)
    best = Entrant("best", ("run", "best"), "best")

    monkeypatch.setattr(best_response, "was_learned", lambda _: True)
    ranked, response = find_best_response(venue_in(), [best], STAGES)

    assert not list(responses)
    assert response.answer_holds == (not beats[-1])
    assert response.became_answer == beats[0]
    assert [one.name for one in ranked] == ["reply"] * beats[0] + ["best"]


def test_softened_networks_are_less_certain_and_play_the_same_best_choice():
    pile = WITCH_KINGDOM.pile("Witch")
    sharp = wanting(GAIN, pile, WITCH_KINGDOM)

    soft = softened(sharp)

    before, after = (network_arrays(weights_of(one))["inputs"][GAIN, ONE, FIRST_OUTPUT + pile] for one in (sharp, soft))
    assert 0 < after < before


def test_nobody_is_set_on_the_best_where_nothing_was_learned(venue_in):
    money = Entrant(BIG_MONEY, ("baseline", BIG_MONEY), baseline(BIG_MONEY, WITCH_KINGDOM))

    assert find_best_response(venue_in(), [money], TRAINED) == ([money], None)


def test_the_hardest_is_the_one_it_wins_least_against(venue_in):
    strong = Entrant("mine.toml", ("file", "mine.toml"), baseline("double-witch", WITCH_KINGDOM))
    weak = Entrant("random", ("baseline", "random"), baseline("random", WITCH_KINGDOM))
    money = baseline(BIG_MONEY, WITCH_KINGDOM)

    met = strongest_opponent(venue_in(), money, [weak, strong], PLANNED)

    assert met.name == "mine.toml"
    assert met.wins.high < 0.5
