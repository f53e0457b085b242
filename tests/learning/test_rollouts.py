"""What is written down of games: the same games as are played elsewhere, every open decision, and what came of it."""

import numpy as np
import pytest

from evodom.dominion.engine.rules import MAX_SEATS
from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.dominion.strategies.baselines import baseline, buy_list_strategy
from evodom.dominion.strategies.lineup import Lineup
from evodom.dominion.strategies.models.buy_lists.buy_list import BuyList
from evodom.dominion.strategies.models.networks.layers import (
    FIRST_CRITIC_UNIT,
    FIRST_OUTPUT,
    GAIN,
    OPTION,
    PASS_OUTPUT,
    PLAY_SHARPNESS,
    network_arrays,
)
from evodom.dominion.strategies.registry import model_of
from evodom.learning import training as pace
from evodom.learning.league import N_BEST_LISTS, teachers
from evodom.learning.ppo import N_PIECES, Learner, new_buffer, new_weights
from evodom.learning.rollouts import (
    DECISION,
    MAX_DECISIONS,
    MIN_PROBABILITY,
    NO_PILE,
    TRASHER_WEIGHT,
    RolloutGames,
    compute_gae,
    draw_bonus_piles,
)
from evodom.matches.results import Tally, win_share
from evodom.matches.seating import Use
from evodom.matches.simulate import play_games
from evodom.matches.venue import Venue
from evodom.nn.optimiser import Adam
from tests.learning.reference import answers, chosen_logs, random_weights
from tests.learning.small import KINGDOM

N_GAMES, N_SEATS = 40, 3


def learner_of(weights, kingdom=FIRST_GAME, capacity=12_000):
    return Learner(kingdom, weights, Adam.of(weights), buffer=new_buffer(capacity))


def lineup(learner, *others):
    """Return the lineup of the learner and others."""
    return Lineup.of([learner.strategy, *others])


def as_doubtful_in_play(weights):
    """Return weights that choose in play as these do while they learn: what each output is worth counts less."""
    doubtful = weights.copy()
    network = network_arrays(doubtful)
    network["inputs"][..., FIRST_OUTPUT:FIRST_CRITIC_UNIT] /= PLAY_SHARPNESS
    network["outputs"] /= PLAY_SHARPNESS
    return doubtful


def played(learner, *others, tables=None, bonus_piles=None, logit_bonus=0.0, n_games=N_GAMES):
    """Play games of a learner, by default with itself in all seats."""
    strategies = lineup(learner, *others)
    tables = np.zeros((n_games, N_SEATS), np.int32) if tables is None else tables
    bonus_piles = np.full(tables.shape, NO_PILE, np.int32) if bonus_piles is None else bonus_piles
    seeds = np.arange(len(tables), dtype=np.uint64)
    learns = np.arange(len(strategies)) == 0
    games = RolloutGames.plain(tables, seeds)._replace(bonus_piles=bonus_piles)
    return learner.play(strategies, learns, games, logit_bonus)


def is_open(decisions, output):
    return (decisions["legal"] >> output) & 1 == 1


@pytest.mark.uncompiled
def test_looking_back_by_hand():
    # given decisions of two seats, of whom the first won
    decisions = np.zeros(4, DECISION)
    decisions["seat"] = [0, 1, 0, 1]
    decisions["value"] = [0.5, 0.4, 0.7, 0.25]
    # when they are looked back on with lambda 0.5, all but the last
    compute_gae(decisions, 0, 3, np.eye(MAX_SEATS)[0], 0.0, 0.5)
    # then each is better or worse than expected by what followed: 0.7 - 0.5 + 0.5 * 0.3
    np.testing.assert_allclose(decisions["advantage"], [0.35, -0.4, 0.3, 0.0], atol=1e-6)
    np.testing.assert_allclose(decisions["target"], [0.85, 0.0, 1.0, 0.0], atol=1e-6)
    # and with a baseline, as if so much less had been won
    compute_gae(decisions, 0, 3, np.eye(MAX_SEATS)[0], 0.3, 0.5)
    np.testing.assert_allclose(decisions["advantage"], [0.2, -0.7, 0.0, 0.0], atol=1e-6)
    np.testing.assert_allclose(decisions["target"], [0.7, -0.3, 0.7, 0.0], atol=1e-6)


