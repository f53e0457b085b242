"""Games as tasks: strategies, tables and seeds as bytes, for processes and machines that know nothing of them.

A network lies in the memory of its process, and a record holds its address. What is sent has the weights beside the
records, and numbers in place of the addresses.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.model import Strategies
from evodom.dominion.strategies.networks.layers import N_WEIGHTS
from evodom.dominion.strategies.networks.weights import keep, weights_at
from evodom.dominion.strategies.record import STRATEGY
from evodom.matches.batch import RESULT, Results, play_games
from evodom.tasks import Executor
from evodom.tasks.packing import Arrays, pack, unpack

TASK_GAMES = 2048
"""Games of one task: some hundredths of a second, ten times what sending them takes (docs/scaling.md)."""


def packed_lineup(strategies: Strategies) -> Arrays:
    """Return STRATEGY records as arrays for `pack`, with the weights of the networks among them."""
    addresses = sorted(set(strategies["network"].tolist()) - {0})
    sent = strategies.copy()
    for number, address in enumerate(addresses, 1):
        sent["network"][strategies["network"] == address] = number
    weights = [weights_at(address) for address in addresses]
    return {"strategies": sent, "weights": np.array(weights, np.float32).reshape(-1, N_WEIGHTS)}


def lineup_of(arrays: Arrays) -> Strategies:
    """Return the STRATEGY records of `packed_lineup`, with their networks in the memory of this process."""
    strategies: Strategies = arrays["strategies"].view(STRATEGY)
    numbers = strategies["network"].copy()
    for number, weights in enumerate(arrays["weights"], 1):
        strategies["network"][numbers == number] = keep(weights)
    return strategies


def play_part(job: bytes) -> bytes:
    """Play games of a task in one thread and return their RESULTs."""
    facts, arrays = unpack(job)
    rules = Kingdom(tuple(facts["kingdom"])).rules(facts["n_seats"])
    results = play_games(rules, lineup_of(arrays), arrays["tables"], arrays["seeds"])
    return pack({}, results=results)


def play_elsewhere(
    executor: Executor,
    where: tuple[Kingdom, int],
    strategies: Strategies,
    tables: npt.NDArray[np.int32],
    seeds: npt.NDArray[np.uint64],
    on_games: Callable[[int], object],
) -> Results:
    """Let an executor play one game a row of ``tables`` and return their RESULTs, as `play_games` would.

    ``where`` is a kingdom and the number of seats.
    """
    kingdom, n_seats = where
    facts = {"kingdom": list(kingdom.cards), "n_seats": n_seats}
    lineup = packed_lineup(strategies)
    parts = [slice(first, first + TASK_GAMES) for first in range(0, len(tables), TASK_GAMES)]
    jobs = [pack(facts, **lineup, tables=tables[part], seeds=seeds[part]) for part in parts]
    done = executor.map(play_part, jobs, lambda number: on_games(len(tables[parts[number]])))
    return np.concatenate([unpack(result)[1]["results"].view(RESULT) for result in done])
