"""Advice by clicking, the progress of a run as it goes, a fight by keyboard; every page is accessible."""

import re
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from playwright.sync_api import expect

from evodom.dominion.kingdom import FIRST_GAME
from evodom.evolution.options import Options
from evodom.evolution.runs import carry_on, extend, start
from evodom.tasks import Workers
from evodom.web import jobs, tasks
from evodom.web.task import DONE, ReportAsked, Task, TournamentAsked, save, save_result, tasks_folder
from tests.saved import evolve

from .accessibility import CUTS_ONLY, PHONE, problems
from .browser import needs_browser, page_at
from .served import Served

pytestmark = needs_browser

SEARCHING = 240_000
"""Milliseconds that a search may take where its first one is compiled."""


@pytest.mark.full
def test_ten_cards_are_clicked_and_the_plan_appears_while_it_is_found(served, chromium, monkeypatch):
    monkeypatch.setattr(tasks, "WORK", "tests.web.small_work")
    with page_at(chromium, f"{served.address}/ask") as page:
        page.get_by_label("Add by name").fill("throne room, mar")
        expect(page.locator("#found")).to_contain_text("Enter takes Market")
        page.keyboard.press("Enter")
        for name in FIRST_GAME.cards:
            if name not in ("Market", "Cellar"):
                page.get_by_role("button", name=re.compile(f"{name}$")).first.click()
        expect(page.get_by_role("heading", name="Ten cards 10 of 10")).to_be_visible()
        page.get_by_text("To repeat an answer").click()
        small = {"Seed": 4, "Training games": 2000, "Generations": 1, "Games per win rate": 100}
        for label, value in (small | {"Strategies per generation": 8}).items():
            page.get_by_label(label, exact=True).fill(str(value))
        assert problems(page) == []
        page.get_by_role("button", name="Find the best plan").click()

        page.wait_for_url("**/ask/*")
        expect(page.get_by_role("status").first).to_contain_text(re.compile("Learning|Evolving"), timeout=SEARCHING)
        page.reload()  # a page that was closed finds the search where it is
        expect(page.get_by_role("heading", name="To follow by hand")).to_be_visible(timeout=SEARCHING)
        expect(page.locator("ol.plan li").first).to_be_visible()
        assert page.locator("figure svg").count() >= 3
        assert problems(page) == []

        page.get_by_role("button", name="Play against it").click()
        page.wait_for_url("**/play/*")
        expect(page.locator('#board[aria-busy="false"]')).to_be_visible()


@pytest.mark.full
def test_damaged_answers_are_listed_as_damaged(tmp_path, chromium):
    tasks_folder(tmp_path).mkdir()
    (tasks_folder(tmp_path) / f"{'0' * 16}.json").write_text("{")
    with Served(tmp_path) as served:
        for place in ("ask", "watch"):
            with page_at(chromium, f"{served.address}/{place}") as page:
                expect(page.locator("li.broken")).to_contain_text(f"{'0' * 16}.json: this is no task of evodom")


@pytest.mark.full
def test_a_run_is_started_stopped_and_removed_by_clicking(tmp_path, chromium, monkeypatch):
    monkeypatch.setattr(tasks, "WORK", "json.tool")  # waits for the end of its input
    with Served(tmp_path) as site, page_at(chromium, f"{site.address}/watch") as page:
        page.get_by_label("Name", exact=True).fill("mine")
        page.get_by_role("button", name="Start the run").click()
        expect(page.get_by_text("mine in First Game")).to_be_visible()
        assert problems(page) == []
        page.get_by_role("button", name="Stop").click()
        expect(page.get_by_text("Stopped: stopped.")).to_be_visible()
        page.get_by_role("button", name="Remove").click()
        page.get_by_role("button", name="Remove? What is saved stays.").click()
        expect(page.get_by_text("mine in First Game")).to_have_count(0)


@pytest.mark.full
def test_a_run_that_another_process_writes_is_followed(served, chromium):
    options = Options(n_strategies=8, n_generations=2, kingdom=FIRST_GAME, players=2, race=1, search_rounds=1)
    with ThreadPoolExecutor(1) as executor:
        workers = Workers(executor, 1)
        with (
            start("followed", options, 1, store=served.site.store, overwrite=True, workers=workers) as run,
            page_at(chromium, f"{served.address}/watch") as page,
        ):
            expect(page.get_by_role("link", name=re.compile("followed.*generation 1 of 2"))).to_contain_text("working")
            assert problems(page) == []
            page.get_by_role("link", name=re.compile("followed")).click()
            expect(page.get_by_role("status").first).to_have_text("Running · generation 1 of 2")
            carry_on(run, workers)
            expect(page.get_by_role("status").first).to_have_text("Running · generation 2 of 2")
            extend(run, 3)
            carry_on(run, workers)
            expect(page.get_by_role("status").first).to_have_text("Running · generation 3 of 3")
            assert page.locator("figure svg").count() == 3
            run.close()
            assert problems(page) == []
            expect(page.get_by_role("status").first).to_have_text("Done · generation 3 of 3")


