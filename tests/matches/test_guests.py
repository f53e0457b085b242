"""Rivals that are saved with a run: as they were, and refused where they are damaged."""

import json

import numpy as np
import pytest

from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.networks.layers import N_WEIGHTS
from evodom.dominion.strategies.networks.model import network_record, weights_of
from evodom.dominion.strategies.preferences.genetics import random_genomes
from evodom.dominion.strategies.record import strategies_of
from evodom.evolution.options import Options
from evodom.matches.agents import Entrant, guest_text, read_guest, rival_records

NETWORK = network_record(np.linspace(-1, 1, N_WEIGHTS, dtype=np.float32), FIRST_GAME)


def test_a_network_is_kept_with_its_weights():
    guest = read_guest(guest_text(Entrant("mine", ("run", "mine"), NETWORK), FIRST_GAME), FIRST_GAME)

    assert guest.name == "mine"
    assert weights_of(guest.strategy).tobytes() == weights_of(NETWORK).tobytes()


def test_an_evolved_strategy_is_kept_as_a_file():
    (strategy,) = strategies_of(random_genomes(1, Options(), np.random.default_rng(1)), Options())

    guest = read_guest(guest_text(Entrant("bred:2", ("run", "bred"), strategy), FIRST_GAME), FIRST_GAME)

    assert guest.strategy.tobytes() == strategy.tobytes()


def test_rivals_are_guests_by_name_or_baselines():
    guests = [guest_text(Entrant("mine", ("run", "mine"), NETWORK), FIRST_GAME), json.dumps({"name": "random"})]

    records = rival_records(["big-money", "mine", "random"], guests, FIRST_GAME)

    assert records[0].tobytes() == baseline("big-money", FIRST_GAME).tobytes()
    assert records[1]["network"] == NETWORK["network"]
    assert records[2].tobytes() == baseline("random", FIRST_GAME).tobytes()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"name": 3}',
        '{"name": ""}',
        '{"name": "a\\u0007"}',
        '{"name": "mine"}',
        '{"name": "double-witch"}',
        '{"name": "mine", "network": "AAAA"}',
        '{"name": "mine", "network": "?"}',
        '{"name": "mine", "file": "model = 3"}',
        '{"name": "mine", "file": "", "network": ""}',
        '{"name": "mine", "agent": "evil.py"}',
    ],
)
def test_what_is_no_guest_is_refused(text):
    with pytest.raises(ValueError):  # noqa: PT011  # each has words of its own
        read_guest(text, FIRST_GAME)


def test_a_network_with_numbers_that_no_kernel_may_be_given_is_refused():
    wild = network_record(np.full(N_WEIGHTS, np.inf, np.float32), FIRST_GAME)

    with pytest.raises(ValueError, match="the network of 'mine' is damaged"):
        read_guest(guest_text(Entrant("mine", ("run", "mine"), wild), FIRST_GAME), FIRST_GAME)


def test_a_name_of_which_nothing_is_saved_is_refused():
    with pytest.raises(ValueError, match="a rival is 'mine', and nothing is saved of it"):
        rival_records(["mine"], [], Kingdom(("Chapel", "Witch")))
