"""Reports on saved runs: what a run has found, measured in seeded games, as data, text, a page and tables.

`read_entries` reads a run, `make_report` measures in a `matches.Venue` of its kingdom and returns a `Report`, which
`render` tells as text, `page` as one HTML file, and `write_tables` as CSV files.
"""

from typing import TYPE_CHECKING

from evodom._lazy import exports

if TYPE_CHECKING:
    from evodom.report.contents import Entries, Report, make_report, read_entries
    from evodom.report.tables import write_tables
    from evodom.report.text import render

__all__ = [
    "Entries",
    "Report",
    "make_report",
    "read_entries",
    "render",
    "write_tables",
]

__getattr__ = exports(
    __name__,
    {
        "contents": ("Entries", "Report", "make_report", "read_entries"),
        "tables": ("write_tables",),
        "text": ("render",),
    },
)
