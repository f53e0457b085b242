"""`ReportedResult`, the base class of the results of this package, and `Figure`, a chart as SVG."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evodom.presentation.charts import Bar, BarChart
from evodom.presentation.document import Document
from evodom.presentation.page import fragment, style
from evodom.presentation.picture import as_file, check_picture, save_picture
from evodom.presentation.text import render


@dataclass(frozen=True)
class Figure:
    """A chart. Notebooks show it; `save` writes it to a file."""

    svg: str

    def _repr_svg_(self) -> str:
        return as_file(self.svg)

    def save(self, path: str | Path) -> Path:
        """Write the chart to an SVG file and return its path. Raise UsageError for a path without the ending .svg."""
        check_picture(Path(path))
        save_picture(self.svg, Path(path))
        return Path(path)


class ReportedResult(ABC):
    """A result. It can be converted to a dict, to text, to HTML and to a chart."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Return all figures as JSON types."""

    @abstractmethod
    def document(self) -> Document:
        """Return the result as a document, for text and HTML."""

    @abstractmethod
    def plot(self) -> Figure:
        """Return a chart of the main figures."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self._summary()}>"

    def __str__(self) -> str:
        return render(self.document())

    @abstractmethod
    def _summary(self) -> str:
        """Return the main figures in one line."""

    def _repr_html_(self) -> str:
        styles = style("report") + style("pictures")
        return f"<style>@scope{{{styles}}}</style><main>{fragment(self.document().sections)}</main>"


def bars(title: str, rows: Sequence[Bar], reference: float) -> Figure:
    """Return a chart of win rates as bars with intervals. ``reference`` is the chance level."""
    return Figure(BarChart(rows, reference=reference).svg(title))
