"""The scripts of the page can be read: no line is longer than those of Python."""

from evodom.web.site import STATIC

LONGEST = 120


def test_no_line_is_too_long():
    for path in STATIC.glob("*.js"):
        lines = path.read_text(encoding="utf-8").splitlines()
        assert [(path.name, number) for number, line in enumerate(lines, 1) if len(line) > LONGEST] == []
