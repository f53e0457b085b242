"""Build the document of the report of any saved run."""

from evodom.presentation.document import Document
from evodom.presentation.documents.evolved import evolved_document
from evodom.presentation.documents.fights import fights_document
from evodom.presentation.documents.learned import learned_document
from evodom.reports.evolved import Report
from evodom.reports.fights import FightReport
from evodom.reports.learned import LearnedReport


def report_document(report: Report | LearnedReport | FightReport) -> Document:
    """Return the document of the report of a saved run."""
    if isinstance(report, Report):
        return evolved_document(report)
    return learned_document(report) if isinstance(report, LearnedReport) else fights_document(report)
