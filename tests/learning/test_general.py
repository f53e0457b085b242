"""Training the network of all kingdoms, and the one that is shipped."""

from dataclasses import replace
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

from benchmarks import general_training
from benchmarks.general_training import GeneralLearner, GeneralSchedule, draw_kingdom, held_out_kingdoms
from evodom.dominion.cards import ACTION, BASIC, CARDS, COLONY_CARDS, Card
from evodom.dominion.cards.hand_effects import move_all
from evodom.dominion.engine.ops import Zone
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.networks import hypernetwork
from evodom.dominion.strategies.networks.hypernetwork import (
    GENERAL,
    SIZES,
    TRAINED,
    CardHypernetwork,
    grown,
    layout,
)
from evodom.dominion.strategies.networks.layers import OPTION, PLAY
from evodom.dominion.strategies.networks.model import soften
from evodom.dominion.strategies.networks.traits import CARD_COLUMNS
from evodom.learning import general
from evodom.learning import league as teachers
from evodom.learning.general import NetworkUnusable
from evodom.learning.training import Training
from tests.learning.small import EFFORT, KINGDOM, OPTIONS, TrainOptions

N_TRAINED = layout(TRAINED).itemsize // 4
"""Numbers of the shipped network."""

HELD_OUT = tuple(kingdom for sets in general_training.N_HELD_OUT for kingdom in held_out_kingdoms(sets))


@pytest.fixture
def small_schedule(monkeypatch):
    """Return a schedule of one iteration of imitation and three of play, in two kingdoms with few games each."""
    for name, value in {"N_KINGDOMS": 2, "GAMES": 16, "PAST_EVERY": 2}.items():
        monkeypatch.setattr(general_training, name, value)
    monkeypatch.setattr(teachers, "N_LISTS", 8)
    return GeneralSchedule(n_imitation=1, n_iterations=4)


def test_the_same_seed_trains_the_same_with_any_number_of_threads(small_schedule, thread_pool):
    learners = [GeneralLearner.new(3, small_schedule), GeneralLearner.new(3, small_schedule, thread_pool)]
    before = learners[0].general.copy()

    figures = [[learner.step() for _ in range(4)] for learner in learners]

    assert figures[0] == figures[1]
    assert learners[0].general.tobytes() == learners[1].general.tobytes()
    assert not (learners[0].general == before).all()
    assert np.isfinite(learners[0].general).all()
    assert [each["games"] for each in figures[0]] == [32] * 4
    # An earlier self is kept at the second iteration, which is the first of play that PAST_EVERY divides.
    assert len(learners[0].past) == 1


def test_rates_fall_over_a_schedule():
    schedule = GeneralSchedule(n_iterations=100)
    first, middle, last = (schedule.at(iteration) for iteration in (0, 50, 100))
    ends = list(zip(schedule.rates.learning_rate, schedule.rates.entropy_bonus, strict=True))

    assert (first, last) == (ends[0], pytest.approx(ends[1]))
    assert first > middle > last


def test_kingdoms_of_training_are_none_of_those_kept_apart():
    rng = np.random.default_rng(1)
    apart = [{card for card in kingdom.cards if CARDS[card] not in COLONY_CARDS} for kingdom in HELD_OUT]
    drawn = [draw_kingdom(rng) for _ in range(200)]

    assert len(apart) == 100
    assert not [kingdom for kingdom in drawn if {*kingdom.cards[:10]} in apart]
    assert {card for kingdom in drawn for card in kingdom.cards} == CARDS.keys() - {card.name for card in BASIC}
    assert {*CARD_COLUMNS} <= CARDS.keys()
    sets = [{CARDS[name].card_set for name in kingdom.cards} for kingdom in drawn]
    assert 55 < sum(each == {"Base"} for each in sets) < 105
    assert 20 < sum(kingdom.has_colony for kingdom in drawn) < 60
    assert [kingdom.has_colony for kingdom in HELD_OUT] == [False] * 40 + [False, True] * 30


