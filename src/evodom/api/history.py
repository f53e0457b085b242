"""The statistics of a run as a table (`RunHistory`), and the callback that collects them (`Recorder`)."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from evodom.api.results import Figure, ReportedResult
from evodom.errors import UsageError, short
from evodom.evolution.emitters import KINDS
from evodom.evolution.history import history_row
from evodom.evolution.options import Options
from evodom.presentation import document as doc
from evodom.presentation.charts import LineChart, Series
from evodom.runs import Generation

RATES = BEST, MEAN, WINS = "best", "mean", "wins"
"""Columns with win rates. WINS has those of the champion."""

OnGeneration = Callable[[dict[str, Any]], object]
"""A function of a row of a history. The run stops if it returns a true value."""


@dataclass(frozen=True, repr=False)
class RunHistory(ReportedResult):
    """The statistics of a run, a row for each generation or checkpoint, such as {"generation": 1, "best": 0.6, ...}.

    `evodom.evolution.history_row` describes the columns of evolution. "seconds" is the time of the generation.
    """

    rows: Sequence[Mapping[str, Any]]

    def to_dict(self) -> dict[str, list[Any]]:
        """Return each column as a list: an argument of ``pandas.DataFrame``. Missing values are None."""
        return {name: [row.get(name) for row in self.rows] for name in dict.fromkeys(chain(*self.rows))}

    def document(self) -> doc.Document:
        """Return the rows as a table. Rates and shares are in per cent."""
        in_percent = {*RATES, *KINDS}
        columns = [
            doc.percent_column(f"{name}, %", key=name) if name in in_percent else doc.DataColumn(name, 2)
            for name in self.to_dict()
        ]
        cells = [[row.get(name) for name in self.to_dict()] for row in self.rows]
        return doc.Document("", [doc.Section("", [doc.DataTable(columns, cells)])])

    def plot(self) -> Figure:
        """Return the win rates by the first column."""
        columns = self.to_dict()
        unit, *others = columns
        names = [name for name in others if name in RATES]
        lines = [Series(name, f"c{n}", [100 * rate for rate in columns[name]]) for n, name in enumerate(names)]
        return Figure(LineChart(columns[unit], lines, (unit, "wins, %")).svg(f"{' and '.join(names)} by {unit}"))

    def _summary(self) -> str:
        return f"{len(self.rows)} rows of {', '.join(self.to_dict())}"


class Recorder:
    """Collect a row for each generation in ``rows``, and call the user's function with a copy of it."""

    def __init__(self, options: Options, on_generation: OnGeneration | None) -> None:
        """Raise UsageError unless ``on_generation`` is a function or None."""
        if not callable(on_generation) and on_generation is not None:
            raise UsageError(f"on_generation is {short(on_generation)}. Allowed: a function of a row, or None.")
        self.rows: list[dict[str, Any]] = []
        self._options, self._on_generation = options, on_generation
        self.restart_clock()

    def restart_clock(self) -> None:
        """Measure the time of the next generation from now on."""
        self._began = time.perf_counter()

    def __call__(self, generation: Generation) -> bool:
        """Return True if the user's function stops the run."""
        row = history_row(generation.index, generation.summary, self._options.round_length)
        self.rows.append(row | {"seconds": time.perf_counter() - self._began})
        self.restart_clock()
        return self._on_generation is not None and bool(self._on_generation(dict(self.rows[-1])))
