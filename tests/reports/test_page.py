"""The report as a page: well-formed, self-contained, and no wider than the screen, in a browser too."""

import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from evodom.dominion.strategies.describe import Traits
from evodom.report.page import SECTIONS, page
from evodom.reports.lineage import Ancestor, Lineage

VOID = {"meta", "br", "link", "img", "hr", "input"}


class Walk(HTMLParser):
    """Collects the elements of a page, and fails on tags that do not match."""

    def __init__(self, text):
        super().__init__()
        self.open, self.elements, self.text = [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag, f"</{tag}> closes another element"

    def handle_data(self, data):
        self.text.append(data)


@pytest.fixture(scope="module")
def with_lineage(report):
    line = [Ancestor(4, 1, "elite", []), Ancestor(3, 2, "child", ["switch"]), Ancestor(2, 5, "new", [])]
    return replace(report, lineage=Lineage(line, [1, 2, 2, 1, 1]))


@pytest.fixture(scope="module")
def walked(with_lineage):
    return Walk(page(with_lineage))


def test_the_page_is_well_formed(walked):
    assert walked.open == []
    assert walked.elements[0] == ("html", {"lang": "en"})


def test_all_sections_are_there_and_linked(walked):
    assert [each["id"] for tag, each in walked.elements if tag == "section"] == list(SECTIONS)
    links = [each["href"] for tag, each in walked.elements if tag == "a"]
    assert links == [f"#{name}" for name in SECTIONS]


def test_the_page_loads_nothing_and_runs_nothing(walked, with_lineage):
    tags = {tag for tag, _ in walked.elements}
    assert not tags & {"script", "link", "img", "iframe", "object", "embed", "base"}
    for _, attributes in walked.elements:
        assert not {"src", "srcset", "onload", "onclick"} & set(attributes)
    text = page(with_lineage)
    assert "url(" not in text
    assert "@import" not in text
    assert "://" not in text


def test_every_picture_has_a_caption_and_says_what_it_shows(walked):
    tags = [tag for tag, _ in walked.elements]
    pictures = [each for tag, each in walked.elements if tag == "svg"]
    assert len(pictures) >= 18
    assert all(each["role"] == "img" and each["aria-label"] for each in pictures)
    assert tags.count("figcaption") == tags.count("figure") >= len(pictures)


def test_the_page_is_small(with_lineage):
    assert len(page(with_lineage).encode()) < 2_000_000


def test_the_page_ends_with_the_settings_the_seed_and_the_command(walked, report):
    words = " ".join(walked.text)
    foot = words[words.index("Settings") :]
    assert "seed of the run 3" in " ".join(foot.split())
    assert report.command in foot


def test_a_run_without_origins_has_no_section_on_lineage(report):
    assert 'id="lineage"' not in page(replace(report, lineage=None))


def test_a_champion_with_rules_is_told_by_them(report):
    traits = Traits("It follows rules.", ["Province", "Silver if count_in_deck(Silver) < 3"])
    text = page(replace(report, champion=replace(report.champion, traits=traits)))
    assert "<li>Silver if count_in_deck(Silver) &lt; 3</li>" in text


def test_names_are_escaped(report):
    told = page(replace(report, command="evodom report x --data-dir '<&>'"))
    assert "&lt;&amp;&gt;" in told
    assert "<&>" not in told


@pytest.mark.parametrize("options", [{"n_generations": 1}, {"players": 2}, {"model": "classic"}, {"players": 6}])
def test_any_run_has_a_page(saved_entries, report_on, options):
    found = report_on(saved_entries(**{"n_generations": 2} | options), games=40)
    assert Walk(page(found)).open == []


BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)

# The page in a frame of a phone's or a screen's width, which says how wide what is in it has become.
FRAME = """<!DOCTYPE html><body style="margin:0"><iframe id="f" src="page.html" width="{width}" height="900"
style="border:0"></iframe><p id="told"></p><script>f.onload=()=>{{let d=f.contentDocument.documentElement;
f.contentDocument.querySelectorAll("details").forEach(e=>e.open=true);
told.textContent="wide "+d.scrollWidth+" of "+d.clientWidth+", pictures "+d.querySelectorAll("svg").length}}</script>"""


@pytest.mark.skipif(BROWSER is None, reason="no Chromium here to open the page in")
@pytest.mark.parametrize("width", [390, 1280])
def test_in_a_browser_the_page_is_no_wider_than_the_screen(tmp_path, with_lineage, width):
    (tmp_path / "page.html").write_text(page(with_lineage))
    (tmp_path / "frame.html").write_text(FRAME.format(width=width))
    command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}"]
    command += ["--allow-file-access-from-files", "--virtual-time-budget=2000", "--dump-dom"]

    shown = subprocess.run(
        [*command, (tmp_path / "frame.html").as_uri()], capture_output=True, text=True, timeout=60, check=True
    ).stdout

    told = shown.split('<p id="told">')[1].split("</p>")[0].replace(",", "").split()
    assert told, shown
    assert int(told[1]) <= int(told[3]) <= width
    assert int(told[5]) == page(with_lineage).count("<svg")
