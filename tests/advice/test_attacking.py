"""The attack on an answer: whom the learner meets, and which answer is given in the end."""

import pytest

from evodom.advice import exploit
from evodom.advice.exploit import FEWER, MARGIN, Reply, attacked, hardest
from evodom.advice.finding import BIG_MONEY
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.networks.layers import GAIN
from evodom.matches.agents import Entrant
from evodom.statistics import Share
from tests.advice.conftest import WITCH_KINGDOM
from tests.dominion.strategies.networks.helpers import wanting

N_GAMES, GAMES = 100, 400


def share(value):
    return Share(value, value - 0.02, value + 0.02, 2_500)


@pytest.fixture
def made_up(monkeypatch, venue_in):
    """Return a function that attacks "best" where it is made up who beats whom, and what was asked meanwhile."""

    def make(wins):
        """Attack; ``wins`` has what the one named first wins against the other, where that is not a half."""
        asked = []

        def learned_reply(venue, start, rivals, n_games, stream):
            asked.append([start, *rivals])
            return ("first", "second")[len(asked) - 1]

        def wins_against(venue, one, other, games, *which):
            return share(wins[one, other] if (one, other) in wins else 1 - wins.get((other, one), 0.5))

        for function in (learned_reply, wins_against):
            monkeypatch.setattr(exploit, function.__name__, function)
        monkeypatch.setattr(exploit, "was_learned", lambda strategy: strategy == "network")
        known = [Entrant(name.upper(), ("run", name), name) for name in ("best", "network", "list", "rush", "money")]
        return *attacked(venue_in(), known, N_GAMES, GAMES), asked

    return make


def test_it_meets_the_best_and_who_beats_that_and_then_everybody(made_up):
    _, _, asked = made_up({("rush", "best"): 0.6})

    assert asked == [["network", "best", "rush"], ["first", "best", "network", "list", "rush", "money"]]


@pytest.mark.parametrize(
    ("wins", "reply"),
    [
        pytest.param({}, Reply(N_GAMES, share(0.5), taken=False), id="as good as the best"),
        pytest.param(
            {("second", "list"): 0.5 + 4 * MARGIN - 0.001},
            Reply(N_GAMES, share(0.5), taken=False),
            id="hardly better against the finalists",
        ),
        pytest.param({("first", "best"): 0.6}, Reply(N_GAMES, share(0.6), taken=True), id="the first beats the best"),
        pytest.param(
            {("first", "best"): 0.6, ("rush", "first"): 0.6, ("second", "best"): 0.55},
            Reply(2 * N_GAMES, share(0.55), taken=True),
            id="somebody beats the first, nobody the second",
        ),
        pytest.param(
            {("second", "list"): 0.7, ("second", "rush"): 0.7},
            Reply(2 * N_GAMES, share(0.5), taken=True),
            id="the second is better against the others",
        ),
        pytest.param(
            {("second", "money"): 0.9},
            Reply(N_GAMES, share(0.5), taken=False),
            id="better against the weak counts for nothing",
        ),
        pytest.param(
            {("first", "best"): 0.55, ("rush", "first"): 0.6, ("list", "second"): 0.7},
            Reply(N_GAMES, share(0.55), taken=False),
            id="all are beaten, the best by the least",
        ),
        pytest.param(
            {("first", "best"): 0.65, ("rush", "first"): 0.6, ("list", "second"): 0.7},
            Reply(N_GAMES, share(0.65), taken=True),
            id="all are beaten, the first by the least",
        ),
    ],
)
def test_the_answer_is_beaten_by_nobody_and_wins_most_against_the_finalists(made_up, wins, reply):
    ranked, found, _ = made_up(wins)

    assert found == reply
    assert [one.name for one in ranked] == ["reply"] * reply.taken + ["BEST", "NETWORK", "LIST", "RUSH", "MONEY"]
    if reply.taken:
        assert ranked[0].strategy == ("first" if reply.n_games == N_GAMES else "second")


def test_a_reply_that_was_learned_becomes_the_answer(venue_in, monkeypatch):
    """A network that wants Curses is a start from which much is learned in a few games."""
    monkeypatch.setattr("evodom.learning.reply.GAMES", 24)
    learned = Entrant("run:1", ("start", "run 0"), wanting(GAIN, WITCH_KINGDOM.pile("Curse"), WITCH_KINGDOM))
    nothing = Entrant("run:2", ("start", "run 1"), wanting(GAIN, WITCH_KINGDOM.pile("Curse"), WITCH_KINGDOM))

    ranked, reply = attacked(venue_in(), [learned, nothing], 96, GAMES)

    assert reply.taken
    assert [one.name for one in ranked] == ["reply", "run:1", "run:2"]
    assert reply.wins.low > 0.5


def test_nobody_is_set_on_the_best_where_nothing_was_learned(venue_in):
    money = Entrant(BIG_MONEY, ("baseline", BIG_MONEY), baseline(BIG_MONEY, WITCH_KINGDOM))

    assert attacked(venue_in(), [money], N_GAMES, GAMES) == ([money], None)


def test_the_hardest_is_the_one_it_wins_least_against(venue_in):
    strong = Entrant("mine.toml", ("file", "mine.toml"), baseline("double-witch", WITCH_KINGDOM))
    weak = Entrant("random", ("baseline", "random"), baseline("random", WITCH_KINGDOM))
    money = baseline(BIG_MONEY, WITCH_KINGDOM)

    met = hardest(venue_in(), money, [weak, strong], FEWER * 100)

    assert met.name == "mine.toml"
    assert met.wins.high < 0.5
