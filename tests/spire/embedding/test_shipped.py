"""The network of act 1 that comes with the package: what does not fit is left alone."""

from importlib import resources

import numpy as np
import pytest

from evodom.spire.embedding import hypernetwork as shipped
from evodom.spire.embedding.hypernetwork import n_general


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Return a folder in which the shipped network is looked for."""
    monkeypatch.setattr(resources, "files", lambda name: tmp_path)
    shipped.shipped.cache_clear()
    yield tmp_path
    shipped.shipped.cache_clear()


def test_one_comes_with_the_package_that_fits():
    found = shipped.shipped()

    assert found is not None
    assert found.general.any()
    source = resources.files("evodom.spire.embedding") / shipped.FILE
    assert len(source.read_bytes()) < 2_000_000


def test_what_was_written_is_read(package):
    numbers = np.random.default_rng(1).normal(0.0, 0.1, n_general()).astype(np.float16)
    shipped.write(package / shipped.FILE, numbers.astype(np.float32))

    assert (shipped.shipped().general == numbers.astype(np.float32)).all()


def of_other_rules(path):
    with pytest.MonkeyPatch.context() as before:
        before.setattr(shipped, "fingerprint", lambda: "other rules")
        shipped.write(path, np.zeros(n_general(), np.float32))


def cut_to(size):
    def write(path):
        shipped.write(path, np.ones(n_general(), np.float32))
        path.write_bytes(path.read_bytes()[:size])

    return write


@pytest.mark.parametrize(
    "write",
    [
        lambda path: None,
        of_other_rules,
        lambda path: shipped.write(path, np.zeros(n_general() - 1, np.float32)),
        lambda path: shipped.write(path, np.full(n_general(), np.inf, np.float32)),
        *map(cut_to, (0, 10, 1000, -20)),
        lambda path: np.savez(path, general=np.array([{}], object), fingerprint=np.array(shipped.fingerprint())),
    ],
    ids=["none", "other rules", "too few", "infinite", "empty", "10 bytes", "1000 bytes", "cut", "pickled"],
)
def test_a_file_that_does_not_fit_is_not_used(package, write):
    write(package / shipped.FILE)

    assert shipped.shipped() is None


def test_what_a_card_does_is_in_the_fingerprint(monkeypatch):
    before = shipped.fingerprint()
    monkeypatch.setattr(shipped, "card_traits", lambda card: {"any card": 2.0})

    assert shipped.fingerprint() != before
