"""Rivals from elsewhere, saved with the run that meets them: what becomes of where they came from changes nothing.

A guest is a line of JSON: its name, and a strategy file, or the weights of a network. A baseline needs its name only.
"""

import base64
import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.base import Strategies, Strategy, was_learned
from evodom.dominion.strategies.baselines import BASELINES, baseline, fitting_baselines
from evodom.dominion.strategies.files import dump_strategy, parse_strategy
from evodom.dominion.strategies.networks.model import are_sound, network_record, weights_of
from evodom.dominion.strategies.record import STRATEGY
from evodom.errors import UsageError, short
from evodom.files import parse_json
from evodom.matches import MOST_RIVALS, check_rivals
from evodom.matches.agents import Entrant

NAME, FILE, NETWORK = "name", "file", "network"


def guest_text(entrant: Entrant, kingdom: Kingdom) -> str:
    """Return what is saved of a strategy that a run meets; an agent written in Python cannot be one."""
    name = entrant.name
    if name in BASELINES:
        return json.dumps({NAME: name})
    strategy = entrant.record
    if was_learned(strategy):
        weights = weights_of(strategy).astype("<f4").tobytes()
        return json.dumps({NAME: name, NETWORK: base64.b64encode(weights).decode()})
    return json.dumps({NAME: name, FILE: dump_strategy(strategy, kingdom, name=name)})


@lru_cache(MOST_RIVALS)  # each generation asks for the same ones
def read_guest(text: str, kingdom: Kingdom) -> Entrant:
    """Return the guest of a text; raises ValueError for what is none in this kingdom."""
    content = parse_json(text)
    if not isinstance(content, dict) or not all(isinstance(part, str) for part in content.values()):
        raise ValueError(f"a rival that is saved with it is {short(text)}")
    name = content.pop(NAME, None)
    if not name or not name.isprintable() or not set(content) <= {FILE, NETWORK} or len(content) > 1:
        raise ValueError(f"a rival that is saved with it is {short(text)}")
    return Entrant(name, ("guest", name), _strategy(name, content, kingdom))


def read_guests(guests: Sequence[str], kingdom: Kingdom) -> tuple[Entrant, ...]:
    """Return guests as entrants; raises ValueError as `read_guest` does."""
    return tuple(read_guest(text, kingdom) for text in guests)


def rival_records(names: Sequence[str], guests: Sequence[str], kingdom: Kingdom) -> Strategies:
    """Return the rivals of a run as an array of STRATEGY records: guests by their names, else baselines.

    Raises ValueError for a name that is neither, and for more than MOST_RIVALS.
    """
    check_rivals(names, guests)
    known = {guest.name: guest.strategy for guest in read_guests(guests, kingdom)}
    records = np.zeros(len(names), STRATEGY)
    for place, name in enumerate(names):
        records[place] = known[name] if name in known else _fitting(name, kingdom)
    return records


def _strategy(name: str, content: dict[str, str], kingdom: Kingdom) -> Strategy:
    if NETWORK in content:
        return network_record(_weights(content[NETWORK], name), kingdom)
    if FILE in content:
        return parse_strategy(content[FILE], name=name, where=name).record(kingdom)
    return _fitting(name, kingdom)


def _fitting(name: object, kingdom: Kingdom) -> Strategy:
    if name not in fitting_baselines(kingdom):
        raise ValueError(f"a rival is {short(name)}, and nothing is saved of it")
    return baseline(name, kingdom)


def _weights(text: str, name: str) -> Any:
    """Return the weights of a network that a text holds, checked: kernels trust them."""
    content = base64.b64decode(text, validate=True)
    weights = np.frombuffer(content[: len(content) // 4 * 4], "<f4")
    if not are_sound(weights):
        raise UsageError(f"the network of {short(name)} is damaged.")
    return weights
