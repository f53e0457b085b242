"""What an automated check finds wrong with a page for those who do not see it, or not well, or use no mouse.

axe-core, which comes with the package axe-playwright-python, looks at names, labels, headings, landmarks, contrast and
the size of what is clicked, by WCAG 2.2 AA and by what is good practice. Beside it: whatever can be done is reached by
Tab, in the order in which it stands, and shows that it has the focus. In windows of three widths no text is cut.
"""

from axe_playwright_python.base import AXE_SCRIPT

from tests.effort import effort

DESK, PHONE = (("light", 1280),), (("dark", 390),)
VIEWS = effort((*DESK, *PHONE), PHONE, PHONE)
"""Colours and widths: with ``--full`` pages are seen by day, by night, at a desk and on a phone."""

CUTS_ONLY = effort(PHONE, (), ())
"""Views of a page that another test sees whole. Without ``--full`` only cut text is looked for."""

OPTIONS = {"iframes": False, "resultTypes": ["violations", "incomplete"], "rules": {"target-size": {"enabled": True}}}


def problems(page, views=VIEWS):
    """Return what is wrong with a page as it is now, in some views: a line each, empty where all is well."""
    found = {}
    before = page.viewport_size
    if views:
        page.evaluate(AXE_SCRIPT)
    for scheme, width in views:
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 844})
        for line in [*_by_axe(page), *page.evaluate(UNFOCUSED)]:
            found.setdefault(line, f"{line} ({scheme}, {width} px)")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 844})
        for line in page.evaluate(CUT):
            found.setdefault(line, f"{line} ({width} px)")
    page.set_viewport_size(before)
    return list(found.values())


def _by_axe(page):
    told = page.evaluate("options => axe.run(document, options)", OPTIONS)
    unsure = [one for one in told["incomplete"] if one["id"].startswith("aria-")]
    for violation in [*told["violations"], *unsure]:
        for node in violation["nodes"]:
            why = " ".join(one["message"] for kind in ("any", "all", "none") for one in node[kind])
            yield f"{violation['id']}: {' '.join(map(str, node['target']))}: {node['html'][:120]}: {why[:300]}"


WIDTHS = (390, 1280, 1920)
"""Widths of a phone, a desk and a large screen."""

CUT = """() => {
  const found = document.documentElement.scrollWidth > innerWidth ? ["the page is wider than the window"] : [];
  for (const one of document.querySelectorAll("body *:not(.unseen)")) {
    const { overflowX, overflowY, webkitLineClamp } = getComputedStyle(one);
    const table = innerWidth < 1000 && one.matches(".scroll");
    if (!one.checkVisibility() || one.clientWidth < 4 || webkitLineClamp !== "none" || table) continue;
    const cut = overflowX !== "visible" && one.scrollWidth > one.clientWidth + 1;
    const low = ["hidden", "clip"].includes(overflowY) && one.scrollHeight > one.clientHeight + 1;
    if (cut || low) found.push(`cut: <${one.localName} class="${one.className}">${one.textContent.slice(0, 60)}`);
  }
  return found;
}"""
"""Text that its box or the window cuts. On a phone tables scroll, and texts of piles end in dots."""

UNFOCUSED = """() => {
  const here = document.activeElement, found = [];
  const can = "a[href], button, input, select, textarea, summary, [tabindex]";
  const within = document.querySelector("dialog[open]") ?? document;
  const outlined = (one) => {
    const { outlineStyle, outlineWidth } = one ? getComputedStyle(one) : { outlineStyle: "none" };
    return outlineStyle === "auto" || (outlineStyle !== "none" && parseFloat(outlineWidth) >= 2);
  };
  for (const one of within.querySelectorAll(can)) {
    if (one.disabled || !one.checkVisibility({ visibilityProperty: true }) || one.tabIndex < 0) continue;
    const what = one.outerHTML.slice(0, 120);
    if (one.tabIndex > 0) found.push(`out of order: ${what}`);
    one.focus({ preventScroll: true, focusVisible: true });
    if (document.activeElement !== one) found.push(`cannot have the focus: ${what}`);
    if (!outlined(one) && !outlined(one.nextElementSibling)) found.push(`does not show the focus: ${what}`);
  }
  here?.focus?.({ preventScroll: true });
  return found;
}"""
