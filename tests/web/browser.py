"""A real browser for tests, where one is installed: Debian's chromium, driven by Playwright."""

import shutil
from contextlib import contextmanager

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip

EXECUTABLE = next(filter(None, map(shutil.which, NAMES)), None)

needs_browser = pytest.mark.skipif(EXECUTABLE is None, reason=f"no browser is installed: none of {', '.join(NAMES)}")


@contextmanager
def browser():
    """Yield a browser that is closed in the end."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=EXECUTABLE, args=list(FLAGS))
        try:
            yield found
        finally:
            found.close()


@contextmanager
def page_at(found, address, *, width=1280, height=800, scheme="light", status=200):
    """Yield a page at an address of a status; whatever else it complains about on its console fails the test."""
    context = found.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
    page, complaints = context.new_page(), []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "request", lambda request: complaints.append(request.url) if not request.url.startswith(address[:17]) else None
    )
    page.set_default_timeout(60_000)
    response = page.goto(address)
    assert address == "about:blank" or response.status == status
    if status != 200:
        complaints.clear()  # Chromium names the status on the console
    try:
        yield page
    finally:
        context.close()
    assert complaints == []
