"""Plans for people: induction of lists, search on matches, pruning; and tips on the play of cards."""

import numpy as np
import pytest

from evodom.advice.plan import MAX_PLAN_RULES, N_LISTS_PER_RUN, baseline_genome, buy_list_genomes, find_plan
from evodom.advice.tips import _Habit, _habits, _opposite, tips
from evodom.dominion.cards import BASIC, DUCHY, ESTATE, GOLD, PROVINCE, SILVER
from evodom.dominion.engine import observation as column
from evodom.dominion.engine.observation import COLONIES, N_FEATURES, OWNED, PROVINCES, TURN
from evodom.dominion.engine.rules import N_MODEL_PILES
from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.breeding import Breeding
from evodom.dominion.strategies.models.buy_lists.encoding import decode
from evodom.dominion.strategies.models.buy_lists.genetics import GENOME, PROVINCES_UP_TO
from evodom.dominion.strategies.models.buy_lists.induction import GainDecisions, ListInduction
from evodom.dominion.strategies.models.buy_lists.reachable import effective_rules
from evodom.dominion.strategies.models.networks import layers
from evodom.dominion.strategies.models.networks.model import PREFERRED_LOGIT, network_strategy, weights_of
from evodom.dominion.strategies.record import strategies_of
from evodom.evolution import Options, carry_on, start
from evodom.learning.habits import gain_decisions, teacher_games
from evodom.learning.rollouts import DECISION
from evodom.matches.seating import game_seeds
from evodom.matches.tournament import wins_against
from evodom.runs import RunStore
from tests.advice.small import SMALL, shrink
from tests.dominion.helpers import COLONY_GAME

N = 400


def decisions_of(choose, seed=0):
    """Return decisions on random turns and decks of a teacher that ``choose`` (turn, owned) makes."""
    rng = np.random.default_rng(seed)
    features = np.zeros((N, N_FEATURES), np.int64)
    features[:, TURN] = rng.integers(1, 20, N)
    features[:, OWNED : OWNED + N_MODEL_PILES] = rng.integers(0, 4, (N, N_MODEL_PILES))
    legal = rng.random((N, N_MODEL_PILES)) < 0.8
    legal[:, len(BASIC) + len(FIRST_GAME.cards) :] = False
    values = np.zeros((N, N_MODEL_PILES + 1))
    for place, (row, allowed) in enumerate(zip(features, legal, strict=True)):
        pile = next((p for p in choose(row[TURN], row[OWNED:]) if allowed[p]), N_MODEL_PILES)
        values[place, pile] = 1.0
    return GainDecisions(features, legal, values)


def test_induction_finds_the_order_and_the_conditions_of_a_teacher():
    smithy = len(BASIC) + FIRST_GAME.cards.index("Smithy")

    def choose(turn, owned):
        return [PROVINCE, *([smithy] if owned[smithy] < 2 else []), *([SILVER] if turn <= 8 else [GOLD])]

    induction = ListInduction(decisions_of(choose), FIRST_GAME, np.random.default_rng(1))
    induction.run(600)

    assert induction._value > 0.95
    rules = [rule.pile for rule in induction.rules]
    assert rules.index(PROVINCE) < rules.index(smithy)
    assert ESTATE not in rules


def test_conditions_of_induced_rules_count_provinces_or_colonies():
    decisions = decisions_of(lambda turn, owned: [])
    decisions.features[:, [PROVINCES, COLONIES]] = 8, 5

    for kingdom, argument, amount in ((COLONY_GAME, 0, 8), (COLONY_GAME, 1, 5), (FIRST_GAME, 1, 8)):
        assert (decisions.quantity(PROVINCES_UP_TO, argument, kingdom) == amount).all()


def test_games_of_a_baseline_become_decisions_that_it_follows(venue_in):
    venue = venue_in(FIRST_GAME)
    teacher = baseline("big-money", FIRST_GAME)
    games = teacher_games(venue, teacher, game_seeds(np.random.SeedSequence(1), 20))

    decisions = gain_decisions(games, teacher)

    assert len(decisions.values) > 200
    assert (decisions.values.sum(axis=1) == 1).all()
    genome = ListInduction(decisions, FIRST_GAME, np.random.default_rng(1)).run(400)
    (found,) = strategies_of(genome, Breeding(model="buy-list"))
    assert wins_against(venue, found, teacher, 1000, 99).share > 0.4


