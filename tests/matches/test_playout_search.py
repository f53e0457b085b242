"""Search by playouts, in positions and as an agent: hidden cards do not change it. Effects of decisions."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from evodom.dominion.effects.ops import Zone
from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.strategies.models.networks.layers import PLAY
from evodom.errors import UsageError
from evodom.matches import Workers
from evodom.matches.agents import play_game
from evodom.matches.entrants import find_entrants
from evodom.matches.playout_search import (
    DecisionPoint,
    PlayoutSearch,
    SearchingPlayer,
    candidates,
    decision_effects,
    searching_agent,
)
from evodom.runs import RunStore
from evodom.search.playouts import N_AFTER_SCREENING, PlayoutBudget
from tests.dominion.helpers import after, content
from tests.networks import network, spoil_shipped_network

CLOSE = (
    "P1: hand 5 Copper; deck 5 Gold, Province; turns 9 | P2: hand {}; deck {}; turns 9 | "
    "supply: 1 Province, 2 Duchy, 1 Estate, 0 Curse"
)
"""Few turns to the end; the other one's ten cards are hidden."""

GOLD_IN_HAND = CLOSE.format("5 Gold", "5 Estate")
GOLD_IN_DECK = CLOSE.format("5 Estate", "5 Gold")

FIVE_AHEAD = (
    "P1: hand 5 Copper; deck 5 Copper, 2 Province; turns 9 | P2: hand 5 Gold; deck 5 Gold, Province, Estate; turns 9"
)


def asked(position):
    """Return the game of a position at the buy of the first player."""
    game = after(position)
    game.play_treasures_automatically(0, 1)
    return game


def names(game, options):
    return [game.piles[option.action[0]].name if option.action[0] < len(game.piles) else "pass" for option in options]


def thought(game, rng=0, *, rollouts=120, **options):
    search = PlayoutSearch(game.rules, network(game.kingdom), **options)
    return search.search(game.state, np.random.default_rng(rng), PlayoutBudget(playouts=rollouts))


def test_the_search_finds_a_winning_card_that_the_policy_does_not_prefer():
    """Five points ahead with one Province left, which the other one takes next turn: only points keep the win."""
    game = asked(f"{FIVE_AHEAD} | supply: 1 Province")

    options = thought(game)

    assert names(game, options)[:2] == ["Duchy", "Estate"]
    assert [option.value for option in options] == [1.0, 1.0, 0.0, 0.0]
    assert max(option.prior for option in options) > options[0].prior


def test_a_search_depends_on_neither_threads_nor_hidden_cards_nor_future_luck():
    game = asked(GOLD_IN_HAND)

    with ThreadPoolExecutor(3) as executor:
        shared = thought(game, workers=Workers(executor, 3))

    assert shared == thought(game)
    assert shared != thought(game, 1)

    one, other, later = asked(GOLD_IN_HAND), asked(GOLD_IN_DECK), asked(GOLD_IN_HAND)
    assert (one.state.cards[[Zone.HAND + 1, Zone.DECK + 1]] != other.state.cards[[Zone.HAND + 1, Zone.DECK + 1]]).any()
    later.state.deck_streams[:] = later.state.deck_streams[::-1] + np.uint64(7)
    later.state.strategy_streams[:] = later.state.deck_streams + np.uint64(9)

    assert thought(one) == thought(other) == thought(later)
    assert 0.0 < thought(one)[0].value < 1.0


@pytest.mark.uncompiled
def test_a_search_does_not_change_the_game():
    game = asked(GOLD_IN_HAND)
    before = content(game.state)

    thought(game, rollouts=12)

    assert content(game.state) == before


@pytest.mark.uncompiled
@pytest.mark.parametrize(("village", "searches"), [(9.0, False), (1.0, True)])
def test_a_nearly_certain_action_is_not_searched(village, searches):
    game = asked(
        "P1: hand Village, Smithy, 2 Copper; deck 5 Copper | P2: hand 5 Gold; deck 5 Gold | supply: 1 Province"
    )
    rng = np.random.default_rng(0)
    search = PlayoutSearch(game.rules, network(FIRST_GAME, {"Village": village}, PLAY))

    chosen = search.choose(game.state, rng, PlayoutBudget(playouts=12))

    assert (rng.bit_generator.state != np.random.default_rng(0).bit_generator.state) == searches
    assert searches or game.piles[chosen].name == "Village"


def test_a_gain_is_searched_even_if_the_policy_is_nearly_certain():
    game = asked(f"{FIVE_AHEAD} | supply: 1 Province")
    search = PlayoutSearch(game.rules, network(game.kingdom, {"Silver": 12.0}))
    assert search.priors(game.state).max() > 0.999

    chosen = search.choose(game.state, np.random.default_rng(0), PlayoutBudget(playouts=2000))

    assert game.piles[chosen].name == "Duchy"


def test_the_screening_keeps_the_best_and_the_most_likely_candidates():
    game = asked("P1: hand 5 Copper; deck 5 Gold; turns 5 | P2: hand 5 Copper; deck 5 Gold; turns 5")
    favourite = int(PlayoutSearch(game.rules, network(game.kingdom)).priors(game.state).argmax())

    options = thought(game, rollouts=300)

    assert len(options) == N_AFTER_SCREENING
    assert favourite in [option.action[0] for option in options]