def test_games_that_are_written_down_are_those_that_are_played_elsewhere():
    weights = random_weights(np.random.default_rng(1), 0.03)
    learner, in_play = learner_of(weights), learner_of(as_doubtful_in_play(weights))
    tables = np.tile(np.array([[0, 1, 0], [1, 0, 1]], np.int32), (N_GAMES // 2, 1))
    other = baseline("big-money", FIRST_GAME)

    games = played(learner, other, tables=tables)

    seeds = np.arange(N_GAMES, dtype=np.uint64)
    assert (games.results == play_games(FIRST_GAME.rules(N_SEATS), lineup(in_play, other), tables, seeds)).all()
    assert set(games.decisions["seat"].tolist()) == {0, 1, 2}


def test_every_decision_is_one_that_was_open_with_its_probability_and_what_was_expected():
    weights = random_weights(np.random.default_rng(2), 0.03)
    decisions = played(learner_of(weights)).decisions

    assert set(decisions["kind"].tolist()) == set(range(OPTION)), "no card of this kingdom has options"
    assert is_open(decisions, decisions["action"]).all()
    assert (decisions["legal"] & (decisions["legal"] - 1) != 0).all()
    some = decisions[:: len(decisions) // 200]
    assert some["log_probability"] == pytest.approx(
        np.maximum(chosen_logs(weights, some), np.log(MIN_PROBABILITY)), abs=1e-3
    )
    assert some["value"] == pytest.approx(answers(weights, some)[1], abs=1e-4)


def test_decisions_between_options_are_recorded_for_learners_and_teachers():
    kingdom = Kingdom(("Pawn", "Steward", "Torturer", "Nobles", "Lurker"))
    learner = learner_of(new_weights(np.random.default_rng(5)), kingdom)
    games = played(learner).decisions.copy()
    taught = learner.collect_demonstrations(
        Lineup.of([buy_list_strategy(BuyList(("Steward", "Pawn", "Silver")), kingdom)]),
        np.zeros((N_GAMES, N_SEATS), np.int32),
        np.arange(N_GAMES, dtype=np.uint64),
    ).decisions

    menus = [(1 << n) - 1 << first for first, n in ((0, 2), (2, 4), (6, 3), (9, 2), (11, 2))]
    for decisions, n_menus in ((games, 5), (taught, 2)):
        options = decisions[decisions["kind"] == OPTION]
        assert is_open(options, options["action"]).all()
        found = {next(menu for menu in menus if legal & ~menu == 0) for legal in options["legal"].tolist()}
        assert len(found) == n_menus


def test_the_last_decision_of_a_winner_counts_what_was_won():
    games = played(learner_of(new_weights(np.random.default_rng(3))), n_games=N_PIECES)

    # A network that knows nothing expects nothing: what it decides counts the same, but for lambda.
    won = games.results["win"][:, :N_SEATS]
    for seat in range(N_SEATS):
        found = games.decisions[games.decisions["seat"] == seat]["target"]
        share = won[:, seat].mean()
        assert found.max() <= won[:, seat].max() + 1e-6
        assert (found.max() > 0) == (share > 0)


def test_a_bonus_pile_is_gained_once():
    learner = learner_of(new_weights(np.random.default_rng(4)))
    pile = FIRST_GAME.pile("Smithy")
    bonus_piles = np.full((N_GAMES, N_SEATS), NO_PILE, np.int32)
    bonus_piles[:, 1] = pile

    decisions = played(learner, bonus_piles=bonus_piles, logit_bonus=40.0).decisions

    can = decisions[(decisions["kind"] == GAIN) & is_open(decisions, pile)]
    first = can["features"][:, pile] == 0
    of_explorer = can["seat"] == 1
    assert (can[of_explorer & first]["action"] == pile).all()
    assert (can[of_explorer & first]["action"] == pile).sum() >= N_GAMES
    assert (can[of_explorer & ~first]["action"] == pile).mean() < 0.5
    assert (can[~of_explorer & first]["action"] == pile).mean() < 0.5
    # Its probability is written down without the bonus: the policy is uniform.
    n_open = np.array([int(choices).bit_count() for choices in can["legal"]])
    assert can["log_probability"] == pytest.approx(-np.log(n_open), abs=1e-4)


def test_no_game_begins_without_room_for_it():
    learner = learner_of(new_weights(np.random.default_rng(5)), capacity=MAX_DECISIONS + 300)

    games = played(learner, n_games=10 * N_PIECES)

    assert N_PIECES <= len(games.tables) < 10 * N_PIECES
    assert len(games.results) == len(games.tables)
    assert (games.results["ended"] != 0).all()


def test_watching_writes_down_what_teachers_choose_where_a_network_may_choose_it():
    kingdom = Kingdom(("Chapel", "Militia"))
    learner = learner_of(new_weights(np.random.default_rng(6)), kingdom)
    teachers = Lineup.of([baseline("big-money", kingdom), baseline("random", kingdom)])
    tables = np.tile(np.array([[0, 1]], np.int32), (N_GAMES, 1))
    seeds = np.arange(N_GAMES, dtype=np.uint64)

    games = learner.collect_demonstrations(teachers, tables, seeds)

    decisions = games.decisions
    assert (games.results == play_games(kingdom.rules(2), teachers, tables, seeds)).all()
    assert is_open(decisions, decisions["action"]).all()
    assert (decisions["advantage"] == 1.0).all()
    buys = decisions[(decisions["seat"] == 0) & (decisions["kind"] == GAIN)]
    assert {kingdom.names[pile] for pile in buys["action"] if pile != PASS_OUTPUT} == {
        "Silver", "Gold", "Estate", "Duchy", "Province",
    }  # fmt: skip
    assert decisions["target"][decisions["seat"] == 0].mean() > 0.9


def test_kingdom_cards_are_tried_by_a_share_of_the_seats_and_trashers_more_often():
    bonus_piles = draw_bonus_piles(KINGDOM, (10_000, 2), 0.4, np.random.default_rng(1))

    tried = bonus_piles[bonus_piles != NO_PILE]
    assert (bonus_piles != NO_PILE).mean() == pytest.approx(0.4, abs=0.02)
    assert set(tried.tolist()) == {KINGDOM.pile(card) for card in KINGDOM.cards}
    n = {card: (tried == KINGDOM.pile(card)).sum() for card in ("Chapel", "Smithy")}
    assert n["Chapel"] / n["Smithy"] == pytest.approx(1.0 + TRASHER_WEIGHT, rel=0.2)

    assert (draw_bonus_piles(Kingdom(()), (5, 2), 1.0, np.random.default_rng(1)) == NO_PILE).all()


def test_twice_the_time_has_about_twice_the_games(monkeypatch):
    clock = iter(range(100))
    monkeypatch.setattr(pace.time, "perf_counter", lambda: next(clock))

    # By this clock, 24 games and learning from them take a second.
    assert pace.estimate_n_games(10_000.0, KINGDOM, 2, None, 24) == 204_000
    assert pace.estimate_n_games(0.1, KINGDOM, 2, None, 24) == pace.MIN_GAMES


def test_teachers_are_lists_the_best_first_and_each_card_is_bought_by_one():
    venue = Venue(KINGDOM, 2, 1, Use.LEARNING)

    lists = teachers(venue, np.random.SeedSequence(5), 96)

    assert {model_of(each).name for each in lists} == {"buy-list"}
    assert N_BEST_LISTS <= len(lists) <= N_BEST_LISTS + len(KINGDOM.cards)
    for card in KINGDOM.cards:
        assert (lists["buy_lists"]["rules"][..., 0] == KINGDOM.pile(card)).any()
    assert (teachers(venue, np.random.SeedSequence(5), 96) == lists).all()
    games = Tally.of(venue.against(lists[0], [baseline("random", KINGDOM)], 100, venue.stream(0))).games
    assert win_share(games, 0).share > 0.9
