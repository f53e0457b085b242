"""What the server refuses before any part of it looks: other hosts, other sites, what is too large or no JSON."""

import re

import pytest

from evodom.web import sessions as routes
from evodom.web.guard import LARGEST_BODY, is_ours
from evodom.web.site import STATIC

JSON = {"Content-Type": "application/json"}


OURS = {
    "127.0.0.1": ["127.0.0.1:8017", "localhost:8017", "[::1]:8017", "127.0.0.1", "LOCALHOST:1"],
    "0.0.0.0": ["192.168.1.7:8017"],
    "::": ["[fe80::1]:8017"],
    "box.local": ["box.local:8017"],
}
"""Hosts that servers at an address answer for."""

OTHERS = {
    "127.0.0.1": [
        *("", "evil.example", "evil.example:8017", "127.0.0.1.evil.example", "10.0.0.1", "a@b:c", "[::1", "x:99999")
    ],
    "0.0.0.0": ["evil.example:8017"],
    "box.local": ["evil.example:8017"],
}
"""Hosts that they do not answer for: the names may have been made to mean this machine."""


def test_a_server_answers_for_addresses_and_its_own_name_and_no_others():
    for hosts, is_answered in ((OURS, True), (OTHERS, False)):
        for server, names in hosts.items():
            assert [name for name in names if is_ours(name, server) != is_answered] == []


GAMES = "/api/play/games"
FOREIGN = (
    {"Origin": "http://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://127.0.0.1:1"},
    {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"},
    {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "cors"},
)
LINK = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
FORMS = ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "")
NO_SENSE = ("", "[]", "null", "{", '"x"', "NaN", "[" * 500 + "]" * 500, '{"kingdom": 1e999}', "{}")
LARGE = b"x" * (LARGEST_BODY + 1)

REFUSED = [
    ("GET", "/", None, {"Host": "evil.example"}, 421, "does not answer for host 'evil.example'. Open the address that"),
    *(("GET", GAMES, None, JSON | one, 403, "requests from pages of other sites are refused.") for one in FOREIGN),
    *(("POST", GAMES, "{}", JSON | one, 403, "requests from pages of other sites are refused.") for one in FOREIGN),
    ("GET", "/play", None, LINK | {"Sec-Fetch-Dest": "iframe"}, 403, "requests from pages of other sites are refused."),
    *(("POST", GAMES, "{}", {"Content-Type": form}, 415, "the request body must be JSON.") for form in FORMS),
    ("POST", GAMES, LARGE, JSON, 413, "the request is too large. Allowed: up to 64,000 bytes."),
    ("POST", GAMES, [LARGE], JSON, 413, "the request is too large. Allowed: up to 64,000 bytes."),  # in chunks
    *(("POST", GAMES, body, JSON, 400, "") for body in NO_SENSE),
    ("POST", GAMES, f'{{"seed": {"9" * 5000}}}', JSON, 400, "an integer has more than 64 bits."),
    ("GET", "/nothing", None, {}, 404, "there is no such page."),
    *(
        ("GET", path, None, {}, 404, "")
        for path in ("/static/../app.py", "/static/%2e%2e/app.py", "/api/tasks/..%2Fruns")
    ),
    *(("GET", f"{path}/nothing", None, {"Accept": "text/html"}, 404, "") for path in ("/api", GAMES, "/static")),
    ("POST", "/api/site", "{}", JSON, 405, ""),
]
"""Requests: method, path, body, headers; and the status and a part of the error."""


def test_requests_are_refused_in_one_line(served):
    for method, path, body, headers, status, error in REFUSED:
        answer = served.send(method, path, body, headers)
        assert (answer.status, error in answer.json["error"]) == (status, True), (method, path, headers)
        assert "\n" not in answer.json["error"]


def test_requests_of_this_site_and_links_from_elsewhere_are_answered(served):
    own = {"Origin": served.address, "Sec-Fetch-Site": "same-origin"}
    assert served.send("GET", "/api/site", headers=own).status == 200
    assert served.send("GET", "/play", headers=LINK).status == 200


@pytest.mark.parametrize("path", ["/nothing", "/report/nothing", "/play/a/b", "/nothing?x=<b>"])
def test_a_browser_gets_a_page_for_an_address_that_has_none(served, path):
    answer = served.send("GET", path, headers={"Accept": "text/html,*/*;q=0.8"})
    assert answer.status == 404
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "<h1>Not found</h1>" in answer.text
    assert '<a class="button main" href="/">' in answer.text
    assert "<b>" not in answer.text


@pytest.mark.parametrize("path", ["/", "/play", "/play/x", "/static/app.css", "/api/site", "/nothing"])
def test_every_answer_forbids_scripts_that_are_not_files_of_this_server(served, path):
    headers = served.get(path).headers
    policy = dict(rule.split(" ", 1) for rule in headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cross-origin-resource-policy"] == "same-origin"


def test_pages_hold_no_script_no_style_and_nothing_from_elsewhere():
    for file in STATIC.iterdir():
        text = file.read_text(encoding="utf-8")
        assert not re.search(r"https?://(?!www\.w3\.org/(2000/svg|1999))", text), file.name
        if file.suffix == ".html":
            assert not re.search(r"<script(?![^>]* src=\"/static/)|<style|\son\w+=|\sstyle=", text), file.name


def test_a_failure_inside_is_one_line_here_and_in_the_terminal(served, capfd, monkeypatch):
    monkeypatch.setattr(routes, "games", lambda root: 1 / 0)
    answer = served.get("/api/play/games")
    assert answer.status == 500
    assert answer.json == {"error": "internal error in evodom: ZeroDivisionError: division by zero"}
    assert capfd.readouterr().err == "GET /api/play/games failed: ZeroDivisionError: division by zero\n"
