"""Guests: rivals saved within a run.

A guest is a line of JSON: its name with a strategy file or the weights of a network. A baseline needs only its name.
A run stays complete even if the original files of its guests change or disappear.
"""

import base64
import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.baselines import BASELINES, baseline, fitting_baselines
from evodom.dominion.strategies.files import dump_strategy, parse_strategy
from evodom.dominion.strategies.networks.model import are_sound, network_record, weights_of
from evodom.dominion.strategies.record import Strategy
from evodom.dominion.strategies.registry import was_learned
from evodom.errors import UsageError, short
from evodom.files import parse_json
from evodom.matches import MOST_RIVALS, check_rivals
from evodom.matches.agents import Entrant

NAME, FILE, NETWORK = "name", "file", "network"


def guest_text(entrant: Entrant, kingdom: Kingdom) -> str:
    """Return the saved text of a guest. Agents written in Python cannot be guests."""
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
    """Read a guest. Raise ValueError if the text is invalid or does not fit the kingdom."""
    content = parse_json(text)
    if not isinstance(content, dict) or not all(isinstance(part, str) for part in content.values()):
        raise ValueError(f"a rival that is saved with it is {short(text)}")
    name = content.pop(NAME, None)
    if not name or not name.isprintable() or not set(content) <= {FILE, NETWORK} or len(content) > 1:
        raise ValueError(f"a rival that is saved with it is {short(text)}")
    return Entrant(name, ("guest", name), _strategy(name, content, kingdom))


def read_guests(guests: Sequence[str], kingdom: Kingdom) -> tuple[Entrant, ...]:
    """Read guests as entrants. Raise ValueError like `read_guest`."""
    return tuple(read_guest(text, kingdom) for text in guests)


def named_rivals(names: Sequence[str], guests: Sequence[str], kingdom: Kingdom) -> list[Strategy]:
    """Return the rivals of a run by name. A name is a guest's or else a baseline's.

    Raises ValueError for an unknown name or more than MOST_RIVALS names.
    """
    check_rivals(names, guests)
    known = {guest.name: guest.record for guest in read_guests(guests, kingdom)}
    return [known[name] if name in known else _fitting(name, kingdom) for name in names]


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
    """Decode and check the weights of a network. Kernels do not check them."""
    content = base64.b64decode(text, validate=True)
    weights = np.frombuffer(content[: len(content) // 4 * 4], "<f4")
    if not are_sound(weights):
        raise UsageError(f"the network of {short(name)} is damaged.")
    return weights
