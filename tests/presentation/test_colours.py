"""The colours of charts can be told apart: each pair differs by at least MIN_DIFFERENCE (CIEDE2000)."""

import re
from itertools import combinations
from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt

import pytest

from evodom.presentation.page import style

MIN_DIFFERENCE = 13
"""Two colours of areas that touch, or of bars, are then seen as different colours and not as shades of one."""

WHITE = (0.95047, 1.0, 1.08883)
TO_XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.072175), (0.0193339, 0.119192, 0.9503041))


def lab(colour):
    """Return a colour "#rrggbb" in CIELAB (sRGB, D65)."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    xyz = [sum(a * b for a, b in zip(row, linear, strict=True)) / n for row, n in zip(TO_XYZ, WHITE, strict=True)]
    x, y, z = (v ** (1 / 3) if v > 216 / 24389 else (24389 / 27 * v + 16) / 116 for v in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def difference(one, other):
    """Return the colour difference CIEDE2000 of two colours in CIELAB."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean_chroma = (hypot(a1, b1) + hypot(a2, b2)) / 2
    stretch = 1 + (1 - sqrt(mean_chroma**7 / (mean_chroma**7 + 25**7))) / 2
    a1, a2 = a1 * stretch, a2 * stretch
    c1, c2 = hypot(a1, b1), hypot(a2, b2)
    h1, h2 = degrees(atan2(b1, a1)) % 360, degrees(atan2(b2, a2)) % 360
    turn = (h2 - h1 + 180) % 360 - 180
    hue, lightness, chroma = (h1 + turn / 2) % 360, (l1 + l2) / 2, (c1 + c2) / 2
    change = 2 * sqrt(c1 * c2) * sin(radians(turn / 2))
    t = 1 - 0.17 * cos(radians(hue - 30)) + 0.24 * cos(radians(2 * hue)) + 0.32 * cos(radians(3 * hue + 6))
    t -= 0.2 * cos(radians(4 * hue - 63))
    s_l = 1 + 0.015 * (lightness - 50) ** 2 / sqrt(20 + (lightness - 50) ** 2)
    s_c, s_h = 1 + 0.045 * chroma, 1 + 0.015 * chroma * t
    rotation = -2 * sqrt(chroma**7 / (chroma**7 + 25**7)) * sin(radians(60 * exp(-(((hue - 275) / 25) ** 2))))
    parts = (l2 - l1) / s_l, (c2 - c1) / s_c, change / s_h
    return sqrt(sum(part**2 for part in parts) + rotation * parts[1] * parts[2])


def colours(sheet):
    """Return the colours of a part of the sheet by the class that draws them."""
    return dict(re.findall(r"--(o\d|copper|silver|gold|estate|duchy|province|curse):(#[0-9a-f]{6})", sheet))


def test_the_difference_of_colours_is_that_of_published_pairs():
    # Sharma, Wu, Dalal (2005), table 1, pairs 1, 17 and 25.
    assert difference((50, 2.6772, -79.7751), (50, 0, -82.7485)) == pytest.approx(2.0425, abs=1e-4)
    assert difference((50, 2.5, 0), (73, 25, -18)) == pytest.approx(27.1492, abs=1e-4)
    assert difference((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387)) == pytest.approx(1.2644, abs=1e-4)


def test_the_colours_of_all_cards_differ_in_the_light_and_the_dark_theme():
    light, *dark = re.split(r'@media \(prefers-color-scheme:dark\)|:root\[data-theme="dark"\]', style("pictures"))
    themes = [colours(light), *(colours(light) | colours(part) for part in dark)]
    assert [len(theme) for theme in themes] == [17] * 3
    assert themes[1] == themes[2]
    for theme in themes:
        close = {pair: difference(*(lab(theme[name]) for name in pair)) for pair in combinations(theme, 2)}
        assert {pair: found for pair, found in close.items() if found < MIN_DIFFERENCE} == {}
