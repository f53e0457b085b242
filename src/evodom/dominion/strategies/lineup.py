"""Define a learned strategy (a record with its network), and the lineup of strategies that kernels get.

The STRATEGY record of a learned strategy has the index of its network in the ``networks`` of its lineup. Other
strategies have no network.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from evodom.dominion.strategies.base import NETWORK, Strategies
from evodom.dominion.strategies.models.networks.layers import Networks, Weights, networks_of, new_networks
from evodom.dominion.strategies.record import STRATEGY, Strategy
from evodom.dominion.strategies.registry import model_index


class LearnedStrategy(Strategy):
    """A STRATEGY record and its network, an array of one WEIGHTS record. The network does not change."""

    def __init__(self, record: Strategy, networks: Networks) -> None:
        self.record, self.networks = record, networks

    @classmethod
    def of(cls, record: Strategy, networks: Networks) -> Self:
        """Return the strategy of a record and its network."""
        return cls(record, networks)

    @property
    def network_weights(self) -> Weights:
        """The weights of the network, (N_WEIGHTS,), not writeable."""
        weights: Weights = self.networks["weights"][0]
        weights.flags.writeable = False
        return weights

    def copy(self) -> Self:
        """Return a copy of the record with the same network."""
        return self.of(self.record.copy(), self.networks)

    def tobytes(self) -> bytes:
        """Return the record and the weights as bytes."""
        return self.record.tobytes() + self.network_weights.tobytes()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LearnedStrategy) and self.tobytes() == other.tobytes()

    def __hash__(self) -> int:
        return hash(self.tobytes())

    def __getitem__(self, column: str) -> Any:
        return self.record[column]

    def __setitem__(self, column: str, value: object) -> None:
        self.record[column] = value


class LineupArrays(NamedTuple):
    """The STRATEGY records and the networks of a lineup, for kernels."""

    records: Strategies
    networks: Networks


NO_NETWORKS = new_networks(1)
"""The networks of a lineup without learned strategies: one network that no kernel reads. All records have index 0."""


@dataclass(frozen=True, eq=False)
class Lineup:
    """Strategies by number: their STRATEGY records and their networks."""

    records: Strategies
    networks: Networks = field(default_factory=lambda: NO_NETWORKS)

    @classmethod
    def of(cls, *groups: "Lineup | Strategies | Sequence[Strategy]") -> "Lineup":
        """Return the strategies of all groups in order. A group that is an array must have no learned strategies."""
        if len(groups) == 1 and isinstance(groups[0], Lineup):
            return groups[0]
        parts, networks, n_learned = [], dict[int, Networks](), 0
        for group in groups:
            if isinstance(group, np.ndarray):
                parts.append(group)
                continue
            part: Any = np.zeros(len(group), STRATEGY)
            for place, one in enumerate(group):
                if isinstance(one, LearnedStrategy):
                    address = one.networks.ctypes.data
                    networks.setdefault(address, one.networks)
                    part[place], n_learned = one.record, n_learned + 1
                    part["network"][place] = list(networks).index(address)
                else:
                    part[place] = one
            parts.append(part)
        records = parts[0] if len(parts) == 1 else np.concatenate(parts)
        assert (records["kind"] == model_index(NETWORK)).sum() == n_learned, "a record lacks its network"
        if len(networks) < 2:
            return cls(records, next(iter(networks.values()), NO_NETWORKS))
        return cls(records, networks_of(np.concatenate([one["weights"] for one in networks.values()])))

    @property
    def arrays(self) -> LineupArrays:
        """The argument of kernels."""
        return LineupArrays(self.records, self.networks)

    def __len__(self) -> int:
        return len(self.records)

    def __iter__(self) -> Iterator[Strategy]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, number: int) -> Strategy:
        """Return a strategy."""
        record: Strategy = self.records[number]
        if record["kind"] != model_index(NETWORK):
            return record
        row, alone = int(record["network"]), record.copy()
        alone["network"] = 0
        return LearnedStrategy.of(alone, self.networks[row : row + 1])

    def subset(self, numbers: "slice | npt.NDArray[Any]") -> "Lineup":
        """Return the lineup of some of the strategies."""
        return Lineup(self.records[numbers], self.networks)
