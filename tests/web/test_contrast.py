"""The colours of the pages have the contrast of WCAG 2.2 AA: 4.5 for text, 3 for what is not text."""

import re

import pytest

from evodom.web.site import STATIC

CSS = (STATIC / "app.css").read_text(encoding="utf-8")
KINDS = ("treasure", "victory", "action", "attack", "reaction", "curse")
GROUNDS = ("ground", "surface", "raised")

TEXT = [
    *((ink, ground) for ink in ("ink", "soft", "accent") for ground in GROUNDS),
    *((ink, ground) for ink in ("good", "bad") for ground in ("ground", "surface")),
    ("on-accent", "accent"),
    ("ink", "accent-wash"),
    *((f"on-{kind}", kind) for kind in KINDS),
]
NOT_TEXT = [
    *((edge, ground) for edge in ("edge", "accent") for ground in GROUNDS),
    *((f"line-{number}", "surface") for number in range(6)),
]


def themes():
    """Return the colours of each theme by name, as the sheet gives them."""
    pairs = re.findall(r"--([a-z0-9-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);", CSS)
    return {"light": {name: light for name, light, _ in pairs}, "dark": {name: dark for name, _, dark in pairs}}


def rgb(colour):
    return [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]


def luminance(parts):
    """Relative luminance (WCAG 2.2, definitions)."""
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def mixed(one, other, share):
    """What color-mix(in srgb, ONE SHARE, OTHER) is."""
    return [share * first + (1 - share) * second for first, second in zip(rgb(one), rgb(other), strict=True)]


def test_the_formula_gives_what_the_standard_says():
    assert contrast(rgb("#000000"), rgb("#ffffff")) == pytest.approx(21)
    assert contrast(rgb("#777777"), rgb("#ffffff")) == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_can_be_read_and_edges_can_be_seen(theme):
    colours, play = themes()[theme], (STATIC / "play.css").read_text(encoding="utf-8")
    for pairs, least in ((TEXT, 4.5), (NOT_TEXT, 3)):
        low = [pair for pair in pairs if contrast(*(rgb(colours[name]) for name in pair)) < least]
        assert low == []
    card = re.search(r"\.card \.text \{[^}]*color-mix\(in srgb, var\(--face\) (\d+)%, var\(--surface\)\)", play)
    for kind in KINDS:
        paper = mixed(colours[kind], colours["surface"], int(card[1]) / 100)
        assert contrast(rgb(colours[f"on-{kind}"]), paper) >= 4.5, kind
    ground, ink = re.search(r"\.coin \{[^}]*background: (#[0-9a-f]{6}); color: (#[0-9a-f]{6});", CSS).groups()
    assert contrast(rgb(ink), rgb(ground)) >= 4.5