def test_a_trained_network_is_continued(small_schedule):
    trained = np.random.default_rng(1).normal(0.0, 0.02, layout(SIZES._replace(kinds=OPTION)).itemsize // 4)
    learner = GeneralLearner.of(3, 4, trained.astype(np.float32), SIZES._replace(kinds=OPTION))
    network = learner.general.view(GENERAL)[0]

    assert (network["worths"][OPTION] == network["worths"][PLAY]).all()
    assert learner.schedule.at(0)[0] > learner.schedule.at(3)[0]
    before = learner.general.copy()
    learner.step()
    assert not (learner.general == before).all()
    assert not learner.schedule.n_imitation


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Return a folder in which the shipped network is looked for."""
    monkeypatch.setattr(resources, "files", lambda name: tmp_path)
    general.shipped.cache_clear()
    yield tmp_path
    general.shipped.cache_clear()


def test_a_shipped_network_is_made_the_kingdoms_and_the_first_start(package):
    numbers = np.random.default_rng(1).normal(0.0, 0.05, N_TRAINED).astype(np.float16)
    general.write(package / general.FILE, numbers)

    weights = general.shipped_weights(KINGDOM)

    assert (weights == CardHypernetwork(KINGDOM).weights(grown(numbers.astype(np.float32), TRAINED))).all()
    first = Training(TrainOptions(**OPTIONS), 7, effort=EFFORT).first()
    soften(weights)
    assert (first.genomes[0]["weights"] == weights).all()
    assert not (first.genomes[1]["weights"] == weights).all()


def test_without_a_shipped_network_all_starts_imitate(package):
    assert general.preferred_weights(KINGDOM) is None
    with pytest.raises(NetworkUnusable, match=r"cannot be used: this version has no file general\.npz\. Name"):
        general.shipped_weights(KINGDOM)
    first = Training(TrainOptions(**OPTIONS), 7, effort=EFFORT).first()
    assert not (first.genomes[0]["weights"] == first.genomes[1]["weights"]).all()


def test_a_network_of_other_numbers_rules_or_cards_is_refused_with_the_reason(package, monkeypatch):
    path, zeros = package / general.FILE, np.zeros(N_TRAINED, np.float32)

    def refused(match):
        general.shipped.cache_clear()
        with pytest.raises(NetworkUnusable, match=match):
            general.shipped_weights(KINGDOM)
        assert general.preferred_weights(KINGDOM) is None

    for numbers in (zeros[1:], np.full(N_TRAINED, np.nan, np.float32)):
        general.write(path, numbers)
        refused(r"general\.npz has other numbers")
    path.write_bytes(b"PK")
    refused(r"general\.npz is damaged")
    with monkeypatch.context() as patch:
        patch.setattr(general, "fingerprint", lambda: "other rules")
        general.write(path, zeros)
    refused(r"general\.npz is a network of rules 'other rules', written by evodom")
    general.write(path, zeros)
    monkeypatch.setitem(CARDS, "Village", replace(CARDS["Village"], cost=9))
    refused(r"general\.npz is a network of rules ")


def test_a_new_card_a_new_trait_and_a_new_feature_change_nothing_for_kingdoms_without_it(package, monkeypatch):
    numbers = np.random.default_rng(1).normal(0.0, 0.05, N_TRAINED).astype(np.float16)
    general.write(package / general.FILE, numbers)
    before = general.shipped_weights(KINGDOM)
    monkeypatch.setitem(CARDS, "Bonfire", Card("Bonfire", 3, ACTION, (move_all(Zone.SET_ASIDE, Zone.TRASH),)))
    general.shipped.cache_clear()

    assert (general.shipped_weights(KINGDOM) == before).all()
    assert np.isfinite(general.shipped_weights(Kingdom(("Bonfire",)))).all()

    smaller = TRAINED._replace(shared=TRAINED.shared - 1, cards=TRAINED.cards - 1, scalars=TRAINED.scalars - 1)
    for module in (general, hypernetwork):
        monkeypatch.setattr(module, "TRAINED", smaller)
    numbers = numbers[: layout(smaller).itemsize // 4]
    general.write(package / general.FILE, numbers)
    general.shipped.cache_clear()
    assert (general.shipped() == grown(numbers.astype(np.float32), smaller)).all()


def test_the_shipped_file_is_that_of_these_cards():
    assert general.why_unusable() == ""


def test_the_guide_that_the_error_names_exists():
    file, title = general.GUIDE.split(", ")

    assert f"### {title.strip(chr(34))}\n" in (Path(__file__).parents[2] / file).read_text(encoding="utf-8")
