"""The scripts of the page can be read: no line is longer than those of Python."""

import pytest

from evodom.web.site import STATIC

LONGEST = 120


@pytest.mark.parametrize("path", sorted(STATIC.glob("*.js")), ids=lambda path: path.name)
def test_no_line_is_too_long(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [number for number, line in enumerate(lines, 1) if len(line) > LONGEST] == []
