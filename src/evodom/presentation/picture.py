"""Save the SVG of a page as a separate file."""

from html import escape
from pathlib import Path

from evodom.errors import UsageError
from evodom.files import write_output
from evodom.presentation.page import style


def check_picture(path: Path) -> None:
    """Raise UsageError for a file that does not end in .svg. Call it before a long computation."""
    if path.suffix.lower() != ".svg":
        raise UsageError(f"pictures are SVG files, got {str(path)!r}. Name a file that ends in .svg.")


def save_picture(svg: str, path: Path) -> None:
    """Write the SVG element of a page with its style sheets to `path`. Raise RunError if it cannot be written."""
    write_output(path, as_file(svg))


def as_file(svg: str) -> str:
    """Return the SVG element of a page as the text of a file, with its style sheets."""
    sheets = style("report") + style("pictures") + "svg{background:var(--card)}"
    tag, rest = svg.split(">", 1)
    head = tag.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
    return f"{head}><style>{escape(sheets, quote=False)}</style>{rest}\n"
