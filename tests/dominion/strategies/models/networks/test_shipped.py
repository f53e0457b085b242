"""The shipped network of all kingdoms."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from evodom.dominion.cards import ACTION, CARDS, Card
from evodom.dominion.effects.hand import move_all
from evodom.dominion.effects.ops import Zone
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.models.networks import hypernetwork, shipped
from evodom.dominion.strategies.models.networks.hypernetwork import TRAINED_SIZES, CardHypernetwork, extended, layout
from evodom.dominion.strategies.models.networks.model import soften
from evodom.dominion.strategies.models.networks.shipped import NetworkUnusable
from evodom.files import write_numbers
from evodom.learning.training import Training
from tests.learning.small import EFFORT, KINGDOM, OPTIONS, TrainOptions

N_TRAINED = layout(TRAINED_SIZES).itemsize // 4
"""Numbers of the shipped network."""


def test_a_shipped_network_is_made_the_kingdoms_and_the_first_start(package):
    numbers = np.random.default_rng(1).normal(0.0, 0.05, N_TRAINED).astype(np.float16)
    write_numbers(package / shipped.FILE, numbers, shipped.fingerprint())

    weights = shipped.shipped_weights(KINGDOM)

    assert (weights == CardHypernetwork(KINGDOM).weights(extended(numbers.astype(np.float32), TRAINED_SIZES))).all()
    first = Training(TrainOptions(**OPTIONS), 7, effort=EFFORT).first()
    soften(weights)
    assert (first.genomes[0]["weights"] == weights).all()
    assert not (first.genomes[1]["weights"] == weights).all()


def test_without_a_shipped_network_all_starts_imitate(package):
    assert shipped.usable_weights(KINGDOM) is None
    with pytest.raises(NetworkUnusable, match=r"cannot be used: this version has no file general\.npz\. Name"):
        shipped.shipped_weights(KINGDOM)
    first = Training(TrainOptions(**OPTIONS), 7, effort=EFFORT).first()
    assert not (first.genomes[0]["weights"] == first.genomes[1]["weights"]).all()


def test_a_network_of_other_numbers_rules_or_cards_is_refused_with_the_reason(package, monkeypatch):
    path, zeros = package / shipped.FILE, np.zeros(N_TRAINED, np.float32)

    def refused(match):
        shipped.shipped.cache_clear()
        with pytest.raises(NetworkUnusable, match=match):
            shipped.shipped_weights(KINGDOM)
        assert shipped.usable_weights(KINGDOM) is None

    for numbers in (zeros[1:], np.full(N_TRAINED, np.nan, np.float32)):
        write_numbers(path, numbers, shipped.fingerprint())
        refused(r"general\.npz has other numbers")
    path.write_bytes(b"PK")
    refused(r"general\.npz is damaged")
    with monkeypatch.context() as patch:
        patch.setattr(shipped, "fingerprint", lambda: "other rules")
        write_numbers(path, zeros, shipped.fingerprint())
    refused(r"general\.npz is a network of rules 'other rules', written by evodom")
    write_numbers(path, zeros, shipped.fingerprint())
    monkeypatch.setitem(CARDS, "Village", replace(CARDS["Village"], cost=9))
    refused(r"general\.npz is a network of rules ")


def test_a_new_card_a_new_trait_and_a_new_feature_change_nothing_for_kingdoms_without_it(package, monkeypatch):
    numbers = np.random.default_rng(1).normal(0.0, 0.05, N_TRAINED).astype(np.float16)
    write_numbers(package / shipped.FILE, numbers, shipped.fingerprint())
    before = shipped.shipped_weights(KINGDOM)
    monkeypatch.setitem(CARDS, "Bonfire", Card("Bonfire", 3, ACTION, (move_all(Zone.SET_ASIDE, Zone.TRASH),)))
    shipped.shipped.cache_clear()

    assert (shipped.shipped_weights(KINGDOM) == before).all()
    assert np.isfinite(shipped.shipped_weights(Kingdom(("Bonfire",)))).all()

    smaller = TRAINED_SIZES._make([*(n - 1 for n in TRAINED_SIZES[:3]), TRAINED_SIZES.kinds])
    for module in (shipped, hypernetwork):
        monkeypatch.setattr(module, "TRAINED_SIZES", smaller)
    numbers = numbers[: layout(smaller).itemsize // 4]
    write_numbers(package / shipped.FILE, numbers, shipped.fingerprint())
    shipped.shipped.cache_clear()
    assert (shipped.shipped() == extended(numbers.astype(np.float32), smaller)).all()


def test_the_shipped_file_is_that_of_these_cards():
    assert shipped.why_unusable() == ""


def test_the_guide_that_the_error_names_exists():
    file, title = shipped.GUIDE.split(", ")

    assert f"### {title.strip(chr(34))}\n" in (Path(__file__).parents[5] / file).read_text(encoding="utf-8")
