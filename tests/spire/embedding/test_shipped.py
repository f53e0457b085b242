"""The network of act 1 that comes with the package: what does not fit is left alone."""

import numpy as np
import pytest

from evodom import shipping
from evodom.spire.embedding import hypernetwork as shipped
from evodom.spire.embedding.hypernetwork import n_general


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Return a folder in which the shipped network is looked for."""
    monkeypatch.setattr(shipping, "files", lambda name: tmp_path)
    shipped.shipped.cache_clear()
    yield tmp_path
    shipped.shipped.cache_clear()


def test_one_comes_with_the_package_that_fits():
    found = shipped.shipped()

    assert found is not None
    assert found.general.any()
    source = shipping.files("evodom.spire.embedding") / shipped.FILE
    assert len(source.read_bytes()) < 2_000_000


def test_what_was_written_is_read(package):
    numbers = np.random.default_rng(1).normal(0.0, 0.1, n_general()).astype(np.float16)
    shipped.write(package / shipped.FILE, numbers.astype(np.float32))

    assert (shipped.shipped().general == numbers.astype(np.float32)).all()


def test_none_is_used_where_none_is(package):
    assert shipped.shipped() is None


def test_one_of_other_rules_is_not_used(package, monkeypatch):
    with monkeypatch.context() as before:
        before.setattr(shipped, "fingerprint", lambda: "other rules")
        shipped.write(package / shipped.FILE, np.zeros(n_general(), np.float32))

    assert shipped.shipped() is None


@pytest.mark.parametrize("numbers", [np.zeros(n_general() - 1), np.full(n_general(), np.inf)])
def test_one_of_impossible_numbers_is_not_used(package, numbers):
    shipped.write(package / shipped.FILE, numbers.astype(np.float32))

    assert shipped.shipped() is None


@pytest.mark.parametrize("keep", [0, 10, 1000, -20])
def test_a_damaged_file_is_not_used(package, keep):
    path = package / shipped.FILE
    shipped.write(path, np.ones(n_general(), np.float32))
    path.write_bytes(path.read_bytes()[:keep])

    assert shipped.shipped() is None


def test_pickled_objects_are_not_read(package):
    np.savez(package / shipped.FILE, general=np.array([{}], object), fingerprint=np.array(shipped.fingerprint()))

    assert shipped.shipped() is None


def test_what_a_card_does_is_in_the_fingerprint(monkeypatch):
    before = shipped.fingerprint()
    monkeypatch.setattr(shipped, "card_traits", lambda card: {"any card": 2.0})

    assert shipped.fingerprint() != before