def test_a_time_budget_ends_the_search():
    game = asked(GOLD_IN_HAND)
    ticks = iter(range(10_000))
    search = PlayoutSearch(game.rules, network(game.kingdom), clock=lambda: next(ticks) / 100)

    options = search.search(game.state, np.random.default_rng(0), PlayoutBudget(seconds=0.3))

    assert next(ticks) / 100 == pytest.approx(0.3, abs=0.1)
    assert options[0].visits >= options[-1].visits >= 16


def test_candidates_are_the_most_likely_choices_and_the_included_ones():
    priors = np.array([0.4, 0.3, 0.1, 0.09, 0.05, 0.03, 0.02, 0.01, 0.0], np.float32)

    assert candidates(priors) == [0, 1, 2, 3, 4, 5]
    assert candidates(priors, [8, 1]) == [0, 1, 2, 3, 4, 5, 8]
    assert candidates(np.array([0.999, 0.001], np.float32)) == [0]


@pytest.fixture
def shipped(monkeypatch):
    monkeypatch.setattr("evodom.matches.entrants.shipped_weights", network)


def found(*words):
    return find_entrants(words, store=RunStore(Path()), kingdom=FIRST_GAME)


def test_the_network_is_named_alone_or_with_a_time_for_its_search(shipped):
    entrants = found("network", "network:0.5s", "network:2s")

    assert [entrant.name for entrant in entrants.entrants] == ["network", "network:0.5s", "network:2s"]
    assert len({entrant.origin for entrant in entrants.entrants}) == 3
    assert entrants.has_searching_agents
    assert not found("network").has_searching_agents
    for word in ("network:0s", "network:0.001s", "network:61s"):
        with pytest.raises(UsageError, match=rf"'{word}' would search for .* Allowed: network:0\.01s to network:60s\."):
            found(word)


def test_a_shipped_network_that_cannot_be_used_is_refused_in_one_line(monkeypatch):
    spoil_shipped_network(monkeypatch)

    for word in ("network", "network:0.5s"):
        with pytest.raises(UsageError, match=r"cannot be used: general\.npz is a network of rules") as refused:
            found(word)
        assert "\n" not in str(refused.value)


def test_a_searching_agent_is_repeatable_and_does_not_depend_on_hidden_cards():
    agent = searching_agent("searching", network(FIRST_GAME), PlayoutBudget(playouts=12))
    one, two, other = (play_game(FIRST_GAME, [agent, agent], seed) for seed in (3, 3, 4))
    assert one == two
    assert one != other

    # Two games that differ only in the opponent's cards and in future luck get equal answers.
    games = asked(GOLD_IN_HAND), asked(GOLD_IN_DECK)
    games[1].state.deck_streams[:] += np.uint64(5)
    for seed in range(8):
        budget, weights = PlayoutBudget(playouts=30), network(FIRST_GAME)
        answers = {SearchingPlayer(weights, budget, np.random.default_rng(seed))(game, None) for game in games}
        assert len(answers) == 1


WINNING, LOSING = "Duchy", "Silver"
"""In FIVE_AHEAD the first player wins with the one and loses with the other, whatever is drawn."""


def searched(position):
    game = asked(position)
    return game, PlayoutSearch(game.rules, network(game.kingdom))


def effect(game, search, *names, seat=0):
    moments = [DecisionPoint(game.state, game.kingdom.names.index(name)) for name in names]
    return decision_effects(search, moments, seat, np.random.default_rng(1))


@pytest.fixture(autouse=True)
def few_playouts(monkeypatch):
    monkeypatch.setattr("evodom.matches.playout_search.EFFECTS_PLAYOUTS", 400)


def test_the_effect_of_a_choice_is_its_share_less_the_mean_of_the_networks_choices():
    game, search = searched(f"{FIVE_AHEAD} | supply: 1 Province")
    policy = search.policy(game.state)
    duchy, silver = (policy[game.kingdom.names.index(name)] for name in (WINNING, LOSING))
    assert duchy + silver == pytest.approx(1, abs=0.01)
    assert search.chances(game.state, 0, np.arange(40, dtype=np.uint64)).sum() == pytest.approx(1)

    won, lost = effect(game, search, WINNING, LOSING)[0]

    assert won == pytest.approx(silver, abs=0.01)
    assert lost == pytest.approx(-duchy, abs=0.01)
    assert effect(game, search, WINNING, seat=1)[0] == pytest.approx(-won)


def test_the_choices_of_the_network_change_nothing_on_average():
    game, search = searched(GOLD_IN_HAND)
    policy = search.policy(game.state)
    choices = [answer for answer in game.decision.consequences if policy[answer.pile] > 0.01]

    total = variance = 0.0
    for answer in choices:
        found, errors = decision_effects(search, [DecisionPoint(game.state, answer.pile)], 0, np.random.default_rng(1))
        total += policy[answer.pile] * found[0]
        variance += (policy[answer.pile] * errors[0]) ** 2

    assert len(choices) > 1
    assert abs(total) < 4 * variance**0.5


def test_a_decisive_buy_is_made_without_playouts_and_has_no_effect():
    game, search = searched("P1: hand 4 Gold; deck Copper | P2: hand 5 Copper; deck 3 Copper | supply: 1 Province")
    rng, province = np.random.default_rng(1), game.kingdom.names.index("Province")

    found, errors = decision_effects(search, [DecisionPoint(game.state, province)], 0, rng)

    assert search.choose(game.state, rng, PlayoutBudget(playouts=1)) == province
    assert (found.tolist(), errors.tolist()) == ([0.0], [0.0])
    assert rng.bit_generator.state == np.random.default_rng(1).bit_generator.state
