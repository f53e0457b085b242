"""One generation of a run, and its conversion to bytes: a table with a row for each genome, nothing pickled."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from evodom.files import parse_json

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Column = NDArray[Any]

GENOMES, RANKING = "genomes", "ranking"  # Columns that the tables of all generations have.


@dataclass(frozen=True)
class Generation:
    """One generation of a run.

    Attributes:
        index: its number, from 0.
        genomes: a 1-D structured array.
        ranking: the indices of the genomes, best first.
        summary: figures of the generation, as plain JSON types.
        columns: further arrays by name, with a value for each genome.
    """

    index: int
    genomes: NDArray[Any]
    ranking: NDArray[np.int32]
    summary: dict[str, Any]
    columns: dict[str, Column] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the summary and the columns as plain JSON types."""
        return self.summary | {name: column.tolist() for name, column in self.columns.items()}

    def to_table(self) -> tuple[str, bytes]:
        """Return the description of the table in JSON, and its rows as bytes. All numbers are little-endian."""
        import numpy as np

        arrays = {RANKING: self.ranking, GENOMES: self.genomes} | self.columns
        dtype = np.dtype([(name, array.dtype) for name, array in arrays.items()]).newbyteorder("<")
        if dtype.hasobject or {array.shape for array in arrays.values()} != {(len(self.genomes),)}:
            raise TypeError(f"a generation has 1-D arrays of equal length without Python objects, and got {dtype}")
        table = np.zeros(len(self.genomes), dtype)
        for name, array in arrays.items():
            table[name] = array
        return json.dumps(np.lib.format.dtype_to_descr(dtype)), table.tobytes()

    @classmethod
    def of_table(cls, index: int, summary: dict[str, Any], description: str, rows: bytes) -> Generation:
        """Return the generation of a table by `to_table`. Other contents raise errors of several types."""
        import numpy as np

        dtype = np.lib.format.descr_to_dtype(_with_tuples(parse_json(description)))
        table = np.frombuffer(rows, dtype)
        columns = {name: table[name].copy() for name in dtype.names or ()}
        genomes, ranking = columns.pop(GENOMES), columns.pop(RANKING).astype(np.int32)
        return cls(index, genomes, ranking, summary, columns)


Contents = tuple[dict[str, Any], Iterable[Generation]]
"""The meta, a JSON object, and the generations of a run or part."""


def _with_tuples(description: Any) -> Any:
    """Return a dtype's description from JSON with tuples in place of lists, for its fields and shapes."""
    if not isinstance(description, list):
        return description
    return [(name, _with_tuples(kind), *map(tuple, shape)) for name, kind, *shape in description]