def test_a_fight_is_played_by_keyboard_and_by_clicking_its_cards(served, chromium):
    while "state" in served.post("/api/fights", {"enemies": "cultist"}).json:  # what fights need is compiled or loaded
        time.sleep(0.2)
    with page_at(chromium, f"{served.address}/fights") as page:
        page.get_by_label("An encounter, or enemies left to right").fill("jaw worm")
        page.get_by_label("Seed").fill("5")
        assert problems(page) == []
        page.get_by_label("Seed").press("Enter")
        page.wait_for_url("**/fights/*", timeout=SEARCHING)
        expect(page.locator(".moves")).to_be_visible()
        expect(page.locator(".intent")).to_have_text("intends Chomp: 12 damage")
        page.keyboard.press("n")
        expect(page.locator(".moves .best button")).to_be_visible()
        assert problems(page) == []
        best = page.locator(".moves .best button").inner_text()
        page.locator(".moves .best button").focus()
        page.keyboard.press("Enter")
        expect(page.locator(".played li")).to_have_text([best])
        page.keyboard.press("e")
        expect(page.get_by_text("Turn 2")).to_be_visible()
        page.keyboard.press("u")
        expect(page.get_by_text("Turn 1")).to_be_visible()
        card = page.locator(".hand button").first
        said = card.locator(".name").inner_text().split(" \u00d7")[0]
        card.click()
        expect(page.locator(".played li")).to_have_text(re.compile(f"^{best}, {said}"))


def test_the_map_follows_the_weights(served, chromium):
    with page_at(chromium, f"{served.address}/map") as page:
        expect(page.get_by_text("Value 357.5")).to_be_visible()
        page.get_by_label("rest, value").fill("0")
        expect(page.get_by_text("Value 357.5")).to_have_count(0)
        assert page.locator("svg.map .room.on").count() > 10
        assert problems(page) == []


@pytest.mark.full
def test_on_a_phone_the_seed_is_asked_for_above_the_map(served, chromium):
    with page_at(chromium, f"{served.address}/map", width=390, height=844) as page:
        expect(page.locator("svg.map")).to_be_visible()
        tops = [
            page.locator(what).bounding_box()["y"] for what in ("#seed", "text=Find the route", ".shown", "svg.map")
        ]
        assert tops == sorted(tops)
        page.get_by_text("Values of rooms", exact=True).click()
        expect(page.get_by_label("rest, value")).to_be_visible()
        assert problems(page, CUTS_ONLY) == []


@pytest.mark.full
def test_a_tournament_and_a_report_are_accessible(chromium, tmp_path, store, monkeypatch):
    monkeypatch.setattr(jobs, "TOURNAMENT_GAMES", 60)
    monkeypatch.setattr(jobs, "BEST_RESPONSE_GAMES", 48)
    with ThreadPoolExecutor(1) as executor:
        workers = Workers(executor, 1)
        evolve(tmp_path, "reported", n_strategies=8, n_generations=2, start="mixed", search_rounds=2)
        desk = jobs.Desk(store, workers, lambda event: None, Event())
        report = jobs.write_report(ReportAsked("reported", 100), desk)["page"]
        asked = TournamentAsked(["big-money", "random", "smithy-ultimate"], 2, 1)
        save(Task("a" * 16, "three", asked, DONE), tmp_path)
        save_result("a" * 16, jobs.play_tournament(asked, desk), tmp_path)

    with Served(tmp_path) as site, page_at(chromium, f"{site.address}/tournament/{'a' * 16}") as page:
        expect(page.locator("table.matrix")).to_be_visible()
        assert problems(page) == []
    with page_at(chromium, "about:blank") as page:  # a report is a file of its own, with its own style
        page.set_content(report)
        assert problems(page, PHONE) == []
        for width in (390, 1280):
            page.set_viewport_size({"width": width, "height": 844})
            assert page.evaluate(COLLIDING) == []


COLLIDING = """() => {
  const found = [];
  const say = (what, svg, text) => found.push(`${what}: ${text.textContent} (${svg.getAttribute("aria-label")})`);
  for (const svg of document.querySelectorAll("svg")) {
    const frame = svg.getBoundingClientRect();
    const texts = [...svg.querySelectorAll("text")].map((text) => [text, text.getBoundingClientRect()]);
    texts.forEach(([text, box], place) => {
      if (box.left < frame.left || box.right > frame.right || box.bottom > frame.bottom + 1) say("clipped", svg, text);
      for (const [, other] of texts.slice(place + 1)) {
        const across = Math.min(box.right, other.right) - Math.max(box.left, other.left);
        const down = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
        if (across > 0 && down > 2) say("covered", svg, text);
      }
    });
  }
  for (const table of document.querySelectorAll("#plays .scroll")) {
    if (table.scrollWidth > table.clientWidth) say("clipped", document.querySelector("svg"), table.querySelector("th"));
  }
  return found;
}"""
"""The labels of pictures that lie over another or leave their picture, and wide tables of how it plays."""
