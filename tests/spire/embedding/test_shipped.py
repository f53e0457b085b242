"""The packaged network of act 1, and files that are not read."""

from importlib import resources

import numpy as np
import pytest

from evodom.files import NETWORK, write_numbers
from evodom.spire.embedding import hypernetwork as shipped
from evodom.spire.embedding.hypernetwork import n_act_weights


def save(path, numbers):
    write_numbers(path, numbers, shipped.fingerprint())


def test_the_package_has_a_valid_network():
    found = shipped.shipped()

    assert found is not None
    assert found.weights.any()
    source = resources.files("evodom.spire.embedding") / shipped.FILE
    assert len(source.read_bytes()) < 2_000_000


def test_written_networks_are_read(package):
    numbers = np.random.default_rng(1).normal(0.0, 0.1, n_act_weights()).astype(np.float16)
    save(package / shipped.FILE, numbers.astype(np.float32))

    assert (shipped.shipped().weights == numbers.astype(np.float32)).all()


def of_other_rules(path):
    with pytest.MonkeyPatch.context() as before:
        before.setattr(shipped, "fingerprint", lambda: "other rules")
        save(path, np.zeros(n_act_weights(), np.float32))


def cut_to(size):
    def write(path):
        save(path, np.ones(n_act_weights(), np.float32))
        path.write_bytes(path.read_bytes()[:size])

    return write


@pytest.mark.parametrize(
    "write",
    [
        lambda path: None,
        of_other_rules,
        lambda path: save(path, np.zeros(n_act_weights() - 1, np.float32)),
        lambda path: save(path, np.full(n_act_weights(), np.inf, np.float32)),
        *map(cut_to, (0, 10, 1000, -20)),
        lambda path: np.savez(path, numbers=np.array([{}], object), **NETWORK.stamp(shipped.fingerprint())),
    ],
    ids=["none", "other rules", "too few", "infinite", "empty", "10 bytes", "1000 bytes", "cut", "pickled"],
)
def test_an_invalid_file_is_not_read(package, write):
    write(package / shipped.FILE)

    assert shipped.shipped() is None


def test_the_fingerprint_depends_on_the_traits_of_cards(monkeypatch):
    before = shipped.fingerprint()
    monkeypatch.setattr(shipped.columns, "card_traits", lambda card: {"any card": 2.0})

    assert shipped.fingerprint() != before