@pytest.mark.parametrize("n_seats", [2, pytest.param(3, marks=pytest.mark.full)])
def test_a_plan_wins_against_weak_opponents_and_is_short(venue_in, monkeypatch, n_seats):
    shrink(monkeypatch)
    venue = venue_in(FIRST_GAME, n_seats)
    answer = baseline("random", FIRST_GAME)

    plan = find_plan(venue, answer, [], np.zeros(0, GENOME), SMALL)

    rules = decode(plan, FIRST_GAME)
    assert 0 < len(rules) <= MAX_PLAN_RULES
    assert effective_rules(rules) == rules
    assert wins_against(venue, plan, answer, 200, 99).share > 0.9
    assert find_plan(venue, answer, [], np.zeros(0, GENOME), SMALL).tobytes() == plan.tobytes()


@pytest.mark.parametrize(("n_seats", "gains"), [(2, (5, 2, 6)), (4, (8, 4, 10))])
def test_a_baseline_among_the_first_lists_has_the_numbers_of_its_players(n_seats, gains):
    genome = baseline_genome("militia-smithy", FIRST_GAME, n_seats)
    rules = decode(strategies_of(genome, Breeding(model="buy-list", kingdom=FIRST_GAME))[0], FIRST_GAME)

    conditions = [condition for rule in rules for condition in rule.conditions]
    assert tuple(one.constant for one in conditions if one.terms == ((("gains_to_end", ""), 1),)) == gains


def test_without_runs_there_are_no_evolved_lists():
    assert len(buy_list_genomes([], 1)) == 0


def test_the_lines_of_a_run_come_before_the_first_of_its_ranking(tmp_path):
    options = Options(model="buy-list", n_strategies=16, n_generations=2, games=1, race=4, players=2)
    with start("lists", options, 1, store=RunStore(tmp_path)) as run:
        carry_on(run)
        generation = run.generation(1)
        found = buy_list_genomes([run], 2)

    lines = {int(number): line["strength"] for number, line in generation.summary["lines"].items()}
    ranked = [number for number in generation.ranking.tolist() if number not in lines]
    expected = [*sorted(lines, key=lambda number: -lines[number]), *ranked][:N_LISTS_PER_RUN]
    assert lines
    assert found.tobytes() == generation.genomes[expected].tobytes()


def made(kind, action, legal, **features):
    """Return decisions, equal but for their number, with these features."""
    decisions = np.zeros(100, DECISION)
    decisions["features"][:, column.PENDING + FIRST_GAME.pile("Militia")] = 1
    decisions["kind"], decisions["action"], decisions["legal"] = kind, action, sum(1 << pile for pile in legal)
    for name, value in features.items():
        decisions["features"][:, getattr(column, name)] = value
    return decisions


@pytest.mark.parametrize(
    ("decisions", "texts"),
    [
        (made(layers.GAIN, DUCHY, [DUCHY, GOLD], TURN=12), ["Buy Duchies from turn 12, none before turn 8"]),
        (made(layers.GAIN, DUCHY, [DUCHY, GOLD], TURN=5), ["Buy Duchies from turn 5"]),
        (made(layers.GAIN, ESTATE, [ESTATE], TURN=12), []),
        (made(layers.CARDS, ESTATE, [ESTATE, GOLD], FROM_HAND=1, TO_DISCARDS=1, OWN_TURN=1), []),
        (
            made(layers.CARDS, ESTATE, [ESTATE, GOLD], FROM_HAND=1, TO_DISCARDS=1),
            ["Discard Estates first to an opponent's Militia"],
        ),
    ],
)
def test_tips_on_victory_cards_and_discards_come_from_decisions(decisions, texts):
    found = list(_habits(decisions, FIRST_GAME, 50))

    assert [habit.text for habit in found] == texts
    assert all(habit.card in ("Duchy", "") for habit in found)


def test_an_early_preference_for_a_victory_card_changes_only_early_gains():
    uniform = network_strategy(np.zeros(layers.N_WEIGHTS, np.float32), FIRST_GAME)
    habit = _Habit("", "Duchy", layers.GAIN, (DUCHY,), PREFERRED_LOGIT, column.TURNS_EARLY)
    changed = layers.network_arrays(weights_of(_opposite(uniform, habit)))["inputs"][layers.GAIN]

    row = changed[column.TURNS_EARLY] * column.SCALES[column.TURNS_EARLY]
    assert row[layers.FIRST_OUTPUT + DUCHY] == pytest.approx(PREFERRED_LOGIT)
    assert np.count_nonzero(changed) == 1


def test_no_decisions_give_no_tips(venue_in):
    venue = venue_in(FIRST_GAME)
    games = teacher_games(venue, baseline("big-money", FIRST_GAME), game_seeds(np.random.SeedSequence(1), 4))

    assert tips(venue, baseline("big-money", FIRST_GAME), games.decisions[:0], 8, 100, {}) == ()
